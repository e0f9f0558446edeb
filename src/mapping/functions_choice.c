/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that choose: first, if, present, not, foreign; and tables: lookup, reverse,
 * in.
 */
#include "mapping/functions.h"
#include "value/distance.h"

/* Exists, is not null, is not "". */
static bool
is_present(const OcpNode *node)
{
    return node != NULL && node->kind != OCP_NULL &&
           !(node->kind == OCP_STRING && node->size == 0);
}

static bool
counts(const OcpNode *node)
{
    return is_present(node) || ocp_is_literal(node);
}

/* The first argument that is present, or a literal whatever it is; of an argument of
 * many the first node that is present. */
static const OcpNode *
first_of(const OcpCall *call, const OcpAst *ast)
{
    if (ast->type == OCP_MANY)
        return ocp_ast_first(ast, call->eval, call->at, counts);
    const OcpNode *one = ocp_ast_one(ast, call->eval, call->at);
    return one != NULL && counts(one) ? one : NULL;
}

OCP_FUNCTION_ONE(first)
{
    const OcpNode *found = NULL;
    for (const OcpAst *ast = call->ast->child; ast != NULL && found == NULL;
         ast = ast->next)
        found = first_of(call, ast);
    return found;
}

static guint
branch(const OcpCall *call)
{
    return ocp_call_truth(call, 0) ? 1 : 2;
}

OCP_FUNCTION_ONE(if)
{
    return ocp_call_one(call, branch(call));
}

OCP_FUNCTION_NODES(if)
{
    ocp_call_nodes(call, branch(call), out);
}

OCP_FUNCTION_TRUTH(if)
{
    return ocp_call_truth(call, branch(call));
}

OCP_FUNCTION_TRUTH(present)
{
    const OcpNode *node = ocp_call_one(call, 0);
    ocp_steer(call->eval, node);
    return is_present(node);
}

OCP_FUNCTION_TRUTH(not )
{
    return !ocp_call_truth(call, 0);
}

OCP_FUNCTION_TRUTH(foreign)
{
    return call->eval->foreign;
}

/* The row of a text or of a number's text, derived from it. */
OCP_FUNCTION_ONE(lookup)
{
    const OcpNode *key = ocp_call_one(call, 1);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(key, true, &span))
        return NULL;
    const OcpNode *row =
        ocp_table_row(call->ast->as.call.table, span.text, span.length);
    if (row == NULL) {
        ocp_steer(call->eval, key); /* it decided that there is nothing */
        return NULL;
    }
    const OcpNode *made = ocp_make_copy(call->eval->made, row);
    ocp_call_derive_all(call, made, key);
    return made;
}

OCP_FUNCTION_ONE(reverse)
{
    const OcpNode *value = ocp_call_one(call, 1);
    if (value == NULL)
        return NULL;
    const OcpNode *key = ocp_table_reverse(call->ast->as.call.table, value);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (key == NULL || !ocp_span(key, true, &span)) {
        ocp_steer(call->eval, value);
        return NULL;
    }
    return ocp_call_text(call, value, span.text, span.length);
}

OCP_FUNCTION_TRUTH(in)
{
    const OcpNode *x = ocp_call_one(call, 0);
    if (x == NULL)
        return false;
    ocp_steer(call->eval, x);
    if (call->ast->as.call.table != NULL)
        return ocp_table_has(call->ast->as.call.table, x);
    return ocp_index_in(call->ast, call->eval, call->at, x);
}

/* The text of a list that x was probably meant to be: at most two edits away, and x is
 * none of them itself. It decides, and is derived from, x. */
OCP_FUNCTION_ONE(near)
{
    enum { FARTHEST = 2 };
    const OcpNode *x = ocp_call_one(call, 0);
    g_auto(OcpSpan) word = OCP_SPAN_NONE;
    if (!ocp_is(x, OCP_STRING) || !ocp_span(x, true, &word))
        return NULL;
    ocp_steer(call->eval, x);
    if (call->ast->as.call.table != NULL && ocp_table_has(call->ast->as.call.table, x))
        return NULL; /* most words are what they should be */
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    if (call->ast->as.call.table != NULL)
        ocp_table_elements(call->ast->as.call.table, list);
    else
        ocp_call_nodes(call, 1, list);
    for (guint i = 0; i < list->len; i++)
        if (ocp_text_is_sized(list->pdata[i], word.text, word.length))
            return NULL;
    const OcpNode *best = NULL;
    guint least = FARTHEST + 1;
    for (guint i = 0; i < list->len; i++) {
        g_auto(OcpSpan) span = OCP_SPAN_NONE;
        if (!ocp_span(list->pdata[i], true, &span))
            continue;
        guint edits =
            ocp_distance(word.text, word.length, span.text, span.length, FARTHEST);
        if (edits == 0)
            return NULL;
        if (edits >= least)
            continue;
        least = edits;
        best = list->pdata[i];
    }
    if (best == NULL || (gsize)least * 2 >= word.length)
        return NULL;
    g_auto(OcpSpan) meant = OCP_SPAN_NONE;
    ocp_span(best, true, &meant);
    return ocp_call_text(call, x, meant.text, meant.length);
}
