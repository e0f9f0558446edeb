/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/logs.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report.h"
#include "cli/turns.h"

enum { MOST_REMARKS = 100000 /* kept to be said; the rest is only counted */ };

typedef struct {
    OcpWork *work;
    OcpCapture *capture;
    OcpTurns *turns;
    guint64 found; /* in all logs */
    guint64 close; /* what was no document, but more than a mention */
    /* of the log at hand: */
    const OcpPlanItem *item;
    OcpReport *remarks;
    GHashTable *counts; /* code -> number, as a pointer */
    GHashTable *latest; /* --latest: stream -> OcpCaptured */
    guint64 values;
    guint64 occurrences;
} Logs;

/* ---- what the search hands over ------------------------------------------ */

static void
keep_if_latest(Logs *logs, const OcpCaptured *captured)
{
    const char *stream = captured->stream != NULL ? captured->stream : "";
    const OcpCaptured *kept = g_hash_table_lookup(logs->latest, stream);
    if (kept == NULL || ocp_captured_compare(captured, kept) > 0)
        g_hash_table_replace(logs->latest, g_strdup(stream),
                             ocp_captured_copy(captured));
}

static void
take_found(const OcpCaptured *captured, gpointer data)
{
    Logs *logs = data;
    logs->occurrences++;
    logs->values += captured->occurrence == 1;
    if (logs->work->stopped)
        return;
    if (logs->latest != NULL)
        keep_if_latest(logs, captured);
    else if (captured->occurrence == 1 || logs->work->options->log_all)
        ocp_turns_convert(logs->turns, logs->item, captured);
    else
        ocp_turns_repeat(logs->turns, logs->item, captured);
}

/* What a diagnosis means. */
static const char *
meaning_of(const char *code)
{
    static const struct {
        const char *code;
        const char *text;
    } table[] = {
        {"truncated", "a pulse that is cut off"},
        {"schema-invalid", "close to a pulse, but not valid"},
        {"json-syntax", "close to a pulse, but not JSON"},
        {"duplicate-key", "a pulse with a key that occurs twice"},
        {"invalid-utf8", "a pulse with bytes that are no UTF-8"},
        {"null-field", "a pulse with null in a required member"},
        {"depth-limit", "nested too deep to be searched"},
        {"span-limit", "too long to be searched whole"},
        {"python-repr", "a pulse as Python prints it, which is not JSON"},
        {"util-inspect", "a pulse as console.log prints it, which is not JSON"},
        {"msgpack-print", "a pulse as Fluent Bit prints it, which is not JSON"},
        {"yaml", "a pulse as YAML"},
        {"wrapped", "a pulse with the line breaks of a terminal in its texts"},
        {"torn-line", "two lines written into each other; not taken for a pulse"},
        {"error-response", "an error instead of a pulse"},
        {"schema-text", "the description of a pulse, not one"},
        {"brief-only", "a resume brief without its pulse"},
        {"truncated-gzip", "the log ends in the middle of its compression"},
        {"damaged-gzip", "the compressed log is damaged from here on"},
        {"truncated-zstd", "the log ends in the middle of its compression"},
        {"damaged-zstd", "the compressed log is damaged from here on"},
        {"unsupported-compression", "compressed in a way that cannot be read here"}};
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
        if (strcmp(code, table[i].code) == 0)
            return table[i].text;
    return "close to a pulse, but none";
}

static void
take_remark(const OcpCaptureRemark *remark, gpointer data)
{
    Logs *logs = data;
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(logs->counts, remark->code));
    g_hash_table_insert(logs->counts, (gpointer)remark->code,
                        GUINT_TO_POINTER(count + 1));
    logs->close += !remark->mention && remark->line > 0;
    if (logs->remarks->diagnostics->len >= MOST_REMARKS)
        return;
    bool unread =
        !remark->mention && strcmp(remark->code, "unsupported-compression") == 0;
    g_autofree char *code = g_strconcat("log.", remark->code, NULL);
    OcpDiagnostic *diagnostic = ocp_report_add(
        logs->remarks,
        remark->mention ? OCP_NOTE
        : unread        ? OCP_ERROR
                        : OCP_WARNING,
        code, "%s%s%s",
        remark->mention ? "only the name of a member" : meaning_of(remark->code),
        remark->detail != NULL ? ": " : "",
        remark->detail != NULL ? remark->detail : "");
    diagnostic->file = g_strdup(logs->item->path);
    diagnostic->line = (guint)MIN(remark->line, G_MAXUINT);
}

/* ---- one log ------------------------------------------------------------- */

static gint
compare_places(gconstpointer a, gconstpointer b)
{
    const OcpCaptured *one = *(OcpCaptured *const *)a, *two = *(OcpCaptured *const *)b;
    return one->offset < two->offset ? -1 : one->offset > two->offset;
}

static void
convert_latest(Logs *logs)
{
    if (logs->latest == NULL)
        return;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, logs->latest);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        g_ptr_array_add(all, value);
    g_ptr_array_sort(all, compare_places);
    for (guint i = 0; i < all->len && !logs->work->stopped; i++)
        ocp_turns_convert(logs->turns, logs->item, all->pdata[i]);
}

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

