/* SPDX-License-Identifier: Apache-2.0 */
#include "value/position.h"

#include <string.h>

enum { EXCERPT_BEFORE = 100, EXCERPT_AFTER = 100 };

/* Line ends before offset; *start moves behind the last. The loop is one that compilers
 * do many bytes at a time: documents may have many faults. */
static guint
count_lines(const char *text, gsize offset, gsize *start)
{
    gsize lines = 0;
    for (gsize i = 0; i < offset; i++)
        lines += text[i] == '\n';
    const char *last = memrchr(text, '\n', offset);
    if (last != NULL)
        *start = (gsize)(last - text) + 1;
    return (guint)lines;
}

/* The same where carriage returns end lines too, alone or before a line feed. */
static guint
count_mixed_lines(const char *text, gsize length, gsize offset, gsize *start)
{
    guint lines = 0;
    for (gsize i = *start; i < offset; i++) {
        bool lf = text[i] == '\n';
        bool cr = text[i] == '\r' && (i + 1 >= length || text[i + 1] != '\n');
        if (lf || cr) {
            lines++;
            *start = i + 1;
        }
    }
    return lines;
}

void
ocp_position(const char *text, gsize length, gsize offset, guint *ret_line,
             guint *ret_column)
{
    guint line = 1;
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    gsize start = marked ? 3 : 0; /* a byte order mark is no column */
    offset = MIN(offset, length);
    if (memchr(text, '\r', offset) == NULL)
        line += count_lines(text, offset, &start);
    else
        line += count_mixed_lines(text, length, offset, &start);
    guint column = 1;
    for (gsize i = start; i < offset; i++)
        if (((guchar)text[i] & 0xC0) != 0x80)
            column++;
    *ret_line = line;
    *ret_column = column;
}

char *
ocp_position_excerpt(const char *text, gsize length, gsize offset)
{
    offset = MIN(offset, length);
    gsize from = offset;
    while (from > 0 && text[from - 1] != '\n' && text[from - 1] != '\r' &&
           offset - from < EXCERPT_BEFORE)
        from--;
    while (from < offset && ((guchar)text[from] & 0xC0) == 0x80)
        from++;
    gsize to = offset;
    while (to < length && text[to] != '\n' && text[to] != '\r' &&
           to - offset < EXCERPT_AFTER)
        to++;
    while (to > offset && to < length && ((guchar)text[to] & 0xC0) == 0x80)
        to--;
    return g_utf8_make_valid(text + from, (gssize)(to - from));
}
