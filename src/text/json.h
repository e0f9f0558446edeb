/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/limits.h"
#include "value/report.h"

/*
 * Strict JSON (RFC 8259). The reader refuses what the RFC does not allow, duplicate
 * keys and lone surrogates besides; numbers keep their text. The writer is
 * deterministic to the byte.
 */

/* Reads the one document in bytes (kept alive by the result). name: for messages.
 * Errors: json.* with line, column and pointer. *ret is untouched on failure. */
bool ocp_json_read(GBytes *bytes, const char *name, const OcpLimits *limits,
                   OcpReport *report, OcpDocument **ret);

/* Appends the value: two-space indent (one line if compact), members in order, "[]" and
 * "{}" for empties, no escaped slash, U+007F, U+2028, U+2029 escaped, numbers by their
 * text. No newline at the end. Unescaped spans are copied as they are. */
void ocp_json_write(const OcpNode *node, bool compact, GString *out);

/* Appends the string as a JSON string, quotes included. */
void ocp_json_write_string(const char *text, gsize length, GString *out);
