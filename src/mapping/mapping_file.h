/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema.h"

/*
 * A mapping file as text: reading it, and checking it against the grammar of mapping
 * files (schemas/mapping.schema.json) before it is compiled.
 */

/* Reads one mapping file, YAML or JSON. Errors: those of the readers; where an expression
 * without quotes is to blame the diagnostic's hint says so. */
bool ocp_mapping_file_read(GBytes *bytes, const char *name, OcpReport *report,
                           OcpDocument **ret);

/* Checks the file against the compiled grammar. Errors: mapping.file, located. */
bool ocp_mapping_file_check(const OcpDocument *document, const OcpSchema *grammar,
                            OcpReport *report);
