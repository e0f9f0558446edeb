/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tree.h"

/*
 * Texts and numbers: plain ones mostly, and the odd ones that break converters.
 */

/* A text of least to most characters. said: texts given before, one may come again. */
char *make_text(Dice *dice, guint least, guint most, GPtrArray *said);
/* A text that the ECMA-262 pattern matches (classes, groups, alternatives, counts). */
char *make_match(Dice *dice, const char *pattern);
char *make_date_time(Dice *dice);
char *make_uri(Dice *dice);
/* An integer of at least least (G_MININT64: any), in some spelling that is one. */
char *make_integer(Dice *dice, gint64 least, gint64 most);
/* Between 0 and 1, both excluded. */
char *make_ratio(Dice *dice);
/* Any number in any spelling. */
char *make_number(Dice *dice);
/* A local id: often one that a mapping makes too. */
char *make_id(Dice *dice);
char *make_name(Dice *dice);
