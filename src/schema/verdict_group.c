/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of the verdict machine: keywords whose truth hangs on the outcome of several
 * branches, each a list of tasks.
 */
#include "schema/check.h"

static OcpGroup *
top(OcpCheck *check)
{
    return &check->machine.groups[check->machine.group_count - 1];
}

/* The record that the group's value is noted in outside of it, or NULL. */
static OcpSeen *
outer_seen(OcpCheck *check)
{
    const OcpMachine *machine = &check->machine;
    if (machine->group_count < 2)
        return NULL;
    OcpGroup *up = &machine->groups[machine->group_count - 2];
    bool same = up->task.value == top(check)->task.value;
    return same && up->seen.flags != NULL ? &up->seen : NULL;
}

static void
grow_groups(OcpMachine *machine)
{
    bool first = machine->groups == machine->first_groups;
    machine->group_room *= 2;
    machine->groups =
        g_renew(OcpGroup, first ? NULL : machine->groups, machine->group_room);
    if (first)
        memcpy(machine->groups, machine->first_groups, sizeof machine->first_groups);
}

void
ocp_group_open(OcpCheck *check, const OcpTask *task, const OcpSeen *seen)
{
    OcpMachine *machine = &check->machine;
    if (machine->group_count == machine->group_room)
        grow_groups(machine);
    OcpGroup *group = &machine->groups[machine->group_count++];
    *group = (OcpGroup){.task = *task, .base = machine->task_count};
    if (task->kind == OCP_TASK_ROOT) {
        group->seen = *seen;
    } else if (task->kind == OCP_TASK_WHOLE || outer_seen(check) != NULL) {
        group->seen.count = task->value->size;
        group->seen.flags = g_malloc0(task->value->size + 1);
    }
}

/* The root's record is the caller's. */
void
ocp_group_close(OcpCheck *check)
{
    OcpGroup *group = top(check);
    check->machine.task_count = MIN(check->machine.task_count, group->base);
    if (group->task.kind != OCP_TASK_ROOT)
        g_free(group->seen.flags);
    OcpTask task = group->task;
    bool held = group->count > 0;
    check->machine.group_count--;
    if (task.kind != OCP_TASK_IF)
        return;
    const OcpSub *branch = held ? task.sub->then_sub : task.sub->else_sub;
    if (branch == NULL)
        return;
    OcpTask then = {branch, task.value, task.scopes, task.nested + 1, OCP_TASK_APPLY};
    ocp_machine_push(&check->machine, &then);
}

/* ---- branches -------------------------------------------------------------------- */

static OcpOutcome
enter(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpTaskKind kind)
{
    const OcpGroup *group = top(check);
    bool here = value == group->task.value;
    OcpTask task = {sub, value, group->task.scopes, here ? group->task.nested + 1 : 0,
                    kind};
    if (task.nested > OCP_CHECK_NESTING) {
        check->too_deep = true;
        return OCP_GROUP_FAILS;
    }
    if (here && group->seen.flags != NULL && kind != OCP_TASK_INNER)
        memset(group->seen.flags, 0, group->seen.count);
    ocp_machine_push(&check->machine, &task);
    return OCP_GROUP_GOES_ON;
}

static OcpOutcome
next_branch(OcpCheck *check, const OcpSubs *branches, const OcpChoice *choice)
{
    OcpGroup *group = top(check);
    const OcpNode *value = group->task.value;
    while (group->branch < branches->count) {
        guint n = group->branch++;
        if (ocp_choice_allows(choice, n, value))
            return enter(check, branches->subs[n], value, OCP_TASK_APPLY);
    }
    return group->count > 0 ? OCP_GROUP_HOLDS : OCP_GROUP_FAILS;
}

static OcpOutcome
decide_any(OcpCheck *check, bool good)
{
    OcpGroup *group = top(check);
    if (good) {
        group->count++;
        ocp_seen_merge(outer_seen(check), &group->seen);
        if (group->seen.flags == NULL)
            return OCP_GROUP_HOLDS;
    }
    return next_branch(check, &group->task.sub->any_of, &group->task.sub->any_choice);
}

static OcpOutcome
decide_one(OcpCheck *check, bool good)
{
    OcpGroup *group = top(check);
    if (good && ++group->count > 1)
        return OCP_GROUP_FAILS;
    if (good)
        ocp_seen_merge(outer_seen(check), &group->seen);
    return next_branch(check, &group->task.sub->one_of, &group->task.sub->one_choice);
}

