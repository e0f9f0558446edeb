/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Well-typedness (RFC 9535, section 2.4.3, widened to the types of the mapping
 * language), and what is settled while loading: literal arguments, what an index can
 * answer.
 */
#include <string.h>

#include "mapping/expr_parse.h"
#include "mapping/functions.h"
#include "value/number.h"

bool
ocp_type_condition(OcpParser *parser, const OcpAst *ast)
{
    if (ast->type == OCP_CONDITION)
        return true;
    if (ast->kind == OCP_AST_LITERAL)
        return ocp_parse_fail(parser, ast->offset,
                              "a literal is no condition, it must be compared");
    if (ast->kind == OCP_AST_CALL) {
        const OcpFunction *function = ast->as.call.function;
        if (parser->scope->rfc_only || (function->flags & OCP_FUNCTION_ALWAYS))
            return ocp_parse_fail(parser, ast->offset,
                                  "the result of %s() must be compared",
                                  function->name);
    }
    if (ocp_ast_is_sequence_name(ast))
        return ocp_parse_fail_hint(parser, ast->offset,
                                   "add [0] to ask whether it has an element",
                                   "this name is a sequence, which is always there");
    return true;
}

bool
ocp_type_value(OcpParser *parser, const OcpAst *ast)
{
    if (ast->type == OCP_CONDITION && !ocp_ast_is_flag(ast))
        return ocp_parse_fail_hint(parser, ast->offset,
                                   "if(condition, a, b) chooses between values",
                                   "a condition stands where a value is wanted");
    if (parser->scope->rfc_only && ast->type == OCP_MANY)
        return ocp_parse_fail(parser, ast->offset,
                              "this query may give several nodes where one is wanted");
    return true;
}

static bool
type_nodes(OcpParser *parser, const OcpAst *call, const OcpAst *ast)
{
    const char *name = call->as.call.function->name;
    if (parser->scope->rfc_only && ast->kind != OCP_AST_QUERY)
        return ocp_parse_fail(parser, ast->offset, "%s() wants a query here", name);
    if (ocp_ast_is_sequence_name(ast))
        return ocp_parse_fail_hint(parser, ast->offset, "add [*] to take its elements",
                                   "%s() would see this name as one array", name);
    if (ast->type == OCP_CONDITION)
        return ocp_parse_fail(parser, ast->offset,
                              "a condition stands where %s() wants a sequence", name);
    return true;
}

static bool
type_branch(OcpParser *parser, const OcpAst *call, const OcpAst *ast)
{
    /* first() looks for a value; if() may choose between conditions too. */
    if (call->as.call.function->gives == OCP_GIVES_BRANCH)
        return true;
    return ocp_type_value(parser, ast);
}

static void
free_regexp(gpointer regexp)
{
    ocp_regexp_free(regexp);
}

static bool
type_regexp(OcpParser *parser, OcpAst *call, const OcpAst *ast)
{
    if (ast->kind != OCP_AST_LITERAL || ast->as.literal->kind != OCP_STRING)
        return ocp_type_value(parser, ast);
    const OcpNode *pattern = ast->as.literal;
    guint flags = call->as.call.function->flags;
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpRegexp *regexp;
    if (ocp_regexp_load_i(pattern->as.text, pattern->size, flags & OCP_FUNCTION_WHOLE,
                          flags & OCP_FUNCTION_DOT_ALL, report, &regexp)) {
        if (parser->expr->regexps == NULL)
            parser->expr->regexps = g_ptr_array_new_with_free_func(free_regexp);
        g_ptr_array_add(parser->expr->regexps, regexp);
        call->as.call.regexp = regexp;
        return true;
    }
    call->as.call.hopeless = true;
    if (parser->scope->rfc_only)
        return true; /* RFC 9535, 2.4.6: then nothing matches */
    const OcpDiagnostic *why =
        report->diagnostics->len > 0 ? report->diagnostics->pdata[0] : NULL;
    return ocp_parse_fail(parser, ast->offset, "this is no regular expression: %s",
                          why != NULL ? why->message : "it cannot be compiled");
}

/* Adds the slot of a named root; false where the value of a sequence depends on more
 * than roots and names, or where evaluating a name early could evaluate one too many.
 */
static bool
visit_steady(const OcpAst *ast, bool in_filter, gpointer data)
{
    switch (ast->kind) {
    case OCP_AST_QUERY:
        if (ast->as.query.root == OCP_ROOT_NAME)
            g_array_append_val((GArray *)data, ast->as.query.slot);
        return in_filter || ast->as.query.root != OCP_ROOT_CURRENT;
    case OCP_AST_CALL: return g_str_equal(ast->as.call.function->name, "list");
    case OCP_AST_LITERAL:
    case OCP_AST_COMPARE:
    case OCP_AST_NOT: return true;
    case OCP_AST_AND:
    case OCP_AST_OR:
    default: return ast->child->next == NULL;
    }
}

