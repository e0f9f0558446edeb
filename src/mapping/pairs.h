/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/run.h"

/*
 * Which objects of a model read back stand for which of the model written: pairs by the
 * element of the document that both belong to, within one collection.
 */
typedef struct {
    const OcpNode *tree;      /* the document as the tree it was written from */
    const OcpNode *document;  /* the same, read back from its text */
    const OcpRun *made;       /* of R(document): which ids each element became */
    const OcpNode *made_root; /* R(document) */
    const OcpModel *model;    /* of the model written */
    /* The id of the model object that an element of tree came from, or NULL. */
    const char *(*key)(const OcpNode *tree_element, gpointer data);
    gpointer data;
} OcpPairsInput;

/* Returns made id -> model's id (owned strings) for those that differ, with every other
 * made id that would clash renamed out of the way. */
GHashTable *ocp_pairs_rename(const OcpPairsInput *input);

/* Nodes of a model that look like credentials, wherever they stand. */
GHashTable *ocp_pairs_sensitive(const OcpNode *model);

/* Puts what stands for a sensitive value (`instead`, else "[omitted]") where an object
 * that should hold one, by the mapping's paths, lacks it and its schema requires it. */
const OcpNode *ocp_pairs_fill_sensitive(OcpDocument *made, const OcpMapping *mapping,
                                        const OcpNode *tree);
