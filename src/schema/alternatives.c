/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to say of a value that fits no branch of oneOf or anyOf: one fault that helps,
 * not the faults of every branch.
 */
#include "schema/check.h"
#include "schema/suggest.h"

typedef struct {
    OcpCheck *check;
    const OcpSubs *branches;
    const OcpNode *value;
    const char *keyword;
    guint depth;         /* of value */
    bool *open;          /* a branch each: still a candidate */
    guint count;         /* how many are */
    const char *because; /* what chose between them, or NULL */
} Alternatives;

/* Strikes the branches whose type is another. If none is left, the type is the fault.
 */
static bool
sort_by_type(Alternatives *all)
{
    guint types = 0;
    bool any = false;
    guint fitting = 0;
    for (guint i = 0; i < all->branches->count; i++) {
        guint own = ocp_sub_types(all->branches->subs[i]);
        all->open[i] =
            ocp_types_allow(own, all->value) && !all->branches->subs[i]->never;
        fitting += all->open[i] ? 1 : 0;
        types |= own;
        any = any || own == 0;
    }
    all->count = fitting;
    if (fitting > 0 || any)
        return true;
    return ocp_fault_type(all->check, all->value, types);
}

/* All values that the open branches fix, as one list. */
static bool
fault_fixed(Alternatives *all, const OcpSub *const *fixed, const OcpNode *value)
{
    g_autoptr(GPtrArray) allowed = g_ptr_array_new();
    bool all_const = true;
    for (guint i = 0; i < all->branches->count; i++) {
        if (!all->open[i])
            continue;
        all_const = all_const && fixed[i]->constant != NULL;
        if (fixed[i]->constant != NULL)
            g_ptr_array_add(allowed, (gpointer)fixed[i]->constant);
        for (guint j = 0; fixed[i]->constant == NULL && j < fixed[i]->values.count; j++)
            g_ptr_array_add(allowed, (gpointer)fixed[i]->values.nodes[j]);
    }
    return ocp_fault_values(all->check, value, (const OcpNode *const *)allowed->pdata,
                            allowed->len, all_const ? "const" : "enum");
}

/* The discriminator is not there, unless a member's name is a slip for it. */
static bool
fault_no_choice(Alternatives *all, const OcpName *name)
{
    g_autoptr(GPtrArray) missing = g_ptr_array_new();
    g_ptr_array_add(missing, (gpointer)name);
    const OcpNode *key = ocp_suggest_key(name, all->value);
    if (key == NULL)
        return ocp_fault_missing(all->check, all->value, missing);
    ocp_fault_misspelt(all->check, key, "additionalProperties", name, true);
    return false;
}

/* Lets the discriminator choose. False if it made the fault itself. */
static bool
sort_by_choice(Alternatives *all, const OcpChoice *choice)
{
    if (choice->name == NULL || !ocp_is(all->value, OCP_OBJECT))
        return true;
    const OcpNode *key;
    const OcpNode *member =
        ocp_member_sized(all->value, choice->name->text, choice->name->length, &key);
    if (member == NULL)
        return fault_no_choice(all, choice->name);
    bool before[2] = {false, false};
    for (guint i = 0; i < all->branches->count; i++)
        before[all->open[i] && ocp_sub_names_value(choice->fixed[i], member)] = true;
    if (!before[1]) {
        OcpPath here = {all->check->path, key, 0};
        all->check->path = &here;
        fault_fixed(all, choice->fixed, member);
        all->check->path = here.up;
        return false;
    }
    all->count = 0;
    all->because = ocp_fault_text(all->check, "%s is %s", choice->name->text,
                                  ocp_fault_show(all->check, member));
    for (guint i = 0; i < all->branches->count; i++) {
        all->open[i] = all->open[i] && ocp_sub_names_value(choice->fixed[i], member);
        all->count += all->open[i] ? 1 : 0;
    }
    return true;
}

/* Branches that are nothing but a const or enum each are one list of values. */
static bool
sort_by_value(Alternatives *all)
{
    g_autofree const OcpSub **fixed = g_new0(const OcpSub *, all->branches->count + 1);
    for (guint i = 0; i < all->branches->count; i++) {
        fixed[i] = ocp_sub_fixed(all->branches->subs[i]);
        if (all->open[i] &&
            (fixed[i] == NULL || ocp_sub_names_value(fixed[i], all->value)))
            return true;
    }
    return fault_fixed(all, fixed, all->value);
}

/* ---- the branch that got furthest ------------------------------------------------ */

/* Faults of the object itself: what is missing, what nobody knows. */
static guint
count_own(const Alternatives *all, const GPtrArray *faults, bool *ret_only_required)
{
    guint own = 0;
    *ret_only_required = true;
    for (guint i = 0; i < faults->len; i++) {
        const OcpFault *fault = faults->pdata[i];
        bool required = g_str_equal(fault->keyword, "required");
        own += fault->depth == all->depth ? 1 : 0;
        *ret_only_required =
            *ret_only_required && required && fault->depth == all->depth;
    }
    return own;
}

