/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"
#include "schema/suggest.h"

/* ---- members one by one ---------------------------------------------------------- */

typedef struct {
    OcpCheck *check;
    const OcpSub *sub;
    const OcpNode *object;
    GPtrArray *missing; /* OcpName, while faults are collected */
} Members;

/* A member that nothing declares, where only declared ones are allowed. A missing one
 * that its name nearly spells is said here, and not again. */
static void
fault_unknown(Members *members, const OcpNode *key, const char *keyword)
{
    const OcpName *near =
        ocp_suggest_name(&members->sub->names, members->object, key, members->missing);
    bool required = near != NULL && members->missing != NULL &&
                    g_ptr_array_remove(members->missing, (gpointer)near);
    ocp_fault_misspelt(members->check, key, keyword, near, required);
}

static void
check_undeclared(Members *members, const OcpSub *sub, const char *keyword,
                 const OcpNode *key, const OcpNode *value)
{
    if (sub->never)
        fault_unknown(members, key, keyword);
    else
        ocp_check_below(members->check, sub, value, key, 0);
}

static void
check_declared(OcpCheck *check, const OcpSub *sub, const OcpNode *key,
               const OcpNode *value)
{
    if (!sub->never) {
        ocp_check_below(check, sub, value, key, 0);
        return;
    }
    OcpFault *fault = ocp_fault_of_member(check, key, "properties");
    if (fault != NULL)
        fault->message = ocp_fault_text(check, "member %s is not allowed here",
                                        ocp_fault_show_name(check, key));
}

/* The next pattern, from *at on, that the member's name matches; NULL if none does. */
static const OcpSub *
next_pattern(OcpCheck *check, const OcpSub *sub, const OcpNode *key, guint *at)
{
    while (*at < sub->pattern_count) {
        const OcpPattern *pattern = &sub->patterns[(*at)++];
        gsize length;
        const char *text = ocp_check_decoded(check, key, &length);
        if (ocp_regexp_search(pattern->regexp, text, length))
            return pattern->sub;
    }
    return NULL;
}

static void
check_member(Members *members, const OcpNode *key, const OcpNode *value)
{
    OcpCheck *check = members->check;
    const OcpSub *sub = members->sub;
    const OcpName *name = ocp_names_find(&sub->names, key);
    bool declared = name != NULL && name->sub != NULL;
    if (declared)
        check_declared(check, name->sub, key, value);
    const OcpSub *matched;
    for (guint i = 0; (matched = next_pattern(check, sub, key, &i)) != NULL;) {
        declared = true;
        ocp_check_below(check, matched, value, key, 0);
    }
    if (!declared && sub->additional != NULL)
        check_undeclared(members, sub->additional, "additionalProperties", key, value);
    if (sub->property_names != NULL)
        ocp_check_below(check, sub->property_names, key, key, 0);
}

static void
check_members(Members *members)
{
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(members->object); ocp_iter_member(&i, &key, &value);)
        check_member(members, key, value);
}

/* ---- the object as a whole ------------------------------------------------------- */

static GPtrArray *
find_missing(const OcpSub *sub, const OcpNode *object)
{
    GPtrArray *missing = g_ptr_array_new();
    for (guint i = 0; i < sub->names.count; i++) {
        OcpName *name = &sub->names.names[i];
        if (name->required &&
            ocp_member_sized(object, name->text, name->length, NULL) == NULL)
            g_ptr_array_add(missing, name);
    }
    return missing;
}

static void
check_needs(OcpCheck *check, const OcpName *name, const OcpNode *object)
{
    for (guint i = 0; i < name->needs.count; i++) {
        if (ocp_member_like(object, name->needs.nodes[i]) != NULL)
            continue;
        OcpFault *fault = ocp_fault_new(check, object, name->needs_keyword);
        if (fault == NULL)
            return;
        fault->expected = ocp_fault_show_name(check, name->needs.nodes[i]);
        fault->message = ocp_fault_text(
            check, "missing member %s, which %s requires", fault->expected,
            ocp_fault_show_text(check, name->text, name->length));
    }
}

static void
check_dependents(OcpCheck *check, const OcpSub *sub, const OcpNode *object)
{
    for (guint i = 0; i < sub->names.count; i++) {
        const OcpName *name = &sub->names.names[i];
        if ((name->needs.nodes == NULL && name->dependent == NULL) ||
            ocp_member_sized(object, name->text, name->length, NULL) == NULL)
            continue;
        check_needs(check, name, object);
        if (name->dependent != NULL)
            ocp_check_sub(check, name->dependent, object);
    }
}

void
ocp_check_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (value->size < sub->min_properties) {
        ocp_fault_bound(check, value, "minProperties", "at least", sub->min_properties,
                        value->size, "member");
        return;
    }
    if (value->size > sub->max_properties) {
        ocp_fault_bound(check, value, "maxProperties", "at most", sub->max_properties,
                        value->size, "member");
        return;
    }
    g_autoptr(GPtrArray) missing = find_missing(sub, value);
    Members members = {check, sub, value, missing};
    check_members(&members);
    if (missing->len > 0)
        ocp_fault_missing(check, value, missing);
    if (sub->names.has_dependents)
        check_dependents(check, sub, value);
}

static bool
is_evaluated(OcpCheck *check, const OcpSub *sub, const OcpNode *key)
{
    guint from = 0;
    const OcpName *name = ocp_names_find(&sub->names, key);
    return sub->additional != NULL || (name != NULL && name->sub != NULL) ||
           next_pattern(check, sub, key, &from) != NULL;
}

void
ocp_check_rest_of_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                         OcpSeen *seen)
{
    Members members = {check, sub, value, NULL};
    gsize index = 0;
    const OcpNode *key, *member;
    if (sub->unevaluated_properties == NULL)
        return;
    for (OcpIter i = ocp_iter(value); ocp_iter_member(&i, &key, &member); index++)
        if (!seen->flags[index] && !is_evaluated(check, sub, key))
            check_undeclared(&members, sub->unevaluated_properties,
                             "unevaluatedProperties", key, member);
}
