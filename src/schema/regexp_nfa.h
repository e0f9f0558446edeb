/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/regexp_private.h"

/* A pattern as a small program (Thompson's construction), counts written out. */

typedef enum {
    OCP_NFA_SET,   /* takes a character of set number first, goes on behind itself */
    OCP_NFA_SPLIT, /* goes on at first and at second */
    OCP_NFA_JUMP,  /* goes on at first */
    OCP_NFA_START, /* goes on behind itself at the start of the text */
    OCP_NFA_END,   /* ... at its end */
    OCP_NFA_FOUND
} OcpNfaOp;

typedef struct {
    OcpNfaOp op;
    guint32 first;
    guint32 second;
} OcpNfaStep;

typedef struct {
    GArray *steps;   /* OcpNfaStep; begins at 0 */
    GPtrArray *sets; /* const OcpRxSet, borrowed from the pattern's arena */
} OcpNfa;

/* Returns NULL if the pattern needs more than a program can say, or a long one. */
OcpNfa *ocp_nfa_new(const OcpRx *rx, bool whole);
void ocp_nfa_free(OcpNfa *nfa);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpNfa, ocp_nfa_free)

/* True if the pattern is found in the text (valid UTF-8, shorter than 4 GiB). Slower than
 * a table, but there is nothing to make first. */
bool ocp_nfa_search(const OcpNfa *nfa, const char *text, gsize length);
