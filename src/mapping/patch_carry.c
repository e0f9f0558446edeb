/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/pointer.h"

/*
 * How a value of s goes into the patch: as its own node, unless something in it is
 * skipped, or repeats another value.
 */

typedef enum { AS_IT_IS, HOLDS_TOUCHED, SKIPPED, COPIED } State;

bool
ocp_patch_skips(const OcpPatchDiff *diff, const OcpNode *s)
{
    return diff->keys->skip != NULL && diff->keys->skip(s, diff->keys->data);
}

bool
ocp_patch_holds_skipped(const OcpPatchDiff *diff, const OcpNode *s)
{
    if (diff->keys->skip == NULL)
        return false;
    if (ocp_patch_skips(diff, s))
        return true;
    const OcpNode *at = ocp_first_child(s);
    for (; at != NULL; at = at->next) {
        if (s->kind == OCP_OBJECT)
            at = at->next;
        if (ocp_patch_holds_skipped(diff, ocp_deref(at)))
            return true;
    }
    return false;
}

static State
state_of(const OcpPatchDiff *diff, const OcpNode *s)
{
    return (State)GPOINTER_TO_UINT(g_hash_table_lookup(diff->touched, s));
}

bool
ocp_patch_is_touched(const OcpPatchDiff *diff, const OcpNode *s)
{
    return state_of(diff, s) != AS_IT_IS;
}

bool
ocp_patch_is_replaced(const OcpPatchDiff *diff, const OcpNode *s)
{
    State state = state_of(diff, s);
    return state == SKIPPED || state == COPIED;
}

/* A copy that holds something to be skipped is no copy: its original may not. */
static bool
is_copy(const OcpPatchDiff *diff, const OcpNode *s)
{
    return diff->copies != NULL && diff->keys->copy_of(s, diff->keys->data) != NULL &&
           !ocp_patch_holds_skipped(diff, s);
}

/* Finds what is not carried as it is; true if s is, or holds, such. */
static bool
touch(OcpPatchDiff *diff, const OcpNode *s)
{
    State state = AS_IT_IS;
    if (ocp_patch_skips(diff, s)) {
        state = SKIPPED;
    } else if (is_copy(diff, s)) {
        state = COPIED;
    } else {
        const OcpNode *at = ocp_first_child(s);
        for (; at != NULL; at = at->next) {
            if (s->kind == OCP_OBJECT)
                at = at->next;
            if (touch(diff, ocp_deref(at)))
                state = HOLDS_TOUCHED;
        }
    }
    if (state != AS_IT_IS)
        g_hash_table_insert(diff->touched, (gpointer)s, GUINT_TO_POINTER(state));
    return state != AS_IT_IS;
}

void
ocp_patch_report(const OcpPatchDiff *diff, const OcpNode *s)
{
    if (diff->carried != NULL)
        diff->carried(s, diff->place->str, diff->carried_data);
}

static const OcpNode *rebuild(OcpPatchDiff *diff, const OcpNode *s);

/* What goes into the patch for a node; NULL: nothing. */
static const OcpNode *
stand_in(OcpPatchDiff *diff, const OcpNode *s)
{
    switch (state_of(diff, s)) {
    case SKIPPED:
        return diff->keys->instead != NULL ? diff->keys->instead(s, diff->keys->data)
                                           : NULL;
    case HOLDS_TOUCHED: return rebuild(diff, s);
    case COPIED: return ocp_patch_copies_add(diff, s);
    case AS_IT_IS: break;
    }
    ocp_patch_report(diff, s);
    return s;
}

static const OcpNode *
rebuild(OcpPatchDiff *diff, const OcpNode *s)
{
    bool object = s->kind == OCP_OBJECT;
    OcpBuilder build = ocp_build(diff->made, object ? ocp_make_object(diff->made)
                                                    : ocp_make_array(diff->made));
    gsize length = diff->place->len;
    for (const OcpNode *at = ocp_first_child(s); at != NULL; at = at->next) {
        const OcpNode *key = ocp_deref(at);
        if (object) {
            ocp_pointer_push_key(diff->place, key);
            at = at->next;
        } else {
            ocp_pointer_push_index(diff->place, build.container->size);
        }
        const OcpNode *child = stand_in(diff, ocp_deref(at));
        g_string_truncate(diff->place, length);
        if (child != NULL && object)
            ocp_build_member(&build, key, child);
        else if (child != NULL)
            ocp_build_element(&build, child);
    }
    ocp_patch_seal(diff->made, build.container);
    return build.container;
}

const OcpNode *
ocp_patch_carry(OcpPatchDiff *diff, const OcpNode *s)
{
    if (diff->keys->skip != NULL || diff->copies != NULL)
        touch(diff, s);
    return stand_in(diff, s);
}
