/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiling refuses, and what an error looks like: one useful error, at the right
 * place, in words that say why.
 */
#include "schemas.h"

/* Everything a check says, a line each: "line:column: pointer: message [keyword]". */
static char *
said_with(const char *schema_text, const char *text, const OcpCheckOptions *options)
{
    g_autoptr(OcpSchema) schema = test_load_text(schema_text);
    g_autoptr(OcpDocument) document = test_text(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    GString *said = g_string_new(NULL);
    bool good = ocp_schema_check(schema, document, document->root, options, report);
    CU_ASSERT_EQUAL(good,
                    ocp_schema_check(schema, NULL, document->root, options, NULL));
    CU_ASSERT_EQUAL(good, report->counts[OCP_ERROR] == 0);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        g_string_append_printf(said, "%u:%u: %s: %s [%s]\n", one->line, one->column,
                               one->pointer, one->message, one->keyword);
        CU_ASSERT(g_str_has_prefix(one->code, "schema."));
        CU_ASSERT_STRING_EQUAL(one->code + strlen("schema."), one->keyword);
    }
    return g_string_free(said, FALSE);
}

static void
expect_with(const char *schema, const char *text, const OcpCheckOptions *options,
            const char *expected)
{
    g_autofree char *said = said_with(schema, text, options);
    if (strcmp(said, expected) != 0)
        ocp_test_fail("expected:\n%sfound:\n%s", expected, said);
    else
        CU_PASS("as expected");
}

static void
expect(const char *schema, const char *text, const char *expected)
{
    expect_with(schema, text, NULL, expected);
}

/* ---- compiling ------------------------------------------------------------------- */

static void
expect_refused(const char *text, guint line, guint column)
{
    g_autoptr(OcpSchemaStore) store = ocp_schema_store_new();
    g_autoptr(OcpDocument) document = test_text(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpSchema *schema = NULL;
    if (ocp_schema_load(store, document, NULL, report, &schema)) {
        ocp_test_fail("%s was accepted", text);
        ocp_schema_free(schema);
        return;
    }
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(first->code, "schema.compile");
    if (first->line != line || first->column != column)
        ocp_test_fail("%s: %u:%u: %s", text, first->line, first->column,
                      first->message);
    CU_ASSERT_PTR_NULL(schema);
}

static void
malformed_schemas_are_refused_where_they_are_wrong(void)
{
    expect_refused("{\"$ref\": \"#/nowhere\"}", 1, 10);
    expect_refused("{\"items\":\n {\"$ref\": \"other.json\"}}", 2, 11);
    expect_refused("{\"$ref\": \"http://example.com/x\"}", 1, 10);
    expect_refused("{\"$ref\": \"#anchor\"}", 1, 10);
    expect_refused("{\"type\": \"text\"}", 1, 10);
    expect_refused("{\"type\": 5}", 1, 10);
    expect_refused("{\"pattern\": \"(\"}", 1, 13);
    expect_refused("{\"patternProperties\": {\"[\": true}}", 1, 24);
    expect_refused("{\"minLength\": -1}", 1, 15);
    expect_refused("{\"minLength\": 1.5}", 1, 15);
    expect_refused("{\"multipleOf\": 0}", 1, 16);
    expect_refused("{\"required\": [1]}", 1, 14);
    expect_refused("{\"properties\": []}", 1, 16);
    expect_refused("{\"properties\": {\"a\": 1}}", 1, 22);
    expect_refused("{\"allOf\": {}}", 1, 11);
    expect_refused("{\"enum\": 1}", 1, 10);
    expect_refused("[]", 1, 1);
    expect_refused("{\"uniqueItems\": 1}", 1, 17);
}

static void
a_fragment_names_the_root_and_the_store_the_rest(void)
{
    g_autoptr(OcpSchemaStore) store = ocp_schema_store_new();
    g_autoptr(OcpDocument) other =
        test_text("{\"$id\": \"http://example.com/b/c\", \"$defs\": {\"x\": "
                  "{\"$anchor\": \"here\", \"type\": \"null\"}}}");
    g_autoptr(OcpDocument) document =
        test_text("{\"$id\": \"http://example.com/a\", \"$defs\": {\"q r\": "
                  "{\"$ref\": \"b/c#here\"}}}");
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpSchema) schema = NULL;
    ocp_schema_store_add(store, NULL, other);
    CU_ASSERT_FATAL(ocp_schema_load(store, document, "#/$defs/q%20r", report, &schema));
    g_autoptr(OcpDocument) value = test_text("[null, 1]");
    CU_ASSERT(
        ocp_schema_check(schema, value, ocp_element(value->root, 0), NULL, report));
    CU_ASSERT_FALSE(
        ocp_schema_check(schema, value, ocp_element(value->root, 1), NULL, report));
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(first->pointer, "/1");
    OcpSchema *none = NULL;
    CU_ASSERT_FALSE(ocp_schema_load(store, document, "#/$defs/y", report, &none));
}

