/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * The prefix that a logging system puts before each line of a program's output, or the
 * record it puts the line in. Seen from one line alone; what is taken for a prefix by
 * mistake does no harm where a value stands on one line.
 */
typedef struct {
    const char *name; /* "cri", "syslog", …; "" for none */
    char key[160]; /* the stream: container, pod, unit, host and program; "" for none */
    const char *body; /* within the line */
    gsize size;
    bool partial;   /* the line goes on in the stream's next */
    bool string;    /* the body stands in a JSON string: it has escapes */
    bool soft;      /* might be no frame: a line without one may continue it */
    char stamp[48]; /* the log's own time, or "" */
} OcpFrame;

/* Reads the frame of a line without its end and without terminal control sequences. */
void ocp_frame_read(const char *line, gsize length, OcpFrame *ret);

/* ---- frame_json.c -------------------------------------------------------- */

/* A record of Docker's json-file or of journald's JSON; false if the line is none. */
bool ocp_frame_read_json(const char *line, gsize length, OcpFrame *ret);

/* Copies a span into a field of a frame, cut to its room, graphic ASCII only. */
void ocp_frame_set(char *field, gsize room, const char *from, gsize size);
