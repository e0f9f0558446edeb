/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking a shape. Entries that surely apply narrow each other; those that may apply are
 * alternatives, and count where no sure one answers.
 */
#include <string.h>

#include "schema/shape_private.h"

static guint
both(guint a, guint b)
{
    if (a == 0 || b == 0)
        return a | b;
    return (a & b) != 0 ? a & b : a;
}

/* ---- kinds ----------------------------------------------------------------------- */

static guint kinds_of(const OcpSub *sub, bool flat, const OcpTrail *trail);

/* 0 if some branch says nothing: then anything goes. */
static guint
kinds_of_branches(const OcpSubs *branches, const OcpTrail *trail)
{
    guint kinds = 0;
    for (guint i = 0; i < branches->count; i++) {
        if (branches->subs[i]->never)
            continue;
        guint own = kinds_of(branches->subs[i], false, trail);
        if (own == 0)
            return 0;
        kinds |= own;
    }
    return kinds;
}

static guint
kinds_of(const OcpSub *sub, bool flat, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return 0;
    OcpTrail here = {trail, sub};
    guint kinds = sub->types;
    if (kinds & OCP_TYPE_INTEGER)
        kinds = (kinds & ~(guint)OCP_TYPE_INTEGER) | 1u << OCP_NUMBER;
    guint named = sub->constant != NULL ? ocp_type_bit(sub->constant) : 0;
    for (guint i = 0; sub->constant == NULL && i < sub->values.count; i++)
        named |= ocp_type_bit(sub->values.nodes[i]);
    kinds = both(kinds, named);
    if (flat)
        return kinds;
    kinds = both(kinds, kinds_of(sub->ref, false, &here));
    kinds = both(kinds, kinds_of(sub->dynamic_ref, false, &here));
    for (guint i = 0; i < sub->all_of.count; i++)
        kinds = both(kinds, kinds_of(sub->all_of.subs[i], false, &here));
    kinds = both(kinds, kinds_of_branches(&sub->any_of, &here));
    return both(kinds, kinds_of_branches(&sub->one_of, &here));
}

guint
ocp_shape_kinds(const OcpShape *shape)
{
    guint sure = 0;
    guint maybe = 0;
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        guint kinds = kinds_of(entry->sub, entry->flat, NULL);
        if (entry->maybe)
            maybe |= kinds;
        else
            sure = both(sure, kinds);
    }
    return sure != 0 ? sure : maybe;
}

/* ---- what some subschema has ----------------------------------------------------- */

typedef struct {
    const char *name;
    bool found;
} FormatSearch;

static void
visit_format(const OcpSub *sub, bool maybe, gpointer data)
{
    FormatSearch *search = data;
    (void)maybe;
    if (sub->format_name != NULL && strcmp(sub->format_name, search->name) == 0)
        search->found = true;
}

bool
ocp_shape_has_format(const OcpShape *shape, const char *name)
{
    FormatSearch search = {name, false};
    ocp_shape_walk(shape, visit_format, &search);
    return search.found;
}

enum { FEW = 64 }; /* names up to which a walk beats a table */

typedef struct {
    GPtrArray *names;
    GHashTable *seen; /* made once there are many */
} NameList;

static bool
is_listed(NameList *list, const char *text, guint among)
{
    if (list->seen != NULL)
        return g_hash_table_contains(list->seen, text);
    for (guint i = 0; i < among; i++)
        if (strcmp(list->names->pdata[i], text) == 0)
            return true;
    return false;
}

static void
add_name(NameList *list, const char *text)
{
    g_ptr_array_add(list->names, (gpointer)text);
    if (list->seen == NULL && list->names->len > FEW) {
        list->seen = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < list->names->len; i++)
            g_hash_table_add(list->seen, list->names->pdata[i]);
    } else if (list->seen != NULL) {
        g_hash_table_add(list->seen, (gpointer)text);
    }
}

/* One subschema has each name once. */
static void
visit_names(const OcpSub *sub, bool maybe, gpointer data)
{
    NameList *list = data;
    guint among = list->names->len;
    (void)maybe;
    for (guint i = 0; i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        if (name->sub != NULL && !name->sub->never &&
            !is_listed(list, name->text, among))
            add_name(list, name->text);
    }
}

GPtrArray *
ocp_shape_properties(const OcpShape *shape)
{
    NameList list = {g_ptr_array_new(), NULL};
    ocp_shape_walk(shape, visit_names, &list);
    if (list.seen != NULL)
        g_hash_table_unref(list.seen);
    return list.names;
}

static void
visit_description(const OcpSub *sub, bool maybe, gpointer data)
{
    const char **found = data;
    if (*found == NULL && !maybe)
        *found = sub->description;
}

