/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * ECMA-262 regular expressions (with the u flag) and I-Regexp (RFC 9485), by translation
 * to PCRE2. Compiled, immutable, shareable. Never JIT; a match limit makes a slow pattern
 * an error of its own, never "no match".
 */
typedef struct OcpRegexp OcpRegexp;

/* Compiles an ECMA-262 pattern, unanchored as JSON Schema's. Errors: regexp.syntax. */
bool ocp_regexp_load(const char *pattern, gsize length, OcpReport *report, OcpRegexp **ret);

/* Compiles an I-Regexp. whole: must match the entire text (match, capture). dot_all:
 * "." matches line ends too (capture). Groups capture. */
bool ocp_regexp_load_i(const char *pattern, gsize length, bool whole, bool dot_all,
                       OcpReport *report, OcpRegexp **ret);
void ocp_regexp_free(OcpRegexp *regexp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpRegexp, ocp_regexp_free)

/* True if the pattern is found. Text is valid UTF-8 and may hold U+0000. */
bool ocp_regexp_search(const OcpRegexp *regexp, const char *text, gsize length);

/* Sets the span of group n (0: whole) of the first match; false without a match or if
 * the group took no part. */
bool ocp_regexp_group(const OcpRegexp *regexp, const char *text, gsize length, guint n,
                      gsize *ret_start, gsize *ret_end);
