/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"

#include <string.h>

#include "value/equal.h"
#include "value/number.h"

guint
ocp_type_bit(const OcpNode *value)
{
    return value->kind == OCP_FALSE ? 1u << OCP_TRUE : 1u << value->kind;
}

bool
ocp_types_allow(guint types, const OcpNode *value)
{
    if (types == 0 || (types & ocp_type_bit(value)))
        return true;
    return (types & OCP_TYPE_INTEGER) && value->kind == OCP_NUMBER &&
           ocp_number_is_integer(value);
}

bool
ocp_same_value(const OcpNode *a, const OcpNode *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == OCP_STRING)
        return ocp_text_equal(a, b);
    return ocp_equal_value(a, b);
}

void
ocp_seen_mark(OcpSeen *seen, gsize index)
{
    if (seen != NULL && index < seen->count)
        seen->flags[index] = 1;
}

static void
merge_seen(OcpSeen *outer, const OcpSeen *seen)
{
    for (gsize i = 0; outer != NULL && i < seen->count; i++)
        outer->flags[i] |= seen->flags[i];
}

bool
ocp_check_verdict(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                  OcpSeen *outer)
{
    GPtrArray *faults = check->faults;
    check->faults = NULL;
    bool good = ocp_check_sub(check, sub, value, outer);
    check->faults = faults;
    return good;
}

bool
ocp_check_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                const OcpNode *key, gsize index)
{
    OcpPath here = {check->path, key, index};
    check->path = &here;
    bool good = ocp_check_sub(check, sub, value, NULL);
    check->path = here.up;
    return good;
}

/* ---- what stands at one value ---------------------------------------------------- */

static bool
check_values(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->constant != NULL && !ocp_same_value(sub->constant, value))
        return ocp_fault_values(check, value, &sub->constant, 1, "const");
    if (sub->values.nodes == NULL)
        return true;
    for (guint i = 0; i < sub->values.count; i++)
        if (ocp_same_value(sub->values.nodes[i], value))
            return true;
    return ocp_fault_values(check, value, sub->values.nodes, sub->values.count, "enum");
}

static bool
check_kind(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    switch ((OcpKind)value->kind) {
    case OCP_NUMBER: return ocp_check_number(check, sub, value);
    case OCP_STRING: return ocp_check_string(check, sub, value);
    case OCP_ARRAY: return ocp_check_array(check, sub, value, seen);
    case OCP_OBJECT: return ocp_check_object(check, sub, value, seen);
    case OCP_NULL:
    case OCP_TRUE:
    case OCP_FALSE:
    case OCP_LINK:
    default: return true;
    }
}

/* The outermost resource that has the anchor decides (2020-12, 8.2.3.2). */
static const OcpSub *
dynamic_target(const OcpCheck *check, const OcpSub *sub)
{
    const OcpSub *target = sub->dynamic_ref;
    if (sub->dynamic == NULL)
        return target;
    for (const OcpScopes *at = check->scopes; at != NULL; at = at->up) {
        const OcpSub *found = g_hash_table_lookup(at->scope->dynamics, sub->dynamic);
        if (found != NULL)
            target = found;
    }
    return target;
}

static bool
check_all(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    bool good = true;
    bool quick = check->faults == NULL;
    if (sub->ref != NULL)
        good = ocp_check_sub(check, sub->ref, value, seen);
    if (sub->dynamic_ref != NULL && (good || !quick))
        good = ocp_check_sub(check, dynamic_target(check, sub), value, seen) && good;
    for (guint i = 0; i < sub->all_of.count && (good || !quick); i++)
        good = ocp_check_sub(check, sub->all_of.subs[i], value, seen) && good;
    return good;
}

/* Counts the branches that the value satisfies; enough is how many settle the matter.
 */
static guint
count_branches(OcpCheck *check, const OcpSubs *branches, const OcpChoice *choice,
               const OcpNode *value, OcpSeen *seen, guint enough)
{
    guint count = 0;
    for (guint i = 0; i < branches->count && count < enough; i++)
        if (ocp_choice_allows(choice, i, value) &&
            ocp_check_verdict(check, branches->subs[i], value, seen))
            count++;
    return count;
}

