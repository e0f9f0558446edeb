/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What somebody who writes a mapping file is told about a mistake: where it is, to the
 * line and column, and what to do.
 */
#include "mapping_case.h"

/* Lines 1 to 3 of every file of the table. */
#define HEAD "mapping: 1\ndialect: toy\nschema: toy.json\n"

typedef struct {
    const char *name;
    const char *body; /* from line 4 on */
    const char *code;
    guint line, column;
    const char *message; /* what the message holds */
    const char *hint;    /* what the hint holds, or NULL */
} Mistake;

static const Mistake mistakes[] = {
    /* The file. */
    {"an unknown member", "titel: Toy\n", "mapping.file", 4, 1,
     "unknown member \"titel\"", "title"},
    {"a member of the wrong kind", "tables: [a, b]\n", "mapping.file", 4, 9, "object",
     NULL},
    {"a YAML version without quotes", "yaml: 1.1\n", "mapping.file", 4, 7, "1.1", NULL},
    {"an open place that is no path of names", "open: {at: $.a*, as: object}\n",
     "mapping.file", 4, 12, "", NULL},
    {"an open place without as", "open: {at: $.a}\n", "mapping.file", 4, 7, "as", NULL},
    {"an open place of an unknown kind", "open: {at: $.a, as: text}\n", "mapping.file",
     4, 21, "json-string", NULL},
    {"a kind that detect does not know", "detect: {types: {a: text}}\n", "mapping.file",
     4, 21, "", NULL},
    {"an omission without a reason", "omit: [$.a]\n", "mapping.file", 4, 8, "object",
     NULL},
    {"an omission for a reason of its own", "omit: [{path: $.a, reason: ugly}]\n",
     "mapping.file", 4, 28, "irrelevant", NULL},
    {"a check without a code", "checks:\n  - {when: =$.a, say: no}\n", "mapping.file",
     5, 5, "code", NULL},
    {"a severity there is not",
     "checks:\n  - {when: =$.a, code: toy.a, severity: fatal, say: no}\n",
     "mapping.file", 5, 41, "warning", NULL},
    {"a table that is a word", "tables:\n  a: b\n", "mapping.file", 5, 6, "object",
     NULL},
    {"a copy to nowhere", "copies: [{of: $.a}]\n", "mapping.file", 4, 10, "at", NULL},
    {"a path that is none", "carry: [a.b]\n", "mapping.file", 4, 9, "", NULL},
    {"two documents", "---\nmapping: 1\n", "mapping.file", 5, 1, "one document", NULL},
    {"the same member twice", "title: a\ntitle: b\n", "yaml.duplicate-key", 5, 1, "",
     NULL},
    /* Templates. */
    {"a template that is a text", "read: $.a\n", "mapping.file", 4, 7, "object", NULL},
    {"a loop without a sequence", "read:\n  a:\n    - for: 1\n", "mapping.file", 6, 12,
     "string", NULL},
    {"a loop over nothing", "read:\n  a:\n    - for: {}\n", "mapping.file", 6, 12, "",
     NULL},
    {"names that are a list", "read:\n  let: [a]\n", "mapping.file", 5, 8, "object",
     NULL},
    {"a made value beside members",
     "read:\n  a:\n    - for: =$.a\n      make: =@\n      b: 1\n", "mapping.file", 8, 7,
     "", NULL},
    {"a lone closing brace", "read:\n  a: \"x {$.a} y}\"\n", "mapping.template", 5, 16,
     "lone }", NULL},
    {"a lone opening brace", "read:\n  a: \"x {$.a\"\n", "mapping.template", 5, 9,
     "without its }", NULL},
    /* Expressions. */
    {"an expression that breaks off", "read:\n  a: =$.a ==\n", "mapping.expression", 5,
     13, "", NULL},
    {"an expression in a text", "read:\n  a: \"from {$.a.} on\"\n",
     "mapping.expression", 5, 17, "", NULL},
    {"an expression in quotes", "read:\n  a: '=first($.it''s'\n", "mapping.expression",
     5, 18, "", NULL},
    {"an expression over several lines",
     "read:\n  a: =if($.a == 1,\n      2,\n      $nothing)\n", "mapping.expression", 7,
     7, "no name $nothing", NULL},
    {"an expression with an anchor", "read:\n  a: &one =$none\n", "mapping.expression",
     5, 12, "no name $none", NULL},
    {"an unknown name", "read:\n  let: {items: =$.a}\n  a: =$itmes\n",
     "mapping.expression", 6, 7, "no name $itmes", "items"},
    {"a name of another object", "read:\n  a: {let: {x: =$.a}, b: =$x}\n  c: =$x\n",
     "mapping.expression", 6, 7, "no name $x", NULL},
    {"an unknown function", "read:\n  a: =frist($.a)\n", "mapping.expression", 5, 7,
     "no function frist()", "first"},
    {"an unknown table",
     "tables:\n  states: {a: b}\nread:\n  a: =lookup(\"state\", $.a)\n",
     "mapping.expression", 7, 14, "no table \"state\"", "states"},
    {"a list where a map is wanted",
     "tables:\n  states: [a]\nread:\n  a: =lookup(\"states\", $.a)\n",
     "mapping.expression", 7, 14, "is a list", NULL},
    {"too few arguments", "read:\n  a: =lower()\n", "mapping.expression", 5, 7,
     "1 argument", NULL},
    {"a condition where a value is wanted", "read:\n  a: {b: '=lower($.a == 1)'}\n",
     "mapping.expression", 5, 22, "condition", "if("},
    {"a value where a condition is wanted", "read:\n  a: {when: =count($.a), b: 1}\n",
     "mapping.expression", 5, 14, "must be compared", NULL},
    {"a literal for a condition", "read:\n  a: {when: =1, b: 1}\n",
     "mapping.expression", 5, 14, "literal", NULL},
    {"a sequence for a condition",
     "read:\n  let: {all: '=$.a[*]'}\n  a: {when: =$all, b: 1}\n", "mapping.expression",
     6, 14, "sequence", "[0]"},
    {"a regular expression that is none", "read:\n  a: =capture($.a, \"(\", 1)\n",
     "mapping.expression", 5, 20, "regular expression", NULL},
    {"a path of carry that is wrong", "carry: [$.a, \"$.b[\"]\n", "mapping.expression",
     4, 19, "expected a selector", NULL},
    /* Expressions without quotes. */
    {"a flow collection that cuts a call", "read:\n  a: {b: =first($.a, $.b)}\n",
     "mapping.expression", 5, 20, "", "quote the expression"},
    {"a flow collection that a bracket breaks", "read:\n  a: {b: =$.a[0]}\n",
     "yaml.syntax", 5, 14, "", "quote the expression"},
    {"a colon and a blank", "read:\n  a: =first($.a, \"none: x\")\n", "yaml.syntax", 5,
     23, "", "quote the expression"},
    {"a comment that is none", "read:\n  a: =first($.a, \"no #\")\n",
     "mapping.expression", 5, 18, "", "quote the expression"},
};