static OcpOutcome
next_element(OcpCheck *check)
{
    OcpGroup *group = top(check);
    const OcpSub *sub = group->task.sub;
    const OcpNode *element = group->at;
    if (element == NULL)
        return group->count >= sub->min_contains && group->count <= sub->max_contains
                   ? OCP_GROUP_HOLDS
                   : OCP_GROUP_FAILS;
    group->at = element->next;
    group->branch++;
    return enter(check, sub->contains, ocp_deref(element), OCP_TASK_APPLY);
}

static OcpOutcome
decide_contains(OcpCheck *check, bool good)
{
    OcpGroup *group = top(check);
    if (good) {
        ocp_seen_mark(outer_seen(check), group->branch - 1);
        group->count++;
    }
    return next_element(check);
}

/* ---- unevaluated… ---------------------------------------------------------------- */

static OcpTruth
apply_rest(OcpCheck *check, const OcpSub *rest)
{
    OcpGroup *group = top(check);
    OcpMachine *machine = &check->machine;
    OcpTruth truth = OCP_HOLDS;
    gsize index = 0;
    bool named = group->task.value->kind == OCP_OBJECT;
    machine->scopes = group->task.scopes;
    machine->deferring = true;
    machine->seen = NULL;
    for (const OcpNode *at = ocp_first_child(group->task.value);
         at != NULL && truth != OCP_FAILS; at = at->next, index++) {
        at = named ? at->next : at;
        if (group->seen.flags[index])
            continue;
        group->seen.flags[index] = 1;
        truth = ocp_verdict_below(check, rest, ocp_deref(at));
    }
    return truth;
}

/* First all that the subschema says, then what is left over. */
static OcpOutcome
decide_whole(OcpCheck *check, bool good)
{
    OcpGroup *group = top(check);
    const OcpSub *sub = group->task.sub;
    const OcpSub *rest = group->task.value->kind == OCP_ARRAY
                             ? sub->unevaluated_items
                             : sub->unevaluated_properties;
    if (!good)
        return OCP_GROUP_FAILS;
    if (group->branch++ == 0 && rest != NULL)
        return apply_rest(check, rest) != OCP_FAILS ? OCP_GROUP_GOES_ON
                                                    : OCP_GROUP_FAILS;
    ocp_seen_merge(outer_seen(check), &group->seen);
    return OCP_GROUP_HOLDS;
}

/* ---- all kinds ------------------------------------------------------------------- */

OcpOutcome
ocp_group_begin(OcpCheck *check)
{
    OcpGroup *group = top(check);
    const OcpSub *sub = group->task.sub;
    const OcpNode *value = group->task.value;
    switch (group->task.kind) {
    case OCP_TASK_ANY: return next_branch(check, &sub->any_of, &sub->any_choice);
    case OCP_TASK_ONE: return next_branch(check, &sub->one_of, &sub->one_choice);
    case OCP_TASK_NOT: return enter(check, sub->not_sub, value, OCP_TASK_APPLY);
    case OCP_TASK_IF: return enter(check, sub->if_sub, value, OCP_TASK_APPLY);
    case OCP_TASK_CONTAINS:
        group->at = ocp_first_child(value);
        return next_element(check);
    case OCP_TASK_WHOLE: return enter(check, sub, value, OCP_TASK_INNER);
    case OCP_TASK_ROOT: {
        OcpTask task = group->task;
        task.kind = OCP_TASK_APPLY;
        ocp_machine_push(&check->machine, &task);
        return OCP_GROUP_GOES_ON;
    }
    case OCP_TASK_APPLY:
    case OCP_TASK_INNER:
    default: return OCP_GROUP_FAILS;
    }
}

OcpOutcome
ocp_group_decide(OcpCheck *check, bool good)
{
    OcpGroup *group = top(check);
    check->machine.task_count = group->base;
    if (check->too_deep)
        return OCP_GROUP_FAILS;
    switch (group->task.kind) {
    case OCP_TASK_ANY: return decide_any(check, good);
    case OCP_TASK_ONE: return decide_one(check, good);
    case OCP_TASK_NOT: return good ? OCP_GROUP_FAILS : OCP_GROUP_HOLDS;
    case OCP_TASK_IF:
        group->count = good ? 1 : 0;
        if (good)
            ocp_seen_merge(outer_seen(check), &group->seen);
        return OCP_GROUP_HOLDS;
    case OCP_TASK_CONTAINS: return decide_contains(check, good);
    case OCP_TASK_WHOLE: return decide_whole(check, good);
    case OCP_TASK_ROOT: return good ? OCP_GROUP_HOLDS : OCP_GROUP_FAILS;
    case OCP_TASK_APPLY:
    case OCP_TASK_INNER:
    default: return OCP_GROUP_FAILS;
    }
}
