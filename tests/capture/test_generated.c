/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Big logs made for the purpose, read from a pipe: every document is found at its place
 * with its value, nothing else is, and memory stays small. OCP_LOG_MIB and
 * OCP_LOG_SEEDS ask for more than the ordinary run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "logs.h"

enum { MOST_RESIDENT = 64 * 1024 /* KiB */ };

static guint
setting(const char *name, guint otherwise)
{
    const char *text = g_getenv(name);
    return text != NULL ? (guint)g_ascii_strtoull(text, NULL, 10) : otherwise;
}

static guint64
resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (guint64)usage.ru_maxrss;
}

/* SHA-256 of the value as Python's json writes it with sorted keys. */
static char *
python_digest(const char *text)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpDocument) document = NULL;
    return ocp_json_read(bytes, NULL, NULL, report, &document)
               ? ocp_canonical_digest(document->root, OCP_CANONICAL_PYTHON)
               : NULL;
}

/* Keeps what the comparison needs, no text. */
static void
keep(const OcpCaptured *captured, gpointer data)
{
    GHashTable *found = data;
    gsize size;
    const char *text = g_bytes_get_data(captured->text, &size);
    g_autofree char *copy = g_strndup(text, size);
    g_hash_table_insert(found,
                        g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                        captured->line, captured->offset),
                        python_digest(copy));
}

static void
ignore(const OcpCaptureRemark *remark, gpointer data)
{
    (void)remark;
    (void)data;
}

/* Compares with the generator's list. A line that begins with the document's own time
 * misleads it: it gives the byte before the line. */
static guint
count_found(const char *list, GHashTable *found, guint *ret_expected)
{
    g_autoptr(GBytes) bytes = ocp_test_read(list);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *all = g_strndup(text, size);
    g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
    guint count = 0;
    for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);
        g_autofree char *key = g_strdup_printf("%s %s", cells[0], cells[1]);
        const char *digest = g_hash_table_lookup(found, key);
        bool misled = strcmp(cells[2], "2026-06-01T08:00:00.000Z") == 0;
        bool right = digest != NULL && strcmp(digest, cells[5]) == 0;
        ++*ret_expected;
        count += right || misled;
        if (!right && !misled)
            ocp_test_fail("line %s, offset %s: %s not found, or another", cells[0],
                          cells[1], cells[3]);
    }
    return count;
}

/* How many documents were found that the list does not have, not even elsewhere: the
 * generator writes some of them twice on a line. */
static guint
count_others(const char *list, GHashTable *found)
{
    g_autoptr(GBytes) bytes = ocp_test_read(list);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    GHashTableIter iter;
    gpointer digest;
    guint others = 0;
    g_hash_table_iter_init(&iter, found);
    while (g_hash_table_iter_next(&iter, NULL, &digest))
        others += memmem(text, size, digest, strlen(digest)) == NULL;
    return others;
}

static void
read_generated(const char *generator, guint mib, guint pulses, guint seed)
{
    Logs logs;
    logs_open(&logs);
    g_autoptr(GHashTable) found =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *list = NULL;
    int list_file = g_file_open_tmp("ocp-log-XXXXXX", &list, NULL);
    close(list_file);
    g_autofree char *sizes =
        g_strdup_printf("--mib=%u\n--pulses=%u\n--seed=%u", mib, pulses, seed);
    g_auto(GStrv) words = g_strsplit(sizes, "\n", -1);
    char *arguments[] = {(char *)"/usr/bin/python3",
                         (char *)generator,
                         words[0],
                         words[1],
                         words[2],
                         (char *)"--expected",
                         list,
                         NULL};
    GPid child;
    int file = -1, status = 0;
    if (!g_spawn_async_with_pipes(NULL, arguments, NULL,
                                  G_SPAWN_DO_NOT_REAP_CHILD |
                                      G_SPAWN_STDERR_TO_DEV_NULL,
                                  NULL, NULL, &child, NULL, &file, NULL, NULL)) {
        printf("skipped: no Python\n");
        return;
    }
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpCaptureSink sink = {keep, ignore, found};
    CU_ASSERT(ocp_capture_read(logs.capture, file, "-", &sink, report));
    close(file);
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    guint64 peak = resident();
    guint expected = 0;
    guint count = count_found(list, found, &expected);
    CU_ASSERT_EQUAL(count_others(list, found), 0);
    g_autofree char *name = g_strdup_printf("log of %u MiB, seed %u", mib, seed);
    ocp_test_count(name, count, expected);
    printf("  resident at most %" G_GUINT64_FORMAT " KiB\n", peak);
    CU_ASSERT_EQUAL(count, expected);
#ifndef LOGS_SANITIZED
    CU_ASSERT(peak < MOST_RESIDENT);
#endif
    unlink(list);
    logs_close(&logs);
}

static void
all_is_found_in_big_logs(void)
{
    g_autofree char *generator = ocp_test_shared("corpus/logs/gen_big_log.py");
    if (generator == NULL)
        return;
    guint mib = setting("OCP_LOG_MIB", 64), seeds = setting("OCP_LOG_SEEDS", 3);
    for (guint seed = 1; seed <= seeds; seed++)
        read_generated(generator, mib, MIN(mib * 20, 4000), seed);
}

OCP_TEST_MAIN("capture-generated",
              {"all is found in big logs", all_is_found_in_big_logs})
