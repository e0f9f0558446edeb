/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/describe.h"

#include <string.h>

enum { PATTERNS_SHOWN = 4 };

/* Leaves or changes that are told in one sentence. */
typedef struct {
    char *key;
    const char *reason;
    guint rule;
    guint count;
    bool asked;
    GPtrArray *from;    /* patterns, each once */
    GPtrArray *to;
    GPtrArray *objects; /* ids, each once */
    GHashTable *seen;
} Group;

typedef struct {
    GPtrArray *list;
    GHashTable *by_key;
} Groups;

static void
free_group(gpointer pointer)
{
    Group *group = pointer;
    g_free(group->key);
    g_ptr_array_unref(group->from);
    g_ptr_array_unref(group->to);
    g_ptr_array_unref(group->objects);
    g_hash_table_unref(group->seen);
    g_free(group);
}

static Groups
groups_new(void)
{
    Groups groups = {g_ptr_array_new_with_free_func(free_group),
                     g_hash_table_new(g_str_hash, g_str_equal)};
    return groups;
}

static void
groups_clear(Groups *groups)
{
    g_hash_table_unref(groups->by_key);
    g_ptr_array_unref(groups->list);
}

static Group *
group_of(Groups *groups, char *key)
{
    Group *group = g_hash_table_lookup(groups->by_key, key);
    if (group != NULL) {
        g_free(key);
        return group;
    }
    group = g_new0(Group, 1);
    group->key = key;
    group->from = g_ptr_array_new_with_free_func(g_free);
    group->to = g_ptr_array_new_with_free_func(g_free);
    group->objects = g_ptr_array_new_with_free_func(g_free);
    group->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_ptr_array_add(groups->list, group);
    g_hash_table_insert(groups->by_key, group->key, group);
    return group;
}

/* Adds text (taken) to list unless it is there; kind keeps the lists apart. */
static void
add_once(Group *group, GPtrArray *list, char kind, char *text)
{
    char *mark = g_strdup_printf("%c%s", kind, text);
    if (!g_hash_table_add(group->seen, mark)) {
        g_free(text);
        return;
    }
    g_ptr_array_add(list, text);
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

static Groups
omission_groups(const OcpAccount *account)
{
    Groups groups = groups_new();
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate != OCP_FATE_OMITTED)
            continue;
        Group *group = group_of(
            &groups, g_strdup_printf("%s%d", leaf->reason, leaf->place != NULL));
        group->reason = leaf->reason;
        group->asked = group->asked || leaf->asked;
        group->count++;
        add_once(group, group->from, 'f', ocp_account_pattern(leaf->pointer));
        if (leaf->place != NULL)
            add_once(group, group->to, 't', ocp_account_pattern(leaf->place));
    }
    return groups;
}

static char *
omission_text(const Group *group)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u value%s at ", group->count, plural(group->count));
    append_patterns(text, group->from);
    if (group->to->len > 0) {
        g_string_append(text, " (shown changed at ");
        append_patterns(text, group->to);
        g_string_append_c(text, ')');
    }
    return g_string_free(text, FALSE);
}

/* ---- transformations -------------------------------------------------------------- */

static Groups
change_groups(const OcpMapping *mapping, const OcpAccount *account)
{
    Groups groups = groups_new();
    for (guint i = 0; i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        const OcpRule *rule = mapping->rules->pdata[change->rule];
        if (change->wiring)
            continue;
        Group *group = group_of(&groups, g_strdup_printf("%u", rule->group));
        group->rule = rule->group;
        group->count++;
        for (guint n = 0; n < change->from->len; n++)
            add_once(group, group->from, 'f',
                     ocp_account_pattern(change->from->pdata[n]));
        add_once(group, group->to, 't', ocp_account_pattern(change->place));
        if (change->object != NULL)
            add_once(group, group->objects, 'o', g_strdup(change->object));
    }
    return groups;
}

static char *
change_text(const OcpMapping *mapping, const Group *group)
{
    const OcpRule *rule = mapping->rules->pdata[group->rule];
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u value%s at ", group->count, plural(group->count));
    append_patterns(text, group->to);
    g_string_append(text, " made from ");
    append_patterns(text, group->from);
    if (rule->why != NULL)
        g_string_append_printf(text, ": %s", rule->why);
    return g_string_free(text, FALSE);
}

/* What a rule says though the source does not: a precondition, a recovery step. Only rules
 * that give a reason are worth a sentence, and one that was told of a change is told. */
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
                                 (const char *const *)group->objects->pdata,
                                 group->objects->len);
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
        OcpDiagnostic *diagnostic =
            ocp_report_add(report, OCP_LOSS, code, "omitted (%s): %s", group->reason, text);
        diagnostic->file = g_strdup(file);
    }
    groups_clear(&omitted);
}
