/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "value/position.h"

/* Counted the plain way, by the words of the header. */
static void
count(const char *text, gsize length, gsize offset, guint *line, guint *column)
{
    gsize i = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    *line = 1;
    *column = 1;
    for (; i < offset; i++) {
        bool end = text[i] == '\n' ||
                   (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'));
        if (end) {
            ++*line;
            *column = 1;
        } else if (((guchar)text[i] & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

static void
check(const char *text, gsize length, gsize step)
{
    OcpDocument document = {.text = text, .length = length};
    gsize wrong = 0;
    for (gsize offset = 0; offset <= length; offset += step) {
        guint line, column, plain_line, plain_column, counted_line, counted_column;
        count(text, length, offset, &counted_line, &counted_column);
        ocp_position(text, length, offset, &plain_line, &plain_column);
        ocp_document_position(&document, offset, &line, &column);
        wrong += line != counted_line || column != counted_column;
        wrong += plain_line != counted_line || plain_column != counted_column;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    g_free(document.marks);
}

/* Pieces of lines with every kind of end, chosen by a fixed sequence. */
static GString *
text_of(const char *const *pieces, guint count, gsize length)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    while (text->len < length)
        g_string_append(text, pieces[g_rand_int_range(random, 0, (gint32)count)]);
    return text;
}

static void
positions_far_behind_are_those_of_a_plain_count(void)
{
    static const char *const pieces[] = {"a", "\n", "\r", "\r\n",
                                         "ä", "進", "🚀",  "words "};
    g_autoptr(GString) text = text_of(pieces, G_N_ELEMENTS(pieces), 150000);
    check(text->str, text->len, 331);
    g_string_prepend(text, "\xEF\xBB\xBF");
    check(text->str, text->len, 337);
}

static void
one_long_line_has_columns_to_its_end(void)
{
    static const char *const pieces[] = {"word ", "é", "{\"a\": 1}"};
    g_autoptr(GString) text = text_of(pieces, G_N_ELEMENTS(pieces), 150000);
    check(text->str, text->len, 401);
}

OCP_TEST_MAIN("value-position",
              {"positions far behind are those of a plain count",
               positions_far_behind_are_those_of_a_plain_count},
              {"one long line has columns to its end",
               one_long_line_has_columns_to_its_end})
