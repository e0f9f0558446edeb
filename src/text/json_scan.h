/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/pen.h"
#include "value/node.h"

/*
 * The inside of JSON strings, byte by byte: what reader and writer must agree on.
 * Knows nothing of documents.
 */

/* What is wrong with a text, and where. message is a sentence; hint may be NULL. */
typedef struct {
    const char *at;
    const char *code;
    const char *message;
    const char *hint;
} OcpJsonFault;

/* Returns the end of the run of bytes that a JSON string may hold as they are: all but
 * control characters, quote and backslash. */
const char *ocp_json_run(const char *at, const char *end);

/* The same, but stops also at U+007F and at the byte 0xE2, with which U+2028 begins. */
const char *ocp_json_writer_run(const char *at, const char *end);

/* Returns the bytes of the UTF-8 character at at, 0 if there is no valid one. */
gsize ocp_json_utf8_size(const char *at, const char *end);

/* True if U+2028 or U+2029 stands at at. */
static inline bool
ocp_json_is_separator(const char *at, const char *end)
{
    return end - at >= 3 && at[0] == '\xE2' && at[1] == '\x80' &&
           (at[2] == '\xA8' || at[2] == '\xA9');
}

/* Checks a string from behind its opening quote. Sets *ret_end to the closing quote and
 * *ret_flags to OCP_NODE_ESCAPED and OCP_NODE_UNUSUAL as they apply; false sets *fault.
 */
bool ocp_json_scan_string(const char *at, const char *end, const char **ret_end,
                          guint8 *ret_flags, OcpJsonFault *fault);

/* Puts our escape of a character that does not stand for itself: \n, \u001f. */
void ocp_json_put_escape(guint code, OcpPen *pen);
