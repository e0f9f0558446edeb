/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/messages.h"
#include "cli/result.h"

/*
 * What became of many documents: counted, and put into the lines that end a run.
 */
typedef struct {
    int exit;
    guint64 documents;
    guint64 kinds[OCP_RESULT_FAILED + 1];
    guint64 leaves; /* of what was converted */
    guint64 fates[OCP_FATES];
    guint64 failed_count; /* that failed, were refused, or differ */
    GPtrArray *failed;    /* names (char *) of the first of them; may be NULL */
} OcpTally;

void ocp_tally_clear(OcpTally *tally);

/* name: as messages have it. */
void ocp_tally_add(OcpTally *tally, const OcpResult *result, const char *name);

/* Adds another, and empties it. */
void ocp_tally_merge(OcpTally *tally, OcpTally *other);

/* Prints the totals, and in a brief run the names of what failed. */
void ocp_tally_print(const OcpTally *tally, const OcpMessages *messages);
