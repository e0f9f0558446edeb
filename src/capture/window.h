/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/ahead.h"

/*
 * The part of a log that is in memory: what was read last, in one piece. Of a log that
 * is not small the next block is read while this one is searched.
 */
typedef struct {
    OcpLogReader *reader;
    OcpAhead *ahead; /* NULL: not yet, or the log is small */
    bool asked;      /* a block is on its way, to the end of bytes */
    bool arrived;    /* it came, but nobody was told yet */
    char *bytes;
    gsize size;
    gsize room;
    bool ended;    /* nothing more comes */
    guint64 total; /* bytes read so far */
    int error;     /* of reading; 0: none */
} OcpWindow;

void ocp_window_init(OcpWindow *window, OcpLogReader *reader);
void ocp_window_clear(OcpWindow *window);

/* Waits for a block, which is then behind the others. False: nothing more comes. */
bool ocp_window_take(OcpWindow *window);

/* Makes room for the next block, after which bytes may be elsewhere, and begins to read
 * it. */
void ocp_window_ask(OcpWindow *window);

/* True if there is room for the next block. */
bool ocp_window_has_room(const OcpWindow *window);

/* Forgets the first bytes. */
void ocp_window_forget(OcpWindow *window, gsize count);
