/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/patch.h"

/*
 * What diff and apply share: the keys of an array's elements, bases, and the tree of
 * the places that a patch names.
 */

enum {
    OCP_PATCH_STEPS = 512, /* below so many steps a difference is carried whole */
    OCP_PATCH_BASE = 64,   /* bytes of canonical text from which a base is a digest */
    OCP_PATCH_SEAL = 16,   /* members from which an object is worth a hash */
    OCP_PATCH_COPIED = 1 << 28 /* bytes that the copies of a patch may stand for */
};

#define OCP_PATCH_NONE G_MAXUINT32

/* ---- elements and their keys (patch_align.c) ------------------------------- */

typedef struct {
    guint32 size;
    const OcpNode **nodes;
    const char **ids; /* usable ids or NULL; the array itself is NULL if none has one */
    guint32 *nth;     /* 1 for the first element of an id, 2 for the second, … */
} OcpPatchElements;

/* array may be NULL (no elements). keys may be NULL (no ids are asked for). */
void ocp_patch_elements_init(OcpPatchElements *elements, const OcpNode *array,
                             const OcpPatchKeys *keys);
void ocp_patch_elements_clear(OcpPatchElements *elements);

/* Appends the key of element i: "id", "id#2" or "#3". */
void ocp_patch_key_append(const OcpPatchElements *elements, guint32 i, GString *out);

/* Sets partner (one a s element: index in w) and taken (one a w element: index in s),
 * OCP_PATCH_NONE where there is none, and same (by s element, false before) where the
 * two are known to be equal. */
void ocp_patch_align(const OcpPatchElements *w, const OcpPatchElements *s,
                     const OcpPatchKeys *keys, guint32 *partner, guint32 *taken,
                     bool *same);

/* ---- bases and places (patch_format.c) ------------------------------------- */

/* The base of a value: a copy, or its digest. The patch borrows nothing of w. */
const OcpNode *ocp_patch_base(OcpDocument *made, const OcpNode *value);
bool ocp_patch_base_matches(const OcpNode *base, const OcpNode *value);

/* Appends a step of `at`: a member's name (its text), or the key of an element. */
void ocp_patch_push_name(GString *at, const OcpNode *name);
void ocp_patch_push_text(GString *at, const char *name, gsize length);
void ocp_patch_push_key(GString *at, const char *key, gsize length);

/* One place of the tree of places: what stands there, and the places below. */
typedef struct OcpPatchPlace OcpPatchPlace;

struct OcpPatchPlace {
    const OcpPatchPlace *parent;
    const char *step; /* name or key, not NUL-terminated */
    gsize length;
    bool by_key;
    bool met;            /* apply came by */
    const OcpNode *site; /* NULL if nothing is to be done here itself */
    const char *at;      /* of site, NUL-terminated */
    OcpPatchPlace *copies; /* where in site copies stand; their site is the original */
    OcpPatchPlace *first;
    OcpPatchPlace *last;
    OcpPatchPlace *next;
};

typedef struct {
    OcpArena *arena;
    OcpPatchPlace root;
    GHashTable *places; /* all but the root, by parent and step */
    GPtrArray *twins;   /* sites whose place another has already */
} OcpPatchTree;

/* Reads a valid patch. */
void ocp_patch_tree_init(OcpPatchTree *tree, const OcpNode *patch);
void ocp_patch_tree_clear(OcpPatchTree *tree);

/* The place one step below, or NULL. */
OcpPatchPlace *ocp_patch_tree_find(const OcpPatchTree *tree,
                                   const OcpPatchPlace *parent, bool by_key,
                                   const char *step, gsize length);

/* The place of a named member. */
OcpPatchPlace *ocp_patch_place_of(const OcpPatchTree *tree, const OcpPatchPlace *parent,
                                  const OcpNode *name);

/* The place one step below, made if it is not there. */
OcpPatchPlace *ocp_patch_tree_add(OcpPatchTree *tree, OcpPatchPlace *parent,
                                  bool by_key, const GString *step);

/* Splits the first step off a pointer of length bytes: sets *by_key and appends the
 * step to token. Returns the bytes used, 0 if there is no step. by_key NULL: a plain
 * JSON pointer, "#" means nothing. */
gsize ocp_patch_step(const char *at, gsize length, bool *by_key, GString *token);

/* Bytes of a value in memory, about: links count as what they stand for. */
gsize ocp_patch_bytes(const OcpNode *node);

/* Seals an object that is worth it. */
void ocp_patch_seal(OcpDocument *made, OcpNode *node);

/* ---- diff (patch_diff.c, patch_carry.c, patch_copy.c) ---------------------- */

typedef struct OcpPatchCopies OcpPatchCopies;

typedef struct {
    OcpDocument *made;
    const OcpPatchKeys *keys;
    OcpPatchCarried carried;
    gpointer carried_data;
    OcpBuilder patch;
    GString *at;            /* of the pair at work */
    guint steps;            /* in at */
    bool same;              /* the pair at work is known to be equal */
    GString *place;         /* pointer in the patch of the value at work */
    GHashTable *touched;    /* carried nodes that are not carried as they are */
    OcpPatchCopies *copies; /* NULL if none are asked for */
} OcpPatchDiff;

