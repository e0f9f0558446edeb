/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluating expressions. What @ means is passed down, never put into the evaluation:
 * a filter's @ must not be seen by the caller's name().
 */
#include <string.h>

#include "mapping/functions.h"
#include "value/equal.h"
#include "value/number.h"

/* ---- comparing (RFC 9535, section 2.3.5.2.2) --------------------------------- */

static int
compare_texts(const OcpNode *a, const OcpNode *b)
{
    g_auto(OcpSpan) left = OCP_SPAN_NONE;
    g_auto(OcpSpan) right = OCP_SPAN_NONE;
    ocp_span(a, false, &left);
    ocp_span(b, false, &right);
    int order = memcmp(left.text, right.text, MIN(left.length, right.length));
    return order != 0 ? order
                      : (left.length > right.length) - (left.length < right.length);
}

static bool
is_less(const OcpNode *a, const OcpNode *b)
{
    if (ocp_is(a, OCP_NUMBER) && ocp_is(b, OCP_NUMBER))
        return ocp_number_compare(a, b) < 0;
    return ocp_is(a, OCP_STRING) && ocp_is(b, OCP_STRING) && compare_texts(a, b) < 0;
}

static bool
is_equal(const OcpNode *a, const OcpNode *b)
{
    if (a == NULL || b == NULL || a == b)
        return a == b;
    return ocp_equal_value(a, b);
}

static bool
compare(const OcpAst *ast, OcpEval *eval, const OcpNode *at)
{
    const OcpNode *a = ocp_ast_one(ast->child, eval, at);
    const OcpNode *b = ocp_ast_one(ast->child->next, eval, at);
    ocp_steer(eval, a);
    ocp_steer(eval, b);
    switch (ast->as.comparison) {
    case OCP_EQ: return is_equal(a, b);
    case OCP_NE: return !is_equal(a, b);
    case OCP_LT: return is_less(a, b);
    case OCP_LE: return is_less(a, b) || is_equal(a, b);
    case OCP_GT: return is_less(b, a);
    case OCP_GE:
    default: return is_less(b, a) || is_equal(a, b);
    }
}

/* ---- selectors ---------------------------------------------------------------- */

static const OcpNode *
element_at(const OcpNode *array, gint64 index)
{
    if (!ocp_is(array, OCP_ARRAY))
        return NULL;
    if (index < 0)
        index += array->size;
    return index < 0 || index >= array->size ? NULL : ocp_element(array, (gsize)index);
}

static const OcpNode *
select_one(const OcpSelector *selector, const OcpNode *node)
{
    if (selector->kind == OCP_SELECT_NAME)
        return ocp_is(node, OCP_OBJECT)
                   ? ocp_member_sized(node, selector->name, selector->length, NULL)
                   : NULL;
    return element_at(node, selector->start);
}

const OcpNode *
ocp_path_follow(const OcpSegment *segments, const OcpNode *node)
{
    for (; segments != NULL && node != NULL; segments = segments->next)
        node = ocp_deref(select_one(segments->selectors, node));
    return node;
}

void
ocp_node_children(const OcpNode *node, GPtrArray *out)
{
    OcpIter iter = ocp_iter(node);
    const OcpNode *key;
    const OcpNode *child;
    if (ocp_is(node, OCP_ARRAY))
        while ((child = ocp_iter_element(&iter)) != NULL)
            g_ptr_array_add(out, (gpointer)child);
    else
        while (ocp_is(node, OCP_OBJECT) && ocp_iter_member(&iter, &key, &child))
            g_ptr_array_add(out, (gpointer)child);
}

/* A bound of a slice, counted from the start and held within [low, high]. */
static gint64
slice_bound(bool given, gint64 bound, gint64 absent, gint64 size, gint64 low,
            gint64 high)
{
    if (!given)
        return absent;
    return CLAMP(bound < 0 ? bound + size : bound, low, high);
}

static void
select_slice(const OcpSelector *s, const OcpNode *array, GPtrArray *out)
{
    if (!ocp_is(array, OCP_ARRAY) || s->step == 0)
        return;
    gint64 size = array->size;
    bool up = s->step > 0;
    gint64 low = up ? 0 : -1;
    gint64 high = up ? size : size - 1;
    gint64 from =
        slice_bound(s->has_start, s->start, up ? 0 : size - 1, size, low, high);
    gint64 to = slice_bound(s->has_end, s->end, up ? size : -1, size, low, high);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    ocp_node_children(array, all);
    for (gint64 i = from; up ? i < to : i > to; i += s->step)
        g_ptr_array_add(out, all->pdata[i]);
}

