/* SPDX-License-Identifier: Apache-2.0 */
#include "model/walk.h"

#include <string.h>

#include "value/pointer.h"

typedef struct {
    GString *pointer;
    OcpWalkVisit visit;
    gpointer data;
} Walk;

static gsize
segment_length(const char *path)
{
    return strcspn(path, "/");
}

static const char *
rest_of(const char *path)
{
    gsize length = segment_length(path);
    return path[length] == '/' ? path + length + 1 : path + length;
}

static bool
is_each(const char *path)
{
    return path[0] == '*' && segment_length(path) == 1;
}

/* Recurses once a segment of path, which is one of ours: a handful. */
static void
walk(const Walk *self, const OcpNode *node, const char *path)
{
    if (*path == '\0') {
        if (ocp_is(node, OCP_OBJECT))
            self->visit(node, self->pointer, self->data);
        return;
    }
    gsize before = self->pointer->len;
    if (!is_each(path)) {
        const OcpNode *member =
            ocp_member_sized(node, path, segment_length(path), NULL);
        if (member == NULL)
            return;
        ocp_pointer_push(self->pointer, path, segment_length(path));
        walk(self, member, rest_of(path));
        g_string_truncate(self->pointer, before);
        return;
    }
    if (!ocp_is(node, OCP_ARRAY))
        return;
    OcpIter iter = ocp_iter(node);
    const OcpNode *element;
    for (gsize i = 0; (element = ocp_iter_element(&iter)) != NULL; i++) {
        ocp_pointer_push_index(self->pointer, i);
        walk(self, element, rest_of(path));
        g_string_truncate(self->pointer, before);
    }
}

void
ocp_model_walk(const OcpNode *root, const char *path, OcpWalkVisit visit, gpointer data)
{
    g_autoptr(GString) pointer = g_string_new(NULL);
    Walk self = {pointer, visit, data};
    walk(&self, ocp_deref(root), path);
}

bool
ocp_model_path_is(const char *path, const char *const *segments, gsize depth)
{
    for (gsize i = 0; i < depth; i++) {
        gsize length = segment_length(path);
        if (length == 0 || strlen(segments[i]) != length ||
            memcmp(segments[i], path, length) != 0)
            return false;
        path = rest_of(path);
    }
    return *path == '\0';
}

static guint
hash_text(gconstpointer node)
{
    return ocp_text_hash(node);
}

static gboolean
equal_texts(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

GHashTable *
ocp_model_text_table(void)
{
    return g_hash_table_new(hash_text, equal_texts);
}