static void
a_schema_that_leads_back_to_itself_ends(void)
{
    static const char *const schemas[] = {
        "{\"$ref\": \"#\"}", "{\"allOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}",
        "{\"not\": {\"$ref\": \"#\"}}",
        "{\"anyOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}",
        "{\"if\": {\"$ref\": \"#\"}, \"else\": {\"$ref\": \"#\"}}"};
    g_autoptr(OcpDocument) document = test_text("{}");
    for (gsize i = 0; i < G_N_ELEMENTS(schemas); i++) {
        g_autoptr(OcpSchema) schema = test_load_text(schemas[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        CU_ASSERT_FALSE(
            ocp_schema_check(schema, document, document->root, NULL, report));
        CU_ASSERT_EQUAL(report->diagnostics->len, 1);
    }
}

/* ---- the words ------------------------------------------------------------------- */

static void
each_keyword_says_what_it_wants(void)
{
    expect("{\"type\": [\"string\", \"null\"]}", "1",
           "1:1: : expected string or null, found number [type]\n");
    expect("{\"type\": \"integer\"}", "1.5",
           "1:1: : expected integer, found 1.5 [type]\n");
    expect("{\"type\": \"integer\"}", "10e-1", "");
    expect("{\"const\": 1}", "1.0", "");
    expect("{\"const\": \"a\"}", "\"b\"",
           "1:1: : \"b\" is not allowed here; expected \"a\" [const]\n");
    expect("{\"maximum\": 3}", "3.5",
           "1:1: : expected at most 3, found 3.5 [maximum]\n");
    expect("{\"exclusiveMaximum\": 3}", "3",
           "1:1: : expected less than 3, found 3 [exclusiveMaximum]\n");
    expect("{\"multipleOf\": 0.1}", "0.25",
           "1:1: : expected a multiple of 0.1, found 0.25 [multipleOf]\n");
    expect("{\"maxLength\": 1}", "\"\\ud83d\\ude00\"", "");
    expect("{\"maxLength\": 1}", "\"\\u0061b\"",
           "1:1: : expected at most 1 character, found 2 [maxLength]\n");
    expect("{\"pattern\": \"^a$\"}", "\"a\\n\"",
           "1:1: : \"a\\n\" does not match the pattern ^a$ [pattern]\n");
    expect("{\"maxItems\": 2}", "[\"a\", \"b\", \"c\"]",
           "1:1: : expected at most 2 items, found 3 [maxItems]\n");
    expect("{\"uniqueItems\": true}", "[1, {\"a\": 1}, {\"a\": 1.0}]",
           "1:1: : items 1 and 2 are equal; all must differ [uniqueItems]\n");
    expect("{\"contains\": {\"type\": \"null\"}}", "[1]",
           "1:1: : expected at least 1 fitting item, found 0 [contains]\n");
    expect("{\"prefixItems\": [true], \"items\": false}", "[1, 2]",
           "1:1: : expected at most 1 item, found 2 [items]\n");
    expect("{\"maxProperties\": 0}", "{\"a\": 1}",
           "1:1: : expected at most 0 members, found 1 [maxProperties]\n");
    expect("{\"required\": [\"a\", \"b\", \"c\"]}", "{\"b\": 1}",
           "1:1: : missing members \"a\" and \"c\" [required]\n");
    expect("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}",
           "1:1: : missing member \"b\", which \"a\" requires [dependentRequired]\n");
    expect("{\"properties\": {\"a\": false}}", "{\"a\": 1}",
           "1:2: /a: member \"a\" is not allowed here [properties]\n");
    expect("{\"propertyNames\": {\"maxLength\": 1}}", "{\"a\": 1,\n \"b/c\": 2}",
           "2:2: /b~1c: expected at most 1 character, found 3 [maxLength]\n");
    expect("{\"not\": {\"required\": [\"x\"]}}", "{\"x\": 1}",
           "1:1: : member \"x\" is not allowed here [not]\n");
    expect("{\"oneOf\": [{\"minimum\": 1}, {\"maximum\": 5}]}", "3",
           "1:1: : fits more than one of the alternatives, which is one too many "
           "[oneOf]\n");
    expect("false", "3", "1:1: : nothing is allowed here [false]\n");
    expect("{\"properties\": {\"a\": {\"type\": \"null\"}}, \"unevaluatedProperties\": "
           "false}",
           "{\"a\": null, \"b\": 1}",
           "1:13: /b: unknown member \"b\" [unevaluatedProperties]\n");
}

static void
a_misspelt_member_is_recognised(void)
{
    const char *schema =
        "{\"properties\": {\"objective\": {}, \"objects\": {}, \"id\": {}},"
        " \"required\": [\"objective\", \"id\"], "
        "\"additionalProperties\": false}";
    expect(schema, "{\"id\": 1, \"objectve\": 2}",
           "1:11: /objectve: unknown member \"objectve\"; did you mean the required "
           "\"objective\"? [additionalProperties]\n");
    expect(schema, "{\"id\": 1, \"objective\": 1, \"object\": 2}",
           "1:27: /object: unknown member \"object\"; did you mean \"objects\"? "
           "[additionalProperties]\n");
    expect(schema, "{\"id\": 1, \"objective\": 1, \"x\": 2, \"objcetive\": 3}",
           "1:27: /x: unknown member \"x\"; 1 more unknown member in this object: "
           "objcetive [additionalProperties]\n");
    expect(schema, "{\"i\": 1, \"objective\": 1}",
           "1:1: : missing member \"id\" [required]\n"
           "1:2: /i: unknown member \"i\" [additionalProperties]\n");
}

static void
a_condition_says_because(void)
{
    const char *schema =
        "{\"properties\": {\"kind\": {\"enum\": [\"a\", \"b\"]}}, \"allOf\": [{"
        "\"description\": \"Only a has x.\","
        "\"if\": {\"properties\": {\"kind\": {\"const\": \"b\"}}, \"required\": "
        "[\"kind\"]},"
        "\"then\": {\"not\": {\"required\": [\"x\"]}}, \"else\": {\"required\": "
        "[\"x\"]}}]}";
    expect(schema, "{\"kind\": \"b\", \"x\": 1}",
           "1:1: : member \"x\" is not allowed here, because kind is \"b\" [not]\n");
    expect(schema, "{\"kind\": \"a\"}",
           "1:1: : missing member \"x\", because kind is \"a\" [required]\n");
    expect(schema, "{}",
           "1:1: : missing member \"x\", because kind is absent [required]\n");
    g_autoptr(OcpSchema) compiled = test_load_text(schema);
    g_autoptr(OcpDocument) document = test_text("{\"kind\": \"a\"}");
    g_autoptr(OcpReport) report = ocp_report_new();
    ocp_schema_check(compiled, document, document->root, NULL, report);
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(first->hint, "Only a has x.");
}

static void
a_discriminator_chooses_the_branch(void)
{
    const char *schema =
        "{\"oneOf\": [{\"$ref\": \"#/$defs/one\"}, {\"$ref\": \"#/$defs/two\"}],"
        "\"$defs\": {\"one\": {\"properties\": {\"v\": {\"const\": 1}, \"a\": {}},"
        "\"required\": [\"v\", \"a\"], \"additionalProperties\": false},"
        "\"two\": {\"allOf\": [{\"properties\": {\"v\": {\"enum\": [2, 3]}}}],"
        "\"required\": [\"v\", \"b\"]}}}";
    expect(schema, "{\"v\": 1}",
           "1:1: : missing member \"a\", because v is 1 [required]\n");
    expect(schema, "{\"v\": 3}",
           "1:1: : missing member \"b\", because v is 3 [required]\n");
    expect(
        "{\"oneOf\": [{\"properties\": {\"version\": {\"const\": 1}}, \"required\": "
        "[\"version\"]}, {\"properties\": {\"version\": {\"const\": 2}}, \"required\": "
        "[\"version\"]}]}",
        "{\"verison\": 1}",
        "1:2: /verison: unknown member \"verison\"; did you mean the required "
        "\"version\"? [additionalProperties]\n");
    expect(schema, "{\"v\": 4, \"a\": 1}",
           "1:7: /v: 4 is not allowed here; expected 1, 2 or 3 [enum]\n");
    expect(schema, "{\"a\": 1}", "1:1: : missing member \"v\" [required]\n");
    expect(schema, "{\"v\": 2.0, \"b\": 1}", "");
    expect(
        "{\"anyOf\": [{\"properties\": {\"kind\": {\"const\": 1}}}, {\"properties\": "
        "{\"kind\": {\"const\": 2}}, \"required\": [\"x\"]}], \"required\": "
        "[\"kind\"]}",
        "{\"kind\": 3}",
        "1:10: /kind: 3 is not allowed here; expected 1 or 2 [const]\n");
    expect(schema, "{\"w\": 1, \"a\": 1}", "1:1: : missing member \"v\" [required]\n");
}

static void
without_one_the_branch_that_got_furthest_speaks(void)
{
    expect("{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"integer\"}]}", "null",
           "1:1: : expected string or integer, found null [type]\n");
    expect(
        "{\"anyOf\": [{\"type\": \"string\", \"maxLength\": 1}, {\"type\": \"null\"}]}",
        "\"ab\"", "1:1: : expected at most 1 character, found 2 [maxLength]\n");
    expect("{\"anyOf\": [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}]}", "{}",
           "1:1: : missing member \"a\" or \"b\" [anyOf]\n");
    expect("{\"oneOf\": [{\"const\": \"a\"}, {\"const\": \"b\"}]}", "\"c\"",
           "1:1: : \"c\" is not allowed here; expected \"a\" or \"b\" [const]\n");
    expect("{\"oneOf\": [{\"properties\": {\"a\": {\"type\": \"null\"}}, \"required\": "
           "[\"a\"]}, {\"required\": [\"b\", \"c\"]}]}",
           "{\"a\": 1}", "1:7: /a: expected null, found number [type]\n");
    expect("{\"oneOf\": [{\"minimum\": 5}, {\"multipleOf\": 2}]}", "3",
           "1:1: : fits none of the 2 alternatives [oneOf]\n");
}

/* ---- restraint ------------------------------------------------------------------- */

static void
errors_are_sorted_and_at_most_so_many(void)
{
    g_autoptr(GString) text = g_string_new("[");
    for (guint i = 0; i < 3000; i++)
        g_string_append_printf(text, "%s\"%u\"", i > 0 ? "," : "", i);
    g_string_append(text, "]");
    g_autoptr(OcpSchema) schema = test_load_text("{\"items\": {\"type\": \"null\"}}");
    g_autoptr(OcpDocument) document = test_text(text->str);
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(ocp_schema_check(schema, document, document->root, NULL, report));
    CU_ASSERT_EQUAL(report->diagnostics->len, 20);
    OcpCheckOptions options = {.most = 3};
    g_autoptr(OcpReport) few = ocp_report_new();
    CU_ASSERT_FALSE(ocp_schema_check(schema, document, document->root, &options, few));
    CU_ASSERT_EQUAL(few->diagnostics->len, 3);

    expect("{\"properties\": {\"b\": {\"type\": \"null\"}}, \"required\": [\"a\"],"
           "\"additionalProperties\": {\"type\": \"null\"}}",
           "{\"z\": 1, \"b\": 2}",
           "1:1: : missing member \"a\" [required]\n"
           "1:7: /z: expected null, found number [type]\n"
           "1:15: /b: expected null, found number [type]\n");
    expect("{\"allOf\": [{\"type\": \"null\"}, {\"type\": \"null\"}]}", "1",
           "1:1: : expected null, found number [type]\n");
}

static void
values_are_cut(void)
{
    expect("{\"const\": 1}", "\"ééééééééééééééééééééééééééééééééééééééééX\"",
           "1:1: : \"éééééééééééééééééééééééééééééééééééééééé…\" is not allowed here; "
           "expected 1 [const]\n");
    expect("{\"maximum\": 1}", "11111111111111111111111111111111111111112",
           "1:1: : expected at most 1, found 1111111111111111111111111111111111111111… "
           "[maximum]\n");
}

static bool
is_secret(const OcpNode *node, gpointer data)
{
    const char *text = data;
    return ocp_text_is(node, text);
}

static void
sensitive_values_are_never_shown(void)
{
    g_autoptr(OcpSchema) schema = test_load_text(
        "{\"properties\": {\"kind\": {\"pattern\": \"^x\"}, \"n\": {\"type\": "
        "\"null\"}}}");
    g_autoptr(OcpDocument) document = test_text("{\"kind\": \"hunter2\", \"n\": 1}");
    OcpCheckOptions options = {.sensitive = is_secret, .data = (gpointer) "hunter2"};
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(
        ocp_schema_check(schema, document, document->root, &options, report));
    CU_ASSERT_EQUAL(report->diagnostics->len, 2);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        CU_ASSERT_PTR_NULL(strstr(one->message, "hunter2"));
        CU_ASSERT(one->found == NULL || strstr(one->found, "hunter2") == NULL);
        CU_ASSERT(one->excerpt == NULL || strstr(one->excerpt, "hunter2") == NULL);
    }
}

static void
format_asserts_warns_or_is_ignored(void)
{
    const char *schema =
        "{\"properties\": {\"at\": {\"format\": \"date-time\"}, \"n\": "
        "{\"type\": \"null\"}, \"x\": {\"format\": \"other\"}}}";
    OcpCheckOptions ignore = {.ignore_format = true};
    OcpCheckOptions warn = {.format_warns = true};
    const char *wrong = "{\"at\": \"today\", \"x\": \"?\"}";
    const char *fault = "1:8: /at: \"today\" is not a date-time (RFC 3339) [format]\n";
    expect(schema, wrong, fault);
    expect_with(schema, wrong, &ignore, "");
    expect_with(schema, wrong, &warn, fault);
    const char *alternatives =
        "{\"oneOf\": [{\"required\": [\"at\"], \"properties\": {\"at\": "
        "{\"format\": \"date-time\"}}}, {\"required\": [\"b\"]}]}";
    expect_with(alternatives, wrong, &warn, fault);
    expect_with(schema, "{\"at\": \"today\", \"n\": 1}", &warn,
                "1:8: /at: \"today\" is not a date-time (RFC 3339) [format]\n"
                "1:22: /n: expected null, found number [type]\n");
}

/* ---- size ------------------------------------------------------------------------ */

static void
depth_and_size_cost_no_more_than_they_are(void)
{
    g_autoptr(OcpSchema) schema = test_load_text(
        "{\"items\": {\"$ref\": \"#\"}, \"allOf\": [{\"type\": \"array\"}], "
        "\"properties\": {}}");
    g_autoptr(GString) deep = g_string_new(NULL);
    for (guint i = 0; i < 511; i++)
        g_string_append_c(deep, '[');
    g_string_append(deep, "1");
    for (guint i = 0; i < 511; i++)
        g_string_append_c(deep, ']');
    g_autoptr(OcpDocument) document = test_text(deep->str);
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(ocp_schema_check(schema, document, document->root, NULL, report));
    CU_ASSERT_EQUAL(report->diagnostics->len, 1);

    g_autoptr(GString) large = g_string_new("[[]");
    while (large->len < 10 * 1000 * 1000)
        g_string_append(large, ",[[],[[]]]");
    g_string_append_c(large, ']');
    g_autoptr(OcpDocument) big = test_text(large->str);
    gint64 start = g_get_monotonic_time();
    CU_ASSERT(ocp_schema_check(schema, big, big->root, NULL, NULL));
    printf("schema: 10 MB checked in %d ms\n",
           (int)((g_get_monotonic_time() - start) / 1000));
}

static void
a_value_made_by_the_program_is_checked_without_places(void)
{
    g_autoptr(OcpSchema) schema =
        test_load_text("{\"properties\": {\"a\": {\"type\": \"null\"}}}");
    g_autoptr(OcpDocument) document = ocp_document_new("made");
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&build, "a", ocp_make_integer(document, 1));
    document->root = build.container;
    CU_ASSERT_FALSE(ocp_schema_check(schema, document, document->root, NULL, report));
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(first->pointer, "/a");
    CU_ASSERT_EQUAL(first->line, 0);
}

OCP_TEST_MAIN(
    "schema-schema",
    {"malformed schemas are refused where they are wrong",
     malformed_schemas_are_refused_where_they_are_wrong},
    {"a fragment names the root, and the store the rest",
     a_fragment_names_the_root_and_the_store_the_rest},
    {"a schema that leads back to itself ends",
     a_schema_that_leads_back_to_itself_ends},
    {"each keyword says what it wants", each_keyword_says_what_it_wants},
    {"a misspelt member is recognised", a_misspelt_member_is_recognised},
    {"a condition says because", a_condition_says_because},
    {"a discriminator chooses the branch", a_discriminator_chooses_the_branch},
    {"without one the branch that got furthest speaks",
     without_one_the_branch_that_got_furthest_speaks},
    {"errors are sorted, and at most so many", errors_are_sorted_and_at_most_so_many},
    {"values are cut", values_are_cut},
    {"sensitive values are never shown", sensitive_values_are_never_shown},
    {"format asserts, warns or is ignored", format_asserts_warns_or_is_ignored},
    {"depth and size cost no more than they are",
     depth_and_size_cost_no_more_than_they_are},
    {"a value made by the program is checked without places",
     a_value_made_by_the_program_is_checked_without_places})
