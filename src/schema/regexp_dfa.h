/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/regexp_private.h"

/*
 * A pattern as a deterministic automaton over characters: one table look-up a
 * character, whatever the pattern and the text. Patterns that look around or back, that
 * use Unicode properties or whose table would be large have none. Immutable.
 */
typedef struct OcpDfa OcpDfa;

/* False if ocp_dfa_new() would give NULL because of what the pattern asks for. */
bool ocp_dfa_is_possible(const OcpRx *rx);

/* Returns NULL if the pattern is none for an automaton. whole: anchored at both ends.
 */
OcpDfa *ocp_dfa_new(const OcpRx *rx, bool whole);
void ocp_dfa_free(OcpDfa *dfa);

/* True if the pattern is found in the text (valid UTF-8, may hold U+0000). */
bool ocp_dfa_search(const OcpDfa *dfa, const char *text, gsize length);
