/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs as loggers write them, each with a list of what must be found in it, what must
 * not, and what is to be said of that.
 */
#include <stdio.h>
#include <stdlib.h>

#include "logs.h"

typedef struct {
    char *file;
    guint must_find;
    char *kind;
    guint64 line;
    guint64 offset;
    char *time;
    char *said;
    char *key;
    char *note;
    bool met;
} Row;

static char **
rows_of(const char *path)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *all = g_strndup(text, size);
    return g_strsplit(all, "\n", -1);
}

static Row *
row_of(const char *line)
{
    g_auto(GStrv) cells = g_strsplit(line, "\t", -1);
    if (g_strv_length(cells) < 9)
        return NULL;
    Row *row = g_new0(Row, 1);
    row->file = g_strdup(cells[0]);
    row->must_find = (guint)atoi(cells[1]);
    row->kind = g_strdup(cells[2]);
    row->line = g_ascii_strtoull(cells[3], NULL, 10);
    row->offset = g_ascii_strtoull(cells[4], NULL, 10);
    row->time = g_strdup(cells[5]);
    row->said = g_strdup(cells[6]);
    row->key = g_strdup(cells[7]);
    row->note = g_strdup(cells[8]);
    return row;
}

static void
free_row(gpointer pointer)
{
    Row *row = pointer;
    g_free(row->file);
    g_free(row->kind);
    g_free(row->time);
    g_free(row->said);
    g_free(row->key);
    g_free(row->note);
    g_free(row);
}

static GPtrArray *
expected(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "EXPECTED.tsv", NULL);
    g_auto(GStrv) lines = rows_of(path);
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    for (guint i = 1; lines[i] != NULL; i++) {
        Row *row = row_of(lines[i]);
        if (row != NULL)
            g_ptr_array_add(rows, row);
    }
    return rows;
}

/* "file offset" -> digest of the document's value. */
static GHashTable *
expected_values(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "EXPECTED_pulses.jsonl", NULL);
    g_auto(GStrv) lines = rows_of(path);
    GHashTable *values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(GBytes) bytes = g_bytes_new(lines[i], strlen(lines[i]));
        g_autoptr(OcpDocument) document = NULL;
        if (!ocp_json_read(bytes, path, NULL, report, &document))
            continue;
        g_autofree char *file = ocp_text_dup(ocp_member(document->root, "file"));
        g_autofree char *offset = ocp_text_dup(ocp_member(document->root, "offset"));
        g_hash_table_insert(values, g_strdup_printf("%s %s", file, offset),
                            ocp_canonical_digest(ocp_member(document->root, "pulse"),
                                                 OCP_CANONICAL_VALUE));
    }
    return values;
}

static GPtrArray *
read_all(const char *folder)
{
    GPtrArray *all = g_ptr_array_new();
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        g_autofree char *name = g_path_get_basename(path);
        if (!g_ascii_isdigit(*name))
            continue;
        Logs *logs = g_new0(Logs, 1); /* each by itself: repeats across files count */
        logs_open(logs);
        CU_ASSERT(logs_read_path(logs, path));
        g_ptr_array_add(all, logs);
    }
    return all;
}

static Seen *
at_place(const GPtrArray *all, const Row *row, bool remarks)
{
    for (guint i = 0; i < all->len; i++) {
        const Logs *logs = all->pdata[i];
        const GPtrArray *list = remarks ? logs->remarks : logs->found;
        for (guint k = 0; k < list->len; k++) {
            Seen *seen = list->pdata[k];
            if (strcmp(seen->file, row->file) == 0 && seen->line == row->line &&
                (remarks ? strcmp(seen->what, row->said) == 0
                         : seen->offset == row->offset))
                return seen;
        }
    }
    return NULL;
}

static void
check_document(const GPtrArray *all, GHashTable *values, Row *row)
{
    Seen *seen = at_place(all, row, false);
    g_autofree char *key =
        g_strdup_printf("%s %" G_GUINT64_FORMAT, row->file, row->offset);
    const char *digest = g_hash_table_lookup(values, key);
    row->met = seen != NULL && (digest == NULL || strcmp(digest, seen->digest) == 0);
    if (seen != NULL)
        seen->used = true;
    if (!row->met && strcmp(row->kind, "optional") != 0)
        ocp_test_fail("%s:%u (offset %u): %s not found: %s (%s)", row->file,
                      (guint)row->line, (guint)row->offset, row->kind, row->said,
                      row->note);
}

/* A mention may be left unsaid: it is only prose. */
static void
check_negative(const GPtrArray *all, Row *row)
{
    row->met = at_place(all, row, true) != NULL;
    if (row->met)
        return;
    bool other = false;
    for (guint i = 0; i < all->len; i++) {
        const Logs *logs = all->pdata[i];
        for (guint k = 0; k < logs->remarks->len; k++) {
            const Seen *seen = logs->remarks->pdata[k];
            if (strcmp(seen->file, row->file) != 0 || seen->line != row->line)
                continue;
            printf("  %s:%u: said %s, not %s (%s)\n", row->file, (guint)row->line,
                   seen->what, row->said, row->note);
            other = true;
        }
    }
    row->met = !other && strstr(row->note, "may be silent") != NULL;
    if (!other && !row->met)
        printf("  %s:%u: nothing said, not %s (%s)\n", row->file, (guint)row->line,
               row->said, row->note);
}

static void
the_corpus_is_found_and_nothing_else(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/logs");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) rows = expected(folder);
    g_autoptr(GHashTable) values = expected_values(folder);
    g_autoptr(GPtrArray) all = read_all(folder);
    guint must = 0, found = 0, negatives = 0, right = 0, invented = 0;
    for (guint i = 0; i < rows->len; i++) {
        Row *row = rows->pdata[i];
        if (strcmp(row->kind, "negative") == 0) {
            check_negative(all, row);
            negatives++;
            right += row->met;
        } else if (strcmp(row->kind, "trap") == 0) {
            CU_ASSERT_PTR_NULL(at_place(all, row, false));
        } else {
            check_document(all, values, row);
            bool counts = strcmp(row->kind, "pulse") == 0;
            must += counts;
            found += counts && row->met;
        }
    }
    for (guint i = 0; i < all->len; i++) {
        Logs *logs = all->pdata[i];
        for (guint k = 0; k < logs->found->len; k++) {
            const Seen *seen = logs->found->pdata[k];
            invented += !seen->used;
            if (!seen->used)
                ocp_test_fail("%s:%u: found what is not expected: %s", seen->file,
                              (guint)seen->line, seen->detail);
        }
        logs_close(logs);
        g_free(logs);
    }
    ocp_test_count("logs: documents found", found, must);
    ocp_test_count("logs: diagnoses right", right, negatives);
    printf("logs: false finds %u\n", invented);
    CU_ASSERT_EQUAL(found, must);
    CU_ASSERT_EQUAL(invented, 0);
    CU_ASSERT(right * 100 >= negatives * 95);
}

OCP_TEST_MAIN("capture-corpus-logs", {"the corpus is found, and nothing else",
                                      the_corpus_is_found_and_nothing_else})
