/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on members and elements: what is scalar is settled at once, containers
 * become tasks.
 */
#include "schema/check.h"

enum { FEW = 3 }; /* names that are looked for in the object, not the other way round */

/* ---- arrays ---------------------------------------------------------------------- */

static OcpTruth
check_elements(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpSeen *seen = check->machine.seen;
    OcpTruth truth = OCP_HOLDS;
    if (sub->prefix.count == 0 &&
        (sub->items == NULL || (sub->items->trivial && seen == NULL)))
        return OCP_HOLDS;
    gsize index = 0;
    const OcpNode *element;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;
         index++) {
        const OcpSub *one =
            index < sub->prefix.count ? sub->prefix.subs[index] : sub->items;
        if (one == NULL)
            break;
        ocp_seen_mark(seen, index);
        truth = ocp_truth_and(truth, ocp_verdict_below(check, one, element));
        if (truth == OCP_FAILS)
            break;
    }
    return truth;
}

static OcpTruth
check_contains(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpMachine *machine = &check->machine;
    bool deferring = machine->deferring;
    guint64 found = 0;
    gsize index = 0;
    const OcpNode *element;
    OcpTruth truth = OCP_HOLDS;
    machine->deferring = false;
    for (OcpIter i = ocp_iter(value);
         truth != OCP_UNKNOWN && (element = ocp_iter_element(&i)) != NULL; index++) {
        truth = ocp_verdict_below(check, sub->contains, element);
        if (truth != OCP_HOLDS)
            continue;
        ocp_seen_mark(machine->seen, index);
        found++;
    }
    machine->deferring = deferring;
    if (truth == OCP_UNKNOWN)
        return ocp_verdict_later(check, OCP_TASK_CONTAINS, sub, value, 0);
    return found >= sub->min_contains && found <= sub->max_contains ? OCP_HOLDS
                                                                    : OCP_FAILS;
}

OcpTruth
ocp_verdict_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (value->size < sub->min_items || value->size > sub->max_items)
        return OCP_FAILS;
    OcpTruth truth = check_elements(check, sub, value);
    if (sub->contains != NULL && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_contains(check, sub, value));
    if (truth != OCP_FAILS && !ocp_check_unique(check, sub, value))
        truth = OCP_FAILS;
    return truth;
}

/* ---- objects --------------------------------------------------------------------- */

static OcpTruth
check_patterns(OcpCheck *check, const OcpSub *sub, const OcpNode *key,
               const OcpNode *value, bool *declared)
{
    OcpTruth truth = OCP_HOLDS;
    for (guint i = 0; i < sub->pattern_count && truth != OCP_FAILS; i++) {
        gsize length;
        const char *text = ocp_check_decoded(check, key, &length);
        if (!ocp_regexp_search(sub->patterns[i].regexp, text, length))
            continue;
        *declared = true;
        truth =
            ocp_truth_and(truth, ocp_verdict_below(check, sub->patterns[i].sub, value));
    }
    return truth;
}

static OcpTruth
check_member(OcpCheck *check, const OcpSub *sub, const OcpName *name,
             const OcpNode *key, const OcpNode *value, gsize index)
{
    OcpTruth truth = OCP_HOLDS;
    bool declared = name != NULL && name->sub != NULL;
    if (declared)
        truth = ocp_verdict_below(check, name->sub, value);
    if (sub->pattern_count > 0 && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_patterns(check, sub, key, value, &declared));
    if (declared || sub->additional != NULL)
        ocp_seen_mark(check->machine.seen, index);
    if (!declared && sub->additional != NULL && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, ocp_verdict_below(check, sub->additional, value));
    if (sub->property_names != NULL && truth != OCP_FAILS)
        truth =
            ocp_truth_and(truth, ocp_verdict_below(check, sub->property_names, key));
    return truth;
}

/* Documents mostly have their members in the schema's order: the next name is tried
 * before the table is asked. */
