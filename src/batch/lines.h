/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/pool.h"
#include "batch/shard.h"
#include "value/report.h"

/*
 * A filter: as many lines out as in, in order, whatever threads do in between. Lines go
 * to the threads in blocks, as they come: who writes a line and waits for the answer
 * gets it. Knows nothing of what is done with a line.
 */
typedef struct {
    const char *text; /* without its end; not terminated */
    gsize length;
    guint64 number; /* 1, 2, … in the input */
} OcpLine;

typedef struct {
    /* Appends what stands for the line, with one line end, to out; in any thread. notes
     * is handed to take with the block. */
    void (*convert)(const OcpLine *line, GString *out, gpointer *notes, gpointer data);
    /* Takes a block, in order, in the caller's thread; notes are its to free. False: no
     * more are wanted. */
    bool (*take)(const GString *out, gpointer notes, gpointer data);
    gpointer data;
    guint jobs;
    OcpShard shard; /* only its lines; the numbers count all */
} OcpLinesOptions;

/* Runs over all lines of a descriptor; path names it in messages. What has no line end
 * is a line too, if it is not empty. Errors: io.read, io.memory. */
bool ocp_lines_run(int file, const char *path, const OcpLinesOptions *options,
                   OcpReport *report);
