/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two models, before and after a way through a dialect: every difference must be a leaf
 * that was omitted, or one that the reports call made or changed.
 */
#include <string.h>

#include "laws.h"

typedef struct {
    GHashTable *omitted; /* pointers in the model before */
    GHashTable *named;   /* pointers in the model after */
    bool ids;            /* elements are the same if their ids are, wherever they stand */
    GString *left;       /* where we are, before and after */
    GString *right;
    const char *law;
    char *broken;
} Comparison;

/* ---- what the reports name ------------------------------------------------------------ */

static void
add(GHashTable *set, const char *pointer)
{
    g_hash_table_add(set, g_strdup(pointer));
}

static void
add_shown(GHashTable *set, const OcpLeaf *leaf)
{
    if (leaf->place != NULL)
        add(set, leaf->place);
    for (guint i = 0; leaf->places != NULL && i < leaf->places->len; i++)
        add(set, leaf->places->pdata[i]);
}

/* Places in the result of what the step made, changed, or shows though it was omitted. */
static GHashTable *
changed_by(const OcpAccount *account)
{
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < account->made->len; i++)
        add(set, ((const OcpMadeLeaf *)account->made->pdata[i])->pointer);
    for (guint i = 0; i < account->changes->len; i++)
        add(set, ((const OcpChange *)account->changes->pdata[i])->place);
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_OMITTED)
            add_shown(set, leaf);
    }
    return set;
}

static GHashTable *
named_after(const Turn *written, const Turn *read)
{
    g_autoptr(GHashTable) first = changed_by(written->outcome->write);
    GHashTable *named = changed_by(read->outcome->read);
    for (guint i = 0; i < read->outcome->read->fates->len; i++) {
        const OcpLeaf *leaf = read->outcome->read->fates->pdata[i];
        if (g_hash_table_contains(first, leaf->pointer))
            add_shown(named, leaf);
    }
    return named;
}

/* What reading makes anew for every document: its identity and what it was made from. */
static bool
is_engines(const char *pointer, const Tree *before, const Tree *after)
{
    static const char *const parts[] = {"/derivation", "/extensions", "/id", "/created_at"};
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
        if (g_str_has_prefix(pointer, parts[i]))
            return true;
    return g_str_has_prefix(pointer, "/resources/source/") ||
           tree_is_text(tree_get(after != NULL ? after : before, "id"), "source");
}

/* ---- comparing -------------------------------------------------------------------------- */

typedef struct {
    GHashTable *set;
    const char *pointer;
    bool all;
} Leaves;

static void
look_up(const Tree *leaf, const char *below, gpointer data)
{
    Leaves *leaves = data;
    (void)leaf;
    g_autofree char *pointer = g_strconcat(leaves->pointer, below, NULL);
    leaves->all = leaves->all && g_hash_table_contains(leaves->set, pointer);
}

static bool
all_in(GHashTable *set, const Tree *tree, const char *pointer)
{
    Leaves leaves = {set, pointer, tree != NULL};
    if (tree != NULL)
        tree_each_leaf(tree, look_up, &leaves);
    return leaves.all;
}

static void
differ(Comparison *comparison, const Tree *before, const Tree *after)
{
    if (comparison->broken != NULL ||
        all_in(comparison->omitted, before, comparison->left->str) ||
        all_in(comparison->named, after, comparison->right->str) ||
        (comparison->ids && is_engines(comparison->left->str, before, after)))
        return;
    g_autofree char *was = before != NULL ? tree_compact(before) : g_strdup("nothing");
    g_autofree char *is = after != NULL ? tree_compact(after) : g_strdup("nothing");
    comparison->broken =
        g_strdup_printf("%s: %s was %.200s and came back as %.200s", comparison->law,
                        comparison->left->str, was, is);
}

static void compare(Comparison *comparison, const Tree *before, const Tree *after);

static void
step(Comparison *comparison, const char *left, const char *right, const Tree *before,
     const Tree *after)
{
    gsize left_length = comparison->left->len, right_length = comparison->right->len;
    tree_pointer_push(comparison->left, left);
    tree_pointer_push(comparison->right, right);
    compare(comparison, before, after);
    g_string_truncate(comparison->left, left_length);
    g_string_truncate(comparison->right, right_length);
}

static const Tree *
with_id(const Tree *array, const char *id)
{
    for (guint i = 0; i < array->items->len; i++)
        if (tree_is_text(tree_get(array->items->pdata[i], "id"), id))
            return array->items->pdata[i];
    return NULL;
}

