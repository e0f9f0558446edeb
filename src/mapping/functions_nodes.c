/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of sequences and nodes: list, last, after, minus, sorted, join, count,
 * position, value, length; index, next, key, member, by_id, only.
 */
#include "mapping/functions.h"
#include "value/equal.h"
#include "value/number.h"

OCP_FUNCTION_NODES(list)
{
    for (const OcpAst *ast = call->ast->child; ast != NULL; ast = ast->next)
        ocp_ast_nodes(ast, call->eval, call->at, out);
}

OCP_FUNCTION_ONE(last)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    return nodes->len > 0 ? nodes->pdata[nodes->len - 1] : NULL;
}

/* The nodes behind the node itself (not one equal to it); none if it is not there. */
OCP_FUNCTION_NODES(after)
{
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    const OcpNode *node = ocp_call_one(call, 1);
    guint at;
    ocp_call_nodes(call, 0, nodes);
    if (node == NULL || !g_ptr_array_find(nodes, node, &at))
        return;
    for (guint i = at + 1; i < nodes->len; i++)
        g_ptr_array_add(out, nodes->pdata[i]);
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

/* The member of a NAME argument; it steers. */
static const OcpNode *
named_member(const OcpCall *call, guint n, const OcpNode *node)
{
    const OcpNode *name = ocp_call_ast(call, n)->as.literal;
    const OcpNode *member =
        ocp_deref(ocp_member_sized(node, name->as.text, name->size, NULL));
    ocp_steer(call->eval, member);
    return member;
}

/* Each element of the second takes away one of the first with an equal member; what
 * lacks the member takes nothing and stays. */
OCP_FUNCTION_NODES(minus)
{
    g_autoptr(GPtrArray) from = g_ptr_array_new();
    g_autoptr(GPtrArray) less = g_ptr_array_new();
    g_autoptr(GHashTable) counts = g_hash_table_new(hash_node, equal_node);
    ocp_call_nodes(call, 0, from);
    ocp_call_nodes(call, 1, less);
    for (guint i = 0; i < less->len; i++) {
        const OcpNode *member = named_member(call, 2, less->pdata[i]);
        if (member == NULL)
            continue;
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, member));
        g_hash_table_insert(counts, (gpointer)member, GUINT_TO_POINTER(count + 1));
    }
    for (guint i = 0; i < from->len; i++) {
        const OcpNode *member = named_member(call, 2, from->pdata[i]);
        guint count =
            member != NULL ? GPOINTER_TO_UINT(g_hash_table_lookup(counts, member)) : 0;
        if (count > 0)
            g_hash_table_insert(counts, (gpointer)member, GUINT_TO_POINTER(count - 1));
        else
            g_ptr_array_add(out, from->pdata[i]);
    }
}

typedef struct {
    const OcpNode *node;
    const OcpNode *number; /* NULL: none, stands at the end */
    guint place;
} Sortable;

static gint
compare_sortable(gconstpointer a, gconstpointer b)
{
    const Sortable *one = a;
    const Sortable *two = b;
    int order = 0;
    if (one->number != NULL && two->number != NULL)
        order = ocp_number_compare(one->number, two->number);
    else if (one->number != two->number)
        order = one->number == NULL ? 1 : -1;
    return order != 0 ? order : (one->place > two->place) - (one->place < two->place);
}

/* By the number in a member; equal ones keep their order, those without come last. */
OCP_FUNCTION_NODES(sorted)
{
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    ocp_call_nodes(call, 0, nodes);
    g_autoptr(GArray) rows =
        g_array_sized_new(FALSE, FALSE, sizeof(Sortable), nodes->len);
    for (guint i = 0; i < nodes->len; i++) {
        const OcpNode *number = named_member(call, 1, nodes->pdata[i]);
        Sortable row = {nodes->pdata[i], ocp_is(number, OCP_NUMBER) ? number : NULL, i};
        g_array_append_val(rows, row);
    }
    g_array_sort(rows, compare_sortable);
    for (guint i = 0; i < rows->len; i++)
        g_ptr_array_add(out, (gpointer)g_array_index(rows, Sortable, i).node);
}

/* Texts and numbers with the separator between; anything else is skipped. Absent if
 * nothing is left. */
