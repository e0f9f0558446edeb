/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The YAML reader: types by version and by schema, aliases and merges, places, and what
 * it refuses.
 */
#include <string.h>

#include "support.h"
#include "text/json.h"
#include "text/yaml.h"
#include "value/equal.h"

static const OcpLimits defaults = OCP_LIMITS_DEFAULT;

typedef struct {
    OcpReport *report;
    GPtrArray *documents; /* NULL if refused */
} Result;

static Result
read_sized(const char *text, gsize length, const OcpLimits *limits)
{
    Result result = {ocp_report_new(), NULL};
    g_autoptr(GBytes) bytes = g_bytes_new(text, length);
    bool done =
        ocp_yaml_read(bytes, "in.yaml", limits, result.report, &result.documents);
    CU_ASSERT_EQUAL(done, result.documents != NULL);
    CU_ASSERT_EQUAL(done, !ocp_report_has_errors(result.report));
    return result;
}

static void
clear(Result *result)
{
    ocp_report_free(result->report);
    g_clear_pointer(&result->documents, g_ptr_array_unref);
}

static OcpDocument *
document_of(const Result *result, guint index)
{
    return result->documents != NULL && index < result->documents->len
               ? result->documents->pdata[index]
               : NULL;
}

static guint
count_code(const OcpReport *report, const char *code)
{
    guint count = 0;
    for (guint i = 0; i < report->diagnostics->len; i++)
        if (strcmp(((OcpDiagnostic *)report->diagnostics->pdata[i])->code, code) == 0)
            count++;
    return count;
}

/* The document as one line of JSON; free with g_free(). */
static char *
json_of(const Result *result, guint index)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const OcpDocument *document = document_of(result, index);
    if (document != NULL)
        ocp_json_write(document->root, true, out);
    else
        g_string_append(out, "refused");
    return g_strdup(out->str);
}

static void
expect(const char *text, OcpYamlVersion version, const char *json)
{
    Result result = read_sized(text, strlen(text), &defaults);
    if (result.documents != NULL)
        ocp_yaml_settle(document_of(&result, 0), version, NULL, NULL, result.report);
    g_autofree char *found = json_of(&result, 0);
    CU_ASSERT_STRING_EQUAL(found, json);
    if (strcmp(found, json) != 0)
        printf("  %s\n  gives    %s\n  expected %s\n", text, found, json);
    clear(&result);
}

static void
expect_both(const char *text, const char *json)
{
    expect(text, OCP_YAML_1_1, json);
    expect(text, OCP_YAML_1_2, json);
}

static void
refuse_sized(const char *text, gsize length, const OcpLimits *limits, const char *code,
             guint line, guint column, const char *pointer)
{
    Result result = read_sized(text, length, limits);
    CU_ASSERT_PTR_NULL(result.documents);
    CU_ASSERT_EQUAL_FATAL(result.report->diagnostics->len > 0, true);
    const OcpDiagnostic *error =
        result.report->diagnostics->pdata[result.report->diagnostics->len - 1];
    bool same = strcmp(error->code, code) == 0 && error->line == line &&
                error->column == column && g_strcmp0(error->pointer, pointer) == 0;
    if (!same)
        ocp_test_fail("%.60s gives %s at %u:%u %s: %s", text, error->code, error->line,
                      error->column, error->pointer, error->message);
    clear(&result);
}

static void
refuse(const char *text, const char *code, guint line, guint column,
       const char *pointer)
{
    refuse_sized(text, strlen(text), &defaults, code, line, column, pointer);
}

/* ---- scalars --------------------------------------------------------------------- */

static void
what_both_versions_agree_on_stands(void)
{
    expect_both("[~, null, true, FALSE, 12, -0, 1.50, 1.5e+3, text, 'no', \"12\"]",
                "[null,null,true,false,12,-0,1.50,1.5e+3,\"text\",\"no\",\"12\"]");
    expect_both("a:\nb: ''\n", "{\"a\":null,\"b\":\"\"}");
    expect_both("[0x1F, +1, .5, 1., 007, 00]", "[31,1,0.5,1.0,7,0]");
    expect_both("[0xFFFFFFFFFFFFFFFFFFFFFFFF]", "[79228162514264337593543950335]");
}

