/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Templates over what the schemas say: what a name's template makes, and which places
 * of the target a rule makes.
 */
#include <string.h>

#include "mapping/coverage_private.h"
#include "mapping/spelling.h"

bool
ocp_walk_fail(OcpWalk *walk, const OcpNode *node, gsize offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    OcpCoverage *coverage = walk->coverage;
    guint32 place = ocp_spelling_place(walk->document, node, offset);
    char *key = g_strdup_printf("%u %s", place, message);
    coverage->ok = false;
    if (g_hash_table_add(coverage->said, key))
        ocp_fail_at(coverage->report, walk->document, place, "mapping.coverage", "%s",
                    message);
    return false;
}

/* ---- templates ------------------------------------------------------------------- */

/* What entering a template changes, to be put back. */
typedef struct {
    OcpThings *current;
    OcpDocument *document;
    guint rule;
} Before;

static gsize
expression_start(const OcpNode *node)
{
    return ocp_is(node, OCP_STRING) && node->size > 0 && node->as.text[0] == '=' ? 1
                                                                                 : 0;
}

/* Turns to the expression of a node of the mapping file. */
void
ocp_walk_turn_to(OcpWalk *walk, const OcpNode *node)
{
    walk->node = node;
    walk->start = expression_start(node);
}

/* The n-th value of `for:` or `let:`. */
static const OcpNode *
nth_value(const OcpNode *node, guint n)
{
    if (!ocp_is(node, OCP_OBJECT))
        return node;
    OcpIter iter = ocp_iter(node);
    const OcpNode *key = NULL;
    const OcpNode *value = NULL;
    for (guint i = 0; i <= n; i++)
        if (!ocp_iter_member(&iter, &key, &value))
            return node;
    return value;
}

static void
enter_loops(OcpWalk *walk, const OcpTemplate *template)
{
    const OcpNode *node = ocp_member(template->node, "for");
    for (guint i = 0; template->loop != NULL && i < template->loop->len; i++) {
        const OcpBinding *binding = &g_array_index(template->loop, OcpBinding, i);
        ocp_walk_turn_to(walk, nth_value(node, i));
        walk->current = ocp_walk_expr(walk, binding->expr);
        if (binding->slot != G_MAXUINT) {
            walk->names[binding->slot].state = OCP_NAME_KNOWN;
            walk->names[binding->slot].things = walk->current;
        }
    }
}

static void
enter_lets(OcpWalk *walk, const OcpTemplate *template)
{
    const OcpNode *node = ocp_member(template->node, "let");
    for (guint i = 0; template->lets != NULL && i < template->lets->len; i++) {
        const OcpBinding *binding = &g_array_index(template->lets, OcpBinding, i);
        OcpNameSlot *name = &walk->names[binding->slot];
        *name = (OcpNameSlot){.state = OCP_NAME_BOUND,
                              .binding = binding,
                              .node = nth_value(node, i),
                              .current = walk->current};
    }
}

static Before
enter(OcpWalk *walk, const OcpTemplate *template)
{
    Before before = {walk->current, walk->document, walk->rule};
    OcpDocument *part = g_hash_table_lookup(walk->coverage->parts, template->node);
    if (part != NULL)
        walk->document = part;
    enter_loops(walk, template);
    enter_lets(walk, template);
    if (template->when != NULL) {
        ocp_walk_turn_to(walk, ocp_member(template->node, "when"));
        ocp_walk_condition(walk, template->when);
    }
    return before;
}

static void
leave(OcpWalk *walk, const OcpTemplate *template, const Before *before)
{
    OcpIter iter = ocp_iter(ocp_member(template->node, "let"));
    const OcpNode *key;
    const OcpNode *value;
    for (guint i = 0; template->lets != NULL && i < template->lets->len; i++) {
        const OcpBinding *binding = &g_array_index(template->lets, OcpBinding, i);
        if (!ocp_iter_member(&iter, &key, &value))
            break;
        g_autofree char *name = ocp_text_dup(key);
        if (walk->names[binding->slot].state == OCP_NAME_BOUND &&
            walk->computed != template)
            ocp_walk_fail(walk, key, 0, "nothing uses the name $%s", name);
    }
    walk->current = before->current;
    walk->document = before->document;
    walk->rule = before->rule;
}

/* What goes into a text. */
static OcpThings *
text_things(OcpWalk *walk, const GArray *parts, const OcpNode *node)
{
    OcpThings *from = ocp_things_new(walk->coverage);
    for (guint i = 0; parts != NULL && i < parts->len; i++) {
        const OcpTextPart *part = &g_array_index(parts, OcpTextPart, i);
        walk->node = node;
        walk->start = 0;
        if (part->expr != NULL)
            ocp_things_join(from, ocp_walk_expr(walk, part->expr));
    }
    return from;
}

static void
use_parts(OcpWalk *walk, const GArray *parts, const OcpNode *node)
{
    ocp_walk_use(walk, text_things(walk, parts, node), OCP_USE_PIECE);
}

/* ---- what a template of a `let` makes -------------------------------------------- */

static OcpThings *
made_object(OcpWalk *walk, const OcpTemplate *template)
{
    OcpCoverage *coverage = walk->coverage;
    OcpThing *object = ocp_thing_new(coverage);
    object->members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < template->members->len; i++) {
        const OcpTemplateMember *member =
            &g_array_index(template->members, OcpTemplateMember, i);
        OcpThings *value = ocp_walk_made(walk, member->value);
        if (member->computed != NULL)
            return ocp_things_anything(coverage);
        g_hash_table_insert(object->members, ocp_text_dup(member->name), value);
    }
    OcpThings *things = ocp_things_new(coverage);
    ocp_things_add(things, object);
    return things;
}

