/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "text/source.h"
#include "value/report.h"

/*
 * One document through the pipe: detect, check, read into the model, write from it, read
 * back what was written and check that. Bytes in, bytes out; never touches a file, a clock
 * or the environment: what they say comes in as parameters.
 */

/* Schemas and mappings, embedded and added, compiled on first use. */
typedef struct OcpContext OcpContext;

OcpContext *ocp_context_new(void);
void ocp_context_free(OcpContext *context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpContext, ocp_context_free)

/* Adds a schema (any .json/.yaml) or a mapping by its file name and text: one given later
 * replaces one of the same file name. Nothing is compiled yet. */
void ocp_context_add_schema(OcpContext *context, const char *name, GBytes *bytes);
void ocp_context_add_mapping(OcpContext *context, const char *name, GBytes *bytes);

/* Whether there is a dialect of that label, NAME or NAME@VERSION. Errors: usage.dialect,
 * with a suggestion. */
bool ocp_context_knows(OcpContext *context, const char *label, OcpReport *report);

typedef struct {
    char *name;      /* "specrail" */
    char *version;   /* "1", or NULL for the only one */
    char *title;
    char *schema;    /* file name and fragment */
    bool reads;
    bool writes;
    bool open_place; /* keeps what it has no place for */
} OcpDialectInfo;

/* Returns an array of OcpDialectInfo, sorted by name and version; g_ptr_array_unref(). */
bool ocp_context_list(OcpContext *context, OcpReport *report, GPtrArray **ret);

/* What is known of the place a text came from. */
typedef struct {
    const char *name;        /* as given; "-" for standard input */
    gint64 modified;         /* modification time of a regular file, seconds; or -1 */
    gint64 epoch;            /* SOURCE_DATE_EPOCH, or -1 */
    /* Of a text that was found in another one; else all NULL: */
    const char *provenance_key;  /* of the model's extensions, and what to keep there */
    OcpDocument *provenance;
    const GPtrArray *changes;    /* sentences: what was done to it; NULL: nothing */
} OcpOrigin;

typedef struct {
    const char *from;        /* NAME[@VERSION], or NULL: found from the content */
    const char *to;          /* NAME[@VERSION]; NULL: opencheckpoint */
    OcpSyntax syntax;        /* of the output; AUTO is JSON */
    bool lenient;
    bool strict;
    bool carry_none;
    bool sensitive_keep;
    bool brief;              /* the accounts need not tell every leaf (account.h) */
    const char *created_at;  /* or NULL */
    const char *id;          /* or NULL */
} OcpConvertOptions;

typedef struct {
    char *from;              /* "specrail@1" or "specrail" */
    char *to;
    GBytes *text;            /* the output, whole */
    GBytes *model;           /* the model on the way, as JSON (the companion) */
    OcpAccount *read;        /* the source's leaves; NULL from opencheckpoint */
    OcpAccount *write;       /* the model's leaves; NULL to opencheckpoint */
    OcpAccount *route;       /* the source's leaves, for the whole route */
    bool refused;            /* --strict refused: text is NULL */
    bool faulty;             /* the output has faults that a carry brought, or lenient let in */
} OcpOutcome;

void ocp_outcome_free(OcpOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpOutcome, ocp_outcome_free)

/* Takes away what diagnostics show of a text that could not be read, where it may hold
 * values that some dialect calls sensitive, or credentials. */
void ocp_redact_unread(OcpContext *context, GBytes *text, OcpReport *report);

/* Converts one document (as a reader gave it, YAML not yet settled). False: the input is
 * not valid or could not be converted; the report says why (errors). Losses, warnings and
 * notes go to the report too. *ret is set on success, and when strict refused (then false
 * is returned and refused is true). */
bool ocp_convert(OcpContext *context, OcpDocument *document, const OcpOrigin *origin,
                 const OcpConvertOptions *options, OcpReport *report, OcpOutcome **ret);

/* Checks a document: schema, integrity rules, the dialect's rules. True without errors;
 * *ret_dialect (may be NULL) gets the dialect's name, free with g_free(). */
bool ocp_check(OcpContext *context, OcpDocument *document, const char *from,
               OcpReport *report, char **ret_dialect);

typedef struct {
    char *pointer;  /* in the source */
    char *before;   /* compact JSON, cut; NULL if it was not there; never sensitive */
    char *after;
    bool named;     /* the report of the conversion names it */
} OcpDifference;

/* Converts to options->to and back and compares with the document. Returns false if it
 * could not be converted; *ret gets the differences (empty: exact). */
bool ocp_round_trip(OcpContext *context, OcpDocument *document, const OcpOrigin *origin,
                    const OcpConvertOptions *options, OcpReport *report, GPtrArray **ret);
