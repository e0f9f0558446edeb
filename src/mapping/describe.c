/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/describe.h"

#include <string.h>

enum { PATTERNS_SHOWN = 4 };

enum { FROM, TO, OBJECTS, LISTS };

/* Leaves or changes that are told in one sentence. */
typedef struct {
    const char *reason;
    guint rule;
    guint count;
    bool asked;
    bool shown;              /* the omitted leaves show all the same */
    GPtrArray *lists[LISTS]; /* patterns, ids of objects: each once */
    GHashTable *seen[LISTS];
} Group;

typedef struct {
    GPtrArray *list;
    GHashTable *by_rule; /* of changes */
} Groups;

static void
free_group(gpointer pointer)
{
    Group *group = pointer;
    for (guint i = 0; i < LISTS; i++) {
        g_hash_table_unref(group->seen[i]);
        g_ptr_array_unref(group->lists[i]);
    }
    g_free(group);
}

static Groups
groups_new(void)
{
    Groups groups = {g_ptr_array_new_with_free_func(free_group),
                     g_hash_table_new(NULL, NULL)};
    return groups;
}

static void
groups_clear(Groups *groups)
{
    g_hash_table_unref(groups->by_rule);
    g_ptr_array_unref(groups->list);
}

static Group *
add_group(Groups *groups)
{
    Group *group = g_new0(Group, 1);
    for (guint i = 0; i < LISTS; i++) {
        group->lists[i] = g_ptr_array_new_with_free_func(g_free);
        group->seen[i] = g_hash_table_new(g_str_hash, g_str_equal);
    }
    g_ptr_array_add(groups->list, group);
    return group;
}

/* Adds text (taken) to a list unless it is there. */
static void
add_once(Group *group, guint list, char *text)
{
    if (g_hash_table_contains(group->seen[list], text)) {
        g_free(text);
        return;
    }
    g_hash_table_add(group->seen[list], text);
    g_ptr_array_add(group->lists[list], text);
}

static void
append_patterns(GString *text, const GPtrArray *patterns)
{
    for (guint i = 0; i < patterns->len && i < PATTERNS_SHOWN; i++) {
        const char *pattern = patterns->pdata[i];
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                               *pattern != '\0' ? pattern : "the whole");
    }
    if (patterns->len > PATTERNS_SHOWN)
        g_string_append_printf(text, " and %u more", patterns->len - PATTERNS_SHOWN);
}

static const char *
plural(guint count)
{
    return count == 1 ? "" : "s";
}

/* ---- omissions ------------------------------------------------------------------- */

/* There are few reasons. */
static Group *
omission_group(Groups *groups, const OcpLeaf *leaf)
{
    bool shown = leaf->place != NULL;
    for (guint i = 0; i < groups->list->len; i++) {
        Group *group = groups->list->pdata[i];
        if (group->shown == shown && strcmp(group->reason, leaf->reason) == 0)
            return group;
    }
    Group *group = add_group(groups);
    group->reason = leaf->reason;
    group->shown = shown;
    return group;
}

static Groups
omission_groups(const OcpAccount *account)
{
    Groups groups = groups_new();
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate != OCP_FATE_OMITTED)
            continue;
        Group *group = omission_group(&groups, leaf);
        group->asked = group->asked || leaf->asked;
        group->count++;
        add_once(group, FROM, ocp_account_pattern(leaf->pointer));
        if (leaf->place != NULL)
            add_once(group, TO, ocp_account_pattern(leaf->place));
    }
    return groups;
}

static char *
omission_text(const Group *group)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u value%s at ", group->count, plural(group->count));
    append_patterns(text, group->lists[FROM]);
    if (group->shown) {
        g_string_append(text, " (shown changed at ");
        append_patterns(text, group->lists[TO]);
        g_string_append_c(text, ')');
    }
    return g_string_free(text, FALSE);
}

/* ---- transformations ------------------------------------------------------------- */

