/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"
#include "value/equal.h"

enum { FEW = 8 };

static void
check_elements(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    gsize index = 0;
    const OcpNode *element;
    if (sub->prefix.count == 0 && (sub->items == NULL || sub->items->trivial))
        return;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;
         index++) {
        const OcpSub *one =
            index < sub->prefix.count ? sub->prefix.subs[index] : sub->items;
        if (one == NULL)
            break;
        if (one->never && one == sub->items) {
            ocp_fault_bound(check, value, sub->items_keyword, "at most",
                            sub->prefix.count, value->size, "item");
            break;
        }
        ocp_check_below(check, one, element, NULL, index);
    }
}

static guint64
count_contained(OcpCheck *check, const OcpSub *sub, const OcpNode *value, OcpSeen *seen)
{
    guint64 found = 0;
    gsize index = 0;
    const OcpNode *element;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;
         index++) {
        if (!ocp_check_verdict(check, sub->contains, element, NULL))
            continue;
        ocp_seen_mark(seen, index);
        found++;
    }
    return found;
}

static void
check_contains(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->contains == NULL)
        return;
    guint64 found = count_contained(check, sub, value, NULL);
    if (found < sub->min_contains)
        ocp_fault_bound(check, value,
                        sub->min_contains == 1 ? "contains" : "minContains", "at least",
                        sub->min_contains, found, "fitting item");
    else if (found > sub->max_contains)
        ocp_fault_bound(check, value, "maxContains", "at most", sub->max_contains,
                        found, "fitting item");
}

static guint
hash_value(gconstpointer node)
{
    return ocp_hash_value(node);
}

static gboolean
equal_values(gconstpointer a, gconstpointer b)
{
    return ocp_equal_value(a, b);
}

static bool
fault_twins(OcpCheck *check, const OcpNode *value, gsize first, gsize second)
{
    OcpFault *fault = ocp_fault_new(check, value, "uniqueItems");
    if (fault == NULL)
        return false;
    fault->expected = "items that differ";
    fault->found = ocp_fault_show(check, ocp_element(value, second));
    fault->message = ocp_fault_text(check,
                                    "items %" G_GSIZE_FORMAT " and %" G_GSIZE_FORMAT
                                    " are equal; all must differ",
                                    first, second);
    return false;
}

/* Few items: each against each costs less than a table. */
static bool
few_differ(OcpCheck *check, const OcpNode *value)
{
    const OcpNode *elements[FEW];
    const OcpNode *element;
    gsize count = 0;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;) {
        for (gsize j = 0; j < count; j++)
            if (ocp_same_value(elements[j], element))
                return fault_twins(check, value, j, count);
        elements[count++] = element;
    }
    return true;
}

bool
ocp_check_unique(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (!sub->unique_items || value->size < 2)
        return true;
    if (value->size <= FEW)
        return few_differ(check, value);
    g_autoptr(GHashTable) seen = g_hash_table_new(hash_value, equal_values);
    gsize index = 0;
    const OcpNode *element;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;
         index++) {
        gpointer first;
        if (g_hash_table_lookup_extended(seen, element, NULL, &first))
            return fault_twins(check, value, GPOINTER_TO_SIZE(first), index);
        g_hash_table_insert(seen, (gpointer)element, GSIZE_TO_POINTER(index));
    }
    return true;
}

void
ocp_check_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (value->size < sub->min_items) {
        ocp_fault_bound(check, value, "minItems", "at least", sub->min_items,
                        value->size, "item");
        return;
    }
    if (value->size > sub->max_items) {
        ocp_fault_bound(check, value, "maxItems", "at most", sub->max_items,
                        value->size, "item");
        return;
    }
    check_elements(check, sub, value);
    check_contains(check, sub, value);
    ocp_check_unique(check, sub, value);
}

void
ocp_check_rest_of_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                        OcpSeen *seen)
{
    gsize index = 0;
    const OcpNode *element;
    if (sub->unevaluated_items == NULL)
        return;
    for (gsize i = 0; i < value->size; i++)
        if (i < sub->prefix.count || sub->items != NULL)
            ocp_seen_mark(seen, i);
    if (sub->contains != NULL)
        count_contained(check, sub, value, seen);
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL; index++)
        if (!seen->flags[index])
            ocp_check_below(check, sub->unevaluated_items, element, NULL, index);
}
