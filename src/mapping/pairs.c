/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/pairs.h"

#include <string.h>

#include "mapping/hide.h"

typedef struct {
    const OcpPairsInput *input;
    OcpModel *made;      /* index of R(document) */
    GHashTable *rename;  /* made id -> model's id */
    GHashTable *targets; /* model's ids that are taken */
} Pairs;

static void
pair_element(Pairs *pairs, const OcpNode *tree_element, const OcpNode *element)
{
    const OcpPairsInput *input = pairs->input;
    const GPtrArray *ids = ocp_run_made_ids(input->made, element);
    const char *key = ids != NULL ? input->key(tree_element, input->data) : NULL;
    OcpModelKind wanted;
    if (key == NULL || g_hash_table_contains(pairs->targets, key) ||
        ocp_model_find(input->model, key, strlen(key), &wanted) == NULL)
        return;
    for (guint i = 0; i < ids->len; i++) {
        const char *id = ids->pdata[i];
        OcpModelKind kind;
        if (ocp_model_find(pairs->made, id, strlen(id), &kind) == NULL ||
            kind != wanted || g_hash_table_contains(pairs->rename, id))
            continue;
        g_hash_table_insert(pairs->rename, g_strdup(id), g_strdup(key));
        g_hash_table_add(pairs->targets, g_strdup(key));
        return;
    }
}

/* Walks the tree and the document read back from its text side by side. */
static void
walk(Pairs *pairs, const OcpNode *tree, const OcpNode *document)
{
    OcpIter left = ocp_iter(tree);
    OcpIter right = ocp_iter(document);
    if (ocp_is(tree, OCP_ARRAY)) {
        const OcpNode *a, *b;
        while ((a = ocp_iter_element(&left)) != NULL &&
               (b = ocp_iter_element(&right)) != NULL) {
            pair_element(pairs, a, b);
            walk(pairs, a, b);
        }
        return;
    }
    const OcpNode *key, *a, *b;
    while (ocp_iter_member(&left, &key, &a) && ocp_iter_member(&right, &key, &b))
        if (ocp_is_container(a))
            walk(pairs, a, b);
}

static void
collect_ids(const OcpNode *node, GPtrArray *ids)
{
    OcpIter iter = ocp_iter(node);
    if (ocp_is(node, OCP_ARRAY)) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
            if (ocp_is_container(element))
                collect_ids(element, ids);
        return;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        if (ocp_text_is(key, "id") && ocp_is(value, OCP_STRING))
            g_ptr_array_add(ids, ocp_text_dup(value));
        else if (ocp_is_container(value))
            collect_ids(value, ids);
    }
}

/* A made id that nobody renamed, but that a renamed one now goes by, moves away. */
static void
clear_the_way(Pairs *pairs)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) all = g_hash_table_new(g_str_hash, g_str_equal);
    collect_ids(pairs->input->made_root, ids);
    for (guint i = 0; i < ids->len; i++)
        g_hash_table_add(all, ids->pdata[i]);
    for (guint i = 0; i < ids->len; i++) {
        const char *id = ids->pdata[i];
        if (g_hash_table_contains(pairs->rename, id) ||
            !g_hash_table_contains(pairs->targets, id))
            continue;
        for (guint n = 2;; n++) {
            g_autofree char *other = g_strdup_printf("%.110s-x%u", id, n);
            if (g_hash_table_contains(all, other) ||
                g_hash_table_contains(pairs->targets, other))
                continue;
            g_hash_table_add(pairs->targets, g_strdup(other));
            g_hash_table_insert(pairs->rename, g_strdup(id), g_steal_pointer(&other));
            break;
        }
    }
}

static gboolean
is_same(gpointer key, gpointer value, gpointer unused)
{
    (void)unused;
    return strcmp(key, value) == 0;
}

GHashTable *
ocp_pairs_rename(const OcpPairsInput *input)
{
    Pairs pairs = {
        .input = input,
        .made = ocp_model_new(input->made_root),
        .rename = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .targets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    walk(&pairs, input->tree, input->document);
    clear_the_way(&pairs);
    g_hash_table_foreach_remove(pairs.rename, is_same, NULL);
    g_hash_table_unref(pairs.targets);
    ocp_model_free(pairs.made);
    return pairs.rename;
}

/* ---- sensitive values ------------------------------------------------------------------ */

GHashTable *
ocp_pairs_sensitive(const OcpNode *model)
{
    GHashTable *set = g_hash_table_new(NULL, NULL);
    ocp_hidden_find_credentials(set, model);
    ocp_hidden_find_carried(set, model);
    return set;
}

/* The nodes of the tree whose member should hold a sensitive value but is missing. */
static bool
lacks_required(const OcpPathRule *rule, const OcpNode *parent, const OcpShape *shape)
{
    return ocp_is(parent, OCP_OBJECT) && ocp_member(parent, rule->name) == NULL &&
           shape != NULL && ocp_shape_requires(shape, rule->name, strlen(rule->name));
}

static const OcpNode *
fill_below(OcpDocument *made, const OcpPathRule *rule, const OcpNode *node,
           const OcpShape *shape, GHashTable *parents)
{
    if (!ocp_is_container(node))
        return node;
    OcpBuilder build = ocp_build(made, node->kind == OCP_ARRAY ? ocp_make_array(made)
                                                               : ocp_make_object(made));
    bool changed = false;
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        g_autoptr(OcpShape) below = ocp_shape_element(shape);
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;) {
            const OcpNode *filled = fill_below(made, rule, element, below, parents);
            changed = changed || filled != element;
            ocp_build_element(&build, filled);
        }
        return changed ? build.container : node;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        g_autofree char *name = ocp_text_dup(key);
        g_autoptr(OcpShape) below = ocp_shape_member(shape, name, strlen(name));
        const OcpNode *filled = ocp_shape_is_empty(below)
                                    ? value
                                    : fill_below(made, rule, value, below, parents);
        changed = changed || filled != value;
        ocp_build_member(&build, key, filled);
    }
    if (g_hash_table_contains(parents, node) && lacks_required(rule, node, shape)) {
        ocp_build_named(&build, rule->name,
                        rule->instead != NULL ? rule->instead
                                              : ocp_make_text(made, OCP_OMITTED));
        changed = true;
    }
    return changed ? build.container : node;
}

const OcpNode *
ocp_pairs_fill_sensitive(OcpDocument *made, const OcpMapping *mapping,
                         const OcpNode *tree)
{
    for (guint i = 0; i < mapping->sensitive->len; i++) {
        const OcpPathRule *rule = &g_array_index(mapping->sensitive, OcpPathRule, i);
        if (rule->parent == NULL || mapping->write->shape == NULL)
            continue;
        g_autoptr(GPtrArray) nodes = g_ptr_array_new();
        g_autoptr(GHashTable) parents = g_hash_table_new(NULL, NULL);
        OcpEval eval = {.root = tree, .current = tree, .made = made};
        ocp_expr_nodes(rule->parent, &eval, nodes);
        ocp_eval_clear(&eval);
        bool lacking = false;
        for (guint n = 0; n < nodes->len; n++) {
            lacking = lacking || ocp_member(nodes->pdata[n], rule->name) == NULL;
            g_hash_table_add(parents, nodes->pdata[n]);
        }
        if (lacking)
            tree = fill_below(made, rule, tree, mapping->write->shape, parents);
    }
    return tree;
}
