/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions over what the schemas say: what a value may be.
 */
#include <string.h>

#include "mapping/coverage_private.h"
#include "mapping/functions.h"

/* ---- things ---------------------------------------------------------------------- */

OcpThings *
ocp_things_new(OcpCoverage *coverage)
{
    OcpThings *things = g_ptr_array_new();
    g_ptr_array_add(coverage->sets, things);
    return things;
}

void
ocp_things_add(OcpThings *things, OcpThing *thing)
{
    if (!g_ptr_array_find(things, thing, NULL))
        g_ptr_array_add(things, thing);
}

void
ocp_things_join(OcpThings *things, const OcpThings *more)
{
    for (guint i = 0; i < more->len; i++)
        ocp_things_add(things, more->pdata[i]);
}

OcpThing *
ocp_thing_new(OcpCoverage *coverage)
{
    OcpThing *thing = g_new0(OcpThing, 1);
    g_ptr_array_add(coverage->pool, thing);
    return thing;
}

OcpThing *
ocp_thing_of(OcpCoverage *coverage, OcpSpot *spot)
{
    OcpThing *thing = g_hash_table_lookup(coverage->spots, spot);
    if (thing == NULL) {
        thing = ocp_thing_new(coverage);
        thing->spot = spot;
        g_hash_table_insert(coverage->spots, spot, thing);
    }
    return thing;
}

OcpThings *
ocp_things_anything(OcpCoverage *coverage)
{
    OcpThings *things = ocp_things_new(coverage);
    g_ptr_array_add(things, coverage->anything);
    return things;
}

OcpThing *
ocp_thing_from(OcpCoverage *coverage, OcpThings *from, OcpUseKind most)
{
    OcpThing *thing = ocp_thing_new(coverage);
    thing->from = from;
    thing->most = most;
    return thing;
}

static bool
is_anything(const OcpThing *thing)
{
    return thing->spot == NULL && thing->members == NULL && thing->elements == NULL;
}

static void use_all(OcpWalk *walk, const OcpThings *things, OcpUseKind kind);

static void
use_thing(OcpWalk *walk, OcpThing *thing, OcpUseKind kind)
{
    GHashTableIter iter;
    gpointer set;
    if (thing->seen[kind] == walk->coverage->use_count)
        return;
    thing->seen[kind] = walk->coverage->use_count;
    if (thing->spot != NULL)
        ocp_spot_use(thing->spot, kind, walk->rule, NULL);
    if (thing->elements != NULL)
        use_all(walk, thing->elements, kind);
    if (thing->from != NULL)
        use_all(walk, thing->from, kind == OCP_USE_TESTED ? kind : thing->most);
    if (thing->members == NULL)
        return;
    g_hash_table_iter_init(&iter, thing->members);
    while (g_hash_table_iter_next(&iter, NULL, &set))
        use_all(walk, set, kind);
}

/* A made value only holds what was there before it: the recursion ends. */
static void
use_all(OcpWalk *walk, const OcpThings *things, OcpUseKind kind)
{
    for (guint i = 0; i < things->len; i++)
        use_thing(walk, things->pdata[i], kind);
}

void
ocp_walk_use(OcpWalk *walk, const OcpThings *things, OcpUseKind kind)
{
    if (!walk->marks)
        return;
    walk->coverage->use_count++;
    use_all(walk, things, kind);
}

/* ---- steps ----------------------------------------------------------------------- */

/* A step down, seen from one thing. */
typedef struct {
    OcpWalk *walk;
    OcpThings *out;
} Step;

static void
add_spot(Step *step, OcpSpot *spot)
{
    if (spot != NULL)
        ocp_things_add(step->out, ocp_thing_of(step->walk->coverage, spot));
}

static void
step_name(Step *step, const OcpThing *thing, const char *name, gsize length)
{
    if (thing->spot != NULL) {
        if (ocp_spot_allows(thing->spot, OCP_OBJECT))
            add_spot(step, ocp_spot_member(thing->spot, name, length));
    } else if (thing->members != NULL) {
        g_autofree char *key = g_strndup(name, length);
        const OcpThings *found = g_hash_table_lookup(thing->members, key);
        if (found != NULL)
            ocp_things_join(step->out, found);
    }
}

