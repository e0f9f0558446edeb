/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suggest.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_LETTERS = 64 };

/* Edits (insert, delete, replace, swap of neighbours) from a to b. */
static guint
distance(const char *a, const char *b)
{
    guint rows[3][MOST_LETTERS + 1];
    gsize width = strlen(b);
    guint *before = rows[0];
    guint *above = rows[1];
    guint *row = rows[2];
    for (gsize j = 0; j <= width; j++)
        above[j] = (guint)j;
    for (gsize i = 1; a[i - 1] != '\0'; i++) {
        row[0] = (guint)i;
        for (gsize j = 1; j <= width; j++) {
            guint replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = MIN(replaced, MIN(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = MIN(row[j], before[j - 2] + 1);
        }
        guint *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[width];
}

const char *
ocp_suggest(const char *word, const char *const *candidates)
{
    gsize length = strlen(word);
    if (length < 2 || length > MOST_LETTERS)
        return NULL;
    const char *best = NULL;
    guint least = (guint)length / 3 + 1;
    for (; *candidates != NULL; candidates++) {
        if (strlen(*candidates) > MOST_LETTERS)
            continue;
        /* What somebody began to write is meant, however much is missing. */
        bool begun = length >= 4 && g_str_has_prefix(*candidates, word);
        guint edits = begun ? 1 : distance(word, *candidates);
        if (edits <= least && (best == NULL || edits < least)) {
            best = *candidates;
            least = edits;
        }
    }
    return best;
}
