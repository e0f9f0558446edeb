/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/equal.h"

#include <string.h>

/*
 * The three-way merge: base w (in the patch), theirs s (in the patch), mine w'.
 */

static const OcpNode *merge_missing(OcpPatchApply *apply, OcpPatchPlace *place);

/* ---- notices --------------------------------------------------------------- */

void
ocp_patch_note(const OcpPatchApply *apply, OcpPatchFate fate,
               const OcpPatchPlace *place, const char *member, const OcpNode *value)
{
    if (apply->notice != NULL)
        apply->notice(fate, place->at, member, value, apply->notice_data);
}

static void
note_named(const OcpPatchApply *apply, OcpPatchFate fate, const OcpPatchPlace *place,
           const OcpNode *name, const OcpNode *value)
{
    if (apply->notice == NULL)
        return;
    g_autofree char *member = ocp_text_dup(name);
    ocp_patch_note(apply, fate, place, member, value);
}

/* Theirs against mine where mine stands: an edit that says the same loses nothing. */
static void
note_kept(const OcpPatchApply *apply, const OcpPatchPlace *place, const OcpNode *name,
          const OcpNode *theirs, const OcpNode *mine)
{
    if (apply->notice == NULL)
        return;
    bool same = theirs != NULL && mine != NULL && ocp_equal(theirs, mine);
    note_named(apply, same ? OCP_PATCH_RESTORED : OCP_PATCH_YIELDED, place, name,
               theirs);
}

const OcpNode *
ocp_patch_part(const OcpPatchPlace *place, const char *name)
{
    return ocp_member(place->site, name);
}

/* Tells all values of a site that is not applied. */
static void
note_site(const OcpPatchApply *apply, const OcpPatchPlace *place, OcpPatchFate fate)
{
    if (place->site == NULL || apply->notice == NULL)
        return;
    const OcpNode *rest = ocp_patch_part(place, "rest");
    const OcpNode *was = ocp_patch_part(place, "was");
    const OcpNode *fresh = ocp_patch_part(place, "new");
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(rest); ocp_iter_member(&iter, &key, &value);)
        note_named(apply, fate, place, key, value);
    for (OcpIter iter = ocp_iter(was); ocp_iter_member(&iter, &key, &value);)
        note_named(apply, fate, place, key, ocp_element(value, 1));
    for (OcpIter iter = ocp_iter(fresh); (value = ocp_iter_element(&iter)) != NULL;) {
        key = ocp_member(value, "after");
        g_autofree char *member = key->kind == OCP_STRING ? ocp_text_dup(key) : NULL;
        ocp_patch_note(apply, fate, place, member, ocp_member(value, "value"));
    }
    if (rest == NULL && was == NULL && fresh == NULL)
        ocp_patch_note(apply, fate, place, NULL, NULL);
}

void
ocp_patch_leave(const OcpPatchApply *apply, OcpPatchPlace *place, OcpPatchFate fate)
{
    note_site(apply, place, fate);
    place->met = true;
    for (OcpPatchPlace *at = place->first; at != NULL; at = at->next)
        ocp_patch_leave(apply, at, OCP_PATCH_ORPHANED);
}

/* ---- order ----------------------------------------------------------------- */

void
ocp_patch_arrange(const guint32 *rank, guint32 count, guint32 ranks, guint32 *out)
{
    g_autofree guint32 *slots = g_new(guint32, ranks);
    guint32 done = 0;
    for (guint32 r = 0; r < ranks; r++)
        slots[r] = OCP_PATCH_NONE;
    for (guint32 i = 0; i < count; i++)
        if (rank[i] != OCP_PATCH_NONE)
            slots[rank[i]] = i;
    for (guint32 i = 0; i < count && rank[i] == OCP_PATCH_NONE; i++)
        out[done++] = i;
    for (guint32 r = 0; r < ranks; r++) {
        guint32 i = slots[r];
        if (i == OCP_PATCH_NONE)
            continue;
        do
            out[done++] = i++;
        while (i < count && rank[i] == OCP_PATCH_NONE);
    }
}

/* ---- objects --------------------------------------------------------------- */

typedef struct {
    GPtrArray *keys;
    GPtrArray *values;
} Members;

static void
add_member(Members *members, const OcpNode *key, const OcpNode *value)
{
    g_ptr_array_add(members->keys, (gpointer)key);
    g_ptr_array_add(members->values, (gpointer)value);
}

