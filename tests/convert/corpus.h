/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The valid documents there are, of every dialect: the fixtures of this repository, the
 * examples, and the whole corpus with the pulses of its logs.
 */
#include "pipe.h"

typedef struct {
    char *name; /* unique, for messages: "specrail/handoff/input.json" */
    char *base; /* the file's own name, as a conversion is told it */
    GBytes *bytes;
    char *created_at; /* an option that the document needs, or NULL */
    char *from;       /* likewise */
} Source;

typedef enum {
    SOURCES_FIXTURES, /* in this repository */
    SOURCES_EXAMPLES, /* and one or a few documents of each dialect that show it all */
    SOURCES_ALL       /* and everything else */
} SourceSet;

static inline void
source_free(gpointer pointer)
{
    Source *source = pointer;
    g_free(source->name);
    g_free(source->base);
    g_free(source->created_at);
    g_free(source->from);
    g_bytes_unref(source->bytes);
    g_free(source);
}

static inline Source *
source_add(GPtrArray *sources, const char *name, GBytes *bytes)
{
    Source *source = g_new0(Source, 1);
    source->name = g_strdup(name);
    source->base = g_path_get_basename(name);
    source->bytes = g_bytes_ref(bytes);
    g_ptr_array_add(sources, source);
    return source;
}

static inline char *
source_text(GBytes *bytes)
{
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

/* ---- fixtures ------------------------------------------------------------------- */

/* Those that need --lenient are not valid. */
static inline bool
source_options(const char *folder, char **created_at, char **from)
{
    g_autofree char *path = g_build_filename(folder, "options", NULL);
    g_autofree char *text = NULL;
    bool valid = true;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return true;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) words = g_strsplit(*line, " ", 2);
        if (g_strcmp0(words[0], "created-at") == 0)
            *created_at = g_strdup(words[1]);
        else if (g_strcmp0(words[0], "from") == 0)
            *from = g_strdup(words[1]);
        else if (g_strcmp0(words[0], "lenient") == 0)
            valid = false;
    }
    return valid;
}

static inline void
sources_add_case(GPtrArray *sources, const char *root, const char *folder)
{
    static const char *const names[] = {"input.json", "input.yaml"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        g_autofree char *created_at = NULL;
        g_autofree char *from = NULL;
        if (!g_file_test(path, G_FILE_TEST_EXISTS) ||
            !source_options(folder, &created_at, &from))
            continue;
        g_autoptr(GBytes) bytes = ocp_test_read(path);
        Source *source = source_add(sources, path + strlen(root) + 1, bytes);
        source->created_at = g_steal_pointer(&created_at);
        source->from = g_steal_pointer(&from);
    }
}

static inline void
sources_add_fixtures(GPtrArray *sources)
{
    g_autofree char *root = ocp_test_source("fixtures");
    g_autoptr(GPtrArray) dialects = ocp_test_list(root, NULL);
    for (guint i = 0; i < dialects->len; i++) {
        g_autoptr(GPtrArray) cases = ocp_test_list(dialects->pdata[i], NULL);
        for (guint n = 0; n < cases->len; n++)
            sources_add_case(sources, root, cases->pdata[n]);
    }
}

/* ---- examples and corpus -------------------------------------------------------- */

/* What a reader refuses is no document: a few files are kept for that. */
static inline bool
source_is_text(const char *name, GBytes *bytes)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    return document != NULL && !ocp_report_has_errors(report);
}

