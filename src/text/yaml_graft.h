/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/limits.h"
#include "value/report.h"

/*
 * Aliases and merge keys, expanded. Private to the YAML reader.
 */

/* Copies a complete subtree of the document for an alias at place, to stand below depth
 * open containers. *budget is what copies may still add. Errors: yaml.alias-limit,
 * yaml.depth. NULL on failure. */
OcpNode *ocp_yaml_copy(OcpDocument *document, const OcpNode *from, guint depth,
                       const OcpLimits *limits, guint32 place, guint64 *budget,
                       OcpReport *report);

/* Puts the members of the merged values (each an object or an array of objects that
 * stands nowhere else) in front of the object's own. Own members win, then earlier
 * sources. Errors: yaml.merge, yaml.duplicate-key. */
bool ocp_yaml_merge(OcpDocument *document, OcpNode *object, const GPtrArray *merges,
                    OcpReport *report);
