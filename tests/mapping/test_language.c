/* SPDX-License-Identifier: Apache-2.0 */
/*
 * docs/mapping-language.md is right: it names every function of the table and no other,
 * and its examples give what it says.
 */
#include "evaluate.h"
#include "mapping/functions.h"
#include "mapping/read.h"
#include "mapping/write.h"
#include "mapping_case.h"
#include "value/equal.h"

static char *page;

/* ---- reading the page ------------------------------------------------------------ */

/* What stands between "```title" and "```". */
static char *
block(const char *title)
{
    g_autofree char *fence = g_strdup_printf("\n```%s\n", title);
    const char *start = strstr(page, fence);
    if (start == NULL)
        g_error("the page has no block %s", title);
    start += strlen(fence);
    const char *end = strstr(start, "\n```\n");
    return g_strndup(start, (gsize)(end + 1 - start));
}

static GBytes *
block_bytes(const char *title)
{
    char *text = block(title);
    return g_bytes_new_take(text, strlen(text));
}

/* A row of the table of functions: "| `call` | gives | `example` → `answer` |". */
typedef struct {
    char *name;
    char *example;
    char *answer;
} Row;

static void
clear_row(gpointer pointer)
{
    Row *row = pointer;
    g_free(row->name);
    g_free(row->example);
    g_free(row->answer);
}

static bool
read_row(const char *line, Row *ret)
{
    static const char arrow[] = "` → `";
    const char *name = line + strlen("| `");
    const char *cell = g_strrstr(line, " | `");
    const char *middle = cell != NULL ? strstr(cell, arrow) : NULL;
    const char *parenthesis = strchr(line, '(');
    const char *end = g_strrstr(line, "` |");
    if (!g_str_has_prefix(line, "| `") || middle == NULL || parenthesis == NULL)
        return false;
    cell += strlen(" | `");
    const char *answer = middle + strlen(arrow);
    *ret = (Row){g_strndup(name, (gsize)(parenthesis - name)),
                 g_strndup(cell, (gsize)(middle - cell)),
                 g_strndup(answer, (gsize)(end - answer))};
    return true;
}

static GArray *
rows_of_functions(void)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(rows, clear_row);
    const char *start = strstr(page, "\n## Functions\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(start);
    const char *end = strstr(start + 1, "\n## ");
    g_autofree char *section = g_strndup(start, (gsize)(end - start));
    g_auto(GStrv) lines = g_strsplit(section, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        Row row;
        if (read_row(*line, &row))
            g_array_append_val(rows, row);
    }
    return rows;
}

/* ---- functions ------------------------------------------------------------------- */

static void
every_function_has_its_row(void)
{
    g_autoptr(GArray) rows = rows_of_functions();
    g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        const char *name = g_array_index(rows, Row, i).name;
        if (!g_hash_table_add(named, (gpointer)name))
            ocp_test_fail("%s() stands there twice", name);
        if (ocp_function_find(name, strlen(name)) == NULL)
            ocp_test_fail("there is no function %s()", name);
    }
    for (guint n = 0; ocp_function_nth(n, NULL) != NULL; n++)
        if (!g_hash_table_contains(named, ocp_function_nth(n, NULL)))
            ocp_test_fail("%s() is not on the page", ocp_function_nth(n, NULL));
}

static void
every_call_gives_what_it_says(void)
{
    g_autofree char *json = block("json functions");
    g_autoptr(GArray) rows = rows_of_functions();
    g_autoptr(Bench) bench = bench_new(json);
    bench_let(bench, "all", "$.n[*]");
    guint right = 0;
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        const char *found = bench_ask(bench, row->example);
        g_autofree char *call = g_strconcat(row->name, "(", NULL);
        bool same =
            strcmp(found, row->answer) == 0 && strstr(row->example, call) != NULL;
        if (!same)
            ocp_test_fail("%s gives %s, not %s", row->example, found, row->answer);
        right += same ? 1 : 0;
    }
    CU_ASSERT_EQUAL(right, rows->len);
    ocp_test_count("examples of functions", right, rows->len);
}

/* ---- the example mapping --------------------------------------------------------- */

static CaseSchema grammar, tickets, model;

/* A mapping of the page, checked as embedded ones are; NULL and said so if it is wrong.
 */
