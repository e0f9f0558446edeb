/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/verdict.h"

#include "schema/check.h"

enum { STEPS = 12 }; /* in C at one value; what nests deeper is left to a task */

void
ocp_machine_init(OcpMachine *machine)
{
    machine->tasks = machine->first_tasks;
    machine->task_count = 0;
    machine->task_room = OCP_VERDICT_TASKS;
    machine->groups = machine->first_groups;
    machine->group_count = 0;
    machine->group_room = OCP_VERDICT_GROUPS;
    machine->blind = false;
    machine->asked_object = NULL;
}

void
ocp_machine_clear(OcpMachine *machine)
{
    if (machine->tasks != machine->first_tasks)
        g_free(machine->tasks);
    if (machine->groups != machine->first_groups)
        g_free(machine->groups);
}

static void
grow_tasks(OcpMachine *machine)
{
    bool first = machine->tasks == machine->first_tasks;
    machine->task_room *= 2;
    machine->tasks =
        g_renew(OcpTask, first ? NULL : machine->tasks, machine->task_room);
    if (first)
        memcpy(machine->tasks, machine->first_tasks, sizeof machine->first_tasks);
}

void
ocp_machine_push(OcpMachine *machine, const OcpTask *task)
{
    if (machine->task_count == machine->task_room)
        grow_tasks(machine);
    machine->tasks[machine->task_count++] = *task;
}

void
ocp_seen_mark(OcpSeen *seen, gsize index)
{
    if (seen != NULL && index < seen->count)
        seen->flags[index] = 1;
}

void
ocp_seen_merge(OcpSeen *outer, const OcpSeen *seen)
{
    for (gsize i = 0; outer != NULL && i < seen->count; i++)
        outer->flags[i] |= seen->flags[i];
}

/* ---- scopes ---------------------------------------------------------------------- */

static bool
is_in(const OcpScopes *scopes, const OcpScope *scope)
{
    for (; scopes != NULL; scopes = scopes->up)
        if (scopes->scope == scope)
            return true;
    return false;
}

/* Only the outermost counts of a resource, so there are few ways to enter any. */
const OcpScopes *
ocp_scopes_enter(OcpCheck *check, const OcpScopes *scopes, const OcpScope *scope)
{
    if (is_in(scopes, scope))
        return scopes;
    OcpScopes **below =
        scopes != NULL ? &((OcpScopes *)scopes)->below : &check->outermost;
    for (OcpScopes *known = *below; known != NULL; known = known->beside)
        if (known->scope == scope)
            return known;
    if (check->scope_arena == NULL)
        check->scope_arena = ocp_arena_new();
    OcpScopes *entered = ocp_arena_new_of(check->scope_arena, OcpScopes);
    *entered = (OcpScopes){scopes, scope, NULL, *below};
    *below = entered;
    return entered;
}

const OcpSub *
ocp_scopes_target(const OcpScopes *scopes, const OcpSub *sub)
{
    const OcpSub *target = sub->dynamic_ref;
    if (sub->dynamic == NULL)
        return target;
    for (; scopes != NULL; scopes = scopes->up) {
        const OcpSub *found =
            g_hash_table_lookup(scopes->scope->dynamics, sub->dynamic);
        if (found != NULL)
            target = found;
    }
    return target;
}

/* ---- one value ------------------------------------------------------------------- */

OcpTruth
ocp_verdict_later(OcpCheck *check, OcpTaskKind kind, const OcpSub *sub,
                  const OcpNode *value, guint steps)
{
    OcpMachine *machine = &check->machine;
    if (!machine->deferring)
        return OCP_UNKNOWN;
    OcpTask task = {sub, value, machine->scopes, machine->nested + steps, kind};
    if (task.nested > OCP_CHECK_NESTING) {
        check->too_deep = true;
        return OCP_FAILS;
    }
    ocp_machine_push(machine, &task);
    return OCP_HOLDS;
}

