/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/frame.h"
#include "capture/sweep.h"

/*
 * A record: lines of one stream, put together without what the log put around them, as
 * long as a value in them is open.
 */

/* A piece of text that knows where it came from. */
typedef struct {
    GString *text;
    GArray *points; /* OcpMapPoint; text counts from the piece's start, line is 0 */
} OcpPiece;

void ocp_piece_init(OcpPiece *piece);
void ocp_piece_clear(OcpPiece *piece);

/* Makes piece of a line at an offset of the log: without terminal control sequences. */
void ocp_piece_set(OcpPiece *piece, const char *line, gsize length, guint64 offset,
                   bool utf16);

/* Cuts the piece down to a frame's body; an escaped one is decoded. */
void ocp_piece_unframe(OcpPiece *piece, const OcpFrame *frame, bool utf16);

typedef struct {
    OcpHunt hunt;
    OcpSweep sweep;
    OcpLayer layer;
    GString *text;
    GArray *map;
    char *key;
    char *name;       /* of the frame, for the chain of wrappers */
    char *stream;
    char *stamp;
    bool soft;
    bool partial;     /* the last line goes on in the next */
    gsize line_start; /* of the line being put together */
    guint64 end_line; /* the last line of the log in it */
    guint64 used;     /* when a line came last */
} OcpRecord;

OcpRecord *ocp_record_new(const OcpCapture *capture, const OcpFrame *frame,
                          const char *packing, guint64 line, bool utf16);
void ocp_record_free(OcpRecord *record);

/* Adds a line's body and scans it, once it is whole. False: there are too many pieces. */
bool ocp_record_add(OcpRecord *record, const OcpPiece *piece, guint64 line, bool partial);

/* True if the record needs more lines. */
bool ocp_record_waits(OcpRecord *record);

/* Searches what is left. What was found is in record->hunt. */
void ocp_record_end(OcpRecord *record);
