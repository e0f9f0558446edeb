/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that ask about the elements of a sequence among each other: ascending,
 * unique.
 */
#include "mapping/functions.h"
#include "value/equal.h"
#include "value/number.h"

/* No number is less than the one before it; what is no number is skipped. */
OCP_FUNCTION_TRUTH(ascending)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    const OcpNode *before = NULL;
    bool ascends = true;
    for (guint i = 0; i < nodes->len; i++) {
        const OcpNode *node = nodes->pdata[i];
        ocp_steer(call->eval, node);
        if (!ocp_is(node, OCP_NUMBER))
            continue;
        ascends = ascends && (before == NULL || ocp_number_compare(before, node) <= 0);
        before = node;
    }
    return ascends;
}

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

/* No two elements are equal. */
OCP_FUNCTION_TRUTH(unique)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    g_autoptr(GHashTable) seen = g_hash_table_new(hash_node, equal_node);
    for (guint i = 0; i < nodes->len; i++) {
        ocp_steer(call->eval, nodes->pdata[i]);
        g_hash_table_add(seen, nodes->pdata[i]);
    }
    return g_hash_table_size(seen) == nodes->len;
}
