/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every property of a dialect has its place in the mapping, and every path of a mapping
 * leads somewhere.
 */
#include "mapping_case.h"

static CaseSchema model;

/* ---- the mappings that are embedded ---------------------------------------------- */

/* False if it says anything. */
static bool
cover_file(const char *name, OcpReport *report, guint *ret_fields)
{
    g_auto(CaseMapping) file = case_mapping(name, model.schema, report);
    if (file.mapping == NULL)
        return false;
    g_autoptr(OcpCoverage) coverage =
        ocp_coverage_new(file.mapping, file.schema.schema, model.schema, report);
    *ret_fields = ocp_coverage_fields(coverage)->len;
    return report->diagnostics->len == 0;
}

static void
every_embedded_mapping_covers_its_dialect(void)
{
    g_autofree char *folder = ocp_test_source("mappings");
    g_autoptr(GPtrArray) files = ocp_test_list(folder, ".yaml");
    guint covered = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autofree char *name = g_path_get_basename(files->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        guint fields = 0;
        bool ok = cover_file(name, report, &fields);
        g_autofree char *words = case_words(report);
        CU_ASSERT(ok);
        covered += ok ? 1 : 0;
        if (!ok)
            ocp_test_fail("%s:\n%s", name, words);
        else
            printf("  %s: %u properties\n", name, fields);
    }
    ocp_test_count("mappings that cover their dialect", covered, files->len);
}

/* ---- what it finds --------------------------------------------------------------- */

static const char toy_schema[] =
    "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
    " \"name\": {\"type\": \"string\"},"
    " \"done\": {\"type\": \"boolean\"},"
    " \"kind\": {\"enum\": [\"x\", \"y\"]},"
    " \"list\": {\"type\": \"array\", \"items\": {"
    "   \"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
    "     \"p\": {\"type\": \"string\"}, \"q\": {\"type\": [\"string\", \"null\"]}}}},"
    " \"free\": {\"type\": \"object\"}}}";

/* Sets everything aside, so that a case shows one thing: it is line 4. */
#define HEAD "mapping: 1\ndialect: toy\nschema: toy.json\n"
#define ASIDE HEAD "carry: ['$[*]']\n"

typedef struct {
    const char *name;
    const char *mapping;
    const char *words; /* all that is said: "line:column: words" lines */
} Case;

