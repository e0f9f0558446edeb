/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/plan.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/glob.h"
#include "batch/input.h"
#include "batch/plan_names.h"
#include "batch/walk.h"

static void
free_item(gpointer pointer)
{
    OcpPlanItem *item = pointer;
    ocp_report_free(item->fault);
    g_free(item->path);
    g_free(item->name);
    g_free(item);
}

void
ocp_plan_free(OcpPlan *plan)
{
    if (plan == NULL)
        return;
    g_hash_table_unref(plan->names);
    g_ptr_array_unref(plan->items);
    g_ptr_array_unref(plan->all);
    g_free(plan);
}

/* ---- what is chosen -------------------------------------------------------- */

static bool
any_matches(char *const *patterns, const char *name)
{
    for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
        if (ocp_glob_matches(patterns[i], name))
            return true;
    return false;
}

static bool
is_chosen(const OcpPlanOptions *options, const char *name)
{
    return (options->include == NULL || any_matches(options->include, name)) &&
           !any_matches(options->exclude, name);
}

/* The name below the output folder of a path that keeps its folders: no "/" in front,
 * no
 * "." parts. NULL if it leads out. */
static char *
listed_name(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    GString *name = g_string_new(NULL);
    for (guint i = 0; parts[i] != NULL; i++) {
        if (*parts[i] == '\0' || strcmp(parts[i], ".") == 0)
            continue;
        if (strcmp(parts[i], "..") == 0) {
            g_string_free(name, TRUE);
            return NULL;
        }
        if (name->len > 0)
            g_string_append_c(name, '/');
        g_string_append(name, parts[i]);
    }
    return g_string_free(name, FALSE);
}

static void
add_item(OcpPlan *plan, const char *path, char *name, OcpReport *fault)
{
    OcpPlanItem *item = g_new0(OcpPlanItem, 1);
    item->path = g_strdup(path);
    item->name = name;
    item->fault = fault;
    g_ptr_array_add(plan->all, item);
}

/* ---- looking --------------------------------------------------------------- */

typedef struct {
    const OcpPlanOptions *options;
    OcpPlan *plan;
    OcpFileSet *protect;
    OcpReport *report;
    const char *prefix; /* of the names of what is found in a folder */
} Search;

static char *
join(const char *prefix, const char *name)
{
    return *prefix == '\0' ? g_strdup(name) : g_strconcat(prefix, "/", name, NULL);
}

static bool
found(const OcpWalkEntry *entry, gpointer data)
{
    Search *search = data;
    g_autofree char *name = join(search->prefix, entry->name);
    switch (entry->kind) {
    case OCP_WALK_FOLDER: return !any_matches(search->options->exclude, name);
    case OCP_WALK_FILE:
        if (is_chosen(search->options, name)) {
            ocp_file_set_add(search->protect, entry->id);
            add_item(search->plan, entry->path, g_steal_pointer(&name), NULL);
        }
        break;
    case OCP_WALK_SPECIAL:
        if (is_chosen(search->options, name)) {
            OcpDiagnostic *skipped =
                ocp_report_add(search->report, OCP_WARNING, "batch.skipped",
                               "skipped: is %s", entry->what);
            skipped->file = g_strdup(entry->path);
        }
        break;
    case OCP_WALK_FAULT: {
        if (*entry->name != '\0' && any_matches(search->options->exclude, name))
            break;
        OcpReport *fault = ocp_report_new();
        OcpDiagnostic *error =
            ocp_report_add(fault, OCP_ERROR, "io.open", "cannot read %s: %s",
                           entry->what, g_strerror(entry->error));
        error->file = g_strdup(entry->path);
        add_item(search->plan, entry->path, g_steal_pointer(&name), fault);
        break;
    }
    }
    return true;
}

static bool
is_output(const OcpPlanOptions *options, const struct stat *status)
{
    struct stat output;
    return options->output != NULL && stat(options->output, &output) == 0 &&
           output.st_dev == status->st_dev && output.st_ino == status->st_ino;
}

/* Looks at one input; name is what it is called below the output folder if it is a
 * file, and in front of the names of its files if it is a folder. */
static bool
look_at(Search *search, const char *path, const char *name, const char *prefix)
{
    struct stat status;
    bool there = strcmp(path, "-") != 0 && stat(path, &status) == 0;
    if (!there || !S_ISDIR(status.st_mode)) {
        if (!is_chosen(search->options, name))
            return true;
        ocp_input_protect(path, search->protect);
        add_item(search->plan, path, g_strdup(name), NULL);
        return true;
    }
    search->plan->folders = true;
    if (is_output(search->options, &status)) {
        OcpDiagnostic *error = ocp_report_add(search->report, OCP_ERROR, "usage.output",
                                              "the output folder is an input folder");
        error->file = g_strdup(path);
        error->hint = g_strdup("give -o another folder; it may be inside of this one");
        return false;
    }
    search->prefix = prefix;
    ocp_walk(path, search->options->output, found, search);
    return true;
}

static bool
look_at_listed(Search *search, const char *path)
{
    g_autofree char *name = listed_name(path);
    if (name != NULL)
        return look_at(search, path, name, name);
    OcpDiagnostic *error =
        ocp_report_add(search->report, OCP_ERROR, "usage.files-from",
                       "\"..\" in a list of files would lead out of the output folder");
    error->file = g_strdup(path);
    return false;
}

static bool
look_at_all(Search *search)
{
    const OcpPlanOptions *options = search->options;
    for (guint i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        g_autofree char *name =
            strcmp(path, "-") == 0 ? g_strdup("stdin") : g_path_get_basename(path);
        if (!look_at(search, path, name, ""))
            return false;
    }
    for (guint i = 0; options->listed != NULL && options->listed[i] != NULL; i++)
        if (!look_at_listed(search, options->listed[i]))
            return false;
    return true;
}

bool
ocp_plan_make(const OcpPlanOptions *options, OcpFileSet *protect, OcpReport *report,
              OcpPlan **ret)
{
    g_autoptr(OcpPlan) plan = g_new0(OcpPlan, 1);
    plan->all = g_ptr_array_new_with_free_func(free_item);
    plan->items = g_ptr_array_new();
    plan->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    plan->other = (OcpPlanItem){.path = (char *)"the report", .name = (char *)""};
    if (options->reserved != NULL)
        g_hash_table_insert(plan->names, g_strdup(options->reserved), &plan->other);
    Search search = {options, plan, protect, report, ""};
    if (!look_at_all(&search))
        return false;
    if (options->tree && !ocp_plan_name_all(plan, options, report))
        return false;
    /* Names clash or not whoever does the work: so shards are parted last. */
    for (guint i = 0; i < plan->all->len; i++) {
        const OcpPlanItem *item = plan->all->pdata[i];
        if (ocp_shard_has(&options->shard, item->name))
            g_ptr_array_add(plan->items, (gpointer)item);
    }
    *ret = g_steal_pointer(&plan);
    return true;
}

char **
ocp_plan_split(GBytes *list)
{
    gsize size;
    const char *text = g_bytes_get_data(list, &size);
    char end = size > 0 && memchr(text, '\0', size) != NULL ? '\0' : '\n';
    GPtrArray *paths = g_ptr_array_new();
    for (gsize at = 0; at < size;) {
        const char *stop = memchr(text + at, end, size - at);
        gsize length = stop != NULL ? (gsize)(stop - text) - at : size - at;
        if (length > 0)
            g_ptr_array_add(paths, g_strndup(text + at, length));
        at += length + 1;
    }
    g_ptr_array_add(paths, NULL);
    return (char **)g_ptr_array_free(paths, FALSE);
}
