/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/equal.h"
#include "value/pointer.h"

#include <string.h>

/*
 * From w and s to the patch between them.
 */

typedef OcpPatchDiff Diff;

static void diff_pair(Diff *diff, const OcpNode *w, const OcpNode *s);

/* ---- sites ----------------------------------------------------------------- */

typedef enum {
    PART_ROOT,
    PART_REST,
    PART_WAS,
    PART_ABSENT,
    PART_NEW,
    PART_GONE,
    PART_ORDER,
    PART_MEMBERS,
    PARTS
} Part;

static const char *const part_names[PARTS] = {"root", "rest", "was",   "absent",
                                              "new",  "gone", "order", "members"};

/* A site in the making; what stays empty is not written. */
typedef struct {
    OcpBuilder parts[PARTS];
} Site;

static OcpBuilder *
part(Diff *diff, Site *site, Part which)
{
    OcpBuilder *build = &site->parts[which];
    if (build->container == NULL) {
        bool list = which == PART_ROOT || which == PART_NEW || which == PART_ORDER ||
                    which == PART_MEMBERS;
        *build = ocp_build(diff->made, list ? ocp_make_array(diff->made)
                                            : ocp_make_object(diff->made));
    }
    return build;
}

/* Appends the site, if it holds anything; true if it does. */
static bool
finish_site(Diff *diff, Site *site)
{
    OcpBuilder build = {0};
    for (Part which = 0; which < PARTS; which++) {
        OcpNode *container = site->parts[which].container;
        if (container == NULL)
            continue;
        if (build.container == NULL) {
            build = ocp_build(diff->made, ocp_make_object(diff->made));
            ocp_build_named(&build, "at",
                            ocp_make_string(diff->made, diff->at->str, diff->at->len));
        }
        ocp_patch_seal(diff->made, container);
        ocp_build_named(&build, part_names[which], container);
    }
    if (build.container == NULL)
        return false;
    ocp_build_element(&diff->patch, build.container);
    return true;
}

/* ---- values that go into the patch ----------------------------------------- */

static void
begin_place(Diff *diff, Part which)
{
    g_string_printf(diff->place, "/%u/%s", diff->patch.container->size,
                    part_names[which]);
}

/* Makes [base, value]. */
static OcpNode *
was(Diff *diff, const OcpNode *w, const OcpNode *s)
{
    ocp_pointer_push_index(diff->place, 1);
    OcpBuilder build = ocp_build(diff->made, ocp_make_array(diff->made));
    ocp_build_element(&build, ocp_patch_base(diff->made, w));
    ocp_build_element(&build, ocp_patch_carry(diff, s));
    return build.container;
}

/* ---- objects --------------------------------------------------------------- */

/* True if the pair has a site of its own, if any. */
static bool
both_containers(const Diff *diff, const OcpNode *w, const OcpNode *s)
{
    return ocp_is_container(w) && w->kind == s->kind && diff->steps < OCP_PATCH_STEPS;
}

static bool
differs(const Diff *diff, const OcpNode *w, const OcpNode *s)
{
    return w != s && !ocp_patch_skips(diff, s) && !ocp_equal(w, s);
}

static void
diff_member(Diff *diff, Site *site, const OcpNode *key, const OcpNode *w,
            const OcpNode *s)
{
    if (w == NULL) {
        begin_place(diff, PART_REST);
        ocp_pointer_push_key(diff->place, key);
        const OcpNode *value = ocp_patch_carry(diff, s);
        if (value != NULL)
            ocp_build_member(part(diff, site, PART_REST), key, value);
    } else if (!both_containers(diff, w, s) && differs(diff, w, s)) {
        begin_place(diff, PART_WAS);
        ocp_pointer_push_key(diff->place, key);
        ocp_build_member(part(diff, site, PART_WAS), key, was(diff, w, s));
    }
}

