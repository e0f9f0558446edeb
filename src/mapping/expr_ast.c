/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking the tree of an expression, and what can be asked of a compiled one.
 */
#include "mapping/expr_ast.h"

static bool
walk_segments(const OcpSegment *segment, OcpAstVisit visit, gpointer data)
{
    for (; segment != NULL; segment = segment->next)
        for (const OcpSelector *s = segment->selectors; s != NULL; s = s->next)
            if (s->filter != NULL && !ocp_ast_walk(s->filter, true, visit, data))
                return false;
    return true;
}

bool
ocp_ast_walk(const OcpAst *ast, bool in_filter, OcpAstVisit visit, gpointer data)
{
    if (!visit(ast, in_filter, data))
        return false;
    for (const OcpAst *child = ast->child; child != NULL; child = child->next)
        if (!ocp_ast_walk(child, in_filter, visit, data))
            return false;
    return ast->kind != OCP_AST_QUERY ||
           walk_segments(ast->as.query.segments, visit, data);
}

OcpExprType
ocp_expr_type(const OcpExpr *expr)
{
    return expr->ast->type;
}

bool
ocp_expr_asks_foreign(const OcpExpr *expr)
{
    return expr->asks_foreign;
}

bool
ocp_expr_uses_name(const OcpExpr *expr, guint slot)
{
    for (guint i = 0; expr->slots != NULL && i < expr->slots->len; i++)
        if (g_array_index(expr->slots, guint, i) == slot)
            return true;
    return false;
}
