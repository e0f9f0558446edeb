/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/* Writes a tree as JSON and reads that text: what is in the text is what counts, not the
 * tree it came from. ret_text may be NULL. */
bool ocp_reread(const OcpNode *tree, OcpReport *report, GBytes **ret_text,
                OcpDocument **ret);