static CaseSchema grammar, toy, model;

static const char toy_schema[] =
    "{\"type\": \"object\", \"properties\": {\"a\": {}, \"b\": {}}}";

static bool
load(const char *text, OcpReport *report)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpDocument) document = NULL;
    g_autoptr(OcpMapping) mapping = NULL;
    return ocp_mapping_file_read(bytes, "toy.yaml", report, &document) &&
           ocp_mapping_file_check(document, grammar.schema, report) &&
           ocp_mapping_load(document, NULL, toy.schema, model.schema, report, &mapping);
}

static void
every_mistake_is_located_and_named(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(mistakes); i++) {
        const Mistake *mistake = &mistakes[i];
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autofree char *text = g_strconcat(HEAD, mistake->body, NULL);
        if (load(text, report)) {
            ocp_test_fail("%s: nothing was said", mistake->name);
            continue;
        }
        const OcpDiagnostic *found = case_first(report);
        bool right = strcmp(found->code, mistake->code) == 0 &&
                     found->line == mistake->line && found->column == mistake->column &&
                     strstr(found->message, mistake->message) != NULL &&
                     (mistake->hint == NULL ||
                      (found->hint != NULL && strstr(found->hint, mistake->hint)));
        g_autofree char *words = case_words(report);
        CU_ASSERT(right);
        CU_ASSERT_STRING_EQUAL(found->file, "toy.yaml");
        if (!right)
            ocp_test_fail("%s: expected %u:%u: %s: %s (%s), found %s", mistake->name,
                          mistake->line, mistake->column, mistake->code,
                          mistake->message, mistake->hint, words);
    }
}

static void
a_mapping_without_its_head_is_refused(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(load("mapping: 1\ndialect: toy\n", report));
    CU_ASSERT_PTR_NOT_NULL(strstr(case_first(report)->message, "schema"));
    CU_ASSERT_EQUAL(case_first(report)->line, 1);
    g_autoptr(OcpReport) second = ocp_report_new();
    CU_ASSERT_FALSE(load("mapping: 2\ndialect: toy\nschema: toy.json\n", second));
    CU_ASSERT_EQUAL(case_first(second)->line, 1);
    CU_ASSERT_EQUAL(case_first(second)->column, 10);
    g_autoptr(OcpReport) third = ocp_report_new();
    CU_ASSERT_FALSE(load("just a text", third));
    CU_ASSERT_STRING_EQUAL(case_first(third)->code, "mapping.file");
}