static const OcpName *
find_name(const OcpNames *names, const OcpNode *key, guint *next)
{
    const OcpName *name = NULL;
    if (*next < names->count) {
        name = &names->names[*next];
        if (key->size != name->length || (key->flags & OCP_NODE_ESCAPED) ||
            memcmp(key->as.text, name->text, name->length) != 0)
            name = NULL;
    }
    if (name == NULL)
        name = ocp_names_find(names, key);
    if (name != NULL)
        *next = (guint)(name - names->names) + 1;
    return name;
}

static OcpTruth
check_members(OcpCheck *check, const OcpSub *sub, const OcpNode *object)
{
    OcpTruth truth = OCP_HOLDS;
    guint found = 0;
    guint next = 0;
    gsize index = 0;
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(object); ocp_iter_member(&i, &key, &value);) {
        const OcpName *name = find_name(&sub->names, key, &next);
        found += name != NULL && name->required;
        truth =
            ocp_truth_and(truth, check_member(check, sub, name, key, value, index++));
        if (truth == OCP_FAILS)
            return OCP_FAILS;
    }
    return found == sub->names.required ? truth : OCP_FAILS;
}

const OcpNode *
ocp_verdict_member(OcpMachine *machine, const OcpNode *object, const OcpName *name)
{
    const OcpName *asked = machine->asked_name;
    if (machine->asked_object == object &&
        (asked == name || (asked->hash == name->hash && asked->length == name->length &&
                           memcmp(asked->text, name->text, name->length) == 0)))
        return machine->asked_member;
    machine->asked_object = object;
    machine->asked_name = name;
    machine->asked_member = ocp_member_sized(object, name->text, name->length, NULL);
    return machine->asked_member;
}

/* Only these names matter: what else the object holds is passed over. */
static OcpTruth
check_names(OcpCheck *check, const OcpSub *sub, const OcpNode *object)
{
    OcpTruth truth = OCP_HOLDS;
    for (guint i = 0; i < sub->names.count && truth != OCP_FAILS; i++) {
        const OcpName *name = &sub->names.names[i];
        const OcpNode *value = ocp_verdict_member(&check->machine, object, name);
        if (value == NULL && name->required)
            truth = OCP_FAILS;
        else if (value != NULL && name->sub != NULL)
            truth = ocp_truth_and(truth, ocp_verdict_below(check, name->sub, value));
    }
    return truth;
}

static bool
needs_hold(const OcpName *name, const OcpNode *object)
{
    for (guint i = 0; i < name->needs.count; i++)
        if (ocp_member_like(object, name->needs.nodes[i]) == NULL)
            return false;
    return true;
}

static OcpTruth
check_dependents(OcpCheck *check, const OcpSub *sub, const OcpNode *object, guint steps)
{
    OcpTruth truth = OCP_HOLDS;
    for (guint i = 0; i < sub->names.count && truth != OCP_FAILS; i++) {
        const OcpName *name = &sub->names.names[i];
        if ((name->needs.nodes == NULL && name->dependent == NULL) ||
            ocp_member_sized(object, name->text, name->length, NULL) == NULL)
            continue;
        if (!needs_hold(name, object))
            return OCP_FAILS;
        if (name->dependent != NULL)
            truth = ocp_truth_and(
                truth, ocp_verdict_apply(check, name->dependent, object, steps + 1));
    }
    return truth;
}

OcpTruth
ocp_verdict_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                   guint steps)
{
    bool closed = sub->additional != NULL &&
                  (!sub->additional->trivial || check->machine.seen != NULL);
    bool any = !closed && sub->pattern_count == 0 && sub->property_names == NULL;
    OcpTruth truth;
    if (value->size < sub->min_properties || value->size > sub->max_properties)
        return OCP_FAILS;
    if (any && sub->names.count <= FEW && check->machine.seen == NULL)
        truth = check_names(check, sub, value);
    else
        truth = check_members(check, sub, value);
    if (sub->names.has_dependents && truth != OCP_FAILS)
        truth = ocp_truth_and(truth, check_dependents(check, sub, value, steps));
    return truth;
}
