/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spots: the places of a document as its schema sees them.
 */
#include <string.h>

#include "mapping/coverage_private.h"

enum { DEEPEST_OBJECT = 8 }; /* no object of the model with an id lies deeper */

static void
free_spot(gpointer spot)
{
    ocp_spot_free(spot);
}

/* Takes the shape over. */
static OcpSpot *
spot_new(const OcpSpot *parent, char *step, OcpShape *shape)
{
    OcpSpot *spot = g_new0(OcpSpot, 1);
    spot->parent = parent;
    spot->step = step;
    spot->model = parent != NULL && parent->model;
    spot->children = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_spot);
    spot->uses = g_array_new(FALSE, TRUE, sizeof(OcpUse));
    if (shape != NULL && ocp_shape_is_empty(shape))
        g_clear_pointer(&shape, ocp_shape_free);
    spot->shape = shape;
    return spot;
}

OcpSpot *
ocp_spot_root(const OcpSchema *schema, bool model)
{
    OcpSpot *spot =
        spot_new(NULL, g_strdup(""), schema != NULL ? ocp_shape_root(schema) : NULL);
    spot->model = model;
    return spot;
}

void
ocp_spot_free(OcpSpot *spot)
{
    if (spot == NULL)
        return;
    ocp_shape_free(spot->shape);
    g_hash_table_unref(spot->children);
    g_array_unref(spot->uses);
    g_free(spot->step);
    g_free(spot);
}

/* A member may be called "[*]": the keys of the three kinds of steps differ. */
static OcpSpot *
child(OcpSpot *spot, char kind, const char *step, gsize length, OcpShape *shape)
{
    g_autofree char *name = g_strndup(step, length);
    char *key = g_strdup_printf("%c%s", kind, name);
    OcpSpot *found = spot_new(spot, g_steal_pointer(&name), shape);
    g_hash_table_insert(spot->children, key, found);
    return found;
}

static OcpSpot *
known_child(const OcpSpot *spot, char kind, const char *step, gsize length)
{
    g_autofree char *key = g_strdup_printf("%c%.*s", kind, (int)length, step);
    return g_hash_table_lookup(spot->children, key);
}

bool
ocp_spot_allows(const OcpSpot *spot, OcpKind kind)
{
    guint kinds = spot->shape != NULL ? ocp_shape_kinds(spot->shape) : 0;
    return kinds == 0 || (kinds & 1u << kind) != 0;
}

OcpSpot *
ocp_spot_member(OcpSpot *spot, const char *name, gsize length)
{
    OcpSpot *known = known_child(spot, '.', name, length);
    if (known != NULL || spot->shape == NULL)
        return known != NULL ? known : child(spot, '.', name, length, NULL);
    OcpShape *shape = ocp_shape_member(spot->shape, name, length);
    if (!ocp_shape_is_empty(shape) || ocp_shape_is_open(spot->shape))
        return child(spot, '.', name, length, shape);
    ocp_shape_free(shape);
    return NULL;
}

OcpSpot *
ocp_spot_element(OcpSpot *spot)
{
    OcpSpot *known = known_child(spot, '*', "[*]", 3);
    if (known != NULL || spot->shape == NULL)
        return known != NULL ? known : child(spot, '*', "[*]", 3, NULL);
    OcpShape *shape = ocp_shape_element(spot->shape);
    if (!ocp_shape_is_empty(shape) || ocp_spot_allows(spot, OCP_ARRAY))
        return child(spot, '*', "[*]", 3, shape);
    ocp_shape_free(shape);
    return NULL;
}

OcpSpot *
ocp_spot_other(OcpSpot *spot)
{
    OcpSpot *known = known_child(spot, '{', "{}", 2);
    if (known != NULL || spot->shape == NULL)
        return known != NULL ? known : child(spot, '{', "{}", 2, NULL);
    OcpShape *shape = ocp_shape_other(spot->shape);
    if (!ocp_shape_is_empty(shape) || ocp_shape_is_open(spot->shape))
        return child(spot, '{', "{}", 2, shape);
    ocp_shape_free(shape);
    return NULL;
}

void
ocp_spot_children(OcpSpot *spot, GPtrArray *out)
{
    OcpSpot *element = ocp_spot_element(spot);
    if (element != NULL)
        g_ptr_array_add(out, element);
    if (spot->shape == NULL || !ocp_spot_allows(spot, OCP_OBJECT))
        return;
    g_autoptr(GPtrArray) names = ocp_shape_properties(spot->shape);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        OcpSpot *member = ocp_spot_member(spot, name, strlen(name));
        if (member != NULL)
            g_ptr_array_add(out, member);
    }
    OcpSpot *other = ocp_spot_other(spot);
    if (other != NULL)
        g_ptr_array_add(out, other);
}

/* ---- objects of the model -------------------------------------------------------- */

/* Depth is bounded by DEEPEST_OBJECT. */
static void
find_objects(OcpSpot *spot, GPtrArray *path, GPtrArray *out)
{
    if (ocp_model_has_id((const char *const *)path->pdata, path->len))
        g_ptr_array_add(out, spot);
    if (spot->shape == NULL || path->len >= DEEPEST_OBJECT)
        return;
    g_autoptr(GPtrArray) names = ocp_shape_properties(spot->shape);
    for (guint i = 0; i < names->len; i++) {
        char *name = names->pdata[i];
        g_ptr_array_add(path, name);
        find_objects(ocp_spot_member(spot, name, strlen(name)), path, out);
        g_ptr_array_set_size(path, (gint)path->len - 1);
    }
    g_autoptr(OcpShape) element = ocp_shape_element(spot->shape);
    if (ocp_shape_is_empty(element))
        return;
    g_ptr_array_add(path, (gpointer) "*");
    find_objects(ocp_spot_element(spot), path, out);
    g_ptr_array_set_size(path, (gint)path->len - 1);
}

void
ocp_spot_objects(OcpSpot *model_root, GPtrArray *out)
{
    g_autoptr(GPtrArray) path = g_ptr_array_new();
    find_objects(model_root, path, out);
}

/* ---- uses and paths -------------------------------------------------------------- */

void
ocp_spot_use(OcpSpot *spot, OcpUseKind kind, guint rule, const OcpNode *entry)
{
    OcpUse use = {kind, rule, entry};
    for (guint i = 0; i < spot->uses->len; i++) {
        const OcpUse *known = &g_array_index(spot->uses, OcpUse, i);
        if (known->kind == kind && known->rule == rule && known->entry == entry)
            return;
    }
    g_array_append_val(spot->uses, use);
}

char *
ocp_spot_path(const OcpSpot *spot)
{
    GString *path = g_string_new(NULL);
    for (; spot->parent != NULL; spot = spot->parent) {
        g_string_prepend(path, spot->step);
        g_string_prepend_c(path, '/');
    }
    if (path->len == 0)
        g_string_append_c(path, '/');
    return g_string_free(path, FALSE);
}
