/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * Which file a path leads to, whatever it is called: device and inode. A set of them
 * says what must never be written over (the inputs of a run, outputs already written).
 * Threads: a set may be asked and added to by several.
 */
typedef struct {
    guint64 device;
    guint64 inode;
} OcpFileId;

OcpFileId ocp_file_id(const struct stat *status);

typedef struct OcpFileSet OcpFileSet;

OcpFileSet *ocp_file_set_new(void);
void ocp_file_set_free(OcpFileSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpFileSet, ocp_file_set_free)

void ocp_file_set_add(OcpFileSet *set, OcpFileId id);

/* NULL is the empty set. */
bool ocp_file_set_has(const OcpFileSet *set, OcpFileId id);
