/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/hunt.h"

/*
 * The JSON scanner of the search: goes over text of any kind, line by line, and keeps a
 * stack of open containers. An object that closes and has the required members is
 * judged; strings that hold a name are decoded and searched once the value around them
 * is done.
 *
 * It is as strict as needed to find where values end; what it finds is read again by
 * the strict reader. Where a value fails, so do all that are open, since they fail at
 * the same byte: the scan goes on behind it, or inside the last string, whose quote may
 * have been no quote. What is scanned again is bounded, so that hostile text costs
 * linear time.
 */

enum { OCP_SWEEP_DEPTH = 128 };

/* An open container. Offsets are into the layer. */
typedef struct {
    guint32 start;
    guint32 key; /* of the member being read: its bytes, quotes excluded */
    guint32 key_size;
    guint32 index;  /* values so far */
    guint32 values; /* ... inside them too */
    guint32 judged; /* bytes inside that were read as documents */
    guint32 names;  /* bits of the names that are members here */
    guint32 id;     /* the value of "id"; its size is 0 if there is none */
    guint32 id_size;
    guint8 state;
    bool object;
    bool rpc;    /* a JSON-RPC message */
    bool failed; /* its "isError" is true */
    bool code;   /* has "code", "message": an error, under that key */
    bool message;
} OcpOpen;

/* A value whose parts must wait for what is around them. */
typedef struct {
    OcpCaptured *found;   /* a document, or NULL: */
    OcpDecoding decoding; /* a string, or an array of numbers */
    guint32 from;
    guint32 to;
    char *path; /* where it stands in the value */
    guint32 id; /* of the JSON-RPC message around it */
    guint32 id_size;
    bool error; /* it stands in an error */
    bool plain; /* only the name, no value */
} OcpPending;

typedef struct {
    OcpHunt *hunt;
    OcpLayer *layer; /* bytes and length may grow */
    guint depth;
    gsize at;       /* the next byte to scan */
    gsize line;     /* where the line begins */
    GArray *traces; /* guint32: where names, or signs of them, stand */
    gsize searched; /* how far they were looked for */
    bool expects;   /* lines to come are known to hold one */
    gsize string;   /* the last string, quotes included */
    gsize string_end;
    bool unterminated; /* the line ends in that string */
    bool too_deep;
    gsize rescan;    /* bytes that may be scanned again */
    GArray *pending; /* OcpPending */
    bool cut;        /* some value ended too early */
    /* the last value with a name that failed: */
    gsize torn_start;
    gsize torn_end;
    gsize torn_line;
    bool torn;
    bool marked; /* ... at a mark of truncation */
    /* it ended in a string at the end of a line; the next line tells why: */
    bool broken;
    bool rest; /* the next line is the rest of it */
    guint broken_depth;
    guint broken_note; /* index of what was noted */
    gsize waiting;     /* bytes of documents that wait */
    /* Below depth, what is there is not set: */
    bool broken_objects[OCP_SWEEP_DEPTH];
    OcpOpen open[OCP_SWEEP_DEPTH];
} OcpSweep;

void ocp_sweep_init(OcpSweep *sweep, OcpHunt *hunt, OcpLayer *layer);
void ocp_sweep_clear(OcpSweep *sweep);
/* As behind init, for another text in the same layer. */
void ocp_sweep_reset(OcpSweep *sweep);

/* Forgets the text before the outermost open value, whose place becomes 0. */
void ocp_sweep_shift(OcpSweep *sweep);

/* Scans a line (its end excluded), which must be in the layer already. */
void ocp_sweep_line(OcpSweep *sweep, gsize from, gsize to);

/* True if the value that is open at the end of a line may go on in the next. */
bool ocp_sweep_waits(OcpSweep *sweep);

/* The text has ended: what is open fails. */
void ocp_sweep_end(OcpSweep *sweep);

/* ---- fault.c --------------------------------------------------------------------- */

/* What is open cannot be a value; at moves to where the sweep goes on. ended: since its
 * text ended. */
void ocp_sweep_fail(OcpSweep *sweep, gsize to, bool ended);

/* True if the next line may be this: it goes on with what is open, or is the rest of a
 * line that was cut in a string. Else what is open has failed. */
bool ocp_sweep_accepts(OcpSweep *sweep, const char *text, gsize size);

/* True if text may stand where the innermost open container is. */
bool ocp_sweep_may_begin(const OcpSweep *sweep, const char *text, gsize size);

/* ---- pending.c ------------------------------------------------------------------- */

/* A container was closed: what it says of the message holds for what waits inside. */
void ocp_sweep_tell(OcpSweep *sweep, const OcpOpen *closed, bool under_error);

/* Remembers a value from..to that must wait; NULL found: it holds a name. */
void ocp_sweep_wait(OcpSweep *sweep, OcpCaptured *found, OcpDecoding decoding,
                    gsize from, gsize to, bool plain);

/* Drops what waits from an offset on. */
void ocp_sweep_drop(OcpSweep *sweep, gsize from);

/* Nothing is open any more: hands over documents, searches strings. */
void ocp_sweep_settle(OcpSweep *sweep);
