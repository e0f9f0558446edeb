/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The YAML writer: its exact output, and that our own reader gets back what was
 * written. With two arguments it is the writer of yaml_write.py: reads JSON values, one
 * a line, and writes their YAML, separated by NUL.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "text/json.h"
#include "text/source.h"
#include "text/yaml.h"
#include "value/equal.h"

static const OcpLimits limits = OCP_LIMITS_DEFAULT;

static OcpDocument *
json(const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "json", &limits, report, &document))
        ocp_test_fail("no JSON: %s", text);
    return document;
}

/* True if our reader, settled by the version without a doubt, reads the value back. */
static bool
comes_back(const OcpNode *value, const GString *text, OcpYamlVersion version)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text->str, text->len);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents = NULL;
    if (!ocp_yaml_read(bytes, "yaml", &limits, report, &documents))
        return false;
    OcpDocument *document = documents->pdata[0];
    ocp_yaml_settle(document, version, NULL, NULL, report);
    return documents->len == 1 && report->counts[OCP_WARNING] == 0 &&
           ocp_equal_value(document->root, value);
}

static bool
round_trips(const OcpNode *value, GString *out)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    ocp_yaml_write(value, report, out);
    return comes_back(value, out, OCP_YAML_1_1) && comes_back(value, out, OCP_YAML_1_2);
}

static void
check_round_trip(const char *text)
{
    g_autoptr(OcpDocument) value = json(text);
    g_autoptr(GString) out = g_string_new(NULL);
    if (!round_trips(value->root, out))
        ocp_test_fail("%s comes back as another value from %s", text, out->str);
    CU_ASSERT_TRUE(out->len > 0);
}

static void
check(const char *text, const char *expected)
{
    g_autoptr(OcpDocument) value = json(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GString) out = g_string_new(NULL);
    ocp_yaml_write(value->root, report, out);
    CU_ASSERT_STRING_EQUAL(out->str, expected);
    if (strcmp(out->str, expected) != 0)
        printf("  got:\n%s  expected:\n%s", out->str, expected);
    check_round_trip(text);
}

static void
containers_are_blocks(void)
{
    check("{\"a\":{\"b\":[1,[2,3],{\"c\":null,\"d\":{}},[]]},\"e\":true}",
          "a:\n"
          "  b:\n"
          "    - 1\n"
          "    - - 2\n"
          "      - 3\n"
          "    - c: null\n"
          "      d: {}\n"
          "    - []\n"
          "e: true\n");
    check("{}", "{}\n");
    check("[]", "[]\n");
    check("\"text\"", "text\n");
    check("[[[]]]", "- - []\n");
}

static void
only_what_no_reader_mistakes_is_plain(void)
{
    check("[\"plain\",\"two words\",\"a/b.c-d_e\",\"_x\"]",
          "- plain\n- two words\n- a/b.c-d_e\n- _x\n");
    check("[\"no\",\"Yes\",\"NULL\",\"~\",\"\",\"1\",\"0x1\",\"2001-01-01\",\"y\","
          "\"oN\"]",
          "- \"no\"\n- \"Yes\"\n- \"NULL\"\n- \"~\"\n- \"\"\n- \"1\"\n- \"0x1\"\n"
          "- \"2001-01-01\"\n- \"y\"\n- \"oN\"\n");
    check(
        "[\"a: b\",\"a #b\",\"- a\",\"a  b\",\" a\",\"a \",\"<<\",\"=\",\"a:\"]",
        "- \"a: b\"\n- \"a #b\"\n- \"- a\"\n- \"a  b\"\n- \" a\"\n- \"a \"\n- \"<<\"\n"
        "- \"=\"\n- \"a:\"\n");
    check("{\"on\":1,\"a b\":2,\"\":3}", "\"on\": 1\na b: 2\n\"\": 3\n");
}

static void
special_characters_are_escaped(void)
{
    check(
        "[\"\\u0000\\t\\u000b\\r\\u001b\\u007f\\u0085\\u2028\\u2029\\ufeff\\uffff\"]",
        "- "
        "\"\\u0000\\t\\u000B\\r\\u001B\\u007F\\u0085\\u2028\\u2029\\uFEFF\\uFFFF\"\n");
    check("[\"\\\"\\\\/\\u00e9\\ud83d\\ude00\"]", "- \"\\\"\\\\/\u00e9\U0001F600\"\n");
}

