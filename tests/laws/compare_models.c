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
    GHashTable *told;    /* ... whose origin is told: may be added, not another */
    bool edited;         /* identity and source are made anew */
    GString *left;       /* where we are, before and after */
    GString *right;
    bool in_source; /* below the resource "source" of an edited model */
    const char *law;
    char *broken;
} Comparison;

/* ---- what the reports name ------------------------------------------------------- */

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

/* Places in the result of what the step made, changed, or shows though it was omitted.
 */
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

/* Places in the result that some leaf is said to show at. */
static GHashTable *
shown_by(const OcpAccount *account)
{
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < account->fates->len; i++)
        add_shown(set, account->fates->pdata[i]);
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

/* What reading makes anew for every document: how it was made, the carry, and for one
 * that was read before also its identity. */
static bool
is_engines(const Comparison *comparison)
{
    static const char *const parts[] = {"/derivation", "/extensions", "/id",
                                        "/created_at"};
    for (gsize i = 0; i < (comparison->edited ? 4 : 2); i++)
        if (g_str_has_prefix(comparison->left->str, parts[i]))
            return true;
    return comparison->in_source;
}

/* ---- comparing ------------------------------------------------------------------- */

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
        (before == NULL && all_in(comparison->told, after, comparison->right->str)) ||
        is_engines(comparison))
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

static void
step_at(Comparison *comparison, const Tree *before, guint i, const Tree *after, guint n)
{
    g_autofree char *left = g_strdup_printf("%u", i);
    g_autofree char *right = g_strdup_printf("%u", n);
    step(comparison, left, right,
         before != NULL && i < before->items->len ? before->items->pdata[i] : NULL,
         after != NULL && n < after->items->len ? after->items->pdata[n] : NULL);
}

static bool
same_id(const Tree *a, const Tree *b)
{
    const Tree *left = tree_get(a, "id"), *right = tree_get(b, "id");
    return left != NULL && right != NULL && tree_equal(left, right);
}

/* The same but for their ids. */
static bool
same_content(const Tree *a, const Tree *b)
{
    g_autoptr(Tree) left = tree_copy(a);
    g_autoptr(Tree) right = tree_copy(b);
    if (tree_is(left, OCP_OBJECT))
        tree_drop(left, "id");
    if (tree_is(right, OCP_OBJECT))
        tree_drop(right, "id");
    return tree_equal(left, right);
}

/* Elements of two lists that are to be partners: each has one at most. */
typedef struct {
    Comparison *comparison;
    const Tree *before;
    const Tree *after;
    int *partner; /* of each before: the place after, or -1 */
    int *taken;   /* of each after: the place before, or -1 */
    gint8 *fits; /* of each two: 0 nobody asked, 1 they differ in nothing unnamed, -1 */
    bool *tried; /* of each after, in one search */
} Pairing;

static Pairing *
pairing_new(Comparison *comparison, const Tree *before, const Tree *after)
{
    Pairing *pairing = g_new0(Pairing, 1);
    guint left = before->items->len, right = after->items->len;
    *pairing = (Pairing){.comparison = comparison,
                         .before = before,
                         .after = after,
                         .partner = g_new(int, left + 1),
                         .taken = g_new(int, right + 1),
                         .fits = g_new0(gint8, (gsize)left * right + 1),
                         .tried = g_new0(bool, right + 1)};
    for (guint i = 0; i < left; i++)
        pairing->partner[i] = -1;
    for (guint n = 0; n < right; n++)
        pairing->taken[n] = -1;
    return pairing;
}

