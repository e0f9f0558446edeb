/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <json-c/json.h>
#include <stdbool.h>

/*
 * Documents for programs that live on json-c, in both directions. Programs include
 * library/ocp_json.h, which is this over the public types.
 *
 * A conversion is exact or says where it is not: what json-c cannot hold is an error
 * (code json-c.*, with the JSON pointer), never another value. JSON's null is json-c's
 * NULL, so look at what a function returns, not at *ret.
 */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcpDocument OcpDocument;
typedef struct OcpNode OcpNode;
typedef struct OcpReport OcpReport;

/* Converts node, a value of document (NULL: its root). *ret is owned by the caller, to
 * be released with json_object_put(); it shares nothing with the document.
 *
 * Integers become int64 or uint64, other numbers (and -0) a double that keeps its text;
 * where the double is only near the text, a warning json-c.precision says so.
 * Errors: json-c.integer (beyond 64 bits), json-c.number (no double is near),
 * json-c.key (holds U+0000), json-c.string (2 GiB or more), json-c.depth (nested deeper
 * than 512), json-c.memory. */
bool ocp_json_to_object(const OcpDocument *document, const OcpNode *node,
                        OcpReport *report, struct json_object **ret);

/* Makes a document of a json-c value (borrowed, not changed but for the texts that
 * json-c caches in it); *ret is released with ocp_document_unref(). name, for messages,
 * may be NULL. A double without a text of its own gets the shortest one that reads as
 * it. Errors: json-c.number (not finite), json-c.utf8 (a string or key is not UTF-8),
 * json-c.depth. */
bool ocp_json_from_object(struct json_object *object, const char *name,
                          OcpReport *report, OcpDocument **ret);

#ifdef __cplusplus
}
#endif
