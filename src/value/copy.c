/* SPDX-License-Identifier: Apache-2.0 */
#include "value/node.h"

/* A container at work: what is left of it, and its copy. */
typedef struct {
    const OcpNode *next;
    OcpBuilder build;
} Frame;

/* Copies one node; the children of a container come later. */
static OcpNode *
copy_node(OcpDocument *document, const OcpNode *node)
{
    OcpNode *copy = ocp_node_new(document, (OcpKind)node->kind);
    copy->flags = node->flags & (OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL);
    copy->place = OCP_NO_PLACE;
    copy->size = node->size;
    if (!ocp_is_container(node))
        copy->as.text = node->as.text;
    return copy;
}

static void
open_container(OcpDocument *document, GArray *frames, const OcpNode *node,
               OcpNode *copy)
{
    Frame frame = {ocp_first_child(node), ocp_build(document, copy)};
    g_array_append_val(frames, frame);
}

/* Copies the children of the innermost container up to the next that is one; false if
 * an object that is complete has a key twice. */
static bool
go_on(OcpDocument *document, GArray *frames)
{
    Frame *frame = &g_array_index(frames, Frame, frames->len - 1);
    while (frame->next != NULL) {
        const OcpNode *node = ocp_deref(frame->next);
        OcpNode *copy = copy_node(document, node);
        ocp_build_raw(&frame->build, copy);
        frame->next = frame->next->next;
        if (ocp_is_container(node) && node->size > 0) {
            open_container(document, frames, node, copy);
            return true;
        }
    }
    OcpNode *container = frame->build.container;
    g_array_set_size(frames, frames->len - 1);
    return container->kind != OCP_OBJECT ||
           ocp_object_seal(document, container) == NULL;
}

OcpDocument *
ocp_document_copy(const OcpNode *tree)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    const OcpNode *root = ocp_deref(tree);
    document->root = copy_node(document, root);
    if (ocp_is_container(root))
        open_container(document, frames, root, document->root);
    while (frames->len > 0)
        if (!go_on(document, frames))
            return NULL;
    return g_steal_pointer(&document);
}

/* Recursion: what is copied comes from a reader, which has a depth limit. */
OcpNode *
ocp_make_copy(OcpDocument *document, const OcpNode *node)
{
    const OcpNode *key;
    const OcpNode *value;
    OcpIter iter = ocp_iter(node);
    gsize length;
    const char *text;
    switch ((OcpKind)node->kind) {
    case OCP_LINK: return ocp_make_copy(document, ocp_deref(node));
    case OCP_NULL: return ocp_make_null(document);
    case OCP_FALSE:
    case OCP_TRUE: return ocp_make_boolean(document, node->kind == OCP_TRUE);
    case OCP_NUMBER: return ocp_make_number(document, node->as.text, node->size);
    case OCP_STRING:
        text = ocp_text(node, document->arena, &length);
        return ocp_make_string(document, text, length);
    case OCP_ARRAY:
    case OCP_OBJECT:
    default: break;
    }
    bool array = node->kind == OCP_ARRAY;
    OcpBuilder build = ocp_build(document, array ? ocp_make_array(document)
                                                 : ocp_make_object(document));
    while (array && (value = ocp_iter_element(&iter)) != NULL)
        ocp_build_element(&build, ocp_make_copy(document, value));
    while (!array && ocp_iter_member(&iter, &key, &value))
        ocp_build_member(&build, ocp_make_copy(document, key),
                         ocp_make_copy(document, value));
    if (!array)
        ocp_object_seal(document, build.container);
    return build.container;
}