/* Warnings of format are wanted from the branches that hold, too. */
static void
collect_warnings(OcpCheck *check, const OcpSubs *branches, const OcpNode *value)
{
    if (check->faults == NULL || !check->format_failed)
        return;
    for (guint i = 0; i < branches->count; i++)
        if (ocp_check_verdict(check, branches->subs[i], value, NULL))
            ocp_check_sub(check, branches->subs[i], value, NULL);
}

static bool
check_any(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    const OcpSubs *branches = &sub->any_of;
    if (branches->count == 0)
        return true;
    guint enough = seen != NULL ? G_MAXUINT : 1;
    if (count_branches(check, branches, &sub->any_choice, value, seen, enough) == 0)
        return ocp_fault_alternatives(check, branches, &sub->any_choice, "anyOf",
                                      value);
    collect_warnings(check, branches, value);
    return true;
}

static bool
check_one(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    const OcpSubs *branches = &sub->one_of;
    if (branches->count == 0)
        return true;
    guint count = count_branches(check, branches, &sub->one_choice, value, seen, 2);
    if (count == 0)
        return ocp_fault_alternatives(check, branches, &sub->one_choice, "oneOf",
                                      value);
    if (count > 1)
        return ocp_fault_plain(
            check, value, "oneOf",
            "fits more than one of the alternatives, which is one too "
            "many");
    collect_warnings(check, branches, value);
    return true;
}

/* Says what a "not" forbids, where that is one member or one value. */
static bool
fault_not(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (check->faults == NULL)
        return false;
    const OcpNames *names = &sub->names;
    const char *what = "this value is not allowed here";
    if (ocp_sub_fixed(sub) != NULL)
        what = ocp_fault_text(check, "%s is not allowed here",
                              ocp_fault_show(check, value));
    else if (names->required == 1 && names->count == 1)
        what = ocp_fault_text(
            check, "member %s is not allowed here",
            ocp_fault_show_text(check, names->names[0].text, names->names[0].length));
    return ocp_fault_plain(check, value, "not", what);
}

static bool
check_logic(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    bool quick = check->faults == NULL;
    bool good = check_all(check, sub, value, seen);
    if (good || !quick)
        good = check_any(check, sub, value, seen) && good;
    if (good || !quick)
        good = check_one(check, sub, value, seen) && good;
    if (sub->not_sub != NULL && (good || !quick) &&
        ocp_check_verdict(check, sub->not_sub, value, NULL))
        good = fault_not(check, sub->not_sub, value);
    if (sub->if_sub != NULL && (good || !quick))
        good = ocp_check_condition(check, sub, value, seen) && good;
    return good;
}

static bool
check_keywords(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    bool quick = check->faults == NULL;
    if (!ocp_types_allow(sub->types, value))
        return ocp_fault_type(check, value, sub->types);
    bool good = check_values(check, sub, value);
    if (good || !quick)
        good = check_kind(check, sub, value, seen) && good;
    if (good || !quick)
        good = check_logic(check, sub, value, seen) && good;
    if (sub->unevaluated && (good || !quick)) {
        good = ocp_check_unevaluated_items(check, sub, value, seen) && good;
        good = ocp_check_unevaluated_properties(check, sub, value, seen) && good;
    }
    return good;
}

/* With a record of what is evaluated; it counts for outer only if the value is good. */
static bool
check_seeing(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *outer)
{
    if (!ocp_is_container(value))
        return check_keywords(check, sub, value, NULL);
    OcpSeen seen = {g_malloc0(value->size + 1), value->size};
    bool good = check_keywords(check, sub, value, &seen);
    if (good)
        merge_seen(outer, &seen);
    g_free(seen.flags);
    return good;
}

bool
ocp_check_sub(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *outer)
{
    if (sub->trivial)
        return true;
    if (sub->never)
        return ocp_fault_plain(check, value, "false", "nothing is allowed here");
    if (check->too_deep || ++check->depth > OCP_CHECK_DEPTH) {
        check->too_deep = true;
        return false;
    }
    OcpScopes scopes = {check->scopes, sub->scope};
    if (scopes.up == NULL || scopes.up->scope != sub->scope)
        check->scopes = &scopes;
    bool good = outer != NULL || sub->unevaluated
                    ? check_seeing(check, sub, value, outer)
                    : check_keywords(check, sub, value, NULL);
    check->scopes = scopes.up;
    check->depth--;
    return good;
}