/* Finds the table that a literal names: a map or a list, as the function wants. */
static bool
find_table(OcpParser *parser, OcpAst *call, const OcpAst *ast, bool map)
{
    const OcpExprScope *scope = parser->scope;
    const OcpNode *name = ast->as.literal;
    const OcpTable *table = NULL;
    if (scope->table != NULL)
        table = scope->table(name->as.text, name->size, scope->data);
    if (table == NULL) {
        g_autofree char *hint =
            ocp_parse_suggest(name->as.text, name->size, scope->nth_table, scope->data,
                              "did you mean \"%s\"?");
        return ocp_parse_fail_hint(parser, ast->offset, hint,
                                   "there is no table \"%.*s\"", (int)name->size,
                                   name->as.text);
    }
    if (ocp_table_is_map(table) != map)
        return ocp_parse_fail(parser, ast->offset,
                              "the table \"%.*s\" is a %s, %s() wants a %s",
                              (int)name->size, name->as.text, map ? "list" : "map",
                              call->as.call.function->name, map ? "map" : "list");
    call->as.call.table = table;
    return true;
}

static bool
type_membership(OcpParser *parser, OcpAst *call, const OcpAst *ast)
{
    if (ast->kind == OCP_AST_LITERAL)
        return ast->as.literal->kind == OCP_STRING
                   ? find_table(parser, call, ast, false)
                   : ocp_parse_fail(parser, ast->offset,
                                    "in() wants the name of a list or a sequence here");
    g_autoptr(GArray) slots = g_array_new(FALSE, FALSE, sizeof(guint));
    call->as.call.steady = ocp_ast_walk(ast, false, visit_steady, slots);
    guint *copy = ocp_arena_take(parser->expr->arena, (slots->len + 1) * sizeof(guint));
    if (slots->len > 0)
        memcpy(copy, slots->data, slots->len * sizeof(guint));
    call->as.call.slots = copy;
    call->as.call.slot_count = slots->len;
    return ast->type != OCP_CONDITION || ocp_type_value(parser, ast);
}

static bool
type_map(OcpParser *parser, OcpAst *call, const OcpAst *ast)
{
    if (ast->kind == OCP_AST_LITERAL && ast->as.literal->kind == OCP_STRING)
        return find_table(parser, call, ast, true);
    return ocp_parse_fail(parser, ast->offset,
                          "%s() wants the name of a table in quotes here",
                          call->as.call.function->name);
}

static bool
type_literal(OcpParser *parser, const OcpAst *call, const OcpAst *ast, OcpParam param)
{
    const OcpFunction *function = call->as.call.function;
    const OcpNode *node = ast->kind == OCP_AST_LITERAL ? ast->as.literal : NULL;
    gint64 number;
    if (param == OCP_PARAM_SIZE)
        return (ocp_is(node, OCP_NUMBER) && ocp_number_to_int64(node, &number) &&
                number >= 0) ||
               ocp_parse_fail(parser, ast->offset,
                              "%s() wants a whole number from 0 here, as a literal",
                              function->name);
    if (!ocp_is(node, OCP_STRING))
        return ocp_parse_fail(parser, ast->offset, "%s() wants a text in quotes here",
                              function->name);
    if (param == OCP_PARAM_NAME)
        return true;
    for (const char *const *word = function->words; *word != NULL; word++)
        if (ocp_text_is(node, *word))
            return true;
    g_autofree char *words = g_strjoinv(", ", (char **)function->words);
    return ocp_parse_fail(parser, ast->offset, "%s() wants one of these words here: %s",
                          function->name, words);
}

static bool
type_argument(OcpParser *parser, OcpAst *call, const OcpAst *ast, OcpParam param)
{
    switch (param) {
    case OCP_PARAM_VALUE: return ocp_type_value(parser, ast);
    case OCP_PARAM_NODES: return type_nodes(parser, call, ast);
    case OCP_PARAM_CONDITION: return ocp_type_condition(parser, ast);
    case OCP_PARAM_BRANCH: return type_branch(parser, call, ast);
    case OCP_PARAM_REGEXP: return type_regexp(parser, call, ast);
    case OCP_PARAM_MAP: return type_map(parser, call, ast);
    case OCP_PARAM_MEMBERSHIP: return type_membership(parser, call, ast);
    case OCP_PARAM_WORD:
    case OCP_PARAM_NAME:
    case OCP_PARAM_SIZE:
    default: return type_literal(parser, call, ast, param);
    }
}

static bool
type_count(OcpParser *parser, const OcpAst *call)
{
    const OcpFunction *function = call->as.call.function;
    guint count = call->as.call.count;
    if (count >= function->least &&
        (function->most == OCP_ANY_NUMBER || count <= function->most))
        return true;
    guint limit = count < function->least ? function->least : function->most;
    const char *bound = function->least == function->most ? ""
                        : count < function->least         ? "at least "
                                                          : "at most ";
    return ocp_parse_fail(parser, call->offset, "%s() takes %s%u argument%s, not %u",
                          function->name, bound, limit, limit == 1 ? "" : "s", count);
}