static const Case cases[] = {
    {"everything has its place",
     HEAD "read:\n  task:\n    title: =$.name\n    objective: \"{$.list[0].p}\"\n"
          "  extensions: {toy: '=$.free'}\nwrite:\n  done: =$.task.title == \"x\"\n"
          "omit: [{path: $.kind, reason: irrelevant}]\n"
          "carry: ['$.list[*].q']\n",
     ""},
    {"a property that nothing does anything with",
     HEAD "read:\n  task: {title: =$.name, status: '=if($.done == true, \"active\")'}\n"
          "  extensions: {toy: '=$.free'}\n  statements:\n"
          "    - {for: '=$.list[*]', text: =@.p}\n",
     "5:3: /kind is neither read, written, carried nor omitted\n"
     "5:3: /list/[*]/q is neither read, written, carried nor omitted"},
    {"a container is named once where nothing of it is used",
     HEAD "read: {}\ncarry: [$.name, $.kind, $.done, $.free]\n",
     "4:7: /list is neither read, written, carried nor omitted"},
    {"a name that nothing uses does not read",
     HEAD "read:\n  let: {names: =$.name}\ncarry: [$.list, $.kind, $.done, $.free]\n",
     "5:9: nothing uses the name $names\n"
     "5:3: /name is neither read, written, carried nor omitted"},
    {"what a name holds is read where it is used",
     ASIDE
     "read:\n  let:\n    rows:\n      - {for: '=$.list[*]', n: =index(@), src: =@}\n"
     "  statements:\n    - {for: '=$rows[*]', text: =@.src.p, id: \"{@.n}\"}\n"
     "    - {for: '=$rows[*]', text: =@.src.z}\n"
     "    - {for: '=$rows[*]', text: =@.z}\n",
     "11:33: this path leads nowhere: no member \"z\"; the dialect has none at "
     "/list/[*]: "
     "the schema does not allow it\n"
     "12:33: this path leads nowhere: no member \"z\"; the value made for this name "
     "has "
     "none"},
    {"a path that leads nowhere, wherever it stands",
     ASIDE "read:\n  task:\n    when: =present($.nam)\n    title: =first($.name.x)\n"
           "    objective: \"of {$.list.p}\"\n"
           "checks:\n  - {when: '=$.list[?@.r]', code: toy.a, say: no}\n"
           "sensitive: [$.name, $.nonce]\n",
     "7:20: this path leads nowhere: no member \"nam\"; the dialect has none at /: the "
     "schema does not allow it\n"
     "8:19: this path leads nowhere: no member \"x\"; the dialect has none at /name: "
     "the "
     "schema does not allow it\n"
     "9:17: this path leads nowhere: no member \"p\"; the dialect has none at /list: "
     "the "
     "schema does not allow it\n"
     "11:22: this path leads nowhere: no member \"r\"; the dialect has none at "
     "/list/[*]: the schema does not allow it\n"
     "12:21: this path leads nowhere: no member \"nonce\"; the dialect has none at /: "
     "the schema does not allow it"},
    {"an open place may hold anything",
     ASIDE "read:\n  task: {title: =$.free.a.b}\n  extensions: {x: '=$.free.a[0].c'}\n",
     ""},
    {"a boolean as a condition",
     ASIDE "read:\n  task: {when: =$.done, title: =$.name}\n"
           "  statements:\n    - {when: =$.name && not($.done), text: x}\n"
           "    - {when: =$.done == true || present($.done), text: x}\n",
     "6:17: this asks whether /done is there, and false is; write == true or "
     "present()\n"
     "8:29: this asks whether /done is there, and false is; write == true or "
     "present()"},
    {"a text that the schema does not allow",
     ASIDE
     "read:\n  task: {when: '=$.kind == \"z\" || $.kind != \"x\"', title: =$.name}\n"
     "write: {list: [{for: '=$.operations[?@.status == \"waiting\"]', p: =@.id}]}\n",
     "6:28: the schema does not allow \"z\" at /kind, so this decides nothing\n"
     "7:50: the schema does not allow \"waiting\" at /operations/[*]/status, so this "
     "decides nothing"},
    {"members that the target does not have",
     ASIDE "read:\n  task: {titel: =$.name}\n  extensions: {anything: goes}\n"
           "write:\n  nam: =$.task.title\n  list:\n    - {for: '=$.statements[*]', r: "
           "=@.text}\n"
           "  free: {anything: goes}\n  name: [x]\n",
     "6:10: the schema allows no member \"titel\" at /task\n"
     "9:3: the schema allows no member \"nam\" at /\n"
     "11:33: the schema allows no member \"r\" at /list/[*]\n"
     "13:9: the schema allows no list at /name"},
    {"paths of the model that lead nowhere",
     ASIDE
     "read: {}\nwrite:\n  name: =$.task.titel\n"
     "  free: {a: =by_id($.progress.focus.refs).locator.key, b: =by_id($.id).colour}\n",
     "7:10: this path leads nowhere: no member \"titel\"; OpenCheckpoint has none at "
     "/task: the schema does not allow it\n"
     "8:60: this path leads nowhere: no member \"colour\"; OpenCheckpoint has none at "
     "/task/success_criteria/[*]: the schema does not allow it"},
    {"a constant that the schema does not allow",
     ASIDE "read: {task: {status: done}}\nwrite: {kind: z, done: true}\n",
     "5:23: the schema does not allow this value at /task/status\n"
     "6:15: the schema does not allow this value at /kind"},
    {"an open place that is none", ASIDE "open: {at: $.rest, as: object}\nread: {}\n",
     "5:12: the schema does not allow the open place"},
    {"computed names and what they use",
     ASIDE
     "read:\n  extensions:\n    \"{$k}\": {for: '=$.list[*]', let: {k: =@.p}, v: "
     "=@.q}\nwrite:\n  free: {\"{@.id}\": {for: '=$.statements[*]', t: =@.text}}\n",
     ""},
};

