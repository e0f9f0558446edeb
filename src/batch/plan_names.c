/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/plan_names.h"

#include <string.h>

#include "batch/names.h"

static bool
fail_clash(const OcpPlan *plan, const OcpPlanItem *item, const OcpPlanItem *other,
           const char *output, OcpReport *report)
{
    g_autofree char *shown = g_utf8_make_valid(output, -1);
    g_autofree char *before = g_utf8_make_valid(other->path, -1);
    g_autofree char *path = g_utf8_make_valid(item->path, -1);
    if (strcmp(item->path, other->path) == 0)
        return ocp_fail(report, "usage.twice", "%s is given twice", path);
    OcpDiagnostic *error =
        ocp_report_add(report, OCP_ERROR, "usage.same-output",
                       "%s and %s would both become %s", before, path, shown);
    error->hint = g_strdup(
        other == &plan->other ? "give the report another name, or another folder"
                              : "give them output folders of their own, or rename one");
    return false;
}

/* Gives the name of an output to an item. False: another has it. */
static bool
claim(OcpPlan *plan, const OcpPlanItem *item, char *output, OcpReport *report)
{
    const OcpPlanItem *other = g_hash_table_lookup(plan->names, output);
    if (other != NULL) {
        fail_clash(plan, item, other, output, report);
        g_free(output);
        return false;
    }
    g_hash_table_insert(plan->names, output, (gpointer)item);
    return true;
}

/* No output is where another needs a folder. */
static bool
check_folders(const OcpPlan *plan, const OcpPlanItem *item, OcpReport *report)
{
    g_autofree char *folder = g_strdup(item->name);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
        *slash = '\0';
        const OcpPlanItem *other = g_hash_table_lookup(plan->names, folder);
        if (other != NULL)
            return fail_clash(plan, item, other, folder, report);
    }
    return true;
}

/* The name without the number that outputs of several documents have, or NULL. */
static char *
without_number(const char *output)
{
    gsize length = strlen(output) - ocp_name_ending(output);
    gsize end = length;
    while (end > 0 && g_ascii_isdigit(output[end - 1]))
        end--;
    if (end == length || end < 2 || output[end - 1] != '.' || output[end] == '0' ||
        output[end - 2] == '/')
        return NULL;
    return g_strndup(output, end - 1);
}

/* An input with several documents gives names that another may have too. Its documents
 * are counted only where that may be. */
static bool
check_number(const OcpPlan *plan, const OcpPlanOptions *options,
             const OcpPlanItem *item, OcpReport *report)
{
    g_autofree char *output = ocp_name_output(item->name, 0, options->syntax);
    g_autofree char *stem = without_number(output);
    if (stem == NULL || options->count == NULL)
        return true;
    const char *ending = output + strlen(output) - ocp_name_ending(output);
    g_autofree char *whole = g_strconcat(stem, ending, NULL);
    const OcpPlanItem *other = g_hash_table_lookup(plan->names, whole);
    if (other == NULL || other == item || other == &plan->other)
        return true;
    guint64 number = g_ascii_strtoull(output + strlen(stem) + 1, NULL, 10);
    guint count = options->count(other->path, options->data);
    return count < 2 || number > count || fail_clash(plan, item, other, output, report);
}

bool
ocp_plan_name_all(OcpPlan *plan, const OcpPlanOptions *options, OcpReport *report)
{
    for (guint i = 0; i < plan->all->len; i++) {
        const OcpPlanItem *item = plan->all->pdata[i];
        if (item->fault != NULL)
            continue;
        char *output = ocp_name_output(item->name, 0, options->syntax);
        g_autofree char *companion =
            options->companions ? ocp_name_companion(output) : NULL;
        if (!claim(plan, item, output, report) ||
            (companion != NULL &&
             !claim(plan, item, g_steal_pointer(&companion), report)))
            return false;
    }
    for (guint i = 0; i < plan->all->len; i++) {
        const OcpPlanItem *item = plan->all->pdata[i];
        if (item->fault == NULL && (!check_folders(plan, item, report) ||
                                    !check_number(plan, options, item, report)))
            return false;
    }
    return true;
}

bool
ocp_plan_owns(const OcpPlan *plan, const char *output, const char *name)
{
    const OcpPlanItem *owner = g_hash_table_lookup(plan->names, output);
    return owner == NULL || strcmp(owner->name, name) == 0;
}
