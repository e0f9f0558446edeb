/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/work.h"

#include <json-c/json.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "batch/input.h"
#include "batch/output.h"
#include "cli/account.h"
#include "cli/report.h"
#include "cli/result.h"
#include "cli/sink.h"
#include "text/source.h"

enum { PLAIN_WIDTH = 110 };

typedef struct {
    const OcpOptions *options;
    OcpContext *context;
    const OcpMessages *messages;
    gint64 epoch;
    OcpFileSet *set; /* inputs, and outputs already written */
    OcpSink *sink;
    GString *report; /* of --report; NULL if not asked for */
    bool only;       /* one document in all, as far as is known */
    int exit;
    guint documents;
    guint kinds[OCP_RESULT_FAILED + 1];
    OcpAccount *totals; /* counts only */
} Work;

/* ---- delivering a result --------------------------------------------------- */

/* The name of a document for people: its file, and its number if there are several. */
static char *
name_of(const OcpResult *result)
{
    return result->number == 0
               ? g_strdup(result->input)
               : g_strdup_printf("%s#%u", result->input, result->number);
}

static char *
plural(guint count, const char *noun)
{
    return g_strdup_printf("%u %s%s", count, noun, count == 1 ? "" : "s");
}

static char *
line_of(const OcpResult *result)
{
    const guint *counts = result->report->counts;
    if (result->kind <= OCP_RESULT_REFUSED)
        return ocp_account_line(result->outcome);
    if (result->kind == OCP_RESULT_VALID) {
        g_autofree char *warnings = plural(counts[OCP_WARNING], "warning");
        return g_strdup_printf("%s: valid%s%s",
                               result->dialect != NULL ? result->dialect : "?",
                               counts[OCP_WARNING] > 0 ? ", " : "",
                               counts[OCP_WARNING] > 0 ? warnings : "");
    }
    if (result->kind == OCP_RESULT_FAILED) {
        g_autofree char *errors = plural(counts[OCP_ERROR], "error");
        return g_strdup_printf(
            "%s%s%s: %s", result->dialect != NULL ? result->dialect : "",
            result->dialect != NULL ? ": " : "",
            result->dialect != NULL ? "not valid" : "failed", errors);
    }
    GString *line = g_string_new("there and back:");
    for (guint i = 0; i < result->differences->len; i++) {
        const OcpRoundTrip *trip = result->differences->pdata[i];
        g_autofree char *count = plural(trip->differences->len, "difference");
        g_string_append_printf(line, "%s %s %s", i == 0 ? "" : ",", trip->to,
                               trip->differences->len == 0 ? "exact" : count);
    }
    return g_string_free(line, FALSE);
}

/* Text that was asked for, to standard output. */
static bool
write_out(const GString *text, OcpReport *report)
{
    OcpOutputOptions options = {0};
    return ocp_output_write("-", text->str, text->len, &options, report, NULL);
}

static guint
width_of_output(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col > 0)
        return size.ws_col;
    return PLAIN_WIDTH;
}

static bool
explain(const Work *work, const OcpResult *result, OcpReport *report)
{
    OcpExplainStyle style = {
        .all = work->options->explain_all,
        .color = ocp_messages_colored(work->options->color, STDOUT_FILENO),
        .width = width_of_output(),
    };
    g_autofree char *name = name_of(result);
    g_autofree char *title = ocp_messages_plain(name);
    g_autoptr(GString) table = g_string_new(work->documents > 0 ? "\n" : NULL);
    ocp_account_explain(result->outcome, title, &style, table);
    return write_out(table, report);
}

/* Prints what there is to say so far, then gives the document away; what goes wrong
 * with that is said too. */
static void
publish(Work *work, OcpResult *result)
{
    ocp_messages_report(work->messages, result->input, result->report);
    if (result->outcome == NULL || result->kind > OCP_RESULT_REFUSED)
        return;
    g_autoptr(OcpReport) writing = ocp_report_new();
    bool done = true;
    if (work->options->mode == OCP_MODE_EXPLAIN)
        done = explain(work, result, writing);
    else if (result->kind == OCP_RESULT_CONVERTED)
        done = ocp_sink_put(work->sink, result->input, result->number,
                            result->outcome->text, writing, &result->output);
    if (!done) {
        result->kind = OCP_RESULT_FAILED;
        ocp_messages_report(work->messages, result->input, writing);
        ocp_report_move(result->report, writing);
    }
}

static void
count(Work *work, const OcpResult *result)
{
    work->exit = ocp_exit_worst(work->exit, ocp_result_exit(result));
    work->documents++;
    work->kinds[result->kind]++;
    const OcpAccount *route = result->outcome != NULL ? result->outcome->route : NULL;
    if (route == NULL || result->kind != OCP_RESULT_CONVERTED)
        return;
    work->totals->leaves += route->leaves;
    for (int fate = 0; fate < OCP_FATES; fate++)
        work->totals->counts[fate] += route->counts[fate];
}

static void
deliver(Work *work, OcpResult *result)
{
    publish(work, result);
    g_autofree char *name = name_of(result);
    g_autofree char *line = line_of(result);
    json_object *object =
        result->kind <= OCP_RESULT_REFUSED ? ocp_account_object(result->outcome) : NULL;
    ocp_messages_account(work->messages, name, line, object);
    if (work->report != NULL)
        ocp_report_append(result, work->only, work->report);
    count(work, result);
}

/* ---- one input ------------------------------------------------------------- */

static bool
has_lines_name(const char *path)
{
    g_autofree char *lower = g_ascii_strdown(path, -1);
    return g_str_has_suffix(lower, ".ndjson") || g_str_has_suffix(lower, ".jsonl");
}

