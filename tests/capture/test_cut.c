/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A log that is cut at any byte: nothing is invented, and every document whose wrapper
 * ended before the cut is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "logs.h"

enum { CUTS = 500, PACKED_CUTS = 60 };

typedef struct {
    guint64 offset;
    gsize end; /* of the wrapper */
    char *digest;
} Document;

static void
free_document(gpointer pointer)
{
    Document *document = pointer;
    g_free(document->digest);
    g_free(document);
}

/* Behind the first such text at or behind from. */
static gsize
behind(const char *log, gsize size, gsize from, const char *text)
{
    const char *at = memmem(log + from, size - from, text, strlen(text));
    return at != NULL ? (gsize)(at - log) + strlen(text) : size;
}

/* Where the wrapper of a document ends, by the shape the generator gave it. */
static gsize
end_of(const char *log, gsize size, gsize offset, const char *shape)
{
    if (strcmp(shape, "pretty") == 0)
        return behind(log, size, offset, "\n}\n");
    if (strcmp(shape, "docker") == 0)
        return behind(log, size, behind(log, size, offset, "\\n\",\"stream\""), "\n");
    if (strcmp(shape, "cri") != 0)
        return behind(log, size, offset, "\n");
    for (gsize at = offset;;) {
        while (at > 0 && log[at - 1] != '\n')
            at--;
        gsize end = behind(log, size, at, "\n");
        bool last = memmem(log + at, MIN(end - at, 45), " stdout F ", 10) != NULL;
        if (last || end >= size)
            return end;
        at = end;
    }
}

static GBytes *
make_log(const char *generator, char **ret_list)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("ocp-log-XXXXXX", &path, NULL);
    close(file);
    close(g_file_open_tmp("ocp-log-XXXXXX", ret_list, NULL));
    char *arguments[] = {(char *)"/usr/bin/python3",
                         (char *)generator,
                         (char *)"--mib=0.5",
                         (char *)"--pulses=120",
                         (char *)"--seed=5",
                         (char *)"--out",
                         path,
                         (char *)"--expected",
                         *ret_list,
                         NULL};
    int status = 1;
    bool made = g_spawn_sync(NULL, arguments, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                             NULL, NULL, NULL, &status, NULL) &&
                status == 0;
    GBytes *log = made ? ocp_test_read(path) : NULL;
    unlink(path);
    return log;
}

static GPtrArray *
documents_of(const char *log, gsize size, const char *list)
{
    g_autoptr(GBytes) bytes = ocp_test_read(list);
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autofree char *all = g_strndup(text, length);
    g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
    GPtrArray *documents = g_ptr_array_new_with_free_func(free_document);
    for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);
        gsize offset = (gsize)g_ascii_strtoull(cells[1], NULL, 10);
        if (offset >= size || log[offset] != '{')
            continue; /* the generator was misled by a line's own time */
        Document *document = g_new0(Document, 1);
        document->offset = offset;
        document->end = end_of(log, size, offset, cells[3]);
        g_ptr_array_add(documents, document);
    }
    return documents;
}

static bool
was_found(const Logs *logs, guint64 offset)
{
    for (guint i = 0; i < logs->found->len; i++)
        if (((const Seen *)logs->found->pdata[i])->offset == offset)
            return true;
    return false;
}

/* What is found of the first cut bytes: all that ended, nothing that is not in whole.
 */
static void
check_cut(const Logs *cut_logs, const Logs *whole, const GPtrArray *documents,
          gsize cut)
{
    for (guint i = 0; i < documents->len; i++) {
        const Document *document = documents->pdata[i];
        if (document->end <= cut && !was_found(cut_logs, document->offset))
            ocp_test_fail("cut at %u: the document at %u is missed", (guint)cut,
                          (guint)document->offset);
    }
    for (guint i = 0; i < cut_logs->found->len; i++) {
        const Seen *seen = cut_logs->found->pdata[i];
        bool known = false;
        for (guint k = 0; k < whole->found->len && !known; k++)
            known = strcmp(seen->digest, ((Seen *)whole->found->pdata[k])->digest) == 0;
        if (!known)
            ocp_test_fail("cut at %u: a document at %u is invented", (guint)cut,
                          (guint)seen->offset);
    }
}

