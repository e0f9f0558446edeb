/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

struct OcpFileSet {
    GMutex lock;
    GHashTable *ids;
};

static guint
hash_id(gconstpointer pointer)
{
    const OcpFileId *id = pointer;
    guint64 mixed = id->inode * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) ^ id->device;
    return (guint)(mixed >> 32 ^ mixed);
}

static gboolean
equal_ids(gconstpointer a, gconstpointer b)
{
    const OcpFileId *first = a;
    const OcpFileId *second = b;
    return first->device == second->device && first->inode == second->inode;
}

OcpFileId
ocp_file_id(const struct stat *status)
{
    OcpFileId id = {(guint64)status->st_dev, (guint64)status->st_ino};
    return id;
}

OcpFileSet *
ocp_file_set_new(void)
{
    OcpFileSet *set = g_new0(OcpFileSet, 1);
    g_mutex_init(&set->lock);
    set->ids = g_hash_table_new_full(hash_id, equal_ids, g_free, NULL);
    return set;
}

void
ocp_file_set_free(OcpFileSet *set)
{
    if (set == NULL)
        return;
    g_hash_table_unref(set->ids);
    g_mutex_clear(&set->lock);
    g_free(set);
}

void
ocp_file_set_add(OcpFileSet *set, OcpFileId id)
{
    g_mutex_lock(&set->lock);
    g_hash_table_add(set->ids, g_memdup2(&id, sizeof id));
    g_mutex_unlock(&set->lock);
}

bool
ocp_file_set_has(const OcpFileSet *set, OcpFileId id)
{
    if (set == NULL)
        return false;
    /* The lock is all that is written in a set that is only asked. */
    OcpFileSet *asked = (OcpFileSet *)set;
    g_mutex_lock(&asked->lock);
    bool has = g_hash_table_contains(set->ids, &id);
    g_mutex_unlock(&asked->lock);
    return has;
}

/* ---- where paths lead ------------------------------------------------------ */

/* Opening such a path again would write from the start of a file that somebody else has
 * open for appending. */
int
ocp_file_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        guint64 number;
        if (g_str_has_prefix(path, folders[i]) &&
            g_ascii_string_to_unsigned(path + strlen(folders[i]), 10, 0, INT_MAX,
                                       &number, NULL))
            return (int)number;
    }
    return -1;
}

char *
ocp_file_target(const char *path)
{
    char *target = g_strdup(path);
    for (guint hops = 0; hops < MOST_LINKS; hops++) {
        char link[PATH_MAX];
        gssize length = -1;
        if (ocp_file_descriptor(target) < 0)
            length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            return target;
        link[length] = '\0';
        g_autofree char *folder = g_path_get_dirname(target);
        g_free(target);
        target = link[0] == '/' ? g_strdup(link) : g_build_filename(folder, link, NULL);
    }
    g_free(target);
    errno = ELOOP;
    return NULL;
}

/* A folder with no link in its name; of one that is not there yet, with no dots. */
static char *
real_folder(const char *folder)
{
    char *real = realpath(folder, NULL);
    char *copy = real != NULL ? g_strdup(real) : g_canonicalize_filename(folder, NULL);
    free(real);
    return copy;
}

static char *
folder_of(const char *target)
{
    g_autofree char *folder = g_path_get_dirname(target);
    return real_folder(folder);
}

static bool
same_new_file(const char *a, const char *b)
{
    g_autofree char *a_name = g_path_get_basename(a);
    g_autofree char *b_name = g_path_get_basename(b);
    g_autofree char *a_folder = folder_of(a);
    g_autofree char *b_folder = folder_of(b);
    return strcmp(a_name, b_name) == 0 && strcmp(a_folder, b_folder) == 0;
}

bool
ocp_file_same(const char *a, const char *b)
{
    g_autofree char *a_target = ocp_file_target(a);
    g_autofree char *b_target = ocp_file_target(b);
    struct stat a_status, b_status;
    if (a_target == NULL || b_target == NULL || ocp_file_descriptor(a_target) >= 0 ||
        ocp_file_descriptor(b_target) >= 0)
        return false;
    bool a_there = stat(a_target, &a_status) == 0;
    bool b_there = stat(b_target, &b_status) == 0;
    if (a_there != b_there)
        return false;
    if (!a_there)
        return same_new_file(a_target, b_target);
    OcpFileId a_id = ocp_file_id(&a_status);
    OcpFileId b_id = ocp_file_id(&b_status);
    return S_ISREG(a_status.st_mode) && equal_ids(&a_id, &b_id);
}

char *
ocp_file_below(const char *path, const char *folder)
{
    g_autofree char *target = ocp_file_target(path);
    if (target == NULL || ocp_file_descriptor(target) >= 0)
        return NULL;
    g_autofree char *name = g_path_get_basename(target);
    g_autofree char *inside = folder_of(target);
    g_autofree char *outside = real_folder(folder);
    gsize length = strlen(outside);
    while (length > 0 && outside[length - 1] == '/')
        length--;
    const char *rest = inside + length;
    if (strncmp(inside, outside, length) != 0 || (*rest != '/' && *rest != '\0'))
        return NULL;
    rest += strspn(rest, "/");
    return *rest != '\0' ? g_build_filename(rest, name, NULL) : g_steal_pointer(&name);
}
