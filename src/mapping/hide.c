/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/hide.h"

/* All nodes of the document that a path names. */
static void
each_of_path(const OcpExpr *path, const OcpNode *root, GPtrArray *nodes)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpEval eval = {.root = root, .current = root, .made = made};
    ocp_expr_nodes(path, &eval, nodes);
    ocp_eval_clear(&eval);
}

static void
add_all_scalars(GHashTable *set, const OcpNode *node)
{
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    g_ptr_array_add(todo, (gpointer)node);
    while (todo->len > 0) {
        const OcpNode *at = g_ptr_array_steal_index(todo, todo->len - 1);
        OcpIter iter = ocp_iter(at);
        if (ocp_is_leaf(at))
            g_hash_table_add(set, (gpointer)at);
        else if (at->kind == OCP_ARRAY)
            for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
                g_ptr_array_add(todo, (gpointer)element);
        else
            for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
                g_ptr_array_add(todo, (gpointer)value);
    }
}

static bool
looks_like_credential(const OcpNode *string, OcpArena *arena)
{
    enum { SHORTEST = 8 };
    if (string->size < SHORTEST)
        return false;
    gsize length;
    const char *text = ocp_text(string, arena, &length);
    return ocp_model_is_credential(text, length);
}

void
ocp_hidden_find_credentials(GHashTable *set, const OcpNode *root)
{
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    g_autoptr(OcpArena) arena = ocp_arena_new();
    g_ptr_array_add(todo, (gpointer)root);
    while (todo->len > 0) {
        const OcpNode *at = g_ptr_array_steal_index(todo, todo->len - 1);
        OcpIter iter = ocp_iter(at);
        if (at->kind == OCP_STRING && looks_like_credential(at, arena))
            g_hash_table_add(set, (gpointer)at);
        else if (at->kind == OCP_ARRAY)
            for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
                g_ptr_array_add(todo, (gpointer)element);
        else if (at->kind == OCP_OBJECT)
            for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
                g_ptr_array_add(todo, (gpointer)value);
    }
}

OcpHidden *
ocp_hidden_new(const OcpMapping *mapping, const OcpNode *root)
{
    OcpHidden *hidden = g_new0(OcpHidden, 1);
    hidden->sensitive = g_hash_table_new(NULL, NULL);
    hidden->omitted = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    for (guint i = 0; i < mapping->sensitive->len; i++)
        each_of_path(g_array_index(mapping->sensitive, OcpPathRule, i).path, root, nodes);
    for (guint i = 0; i < nodes->len; i++)
        add_all_scalars(hidden->sensitive, nodes->pdata[i]);
    ocp_hidden_find_credentials(hidden->sensitive, root);
    for (guint i = 0; i < mapping->omit->len; i++) {
        const OcpPathRule *rule = &g_array_index(mapping->omit, OcpPathRule, i);
        g_ptr_array_set_size(nodes, 0);
        each_of_path(rule->path, root, nodes);
        for (guint n = 0; n < nodes->len; n++)
            g_hash_table_insert(hidden->omitted, nodes->pdata[n], (gpointer)rule->reason);
    }
    return hidden;
}

void
ocp_hidden_free(OcpHidden *hidden)
{
    if (hidden == NULL)
        return;
    g_hash_table_unref(hidden->sensitive);
    g_hash_table_unref(hidden->omitted);
    g_free(hidden);
}

bool
ocp_hidden_is_sensitive(const OcpHidden *hidden, const OcpNode *node)
{
    return g_hash_table_contains(hidden->sensitive, node);
}
