/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making shapes: the root, the steps down, and narrowing by a value.
 */
#include <string.h>

#include "schema/check.h"
#include "schema/shape_private.h"

static OcpShape *
shape_of(GArray *entries)
{
    gsize size = entries->len * sizeof(OcpShapeEntry);
    OcpShape *shape = g_malloc(sizeof *shape + size);
    shape->count = entries->len;
    if (size > 0)
        memcpy(shape->entries, entries->data, size);
    g_array_unref(entries);
    return shape;
}

static GArray *
new_entries(void)
{
    return g_array_new(FALSE, FALSE, sizeof(OcpShapeEntry));
}

static void
add_entry(GArray *entries, const OcpSub *sub, bool flat, bool maybe)
{
    if (sub == NULL || sub->never)
        return;
    for (guint i = 0; i < entries->len; i++) {
        OcpShapeEntry *entry = &g_array_index(entries, OcpShapeEntry, i);
        if (entry->sub != sub)
            continue;
        entry->maybe = entry->maybe && maybe;
        return;
    }
    OcpShapeEntry entry = {sub, flat, maybe};
    g_array_append_val(entries, entry);
}

/* ---- everything that applies at the same place ----------------------------------- */

typedef struct {
    OcpShapeVisit visit;
    gpointer data;
} Visitor;

static void walk(const Visitor *visitor, const OcpSub *sub, bool maybe,
                 const OcpTrail *trail);

static void
walk_all(const Visitor *visitor, const OcpSubs *subs, bool maybe, const OcpTrail *trail)
{
    for (guint i = 0; i < subs->count; i++)
        walk(visitor, subs->subs[i], maybe, trail);
}

/* Bounded by OCP_SHAPE_NESTING: a schema may lead back to itself. */
static void
walk(const Visitor *visitor, const OcpSub *sub, bool maybe, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub) || sub->never)
        return;
    visitor->visit(sub, maybe, visitor->data);
    OcpTrail here = {trail, sub};
    walk(visitor, sub->ref, maybe, &here);
    walk(visitor, sub->dynamic_ref, maybe, &here);
    walk_all(visitor, &sub->all_of, maybe, &here);
    walk_all(visitor, &sub->any_of, maybe || sub->any_of.count > 1, &here);
    walk_all(visitor, &sub->one_of, maybe || sub->one_of.count > 1, &here);
    if (sub->if_sub != NULL) {
        walk(visitor, sub->then_sub, true, &here);
        walk(visitor, sub->else_sub, true, &here);
    }
    for (guint i = 0; sub->names.has_dependents && i < sub->names.count; i++)
        walk(visitor, sub->names.names[i].dependent, true, &here);
}

void
ocp_shape_walk(const OcpShape *shape, OcpShapeVisit visit, gpointer data)
{
    Visitor visitor = {visit, data};
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        if (entry->flat)
            visit(entry->sub, entry->maybe, data);
        else
            walk(&visitor, entry->sub, entry->maybe, NULL);
    }
}

/* ---- steps ----------------------------------------------------------------------- */

typedef struct {
    GArray *entries;
    const char *name;
    gsize length;
    guint hash;
} Step;

/* The values of undeclared members; true and false say nothing of them. */
static void
add_undeclared(Step *step, const OcpSub *sub, bool maybe)
{
    if (sub != NULL && !sub->trivial)
        add_entry(step->entries, sub, false, maybe);
}

static void
visit_member(const OcpSub *sub, bool maybe, gpointer data)
{
    Step *step = data;
    bool declared = false;
    const OcpName *name =
        ocp_names_find_hashed(&sub->names, step->name, step->length, step->hash);
    if (name != NULL && name->sub != NULL) {
        declared = true;
        add_entry(step->entries, name->sub, false, maybe);
    }
    for (guint i = 0; i < sub->pattern_count; i++) {
        if (!ocp_regexp_search(sub->patterns[i].regexp, step->name, step->length))
            continue;
        declared = true;
        add_entry(step->entries, sub->patterns[i].sub, false, maybe);
    }
    if (declared)
        return;
    add_undeclared(step, sub->additional, maybe);
    add_undeclared(step, sub->unevaluated_properties, maybe);
}

static void
visit_element(const OcpSub *sub, bool maybe, gpointer data)
{
    Step *step = data;
    for (guint i = 0; i < sub->prefix.count; i++)
        add_entry(step->entries, sub->prefix.subs[i], false, true);
    add_entry(step->entries, sub->items, false, maybe || sub->prefix.count > 0);
    add_undeclared(step, sub->unevaluated_items, true);
}

static void
visit_other(const OcpSub *sub, bool maybe, gpointer data)
{
    Step *step = data;
    for (guint i = 0; i < sub->pattern_count; i++)
        add_entry(step->entries, sub->patterns[i].sub, false, true);
    add_undeclared(step, sub->additional, maybe || sub->pattern_count > 0);
    add_undeclared(step, sub->unevaluated_properties, true);
}

