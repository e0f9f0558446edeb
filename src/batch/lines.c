/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/lines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, AHEAD_OF_EACH = 8 };

typedef struct {
    int file;
    const OcpLinesOptions *options;
    GByteArray *rest; /* what was read and is no whole line yet */
    gsize searched;   /* of it: no line end in there */
    bool ended;
    int stop; /* descriptor that tells that no more lines are wanted */
    int error;
    guint64 lines; /* given to blocks */
} Reader;

/* Some whole lines. */
typedef struct {
    guint8 *text;
    gsize size;
    guint64 first; /* number of its first line */
    GString *out;
    gpointer notes;
} Block;

static void
drop(gpointer pointer)
{
    Block *block = pointer;
    g_free(block->text);
    if (block->out != NULL)
        g_string_free(block->out, TRUE);
    g_free(block);
}

static guint64
count_lines(const guint8 *text, gsize size)
{
    guint64 count = 0;
    for (gsize at = 0; at < size; count++) {
        const guint8 *end = memchr(text + at, '\n', size - at);
        at = end != NULL ? (gsize)(end - text) + 1 : size;
    }
    return count;
}

/* Waits for something to read. False: no more is wanted. */
static bool
wait_for_text(const Reader *reader)
{
    struct pollfd files[] = {{.fd = reader->file, .events = POLLIN},
                             {.fd = reader->stop, .events = POLLIN}};
    int ready;
    do
        ready = poll(files, G_N_ELEMENTS(files), -1);
    while (ready < 0 && errno == EINTR);
    return files[1].revents == 0;
}

/* Reads once. False at the end, or if it failed. */
static bool
read_more(Reader *reader)
{
    guint before = reader->rest->len;
    if (before > G_MAXUINT - BLOCK) {
        reader->error = EFBIG;
        return false;
    }
    g_byte_array_set_size(reader->rest, before + BLOCK);
    gssize got = 0;
    while (wait_for_text(reader)) {
        got = read(reader->file, reader->rest->data + before, BLOCK);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            break;
    }
    if (got < 0)
        reader->error = errno;
    g_byte_array_set_size(reader->rest, before + (guint)MAX(got, 0));
    return got > 0;
}

/* The size of the whole lines in what was read and not given out yet. */
static gsize
whole_lines(Reader *reader)
{
    GByteArray *rest = reader->rest;
    if (reader->ended)
        return reader->error == 0 ? rest->len : 0;
    const guint8 *end =
        rest->len > reader->searched
            ? memrchr(rest->data + reader->searched, '\n', rest->len - reader->searched)
            : NULL;
    reader->searched = rest->len;
    return end != NULL ? (gsize)(end - rest->data) + 1 : 0;
}

static gpointer
next(gpointer pointer)
{
    Reader *reader = pointer;
    gsize size = 0;
    while (size == 0 && !reader->ended) {
        reader->ended = !read_more(reader);
        size = whole_lines(reader);
    }
    if (size == 0)
        return NULL;
    Block *block = g_new0(Block, 1);
    GByteArray *rest = g_byte_array_sized_new(BLOCK);
    g_byte_array_append(rest, reader->rest->data + size,
                        reader->rest->len - (guint)size);
    block->text = g_byte_array_free(reader->rest, FALSE);
    block->size = size;
    block->first = reader->lines + 1;
    reader->lines += count_lines(block->text, size);
    reader->rest = rest;
    reader->searched = rest->len;
    return block;
}

static void
make(gpointer task, gpointer data)
{
    Block *block = task;
    const OcpLinesOptions *options = ((Reader *)data)->options;
    block->out = g_string_sized_new(block->size);
    guint64 number = block->first;
    for (gsize at = 0; at < block->size; number++) {
        const char *text = (const char *)block->text + at;
        const char *end = memchr(text, '\n', block->size - at);
        OcpLine line = {
            .text = text,
            .length = end != NULL ? (gsize)(end - text) : block->size - at,
            .number = number,
        };
        if (ocp_shard_has_number(&options->shard, number))
            options->convert(&line, block->out, &block->notes, options->data);
        at += line.length + 1;
    }
}

static bool
deliver(gpointer task, gpointer data)
{
    Block *block = task;
    const OcpLinesOptions *options = ((Reader *)data)->options;
    bool wanted = options->take(block->out, block->notes, options->data);
    guint64 one = 1;
    if (!wanted)
        (void)!write(((Reader *)data)->stop, &one, sizeof one);
    drop(block);
    return wanted;
}

bool
ocp_lines_run(int file, const char *path, const OcpLinesOptions *options,
              OcpReport *report)
{
    Reader reader = {.file = file,
                     .options = options,
                     .stop = eventfd(0, EFD_CLOEXEC),
                     .rest = g_byte_array_sized_new(BLOCK)};
    const OcpPoolJob job = {
        .next = next, .make = make, .deliver = deliver, .drop = drop};
    ocp_pool_run(options->jobs, options->jobs * AHEAD_OF_EACH, &job, &reader);
    g_byte_array_unref(reader.rest);
    if (reader.stop >= 0)
        (void)close(reader.stop);
    if (reader.error == 0)
        return true;
    OcpDiagnostic *error = ocp_report_add(report, OCP_ERROR, "io.read",
                                          "cannot read: %s", g_strerror(reader.error));
    error->file = g_strdup(path);
    return false;
}
