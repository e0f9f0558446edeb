/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/account.h"

#include <json-c/json.h>
#include <string.h>

/* "specrail@1" is specrail to people. */
static char *
plain_name(const char *dialect)
{
    return g_strndup(dialect, strcspn(dialect, "@"));
}

void
ocp_account_append_counts(const OcpAccount *account, GString *out)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " value%s:", account->leaves,
                           account->leaves == 1 ? "" : "s");
    for (int fate = 0; fate < OCP_FATES; fate++)
        g_string_append_printf(out, "%s %" G_GUINT64_FORMAT " %s", fate == 0 ? "" : ",",
                               account->counts[fate], ocp_fate_name((OcpFate)fate));
}

char *
ocp_account_line(const OcpOutcome *outcome)
{
    g_autofree char *from = plain_name(outcome->from);
    g_autofree char *to = plain_name(outcome->to);
    GString *line = g_string_new(NULL);
    g_string_append_printf(line, "%s → %s: ", from, to);
    if (outcome->route != NULL)
        ocp_account_append_counts(outcome->route, line);
    else
        g_string_append(line, "unchanged");
    if (outcome->refused)
        g_string_append(line, ": refused, nothing is written");
    return g_string_free(line, FALSE);
}

json_object *
ocp_account_object(const OcpOutcome *outcome)
{
    json_object *object = json_object_new_object();
    json_object_object_add(object, "from", json_object_new_string(outcome->from));
    json_object_object_add(object, "to", json_object_new_string(outcome->to));
    const OcpAccount *route = outcome->route;
    if (route != NULL) {
        json_object_object_add(object, "leaves", json_object_new_uint64(route->leaves));
        for (int fate = 0; fate < OCP_FATES; fate++)
            json_object_object_add(object, ocp_fate_name((OcpFate)fate),
                                   json_object_new_uint64(route->counts[fate]));
    }
    json_object_object_add(object, "refused",
                           json_object_new_boolean(outcome->refused));
    return object;
}
