/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/ahead.h"

/*
 * The part of a log that is in memory: what was read last, in one piece. Of a log that
 * is not small the next blocks are read while this one is searched.
 */
typedef struct {
    OcpLogReader *reader;
    const OcpNeedles *needles;
    OcpAhead *ahead; /* NULL: not yet, or the log is small */
    char *bytes;
    gsize size;
    gsize room;
    bool ended;     /* nothing more comes */
    guint64 total;  /* bytes read so far */
    int error;      /* of reading; 0: none */
    OcpBlock last;  /* the block that came last */
    GArray *blocks; /* OcpBlock: of what is in bytes; their traces are not kept */
} OcpWindow;

void ocp_window_init(OcpWindow *window, OcpLogReader *reader,
                     const OcpNeedles *needles);
void ocp_window_clear(OcpWindow *window);

/* Waits for a block, which is then behind the others. Bytes may be elsewhere then.
 * False: nothing more comes. */
bool ocp_window_take(OcpWindow *window);

/* True if the next block does not need more room than usual. */
bool ocp_window_has_room(const OcpWindow *window);

/* Forgets the first bytes. */
void ocp_window_forget(OcpWindow *window, gsize count);

/* The first place of a trace at or behind from, or NULL. Before the last block only
 * what is longer than overlap from it was searched before. */
const char *ocp_window_find(const OcpWindow *window, gsize from, gsize overlap);

/* The line feeds of from..to. */
gsize ocp_window_lines(const OcpWindow *window, gsize from, gsize to);
