/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/equal.h"
#include "value/number.h"

#include <string.h>

/*
 * The merge of arrays: which elements stay, in which order, and where new ones go.
 */

typedef struct {
    OcpPatchElements w;
    const OcpNode **values; /* by w element: merged, NULL if dropped */
    const char **keys;      /* by w element */
    GHashTable *index;      /* key to 1-based w element that is left */
    GHashTable *moved_to; /* key that is gone to the same of its nearest predecessor */
    guint32 *order;       /* of what is left, by w element */
    guint32 left;
    bool changed;
} Elements;

static const OcpNode *
merge_element(OcpPatchApply *apply, OcpPatchPlace *place, const char *key,
              const OcpNode *mine)
{
    const OcpNode *base = ocp_member(ocp_patch_part(place, "gone"), key);
    if (base != NULL) {
        bool drop = ocp_patch_base_matches(base, mine);
        ocp_patch_note(apply, drop ? OCP_PATCH_RESTORED : OCP_PATCH_YIELDED, place, key,
                       NULL);
        return drop ? NULL : mine;
    }
    const OcpNode *name = NULL;
    const OcpNode *pair =
        ocp_member_sized(ocp_patch_part(place, "was"), key, strlen(key), &name);
    if (pair != NULL) {
        const OcpNode *theirs = ocp_element(pair, 1);
        bool same = ocp_patch_base_matches(ocp_element(pair, 0), mine);
        bool told = same || ocp_equal(theirs, mine);
        ocp_patch_note(apply, told ? OCP_PATCH_RESTORED : OCP_PATCH_YIELDED, place, key,
                       theirs);
        return same ? ocp_patch_restore(apply, place, "was", name, 0, theirs) : mine;
    }
    OcpPatchPlace *below =
        ocp_patch_tree_find(&apply->tree, place, true, key, strlen(key));
    return below != NULL ? ocp_patch_merge(apply, mine, below) : mine;
}

static void
merge_elements(OcpPatchApply *apply, OcpPatchPlace *place, Elements *elements)
{
    guint32 count = elements->w.size;
    elements->values = g_new0(const OcpNode *, count);
    elements->keys = g_new0(const char *, count);
    g_autoptr(GString) key = g_string_new(NULL);
    for (guint32 i = 0; i < count; i++) {
        ocp_patch_key_append(&elements->w, i, g_string_truncate(key, 0));
        elements->keys[i] = ocp_arena_copy(apply->tree.arena, key->str, key->len);
        elements->values[i] =
            merge_element(apply, place, elements->keys[i], elements->w.nodes[i]);
        bool changed = elements->values[i] != elements->w.nodes[i];
        elements->changed = elements->changed || changed;
        if (changed && elements->values[i] != NULL &&
            elements->values[i]->kind != OCP_LINK && apply->keys != NULL &&
            apply->keys->merged != NULL)
            apply->keys->merged(elements->values[i], elements->w.nodes[i],
                                apply->keys->data);
        if (elements->values[i] != NULL)
            g_hash_table_insert(elements->index, (gpointer)elements->keys[i],
                                GUINT_TO_POINTER(i + 1));
    }
    const OcpNode *name;
    const OcpNode *pair;
    g_autoptr(GHashTable) all = g_hash_table_new(g_str_hash, g_str_equal);
    OcpIter iter = ocp_iter(ocp_patch_part(place, "was"));
    if (iter.at != NULL)
        for (guint32 i = 0; i < count; i++)
            g_hash_table_add(all, (gpointer)elements->keys[i]);
    while (ocp_iter_member(&iter, &name, &pair)) {
        g_autofree char *text = ocp_text_dup(name);
        if (!g_hash_table_contains(all, text))
            ocp_patch_note(apply, OCP_PATCH_ORPHANED, place, text,
                           ocp_element(pair, 1));
    }
    for (OcpPatchPlace *at = place->first; at != NULL; at = at->next)
        if (!at->met)
            ocp_patch_leave(apply, at, OCP_PATCH_ORPHANED);
}

/* Reads order: keys in w's order, and of each its place in s's order. */
typedef struct {
    guint32 size;
    char **keys;
    gint64 *indices; /* by place in s: which key */
    bool moves;
} Order;

