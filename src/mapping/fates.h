/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "mapping/core.h"

/*
 * From marks, places and the patch to the account: exactly one fate for every leaf of a
 * source, and for every leaf of the result where it came from.
 */
typedef struct {
    const OcpMapping *mapping;
    const OcpNode *source;      /* root of the source */
    const OcpTrace *trace;      /* of the templates run over it */
    const OcpNode *result;      /* root of the result as a tree that still links to it */
    GHashTable *carried;        /* source node -> pointer in the result (char *) */
    GHashTable *copies;         /* source node -> OcpCopy; or NULL */
    GHashTable *omitted;        /* source node -> reason (static); whole subtrees */
    GHashTable *mapped;         /* set of source nodes whose subtree counts as mapped */
    const char *refused;        /* reason that makes kept and carried into omitted; or NULL */
    bool refused_asked;         /* an option asked for it */
    bool to_model;              /* the result is a model: changes name objects */
    bool brief;                 /* only what is omitted is told leaf by leaf */
} OcpFatesInput;

OcpAccount *ocp_fates_account(const OcpFatesInput *input);