static OcpMapping *
load(OcpDocument *document, OcpDocument *used, const char *name)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpMapping *mapping = NULL;
    bool ok = ocp_mapping_file_check(document, grammar.schema, report) &&
              ocp_mapping_load(document, used, tickets.schema, model.schema, report,
                               &mapping) &&
              ocp_mapping_coverage(mapping, tickets.schema, model.schema, report);
    g_autofree char *words = case_words(report);
    CU_ASSERT(ok);
    if (!ok)
        ocp_test_fail("%s: %s", name, words);
    return mapping;
}

static OcpDocument *
mapping_of(const char *name)
{
    g_autofree char *title = g_strconcat("yaml ", name, NULL);
    g_autoptr(GBytes) bytes = block_bytes(title);
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    if (!ocp_mapping_file_read(bytes, name, report, &document))
        g_error("%s: %s", name, case_first(report)->message);
    return document;
}

static OcpDocument *
json_of(const char *title)
{
    g_autofree char *text = block(title);
    return bench_read(text);
}

/* Everything the page shows of the model is in it, as it is shown. */
static void
check_model(const OcpNode *found)
{
    g_autoptr(OcpDocument) wanted = json_of("json model");
    OcpIter iter = ocp_iter(wanted->root);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        g_autofree char *name = ocp_text_dup(key);
        const OcpNode *own = ocp_member(found, name);
        if (own == NULL || !ocp_equal(own, value))
            ocp_test_fail("the model has another %s", name);
    }
    CU_ASSERT_PTR_NULL(ocp_member(found, "operations"));
}

static void
the_mapping_does_what_it_says(void)
{
    g_autoptr(OcpDocument) file = mapping_of("ticket-board.yaml");
    g_autoptr(OcpMapping) mapping = load(file, NULL, "ticket-board.yaml");
    g_autoptr(OcpDocument) source = json_of("json document");
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(mapping);
    OcpFacts facts = {.name = "garden.json",
                      .size = source->length,
                      .media_type = "application/json",
                      .digest =
                          "0000000000000000000000000000000000000000000000000000000"
                          "000000000"};
    OcpReadRequest reading = {.mapping = mapping,
                              .source = source,
                              .facts = &facts,
                              .model_schema = model.schema};
    g_autoptr(OcpReadResult) read = NULL;
    CU_ASSERT_FATAL(ocp_mapping_read(&reading, report, &read));
    check_model(read->model->root);
    OcpWriteRequest writing = {
        .mapping = mapping, .model = read->model, .model_schema = model.schema};
    g_autoptr(OcpWriteResult) written = NULL;
    CU_ASSERT_FATAL(ocp_mapping_write(&writing, report, &written));
    CU_ASSERT(ocp_equal(written->document->root, source->root));
    CU_ASSERT_EQUAL(read->account->counts[OCP_FATE_OMITTED], 0);
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
}

static void
the_later_version_uses_the_first(void)
{
    g_autoptr(OcpDocument) used = mapping_of("ticket-board.yaml");
    g_autoptr(OcpDocument) file = mapping_of("ticket-board-2.yaml");
    g_autoptr(OcpMapping) mapping = load(file, used, "ticket-board-2.yaml");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mapping);
    CU_ASSERT_STRING_EQUAL(mapping->version, "2");
    CU_ASSERT_PTR_NOT_NULL(mapping->read);
    CU_ASSERT_PTR_NOT_NULL(mapping->capture == NULL ? mapping->write : NULL);
    CU_ASSERT_FALSE(mapping->preferred);
}

static CaseSchema
ticket_schema(void)
{
    g_autofree char *path =
        ocp_test_source("tests/mapping/language/ticket-board.schema.json");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    return case_schema_of(bytes, "ticket-board.schema.json", NULL);
}

int
main(void)
{
    static const OcpTest tests[] = {
        {"every function has its row", every_function_has_its_row},
        {"every call gives what it says", every_call_gives_what_it_says},
        {"the mapping does what it says", the_mapping_does_what_it_says},
        {"the later version uses the first", the_later_version_uses_the_first},
    };
    g_autofree char *path = ocp_test_source("docs/mapping-language.md");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    page = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    grammar = case_schema("mapping.schema.json");
    model = case_schema("opencheckpoint-0.1.schema.json");
    tickets = ticket_schema();
    int code = ocp_test_main("mapping-language", tests, G_N_ELEMENTS(tests));
    case_schema_clear(&tickets);
    case_schema_clear(&model);
    case_schema_clear(&grammar);
    g_free(page);
    return code;
}