/* The next member of w that s has too, or NULL. */
static const OcpNode *
next_shared(OcpIter *iter, const OcpNode *s)
{
    const OcpNode *key;
    const OcpNode *value;
    while (ocp_iter_member(iter, &key, &value))
        if (ocp_member_like(s, key) != NULL)
            return key;
    return NULL;
}

/* True if apply would give the members of s in its order: those w has too, then the
 * rest. */
static bool
comes_in_order(const OcpNode *w, const OcpNode *s, const OcpNode *rest)
{
    OcpIter shared = ocp_iter(w);
    const OcpNode *expected = next_shared(&shared, s);
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);) {
        if (expected == NULL)
            return true;
        if (ocp_text_equal(expected, key))
            expected = next_shared(&shared, s);
        else if (ocp_member_like(w, key) != NULL || ocp_member_like(rest, key) != NULL)
            return false;
    }
    return true;
}

static void
keep_member_order(Diff *diff, Site *site, const OcpNode *w, const OcpNode *s)
{
    const OcpNode *rest = site->parts[PART_REST].container;
    if (!diff->keys->member_order || s->size < 2 || comes_in_order(w, s, rest))
        return;
    OcpBuilder *names = part(diff, site, PART_MEMBERS);
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);)
        ocp_build_element(names, key);
}

static void
object_site(Diff *diff, const OcpNode *w, const OcpNode *s)
{
    Site site = {0};
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(s);
         !diff->same && ocp_iter_member(&iter, &key, &value);)
        diff_member(diff, &site, key, ocp_member_like(w, key), value);
    for (OcpIter iter = ocp_iter(w);
         !diff->same && ocp_iter_member(&iter, &key, &value);)
        if (ocp_member_like(s, key) == NULL)
            ocp_build_member(part(diff, &site, PART_ABSENT),
                             ocp_make_copy(diff->made, key),
                             ocp_patch_base(diff->made, value));
    if (site.parts[PART_REST].container != NULL)
        ocp_patch_seal(diff->made, site.parts[PART_REST].container);
    keep_member_order(diff, &site, w, s);
    g_string_printf(diff->place, "/%u", diff->patch.container->size);
    if (finish_site(diff, &site) && s->size == 0)
        ocp_patch_report(diff, s);
}

static void
diff_object(Diff *diff, const OcpNode *w, const OcpNode *s)
{
    object_site(diff, w, s);
    const OcpNode *key;
    const OcpNode *value;
    gsize length = diff->at->len;
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);) {
        const OcpNode *mine = ocp_member_like(w, key);
        if (mine == NULL || mine == value || !both_containers(diff, mine, value))
            continue;
        ocp_patch_push_name(diff->at, key);
        diff_pair(diff, mine, value);
        g_string_truncate(diff->at, length);
    }
}

/* ---- arrays ---------------------------------------------------------------- */

typedef OcpPatchPairs Pairs;

static const OcpNode *
key_node(Diff *diff, Pairs *pairs, guint32 w)
{
    ocp_patch_key_append(&pairs->w, w, g_string_truncate(pairs->key, 0));
    return ocp_make_string(diff->made, pairs->key->str, pairs->key->len);
}

static void
diff_paired(Diff *diff, Site *site, Pairs *pairs, guint32 s)
{
    const OcpNode *mine = pairs->w.nodes[pairs->partner[s]];
    const OcpNode *theirs = pairs->s.nodes[s];
    if (both_containers(diff, mine, theirs) || !differs(diff, mine, theirs))
        return;
    const OcpNode *key = key_node(diff, pairs, pairs->partner[s]);
    begin_place(diff, PART_WAS);
    ocp_pointer_push_key(diff->place, key);
    ocp_build_member(part(diff, site, PART_WAS), key, was(diff, mine, theirs));
}

