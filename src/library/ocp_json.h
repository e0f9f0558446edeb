/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OCP_JSON_H
#define OCP_JSON_H

/*
 * Documents for programs that live on json-c, in both directions. Optional: this is the
 * one header that shows a type of json-c, and whoever includes it links json-c too
 * (pkg-config ocp-json, CMake target ocp::json).
 *
 * A conversion is exact or says where it is not: what json-c cannot hold is an error
 * (code json-c.…, with the JSON pointer), never another value. JSON's null is json-c's
 * NULL, so look at what a function returns, not at *ret.
 */

#include <json-c/json.h>

#include "ocp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The document as a json-c value, which is the caller's (json_object_put()) and shares
 * nothing with the document.
 *
 * Integers become int64 or uint64, other numbers (and -0) a double that keeps its text;
 * where the double is only near the text, a warning json-c.precision says so. Members
 * keep their order. Errors: json-c.integer (beyond 64 bits), json-c.number (no double
 * is near), json-c.key (holds U+0000), json-c.string (2 GiB or more), json-c.depth
 * (deeper than 512), json-c.memory. Threads: any. */
OCP_API bool ocp_document_to_json_c(OcpDocument *document, OcpReport *report,
                                    struct json_object **ret);

/* A document of a json-c value (borrowed, not changed but for the texts json-c caches
 * in it), freed with ocp_free_document(). name, for messages, may be NULL. A double
 * without a text of its own gets the shortest one that reads as it. Lines and columns
 * in messages are those of the value written as indented JSON. Errors: json-c.number
 * (not finite), json-c.utf8 (a string or key is not UTF-8), json-c.depth. Threads: any.
 */
OCP_API bool ocp_document_from_json_c(struct json_object *object, const char *name,
                                      OcpReport *report, OcpDocument **ret);

#ifdef __cplusplus
}
#endif

#endif
