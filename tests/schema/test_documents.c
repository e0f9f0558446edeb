/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The four schemas against the corpus: what is valid passes, and the first error of
 * what is not has the pointer and the keyword that the corpus expects.
 */
#include "schemas.h"

static GHashTable *
load_all(void)
{
    GHashTable *schemas = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                                (GDestroyNotify)ocp_schema_free);
    for (gsize i = 0; i < G_N_ELEMENTS(test_schemas); i++)
        g_hash_table_insert(schemas, (gpointer)test_schemas[i].name,
                            test_load_named(test_schemas[i].name));
    return schemas;
}

static bool
is_valid_with(const char *path, const OcpSchema *schema, const OcpCheckOptions *options,
              OcpReport *report)
{
    g_autoptr(OcpDocument) document = test_read(path);
    return document != NULL && test_settle(document, schema) &&
           ocp_schema_check(schema, document, document->root, options, report);
}

static bool
is_valid(const char *path, const OcpSchema *schema, OcpReport *report)
{
    return is_valid_with(path, schema, NULL, report);
}

static void
check_folder(const char *name, const char *kind, bool valid, const OcpSchema *schema)
{
    g_autofree char *below = g_build_filename("corpus/examples", name, kind, NULL);
    g_autofree char *folder = ocp_test_shared(below);
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    guint right = 0;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        bool good = is_valid(paths->pdata[i], schema, report);
        right += good == valid ? 1 : 0;
        if (good != valid)
            ocp_test_fail(
                "%s is %s (%s)", (char *)paths->pdata[i], good ? "accepted" : "refused",
                report->diagnostics->len > 0
                    ? ((OcpDiagnostic *)report->diagnostics->pdata[0])->message
                    : "");
    }
    g_autofree char *title = g_strdup_printf("schema %s/%s", name, kind);
    ocp_test_count(title, right, paths->len);
}

static void
examples_have_the_verdict_of_their_folder(void)
{
    g_autoptr(GHashTable) schemas = load_all();
    for (gsize i = 0; i < G_N_ELEMENTS(test_schemas); i++) {
        const char *name = test_schemas[i].name;
        const OcpSchema *schema = g_hash_table_lookup(schemas, name);
        check_folder(name, "valid", true, schema);
        check_folder(name, "integrity", true, schema);
        check_folder(name, "invalid", false, schema);
    }
}

/* The table writes a line feed in a pointer as \n. */
static bool
fits_row(const OcpDiagnostic *first, const char *pointer, const char *keyword)
{
    g_autofree char *escaped = g_strescape(first->pointer, "\"");
    return strcmp(first->keyword, keyword) == 0 &&
           (strcmp(first->pointer, pointer) == 0 || strcmp(escaped, pointer) == 0);
}

static void
check_row(const char *root, char **rows, guint at, GHashTable *schemas, guint *right)
{
    g_auto(GStrv) row = g_strsplit(rows[at], "\t", 5);
    g_autofree char *path = g_build_filename(root, row[0], NULL);
    const OcpSchema *schema = g_hash_table_lookup(schemas, row[1]);
    g_autoptr(OcpReport) report = ocp_report_new();
    if (is_valid(path, schema, report) || report->diagnostics->len == 0) {
        ocp_test_fail("%s: no error", row[0]);
        return;
    }
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    bool fits = false;
    for (guint i = 0; rows[i] != NULL && !fits; i++) {
        g_auto(GStrv) other = g_strsplit(rows[i], "\t", 5);
        fits = other[0] != NULL && strcmp(other[0], row[0]) == 0 &&
               fits_row(first, other[2], other[3]);
    }
    if (!fits)
        ocp_test_fail("%s: %s [%s] %s; expected %s [%s]", row[0], first->pointer,
                      first->keyword, first->message, row[2], row[3]);
    if (g_str_has_prefix(row[1], "session-checkpoint") && report->diagnostics->len != 1)
        ocp_test_fail("%s: %u errors", row[0], report->diagnostics->len);
    *right += fits ? 1 : 0;
    if (g_getenv("OCP_TEST_SHOW") != NULL)
        printf("%s:%u:%u: %s: %s [%s] (%s)\n", row[0], first->line, first->column,
               first->pointer, first->message, first->keyword, first->hint);
}

