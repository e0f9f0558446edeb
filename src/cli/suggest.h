/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/* Returns the candidate most like word, if it is like it at all (a third of its letters
 * differ at most), else NULL. Candidates end with NULL; the result is one of them. */
const char *ocp_suggest(const char *word, const char *const *candidates);

/* If the report's last word is that the input is no document, and its name (a path, or
 * "-") does not say that it is one: adds to the hint that it may be a log. */
void ocp_suggest_logs(const char *input, const OcpReport *report);