static void
lines_are_a_literal_block_where_that_is_safe(void)
{
    check("{\"a\":\"one\\n\\n  #two\\n\"}", "a: \"one\\n\\n  #two\\n\"\n");
    check("{\"a\":[\"one\\n\\n#two: x\\n\",\"x\\ny\"]}",
          "a:\n  - |\n    one\n\n    #two: x\n  - |-\n    x\n    y\n");
    check("\"---\\n...\"", "|-\n  ---\n  ...\n");
    check("[\"\\na\",\"a\\n\\n\",\"a \\nb\",\"a\\tb\\nc\",\"a\\r\\nb\",\"\\n\"]",
          "- \"\\na\"\n- \"a\\n\\n\"\n- \"a \\nb\"\n- \"a\\tb\\nc\"\n- \"a\\r\\nb\"\n"
          "- \"\\n\"\n");
}

static void
numbers_keep_their_text_or_are_reported(void)
{
    check("[1,-0,1.50,12345678901234567890123,1.5e+3,2.0E-7]",
          "- 1\n- -0\n- 1.50\n- 12345678901234567890123\n- 1.5e+3\n- 2.0E-7\n");
    check("[1e3,1E400,-1e-5,1.5e3]", "- 1.0e+3\n- 1.0E+400\n- -1.0e-5\n- 1.5e+3\n");
    g_autoptr(OcpDocument) value = json("{\"a\":[1,{\"b\":1e3}]}");
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GString) out = g_string_new(NULL);
    ocp_yaml_write(value->root, report, out);
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *note = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(note->code, "yaml.number-respelled");
    CU_ASSERT_STRING_EQUAL(note->pointer, "/a/1/b");
}

static void
long_keys_take_the_long_form(void)
{
    g_autofree char *key = g_strnfill(2000, 'k');
    g_autofree char *text =
        g_strdup_printf("[{\"%s\":{\"x\":[1]},\"%s\\n\":[2],\"z\":3}]", key, key);
    g_autofree char *expected = g_strdup_printf("- ? %s\n  :\n    x:\n      - 1\n"
                                                "  ? \"%s\\n\"\n  :\n    - 2\n  z: 3\n",
                                                key, key);
    check(text, expected);
}

static void
the_depth_limit_comes_back(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < limits.depth / 2; i++)
        g_string_append(text, "[{\"k\":");
    g_string_append(text, "1");
    for (guint i = 0; i < limits.depth / 2; i++)
        g_string_append(text, "}]");
    check_round_trip(text->str);
}

static void
what_is_nested_deeply_is_in_flow_style(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GString) expected = g_string_new(NULL);
    for (int i = 0; i < 64; i++) {
        g_string_append_c(text, '[');
        g_string_append(expected, "- ");
    }
    g_string_append(text, "[{\"no\":\"a\\nb\",\"x\":[]},[1,\"a b\"]],2");
    g_string_append(expected, "[{\"no\": \"a\\nb\", x: []}, [1, a b]]\n");
    g_string_append_printf(expected, "%*s- 2\n", 126, "");
    for (int i = 0; i < 64; i++)
        g_string_append_c(text, ']');
    check(text->str, expected->str);
}

static const OcpTest tests[] = {
    {"containers are blocks", containers_are_blocks},
    {"only what no reader mistakes is plain", only_what_no_reader_mistakes_is_plain},
    {"special characters are escaped", special_characters_are_escaped},
    {"lines are a literal block where that is safe",
     lines_are_a_literal_block_where_that_is_safe},
    {"numbers keep their text or are reported",
     numbers_keep_their_text_or_are_reported},
    {"long keys take the long form", long_keys_take_the_long_form},
    {"what is nested deeply is in flow style", what_is_nested_deeply_is_in_flow_style},
    {"the depth limit comes back", the_depth_limit_comes_back},
};

static int
write_all(const char *from, const char *to)
{
    g_autoptr(GBytes) bytes = ocp_test_read(from);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents = NULL;
    if (!ocp_source_read(bytes, from, OCP_SYNTAX_NDJSON, &limits, report, &documents)) {
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        printf("%s:%u: %s\n", from, first->line, first->message);
        return 1;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    bool same = true;
    for (guint i = 0; i < documents->len; i++) {
        const OcpDocument *document = documents->pdata[i];
        g_autoptr(GString) text = g_string_new(NULL);
        if (!round_trips(document->root, text)) {
            printf("FAILED: our own reader reads another value from %s", text->str);
            same = false;
        }
        g_string_append_len(out, text->str, (gssize)text->len);
        g_string_append_c(out, '\0');
    }
    bool written = g_file_set_contents(to, out->str, (gssize)out->len, NULL);
    return written && same ? 0 : 1;
}

int
main(int argc, char **argv)
{
    if (argc == 3)
        return write_all(argv[1], argv[2]);
    return ocp_test_main("text-yaml-write", tests, G_N_ELEMENTS(tests));
}