OcpShape *
ocp_shape_root(const OcpSchema *schema)
{
    GArray *entries = new_entries();
    add_entry(entries, schema->root, false, false);
    return shape_of(entries);
}

OcpShape *
ocp_shape_member(const OcpShape *shape, const char *name, gsize length)
{
    Step step = {new_entries(), name, length, ocp_names_hash(name, length)};
    ocp_shape_walk(shape, visit_member, &step);
    return shape_of(step.entries);
}

OcpShape *
ocp_shape_element(const OcpShape *shape)
{
    Step step = {new_entries(), NULL, 0, 0};
    ocp_shape_walk(shape, visit_element, &step);
    return shape_of(step.entries);
}

OcpShape *
ocp_shape_other(const OcpShape *shape)
{
    Step step = {new_entries(), NULL, 0, 0};
    ocp_shape_walk(shape, visit_other, &step);
    return shape_of(step.entries);
}

void
ocp_shape_free(OcpShape *shape)
{
    g_free(shape);
}

bool
ocp_shape_is_empty(const OcpShape *shape)
{
    return shape->count == 0;
}

/* ---- narrowing ------------------------------------------------------------------- */

typedef struct {
    GArray *entries;
    const OcpNode *value;
} Narrowing;

static void flatten(Narrowing *narrowing, const OcpSub *sub, bool maybe,
                    const OcpTrail *trail);

/* False if some member has a value that the branch does not allow by const or enum. */
static bool
members_fit(const OcpSub *sub, const OcpNode *value, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return true;
    OcpTrail here = {trail, sub};
    for (guint i = 0; i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        const OcpSub *fixed = name->sub != NULL ? ocp_sub_fixed(name->sub) : NULL;
        const OcpNode *member =
            fixed != NULL ? ocp_member_sized(value, name->text, name->length, NULL)
                          : NULL;
        if (member != NULL && !ocp_sub_names_value(fixed, member))
            return false;
    }
    if (!members_fit(sub->ref, value, &here))
        return false;
    for (guint i = 0; i < sub->all_of.count; i++)
        if (!members_fit(sub->all_of.subs[i], value, &here))
            return false;
    return true;
}

static bool
branch_fits(const OcpSub *branch, const OcpNode *value)
{
    return !branch->never && ocp_types_allow(ocp_sub_types(branch), value) &&
           (value->kind != OCP_OBJECT || members_fit(branch, value, NULL));
}

static void
flatten_branches(Narrowing *narrowing, const OcpSubs *branches, bool maybe,
                 const OcpTrail *trail)
{
    guint fitting = 0;
    for (guint i = 0; i < branches->count; i++)
        fitting += branch_fits(branches->subs[i], narrowing->value) ? 1 : 0;
    for (guint i = 0; i < branches->count; i++)
        if (fitting == 0 || branch_fits(branches->subs[i], narrowing->value))
            flatten(narrowing, branches->subs[i], maybe || fitting != 1, trail);
}

static void
flatten_condition(Narrowing *narrowing, const OcpSub *sub, bool maybe,
                  const OcpTrail *trail)
{
    OcpCheck check;
    ocp_check_init(&check, NULL);
    bool held = ocp_check_verdict(&check, sub->if_sub, narrowing->value, NULL);
    ocp_check_clear(&check);
    flatten(narrowing, held ? sub->then_sub : sub->else_sub, maybe, trail);
}

static void
flatten(Narrowing *narrowing, const OcpSub *sub, bool maybe, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub) || sub->never)
        return;
    add_entry(narrowing->entries, sub, true, maybe);
    OcpTrail here = {trail, sub};
    flatten(narrowing, sub->ref, maybe, &here);
    flatten(narrowing, sub->dynamic_ref, maybe, &here);
    for (guint i = 0; i < sub->all_of.count; i++)
        flatten(narrowing, sub->all_of.subs[i], maybe, &here);
    flatten_branches(narrowing, &sub->any_of, maybe, &here);
    flatten_branches(narrowing, &sub->one_of, maybe, &here);
    if (sub->if_sub != NULL)
        flatten_condition(narrowing, sub, maybe, &here);
    for (guint i = 0; sub->names.has_dependents && i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        if (name->dependent != NULL &&
            ocp_member_sized(narrowing->value, name->text, name->length, NULL) != NULL)
            flatten(narrowing, name->dependent, maybe, &here);
    }
}

OcpShape *
ocp_shape_narrow(const OcpShape *shape, const OcpNode *value)
{
    Narrowing narrowing = {new_entries(), ocp_deref(value)};
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        if (entry->flat)
            add_entry(narrowing.entries, entry->sub, true, entry->maybe);
        else
            flatten(&narrowing, entry->sub, entry->maybe, NULL);
    }
    return shape_of(narrowing.entries);
}
