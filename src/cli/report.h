/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/result.h"

/*
 * The account for machines (schemas/report.schema.json): where every leaf went, and
 * what was found wrong. Free of content: pointers, fates, reasons, places, rules and
 * counts, never a value; so messages, which may quote one, are left out too.
 */

/* Appends the entry of one document and a line end: indented if it is the only one,
 * else on one line. */
void ocp_report_append(const OcpResult *result, bool only, GString *out);
