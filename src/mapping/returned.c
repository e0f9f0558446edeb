/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/returned.h"

#include "mapping/pairs.h"
#include "mapping/patch_private.h"
#include "mapping/reread.h"
#include "value/equal.h"

bool
ocp_returned_write(const OcpMapping *mapping, OcpDocument *model, bool sensitive_keep,
                   OcpReport *report, OcpDraft **ret_draft, const OcpNode **ret)
{
    g_autoptr(GHashTable) sensitive = sensitive_keep ? g_hash_table_new(NULL, NULL)
                                                     : ocp_pairs_sensitive(model->root);
    OcpDraftInput input = {
        .mapping = mapping, .model = model, .hidden = sensitive, .foreign = true};
    OcpDraft *draft = ocp_draft_write(&input);
    *ret_draft = draft;
    *ret = draft->root;
    if (mapping->finish == NULL)
        return true;
    g_autoptr(OcpDocument) finished = NULL;
    if (!ocp_recopy(draft->root, report, &finished))
        return false;
    *ret = ocp_draft_finish(draft, mapping, finished, finished->root);
    return true;
}

typedef struct {
    const OcpPatchKeys *keys;
    GHashTable *lost;
} Returning;

static void
lose(const Returning *returning, const OcpNode *source)
{
    g_hash_table_insert(returning->lost, (gpointer)source, (gpointer) "");
}

/* ---- arrays ---------------------------------------------------------------------- */

/* Lets go of the partners that are not part of the longest sequence that stands in the
 * same order on both sides: of two that changed places, one came back elsewhere. */
static void
keep_order(guint32 *partner, guint32 size)
{
    g_autofree guint32 *last = g_new(guint32, size);   /* of the best of each length */
    g_autofree guint32 *before = g_new(guint32, size); /* the one before in its best */
    guint32 longest = 0;
    for (guint32 i = 0; i < size; i++) {
        if (partner[i] == OCP_PATCH_NONE)
            continue;
        guint32 low = 0, high = longest;
        while (low < high) {
            guint32 middle = low + (high - low) / 2;
            if (partner[last[middle]] < partner[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? last[low - 1] : OCP_PATCH_NONE;
        last[low] = i;
        longest = MAX(longest, low + 1);
    }
    guint32 kept = longest > 0 ? last[longest - 1] : OCP_PATCH_NONE;
    for (guint32 i = size; i-- > 0;) {
        if (i == kept)
            kept = before[i];
        else
            partner[i] = OCP_PATCH_NONE;
    }
}

static void compare(const Returning *returning, const OcpNode *source,
                    const OcpNode *back);

static void
compare_arrays(const Returning *returning, const OcpNode *source, const OcpNode *back)
{
    OcpPatchElements there, here;
    ocp_patch_elements_init(&there, back, returning->keys);
    ocp_patch_elements_init(&here, source, NULL);
    g_autofree guint32 *partner = g_new(guint32, here.size);
    g_autofree guint32 *taken = g_new(guint32, there.size);
    g_autofree bool *same = g_new0(bool, here.size);
    ocp_patch_align(&there, &here, returning->keys, partner, taken, same);
    keep_order(partner, here.size);
    for (guint32 i = 0; i < here.size; i++) {
        if (partner[i] == OCP_PATCH_NONE)
            lose(returning, here.nodes[i]);
        else if (!same[i])
            compare(returning, here.nodes[i], there.nodes[partner[i]]);
    }
    ocp_patch_elements_clear(&there);
    ocp_patch_elements_clear(&here);
}

/* ---- all ------------------------------------------------------------------------- */

/* Recursion: what is read has a depth limit. */
static void
compare(const Returning *returning, const OcpNode *source, const OcpNode *back)
{
    if (source == back)
        return;
    if (back == NULL || source->kind != back->kind) {
        lose(returning, source);
    } else if (ocp_is_leaf(source)) {
        if (!ocp_equal(source, back))
            lose(returning, source);
    } else if (source->kind == OCP_ARRAY) {
        compare_arrays(returning, source, back);
    } else {
        OcpIter iter = ocp_iter(source);
        for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
            compare(returning, value, ocp_member_like(back, key));
    }
}

GHashTable *
ocp_returned_lost(const OcpNode *source, const OcpNode *back, const OcpPatchKeys *keys)
{
    static const OcpPatchKeys none = {0};
    Returning returning = {keys != NULL ? keys : &none, g_hash_table_new(NULL, NULL)};
    compare(&returning, ocp_deref(source), ocp_deref(back));
    return returning.lost;
}
