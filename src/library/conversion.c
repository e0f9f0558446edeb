/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion, the round trip, and what a conversion can be asked. */
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
                     const OcpSettings *settings, OcpReport *report,
                     OcpConversion **ret)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    OcpConvertOptions options;
    OcpOrigin origin;
    OcpOutcome *outcome = NULL;
    bool ok =
        ocp_converter_settle(converter, report) &&
        read_settings(settings, document, report, &options, &origin) &&
        ocp_convert(converter->context, document, &origin, &options, report, &outcome);
    if (outcome != NULL) { /* strict refused, or it is done */
        OcpConversion *conversion = g_new0(OcpConversion, 1);
        conversion->outcome = outcome;
        *ret = conversion;
    }
    return ok;
}

/* ---- the round trip --------------------------------------------------------- */

static void
tell(const OcpDifference *difference, const OcpDocument *document, OcpReport *report)
{
    OcpDiagnostic *diagnostic = ocp_report_add(
        report, difference->named ? OCP_LOSS : OCP_ERROR,
        difference->named ? "roundtrip.named" : "roundtrip.unnamed", "%s",
        difference->named ? "the value did not come back as it was"
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
        !ocp_round_trip(converter->context, document, &origin, &options, report,
                        &found))
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

/* ---- conversions --------------------------------------------------------------- */

void
ocp_free_conversion(OcpConversion *conversion)
{
    if (conversion == NULL)
        return;
    ocp_outcome_free(conversion->outcome);
    g_free(conversion);
}

static const char *
text_of(GBytes *text, size_t *size)
{
    gsize length = 0;
    const char *bytes = text != NULL ? g_bytes_get_data(text, &length) : NULL;
    *size = length;
    return bytes;
}

const char *
ocp_conversion_text(const OcpConversion *conversion, size_t *size)
{
    return text_of(conversion->outcome->text, size);
}

const char *
ocp_conversion_model(const OcpConversion *conversion, size_t *size)
{
    return text_of(conversion->outcome->model, size);
}

const char *
ocp_conversion_from(const OcpConversion *conversion)
{
    return conversion->outcome->from;
}

const char *
ocp_conversion_to(const OcpConversion *conversion)
{
    return conversion->outcome->to;
}

size_t
ocp_count_values(const OcpConversion *conversion)
{
    const OcpAccount *route = conversion->outcome->route;
    return route != NULL ? route->fates->len : 0;
}

size_t
ocp_count_fate(const OcpConversion *conversion, OcpValueFate fate)
{
    const OcpAccount *route = conversion->outcome->route;
    if (route == NULL || (unsigned)fate >= G_N_ELEMENTS(fates))
        return 0;
    return (size_t)route->counts[fates[fate]];
}

static OcpValueFate
public_fate(OcpFate fate)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(fates); i++)
        if (fates[i] == fate)
            return (OcpValueFate)i;
    return OCP_VALUE_OMITTED;
}

bool
ocp_get_value(const OcpConversion *conversion, size_t index, OcpValue *ret)
{
    if (index >= ocp_count_values(conversion))
        return false;
    const OcpLeaf *leaf = conversion->outcome->route->fates->pdata[index];
    OcpValue value = {.pointer = leaf->pointer,
                      .fate = public_fate(leaf->fate),
                      .reason = leaf->reason,
                      .place = leaf->place,
                      .carry = leaf->carry,
                      .rule = leaf->rule};
    *ret = value;
    return true;
}
