/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema_private.h"
#include "schema/store.h"

/*
 * The compiler: a list of subschemas still to be read. Children and targets of
 * references are entered in the list, never recursed into.
 */

typedef struct {
    OcpSub *sub;
    OcpResource *resource;
} OcpPending;

/* What the subschema being read says by its members' names. */
typedef struct {
    const OcpNode *properties;
    const OcpNode *required;
    const OcpNode *dependencies; /* draft-07; the two others hold one kind each */
    const OcpNode *schemas;
    const OcpNode *needs;
} OcpMembers;

typedef struct {
    OcpSchemaStore *store;
    OcpSchema *schema;
    OcpReport *report;
    OcpSub **subs;         /* by their nodes: a hash table of open addresses */
    gsize slots;           /* of it; a power of two, more than half of them free */
    GHashTable *scopes;    /* OcpResource → OcpScope */
    GArray *pending;       /* OcpPending */
    OcpResource *resource; /* of the subschema being read */
    const OcpNode *node;   /* ... and its object */
    OcpMembers members;
} OcpCompiler;

/* Returns the subschema of a node, which may still have to be read. */
OcpSub *ocp_compile_child(OcpCompiler *compiler, const OcpNode *node,
                          OcpResource *resource);

/* Adds schema.compile at node, returns false. */
bool ocp_compile_fail(OcpCompiler *compiler, const OcpNode *node, const char *format,
                      ...) G_GNUC_PRINTF(3, 4);

/* Decoded, NUL-terminated text of a string node, in the schema's arena. */
const char *ocp_compile_text(OcpCompiler *compiler, const OcpNode *node, gsize *length);

/* Reads all keywords of the compiler's node into sub (keywords.c). */
bool ocp_compile_keywords(OcpCompiler *compiler, OcpSub *sub);

/* Reads properties, required and all else that goes by members' names (names.c). */
bool ocp_compile_names(OcpCompiler *compiler, OcpSub *sub);
