/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"

/*
 * Documents inside logs. What is looked for comes from the mappings that have a
 * `capture:` member: names of members that every document of the dialect has, and the
 * dialect's schema, by which what was found is judged.
 *
 * Logs are read once, in blocks; memory does not grow with their size. What is found is
 * handed over at once and forgotten, but for a digest of each value.
 */
typedef struct OcpCapture OcpCapture;

typedef struct {
    gsize span;    /* bytes of one value, wrappers included; default 16 MiB */
    guint streams; /* values open at a time, each in a stream of its own; default 256 */
    guint layers;  /* strings in strings; default 8 */
    guint depth;   /* nested containers; default 128 */
} OcpCaptureLimits;

#define OCP_CAPTURE_LIMITS_DEFAULT                                                     \
    {                                                                                  \
        16 << 20, 256, 8, 128                                                          \
    }

/* A document that was found. Offsets are in the decompressed log. */
typedef struct {
    const char *dialect; /* "caop-pulse"; borrowed */
    GBytes *text;        /* the document alone, as JSON */
    char *digest;        /* SHA-256 of its canonical value */
    char *time;          /* when the document says it was made, or NULL */
    guint64 line;        /* 1-based, of its first byte */
    guint64 offset;      /* 0-based, of its first byte */
    char *wrapper;      /* what it was wrapped in, outermost first: "cri>json:result" */
    char *stream;       /* container, pod or unit, as the log names it, or NULL */
    char *stamp;        /* the log's own time for it, or NULL */
    char *rpc_id;       /* JSON text of the id of the JSON-RPC message, or NULL */
    GPtrArray *changes; /* what had to be changed to get its text: sentences */
    GPtrArray *warnings; /* what is doubtful about it: sentences */
    guint number;        /* of the value, from 1, in the order found */
    guint occurrence;    /* of this value, from 1 */
} OcpCaptured;

void ocp_captured_free(OcpCaptured *captured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpCaptured, ocp_captured_free)

/* A copy of its own; free with ocp_captured_free(). */
OcpCaptured *ocp_captured_copy(const OcpCaptured *captured);

/* Which was made later, by their own times: negative, 0, positive. One without a time
 * is older than any. */
int ocp_captured_compare(const OcpCaptured *a, const OcpCaptured *b);

/* Where it was found, as the object that documents keep under OCP_CAPTURE_KEY of their
 * extensions; name is that of the log. Release with ocp_document_unref(). */
OcpDocument *ocp_captured_provenance(const OcpCaptured *captured, const char *name);

#define OCP_CAPTURE_KEY "local.ocp-convert/log"

/* Something close to a document that is none. Never holds text of the log. */
typedef struct {
    const char *code; /* "truncated", "schema-invalid", … */
    bool mention;     /* only the name, in prose */
    guint64 line;     /* 0: the log as a whole */
    guint64 offset;
    char *detail; /* a few words, or NULL */
} OcpCaptureRemark;

/* What is found is handed over in the order found; arguments are borrowed. */
typedef struct {
    void (*found)(const OcpCaptured *captured, gpointer data);
    void (*remark)(const OcpCaptureRemark *remark, gpointer data);
    gpointer data;
} OcpCaptureSink;

/* Looks for the dialects of context that can be captured. limits may be NULL. Errors:
 * capture.dialect (none can be), those of mappings and schemas. context must outlive
 * it. */
bool ocp_capture_new(OcpContext *context, const OcpCaptureLimits *limits,
                     OcpReport *report, OcpCapture **ret);
void ocp_capture_free(OcpCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpCapture, ocp_capture_free)

/* Reads a log from an open file to its end. name: for messages. Values already found,
 * in this log or one before, are handed over with their number and the next occurrence.
 * False: it could not be read (io.read). */
bool ocp_capture_read(OcpCapture *capture, int file, const char *name,
                      const OcpCaptureSink *sink, OcpReport *report);
