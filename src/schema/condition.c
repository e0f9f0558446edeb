/* SPDX-License-Identifier: Apache-2.0 */
/*
 * if, then, else, and the words for why a branch of them applies.
 */
#include "schema/check.h"

typedef struct {
    OcpCheck *check;
    const OcpNode *object;
    GString *text;
} Because;

static void
add_reason(Because *because, const OcpName *name, const char *what)
{
    if (because->text->len > 0)
        g_string_append(because->text, " and ");
    g_string_append_len(because->text, name->text, (gssize)name->length);
    g_string_append_c(because->text, ' ');
    g_string_append(because->text, what);
}

/* A condition on a member's value: what the value is. */
static void
add_value_reason(Because *because, const OcpName *name)
{
    const OcpNode *member =
        ocp_member_sized(because->object, name->text, name->length, NULL);
    if (member == NULL) {
        add_reason(because, name, "is absent");
        return;
    }
    add_reason(because, name,
               ocp_fault_text(because->check, "is %s",
                              ocp_fault_show(because->check, member)));
}

static void
add_presence_reason(Because *because, const OcpName *name)
{
    bool there =
        ocp_member_sized(because->object, name->text, name->length, NULL) != NULL;
    add_reason(because, name, there ? "is present" : "is absent");
}

/* Says what the condition looked at: the members that it fixes, or requires, or
 * forbids. NULL if it is of another kind. */
static const char *
find_because(OcpCheck *check, const OcpSub *condition, const OcpNode *value)
{
    if (!ocp_is(value, OCP_OBJECT))
        return NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    Because because = {check, value, text};
    const OcpNames *names = &condition->names;
    for (guint i = 0; i < names->count; i++) {
        const OcpName *name = &names->names[i];
        if (name->sub != NULL && ocp_sub_fixed(name->sub) != NULL)
            add_value_reason(&because, name);
        else if (name->sub == NULL && name->required)
            add_presence_reason(&because, name);
    }
    const OcpSub *negated = condition->not_sub;
    for (guint i = 0; negated != NULL && i < negated->names.count; i++)
        if (negated->names.names[i].required)
            add_presence_reason(&because, &negated->names.names[i]);
    return text->len > 0 ? ocp_arena_copy(check->arena, text->str, text->len) : NULL;
}

void
ocp_check_condition(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    bool held = ocp_check_verdict(check, sub->if_sub, value, NULL);
    const OcpSub *branch = held ? sub->then_sub : sub->else_sub;
    if (branch == NULL)
        return;
    const char *because = check->because;
    const char *rule = check->rule;
    check->because = find_because(check, sub->if_sub, value);
    check->rule = sub->description;
    ocp_check_sub(check, branch, value);
    check->because = because;
    check->rule = rule;
}
