/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/limits.h"
#include "value/report.h"

/* Which reader a text gets (text.md, YAML reader). */
typedef enum { OCP_SYNTAX_AUTO, OCP_SYNTAX_JSON, OCP_SYNTAX_YAML, OCP_SYNTAX_NDJSON } OcpSyntax;

/* Reads the documents of a text: by syntax if given, else by name's ending and first
 * character. *ret: array of OcpDocument. */
bool ocp_source_read(GBytes *bytes, const char *name, OcpSyntax syntax,
                     const OcpLimits *limits, OcpReport *report, GPtrArray **ret);