static void
read_order(Order *order, const OcpNode *part)
{
    const OcpNode *keys = ocp_element(part, 0);
    const OcpNode *indices = ocp_element(part, 1);
    order->size = keys != NULL ? keys->size : 0;
    order->moves = indices != NULL;
    order->keys = g_new0(char *, order->size + 1);
    order->indices = g_new0(gint64, order->size);
    OcpIter key = ocp_iter(keys);
    OcpIter index = ocp_iter(indices);
    for (guint32 i = 0; i < order->size; i++) {
        order->keys[i] = ocp_text_dup(ocp_iter_element(&key));
        order->indices[i] = i;
        if (indices != NULL)
            ocp_number_to_int64(ocp_iter_element(&index), &order->indices[i]);
    }
}

static guint32
find_left(const Elements *elements, const char *key)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(elements->index, key));
}

/* Ranks what is left by s's order; false if w' has moved some of it: then mine stands.
 */
static bool
rank_elements(const Elements *elements, const Order *order, guint32 *rank)
{
    guint32 before = 0;
    for (guint32 i = 0; i < elements->w.size; i++)
        rank[i] = OCP_PATCH_NONE;
    for (guint32 i = 0; i < order->size; i++) {
        guint32 at = find_left(elements, order->keys[i]);
        if (at == 0)
            continue;
        if (at <= before)
            return false;
        before = at;
    }
    for (guint32 i = 0; i < order->size; i++) {
        guint32 at = find_left(elements, order->keys[order->indices[i]]);
        if (at != 0)
            rank[at - 1] = i;
    }
    return true;
}

static void
order_elements(Elements *elements, const Order *order)
{
    guint32 count = elements->w.size;
    g_autofree guint32 *rank = g_new(guint32, count);
    g_autofree guint32 *kept = g_new(guint32, count);
    g_autofree guint32 *numbers = g_new(guint32, count);
    bool ranked = order->moves && rank_elements(elements, order, rank);
    for (guint32 i = 0; i < count; i++) {
        if (elements->values[i] == NULL)
            continue;
        kept[elements->left] = i;
        rank[elements->left++] = ranked ? rank[i] : OCP_PATCH_NONE;
    }
    elements->order = g_new(guint32, count);
    ocp_patch_arrange(rank, elements->left, ranked ? order->size : 0, numbers);
    for (guint32 i = 0; i < elements->left; i++) {
        elements->order[i] = kept[numbers[i]];
        elements->changed =
            elements->changed || (i > 0 && elements->order[i] < elements->order[i - 1]);
    }
    guint32 last = 0;
    for (guint32 i = 0; i < order->size; i++) {
        char *key = order->keys[order->indices[i]];
        guint32 at = find_left(elements, key);
        if (at != 0)
            last = at;
        else
            g_hash_table_insert(elements->moved_to, key, GUINT_TO_POINTER(last));
    }
}

/* The 1-based w element a new element comes after, 0 for the start. */
static guint32
find_anchor(const Elements *elements, const OcpNode *after)
{
    if (after->kind != OCP_STRING)
        return 0;
    g_autofree char *key = ocp_text_dup(after);
    guint32 at = find_left(elements, key);
    if (at != 0)
        return at;
    gpointer last = NULL;
    if (g_hash_table_lookup_extended(elements->moved_to, key, NULL, &last))
        return GPOINTER_TO_UINT(last);
    guint64 place = 0;
    if (key[0] == '#')
        g_ascii_string_to_unsigned(key + 1, 10, 1, G_MAXUINT32, &place, NULL);
    return (guint32)MIN(place, elements->w.size);
}

/* new entries by the w element they come after, each chain in the patch's order. */
typedef struct {
    guint32 *first; /* by 1-based w element: 1-based entry */
    guint32 *last;
    guint32 *next; /* by entry */
    const OcpNode **values;
} Insertions;

