/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chooses between the branches of oneOf and anyOf: a property that every branch
 * fixes, by const or enum, to values that no other branch has. Found once, when the
 * schema is compiled.
 */
#include <string.h>

#include "schema/schema_private.h"

static const OcpSub *
find_fixed(const OcpSub *sub, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return NULL;
    OcpTrail here = {trail, sub};
    if (sub->constant != NULL || sub->values.nodes != NULL)
        return sub;
    const OcpSub *found = find_fixed(sub->ref, &here);
    for (guint i = 0; i < sub->all_of.count && found == NULL; i++)
        found = find_fixed(sub->all_of.subs[i], &here);
    return found;
}

const OcpSub *
ocp_sub_fixed(const OcpSub *sub)
{
    return find_fixed(sub, NULL);
}

static guint
find_types(const OcpSub *sub, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return 0;
    OcpTrail here = {trail, sub};
    if (sub->types != 0)
        return sub->types;
    guint types = find_types(sub->ref, &here);
    for (guint i = 0; i < sub->all_of.count && types == 0; i++)
        types = find_types(sub->all_of.subs[i], &here);
    if (types == 0 && sub->constant != NULL)
        types = ocp_type_bit(sub->constant);
    for (guint i = 0; types == 0 && sub->constant == NULL && i < sub->values.count; i++)
        types |= ocp_type_bit(sub->values.nodes[i]);
    return types;
}

guint
ocp_sub_types(const OcpSub *sub)
{
    return find_types(sub, NULL);
}

bool
ocp_sub_names_value(const OcpSub *fixed, const OcpNode *value)
{
    if (fixed->constant != NULL)
        return ocp_same_value(fixed->constant, value);
    for (guint i = 0; i < fixed->values.count; i++)
        if (ocp_same_value(fixed->values.nodes[i], value))
            return true;
    return false;
}

/* The subschema of a property, where it is fixed; through $ref and allOf. */
static const OcpSub *
find_property(const OcpSub *sub, const OcpName *name, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return NULL;
    OcpTrail here = {trail, sub};
    const OcpName *own = ocp_names_find_text(&sub->names, name->text, name->length);
    const OcpSub *found = own != NULL ? ocp_sub_fixed(own->sub) : NULL;
    if (found == NULL)
        found = find_property(sub->ref, name, &here);
    for (guint i = 0; i < sub->all_of.count && found == NULL; i++)
        found = find_property(sub->all_of.subs[i], name, &here);
    return found;
}

static bool
apart(const OcpSub *a, const OcpSub *b)
{
    if (a->constant != NULL)
        return !ocp_sub_names_value(b, a->constant);
    for (guint i = 0; i < a->values.count; i++)
        if (ocp_sub_names_value(b, a->values.nodes[i]))
            return false;
    return true;
}

static bool
all_apart(const OcpSub *const *fixed, guint count)
{
    for (guint i = 0; i < count; i++)
        for (guint j = 0; j < i; j++)
            if (!apart(fixed[i], fixed[j]))
                return false;
    return true;
}

/* Tries one property; true if it chooses. */
static bool
try_property(const OcpSubs *branches, const OcpName *name, const OcpSub **fixed)
{
    for (guint i = 0; i < branches->count; i++) {
        fixed[i] = find_property(branches->subs[i], name, NULL);
        if (fixed[i] == NULL)
            return false;
    }
    return all_apart(fixed, branches->count);
}

static bool
try_properties_of(const OcpSubs *branches, const OcpSub *sub, OcpChoice *choice,
                  const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return false;
    OcpTrail here = {trail, sub};
    for (guint i = 0; i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        if (name->sub == NULL || !try_property(branches, name, choice->fixed))
            continue;
        choice->name = name;
        return true;
    }
    if (try_properties_of(branches, sub->ref, choice, &here))
        return true;
    for (guint i = 0; i < sub->all_of.count; i++)
        if (try_properties_of(branches, sub->all_of.subs[i], choice, &here))
            return true;
    return false;
}

void
ocp_choice_find(const OcpSubs *branches, OcpArena *arena, OcpChoice *ret)
{
    if (branches->count < 2)
        return;
    OcpChoice choice = {0};
    choice.fixed = ocp_arena_take(arena, branches->count * sizeof *choice.fixed);
    if (!try_properties_of(branches, branches->subs[0], &choice, NULL))
        return;
    choice.all_const = true;
    for (guint i = 0; i < branches->count; i++)
        choice.all_const = choice.all_const && choice.fixed[i]->constant != NULL;
    *ret = choice;
}

const OcpNode *
ocp_choice_member(const OcpChoice *choice, const OcpNode *value)
{
    if (choice->name == NULL || !ocp_is(value, OCP_OBJECT))
        return NULL;
    return ocp_member_sized(value, choice->name->text, choice->name->length, NULL);
}

bool
ocp_choice_allows(const OcpChoice *choice, guint n, const OcpNode *value)
{
    const OcpNode *member = ocp_choice_member(choice, value);
    return member == NULL || ocp_sub_names_value(choice->fixed[n], member);
}