static void
where_they_differ_the_version_decides(void)
{
    const char *text = "[no, On, 010, 0o17, 1_000, 12:30:45, 1e3, 0b101, -.5, =, 08, "
                       "1:30.5, -0x1F, 2001-12-14]";
    expect(text, OCP_YAML_1_1,
           "[false,true,8,\"0o17\",1000,45045,\"1e3\",5,\"-.5\",\"=\",\"08\",90.5,-31,"
           "\"2001-12-14\"]");
    expect(text, OCP_YAML_1_2,
           "[\"no\",\"On\",10,15,\"1_000\",\"12:30:45\",1e3,\"0b101\",-0.5,\"=\",8,"
           "\"1:30.5\",\"-0x1F\",\"2001-12-14\"]");
    Result result = read_sized(text, strlen(text), &defaults);
    const OcpDocument *document = document_of(&result, 0);
    OcpIter iter = ocp_iter(document->root);
    for (const OcpNode *e; (e = ocp_iter_element(&iter)) != NULL;) {
        CU_ASSERT(ocp_is(e, OCP_STRING));
        CU_ASSERT(e->flags & OCP_NODE_UNSETTLED);
    }
    ocp_yaml_settle(document_of(&result, 0), OCP_YAML_1_1, NULL, NULL, result.report);
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.version-differs"), 14);
    const OcpDiagnostic *second = result.report->diagnostics->pdata[1];
    CU_ASSERT_STRING_EQUAL(second->pointer, "/1");
    CU_ASSERT_EQUAL(second->column, 6);
    clear(&result);
}

/* "s…": a string only; "n…": a number only; "b…": string or boolean; "t…": date-time.
 */
static OcpAllowed
allowed_by_first_key(const OcpNode *node, gpointer data)
{
    const char *const kinds = data;
    OcpAllowed allowed = {0, false};
    (void)node;
    if (*kinds == 's' || *kinds == 'b' || *kinds == 't')
        allowed.kinds |= 1u << OCP_STRING;
    if (*kinds == 'n')
        allowed.kinds |= 1u << OCP_NUMBER;
    if (*kinds == 'b')
        allowed.kinds |= 1u << OCP_TRUE;
    allowed.date_time = *kinds == 't';
    return allowed;
}

static void
settle_as(const char *text, const char *allowed, const char *json, const char *code)
{
    Result result = read_sized(text, strlen(text), &defaults);
    ocp_yaml_settle(document_of(&result, 0), OCP_YAML_1_1, allowed_by_first_key,
                    (gpointer)allowed, result.report);
    g_autofree char *found = json_of(&result, 0);
    CU_ASSERT_STRING_EQUAL(found, json);
    if (strcmp(found, json) != 0)
        printf("  %s as %s gives %s, expected %s\n", text, allowed, found, json);
    CU_ASSERT_EQUAL(count_code(result.report, code), 1);
    CU_ASSERT_EQUAL(result.report->diagnostics->len, 1);
    clear(&result);
}

static void
what_the_schema_allows_decides_first(void)
{
    settle_as("no", "s", "\"no\"", "yaml.text-kept");
    settle_as("010", "s", "\"010\"", "yaml.text-kept");
    settle_as("1e3", "s", "\"1e3\"", "yaml.text-kept");
    settle_as("=", "s", "\"=\"", "yaml.text-kept");
    settle_as("no", "b", "false", "yaml.version-differs");
    settle_as("no", "n", "false", "yaml.version-differs");
    settle_as("0o17", "n", "15", "yaml.version-differs");
    settle_as("1e3", "n", "1e3", "yaml.version-differs");
    settle_as("2001-12-14", "s", "\"2001-12-14\"", "yaml.text-kept");
}

static void
timestamps_become_rfc_3339_where_a_date_time_is_wanted(void)
{
    settle_as("2001-12-14 21:59:43.10 -5", "t", "\"2001-12-14T21:59:43.10-05:00\"",
              "yaml.timestamp");
    settle_as("2001-1-2 1:02:03", "t", "\"2001-01-02T01:02:03Z\"", "yaml.timestamp");
    settle_as("2001-12-14", "t", "\"2001-12-14T00:00:00Z\"", "yaml.timestamp");
    Result result = read_sized("2001-12-14T21:59:43Z", 20, &defaults);
    ocp_yaml_settle(document_of(&result, 0), OCP_YAML_1_1, allowed_by_first_key,
                    (gpointer) "t", result.report);
    CU_ASSERT_EQUAL(result.report->diagnostics->len, 0);
    CU_ASSERT_EQUAL(document_of(&result, 0)->root->flags & OCP_NODE_UNSETTLED, 0);
    clear(&result);
    expect_both("2001-13-45", "\"2001-13-45\"");
}

