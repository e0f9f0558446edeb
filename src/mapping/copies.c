/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/copies.h"

#include "value/equal.h"

static void
free_copy(gpointer pointer)
{
    OcpCopy *copy = pointer;
    g_free(copy->pointer);
    g_free(copy);
}

static guint
hash_node(gconstpointer node)
{
    return ocp_hash(node);
}

static gboolean
equal_nodes(gconstpointer a, gconstpointer b)
{
    return ocp_equal(a, b);
}

static GPtrArray *
nodes_of(const OcpExpr *path, const OcpNode *root, OcpDocument *made)
{
    GPtrArray *nodes = g_ptr_array_new();
    OcpEval eval = {.root = root, .current = root, .made = made};
    ocp_expr_nodes(path, &eval, nodes);
    ocp_eval_clear(&eval);
    return nodes;
}

static void
find_by_rule(const OcpCopyRule *rule, const OcpNode *root, const OcpPlaces *places,
             GHashTable *copies)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(GHashTable) originals = g_hash_table_new(hash_node, equal_nodes);
    g_autoptr(GPtrArray) at = nodes_of(rule->at, root, made);
    if (at->len == 0) /* mostly nothing is kept twice */
        return;
    g_autoptr(GPtrArray) of = nodes_of(rule->of, root, made);
    for (guint i = 0; i < of->len; i++)
        if (!g_hash_table_contains(copies, of->pdata[i]) &&
            !g_hash_table_contains(originals, of->pdata[i]))
            g_hash_table_add(originals, of->pdata[i]);
    for (guint i = 0; i < at->len; i++) {
        const OcpNode *original = g_hash_table_lookup(originals, at->pdata[i]);
        if (original == NULL || original == at->pdata[i] ||
            g_hash_table_contains(copies, at->pdata[i]))
            continue;
        GString *pointer = g_string_new(NULL);
        ocp_places_pointer(places, original, pointer);
        OcpCopy *copy = g_new0(OcpCopy, 1);
        copy->original = original;
        copy->pointer = g_string_free(pointer, FALSE);
        g_hash_table_insert(copies, at->pdata[i], copy);
    }
}

GHashTable *
ocp_copies_find(const OcpMapping *mapping, const OcpNode *root, const OcpPlaces *places)
{
    GHashTable *copies = g_hash_table_new_full(NULL, NULL, NULL, free_copy);
    for (guint i = 0; i < mapping->copies->len; i++)
        find_by_rule(&g_array_index(mapping->copies, OcpCopyRule, i), root, places,
                     copies);
    return copies;
}
