/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/work_private.h"

/*
 * --lines: one document a line in, one a line out, in order; a line that fails becomes
 * an object {"error": {"code", "message", "pointer", "column"}}. What a line becomes
 * depends on nothing but the line and the options.
 */

/* Does the whole run. Errors of the input and the output go to report. */
bool ocp_filter_run(OcpWork *work, OcpReport *report);