static void
read_insertions(OcpPatchApply *apply, OcpPatchPlace *place, const Elements *elements,
                Insertions *insertions)
{
    const OcpNode *list = ocp_patch_part(place, "new");
    guint32 count = list != NULL ? list->size : 0;
    /* an anchor that was dropped stands for the nearest before it that is left */
    g_autofree guint32 *standing = g_new0(guint32, elements->w.size + 1);
    for (guint32 i = 1; i <= elements->w.size; i++)
        standing[i] = elements->values[i - 1] != NULL ? i : standing[i - 1];
    insertions->first = g_new0(guint32, elements->w.size + 1);
    insertions->last = g_new0(guint32, elements->w.size + 1);
    insertions->next = g_new0(guint32, count + 1);
    insertions->values = g_new0(const OcpNode *, count + 1);
    OcpIter iter = ocp_iter(list);
    for (guint32 n = 1; n <= count; n++) {
        const OcpNode *entry = ocp_iter_element(&iter);
        const OcpNode *after = ocp_member(entry, "after");
        guint32 at = standing[find_anchor(elements, after)];
        const OcpNode *value = ocp_member(entry, "value");
        insertions->values[n] =
            ocp_patch_restore(apply, place, "new", NULL, n - 1, value);
        if (insertions->first[at] == 0)
            insertions->first[at] = n;
        else
            insertions->next[insertions->last[at]] = n;
        insertions->last[at] = n;
        g_autofree char *member =
            after->kind == OCP_STRING ? ocp_text_dup(after) : NULL;
        ocp_patch_note(apply, OCP_PATCH_RESTORED, place, member, value);
    }
}

static void
insert_after(OcpBuilder *build, const Insertions *insertions, guint32 at)
{
    for (guint32 n = insertions->first[at]; n != 0; n = insertions->next[n])
        ocp_build_element(build, insertions->values[n]);
}

/* Lets copies find the elements. */
static void
index_built(OcpPatchApply *apply, const OcpNode *array, const Elements *elements,
            const Insertions *insertions, guint32 inserted)
{
    for (guint32 i = 0; i < elements->w.size; i++)
        if (elements->values[i] != NULL)
            ocp_patch_built_element(apply, array, elements->keys[i],
                                    elements->values[i]);
    for (guint32 n = 0; n < inserted; n++) {
        g_autofree char *key = g_strdup_printf("+%u", n);
        ocp_patch_built_element(apply, array, key, insertions->values[n + 1]);
    }
}

static OcpNode *
build_array(OcpPatchApply *apply, OcpPatchPlace *place, const Elements *elements)
{
    Insertions insertions = {0};
    read_insertions(apply, place, elements, &insertions);
    OcpBuilder build = ocp_build(apply->made, ocp_make_array(apply->made));
    insert_after(&build, &insertions, 0);
    for (guint32 i = 0; i < elements->left; i++) {
        ocp_build_element(&build, elements->values[elements->order[i]]);
        insert_after(&build, &insertions, elements->order[i] + 1);
    }
    ocp_patch_built(apply, build.container);
    const OcpNode *fresh = ocp_patch_part(place, "new");
    if (apply->holes != NULL)
        index_built(apply, build.container, elements, &insertions,
                    fresh != NULL ? fresh->size : 0);
    g_free(insertions.first);
    g_free(insertions.last);
    g_free(insertions.next);
    g_free(insertions.values);
    return build.container;
}

/* w: the array, or NULL if it is no longer made. NULL if nothing is left of that. */
const OcpNode *
ocp_patch_merge_array(OcpPatchApply *apply, const OcpNode *w, OcpPatchPlace *place)
{
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) moved_to = g_hash_table_new(g_str_hash, g_str_equal);
    Elements elements = {.index = index, .moved_to = moved_to};
    ocp_patch_elements_init(&elements.w, w, apply->keys);
    merge_elements(apply, place, &elements);
    Order order;
    read_order(&order, ocp_patch_part(place, "order"));
    order_elements(&elements, &order);
    const OcpNode *result = w;
    if (elements.changed || ocp_patch_part(place, "new") != NULL)
        result = build_array(apply, place, &elements);
    g_hash_table_remove_all(moved_to);
    g_strfreev(order.keys);
    g_free(order.indices);
    g_free(elements.order);
    g_free(elements.values);
    g_free(elements.keys);
    ocp_patch_elements_clear(&elements.w);
    return result;
}
