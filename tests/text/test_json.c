/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "text/json.h"
#include "value/pointer.h"

/* Reads length bytes; NULL if they are refused. */
static OcpDocument *
read_sized(const char *text, gsize length, OcpReport *report)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GBytes) bytes = g_bytes_new(text, length);
    OcpDocument *document = NULL;
    ocp_json_read(bytes, "test.json", &limits, report, &document);
    return document;
}

static OcpDocument *
read_valid(const char *text)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = read_sized(text, strlen(text), report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
    return document;
}

static char *
written(const OcpNode *node, bool compact)
{
    GString *out = g_string_new(NULL);
    ocp_json_write(node, compact, out);
    return g_string_free(out, FALSE);
}

static void
check_written(const char *text, const char *expected)
{
    g_autoptr(OcpDocument) document = read_valid(text);
    g_autofree char *out = written(document->root, true);
    if (strcmp(out, expected) != 0)
        ocp_test_fail("%s is written %s", text, out);
    CU_ASSERT_STRING_EQUAL(out, expected);
}

/* ---- reading --------------------------------------------------------------- */

static void
values_keep_kind_text_and_place(void)
{
    g_autoptr(OcpDocument) document =
        read_valid(" {\"a\" : [null, true,false,-0.0e+1], \"\\u0062\":\"x\\/\"}\n");
    const OcpNode *root = document->root;
    CU_ASSERT_EQUAL(root->kind, OCP_OBJECT);
    CU_ASSERT_EQUAL(root->size, 2);
    CU_ASSERT_EQUAL(root->place, 1);
    CU_ASSERT_EQUAL(document->nodes, 9);
    const OcpNode *array = ocp_member(root, "a");
    CU_ASSERT_EQUAL(array->size, 4);
    CU_ASSERT_EQUAL(array->place, 8);
    const OcpNode *number = ocp_element(array, 3);
    CU_ASSERT_EQUAL(number->kind, OCP_NUMBER);
    CU_ASSERT_NSTRING_EQUAL(number->as.text, "-0.0e+1", number->size);
    const OcpNode *key = NULL;
    const OcpNode *text = ocp_member_sized(root, "b", 1, &key);
    CU_ASSERT_EQUAL(key->flags & OCP_NODE_ESCAPED, OCP_NODE_ESCAPED);
    CU_ASSERT_EQUAL(document->text[key->place], '"');
    CU_ASSERT_EQUAL(key->serial, 7);
    CU_ASSERT_EQUAL(text->serial, 8);
    CU_ASSERT(ocp_text_is(text, "x/"));
}

