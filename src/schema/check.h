/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/verdict.h"

/*
 * One check of one value. It first runs for the verdict alone (verdict.h); only where
 * that is bad news does a second run collect faults.
 *
 * The second run, too, does not recurse on the value's depth: what applies to a
 * container below is an entry in the list of faults, which is worked off when its turn
 * comes, and whose faults take its place. It recurses on what a schema applies at one
 * value, NESTING deep at most.
 */

enum {
    OCP_FAULT_NESTING = 400, /* subschemas applied in one another at one value */
    OCP_FAULT_BRANCHES = 24, /* branches tried within branches */
    OCP_FAULT_TRIED = 10000, /* ... and in all: with two in each there are many */
    OCP_CHECK_FAULTS = 1000  /* collecting stops here */
};

/* Where the check is, as a list from the inside out. */
typedef struct OcpPath OcpPath;
struct OcpPath {
    const OcpPath *up;
    const OcpNode *key; /* NULL in an array */
    gsize index;
};

/* Why a branch was chosen: faults of the value at depth say so, if nothing nearer
 * does. */
typedef struct OcpReason OcpReason;
struct OcpReason {
    const OcpReason *up;
    const char *because;
    guint depth;
};

/* A place in the list of faults: a fault, or what is still to be applied there. */
typedef struct OcpEntry OcpEntry;
struct OcpEntry {
    OcpEntry *next;
    bool pending;
};

typedef struct {
    OcpEntry entry;
    const OcpSub *sub;
    const OcpNode *value;
    OcpPath path;
    const OcpScopes *scopes;
    const char *because;
    const char *rule;
    const OcpReason *reason;
} OcpPending;

/* One leaf of the tree of errors. Strings live in the check's arena. */
typedef struct {
    OcpEntry entry;
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

struct OcpCheck {
    const OcpCheckOptions *options;
    OcpEntry **faults; /* where the next one goes; NULL: only the verdict is wanted */
    guint made;        /* faults since the last entry was begun */
    OcpArena *arena;   /* of the faults */
    GString *text;     /* scratch for strings with escapes, or NULL */
    const OcpPath *path;
    const OcpScopes *scopes;
    OcpArena *scope_arena;
    OcpScopes *outermost;
    const char *because; /* why the subschema applies, where a condition led to it */
    const char *rule;    /* description of that condition */
    const OcpReason *reason;
    guint depth;    /* of subschemas applied at one value */
    guint branches; /* of branches that are tried */
    guint tried;    /* how many were */
    bool too_deep;
    bool format_failed; /* some value failed format, and that is only a warning */
    OcpMachine machine;
};

void ocp_check_init(OcpCheck *check, const OcpCheckOptions *options);
void ocp_check_clear(OcpCheck *check);

/* Decoded text of a string node, until the next one is asked for. */
const char *ocp_check_decoded(OcpCheck *check, const OcpNode *string, gsize *length);

/* True if the keywords of numbers, strings, or uniqueItems hold; else adds the fault,
 * where faults are collected. */
bool ocp_check_number(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
bool ocp_check_string(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
bool ocp_check_unique(OcpCheck *check, const OcpSub *sub, const OcpNode *value);

/* ---- collecting faults ----------------------------------------------------------- */

/* Collects what sub has to say against value. */
void ocp_check_sub(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
/* The same one step down: at a member (key) or an element (index, key NULL). What lies
 * below a container is collected later. */
void ocp_check_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                     const OcpNode *key, gsize index);
/* Collects from sub and all below; returns the list. */
OcpEntry *ocp_check_collect(OcpCheck *check, const OcpSub *sub, const OcpNode *value);

void ocp_check_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
void ocp_check_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
/* if, then, else */
void ocp_check_condition(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
/* What is left over once every other keyword had its say. */
void ocp_check_unevaluated(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
void ocp_check_rest_of_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                             OcpSeen *seen);
void ocp_check_rest_of_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                              OcpSeen *seen);

/* ---- faults.c -------------------------------------------------------------------- */

/* Adds an entry to the list. */
void ocp_fault_add(OcpCheck *check, OcpEntry *entry);

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

/* Adds what is best said of a value that fits no branch. */
void ocp_fault_alternatives(OcpCheck *check, const OcpSubs *branches,
                            const OcpChoice *choice, const char *keyword,
                            const OcpNode *value);
