/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"

#include <string.h>

#include "value/equal.h"
#include "value/number.h"

void
ocp_check_init(OcpCheck *check, const OcpCheckOptions *options)
{
    memset(check, 0, G_STRUCT_OFFSET(OcpCheck, machine));
    check->options = options;
    ocp_machine_init(&check->machine);
}

void
ocp_check_clear(OcpCheck *check)
{
    if (check->text != NULL)
        g_string_free(check->text, TRUE);
    if (check->scope_arena != NULL)
        ocp_arena_free(check->scope_arena);
    ocp_machine_clear(&check->machine);
}

guint
ocp_type_bit(const OcpNode *value)
{
    return value->kind == OCP_FALSE ? 1u << OCP_TRUE : 1u << value->kind;
}

bool
ocp_types_allow_number(guint types, const OcpNode *value)
{
    return (types & OCP_TYPE_INTEGER) && ocp_number_is_integer(value);
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

const char *
ocp_check_decoded(OcpCheck *check, const OcpNode *string, gsize *length)
{
    if (!(string->flags & OCP_NODE_ESCAPED)) {
        *length = string->size;
        return string->as.text;
    }
    if (check->text == NULL)
        check->text = g_string_new(NULL);
    g_string_set_size(check->text, string->size);
    *length = ocp_unescape(string->as.text, string->size, check->text->str);
    return check->text->str;
}

/* ---- what stands at one value ---------------------------------------------------- */

static void
check_values(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->constant != NULL && !ocp_same_value(sub->constant, value)) {
        ocp_fault_values(check, value, &sub->constant, 1, "const");
        return;
    }
    if (sub->values.nodes == NULL)
        return;
    for (guint i = 0; i < sub->values.count; i++)
        if (ocp_same_value(sub->values.nodes[i], value))
            return;
    ocp_fault_values(check, value, sub->values.nodes, sub->values.count, "enum");
}

static void
check_kind(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    switch ((OcpKind)value->kind) {
    case OCP_NUMBER: ocp_check_number(check, sub, value); break;
    case OCP_STRING: ocp_check_string(check, sub, value); break;
    case OCP_ARRAY: ocp_check_array(check, sub, value); break;
    case OCP_OBJECT: ocp_check_object(check, sub, value); break;
    case OCP_NULL:
    case OCP_TRUE:
    case OCP_FALSE:
    case OCP_LINK:
    default: break;
    }
}

/* Counts the branches that the value satisfies; enough is how many settle the matter.
 */
static guint
count_branches(OcpCheck *check, const OcpSubs *branches, const OcpChoice *choice,
               const OcpNode *value, guint enough)
{
    guint count = 0;
    for (guint i = 0; i < branches->count && count < enough; i++)
        if (ocp_choice_allows(choice, i, value) &&
            ocp_check_verdict(check, branches->subs[i], value, NULL))
            count++;
    return count;
}

/* Warnings of format are wanted from the branches that hold, too. */
static void
collect_warnings(OcpCheck *check, const OcpSubs *branches, const OcpNode *value)
{
    if (!check->format_failed)
        return;
    for (guint i = 0; i < branches->count; i++)
        if (ocp_check_verdict(check, branches->subs[i], value, NULL))
            ocp_check_sub(check, branches->subs[i], value);
}

static void
check_any(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    const OcpSubs *branches = &sub->any_of;
    if (branches->count == 0)
        return;
    if (count_branches(check, branches, &sub->any_choice, value, 1) == 0)
        ocp_fault_alternatives(check, branches, &sub->any_choice, "anyOf", value);
    else
        collect_warnings(check, branches, value);
}

static void
check_one(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    const OcpSubs *branches = &sub->one_of;
    if (branches->count == 0)
        return;
    guint count = count_branches(check, branches, &sub->one_choice, value, 2);
    if (count == 0)
        ocp_fault_alternatives(check, branches, &sub->one_choice, "oneOf", value);
    else if (count > 1)
        ocp_fault_plain(check, value, "oneOf",
                        "fits more than one of the alternatives, which is one too "
                        "many");
    else
        collect_warnings(check, branches, value);
}

/* Says what a "not" forbids, where that is one member or one value. */
static void
fault_not(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    const OcpNames *names = &sub->names;
    const char *what = "this value is not allowed here";
    if (ocp_sub_fixed(sub) != NULL)
        what = ocp_fault_text(check, "%s is not allowed here",
                              ocp_fault_show(check, value));
    else if (names->required == 1 && names->count == 1)
        what = ocp_fault_text(
            check, "member %s is not allowed here",
            ocp_fault_show_text(check, names->names[0].text, names->names[0].length));
    ocp_fault_plain(check, value, "not", what);
}

static void
check_logic(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->ref != NULL)
        ocp_check_sub(check, sub->ref, value);
    if (sub->dynamic_ref != NULL)
        ocp_check_sub(check, ocp_scopes_target(check->scopes, sub), value);
    for (guint i = 0; i < sub->all_of.count; i++)
        ocp_check_sub(check, sub->all_of.subs[i], value);
    check_any(check, sub, value);
    check_one(check, sub, value);
    if (sub->not_sub != NULL && ocp_check_verdict(check, sub->not_sub, value, NULL))
        fault_not(check, sub->not_sub, value);
    if (sub->if_sub != NULL)
        ocp_check_condition(check, sub, value);
}

