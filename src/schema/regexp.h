/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * ECMA-262 regular expressions (with the u flag) and I-Regexp (RFC 9485). Compiled,
 * immutable, shareable. A pattern runs as a deterministic automaton, in time linear in
 * the text; one that looks around or back, has Unicode properties or would need a large
 * table is translated to PCRE2 (never JIT), whose match limit is an outcome of its own,
 * never "no match".
 */
typedef struct OcpRegexp OcpRegexp;

/* Compiles an ECMA-262 pattern, unanchored as JSON Schema's. Errors: regexp.syntax. */
bool ocp_regexp_load(const char *pattern, gsize length, OcpReport *report,
                     OcpRegexp **ret);

/* Compiles an I-Regexp. whole: must match the entire text (match, capture). dot_all:
 * "." matches line ends too (capture). Groups capture. */
bool ocp_regexp_load_i(const char *pattern, gsize length, bool whole, bool dot_all,
                       OcpReport *report, OcpRegexp **ret);
/* True if the pattern is a valid ECMA-262 one, whether it can be run here or not. */
bool ocp_regexp_valid(const char *pattern, gsize length);

void ocp_regexp_free(OcpRegexp *regexp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpRegexp, ocp_regexp_free)

/* Sets *ret to whether the pattern is found; false if that takes too long to tell. */
bool ocp_regexp_run(const OcpRegexp *regexp, const char *text, gsize length, bool *ret);

/* True if the pattern is found. Text is valid UTF-8 and may hold U+0000. */
bool ocp_regexp_search(const OcpRegexp *regexp, const char *text, gsize length);

/* Sets the span of group n (0: whole) of the first match; false without a match or if
 * the group took no part. */
bool ocp_regexp_group(const OcpRegexp *regexp, const char *text, gsize length, guint n,
                      gsize *ret_start, gsize *ret_end);