/* The elements of an array of w and one of s, and which are one. */
typedef struct {
    OcpPatchElements w;
    OcpPatchElements s;
    guint32 *partner; /* by s element: index in w */
    guint32 *taken;   /* by w element: index in s */
    guint32 *fresh;   /* by s element: index in new */
    bool *same;       /* by s element: it equals its partner */
    GString *key;     /* for keys at work */
} OcpPatchPairs;

void ocp_patch_pairs_clear(OcpPatchPairs *pairs);

bool ocp_patch_skips(const OcpPatchDiff *diff, const OcpNode *s);

/* True if anything at or below s is skipped. */
bool ocp_patch_holds_skipped(const OcpPatchDiff *diff, const OcpNode *s);

/* True if s is carried in another form: skipped, copied, or holding such. */
bool ocp_patch_is_touched(const OcpPatchDiff *diff, const OcpNode *s);
/* ... skipped or copied itself. */
bool ocp_patch_is_replaced(const OcpPatchDiff *diff, const OcpNode *s);

/* The value of s as it goes into the patch at diff->place; NULL: left out. */
const OcpNode *ocp_patch_carry(OcpPatchDiff *diff, const OcpNode *s);

/* Tells that s is carried, at diff->place. */
void ocp_patch_report(const OcpPatchDiff *diff, const OcpNode *s);

OcpPatchCopies *ocp_patch_copies_new(void);
void ocp_patch_copies_free(OcpPatchCopies *copies);

/* Says that the pair at work is below this container of s, until left. */
void ocp_patch_copies_enter(OcpPatchCopies *copies, const OcpNode *s);
void ocp_patch_copies_leave(OcpPatchCopies *copies);

/* Keeps, and takes, the pairs of two arrays. */
void ocp_patch_copies_keep(OcpPatchCopies *copies, const OcpNode *w, const OcpNode *s,
                           const OcpPatchPairs *pairs);

/* What stands in the patch, at diff->place, for s, which repeats another node. */
const OcpNode *ocp_patch_copies_add(OcpPatchDiff *diff, const OcpNode *s);

/* Decides what is a copy and what is carried after all. w and s: the roots. */
void ocp_patch_copies_close(OcpPatchDiff *diff, const OcpNode *w, const OcpNode *s);

/* ---- apply (patch_apply.c, patch_array.c, patch_restore.c) ----------------- */

typedef struct OcpPatchHoles OcpPatchHoles;

typedef struct {
    OcpDocument *made;
    const OcpPatchKeys *keys;
    OcpPatchNotice notice;
    gpointer notice_data;
    OcpPatchTree tree;
    OcpPatchHoles *holes; /* NULL if the patch has no copies */
} OcpPatchApply;

/* What becomes of w, of which place speaks. */
const OcpNode *ocp_patch_merge(OcpPatchApply *apply, const OcpNode *w,
                               OcpPatchPlace *place);

/* The same for an array, or NULL if w' no longer makes it: then NULL if nothing is
 * left. */
const OcpNode *ocp_patch_merge_array(OcpPatchApply *apply, const OcpNode *w,
                                     OcpPatchPlace *place);

/* A part of the site at place, NULL if there is none. */
const OcpNode *ocp_patch_part(const OcpPatchPlace *place, const char *name);

void ocp_patch_note(const OcpPatchApply *apply, OcpPatchFate fate,
                    const OcpPatchPlace *place, const char *member,
                    const OcpNode *value);

/* Tells of a place that cannot be reached, and of all below. */
void ocp_patch_leave(const OcpPatchApply *apply, OcpPatchPlace *place,
                     OcpPatchFate fate);

/* Sets out to the numbers 0 ... count - 1 by rank; what has none (OCP_PATCH_NONE) stays
 * behind its predecessor, or at the start. Ranks are below ranks, none twice. */
void ocp_patch_arrange(const guint32 *rank, guint32 count, guint32 ranks, guint32 *out);

/* Finds the copies of the patch. */
void ocp_patch_holes_init(OcpPatchApply *apply);
void ocp_patch_holes_free(OcpPatchHoles *holes);

/* A value of the site as it is put back, with holes for the copies in it. It stands in
 * part under name or, if that is NULL, index. */
const OcpNode *ocp_patch_restore(OcpPatchApply *apply, const OcpPatchPlace *place,
                                 const char *part, const OcpNode *name, guint32 index,
                                 const OcpNode *value);

/* To be called for every container that was built, when it is complete. */
void ocp_patch_built(OcpPatchApply *apply, OcpNode *container);

/* Makes an element of a built array known by its key. */
void ocp_patch_built_element(OcpPatchApply *apply, const OcpNode *array,
                             const char *key, const OcpNode *element);

/* Fills the holes from the result. */
void ocp_patch_holes_close(OcpPatchApply *apply, const OcpNode *result);
