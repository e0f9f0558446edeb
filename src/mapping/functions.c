/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/functions.h"

#include <string.h>

#include "value/number.h"

static const char *const kinds[] = {"string", "number", "boolean", "object",
                                    "array",  "null",   NULL};
static const char *const styles[] = {"text", "python", "value", NULL};

#define VALUE OCP_PARAM_VALUE
#define NODES OCP_PARAM_NODES
#define CONDITION OCP_PARAM_CONDITION
#define BRANCH OCP_PARAM_BRANCH
#define REGEXP OCP_PARAM_REGEXP
#define MAP OCP_PARAM_MAP
#define MEMBERSHIP OCP_PARAM_MEMBERSHIP
#define WORD OCP_PARAM_WORD
#define NAME OCP_PARAM_NAME
#define SIZE OCP_PARAM_SIZE

#define RFC OCP_FUNCTION_RFC
#define TRANSPARENT OCP_FUNCTION_TRANSPARENT
#define ALWAYS OCP_FUNCTION_ALWAYS
#define WHOLE OCP_FUNCTION_WHOLE
#define DOT_ALL OCP_FUNCTION_DOT_ALL
#define FOREIGN OCP_FUNCTION_FOREIGN
#define ANY OCP_ANY_NUMBER

/* Implementations, by what a call gives. */
#define ONE(name) OCP_GIVES_ONE, ocp_function_##name, NULL, NULL
#define MANY(name) OCP_GIVES_MANY, NULL, ocp_function_##name##_nodes, NULL
#define TRUTH(name) OCP_GIVES_CONDITION, NULL, NULL, ocp_function_##name##_truth
#define BRANCHED(name)                                                                 \
    OCP_GIVES_BRANCH, ocp_function_##name, ocp_function_##name##_nodes,                \
        ocp_function_##name##_truth
#define AS_ARGUMENT(name)                                                              \
    OCP_GIVES_ARGUMENT, ocp_function_##name, ocp_function_##name##_nodes, NULL

/* clang-format off */
static const OcpFunction functions[] = {
    /* name, arguments at least, at most, flags, parameters, words, implementation */
    /* choice */
    {"first",      1, ANY, TRANSPARENT, {BRANCH}, NULL, ONE(first)},
    {"if",         2, 3, TRANSPARENT, {CONDITION, BRANCH}, NULL, BRANCHED(if)},
    {"present",    1, 1, 0, {VALUE}, NULL, TRUTH(present)},
    {"not",        1, 1, 0, {CONDITION}, NULL, TRUTH(not)},
    {"foreign",    0, 0, FOREIGN, {VALUE}, NULL, TRUTH(foreign)},
    /* tables */
    {"lookup",     2, 2, 0, {MAP, VALUE}, NULL, ONE(lookup)},
    {"reverse",    2, 2, 0, {MAP, VALUE}, NULL, ONE(reverse)},
    {"in",         2, 2, 0, {VALUE, MEMBERSHIP}, NULL, TRUTH(in)},
    {"near",       2, 2, 0, {VALUE, MEMBERSHIP}, NULL, ONE(near)},
    /* sequences */
    {"list",       1, ANY, TRANSPARENT, {NODES}, NULL, MANY(list)},
    {"last",       1, ANY, TRANSPARENT, {NODES}, NULL, ONE(last)},
    {"after",      2, 2, TRANSPARENT, {NODES, VALUE}, NULL, MANY(after)},
    {"minus",      3, 3, TRANSPARENT, {NODES, NODES, NAME}, NULL, MANY(minus)},
    {"sorted",     2, 2, TRANSPARENT, {NODES, NAME}, NULL, MANY(sorted)},
    {"join",       2, ANY, 0, {VALUE, NODES}, NULL, ONE(join)},
    {"count",      1, 1, RFC | ALWAYS, {NODES}, NULL, ONE(count)},
    {"ascending",  1, ANY, 0, {NODES}, NULL, TRUTH(ascending)},
    {"unique",     1, ANY, 0, {NODES}, NULL, TRUTH(unique)},
    {"position",   0, 0, ALWAYS, {VALUE}, NULL, ONE(position)},
    {"value",      1, 1, RFC | TRANSPARENT, {NODES}, NULL, ONE(value)},
    {"length",     1, 1, RFC, {VALUE}, NULL, ONE(length)},
    /* nodes */
    {"index",      1, 1, 0, {VALUE}, NULL, ONE(index)},
    {"next",       1, 1, TRANSPARENT, {VALUE}, NULL, ONE(next)},
    {"key",        1, 1, 0, {VALUE}, NULL, ONE(key)},
    {"member",     2, 2, TRANSPARENT, {VALUE, VALUE}, NULL, ONE(member)},
    {"by_id",      1, 1, TRANSPARENT, {NODES}, NULL, AS_ARGUMENT(by_id)},
    {"only",       2, 2, TRANSPARENT, {WORD, VALUE}, kinds, ONE(only)},
    /* text */
    {"match",      2, 2, RFC | WHOLE, {VALUE, REGEXP}, NULL, TRUTH(match)},
    {"search",     2, 2, RFC, {VALUE, REGEXP}, NULL, TRUTH(match)},
    {"capture",    3, 3, WHOLE | DOT_ALL, {VALUE, REGEXP, SIZE}, NULL, ONE(capture)},
    {"lower",      1, 1, 0, {VALUE}, NULL, ONE(lower)},
    {"trim",       1, 1, 0, {VALUE}, NULL, ONE(trim)},
    {"excerpt",    2, 2, 0, {VALUE, SIZE}, NULL, ONE(excerpt)},
    {"number",     1, 1, 0, {VALUE}, NULL, ONE(number)},
    {"add",        2, 2, 0, {VALUE, VALUE}, NULL, ONE(add)},
    /* time */
    {"rfc3339",    1, 1, TRANSPARENT, {VALUE}, NULL, ONE(rfc3339)},
    {"newest",     1, ANY, TRANSPARENT, {NODES}, NULL, ONE(newest)},
    {"before",     2, 2, 0, {VALUE, VALUE}, NULL, TRUTH(before)},
    /* encodings */
    {"parse_json", 1, 1, 0, {VALUE}, NULL, ONE(parse_json)},
    {"canonical",  2, 2, 0, {VALUE, WORD}, styles, ONE(canonical)},
    {"digest",     1, 1, 0, {VALUE}, NULL, ONE(digest)},
    {"file_uri",   1, 1, 0, {VALUE}, NULL, ONE(file_uri)},
};
/* clang-format on */

