/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema.h"

/*
 * What the store knows of its documents: the resources in them (a document's root and
 * every subschema with an $id), and the anchors of each. The compiler asks; a compiled
 * schema no longer needs the store.
 */

typedef enum { OCP_DRAFT_07, OCP_DRAFT_2020_12 } OcpDraft;

typedef struct {
    OcpDocument *document;
    const OcpNode *root;
    char *uri;    /* absolute, without a fragment; "" if it has none */
    char *schema; /* $schema, or NULL */
    OcpDraft draft;
    bool known_to_validate; /* ocp_store_validates() said so before */
    GHashTable *anchors;    /* name → node */
    GHashTable *dynamics;   /* name → node, those of $dynamicAnchor */
} OcpResource;

struct OcpSchemaStore {
    GPtrArray *documents; /* OcpDocument */
    GPtrArray *resources; /* OcpResource */
    GHashTable *by_uri;   /* URI → OcpResource */
    GHashTable *by_root;  /* root node → OcpResource */
    OcpDraft draft;       /* of documents that do not say */
};

/* What a keyword's value holds. */
typedef enum {
    OCP_HOLDS_NOTHING, /* no subschema */
    OCP_HOLDS_SCHEMA,
    OCP_HOLDS_ARRAY, /* of subschemas */
    OCP_HOLDS_MAP,   /* name → subschema */
    OCP_HOLDS_EITHER /* a subschema or an array of them */
} OcpHolds;

OcpHolds ocp_keyword_holds(const OcpNode *key);

/* The resource whose root is node, or NULL. */
OcpResource *ocp_store_resource(const OcpSchemaStore *store, const OcpNode *node);

/* The resource of an absolute URI without fragment, or NULL; reads an embedded
 * meta-schema where that is what is meant. */
OcpResource *ocp_store_find(OcpSchemaStore *store, const char *uri);

/* Indexes the document (once) and returns the resource of its root. uri may be NULL. */
OcpResource *ocp_store_index(OcpSchemaStore *store, const char *uri,
                             OcpDocument *document);

/* Finds the subschema that fragment names in a resource: "", a JSON pointer, an anchor.
 * *ret_resource gets the resource it belongs to, *ret_dynamic (may be NULL) whether it
 * is a dynamic anchor. Returns NULL if there is none. */
const OcpNode *ocp_store_locate(const OcpSchemaStore *store, OcpResource *resource,
                                const char *fragment, OcpResource **ret_resource,
                                bool *ret_dynamic);

/* True if the resource's meta-schema has the validation vocabulary. */
bool ocp_store_validates(OcpSchemaStore *store, OcpResource *resource);