static void
check_keywords(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (!ocp_types_allow(sub->types, value)) {
        ocp_fault_type(check, value, sub->types);
        return;
    }
    check_values(check, sub, value);
    check_kind(check, sub, value);
    check_logic(check, sub, value);
    if (sub->unevaluated)
        ocp_check_unevaluated(check, sub, value);
}

void
ocp_check_sub(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->trivial)
        return;
    if (sub->never) {
        ocp_fault_plain(check, value, "false", "nothing is allowed here");
        return;
    }
    if (check->too_deep || check->depth >= OCP_FAULT_NESTING) {
        check->too_deep = true;
        return;
    }
    const OcpScopes *scopes = check->scopes;
    if (sub->scope != NULL)
        check->scopes = ocp_scopes_enter(check, scopes, sub->scope);
    check->depth++;
    check_keywords(check, sub, value);
    check->depth--;
    check->scopes = scopes;
}

/* ---- below ----------------------------------------------------------------------- */

static void
check_later(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
            const OcpPath *step)
{
    OcpPending *pending = ocp_arena_new_of(check->arena, OcpPending);
    *pending =
        (OcpPending){{NULL, true},   sub,         value,        *step, check->scopes,
                     check->because, check->rule, check->reason};
    ocp_fault_add(check, &pending->entry);
}

void
ocp_check_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                const OcpNode *key, gsize index)
{
    OcpPath here = {check->path, key, index};
    if (sub->trivial)
        return;
    if (!ocp_is_leaf(value)) {
        if (check->format_failed || ocp_check_glance(check, sub, value) != OCP_HOLDS ||
            check->format_failed)
            check_later(check, sub, value, &here);
        return;
    }
    guint depth = check->depth;
    check->path = &here;
    check->depth = 0;
    ocp_check_sub(check, sub, value);
    check->depth = depth;
    check->path = here.up;
}

static void
go_to(OcpCheck *check, const OcpPending *pending)
{
    check->path = &pending->path;
    check->scopes = pending->scopes;
    check->because = pending->because;
    check->rule = pending->rule;
    check->reason = pending->reason;
    check->depth = 0;
}

OcpEntry *
ocp_check_collect(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpEntry **outer = check->faults;
    guint made = check->made;
    OcpPending before = {{NULL, true},  sub,
                         value,         {check->path, NULL, check->depth},
                         check->scopes, check->because,
                         check->rule,   check->reason};
    OcpEntry *first = NULL;
    OcpEntry **at = &first;
    guint faults = 0;
    check->faults = &first;
    check->made = 0;
    ocp_check_sub(check, sub, value);
    while (*at != NULL && faults < OCP_CHECK_FAULTS && !check->too_deep) {
        OcpEntry *entry = *at;
        if (!entry->pending) {
            faults++;
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        check->faults = at;
        check->made = 0;
        const OcpPending *pending = (const OcpPending *)entry;
        go_to(check, pending);
        ocp_check_sub(check, pending->sub, pending->value);
    }
    *at = NULL;
    check->faults = outer;
    check->made = made;
    go_to(check, &before);
    check->path = before.path.up;
    check->depth = (guint)before.path.index;
    return first;
}

/* ---- unevaluated… ---------------------------------------------------------------- */

static void
mark_here(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    const OcpSub *dynamic =
        sub->dynamic_ref != NULL ? ocp_scopes_target(check->scopes, sub) : NULL;
    if (sub->ref != NULL)
        ocp_check_verdict(check, sub->ref, value, seen);
    if (dynamic != NULL)
        ocp_check_verdict(check, dynamic, value, seen);
    for (guint i = 0; i < sub->all_of.count; i++)
        ocp_check_verdict(check, sub->all_of.subs[i], value, seen);
    for (guint i = 0; i < sub->any_of.count; i++)
        ocp_check_verdict(check, sub->any_of.subs[i], value, seen);
    for (guint i = 0; i < sub->one_of.count; i++)
        ocp_check_verdict(check, sub->one_of.subs[i], value, seen);
    if (sub->if_sub != NULL) {
        bool held = ocp_check_verdict(check, sub->if_sub, value, seen);
        const OcpSub *branch = held ? sub->then_sub : sub->else_sub;
        if (branch != NULL)
            ocp_check_verdict(check, branch, value, seen);
    }
    for (guint i = 0; sub->names.has_dependents && i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        if (name->dependent != NULL &&
            ocp_member_sized(value, name->text, name->length, NULL) != NULL)
            ocp_check_verdict(check, name->dependent, value, seen);
    }
}

void
ocp_check_unevaluated(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (!ocp_is_container(value))
        return;
    OcpSeen seen = {g_malloc0(value->size + 1), value->size};
    mark_here(check, sub, value, &seen);
    if (value->kind == OCP_ARRAY)
        ocp_check_rest_of_array(check, sub, value, &seen);
    else
        ocp_check_rest_of_object(check, sub, value, &seen);
    g_free(seen.flags);
}