static void
first_errors_are_those_expected(void)
{
    g_autofree char *root = ocp_test_shared("corpus/examples");
    if (root == NULL)
        return;
    g_autoptr(GHashTable) schemas = load_all();
    g_autofree char *table = g_build_filename(root, "EXPECTED.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(table);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) rows = g_strsplit(copy, "\n", -1);
    guint right = 0;
    guint total = 0;
    for (guint i = 1; rows[i] != NULL && *rows[i] != '\0'; i++, total++)
        check_row(root, rows, i, schemas, &right);
    ocp_test_count("schema examples/EXPECTED.tsv", right, total);
    CU_ASSERT(total > 100);
}

/* What the index says of a document of these folders; -1: nothing of the schema. */
static int
expected_verdict(const char *file, const char *what)
{
    if (g_str_has_suffix(file, "duplicate-key.json"))
        return 0; /* Python's reader keeps the last, ours refuses */
    if (strstr(what, "surrogates not allowed") != NULL ||
        strstr(what, "unreadable") != NULL)
        return 0; /* no text that a strict reader accepts */
    if (g_str_has_prefix(what, "valid v1") || g_str_has_prefix(what, "schema: valid"))
        return 1;
    if (g_str_has_prefix(what, "invalid") || strstr(what, "schema: invalid") != NULL)
        return 0;
    return -1;
}

static void
corpus_documents_have_the_verdict_of_the_index(void)
{
    g_autofree char *root = ocp_test_shared("corpus");
    if (root == NULL)
        return;
    /* The runtimes do not enforce formats. */
    OcpCheckOptions options = {.ignore_format = true};
    g_autoptr(GHashTable) schemas = load_all();
    g_autofree char *table = g_build_filename(root, "INDEX.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(table);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) rows = g_strsplit(copy, "\n", -1);
    guint right = 0;
    guint total = 0;
    for (guint i = 1; rows[i] != NULL && *rows[i] != '\0'; i++) {
        g_auto(GStrv) row = g_strsplit(rows[i], "\t", 3);
        g_auto(GStrv) parts = g_strsplit(row[0], "/", 2);
        const OcpSchema *schema = g_hash_table_lookup(schemas, parts[0]);
        int verdict = expected_verdict(row[0], row[1]);
        if (schema == NULL || verdict < 0)
            continue;
        g_autofree char *path = g_build_filename(root, row[0], NULL);
        g_autoptr(OcpReport) report = ocp_report_new();
        bool good = is_valid_with(path, schema, &options, report);
        total++;
        right += good == (verdict == 1) ? 1 : 0;
        if (good != (verdict == 1))
            ocp_test_fail("%s is %s: %s", row[0], good ? "accepted" : "refused",
                          row[1]);
    }
    ocp_test_count("schema corpus/INDEX.tsv", right, total);
    CU_ASSERT(total > 300);
}

/* Published schemas are schemas, by their own meta-schemas. */
static void
the_schemas_fit_their_meta_schemas(void)
{
    static const struct {
        const char *file;
        const char *meta;
    } pairs[] = {
        {"opencheckpoint-0.1.schema.json",
         "https://json-schema.org/draft/2020-12/schema"},
        {"caop-0.2.schema.json", "https://json-schema.org/draft/2020-12/schema"},
        {"specrail-runtime-checkpoint-1.schema.json",
         "https://json-schema.org/draft/2020-12/schema"},
        {"session-checkpoint.schema.yaml", "http://json-schema.org/draft-07/schema#"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autofree char *reference =
            g_strdup_printf("{\"$ref\": \"%s\"}", pairs[i].meta);
        g_autoptr(OcpSchema) meta = test_load_text(reference);
        g_autofree char *below = g_build_filename("schemas", pairs[i].file, NULL);
        g_autofree char *path = ocp_test_source(below);
        g_autoptr(OcpReport) report = ocp_report_new();
        if (!is_valid(path, meta, report))
            ocp_test_fail("%s: %s", pairs[i].file,
                          ((OcpDiagnostic *)report->diagnostics->pdata[0])->message);
        else
            CU_PASS("fits");
    }
}

OCP_TEST_MAIN("schema-documents",
              {"examples have the verdict of their folder",
               examples_have_the_verdict_of_their_folder},
              {"first errors are those expected", first_errors_are_those_expected},
              {"corpus documents have the verdict of the index",
               corpus_documents_have_the_verdict_of_the_index},
              {"the schemas fit their meta-schemas",
               the_schemas_fit_their_meta_schemas})
