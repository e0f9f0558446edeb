/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "value/equal.h"

#include <string.h>

/*
 * Which element of s is which element of w: by the ids reading made of it, then by
 * equal value, then by place.
 */

/* A "#" in an id would make keys ambiguous, and no local id has one. */
static bool
usable_id(const char *id)
{
    if (id == NULL || !g_ascii_isalnum(*id))
        return false;
    for (; *id != '\0'; id++)
        if (!g_ascii_isalnum(*id) && strchr("._:-", *id) == NULL)
            return false;
    return true;
}

static void
count_twins(OcpPatchElements *elements)
{
    elements->nth = g_new(guint32, elements->size);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < elements->size; i++) {
        const char *id = elements->ids[i];
        if (id == NULL)
            continue;
        elements->nth[i] = GPOINTER_TO_UINT(g_hash_table_lookup(seen, id)) + 1;
        g_hash_table_insert(seen, (gpointer)id, GUINT_TO_POINTER(elements->nth[i]));
    }
}

void
ocp_patch_elements_init(OcpPatchElements *elements, const OcpNode *array,
                        const OcpPatchKeys *keys)
{
    memset(elements, 0, sizeof *elements);
    elements->size = array != NULL ? array->size : 0;
    elements->nodes = g_new(const OcpNode *, elements->size);
    OcpIter iter = ocp_iter(array);
    for (guint32 i = 0; i < elements->size; i++)
        elements->nodes[i] = ocp_iter_element(&iter);
    if (keys == NULL || keys->key == NULL)
        return;
    for (guint32 i = 0; i < elements->size; i++) {
        const char *id = keys->key(elements->nodes[i], keys->data);
        if (!usable_id(id))
            continue;
        if (elements->ids == NULL)
            elements->ids = g_new0(const char *, elements->size);
        elements->ids[i] = id;
    }
    if (elements->ids != NULL)
        count_twins(elements);
}

void
ocp_patch_elements_clear(OcpPatchElements *elements)
{
    g_free(elements->nodes);
    g_free(elements->ids);
    g_free(elements->nth);
    memset(elements, 0, sizeof *elements);
}

void
ocp_patch_key_append(const OcpPatchElements *elements, guint32 i, GString *out)
{
    if (elements->ids == NULL || elements->ids[i] == NULL)
        g_string_append_printf(out, "#%u", i + 1);
    else if (elements->nth[i] == 1)
        g_string_append(out, elements->ids[i]);
    else
        g_string_append_printf(out, "%s#%u", elements->ids[i], elements->nth[i]);
}

typedef struct {
    const OcpPatchElements *w;
    const OcpPatchElements *s;
    const OcpPatchKeys *keys;
    guint32 *partner;
    guint32 *taken;
    bool *same;
    guint32 *chain; /* by w element: the next that is the same to the table at work */
} Align;

static void
pair(Align *align, guint32 w, guint32 s)
{
    align->partner[s] = w;
    align->taken[w] = s;
}

/* Puts w element i before those that are the same; so fill from the last to the first.
 */
static void
chain_up(Align *align, GHashTable *table, gconstpointer same, guint32 i)
{
    gpointer head = g_hash_table_lookup(table, same);
    align->chain[i] = head != NULL ? GPOINTER_TO_UINT(head) - 1 : OCP_PATCH_NONE;
    g_hash_table_insert(table, (gpointer)same, GUINT_TO_POINTER(i + 1));
}

/* The first untaken w element of a chain, and the chain cut down to it. */
static guint32
chain_head(Align *align, GHashTable *table, gconstpointer same)
{
    gpointer head = g_hash_table_lookup(table, same);
    if (head == NULL)
        return OCP_PATCH_NONE;
    guint32 i = GPOINTER_TO_UINT(head) - 1;
    if (align->taken[i] == OCP_PATCH_NONE)
        return i;
    while (i != OCP_PATCH_NONE && align->taken[i] != OCP_PATCH_NONE)
        i = align->chain[i];
    if (i == OCP_PATCH_NONE)
        g_hash_table_remove(table, same);
    else
        g_hash_table_insert(table, (gpointer)same, GUINT_TO_POINTER(i + 1));
    return i;
}

