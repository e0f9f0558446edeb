/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

#include "text/source.h"

/*
 * The names of outputs: a pure function of the name of the input, the number of the
 * document in it, and the syntax that is written. "sub/a.yml" as JSON is "sub/a.json",
 * its second document of several "sub/a.2.json". Free results with g_free().
 */

/* The length of an ending that says what syntax a file has; 0 if it has none. */
gsize ocp_name_ending(const char *name);

/* number: 1, 2, … of several documents, or 0 for the only one. */
char *ocp_name_output(const char *input, guint number, OcpSyntax syntax);

/* The model beside an output: "sub/a.json" has "sub/a.ocp.json". */
char *ocp_name_companion(const char *output);
