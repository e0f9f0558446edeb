/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/* How far apart two names are, for "did you mean". */

/* Texts longer than this are never near to each other. */
enum { OCP_DISTANCE_LONGEST = 64 };

/* Edits (insert, delete, replace, swap of neighbours) from a to b, by bytes; most + 1 if
 * there are more than most, or if a text is too long. */
guint ocp_distance(const char *a, gsize a_length, const char *b, gsize b_length,
                   guint most);
