/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on what applies at the same value: $ref, allOf, anyOf, oneOf, not, if.
 */
#include "schema/check.h"

/* What the branches of an anyOf or oneOf come to at a glance. */
typedef struct {
    guint hold;
    guint unknown;
    const OcpSub *one; /* of the unknown ones */
} Glance;

/* Stops once enough hold. */
static Glance
glance(OcpCheck *check, const OcpSubs *branches, const OcpChoice *choice,
       const OcpNode *value, guint steps, guint enough)
{
    Glance all = {0, 0, NULL};
    bool format_failed = check->format_failed;
    const OcpNode *chosen = ocp_choice_member(choice, value);
    for (guint i = 0; i < branches->count && all.hold < enough; i++) {
        if (chosen != NULL && !ocp_sub_names_value(choice->fixed[i], chosen))
            continue;
        OcpTruth truth = ocp_verdict_apart(check, branches->subs[i], value, steps + 1);
        if (truth == OCP_HOLDS)
            all.hold++;
        if (truth != OCP_UNKNOWN)
            continue;
        all.unknown++;
        all.one = branches->subs[i];
    }
    if (all.unknown > 0 && all.hold < enough)
        check->format_failed = format_failed;
    return all;
}

/* Where all branches but one are known to fail, what is left is that one. */
static OcpTruth
check_any(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    if (check->machine.seen != NULL)
        return ocp_verdict_later(check, OCP_TASK_ANY, sub, value, steps);
    Glance all = glance(check, &sub->any_of, &sub->any_choice, value, steps, 1);
    if (all.hold > 0 || all.unknown == 0)
        return all.hold > 0 ? OCP_HOLDS : OCP_FAILS;
    if (all.unknown == 1 && check->machine.deferring)
        return ocp_verdict_apply(check, all.one, value, steps + 1);
    return ocp_verdict_later(check, OCP_TASK_ANY, sub, value, steps);
}

static OcpTruth
check_one(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    if (check->machine.seen != NULL)
        return ocp_verdict_later(check, OCP_TASK_ONE, sub, value, steps);
    Glance all = glance(check, &sub->one_of, &sub->one_choice, value, steps, 2);
    if (all.unknown == 0 || all.hold > 1)
        return all.hold == 1 ? OCP_HOLDS : OCP_FAILS;
    if (all.unknown == 1 && all.hold == 0 && check->machine.deferring)
        return ocp_verdict_apply(check, all.one, value, steps + 1);
    return ocp_verdict_later(check, OCP_TASK_ONE, sub, value, steps);
}

static OcpTruth
check_not(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    OcpTruth truth = ocp_verdict_apart(check, sub->not_sub, value, steps + 1);
    if (truth == OCP_UNKNOWN)
        return ocp_verdict_later(check, OCP_TASK_NOT, sub, value, steps);
    return truth == OCP_HOLDS ? OCP_FAILS : OCP_HOLDS;
}

/* Most conditions are on the value of one member. */
static OcpTruth
check_decided(OcpCheck *check, const OcpSub *condition, const OcpNode *value)
{
    if (value->kind != OCP_OBJECT)
        return OCP_HOLDS;
    const OcpNode *member =
        ocp_verdict_member(&check->machine, value, condition->decides);
    return member != NULL && ocp_verdict_values(condition->decides->sub, member)
               ? OCP_HOLDS
               : OCP_FAILS;
}

static OcpTruth
check_if(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    if (check->machine.seen != NULL)
        return ocp_verdict_later(check, OCP_TASK_IF, sub, value, steps);
    OcpTruth truth = sub->if_sub->decides != NULL
                         ? check_decided(check, sub->if_sub, value)
                         : ocp_verdict_apart(check, sub->if_sub, value, steps + 1);
    if (truth == OCP_UNKNOWN)
        return ocp_verdict_later(check, OCP_TASK_IF, sub, value, steps);
    const OcpSub *branch = truth == OCP_HOLDS ? sub->then_sub : sub->else_sub;
    return branch != NULL ? ocp_verdict_apply(check, branch, value, steps + 1)
                          : OCP_HOLDS;
}

OcpTruth
ocp_verdict_logic(OcpCheck *check, const OcpSub *sub, const OcpNode *value, guint steps)
{
    OcpTruth truth = OCP_HOLDS;
    if (sub->ref != NULL)
        truth = ocp_verdict_apply(check, sub->ref, value, steps + 1);
    if (sub->dynamic_ref != NULL && truth != OCP_FAILS) {
        const OcpSub *target = ocp_scopes_target(check->machine.scopes, sub);
        truth =
            ocp_truth_and(truth, ocp_verdict_apply(check, target, value, steps + 1));
    }
    for (guint i = 0; i < sub->all_of.count && truth != OCP_FAILS; i++)
        truth = ocp_truth_and(
            truth, ocp_verdict_apply(check, sub->all_of.subs[i], value, steps + 1));
    if (sub->any_of.count > 0 && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_any(check, sub, value, steps));
    if (sub->one_of.count > 0 && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_one(check, sub, value, steps));
    if (sub->not_sub != NULL && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_not(check, sub, value, steps));
    if (sub->if_sub != NULL && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_if(check, sub, value, steps));
    return truth;
}
