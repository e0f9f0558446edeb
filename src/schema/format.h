/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Checkers of string formats, exact. Other formats are annotations here. */

/* RFC 3339 date-time: real calendar days, leap seconds where UTC may have one. */
bool ocp_format_date_time(const char *text, gsize length);

/* RFC 3986 URI with a scheme. */
bool ocp_format_uri(const char *text, gsize length);

/* Compares two valid RFC 3339 times as instants, exactly (any number of fraction
 * digits): negative, 0, positive. */
int ocp_format_compare_times(const char *a, gsize a_length, const char *b,
                             gsize b_length);