static void
pairing_free(Pairing *pairing)
{
    g_free(pairing->partner);
    g_free(pairing->taken);
    g_free(pairing->fits);
    g_free(pairing->tried);
    g_free(pairing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pairing, pairing_free)

static bool
fits(Pairing *pairing, guint i, guint n)
{
    gint8 *known = &pairing->fits[(gsize)i * pairing->after->items->len + n];
    if (*known == 0) {
        step_at(pairing->comparison, pairing->before, i, pairing->after, n);
        *known = pairing->comparison->broken == NULL ? 1 : -1;
        g_clear_pointer(&pairing->comparison->broken, g_free);
    }
    return *known == 1;
}

/* True if nothing of the element before has to come back. */
static bool
is_omitted_whole(const Pairing *pairing, guint i)
{
    const Comparison *comparison = pairing->comparison;
    g_autofree char *pointer = g_strdup_printf("%s/%u", comparison->left->str, i);
    return all_in(comparison->omitted, pairing->before->items->pdata[i], pointer);
}

/* Pairs those that fit and are alike. */
static void
pair(Pairing *pairing, bool (*alike)(const Tree *, const Tree *))
{
    for (guint i = 0; i < pairing->before->items->len; i++) {
        bool open = !is_omitted_whole(pairing, i);
        for (guint n = 0;
             n < pairing->after->items->len && open && pairing->partner[i] < 0; n++) {
            if (pairing->taken[n] >= 0 ||
                !alike(pairing->before->items->pdata[i],
                       pairing->after->items->pdata[n]) ||
                !fits(pairing, i, n))
                continue;
            pairing->partner[i] = (int)n;
            pairing->taken[n] = (int)i;
        }
    }
}

/* Finds a partner for the element, others changing theirs if need be. */
static bool
pair_somehow(Pairing *pairing, guint i)
{
    for (guint n = 0; n < pairing->after->items->len; n++) {
        if (pairing->tried[n] || !fits(pairing, i, n))
            continue;
        pairing->tried[n] = true;
        if (pairing->taken[n] >= 0 && !pair_somehow(pairing, (guint)pairing->taken[n]))
            continue;
        pairing->partner[i] = (int)n;
        pairing->taken[n] = (int)i;
        return true;
    }
    return false;
}

/* Those that may stay alone come last: they take no one's partner. */
static void
pair_rest(Pairing *pairing, bool omitted)
{
    for (guint i = 0; i < pairing->before->items->len; i++) {
        if (pairing->partner[i] >= 0 || is_omitted_whole(pairing, i) != omitted)
            continue;
        memset(pairing->tried, 0, pairing->after->items->len * sizeof *pairing->tried);
        pair_somehow(pairing, i);
    }
}

/* Ids that say a place shift when a neighbour goes, and lists that a dialect sorts come
 * back sorted: who says the same first, then who has the same id, then who fits. */
static void
compare_in_any_order(Comparison *comparison, const Tree *before, const Tree *after)
{
    g_autoptr(Pairing) pairing = pairing_new(comparison, before, after);
    pair(pairing, same_content);
    pair(pairing, same_id);
    pair_rest(pairing, false);
    pair_rest(pairing, true);
    for (guint i = 0; i < before->items->len; i++)
        if (pairing->partner[i] < 0)
            step_at(comparison, before, i, NULL, i);
    for (guint n = 0; n < after->items->len; n++)
        if (pairing->taken[n] < 0)
            step_at(comparison, NULL, n, after, n);
}

/* Elements that were omitted whole have no partner; the others keep their order. */
static void
compare_in_order(Comparison *comparison, const Tree *before, const Tree *after)
{
    guint next = 0;
    for (guint i = 0; i < before->items->len; i++) {
        g_autofree char *pointer = g_strdup_printf("%s/%u", comparison->left->str, i);
        if (!all_in(comparison->omitted, before->items->pdata[i], pointer))
            step_at(comparison, before, i, after, next++);
    }
    for (; next < after->items->len; next++)
        step_at(comparison, NULL, next, after, next);
}

/* Either way of pairing will do, if with it every difference is named. */
static void
compare_arrays(Comparison *comparison, const Tree *before, const Tree *after)
{
    bool sound = comparison->broken == NULL;
    compare_in_order(comparison, before, after);
    if (!sound || comparison->broken == NULL)
        return;
    char *first = g_steal_pointer(&comparison->broken);
    compare_in_any_order(comparison, before, after);
    if (comparison->broken != NULL) {
        g_free(comparison->broken);
        comparison->broken = first;
    } else {
        g_free(first);
    }
}

static void
compare_members(Comparison *comparison, const Tree *before, const Tree *after)
{
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

static void
compare(Comparison *comparison, const Tree *before, const Tree *after)
{
    /* what is missing is as if it were empty: its leaves are asked for one by one */
    const Tree *there = before != NULL ? before : after;
    g_autoptr(Tree) empty = tree_new(there->kind);
    const Tree *left = before != NULL ? before : empty;
    const Tree *right = after != NULL ? after : empty;
    bool deeper = left->kind == right->kind && left->items != NULL &&
                  (before == NULL || left->items->len > 0) &&
                  (after == NULL || right->items->len > 0) &&
                  left->items->len + right->items->len > 0;
    bool in_source = comparison->in_source;
    comparison->in_source =
        in_source ||
        (comparison->edited && g_str_has_prefix(comparison->left->str, "/resources/") &&
         tree_is_text(tree_get(there, "id"), "source") &&
         (before == NULL || after == NULL || same_id(before, after)));
    if (!deeper) {
        if (before == NULL || after == NULL || !tree_equal(before, after))
            differ(comparison, before, after);
    } else if (left->kind == OCP_ARRAY) {
        compare_arrays(comparison, left, right);
    } else {
        compare_members(comparison, left, right);
    }
    comparison->in_source = in_source;
}

char *
check_back_again(const Tree *model, const Turn *written, const Turn *read,
                 const char *law, bool edited)
{
    Comparison comparison = {.omitted = omitted_leaves(written->outcome->write),
                             .named = named_after(written, read),
                             .told = shown_by(read->outcome->read),
                             .edited = edited,
                             .left = g_string_new(NULL),
                             .right = g_string_new(NULL),
                             .law = law};
    compare(&comparison, model, read->result);
    g_hash_table_unref(comparison.omitted);
    g_hash_table_unref(comparison.named);
    g_hash_table_unref(comparison.told);
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
