/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/files.h"
#include "cli/options.h"

/*
 * What a run writes is apart: no file is written twice, and none that is read. What is
 * written last would else be all that is left.
 */

/* The name below the output folder that the report will have; NULL if it is not there.
 * Free it with g_free(). */
char *ocp_outputs_reserved(const OcpOptions *options, bool folder);

/* Looks at the places that the options name, before anything is read or written.
 * folder: whether --output is a folder; reserved: ocp_outputs_reserved(). Errors:
 * usage.same-output. */
bool ocp_outputs_check(const OcpOptions *options, bool folder, const char *reserved,
                       OcpReport *report);

/* The same where the inputs are known. */
bool ocp_outputs_check_inputs(const OcpOptions *options, const OcpFileSet *inputs,
                              OcpReport *report);
