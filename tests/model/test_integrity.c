/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include "model_case.h"

/* ---- the corpus ------------------------------------------------------------ */

static const OcpDiagnostic *
find_fault(const OcpReport *report, const char *rule, const char *pointer)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[i];
        if (strcmp(fault->code, rule) == 0 && g_strcmp0(fault->pointer, pointer) == 0)
            return fault;
    }
    return NULL;
}

/* One row of the table: the fault is found, located, and is the only one. */
static bool
row_holds(const char *folder, char **row)
{
    g_autofree char *path = g_build_filename(folder, row[0], NULL);
    g_autoptr(OcpDocument) document = read_file(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    bool good = ocp_model_check(document, document->root, report);
    const OcpDiagnostic *fault = find_fault(report, row[2], row[4]);
    bool is_error = strcmp(row[3], "error") == 0;
    bool holds = fault != NULL && fault->line > 0 && fault->column > 0 &&
                 strcmp(ocp_severity_name(fault->severity), row[3]) == 0 &&
                 good == !is_error && report->diagnostics->len == 1;
    g_autofree char *all = describe(report);
    if (!holds)
        ocp_test_fail("%s: expected %s at %s, found%s", row[0], row[2], row[4], all);
    return holds;
}

static void
each_corpus_document_breaks_its_one_rule(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples");
    if (folder == NULL)
        return;
    g_autofree char *table = g_build_filename(folder, "EXPECTED-INTEGRITY.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(table);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    g_autofree char *text = g_strndup(data, size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint passed = 0;
    guint total = 0;
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) row = g_strsplit(*line, "\t", -1);
        if (g_strv_length(row) != 5 || strcmp(row[1], "opencheckpoint") != 0)
            continue;
        total++;
        passed += row_holds(folder, row) ? 1 : 0;
    }
    CU_ASSERT(total > 30);
    CU_ASSERT_EQUAL(passed, total);
    ocp_test_count("opencheckpoint integrity", passed, total);
}

static void
valid_documents_of_the_corpus_have_no_errors(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples/opencheckpoint/valid");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    CU_ASSERT(paths->len > 0);
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(OcpDocument) document = read_file(paths->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        bool good = ocp_model_check(document, document->root, report);
        g_autofree char *all = describe(report);
        if (!good)
            ocp_test_fail("%s:%s", (char *)paths->pdata[i], all);
    }
    CU_PASS("looked at all");
}

/* Whatever a hostile file holds, the check ends and says what it found. */
static void
invalid_documents_of_the_corpus_are_checked_too(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples/opencheckpoint/invalid");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(OcpDocument) document = read_file(paths->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        bool good = ocp_model_check(document, document->root, report);
        CU_ASSERT_EQUAL(good, !ocp_report_has_errors(report));
    }
}

/* ---- rules, one by one ----------------------------------------------------- */

