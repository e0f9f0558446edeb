/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/returns.h"

#include "mapping/hide.h"
#include "mapping/reread.h"
#include "mapping/returned.h"
#include "text/canonical.h"

/* What reading the result gives, and what it needs to live. */
typedef struct {
    OcpPlaces *places;
    OcpHidden *hidden;
    OcpCore *core;
    OcpDocument *model; /* or NULL: it cannot be read */
} Reading;

static void
reading_clear(Reading *reading)
{
    ocp_document_unref(reading->model);
    ocp_core_free(reading->core);
    ocp_hidden_free(reading->hidden);
    ocp_places_free(reading->places);
}

/* As reading does it (read.c), up to where it looks for what is left. */
static void
read_result(const OcpReturns *returns, OcpReport *report, Reading *reading)
{
    OcpDocument *result = returns->result;
    g_autofree char *digest = ocp_sha256(result->text, result->length);
    g_autofree char *id = ocp_engine_id(returns->to->dialect, result->root);
    OcpFacts facts = {.name = returns->name,
                      .size = result->length,
                      .media_type = "application/json",
                      .digest = digest};
    g_autoptr(OcpShape) shape = ocp_shape_root(returns->model_schema);
    g_autoptr(OcpDocument) memory = ocp_document_new(NULL);
    reading->places = ocp_places_new(result);
    reading->hidden = ocp_hidden_new(returns->to, result->root);
    OcpCoreInput input = {.mapping = returns->to,
                          .source = result,
                          .places = reading->places,
                          .input = ocp_engine_input(memory, &facts),
                          .hidden = reading->hidden->unseen,
                          .model_shape = shape};
    reading->core = ocp_core_read(&input);
    OcpDocument *made = reading->core->made;
    ocp_document_borrow(made, memory);
    const OcpNode *time = reading->core->created_at;
    if (time == NULL && returns->fallback != NULL)
        time = ocp_make_text(made, returns->fallback);
    if (time == NULL)
        return;
    const OcpNode *tree =
        ocp_engine_head(made, reading->core->root, ocp_make_text(made, id), time);
    if (ocp_engine_find_source(tree) == NULL)
        tree = ocp_engine_with_resource(made, tree, ocp_engine_source(made, &facts));
    if (!ocp_recopy(tree, report, &reading->model))
        reading->model = NULL;
}

/* The leaves and subtrees of the source that the result does not give back. */
static GHashTable *
find_lost(const OcpReturns *returns)
{
    g_autoptr(OcpReport) quiet = ocp_report_new();
    Reading reading = {0};
    read_result(returns, quiet, &reading);
    const OcpNode *back = NULL;
    g_autoptr(OcpDraft) draft = NULL;
    if (reading.model != NULL &&
        !ocp_returned_write(returns->from, reading.model, returns->sensitive_keep,
                            quiet, &draft, &back))
        back = NULL;
    GHashTable *lost = ocp_returned_lost(returns->source->root, back, NULL);
    g_clear_pointer(&draft, ocp_draft_free); /* it is about the model */
    reading_clear(&reading);
    return lost;
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
    g_autoptr(GHashTable) lost = find_lost(returns);
    Settling settling = {.route = route,
                         .lost = lost,
                         .reason = returns->carry_none ? "irrelevant" : "no_place",
                         .asked = returns->carry_none};
    settle(&settling, ocp_deref(returns->source->root), false);
}
