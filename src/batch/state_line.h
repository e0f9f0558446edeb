/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/state.h"

/* One line of the state; state.h says what is in it. */
typedef struct {
    OcpStateInput input;
    guint part;
    guint parts;
    OcpStateOutput output;
    OcpStateOutput companion; /* with a name of NULL: none */
    char **fields;            /* what the names are part of, if the line was read */
} OcpStateLine;

/* Appends it with its line end. */
void ocp_state_line_append(const OcpStateLine *line, GString *out);

/* Reads a line without its end. NULL if it is not whole. */
OcpStateLine *ocp_state_line_read(const char *text, gsize length);
void ocp_state_line_free(gpointer pointer);