static void
visit_any_description(const OcpSub *sub, bool maybe, gpointer data)
{
    (void)maybe;
    visit_description(sub, false, data);
}

const char *
ocp_shape_description(const OcpShape *shape)
{
    const char *found = NULL;
    ocp_shape_walk(shape, visit_description, &found);
    if (found == NULL)
        ocp_shape_walk(shape, visit_any_description, &found);
    return found;
}

/* ---- objects --------------------------------------------------------------------- */

typedef struct {
    const char *name;
    gsize length;
    guint hash;
} Wanted;

static bool
allows_objects(const OcpSub *sub)
{
    guint types = ocp_sub_types(sub);
    return !sub->never && (types == 0 || (types & (1u << OCP_OBJECT)));
}

static bool declares(const OcpSub *sub, bool flat, const OcpTrail *trail);

static bool
some_declares(const OcpSubs *subs, const OcpTrail *trail)
{
    for (guint i = 0; i < subs->count; i++)
        if (declares(subs->subs[i], false, trail))
            return true;
    return false;
}

static bool
declares(const OcpSub *sub, bool flat, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub) || !allows_objects(sub))
        return false;
    OcpTrail here = {trail, sub};
    if (sub->names.count > 0)
        return true;
    return !flat &&
           (declares(sub->ref, false, &here) || some_declares(&sub->all_of, &here) ||
            some_declares(&sub->any_of, &here) || some_declares(&sub->one_of, &here));
}

static bool requires_it(const OcpSub *sub, bool flat, const Wanted *wanted,
                        const OcpTrail *trail);

/* Every branch that declares anything requires it, and some branch does. */
static bool
branches_require(const OcpSubs *branches, const Wanted *wanted, const OcpTrail *trail)
{
    bool some = false;
    for (guint i = 0; i < branches->count; i++) {
        if (!declares(branches->subs[i], false, trail))
            continue;
        if (!requires_it(branches->subs[i], false, wanted, trail))
            return false;
        some = true;
    }
    return some;
}

static bool
requires_it(const OcpSub *sub, bool flat, const Wanted *wanted, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return false;
    OcpTrail here = {trail, sub};
    const OcpName *name =
        ocp_names_find_hashed(&sub->names, wanted->name, wanted->length, wanted->hash);
    if (name != NULL && name->required)
        return true;
    if (flat)
        return false;
    if (requires_it(sub->ref, false, wanted, &here))
        return true;
    for (guint i = 0; i < sub->all_of.count; i++)
        if (requires_it(sub->all_of.subs[i], false, wanted, &here))
            return true;
    return branches_require(&sub->any_of, wanted, &here) ||
           branches_require(&sub->one_of, wanted, &here);
}

bool
ocp_shape_requires(const OcpShape *shape, const char *name, gsize length)
{
    Wanted wanted = {name, length, ocp_names_hash(name, length)};
    bool some = false;
    bool every = true;
    bool sure = false;
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        bool required = requires_it(entry->sub, entry->flat, &wanted, NULL);
        if (required && !entry->maybe)
            return true;
        if (!declares(entry->sub, entry->flat, NULL))
            continue;
        sure = sure || !entry->maybe;
        some = some || required;
        every = every && required;
    }
    return some && every && !sure;
}

static bool is_open(const OcpSub *sub, bool flat, const OcpTrail *trail);

static bool
some_open(const OcpSubs *branches, const OcpTrail *trail)
{
    for (guint i = 0; i < branches->count; i++)
        if (is_open(branches->subs[i], false, trail))
            return true;
    return branches->count == 0;
}

static bool
is_open(const OcpSub *sub, bool flat, const OcpTrail *trail)
{
    if (ocp_trail_ends(trail, sub))
        return true;
    OcpTrail here = {trail, sub};
    if (!allows_objects(sub) || (sub->additional != NULL && sub->additional->never) ||
        (sub->unevaluated_properties != NULL && sub->unevaluated_properties->never))
        return false;
    if (flat)
        return true;
    if (!is_open(sub->ref, false, &here) || !some_open(&sub->any_of, &here) ||
        !some_open(&sub->one_of, &here))
        return false;
    for (guint i = 0; i < sub->all_of.count; i++)
        if (!is_open(sub->all_of.subs[i], false, &here))
            return false;
    return true;
}

bool
ocp_shape_is_open(const OcpShape *shape)
{
    bool some = false;
    bool sure = false;
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        bool open = is_open(entry->sub, entry->flat, NULL);
        if (!open && !entry->maybe)
            return false;
        sure = sure || !entry->maybe;
        some = some || open;
    }
    return some || sure;
}
