/* SPDX-License-Identifier: Apache-2.0 */
#include "value/distance.h"

guint
ocp_distance(const char *a, gsize a_length, const char *b, gsize b_length, guint most)
{
    guint rows[3][OCP_DISTANCE_LONGEST + 1];
    if (a_length > OCP_DISTANCE_LONGEST || b_length > OCP_DISTANCE_LONGEST ||
        MAX(a_length, b_length) - MIN(a_length, b_length) > most)
        return most + 1;
    for (; a_length > 0 && b_length > 0 && *a == *b; a++, b++, a_length--, b_length--)
        continue; /* what both begin or end with takes no edit */
    while (a_length > 0 && b_length > 0 && a[a_length - 1] == b[b_length - 1]) {
        a_length--;
        b_length--;
    }
    for (guint j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (guint i = 1; i <= a_length; i++) {
        guint *row = rows[i % 3];
        const guint *above = rows[(i + 2) % 3];
        const guint *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (guint j = 1; j <= b_length; j++) {
            guint cost = above[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            cost = MIN(cost, MIN(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = MIN(cost, two_above[j - 2] + 1);
            row[j] = cost;
        }
    }
    return MIN(rows[a_length % 3][b_length], most + 1);
}