static void
what_it_finds_is_located_and_named(void)
{
    g_autoptr(GBytes) schema_bytes = g_bytes_new_static(toy_schema, strlen(toy_schema));
    g_auto(CaseSchema) toy = case_schema_of(schema_bytes, "toy.json", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = NULL;
        g_autoptr(OcpMapping) mapping = NULL;
        g_autoptr(GBytes) bytes =
            g_bytes_new_static(cases[i].mapping, strlen(cases[i].mapping));
        bool clean = ocp_mapping_file_read(bytes, "toy.yaml", report, &document) &&
                     ocp_mapping_load(document, NULL, toy.schema, model.schema, report,
                                      &mapping) &&
                     ocp_mapping_coverage(mapping, toy.schema, model.schema, report);
        g_autoptr(GString) words = g_string_new(NULL);
        for (guint j = 0; j < report->diagnostics->len; j++) {
            const OcpDiagnostic *found = report->diagnostics->pdata[j];
            g_string_append_printf(words, "%s%u:%u: %s", j > 0 ? "\n" : "", found->line,
                                   found->column, found->message);
        }
        CU_ASSERT_EQUAL(clean, words->len == 0);
        CU_ASSERT_STRING_EQUAL(words->str, cases[i].words);
        if (strcmp(words->str, cases[i].words) != 0)
            ocp_test_fail("%s: expected\n%s\nfound\n%s", cases[i].name, cases[i].words,
                          words->str);
    }
}

/* A mapping that uses another one is not blamed for the other's paths. */
static void
rules_taken_over_are_checked_where_they_stand(void)
{
    static const char other[] = HEAD "read: {task: {title: '=$.outer.name'}}\n";
    static const char own[] = "mapping: 1\ndialect: toy\nuse: other\n"
                              "carry: ['$[*]']\nwrite: {name: =$.task.titel}\n";
    g_autoptr(GBytes) schema_bytes = g_bytes_new_static(toy_schema, strlen(toy_schema));
    g_auto(CaseSchema) toy = case_schema_of(schema_bytes, "toy.json", NULL);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) other_bytes = g_bytes_new_static(other, strlen(other));
    g_autoptr(GBytes) own_bytes = g_bytes_new_static(own, strlen(own));
    g_autoptr(OcpDocument) used = NULL;
    g_autoptr(OcpDocument) document = NULL;
    g_autoptr(OcpMapping) mapping = NULL;
    CU_ASSERT_FATAL(ocp_mapping_file_read(other_bytes, "other.yaml", report, &used));
    CU_ASSERT_FATAL(ocp_mapping_file_read(own_bytes, "own.yaml", report, &document));
    CU_ASSERT_FATAL(
        ocp_mapping_load(document, used, toy.schema, model.schema, report, &mapping));
    CU_ASSERT_FALSE(ocp_mapping_coverage(mapping, toy.schema, model.schema, report));
    CU_ASSERT_EQUAL(report->diagnostics->len, 1);
    CU_ASSERT_STRING_EQUAL(case_first(report)->file, "own.yaml");
    CU_ASSERT_EQUAL(case_first(report)->line, 5);
}

/* Sixty names, each twice the one before: 2^60 ways to the first. */
static void
values_that_share_parts_are_walked_once(void)
{
    g_autoptr(GString) text = g_string_new(ASIDE "read:\n  let:\n    a0: =$.name\n");
    for (guint i = 1; i < 60; i++)
        g_string_append_printf(text, "    a%u: {x: =$a%u, y: =$a%u}\n", i, i - 1,
                               i - 1);
    g_string_append(text, "  extensions: {all: =$a59, one: =$a59.x.y.x}\n");
    g_autoptr(GBytes) schema_bytes = g_bytes_new_static(toy_schema, strlen(toy_schema));
    g_auto(CaseSchema) toy = case_schema_of(schema_bytes, "toy.json", NULL);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) bytes = g_bytes_new(text->str, text->len);
    g_autoptr(OcpDocument) document = NULL;
    g_autoptr(OcpMapping) mapping = NULL;
    CU_ASSERT_FATAL(ocp_mapping_file_read(bytes, "toy.yaml", report, &document));
    CU_ASSERT_FATAL(
        ocp_mapping_load(document, NULL, toy.schema, model.schema, report, &mapping));
    CU_ASSERT(ocp_mapping_coverage(mapping, toy.schema, model.schema, report));
}

int
main(void)
{
    static const OcpTest tests[] = {
        {"every embedded mapping covers its dialect",
         every_embedded_mapping_covers_its_dialect},
        {"what it finds is located and named", what_it_finds_is_located_and_named},
        {"rules taken over are checked where they stand",
         rules_taken_over_are_checked_where_they_stand},
        {"values that share parts are walked once",
         values_that_share_parts_are_walked_once},
    };
    model = case_schema("opencheckpoint-0.1.schema.json");
    int code = ocp_test_main("mapping-coverage", tests, G_N_ELEMENTS(tests));
    case_schema_clear(&model);
    return code;
}
