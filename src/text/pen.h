/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <string.h>

/*
 * A pen writes at the end of a GString. A text of a million values is written in
 * several million pieces: the pen puts them down without a call for each. While it
 * writes nobody else may touch the string; lifting it makes the string whole again.
 */
typedef struct {
    GString *text;
    char *at;
    char *end; /* the place of the last NUL */
} OcpPen;

/* Makes room for `more` bytes. */
void ocp_pen_grow(OcpPen *pen, gsize more);

static inline OcpPen
ocp_pen(GString *text)
{
    OcpPen pen = {text, text->str + text->len, text->str + text->allocated_len - 1};
    return pen;
}

static inline void
ocp_pen_room(OcpPen *pen, gsize more)
{
    if ((gsize)(pen->end - pen->at) < more)
        ocp_pen_grow(pen, more);
}

static inline void
ocp_pen_put(OcpPen *pen, const char *piece, gsize length)
{
    ocp_pen_room(pen, length);
    memcpy(pen->at, piece, length);
    pen->at += length;
}

static inline void
ocp_pen_char(OcpPen *pen, char c)
{
    ocp_pen_room(pen, 1);
    *pen->at++ = c;
}

static inline void
ocp_pen_fill(OcpPen *pen, char c, gsize length)
{
    ocp_pen_room(pen, length);
    memset(pen->at, c, length);
    pen->at += length;
}

static inline void
ocp_pen_lift(OcpPen *pen)
{
    *pen->at = '\0';
    pen->text->len = (gsize)(pen->at - pen->text->str);
}
