/* SPDX-License-Identifier: Apache-2.0 */
#include <json-c/json.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "batch/output.h"
#include "cli/account.h"
#include "cli/report.h"
#include "cli/work_private.h"

enum { PLAIN_WIDTH = 110 };

/* The name of a document for people: its file, and its number if there are several. */
static char *
name_of(const OcpResult *result)
{
    if (result->line > 0)
        return g_strdup_printf("%s:%" G_GUINT64_FORMAT, result->input, result->line);
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
failed_line(const OcpResult *result)
{
    g_autofree char *errors = plural(result->report->counts[OCP_ERROR], "error");
    const char *dialect = result->dialect;
    return g_strdup_printf("%s%s%s: %s", dialect != NULL ? dialect : "",
                           dialect != NULL ? ": " : "",
                           dialect != NULL ? "not valid" : "failed", errors);
}

static char *
valid_line(const OcpResult *result)
{
    guint count = result->report->counts[OCP_WARNING];
    g_autofree char *warnings = plural(count, "warning");
    return g_strdup_printf("%s: valid%s%s",
                           result->dialect != NULL ? result->dialect : "?",
                           count > 0 ? ", " : "", count > 0 ? warnings : "");
}

static char *
round_trip_line(const OcpResult *result)
{
    GString *line = g_string_new("there and back:");
    for (guint i = 0; i < result->differences->len; i++) {
        const OcpRoundTrip *trip = result->differences->pdata[i];
        g_autofree char *count = plural(trip->differences->len, "difference");
        g_string_append_printf(line, "%s %s %s", i == 0 ? "" : ",", trip->to,
                               trip->differences->len == 0 ? "exact" : count);
    }
    return g_string_free(line, FALSE);
}

static char *
converted_line(const OcpResult *result)
{
    g_autofree char *line = ocp_account_line(result->outcome);
    if (result->planned == NULL)
        return g_steal_pointer(&line);
    g_autofree char *path = ocp_messages_plain(result->planned);
    return g_strdup_printf("%s: would write %s", line, path);
}

static char *
line_of(const OcpResult *result)
{
    switch (result->kind) {
    case OCP_RESULT_CONVERTED:
    case OCP_RESULT_REFUSED: return converted_line(result);
    case OCP_RESULT_VALID: return valid_line(result);
    case OCP_RESULT_EXACT:
    case OCP_RESULT_DIFFERS: return round_trip_line(result);
    case OCP_RESULT_CURRENT: return g_strdup("up to date");
    case OCP_RESULT_SEARCHED: return g_strdup("searched");
    case OCP_RESULT_REPEATED: return g_strdup("the same again");
    case OCP_RESULT_FAILED: break;
    }
    return failed_line(result);
}

/* ---- giving away ----------------------------------------------------------- */

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
explain(OcpWork *work, const OcpResult *result, OcpReport *report)
{
    OcpExplainStyle style = {
        .all = work->options->explain_all,
        .color = ocp_messages_colored(work->options->color, STDOUT_FILENO),
        .width = width_of_output(),
    };
    g_autofree char *name = name_of(result);
    g_autofree char *title = ocp_messages_plain(name);
    g_autoptr(GString) table = g_string_new(work->shown++ > 0 ? "\n" : NULL);
    ocp_account_explain(result->outcome, title, &style, table);
    OcpOutputOptions options = {0};
    return ocp_output_write("-", table->str, table->len, &options, report, NULL);
}

static bool
put_document(OcpTask *task, OcpResult *result, OcpReport *report)
{
    OcpWork *work = task->work;
    GBytes *text = result->outcome->text;
    GBytes *model = work->options->companion ? result->outcome->model : NULL;
    bool dry = work->options->dry_run;
    char **path = dry ? &result->planned : &result->output;
    if (work->folder != NULL)
        return ocp_folder_put(work->folder, &task->input, result->number,
                              task->documents->len, text, model, report, path);
    if (!dry)
        return ocp_sink_put(work->sink, text, model, report, path);
    if (ocp_sink_kind(work->sink) == OCP_SINK_FILE)
        *path = g_strdup(work->options->output);
    return true;
}

/* Prints what there is to say so far, then gives the document away; what goes wrong
 * with that is said too. */
static void
publish(OcpTask *task, OcpResult *result, const OcpMessages *messages)
{
    OcpWork *work = task->work;
    ocp_messages_report(messages, result->input, result->report);
    if (result->outcome == NULL || result->kind > OCP_RESULT_REFUSED)
        return;
    g_autoptr(OcpReport) writing = ocp_report_new();
    bool done = true;
    if (work->options->mode == OCP_MODE_EXPLAIN)
        done = explain(work, result, writing);
    else if (result->kind == OCP_RESULT_CONVERTED)
        done = put_document(task, result, writing);
    if (!done) {
        result->kind = OCP_RESULT_FAILED;
        ocp_messages_report(messages, result->input, writing);
        ocp_report_move(result->report, writing);
    }
}

void
ocp_task_settle(OcpTask *task, OcpResult *result, const OcpMessages *messages,
                GString *entries)
{
    publish(task, result, messages);
    g_autofree char *name = name_of(result);
    ocp_tally_add(&task->tally, result, name);
    if (!messages->brief) {
        g_autofree char *line = line_of(result);
        json_object *object = result->kind <= OCP_RESULT_REFUSED
                                  ? ocp_account_object(result->outcome)
                                  : NULL;
        ocp_messages_account(messages, name, line, object);
    }
    if (entries != NULL)
        ocp_report_append(result, task->only, entries);
}
