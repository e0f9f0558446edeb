/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/frame.h"
#include "capture/piece.h"
#include "capture/sweep.h"

/*
 * A record: lines of one stream, put together without what the log put around them, as
 * long as a value in them is open.
 */
typedef struct {
    OcpHunt hunt;
    OcpLayer layer;
    GString *text;
    GArray *map;      /* OcpMapPoint */
    guint64 key;      /* of the stream */
    OcpFrame frame;   /* of its first line; the body is gone */
    char name[64];    /* the frame's, and what the log is packed in */
    bool partial;     /* the last line goes on in the next */
    gsize line_start; /* of the line being put together */
    guint64 end_line; /* the last line of the log in it */
    guint64 used;     /* when a line came last */
    OcpSweep sweep;
} OcpRecord;

OcpRecord *ocp_record_new(const OcpCapture *capture);
void ocp_record_free(OcpRecord *record);

/* Makes the record ready for the lines of a stream; line is the number of the first. */
void ocp_record_begin(OcpRecord *record, guint64 key, const OcpFrame *frame,
                      const char *packing, guint64 line, bool utf16);

/* Adds a line's body, and scans it once it is whole; what is in piece may be changed.
 * False: there are too many pieces. */
bool ocp_record_add(OcpRecord *record, OcpPiece *piece, guint64 line, bool partial);

/* True if the record needs more lines. */
bool ocp_record_waits(OcpRecord *record);

/* Forgets text that nothing waits for. */
void ocp_record_trim(OcpRecord *record);

/* Searches what is left. What was found is in record->hunt. */
void ocp_record_end(OcpRecord *record);
