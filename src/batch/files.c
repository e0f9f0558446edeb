/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/files.h"

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
