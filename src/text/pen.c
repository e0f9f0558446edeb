/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pen.h"

void
ocp_pen_grow(OcpPen *pen, gsize more)
{
    gsize length = (gsize)(pen->at - pen->text->str);
    g_string_set_size(pen->text, length + more); /* doubles what it has, at least */
    *pen = ocp_pen(pen->text);
    pen->at = pen->text->str + length;
}