static void
read_cut(Logs *logs, const char *bytes, gsize size, const Logs *whole,
         const GPtrArray *documents, gsize cut)
{
    logs_empty(logs);
    CU_ASSERT(logs_read_bytes(logs, bytes, size, "cut"));
    check_cut(logs, whole, documents, cut);
}

static char *
pack(const char *log, gsize size, gsize *ret_size)
{
    gsize room = size + 1000;
    char *packed = g_malloc(room);
    z_stream stream = {.next_in = (Bytef *)log,
                       .avail_in = (uInt)size,
                       .next_out = (Bytef *)packed,
                       .avail_out = (uInt)room};
    deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&stream, Z_FINISH);
    *ret_size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

/* How many bytes of the log can be unpacked from the first size bytes. */
static gsize
unpacked_size(const char *packed, gsize size)
{
    z_stream stream = {.next_in = (Bytef *)packed, .avail_in = (uInt)size};
    char block[4096];
    inflateInit2(&stream, 15 + 16);
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = (Bytef *)block;
        stream.avail_out = sizeof block;
        state = inflate(&stream, Z_SYNC_FLUSH);
    }
    gsize made = stream.total_out;
    inflateEnd(&stream);
    return made;
}

static void
a_cut_log_gives_what_ended_before(void)
{
    g_autofree char *generator = ocp_test_shared("corpus/logs/gen_big_log.py");
    g_autofree char *list = NULL;
    g_autoptr(GBytes) bytes = generator != NULL ? make_log(generator, &list) : NULL;
    if (bytes == NULL)
        return;
    gsize size;
    const char *log = g_bytes_get_data(bytes, &size);
    g_autoptr(GPtrArray) documents = documents_of(log, size, list);
    unlink(list);
    CU_ASSERT(documents->len > 100);
    Logs whole, part;
    logs_open(&whole);
    logs_open(&part);
    CU_ASSERT(logs_read_bytes(&whole, log, size, "whole"));
    check_cut(&whole, &whole, documents, size);
    g_autoptr(GRand) random = g_rand_new_with_seed(20260601);
    for (guint i = 0; i < CUTS; i++) {
        gsize cut = (gsize)g_rand_int_range(random, 0, (gint32)size);
        read_cut(&part, log, cut, &whole, documents, cut);
    }
    gsize packed_size = 0;
    g_autofree char *packed = pack(log, size, &packed_size);
    for (guint i = 0; i < PACKED_CUTS; i++) {
        gsize cut = (gsize)g_rand_int_range(random, 0, (gint32)packed_size);
        read_cut(&part, packed, cut, &whole, documents, unpacked_size(packed, cut));
    }
    printf("logs: %u cuts, %u of them packed\n", CUTS + PACKED_CUTS, PACKED_CUTS);
    logs_close(&whole);
    logs_close(&part);
}

/* Real shapes, cut: the places are other ones, but nothing may be invented. */
static void
nothing_is_invented_in_cut_logs_of_the_corpus(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/logs");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (guint i = 0; i < paths->len; i++) {
        g_autofree char *name = g_path_get_basename(paths->pdata[i]);
        if (!g_ascii_isdigit(*name))
            continue;
        g_autoptr(GBytes) bytes = ocp_test_read(paths->pdata[i]);
        gsize size;
        const char *log = g_bytes_get_data(bytes, &size);
        Logs whole, part;
        logs_open(&whole);
        logs_open(&part);
        CU_ASSERT(logs_read_bytes(&whole, log, size, name));
        for (guint cuts = 0; cuts < 30; cuts++) {
            gsize cut = (gsize)g_rand_int_range(random, 0, (gint32)size);
            read_cut(&part, log, cut, &whole, none, 0);
            read_cut(&part, log + cut, size - cut, &whole, none, 0);
        }
        logs_close(&whole);
        logs_close(&part);
    }
}

OCP_TEST_MAIN("capture-cut",
              {"a cut log gives what ended before", a_cut_log_gives_what_ended_before},
              {"nothing is invented in cut logs of the corpus",
               nothing_is_invented_in_cut_logs_of_the_corpus})
