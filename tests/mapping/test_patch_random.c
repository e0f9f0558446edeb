/* SPDX-License-Identifier: Apache-2.0 */
#include "patch_cases.h"

/*
 * The laws of the patch over values made at random.
 */

static bool
patch_takes_w_to_s(Case *c)
{
    const OcpNode *s = make_value(c, 5);
    const OcpNode *w = make_w(c, s);
    OcpPatchKeys keys = keys_of(c);
    keys.member_order = chance(c, 50);
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, NULL, NULL);
    g_autoptr(OcpDocument) read = reread(patch);
    OcpNode *result = ocp_patch_apply(c->made, w, read->root, &keys, count_notices, c);
    g_autofree char *wanted = text_of(s);
    g_autofree char *found = text_of(result);
    bool held = ocp_patch_valid(patch) && ocp_patch_valid(read->root) &&
                ocp_equal(result, s) && c->yielded + c->orphaned == 0 &&
                (!keys.member_order || strcmp(wanted, found) == 0);
    if (!held)
        fail(c, "apply(w, diff(w, s)) is not s", w, s, patch, result);
    OcpNode *none = ocp_patch_diff(c->made, result, s, &keys, NULL, NULL);
    OcpNode *same = ocp_patch_diff(c->made, s, s, &keys, NULL, NULL);
    if (none->size + same->size > 0) {
        fail(c, "equal values have a patch", result, s, none, NULL);
        held = false;
    }
    return held;
}

static void
get_put(void)
{
    over_seeds(patch_takes_w_to_s, 5000);
}

/* ---- what is carried ------------------------------------------------------- */

typedef struct {
    Case *c;
    GHashTable *covered; /* leaves of s */
    GHashTable *of_w;    /* all nodes of w */
    GHashTable *pointers;
    const OcpNode *w;
    bool twice;
} Cover;

static void
cover_leaves(const OcpNode *node, GHashTable *leaves, bool *twice)
{
    if (ocp_is_leaf(node)) {
        if (!g_hash_table_add(leaves, (gpointer)node))
            *twice = true;
        return;
    }
    const OcpNode *at = ocp_first_child(node);
    for (; at != NULL; at = at->next) {
        if (node->kind == OCP_OBJECT)
            at = at->next;
        cover_leaves(ocp_deref(at), leaves, twice);
    }
}

static void
add_nodes(const OcpNode *node, GHashTable *nodes)
{
    g_hash_table_add(nodes, (gpointer)node);
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next) {
        if (node->kind == OCP_OBJECT)
            at = at->next;
        add_nodes(ocp_deref(at), nodes);
    }
}

static void
hear_carried(const OcpNode *s, const char *pointer, gpointer data)
{
    Cover *cover = data;
    cover_leaves(s, cover->covered, &cover->twice);
    g_hash_table_insert(cover->pointers, g_strdup(pointer), (gpointer)s);
}

/* Walks the result beside s: a leaf is s's own just if it was told to be carried. */
static bool
leaves_hold(const Cover *cover, const OcpNode *result, const OcpNode *s)
{
    if (ocp_is_leaf(s)) {
        bool carried = g_hash_table_contains(cover->covered, s);
        if (ocp_is_container(s))
            return carried || ocp_is_leaf(result);
        return carried ? result == s : g_hash_table_contains(cover->of_w, result);
    }
    OcpIter mine = ocp_iter(result);
    const OcpNode *key;
    const OcpNode *value;
    if (s->kind == OCP_ARRAY) {
        for (OcpIter iter = ocp_iter(s); (value = ocp_iter_element(&iter)) != NULL;)
            if (!leaves_hold(cover, ocp_iter_element(&mine), value))
                return false;
        return true;
    }
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);)
        if (!leaves_hold(cover, ocp_member_like(result, key), value))
            return false;
    return true;
}

