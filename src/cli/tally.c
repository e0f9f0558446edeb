/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tally.h"

#include <json-c/json.h>

#include "cli/account.h"

enum { MOST_NAMES = 20 };

void
ocp_tally_clear(OcpTally *tally)
{
    g_clear_pointer(&tally->failed, g_ptr_array_unref);
}

void
ocp_tally_add(OcpTally *tally, const OcpResult *result, const char *name)
{
    int exit = ocp_result_exit(result);
    tally->exit = ocp_exit_worst(tally->exit, exit);
    tally->documents++;
    tally->kinds[result->kind]++;
    if (exit != 0 && tally->failed_count++ < MOST_NAMES) {
        if (tally->failed == NULL)
            tally->failed = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(tally->failed, g_strdup(name));
    }
    const OcpAccount *route = result->outcome != NULL ? result->outcome->route : NULL;
    if (route == NULL || result->kind != OCP_RESULT_CONVERTED)
        return;
    tally->leaves += route->leaves;
    for (int fate = 0; fate < OCP_FATES; fate++)
        tally->fates[fate] += route->counts[fate];
}

void
ocp_tally_merge(OcpTally *tally, OcpTally *other)
{
    tally->exit = ocp_exit_worst(tally->exit, other->exit);
    tally->documents += other->documents;
    for (int kind = 0; kind <= OCP_RESULT_FAILED; kind++)
        tally->kinds[kind] += other->kinds[kind];
    tally->leaves += other->leaves;
    for (int fate = 0; fate < OCP_FATES; fate++)
        tally->fates[fate] += other->fates[fate];
    tally->failed_count += other->failed_count;
    if (other->failed == NULL)
        return;
    if (tally->failed == NULL)
        tally->failed = g_ptr_array_new_with_free_func(g_free);
    if (tally->failed->len < MOST_NAMES)
        g_ptr_array_extend_and_steal(tally->failed, g_steal_pointer(&other->failed));
}

static void
print_failed(const OcpTally *tally, const OcpMessages *messages)
{
    guint shown = tally->failed != NULL ? MIN(tally->failed->len, MOST_NAMES) : 0;
    for (guint i = 0; i < shown; i++)
        ocp_messages_account(messages, tally->failed->pdata[i], "not converted", NULL);
    if (shown == tally->failed_count)
        return;
    g_autofree char *line =
        g_strdup_printf("and %" G_GUINT64_FORMAT " more (--report has all)",
                        tally->failed_count - shown);
    ocp_messages_account(messages, NULL, line, NULL);
}

void
ocp_tally_print(const OcpTally *tally, const OcpMessages *messages)
{
    if (tally->documents < 2 && !messages->brief)
        return;
    if (messages->brief)
        print_failed(tally, messages);
    g_autoptr(GString) line = g_string_new(NULL);
    json_object *object = json_object_new_object();
    g_string_append_printf(line, "%" G_GUINT64_FORMAT " document%s:", tally->documents,
                           tally->documents == 1 ? "" : "s");
    const char *comma = "";
    for (int kind = 0; kind <= OCP_RESULT_FAILED; kind++) {
        const char *name = ocp_result_name((OcpResultKind)kind);
        json_object_object_add(object, name,
                               json_object_new_uint64(tally->kinds[kind]));
        if (tally->kinds[kind] == 0)
            continue;
        g_string_append_printf(line, "%s %" G_GUINT64_FORMAT " %s", comma,
                               tally->kinds[kind], name);
        comma = ",";
    }
    if (tally->documents == 0)
        g_string_append(line, " nothing to do");
    if (tally->leaves > 0) {
        g_string_append(line, "; ");
        g_autoptr(OcpAccount) totals = ocp_account_new();
        totals->leaves = tally->leaves;
        for (int fate = 0; fate < OCP_FATES; fate++)
            totals->counts[fate] = tally->fates[fate];
        ocp_account_append_counts(totals, line);
    }
    ocp_messages_account(messages, NULL, line->str, object);
}
