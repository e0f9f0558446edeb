/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "convert/ocp_json.h"
#include "support.h"
#include "text/json.h"
#include "value/equal.h"

static OcpDocument *
read_text(const char *text)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    CU_ASSERT_FATAL(ocp_json_read(bytes, "test.json", &limits, report, &document));
    return document;
}

static struct json_object *
to_object(const char *text)
{
    g_autoptr(OcpDocument) document = read_text(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    struct json_object *object = NULL;
    CU_ASSERT_FATAL(ocp_json_to_object(document, NULL, report, &object));
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
    return object;
}

/* One diagnostic of this code at this pointer; severity error means refused. */
static void
check_said(const char *text, OcpSeverity severity, const char *code,
           const char *pointer)
{
    g_autoptr(OcpDocument) document = read_text(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    struct json_object *object = NULL;
    bool done = ocp_json_to_object(document, NULL, report, &object);
    CU_ASSERT_EQUAL(done, severity != OCP_ERROR);
    json_object_put(object);
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *said = report->diagnostics->pdata[0];
    CU_ASSERT_EQUAL(said->severity, severity);
    CU_ASSERT_STRING_EQUAL(said->code, code);
    CU_ASSERT_STRING_EQUAL(said->pointer, pointer);
    CU_ASSERT_EQUAL(said->line, 1);
}

static void
values_are_there_and_back_the_same(void)
{
    static const char *const texts[] = {
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "-0",
        ("{\"a\":[1,-9223372036854775808,18446744073709551615,1.0,1e3,-0,-0.0,0.10],"
         "\"\":{\"b\":null,\"c\":false},\"s\":\"a\\u0000b \\\" \\ud83d\\ude00\"}")};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) before = read_text(texts[i]);
        g_autoptr(OcpDocument) after = NULL;
        struct json_object *object = to_object(texts[i]);
        CU_ASSERT_FATAL(ocp_json_from_object(object, NULL, report, &after));
        json_object_put(object);
        if (!ocp_equal(before->root, after->root))
            ocp_test_fail("%s came back different", texts[i]);
    }
}

static void
json_c_sees_the_values_it_can_hold(void)
{
    struct json_object *object = to_object("{\"i\":-5,\"u\":18446744073709551615,\"d\":"
                                           "1.50,\"s\":\"a\\u0000b\",\"n\":null}");
    CU_ASSERT_EQUAL(json_object_get_int64(json_object_object_get(object, "i")), -5);
    CU_ASSERT_EQUAL(json_object_get_uint64(json_object_object_get(object, "u")),
                    G_MAXUINT64);
    struct json_object *number = json_object_object_get(object, "d");
    CU_ASSERT(json_object_get_double(number) == 1.5);
    CU_ASSERT_STRING_EQUAL(json_object_get_string(number), "1.50");
    struct json_object *text = json_object_object_get(object, "s");
    CU_ASSERT_EQUAL(json_object_get_string_len(text), 3);
    CU_ASSERT_EQUAL(memcmp(json_object_get_string(text), "a\0b", 3), 0);
    CU_ASSERT_PTR_NULL(json_object_object_get(object, "n"));
    CU_ASSERT_EQUAL(json_object_object_length(object), 5);
    json_object_put(object);
}

static void
what_json_c_cannot_hold_is_an_error(void)
{
    check_said("{\"a\":[0,18446744073709551616]}", OCP_ERROR, "json-c.integer", "/a/1");
    check_said("[-9223372036854775809]", OCP_ERROR, "json-c.integer", "/0");
    check_said("[1e400]", OCP_ERROR, "json-c.number", "/0");
    check_said("[1e-400]", OCP_ERROR, "json-c.number", "/0");
    check_said("{\"\\u0000\":1}", OCP_ERROR, "json-c.key", "/");
    check_said("[3.14159265358979323846]", OCP_WARNING, "json-c.precision", "/0");
}

