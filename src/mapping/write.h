/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "mapping/engine.h"

/*
 * Writing: a model becomes a document of a dialect, with the account of every leaf of the
 * model. What the dialect has no place for goes to its open place, or is named as omitted.
 */
typedef struct {
    const OcpMapping *mapping;      /* has read and write */
    OcpDocument *model;             /* valid OpenCheckpoint */
    const OcpSchema *model_schema;
    bool carry_none;
    bool sensitive_keep;
    bool brief;  /* the account need not tell every leaf (account.h) */
} OcpWriteRequest;

typedef struct {
    OcpDocument *document; /* as its own JSON text says */
    GBytes *text;
    OcpAccount *account;
    bool foreign;          /* the model brought no usable carry of this dialect */
} OcpWriteResult;

bool ocp_mapping_write(const OcpWriteRequest *request, OcpReport *report,
                       OcpWriteResult **ret);
void ocp_write_result_free(OcpWriteResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpWriteResult, ocp_write_result_free)