static void
add_new(Diff *diff, Site *site, Pairs *pairs, guint32 s, guint32 anchor)
{
    const OcpNode *list = site->parts[PART_NEW].container;
    begin_place(diff, PART_NEW);
    ocp_pointer_push_index(diff->place, list != NULL ? list->size : 0);
    g_string_append(diff->place, "/value");
    const OcpNode *value = ocp_patch_carry(diff, pairs->s.nodes[s]);
    if (value == NULL)
        return;
    pairs->fresh[s] = list != NULL ? list->size : 0;
    OcpBuilder build = ocp_build(diff->made, ocp_make_object(diff->made));
    ocp_build_named(&build, "after",
                    anchor == OCP_PATCH_NONE ? ocp_make_null(diff->made)
                                             : key_node(diff, pairs, anchor));
    ocp_build_named(&build, "value", value);
    ocp_build_element(part(diff, site, PART_NEW), build.container);
}

/* Order where it differs; else the keys up to the last anchor, to know what an anchor
 * that is gone stood behind. Places know their neighbours by themselves. */
static void
keep_order(Diff *diff, Site *site, Pairs *pairs, guint32 last_anchor)
{
    bool moved = false;
    guint32 before = 0;
    for (guint32 s = 0; s < pairs->s.size; s++) {
        if (pairs->partner[s] == OCP_PATCH_NONE)
            continue;
        moved = moved || pairs->partner[s] < before;
        before = pairs->partner[s];
    }
    if (!moved && (last_anchor == OCP_PATCH_NONE || pairs->w.ids == NULL))
        return;
    g_autofree guint32 *rank = g_new0(guint32, pairs->w.size);
    OcpBuilder keys = ocp_build(diff->made, ocp_make_array(diff->made));
    for (guint32 w = 0; w < pairs->w.size && (moved || w <= last_anchor); w++) {
        if (pairs->taken[w] == OCP_PATCH_NONE)
            continue;
        rank[w] = keys.container->size;
        ocp_build_element(&keys, key_node(diff, pairs, w));
    }
    ocp_build_element(part(diff, site, PART_ORDER), keys.container);
    if (!moved)
        return;
    OcpBuilder indices = ocp_build(diff->made, ocp_make_array(diff->made));
    for (guint32 s = 0; s < pairs->s.size; s++)
        if (pairs->partner[s] != OCP_PATCH_NONE)
            ocp_build_element(&indices,
                              ocp_make_integer(diff->made, rank[pairs->partner[s]]));
    ocp_build_element(part(diff, site, PART_ORDER), indices.container);
}

static void
array_site(Diff *diff, Pairs *pairs, const OcpNode *s)
{
    Site site = {0};
    guint32 anchor = OCP_PATCH_NONE;
    guint32 last_anchor = OCP_PATCH_NONE;
    for (guint32 i = 0; i < pairs->s.size; i++) {
        if (pairs->partner[i] != OCP_PATCH_NONE) {
            anchor = pairs->partner[i];
            diff_paired(diff, &site, pairs, i);
            continue;
        }
        add_new(diff, &site, pairs, i, anchor);
        if (anchor != OCP_PATCH_NONE)
            last_anchor = anchor;
    }
    for (guint32 i = 0; i < pairs->w.size; i++)
        if (pairs->taken[i] == OCP_PATCH_NONE)
            ocp_build_member(part(diff, &site, PART_GONE), key_node(diff, pairs, i),
                             ocp_patch_base(diff->made, pairs->w.nodes[i]));
    keep_order(diff, &site, pairs, last_anchor);
    g_string_printf(diff->place, "/%u", diff->patch.container->size);
    if (finish_site(diff, &site) && s->size == 0)
        ocp_patch_report(diff, s);
}

static void
align(Diff *diff, Pairs *pairs)
{
    pairs->partner = g_new(guint32, pairs->s.size);
    pairs->taken = g_new(guint32, pairs->w.size);
    pairs->fresh = g_new(guint32, pairs->s.size);
    pairs->same = g_new0(bool, pairs->s.size);
    pairs->key = g_string_new(NULL);
    for (guint32 i = 0; i < pairs->s.size; i++)
        pairs->fresh[i] = OCP_PATCH_NONE;
    if (!diff->same) {
        ocp_patch_align(&pairs->w, &pairs->s, diff->keys, pairs->partner, pairs->taken,
                        pairs->same);
        return;
    }
    for (guint32 i = 0; i < pairs->s.size; i++) {
        pairs->partner[i] = pairs->taken[i] = i;
        pairs->same[i] = true;
    }
}

