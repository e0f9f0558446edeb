/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grammar of expressions (mapping language, section 4), by recursive descent; types
 * are checked on the way (expr_types.c).
 */
#include "mapping/expr_parse.h"

#include <string.h>

#include "mapping/functions.h"

/* Adds a child behind the last. */
static void
adopt(OcpAst *parent, OcpAst ***end, OcpAst *child)
{
    parent->uses_current = parent->uses_current || child->uses_current;
    **end = child;
    *end = &child->next;
}

static bool
named_root(OcpParser *parser, OcpAst *query)
{
    gsize length = ocp_parse_name_length(parser, parser->at);
    const char *name = parser->text + parser->at;
    const OcpExprScope *scope = parser->scope;
    if (length == strlen("input") && memcmp(name, "input", length) == 0) {
        query->as.query.root = OCP_ROOT_INPUT;
        parser->at += length;
        return true;
    }
    query->as.query.root = OCP_ROOT_NAME;
    if (scope->name == NULL || !scope->name(name, length, &query->as.query.slot,
                                            &query->as.query.name_type, scope->data)) {
        g_autofree char *hint = ocp_parse_suggest(name, length, scope->nth_name,
                                                  scope->data, "did you mean $%s?");
        return ocp_parse_fail_hint(parser, query->offset, hint,
                                   "there is no name $%.*s here", (int)length, name);
    }
    if (parser->expr->slots == NULL)
        parser->expr->slots = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(parser->expr->slots, query->as.query.slot);
    parser->at += length;
    return true;
}

static OcpAst *
query(OcpParser *parser)
{
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_QUERY, parser->at);
    if (ocp_parse_take(parser, "@")) {
        ast->as.query.root = OCP_ROOT_CURRENT;
        ast->uses_current = true;
    } else {
        parser->at++; /* the $ */
        if (!parser->scope->rfc_only && ocp_parse_name_length(parser, parser->at) > 0 &&
            !named_root(parser, ast))
            return NULL;
    }
    if (!ocp_parse_segments(parser, ast) || !ocp_type_query(parser, ast))
        return NULL;
    return ast;
}

static bool
arguments(OcpParser *parser, OcpAst *call)
{
    OcpAst **end = &call->child;
    ocp_parse_blanks(parser);
    if (ocp_parse_take(parser, ")"))
        return true;
    do {
        ocp_parse_blanks(parser);
        OcpAst *argument = ocp_parse_expr(parser);
        if (argument == NULL)
            return false;
        adopt(call, &end, argument);
        call->as.call.count++;
        ocp_parse_blanks(parser);
    } while (ocp_parse_take(parser, ","));
    if (ocp_parse_take(parser, ")"))
        return true;
    return ocp_parse_fail(parser, parser->at, "expected ) after the arguments of %s",
                          call->as.call.function->name);
}

/* The length of a function's name that stands here with its parenthesis, else 0. */
static gsize
function_name(const OcpParser *parser)
{
    gsize at = parser->at;
    if (!g_ascii_islower(ocp_parse_peek(parser)))
        return 0;
    for (; at < parser->length; at++) {
        char letter = parser->text[at];
        if (!g_ascii_islower(letter) && !g_ascii_isdigit(letter) && letter != '_')
            break;
    }
    bool call = at < parser->length && parser->text[at] == '(';
    return call ? at - parser->at : 0;
}

