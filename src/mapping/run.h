/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/ids.h"
#include "mapping/mapping.h"

/*
 * Running a template over a source: the result as a tree of made nodes that links to the
 * source's own, and for its elements which source element each came from.
 */
typedef struct OcpRun OcpRun;

typedef struct {
    const OcpMapping *mapping;
    const OcpDocument *source; /* the document of root */
    const OcpNode *root;       /* $ */
    const OcpPlaces *places;   /* of source */
    OcpDocument *made;         /* where the result is made; lives as long as the run */
    OcpTrace *trace;           /* or NULL */
    const OcpModel *model;     /* by_id(); NULL when reading */
    const OcpNode *input;      /* $input; or NULL */
    GHashTable *hidden;        /* set of source nodes that count as absent; or NULL */
    GHashTable *rename;        /* final id -> the id it goes by; or NULL */
    bool foreign;
} OcpRunInput;

OcpRun *ocp_run_new(const OcpRunInput *input, guint slots);
void ocp_run_free(OcpRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpRun, ocp_run_free)

/* Makes the template's value; NULL if it is absent. ids (may be NULL): where model objects'
 * ids become final; an object whose id is known already is not made again. */
const OcpNode *ocp_run_template(OcpRun *run, const OcpTemplate *template, OcpIds *ids);

/* Releases what only running templates needs: what an evaluation found out may be as large
 * as its source. The origins stay. */
void ocp_run_rest(OcpRun *run);

/* The innermost bound element that a made element came from: a node of the source, or
 * NULL. A source node is its own origin. */
const OcpNode *ocp_run_origin(const OcpRun *run, const OcpNode *element);

/* While reading: true if an object of that (final) id was made out of element. */
bool ocp_run_made(const OcpRun *run, const OcpNode *source_element, const char *id);

/* While reading: the ids made out of a source element, or NULL. Borrowed strings. */
const GPtrArray *ocp_run_made_ids(const OcpRun *run, const OcpNode *source_element);

/* Joins text parts into a string node of the run; NULL if a placeholder has no value. */
const OcpNode *ocp_run_text(OcpRun *run, const GArray *parts);
