/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/* Writes a tree as JSON. */
GBytes *ocp_rewrite(const OcpNode *tree);

/* Reads that text: what is in the text is what counts, not the tree it came from. Whoever
 * has the text no longer needs the tree: for large documents that is much memory. */
bool ocp_reread(GBytes *text, OcpReport *report, OcpDocument **ret);

/* The same in one, without the text, for what is written and read again later: shares the
 * tree's texts, which must stay. */
bool ocp_recopy(const OcpNode *tree, OcpReport *report, OcpDocument **ret);
