/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/files.h"
#include "value/report.h"

/*
 * Reading an input whole: a file, a pipe, standard input. What is read is what was
 * there: short reads go on, and a file that changes while it is read is an error, never
 * a mixture. Errors are io.* (another try may work) but for limit.bytes.
 */
typedef struct {
    GBytes *bytes;
    gint64 modified; /* modification time of a regular file, seconds; else -1 */
} OcpInput;

/* Reads path ("-" is standard input), most bytes at most. On success *ret is filled;
 * free ret->bytes with g_bytes_unref(). */
bool ocp_input_read(const char *path, guint64 most, OcpReport *report, OcpInput *ret);

/* Adds the file behind path to set, if it is a regular file that is there. */
void ocp_input_protect(const char *path, OcpFileSet *set);
