/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "laws.h"

typedef struct {
    Laws *laws;
    Law law;
    Tree *document;
    char *failure; /* "L2:" */
    guint tries;
} Shrinking;

/* A failure is the same if it breaks the same law. */
static bool
fails(Shrinking *shrinking)
{
    if (shrinking->tries == 0)
        return false;
    shrinking->tries--;
    guint documents = shrinking->laws->documents, edits = shrinking->laws->edits;
    g_autofree char *broken = shrinking->law(shrinking->laws, shrinking->document);
    shrinking->laws->documents = documents;
    shrinking->laws->edits = edits;
    return broken != NULL && g_str_has_prefix(broken, shrinking->failure);
}

static bool shrink_tree(Shrinking *shrinking, Tree *tree);

/* Tries to do without each child. */
static bool
drop_children(Shrinking *shrinking, Tree *tree)
{
    bool smaller = false;
    for (guint i = tree->items->len; i > 0; i--) {
        Tree *child = tree->items->pdata[i - 1];
        char *name = tree->names != NULL ? g_strdup(tree->names->pdata[i - 1]) : NULL;
        g_ptr_array_remove_index(tree->items, i - 1);
        if (name != NULL)
            g_ptr_array_remove_index(tree->names, i - 1);
        if (fails(shrinking)) {
            tree_free(child);
            g_free(name);
            smaller = true;
            continue;
        }
        g_ptr_array_insert(tree->items, (gint)i - 1, child);
        if (name != NULL)
            g_ptr_array_insert(tree->names, (gint)i - 1, name);
    }
    return smaller;
}

static bool
shorten(Shrinking *shrinking, Tree *tree)
{
    static const char *const shorter[] = {"", "a"};
    for (gsize i = 0; i < G_N_ELEMENTS(shorter) && tree->text->len > 1; i++) {
        GString *text = tree->text;
        tree->text = g_string_new(shorter[i]);
        if (fails(shrinking)) {
            g_string_free(text, TRUE);
            return true;
        }
        g_string_free(tree->text, TRUE);
        tree->text = text;
    }
    return false;
}

static bool
shrink_tree(Shrinking *shrinking, Tree *tree)
{
    if (tree->kind == OCP_STRING)
        return shorten(shrinking, tree);
    if (tree->items == NULL)
        return false;
    bool smaller = drop_children(shrinking, tree);
    for (guint i = 0; i < tree->items->len; i++)
        smaller = shrink_tree(shrinking, tree->items->pdata[i]) || smaller;
    return smaller;
}

Tree *
shrink(Laws *laws, Law law, const Tree *document, const char *failure)
{
    Shrinking shrinking = {.laws = laws,
                           .law = law,
                           .document = tree_copy(document),
                           .failure = g_strndup(failure, strcspn(failure, ":") + 1),
                           .tries = 3000};
    while (shrink_tree(&shrinking, shrinking.document))
        ;
    g_free(shrinking.failure);
    return shrinking.document;
}
