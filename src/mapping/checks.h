/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"

/* Applies the rules of `checks:` to a document of the dialect: one diagnostic for each node
 * that breaks one, with the severity the rule gives. */
void ocp_mapping_check(const OcpMapping *mapping, OcpDocument *document,
                       OcpReport *report);
