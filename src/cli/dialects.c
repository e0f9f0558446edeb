/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dialects.h"

#include <json-c/json.h>
#include <string.h>

#include "batch/input.h"
#include "cli/messages.h"
#include "cli/suggest.h"

typedef void (*AddFile)(gpointer to, const char *name, GBytes *bytes);

static const guint64 most_of_a_file = 64u << 20;

static gint
compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool
has_data(const char *name)
{
    return name[0] != '.' &&
           (g_str_has_suffix(name, ".json") || g_str_has_suffix(name, ".yaml") ||
            g_str_has_suffix(name, ".yml"));
}

static bool
add_folder(gpointer to, const char *folder, AddFile add, OcpReport *report)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
    if (dir == NULL) {
        g_autofree char *shown = ocp_messages_plain(folder);
        return ocp_fail(report, "io.open", "cannot open the folder %s: %s", shown,
                        error->code == G_FILE_ERROR_NOENT ? "there is none of that name"
                                                          : "it cannot be read");
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;)
        if (has_data(name))
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        OcpInput input;
        if (!ocp_input_read(path, most_of_a_file, report, &input))
            return false;
        add(to, names->pdata[i], input.bytes);
        g_bytes_unref(input.bytes);
    }
    return true;
}

static bool
add_folders(gpointer to, char **folders, AddFile add, OcpReport *report)
{
    for (char **at = folders; at != NULL && *at != NULL; at++)
        if (!add_folder(to, *at, add, report))
            return false;
    return true;
}

static void
add_schema(gpointer to, const char *name, GBytes *bytes)
{
    ocp_context_add_schema(to, name, bytes);
}

static void
add_mapping(gpointer to, const char *name, GBytes *bytes)
{
    ocp_context_add_mapping(to, name, bytes);
}

bool
ocp_dialects_add_folders(OcpContext *context, const OcpOptions *options,
                         OcpReport *report)
{
    return add_folders(context, options->schemas, add_schema, report) &&
           add_folders(context, options->mappings, add_mapping, report);
}

/* Logs are no dialect, but where one is read from they are named like one. */
static void
suggest_logs(OcpContext *context, const char *label, OcpReport *report)
{
    g_autoptr(GPtrArray) infos = NULL;
    g_autoptr(OcpReport) quiet = ocp_report_new();
    if (!ocp_context_list(context, quiet, &infos))
        return;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < infos->len; i++)
        g_ptr_array_add(names, ((OcpDialectInfo *)infos->pdata[i])->name);
    g_ptr_array_add(names, (gpointer)OCP_FROM_LOGS);
    g_ptr_array_add(names, NULL);
    const char *meant = ocp_suggest(label, (const char *const *)names->pdata);
    OcpDiagnostic *last = report->diagnostics->pdata[report->diagnostics->len - 1];
    if (meant == NULL || strcmp(meant, OCP_FROM_LOGS) != 0)
        return;
    g_free(last->hint);
    last->hint = g_strdup_printf("did you mean \"%s\"?", meant);
}

bool
ocp_dialects_check(OcpContext *context, const OcpOptions *options, OcpReport *report)
{
    const char *from = options->from;
    const char *to = options->to;
    if (to != NULL && strcmp(to, OCP_FROM_LOGS) == 0)
        return ocp_fail(report, "usage.dialect",
                        "logs are read, not written: --to takes no %s", to);
    if (to != NULL && !ocp_context_knows(context, to, report))
        return false;
    if (from == NULL || options->logs || ocp_context_knows(context, from, report))
        return true;
    suggest_logs(context, from, report);
    return false;
}

static void
add_to_sum(gpointer to, const char *name, GBytes *bytes)
{
    gsize size;
    const guchar *data = g_bytes_get_data(bytes, &size);
    g_autofree char *head = g_strdup_printf("%s %" G_GSIZE_FORMAT "\n", name, size);
    g_checksum_update(to, (const guchar *)head, -1);
    g_checksum_update(to, data, (gssize)size);
}

bool
ocp_dialects_sum_folders(const OcpOptions *options, GChecksum *sum, OcpReport *report)
{
    if (!add_folders(sum, options->schemas, add_to_sum, report))
        return false;
    g_checksum_update(sum, (const guchar *)"\n", 1);
    return add_folders(sum, options->mappings, add_to_sum, report);
}

/* ---- the list -------------------------------------------------------------- */

static const char *
text_or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

static void
append_table(const GPtrArray *infos, GString *out)
{
    gsize wide = strlen("dialect");
    for (guint i = 0; i < infos->len; i++)
        wide = MAX(wide, strlen(((const OcpDialectInfo *)infos->pdata[i])->name));
    g_string_append_printf(out,
                           "%-*s  version  syntaxes    in   out  holds         what\n",
                           (int)wide, "dialect");
    for (guint i = 0; i < infos->len; i++) {
        const OcpDialectInfo *info = infos->pdata[i];
        g_autofree char *title = ocp_messages_plain(text_or_dash(info->title));
        g_string_append_printf(out, "%-*s  %-7s  JSON, YAML  %-3s  %-3s  %-12s  %s\n",
                               (int)wide, info->name, text_or_dash(info->version),
                               info->reads ? "yes" : "no", info->writes ? "yes" : "no",
                               info->open_place ? "everything" : "its own only", title);
    }
    g_string_append(out,
                    "\nholds: \"everything\" has a place for what the dialect itself "
                    "cannot say,\nso a conversion there and back loses nothing.\n");
}

static void
add_text(json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key,
                           text != NULL ? json_object_new_string(text) : NULL);
}

static void
append_objects(const GPtrArray *infos, GString *out)
{
    json_object *list = json_object_new_array();
    for (guint i = 0; i < infos->len; i++) {
        const OcpDialectInfo *info = infos->pdata[i];
        json_object *object = json_object_new_object();
        json_object *syntaxes = json_object_new_array();
        json_object_array_add(syntaxes, json_object_new_string("json"));
        json_object_array_add(syntaxes, json_object_new_string("yaml"));
        add_text(object, "name", info->name);
        add_text(object, "version", info->version);
        add_text(object, "title", info->title);
        add_text(object, "schema", info->schema);
        json_object_object_add(object, "syntaxes", syntaxes);
        json_object_object_add(object, "reads", json_object_new_boolean(info->reads));
        json_object_object_add(object, "writes", json_object_new_boolean(info->writes));
        json_object_object_add(object, "holds_everything",
                               json_object_new_boolean(info->open_place));
        json_object_array_add(list, object);
    }
    g_string_append(out, json_object_to_json_string_ext(
                             list, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                       JSON_C_TO_STRING_NOSLASHESCAPE));
    g_string_append_c(out, '\n');
    json_object_put(list);
}

bool
ocp_dialects_append_list(OcpContext *context, bool json, OcpReport *report,
                         GString *out)
{
    g_autoptr(GPtrArray) infos = NULL;
    if (!ocp_context_list(context, report, &infos))
        return false;
    if (json)
        append_objects(infos, out);
    else
        append_table(infos, out);
    return true;
}

bool
ocp_dialects_writable(OcpContext *context, OcpReport *report, GPtrArray **ret)
{
    g_autoptr(GPtrArray) infos = NULL;
    if (!ocp_context_list(context, report, &infos))
        return false;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *last = "";
    for (guint i = 0; i < infos->len; i++) {
        const OcpDialectInfo *info = infos->pdata[i];
        if (!info->writes || strcmp(info->name, last) == 0)
            continue;
        last = info->name;
        g_ptr_array_add(names, g_strdup(info->name));
    }
    *ret = names;
    return true;
}
