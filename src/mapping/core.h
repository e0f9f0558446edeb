/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/patch.h"
#include "mapping/run.h"

/*
 * The two templates at work, bare: R(s), the model a read template makes of a source,
 * and W(o), the document a write template makes of a model. What belongs to the engine
 * (id, time, source resource, derivation, carry, stash) comes around them in read.c and
 * write.c.
 */

/* R(s). */
typedef struct {
    OcpDocument *made;
    OcpTrace *trace; /* NULL unless asked for */
    OcpIds *ids;
    OcpRun *run;
    OcpNode *root; /* {"opencheckpoint": "0.1", …what the template makes} */
    const OcpNode
        *created_at; /* as the template gives it, taken out of root; or NULL */
    guint dropped;   /* references that named nothing */
} OcpCore;

typedef struct {
    const OcpMapping *mapping;
    OcpDocument *source;
    const OcpPlaces *places; /* of source */
    const OcpNode *input;    /* $input, or NULL */
    GHashTable *hidden;      /* or NULL */
    GHashTable *rename;      /* or NULL */
    const OcpShape *model_shape;
    bool traced; /* an account will be made of it */
} OcpCoreInput;

OcpCore *ocp_core_read(const OcpCoreInput *input);
void ocp_core_free(OcpCore *core);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpCore, ocp_core_free)

/* W(o), with the derived members of `finish:` put in. */
typedef struct {
    OcpDocument *made;
    OcpTrace *trace; /* NULL unless asked for */
    OcpModel *model;
    OcpPlaces *places;
    OcpRun *run;
    const OcpNode *root;
} OcpDraft;

typedef struct {
    const OcpMapping *mapping;
    OcpDocument *model;
    bool foreign;
    GHashTable *hidden; /* nodes of the model that count as absent; or NULL */
    bool traced;        /* an account will be made of it */
} OcpDraftInput;

OcpDraft *ocp_draft_write(const OcpDraftInput *input);
void ocp_draft_free(OcpDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpDraft, ocp_draft_free)

/* Puts what `finish:` says of document (its root: finished) over the draft's root. */
const OcpNode *ocp_draft_finish(OcpDraft *draft, const OcpMapping *mapping,
                                OcpDocument *finished_document,
                                const OcpNode *finished);

/* The id of the model object that an element of the draft came from, or NULL. */
const char *ocp_draft_key(const OcpNode *element, OcpDraft *draft);

/* The carry: diff(W(o) -> s), where o = R(s). core: R(s); draft: W(o). */
typedef struct {
    const OcpMapping *mapping;
    OcpCore *core;
    OcpDraft *draft;
    OcpDocument *source;
    const OcpNode *root; /* of source; without its stash if that was accepted */
    bool (*skip)(const OcpNode *source_node, gpointer data); /* or NULL */
    const OcpNode *instead;  /* what stands for a skipped leaf in a carried value */
    GHashTable *own_instead; /* the same for single nodes; or NULL */
    OcpPatchCarried carried; /* or NULL */
    GHashTable *copies;      /* ocp_copies_find() of the source; or NULL */
    gpointer data;
} OcpCarryDiff;

/* Returns the patch, made in made. */
OcpNode *ocp_carry_diff(const OcpCarryDiff *diff, OcpDocument *made);

/* b over a: members of objects merged, everything else b's. */
const OcpNode *ocp_overlay(OcpDocument *made, const OcpNode *a, const OcpNode *b);

/* The object with a member set (or added at the end), deep along names; missing objects
 * on the way are made. */
const OcpNode *ocp_with_member(OcpDocument *made, const OcpNode *object,
                               const char *const *names, gsize depth,
                               const OcpNode *value);

/* The object without a member; itself if it has none of that name. */
const OcpNode *ocp_without_member(OcpDocument *made, const OcpNode *object,
                                  const char *const *names, gsize depth);
