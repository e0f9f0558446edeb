/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * From a byte offset to line and column, computed when an error is printed.
 * A line ends with LF, CR or CRLF; columns count code points from 1.
 */
void ocp_position(const char *text, gsize length, gsize offset, guint *ret_line,
                  guint *ret_column);

/* The same in a document's text. What is far behind is found from marks that the document
 * keeps once somebody asked again: a large document may have many faults. Thread-safe. */
void ocp_document_position(const OcpDocument *document, gsize offset, guint *ret_line,
                           guint *ret_column);

/* Returns the line that holds offset, without its end, at most 200 bytes around the
 * offset, valid UTF-8; free with g_free(). */
char *ocp_position_excerpt(const char *text, gsize length, gsize offset);
