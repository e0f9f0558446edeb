/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * What was done in an output folder, so that the next run does not do it again and
 * knows what it may replace: the file OUT/.ocp-convert/state, one line an output, only
 * ever appended to. A line is there before its output is, so an output that is there
 * was announced; a line whose end is missing or does not add up is as if it were not
 * there. Shards write files of their own and read those of all.
 *
 * A line has, separated by tabs: "1", the name of the input, its digest, its
 * modification time, the digest of the options, the number of the document and how many
 * there are, the name of the output, its digest, the name and digest of its companion
 * or two empty fields, and a checksum. In names "\" stands before "\", "t" (tab) and
 * "n" (line end).
 *
 * Threads: all but opening and closing may be called by several.
 */
#define OCP_STATE_FOLDER ".ocp-convert"

typedef struct {
    guint8 bytes[32]; /* SHA-256 */
} OcpDigest;

OcpDigest ocp_digest_of(const void *data, gsize size);

typedef struct OcpState OcpState;

/* Reads what is known of the folder. shard: NULL, or "1-of-4". Nothing is written
 * before the first record; so there need not be a folder yet. */
bool ocp_state_open(const char *folder, const char *shard, OcpReport *report,
                    OcpState **ret);
void ocp_state_close(OcpState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpState, ocp_state_close)

/* An input as it was converted. */
typedef struct {
    const char *name;
    OcpDigest digest;
    gint64 modified;
    OcpDigest options;
} OcpStateInput;

typedef struct {
    const char *name; /* below the folder */
    OcpDigest digest;
} OcpStateOutput;

/* Announces an output that is about to be there: document part of parts (1 of 1).
 * companion may be NULL. Errors: io.write. */
bool ocp_state_record(OcpState *state, const OcpStateInput *input, guint part,
                      guint parts, const OcpStateOutput *output,
                      const OcpStateOutput *companion, OcpReport *report);

/* The outputs of an input that was converted whole, as it is and with these options:
 * OcpStateOutput, borrowed from state; g_ptr_array_unref(). NULL if it was not. Whether
 * they are still there is for the caller to see. */
GPtrArray *ocp_state_outputs(const OcpState *state, const OcpStateInput *input);

/* Whether an output of that name and content was ever announced. */
bool ocp_state_made(const OcpState *state, const char *name, const OcpDigest *digest);
