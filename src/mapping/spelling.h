/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * How the texts of a mapping file are spelled: where a character of an expression stands
 * in the file, and the mistake that everybody makes, an expression without quotes that
 * YAML ends too early. Only asked when something is wrong.
 */

/* The place in the document's text of the byte at offset of a scalar's text; quotes,
 * anchors and folded lines are taken into account. The scalar's own place where that
 * cannot be told (block scalars, aliases). */
guint32 ocp_spelling_place(const OcpDocument *document, const OcpNode *scalar,
                           gsize offset);

/* What to do if the scalar is an expression that YAML cut because it has no quotes, else
 * NULL. Free with g_free(). */
char *ocp_spelling_hint(const OcpDocument *document, const OcpNode *scalar);

/* The same where YAML could not be read at all: whether the line (1-based) of the text,
 * or the one before, has an expression without quotes. */
char *ocp_spelling_hint_at(const char *text, gsize length, guint line);