const OcpFunction *
ocp_function_find(const char *name, gsize length)
{
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strlen(functions[i].name) == length &&
            memcmp(functions[i].name, name, length) == 0)
            return &functions[i];
    return NULL;
}

const char *
ocp_function_nth(guint n, gpointer data)
{
    (void)data;
    return n < G_N_ELEMENTS(functions) ? functions[n].name : NULL;
}

/* A row lays down a parameter for each argument it must have; more are like the last.
 */
OcpParam
ocp_function_param(const OcpFunction *function, guint n)
{
    return function->params[MIN(n, function->least - 1u)];
}

/* ---- what implementations ask for ------------------------------------------------ */

const OcpAst *
ocp_call_ast(const OcpCall *call, guint n)
{
    const OcpAst *ast = call->ast->child;
    while (ast != NULL && n-- > 0)
        ast = ast->next;
    return ast;
}

const OcpNode *
ocp_call_one(const OcpCall *call, guint n)
{
    const OcpAst *ast = ocp_call_ast(call, n);
    return ast != NULL ? ocp_ast_one(ast, call->eval, call->at) : NULL;
}

void
ocp_call_nodes(const OcpCall *call, guint n, GPtrArray *out)
{
    const OcpAst *ast = ocp_call_ast(call, n);
    if (ast != NULL)
        ocp_ast_nodes(ast, call->eval, call->at, out);
}

bool
ocp_call_truth(const OcpCall *call, guint n)
{
    const OcpAst *ast = ocp_call_ast(call, n);
    return ast != NULL && ocp_ast_truth(ast, call->eval, call->at);
}

GPtrArray *
ocp_call_all(const OcpCall *call, guint n)
{
    GPtrArray *nodes = g_ptr_array_new();
    for (const OcpAst *ast = ocp_call_ast(call, n); ast != NULL; ast = ast->next)
        ocp_ast_nodes(ast, call->eval, call->at, nodes);
    return nodes;
}

gsize
ocp_call_size(const OcpCall *call, guint n)
{
    gint64 size = 0;
    ocp_number_to_int64(ocp_call_ast(call, n)->as.literal, &size);
    return (gsize)size;
}

bool
ocp_span(const OcpNode *node, bool numbers, OcpSpan *ret)
{
    if (!ocp_is(node, OCP_STRING) && !(numbers && ocp_is(node, OCP_NUMBER)))
        return false;
    OcpSpan span = {node->as.text, node->size, NULL};
    if (node->flags & OCP_NODE_ESCAPED) {
        span.owned = g_malloc(node->size + 1);
        span.length = ocp_unescape(node->as.text, node->size, span.owned);
        span.text = span.owned;
    }
    *ret = span;
    return true;
}

void
ocp_span_clear(OcpSpan *span)
{
    g_free(span->owned);
}

void
ocp_call_derive(const OcpCall *call, const OcpNode *made, const OcpNode *from)
{
    if (from != NULL && call->eval->trace != NULL && !ocp_is_literal(from))
        ocp_trace_derive(call->eval->trace, made, from);
}

void
ocp_call_derive_all(const OcpCall *call, const OcpNode *made, const OcpNode *from)
{
    if (call->eval->trace == NULL || ocp_is_literal(from))
        return;
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, (gpointer)made);
    while (stack->len > 0) {
        const OcpNode *node = g_ptr_array_remove_index(stack, stack->len - 1);
        ocp_call_derive(call, node, from);
        ocp_node_children(node, stack);
    }
}

const OcpNode *
ocp_call_text(const OcpCall *call, const OcpNode *from, const char *text, gsize length)
{
    const OcpNode *made = ocp_make_string(call->eval->made, text, length);
    ocp_call_derive(call, made, from);
    return made;
}

const OcpNode *
ocp_call_number(const OcpCall *call, gint64 number)
{
    return ocp_make_integer(call->eval->made, number);
}