static void
step_element(Step *step, const OcpThing *thing)
{
    if (thing->spot != NULL)
        add_spot(step, ocp_spot_element(thing->spot));
    else if (thing->elements != NULL)
        ocp_things_join(step->out, thing->elements);
}

static void
step_children(Step *step, const OcpThing *thing)
{
    if (thing->spot != NULL) {
        g_autoptr(GPtrArray) children = g_ptr_array_new();
        ocp_spot_children(thing->spot, children);
        for (guint i = 0; i < children->len; i++)
            add_spot(step, children->pdata[i]);
        return;
    }
    step_element(step, thing);
    GHashTableIter iter;
    gpointer set;
    if (thing->members == NULL)
        return;
    g_hash_table_iter_init(&iter, thing->members);
    while (g_hash_table_iter_next(&iter, NULL, &set))
        ocp_things_join(step->out, set);
}

static void
step_selector(Step *step, const OcpThing *thing, const OcpSelector *selector)
{
    switch (selector->kind) {
    case OCP_SELECT_NAME:
        step_name(step, thing, selector->name, selector->length);
        break;
    case OCP_SELECT_INDEX:
    case OCP_SELECT_SLICE: step_element(step, thing); break;
    case OCP_SELECT_ALL:
    case OCP_SELECT_FILTER:
    default: step_children(step, thing); break;
    }
}

static char *
selector_words(const OcpSelector *selector)
{
    if (selector->kind == OCP_SELECT_NAME)
        return g_strdup_printf("member \"%.*s\"", (int)selector->length,
                               selector->name);
    return g_strdup("element");
}

/* Where the things stand, for a message. */
static char *
things_words(const OcpThings *things)
{
    for (guint i = 0; i < things->len; i++) {
        const OcpThing *thing = things->pdata[i];
        if (thing->spot == NULL)
            continue;
        g_autofree char *path = ocp_spot_path(thing->spot);
        return g_strdup_printf("%s at %s: the schema does not allow it",
                               thing->spot->model ? "OpenCheckpoint has none"
                                                  : "the dialect has none",
                               path);
    }
    return g_strdup("the value made for this name has none");
}

static void condition(OcpWalk *walk, const OcpAst *ast, OcpThings *at);

/* What one selector gives of all things; anything if it is a mistake, so that it is
 * told once. */
static OcpThings *
select_from(OcpWalk *walk, const OcpThings *things, const OcpSelector *selector,
            guint32 offset)
{
    Step step = {walk, ocp_things_new(walk->coverage)};
    for (guint i = 0; i < things->len; i++) {
        if (is_anything(things->pdata[i]))
            ocp_things_add(step.out, things->pdata[i]);
        else
            step_selector(&step, things->pdata[i], selector);
    }
    if (step.out->len > 0 || things->len == 0)
        return step.out;
    /* Rules that a mapping takes over are checked against their own dialect. */
    if (walk->document == walk->coverage->mapping->document) {
        g_autofree char *what = selector_words(selector);
        g_autofree char *where = things_words(things);
        ocp_walk_fail(walk, walk->node, walk->start + offset,
                      "this path leads nowhere: no %s; %s", what, where);
    }
    return ocp_things_anything(walk->coverage);
}

static OcpThings *
step_segment(OcpWalk *walk, const OcpThings *things, const OcpSegment *segment,
             guint32 offset)
{
    OcpThings *out = ocp_things_new(walk->coverage);
    if (segment->descendant) {
        ocp_walk_use(walk, things, OCP_USE_VALUE);
        ocp_things_add(out, walk->coverage->anything);
    }
    const OcpSelector *selector = segment->selectors;
    for (; !segment->descendant && selector != NULL; selector = selector->next) {
        OcpThings *found = select_from(walk, things, selector, offset);
        if (selector->kind == OCP_SELECT_FILTER)
            condition(walk, selector->filter, found);
        ocp_things_join(out, found);
    }
    return out;
}

