/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/result.h"

#include <string.h>

#include "cli/dialects.h"
#include "value/pointer.h"

enum {
    EXIT_INVALID = 1,
    EXIT_USAGE = 2,
    EXIT_DIFFERS = 3,
    EXIT_IO = 4,
    EXIT_FAULT = 70
};

static void
free_round_trip(gpointer pointer)
{
    OcpRoundTrip *trip = pointer;
    g_free(trip->to);
    g_ptr_array_unref(trip->differences);
    g_free(trip);
}

OcpResult *
ocp_result_new(const char *input, guint number)
{
    OcpResult *result = g_new0(OcpResult, 1);
    result->input = input;
    result->number = number;
    result->kind = OCP_RESULT_FAILED;
    result->report = ocp_report_new();
    return result;
}

void
ocp_result_free(OcpResult *result)
{
    if (result == NULL)
        return;
    ocp_report_free(result->report);
    ocp_outcome_free(result->outcome);
    g_clear_pointer(&result->differences, g_ptr_array_unref);
    g_free(result->dialect);
    g_free(result->output);
    g_free(result->planned);
    g_free(result);
}

const char *
ocp_result_name(OcpResultKind kind)
{
    static const char *const names[] = {"converted", "refused",    "valid",    "exact",
                                        "differs",   "up-to-date", "repeated",
                                        "searched",  "failed"};
    return names[kind];
}

/* ---- exit codes ------------------------------------------------------------ */

int
ocp_exit_worst(int a, int b)
{
    static const int ranks[] = {0,       EXIT_INVALID, EXIT_DIFFERS,
                                EXIT_IO, EXIT_USAGE,   EXIT_FAULT};
    for (gsize i = G_N_ELEMENTS(ranks); i-- > 0;)
        if (a == ranks[i] || b == ranks[i])
            return ranks[i];
    return EXIT_FAULT;
}

static int
exit_of_code(const char *code)
{
    static const struct {
        const char *prefix;
        int exit;
    } families[] = {{"fault.", EXIT_FAULT},
                    {"usage.", EXIT_USAGE},
                    {"io.", EXIT_IO},
                    {"strict.", EXIT_DIFFERS},
                    {"roundtrip.", EXIT_DIFFERS}};
    for (gsize i = 0; i < G_N_ELEMENTS(families); i++)
        if (g_str_has_prefix(code, families[i].prefix))
            return families[i].exit;
    return EXIT_INVALID;
}

int
ocp_exit_of(const OcpReport *report)
{
    int worst = 0;
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            worst = ocp_exit_worst(worst, exit_of_code(diagnostic->code));
    }
    return worst;
}

int
ocp_result_exit(const OcpResult *result)
{
    int code = ocp_exit_of(result->report);
    if (result->kind == OCP_RESULT_REFUSED || result->kind == OCP_RESULT_DIFFERS)
        return ocp_exit_worst(code, EXIT_DIFFERS);
    if (result->kind == OCP_RESULT_FAILED && code == 0)
        return EXIT_FAULT; /* whoever failed had to say why */
    return code;
}

/* ---- what the modes do ----------------------------------------------------- */

static void
convert(OcpResult *result, OcpContext *context, const OcpConvertOptions *options,
        const OcpOrigin *origin, OcpDocument *document)
{
    bool done = ocp_convert(context, document, origin, options, result->report,
                            &result->outcome);
    if (done)
        result->kind = OCP_RESULT_CONVERTED;
    else if (result->outcome != NULL && result->outcome->refused)
        result->kind = OCP_RESULT_REFUSED;
}

/* Says in the report that a value did not come back. Shows the place but not its line:
 * what else stands there may be sensitive. */
static void
report_difference(OcpResult *result, const OcpDocument *document, const char *to,
                  const OcpDifference *difference)
{
    const char *before = difference->before;
    const char *after = difference->after;
    g_autofree char *change =
        before == NULL && after == NULL ? g_strdup("is not the same")
        : before == NULL                ? g_strdup_printf("was not there, is %s", after)
        : after == NULL ? g_strdup_printf("%s did not come back", before)
                        : g_strdup_printf("%s came back as %s", before, after);
    OcpDiagnostic *diagnostic = ocp_report_add(
        result->report, difference->named ? OCP_LOSS : OCP_ERROR,
        difference->named ? "roundtrip.named" : "roundtrip.unnamed", "through %s: %s%s",
        to, change, difference->named ? "" : "; no report names this");
    const OcpNode *node = ocp_pointer_find(document->root, difference->pointer);
    if (node != NULL)
        ocp_diagnostic_locate(diagnostic, document, node->place);
    g_clear_pointer(&diagnostic->excerpt, g_free);
    diagnostic->pointer = g_strdup(difference->pointer);
    diagnostic->expected = g_strdup(before);
    diagnostic->found = g_strdup(after);
}

