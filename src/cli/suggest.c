/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suggest.h"

#include <stdbool.h>
#include <string.h>

#include "value/distance.h"

const char *
ocp_suggest(const char *word, const char *const *candidates)
{
    gsize length = strlen(word);
    if (length < 2 || length > OCP_DISTANCE_LONGEST)
        return NULL;
    const char *best = NULL;
    guint least = (guint)length / 3 + 1;
    for (; *candidates != NULL; candidates++) {
        if (strlen(*candidates) > OCP_DISTANCE_LONGEST)
            continue;
        /* What somebody began to write is meant, however much is missing. */
        bool begun = length >= 4 && g_str_has_prefix(*candidates, word);
        guint edits =
            begun ? 1
                  : ocp_distance(word, length, *candidates, strlen(*candidates), least);
        if (edits <= least && (best == NULL || edits < least)) {
            best = *candidates;
            least = edits;
        }
    }
    return best;
}