/* ---- names ----------------------------------------------------------------------- */

static OcpThings *
array_of(OcpCoverage *coverage, OcpThings *elements)
{
    OcpThings *things = ocp_things_new(coverage);
    OcpThing *array = ocp_thing_new(coverage);
    array->elements = elements;
    ocp_things_add(things, array);
    return things;
}

/* A `let` is looked at when it is first used, where it stands. */
static void
know_name(OcpWalk *walk, OcpNameSlot *name)
{
    OcpWalk there = *walk;
    const OcpBinding *binding = name->binding;
    name->state = OCP_NAME_BUSY;
    name->rule = walk->rule;
    there.current = name->current;
    there.node = name->node;
    there.start = 1;
    if (binding->value != NULL) {
        name->things = ocp_walk_made(&there, binding->value);
    } else if (binding->type == OCP_CONDITION) {
        ocp_walk_condition(&there, binding->expr);
        name->things = ocp_things_anything(walk->coverage);
    } else {
        name->things = ocp_walk_expr(&there, binding->expr);
        if (binding->type == OCP_MANY)
            name->things = array_of(walk->coverage, name->things);
    }
    name->state = OCP_NAME_KNOWN;
}

static OcpThings *
name_things(OcpWalk *walk, guint slot)
{
    OcpNameSlot *name = &walk->names[slot];
    bool another = name->binding != NULL && name->rule != walk->rule;
    if (name->state == OCP_NAME_BOUND || (name->state == OCP_NAME_KNOWN && another))
        know_name(walk, name);
    return name->state == OCP_NAME_KNOWN ? name->things
                                         : ocp_things_anything(walk->coverage);
}

/* ---- functions ------------------------------------------------------------------- */

static OcpThings *things_of(OcpWalk *walk, const OcpAst *ast, OcpThings *at);

static bool
is_function(const OcpAst *call, const char *name)
{
    return strcmp(call->as.call.function->name, name) == 0;
}

/* The members of that literal name decide. */
static void
test_member(OcpWalk *walk, const OcpThings *things, const OcpAst *name)
{
    Step step = {walk, ocp_things_new(walk->coverage)};
    for (guint i = 0; i < things->len; i++)
        step_name(&step, things->pdata[i], name->as.literal->as.text,
                  name->as.literal->size);
    ocp_walk_use(walk, step.out, OCP_USE_TESTED);
}

static OcpThings *
call_member(OcpWalk *walk, const OcpAst *call, OcpThings *at)
{
    OcpThings *object = things_of(walk, call->child, at);
    const OcpAst *name = call->child->next;
    Step step = {walk, ocp_things_new(walk->coverage)};
    ocp_walk_use(walk, things_of(walk, name, at), OCP_USE_TESTED);
    for (guint i = 0; i < object->len; i++) {
        const OcpThing *thing = object->pdata[i];
        if (is_anything(thing))
            ocp_things_add(step.out, (OcpThing *)thing);
        else if (name->kind == OCP_AST_LITERAL && name->as.literal->kind == OCP_STRING)
            step_name(&step, thing, name->as.literal->as.text, name->as.literal->size);
        else
            step_children(&step, thing);
    }
    return step.out;
}

static OcpThings *
call_by_id(OcpWalk *walk, const OcpAst *call, OcpThings *at)
{
    ocp_walk_use(walk, things_of(walk, call->child, at), OCP_USE_TESTED);
    if (!walk->root->model)
        return ocp_things_anything(walk->coverage);
    g_autoptr(GPtrArray) objects = g_ptr_array_new();
    OcpThings *things = ocp_things_new(walk->coverage);
    ocp_spot_objects(walk->root, objects);
    for (guint i = 0; i < objects->len; i++)
        ocp_things_add(things, ocp_thing_of(walk->coverage, objects->pdata[i]));
    return things;
}