static bool
has_ids(const Tree *array)
{
    for (guint i = 0; i < array->items->len; i++)
        if (!tree_is(tree_get(array->items->pdata[i], "id"), OCP_STRING))
            return false;
    return true;
}

static void
compare_by_ids(Comparison *comparison, const Tree *before, const Tree *after)
{
    for (guint side = 0; side < 2; side++) {
        const Tree *from = side == 0 ? before : after;
        for (guint i = 0; i < from->items->len; i++) {
            const Tree *element = from->items->pdata[i];
            const char *id = tree_get(element, "id")->text->str;
            const Tree *other = with_id(side == 0 ? after : before, id);
            if (side == 0)
                step(comparison, id, id, element, other);
            else if (other == NULL)
                step(comparison, id, id, NULL, element);
        }
    }
}

/* Elements that were omitted whole have no partner; the others keep their order. */
static void
compare_in_order(Comparison *comparison, const Tree *before, const Tree *after)
{
    guint next = 0;
    for (guint i = 0; i < before->items->len; i++) {
        g_autofree char *left = g_strdup_printf("%u", i);
        g_autofree char *right = g_strdup_printf("%u", next);
        g_autofree char *pointer = g_strconcat(comparison->left->str, "/", left, NULL);
        const Tree *element = before->items->pdata[i];
        if (all_in(comparison->omitted, element, pointer))
            continue;
        step(comparison, left, right, element,
             next < after->items->len ? after->items->pdata[next] : NULL);
        next++;
    }
    for (; next < after->items->len; next++) {
        g_autofree char *right = g_strdup_printf("%u", next);
        step(comparison, right, right, NULL, after->items->pdata[next]);
    }
}

static void
compare(Comparison *comparison, const Tree *before, const Tree *after)
{
    bool deeper = before != NULL && after != NULL && before->kind == after->kind &&
                  before->items != NULL && before->items->len > 0 && after->items->len > 0;
    if (!deeper) {
        if (before == NULL || after == NULL || !tree_equal(before, after))
            differ(comparison, before, after);
    } else if (before->kind == OCP_ARRAY) {
        if (comparison->ids && has_ids(before) && has_ids(after))
            compare_by_ids(comparison, before, after);
        else
            compare_in_order(comparison, before, after);
    } else {
        for (guint i = 0; i < before->items->len; i++) {
            const char *name = before->names->pdata[i];
            step(comparison, name, name, before->items->pdata[i], tree_get(after, name));
        }
        for (guint i = 0; i < after->items->len; i++) {
            const char *name = after->names->pdata[i];
            if (tree_get(before, name) == NULL)
                step(comparison, name, name, NULL, after->items->pdata[i]);
        }
    }
}

/* The pointers with ids for places in lists. */
static GHashTable *
as_ids(GHashTable *pointers, Tree *model)
{
    GHashTable *paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GHashTableIter iter;
    gpointer pointer;
    g_hash_table_iter_init(&iter, pointers);
    while (g_hash_table_iter_next(&iter, &pointer, NULL))
        g_hash_table_add(paths, tree_path_by_ids(model, pointer));
    g_hash_table_unref(pointers);
    return paths;
}

char *
check_back_again(const Tree *model, const Turn *written, const Turn *read, const char *law,
                 bool ids)
{
    Comparison comparison = {.omitted = omitted_leaves(written->outcome->write),
                             .named = named_after(written, read),
                             .ids = ids,
                             .left = g_string_new(NULL),
                             .right = g_string_new(NULL),
                             .law = law};
    if (ids) {
        comparison.omitted = as_ids(comparison.omitted, (Tree *)model);
        comparison.named = as_ids(comparison.named, read->result);
    }
    add(comparison.named, "/derivation");
    compare(&comparison, model, read->result);
    g_hash_table_unref(comparison.omitted);
    g_hash_table_unref(comparison.named);
    g_string_free(comparison.left, TRUE);
    g_string_free(comparison.right, TRUE);
    return comparison.broken;
}

char *
tree_path_by_ids(Tree *model, const char *pointer)
{
    GString *path = g_string_new(NULL);
    g_autoptr(GString) so_far = g_string_new(NULL);
    g_auto(GStrv) steps = g_strsplit(pointer, "/", -1);
    for (char **at = steps; *at != NULL && *++at != NULL;) {
        g_string_append_printf(so_far, "/%s", *at);
        const Tree *id = tree_get(tree_at(model, so_far->str), "id");
        bool index = g_ascii_isdigit(**at);
        g_string_append_printf(path, "/%s",
                               index && tree_is(id, OCP_STRING) ? id->text->str : *at);
    }
    return g_string_free(path, FALSE);
}