/* A leaf below named members only, that w has too, is not in the patch. */
static bool
nothing_needless(const Cover *cover, const OcpNode *w, const OcpNode *s)
{
    if (ocp_is_leaf(s))
        return !g_hash_table_contains(cover->covered, s) || !ocp_equal(w, s);
    if (s->kind != OCP_OBJECT || !ocp_is(w, OCP_OBJECT))
        return true;
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);) {
        const OcpNode *other = ocp_member_like(w, key);
        if (other != NULL && !nothing_needless(cover, other, value))
            return false;
    }
    return true;
}

static bool
pointers_lead_there(const Cover *cover, const OcpNode *patch)
{
    GHashTableIter iter;
    gpointer pointer;
    gpointer node;
    g_hash_table_iter_init(&iter, cover->pointers);
    while (g_hash_table_iter_next(&iter, &pointer, &node)) {
        const OcpNode *found = ocp_pointer_find(patch, pointer);
        bool site = strchr((char *)pointer + 1, '/') == NULL;
        if (found == NULL || (site ? !ocp_is_leaf(node) : found != node))
            return false;
    }
    return true;
}

static bool
carried_is_told_once(Case *c)
{
    const OcpNode *s = make_value(c, 5);
    const OcpNode *w = make_w(c, s);
    OcpPatchKeys keys = keys_of(c);
    g_autoptr(GHashTable) covered = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) of_w = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) pointers =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Cover cover = {c, covered, of_w, pointers, w, false};
    add_nodes(w, of_w);
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, hear_carried, &cover);
    OcpNode *result = ocp_patch_apply(c->made, w, patch, &keys, NULL, NULL);
    bool held = !cover.twice && leaves_hold(&cover, result, s) &&
                nothing_needless(&cover, w, s) && pointers_lead_there(&cover, patch);
    if (!held)
        fail(c, "what was told to be carried is not what is", w, s, patch, result);
    return held;
}

static void
carried(void)
{
    over_seeds(carried_is_told_once, 5000);
}

/* ---- what is left out ------------------------------------------------------ */

static bool
skipped_stays_out(Case *c)
{
    c->secrets = 15;
    c->listed = chance(c, 50);
    const OcpNode *s = make_value(c, 5);
    c->secrets = 0;
    const OcpNode *rest = strip(c, s);
    const OcpNode *w = strip(c, make_w(c, s));
    OcpPatchKeys keys = keys_of(c);
    keys.skip = is_skipped;
    keys.member_order = true;
    g_autoptr(GHashTable) covered = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) pointers =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Cover cover = {c, covered, NULL, pointers, w, false};
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, hear_carried, &cover);
    OcpNode *result = ocp_patch_apply(c->made, w, patch, &keys, NULL, NULL);
    g_autofree char *wanted = text_of(rest);
    g_autofree char *found = text_of(result);
    bool held =
        !holds_skipped(c, patch) && !cover.twice && pointers_lead_there(&cover, patch);
    /* an element that is skipped may find something of w in its place */
    if (!c->listed)
        held = held && strcmp(wanted, found) == 0;
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, covered);
    while (g_hash_table_iter_next(&iter, &node, NULL))
        held = held && !g_hash_table_contains(c->skipped, node);
    if (!held)
        fail(c, "skipped leaves", w, s, patch, result);
    return held;
}

static void
left_out(void)
{
    over_seeds(skipped_stays_out, 5000);
}

/* ---- hostile patches ------------------------------------------------------- */

static bool
spoiled_patches_do_no_harm(Case *c)
{
    const OcpNode *s = make_value(c, 5);
    const OcpNode *w = make_w(c, s);
    OcpPatchKeys keys = keys_of(c);
    keys.member_order = true;
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, NULL, NULL);
    const OcpNode *other = chance(c, 50) ? w : make_value(c, 5);
    for (guint i = 0; i < 4; i++) {
        const OcpNode *spoiled = spoil(c, patch, i);
        OcpNode *result =
            ocp_patch_apply(c->made, other, spoiled, &keys, count_notices, c);
        g_autoptr(OcpDocument) read = reread(result);
        if (!ocp_equal(read->root, result) ||
            (!ocp_patch_valid(spoiled) && result != other)) {
            fail(c, "spoiled", other, s, spoiled, result);
            return false;
        }
    }
    return true;
}

