/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sink.h"

#include <string.h>
#include <sys/stat.h>

#include "batch/names.h"
#include "cli/messages.h"

struct OcpSink {
    OcpSinkKind kind;
    const char *path; /* borrowed from the options */
    OcpSyntax syntax;
    bool syntax_given;
    bool companion;
    OcpFileSet *set;
    OcpSignals *signals;
    guint documents; /* taken so far */
    bool several;    /* documents share one output */
    GString *held;   /* OCP_SINK_FILE with several: what will be in the file */
};

/* ---- which kind ------------------------------------------------------------ */

static OcpSinkKind
kind_of(const OcpOptions *options, bool several)
{
    const char *path = options->output;
    if (options->mode != OCP_MODE_CONVERT)
        return OCP_SINK_NONE;
    if (path == NULL || strcmp(path, "-") == 0)
        return OCP_SINK_STREAM;
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return OCP_SINK_FOLDER;
        if (!S_ISREG(status.st_mode))
            return OCP_SINK_STREAM;
    }
    return several || g_str_has_suffix(path, "/") ? OCP_SINK_FOLDER : OCP_SINK_FILE;
}

/* A folder is made if there is none; but where a file seems to be meant, better ask. */
static bool
check_folder(const OcpOptions *options, OcpReport *report)
{
    struct stat status;
    bool there = stat(options->output, &status) == 0;
    if (there ? S_ISDIR(status.st_mode) : ocp_name_ending(options->output) == 0)
        return true;
    g_autofree char *shown = ocp_messages_plain(options->output);
    ocp_fail(report, "usage.output", "several inputs need a folder, and %s %s", shown,
             there ? "is a file" : "looks like a file");
    OcpDiagnostic *error = report->diagnostics->pdata[report->diagnostics->len - 1];
    error->hint =
        g_strdup_printf("-o %s/ makes a folder, -o - gives one stream", shown);
    return false;
}

static bool
fail_shared(OcpReport *report)
{
    OcpDiagnostic *error =
        ocp_report_add(report, OCP_ERROR, "usage.syntax",
                       "several documents cannot share one output as plain JSON");
    error->hint = g_strdup("-s ndjson and -s yaml can; or give a folder: -o FOLDER/");
    return false;
}

static bool
fail_companion(OcpReport *report)
{
    return ocp_fail(report, "usage.companion",
                    "--companion needs a file for each document: give a folder, -o "
                    "FOLDER/");
}

OcpSinkKind
ocp_sink_kind(const OcpSink *sink)
{
    return sink->kind;
}

bool
ocp_sink_new(const OcpOptions *options, bool several, OcpFileSet *set,
             OcpSignals *signals, OcpReport *report, OcpSink **ret)
{
    OcpSinkKind kind = kind_of(options, several);
    if (kind == OCP_SINK_FOLDER && !check_folder(options, report))
        return false;
    if (kind == OCP_SINK_STREAM && several && options->syntax_given &&
        options->convert.syntax == OCP_SYNTAX_JSON)
        return fail_shared(report);
    if (kind == OCP_SINK_STREAM && options->companion)
        return fail_companion(report);
    OcpSink *sink = g_new0(OcpSink, 1);
    sink->kind = kind;
    sink->path = options->output != NULL ? options->output : "-";
    sink->syntax = options->convert.syntax;
    sink->syntax_given = options->syntax_given;
    sink->companion = options->companion;
    sink->set = set;
    sink->signals = signals;
    *ret = sink;
    return true;
}

void
ocp_sink_free(OcpSink *sink)
{
    if (sink == NULL)
        return;
    if (sink->held != NULL)
        g_string_free(sink->held, TRUE);
    g_free(sink);
}

bool
ocp_sink_syntax(OcpSink *sink, bool several, OcpReport *report, OcpSyntax *ret)
{
    bool shared =
        several && (sink->kind == OCP_SINK_STREAM || sink->kind == OCP_SINK_FILE);
    if (shared && sink->companion)
        return fail_companion(report);
    if (shared && sink->syntax_given && sink->syntax == OCP_SYNTAX_JSON)
        return fail_shared(report);
    sink->several = sink->several || shared;
    *ret = shared && !sink->syntax_given ? OCP_SYNTAX_NDJSON : sink->syntax;
    return true;
}

/* ---- taking documents ------------------------------------------------------ */

static bool
write_file(OcpSink *sink, const char *path, const void *data, gsize size,
           OcpReport *report)
{
    OcpOutputOptions options = {.never = sink->set, .signals = sink->signals};
    OcpFileId id;
    if (!ocp_output_write(path, data, size, &options, report, &id))
        return false;
    if (sink->kind == OCP_SINK_FILE) /* written once; a stream goes on */
        ocp_file_set_add(sink->set, id);
    return true;
}

static bool
write_bytes(OcpSink *sink, const char *path, GBytes *text, OcpReport *report)
{
    gsize size;
    const void *data = g_bytes_get_data(text, &size);
    return write_file(sink, path, data, size, report);
}

/* A document as a part of a stream. */
static void
append_part(const OcpSink *sink, GBytes *text, GString *out)
{
    gsize size;
    const char *data = g_bytes_get_data(text, &size);
    if (sink->syntax == OCP_SYNTAX_YAML && sink->documents > 0)
        g_string_append(out, "---\n");
    g_string_append_len(out, data, (gssize)size);
    if (size == 0 || data[size - 1] != '\n')
        g_string_append_c(out, '\n');
}

static bool
write_companion(OcpSink *sink, GBytes *model, OcpReport *report)
{
    g_autofree char *path = ocp_name_companion(sink->path);
    return write_bytes(sink, path, model, report);
}

bool
ocp_sink_put(OcpSink *sink, GBytes *text, GBytes *model, OcpReport *report,
             char **ret_path)
{
    *ret_path = NULL;
    if (sink->kind == OCP_SINK_NONE || sink->kind == OCP_SINK_FOLDER)
        return true;
    if (sink->kind == OCP_SINK_FILE && sink->several) {
        if (sink->held == NULL)
            sink->held = g_string_new(NULL);
        append_part(sink, text, sink->held);
    } else if (sink->several) {
        g_autoptr(GString) part = g_string_new(NULL);
        append_part(sink, text, part);
        if (!write_file(sink, sink->path, part->str, part->len, report))
            return false;
    } else if ((model != NULL && !write_companion(sink, model, report)) ||
               !write_bytes(sink, sink->path, text, report)) {
        return false;
    }
    sink->documents++;
    if (sink->kind == OCP_SINK_FILE)
        *ret_path = g_strdup(sink->path);
    return true;
}

bool
ocp_sink_close(OcpSink *sink, bool complete, OcpReport *report)
{
    if (sink->held == NULL)
        return true;
    if (complete)
        return write_file(sink, sink->path, sink->held->str, sink->held->len, report);
    OcpDiagnostic *warning =
        ocp_report_add(report, OCP_WARNING, "output.incomplete",
                       "not written: some of its documents could not be converted");
    warning->file = g_strdup(sink->path);
    return true;
}