void
ocp_select_filtered(const OcpSelector *selector, OcpEval *eval, const OcpNode *node,
                    GPtrArray *out)
{
    OcpIter iter = ocp_iter(node);
    const OcpNode *key;
    const OcpNode *child;
    bool array = ocp_is(node, OCP_ARRAY);
    if (!ocp_is_container(node))
        return;
    while (array ? (child = ocp_iter_element(&iter)) != NULL
                 : ocp_iter_member(&iter, &key, &child))
        if (ocp_ast_truth(selector->filter, eval, child))
            g_ptr_array_add(out, (gpointer)child);
}

/* eval may be NULL if no selector is a filter. */
static void
select_children(const OcpSegment *segment, OcpEval *eval, const OcpNode *node,
                GPtrArray *out)
{
    for (const OcpSelector *s = segment->selectors; s != NULL; s = s->next) {
        const OcpNode *found;
        switch (s->kind) {
        case OCP_SELECT_ALL: ocp_node_children(node, out); break;
        case OCP_SELECT_SLICE: select_slice(s, node, out); break;
        case OCP_SELECT_FILTER: ocp_select_filtered(s, eval, node, out); break;
        case OCP_SELECT_NAME:
        case OCP_SELECT_INDEX:
        default:
            found = ocp_deref(select_one(s, node));
            if (found != NULL)
                g_ptr_array_add(out, (gpointer)found);
        }
    }
}

void
ocp_segment_plain(const OcpSegment *segment, const OcpNode *node, GPtrArray *out)
{
    select_children(segment, NULL, node, out);
}

/* The node and all below it, parents first, in order: a stack instead of recursion. */
static void
select_descendants(const OcpSegment *segment, OcpEval *eval, const OcpNode *node,
                   GPtrArray *out)
{
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, (gpointer)node);
    while (stack->len > 0) {
        const OcpNode *at = g_ptr_array_remove_index(stack, stack->len - 1);
        guint first = stack->len;
        select_children(segment, eval, at, out);
        ocp_node_children(at, stack);
        for (guint i = first, j = stack->len; i + 1 < j; i++) {
            gpointer swap = stack->pdata[i];
            stack->pdata[i] = stack->pdata[--j];
            stack->pdata[j] = swap;
        }
    }
}

/* ---- queries -------------------------------------------------------------------- */

static const OcpNode *
root_node(const OcpAst *query, OcpEval *eval, const OcpNode *at)
{
    switch (query->as.query.root) {
    case OCP_ROOT_DOCUMENT: return ocp_deref(eval->root);
    case OCP_ROOT_CURRENT: return at;
    case OCP_ROOT_INPUT: return ocp_deref(eval->input);
    case OCP_ROOT_NAME:
        return eval->name != NULL ? ocp_deref(eval->name(eval, query->as.query.slot))
                                  : NULL;
    case OCP_ROOT_CALL:
    default: return ocp_ast_one(query->child, eval, at);
    }
}

/* Appends what one segment, or the run of segments that an index answers at once, gives
 * for a node. */
static void
follow_segment(const OcpSegment *segment, OcpEval *eval, const OcpNode *node,
               OcpSome *some, GPtrArray *out)
{
    if (segment->indexed != NULL)
        ocp_index_filter(segment, eval, node, some, out);
    else if (segment->descendant)
        select_descendants(segment, eval, node, out);
    else
        select_children(segment, eval, node, out);
}

static const OcpSegment *
behind(const OcpSegment *segment)
{
    return segment->indexed != NULL ? segment->indexed->next : segment->next;
}

static bool
is_singular(const OcpSegment *segment)
{
    const OcpSelector *selector = segment->selectors;
    return segment->indexed == NULL && !segment->descendant && selector->next == NULL &&
           (selector->kind == OCP_SELECT_NAME || selector->kind == OCP_SELECT_INDEX);
}

