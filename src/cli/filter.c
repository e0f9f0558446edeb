/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/input.h"
#include "batch/lines.h"
#include "cli/outputs.h"
#include "cli/report.h"
#include "text/json.h"

/* What a block of lines leaves behind beside its output. */
typedef struct {
    GString *said;
    GString *entries; /* of the report, or NULL */
    OcpTally tally;
} Notes;

typedef struct {
    OcpWork *work;
    const char *path;
    OcpSpool *spool; /* of the output, if it is a file; else NULL */
    OcpReport *report;
} Filter;

static Notes *
notes_of(const Filter *filter, gpointer *notes)
{
    if (*notes == NULL) {
        Notes *made = g_new0(Notes, 1);
        made->said = g_string_new(NULL);
        made->entries = filter->work->report != NULL ? g_string_new(NULL) : NULL;
        *notes = made;
    }
    return *notes;
}

/* ---- one line -------------------------------------------------------------- */

static void
append_member(const char *key, const char *text, GString *out)
{
    if (text == NULL)
        return;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    if (out->str[out->len - 1] != '{')
        g_string_append_c(out, ',');
    ocp_json_write_string(key, strlen(key), out);
    g_string_append_c(out, ':');
    ocp_json_write_string(valid, strlen(valid), out);
}

/* The first error, without the number of the line: that is not the line's own. */
static void
append_error(const OcpReport *report, GString *out)
{
    const OcpDiagnostic *error = NULL;
    for (guint i = 0; i < report->diagnostics->len && error == NULL; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            error = diagnostic;
    }
    g_string_append(out, "{\"error\":{");
    append_member("code", error != NULL ? error->code : "fault.silent", out);
    append_member("message", error != NULL ? error->message : "no reason given", out);
    if (error != NULL) {
        append_member("pointer", error->pointer, out);
        append_member("hint", error->hint, out);
    }
    if (error != NULL && error->line == 1 && error->column > 0)
        g_string_append_printf(out, ",\"column\":%u", error->column);
    g_string_append(out, "}}\n");
}

static void
append_text(GBytes *text, GString *out)
{
    gsize size;
    const char *data = g_bytes_get_data(text, &size);
    g_string_append_len(out, data, (gssize)size);
    if (size == 0 || data[size - 1] != '\n')
        g_string_append_c(out, '\n');
}

static void
convert_line(const OcpLine *line, OcpResult *result, const OcpWork *work)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    /* No time of the file: a line is the same wherever it comes from. */
    OcpOrigin origin = {.name = "-", .modified = -1, .epoch = work->epoch};
    g_autoptr(GBytes) bytes = g_bytes_new_static(line->text, line->length);
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "-", &limits, result->report, &document)) {
        ocp_redact_unread(work->context, bytes, result->report);
        return;
    }
    ocp_result_make(result, work->context, work->options, OCP_SYNTAX_NDJSON, &origin,
                    document);
    ocp_document_unref(document);
}

static void
convert(const OcpLine *line, GString *out, gpointer *pointer, gpointer data)
{
    const Filter *filter = data;
    const OcpWork *work = filter->work;
    Notes *notes = notes_of(filter, pointer);
    g_autoptr(OcpResult) result =
        ocp_result_new(filter->path, (guint)MIN(line->number, G_MAXUINT));
    convert_line(line, result, work);
    if (result->kind == OCP_RESULT_CONVERTED)
        append_text(result->outcome->text, out);
    else
        append_error(result->report, out);
    g_autofree char *name =
        g_strdup_printf("%s:%" G_GUINT64_FORMAT, filter->path, line->number);
    ocp_tally_add(&notes->tally, result, name);
    if (work->options->verbose || work->options->json_messages) {
        OcpMessages messages = work->messages;
        messages.into = notes->said;
        ocp_messages_report(&messages, name, result->report);
    }
    if (notes->entries != NULL)
        ocp_report_append(result, false, notes->entries);
}

/* ---- all lines ------------------------------------------------------------- */

static bool
take(const GString *out, gpointer pointer, gpointer data)
{
    Filter *filter = data;
    OcpWork *work = filter->work;
    Notes *notes = pointer;
    bool written = true;
    if (filter->spool != NULL) {
        ocp_spool_append(filter->spool, out->str, out->len);
    } else {
        const char *path = work->options->output != NULL ? work->options->output : "-";
        OcpOutputOptions options = {.never = work->set};
        written = out->len == 0 || ocp_output_write(path, out->str, out->len, &options,
                                                    filter->report, NULL);
    }
    if (notes == NULL)
        return written;
    ocp_messages_print(&work->messages, notes->said);
    if (notes->entries != NULL) {
        ocp_spool_append(work->report, notes->entries->str, notes->entries->len);
        g_string_free(notes->entries, TRUE);
    }
    ocp_tally_merge(&work->tally, &notes->tally);
    ocp_tally_clear(&notes->tally);
    g_string_free(notes->said, TRUE);
    g_free(notes);
    return written;
}

/* A pipe or a device takes lines as they come, a file appears when all are there. */
static bool
is_stream(const char *output)
{
    struct stat status;
    return output == NULL || strcmp(output, "-") == 0 ||
           (stat(output, &status) == 0 && !S_ISREG(status.st_mode));
}

static bool
open_input(const char *path, OcpReport *report, int *ret)
{
    *ret = STDIN_FILENO;
    if (strcmp(path, "-") == 0)
        return true;
    *ret = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (*ret >= 0)
        return true;
    OcpDiagnostic *error = ocp_report_add(report, OCP_ERROR, "io.open",
                                          "cannot read: %s", g_strerror(errno));
    error->file = g_strdup(path);
    return false;
}

static bool
write_rest(Filter *filter, OcpReport *report)
{
    OcpWork *work = filter->work;
    OcpOutputOptions options = {.never = work->set, .signals = work->signals};
    return (filter->spool == NULL ||
            ocp_spool_write(filter->spool, &options, report)) &&
           (work->report == NULL || ocp_spool_write(work->report, &options, report));
}

bool
ocp_filter_run(OcpWork *work, OcpReport *report)
{
    const OcpOptions *options = work->options;
    const char *path = options->input_count > 0 ? options->inputs[0] : "-";
    g_autoptr(OcpSpool) spool =
        is_stream(options->output) ? NULL : ocp_spool_new(options->output);
    Filter filter = {work, path, spool, report};
    int file;
    ocp_input_protect(path, work->set);
    if (!ocp_outputs_check(options, false, NULL, report) ||
        !ocp_outputs_check_inputs(options, work->set, report) ||
        !open_input(path, report, &file))
        return false;
    OcpLinesOptions lines = {.convert = convert,
                             .take = take,
                             .data = &filter,
                             .jobs = options->jobs,
                             .shard = options->shard};
    bool done = ocp_lines_run(file, path, &lines, report) &&
                !ocp_report_has_errors(report) && write_rest(&filter, report);
    if (file != STDIN_FILENO)
        (void)close(file);
    ocp_tally_print(&work->tally, &work->messages);
    return done;
}
