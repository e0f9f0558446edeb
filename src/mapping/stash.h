/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/core.h"

/*
 * The stash: what a dialect with an open place keeps of a model that it has no place for
 * (accounting.md, "The other way round"). It is diff(R(d) -> o), with the ids of R(d)
 * renamed to those of o first, sealed by the SHA-256 of its canonical rest:
 *
 *   {ids: {made id: model's id}, sites: [patch], carry?: digest, of: digest, seal: digest}
 *
 * carry  digest of the carry that reading d gives, if the model was foreign: then that
 *        carry is defaults only, and is not attached
 * of     digest of d without the stash: if it still holds, nothing was edited, and
 *        reading gives back the model exactly, with nothing added
 */
typedef struct {
    OcpDocument *document;  /* that holds it: the source, or the text's own */
    const OcpNode *node;    /* in the source: what stands in the open place */
    const OcpNode *value;   /* the stash object */
    GHashTable *rename;     /* made id -> model's id */
    bool untouched;         /* `of` holds */
    bool exact;             /* ... and the model was foreign: it comes back whole */
} OcpStash;

/* What stands in the open place of a document, or NULL. */
const OcpNode *ocp_stash_place(const OcpMapping *mapping, const OcpNode *root);

/* Finds a stash in the open place of source and checks its shape and seal. NULL if there
 * is none; a broken one is NULL too, with a warning. */
OcpStash *ocp_stash_find(const OcpMapping *mapping, OcpDocument *source,
                         OcpReport *report);
void ocp_stash_free(OcpStash *stash);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpStash, ocp_stash_free)

/* The model with what the stash holds put back: made in made. */
const OcpNode *ocp_stash_apply(const OcpStash *stash, OcpDocument *made,
                               const OcpNode *model);

/* True if the carry of this digest is defaults only. */
bool ocp_stash_has_carry(const OcpStash *stash, const char *carry_digest);

/* A document without what stands in its open place, and without the objects on the way to
 * it that are empty then: whether they were there before nobody can tell. */
const OcpNode *ocp_stash_bare(OcpDocument *made, const OcpMapping *mapping,
                              const OcpNode *root);

/* Digest of a document without what stands in its open place. */
char *ocp_stash_digest_of(const OcpMapping *mapping, const OcpNode *root);

/* Builds the stash value from its parts; carry may be NULL. */
OcpNode *ocp_stash_build(OcpDocument *made, GHashTable *rename, const OcpNode *sites,
                         const char *carry, const char *of);

/* The document with the stash in its open place (as an object or a JSON string). */
const OcpNode *ocp_stash_put(OcpDocument *made, const OcpMapping *mapping,
                             const OcpNode *root, const OcpNode *stash);

/* Keys of model elements by their own id, for patches between models. lender: the
 * OcpDocument in whose memory they live. */
const char *ocp_stash_key(const OcpNode *element, gpointer lender);
const char *ocp_stash_made(const OcpNode *element, guint n, gpointer lender);
