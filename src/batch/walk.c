/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/walk.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "batch/state.h"

typedef struct {
    char *path;
    char *name;
    OcpWalkKind kind;
    struct stat status;
    const char *what;
    int error;
} Entry;

typedef struct {
    struct stat output; /* with st_ino 0: there is none */
    OcpWalkFound found;
    gpointer data;
    GPtrArray *todo; /* Entry, the next one last */
} Walk;

static void
free_entry(gpointer pointer)
{
    Entry *entry = pointer;
    g_free(entry->path);
    g_free(entry->name);
    g_free(entry);
}

static const char *
special_name(mode_t mode, bool link)
{
    if (S_ISDIR(mode) && link)
        return "a link to a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

static void
classify(Entry *entry)
{
    struct stat status;
    entry->kind = OCP_WALK_FAULT;
    entry->what = "the file";
    if (lstat(entry->path, &status) != 0) {
        entry->error = errno;
        return;
    }
    bool link = S_ISLNK(status.st_mode);
    if (link && stat(entry->path, &status) != 0) {
        entry->error = errno;
        return;
    }
    entry->status = status;
    if (S_ISREG(status.st_mode))
        entry->kind = OCP_WALK_FILE;
    else if (S_ISDIR(status.st_mode) && !link)
        entry->kind = OCP_WALK_FOLDER;
    else
        entry->kind = OCP_WALK_SPECIAL;
    entry->what = special_name(status.st_mode, link);
}

/* As their paths sort: a folder by its name and "/". */
static gint
compare(gconstpointer a, gconstpointer b)
{
    const Entry *first = *(const Entry *const *)a;
    const Entry *second = *(const Entry *const *)b;
    const char *p = first->name;
    const char *q = second->name;
    while (*p != '\0' && *p == *q) {
        p++;
        q++;
    }
    guchar left = (guchar)*p;
    guchar right = (guchar)*q;
    if (left == '\0' && first->kind == OCP_WALK_FOLDER)
        left = '/';
    if (right == '\0' && second->kind == OCP_WALK_FOLDER)
        right = '/';
    return (left > right) - (left < right);
}

static bool
is_left_out(const Walk *walk, const Entry *entry, const char *base)
{
    return entry->kind == OCP_WALK_FOLDER &&
           (strcmp(base, OCP_STATE_FOLDER) == 0 ||
            (walk->output.st_ino != 0 && walk->output.st_ino == entry->status.st_ino &&
             walk->output.st_dev == entry->status.st_dev));
}

static int
read_folder(const Walk *walk, const Entry *folder, GPtrArray *entries)
{
    DIR *handle = opendir(folder->path);
    if (handle == NULL)
        return errno;
    errno = 0;
    for (const struct dirent *at; (at = readdir(handle)) != NULL; errno = 0) {
        if (strcmp(at->d_name, ".") == 0 || strcmp(at->d_name, "..") == 0)
            continue;
        Entry *entry = g_new0(Entry, 1);
        bool slash = g_str_has_suffix(folder->path, "/");
        entry->path = g_strconcat(folder->path, slash ? "" : "/", at->d_name, NULL);
        entry->name = *folder->name == '\0'
                          ? g_strdup(at->d_name)
                          : g_strconcat(folder->name, "/", at->d_name, NULL);
        classify(entry);
        if (is_left_out(walk, entry, at->d_name))
            free_entry(entry);
        else
            g_ptr_array_add(entries, entry);
    }
    int error = errno;
    (void)closedir(handle);
    return error;
}

static bool
tell(const Walk *walk, const Entry *entry)
{
    OcpWalkEntry told = {.kind = entry->kind,
                         .path = entry->path,
                         .name = entry->name,
                         .id = ocp_file_id(&entry->status),
                         .what = entry->what,
                         .error = entry->error};
    return walk->found(&told, walk->data);
}

static void
open_folder(Walk *walk, Entry *folder)
{
    g_autoptr(GPtrArray) entries = g_ptr_array_new();
    int error = read_folder(walk, folder, entries);
    if (error != 0) {
        folder->kind = OCP_WALK_FAULT;
        folder->what = "the folder";
        folder->error = error;
        tell(walk, folder);
    }
    g_ptr_array_sort(entries, compare);
    for (guint i = entries->len; i-- > 0;)
        g_ptr_array_add(walk->todo, entries->pdata[i]);
}

void
ocp_walk(const char *folder, const char *output, OcpWalkFound found, gpointer data)
{
    Walk walk = {.found = found, .data = data};
    if (output == NULL || stat(output, &walk.output) != 0)
        walk.output.st_ino = 0;
    walk.todo = g_ptr_array_new_with_free_func(free_entry);
    Entry *start = g_new0(Entry, 1);
    start->path = g_strdup(folder);
    start->name = g_strdup("");
    open_folder(&walk, start);
    free_entry(start);
    while (walk.todo->len > 0) {
        Entry *entry = g_ptr_array_steal_index(walk.todo, walk.todo->len - 1);
        if (tell(&walk, entry) && entry->kind == OCP_WALK_FOLDER)
            open_folder(&walk, entry);
        free_entry(entry);
    }
    g_ptr_array_unref(walk.todo);
}
