/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * The canonical text of a value, and digests over it (accounting.md, id).
 */
typedef enum {
    OCP_CANONICAL_VALUE,  /* numbers by exact value: 12e1 */
    OCP_CANONICAL_TEXT,   /* numbers by their text */
    OCP_CANONICAL_PYTHON  /* numbers as Python's json writes them */
} OcpCanonicalNumbers;

/* Appends JSON with members sorted by code point, no blanks, only the escapes JSON
 * requires (\" \\ \b \f \n \r \t \u00xx), UTF-8. */
void ocp_canonical_append(const OcpNode *node, OcpCanonicalNumbers numbers, GString *out);

/* SHA-256 of the canonical text, 64 lower-case hexadecimal digits; free with g_free(). */
char *ocp_canonical_digest(const OcpNode *node, OcpCanonicalNumbers numbers);

/* SHA-256 of bytes, hexadecimal; free with g_free(). */
char *ocp_sha256(const void *bytes, gsize length);

/* The same as 32 bytes. */
void ocp_sha256_bytes(const void *bytes, gsize length, guint8 *ret);

/* "urn:uuid:" and the version 5 UUID (RFC 9562, 5.5) of name in the namespace that
 * accounting.md fixes; free with g_free(). */
char *ocp_urn_uuid5(const char *name, gsize length);
