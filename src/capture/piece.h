/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/frame.h"
#include "capture/hunt.h"

/*
 * A piece of text that knows where in the log each of its bytes came from.
 */
typedef struct {
    GString *text;
    GArray *points; /* OcpMapPoint; text counts from the piece's start, line is 0 */
} OcpPiece;

enum { OCP_PIECE_POINTS = 400000 /* at most */ };

void ocp_piece_init(OcpPiece *piece);
void ocp_piece_clear(OcpPiece *piece);

/* Makes piece of a line at an offset of the log: without terminal control sequences. */
void ocp_piece_set(OcpPiece *piece, const char *line, gsize length, guint64 offset,
                   bool utf16);

/* Cuts the piece down to a frame's body; an escaped one is decoded. */
void ocp_piece_unframe(OcpPiece *piece, const OcpFrame *frame, bool utf16);
