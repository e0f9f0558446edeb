/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A log is read in blocks, by several threads: what is found does not depend on where
 * blocks end, nor on whether the log is a file, which is read at many places at once,
 * or comes through a pipe.
 */
#include "logs.h"

enum { BLOCK = 256 * 1024, BLOCKS = 12 };

/* Lines without anything, until the log has that size. */
static void
fill(GString *log, gsize size)
{
    static const char noise[] = "2026-06-01T08:00:00Z INFO nothing of note happened\n";
    while (log->len + sizeof noise < size)
        g_string_append(log, noise);
    while (log->len + 1 < size)
        g_string_append_c(log, '.');
    if (log->len < size)
        g_string_append_c(log, '\n');
}

typedef struct {
    int file;
    const GString *log;
    gsize piece;
} Feed;

static gpointer
feed(gpointer data)
{
    const Feed *from = data;
    for (gsize at = 0; at < from->log->len;) {
        gsize size = MIN(from->piece, from->log->len - at);
        gssize count = write(from->file, from->log->str + at, size);
        if (count < 0)
            break;
        at += (gsize)count;
    }
    close(from->file);
    return NULL;
}

/* Reads the log through a pipe, into which it comes in such pieces. */
static bool
read_piped(Logs *logs, const GString *log, gsize piece)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    Feed from = {ends[1], log, piece};
    GThread *thread = g_thread_new("feed", feed, &from);
    bool read = logs_read(logs, ends[0], "log");
    close(ends[0]);
    g_thread_join(thread);
    return read;
}

static void
check_same(const GPtrArray *some, const GPtrArray *others, const char *what)
{
    CU_ASSERT_EQUAL(some->len, others->len);
    for (guint i = 0; i < MIN(some->len, others->len); i++) {
        const Seen *one = some->pdata[i], *other = others->pdata[i];
        if (one->line != other->line || one->offset != other->offset ||
            g_strcmp0(one->what, other->what) != 0)
            ocp_test_fail("%s %u: at line %u, offset %u, or line %u, offset %u", what,
                          i, (guint)one->line, (guint)one->offset, (guint)other->line,
                          (guint)other->offset);
    }
}

/* Reads the log in every way; what the file gave is left in logs. */
static void
read_every_way(Logs *logs, const GString *log)
{
    static const gsize pieces[] = {65536, 40009};
    CU_ASSERT(logs_read_bytes(logs, log->str, log->len, "log"));
    for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
        Logs piped;
        logs_open(&piped);
        CU_ASSERT(read_piped(&piped, log, pieces[i]));
        check_same(logs->found, piped.found, "document");
        check_same(logs->remarks, piped.remarks, "remark");
        logs_close(&piped);
    }
}

static guint64
line_of(const GString *log, gsize offset)
{
    guint64 line = 1;
    for (gsize i = 0; i < offset; i++)
        line += log->str[i] == '\n';
    return line;
}

static void
check_places(const GPtrArray *seen, const GString *log, const gsize *places)
{
    CU_ASSERT_EQUAL(seen->len, BLOCKS - 1);
    for (guint i = 0; i < MIN(seen->len, BLOCKS - 1); i++) {
        const Seen *one = seen->pdata[i];
        if (one->offset != places[i] || one->line != line_of(log, places[i]))
            ocp_test_fail("found at line %u, offset %u, not %u", (guint)one->line,
                          (guint)one->offset, (guint)places[i]);
    }
}

/* In each log all blocks end in a name: with every byte of it, in turn. */
static void
a_name_is_found_across_the_end_of_a_block(void)
{
    static const char *const texts[] = {"pulse_timestamp drifts\n", PULSE "\n"};
    const gsize length = strlen("{\"pulse_timestamp\"");
    for (gsize i = 0; i < 2 * length; i++) {
        Logs logs;
        g_autoptr(GString) log = g_string_new(NULL);
        gsize places[BLOCKS - 1] = {0};
        logs_open(&logs);
        for (gsize k = 0; k + 1 < BLOCKS; k++) {
            places[k] = (k + 1) * BLOCK - (i / 2 + k) % length;
            fill(log, places[k]);
            g_string_append(log, texts[i % 2]);
        }
        CU_ASSERT(logs_read_bytes(&logs, log->str, log->len, "log"));
        check_places(i % 2 == 0 ? logs.remarks : logs.found, log, places);
        logs_close(&logs);
    }
}

static void
a_file_and_a_pipe_give_the_same(void)
{
    Logs logs;
    g_autoptr(GString) log = g_string_new(NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    logs_open(&logs);
    for (guint i = 0; i < 400; i++) {
        fill(log, log->len + (gsize)g_rand_int_range(random, 1, 90000));
        gsize cut = (gsize)g_rand_int_range(random, 1, (gint)strlen(PULSE));
        switch (g_rand_int_range(random, 0, 5)) {
        case 0: g_string_append(log, "INFO pulse_timestamp drifts\n"); break;
        case 1: g_string_append_printf(log, "%.*s\n", (int)cut, PULSE); break;
        case 2: g_string_append(log, "{\"result\":\n" PULSE "\n}\n"); break;
        default: g_string_append(log, "INFO caop_pulse -> " PULSE "\n");
        }
    }
    read_every_way(&logs, log);
    CU_ASSERT(logs.found->len > 100);
    CU_ASSERT(logs.remarks->len > 100);
    logs_close(&logs);
}

/* Lines longer than the buffer is at first, with a document at their end. */
static void
long_lines_are_read_whole(void)
{
    static const gsize sizes[] = {900000, 3 << 20, 9 << 20, 13 << 20};
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Logs logs;
        g_autoptr(GString) log = g_string_new("tick\n");
        logs_open(&logs);
        for (guint again = 0; again < 3; again++) {
            gsize from = log->len;
            g_string_set_size(log, from + sizes[i]);
            memset(log->str + from, 'x', sizes[i]);
            g_string_append(log, " " PULSE "\n");
            fill(log, log->len + 3 * BLOCK + i);
        }
        read_every_way(&logs, log);
        CU_ASSERT_EQUAL(logs.found->len, 3);
        const Seen *seen = logs.found->pdata[0];
        CU_ASSERT_EQUAL(seen->line, 2);
        CU_ASSERT_EQUAL(seen->offset, 5 + sizes[i] + 1);
        logs_close(&logs);
    }
}

/* As after reading: the place in the file is its end. */
static void
a_file_is_read_to_its_end(void)
{
    Logs logs;
    g_autoptr(GString) log = g_string_new(NULL);
    fill(log, 3 * BLOCK * 4 + 77);
    int file = memfd_create("log", MFD_CLOEXEC);
    CU_ASSERT_EQUAL(write(file, log->str, log->len), (gssize)log->len);
    lseek(file, 5, SEEK_SET);
    logs_open(&logs);
    CU_ASSERT(logs_read(&logs, file, "log"));
    CU_ASSERT_EQUAL(lseek(file, 0, SEEK_CUR), (off_t)log->len);
    logs_close(&logs);
    close(file);
}

OCP_TEST_MAIN("capture-blocks",
              {"a name is found across the end of a block",
               a_name_is_found_across_the_end_of_a_block},
              {"a file and a pipe give the same", a_file_and_a_pipe_give_the_same},
              {"long lines are read whole", long_lines_are_read_whole},
              {"a file is read to its end", a_file_is_read_to_its_end})