/* A call, and the segments behind it as a query rooted in it. */
static OcpAst *
call(OcpParser *parser, gsize length)
{
    const char *name = parser->text + parser->at;
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_CALL, parser->at);
    const OcpFunction *function = ocp_function_find(name, length);
    bool rfc = parser->scope->rfc_only;
    if (function == NULL || (rfc && !(function->flags & OCP_FUNCTION_RFC))) {
        g_autofree char *hint = ocp_parse_suggest(
            name, length, rfc ? NULL : ocp_function_nth, NULL, "did you mean %s()?");
        ocp_parse_fail_hint(parser, parser->at, hint, "there is no function %.*s()",
                            (int)length, name);
        return NULL;
    }
    ast->as.call.function = function;
    parser->at += length + 1;
    if (!arguments(parser, ast) || !ocp_type_call(parser, ast))
        return NULL;
    if (function->flags & OCP_FUNCTION_FOREIGN)
        parser->expr->asks_foreign = true;
    if (rfc)
        return ast;
    OcpAst *path = ocp_parse_node(parser, OCP_AST_QUERY, ast->offset);
    path->as.query.root = OCP_ROOT_CALL;
    path->child = ast;
    path->uses_current = ast->uses_current;
    if (!ocp_parse_segments(parser, path))
        return NULL;
    if (path->as.query.segments == NULL)
        return ast;
    return ocp_type_query(parser, path) ? path : NULL;
}

static OcpAst *
parenthesis(OcpParser *parser)
{
    /* An AND of one, so that what stands inside is a condition whatever it is. */
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_AND, parser->at++);
    OcpAst **end = &ast->child;
    ocp_parse_blanks(parser);
    OcpAst *inner = ocp_parse_expr(parser);
    if (inner == NULL || !ocp_type_condition(parser, inner))
        return NULL;
    adopt(ast, &end, inner);
    ocp_parse_blanks(parser);
    if (ocp_parse_take(parser, ")"))
        return ast;
    ocp_parse_fail(parser, parser->at, "expected ) to close the parenthesis");
    return NULL;
}

static OcpAst *
operand(OcpParser *parser)
{
    char letter = ocp_parse_peek(parser);
    if (letter == '(')
        return parenthesis(parser);
    if (letter == '$' || letter == '@')
        return query(parser);
    gsize length = function_name(parser);
    return length > 0 ? call(parser, length) : ocp_parse_literal(parser);
}

static bool
comparison_operator(OcpParser *parser, OcpComparison *ret)
{
    static const struct {
        const char *token;
        OcpComparison comparison;
    } operators[] = {{"==", OCP_EQ}, {"!=", OCP_NE}, {"<=", OCP_LE},
                     {">=", OCP_GE}, {"<", OCP_LT},  {">", OCP_GT}};
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++)
        if (ocp_parse_take(parser, operators[i].token)) {
            *ret = operators[i].comparison;
            return true;
        }
    return false;
}

static OcpAst *
negation(OcpParser *parser)
{
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_NOT, parser->at++);
    OcpAst **end = &ast->child;
    OcpComparison comparison;
    ocp_parse_blanks(parser);
    OcpAst *inner = operand(parser);
    if (inner == NULL || !ocp_type_condition(parser, inner))
        return NULL;
    adopt(ast, &end, inner);
    gsize before = parser->at;
    ocp_parse_blanks(parser);
    gsize offset = parser->at;
    if (comparison_operator(parser, &comparison)) {
        ocp_parse_fail_hint(parser, offset, "write !(a == b), or a != b",
                            "! before a comparison needs parentheses");
        return NULL;
    }
    parser->at = before;
    return ast;
}

static OcpAst *
basic(OcpParser *parser)
{
    if (ocp_parse_peek(parser) == '!')
        return negation(parser);
    OcpAst *left = operand(parser);
    OcpComparison comparison;
    if (left == NULL)
        return NULL;
    gsize before = parser->at;
    ocp_parse_blanks(parser);
    gsize offset = parser->at;
    if (!comparison_operator(parser, &comparison)) {
        bool single = ocp_parse_peek(parser) == '=';
        parser->at = before;
        if (!single)
            return left;
        ocp_parse_fail(parser, offset, "a comparison is written ==");
        return NULL;
    }
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_COMPARE, offset);
    OcpAst **end = &ast->child;
    ast->as.comparison = comparison;
    ocp_parse_blanks(parser);
    OcpAst *right = operand(parser);
    if (right == NULL || !ocp_type_value(parser, left) ||
        !ocp_type_value(parser, right))
        return NULL;
    adopt(ast, &end, left);
    adopt(ast, &end, right);
    return ast;
}