OCP_FUNCTION_ONE(join)
{
    g_auto(OcpSpan) separator = OCP_SPAN_NONE;
    const OcpNode *between = ocp_call_one(call, 0);
    if (!ocp_span(between, true, &separator))
        return NULL;
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 1);
    g_autoptr(GPtrArray) used = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < nodes->len; i++) {
        g_auto(OcpSpan) span = OCP_SPAN_NONE;
        if (!ocp_span(nodes->pdata[i], true, &span))
            continue;
        if (used->len > 0)
            g_string_append_len(text, separator.text, (gssize)separator.length);
        g_string_append_len(text, span.text, (gssize)span.length);
        g_ptr_array_add(used, nodes->pdata[i]);
    }
    if (used->len == 0)
        return NULL;
    const OcpNode *made = ocp_call_text(call, between, text->str, text->len);
    for (guint i = 0; i < used->len; i++)
        ocp_call_derive(call, made, used->pdata[i]);
    return made;
}

OCP_FUNCTION_ONE(count)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    for (guint i = 0; i < nodes->len; i++)
        ocp_steer(call->eval, nodes->pdata[i]);
    return ocp_call_number(call, nodes->len);
}

OCP_FUNCTION_ONE(position)
{
    return ocp_call_number(call, (gint64)call->eval->position);
}

/* RFC 9535, 2.4.8: the node, if it is the only one. */
OCP_FUNCTION_ONE(value)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    return nodes->len == 1 ? nodes->pdata[0] : NULL;
}

/* RFC 9535, 2.4.4: code points, elements, members. */
OCP_FUNCTION_ONE(length)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    ocp_steer(call->eval, node);
    if (ocp_is_container(node))
        return ocp_call_number(call, node->size);
    if (!ocp_span(node, false, &span))
        return NULL;
    gint64 count = 0;
    for (gsize i = 0; i < span.length; i++)
        count += ((guchar)span.text[i] & 0xC0) != 0x80;
    return ocp_call_number(call, count);
}

static bool
place_of(const OcpCall *call, gsize *ret_index, const OcpNode **ret_key)
{
    const OcpNode *node = ocp_call_one(call, 0);
    OcpEval *eval = call->eval;
    return node != NULL && eval->place != NULL &&
           eval->place(eval, node, ret_index, ret_key);
}

OCP_FUNCTION_ONE(index)
{
    gsize index = 0;
    const OcpNode *key = NULL;
    return place_of(call, &index, &key) ? ocp_call_number(call, (gint64)index + 1)
                                        : NULL;
}

/* The element behind it in its array; made elements stand in no array for long. */
OCP_FUNCTION_ONE(next)
{
    gsize index = 0;
    const OcpNode *key = NULL;
    const OcpNode *node = ocp_call_one(call, 0);
    if (node == NULL || (node->flags & OCP_NODE_MADE) || !place_of(call, &index, &key) ||
        key != NULL)
        return NULL;
    return ocp_deref(node->next);
}

OCP_FUNCTION_ONE(key)
{
    gsize index = 0;
    const OcpNode *key = NULL;
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!place_of(call, &index, &key) || !ocp_span(ocp_deref(key), false, &span))
        return NULL;
    return ocp_call_text(call, NULL, span.text, span.length);
}

OCP_FUNCTION_ONE(member)
{
    const OcpNode *object = ocp_call_one(call, 0);
    const OcpNode *name = ocp_call_one(call, 1);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_is(object, OCP_OBJECT) || !ocp_span(name, true, &span))
        return NULL;
    ocp_steer(call->eval, name);
    return ocp_member_sized(object, span.text, span.length, NULL);
}

static const OcpNode *
find_by_id(OcpEval *eval, const OcpNode *id)
{
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    OcpModelKind kind;
    if (eval->model == NULL || !ocp_span(id, false, &span))
        return NULL;
    ocp_steer(eval, id);
    return ocp_deref(ocp_model_find(eval->model, span.text, span.length, &kind));
}

OCP_FUNCTION_ONE(by_id)
{
    return find_by_id(call->eval, ocp_call_one(call, 0));
}

OCP_FUNCTION_NODES(by_id)
{
    g_autoptr(GPtrArray) ids = ocp_call_all(call, 0);
    for (guint i = 0; i < ids->len; i++) {
        const OcpNode *found = find_by_id(call->eval, ids->pdata[i]);
        if (found != NULL)
            g_ptr_array_add(out, (gpointer)found);
    }
}

OCP_FUNCTION_ONE(only)
{
    const OcpNode *word = ocp_call_ast(call, 0)->as.literal;
    const OcpNode *node = ocp_call_one(call, 1);
    return node != NULL && ocp_text_is(word, ocp_kind_name((OcpKind)node->kind)) ? node
                                                                                 : NULL;
}