/* What becomes of a value of w: NULL if it is dropped. */
static const OcpNode *
merge_member(OcpPatchApply *apply, OcpPatchPlace *place, const OcpNode *key,
             const OcpNode *mine)
{
    const OcpNode *absent = ocp_patch_part(place, "absent");
    const OcpNode *base = absent != NULL ? ocp_member_like(absent, key) : NULL;
    if (base != NULL) {
        bool drop = ocp_patch_base_matches(base, mine);
        note_named(apply, drop ? OCP_PATCH_RESTORED : OCP_PATCH_YIELDED, place, key,
                   NULL);
        return drop ? NULL : mine;
    }
    const OcpNode *was = ocp_patch_part(place, "was");
    const OcpNode *pair = was != NULL ? ocp_member_like(was, key) : NULL;
    if (pair != NULL) {
        const OcpNode *theirs = ocp_element(pair, 1);
        if (!ocp_patch_base_matches(ocp_element(pair, 0), mine)) {
            note_kept(apply, place, key, theirs, mine);
            return mine;
        }
        note_named(apply, OCP_PATCH_RESTORED, place, key, theirs);
        return ocp_patch_restore(apply, place, "was", key, 0, theirs);
    }
    OcpPatchPlace *below = ocp_patch_place_of(&apply->tree, place, key);
    return below != NULL ? ocp_patch_merge(apply, mine, below) : mine;
}

static void
put_back_rest(OcpPatchApply *apply, OcpPatchPlace *place, const OcpNode *w,
              Members *members)
{
    const OcpNode *key;
    const OcpNode *value;
    OcpIter iter = ocp_iter(ocp_patch_part(place, "rest"));
    while (ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *mine = ocp_member_like(w, key);
        if (mine != NULL) {
            note_kept(apply, place, key, value, mine);
            continue;
        }
        note_named(apply, OCP_PATCH_RESTORED, place, key, value);
        add_member(members, key,
                   ocp_patch_restore(apply, place, "rest", key, 0, value));
    }
    iter = ocp_iter(ocp_patch_part(place, "was"));
    while (ocp_iter_member(&iter, &key, &value))
        if (ocp_member_like(w, key) == NULL)
            note_named(apply, OCP_PATCH_YIELDED, place, key, ocp_element(value, 1));
}

/* What w no longer makes, or makes as a member that is dropped or replaced. */
static void
make_missing_members(OcpPatchApply *apply, OcpPatchPlace *place, Members *members)
{
    const OcpNode *rest = ocp_patch_part(place, "rest");
    for (OcpPatchPlace *at = place->first; at != NULL; at = at->next) {
        if (at->met)
            continue;
        const OcpNode *value = NULL;
        if (at->by_key || ocp_member_sized(rest, at->step, at->length, NULL) != NULL)
            ocp_patch_leave(apply, at, OCP_PATCH_ORPHANED);
        else
            value = merge_missing(apply, at);
        if (value != NULL)
            add_member(members, ocp_make_string(apply->made, at->step, at->length),
                       value);
    }
}

static guint
text_hash(gconstpointer string)
{
    return ocp_text_hash(string);
}

static gboolean
text_equal(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

static void
order_members(const OcpNode *names, const Members *members, guint32 *out)
{
    guint32 count = members->keys->len;
    for (guint32 i = 0; i < count; i++)
        out[i] = i;
    if (names == NULL)
        return;
    g_autoptr(GHashTable) ranks = g_hash_table_new(text_hash, text_equal);
    g_autofree guint32 *rank = g_new(guint32, count);
    guint32 next = 1;
    const OcpNode *name;
    for (OcpIter iter = ocp_iter(names); (name = ocp_iter_element(&iter)) != NULL;)
        g_hash_table_insert(ranks, (gpointer)name, GUINT_TO_POINTER(next++));
    for (guint32 i = 0; i < count; i++) {
        gpointer found = g_hash_table_lookup(ranks, members->keys->pdata[i]);
        rank[i] = found != NULL ? GPOINTER_TO_UINT(found) - 1 : OCP_PATCH_NONE;
        g_hash_table_remove(ranks, members->keys->pdata[i]);
    }
    ocp_patch_arrange(rank, count, names->size, out);
}

static OcpNode *
build_object(OcpPatchApply *apply, const OcpNode *names, const Members *members)
{
    g_autofree guint32 *order = g_new(guint32, members->keys->len);
    order_members(names, members, order);
    OcpBuilder build = ocp_build(apply->made, ocp_make_object(apply->made));
    for (guint i = 0; i < members->keys->len; i++)
        ocp_build_member(&build, members->keys->pdata[order[i]],
                         members->values->pdata[order[i]]);
    ocp_patch_built(apply, build.container);
    return build.container;
}

/* w: the object, or NULL if it is no longer made. NULL if nothing is left of that. */
static const OcpNode *
merge_object(OcpPatchApply *apply, const OcpNode *w, OcpPatchPlace *place)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    Members members = {keys, values};
    const OcpNode *key;
    const OcpNode *mine;
    bool changed = false;
    for (OcpIter iter = ocp_iter(w); ocp_iter_member(&iter, &key, &mine);) {
        const OcpNode *value = merge_member(apply, place, key, mine);
        changed = changed || value != mine;
        if (value != NULL)
            add_member(&members, key, value);
        OcpPatchPlace *below = ocp_patch_place_of(&apply->tree, place, key);
        if (below != NULL && !below->met)
            ocp_patch_leave(apply, below, OCP_PATCH_ORPHANED);
    }
    put_back_rest(apply, place, w, &members);
    make_missing_members(apply, place, &members);
    if (w == NULL && keys->len == 0)
        return NULL;
    const OcpNode *names = ocp_patch_part(place, "members");
    if (w != NULL && !changed && keys->len == w->size && names == NULL)
        return w;
    return build_object(apply, names, &members);
}