/* minus(a, b, name), sorted(a, name): the first argument, by a member of the rest. */
static OcpThings *
call_by_member(OcpWalk *walk, const OcpAst *call, OcpThings *at)
{
    OcpThings *things = things_of(walk, call->child, at);
    const OcpAst *name = call->child;
    while (name->next != NULL)
        name = name->next;
    for (const OcpAst *ast = call->child; ast != name; ast = ast->next)
        test_member(walk, things_of(walk, ast, at), name);
    return things;
}

/* What using the result means for an argument that is not passed on. */
static OcpUseKind
argument_use(const OcpAst *call, OcpParam param)
{
    if (is_function(call, "canonical") || is_function(call, "parse_json"))
        return OCP_USE_VALUE;
    bool tests = param == OCP_PARAM_REGEXP || param == OCP_PARAM_MEMBERSHIP ||
                 is_function(call, "count") || is_function(call, "length") ||
                 is_function(call, "digest");
    return tests ? OCP_USE_TESTED : OCP_USE_PIECE;
}

static void
call_argument(OcpWalk *walk, const OcpAst *call, OcpParam param, OcpThings *things,
              OcpThings *out)
{
    if (call->type == OCP_CONDITION)
        ocp_walk_use(walk, things, OCP_USE_TESTED);
    else if ((call->as.call.function->flags & OCP_FUNCTION_TRANSPARENT) == 0)
        ocp_things_add(
            out, ocp_thing_from(walk->coverage, things, argument_use(call, param)));
    else if (param != OCP_PARAM_WORD)
        ocp_things_join(out, things);
}

static OcpThings *
call_generic(OcpWalk *walk, const OcpAst *call, OcpThings *at)
{
    const OcpFunction *function = call->as.call.function;
    bool place_only = is_function(call, "index") || is_function(call, "key");
    OcpThings *out = ocp_things_new(walk->coverage);
    guint n = 0;
    for (const OcpAst *ast = call->child; ast != NULL; ast = ast->next, n++) {
        OcpParam param = ocp_function_param(function, n);
        if (param == OCP_PARAM_CONDITION || ast->type == OCP_CONDITION)
            condition(walk, ast, at);
        else if (place_only)
            things_of(walk, ast, at);
        else
            call_argument(walk, call, param, things_of(walk, ast, at), out);
    }
    if (out->len == 0)
        ocp_things_add(out, walk->coverage->anything);
    return out;
}

static OcpThings *
call_things(OcpWalk *walk, const OcpAst *call, OcpThings *at)
{
    if (is_function(call, "member"))
        return call_member(walk, call, at);
    if (is_function(call, "by_id"))
        return call_by_id(walk, call, at);
    if (is_function(call, "minus") || is_function(call, "sorted"))
        return call_by_member(walk, call, at);
    if (is_function(call, "after")) {
        things_of(walk, call->child->next, at);
        return things_of(walk, call->child, at);
    }
    return call_generic(walk, call, at);
}

/* ---- expressions ----------------------------------------------------------------- */

static OcpThings *
query_things(OcpWalk *walk, const OcpAst *ast, OcpThings *at)
{
    OcpThings *things = NULL;
    switch (ast->as.query.root) {
    case OCP_ROOT_DOCUMENT:
        things = ocp_things_new(walk->coverage);
        ocp_things_add(things, ocp_thing_of(walk->coverage, walk->root));
        break;
    case OCP_ROOT_CURRENT: things = at; break;
    case OCP_ROOT_NAME: things = name_things(walk, ast->as.query.slot); break;
    case OCP_ROOT_CALL: things = things_of(walk, ast->child, at); break;
    case OCP_ROOT_INPUT:
    default: return ocp_things_anything(walk->coverage);
    }
    const OcpSegment *segment = ast->as.query.segments;
    for (; segment != NULL; segment = segment->next)
        things = step_segment(walk, things, segment, ast->offset);
    return things;
}

