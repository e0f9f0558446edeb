/* SPDX-License-Identifier: Apache-2.0 */
#include "text/yaml_graft.h"

typedef struct {
    OcpDocument *document;
    const OcpLimits *limits;
    guint64 *budget;
    guint32 place;
    OcpReport *report;
} Copier;

/* Recursion is bounded by the depth limit, which counts what stands above the alias. */
static OcpNode *
copy(const Copier *copier, const OcpNode *from, guint depth)
{
    if (*copier->budget == 0) {
        ocp_fail_at(copier->report, copier->document, copier->place, "yaml.alias-limit",
                    "aliases expand to more than %" G_GUINT64_FORMAT " values",
                    copier->limits->alias_nodes);
        return NULL;
    }
    --*copier->budget;
    if (ocp_is_container(from) && depth >= copier->limits->depth) {
        ocp_fail_at(copier->report, copier->document, copier->place, "yaml.depth",
                    "nested deeper than %u levels", copier->limits->depth);
        return NULL;
    }
    OcpNode *node = ocp_node_new(copier->document, from->kind);
    node->flags = from->flags & (guint8) ~(OCP_NODE_PLACED | OCP_NODE_INDEXED);
    node->place = from->place;
    node->size = from->size;
    if (!ocp_is_container(from)) {
        node->as.text = from->as.text;
        return node;
    }
    OcpBuilder build = ocp_build(copier->document, node);
    for (const OcpNode *at = ocp_first_child(from); at != NULL; at = at->next) {
        OcpNode *child = copy(copier, at, depth + 1);
        if (child == NULL)
            return NULL;
        ocp_build_raw(&build, child);
    }
    if (node->kind == OCP_OBJECT)
        ocp_object_seal(copier->document, node);
    return node;
}

OcpNode *
ocp_yaml_copy(OcpDocument *document, const OcpNode *from, guint depth,
              const OcpLimits *limits, guint32 place, guint64 *budget,
              OcpReport *report)
{
    Copier copier = {document, limits, budget, place, report};
    return copy(&copier, from, depth);
}

static guint
hash_key(gconstpointer key)
{
    return ocp_text_hash(key);
}

static gboolean
equal_keys(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

/* Moves the members that are new from source to the end of build. */
static void
merge_source(OcpBuilder *build, const OcpNode *source, GHashTable *seen)
{
    OcpNode *at = (OcpNode *)ocp_first_child(source);
    while (at != NULL) {
        OcpNode *value = at->next;
        OcpNode *next = value->next;
        if (g_hash_table_add(seen, at)) {
            at->next = value->next = NULL;
            ocp_build_raw(build, at);
            ocp_build_raw(build, value);
            build->container->size++;
        }
        at = next;
    }
}

static bool
merge_value(OcpBuilder *build, OcpNode *value, GHashTable *seen, OcpReport *report)
{
    if (value->kind == OCP_OBJECT) {
        merge_source(build, value, seen);
        return true;
    }
    bool objects = value->kind == OCP_ARRAY;
    for (const OcpNode *at = ocp_first_child(value); at != NULL; at = at->next)
        objects = objects && at->kind == OCP_OBJECT;
    if (!objects)
        return ocp_fail_at(report, build->document, value->place, "yaml.merge",
                           "the value of << must be a mapping or a list of mappings");
    for (const OcpNode *at = ocp_first_child(value); at != NULL; at = at->next)
        merge_source(build, at, seen);
    return true;
}

bool
ocp_yaml_merge(OcpDocument *document, OcpNode *object, const GPtrArray *merges,
               OcpReport *report)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(hash_key, equal_keys);
    OcpNode *own = (OcpNode *)ocp_first_child(object);
    guint32 own_size = object->size;
    for (const OcpNode *at = own; at != NULL; at = at->next->next)
        if (!g_hash_table_add(seen, (gpointer)at))
            return ocp_fail_at(report, document, at->place, "yaml.duplicate-key",
                               "the mapping has this key twice");
    object->as.first = NULL;
    object->size = 0;
    OcpBuilder build = ocp_build(document, object);
    for (guint i = 0; i < merges->len; i++)
        if (!merge_value(&build, merges->pdata[i], seen, report))
            return false;
    if (build.last == NULL)
        object->as.first = own;
    else
        build.last->next = own;
    object->size += own_size;
    return true;
}
