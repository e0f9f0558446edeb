/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * The carry as a patch (design: accounting, "Carry"; mapping language, section 7).
 *
 * diff(w, s) is what takes w to s. apply(w', patch) is a three-way merge: base w,
 * theirs s, mine w': where w' is what w was, s comes back; where it differs, the edit
 * wins. This module knows values and keys, nothing of rules or dialects.
 *
 * A patch is a JSON array of sites, a parent before what is below it, one for each
 * container of w that differs:
 *
 *     objects  {at, rest: {name: value}, was: {name: [base, value]},
 *               absent: {name: base}, members: [name], copy}
 *     arrays   {at, was: {key: [base, value]}, new: [{after: key|null, value}],
 *               gone: {key: base}, order: [[keys], [indices]], copy}
 *
 * or, where w and s are no containers of one kind, the only site
 *
 *     {at: "", root: [base, value]}
 *
 * - rest: what only s has; not put back where w' has a member of that name.
 * - was: what differs; theirs if w' is still base, else mine.
 * - absent: what only w has; dropped if w' is still base. gone: the same in arrays.
 * - new: elements only s has, in its order, each after the nearest element before it
 *   that w has; if that is gone, after the nearest before that which is left.
 * - order: the keys that stay, in w's order, and how s has them: the place of each in
 *   the first list. Without indices the order is w's, and the list is only there to
 *   know the neighbours of an element that is gone.
 * - members: the names in s's order (only with OcpPatchKeys.member_order).
 * - copy: {path: original}; the value of this site at path ("/rest/chunks/0/text", null
 *   holds the place) repeats what the merged result has at original; if that is gone,
 *   so is the copy. path is a JSON pointer in the site; original is written as `at`,
 *   where also "+n" is new element n (from 0) of an array, and below a carried value a
 *   step into an array is the place (from 0).
 * - base: the value w had, or {"sha-256": hex} if its canonical text is over 64 bytes.
 *
 * The key of an element is the id of the model object it was made from (a letter or
 * digit, then those and "._:-"); "id#2" is the second element of that id; "#3" is the
 * third element, if it has no id. In `at` a step into an array is "#" and the key
 * ("/items/#item-3/ci", "/list/##3"), so that it is never taken for a member; a "#" in
 * a member's name is "~2", beside "~0" and "~1".
 *
 * A site below a named member that w' no longer makes is made from its rest, or new;
 * below an element that is gone it goes with it.
 *
 * All is linear in the sizes of w, s and patch, if objects of w with many members are
 * sealed (ocp_object_seal). Containers in both that are one node are never entered.
 */

/* Keys of array elements, and which elements of s became which keys. Asked by diff and
 * apply; answers are borrowed until these return. */
typedef struct {
    /* The key of an element of w (or w'): the id of the model object it was made from;
     * NULL if it has none. NULL: none has. */
    const char *(*key)(const OcpNode *w_element, gpointer data);
    /* The n-th (from 0) of the ids of objects that reading made out of element e of s;
     * NULL behind the last. NULL: never any. Diff only. */
    const char *(*made)(const OcpNode *s_element, guint n, gpointer data);
    /* True if a leaf or subtree of s is left out of the patch (sensitive, omit): what w
     * has there stands. NULL: none. Diff only. */
    bool (*skip)(const OcpNode *s_node, gpointer data);
    /* What the patch holds for a skipped node that w lacks; NULL: nothing, the member
     * or element is left out. May be NULL. Diff only. */
    const OcpNode *(*instead)(const OcpNode *s_node, gpointer data);
    /* The JSON pointer in s of the node that this one repeats (deep-equal, and no copy
     * itself), or NULL. May be NULL. Diff only. */
    const char *(*copy_of)(const OcpNode *s_node, gpointer data);
    /* Told of every element of w that another value stands for in the result, so that
     * its key lives on. May be NULL. Apply only. */
    void (*merged)(const OcpNode *result, const OcpNode *w_element, gpointer data);
    gpointer data;
    /* Keep the order of s's members too. Equal values then give a patch that is not
     * empty where members are in another order. */
    bool member_order;
} OcpPatchKeys;

/* Called for every largest subtree of s that went into the patch, so that its leaves'
 * fate is known. pointer_in_patch: JSON pointer of the value inside the patch array; of
 * the site itself for an empty container that w has filled. Copies are not reported. */
typedef void (*OcpPatchCarried)(const OcpNode *s_node, const char *pointer_in_patch,
                                gpointer data);

/* Returns the patch (an array node of document made, possibly empty), which links to
 * nodes of s (borrowing its document is the caller's business), but to none of w.
 * carried may be NULL. */
OcpNode *ocp_patch_diff(OcpDocument *made, const OcpNode *w, const OcpNode *s,
                        const OcpPatchKeys *keys, OcpPatchCarried carried,
                        gpointer carried_data);

/* What apply did with the parts of a patch. */
typedef enum {
    OCP_PATCH_RESTORED, /* theirs came back */
    OCP_PATCH_YIELDED,  /* mine differed from the base: the edit won, theirs is lost */
    OCP_PATCH_ORPHANED  /* its element is gone, it went with it */
} OcpPatchFate;

/* site: its `at`; member: name, key or copy path, the anchor for a new element (NULL:
 * at the start); value: theirs, NULL if s has nothing there (absent, gone). A site that
 * found no place and holds no values is told once, without member. Strings end at
 * U+0000. */
typedef void (*OcpPatchNotice)(OcpPatchFate fate, const char *site, const char *member,
                               const OcpNode *value, gpointer data);

/* Returns true if patch has the shape of a patch, as above and nothing else. */
bool ocp_patch_valid(const OcpNode *patch);

/* Merges. Returns the merged value as a tree of made that links to nodes of w and
 * patch; what the patch does not touch is w's own node (and if that is all, so is the
 * result). keys->key is asked of w's elements. A patch of another shape is one orphan,
 * and w is returned. notice may be NULL. */
OcpNode *ocp_patch_apply(OcpDocument *made, const OcpNode *w, const OcpNode *patch,
                         const OcpPatchKeys *keys, OcpPatchNotice notice,
                         gpointer notice_data);