/* "kernel.log: 5 pulses in 7 places; beside them 2 truncated, 1 mention" */
static void
say_account(const Logs *logs)
{
    g_autoptr(GString) line = g_string_new(NULL);
    json_object *object = json_object_new_object();
    json_object *remarks = json_object_new_object();
    g_autoptr(GList) codes = g_hash_table_get_keys(logs->counts);
    codes = g_list_sort(codes, compare_texts);
    if (logs->occurrences > 0)
        g_string_append_printf(
            line, "%" G_GUINT64_FORMAT " pulse%s in %" G_GUINT64_FORMAT " place%s",
            logs->values, logs->values == 1 ? "" : "s", logs->occurrences,
            logs->occurrences == 1 ? "" : "s");
    else
        g_string_append(line, "no pulse");
    for (const GList *code = codes; code != NULL; code = code->next) {
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(logs->counts, code->data));
        g_string_append_printf(line, "%s %u %s", code == codes ? "; beside that" : ",",
                               count, (const char *)code->data);
        json_object_object_add(remarks, code->data, json_object_new_uint64(count));
    }
    json_object_object_add(object, "pulses", json_object_new_uint64(logs->values));
    json_object_object_add(object, "places", json_object_new_uint64(logs->occurrences));
    json_object_object_add(object, "remarks", remarks);
    ocp_messages_account(&logs->work->messages, logs->item->path, line->str, object);
}

/* What was said of the log, its account, and its entry in the report. */
static void
finish(Logs *logs)
{
    OcpWork *work = logs->work;
    ocp_messages_report(&work->messages, logs->item->path, logs->remarks);
    work->tally.exit = ocp_exit_worst(work->tally.exit, ocp_exit_of(logs->remarks));
    if (logs->occurrences > 0 || !ocp_report_has_errors(logs->remarks))
        say_account(logs);
    if (work->report == NULL)
        return;
    g_autoptr(OcpResult) result = ocp_result_new(logs->item->path, 0);
    g_autoptr(GString) entry = g_string_new(NULL);
    result->kind =
        ocp_report_has_errors(logs->remarks) ? OCP_RESULT_FAILED : OCP_RESULT_SEARCHED;
    ocp_report_move(result->report, logs->remarks);
    ocp_report_append(result, false, entry);
    ocp_spool_append(work->report, entry->str, entry->len);
}

static int
open_log(Logs *logs)
{
    const char *path = logs->item->path;
    int file = strcmp(path, "-") == 0 ? dup(STDIN_FILENO)
                                      : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file >= 0)
        return file;
    OcpDiagnostic *error = ocp_report_add(logs->remarks, OCP_ERROR, "io.open",
                                          "cannot read: %s", g_strerror(errno));
    error->file = g_strdup(path);
    return -1;
}

/* A pipe, for example: who writes it may wait for an answer. */
static bool
is_live(int file)
{
    struct stat status;
    return fstat(file, &status) != 0 || !S_ISREG(status.st_mode);
}

static void
free_captured(gpointer captured)
{
    ocp_captured_free(captured);
}

static void
run_log(Logs *logs, OcpPlanItem *item)
{
    logs->item = item;
    logs->remarks = ocp_report_new();
    logs->counts = g_hash_table_new(g_str_hash, g_str_equal);
    logs->latest =
        logs->work->options->log_latest
            ? g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_captured)
            : NULL;
    logs->values = logs->occurrences = 0;
    OcpCaptureSink sink = {take_found, take_remark, logs};
    if (item->fault != NULL)
        ocp_report_move(logs->remarks, item->fault);
    int file = item->fault == NULL ? open_log(logs) : -1;
    if (file >= 0) {
        ocp_turns_set_live(logs->turns, is_live(file));
        ocp_capture_read(logs->capture, file, item->path, &sink, logs->remarks);
        (void)close(file);
    }
    convert_latest(logs);
    ocp_turns_settle(logs->turns);
    finish(logs);
    logs->found += logs->occurrences;
    g_clear_pointer(&logs->latest, g_hash_table_unref);
    g_hash_table_unref(logs->counts);
    ocp_report_free(logs->remarks);
}

/* ---- all logs ------------------------------------------------------------ */

/* Nothing found is not the same as nothing valid. */
static void
say_nothing_found(Logs *logs)
{
    OcpWork *work = logs->work;
    if (logs->found > 0 || work->tally.exit != 0)
        return;
    g_autoptr(OcpReport) report = ocp_report_new();
    if (logs->close > 0)
        ocp_fail(report, "log.none-valid",
                 "%" G_GUINT64_FORMAT " place%s looked like a pulse, but none is valid",
                 logs->close, logs->close == 1 ? "" : "s");
    else
        ocp_fail(report, "log.none", "no pulse found");
    ocp_messages_report(&work->messages, NULL, report);
    work->tally.exit = ocp_exit_worst(work->tally.exit, ocp_exit_of(report));
}

void
ocp_logs_run(OcpWork *work)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    Logs logs = {.work = work};
    if (!ocp_capture_new(work->context, NULL, report, &logs.capture)) {
        ocp_messages_report(&work->messages, NULL, report);
        work->tally.exit = ocp_exit_worst(work->tally.exit, ocp_exit_of(report));
        return;
    }
    logs.turns = ocp_turns_new(work);
    for (guint i = 0; i < work->plan->items->len && !work->stopped; i++)
        run_log(&logs, work->plan->items->pdata[i]);
    ocp_turns_free(logs.turns);
    say_nothing_found(&logs);
    ocp_capture_free(logs.capture);
}
