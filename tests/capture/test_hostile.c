/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs made to cost time or memory: each is read in time linear in its size (the second
 * is twice the first), with little memory, and nothing is found in it.
 */
#include <stdio.h>
#include <sys/resource.h>

#include "logs.h"

enum { SIZE = 2 << 20, MOST_RESIDENT = 64 * 1024 /* KiB */ };

#define NAMES "\"pulse_timestamp\":\"x\",\"resume_brief\":"

static GString *
repeated(const char *before, const char *unit, gsize line, const char *after,
         gsize size)
{
    GString *log = g_string_sized_new(size + 1024);
    while (log->len < size) {
        gsize end = log->len + MIN(line, size - log->len);
        g_string_append(log, before);
        do
            g_string_append(log, unit);
        while (log->len < end);
        g_string_append(log, after);
        g_string_append_c(log, '\n');
    }
    return log;
}

static double
seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

/* Returns the seconds it takes. */
static double
read_hostile(const char *name, const GString *log)
{
    Logs logs;
    logs_open(&logs);
    double begin = seconds();
    CU_ASSERT(logs_read_bytes(&logs, log->str, log->len, name));
    double taken = seconds() - begin;
    if (logs.found->len > 0)
        ocp_test_fail("%s: found %u", name, logs.found->len);
    logs_close(&logs);
    return taken;
}

static void
hostile_logs_cost_linear_time(void)
{
    static const struct {
        const char *name;
        const char *before;
        const char *unit;
        gsize line;
        const char *after;
    } logs[] = {
        {"open brackets", "pulse_timestamp ", "[", 200000, " pulse_timestamp"},
        {"open objects", "pulse_timestamp ", "{\"a\":", 250000, " pulse_timestamp"},
        {"half strings", "", "{\"a\":\"b", 100000, "pulse_timestamp"},
        {"names on every line", "INFO ", "pulse_timestamp resume_brief", 1, ""},
        {"opened on every line", "", "{\"pulse_timestamp\":", 1, ""},
        {"opened and going on", "", "{\"pulse_timestamp\":\"x\",", 1, ""},
        {"almost documents", "", "{" NAMES "2}", 1, ""},
        {"documents in documents", "", "{" NAMES, 4000, "1"},
        {"one array of names", "[", "\"pulse_timestamp\",", SIZE * 4, "1]"},
        {"strings with brackets", "[",
         "\"{pulse_timestamp aaaaaaaaaaaaaaaaaaaaaaaaaaaa}\",", SIZE * 4, "1]"},
        {"escapes", "{\"a\":\"", "\\u0070", SIZE * 4, "\"}"},
        {"backslashes", "pulse_timestamp ", "\\", 1000, ""},
        {"base64", "\"", "cHVsc2VfdGltZXN0YW1w", 1000, "\""},
        {"gzip in base64", "\"", "H4sIA", 1000, "\""},
        {"numbers", "[", "112,117,108,115,101,95,", SIZE * 4, "1]"},
        {"commas", "", "\"pulse_timestamp\",", 1, ""},
        {"colours", "pulse_timestamp", "\x1B[1m", SIZE * 4, ""},
        {"unended pieces", "2026-06-01T08:00:00Z stdout P ", "{\"pulse_timestamp\":", 1,
         ""},
        {"a long line", "pulse_timestamp ", "x", SIZE * 4, ""},
    };
    double worst = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autoptr(GString) once =
            repeated(logs[i].before, logs[i].unit, logs[i].line, logs[i].after, SIZE);
        g_autoptr(GString) twice = repeated(logs[i].before, logs[i].unit, logs[i].line,
                                            logs[i].after, SIZE * 2);
        double one = read_hostile(logs[i].name, once);
        double two = read_hostile(logs[i].name, twice);
        worst = MAX(worst, two);
        if (two > 4 * one + 0.3)
            ocp_test_fail("%s: %.2f s, and %.2f s for twice as much", logs[i].name, one,
                          two);
    }
    printf("hostile logs of %u MiB: %.2f s at most\n", SIZE * 2 >> 20, worst);
}

static void
many_streams_at_a_time_are_bounded(void)
{
    g_autoptr(GString) log = g_string_new(NULL);
    for (guint i = 0; log->len < SIZE; i++)
        g_string_append_printf(log, "pod-%u c {\"pulse_timestamp\":\n", i);
    read_hostile("streams", log);
    g_string_truncate(log, 0);
    for (guint i = 0; log->len < SIZE * 2; i++)
        g_string_append_printf(log, "pod-%u c {\"pulse_timestamp\":[1,\n", i % 250);
    read_hostile("streams that go on", log);
}

/* Bytes of all kinds, with names among them. */
static void
random_bytes_do_no_harm(void)
{
    static const char *const words[] = {"\"pulse_timestamp\"",
                                        "\"resume_brief\"",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ":",
                                        ",",
                                        "\"",
                                        "\\",
                                        "\n",
                                        "\x1B[",
                                        "#012",
                                        "\\x22",
                                        "\\u0070",
                                        "data: ",
                                        "\0",
                                        "\xFF",
                                        "1",
                                        "null",
                                        "H4sIA",
                                        "2026-06-01T08:00:00Z stdout P ",
                                        "{\"log\":\""};
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    for (guint round = 0; round < 300; round++) {
        g_autoptr(GString) log = g_string_new(NULL);
        while (log->len < 4000) {
            guint word = (guint)g_rand_int_range(random, 0, G_N_ELEMENTS(words));
            g_string_append_len(log, words[word], (gssize)MAX(strlen(words[word]), 1));
        }
        read_hostile("random", log);
    }
}

static void
memory_stays_small(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("resident at most %ld KiB\n", usage.ru_maxrss);
#ifndef LOGS_SANITIZED
    /* The logs themselves, and what the tests keep of them, are in memory too. */
    CU_ASSERT(usage.ru_maxrss < 3L * MOST_RESIDENT);
#endif
}

OCP_TEST_MAIN("capture-hostile",
              {"hostile logs cost linear time", hostile_logs_cost_linear_time},
              {"many streams at a time are bounded",
               many_streams_at_a_time_are_bounded},
              {"random bytes do no harm", random_bytes_do_no_harm},
              {"memory stays small", memory_stays_small})
