/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every pattern of the embedded schemas against long strings that could make a slow
 * matcher slow, beside a plain scan of the same characters. Prints the worst ratio of each
 * pattern, and the worst of all.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "schema/regexp.h"
#include "text/embedded.h"
#include "text/json.h"

enum { LENGTH = 100000, RUNS = 7 };

static gint64
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A character at a time, as a hand-written check of a class would read them; a loop that
 * a compiler turns into vector instructions would be no measure for a matcher. */
static guint
plain_scan(const char *text, gsize length)
{
    guint letters = 0;
    for (const char *at = text; at < text + length; at = g_utf8_next_char(at))
        letters += g_utf8_get_char(at) >= 'a';
    return letters;
}

static gint64
best_of(const OcpRegexp *regexp, const char *text, gsize length)
{
    gint64 best = G_MAXINT64;
    volatile guint sink = 0;
    for (int run = 0; run < RUNS; run++) {
        gint64 start = now();
        sink += regexp != NULL ? (guint)ocp_regexp_search(regexp, text, length)
                               : plain_scan(text, length);
        best = MIN(best, now() - start);
    }
    return sink < G_MAXUINT ? MAX(best, 1) : 1; /* what was found counts for nothing */
}

static char *
repeated(const char *piece, const char *end)
{
    GString *text = g_string_new(NULL);
    while (text->len < LENGTH)
        g_string_append(text, piece);
    g_string_append(text, end);
    return g_string_free(text, FALSE);
}

static double
worst_ratio(const OcpRegexp *regexp)
{
    static const char *const pieces[] = {"a",  "a.", "a-", "a/a;", "0", "é",
                                         "2026-01-01T00:00:00", "com.example/"};
    static const char *const ends[] = {"", "!", "\n"};
    double worst = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++)
        for (gsize n = 0; n < G_N_ELEMENTS(ends); n++) {
            g_autofree char *text = repeated(pieces[i], ends[n]);
            gsize length = strlen(text);
            gint64 scan = best_of(NULL, text, length);
            gint64 match = best_of(regexp, text, length);
            worst = MAX(worst, (double)match / (double)scan);
        }
    return worst;
}

static void
collect(const OcpNode *node, GHashTable *patterns)
{
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *value;
    if (ocp_is(node, OCP_ARRAY))
        while ((value = ocp_iter_element(&iter)) != NULL)
            collect(value, patterns);
    if (!ocp_is(node, OCP_OBJECT))
        return;
    while (ocp_iter_member(&iter, &key, &value)) {
        if (ocp_text_is(key, "pattern") && ocp_is(value, OCP_STRING))
            g_hash_table_add(patterns, ocp_text_dup(value));
        else
            collect(value, patterns);
    }
}

static GHashTable *
patterns_of_schemas(void)
{
    GHashTable *patterns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (const OcpEmbedded *file = ocp_embedded_files; file->name != NULL; file++) {
        g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = NULL;
        OcpLimits limits = OCP_LIMITS_DEFAULT;
        if (g_str_has_prefix(file->name, "schemas/") &&
            ocp_json_read(bytes, file->name, &limits, report, &document))
            collect(document->root, patterns);
    }
    return patterns;
}

int
main(void)
{
    g_autoptr(GHashTable) patterns = patterns_of_schemas();
    g_autoptr(GList) list =
        g_list_sort(g_hash_table_get_keys(patterns), (GCompareFunc)strcmp);
    double worst = 0;
    for (GList *at = list; at != NULL; at = at->next) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpRegexp) regexp = NULL;
        const char *pattern = at->data;
        if (!ocp_regexp_load(pattern, strlen(pattern), report, &regexp))
            return 1;
        double ratio = worst_ratio(regexp);
        worst = MAX(worst, ratio);
        printf("%6.2f x a plain scan  %s\n", ratio, pattern);
    }
    printf("%6.2f x a plain scan  the worst of %u patterns on %d kB\n", worst,
           g_hash_table_size(patterns), LENGTH / 1000);
    return 0;
}
