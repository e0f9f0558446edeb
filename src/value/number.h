/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * Numbers by their text, and by exact value without ever becoming a double.
 *
 * Texts are JSON numbers (RFC 8259, section 6). Exponents of any size are handled:
 * no function here takes time or memory in proportion to the value of an exponent.
 */

/* True if text is a JSON number, whole. */
bool ocp_number_valid(const char *text, gsize length);

/* Exact comparison: negative, 0, positive. 1.0, 1, 10e-1 are equal; -0 equals 0. */
int ocp_number_compare(const OcpNode *a, const OcpNode *b);

/* True if the value has no fractional part (1.0 and 1e3 have none). */
bool ocp_number_is_integer(const OcpNode *number);

/* True if value is an exact multiple of divisor (> 0). */
bool ocp_number_is_multiple(const OcpNode *value, const OcpNode *divisor);

/* Sets *ret if the number is a whole number that fits; false if not. */
bool ocp_number_to_int64(const OcpNode *number, gint64 *ret);

/* Appends the canonical text of accounting.md: sign, digits without leading or
 * trailing zeros, "e", exponent; "0" for zero of any sign. 120 -> "12e1". */
void ocp_number_append_canonical(const OcpNode *number, GString *out);

/* Appends the text Python's json module writes for this number after reading it:
 * integers keep all digits ("-0" -> "0"), others are the shortest repr of the double
 * (1e16 -> "1e+16", 1.50 -> "1.5", 1e400 -> "Infinity"). Locale-independent. */
void ocp_number_append_python(const OcpNode *number, GString *out);