static Group *
change_group(Groups *groups, guint rule)
{
    Group *group = g_hash_table_lookup(groups->by_rule, GUINT_TO_POINTER(rule));
    if (group == NULL) {
        group = add_group(groups);
        group->rule = rule;
        g_hash_table_insert(groups->by_rule, GUINT_TO_POINTER(rule), group);
    }
    return group;
}

static Groups
change_groups(const OcpMapping *mapping, const OcpAccount *account)
{
    Groups groups = groups_new();
    for (guint i = 0; i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        const OcpRule *rule = mapping->rules->pdata[change->rule];
        if (change->wiring)
            continue;
        Group *group = change_group(&groups, rule->group);
        group->count++;
        for (guint n = 0; n < change->from->len; n++)
            add_once(group, FROM, ocp_account_pattern(change->from->pdata[n]));
        add_once(group, TO, ocp_account_pattern(change->place));
        if (change->object != NULL)
            add_once(group, OBJECTS, g_strdup(change->object));
    }
    return groups;
}

static char *
change_text(const OcpMapping *mapping, const Group *group)
{
    const OcpRule *rule = mapping->rules->pdata[group->rule];
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u value%s at ", group->count, plural(group->count));
    append_patterns(text, group->lists[TO]);
    g_string_append(text, " made from ");
    append_patterns(text, group->lists[FROM]);
    if (rule->why != NULL)
        g_string_append_printf(text, ": %s", rule->why);
    return g_string_free(text, FALSE);
}

/* What a rule says though the source does not: a precondition, a recovery step. Only
 * rules that give a reason are worth a sentence, and one that was told of a change is
 * told. */
static void
describe_made(const OcpAccount *account, GHashTable *told, OcpDerivation *derivation)
{
    for (guint i = 0; i < account->made->len; i++) {
        const OcpMadeLeaf *leaf = account->made->pdata[i];
        if (leaf->why == NULL || !g_hash_table_add(told, leaf->why))
            continue;
        g_autofree char *pattern = ocp_account_pattern(leaf->pointer);
        char *slash = strrchr(pattern, '/');
        if (slash != NULL && slash != pattern)
            *slash = '\0';
        g_autofree char *text = g_strdup_printf("%s added: %s", pattern, leaf->why);
        ocp_derivation_transform(derivation, text, NULL, 0);
    }
}

void
ocp_describe_derivation(const OcpMapping *mapping, const OcpAccount *account,
                        OcpDerivation *derivation)
{
    Groups omitted = omission_groups(account);
    for (guint i = 0; i < omitted.list->len; i++) {
        const Group *group = omitted.list->pdata[i];
        g_autofree char *text = omission_text(group);
        ocp_derivation_omit(derivation, text, group->reason, "source");
    }
    groups_clear(&omitted);
    g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);
    Groups changed = change_groups(mapping, account);
    for (guint i = 0; i < changed.list->len; i++) {
        const Group *group = changed.list->pdata[i];
        const OcpRule *rule = mapping->rules->pdata[group->rule];
        if (rule->why != NULL)
            g_hash_table_add(told, rule->why);
        g_autofree char *text = change_text(mapping, group);
        ocp_derivation_transform(derivation, text,
                                 (const char *const *)group->lists[OBJECTS]->pdata,
                                 group->lists[OBJECTS]->len);
    }
    groups_clear(&changed);
    describe_made(account, told, derivation);
}

void
ocp_describe_losses(const OcpAccount *account, const char *file, OcpReport *report)
{
    Groups omitted = omission_groups(account);
    for (guint i = 0; i < omitted.list->len; i++) {
        const Group *group = omitted.list->pdata[i];
        g_autofree char *text = omission_text(group);
        g_autofree char *code = g_strconcat("omitted.", group->reason, NULL);
        OcpDiagnostic *diagnostic = ocp_report_add(
            report, OCP_LOSS, code, "omitted (%s): %s", group->reason, text);
        diagnostic->file = g_strdup(file);
    }
    groups_clear(&omitted);
}