static void
ids_are_unique_over_all_objects(void)
{
    static const Case cases[] = {
        {"", ""},
        {"\"statements\": [{\"id\": \"a\", " OBSERVATION "}],"
         " \"resources\": [{\"id\": \"b\", " RESOURCE "}, {\"id\": \"a\", " RESOURCE
         "}]",
         "I01 /resources/1/id"},
        {"\"progress\": {\"completed\": [{\"id\": \"d\", \"description\": \"d\"}],"
         " \"next\": [{\"id\": \"d\", \"description\": \"d\"},"
         " {\"id\": \"\\u0064\", \"description\": \"d\"}]}",
         "I01 /progress/next/0/id; I01 /progress/next/1/id"},
        {"\"derivation\": {\"method\": \"compacted\","
         " \"inputs\": [{\"checkpoint\": \"x\"}, {\"checkpoint\": \"" UUID "\"}]}",
         "I16 /derivation/inputs/1/checkpoint"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
references_resolve_to_the_kinds_they_may_name(void)
{
    static const Case cases[] = {
        {"\"progress\": {\"focus\": {\"description\": \"d\", \"refs\": [\"a\", "
         "\"b\"]}},"
         " \"statements\": [{\"id\": \"b\", " OBSERVATION "}]",
         "I02 /progress/focus/refs/0"},
        {"\"statements\": [{\"id\": \"b\", " OBSERVATION ", \"superseded_by\": \"z\"}]",
         "I02 /statements/0/superseded_by"},
        {"\"derivation\": {\"method\": \"captured\", \"omissions\": [{\"description\":"
         " \"d\", \"reason\": \"size\", \"recoverable_from\": \"b\"}]},"
         " \"statements\": [{\"id\": \"b\", " OBSERVATION "}]",
         "I14 /derivation/omissions/0/recoverable_from"},
        {"\"derivation\": {\"method\": \"captured\", \"omissions\": [{\"description\":"
         " \"d\", \"reason\": \"size\", \"recoverable_from\": \"z\"}]}",
         "I02 /derivation/omissions/0/recoverable_from"},
        {"\"derivation\": {\"method\": \"captured\", \"omissions\": [{\"description\":"
         " \"d\", \"reason\": \"size\", \"recoverable_from\": \"s-1\"}],"
         " \"inputs\": [{\"session\": {\"protocol\": \"mcp\", \"id\": \"s-1\"}}]}",
         ""},
        {"\"operations\": [{\"id\": \"o\", " ACTION ", \"status\": \"planned\","
         " \"record\": \"o\"}]",
         "I08 /operations/0/record"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
circles_are_told_once(void)
{
    static const Case cases[] = {
        {"\"statements\": ["
         "{\"id\": \"a\", " OBSERVATION ", \"superseded_by\": \"b\"},"
         "{\"id\": \"b\", " OBSERVATION ", \"superseded_by\": \"c\"},"
         "{\"id\": \"c\", " OBSERVATION ", \"superseded_by\": \"b\"}]",
         "I04 /statements/1/superseded_by"},
        {"\"statements\": [{\"id\": \"a\", " OBSERVATION ", \"superseded_by\": \"a\"}]",
         "I04 /statements/0/superseded_by"},
        {"\"operations\": ["
         "{\"id\": \"a\", " ACTION ", \"depends_on\": [\"d\", \"c\"]},"
         "{\"id\": \"b\", " ACTION ", \"depends_on\": [\"a\", \"c\"]},"
         "{\"id\": \"c\", " ACTION ", \"depends_on\": [\"d\", \"b\"]},"
         "{\"id\": \"d\", " ACTION "}]",
         "I15 /operations/0/depends_on/1"},
        {"\"operations\": ["
         "{\"id\": \"a\", " ACTION ", \"depends_on\": [\"b\", \"c\"]},"
         "{\"id\": \"b\", " ACTION ", \"depends_on\": [\"c\"]},"
         "{\"id\": \"c\", " ACTION "}]",
         ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
a_circle_is_spelled_out(void)
{
    g_autoptr(OcpReport) report =
        check_members("\"operations\": ["
                      "{\"id\": \"a\", " ACTION ", \"depends_on\": [\"b\"]},"
                      "{\"id\": \"b\", " ACTION ", \"depends_on\": [\"a\"]}]");
    const OcpDiagnostic *fault = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(fault->message,
                           "operations depend on each other in a circle: "
                           "\"a\" → \"b\" → \"a\"");
}

#define HEX8 "0123abcd"
#define HEX64 HEX8 HEX8 HEX8 HEX8 HEX8 HEX8 HEX8 HEX8

static void
digests_have_the_length_of_their_algorithm(void)
{
    static const Case cases[] = {
        {"\"parent\": {\"id\": \"p\", \"digest\": {\"algorithm\": \"sha-256\","
         " \"value\": \"" HEX64 "\"}}",
         ""},
        {"\"parent\": {\"id\": \"p\", \"digest\": {\"algorithm\": \"sha-512\","
         " \"value\": \"" HEX64 "\"}}",
         "I17 /parent/digest/value"},
        {"\"resources\": [{\"id\": \"r\", " RESOURCE ", \"digest\": {\"algorithm\":"
         " \"sha-256\", \"value\": \"abc\"}}]",
         "I17 /resources/0/digest/value"},
        {"\"resources\": [{\"id\": \"r\", " RESOURCE ", \"digest\": {\"algorithm\":"
         " \"sha-256-32\", \"value\": \"" HEX8 "\"}}]",
         ""},
        {"\"resources\": [{\"id\": \"r\", " RESOURCE ", \"digest\": {\"algorithm\":"
         " \"sha-1\", \"value\": \"abc\"}}]",
         "W17 /resources/0/digest/algorithm"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
extensions_that_are_required_are_there(void)
{
#define REQUIRES(name)                                                                 \
    "\"continuation\": {\"requirements\": [{\"id\": \"q\", \"kind\": \"extension\","   \
    " \"necessity\": \"required\", \"name\": \"" name "\"}]}"
    static const Case cases[] = {
        {REQUIRES("com.example/x.y/z"), "W11 /continuation/requirements/0/name"},
        {REQUIRES("com.example") ", \"extensions\": {\"com.example\": null}", ""},
        {REQUIRES("com.example") ", \"operations\": [{\"id\": \"o\", " ACTION
                                 ", \"extensions\": {\"com.example\": 1}}]",
         ""},
        {REQUIRES("example"), "I18 /continuation/requirements/0/name"},
        {REQUIRES("com.-example"), "I18 /continuation/requirements/0/name"},
        {REQUIRES("com.example/"), "I18 /continuation/requirements/0/name"},
        {REQUIRES("com..example"), "I18 /continuation/requirements/0/name"},
        {REQUIRES("com.Example"), "I18 /continuation/requirements/0/name"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
times_are_in_order(void)
{
#define DONE(id, time)                                                                 \
    "{\"id\": \"" id "\", \"description\": \"d\", \"completed_at\": \"" time "\"}"
#define EXPIRES(status)                                                                \
    "\"operations\": [{\"id\": \"o\", " ACTION ", \"status\": \"" status               \
    "\", \"expires_at\": \"2026-10-01T11:29:59+02:00\"}]"
    static const Case cases[] = {
        {"\"progress\": {\"completed\": [" DONE("a", "2026-09-01T00:00:00Z") "," DONE(
             "b", "2026-09-01T01:00:00+01:00") "," DONE("c", "not a time") "]}",
         ""},
        {"\"progress\": {\"completed\": [" DONE("a", "2026-09-02T00:00:00Z") "," DONE(
             "b", "2026-09-01T00:00:00Z") "," DONE("c", "2026-09-01T12:00:00Z") "]}",
         "W02 /progress/completed/1/completed_at"},
        {"\"operations\": [{\"id\": \"o\", \"kind\": \"approval\", \"description\":"
         " \"d\", \"status\": \"rejected\", \"requested_at\": \"2026-10-01T09:30:00Z\","
         " \"approval\": {\"decided_at\": \"2026-10-01T09:30:00.001Z\"}}]",
         "W03 /operations/0/approval/decided_at"},
        {EXPIRES("awaiting"), "W24 /operations/0/expires_at"},
        {EXPIRES("planned"), "W24 /operations/0/expires_at"},
        {EXPIRES("uncertain"), ""},
        {EXPIRES("failed"), ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
statements_claim_no_more_than_they_show(void)
{
#define SAYS(more) "\"statements\": [{\"id\": \"s\", \"text\": \"t\", " more "}]"
    static const Case cases[] = {
        {SAYS("\"kind\": \"observation\", \"verification\": {\"state\": \"verified\"}"),
         "W06 /statements/0/verification/state"},
        {SAYS("\"kind\": \"observation\", \"evidence\": [],"
              " \"verification\": {\"state\": \"verified\"}"),
         "W06 /statements/0/verification/state"},
        {SAYS(
             "\"kind\": \"observation\","
             " \"verification\": {\"state\": \"verified\", \"method\": \"make test\"}"),
         ""},
        {SAYS("\"kind\": \"observation\", \"evidence\": [\"r\"],"
              " \"verification\": {\"state\": \"verified\"}") ", \"resources\": "
                                                              "[{\"id\":"
                                                              " \"r\", " RESOURCE "}]",
         ""},
        {SAYS("\"kind\": \"observation\", \"verification\": {\"state\": \"stale\"}"),
         ""},
        {SAYS("\"kind\": \"decision\", \"rationale\": \"why\""), ""},
        {SAYS("\"kind\": \"decision\", \"rationale\": \"why\", \"resolution\": \"r\""),
         "W05 /statements/0/resolution"},
        {SAYS("\"kind\": \"question\", \"resolution\": \"r\""), ""},
        {SAYS("\"kind\": \"instruction\", \"origin\": {\"name\": \"+49 30 1234567\"}"),
         "W21 /statements/0/origin/name"},
        {SAYS("\"kind\": \"instruction\", \"origin\": {\"name\": \"<j@example.org>\"}"),
         "W21 /statements/0/origin/name"},
        {SAYS("\"kind\": \"external\", \"origin\": {\"name\": \"agent@2.0\"}"), ""},
        {SAYS("\"kind\": \"external\", \"origin\": {\"name\": \"@scope/tool.js\"}"),
         ""},
        {SAYS("\"kind\": \"external\", \"origin\": {\"name\": \"2026-10-01\"}"), ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
operations_are_safe_to_go_on_with(void)
{
#define DOES(more) "\"operations\": [{\"id\": \"o\", " ACTION ", " more "}]"
#define TOOL(name) DOES("\"status\": \"planned\", \"call\": {\"tool\": \"" name "\"}")
    static const Case cases[] = {
        {TOOL("mcp__github__create_issue"), "W13 /operations/0/call/tool"},
        {TOOL("create_issue"), ""},
        {TOOL("mcp__x"), ""},
        {TOOL("mcp____x"), ""},
        {TOOL("server__tool"), ""},
        {DOES("\"status\": \"failed\", \"effect\": \"non_idempotent\", \"resume\":"
              " \"retry\""),
         "W23 /operations/0/resume"},
        {DOES("\"status\": \"failed\", \"resume\": \"retry\""),
         "W23 /operations/0/resume"},
        {DOES("\"status\": \"failed\", \"effect\": \"idempotent\", \"resume\":"
              " \"retry\""),
         ""},
        {DOES("\"status\": \"failed\", \"effect\": \"non_idempotent\", \"resume\":"
              " \"ask\""),
         ""},
        {DOES("\"status\": \"cancelled\""), "W04 /operations/0/status"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
an_until_can_be_reached(void)
{
#define UNTIL(kind, status, wanted)                                                    \
    "\"operations\": [{\"id\": \"o\", \"kind\": \"" kind                               \
    "\", \"description\": \"d\", \"status\": \"" status                                \
    "\"}], \"continuation\": {\"stop_conditions\": [{\"id\": \"x\", \"description\":"  \
    " \"d\", \"until\": [{\"operation\": \"o\", \"status\": \"" wanted "\"}]}]}"
    static const Case cases[] = {
        {UNTIL("approval", "awaiting", "approved"), ""},
        {UNTIL("approval", "rejected", "approved"),
         "W12 /continuation/stop_conditions/0/until/0/status"},
        {UNTIL("approval", "approved", "approved"), ""},
        {UNTIL("action", "uncertain", "completed"), ""},
        {UNTIL("wait", "planned", "rejected"),
         "W12 /continuation/stop_conditions/0/until/0/status"},
        {UNTIL("action", "failed", "completed"), ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
sessions_name_a_protocol_others_know(void)
{
#define SPEAKS(protocol)                                                               \
    "\"derivation\": {\"method\": \"captured\", \"inputs\": [{\"session\": {\"id\":"   \
    " \"i\", \"protocol\": \"" protocol "\"}}]}"
    static const Case cases[] = {
        {SPEAKS("a2a"), ""},
        {SPEAKS("acp"), ""},
        {SPEAKS("mcp"), ""},
        {SPEAKS("open-responses"), ""},
        {SPEAKS("local.example"), ""},
        {SPEAKS("com.example.team/lab"), ""},
        {SPEAKS("chat"), "W14 /derivation/inputs/0/session/protocol"},
        {SPEAKS("."), "W14 /derivation/inputs/0/session/protocol"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
the_whole_agrees_with_itself(void)
{
    static const Case cases[] = {
        {"\"derivation\": {\"method\": \"merged\", \"inputs\": [{\"checkpoint\": "
         "\"a\"}]}",
         "W16 /derivation/method"},
        {"\"derivation\": {\"method\": \"merged\", \"inputs\": [{\"checkpoint\": "
         "\"a\"},"
         " {\"checkpoint\": \"b\"}]}",
         ""},
        {"\"derivation\": {\"method\": \"forked\"}, \"parent\": {\"id\": \"p\"}", ""},
        {"\"application_context\": [{\"id\": \"a\", \"application\": {\"name\": \"n\"},"
         " \"state\": {}}]",
         ""},
        {"\"resources\": [{\"id\": \"r\", " RESOURCE "}, {\"id\": \"r2\", \"kind\":"
         " \"file\", \"uri\": \"data:,short\"}]",
         ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void
a_call_is_repeated_if_it_includes_every_recorded_argument(void)
{
#define TWO(effect, recorded, planned)                                                 \
    "\"operations\": [{\"id\": \"p\", " ACTION ", \"status\": \"planned\", \"call\":"  \
    " {\"tool\": \"pay\"" planned "}}, {\"id\": \"u\", " ACTION                        \
    ", \"status\": \"uncertain\"" effect ", \"call\": {\"tool\": \"pay\"" recorded     \
    "}}]"
#define ARGS(members) ", \"arguments\": {" members "}"
    static const Case cases[] = {
        {TWO("", "", ""), "W20 /operations/0/call"},
        {TWO("", "", ARGS("\"a\": 1")), "W20 /operations/0/call"},
        {TWO("", ARGS("\"a\": 1"), ""), ""},
        {TWO("", ARGS("\"a\": 1, \"b\": [2]"),
             ARGS("\"b\": [2.0], \"c\": 3, \"a\": 10e-1")),
         "W20 /operations/0/call"},
        {TWO("", ARGS("\"a\": 1, \"b\": 2"), ARGS("\"a\": 1, \"b\": 3")), ""},
        {TWO(", \"effect\": \"unknown\"", "", ""), "W20 /operations/0/call"},
        {TWO(", \"effect\": \"none\"", "", ""), ""},
        {TWO(", \"effect\": \"idempotent\"", "", ""), ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

OCP_TEST_MAIN("model-integrity",
              {"each corpus document breaks its one rule",
               each_corpus_document_breaks_its_one_rule},
              {"valid documents of the corpus have no errors",
               valid_documents_of_the_corpus_have_no_errors},
              {"invalid documents of the corpus are checked too",
               invalid_documents_of_the_corpus_are_checked_too},
              {"ids are unique over all objects", ids_are_unique_over_all_objects},
              {"references resolve to the kinds they may name",
               references_resolve_to_the_kinds_they_may_name},
              {"circles are told once", circles_are_told_once},
              {"a circle is spelled out", a_circle_is_spelled_out},
              {"digests have the length of their algorithm",
               digests_have_the_length_of_their_algorithm},
              {"extensions that are required are there",
               extensions_that_are_required_are_there},
              {"times are in order", times_are_in_order},
              {"statements claim no more than they show",
               statements_claim_no_more_than_they_show},
              {"operations are safe to go on with", operations_are_safe_to_go_on_with},
              {"an until can be reached", an_until_can_be_reached},
              {"sessions name a protocol others know",
               sessions_name_a_protocol_others_know},
              {"the whole agrees with itself", the_whole_agrees_with_itself},
              {"a call is repeated if it includes every recorded argument",
               a_call_is_repeated_if_it_includes_every_recorded_argument})
