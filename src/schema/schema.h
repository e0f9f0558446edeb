/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * JSON Schema, draft-07 and 2020-12, chosen by $schema. A schema is compiled once into
 * immutable nodes that threads may share; checking leaves no trace in it. References
 * are resolved from a registry of local documents, never from a network.
 *
 * Knows documents and regular expressions; knows nothing of dialects or mappings.
 */

typedef struct OcpSchemaStore OcpSchemaStore; /* the documents references may name */
typedef struct OcpSchema OcpSchema;           /* compiled, immutable */

OcpSchemaStore *ocp_schema_store_new(void);
void ocp_schema_store_free(OcpSchemaStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSchemaStore, ocp_schema_store_free)

/* Adds a document under a URI (its own $id counts too). The store keeps a reference. */
void ocp_schema_store_add(OcpSchemaStore *store, const char *uri,
                          OcpDocument *document);

/* Documents added from now on that have no $schema are draft-07, not 2020-12. */
void ocp_schema_store_assume_draft_07(OcpSchemaStore *store);

/* Compiles document, from the subschema that fragment names ("#/$defs/X", or NULL for
 * the root). Unknown $ref targets are errors (schema.compile). The embedded
 * meta-schemas are always known. */
bool ocp_schema_load(OcpSchemaStore *store, OcpDocument *document, const char *fragment,
                     OcpReport *report, OcpSchema **ret);
void ocp_schema_free(OcpSchema *schema);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSchema, ocp_schema_free)

typedef struct {
    bool ignore_format; /* for the suite: format does not assert */
    bool format_warns;  /* a fault of format alone is a warning */
    guint most;         /* diagnostics at most; 0 is 20 */
    /* true if the value is sensitive and must not show in a message; may be NULL */
    bool (*sensitive)(const OcpNode *node, gpointer data);
    gpointer data;
} OcpCheckOptions;

/* True if value satisfies the schema. Faults go to report as schema.<keyword>, with
 * document's positions; report may be NULL if only the verdict is wanted. */
bool ocp_schema_check(const OcpSchema *schema, const OcpDocument *document,
                      const OcpNode *value, const OcpCheckOptions *options,
                      OcpReport *report);

/*
 * The shape of a schema: what it says of the place one reaches by a path, seen from
 * outside a document. A shape is a set of subschemas (every branch of oneOf, anyOf,
 * allOf, if/then/else counts). For coverage, for settling YAML, for required empties.
 */
typedef struct OcpShape
    OcpShape; /* a small immutable set; free with ocp_shape_free() */

OcpShape *ocp_shape_root(const OcpSchema *schema);
/* The shape of a member of that name; empty if the schema says nothing of it. */
OcpShape *ocp_shape_member(const OcpShape *shape, const char *name, gsize length);
/* The shape of the elements of an array there. */
OcpShape *ocp_shape_element(const OcpShape *shape);
/* The union of the values that members of no declared name may have. */
OcpShape *ocp_shape_other(const OcpShape *shape);
void ocp_shape_free(OcpShape *shape);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpShape, ocp_shape_free)

/* No subschema reaches this place (and so the schema says nothing of it). */
bool ocp_shape_is_empty(const OcpShape *shape);
/* Kinds allowed, as bits 1 << OcpKind (booleans 1 << OCP_TRUE); 0 if nothing is said.
 */
guint ocp_shape_kinds(const OcpShape *shape);
/* Some subschema has "format": name. */
bool ocp_shape_has_format(const OcpShape *shape, const char *name);
/* Names of the declared properties, in the order of the schema, each once. Borrowed
 * strings in a new array; g_ptr_array_unref(). */
GPtrArray *ocp_shape_properties(const OcpShape *shape);
/* True if every object branch that declares anything requires that member. */
bool ocp_shape_requires(const OcpShape *shape, const char *name, gsize length);
/* True if members that are not declared are allowed by some branch. */
bool ocp_shape_is_open(const OcpShape *shape);
/* Description of the place, or NULL. Borrowed. */
const char *ocp_shape_description(const OcpShape *shape);

/* The shape that a value of a document meets, branches that its discriminators rule out
 * left aside: start with ocp_shape_root() and walk, narrowing at every object. */
OcpShape *ocp_shape_narrow(const OcpShape *shape, const OcpNode *value);

/* Another holder of the same shape; free with ocp_shape_free(). */
OcpShape *ocp_shape_copy(const OcpShape *shape);

/* True if value satisfies one of the shape's subschemas whole (or the shape is empty):
 * may this value stand at this place? For mappings, which leave out what a place does
 * not admit. Conditions (if/then) that hang on neighbours are not looked at. */
bool ocp_shape_admits(const OcpShape *shape, const OcpNode *value);