/* True if the values differ at first sight. */
static inline bool
clearly_differ(const OcpNode *a, const OcpNode *b)
{
    return a->kind != b->kind || (a->kind == OCP_STRING && a->size != b->size &&
                                  !((a->flags | b->flags) & OCP_NODE_ESCAPED));
}

bool
ocp_verdict_values(const OcpSub *sub, const OcpNode *value)
{
    const OcpNode *constant = sub->constant;
    if (constant != NULL &&
        (clearly_differ(constant, value) || !ocp_same_value(constant, value)))
        return false;
    if (sub->values.nodes == NULL)
        return true;
    for (guint i = 0; i < sub->values.count; i++)
        if (!clearly_differ(sub->values.nodes[i], value) &&
            ocp_same_value(sub->values.nodes[i], value))
            return true;
    return false;
}

static OcpTruth
check_kind(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    bool good = true;
    switch ((OcpKind)value->kind) {
    case OCP_NUMBER:
        good = !(sub->uses & OCP_USES_NUMBER) || ocp_check_number(check, sub, value);
        break;
    case OCP_STRING:
        good = !(sub->uses & OCP_USES_STRING) || ocp_check_string(check, sub, value);
        break;
    case OCP_ARRAY:
        return sub->uses & OCP_USES_ARRAY ? ocp_verdict_array(check, sub, value)
                                          : OCP_HOLDS;
    case OCP_OBJECT:
        return sub->uses & OCP_USES_OBJECT
                   ? ocp_verdict_object(check, sub, value, steps)
                   : OCP_HOLDS;
    case OCP_NULL:
    case OCP_TRUE:
    case OCP_FALSE:
    case OCP_LINK:
    default: break;
    }
    return good ? OCP_HOLDS : OCP_FAILS;
}

OcpTruth
ocp_verdict_keywords(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                     guint steps)
{
    if ((sub->uses & OCP_USES_VALUES) && !ocp_verdict_values(sub, value))
        return OCP_FAILS;
    OcpTruth truth = check_kind(check, sub, value, steps);
    if ((sub->uses & OCP_USES_LOGIC) && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, ocp_verdict_logic(check, sub, value, steps));
    return truth;
}

static OcpTruth
apply_in_scope(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    OcpMachine *machine = &check->machine;
    const OcpScopes *scopes = machine->scopes;
    OcpTruth truth;
    if (sub->scope != NULL)
        machine->scopes = ocp_scopes_enter(check, scopes, sub->scope);
    if (sub->unevaluated && ocp_is_container(value))
        truth = ocp_verdict_later(check, OCP_TASK_WHOLE, sub, value, steps);
    else
        truth = ocp_verdict_keywords(check, sub, value, steps);
    machine->scopes = scopes;
    return truth;
}

OcpTruth
ocp_verdict_apply(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    if (sub->trivial)
        return OCP_HOLDS;
    if (sub->never || !ocp_types_allow(sub->types, value))
        return OCP_FAILS;
    if (steps > STEPS) {
        check->machine.blind = true;
        return ocp_verdict_later(check, OCP_TASK_APPLY, sub, value, steps);
    }
    if (check->machine.blind && !check->machine.deferring)
        return OCP_UNKNOWN;
    if (sub->scope == NULL && !sub->unevaluated)
        return ocp_verdict_keywords(check, sub, value, steps);
    return apply_in_scope(check, sub, value, steps);
}

/* Scalars are settled at once, as nothing lies below them. */
OcpTruth
ocp_verdict_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpMachine *machine = &check->machine;
    guint nested = machine->nested;
    OcpSeen *seen = machine->seen;
    if (sub->trivial)
        return OCP_HOLDS;
    if (sub->never || !ocp_types_allow(sub->types, value))
        return OCP_FAILS;
    machine->nested = 0;
    machine->seen = NULL;
    OcpTruth truth = !ocp_is_leaf(value)
                         ? ocp_verdict_later(check, OCP_TASK_APPLY, sub, value, 0)
                         : ocp_verdict_apply(check, sub, value, 0);
    machine->nested = nested;
    machine->seen = seen;
    return truth;
}