static void
hostile(void)
{
    over_seeds(spoiled_patches_do_no_harm, 5000);
}

/* ---- size ------------------------------------------------------------------ */

/* A hundred thousand elements, half of them known, all in another order: a quadratic
 * step anywhere would take longer than the test may. */
static void
large_arrays(void)
{
    enum { MANY = 100000 };
    Case c;
    begin(&c, 1);
    OcpBuilder s = ocp_build(c.document, ocp_make_array(c.document));
    OcpBuilder w = ocp_build(c.document, ocp_make_array(c.document));
    g_autoptr(GPtrArray) views = g_ptr_array_new();
    for (guint i = 0; i < MANY; i++) {
        OcpBuilder thing = ocp_build(c.document, ocp_make_object(c.document));
        ocp_build_named(&thing, "tag", ocp_make_integer(c.document, i));
        ocp_build_named(&thing, "a", ocp_make_integer(c.document, i % 7));
        ocp_build_element(&s, thing.container);
        if (i % 2 == 0)
            continue;
        OcpBuilder view = ocp_build(c.document, ocp_make_object(c.document));
        ocp_build_named(&view, "a", ocp_make_integer(c.document, i % 5));
        if (i % 4 == 1)
            name_view(&c, view.container, thing.container);
        g_ptr_array_add(views, view.container);
    }
    shuffle(&c, views);
    for (guint i = 0; i < views->len; i++)
        ocp_build_element(&w, views->pdata[i]);
    OcpPatchKeys keys = keys_of(&c);
    keys.member_order = true;
    gint64 start = g_get_monotonic_time();
    OcpNode *patch =
        ocp_patch_diff(c.made, w.container, s.container, &keys, NULL, NULL);
    gint64 middle = g_get_monotonic_time();
    OcpNode *result =
        ocp_patch_apply(c.made, w.container, patch, &keys, count_notices, &c);
    gint64 stop = g_get_monotonic_time();
    CU_ASSERT(ocp_equal(result, s.container));
    g_print("100,000 elements: diff %d ms, apply %d ms\n",
            (int)((middle - start) / 1000), (int)((stop - middle) / 1000));
    end(&c);
}

/* Arrays in arrays, as deep as the reader allows and deeper than a patch goes. */
static void
deep_values(void)
{
    enum { DEEP = 600 };
    for (guint object = 0; object < 2; object++) {
        Case c;
        begin(&c, 1);
        const OcpNode *w = ocp_make_integer(c.document, 1);
        const OcpNode *s = ocp_make_integer(c.document, 2);
        for (guint i = 0; i < DEEP; i++) {
            const OcpNode **sides[] = {&w, &s};
            for (guint side = 0; side < 2; side++) {
                OcpBuilder build =
                    ocp_build(c.document, object ? ocp_make_object(c.document)
                                                 : ocp_make_array(c.document));
                if (object)
                    ocp_build_named(&build, "a", *sides[side]);
                else
                    ocp_build_element(&build, *sides[side]);
                *sides[side] = build.container;
            }
        }
        OcpPatchKeys keys = keys_of(&c);
        OcpNode *patch = ocp_patch_diff(c.made, w, s, &keys, NULL, NULL);
        CU_ASSERT(ocp_patch_valid(patch));
        CU_ASSERT(ocp_equal(ocp_patch_apply(c.made, w, patch, &keys, NULL, NULL), s));
        end(&c);
    }
}

OCP_TEST_MAIN("mapping-patch-random", {"the patch takes w to s", get_put},
              {"what is carried is told once", carried},
              {"skipped leaves stay out", left_out},
              {"spoiled patches do no harm", hostile}, {"large arrays", large_arrays},
              {"deep values", deep_values})
