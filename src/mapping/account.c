/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/account.h"

#include <string.h>

static void
free_leaf(gpointer pointer)
{
    OcpLeaf *leaf = pointer;
    g_free(leaf->pointer);
    g_free(leaf->place);
    if (leaf->places != NULL)
        g_ptr_array_unref(leaf->places);
    g_free(leaf->carry);
    g_free(leaf->rule);
    g_free(leaf);
}

static void
free_made(gpointer pointer)
{
    OcpMadeLeaf *leaf = pointer;
    g_free(leaf->pointer);
    g_free(leaf->rule);
    g_free(leaf->why);
    g_free(leaf);
}

static void
free_change(gpointer pointer)
{
    OcpChange *change = pointer;
    g_free(change->place);
    g_free(change->object);
    g_ptr_array_unref(change->from);
    g_free(change);
}

OcpAccount *
ocp_account_new(void)
{
    OcpAccount *account = g_new0(OcpAccount, 1);
    account->fates = g_ptr_array_new_with_free_func(free_leaf);
    account->made = g_ptr_array_new_with_free_func(free_made);
    account->changes = g_ptr_array_new_with_free_func(free_change);
    return account;
}

void
ocp_account_free(OcpAccount *account)
{
    if (account == NULL)
        return;
    g_ptr_array_unref(account->fates);
    g_ptr_array_unref(account->made);
    g_ptr_array_unref(account->changes);
    g_free(account);
}

OcpLeaf *
ocp_account_leaf(OcpAccount *account, const char *pointer, OcpFate fate)
{
    OcpLeaf *leaf = g_new0(OcpLeaf, 1);
    leaf->pointer = g_strdup(pointer);
    leaf->fate = fate;
    g_ptr_array_add(account->fates, leaf);
    account->counts[fate]++;
    return leaf;
}

OcpMadeLeaf *
ocp_account_made(OcpAccount *account, const char *pointer, const char *rule)
{
    OcpMadeLeaf *leaf = g_new0(OcpMadeLeaf, 1);
    leaf->pointer = g_strdup(pointer);
    leaf->rule = g_strdup(rule);
    g_ptr_array_add(account->made, leaf);
    return leaf;
}

char *
ocp_account_pattern(const char *pointer)
{
    GString *pattern = g_string_new(NULL);
    while (*pointer == '/') {
        gsize length = strcspn(pointer + 1, "/");
        bool index = length > 0 && strspn(pointer + 1, "0123456789") == length;
        if (index)
            g_string_append(pattern, "/[*]");
        else
            g_string_append_len(pattern, pointer, (gssize)length + 1);
        pointer += length + 1;
    }
    return g_string_free(pattern, FALSE);
}

bool
ocp_account_closes(const OcpAccount *account)
{
    guint64 sum = 0;
    for (int fate = 0; fate < OCP_FATES; fate++)
        sum += account->counts[fate];
    return sum == account->leaves;
}

const char *
ocp_fate_name(OcpFate fate)
{
    static const char *const names[] = {"mapped", "kept", "carried", "omitted"};
    return names[fate];
}
