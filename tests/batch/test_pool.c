/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks come back in order, whatever the threads do; and lines, of which they are made.
 */
#include "batch/pool.h"

#include <string.h>
#include <unistd.h>

#include "batch/lines.h"
#include "batch/shard.h"
#include "support.h"

enum { TASKS = 2000, AHEAD = 16 };

typedef struct {
    guint taken;
    guint given;
    guint stop_after; /* 0: never */
    gint under_way;   /* atomic: taken, and neither delivered nor dropped */
    gint most;        /* of them at a time */
    bool in_order;
} Counts;

static GMutex drop_lock;
static guint drops;

static gpointer
next(gpointer data)
{
    Counts *counts = data;
    if (counts->taken == TASKS)
        return NULL;
    gint now = g_atomic_int_add(&counts->under_way, 1) + 1;
    counts->most = MAX(counts->most, now);
    guint *task = g_new0(guint, 2);
    task[0] = ++counts->taken;
    return task;
}

/* Some take much longer than others. */
static void
make(gpointer task, gpointer data)
{
    (void)data;
    guint *numbers = task;
    if (numbers[0] % 97 == 0)
        g_usleep(2000);
    numbers[1] = numbers[0] * 2;
}

static bool
deliver(gpointer task, gpointer data)
{
    Counts *counts = data;
    const guint *numbers = task;
    counts->given++;
    if (numbers[0] != counts->given || numbers[1] != 2 * counts->given)
        counts->in_order = false;
    g_atomic_int_add(&counts->under_way, -1);
    g_free(task);
    return counts->given != counts->stop_after;
}

static void
drop(gpointer task)
{
    g_mutex_lock(&drop_lock);
    drops++;
    g_mutex_unlock(&drop_lock);
    g_free(task);
}

static Counts
run(guint jobs, guint stop_after)
{
    const OcpPoolJob job = {
        .next = next, .make = make, .deliver = deliver, .drop = drop};
    Counts counts = {.in_order = true, .stop_after = stop_after};
    ocp_pool_run(jobs, AHEAD, &job, &counts);
    return counts;
}

static void
test_order(void)
{
    for (guint jobs = 1; jobs <= 8; jobs++) {
        Counts counts = run(jobs, 0);
        CU_ASSERT_EQUAL(counts.given, TASKS);
        CU_ASSERT_TRUE(counts.in_order);
    }
}

static void
test_bound(void)
{
    Counts counts = run(4, 0);
    CU_ASSERT_TRUE(counts.most <= AHEAD + 1);
}

static void
test_stop(void)
{
    for (guint jobs = 1; jobs <= 4; jobs += 3) {
        drops = 0;
        Counts counts = run(jobs, 50);
        CU_ASSERT_EQUAL(counts.given, 50);
        CU_ASSERT_TRUE(counts.in_order);
        CU_ASSERT_EQUAL(counts.taken, counts.given + drops);
        CU_ASSERT_TRUE(counts.taken < TASKS);
    }
}

/* ---- lines ----------------------------------------------------------------- */

static void
number_line(const OcpLine *line, GString *out, gpointer *notes, gpointer data)
{
    (void)notes;
    (void)data;
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " %.*s\n", line->number,
                           (int)line->length, line->text);
}

static bool
gather(const GString *out, gpointer notes, gpointer data)
{
    (void)notes;
    g_string_append_len(data, out->str, (gssize)out->len);
    return true;
}

/* What the lines of text become; it is written to a file first. */
static char *
filtered(const char *text, gsize size, guint jobs, OcpShard shard)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("ocp-lines-XXXXXX", &path, NULL);
    CU_ASSERT_EQUAL_FATAL(write(file, text, size), (gssize)size);
    (void)lseek(file, 0, SEEK_SET);
    GString *out = g_string_new(NULL);
    OcpLinesOptions options = {.convert = number_line,
                               .take = gather,
                               .data = out,
                               .jobs = jobs,
                               .shard = shard};
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_TRUE(ocp_lines_run(file, path, &options, report));
    (void)close(file);
    (void)unlink(path);
    return g_string_free(out, FALSE);
}

static void
test_lines(void)
{
    static const struct {
        const char *text;
        const char *out;
    } rows[] = {
        {"", ""},
        {"a", "1 a\n"},
        {"a\n", "1 a\n"},
        {"\n", "1 \n"},
        {"a\n\nb", "1 a\n2 \n3 b\n"},
        {"\n\n", "1 \n2 \n"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        OcpShard all = {0};
        g_autofree char *out = filtered(rows[i].text, strlen(rows[i].text), 2, all);
        CU_ASSERT_STRING_EQUAL(out, rows[i].out);
    }
}

/* Lines longer than a block, and blocks of many lines. */
static void
test_blocks(void)
{
    GString *text = g_string_new(NULL);
    GString *want = g_string_new(NULL);
    for (guint i = 1; i <= 300; i++) {
        g_autofree char *line = g_strnfill(i % 50 == 0 ? 200000 : i * 7, 'x');
        g_string_append_printf(text, "%s\n", line);
        g_string_append_printf(want, "%u %s\n", i, line);
    }
    for (guint jobs = 1; jobs <= 4; jobs += 3) {
        OcpShard all = {0};
        g_autofree char *out = filtered(text->str, text->len, jobs, all);
        CU_ASSERT_TRUE(strcmp(out, want->str) == 0);
    }
    g_string_free(text, TRUE);
    g_string_free(want, TRUE);
}

/* ---- shards ---------------------------------------------------------------- */

static void
test_shard_words(void)
{
    OcpShard shard;
    CU_ASSERT_TRUE(ocp_shard_read("3/7", &shard));
    CU_ASSERT_EQUAL(shard.number, 3);
    CU_ASSERT_EQUAL(shard.count, 7);
    static const char *const wrong[] = {"",    "/",   "1",   "1/",    "/1",   "0/1",
                                        "2/1", "a/b", "1/0", "1/2/3", "-1/2", " 1/2"};
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
        CU_ASSERT_FALSE(ocp_shard_read(wrong[i], &shard));
}

static void
test_shard_parts(void)
{
    for (guint count = 1; count <= 16; count++) {
        guint sizes[16] = {0};
        for (guint64 number = 1; number <= 4000; number++) {
            guint owners = 0;
            for (guint i = 1; i <= count; i++) {
                OcpShard shard = {i, count};
                if (ocp_shard_has_number(&shard, number)) {
                    owners++;
                    sizes[i - 1]++;
                }
            }
            CU_ASSERT_EQUAL(owners, 1);
        }
        for (guint i = 0; i < count; i++)
            CU_ASSERT_TRUE(sizes[i] > 4000 / count * 3 / 4);
    }
}

/* Which shard a path belongs to is the same in every version. */
static void
test_shard_stays(void)
{
    static const struct {
        const char *name;
        guint number;
    } rows[] = {{"a.json", 7}, {"sub/b.yaml", 2}, {"1", 3}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        OcpShard shard = {rows[i].number, 10};
        CU_ASSERT_TRUE(ocp_shard_has(&shard, rows[i].name));
    }
}

OCP_TEST_MAIN("batch-pool", {"tasks come back in order", test_order},
              {"only so many are under way", test_bound},
              {"a stop leaves nothing behind", test_stop},
              {"lines and their ends", test_lines},
              {"long lines and many", test_blocks},
              {"I/N and what is none", test_shard_words},
              {"each piece has one shard", test_shard_parts},
              {"a piece stays with its shard", test_shard_stays})