/* ---- places ---------------------------------------------------------------- */

typedef enum { ANY, OBJECT, ARRAY } Shape;

/* What container a site is about. */
static Shape
shape_of(const OcpPatchPlace *place)
{
    static const char *const of_arrays[] = {"new", "gone", "order"};
    static const char *const of_objects[] = {"rest", "absent", "members"};
    for (gsize i = 0; i < G_N_ELEMENTS(of_arrays); i++) {
        if (ocp_patch_part(place, of_arrays[i]) != NULL)
            return ARRAY;
        if (ocp_patch_part(place, of_objects[i]) != NULL)
            return OBJECT;
    }
    return ANY;
}

const OcpNode *
ocp_patch_merge(OcpPatchApply *apply, const OcpNode *w, OcpPatchPlace *place)
{
    Shape shape = shape_of(place);
    if (!ocp_is_container(w) || (shape == OBJECT && w->kind != OCP_OBJECT) ||
        (shape == ARRAY && w->kind != OCP_ARRAY)) {
        ocp_patch_leave(apply, place, OCP_PATCH_YIELDED);
        return w;
    }
    place->met = true;
    return w->kind == OCP_OBJECT ? merge_object(apply, w, place)
                                 : ocp_patch_merge_array(apply, w, place);
}

/* A named member that w no longer makes: what the patch itself has for it. */
static const OcpNode *
merge_missing(OcpPatchApply *apply, OcpPatchPlace *place)
{
    Shape shape = shape_of(place);
    if (shape == ANY && place->first != NULL && place->first->by_key)
        shape = ARRAY;
    place->met = true;
    return shape == ARRAY ? ocp_patch_merge_array(apply, NULL, place)
                          : merge_object(apply, NULL, place);
}

static const OcpNode *
merge_root(OcpPatchApply *apply, const OcpNode *w, const OcpNode *pair)
{
    const OcpNode *theirs = ocp_element(pair, 1);
    bool same = ocp_patch_base_matches(ocp_element(pair, 0), w);
    bool told = same || ocp_equal(theirs, w);
    ocp_patch_note(apply, told ? OCP_PATCH_RESTORED : OCP_PATCH_YIELDED,
                   &apply->tree.root, NULL, theirs);
    return same ? theirs : w;
}

static const OcpNode *
merge_all(OcpPatchApply *apply, const OcpNode *w)
{
    OcpPatchPlace *root = &apply->tree.root;
    const OcpNode *pair = ocp_patch_part(root, "root");
    for (guint i = 0; i < apply->tree.twins->len; i++) {
        OcpPatchPlace twin = {.site = apply->tree.twins->pdata[i], .at = ""};
        note_site(apply, &twin, OCP_PATCH_ORPHANED);
    }
    if (pair != NULL)
        return merge_root(apply, w, pair);
    if (root->site == NULL && root->first == NULL)
        return w;
    return ocp_patch_merge(apply, w, root);
}

OcpNode *
ocp_patch_apply(OcpDocument *made, const OcpNode *w, const OcpNode *patch,
                const OcpPatchKeys *keys, OcpPatchNotice notice, gpointer notice_data)
{
    w = ocp_deref(w);
    patch = ocp_deref(patch);
    if (!ocp_patch_valid(patch)) {
        if (notice != NULL)
            notice(OCP_PATCH_ORPHANED, "", NULL, patch, notice_data);
        return (OcpNode *)w;
    }
    OcpPatchApply apply = {
        .made = made, .keys = keys, .notice = notice, .notice_data = notice_data};
    ocp_patch_tree_init(&apply.tree, patch);
    ocp_patch_holes_init(&apply);
    const OcpNode *result = merge_all(&apply, w);
    if (apply.holes != NULL)
        ocp_patch_holes_close(&apply, result);
    ocp_patch_holes_free(apply.holes);
    ocp_patch_tree_clear(&apply.tree);
    return (OcpNode *)result;
}
