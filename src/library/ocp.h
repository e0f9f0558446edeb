/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OCP_H
#define OCP_H

/*
 * libocp: checkpoints of unfinished tasks, from one dialect to another, every value
 * accounted for. Bytes in, bytes out: the library opens no file, reads no clock and no
 * environment, and prints nothing.
 *
 *     OcpConverter *converter = ocp_new_converter();
 *     OcpReport *report = ocp_new_report();
 *     OcpDocument **documents = NULL;
 *     OcpConversion *conversion = NULL;
 *     size_t size = 0;
 *     if (ocp_read_documents(converter, bytes, length, "a.json", OCP_READ_AUTO, report,
 *                            &documents) &&
 *         ocp_convert_document(converter, documents[0], NULL, report, &conversion))
 *         fwrite(ocp_conversion_text(conversion, &size), 1, size, stdout);
 *     for (size_t i = 0; i < ocp_count_messages(report); i++)
 *         puts(ocp_message_text(report, i, OCP_MESSAGE_TEXT));
 *     ocp_free_conversion(conversion);
 *     ocp_free_documents(documents);
 *     ocp_free_report(report);
 *     ocp_free_converter(converter);
 *
 * Errors: a function that can fail returns false, says why in the report, and leaves
 * what it would have returned untouched. A report may be NULL: then nothing is told.
 * All other pointers are to be valid; the ocp_free_… functions take NULL.
 *
 * Ownership: what a function returns through a pointer to a pointer, and what
 * ocp_new_… returns, is the caller's and goes back by the ocp_free_… of its type. What
 * a function returns as const is borrowed, and lives as long as what it was asked of.
 *
 * Threads: a frozen converter is shared by any number of threads. Documents, reports
 * and conversions belong to one thread at a time.
 *
 * Text is UTF-8; names and messages end with NUL. Memory that cannot be had ends the
 * process, as in all programs on GLib.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define OCP_API
#elif defined(__GNUC__)
#define OCP_API __attribute__((visibility("default")))
#else
#define OCP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Dialects (schemas and mappings, built in and added), and limits. */
typedef struct OcpConverter OcpConverter;

/* One JSON or YAML document, as it was read. */
typedef struct OcpDocument OcpDocument;

/* Messages: what went wrong, what did not fit, what is worth knowing. */
typedef struct OcpReport OcpReport;

/* A conversion: the text made, and what became of every value. */
typedef struct OcpConversion OcpConversion;

/* The version of the library that runs, like "0.1.0". Static. */
OCP_API const char *ocp_library_version(void);

/* ---- converters ------------------------------------------------------------- */

/* What reading a document may cost. */
typedef struct {
    size_t struct_size;   /* sizeof(OcpBounds) */
    unsigned depth;       /* containers in containers; 1 to 512, default 512 */
    uint64_t bytes;       /* of one text; 1 to 4294967294, the default */
    uint64_t alias_nodes; /* values that YAML aliases may add; default 1,000,000 */
} OcpBounds;

#define OCP_BOUNDS_DEFAULT                                                             \
    {                                                                                  \
        sizeof(OcpBounds), 512, 4294967294U, 1000000                                   \
    }

/* A converter with the dialects that are built in. Never NULL. */
OCP_API OcpConverter *ocp_new_converter(void);
OCP_API void ocp_free_converter(OcpConverter *converter);

/* Adds a schema, a mapping: name is the file's name without folders, like
 * "garden-list.yaml"; what was added or built in under that name is replaced. The bytes
 * are copied. They are looked at when the converter is frozen or the dialect is used.
 * Errors: usage.frozen, usage.name. Threads: one, before the converter is frozen. */
OCP_API bool ocp_add_schema(OcpConverter *converter, const char *name,
                            const void *bytes, size_t size, OcpReport *report);
OCP_API bool ocp_add_mapping(OcpConverter *converter, const char *name,
                             const void *bytes, size_t size, OcpReport *report);

/* Errors: usage.frozen, usage.value (out of range). Threads: as above. */
OCP_API bool ocp_set_bounds(OcpConverter *converter, const OcpBounds *bounds,
                            OcpReport *report);

/* Looks at the heads of all mappings; from here on nothing can be added, and threads
 * may share the converter. Its first use freezes it too. Errors: mapping.…, if an added
 * mapping is not one. Threads: any. */