static void
tags_are_honoured_or_refused(void)
{
    expect_both("[!!str 12, !!int \"12\", !!float 1.5, !!bool yes, !!null '', ! 12]",
                "[\"12\",12,1.5,true,null,\"12\"]");
    expect_both("!!map {a: !!seq [1]}", "{\"a\":[1]}");
    refuse("a: !!binary aGk=", "yaml.tag", 1, 4, "/a");
    refuse("a: !thing x", "yaml.tag", 1, 4, "/a");
    refuse("a: !!set {x}", "yaml.tag", 1, 4, "/a");
    refuse("a: !!int x", "yaml.tag", 1, 4, "/a");
}

static void
numbers_json_cannot_hold_are_refused(void)
{
    refuse("a: .inf", "yaml.no-json", 1, 4, "/a");
    refuse("[1, -.INF]", "yaml.no-json", 1, 5, "/1");
    refuse(".nan", "yaml.no-json", 1, 1, "");
    g_autofree char *digits = g_strnfill(100000, 'F');
    g_autofree char *text = g_strdup_printf("[0x%s]", digits);
    refuse(text, "yaml.no-json", 1, 2, "/0");
}

/* ---- structure ------------------------------------------------------------------- */

static void
aliases_are_copies(void)
{
    expect_both(
        "a: &x {k: [1]}\nb: *x\nc: [*x, *x]",
        "{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":[{\"k\":[1]},{\"k\":[1]}]}");
    expect_both("a: &x 1\n*x : b", "{\"a\":1,\"1\":\"b\"}");
    expect_both("{a: &x 0x10, *x : &n ~, *n : c}",
                "{\"a\":16,\"0x10\":null,\"~\":\"c\"}");
    expect("&k yes: 1\nb: *k", OCP_YAML_1_1, "{\"yes\":1,\"b\":true}");
    expect_both("{a: &x 0x10, *x : &n ~, *n : c}",
                "{\"a\":16,\"0x10\":null,\"~\":\"c\"}");
    expect("&k yes: 1\nb: *k", OCP_YAML_1_2, "{\"yes\":1,\"b\":\"yes\"}");
}

static void
aliases_are_limited(void)
{
    refuse("a: &x [1, *x]", "yaml.alias", 1, 11, "/a/1");
    refuse("a: *x", "yaml.alias", 1, 4, "/a");
    refuse("--- &x 1\n--- *x", "yaml.alias", 2, 5, "");
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    limits.alias_nodes = 5;
    const char *bomb = "[&a [1, 1], &b [*a, *a], [*b, *b]]";
    refuse_sized(bomb, strlen(bomb), &limits, "yaml.alias-limit", 1, 21, "/1/1");
    limits.alias_nodes = 100;
    limits.depth = 3;
    const char *deep = "[&a [1], &b [*a], [*b]]";
    refuse_sized(deep, strlen(deep), &limits, "yaml.depth", 1, 20, "/2/0");
    GString *laughs = g_string_new("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 20; i++)
        g_string_append_printf(laughs, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
                               i, i - 1, i - 1, i - 1, i - 1, i - 1);
    Result result = read_sized(laughs->str, laughs->len, &defaults);
    CU_ASSERT_PTR_NULL(result.documents);
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.alias-limit"), 1);
    clear(&result);
    g_string_free(laughs, TRUE);
}

static void
merge_keys_merge(void)
{
    expect_both("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}",
                "{\"a\":{\"x\":1,\"y\":2},\"b\":{\"x\":1,\"y\":3}}");
    expect_both("{<<: [{x: 1}, {x: 2, z: 3}], y: 4}", "{\"x\":1,\"z\":3,\"y\":4}");
    expect_both("{\"<<\": {x: 1}}", "{\"<<\":{\"x\":1}}");
    expect_both("{<<: {}}", "{}");
    refuse("{<<: 1}", "yaml.merge", 1, 6, "");
    refuse("{<<: {b: 1}, a: 1, a: 2}", "yaml.duplicate-key", 1, 20, "");
}

static void
keys_are_text(void)
{
    Result result = read_sized("1: a\n~: b\nyes: c\n1.0: d\n", 23, &defaults);
    g_autofree char *found = json_of(&result, 0);
    CU_ASSERT_STRING_EQUAL(found,
                           "{\"1\":\"a\",\"~\":\"b\",\"yes\":\"c\",\"1.0\":\"d\"}");
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.key-text"), 1);
    clear(&result);
    refuse("a: 1\n\"\\u0061\": 2", "yaml.duplicate-key", 2, 1, "/a");
    refuse("1: a\n'1': b", "yaml.duplicate-key", 2, 1, "/1");
    refuse("x: {[a]: b}", "yaml.key", 1, 5, "/x");
    refuse("{? {a: b} : c}", "yaml.key", 1, 4, "");
    refuse("!thing a: b", "yaml.tag", 1, 1, "");
}

static void
a_stream_holds_several_documents(void)
{
    const char *text = "a: 1\n---\nb: 2\n...\n---\n- 3\n";
    Result result = read_sized(text, strlen(text), &defaults);
    CU_ASSERT_PTR_NOT_NULL_FATAL(result.documents);
    CU_ASSERT_EQUAL_FATAL(result.documents->len, 3);
    const OcpDocument *second = document_of(&result, 1);
    CU_ASSERT_STRING_EQUAL(second->name, "in.yaml");
    CU_ASSERT(second->yaml);
    CU_ASSERT_EQUAL(ocp_member(second->root, "b")->place, 12);
    clear(&result);
    expect_both("---\n", "null");
    refuse("", "yaml.empty", 1, 1, "");
    refuse("# nothing\n", "yaml.empty", 1, 1, "");
    refuse("a: 1\n---\nb: [", "yaml.syntax", 3, 5, "/b/0");
}

static void
depth_is_limited(void)
{
    g_autofree char *brackets = g_strnfill(1000000, '[');
    refuse_sized(brackets, 1000000, &(OcpLimits){3, 1u << 30, 1}, "yaml.depth", 1, 4,
                 "/0/0/0");
    Result result = read_sized(brackets, 1000000, &defaults);
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.depth"), 1);
    clear(&result);
}

/* ---- text ------------------------------------------------------------------------ */

static void
places_are_bytes_and_errors_have_columns(void)
{
    const char *text = "\xEF\xBB\xBF\u00e9: [\u00e9\u00e9, &a !!str x]\r\nb: 1";
    Result result = read_sized(text, strlen(text), &defaults);
    const OcpDocument *document = document_of(&result, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    const OcpNode *list = ocp_member(document->root, "\u00e9");
    CU_ASSERT_EQUAL(list->place, 7);
    CU_ASSERT_EQUAL(ocp_element(list, 0)->place, 8);
    CU_ASSERT_EQUAL(ocp_element(list, 1)->place, 14);
    CU_ASSERT_PTR_EQUAL(ocp_element(list, 0)->as.text, document->text + 8);
    CU_ASSERT_EQUAL(text[ocp_member(document->root, "b")->place], '1');
    clear(&result);
    refuse("\u00e9: [\u00e9, *q]", "yaml.alias", 1, 8, "/\u00e9/1");
    refuse("a: 'x", "yaml.syntax", 1, 6, "/a");
}

static void
bad_characters_have_a_place(void)
{
    refuse("a: b\nc: \xff", "yaml.encoding", 2, 4, NULL);
    refuse("a: \xed\xa0\x80", "yaml.encoding", 1, 4, NULL);
    refuse("a: \xf5\x80\x80\x80", "yaml.encoding", 1, 4, NULL);
    refuse("a: \xc3", "yaml.encoding", 1, 4, NULL);
    refuse("a: \x01", "yaml.character", 1, 4, NULL);
    refuse("a: \x7f", "yaml.character", 1, 4, NULL);
    refuse_sized("a: \0b", 5, &defaults, "yaml.character", 1, 4, NULL);
    refuse_sized("\xff\xfe"
                 "a\0",
                 4, &defaults, "yaml.encoding", 1, 1, NULL);
    expect_both("\"\\0\\x01\\u0085\\U0001F600\"",
                "\"\\u0000\\u0001\302\205\U0001F600\"");
}

static void
line_breaks_of_unicode_change_nothing_in_silence(void)
{
    expect_both("\"a\u2028b \u2029 \302\205c\"", "\"a\\u2028b \\u2029 \302\205c\"");
    expect_both("'a\u2028b'", "\"a\\u2028b\"");
    expect_both("'a\u2028   b\n\n  c'", "\"a\\u2028b\\nc\""); /* as PyYAML folds it */
    expect_both("[\"\\uE000\u2028\", '\uE000\u2029', \uE001]",
                "[\"\uE000\\u2028\",\"\uE000\\u2029\",\"\uE001\"]");
    refuse("# comment\u2028key: injected\na: b", "yaml.line-break", 1, 10, "");
    refuse("a: b\u2028c: d", "yaml.line-break", 1, 5, "/a");
    refuse("a: |\n  b\u2028  c", "yaml.line-break", 2, 4, "/a");
    refuse("a: 'b\302\205c'", "yaml.line-break", 1, 6, "/a");
    Result result = read_sized("'a\u2028 b'", 8, &defaults);
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.line-break"), 1);
    clear(&result);
}

static void
comments_are_told_once(void)
{
    static const struct {
        const char *text;
        guint line; /* of the first comment; 0: none */
    } cases[] = {
        {"a: 1 # one\nb: 2 # two\n", 1},
        {"# one\na: 1", 1},
        {"a: 1\n# last", 2},
        {"a:\n  - b\n  # c\n  - d\n", 3},
        {"a: | # header\n  b\n", 1},
        {"a: &x # anchor\n  b\n", 1},
        {"[a, # x\n b]", 1},
        {"a: '# no'\nb: \"# no\"\nc: |\n  # no\n  x # no\nd: x#no\ne: &a !foo#no\n", 0},
        {"a: >\n  # no\n\n  # no\nb: !!str x#no\n", 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Result result = {ocp_report_new(), NULL};
        g_autoptr(GBytes) bytes = g_bytes_new(cases[i].text, strlen(cases[i].text));
        ocp_yaml_read(bytes, "in.yaml", &defaults, result.report, &result.documents);
        CU_ASSERT_EQUAL(count_code(result.report, "yaml.comments"),
                        cases[i].line > 0 ? 1 : 0);
        if (cases[i].line > 0) {
            const OcpDiagnostic *note = result.report->diagnostics->pdata[0];
            CU_ASSERT_EQUAL(note->line, cases[i].line);
        }
        clear(&result);
    }
}

static void
what_readers_disagree_on_is_refused(void)
{
    refuse("{?a: b}", "yaml.syntax", 1, 2, "");
    refuse("[?a, b]", "yaml.syntax", 1, 2, "/0");
    refuse("k: &a:b c", "yaml.syntax", 1, 6, "/k");
    refuse("a: |\n  b\n   ", "yaml.syntax", 3, 1, "/a");
    GString *tags = g_string_new(NULL);
    for (int i = 0; i < 100000; i++)
        g_string_append_printf(tags, "%%TAG !a%d! b\n", i);
    Result result = read_sized(tags->str, tags->len, &defaults);
    CU_ASSERT_EQUAL(count_code(result.report, "yaml.directives"), 1);
    clear(&result);
    g_string_free(tags, TRUE);
}

OCP_TEST_MAIN(
    "text-yaml",
    {"what both versions agree on stands", what_both_versions_agree_on_stands},
    {"where they differ the version decides", where_they_differ_the_version_decides},
    {"what the schema allows decides first", what_the_schema_allows_decides_first},
    {"timestamps become RFC 3339 where a date-time is wanted",
     timestamps_become_rfc_3339_where_a_date_time_is_wanted},
    {"tags are honoured or refused", tags_are_honoured_or_refused},
    {"numbers JSON cannot hold are refused", numbers_json_cannot_hold_are_refused},
    {"aliases are copies", aliases_are_copies},
    {"aliases are limited", aliases_are_limited},
    {"merge keys merge", merge_keys_merge}, {"keys are text", keys_are_text},
    {"a stream holds several documents", a_stream_holds_several_documents},
    {"depth is limited", depth_is_limited},
    {"places are bytes and errors have columns",
     places_are_bytes_and_errors_have_columns},
    {"bad characters have a place", bad_characters_have_a_place},
    {"line breaks of Unicode change nothing in silence",
     line_breaks_of_unicode_change_nothing_in_silence},
    {"comments are told once", comments_are_told_once},
    {"what readers disagree on is refused", what_readers_disagree_on_is_refused})
