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

/* A byte order mark is no column. */
static gsize
behind_byte_order_mark(const char *text, gsize length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void
ocp_position(const char *text, gsize length, gsize offset, guint *ret_line,
             guint *ret_column)
{
    guint line = 1;
    gsize start = behind_byte_order_mark(text, length);
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

/* ---- marks ----------------------------------------------------------------------- */

enum { STRIDE = 4096, NEAR = 16 * STRIDE };

/* Where a STRIDE of a text begins. */
typedef struct OcpTextMark {
    guint line;
    guint column;
} Mark;

/* Moves mark from `from` to `to`; the byte order mark is no column. */
static void
move_mark(Mark *mark, const char *text, gsize length, gsize from, gsize to)
{
    for (gsize i = from; i < to; i++) {
        if (text[i] == '\n' ||
            (text[i] == '\r' && (i + 1 >= length || text[i + 1] != '\n'))) {
            mark->line++;
            mark->column = 1;
        } else if (((guchar)text[i] & 0xC0) != 0x80) {
            mark->column++;
        }
    }
}

static Mark *
marks_new(const char *text, gsize length)
{
    gsize count = length / STRIDE + 1;
    Mark *marks = g_new(Mark, count);
    gsize from = behind_byte_order_mark(text, length);
    marks[0] = (Mark){1, 1};
    for (gsize i = 1; i < count; i++) {
        marks[i] = marks[i - 1];
        move_mark(&marks[i], text, length, from, i * STRIDE);
        from = i * STRIDE;
    }
    return marks;
}

void
ocp_document_position(const OcpDocument *document, gsize offset, guint *ret_line,
                      guint *ret_column)
{
    const char *text = document->text;
    gsize length = document->length;
    OcpDocument *late = (OcpDocument *)document;
    /* One fault is found sooner by counting to it than by marking the whole text. */
    if (offset < NEAR || offset > length || g_atomic_int_add(&late->asked, 1) == 0) {
        ocp_position(text, length, offset, ret_line, ret_column);
        return;
    }
    if (g_atomic_pointer_get(&late->marks) == NULL) {
        Mark *marks = marks_new(text, length);
        if (!g_atomic_pointer_compare_and_exchange(&late->marks, NULL, marks))
            g_free(marks); /* another thread was first */
    }
    const Mark *marks = g_atomic_pointer_get(&late->marks);
    Mark mark = marks[offset / STRIDE];
    move_mark(&mark, text, length, offset / STRIDE * STRIDE, offset);
    *ret_line = mark.line;
    *ret_column = mark.column;
}

/* ---- excerpts -------------------------------------------------------------------- */

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
