/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/withheld.h"

#include "mapping/reread.h"
#include "value/equal.h"

typedef struct {
    OcpDocument *made;
    const OcpHidden *hidden;
} Hiding;

/* The tree with stand-ins for its sensitive values; itself where it has none.
 * Recursion: what is read has a depth limit. */
static const OcpNode *
without_sensitive(const Hiding *hiding, const OcpNode *node)
{
    const OcpNode *own = g_hash_table_lookup(hiding->hidden->instead, node);
    if (own != NULL)
        return own;
    if (ocp_hidden_is_sensitive(hiding->hidden, node))
        return ocp_make_text(hiding->made, OCP_OMITTED);
    if (ocp_is_leaf(node))
        return node;
    bool array = node->kind == OCP_ARRAY;
    OcpBuilder build = ocp_build(hiding->made, array ? ocp_make_array(hiding->made)
                                                     : ocp_make_object(hiding->made));
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *child;
    while (array ? (child = ocp_iter_element(&iter)) != NULL
                 : ocp_iter_member(&iter, &key, &child)) {
        const OcpNode *shown = without_sensitive(hiding, child);
        if (array)
            ocp_build_element(&build, shown);
        else
            ocp_build_member(&build, key, shown);
    }
    ocp_object_seal(hiding->made, build.container);
    return build.container;
}

/* Goes down the members of objects: what finishing derives stands under a fixed path.
 */
static void
compare(const OcpNode *source, const OcpNode *whole, const OcpNode *shown,
        GHashTable *set)
{
    if (whole == NULL || whole == shown)
        return;
    if (ocp_is_leaf(source)) {
        if (ocp_equal_value(whole, source) &&
            (shown == NULL || !ocp_equal_value(shown, source)))
            g_hash_table_add(set, (gpointer)source);
        return;
    }
    OcpIter iter = ocp_iter(source->kind == OCP_OBJECT ? source : NULL);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        compare(value, ocp_is(whole, OCP_OBJECT) ? ocp_member_like(whole, key) : NULL,
                ocp_is(shown, OCP_OBJECT) ? ocp_member_like(shown, key) : NULL, set);
}

bool
ocp_withheld_find(const OcpMapping *mapping, OcpDraft *draft, OcpDocument *source,
                  const OcpHidden *hidden, OcpReport *report, GHashTable *set)
{
    if (mapping->finish == NULL || g_hash_table_size(hidden->sensitive) == 0)
        return true;
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(OcpDocument) shown = NULL;
    Hiding hiding = {made, hidden};
    ocp_document_borrow(draft->made, made);
    if (!ocp_recopy(without_sensitive(&hiding, source->root), report, &shown))
        return false;
    compare(source->root, ocp_draft_finish(draft, mapping, source, source->root),
            ocp_draft_finish(draft, mapping, shown, shown->root), set);
    return true;
}