static OcpThings *
made_list(OcpWalk *walk, const OcpTemplate *template)
{
    OcpCoverage *coverage = walk->coverage;
    OcpThing *array = ocp_thing_new(coverage);
    array->elements = ocp_things_new(coverage);
    for (guint i = 0; i < template->entries->len; i++)
        ocp_things_join(array->elements,
                        ocp_walk_made(walk, template->entries->pdata[i]));
    OcpThings *things = ocp_things_new(coverage);
    ocp_things_add(things, array);
    return things;
}

OcpThings *
ocp_walk_made(OcpWalk *walk, const OcpTemplate *template)
{
    Before before = enter(walk, template);
    OcpThings *things = NULL;
    switch (template->kind) {
    case OCP_TEMPLATE_EXPR:
        ocp_walk_turn_to(walk, template->node);
        things = ocp_walk_expr(walk, template->expr);
        break;
    case OCP_TEMPLATE_OBJECT:
        things = template->make != NULL ? ocp_walk_made(walk, template->make)
                                        : made_object(walk, template);
        break;
    case OCP_TEMPLATE_LIST: things = made_list(walk, template); break;
    case OCP_TEMPLATE_TEXT:
        things = ocp_things_new(walk->coverage);
        ocp_things_add(
            things, ocp_thing_from(walk->coverage,
                                   text_things(walk, template->parts, template->node),
                                   OCP_USE_PIECE));
        break;
    case OCP_TEMPLATE_CONSTANT:
    default: break;
    }
    leave(walk, template, &before);
    return things != NULL ? things : ocp_things_anything(walk->coverage);
}

/* ---- what a template makes of its target ----------------------------------------- */

static void
target_constant(OcpWalk *walk, const OcpTemplate *template, const OcpSpot *spot)
{
    if (spot == NULL || spot->shape == NULL ||
        ocp_shape_admits(spot->shape, template->node))
        return;
    g_autofree char *path = ocp_spot_path(spot);
    ocp_walk_fail(walk, template->node, 0, "the schema does not allow this value at %s",
                  path);
}

/* The spot of a member or element that a template makes. */
static OcpSpot *
made_at(OcpWalk *walk, OcpSpot *spot, const OcpTemplateMember *member,
        const OcpNode *list)
{
    if (spot == NULL)
        return NULL;
    g_autofree char *name =
        member != NULL && member->name != NULL ? ocp_text_dup(member->name) : NULL;
    OcpSpot *below = member == NULL ? ocp_spot_element(spot)
                     : name == NULL ? ocp_spot_other(spot)
                                    : ocp_spot_member(spot, name, strlen(name));
    if (below != NULL)
        return below;
    g_autofree char *path = ocp_spot_path(spot);
    if (member == NULL)
        ocp_walk_fail(walk, list, 0, "the schema allows no list at %s", path);
    else
        ocp_walk_fail(walk, name != NULL ? member->name : member->value->node, 0,
                      "the schema allows no member \"%s\" at %s",
                      name != NULL ? name : "{}", path);
    return NULL;
}

static void
target_object(OcpWalk *walk, const OcpTemplate *template, OcpSpot *spot)
{
    for (guint i = 0; i < template->members->len; i++) {
        const OcpTemplateMember *member =
            &g_array_index(template->members, OcpTemplateMember, i);
        OcpSpot *below = made_at(walk, spot, member, NULL);
        const OcpTemplate *computed = walk->computed;
        if (member->computed != NULL)
            walk->computed = member->value;
        ocp_walk_target(walk, member->value, below);
        walk->computed = computed;
        if (member->computed == NULL)
            continue;
        /* The names and the @ of the value's loop are those of the computed name. */
        Before before = enter(walk, member->value);
        use_parts(walk, member->computed, template->node);
        walk->current = before.current;
        walk->document = before.document;
        walk->rule = before.rule;
    }
}

static void
target_list(OcpWalk *walk, const OcpTemplate *template, OcpSpot *spot)
{
    if (template->entries->len == 0)
        return;
    OcpSpot *below = made_at(walk, spot, NULL, template->node);
    for (guint i = 0; i < template->entries->len; i++)
        ocp_walk_target(walk, template->entries->pdata[i], below);
}

void
ocp_walk_target(OcpWalk *walk, const OcpTemplate *template, OcpSpot *spot)
{
    guint rule = walk->rule;
    walk->rule = template->rule;
    Before before = enter(walk, template);
    before.rule = rule;
    bool leaf = true;
    switch (template->kind) {
    case OCP_TEMPLATE_EXPR:
        ocp_walk_turn_to(walk, template->node);
        ocp_walk_use(walk, ocp_walk_expr(walk, template->expr), OCP_USE_VALUE);
        break;
    case OCP_TEMPLATE_TEXT: use_parts(walk, template->parts, template->node); break;
    case OCP_TEMPLATE_OBJECT:
        leaf = false;
        if (template->make != NULL)
            ocp_walk_target(walk, template->make, spot);
        else
            target_object(walk, template, spot);
        break;
    case OCP_TEMPLATE_LIST:
        leaf = template->entries->len == 0;
        target_list(walk, template, spot);
        break;
    case OCP_TEMPLATE_CONSTANT:
    default: target_constant(walk, template, spot); break;
    }
    if (leaf && spot != NULL)
        ocp_spot_use(spot, OCP_USE_WRITTEN, template->rule, NULL);
    leave(walk, template, &before);
}
