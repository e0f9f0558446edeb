/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/regexp.h"
#include "schema/schema.h"

/*
 * A compiled schema: subschemas that point to each other, with every reference already
 * resolved. All of it lives in the schema's arena and never changes after loading.
 * Nodes of the schema documents (constants, bounds) are borrowed from these documents,
 * which the schema keeps alive.
 */

typedef struct OcpSub OcpSub;

/* A resource at run time, as far as dynamic references need it: one that has anchors
 * for them. */
typedef struct {
    GHashTable *dynamics; /* name → OcpSub */
} OcpScope;

typedef struct {
    OcpSub **subs;
    guint count;
} OcpSubs;

typedef struct {
    const OcpNode *const *nodes;
    guint count;
} OcpNodes;

/* All that the schema says of members of one name. */
typedef struct {
    const char *text; /* decoded, NUL-terminated */
    gsize length;
    guint hash;
    OcpSub *sub; /* of "properties", or NULL */
    bool required;
    OcpNodes needs; /* names (string nodes) that its presence requires */
    const char *needs_keyword;
    OcpSub *dependent; /* what its presence requires of the object */
    guint32 next;      /* in its hash chain: index + 1; 0 ends it */
} OcpName;

typedef struct {
    OcpName
        *names; /* in the order of the schema; declared before the merely required */
    guint count;
    guint32 *heads; /* hash chains: index + 1 */
    guint32 mask;
    guint required; /* how many are */
    bool has_dependents;
} OcpNames;

typedef struct {
    OcpRegexp *regexp; /* owned by the schema */
    OcpSub *sub;
} OcpPattern;

/* A property that every branch fixes, each to other values: it chooses the branch. */
typedef struct {
    const OcpName *name;  /* of the first branch; NULL if there is no such property */
    const OcpSub **fixed; /* a branch each: the subschema with the const or enum */
    bool all_const;
} OcpChoice;

typedef enum {
    OCP_FORMAT_NONE,
    OCP_FORMAT_DATE_TIME,
    OCP_FORMAT_URI,
    OCP_FORMAT_REGEX
} OcpFormat;

enum {
    /* bits beside 1 << OcpKind; both booleans are 1 << OCP_TRUE */
    OCP_TYPE_INTEGER = 1 << 16,
    OCP_TYPES_ALL = 1 << OCP_NULL | 1 << OCP_TRUE | 1 << OCP_NUMBER | 1 << OCP_STRING |
                    1 << OCP_ARRAY | 1 << OCP_OBJECT
};

/* What a subschema has to say anything of. */
enum {
    OCP_USES_VALUES = 1 << 0, /* const, enum */
    OCP_USES_NUMBER = 1 << 1,
    OCP_USES_STRING = 1 << 2,
    OCP_USES_ARRAY = 1 << 3,
    OCP_USES_OBJECT = 1 << 4,
    OCP_USES_LOGIC = 1 << 5 /* what applies at the same value */
};

struct OcpSub {
    const OcpNode *node;
    OcpScope *scope; /* NULL: none that dynamic references need */
    const char *description;
    bool never;       /* the schema false */
    bool trivial;     /* says nothing: true or {} */
    bool unevaluated; /* has unevaluatedItems or unevaluatedProperties */

    guint uses;             /* OCP_USES_… */
    guint types;            /* 0: any */
    const OcpName *decides; /* all it says: this member is there, of these values */
    const OcpNode *constant;
    OcpNodes values; /* of enum; nodes NULL: none */

    const OcpNode *multiple_of;
    const OcpNode *minimum;
    const OcpNode *maximum;
    const OcpNode *exclusive_minimum;
    const OcpNode *exclusive_maximum;

    guint64 min_length;
    guint64 max_length;
    OcpRegexp *regexp; /* owned by the schema */
    const char *pattern;
    OcpFormat format;
    const char *format_name;

    guint64 min_items;
    guint64 max_items;
    bool unique_items;
    OcpSubs prefix;
    OcpSub *items; /* those behind the prefix */
    const char *items_keyword;
    OcpSub *contains;
    guint64 min_contains;
    guint64 max_contains;
    OcpSub *unevaluated_items;

