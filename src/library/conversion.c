/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion, the round trip, and what an outcome can be asked. */
#include <string.h>

#include "library/private.h"
#include "value/pointer.h"

static const OcpSyntax syntaxes[] = {
    [OCP_WRITE_JSON] = OCP_SYNTAX_JSON,
    [OCP_WRITE_YAML] = OCP_SYNTAX_YAML,
    [OCP_WRITE_LINE] = OCP_SYNTAX_NDJSON,
};

static const OcpFate fates[] = {
    [OCP_VALUE_MAPPED] = OCP_FATE_MAPPED,
    [OCP_VALUE_KEPT] = OCP_FATE_KEPT,
    [OCP_VALUE_CARRIED] = OCP_FATE_CARRIED,
    [OCP_VALUE_OMITTED] = OCP_FATE_OMITTED,
};

/* ---- settings --------------------------------------------------------------- */

/* A caller that was compiled with an older header has a shorter struct: the members it
 * does not know are the defaults. */
static bool
read_settings(const OcpSettings *given, const OcpDocument *document, OcpReport *report,
              OcpConvertOptions *options, OcpOrigin *origin)
{
    OcpSettings settings = OCP_SETTINGS_DEFAULT;
    if (given != NULL) {
        if (given->struct_size < sizeof given->struct_size)
            return ocp_fail(report, "usage.value",
                            "OcpSettings: struct_size is not set");
        memcpy(&settings, given, MIN(given->struct_size, sizeof settings));
    }
    if ((unsigned)settings.syntax >= G_N_ELEMENTS(syntaxes))
        return ocp_fail(report, "usage.value", "there is no such syntax to write");
    OcpConvertOptions read = {.from = settings.from,
                              .to = settings.to,
                              .syntax = syntaxes[settings.syntax],
                              .lenient = settings.lenient,
                              .strict = settings.strict,
                              .carry_none = settings.carry_none,
                              .sensitive_keep = settings.sensitive_keep,
                              .created_at = settings.created_at,
                              .id = settings.id};
    OcpOrigin of = {.name = document->name, .modified = -1, .epoch = -1};
    if (settings.modified > 0)
        of.modified = settings.modified;
    *options = read;
    *origin = of;
    return true;
}

bool
ocp_convert_document(OcpConverter *converter, OcpDocument *document,
                     const OcpSettings *settings, OcpReport *report, OcpOutcome **ret)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    OcpConvertOptions options;
    OcpOrigin origin;
    return ocp_converter_settle(converter, report) &&
           read_settings(settings, document, report, &options, &origin) &&
           ocp_convert(converter->context, document, &origin, &options, report, ret);
}

/* ---- the round trip --------------------------------------------------------- */

static void
tell(const OcpDifference *difference, const OcpDocument *document, OcpReport *report)
{
    OcpDiagnostic *diagnostic = ocp_report_add(
        report, difference->named ? OCP_LOSS : OCP_ERROR,
        difference->named ? "roundtrip.named" : "roundtrip.unnamed",
        "%s", difference->named ? "the value did not come back as it was"
                                : "the value did not come back as it was, and no report "
                                  "names this");
    const OcpNode *node = ocp_pointer_find(document->root, difference->pointer);
    if (node != NULL)
        ocp_diagnostic_locate(diagnostic, document, node->place);
    /* What else stands in that line may be sensitive. */
    g_clear_pointer(&diagnostic->excerpt, g_free);
    diagnostic->pointer = g_strdup(difference->pointer);
    diagnostic->expected = g_strdup(difference->before);
    diagnostic->found = g_strdup(difference->after);
}

bool
ocp_round_trip_document(OcpConverter *converter, OcpDocument *document,
                        const OcpSettings *settings, OcpReport *report,
                        size_t *differences)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    OcpConvertOptions options;
    OcpOrigin origin;
    g_autoptr(GPtrArray) found = NULL;
    if (!ocp_converter_settle(converter, report) ||
        !read_settings(settings, document, report, &options, &origin) ||
        !ocp_round_trip(converter->context, document, &origin, &options, report, &found))
        return false;
    bool named = true;
    for (guint i = 0; i < found->len; i++) {
        const OcpDifference *difference = found->pdata[i];
        tell(difference, document, report);
        named = named && difference->named;
    }
    if (differences != NULL)
        *differences = found->len;
    return named;
}

/* ---- outcomes --------------------------------------------------------------- */

void
ocp_free_outcome(OcpOutcome *outcome)
{
    ocp_outcome_free(outcome);
}