static void
align_by_id(Align *align)
{
    if (align->w->ids == NULL || align->keys->made == NULL)
        return;
    g_autoptr(GHashTable) table = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = align->w->size; i-- > 0;)
        if (align->w->ids[i] != NULL)
            chain_up(align, table, align->w->ids[i], i);
    for (guint32 s = 0; s < align->s->size; s++) {
        guint32 first = OCP_PATCH_NONE;
        const char *id;
        for (guint n = 0;
             (id = align->keys->made(align->s->nodes[s], n, align->keys->data)) != NULL;
             n++)
            first = MIN(first, chain_head(align, table, id));
        if (first != OCP_PATCH_NONE)
            pair(align, first, s);
    }
}

static guint
value_hash(gconstpointer node)
{
    return ocp_hash(node);
}

static gboolean
value_equal(gconstpointer a, gconstpointer b)
{
    return ocp_equal(a, b);
}

static bool
both_have_left(const Align *align)
{
    bool w = false;
    bool s = false;
    for (guint32 i = 0; i < align->w->size && !w; i++)
        w = align->taken[i] == OCP_PATCH_NONE;
    for (guint32 i = 0; i < align->s->size && !s; i++)
        s = align->partner[i] == OCP_PATCH_NONE;
    return w && s;
}

static void
align_by(Align *align, GHashFunc hash, GEqualFunc equal)
{
    if (!both_have_left(align))
        return;
    g_autoptr(GHashTable) table = g_hash_table_new(hash, equal);
    for (guint32 i = align->w->size; i-- > 0;)
        if (align->taken[i] == OCP_PATCH_NONE)
            chain_up(align, table, align->w->nodes[i], i);
    for (guint32 s = 0; s < align->s->size; s++) {
        if (align->partner[s] != OCP_PATCH_NONE)
            continue;
        guint32 i = chain_head(align, table, align->s->nodes[s]);
        if (i == OCP_PATCH_NONE)
            continue;
        pair(align, i, s);
        align->same[s] = true;
    }
}

static int
sort_of(const OcpNode *node)
{
    return ocp_is_container(node) ? node->kind : OCP_NULL;
}

static bool
is_skipped(const Align *align, guint32 s)
{
    return align->keys->skip != NULL &&
           align->keys->skip(align->s->nodes[s], align->keys->data);
}

/* An element goes with the one behind its neighbour's partner, so that an insertion or
 * a loss moves none of the others. What is skipped takes what is left over. */
static void
align_by_place(Align *align, bool skipped)
{
    if (align->w->ids != NULL || !both_have_left(align))
        return;
    guint32 place = 0;
    for (guint32 s = 0; s < align->s->size; s++) {
        if (align->partner[s] == OCP_PATCH_NONE && place < align->w->size &&
            align->taken[place] == OCP_PATCH_NONE &&
            sort_of(align->w->nodes[place]) == sort_of(align->s->nodes[s]) &&
            is_skipped(align, s) == skipped)
            pair(align, place, s);
        if (align->partner[s] != OCP_PATCH_NONE)
            place = align->partner[s] + 1;
    }
}

void
ocp_patch_align(const OcpPatchElements *w, const OcpPatchElements *s,
                const OcpPatchKeys *keys, guint32 *partner, guint32 *taken, bool *same)
{
    for (guint32 i = 0; i < s->size; i++)
        partner[i] = OCP_PATCH_NONE;
    for (guint32 i = 0; i < w->size; i++)
        taken[i] = OCP_PATCH_NONE;
    g_autofree guint32 *chain = g_new(guint32, w->size);
    Align align = {w, s, keys, partner, taken, same, chain};
    align_by_id(&align);
    align_by(&align, g_direct_hash, g_direct_equal);
    align_by(&align, value_hash, value_equal);
    align_by_place(&align, false);
    align_by_place(&align, true);
}