OCP_API bool ocp_freeze_converter(OcpConverter *converter, OcpReport *report);

/* What is known of a dialect. Grows at its end in later versions. */
typedef struct {
    const char *name;    /* "session-checkpoint" */
    const char *version; /* "2"; NULL: there is one only */
    const char *title;   /* may be NULL */
    const char *schema;  /* file name, and fragment if any; may be NULL */
    bool reads;
    bool writes;
    bool carries; /* has a place for what it has no member for */
} OcpDialectEntry;

/* The dialects, sorted by name and version: *ret is an array of *count pointers,
 * borrowed from the converter. Freezes. Errors: as ocp_freeze_converter(). Threads:
 * any. */
OCP_API bool ocp_list_dialects(OcpConverter *converter, OcpReport *report,
                               const OcpDialectEntry *const **ret, size_t *count);

/* ---- documents -------------------------------------------------------------- */

typedef enum {
    OCP_READ_AUTO, /* by the ending of the name, else by the first character */
    OCP_READ_JSON,
    OCP_READ_YAML,
    OCP_READ_LINES /* NDJSON: one JSON text a line */
} OcpReadSyntax;

/* Reads all documents of a text of size bytes, which is copied. name is for messages
 * and for its ending, and may be NULL. *ret: documents, at least one, NULL after the
 * last. Errors: json.…, yaml.…, io.size. Freezes. Threads: any. */
OCP_API bool ocp_read_documents(OcpConverter *converter, const void *bytes, size_t size,
                                const char *name, OcpReadSyntax syntax,
                                OcpReport *report, OcpDocument ***ret);
OCP_API void ocp_free_documents(OcpDocument **documents);

/* A document that came alone (ocp_json.h). */
OCP_API void ocp_free_document(OcpDocument *document);

/* The dialect of a document, by its content: *ret is "NAME" or "NAME@VERSION", freed
 * with ocp_free_text(). Errors: detect.unknown, detect.ambiguous. Threads: any. */
OCP_API bool ocp_detect_dialect(OcpConverter *converter, OcpDocument *document,
                                OcpReport *report, char **ret);

/* Checks a document: its schema, then the rules of its dialect. from: "NAME" or
 * "NAME@VERSION", or NULL to find out. True without errors. Errors: detect.…, schema.…,
 * and the codes of the rules. Threads: any. */
OCP_API bool ocp_check_document(OcpConverter *converter, OcpDocument *document,
                                const char *from, OcpReport *report);

OCP_API void ocp_free_text(char *text);

/* ---- conversion ------------------------------------------------------------- */

typedef enum { OCP_WRITE_JSON, OCP_WRITE_YAML, OCP_WRITE_LINE } OcpWriteSyntax;

/* How to convert. Set struct_size, or begin with OCP_SETTINGS_DEFAULT; members left
 * zero are the defaults. Grows at its end in later versions. */
typedef struct {
    size_t struct_size;    /* sizeof(OcpSettings) */
    const char *from;      /* NAME[@VERSION]; NULL: found from the content */
    const char *to;        /* NAME[@VERSION]; NULL: opencheckpoint */
    OcpWriteSyntax syntax; /* of the text made */
    bool lenient;          /* faults of the source become warnings */
    bool strict;           /* refuse if a value would be omitted that nobody asked to */
    bool carry_none;       /* what has no place of its own is not carried along */
    bool sensitive_keep;   /* values that grant power are kept; default: omitted */
    const char *created_at; /* RFC 3339 time, instead of a derived one; or NULL */
    const char *id;         /* identifier, instead of a derived one; or NULL */
    int64_t modified;       /* of the source, seconds since 1970: its created_at if it
                             * has none; 0: unknown */
} OcpSettings;

#define OCP_SETTINGS_DEFAULT                                                           \
    {                                                                                  \
        sizeof(OcpSettings), NULL, NULL, OCP_WRITE_JSON, false, false, false, false,   \
            NULL, NULL, 0                                                              \
    }

/* Converts a document; settings may be NULL. What was made has been read back and
 * checked against the target's schema. Losses, warnings and notes go to the report too.
 * When settings->strict refused, false is returned and *ret is set nevertheless,
 * without a text. Errors: usage.…, detect.…, schema.…, strict.refused, fault.… (ours).
 * Threads: any. The same document, settings and dialects give the same bytes. */
