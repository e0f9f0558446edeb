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

/* Where writing to a path ends: symbolic links are followed, the last one may lead to
 * nothing yet. Free it with g_free(); NULL, with errno: there is no end. */
char *ocp_file_target(const char *path);

/* The number of the descriptor that a path stands for ("-" is standard output), or -1.
 */
int ocp_file_descriptor(const char *path);

/* True if both paths lead to one regular file, or would once it is written. What is no
 * file that can be lost (a device, a pipe, standard output) is nobody's twin. */
bool ocp_file_same(const char *a, const char *b);

/* The path below folder that writing to path ends at: "sub/a.json". NULL if it ends
 * elsewhere. Free it with g_free(). */
char *ocp_file_below(const char *path, const char *folder);

typedef struct OcpFileSet OcpFileSet;

OcpFileSet *ocp_file_set_new(void);
void ocp_file_set_free(OcpFileSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpFileSet, ocp_file_set_free)

void ocp_file_set_add(OcpFileSet *set, OcpFileId id);

/* NULL is the empty set. */
bool ocp_file_set_has(const OcpFileSet *set, OcpFileId id);