static void
flags_say_which_spans_our_writer_would_change(void)
{
    static const struct {
        const char *text;
        guint flags;
    } cases[] = {
        {"\"plain \xC3\xA9\"", 0},
        {"\"\\\"\\\\\\b\\f\\n\\r\\t\"", OCP_NODE_ESCAPED},
        {"\"\\u001f\\u0000\\u007f\\u2028\"", OCP_NODE_ESCAPED},
        {"\"\\u001F\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\\u000a\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\\/\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\\u0041\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\\ud83d\\ude00\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\\n\x7F\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
        {"\"\xE2\x80\xA8\\n\"", OCP_NODE_ESCAPED | OCP_NODE_UNUSUAL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpDocument) document = read_valid(cases[i].text);
        if (document->root->flags != cases[i].flags)
            ocp_test_fail("%s has flags %u", cases[i].text, document->root->flags);
    }
}

static void
errors_have_code_line_column_and_pointer(void)
{
    static const struct {
        const char *text;
        const char *code;
        guint line;
        guint column;
        const char *pointer;
    } cases[] = {
        {"", "json.empty", 1, 1, ""},
        {" \n ", "json.empty", 2, 2, ""},
        {"{\"a\":1,\n \"a\":2}", "json.duplicate-key", 2, 2, "/a"},
        {"{\"a\":{\"b\":0,\"\\u0062\":1}}", "json.duplicate-key", 1, 13, "/a/b"},
        {"[1,\n [2, NaN]]", "json.constant", 2, 6, "/1/1"},
        {"[-Infinity]", "json.number", 1, 2, "/0"},
        {"{\"x\":[0,01]}", "json.number", 1, 9, "/x/1"},
        {"[1.]", "json.number", 1, 2, "/0"},
        {"[+1]", "json.number", 1, 2, "/0"},
        {"[.5]", "json.number", 1, 2, "/0"},
        {"[1e+]", "json.number", 1, 2, "/0"},
        {"{\"x\":\"\\uD800\"}", "json.surrogate", 1, 7, "/x"},
        {"{\"x\":\"\\uDC00\"}", "json.surrogate", 1, 7, "/x"},
        {"{\"\\uD800x\":1}", "json.surrogate", 1, 3, ""},
        {"[\"\\x\"]", "json.escape", 1, 3, "/0"},
        {"[\"\\u00g0\"]", "json.escape", 1, 3, "/0"},
        {"[\"\xC3\xA9\t\"]", "json.control", 1, 4, "/0"},
        {"[\"a\nb\"]", "json.control", 1, 4, "/0"},
        {"[\"\xC0\xAF\"]", "json.utf8", 1, 3, "/0"},
        {"[\"\xED\xA0\x80\"]", "json.utf8", 1, 3, "/0"},
        {"[\"\xF4\x90\x80\x80\"]", "json.utf8", 1, 3, "/0"},
        {"[\"\xE2\x80\"]", "json.utf8", 1, 3, "/0"},
        {"{} x", "json.trailing", 1, 4, ""},
        {"[1] [2]", "json.trailing", 1, 5, ""},
        {"[1", "json.truncated", 1, 3, ""},
        {"{\"a\"", "json.truncated", 1, 5, ""},
        {"{\"a\":", "json.truncated", 1, 6, "/a"},
        {"{\"a\":[1,", "json.truncated", 1, 9, "/a/1"},
        {"[\"abc", "json.truncated", 1, 6, "/0"},
        {"[\"\\u00", "json.truncated", 1, 7, "/0"},
        {"[tru", "json.truncated", 1, 5, "/0"},
        {"[1,]", "json.syntax", 1, 4, "/1"},
        {"{\"a\":1,}", "json.syntax", 1, 8, ""},
        {"[1 2]", "json.syntax", 1, 4, ""},
        {"{'a':1}", "json.syntax", 1, 2, ""},
        {"[True]", "json.syntax", 1, 2, "/0"},
        {"{\"a/b\":{\"c~\":/**/1}}", "json.syntax", 1, 14, "/a~1b/c~0"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpDocument *document =
            read_sized(cases[i].text, strlen(cases[i].text), report);
        CU_ASSERT_PTR_NULL_FATAL(document);
        CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
        const OcpDiagnostic *error = report->diagnostics->pdata[0];
        if (strcmp(error->code, cases[i].code) != 0 || error->line != cases[i].line ||
            error->column != cases[i].column ||
            strcmp(error->pointer, cases[i].pointer) != 0)
            ocp_test_fail("%s: %s at %u:%u, \"%s\"", cases[i].text, error->code,
                          error->line, error->column, error->pointer);
        CU_ASSERT(g_utf8_validate(error->message, -1, NULL));
        CU_ASSERT_STRING_EQUAL(error->file, "test.json");
    }
}

static void
messages_say_what_was_expected_and_found(void)
{
    static const struct {
        const char *text;
        const char *message;
        const char *hint;
    } cases[] = {
        {"[1,]", "expected a value, found ']'", "remove the comma before it"},
        {"{\"a\" 1}", "expected ':' behind the key, found 1", NULL},
        {"{\"a\":1", "the text ends where ',' or '}' is expected", NULL},
        {"{a:1}", "expected a key in double quotes, found a", NULL},
        {"['a']", "expected a value, found '''", "strings stand in double quotes"},
        {"[\xC2\xA0]", "expected a value, found U+00A0", NULL},
        {"[\xFF]", "expected a value, found byte 0xFF", NULL},
        {"[NaN]", "JSON has no NaN", "write null, or a string"},
        {"[007]", "a JSON number does not begin with 0 and a digit",
         "leave the leading zeros out, or make it a string"},
        {"[\"\t\"]", "a control character inside a string: U+0009",
         "write it as an escape: \\n, \\t, \\u0000"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpDocument *document =
            read_sized(cases[i].text, strlen(cases[i].text), report);
        CU_ASSERT_PTR_NULL_FATAL(document);
        const OcpDiagnostic *error = report->diagnostics->pdata[0];
        CU_ASSERT_STRING_EQUAL(error->message, cases[i].message);
        if (cases[i].hint == NULL)
            CU_ASSERT_PTR_NULL(error->hint)
        else
            CU_ASSERT_STRING_EQUAL(error->hint, cases[i].hint)
    }
}

static void
utf16_is_refused_by_name(void)
{
    static const struct {
        const char *text;
        gsize length;
    } cases[] = {
        {"\xFF\xFE[\0]\0", 6}, {"\xFE\xFF\0[\0]", 6}, {"[\0]\0", 4}, {"\0[\0]", 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        CU_ASSERT_PTR_NULL(read_sized(cases[i].text, cases[i].length, report));
        const OcpDiagnostic *error = report->diagnostics->pdata[0];
        CU_ASSERT_STRING_EQUAL(error->code, "json.utf16");
    }
}

static void
a_byte_order_mark_is_skipped_with_a_note(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = read_sized("\xEF\xBB\xBF[]", 5, report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    CU_ASSERT_EQUAL(document->root->place, 3);
    const OcpDiagnostic *note = report->diagnostics->pdata[0];
    CU_ASSERT_EQUAL(note->severity, OCP_NOTE);
    CU_ASSERT_STRING_EQUAL(note->code, "json.bom");
}

static void
u0000_is_a_character_in_strings_and_keys(void)
{
    g_autoptr(OcpDocument) document = read_valid("{\"a\\u0000b\":\"\\u0000\",\"a\":1}");
    CU_ASSERT_PTR_NOT_NULL(ocp_member_sized(document->root, "a\0b", 3, NULL));
    CU_ASSERT_PTR_NOT_NULL(ocp_member(document->root, "a"));
    check_written("{\"a\\u0000b\":\"\\u0000\",\"a\":1}",
                  "{\"a\\u0000b\":\"\\u0000\",\"a\":1}");
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_PTR_NULL(read_sized("[]\0", 3, report));
    CU_ASSERT_PTR_NULL(read_sized("[\0]", 3, report));
    CU_ASSERT_PTR_NULL(read_sized("[\"\0\"]", 5, report));
}

/* depth arrays, one in the other. */
static OcpDocument *
read_nested(guint depth, guint limit, OcpReport *report)
{
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    limits.depth = limit;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < depth; i++)
        g_string_append_c(text, '[');
    for (guint i = 0; i < depth; i++)
        g_string_append_c(text, ']');
    g_autoptr(GBytes) bytes = g_bytes_new(text->str, text->len);
    OcpDocument *document = NULL;
    ocp_json_read(bytes, NULL, &limits, report, &document);
    return document;
}

static void
depth_and_size_have_limits(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) deepest = read_nested(512, 512, report);
    CU_ASSERT_PTR_NOT_NULL(deepest);
    CU_ASSERT_PTR_NULL(read_nested(513, 512, report));
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(error->code, "json.depth");
    CU_ASSERT_EQUAL(error->column, 513);
    CU_ASSERT_PTR_NULL(read_nested(1, 0, report));
    g_autoptr(OcpDocument) deep = read_nested(1000000, 1000000, report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(deep); /* no stack of ours is the machine's */
    g_autofree char *out = written(deep->root, true);
    CU_ASSERT_EQUAL(strlen(out), 2000000);

    OcpLimits limits = OCP_LIMITS_DEFAULT;
    limits.bytes = 3;
    g_autoptr(GBytes) bytes = g_bytes_new_static("[1] ", 4);
    OcpDocument *document = NULL;
    CU_ASSERT_FALSE(ocp_json_read(bytes, NULL, &limits, report, &document));
    CU_ASSERT_PTR_NULL(document);
    error = report->diagnostics->pdata[report->diagnostics->len - 1];
    CU_ASSERT_STRING_EQUAL(error->code, "json.size");
}

static void
twins_are_found_in_large_objects(void)
{
    g_autoptr(GString) text = g_string_new("{");
    for (guint i = 0; i < 1000; i++)
        g_string_append_printf(text, "\"k%u\":%u,\n", i, i);
    gsize length = text->len;
    g_string_append(text, "\"k1000\":0}");
    g_autoptr(OcpDocument) document = read_valid(text->str);
    CU_ASSERT(ocp_text_is(ocp_member(document->root, "k1"), "1") ||
              ocp_is(ocp_member(document->root, "k1"), OCP_NUMBER));
    g_string_truncate(text, length);
    g_string_append(text, "\"\\u006b500\":0}");
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_PTR_NULL(read_sized(text->str, text->len, report));
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_EQUAL(error->line, 1001);
    CU_ASSERT_STRING_EQUAL(error->pointer, "/k500");
}

/* Every prefix of a document that is not the whole is refused, whatever follows it in
 * memory, and so is every one-byte change that leaves no JSON. */
static void
truncated_and_damaged_texts_are_refused_or_read(void)
{
    static const char text[] = "{\"a\":[1.5e-3,\"\\ud83d\\ude00\xE4\xB8\xAD\",true],"
                               "\"b\":{\"c\":null,\"d\":\"\\n0123456789abcdefghij\"}}";
    gsize length = sizeof text - 1;
    for (gsize cut = 0; cut < length; cut++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autofree char *copy = g_memdup2(text, MAX(cut, 1));
        CU_ASSERT_PTR_NULL(read_sized(copy, cut, report));
        CU_ASSERT_EQUAL(report->counts[OCP_ERROR], 1);
    }
    for (gsize at = 0; at < length; at++) {
        for (guint byte = 0; byte < 256; byte++) {
            g_autoptr(OcpReport) report = ocp_report_new();
            g_autofree char *copy = g_memdup2(text, length);
            copy[at] = (char)byte;
            g_autoptr(OcpDocument) document = read_sized(copy, length, report);
            if ((document == NULL) != (report->counts[OCP_ERROR] == 1))
                ocp_test_fail("byte %u at %u", byte, (guint)at);
        }
    }
}

/* ---- writing --------------------------------------------------------------- */

static void
deep_lines_are_not_indented_further(void)
{
    enum { DEPTH = 100 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < DEPTH; i++)
        g_string_append_c(text, '[');
    g_string_append_c(text, '7');
    for (guint i = 0; i < DEPTH; i++)
        g_string_append_c(text, ']');
    g_autoptr(OcpDocument) document = read_valid(text->str);
    g_autofree char *out = written(document->root, false);
    g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
    CU_ASSERT_EQUAL(g_strv_length(lines), 2 * DEPTH + 1);
    for (guint i = 0; i <= DEPTH; i++)
        CU_ASSERT_EQUAL(strspn(lines[i], " "), 2 * MIN(i, 32));
}

static void
layout_is_two_spaces_or_one_line(void)
{
    g_autoptr(OcpDocument) document =
        read_valid("{\"a\":[1, {\"b\":[]}],\"c\":{},\"d\":\"/\"}");
    g_autofree char *pretty = written(document->root, false);
    g_autofree char *line = written(document->root, true);
    CU_ASSERT_STRING_EQUAL(pretty, "{\n"
                                   "  \"a\": [\n"
                                   "    1,\n"
                                   "    {\n"
                                   "      \"b\": []\n"
                                   "    }\n"
                                   "  ],\n"
                                   "  \"c\": {},\n"
                                   "  \"d\": \"/\"\n"
                                   "}");
    CU_ASSERT_STRING_EQUAL(line, "{\"a\":[1,{\"b\":[]}],\"c\":{},\"d\":\"/\"}");
}

static void
numbers_keep_their_text(void)
{
    check_written(
        "[1.0,-0,-0.0,1E400,1e-999999999999,100000000000000000000000000000000001]",
        "[1.0,-0,-0.0,1E400,1e-999999999999,100000000000000000000000000000000001]");
}

static void
strings_have_one_spelling(void)
{
    check_written("\"\\/\\u0041\\u00e9\\ud83d\\ude00\\u000A\\u001F\\u007F\"",
                  "\"/A\xC3\xA9\xF0\x9F\x98\x80\\n\\u001f\\u007f\"");
    check_written("\"a\x7F\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\"",
                  "\"a\\u007f\\u2028\\u2029\xE2\x80\xAA\"");
    check_written("\"\\n\xE4\xB8\xAD\xE2\x80\xA8\"", "\"\\n\xE4\xB8\xAD\\u2028\"");
}

static void
made_strings_are_escaped(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    ocp_build_named(
        &build, "k\"\n",
        ocp_make_string(document, "\0\b\t\n\v\f\r\x1F\\\x7F\xE2\x80\xA9z", 14));
    g_autofree char *out = written(build.container, true);
    CU_ASSERT_STRING_EQUAL(out, "{\"k\\\"\\n\":\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f"
                                "\\\\\\u007f\\u2029z\"}");
}

static void
links_are_followed(void)
{
    g_autoptr(OcpDocument) source = read_valid("{\"a\":[1,\"\\u0041\"]}");
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_array(document));
    ocp_build_element(&build, ocp_member(source->root, "a"));
    ocp_build_element(&build, source->root);
    g_autofree char *out = written(build.container, true);
    CU_ASSERT_STRING_EQUAL(out, "[[1,\"A\"],{\"a\":[1,\"A\"]}]");
}

/* Writing what was read and reading it again changes nothing more. */
static void
writing_is_stable_over_the_corpus(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/session-checkpoint/v2");
    if (folder == NULL)
        return;
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    guint stable = 0;
    guint read = 0;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(GBytes) bytes = ocp_test_read(paths->pdata[i]);
        g_autoptr(OcpDocument) document = NULL;
        if (!ocp_json_read(bytes, NULL, &limits, report, &document))
            continue;
        g_autofree char *once = written(document->root, false);
        g_autoptr(OcpDocument) again = read_valid(once);
        g_autofree char *twice = written(again->root, false);
        stable += strcmp(once, twice) == 0;
        read++;
    }
    ocp_test_count("json written twice the same", stable, read);
    CU_ASSERT_EQUAL(stable, read);
}

OCP_TEST_MAIN("text-json",
              {"values keep kind, text and place", values_keep_kind_text_and_place},
              {"flags say which spans our writer would change",
               flags_say_which_spans_our_writer_would_change},
              {"errors have code, line, column and pointer",
               errors_have_code_line_column_and_pointer},
              {"messages say what was expected and found",
               messages_say_what_was_expected_and_found},
              {"UTF-16 is refused by name", utf16_is_refused_by_name},
              {"a byte order mark is skipped with a note",
               a_byte_order_mark_is_skipped_with_a_note},
              {"U+0000 is a character in strings and keys",
               u0000_is_a_character_in_strings_and_keys},
              {"depth and size have limits", depth_and_size_have_limits},
              {"twins are found in large objects", twins_are_found_in_large_objects},
              {"truncated and damaged texts are refused or read",
               truncated_and_damaged_texts_are_refused_or_read},
              {"layout is two spaces or one line", layout_is_two_spaces_or_one_line},
              {"deep lines are not indented further",
               deep_lines_are_not_indented_further},
              {"numbers keep their text", numbers_keep_their_text},
              {"strings have one spelling", strings_have_one_spelling},
              {"made strings are escaped", made_strings_are_escaped},
              {"links are followed", links_are_followed},
              {"writing is stable over the corpus", writing_is_stable_over_the_corpus})
