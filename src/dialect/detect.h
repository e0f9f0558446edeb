/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * Telling a dialect by its content: the `detect:` of a mapping,
 *
 *   {required: [names], any: [names], equal: {name: value or [values]},
 *    not: {name: value or [values]}, types: {name: kind}}
 *
 * over the members of the document's root. All that is given must hold; numbers compare by
 * exact value.
 */
bool ocp_detect_matches(const OcpNode *detect, const OcpNode *root);

/* Appends "; LABEL lacks …" for a document that does not match, in a few words. */
void ocp_detect_describe(const OcpNode *detect, const OcpNode *root, const char *label,
                         GString *out);