static void
diff_elements(Diff *diff, Pairs *pairs)
{
    gsize length = diff->at->len;
    bool same = diff->same;
    for (guint32 i = 0; i < pairs->s.size; i++) {
        if (pairs->partner[i] == OCP_PATCH_NONE ||
            (pairs->same[i] && !diff->keys->member_order))
            continue;
        const OcpNode *mine = pairs->w.nodes[pairs->partner[i]];
        const OcpNode *theirs = pairs->s.nodes[i];
        if (mine == theirs || !both_containers(diff, mine, theirs))
            continue;
        ocp_patch_key_append(&pairs->w, pairs->partner[i],
                             g_string_truncate(pairs->key, 0));
        ocp_patch_push_key(diff->at, pairs->key->str, pairs->key->len);
        diff->same = pairs->same[i];
        diff_pair(diff, mine, theirs);
        g_string_truncate(diff->at, length);
    }
    diff->same = same;
}

static void
diff_array(Diff *diff, const OcpNode *w, const OcpNode *s)
{
    Pairs pairs = {0};
    ocp_patch_elements_init(&pairs.w, w, diff->keys);
    ocp_patch_elements_init(&pairs.s, s, NULL);
    align(diff, &pairs);
    if (!diff->same)
        array_site(diff, &pairs, s);
    diff_elements(diff, &pairs);
    if (diff->copies != NULL)
        ocp_patch_copies_keep(diff->copies, w, s, &pairs);
    else
        ocp_patch_pairs_clear(&pairs);
}

/* Two containers of one kind that are not one node. */
static void
diff_pair(Diff *diff, const OcpNode *w, const OcpNode *s)
{
    if (ocp_patch_skips(diff, s))
        return;
    diff->steps++;
    if (diff->copies != NULL)
        ocp_patch_copies_enter(diff->copies, s);
    if (s->kind == OCP_OBJECT)
        diff_object(diff, w, s);
    else
        diff_array(diff, w, s);
    if (diff->copies != NULL)
        ocp_patch_copies_leave(diff->copies);
    diff->steps--;
}

OcpNode *
ocp_patch_diff(OcpDocument *made, const OcpNode *w, const OcpNode *s,
               const OcpPatchKeys *keys, OcpPatchCarried carried, gpointer carried_data)
{
    static const OcpPatchKeys none = {0};
    g_autoptr(GString) at = g_string_new(NULL);
    g_autoptr(GString) place = g_string_new(NULL);
    g_autoptr(GHashTable) nodes = g_hash_table_new(g_direct_hash, g_direct_equal);
    Diff diff = {.made = made,
                 .keys = keys != NULL ? keys : &none,
                 .carried = carried,
                 .carried_data = carried_data,
                 .patch = ocp_build(made, ocp_make_array(made)),
                 .at = at,
                 .place = place,
                 .touched = nodes};
    w = ocp_deref(w);
    s = ocp_deref(s);
    if (both_containers(&diff, w, s)) {
        diff.same = ocp_equal(w, s);
        if (diff.keys->copy_of != NULL)
            diff.copies = ocp_patch_copies_new();
        if (w != s && (!diff.same || diff.keys->member_order))
            diff_pair(&diff, w, s);
        if (diff.copies != NULL)
            ocp_patch_copies_close(&diff, w, s);
        ocp_patch_copies_free(diff.copies);
    } else if (differs(&diff, w, s)) {
        Site site = {0};
        begin_place(&diff, PART_ROOT);
        site.parts[PART_ROOT] = ocp_build(made, was(&diff, w, s));
        finish_site(&diff, &site);
    }
    return diff.patch.container;
}
