/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema_private.h"

/*
 * One check of one value. It first runs for the verdict alone, and stops at the first
 * fault; only where that is bad news does a second run collect faults.
 *
 * Recursion follows the value's depth, times the schema's nesting at one value; DEPTH
 * bounds both, so that neither a deep value nor a schema that refers to itself at the
 * same value can exhaust the stack.
 */

enum {
    OCP_CHECK_DEPTH = 8000, /* nested applications of subschemas */
    OCP_CHECK_FAULTS = 1000 /* collecting stops here */
};

/* Where the check is, as a list from the inside out. */
typedef struct OcpPath OcpPath;
struct OcpPath {
    const OcpPath *up;
    const OcpNode *key; /* NULL in an array */
    gsize index;
};

typedef struct OcpScopes OcpScopes;
struct OcpScopes {
    const OcpScopes *up;
    const OcpScope *scope;
};

/* Which members or elements some subschema has evaluated. */
typedef struct {
    guint8 *flags;
    gsize count;
} OcpSeen;

/* One leaf of the tree of errors. Strings live in the check's arena. */
typedef struct {
    const char *keyword;
    const OcpNode *value;
    char *pointer;
    guint32 place;
    guint depth;  /* of the value whose schema has the keyword */
    bool warning; /* a fault of format that is only a warning */
    const char *expected;
    const char *found;
    const char *message;
    const char *hint;
    const char *because;
} OcpFault;

typedef struct {
    const OcpCheckOptions *options;
    GPtrArray *faults; /* NULL: only the verdict is wanted */
    OcpArena *arena;   /* of the faults */
    GString *text;     /* scratch for strings with escapes */
    const OcpPath *path;
    const OcpScopes *scopes;
    const char *because; /* why the subschema applies, where a condition led to it */
    const char *rule;    /* description of that condition */
    guint depth;
    bool too_deep;
    bool format_failed; /* some value failed format, and that is only a warning */
} OcpCheck;

/* True if value satisfies sub. Marks what it evaluated in outer (may be NULL). */
bool ocp_check_sub(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                   OcpSeen *outer);
/* The same without collecting faults. */
bool ocp_check_verdict(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                       OcpSeen *outer);
/* The same one step down: at a member (key) or an element (index, key NULL). */
bool ocp_check_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                     const OcpNode *key, gsize index);

bool ocp_check_number(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
bool ocp_check_string(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
bool ocp_check_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                     OcpSeen *seen);
bool ocp_check_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                      OcpSeen *seen);
/* What is left over once every other keyword had its say. */
bool ocp_check_unevaluated_items(OcpCheck *check, const OcpSub *sub,
                                 const OcpNode *value, OcpSeen *seen);
bool ocp_check_unevaluated_properties(OcpCheck *check, const OcpSub *sub,
                                      const OcpNode *value, OcpSeen *seen);
/* if, then, else */
bool ocp_check_condition(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                         OcpSeen *seen);

void ocp_seen_mark(OcpSeen *seen, gsize index);

/* ---- faults.c -------------------------------------------------------------------- */

/* Adds a fault of the value that the check is at and returns it; NULL if none are
 * collected. The message is still to be said. */
OcpFault *ocp_fault_new(OcpCheck *check, const OcpNode *value, const char *keyword);
/* The same for a member of the object that the check is at. */
OcpFault *ocp_fault_of_member(OcpCheck *check, const OcpNode *key, const char *keyword);

/* Copies a formatted text into the check's arena. */
char *ocp_fault_text(OcpCheck *check, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* A value as messages show it: cut at 40 characters, never a sensitive one. */
const char *ocp_fault_show(OcpCheck *check, const OcpNode *value);
/* The same for a constant of the schema, which nobody hides. */
const char *ocp_fault_show_constant(OcpCheck *check, const OcpNode *value);
/* A member's name, quoted and cut. */
const char *ocp_fault_show_name(OcpCheck *check, const OcpNode *key);
const char *ocp_fault_show_text(OcpCheck *check, const char *text, gsize length);

/* Ready-made faults. All return false. */
bool ocp_fault_type(OcpCheck *check, const OcpNode *value, guint types);
bool ocp_fault_values(OcpCheck *check, const OcpNode *value,
                      const OcpNode *const *allowed, guint count, const char *keyword);
/* bound is "at least", …; unit is "item", …, or NULL. */
bool ocp_fault_bound(OcpCheck *check, const OcpNode *value, const char *keyword,
                     const char *bound, guint64 expected, guint64 found,
                     const char *unit);
bool ocp_fault_plain(OcpCheck *check, const OcpNode *value, const char *keyword,
                     const char *message);
/* A member that is unknown; near (may be NULL) is what its name nearly spells. */
bool ocp_fault_misspelt(OcpCheck *check, const OcpNode *key, const char *keyword,
                        const OcpName *near, bool required);
/* missing: OcpName */
bool ocp_fault_missing(OcpCheck *check, const OcpNode *object,
                       const GPtrArray *missing);

/* ---- alternatives.c -------------------------------------------------------------- */

/* Adds what is best said of a value that fits no branch. Returns false. */
bool ocp_fault_alternatives(OcpCheck *check, const OcpSubs *branches,
                            const OcpChoice *choice, const char *keyword,
                            const OcpNode *value);
