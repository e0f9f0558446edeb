/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * The derivation ledger: what a model was made from, what was left out and what was
 * changed on the way, collected while rules run and written as OpenCheckpoint's
 * `derivation`. Entries stand in the order of the calls; what is said twice stands
 * once. It knows nothing of rules, traces or dialects.
 */
typedef struct OcpDerivation OcpDerivation;

/* method: one of OpenCheckpoint's ("converted", …). Texts are copied, here and below.
 */
OcpDerivation *ocp_derivation_new(const char *method);
void ocp_derivation_free(OcpDerivation *derivation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpDerivation, ocp_derivation_free)

/* Inputs: a session reference (an object {protocol, id, …}; the node is borrowed until
 * the result is freed, the caller sees to ocp_document_borrow), a checkpoint's id. */
void ocp_derivation_input_session(OcpDerivation *derivation,
                                  const OcpNode *session_ref);
void ocp_derivation_input_checkpoint(OcpDerivation *derivation, const char *id);

/* description: not empty. reason: one of OpenCheckpoint's, see
 * ocp_derivation_reason_valid(); another one is written as "irrelevant".
 * recoverable_from: a local id, or NULL. The same in all three stands once. */
void ocp_derivation_omit(OcpDerivation *derivation, const char *description,
                         const char *reason, const char *recoverable_from);

/* affected: n local ids, may be none. Calls with the same description unite their ids.
 */
void ocp_derivation_transform(OcpDerivation *derivation, const char *description,
                              const char *const *affected, gsize n);

/* True for size, irrelevant, superseded, sensitive, unavailable. */
bool ocp_derivation_reason_valid(const char *reason);

/* Returns the derivation object, made in document made; empty lists are left out. */
OcpNode *ocp_derivation_build(const OcpDerivation *derivation, OcpDocument *made);
