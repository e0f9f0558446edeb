/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/capture.h"
#include "capture/decode.h"
#include "capture/needles.h"
#include "schema/schema.h"

/*
 * What the parts of the search share: what is looked for, the text that is searched,
 * and what has been found in one record of the log so far.
 */

/* ---- what is looked for -------------------------------------------------- */

typedef struct {
    const char *dialect;
    const OcpSchema *schema;
    guint32 names; /* bits of the members that are required */
    char *time;    /* the member with the document's time, or NULL */
} OcpQuarry;

struct OcpCapture {
    OcpCaptureLimits limits;
    OcpNeedles *needles;
    GArray *quarries; /* OcpQuarry */
    guint32 required; /* bits of all required names */
    char *
        near[OCP_NEEDLES_MOST]; /* the diagnosis of a name that stands alone, or NULL */
    GHashTable *seen;           /* digest -> OcpSeenValue */
    GQueue *order;              /* digests, oldest first */
    guint numbers;              /* given so far */
    guint64 noted;              /* remarks so far */
};

/* ---- text, layer by layer ------------------------------------------------ */

/* From here on, text follows the log byte by byte. */
typedef struct {
    guint64 offset; /* in the log */
    guint32 text;   /* in the text */
    guint32 line;   /* after the record's first */
} OcpMapPoint;

typedef struct OcpLayer OcpLayer;
struct OcpLayer {
    const char *bytes;
    gsize length;
    guint number;       /* 0: the record itself */
    const OcpLayer *up; /* what this was decoded from: a span of it */
    gsize from;
    gsize to;
    OcpDecoding decoding;
    bool fallback;       /* it rests on a guess: keep only what validates */
    bool guess;          /* ... made for this layer */
    const char *wrapper; /* the chain up to here */
    const char *rpc_id;  /* of the message around it, or NULL */
    /* of the record: */
    const GArray *map; /* OcpMapPoint */
    guint64 line;      /* the record's first */
    bool framed;       /* its lines have a prefix of their own */
    bool decoded;      /* its lines were strings in JSON */
    bool utf16;        /* the log's own bytes are UTF-16 */
    const char *stream;
    const char *stamp;
};

/* The size in UTF-16 of what was transcoded to this text. */
guint64 ocp_utf16_size(const char *text, gsize length);

typedef struct {
    guint64 line;
    guint64 offset;
} OcpLogPlace;

/* Where in the log a byte of the layer came from. */
OcpLogPlace ocp_layer_place(const OcpLayer *layer, gsize at);

/* The record at the bottom of a layer. */
const OcpLayer *ocp_layer_record(const OcpLayer *layer);

/* Adds to changes what was done to the log's bytes to get from..to of the layer. */
void ocp_layer_changes(const OcpLayer *layer, gsize from, gsize to, GPtrArray *changes);

/* ---- what one record gave ------------------------------------------------ */

typedef struct {
    OcpCaptureRemark remark;
    guint layer; /* number of the layer, and place in it: what is inside a document */
    gsize at;    /* that is accepted later is taken back */
    bool soft;   /* taken back if a guess at the encoding finds a document */
} OcpNoted;

typedef struct OcpHunt OcpHunt;
struct OcpHunt {
    const OcpCapture *capture;
    GPtrArray *finds; /* OcpCaptured */
    GPtrArray *notes; /* OcpNoted */
    bool handed;      /* something was handed over before the record's end */
    OcpNoted spare;   /* what is noted beyond the limit goes here */
    void (*flush)(OcpHunt *hunt); /* hands over what there is; NULL: it waits */
    gpointer data;                /* for flush */
    gsize work;                   /* bytes that may still be decoded or judged */
    gsize live;                   /* bytes of decoded layers, now */
};

void ocp_hunt_init(OcpHunt *hunt, const OcpCapture *capture);
void ocp_hunt_reset(OcpHunt *hunt);
void ocp_hunt_clear(OcpHunt *hunt);

/* Hands over what there is, if it is much. */
void ocp_hunt_flush(OcpHunt *hunt);

/* True if n bytes may be worked on; they are taken from the budget. */
bool ocp_hunt_spend(OcpHunt *hunt, gsize bytes);

/* Notes a diagnosis at a place of a layer; detail may be NULL. Returns it. */
OcpNoted *ocp_hunt_note(OcpHunt *hunt, const OcpLayer *layer, gsize at,
                        const char *code, const char *detail);
/* Takes back what was noted of this layer from at on. */
void ocp_hunt_withdraw(OcpHunt *hunt, const OcpLayer *layer, gsize at);

/* ---- searching ----------------------------------------------------------- */

/* Searches a layer that is whole. */
void ocp_hunt_layer(OcpHunt *hunt, const OcpLayer *layer);

/* Does what is left to do with a layer in which nothing was found by itself: base64, a
 * guess at its encoding, a word on what it is. before: finds and notes before it. */
void ocp_hunt_rest(OcpHunt *hunt, const OcpLayer *layer, guint finds, guint notes,
                   bool cut);

/* Decodes a span of a layer and searches it. */
void ocp_hunt_span(OcpHunt *hunt, const OcpLayer *up, gsize from, gsize to,
                   OcpDecoding decoding, const char *wrapper, const char *rpc_id,
                   bool fallback);

/* Judges an object that has the required members of some dialect. Returns the document
 * if it is valid; else notes why not (schema_text: it stands where a schema describes).
 */
OcpCaptured *ocp_hunt_judge(OcpHunt *hunt, const OcpLayer *layer, gsize from, gsize to,
                            guint32 names, bool schema_text);

/* What a name is that stands at at and belongs to no value: "python-repr", "mention", …
 * cut: the text around it ends too early. Static. */
const char *ocp_diagnose_name(const OcpLayer *layer, gsize at, gsize length, bool cut);

/* What is wrong with a value that begins at start and fails at fault. Static. */
const char *ocp_diagnose_fault(const OcpHunt *hunt, const OcpLayer *layer, gsize start,
                               gsize fault, gsize line_end);