static void
what_the_language_allows_is_let_through(void)
{
    static const char text[] =
        HEAD "title: 'Toy: all of it'\nkey: toy\npreferred: true\nyaml: \"1.1\"\n"
             "detect: {required: [a], any: [a, b], equal: {a: [1, 2]}, not: {b: 0},\n"
             "  types: {a: number}}\n"
             "capture: {needles: [a]}\nopen: {at: $.b, as: object}\n"
             "tables: {map: {a: b}, list: [a]}\n"
             "read:\n  let: {all: [{for: '=$.a[*]', x: =@}]}\n"
             "  task: {why: because, objective: \"{{{$.a}}}\", \\when: 1}\n"
             "  extensions: {'{@}': {for: '=$.b[*]', \\for: =@}}\n"
             "  statements:\n    - for: {x: '=$all[*]', y: '=$x.x[*]'}\n"
             "      when: =$x.x\n      make: =$y\n"
             "write: {a: =$.task.objective}\nfinish: {b: =digest($.a)}\n"
             "checks:\n  - {for: '=$.a[*]', let: {z: =@.x}, when: =$z, at: =@, code: "
             "toy.x,\n"
             "     severity: warning, say: 'no {$z}'}\n"
             "copies: [{of: $.a, at: $.b}]\n"
             "sensitive: [$.a.b, {path: $.a.c, instead: x, why: secret}]\n"
             "omit: [{path: $.a.d, reason: size}]\n"
             "carry: [$.a.e, {path: $.a.f, why: nothing to say}]\n";
    g_autoptr(OcpReport) report = ocp_report_new();
    bool ok = load(text, report);
    g_autofree char *words = case_words(report);
    if (!ok)
        ocp_test_fail("%s", words);
    CU_ASSERT_STRING_EQUAL(words, "");
}

/* A mapping is YAML, and so it may be JSON, with its escapes. */
static void
a_mapping_may_be_json(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT(
        load("{\"mapping\": 1, \"dialect\": \"toy\", \"schema\": \"toy.json\",\n"
             " \"read\": {\"task\": {\"objective\": \"=first($.a, \\\"x\\\")\"}}}",
             report));
    g_autoptr(OcpReport) bad = ocp_report_new();
    CU_ASSERT_FALSE(
        load("{\"mapping\": 1, \"dialect\": \"toy\", \"schema\": \"toy.json\",\n"
             " \"read\": {\"task\": {\"objective\": \"=first(\\\"x\\\", $no)\"}}}",
             bad));
    CU_ASSERT_EQUAL(case_first(bad)->line, 2);
    CU_ASSERT_EQUAL(case_first(bad)->column, 48);
}

/* Every mapping file that is embedded keeps to the grammar; it is not asked again. */
static void
embedded_mappings_keep_to_the_grammar(void)
{
    g_autofree char *folder = ocp_test_source("mappings");
    g_autoptr(GPtrArray) files = ocp_test_list(folder, ".yaml");
    CU_ASSERT(files->len >= 2);
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = NULL;
        bool ok = ocp_mapping_file_read(bytes, files->pdata[i], report, &document) &&
                  ocp_mapping_file_check(document, grammar.schema, report);
        g_autofree char *words = case_words(report);
        CU_ASSERT(ok);
        if (!ok)
            ocp_test_fail("%s: %s", (const char *)files->pdata[i], words);
    }
}

int
main(void)
{
    static const OcpTest tests[] = {
        {"every mistake is located and named", every_mistake_is_located_and_named},
        {"a mapping without its head is refused",
         a_mapping_without_its_head_is_refused},
        {"what the language allows is let through",
         what_the_language_allows_is_let_through},
        {"a mapping may be JSON", a_mapping_may_be_json},
        {"embedded mappings keep to the grammar",
         embedded_mappings_keep_to_the_grammar},
    };
    g_autoptr(GBytes) bytes = g_bytes_new_static(toy_schema, strlen(toy_schema));
    grammar = case_schema("mapping.schema.json");
    model = case_schema("opencheckpoint-0.1.schema.json");
    toy = case_schema_of(bytes, "toy.json", NULL);
    int code = ocp_test_main("mapping-mapping-load", tests, G_N_ELEMENTS(tests));
    case_schema_clear(&grammar);
    case_schema_clear(&model);
    case_schema_clear(&toy);
    return code;
}
