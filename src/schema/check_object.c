/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"
#include "schema/suggest.h"

/* ---- members one by one ---------------------------------------------------------- */

typedef struct {
    OcpCheck *check;
    const OcpSub *sub;
    const OcpNode *object;
    OcpSeen *seen;
    GPtrArray *missing; /* OcpName, while faults are collected */
} Members;

static const char *
decoded(OcpCheck *check, const OcpNode *key, gsize *length)
{
    if (!(key->flags & OCP_NODE_ESCAPED)) {
        *length = key->size;
        return key->as.text;
    }
    g_string_set_size(check->text, key->size);
    *length = ocp_unescape(key->as.text, key->size, check->text->str);
    return check->text->str;
}

/* A member that nothing declares, where only declared ones are allowed. A missing one
 * that its name nearly spells is said here, and not again. */
static bool
fault_unknown(Members *members, const OcpNode *key, const char *keyword)
{
    if (members->check->faults == NULL)
        return false;
    const OcpName *near =
        ocp_suggest_name(&members->sub->names, members->object, key, members->missing);
    bool required = near != NULL && members->missing != NULL &&
                    g_ptr_array_remove(members->missing, (gpointer)near);
    return ocp_fault_misspelt(members->check, key, keyword, near, required);
}

static bool
check_undeclared(Members *members, const OcpSub *sub, const char *keyword,
                 const OcpNode *key, const OcpNode *value)
{
    if (sub->never)
        return fault_unknown(members, key, keyword);
    return ocp_check_below(members->check, sub, value, key, 0);
}

static bool
check_member(Members *members, const OcpName *name, const OcpNode *key,
             const OcpNode *value, gsize index)
{
    OcpCheck *check = members->check;
    const OcpSub *sub = members->sub;
    bool good = true;
    bool declared = name != NULL && name->sub != NULL;
    if (declared && name->sub->never) {
        good = false;
        OcpFault *fault = ocp_fault_of_member(check, key, "properties");
        if (fault != NULL)
            fault->message = ocp_fault_text(check, "member %s is not allowed here",
                                            ocp_fault_show_name(check, key));
    } else if (declared) {
        good = ocp_check_below(check, name->sub, value, key, 0);
    }
    for (guint i = 0; i < sub->pattern_count; i++) {
        gsize length;
        const char *text = decoded(check, key, &length);
        if (!ocp_regexp_search(sub->patterns[i].regexp, text, length))
            continue;
        declared = true;
        good = ocp_check_below(check, sub->patterns[i].sub, value, key, 0) && good;
    }
    if (declared) {
        ocp_seen_mark(members->seen, index);
    } else if (sub->additional != NULL) {
        ocp_seen_mark(members->seen, index);
        good = check_undeclared(members, sub->additional, "additionalProperties", key,
                                value) &&
               good;
    }
    if (sub->property_names != NULL)
        good = ocp_check_below(check, sub->property_names, key, key, 0) && good;
    return good;
}

static bool
check_members(Members *members)
{
    const OcpSub *sub = members->sub;
    bool quick = members->check->faults == NULL;
    bool good = true;
    guint found = 0;
    gsize index = 0;
    const OcpNode *key, *value;
    if (sub->names.count == 0 && sub->pattern_count == 0 &&
        sub->property_names == NULL &&
        (sub->additional == NULL ||
         (sub->additional->trivial && members->seen == NULL)))
        return true;
    for (OcpIter i = ocp_iter(members->object); ocp_iter_member(&i, &key, &value);) {
        const OcpName *name = ocp_names_find(&sub->names, key);
        found += name != NULL && name->required;
        good = check_member(members, name, key, value, index++) && good;
        if (!good && quick)
            return false;
    }
    return good && found == sub->names.required;
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

static bool
check_needs(OcpCheck *check, const OcpName *name, const OcpNode *object)
{
    bool good = true;
    for (guint i = 0; i < name->needs.count; i++) {
        if (ocp_member_like(object, name->needs.nodes[i]) != NULL)
            continue;
        good = false;
        OcpFault *fault = ocp_fault_new(check, object, name->needs_keyword);
        if (fault == NULL)
            return false;
        fault->expected = ocp_fault_show_name(check, name->needs.nodes[i]);
        fault->message = ocp_fault_text(
            check, "missing member %s, which %s requires", fault->expected,
            ocp_fault_show_text(check, name->text, name->length));
    }
    return good;
}

static bool
check_dependents(OcpCheck *check, const OcpSub *sub, const OcpNode *object,
                 OcpSeen *seen)
{
    bool good = true;
    for (guint i = 0; i < sub->names.count && (good || check->faults != NULL); i++) {
        const OcpName *name = &sub->names.names[i];
        if ((name->needs.nodes == NULL && name->dependent == NULL) ||
            ocp_member_sized(object, name->text, name->length, NULL) == NULL)
            continue;
        good = check_needs(check, name, object) && good;
        if (name->dependent != NULL)
            good = ocp_check_sub(check, name->dependent, object, seen) && good;
    }
    return good;
}

bool
ocp_check_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                 OcpSeen *seen)
{
    bool quick = check->faults == NULL;
    if (value->size < sub->min_properties)
        return ocp_fault_bound(check, value, "minProperties", "at least",
                               sub->min_properties, value->size, "member");
    if (value->size > sub->max_properties)
        return ocp_fault_bound(check, value, "maxProperties", "at most",
                               sub->max_properties, value->size, "member");
    Members members = {check, sub, value, seen, NULL};
    if (!quick)
        members.missing = find_missing(sub, value);
    bool good = check_members(&members);
    if (!quick) {
        if (members.missing->len > 0)
            good = ocp_fault_missing(check, value, members.missing);
        g_ptr_array_unref(members.missing);
    }
    if (sub->names.has_dependents && (good || !quick))
        good = check_dependents(check, sub, value, seen) && good;
    return good;
}

bool
ocp_check_unevaluated_properties(OcpCheck *check, const OcpSub *sub,
                                 const OcpNode *value, OcpSeen *seen)
{
    if (sub->unevaluated_properties == NULL || value->kind != OCP_OBJECT)
        return true;
    Members members = {check, sub, value, seen, NULL};
    bool good = true;
    gsize index = 0;
    const OcpNode *key, *member;
    for (OcpIter i = ocp_iter(value); ocp_iter_member(&i, &key, &member); index++) {
        if (seen->flags[index])
            continue;
        seen->flags[index] = 1;
        good = check_undeclared(&members, sub->unevaluated_properties,
                                "unevaluatedProperties", key, member) &&
               good;
        if (!good && check->faults == NULL)
            return false;
    }
    return good;
}
