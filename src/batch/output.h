/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/files.h"
#include "batch/signals.h"
#include "value/report.h"

/*
 * Files that appear whole or not at all.
 *
 * A regular file is written beside its place and then put there in one step, with the
 * mode and owner of the file it replaces; a symbolic link is followed to its target.
 * What is no regular file (a pipe, a device, /dev/stdout) is written straight through.
 * On any failure the old file is as it was and no temporary file stays. Mode and owner
 * are kept, access lists and other attributes are not.
 */
typedef struct {
    const OcpFileSet *never; /* not to be written over; may be NULL */
    bool unsynced;           /* do not wait for the disk */
    OcpSignals *signals;     /* held while a temporary file has a name; may be NULL */
    /* The name a temporary file gets if it needs one, of the caller's choice and nobody
     * else's: what stands there was left behind by a process that was killed. NULL: a
     * new name. */
    const char *temporary;
} OcpOutputOptions;

/* Writes size bytes of data to path; "-" is standard output. *ret_id (may be NULL) gets
 * the file that is there now. Errors: io.write, io.kind, io.owner, io.over-input, with
 * the path as given. Threads: may run in several, on different paths. */
bool ocp_output_write(const char *path, const void *data, gsize size,
                      const OcpOutputOptions *options, OcpReport *report,
                      OcpFileId *ret_id);