/* Standard input has no name that says that it is NDJSON; what is more than one JSON
 * text, each on a line, is. */
static bool
read_nameless(GBytes *bytes, const OcpLimits *limits, OcpReport *report,
              GPtrArray **ret)
{
    g_autoptr(OcpReport) trial = ocp_report_new();
    bool read = ocp_source_read(bytes, "-", OCP_SYNTAX_AUTO, limits, trial, ret);
    guint count = trial->diagnostics->len;
    const OcpDiagnostic *last = count > 0 ? trial->diagnostics->pdata[count - 1] : NULL;
    if (!read && last != NULL && strcmp(last->code, "json.trailing") == 0) {
        g_autoptr(OcpReport) lines = ocp_report_new();
        if (ocp_source_read(bytes, "-", OCP_SYNTAX_NDJSON, limits, lines, ret)) {
            ocp_report_move(report, lines);
            return true;
        }
    }
    ocp_report_move(report, trial);
    return read;
}

static bool
read_documents(const Work *work, OcpResult *result, gint64 *ret_modified,
               GPtrArray **ret)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    const char *path = result->input;
    OcpSyntax syntax = work->options->input_syntax;
    OcpInput input;
    if (!ocp_input_read(path, limits.bytes, result->report, &input))
        return false;
    *ret_modified = input.modified;
    bool read;
    if (syntax == OCP_SYNTAX_AUTO && strcmp(path, "-") == 0) {
        read = read_nameless(input.bytes, &limits, result->report, ret);
    } else {
        if (syntax == OCP_SYNTAX_AUTO && has_lines_name(path))
            syntax = OCP_SYNTAX_NDJSON;
        read = ocp_source_read(input.bytes, path, syntax, &limits, result->report, ret);
    }
    if (!read)
        ocp_redact_unread(work->context, input.bytes, result->report);
    g_bytes_unref(input.bytes);
    return read;
}

static void
run_input(Work *work, const char *path)
{
    g_autoptr(OcpResult) first = ocp_result_new(path, 0);
    g_autoptr(GPtrArray) documents = NULL;
    gint64 modified = -1;
    OcpSyntax syntax = OCP_SYNTAX_JSON;
    bool several = work->options->input_count > 1;
    bool read = read_documents(work, first, &modified, &documents);
    bool many = read && documents->len > 1;
    work->only = !several && !many;
    if (!read ||
        !ocp_sink_syntax(work->sink, several || many, first->report, &syntax)) {
        deliver(work, first);
        return;
    }
    OcpOrigin origin = {.name = path, .modified = modified, .epoch = work->epoch};
    for (guint i = 0; i < documents->len; i++) {
        /* What reading had to say belongs to the first document. */
        g_autoptr(OcpResult) result =
            i == 0 ? g_steal_pointer(&first) : ocp_result_new(path, 0);
        result->number = many ? i + 1 : 0;
        ocp_result_make(result, work->context, work->options, syntax, &origin,
                        documents->pdata[i]);
        deliver(work, result);
    }
}

/* ---- the run --------------------------------------------------------------- */

static void
print_total(const Work *work)
{
    if (work->documents < 2)
        return;
    g_autoptr(GString) line = g_string_new(NULL);
    json_object *object = json_object_new_object();
    g_string_append_printf(line, "%u documents:", work->documents);
    const char *comma = "";
    for (int kind = 0; kind <= OCP_RESULT_FAILED; kind++) {
        const char *name = ocp_result_name((OcpResultKind)kind);
        json_object_object_add(object, name, json_object_new_uint64(work->kinds[kind]));
        if (work->kinds[kind] == 0)
            continue;
        g_string_append_printf(line, "%s %u %s", comma, work->kinds[kind], name);
        comma = ",";
    }
    if (work->totals->leaves > 0) {
        g_string_append(line, "; ");
        ocp_account_append_counts(work->totals, line);
    }
    ocp_messages_account(work->messages, NULL, line->str, object);
}

/* Writes what waited for the end: a shared output, and the report. */
static void
finish(Work *work)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    bool written = ocp_sink_close(work->sink, work->exit == 0, report);
    if (written && work->report != NULL) {
        OcpOutputOptions options = {.never = work->set};
        ocp_output_write(work->options->report, work->report->str, work->report->len,
                         &options, report, NULL);
    }
    ocp_messages_report(work->messages, NULL, report);
    work->exit = ocp_exit_worst(work->exit, ocp_exit_of(report));
    print_total(work);
}

int
ocp_work_run(const OcpOptions *options, OcpContext *context, gint64 epoch,
             const OcpMessages *messages)
{
    g_autoptr(OcpFileSet) set = ocp_file_set_new();
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpSink) sink = NULL;
    if (!ocp_sink_new(options, set, report, &sink)) {
        ocp_messages_report(messages, NULL, report);
        return ocp_exit_of(report);
    }
    g_autoptr(GString) entries = options->report != NULL ? g_string_new(NULL) : NULL;
    g_autoptr(OcpAccount) totals = ocp_account_new();
    Work work = {.options = options,
                 .context = context,
                 .messages = messages,
                 .epoch = epoch,
                 .set = set,
                 .sink = sink,
                 .report = entries,
                 .totals = totals};
    for (guint i = 0; i < options->input_count; i++)
        ocp_input_protect(options->inputs[i], set);
    for (guint i = 0; i < options->input_count; i++)
        run_input(&work, options->inputs[i]);
    finish(&work);
    return work.exit;
}