/* Appends what the segments give for each of the nodes, one segment after the other. */
static void
follow_all(const OcpSegment *segment, OcpEval *eval, const GPtrArray *from,
           OcpSome *some, GPtrArray *out)
{
    GPtrArray *here = NULL;
    while (from->len > 0 && segment != NULL) {
        const OcpSegment *rest = behind(segment);
        GPtrArray *next = rest != NULL ? ocp_scratch_take(eval) : out;
        for (guint i = 0; i < from->len; i++)
            follow_segment(segment, eval, from->pdata[i], some, next);
        if (here != NULL)
            ocp_scratch_give(eval, here);
        from = here = rest != NULL ? next : NULL;
        segment = rest;
        if (rest == NULL)
            return;
    }
    if (here != NULL)
        ocp_scratch_give(eval, here);
}

/* The same for one node: most paths are names up to a last step. */
static void
follow_one(const OcpSegment *segment, OcpEval *eval, const OcpNode *node, OcpSome *some,
           GPtrArray *out)
{
    for (; segment != NULL && is_singular(segment); segment = segment->next)
        if ((node = ocp_deref(select_one(segment->selectors, node))) == NULL)
            return;
    if (segment == NULL) {
        g_ptr_array_add(out, (gpointer)node);
    } else if (behind(segment) == NULL) {
        follow_segment(segment, eval, node, some, out);
    } else {
        GPtrArray *next = ocp_scratch_take(eval);
        follow_segment(segment, eval, node, some, next);
        follow_all(behind(segment), eval, next, some, out);
        ocp_scratch_give(eval, next);
    }
}

static void
query_nodes(const OcpAst *query, OcpEval *eval, const OcpNode *at, OcpSome *some,
            GPtrArray *out)
{
    const OcpSegment *segments = query->as.query.segments;
    bool many = query->child != NULL && query->child->type == OCP_MANY;
    if (many && segments != NULL) {
        GPtrArray *nodes = ocp_scratch_take(eval);
        ocp_ast_nodes(query->child, eval, at, nodes);
        follow_all(segments, eval, nodes, some, out);
        ocp_scratch_give(eval, nodes);
        return;
    }
    const OcpNode *root = root_node(query, eval, at);
    if (root != NULL)
        follow_one(segments, eval, root, some, out);
}

/* ---- arrays that are used again -------------------------------------------------- */

static void
free_nodes(gpointer nodes)
{
    g_ptr_array_unref(nodes);
}

GPtrArray *
ocp_scratch_take(OcpEval *eval)
{
    if (eval->spares == NULL)
        eval->spares = g_ptr_array_new_with_free_func(free_nodes);
    if (eval->spares->len == 0)
        return g_ptr_array_new();
    return g_ptr_array_steal_index_fast(eval->spares, eval->spares->len - 1);
}

void
ocp_scratch_give(OcpEval *eval, GPtrArray *nodes)
{
    g_ptr_array_set_size(nodes, 0);
    g_ptr_array_add(eval->spares, nodes);
}

/* ---- the three ways to ask ------------------------------------------------------ */

static const OcpNode *
seen(const OcpEval *eval, const OcpNode *node)
{
    bool hidden = eval->hidden != NULL && node != NULL &&
                  g_hash_table_contains(eval->hidden, node);
    return hidden ? NULL : node;
}

/* Takes the hidden nodes out of what was appended behind the first `from`. */
static void
drop_hidden(const OcpEval *eval, GPtrArray *nodes, guint from)
{
    guint kept = from;
    for (guint i = from; i < nodes->len; i++)
        if (seen(eval, nodes->pdata[i]) != NULL)
            nodes->pdata[kept++] = nodes->pdata[i];
    g_ptr_array_set_size(nodes, (gint)kept);
}

/* Appends all nodes, or the first ones if only some are wanted. */
static void
append_nodes(const OcpAst *ast, OcpEval *eval, const OcpNode *at, OcpSome *some,
             GPtrArray *out)
{
    const OcpNode *one;
    guint from = out->len;
    if (ast->kind == OCP_AST_QUERY) {
        query_nodes(ast, eval, at, some, out);
        if (eval->hidden != NULL)
            drop_hidden(eval, out, from);
    } else if (ast->type == OCP_MANY) {
        OcpCall call = {ast, eval, at};
        ast->as.call.function->nodes(&call, out);
    } else if ((one = ocp_ast_one(ast, eval, at)) != NULL) {
        g_ptr_array_add(out, (gpointer)one);
    }
}

void
ocp_ast_nodes(const OcpAst *ast, OcpEval *eval, const OcpNode *at, GPtrArray *out)
{
    append_nodes(ast, eval, at, NULL, out);
}