    guint64 min_properties;
    guint64 max_properties;
    OcpNames names;
    OcpPattern *patterns;
    guint pattern_count;
    OcpSub *additional;
    OcpSub *property_names;
    OcpSub *unevaluated_properties;

    OcpSub *ref;
    OcpSub *dynamic_ref; /* where it leads at first */
    const char *dynamic; /* the dynamic anchor that may override it, or NULL */
    OcpSubs all_of;
    OcpSubs any_of;
    OcpSubs one_of;
    OcpChoice any_choice;
    OcpChoice one_choice;
    OcpSub *not_sub;
    OcpSub *if_sub;
    OcpSub *then_sub;
    OcpSub *else_sub;
};

struct OcpSchema {
    OcpArena *arena;
    OcpSub *root;
    GPtrArray *documents; /* kept alive */
    GPtrArray *regexps;
    GPtrArray *scopes; /* OcpScope */
};

/* The subschemas that a walk at one place is in, from the inside out: a schema may lead
 * back to itself, and a walk then turns back. */
typedef struct OcpTrail OcpTrail;
struct OcpTrail {
    const OcpTrail *up;
    const OcpSub *sub;
};

enum { OCP_TRAIL_LONGEST = 64 };

/* True if there is nothing to walk to: no subschema, or one the walk is in already. */
static inline bool
ocp_trail_ends(const OcpTrail *trail, const OcpSub *sub)
{
    guint length = 0;
    for (; trail != NULL && sub != NULL && trail->sub != sub; trail = trail->up)
        if (++length >= OCP_TRAIL_LONGEST)
            return true;
    return sub == NULL || trail != NULL;
}

/* Returns what the schema says of a name, or NULL. */
const OcpName *ocp_names_find(const OcpNames *names, const OcpNode *key);
/* The same again and again for one name, hashed once. */
guint ocp_names_hash(const char *text, gsize length);
const OcpName *ocp_names_find_hashed(const OcpNames *names, const char *text,
                                     gsize length, guint hash);
const OcpName *ocp_names_find_text(const OcpNames *names, const char *text,
                                   gsize length);

/* 1 << kind, both booleans as OCP_TRUE. */
guint ocp_type_bit(const OcpNode *value);
bool ocp_types_allow_number(guint types, const OcpNode *value);

/* True if types (0: any) allow the value. */
static inline bool
ocp_types_allow(guint types, const OcpNode *value)
{
    guint bit = value->kind == OCP_FALSE ? 1u << OCP_TRUE : 1u << value->kind;
    if (types == 0 || (types & bit))
        return true;
    return value->kind == OCP_NUMBER && ocp_types_allow_number(types, value);
}

/* JSON Schema's equality, quick where scalars are compared. */
bool ocp_same_value(const OcpNode *a, const OcpNode *b);

/* Notes what the finished subschema uses. */
void ocp_sub_note_uses(OcpSub *sub);
/* The same of what it decides, once all subschemas are finished. */
void ocp_sub_note_decides(OcpSub *sub);

/* ---- branches.c ------------------------------------------------------------------ */

/* Finds what chooses between the branches of anyOf and oneOf. After compiling. */
void ocp_choice_find(const OcpSubs *branches, OcpArena *arena, OcpChoice *ret);

/* The value's member that chooses the branch, or NULL. */
const OcpNode *ocp_choice_member(const OcpChoice *choice, const OcpNode *value);
/* False if the discriminator rules branch n out for this value. */
bool ocp_choice_allows(const OcpChoice *choice, guint n, const OcpNode *value);

/* The const or enum that the subschema fixes its value by, through $ref and allOf; NULL
 * if there is none. */
const OcpSub *ocp_sub_fixed(const OcpSub *sub);
/* True if value is one that the const or enum of fixed names. */
bool ocp_sub_names_value(const OcpSub *fixed, const OcpNode *value);
/* The types that the subschema allows, through $ref and allOf; 0 is any. */
guint ocp_sub_types(const OcpSub *sub);
