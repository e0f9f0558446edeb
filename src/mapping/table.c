/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a mapping: a map read both ways, a list asked for membership.
 */
#include "mapping/functions.h"
#include "value/equal.h"

struct OcpTable {
    const OcpNode *node;
    GHashTable *keys;   /* map: key text (GBytes) -> row */
    GHashTable *values; /* map: row -> key of the first row with it; list: elements */
};

static guint
hash_node(gconstpointer node)
{
    return ocp_hash(node);
}

static gboolean
equal_node(gconstpointer a, gconstpointer b)
{
    return ocp_equal(a, b);
}

static void
unref_bytes(gpointer bytes)
{
    g_bytes_unref(bytes);
}

static void
add_row(OcpTable *table, const OcpNode *key, const OcpNode *value)
{
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    ocp_span(key, true, &span);
    g_hash_table_insert(table->keys, g_bytes_new(span.text, span.length),
                        (gpointer)value);
    if (!g_hash_table_contains(table->values, value))
        g_hash_table_insert(table->values, (gpointer)value, (gpointer)key);
}

OcpTable *
ocp_table_new(const OcpNode *map_or_list)
{
    OcpTable *table = g_new0(OcpTable, 1);
    const OcpNode *key;
    const OcpNode *value;
    table->node = ocp_deref(map_or_list);
    table->keys = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, unref_bytes, NULL);
    table->values = g_hash_table_new(hash_node, equal_node);
    OcpIter iter = ocp_iter(table->node);
    if (ocp_table_is_map(table))
        while (ocp_iter_member(&iter, &key, &value))
            add_row(table, key, value);
    else
        while ((value = ocp_iter_element(&iter)) != NULL)
            g_hash_table_add(table->values, (gpointer)value);
    return table;
}

void
ocp_table_free(OcpTable *table)
{
    if (table == NULL)
        return;
    g_hash_table_unref(table->keys);
    g_hash_table_unref(table->values);
    g_free(table);
}

bool
ocp_table_is_map(const OcpTable *table)
{
    return ocp_is(table->node, OCP_OBJECT);
}

const OcpNode *
ocp_table_row(const OcpTable *table, const char *key, gsize length)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(key, length);
    return g_hash_table_lookup(table->keys, bytes);
}

const OcpNode *
ocp_table_reverse(const OcpTable *table, const OcpNode *value)
{
    return g_hash_table_lookup(table->values, value);
}

bool
ocp_table_has(const OcpTable *table, const OcpNode *element)
{
    return g_hash_table_contains(table->values, element);
}

void
ocp_table_elements(const OcpTable *table, GPtrArray *out)
{
    OcpIter iter = ocp_iter(table->node);
    for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
        g_ptr_array_add(out, (gpointer)element);
}
