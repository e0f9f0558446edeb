/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * JSON pointers (RFC 6901): resolving one, and the place of every node.
 */

/* Appends "/" and the escaped name to pointer. */
void ocp_pointer_push(GString *pointer, const char *name, gsize length);
void ocp_pointer_push_key(GString *pointer, const OcpNode *key);
void ocp_pointer_push_index(GString *pointer, gsize index);

/* Returns the node at pointer, or NULL if there is none. */
const OcpNode *ocp_pointer_find(const OcpNode *root, const char *pointer);

/*
 * Where each node of one document stands: parent, key and index, in one walk.
 * Costs 12 bytes a node, so it is made only for those that need it. Nodes that the
 * document gets later, and links, stand nowhere. The document is borrowed.
 */
typedef struct OcpPlaces OcpPlaces;

OcpPlaces *ocp_places_new(const OcpDocument *document);
void ocp_places_free(OcpPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpPlaces, ocp_places_free)

/* The container of a node of the document; NULL for the root and for strangers. */
const OcpNode *ocp_places_parent(const OcpPlaces *places, const OcpNode *node);
/* The key node, if the parent is an object, else NULL. */
const OcpNode *ocp_places_key(const OcpPlaces *places, const OcpNode *node);
/* 0-based place among the parent's children. */
gsize ocp_places_index(const OcpPlaces *places, const OcpNode *node);
/* True if the node belongs to this document's tree. */
bool ocp_places_has(const OcpPlaces *places, const OcpNode *node);
/* Appends the node's pointer. */
void ocp_places_pointer(const OcpPlaces *places, const OcpNode *node, GString *pointer);
