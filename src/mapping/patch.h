/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * The carry as a patch (design: accounting, "Carry"; mapping language, section 7).
 *
 * diff(w, s) is what takes w to s. apply(w', patch) is a three-way merge: base w, theirs s,
 * mine w': where w' is what w was, s comes back; where it differs, the edit wins.
 * Array elements are known by keys, so they survive deletion, insertion and moves.
 *
 * The patch is a JSON array of sites, each {at, rest, was, absent, new, gone, order, copy}.
 */

/* Keys of array elements, and which elements of s became which keys. Asked by diff and
 * apply; answers are borrowed strings. */
typedef struct {
    /* The key of an element of w (or w'): the id of the model object it was made from; NULL
     * if it has none (then "#n" by its 1-based place is used). */
    const char *(*key)(const OcpNode *w_element, gpointer data);
    /* True if reading made an object of that id out of element e of s. NULL: never. */
    bool (*made)(const OcpNode *s_element, const char *key, gpointer data);
    /* True if a leaf or subtree of s is left out of the patch (sensitive, omit). NULL:
     * none. */
    bool (*skip)(const OcpNode *s_node, gpointer data);
    /* Members of s that are `copies`: the node of s this one repeats and its pointer, or
     * NULL. May be NULL. */
    const char *(*copy_of)(const OcpNode *s_node, gpointer data);
    gpointer data;
} OcpPatchKeys;

/* Called for every subtree of s that went into the patch, so that its leaves' fate is
 * known. pointer_in_patch: JSON pointer of the value inside the patch array. */
typedef void (*OcpPatchCarried)(const OcpNode *s_node, const char *pointer_in_patch,
                                gpointer data);

/* Returns the patch (an array node of document made, possibly empty), which links to nodes
 * of w and s (borrowing their documents is the caller's business). Two values of different
 * kinds, or two scalars, that differ give the one site {"at": "", "root": [w, s]}. */
OcpNode *ocp_patch_diff(OcpDocument *made, const OcpNode *w, const OcpNode *s,
                        const OcpPatchKeys *keys, OcpPatchCarried carried,
                        gpointer carried_data);

/* What apply did with the parts of a patch. */
typedef enum {
    OCP_PATCH_RESTORED, /* theirs came back */
    OCP_PATCH_YIELDED,  /* mine differed from the base: the edit won, theirs is lost */
    OCP_PATCH_ORPHANED  /* its element is gone, it went with it */
} OcpPatchFate;

typedef void (*OcpPatchNotice)(OcpPatchFate fate, const char *site, const char *member,
                               const OcpNode *value, gpointer data);

/* Returns true if patch has the shape of a patch. */
bool ocp_patch_valid(const OcpNode *patch);

/* Merges. Returns the merged value as a tree of made that links to nodes of w and patch;
 * what the patch does not touch is w's own node. keys->key is asked of w's elements. */
OcpNode *ocp_patch_apply(OcpDocument *made, const OcpNode *w, const OcpNode *patch,
                         const OcpPatchKeys *keys, OcpPatchNotice notice,
                         gpointer notice_data);
