/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public JSON Schema test suite: every required test of draft-07 and 2020-12, and
 * the optional groups named below. References are resolved from the suite's remotes/.
 */
#include <string.h>

#include "schema/schema.h"
#include "support.h"
#include "text/json.h"

typedef struct {
    guint passed;
    guint total;
} Count;

typedef struct {
    GPtrArray *remotes; /* OcpDocument, named by their URI */
    bool draft_07;
    bool ignore_format;
} Suite;

/* Tests that are excepted, by the end of "file: group: test", each with its reason. */
static const char *const exceptions[][2] = {
    {"refs to historic drafts are processed as historic drafts: first item not a "
     "string is "
     "valid",
     "the document it refers to is draft 2019-09, which we read as 2020-12"},
    {NULL, NULL},
};

static OcpDocument *
read_file(const char *path, const char *name)
{
    static const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, name, &limits, report, &document))
        ocp_test_fail("%s cannot be read", path);
    return document;
}

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

static void
read_remotes(const char *folder, const char *uri, GPtrArray *remotes)
{
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        g_autofree char *name = g_path_get_basename(path);
        g_autofree char *below = g_strdup_printf("%s/%s", uri, name);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            read_remotes(path, below, remotes);
        else
            g_ptr_array_add(remotes, read_file(path, below));
    }
}

/* A part of a suite file as a document of its own. */
static OcpDocument *
part(OcpDocument *file, const OcpNode *node)
{
    OcpDocument *document = ocp_document_new(file->name);
    ocp_document_borrow(document, file);
    document->root = (OcpNode *)node;
    return document;
}

static OcpSchema *
load(const Suite *suite, OcpDocument *file, const OcpNode *node, const char *name)
{
    g_autoptr(OcpSchemaStore) store = ocp_schema_store_new();
    g_autoptr(OcpDocument) document = part(file, node);
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpSchema *schema = NULL;
    if (suite->draft_07)
        ocp_schema_store_assume_draft_07(store);
    for (guint i = 0; i < suite->remotes->len; i++) {
        OcpDocument *remote = suite->remotes->pdata[i];
        ocp_schema_store_add(store, remote->name, remote);
    }
    if (!ocp_schema_load(store, document, NULL, report, &schema)) {
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        ocp_test_fail("%s: %s", name, first->message);
    }
    return schema;
}

static bool
is_excepted(const char *name)
{
    for (guint i = 0; exceptions[i][0] != NULL; i++) {
        if (!g_str_has_suffix(name, exceptions[i][0]))
            continue;
        printf("  excepted: %s: %s\n", name, exceptions[i][1]);
        return true;
    }
    return false;
}

/* The verdict is right, and a fault is said where there is one. */
static void
run_test(const Suite *suite, const OcpSchema *schema, OcpDocument *file,
         const OcpNode *test, const char *group, Count *count)
{
    g_autofree char *title = ocp_text_dup(ocp_member(test, "description"));
    g_autofree char *name = g_strdup_printf("%s: %s", group, title);
    OcpCheckOptions options = {.ignore_format = suite->ignore_format};
    g_autoptr(OcpReport) report = ocp_report_new();
    const OcpNode *data = ocp_member(test, "data");
    bool valid = ocp_is(ocp_member(test, "valid"), OCP_TRUE);
    count->total++;
    if (schema == NULL || is_excepted(name))
        return;
    bool said = ocp_schema_check(schema, file, data, &options, report);
    bool quiet = ocp_schema_check(schema, file, data, &options, NULL);
    if (said != valid || quiet != valid || (report->diagnostics->len == 0) != valid)
        ocp_test_fail("%s: expected %s", name, valid ? "valid" : "invalid");
    else
        count->passed++;
}

static void
run_file(const Suite *suite, const char *path, Count *count)
{
    g_autofree char *base = g_path_get_basename(path);
    g_autoptr(OcpDocument) file = read_file(path, base);
    const OcpNode *group, *test;
    for (OcpIter i = ocp_iter(file->root); (group = ocp_iter_element(&i)) != NULL;) {
        g_autofree char *title = ocp_text_dup(ocp_member(group, "description"));
        g_autofree char *name = g_strdup_printf("%s: %s", base, title);
        g_autoptr(OcpSchema) schema =
            load(suite, file, ocp_member(group, "schema"), name);
        const OcpNode *tests = ocp_member(group, "tests");
        for (OcpIter j = ocp_iter(tests); (test = ocp_iter_element(&j)) != NULL;)
            run_test(suite, schema, file, test, name, count);
    }
    CU_PASS("file is done");
}

static void
run_draft(const char *draft, bool draft_07, guint expected)
{
    g_autofree char *root = ocp_test_shared("suites/json-schema");
    if (root == NULL)
        return;
    g_autoptr(GPtrArray) remotes = g_ptr_array_new_with_free_func(release_document);
    g_autofree char *remotes_folder = g_build_filename(root, "remotes", NULL);
    read_remotes(remotes_folder, "http://localhost:1234", remotes);
    Suite suite = {remotes, draft_07, true};
    Count required = {0, 0};
    g_autofree char *folder = g_build_filename(root, draft, NULL);
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    for (guint i = 0; i < paths->len; i++)
        run_file(&suite, paths->pdata[i], &required);
    g_autofree char *title = g_strdup_printf("json-schema %s required", draft);
    ocp_test_count(title, required.passed, required.total);
    CU_ASSERT_EQUAL(required.passed, expected);

    static const char *const optional[] = {
        "bignum",     "cross-draft",   "ecmascript-regex",        "float-overflow",
        "id",         "non-bmp-regex", "unknownKeyword",          "anchor",
        "dynamicRef", "no-schema",     "refOfUnknownKeyword",     "format/date-time",
        "format/uri", "format/regex",  "format/ecmascript-regex", "format/unknown"};
    suite.ignore_format = false;
    for (guint i = 0; i < G_N_ELEMENTS(optional); i++) {
        g_autofree char *path =
            g_strdup_printf("%s/optional/%s.json", folder, optional[i]);
        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        Count count = {0, 0};
        run_file(&suite, path, &count);
        g_autofree char *name =
            g_strdup_printf("json-schema %s optional/%s", draft, optional[i]);
        ocp_test_count(name, count.passed, count.total);
    }
}

static void
draft_07_passes(void)
{
    run_draft("draft7", true, 927);
}

static void
draft_2020_12_passes(void)
{
    run_draft("draft2020-12", false, 1299);
}

OCP_TEST_MAIN("schema-suite", {"draft-07", draft_07_passes},
              {"draft 2020-12", draft_2020_12_passes})
