/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/regexp.h"

/*
 * A pattern as a tree, between the parser and what runs it. Sets of characters are
 * ranges of Unicode scalar values; only Unicode properties stay names. Nodes belong to
 * an arena and are not changed once parsed.
 */

#define OCP_RX_FOREVER G_MAXUINT32 /* a repeat without an upper bound */

enum { OCP_RX_DEPTH = 200 }; /* nested groups at most */

typedef struct {
    guint32 low;
    guint32 high; /* inclusive */
} OcpRxRange;

typedef struct {
    OcpRxRange *ranges; /* sorted, apart */
    guint count;
    const char
        *properties; /* PCRE2 text of Unicode properties that count too, or NULL */
    bool negated;    /* only with properties: everything but these */
} OcpRxSet;

typedef enum {
    OCP_RX_SET,
    OCP_RX_SEQUENCE, /* of its children; none is the empty pattern */
    OCP_RX_CHOICE,   /* between its children */
    OCP_RX_REPEAT,   /* of its child */
    OCP_RX_CAPTURE,
    OCP_RX_START,
    OCP_RX_END,
    OCP_RX_WORD_EDGE, /* negative: no edge */
    OCP_RX_LOOK,      /* of its child; behind, negative */
    OCP_RX_BACK       /* what group n matched; nothing if it took no part */
} OcpRxKind;

typedef struct OcpRx OcpRx;
struct OcpRx {
    OcpRxKind kind;
    OcpRx *first;
    OcpRx *next;
    const OcpRxSet *set;
    guint32 low;
    guint32 high;
    guint group;
    bool lazy;
    bool behind;
    bool negative;
};

typedef enum { OCP_RX_ECMA, OCP_RX_I, OCP_RX_I_DOT_ALL } OcpRxFlavour;

/* Parses a pattern. Errors: regexp.syntax; report may be NULL. */
bool ocp_rx_parse(const char *pattern, gsize length, OcpRxFlavour flavour,
                  OcpArena *arena, OcpReport *report, OcpRx **ret);

/* ---- sets (regexp_set.c) --------------------------------------------------------- */

enum { OCP_RX_FEW_RANGES = 16 };

typedef struct {
    OcpRxRange *ranges; /* in any order */
    guint count;
    guint room;
    GString *properties;               /* NULL: none yet */
    OcpRxRange few[OCP_RX_FEW_RANGES]; /* ranges is this, as long as it does */
} OcpRxSetBuilder;

void ocp_rx_set_begin(OcpRxSetBuilder *builder);
void ocp_rx_set_add(OcpRxSetBuilder *builder, guint32 low, guint32 high);
/* Adds the set that the letter names: d D w W s S. */
void ocp_rx_set_add_class(OcpRxSetBuilder *builder, char letter);
/* Adds \p{name} or \p{name=value} (\P if negative); false if there is no such property.
 */
bool ocp_rx_set_add_property(OcpRxSetBuilder *builder, const char *body, bool negative);
/* Ends the builder; the set belongs to the arena. */
OcpRxSet *ocp_rx_set_end(OcpRxSetBuilder *builder, bool negated, OcpArena *arena);

/* Appends PCRE2's spelling of the tree. */
void ocp_rx_translate(const OcpRx *rx, GString *out);
