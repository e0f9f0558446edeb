/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/route.h"

#include <string.h>

#include "mapping/hide.h"

/* Fates of the model's leaves by pointer. */
static GHashTable *
index_leaves(const OcpAccount *account)
{
    GHashTable *index = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < account->fates->len; i++) {
        OcpLeaf *leaf = account->fates->pdata[i];
        g_hash_table_insert(index, leaf->pointer, leaf);
    }
    return index;
}

/* The better of a fate and that of the model leaf at pointer. */
static const OcpLeaf *
better(const OcpLeaf *best, GHashTable *index, const char *pointer)
{
    const OcpLeaf *leaf = pointer != NULL ? g_hash_table_lookup(index, pointer) : NULL;
    if (leaf == NULL || (best != NULL && best->fate <= leaf->fate))
        return best;
    return leaf;
}

static const OcpLeaf *
reached(const OcpLeaf *leaf, GHashTable *index, const char *mark)
{
    if (leaf->place == NULL && leaf->carry == NULL && leaf->fate == OCP_FATE_MAPPED)
        return better(NULL, index, mark);
    const OcpLeaf *best = better(NULL, index, leaf->place);
    for (guint i = 0; leaf->places != NULL && i < leaf->places->len; i++)
        best = better(best, index, leaf->places->pdata[i]);
    return better(best, index, leaf->carry);
}

/* What the carry held of the leaf, if the second step left that out; it may be a part
 * of something longer, then the carry's own mark stands for it. */
static const OcpLeaf *
lost_form(const OcpLeaf *leaf, GHashTable *index, const char *mark)
{
    if (leaf->fate != OCP_FATE_KEPT && leaf->fate != OCP_FATE_CARRIED)
        return NULL;
    const OcpLeaf *form = better(NULL, index, leaf->carry);
    if (form == NULL)
        form = better(NULL, index, mark);
    return form != NULL && form->fate == OCP_FATE_OMITTED ? form : NULL;
}

/* further: where the leaf shows after the second step; lost: see above. */
static void
add_routed(OcpAccount *route, const OcpLeaf *leaf, const OcpLeaf *further,
           const OcpLeaf *lost)
{
    const OcpLeaf *worse =
        further != NULL && further->fate > leaf->fate ? further : leaf;
    if (lost != NULL)
        worse = lost;
    OcpLeaf *routed = ocp_account_leaf(route, leaf->pointer, worse->fate);
    routed->reason = worse->reason;
    routed->asked = worse->asked;
    routed->steers = leaf->steers;
    routed->rule = g_strdup(leaf->rule);
    routed->place = g_strdup(further != NULL ? further->place : NULL);
    routed->carry = g_strdup(further != NULL ? further->carry : NULL);
}

OcpAccount *
ocp_route_account(const OcpOutcome *outcome, const char *key)
{
    if (outcome->read == NULL || outcome->write == NULL)
        return outcome->read != NULL ? outcome->read : outcome->write;
    OcpAccount *route = ocp_account_new();
    g_autoptr(GHashTable) index = index_leaves(outcome->write);
    g_autoptr(GString) mark = g_string_new("/extensions");
    ocp_pointer_push(mark, key != NULL ? key : "", key != NULL ? strlen(key) : 0);
    g_string_append(mark, "/dialect");
    for (guint i = 0; i < outcome->read->fates->len; i++) {
        const OcpLeaf *leaf = outcome->read->fates->pdata[i];
        add_routed(route, leaf, reached(leaf, index, mark->str),
                   lost_form(leaf, index, mark->str));
    }
    route->leaves = outcome->read->leaves;
    return route;
}

static guint
unasked(const OcpAccount *account)
{
    guint count = 0;
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        count += leaf->fate == OCP_FATE_OMITTED && !leaf->asked;
    }
    return count;
}

guint
ocp_route_unasked(const OcpOutcome *outcome)
{
    return unasked(outcome->route);
}

void
ocp_route_warn_sensitive(const OcpDocument *document, OcpReport *report)
{
    g_autoptr(GHashTable) secrets = g_hash_table_new(NULL, NULL);
    ocp_hidden_find_credentials(secrets, document->root);
    if (g_hash_table_size(secrets) == 0)
        return;
    g_autoptr(OcpPlaces) places = ocp_places_new(document);
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, secrets);
    while (g_hash_table_iter_next(&iter, &node, NULL)) {
        GString *pointer = g_string_new(NULL);
        ocp_places_pointer(places, node, pointer);
        OcpDiagnostic *diagnostic =
            ocp_report_add(report, OCP_WARNING, "sensitive.kept",
                           "this looks like a credential; it is copied as it is");
        diagnostic->pointer = g_string_free(pointer, FALSE);
        diagnostic->file = g_strdup(document->name);
    }
}

bool
ocp_settle_plain(OcpDocument *document, OcpYamlVersion version)
{
    g_autoptr(OcpReport) quiet = ocp_report_new();
    return ocp_yaml_settle(document, version, NULL, NULL, quiet);
}
