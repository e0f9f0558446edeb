/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/checks.h"

#include "mapping/run.h"

static void
tell(const OcpRuleCheck *check, const OcpNode *found, const OcpDocument *document,
     const OcpPlaces *places, OcpReport *report)
{
    const OcpNode *say = ocp_member(found, "say");
    const OcpNode *at = ocp_member(found, "at");
    if (!ocp_is(say, OCP_STRING))
        return;
    if (at == NULL || !ocp_places_has(places, at))
        at = document->root;
    g_autofree char *message = ocp_text_dup(say);
    OcpDiagnostic *diagnostic =
        ocp_report_add(report, check->severity, check->code, "%s", message);
    GString *pointer = g_string_new(NULL);
    ocp_places_pointer(places, at, pointer);
    diagnostic->pointer = g_string_free(pointer, FALSE);
    ocp_diagnostic_locate(diagnostic, document, at->place);
}

void
ocp_mapping_check(const OcpMapping *mapping, OcpDocument *document, OcpReport *report)
{
    if (mapping->checks->len == 0)
        return;
    g_autoptr(OcpPlaces) places = ocp_places_new(document);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpRunInput input = {.mapping = mapping,
                         .source = document,
                         .root = document->root,
                         .places = places,
                         .made = made};
    g_autoptr(OcpRun) run = ocp_run_new(&input, mapping->check_slots);
    for (guint i = 0; i < mapping->checks->len; i++) {
        const OcpRuleCheck *check = &g_array_index(mapping->checks, OcpRuleCheck, i);
        const OcpNode *list = ocp_run_template(run, check->say, NULL);
        OcpIter iter = ocp_iter(list);
        for (const OcpNode *found; (found = ocp_iter_element(&iter)) != NULL;)
            tell(check, found, document, places, report);
    }
}
