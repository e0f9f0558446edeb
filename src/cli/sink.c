/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sink.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/messages.h"

typedef enum { SINK_NONE, SINK_STREAM, SINK_FILE, SINK_FOLDER } SinkKind;

struct OcpSink {
    SinkKind kind;
    const char *path; /* borrowed from the options */
    OcpSyntax syntax;
    bool syntax_given;
    OcpFileSet *set;
    guint documents; /* taken so far */
    bool several;    /* documents share one output */
    GString *held;   /* SINK_FILE with several: what will be in the file */
};

/* ---- names ----------------------------------------------------------------- */

static const char *
ending_of(OcpSyntax syntax)
{
    if (syntax == OCP_SYNTAX_YAML)
        return ".yaml";
    return syntax == OCP_SYNTAX_NDJSON ? ".ndjson" : ".json";
}

/* The length of an ending that says what syntax a file has; 0 if it has none. */
static gsize
ending_length(const char *name)
{
    static const char *const endings[] = {".json", ".yaml", ".yml", ".ndjson",
                                          ".jsonl"};
    gsize length = strlen(name);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        gsize ending = strlen(endings[i]);
        if (length > ending &&
            g_ascii_strcasecmp(name + length - ending, endings[i]) == 0)
            return ending;
    }
    return 0;
}

char *
ocp_sink_name(const char *input, guint number, OcpSyntax syntax)
{
    g_autofree char *name =
        strcmp(input, "-") == 0 ? g_strdup("stdin") : g_path_get_basename(input);
    name[strlen(name) - ending_length(name)] = '\0';
    if (number == 0)
        return g_strconcat(name, ending_of(syntax), NULL);
    return g_strdup_printf("%s.%u%s", name, number, ending_of(syntax));
}

/* Two inputs that would share an output name are found before anything is written. */
static bool
check_names(const OcpOptions *options, OcpReport *report)
{
    g_autoptr(GHashTable) inputs =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < options->input_count; i++) {
        const char *input = options->inputs[i];
        g_autofree char *name = ocp_sink_name(input, 0, options->convert.syntax);
        const char *other = g_hash_table_lookup(inputs, name);
        if (other != NULL) {
            g_autofree char *first = ocp_messages_plain(other);
            g_autofree char *second = ocp_messages_plain(input);
            g_autofree char *shown = ocp_messages_plain(name);
            return ocp_fail(report, "usage.same-output",
                            "%s and %s would both become %s", first, second, shown);
        }
        g_hash_table_insert(inputs, g_steal_pointer(&name), (gpointer)input);
    }
    return true;
}

/* ---- which kind ------------------------------------------------------------ */

static SinkKind
kind_of(const OcpOptions *options)
{
    const char *path = options->output;
    if (options->mode != OCP_MODE_CONVERT)
        return SINK_NONE;
    if (path == NULL || strcmp(path, "-") == 0)
        return SINK_STREAM;
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return SINK_FOLDER;
        if (!S_ISREG(status.st_mode))
            return SINK_STREAM;
    }
    return options->input_count > 1 || g_str_has_suffix(path, "/") ? SINK_FOLDER
                                                                   : SINK_FILE;
}

/* A folder is made if there is none; but where a file seems to be meant, better ask. */
static bool
check_folder(const OcpOptions *options, OcpReport *report)
{
    struct stat status;
    bool there = stat(options->output, &status) == 0;
    if (there ? S_ISDIR(status.st_mode) : ending_length(options->output) == 0)
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

bool
ocp_sink_new(const OcpOptions *options, OcpFileSet *set, OcpReport *report,
             OcpSink **ret)
{
    SinkKind kind = kind_of(options);
    if (kind == SINK_FOLDER &&
        !(check_folder(options, report) && check_names(options, report)))
        return false;
    if (kind == SINK_STREAM && options->input_count > 1 && options->syntax_given &&
        options->convert.syntax == OCP_SYNTAX_JSON)
        return fail_shared(report);
    OcpSink *sink = g_new0(OcpSink, 1);
    sink->kind = kind;
    sink->path = options->output != NULL ? options->output : "-";
    sink->syntax = options->convert.syntax;
    sink->syntax_given = options->syntax_given;
    sink->set = set;
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
    bool shared = several && (sink->kind == SINK_STREAM || sink->kind == SINK_FILE);
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
    OcpOutputOptions options = {.never = sink->set};
    OcpFileId id;
    if (!ocp_output_write(path, data, size, &options, report, &id))
        return false;
    if (sink->kind == SINK_FOLDER)
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
put_in_folder(OcpSink *sink, const char *input, guint number, GBytes *text,
              OcpReport *report, char **ret_path)
{
    if (g_mkdir_with_parents(sink->path, 0777) != 0) {
        OcpDiagnostic *error =
            ocp_report_add(report, OCP_ERROR, "io.write", "cannot make the folder: %s",
                           g_strerror(errno));
        error->file = g_strdup(sink->path);
        return false;
    }
    g_autofree char *name = ocp_sink_name(input, number, sink->syntax);
    g_autofree char *path = g_build_filename(sink->path, name, NULL);
    if (!write_bytes(sink, path, text, report))
        return false;
    *ret_path = g_steal_pointer(&path);
    return true;
}

bool
ocp_sink_put(OcpSink *sink, const char *input, guint number, GBytes *text,
             OcpReport *report, char **ret_path)
{
    *ret_path = NULL;
    if (sink->kind == SINK_NONE)
        return true;
    if (sink->kind == SINK_FOLDER)
        return put_in_folder(sink, input, number, text, report, ret_path);
    if (sink->kind == SINK_FILE && sink->several) {
        if (sink->held == NULL)
            sink->held = g_string_new(NULL);
        append_part(sink, text, sink->held);
    } else if (sink->several) {
        g_autoptr(GString) part = g_string_new(NULL);
        append_part(sink, text, part);
        if (!write_file(sink, sink->path, part->str, part->len, report))
            return false;
    } else if (!write_bytes(sink, sink->path, text, report)) {
        return false;
    }
    sink->documents++;
    if (sink->kind == SINK_FILE)
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
