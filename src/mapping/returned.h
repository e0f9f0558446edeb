/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/core.h"
#include "mapping/patch.h"

/*
 * What comes back from a result that carries nothing. Where there is no carry and no
 * stash to complete it, only trying tells what is mapped: the result is converted back
 * as the foreign thing it then is, and compared.
 */

/* The document that a model of foreign origin gives: W(o), finished. sensitive_keep:
 * with its sensitive values. *ret is made in the memory of *ret_draft, which is about
 * the model; free it with ocp_draft_free(). False, with a report, if it is no document;
 * *ret_draft is there nevertheless. */
bool ocp_returned_write(const OcpMapping *mapping, OcpDocument *model,
                        bool sensitive_keep, OcpReport *report, OcpDraft **ret_draft,
                        const OcpNode **ret);

/* Returns the set (node -> "") of the smallest number of subtrees of source that back,
 * what the way back gives, does not hold. Elements count as returned if they stand in
 * the same order, others may stand between them; which is which is told as in a patch:
 * keys->key is asked of back, keys->made of source. keys may be NULL. */
GHashTable *ocp_returned_lost(const OcpNode *source, const OcpNode *back,
                              const OcpPatchKeys *keys);
