/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a document ready: which dialect it is, and what its YAML scalars are.
 */
#include <string.h>

#include "convert/context.h"

/* Walks document and schema side by side and notes what is allowed at each unsettled
 * scalar. */
static void
note_allowed(const OcpNode *node, const OcpShape *shape, GHashTable *allowed)
{
    if (!ocp_is_container(node)) {
        if (node->flags & OCP_NODE_UNSETTLED) {
            OcpAllowed *entry = g_new0(OcpAllowed, 1);
            entry->kinds = ocp_shape_kinds(shape);
            entry->date_time = ocp_shape_has_format(shape, "date-time");
            g_hash_table_insert(allowed, (gpointer)node, entry);
        }
        return;
    }
    g_autoptr(OcpShape) narrow = ocp_shape_narrow(shape, node);
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        g_autoptr(OcpShape) below = ocp_shape_element(narrow);
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
            note_allowed(element, below, allowed);
        return;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        g_autofree char *name = g_malloc(key->size + 1);
        gsize length = key->size;
        if (key->flags & OCP_NODE_ESCAPED)
            length = ocp_unescape(key->as.text, key->size, name);
        else
            memcpy(name, key->as.text, length);
        g_autoptr(OcpShape) below = ocp_shape_member(narrow, name, length);
        note_allowed(value, below, allowed);
    }
}

static OcpAllowed
look_up(const OcpNode *node, gpointer data)
{
    const OcpAllowed *entry = g_hash_table_lookup(data, node);
    OcpAllowed nothing = {0, false};
    return entry != NULL ? *entry : nothing;
}

static bool
settle(const OcpPrepared *prepared, OcpDocument *document, OcpReport *report)
{
    if (!document->yaml)
        return true;
    g_autoptr(GHashTable) allowed = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(OcpShape) root = ocp_shape_root(prepared->schema);
    note_allowed(document->root, root, allowed);
    return ocp_yaml_settle(document, prepared->mapping->yaml, look_up, allowed, report);
}

bool
ocp_prepare(OcpContext *context, OcpDocument *document, const char *from,
            OcpReport *report, OcpPrepared *ret)
{
    return ocp_registry_detect(context->registry, document, from, report,
                               &ret->dialect) &&
           ocp_dialect_schema(context->registry, ret->dialect, report, &ret->schema) &&
           ocp_dialect_mapping(context->registry, ret->dialect, report, &ret->mapping) &&
           settle(ret, document, report);
}