static GPtrArray *
collect(Alternatives *all, guint n)
{
    GPtrArray *own = g_ptr_array_new();
    all->check->branches++;
    all->check->tried++;
    OcpEntry *first = ocp_check_collect(all->check, all->branches->subs[n], all->value);
    all->check->branches--;
    for (; first != NULL; first = first->next)
        g_ptr_array_add(own, first);
    return own;
}

static void
adopt(Alternatives *all, const GPtrArray *faults)
{
    OcpCheck *check = all->check;
    for (guint i = 0; i < faults->len && check->made < OCP_CHECK_FAULTS; i++) {
        ocp_fault_add(check, faults->pdata[i]);
        check->made++;
    }
}

/* Every branch only wants members that are not there: say them all in one fault. */
static void
fault_wanted(Alternatives *all, const GPtrArray *lists)
{
    g_autoptr(GString) wanted = g_string_new(NULL);
    for (guint i = 0; i < lists->len; i++) {
        const GPtrArray *faults = lists->pdata[i];
        const OcpFault *fault = faults->pdata[0];
        if (i > 0)
            g_string_append(wanted, i + 1 < lists->len ? ", " : " or ");
        g_string_append(wanted, fault->expected);
    }
    OcpFault *fault = ocp_fault_new(all->check, all->value, all->keyword);
    if (fault == NULL)
        return;
    fault->expected = ocp_arena_copy(all->check->arena, wanted->str, wanted->len);
    fault->message = ocp_fault_text(all->check, "missing member %s", fault->expected);
}

static void
fault_none(Alternatives *all, const OcpFault *closest)
{
    OcpFault *fault = ocp_fault_new(all->check, all->value, all->keyword);
    if (fault == NULL)
        return;
    fault->message = ocp_fault_text(all->check, "fits none of the %u alternatives",
                                    all->branches->count);
    if (closest != NULL && closest->message != NULL)
        fault->hint = ocp_fault_text(all->check, "the closest says of %s: %s",
                                     *closest->pointer != '\0' ? closest->pointer
                                                               : "the whole document",
                                     closest->message);
}

static void
fault_furthest(Alternatives *all)
{
    g_autoptr(GPtrArray) lists =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    const GPtrArray *best = NULL;
    guint best_score = G_MAXUINT;
    bool tie = false;
    bool only_required = true;
    for (guint i = 0; i < all->branches->count; i++) {
        if (!all->open[i])
            continue;
        GPtrArray *faults = collect(all, i);
        g_ptr_array_add(lists, faults);
        bool required;
        guint own = count_own(all, faults, &required);
        guint score = MIN(own, 1000) * 1000 + MIN(faults->len, 999);
        only_required = only_required && required && faults->len > 0;
        tie = score == best_score || (tie && score > best_score);
        if (score < best_score) {
            best = faults;
            best_score = score;
        }
    }
    if (lists->len > 1 && only_required)
        fault_wanted(all, lists);
    else if (best == NULL || best->len == 0 || (tie && best_score >= 1000))
        fault_none(all, best != NULL && best->len > 0 ? best->pdata[0] : NULL);
    else
        adopt(all, best);
}

/* Where one branch is left there is nothing to compare: it speaks for itself. */
static void
fault_only(Alternatives *all)
{
    OcpCheck *check = all->check;
    OcpEntry **before = check->faults;
    for (guint i = 0; i < all->branches->count; i++)
        if (all->open[i])
            ocp_check_sub(check, all->branches->subs[i], all->value);
    if (check->faults == before)
        fault_none(all, NULL);
}

/* What the object itself lacks or has too much of, it does because of what it is. */
static void
fault_branches(Alternatives *all)
{
    OcpCheck *check = all->check;
    OcpReason *reason = ocp_arena_new_of(check->arena, OcpReason);
    *reason = (OcpReason){check->reason, all->because, all->depth};
    check->reason = reason;
    if (all->count == 1)
        fault_only(all);
    else if (check->branches >= OCP_FAULT_BRANCHES || check->tried >= OCP_FAULT_TRIED)
        fault_none(all, NULL);
    else
        fault_furthest(all);
    check->reason = reason->up;
}

void
ocp_fault_alternatives(OcpCheck *check, const OcpSubs *branches,
                       const OcpChoice *choice, const char *keyword,
                       const OcpNode *value)
{
    g_autofree bool *open = g_new0(bool, branches->count);
    Alternatives all = {check, branches, value, keyword, 0, open, 0, NULL};
    for (const OcpPath *at = check->path; at != NULL; at = at->up)
        all.depth++;
    if (!sort_by_type(&all) || !sort_by_choice(&all, choice))
        return;
    if (all.count > 1 && !sort_by_value(&all))
        return;
    fault_branches(&all);
}