const OcpNode *
ocp_ast_first(const OcpAst *ast, OcpEval *eval, const OcpNode *at, OcpCounts counts)
{
    GPtrArray *nodes = ocp_scratch_take(eval);
    const OcpNode *first = NULL;
    OcpSome some = {.most = 4, .ended = true};
    for (; first == NULL && some.ended; some.most *= 8) {
        some.ended = false;
        g_ptr_array_set_size(nodes, 0);
        append_nodes(ast, eval, at, &some, nodes);
        for (guint i = 0; i < nodes->len && first == NULL; i++)
            if (counts == NULL || counts(nodes->pdata[i]))
                first = nodes->pdata[i];
    }
    ocp_scratch_give(eval, nodes);
    return first;
}

const OcpNode *
ocp_ast_one(const OcpAst *ast, OcpEval *eval, const OcpNode *at)
{
    if (ast->kind == OCP_AST_LITERAL)
        return ast->as.literal;
    if (ast->type == OCP_MANY)
        return ocp_ast_first(ast, eval, at, NULL);
    if (ast->kind == OCP_AST_QUERY)
        return seen(eval,
                    ocp_path_follow(ast->as.query.segments, root_node(ast, eval, at)));
    if (ast->type == OCP_CONDITION)
        return ocp_make_boolean(eval->made, ocp_ast_truth(ast, eval, at));
    OcpCall call = {ast, eval, at};
    return seen(eval, ocp_deref(ast->as.call.function->one(&call)));
}

/* Whether there is a node; what is found has decided. A flag is tested by its value. */
static bool
is_there(const OcpAst *ast, OcpEval *eval, const OcpNode *at)
{
    if (ast->type != OCP_MANY) {
        const OcpNode *node = ocp_ast_one(ast, eval, at);
        bool flag = ast->type == OCP_CONDITION || ast->kind == OCP_AST_LITERAL;
        ocp_steer(eval, node);
        return flag ? ocp_is(node, OCP_TRUE) : node != NULL;
    }
    GPtrArray *nodes = ocp_scratch_take(eval);
    ocp_ast_nodes(ast, eval, at, nodes);
    for (guint i = 0; i < nodes->len; i++)
        ocp_steer(eval, nodes->pdata[i]);
    bool some = nodes->len > 0;
    ocp_scratch_give(eval, nodes);
    return some;
}

bool
ocp_ast_truth(const OcpAst *ast, OcpEval *eval, const OcpNode *at)
{
    const OcpAst *child = ast->child;
    switch (ast->kind) {
    case OCP_AST_COMPARE: return compare(ast, eval, at);
    case OCP_AST_NOT: return !ocp_ast_truth(child, eval, at);
    case OCP_AST_AND:
        while (child != NULL && ocp_ast_truth(child, eval, at))
            child = child->next;
        return child == NULL;
    case OCP_AST_OR:
        while (child != NULL && !ocp_ast_truth(child, eval, at))
            child = child->next;
        return child != NULL;
    case OCP_AST_CALL:
        if (ast->type == OCP_CONDITION) {
            OcpCall call = {ast, eval, at};
            return ast->as.call.function->truth(&call);
        }
        return is_there(ast, eval, at);
    case OCP_AST_LITERAL:
    case OCP_AST_QUERY:
    default: return is_there(ast, eval, at);
    }
}

/* ---- the interface: nothing of the mapping's memory is given out ------------ */

static const OcpNode *
given(OcpEval *eval, const OcpNode *node)
{
    return ocp_is_literal(node) ? ocp_make_copy(eval->made, node) : node;
}

void
ocp_expr_nodes(const OcpExpr *expr, OcpEval *eval, GPtrArray *out)
{
    guint first = out->len;
    ocp_ast_nodes(expr->ast, eval, ocp_deref(eval->current), out);
    for (guint i = first; i < out->len; i++)
        out->pdata[i] = (gpointer)given(eval, out->pdata[i]);
}

const OcpNode *
ocp_expr_one(const OcpExpr *expr, OcpEval *eval)
{
    const OcpNode *node = ocp_ast_one(expr->ast, eval, ocp_deref(eval->current));
    return node != NULL ? given(eval, node) : NULL;
}

bool
ocp_expr_truth(const OcpExpr *expr, OcpEval *eval)
{
    return ocp_ast_truth(expr->ast, eval, ocp_deref(eval->current));
}
