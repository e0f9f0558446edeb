/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/* Returns the candidate most like word, if it is like it at all (a third of its letters
 * differ at most), else NULL. Candidates end with NULL; the result is one of them. */
const char *ocp_suggest(const char *word, const char *const *candidates);
