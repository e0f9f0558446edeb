/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which reader a text gets, and one document a line.
 */
#include <string.h>

#include "support.h"
#include "text/source.h"

static const OcpLimits limits = OCP_LIMITS_DEFAULT;

/* The documents, or NULL; report may be NULL. */
static GPtrArray *
read_text(const char *text, const char *name, OcpSyntax syntax, OcpReport *report)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpReport) own = ocp_report_new();
    GPtrArray *documents = NULL;
    bool done = ocp_source_read(bytes, name, syntax, &limits,
                                report != NULL ? report : own, &documents);
    CU_ASSERT_EQUAL(done, documents != NULL);
    return documents;
}

static void
check(const char *text, const char *name, OcpSyntax syntax, const char *reader)
{
    g_autoptr(GPtrArray) documents = read_text(text, name, syntax, NULL);
    const char *found = "none";
    if (documents != NULL)
        found = ((OcpDocument *)documents->pdata[0])->yaml ? "yaml" : "json";
    if (strcmp(found, reader) != 0)
        ocp_test_fail("%s in %s is read as %s, not %s", text, name, found, reader);
    CU_ASSERT_TRUE(true);
}

static void
name_and_first_character_choose_the_reader(void)
{
    check("{\"a\": 1}", "x.json", OCP_SYNTAX_AUTO, "json");
    check(" \n[1]", "-", OCP_SYNTAX_AUTO, "json");
    check("\xEF\xBB\xBF{}", "-", OCP_SYNTAX_AUTO, "json");
    check("a: 1", "x.json", OCP_SYNTAX_AUTO, "yaml");
    check("a: 1", "-", OCP_SYNTAX_AUTO, "yaml");
    check("{a: 1}", "-", OCP_SYNTAX_AUTO, "none");
    check("{a: 1}", "x.yaml", OCP_SYNTAX_AUTO, "yaml");
    check("{a: 1}", "x.YML", OCP_SYNTAX_AUTO, "yaml");
    check("{\"a\": 1}", "x.yaml", OCP_SYNTAX_AUTO, "json");
    check("{\"a\": 1} # yaml", "x.yml", OCP_SYNTAX_AUTO, "yaml");
    check("1e3", "x.yaml", OCP_SYNTAX_AUTO, "json");
}

static void
the_option_overrides(void)
{
    check("{\"a\": 1}", "x.json", OCP_SYNTAX_YAML, "yaml");
    check("a: 1", "x.yaml", OCP_SYNTAX_JSON, "none");
    check("{\"a\": 1}\n", "x.yaml", OCP_SYNTAX_NDJSON, "json");
}

static void
a_failed_trial_leaves_no_trace(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents =
        read_text("a: 1", "x.yaml", OCP_SYNTAX_AUTO, report);
    CU_ASSERT_PTR_NOT_NULL(documents);
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
}

static void
a_line_is_a_document(void)
{
    const char *text = "{\"a\":[1,\"x\"]}\r\n\n  \n[2]\n\"\\u0041\"";
    g_autoptr(GPtrArray) documents = read_text(text, "x", OCP_SYNTAX_NDJSON, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(documents);
    CU_ASSERT_EQUAL_FATAL(documents->len, 3);
    const OcpDocument *first = documents->pdata[0];
    const OcpDocument *second = documents->pdata[1];
    const OcpDocument *third = documents->pdata[2];
    CU_ASSERT_EQUAL(ocp_element(ocp_member(first->root, "a"), 1)->place, 8);
    CU_ASSERT_EQUAL(second->root->place, 19);
    CU_ASSERT_EQUAL(ocp_element(second->root, 0)->place, 20);
    CU_ASSERT_EQUAL(second->length, strlen(text));
    CU_ASSERT(ocp_text_is(third->root, "A"));
    g_autoptr(OcpReport) report = ocp_report_new();
    ocp_fail_at(report, second, ocp_element(second->root, 0)->place, "x", "x");
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_EQUAL(error->line, 4);
    CU_ASSERT_EQUAL(error->column, 2);
}

static void
an_error_in_a_line_names_the_line(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_PTR_NULL(read_text("{}\n\n{\"a\":x}\n", "x", OCP_SYNTAX_NDJSON, report));
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_EQUAL(error->line, 3);
    CU_ASSERT_EQUAL(error->column, 6);
    CU_ASSERT_PTR_NULL(read_text(" \n\n", "x", OCP_SYNTAX_NDJSON, NULL));
}

OCP_TEST_MAIN("text-source",
              {"name and first character choose the reader",
               name_and_first_character_choose_the_reader},
              {"the option overrides", the_option_overrides},
              {"a failed trial leaves no trace", a_failed_trial_leaves_no_trace},
              {"a line is a document", a_line_is_a_document},
              {"an error in a line names the line", an_error_in_a_line_names_the_line})
