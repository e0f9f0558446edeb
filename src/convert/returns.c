/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/returns.h"

#include "mapping/read.h"
#include "mapping/returned.h"
#include "mapping/write.h"
#include "text/canonical.h"

/* The source as the result gives it; NULL if that cannot be read or written. */
static OcpWriteResult *
go_back(const OcpReturns *returns)
{
    g_autoptr(OcpReport) quiet = ocp_report_new();
    const OcpDocument *result = returns->result;
    g_autofree char *digest = ocp_sha256(result->text, result->length);
    OcpFacts facts = {.name = returns->name,
                      .size = result->length,
                      .media_type = "application/json",
                      .digest = digest,
                      .fallback = returns->fallback};
    OcpReadRequest read = {.mapping = returns->to,
                           .source = returns->result,
                           .facts = &facts,
                           .model_schema = returns->model_schema,
                           .carry_none = returns->carry_none,
                           .sensitive_keep = returns->sensitive_keep,
                           .brief = true};
    g_autoptr(OcpReadResult) model = NULL;
    if (!ocp_mapping_read(&read, quiet, &model))
        return NULL;
    OcpWriteRequest write = {.mapping = returns->from,
                             .model = model->model,
                             .model_schema = returns->model_schema,
                             .carry_none = returns->carry_none,
                             .sensitive_keep = returns->sensitive_keep,
                             .brief = true};
    OcpWriteResult *written = NULL;
    return ocp_mapping_write(&write, quiet, &written) ? written : NULL;
}

/* The leaves of the source beside those of the account, which are in the same order. */
typedef struct {
    OcpAccount *route;
    GHashTable *lost;
    const char *reason;
    bool asked;
    guint next;
} Settling;

static void
settle(Settling *settling, const OcpNode *node, bool lost)
{
    lost = lost || g_hash_table_contains(settling->lost, node);
    if (ocp_is_leaf(node)) {
        OcpLeaf *leaf = settling->route->fates->pdata[settling->next++];
        if (!lost || leaf->fate != OCP_FATE_MAPPED)
            return;
        settling->route->counts[leaf->fate]--;
        settling->route->counts[OCP_FATE_OMITTED]++;
        leaf->fate = OCP_FATE_OMITTED;
        leaf->reason = settling->reason;
        leaf->asked = settling->asked;
        return;
    }
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *child;
    if (node->kind == OCP_ARRAY)
        while ((child = ocp_iter_element(&iter)) != NULL)
            settle(settling, child, lost);
    else
        while (ocp_iter_member(&iter, &key, &child))
            settle(settling, child, lost);
}

void
ocp_returns_settle(const OcpReturns *returns, OcpAccount *route)
{
    g_autoptr(OcpWriteResult) back = go_back(returns);
    const OcpNode *root = back != NULL ? back->document->root : NULL;
    g_autoptr(GHashTable) lost = ocp_returned_lost(returns->source->root, root, NULL);
    Settling settling = {.route = route,
                         .lost = lost,
                         .reason = returns->carry_none ? "irrelevant" : "no_place",
                         .asked = returns->carry_none};
    settle(&settling, ocp_deref(returns->source->root), false);
}
