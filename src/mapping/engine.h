/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/core.h"

/*
 * What the engine itself puts into a model, whatever the rules say: the version, id, time
 * and source resource (accounting.md), and the extension that holds the carry. Each is
 * made by the same few facts, so that the same input gives the same bytes.
 */

/* What is known of the source; times come in as parameters, never from a clock. */
typedef struct {
    const char *name;       /* base name of the file, "-" for standard input */
    guint64 size;           /* bytes */
    const char *media_type; /* "application/json" or "application/yaml" */
    const char *digest;     /* SHA-256 of the bytes, hexadecimal */
    const char *fallback;   /* RFC 3339 time to use where the source has none, or NULL */
    const char *created_at; /* the user's --created-at, or NULL */
    const char *id;         /* the user's --id, or NULL */
    const char *provenance_key;  /* of extensions; NULL: the source stands by itself */
    OcpDocument *provenance;     /* what to keep there */
    const GPtrArray *changes;    /* sentences for the derivation; or NULL */
} OcpFacts;

/* {name, size, media_type, digest}: what `$input` is to a template. */
const OcpNode *ocp_engine_input(OcpDocument *made, const OcpFacts *facts);

/* The id of a source value: urn:uuid version 5 of dialect and canonical value. */
char *ocp_engine_id(const char *dialect, const OcpNode *source_root);

/* The resource "source". */
OcpNode *ocp_engine_source(OcpDocument *made, const OcpFacts *facts);

/* The model with opencheckpoint, id and created_at in front, in this order. NULL leaves
 * what the model has. */
const OcpNode *ocp_engine_head(OcpDocument *made, const OcpNode *model, const OcpNode *id,
                               const OcpNode *created_at);

/* The model with a resource appended. */
const OcpNode *ocp_engine_with_resource(OcpDocument *made, const OcpNode *model,
                                        OcpNode *resource);

/* ---- the carry ------------------------------------------------------------------- */

typedef enum {
    OCP_CARRY_ABSENT, /* no extension of that key */
    OCP_CARRY_USABLE,
    OCP_CARRY_OTHER,  /* of another dialect version: the model is foreign */
    OCP_CARRY_BROKEN  /* ordinary data */
} OcpCarryState;

typedef struct {
    OcpCarryState state;
    const OcpNode *extension; /* the value under extensions[key], or NULL */
    const OcpNode *patch;
    const OcpNode *made;      /* digests of what the engine made */
    const OcpNode *sensitive; /* pointers */
} OcpCarry;

OcpCarry ocp_carry_find(const OcpMapping *mapping, const OcpNode *model);

/* The extension value. patch, made and sensitive are placed in it. */
OcpNode *ocp_carry_build(OcpDocument *made, const OcpMapping *mapping,
                         const OcpNode *digests, const OcpNode *sensitive,
                         const OcpNode *patch);

/* {name: digest} of a node of the model, added to digests; nothing for NULL. */
void ocp_carry_digest(OcpBuilder *digests, const char *name, const OcpNode *node);

/* True if the node is still what the engine made (its digest is the one kept). */
bool ocp_carry_is_unedited(const OcpCarry *carry, const char *name, const OcpNode *node);

/* The resource of that id among the model's resources, or NULL. */
const OcpNode *ocp_engine_find_source(const OcpNode *model);
