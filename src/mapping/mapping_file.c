/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/mapping_file.h"

#include "mapping/spelling.h"
#include "text/source.h"
#include "text/yaml.h"

static void
add_hints(GBytes *bytes, OcpReport *report)
{
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR && diagnostic->hint == NULL &&
            g_str_has_prefix(diagnostic->code, "yaml."))
            diagnostic->hint = ocp_spelling_hint_at(text, length, diagnostic->line);
    }
}

bool
ocp_mapping_file_read(GBytes *bytes, const char *name, OcpReport *report,
                      OcpDocument **ret)
{
    g_autoptr(GPtrArray) documents = NULL;
    g_autoptr(OcpReport) heard = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    if (!ocp_source_read(bytes, name, OCP_SYNTAX_AUTO, &limits, heard, &documents) ||
        !ocp_yaml_settle(documents->pdata[0], OCP_YAML_1_2, NULL, NULL, heard)) {
        add_hints(bytes, heard);
        ocp_report_move(report, heard);
        return false;
    }
    OcpDocument *document = documents->pdata[0];
    if (documents->len > 1)
        return ocp_fail_at(report, document,
                           ((OcpDocument *)documents->pdata[1])->root->place,
                           "mapping.file", "a mapping file holds one document");
    *ret = ocp_document_ref(document);
    return true;
}

bool
ocp_mapping_file_check(const OcpDocument *document, const OcpSchema *grammar,
                       OcpReport *report)
{
    g_autoptr(OcpReport) found = ocp_report_new();
    bool ok = ocp_schema_check(grammar, document, document->root, NULL, found);
    for (guint i = 0; i < found->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = found->diagnostics->pdata[i];
        g_free(diagnostic->code);
        diagnostic->code = g_strdup("mapping.file");
    }
    ocp_report_move(report, found);
    return ok;
}
