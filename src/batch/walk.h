/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/files.h"

/*
 * Walking a folder and those below it: files and links to files, in the order of the
 * bytes of their paths. Links to folders are not followed.
 */
typedef enum {
    OCP_WALK_FILE,
    OCP_WALK_FOLDER, /* to be walked, unless the answer is false */
    OCP_WALK_SPECIAL,
    OCP_WALK_FAULT
} OcpWalkKind;

typedef struct {
    OcpWalkKind kind;
    const char *path; /* to be opened */
    const char *name; /* below the folder the walk began with */
    OcpFileId id;     /* of a file */
    const char *what; /* SPECIAL: "a pipe", …; FAULT: "the folder" or "the file" */
    int error;        /* FAULT */
} OcpWalkEntry;

typedef bool (*OcpWalkFound)(const OcpWalkEntry *entry, gpointer data);

/* Calls found for everything below folder; for a folder the answer says if it is to be
 * walked. Leaves out the folder output (may be NULL) and the folder of this tool's own
 * records, wherever they are. */
void ocp_walk(const char *folder, const char *output, OcpWalkFound found,
              gpointer data);