static inline void
sources_add_file(GPtrArray *sources, const char *corpus, const char *below)
{
    g_autofree char *path = g_build_filename(corpus, below, NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    if (source_is_text(below, bytes))
        source_add(sources, below, bytes);
}

/* Files of a folder of the corpus, but those whose name begins with `but`. */
static inline void
sources_add_folder(GPtrArray *sources, const char *corpus, const char *below,
                   const char *but)
{
    g_autofree char *folder = g_build_filename(corpus, below, NULL);
    g_autoptr(GPtrArray) files = ocp_test_list(folder, NULL);
    for (guint i = 0; i < files->len; i++) {
        const char *file = (const char *)files->pdata[i] + strlen(corpus) + 1;
        if (but == NULL || !g_str_has_prefix(file + strlen(below) + 1, but))
            sources_add_file(sources, corpus, file);
    }
}

static inline void
sources_add_examples(GPtrArray *sources, const char *corpus)
{
    static const char *const dialects[] = {"caop-pulse",
                                           "caop-resume-brief",
                                           "opencheckpoint",
                                           "session-checkpoint-v1",
                                           "session-checkpoint-v2",
                                           "specrail"};
    for (gsize i = 0; i < G_N_ELEMENTS(dialects); i++) {
        g_autofree char *below = g_strdup_printf("examples/%s/valid", dialects[i]);
        sources_add_folder(sources, corpus, below, NULL);
    }
}

/* Documents whose rules warn are valid too. */
static inline void
sources_add_warned(GPtrArray *sources, const char *corpus)
{
    sources_add_folder(sources, corpus, "examples/opencheckpoint/integrity", "OC-I");
    sources_add_folder(sources, corpus, "examples/caop-pulse/integrity", NULL);
    sources_add_folder(sources, corpus, "examples/caop-resume-brief/integrity", NULL);
    sources_add_folder(sources, corpus, "examples/session-checkpoint-v2/integrity",
                       NULL);
    sources_add_folder(sources, corpus, "examples/specrail/integrity", NULL);
}

/* The index says what each file is: "valid v1", "schema: valid; …", "v3; seed schema:
 * invalid" (a later version, which has a schema of its own), or that it is invalid. */
static inline void
sources_add_index(GPtrArray *sources, const char *corpus)
{
    g_autofree char *index = g_build_filename(corpus, "INDEX.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(index);
    g_autofree char *text = source_text(bytes);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines + 1; *line != NULL; line++) {
        g_auto(GStrv) cells = g_strsplit(*line, "\t", 3);
        if (g_strv_length(cells) >= 2 && !g_str_has_prefix(cells[1], "invalid") &&
            !g_str_has_prefix(cells[1], "schema: invalid") &&
            !g_str_has_prefix(cells[1], "schema: unreadable"))
            sources_add_file(sources, corpus, cells[0]);
    }
}

/* The pulses in the logs, one to a line of the list. */
static inline void
sources_add_pulses(GPtrArray *sources, const char *corpus)
{
    static const char before[] = "\"pulse\": {";
    g_autofree char *path =
        g_build_filename(corpus, "logs/EXPECTED_pulses.jsonl", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *text = source_text(bytes);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *pulse = strstr(lines[i], before);
        if (pulse == NULL)
            continue;
        pulse += strlen(before) - 1;
        g_autofree char *name = g_strdup_printf("logs/pulse-%u.json", i + 1);
        /* without the brace that ends the line itself */
        g_autoptr(GBytes) value = g_bytes_new(pulse, strlen(pulse) - 1);
        source_add(sources, name, value);
    }
}

/* Sources in a fixed order; g_ptr_array_unref(). Where the shared folder is absent,
 * those of the fixtures only. */
static inline GPtrArray *
sources_of(SourceSet set)
{
    GPtrArray *sources = g_ptr_array_new_with_free_func(source_free);
    sources_add_fixtures(sources);
    g_autofree char *corpus = set > SOURCES_FIXTURES ? ocp_test_shared("corpus") : NULL;
    if (corpus == NULL)
        return sources;
    sources_add_examples(sources, corpus);
    if (set < SOURCES_ALL)
        return sources;
    sources_add_warned(sources, corpus);
    sources_add_index(sources, corpus);
    sources_add_pulses(sources, corpus);
    return sources;
}

static inline OcpDocument *
source_document(const Source *source)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    return pipe_read(source->bytes, source->base, report);
}