OcpTruth
ocp_verdict_apart(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    OcpMachine *machine = &check->machine;
    bool deferring = machine->deferring;
    OcpSeen *seen = machine->seen;
    bool format_failed = check->format_failed;
    machine->blind = machine->blind && !deferring;
    machine->deferring = false;
    machine->seen = NULL;
    OcpTruth truth = ocp_verdict_apply(check, sub, value, steps);
    machine->deferring = deferring;
    machine->seen = seen;
    if (truth == OCP_UNKNOWN)
        check->format_failed = format_failed;
    return truth;
}

/* ---- the machine ----------------------------------------------------------------- */

/* True if nothing speaks against the task so far. */
static bool
step(OcpCheck *check, const OcpTask *task)
{
    OcpMachine *machine = &check->machine;
    OcpGroup *group = &machine->groups[machine->group_count - 1];
    bool records = group->seen.flags != NULL && group->task.value == task->value;
    machine->scopes = task->scopes;
    machine->nested = task->nested;
    machine->seen = records ? &group->seen : NULL;
    machine->deferring = true;
    OcpTruth truth = task->kind == OCP_TASK_INNER
                         ? ocp_verdict_keywords(check, task->sub, task->value, 0)
                         : ocp_verdict_apply(check, task->sub, task->value, 0);
    return truth != OCP_FAILS;
}

/* Closes groups until one goes on, or a parent goes on with its tasks. False if the
 * last one was closed. */
static bool
settle(OcpCheck *check, OcpOutcome outcome, bool *ret)
{
    OcpMachine *machine = &check->machine;
    while (outcome != OCP_GROUP_GOES_ON) {
        bool good = outcome == OCP_GROUP_HOLDS && !check->too_deep;
        ocp_group_close(check);
        *ret = good;
        if (machine->group_count == 0)
            return false;
        if (good)
            return true;
        outcome = ocp_group_decide(check, false);
    }
    return true;
}

static bool
run(OcpCheck *check, const OcpTask *root, OcpSeen *seen)
{
    OcpMachine *machine = &check->machine;
    bool good = true;
    ocp_group_open(check, root, seen);
    OcpOutcome outcome = ocp_group_begin(check);
    while (settle(check, outcome, &good)) {
        const OcpGroup *group = &machine->groups[machine->group_count - 1];
        if (machine->task_count == group->base) {
            outcome = ocp_group_decide(check, true);
            continue;
        }
        OcpTask task = machine->tasks[--machine->task_count];
        outcome = OCP_GROUP_GOES_ON;
        if (task.kind > OCP_TASK_INNER) {
            ocp_group_open(check, &task, NULL);
            outcome = ocp_group_begin(check);
        } else if (!step(check, &task)) {
            outcome = ocp_group_decide(check, false);
        }
    }
    return good;
}

bool
ocp_check_verdict(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                  OcpSeen *outer)
{
    OcpEntry **faults = check->faults;
    OcpTask root = {sub, value, check->scopes, check->depth, OCP_TASK_ROOT};
    OcpSeen seen = {outer != NULL ? g_malloc0(outer->count + 1) : NULL,
                    outer != NULL ? outer->count : 0};
    check->faults = NULL;
    bool good = run(check, &root, &seen);
    check->faults = faults;
    if (good)
        ocp_seen_merge(outer, &seen);
    g_free(seen.flags);
    return good;
}

OcpTruth
ocp_check_glance(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpMachine *machine = &check->machine;
    OcpEntry **faults = check->faults;
    check->faults = NULL;
    machine->scopes = check->scopes;
    machine->nested = 0;
    machine->seen = NULL;
    machine->deferring = false;
    machine->blind = false;
    OcpTruth truth = ocp_verdict_apply(check, sub, value, 0);
    check->faults = faults;
    return truth;
}