/* One or more of a rank, joined by its operator. */
static OcpAst *
joined(OcpParser *parser, OcpAstKind kind, const char *token,
       OcpAst *(*below)(OcpParser *parser))
{
    OcpAst *first = below(parser);
    OcpAst *ast = NULL;
    OcpAst **end = NULL;
    for (OcpAst *part = first; part != NULL;) {
        gsize before = parser->at;
        ocp_parse_blanks(parser);
        bool more = ocp_parse_take(parser, token);
        if (ast == NULL && !more) {
            parser->at = before;
            return first;
        }
        if (!ocp_type_condition(parser, part))
            return NULL;
        if (ast == NULL) {
            ast = ocp_parse_node(parser, kind, first->offset);
            end = &ast->child;
        }
        adopt(ast, &end, part);
        if (!more) {
            parser->at = before;
            return ast;
        }
        ocp_parse_blanks(parser);
        part = below(parser);
    }
    return NULL;
}

static OcpAst *
conjunction(OcpParser *parser)
{
    return joined(parser, OCP_AST_AND, "&&", basic);
}

OcpAst *
ocp_parse_expr(OcpParser *parser)
{
    if (parser->depth >= OCP_EXPR_DEPTH) {
        ocp_parse_fail(parser, parser->at, "the expression is nested too deeply");
        return NULL;
    }
    parser->depth++;
    OcpAst *ast = joined(parser, OCP_AST_OR, "||", conjunction);
    parser->depth--;
    return ast;
}

static OcpAst *
whole(OcpParser *parser)
{
    bool rfc = parser->scope->rfc_only;
    if (!g_utf8_validate_len(parser->text, parser->length, NULL)) {
        ocp_parse_fail(parser, 0, "the expression is not valid UTF-8");
        return NULL;
    }
    if (rfc && ocp_parse_peek(parser) != '$') {
        ocp_parse_fail(parser, 0, "a JSONPath query starts with $");
        return NULL;
    }
    if (!rfc)
        ocp_parse_blanks(parser);
    OcpAst *ast = rfc ? query(parser) : ocp_parse_expr(parser);
    if (ast == NULL)
        return NULL;
    if (!rfc)
        ocp_parse_blanks(parser);
    if (parser->at < parser->length) {
        const char *rest = parser->text + parser->at;
        gsize length =
            (gsize)g_utf8_strlen(rest, (gssize)(parser->length - parser->at));
        const char *end = g_utf8_offset_to_pointer(rest, (glong)MIN(length, 12));
        ocp_parse_fail(parser, parser->at,
                       "\"%.*s\" is left over behind the expression", (int)(end - rest),
                       rest);
        return NULL;
    }
    return !parser->scope->condition || ocp_type_condition(parser, ast) ? ast : NULL;
}

bool
ocp_expr_load(const char *text, gsize length, const OcpExprScope *scope,
              OcpReport *report, OcpExpr **ret)
{
    g_autoptr(OcpExpr) expr = g_new0(OcpExpr, 1);
    if (scope->arena == NULL)
        expr->own_arena = ocp_arena_new();
    expr->arena = scope->arena != NULL ? scope->arena : expr->own_arena;
    OcpParser parser = {.text = ocp_arena_copy(expr->arena, text, length),
                        .length = length,
                        .scope = scope,
                        .report = report,
                        .expr = expr};
    expr->ast = whole(&parser);
    if (expr->ast == NULL)
        return false;
    *ret = g_steal_pointer(&expr);
    return true;
}

void
ocp_expr_free(OcpExpr *expr)
{
    if (expr == NULL)
        return;
    if (expr->regexps != NULL)
        g_ptr_array_unref(expr->regexps);
    if (expr->slots != NULL)
        g_array_unref(expr->slots);
    ocp_arena_free(expr->own_arena);
    g_free(expr);
}
