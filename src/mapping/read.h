/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "mapping/engine.h"

/*
 * Reading: a document of a dialect becomes a model, with the account of every leaf.
 */
typedef struct {
    const OcpMapping *mapping;      /* has read and write */
    OcpDocument *source;            /* valid, settled */
    const OcpFacts *facts;
    const OcpSchema *model_schema;  /* OpenCheckpoint's */
    bool carry_none;
    bool sensitive_keep;
    bool brief;  /* the account need not tell every leaf (account.h) */
} OcpReadRequest;

typedef struct {
    OcpDocument *model;   /* as its own text says */
    GBytes *text;         /* the model's JSON text */
    OcpAccount *account;
} OcpReadResult;

/* False: the model could not be made (no time, …); the report says why. Losses go to the
 * report. *ret is freed with ocp_read_result_free(). */
bool ocp_mapping_read(const OcpReadRequest *request, OcpReport *report,
                      OcpReadResult **ret);
void ocp_read_result_free(OcpReadResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpReadResult, ocp_read_result_free)