OCP_API bool ocp_convert_document(OcpConverter *converter, OcpDocument *document,
                                  const OcpSettings *settings, OcpReport *report,
                                  OcpConversion **ret);

/* Converts to settings->to and back. True if it gives back what went in, or every
 * difference is named by the report of the conversion. Each difference is a message:
 * a loss roundtrip.named or an error roundtrip.unnamed. *differences (may be NULL) is
 * their number. Threads: any. */
OCP_API bool ocp_round_trip_document(OcpConverter *converter, OcpDocument *document,
                                     const OcpSettings *settings, OcpReport *report,
                                     size_t *differences);

OCP_API void ocp_free_conversion(OcpConversion *conversion);

/* The text made, *size bytes, with no NUL at its end. NULL and 0 if refused. */
OCP_API const char *ocp_conversion_text(const OcpConversion *conversion, size_t *size);

/* The OpenCheckpoint model on the way, as JSON; likewise. */
OCP_API const char *ocp_conversion_model(const OcpConversion *conversion, size_t *size);

/* The dialect read, the dialect written: "NAME" or "NAME@VERSION". */
OCP_API const char *ocp_conversion_from(const OcpConversion *conversion);
OCP_API const char *ocp_conversion_to(const OcpConversion *conversion);

/* What became of a value of the source. */
typedef enum {
    OCP_VALUE_MAPPED,  /* the result alone gives it back */
    OCP_VALUE_KEPT,    /* shows in the result in another form; its own is carried */
    OCP_VALUE_CARRIED, /* only carried along */
    OCP_VALUE_OMITTED  /* left out, with a reason */
} OcpValueFate;

/* A value (a leaf: no container that holds something) of the source. */
typedef struct {
    const char *pointer; /* JSON pointer in the source */
    OcpValueFate fate;
    const char *reason; /* omitted: one word; else NULL */
    const char *place;  /* JSON pointer where it shows in the result, or NULL */
    const char *carry;  /* JSON pointer where its exact form is carried, or NULL */
    const char *rule;   /* of the mapping, or NULL */
} OcpValue;

/* How many values the source has, how many with one fate, and the value of an index in
 * the order of the source: false beyond the last. 0 values where nothing was changed:
 * opencheckpoint to itself. */
OCP_API size_t ocp_count_values(const OcpConversion *conversion);
OCP_API size_t ocp_count_fate(const OcpConversion *conversion, OcpValueFate fate);
OCP_API bool ocp_get_value(const OcpConversion *conversion, size_t index,
                           OcpValue *ret);

/* ---- reports ---------------------------------------------------------------- */

typedef enum {
    OCP_LEVEL_NOTE,
    OCP_LEVEL_LOSS,
    OCP_LEVEL_WARNING,
    OCP_LEVEL_ERROR
} OcpLevel;

typedef enum {
    OCP_MESSAGE_CODE,     /* stable: "json.duplicate-key"; see docs/diagnostics.md */
    OCP_MESSAGE_TEXT,     /* one sentence, without the place */
    OCP_MESSAGE_FILE,     /* name of the document */
    OCP_MESSAGE_POINTER,  /* JSON pointer; "" is the whole document */
    OCP_MESSAGE_EXPECTED, /* what would have been right */
    OCP_MESSAGE_FOUND,    /* what is there, cut; never a sensitive value */
    OCP_MESSAGE_HINT,     /* what to do */
    OCP_MESSAGE_EXCERPT   /* the line of the source */
} OcpMessageField;

/* An empty report. Never NULL. Functions add to it; nothing is taken away. */
OCP_API OcpReport *ocp_new_report(void);
OCP_API void ocp_free_report(OcpReport *report);

/* How many messages there are; message indexes begin at 0. */
OCP_API size_t ocp_count_messages(const OcpReport *report);
OCP_API OcpLevel ocp_message_level(const OcpReport *report, size_t index);

/* A field of a message, or NULL: it has none, or there is no such message. Borrowed
 * until the report is freed. */
OCP_API const char *ocp_message_text(const OcpReport *report, size_t index,
                                     OcpMessageField field);

/* Line and column (code points) in the document, from 1; both 0 if unknown. */
OCP_API void ocp_message_place(const OcpReport *report, size_t index, unsigned *line,
                               unsigned *column);

#ifdef __cplusplus
}
#endif

#endif