static bool
is_same(const OcpDiagnostic *a, const OcpDiagnostic *b)
{
    return strcmp(a->code, b->code) == 0 && a->line == b->line &&
           a->column == b->column && g_strcmp0(a->pointer, b->pointer) == 0 &&
           strcmp(a->message, b->message) == 0;
}

/* True if the report ends with all that was heard: a document that is wrong fails by
 * every target alike. */
static bool
ends_with(const OcpReport *report, const OcpReport *heard)
{
    guint count = heard->diagnostics->len;
    if (count == 0 || report->diagnostics->len < count)
        return false;
    gpointer *last = report->diagnostics->pdata + report->diagnostics->len - count;
    bool same = true;
    for (guint i = 0; i < count && same; i++)
        same = is_same(last[i], heard->diagnostics->pdata[i]);
    return same;
}

/* There and back by one dialect. Returns whether every difference is named; *ret_done
 * becomes false if it could not be tried. */
static bool
round_trip_by(OcpResult *result, OcpContext *context, const OcpConvertOptions *options,
              const OcpOrigin *origin, OcpDocument *document, bool *ret_done)
{
    OcpRoundTrip *trip = g_new0(OcpRoundTrip, 1);
    trip->to = g_strdup(options->to);
    g_autoptr(OcpReport) heard = ocp_report_new();
    bool tried = ocp_round_trip(context, document, origin, options, heard,
                                &trip->differences);
    if (tried || !ends_with(result->report, heard))
        ocp_report_move(result->report, heard);
    if (!tried) {
        g_free(trip->to);
        g_free(trip);
        *ret_done = false;
        return true;
    }
    g_ptr_array_add(result->differences, trip);
    bool named = true;
    for (guint i = 0; i < trip->differences->len; i++) {
        const OcpDifference *difference = trip->differences->pdata[i];
        report_difference(result, document, options->to, difference);
        named = named && difference->named;
    }
    return named;
}

static void
round_trip(OcpResult *result, OcpContext *context, const OcpConvertOptions *options,
           const OcpOrigin *origin, OcpDocument *document)
{
    g_autoptr(GPtrArray) targets = NULL;
    if (options->to != NULL) {
        targets = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(targets, g_strdup(options->to));
    } else if (!ocp_dialects_writable(context, result->report, &targets)) {
        return;
    }
    result->differences = g_ptr_array_new_with_free_func(free_round_trip);
    bool done = true;
    bool named = true;
    for (guint i = 0; i < targets->len; i++) {
        OcpConvertOptions by = *options;
        by.to = targets->pdata[i];
        if (!round_trip_by(result, context, &by, origin, document, &done))
            named = false;
    }
    if (done)
        result->kind = named ? OCP_RESULT_EXACT : OCP_RESULT_DIFFERS;
}

void
ocp_result_make(OcpResult *result, OcpContext *context, const OcpOptions *options,
                OcpSyntax syntax, const OcpOrigin *origin, OcpDocument *document)
{
    OcpConvertOptions convert_options = options->convert;
    convert_options.syntax = syntax;
    switch (options->mode) {
    case OCP_MODE_CHECK:
        if (ocp_check(context, document, convert_options.from, result->report,
                      &result->dialect))
            result->kind = OCP_RESULT_VALID;
        break;
    case OCP_MODE_ROUND_TRIP:
        round_trip(result, context, &convert_options, origin, document);
        break;
    case OCP_MODE_CONVERT:
        convert_options.brief = options->report == NULL;
        convert(result, context, &convert_options, origin, document);
        break;
    case OCP_MODE_EXPLAIN:
        convert(result, context, &convert_options, origin, document);
        break;
    case OCP_MODE_LIST:
    case OCP_MODE_HELP:
    case OCP_MODE_VERSION: break;
    }
}