/* The type of if(): condition if all branches are, many if one is, else one. */
static bool
type_branches(OcpParser *parser, OcpAst *call)
{
    const OcpAst *branches = call->child->next;
    bool conditions = true, many = false;
    for (const OcpAst *branch = branches; branch != NULL; branch = branch->next) {
        conditions = conditions && branch->type == OCP_CONDITION;
        many = many || branch->type == OCP_MANY;
    }
    call->type = conditions ? OCP_CONDITION : many ? OCP_MANY : OCP_ONE;
    for (const OcpAst *branch = branches; !conditions && branch != NULL;
         branch = branch->next)
        if (!ocp_type_value(parser, branch))
            return false;
    return true;
}

bool
ocp_type_call(OcpParser *parser, OcpAst *call)
{
    const OcpFunction *function = call->as.call.function;
    guint n = 0;
    if (!type_count(parser, call))
        return false;
    for (const OcpAst *ast = call->child; ast != NULL; ast = ast->next, n++)
        if (!type_argument(parser, call, ast, ocp_function_param(function, n)))
            return false;
    switch (function->gives) {
    case OCP_GIVES_ONE: call->type = OCP_ONE; break;
    case OCP_GIVES_MANY: call->type = OCP_MANY; break;
    case OCP_GIVES_CONDITION: call->type = OCP_CONDITION; break;
    case OCP_GIVES_ARGUMENT: call->type = call->child->type; break;
    case OCP_GIVES_BRANCH:
    default: return type_branches(parser, call);
    }
    return true;
}

static bool
is_singular(const OcpSegment *segment)
{
    const OcpSelector *selector = segment->selectors;
    return !segment->descendant && selector->next == NULL &&
           (selector->kind == OCP_SELECT_NAME || selector->kind == OCP_SELECT_INDEX);
}

/* Marks runs of plain segments that end in a filter an index can answer. */
static void
find_indexed(OcpSegment *segments)
{
    OcpSegment *start = segments;
    for (OcpSegment *segment = segments; segment != NULL; segment = segment->next) {
        const OcpSelector *selector = segment->selectors;
        bool lone = !segment->descendant && selector->next == NULL;
        if (lone && selector->kind == OCP_SELECT_FILTER && selector->equalities != NULL)
            start->indexed = segment;
        if (!lone || selector->kind == OCP_SELECT_FILTER ||
            selector->kind == OCP_SELECT_SLICE)
            start = segment->next;
    }
}

bool
ocp_type_query(OcpParser *parser, OcpAst *query)
{
    OcpSegment *segments = query->as.query.segments;
    bool named = query->as.query.root == OCP_ROOT_NAME;
    OcpExprType root =
        query->as.query.root == OCP_ROOT_CALL ? query->child->type : OCP_ONE;
    if (named && query->as.query.name_type == OCP_CONDITION)
        root = OCP_CONDITION;
    if (root == OCP_CONDITION && segments != NULL)
        return ocp_parse_fail(parser, query->offset,
                              "a condition has no members and no elements");
    query->as.query.singular = true;
    for (const OcpSegment *s = segments; s != NULL; s = s->next)
        query->as.query.singular = query->as.query.singular && is_singular(s);
    query->type = query->as.query.singular ? root : OCP_MANY;
    if (segments != NULL)
        find_indexed(segments);
    return true;
}

static const OcpAst *
member_side(const OcpAst *left, const OcpAst *right)
{
    bool member = left->kind == OCP_AST_QUERY &&
                  left->as.query.root == OCP_ROOT_CURRENT && left->as.query.singular;
    return member && !right->uses_current ? left : NULL;
}

/* Whether an index can answer the conjunct; ret->member is NULL if not. */
static bool
is_equality(const OcpAst *conjunct, OcpEquality *ret)
{
    *ret = (OcpEquality){NULL, NULL, NULL};
    if (conjunct->kind != OCP_AST_COMPARE || conjunct->as.comparison != OCP_EQ)
        return false;
    const OcpAst *left = conjunct->child;
    const OcpAst *right = left->next;
    ret->member = member_side(left, right);
    ret->value = ret->member != NULL ? right : left;
    if (ret->member == NULL)
        ret->member = member_side(right, left);
    return ret->member != NULL;
}

void
ocp_type_filter(OcpParser *parser, OcpSelector *selector)
{
    OcpAst *filter = selector->filter;
    OcpEquality **end = &selector->equalities;
    OcpAst *conjunct = filter->kind == OCP_AST_AND ? filter->child : filter;
    selector->exact = true;
    for (; conjunct != NULL;
         conjunct = filter->kind == OCP_AST_AND ? conjunct->next : NULL) {
        OcpEquality found;
        selector->exact = is_equality(conjunct, &found) && selector->exact;
        if (found.member == NULL)
            continue;
        OcpEquality *equality = ocp_arena_new_of(parser->expr->arena, OcpEquality);
        *equality = found;
        *end = equality;
        end = &equality->next;
    }
}
