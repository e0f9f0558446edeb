/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/options.h"

/*
 * One document put through what the options ask for. Nothing here reads or writes a
 * file or prints, so results may be made by several threads and delivered in order.
 */
typedef enum {
    OCP_RESULT_CONVERTED,
    OCP_RESULT_REFUSED, /* --strict */
    OCP_RESULT_VALID,   /* --check */
    OCP_RESULT_EXACT,   /* --round-trip: every difference is named */
    OCP_RESULT_DIFFERS,
    OCP_RESULT_CURRENT, /* the outputs are there already, and are what they would be */
    OCP_RESULT_REPEATED, /* found in a log, where the same value was found before */
    OCP_RESULT_SEARCHED, /* a log as a whole */
    OCP_RESULT_FAILED
} OcpResultKind;

typedef struct {
    const char *input; /* path as given; borrowed */
    guint number;      /* 1, 2, … of several documents; 0: the only one */
    OcpResultKind kind;
    OcpReport *report;
    OcpOutcome *outcome;    /* of a conversion, if there is one */
    char *dialect;          /* --check: what it is, if found */
    GPtrArray *differences; /* --round-trip: OcpRoundTrip, one a target */
    char *output;           /* the path it was written to, or NULL */
    char *planned;          /* --dry-run: the path it would be written to */
    guint64 line;           /* of a document found in a log: where; else 0 */
    guint64 offset;
    guint value;            /* ... and the number of its value, from 1 */
} OcpResult;

typedef struct {
    char *to;
    GPtrArray *differences; /* OcpDifference */
} OcpRoundTrip;

/* A result with an empty report, failed until shown otherwise. */
OcpResult *ocp_result_new(const char *input, guint number);
void ocp_result_free(OcpResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpResult, ocp_result_free)

/* Does what mode asks. syntax is that of the output. Fills kind and what belongs to it.
 */
void ocp_result_make(OcpResult *result, OcpContext *context, const OcpOptions *options,
                     OcpSyntax syntax, const OcpOrigin *origin, OcpDocument *document);

/* "converted", "refused", "valid", "exact", "differs", "up-to-date", "repeated",
 * "searched", "failed". Static. */
const char *ocp_result_name(OcpResultKind kind);

/* Exit code of what happened. */
int ocp_result_exit(const OcpResult *result);

/* Exit code that the errors of a report stand for; 0 without errors. */
int ocp_exit_of(const OcpReport *report);

/* Of two exit codes the one that counts. */
int ocp_exit_worst(int a, int b);
