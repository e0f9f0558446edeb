/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/resolve.h"

#include <string.h>

#include "model/model.h"

typedef struct {
    OcpDocument *made;
    const OcpIds *ids;
    GHashTable *rename;
    OcpTrace *trace;
    const OcpShape *shape; /* of the root */
    GPtrArray *path;       /* member names and `each` */
    guint dropped;
} Resolver;

static const char each[] = "*"; /* by its address: a member may have that name */

static bool resolve_object(Resolver *resolver, OcpNode *object);

/* The final id as a made node, or NULL if the raw id names nothing. */
static OcpNode *
resolved(Resolver *resolver, const OcpNode *raw)
{
    if (!ocp_is(raw, OCP_STRING))
        return NULL;
    gsize length;
    const char *text = ocp_text(raw, resolver->made->arena, &length);
    const char *final = ocp_ids_known(resolver->ids, text, length);
    if (final == NULL) {
        resolver->dropped++;
        return NULL;
    }
    const char *renamed =
        resolver->rename != NULL ? g_hash_table_lookup(resolver->rename, final) : NULL;
    OcpNode *node = ocp_make_text(resolver->made, renamed != NULL ? renamed : final);
    ocp_trace_derive(resolver->trace, node, raw);
    return node;
}

static bool
holds(const OcpNode *array, const OcpNode *id)
{
    OcpIter iter = ocp_iter(array);
    for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
        if (ocp_text_equal(element, id))
            return true;
    return false;
}

/* Returns what stands in place of a reference member's value; NULL: nothing. */
static OcpNode *
resolve_reference(Resolver *resolver, const OcpNode *value)
{
    if (!ocp_is(value, OCP_ARRAY))
        return resolved(resolver, value);
    OcpBuilder list = ocp_build(resolver->made, ocp_make_array(resolver->made));
    OcpIter iter = ocp_iter(value);
    for (const OcpNode *raw; (raw = ocp_iter_element(&iter)) != NULL;) {
        OcpNode *id = resolved(resolver, raw);
        if (id != NULL && !holds(list.container, id))
            ocp_build_element(&list, id);
    }
    return list.container->size > 0 ? list.container : NULL;
}

/* name stays until it is popped. */
static void
push(Resolver *resolver, const char *name)
{
    g_ptr_array_add(resolver->path, (gpointer)name);
}

static void
pop(Resolver *resolver)
{
    g_ptr_array_set_size(resolver->path, (gint)resolver->path->len - 1);
}

/* Only what the rules made is walked: source values hold no references of ours. */
static OcpNode *
own_container(const OcpNode *child)
{
    const OcpNode *node = ocp_deref(child);
    bool own = ocp_is_container(node) && (node->flags & OCP_NODE_MADE);
    return own ? (OcpNode *)node : NULL;
}

static bool
resolve_array(Resolver *resolver, OcpNode *array)
{
    OcpNode *child = array->size > 0 ? array->as.first : NULL;
    OcpBuilder kept = ocp_build(resolver->made, array);
    array->as.first = NULL;
    array->size = 0;
    push(resolver, each);
    for (OcpNode *next; child != NULL; child = next) {
        next = child->next;
        child->next = NULL;
        OcpNode *own = own_container(child);
        if (ocp_is(own, OCP_OBJECT) && !resolve_object(resolver, own))
            continue;
        ocp_build_raw(&kept, child);
        array->size++;
    }
    pop(resolver);
    return array->size > 0;
}

/* The value that stands for a member after resolving; NULL: the member goes. */
static OcpNode *
resolve_value(Resolver *resolver, const char *name, OcpNode *child)
{
    if (ocp_model_is_reference((const char *const *)resolver->path->pdata,
                               resolver->path->len, name)) {
        OcpNode *node = resolve_reference(resolver, ocp_deref(child));
        if (node != NULL)
            node->rule = child->rule;
        return node;
    }
    OcpNode *own = own_container(child);
    if (own == NULL || own->size == 0 || (own->flags & OCP_NODE_INDEXED))
        return child;
    push(resolver, name);
    bool keep = own->kind == OCP_ARRAY ? resolve_array(resolver, own)
                                       : resolve_object(resolver, own);
    pop(resolver);
    return keep ? child : NULL;
}

/* Asked of the few objects that lose a member, so the shape of the place is made then.
 */
static bool
is_required(const Resolver *resolver, const char *name)
{
    g_autoptr(OcpShape) shape = ocp_shape_copy(resolver->shape);
    for (guint i = 0; i < resolver->path->len; i++) {
        const char *step = resolver->path->pdata[i];
        OcpShape *place = step == each ? ocp_shape_element(shape)
                                       : ocp_shape_member(shape, step, strlen(step));
        ocp_shape_free(shape);
        shape = place;
    }
    return ocp_shape_requires(shape, name, strlen(name));
}

/* False if the object lost a reference it cannot stand without, or all it had. */
static bool
resolve_object(Resolver *resolver, OcpNode *object)
{
    if (object->flags & OCP_NODE_INDEXED)
        return true;
    bool stands = true;
    OcpNode *key = object->size > 0 ? object->as.first : NULL;
    OcpBuilder kept = ocp_build(resolver->made, object);
    object->as.first = NULL;
    object->size = 0;
    for (OcpNode *next; key != NULL; key = next) {
        OcpNode *child = key->next;
        next = child->next;
        const OcpNode *member = ocp_deref(key);
        g_autofree char *name = NULL;
        OcpNode *value = child;
        if (own_container(child) != NULL || ocp_model_is_reference_name(member)) {
            name = ocp_text_dup(member);
            value = resolve_value(resolver, name, child);
        }
        if (value == NULL) {
            stands = stands && !is_required(resolver, name);
            continue;
        }
        key->next = NULL;
        value->next = NULL;
        ocp_build_raw(&kept, key);
        ocp_build_raw(&kept, value);
        object->size++;
    }
    return stands && object->size > 0;
}

guint
ocp_resolve_references(OcpDocument *made, OcpNode *root, const OcpShape *shape,
                       const OcpIds *ids, GHashTable *rename, OcpTrace *trace)
{
    Resolver resolver = {.made = made,
                         .ids = ids,
                         .rename = rename,
                         .trace = trace,
                         .shape = shape,
                         .path = g_ptr_array_new()};
    resolve_object(&resolver, root);
    g_ptr_array_unref(resolver.path);
    return resolver.dropped;
}