static bool
admits(const OcpThings *things, const OcpNode *literal)
{
    for (guint i = 0; i < things->len; i++) {
        const OcpThing *thing = things->pdata[i];
        if (thing->spot == NULL || thing->spot->shape == NULL ||
            ocp_shape_admits(thing->spot->shape, literal))
            return true;
    }
    return things->len == 0;
}

/* "$.state == "runing"" is never true. Only texts: numbers are compared by value, and
 * "" and null are asked for where a document may be worse than its schema. */
static void
check_literal(OcpWalk *walk, const OcpThings *things, const OcpAst *literal)
{
    if (literal->kind != OCP_AST_LITERAL || literal->as.literal->kind != OCP_STRING ||
        literal->as.literal->size == 0 || admits(things, literal->as.literal) ||
        walk->document != walk->coverage->mapping->document)
        return;
    g_autofree char *path = ocp_spot_path(((const OcpThing *)things->pdata[0])->spot);
    ocp_walk_fail(walk, walk->node, walk->start + literal->offset,
                  "the schema does not allow \"%.*s\" at %s, so this decides nothing",
                  (int)literal->as.literal->size, literal->as.literal->as.text, path);
}

static void
compare(OcpWalk *walk, const OcpAst *ast, OcpThings *at)
{
    const OcpAst *left = ast->child;
    const OcpAst *right = left->next;
    OcpThings *left_things = things_of(walk, left, at);
    OcpThings *right_things = things_of(walk, right, at);
    ocp_walk_use(walk, left_things, OCP_USE_TESTED);
    ocp_walk_use(walk, right_things, OCP_USE_TESTED);
    check_literal(walk, left_things, right);
    check_literal(walk, right_things, left);
}

/* The existence test of RFC 9535: `false` is there too. */
static void
check_existence(OcpWalk *walk, const OcpAst *ast, const OcpThings *things)
{
    for (guint i = 0; i < things->len; i++) {
        const OcpSpot *spot = ((const OcpThing *)things->pdata[i])->spot;
        if (spot == NULL || spot->shape == NULL ||
            !(ocp_shape_kinds(spot->shape) & 1u << OCP_TRUE))
            continue;
        g_autofree char *path = ocp_spot_path(spot);
        ocp_walk_fail(walk, walk->node, walk->start + ast->offset,
                      "this asks whether %s is there, and false is; write == true or "
                      "present()",
                      path);
        return;
    }
}

static void
condition(OcpWalk *walk, const OcpAst *ast, OcpThings *at)
{
    switch (ast->kind) {
    case OCP_AST_COMPARE: compare(walk, ast, at); return;
    case OCP_AST_NOT:
    case OCP_AST_AND:
    case OCP_AST_OR:
        for (const OcpAst *child = ast->child; child != NULL; child = child->next)
            condition(walk, child, at);
        return;
    case OCP_AST_QUERY:
    case OCP_AST_CALL:
    case OCP_AST_LITERAL:
    default: break;
    }
    OcpThings *things = things_of(walk, ast, at);
    if (ast->type != OCP_CONDITION)
        check_existence(walk, ast, things);
    ocp_walk_use(walk, things, OCP_USE_TESTED);
}

static OcpThings *
things_of(OcpWalk *walk, const OcpAst *ast, OcpThings *at)
{
    switch (ast->kind) {
    case OCP_AST_QUERY: return query_things(walk, ast, at);
    case OCP_AST_CALL: return call_things(walk, ast, at);
    case OCP_AST_COMPARE:
    case OCP_AST_NOT:
    case OCP_AST_AND:
    case OCP_AST_OR: condition(walk, ast, at); break;
    case OCP_AST_LITERAL:
    default: break;
    }
    return ocp_things_anything(walk->coverage);
}

OcpThings *
ocp_walk_expr(OcpWalk *walk, const OcpExpr *expr)
{
    return things_of(walk, expr->ast, walk->current);
}

void
ocp_walk_condition(OcpWalk *walk, const OcpExpr *expr)
{
    condition(walk, expr->ast, walk->current);
}
