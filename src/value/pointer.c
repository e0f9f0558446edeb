/* SPDX-License-Identifier: Apache-2.0 */
#include "value/pointer.h"

#include <string.h>

void
ocp_pointer_push(GString *pointer, const char *name, gsize length)
{
    g_string_append_c(pointer, '/');
    if (memchr(name, '~', length) == NULL && memchr(name, '/', length) == NULL) {
        g_string_append_len(pointer, name, (gssize)length);
        return;
    }
    for (gsize i = 0; i < length; i++) {
        if (name[i] == '~')
            g_string_append(pointer, "~0");
        else if (name[i] == '/')
            g_string_append(pointer, "~1");
        else
            g_string_append_c(pointer, name[i]);
    }
}

void
ocp_pointer_push_key(GString *pointer, const OcpNode *key)
{
    if (!(key->flags & OCP_NODE_ESCAPED)) {
        ocp_pointer_push(pointer, key->as.text, key->size);
        return;
    }
    g_autofree char *name = g_malloc(key->size + 1);
    ocp_pointer_push(pointer, name, ocp_unescape(key->as.text, key->size, name));
}

void
ocp_pointer_push_index(GString *pointer, gsize index)
{
    char digits[24];
    char *at = digits + sizeof digits;
    do
        *--at = (char)('0' + index % 10);
    while ((index /= 10) > 0);
    *--at = '/';
    g_string_append_len(pointer, at, digits + sizeof digits - at);
}

/* Reads one reference token, escapes undone; moves *at behind it. */
static void
read_token(const char **at, GString *token)
{
    g_string_truncate(token, 0);
    for ((*at)++; **at != '\0' && **at != '/'; (*at)++) {
        if (**at == '~' && ((*at)[1] == '0' || (*at)[1] == '1')) {
            (*at)++;
            g_string_append_c(token, **at == '0' ? '~' : '/');
        } else {
            g_string_append_c(token, **at);
        }
    }
}

static const OcpNode *
step(const OcpNode *node, const GString *token)
{
    if (ocp_is(node, OCP_OBJECT))
        return ocp_member_sized(node, token->str, token->len, NULL);
    if (!ocp_is(node, OCP_ARRAY) || token->len == 0 || token->len > 10 ||
        (token->str[0] == '0' && token->len > 1) ||
        strspn(token->str, "0123456789") != token->len)
        return NULL;
    return ocp_element(node, (gsize)g_ascii_strtoull(token->str, NULL, 10));
}

const OcpNode *
ocp_pointer_find(const OcpNode *root, const char *pointer)
{
    g_autoptr(GString) token = g_string_new(NULL);
    const OcpNode *node = ocp_deref(root);
    while (node != NULL && *pointer == '/') {
        read_token(&pointer, token);
        node = step(node, token);
    }
    return *pointer == '\0' ? node : NULL;
}

#define NOWHERE G_MAXUINT32

/* Where a node stands, in serials. */
typedef struct {
    guint32 parent; /* NOWHERE for the root and what is not in the tree */
    guint32 key;    /* NOWHERE for an element */
    guint32 index;
} Place;

struct OcpPlaces {
    const OcpDocument *document;
    guint32 count;
    Place *places; /* by serial */
};

static const Place *
place_of(const OcpPlaces *places, const OcpNode *node)
{
    if (node == NULL || node->serial >= places->count ||
        ocp_document_node(places->document, node->serial) != node)
        return NULL;
    const Place *place = &places->places[node->serial];
    return place->parent != NOWHERE || node == places->document->root ? place : NULL;
}

static void
place_children(OcpPlaces *places, const OcpNode *parent, GArray *todo)
{
    guint32 index = 0;
    for (const OcpNode *at = ocp_first_child(parent); at != NULL; at = at->next) {
        guint32 key = NOWHERE;
        if (parent->kind == OCP_OBJECT) {
            key = at->serial; /* as it stands: it may be a link */
            at = at->next;
        }
        if (at->kind != OCP_LINK) {
            places->places[at->serial] = (Place){parent->serial, key, index};
            if (ocp_is_container(at))
                g_array_append_val(todo, at->serial);
        }
        index++;
    }
}

OcpPlaces *
ocp_places_new(const OcpDocument *document)
{
    OcpPlaces *places = g_new0(OcpPlaces, 1);
    places->document = document;
    places->count = document->nodes;
    places->places = g_new(Place, MAX(places->count, 1));
    memset(places->places, 0xFF, places->count * sizeof(Place)); /* NOWHERE */
    if (document->root == NULL)
        return places;
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(todo, document->root->serial);
    while (todo->len > 0) {
        guint32 last = g_array_index(todo, guint32, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
        place_children(places, ocp_document_node(document, last), todo);
    }
    return places;
}

void
ocp_places_free(OcpPlaces *places)
{
    if (places == NULL)
        return;
    g_free(places->places);
    g_free(places);
}

static const OcpNode *
node_at(const OcpPlaces *places, guint32 serial)
{
    return serial != NOWHERE ? ocp_document_node(places->document, serial) : NULL;
}

const OcpNode *
ocp_places_parent(const OcpPlaces *places, const OcpNode *node)
{
    const Place *place = place_of(places, node);
    return place != NULL ? node_at(places, place->parent) : NULL;
}

const OcpNode *
ocp_places_key(const OcpPlaces *places, const OcpNode *node)
{
    const Place *place = place_of(places, node);
    return place != NULL ? ocp_deref(node_at(places, place->key)) : NULL;
}

gsize
ocp_places_index(const OcpPlaces *places, const OcpNode *node)
{
    const Place *place = place_of(places, node);
    return place != NULL && place->index != NOWHERE ? place->index : 0;
}

bool
ocp_places_has(const OcpPlaces *places, const OcpNode *node)
{
    return place_of(places, node) != NULL;
}

void
ocp_places_pointer(const OcpPlaces *places, const OcpNode *node, GString *pointer)
{
    enum { USUAL = 32 };
    const Place *path[USUAL];
    guint depth = 0;
    const Place *place = place_of(places, node);
    for (; place != NULL && place->parent != NOWHERE && depth < USUAL; depth++) {
        path[depth] = place;
        place = &places->places[place->parent];
    }
    if (depth == USUAL && place->parent != NOWHERE)
        ocp_places_pointer(places, node_at(places, path[depth - 1]->parent), pointer);
    while (depth-- > 0) {
        if (path[depth]->key != NOWHERE)
            ocp_pointer_push_key(pointer, ocp_deref(node_at(places, path[depth]->key)));
        else
            ocp_pointer_push_index(pointer, path[depth]->index);
    }
}