/* Hands a value of json-c's own over and takes the error's code, or the JSON text. */
static char *
from_object(struct json_object *object)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    bool done = ocp_json_from_object(object, "program", report, &document);
    json_object_put(object);
    if (!done) {
        const OcpDiagnostic *error = report->diagnostics->pdata[0];
        CU_ASSERT_EQUAL(report->counts[OCP_ERROR], 1);
        CU_ASSERT_STRING_EQUAL(error->file, "program");
        return g_strdup(error->code);
    }
    GString *text = g_string_new(NULL);
    ocp_json_write(document->root, true, text);
    return g_string_free(text, FALSE);
}

static void
json_c_values_become_json(void)
{
    struct {
        struct json_object *object;
        const char *text;
    } cases[] = {{json_object_new_double(0.1), "0.1"},
                 {json_object_new_double(100), "100.0"},
                 {json_object_new_double(1e22), "1e+22"},
                 {json_object_new_double_s(1.5, "1.50"), "1.50"},
                 {json_object_new_double_s(1.5, "2.5"), "1.5"},
                 {json_object_new_double_s(1.5, "one"), "1.5"},
                 {json_object_new_double(INFINITY), "json-c.number"},
                 {json_object_new_double(NAN), "json-c.number"},
                 {json_object_new_int64(G_MAXINT64), "9223372036854775807"},
                 {json_object_new_uint64(G_MAXUINT64), "18446744073709551615"},
                 {json_object_new_string_len("a\0\n", 3), "\"a\\u0000\\n\""},
                 {json_object_new_string_len("\xFF", 1), "json-c.utf8"},
                 {json_object_new_string_len("a\0\xFF", 3), "json-c.utf8"},
                 {json_tokener_parse("{\"a\":[1.10,{}]}"), "{\"a\":[1.10,{}]}"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = from_object(cases[i].object);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "\xC0", NULL);
    g_autofree char *code = from_object(object);
    CU_ASSERT_STRING_EQUAL(code, "json-c.utf8");
}

static void
depth_is_limited_both_ways(void)
{
    struct json_object *object = json_object_new_array();
    for (guint depth = 1; depth < 513; depth++) {
        struct json_object *outer = json_object_new_array();
        json_object_array_add(outer, object);
        object = outer;
    }
    g_autofree char *code = from_object(object);
    CU_ASSERT_STRING_EQUAL(code, "json-c.depth");

    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    document->root = ocp_make_array(document);
    for (guint depth = 1; depth < 513; depth++) {
        OcpBuilder build = ocp_build(document, ocp_make_array(document));
        ocp_build_element(&build, document->root);
        document->root = build.container;
    }
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(ocp_json_to_object(document, NULL, report, &object));
    CU_ASSERT(
        ocp_json_to_object(document, ocp_element(document->root, 0), report, &object));
    json_object_put(object);
}

/* What we write, json-c reads as what the bridge makes of it. */
static void
json_c_reads_our_output_as_we_hand_it_over(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/session-checkpoint/v2");
    if (folder == NULL)
        return;
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    guint same = 0;
    guint total = 0;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(paths->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = NULL;
        struct json_object *ours = NULL;
        if (!ocp_json_read(bytes, NULL, &limits, report, &document) ||
            !ocp_json_to_object(document, NULL, report, &ours))
            continue;
        g_autoptr(GString) text = g_string_new(NULL);
        ocp_json_write(document->root, false, text);
        struct json_tokener *tokener = json_tokener_new_ex(512); /* not its 32 */
        struct json_object *theirs =
            json_tokener_parse_ex(tokener, text->str, (int)text->len + 1);
        json_tokener_free(tokener);
        same += json_object_equal(ours, theirs) == 1;
        total++;
        json_object_put(ours);
        json_object_put(theirs);
    }
    ocp_test_count("json-c reads our output", same, total);
    CU_ASSERT(same == total && total > 60);
}

OCP_TEST_MAIN(
    "convert-json-bridge",
    {"values are there and back the same", values_are_there_and_back_the_same},
    {"json-c sees the values it can hold", json_c_sees_the_values_it_can_hold},
    {"what json-c cannot hold is an error", what_json_c_cannot_hold_is_an_error},
    {"json-c values become JSON", json_c_values_become_json},
    {"depth is limited both ways", depth_is_limited_both_ways},
    {"json-c reads our output as we hand it over",
     json_c_reads_our_output_as_we_hand_it_over})
