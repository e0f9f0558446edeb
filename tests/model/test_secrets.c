/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of what was written to do harm: secrets, floods, depth.
 */
#include "model_case.h"

/* ---- secrets --------------------------------------------------------------- */

static void
secrets_in_calls_and_resolvers_are_told_but_not_shown(void)
{
#define CALL(arguments)                                                                \
    "\"operations\": [{\"id\": \"o\", " ACTION ", \"status\": \"planned\", \"call\":"  \
    " {\"tool\": \"t\", \"arguments\": " arguments "}}]"
    static const Case cases[] = {
        {CALL("{\"h\": [{\"Authorization\": \"Bearer zq81-SECRET-0001\"}]}"),
         "I19 /operations/0/call/arguments/h/0/Authorization"},
        {CALL("{\"u\": \"https://me:zq81-SECRET@example.org\", \"v\": 1}"),
         "I19 /operations/0/call/arguments/u"},
        {CALL("{\"ghp_zq81SECRETzq81SECRET\": 1}"), "I19 /operations/0/call/arguments"},
        {CALL("{\"db\": {\"password\": \"zq81-SECRET\"}}"),
         "W19 /operations/0/call/arguments/db/password"},
        {CALL("{\"apiKey\": \"\\u007aq81-SECRET\"}"),
         "W19 /operations/0/call/arguments/apiKey"},
        {CALL("{\"password\": \"[omitted]\", \"token\": \"${TOKEN}\", \"secret\": null,"
              " \"passwd\": \"\", \"max_tokens\": 100, \"next_page_token\": \"abc\"}"),
         ""},
        {CALL("{\"sha\": "
              "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0"
              "8\", \"remote\": \"git@example.org:team/repo.git\"}"),
         ""},
        {"\"resources\": [{\"id\": \"r\", " RESOURCE ", \"resolver\": {\"protocol\":"
         " \"https\", \"hint\": {\"header\": \"Bearer zq81-SECRET-0001\"}}}]",
         "I19 /resources/0/resolver/hint/header"},
        {"\"statements\": [{\"id\": \"s\", \"kind\": \"observation\","
         " \"text\": \"AKIAIOSFODNN7EXAMPLE\"}]",
         ""},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpReport) report = check_members(cases[i].members);
        for (guint k = 0; k < report->diagnostics->len; k++) {
            const OcpDiagnostic *fault = report->diagnostics->pdata[k];
            g_autofree char *all =
                g_strconcat(fault->message, fault->pointer, "|", fault->excerpt, NULL);
            CU_ASSERT_PTR_NULL(strstr(all, "SECRET"));
            CU_ASSERT_PTR_NULL(fault->found);
            CU_ASSERT_PTR_NULL(fault->excerpt);
        }
    }
}

static void
another_fault_on_the_line_of_a_secret_shows_no_line(void)
{
    g_autoptr(OcpReport) report = check_members(
        "\"operations\": [{\"id\": \"o\", " ACTION
        ", \"status\": \"cancelled\", \"call\": {\"tool\": \"t\","
        " \"arguments\": {\"password\": \"zq81\"}}}],\n\n\n"
        "\"statements\": [{\"id\": \"s\",\n \"kind\":\n \"external\",\n"
        "\"text\": \"a long text that keeps what follows far from the secret"
        " above, two hundred bytes at least, so that the line of another fault"
        " can be shown with a caret although there is a secret in the file"
        " somewhere else\",\n"
        "                     \"evidence\": [\"nope\"]}]");
    CU_ASSERT_EQUAL(report->diagnostics->len, 3);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[i];
        bool is_far = strcmp(fault->code, "OC-I02") == 0;
        CU_ASSERT_EQUAL(fault->excerpt != NULL, is_far);
    }
}

/* ---- size and depth -------------------------------------------------------- */

static void
a_flood_of_faults_is_cut_with_a_note(void)
{
    g_autoptr(GString) members =
        g_string_new("\"progress\": {\"focus\": {\"description\":"
                     " \"d\", \"refs\": [\"x\"");
    for (int i = 0; i < 20000; i++)
        g_string_append(members, ", \"y\"");
    g_string_append(members, "]}}");
    g_autoptr(OcpReport) report = check_members(members->str);
    CU_ASSERT_EQUAL(report->counts[OCP_ERROR], 50);
    const OcpDiagnostic *last =
        report->diagnostics->pdata[report->diagnostics->len - 1];
    CU_ASSERT_STRING_EQUAL(last->code, "integrity.more");
    CU_ASSERT_PTR_NOT_NULL(strstr(last->message, "19951 more"));
}

static void
deep_arguments_are_walked_without_recursion(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new("deep");
    const OcpNode *value = ocp_make_text(document, "Bearer 0123456789abcdef");
    for (int i = 0; i < 100000; i++) {
        OcpBuilder list = ocp_build(document, ocp_make_array(document));
        ocp_build_element(&list, value);
        value = list.container;
    }
    OcpBuilder arguments = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&arguments, "a", value);
    OcpBuilder call = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&call, "arguments", arguments.container);
    OcpBuilder operation = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&operation, "call", call.container);
    OcpBuilder operations = ocp_build(document, ocp_make_array(document));
    ocp_build_element(&operations, operation.container);
    OcpBuilder root = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&root, "operations", operations.container);
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_FALSE(ocp_model_check(document, root.container, report));
    const OcpDiagnostic *fault = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(fault->code, "OC-I19");
    CU_ASSERT_EQUAL(fault->line, 0);
    CU_ASSERT_EQUAL(strlen(fault->pointer),
                    strlen("/operations/0/call/arguments/a") + 200000);
}

static void
a_long_chain_of_operations_is_searched_without_recursion(void)
{
    g_autoptr(GString) members = g_string_new("\"operations\": [");
    for (int i = 0; i < 50000; i++)
        g_string_append_printf(
            members, "{\"id\": \"o%d\", \"depends_on\": [\"o%d\"]}, ", i, i + 1);
    g_string_append(members, "{\"id\": \"o50000\", \"depends_on\": [\"o49999\"]}]");
    Case one = {members->str, "I15 /operations/49999/depends_on/0"};
    check_case(&one);
}

OCP_TEST_MAIN("model-secrets",
              {"secrets in calls and resolvers are told but not shown",
               secrets_in_calls_and_resolvers_are_told_but_not_shown},
              {"another fault on the line of a secret shows no line",
               another_fault_on_the_line_of_a_secret_shows_no_line},
              {"a flood of faults is cut with a note",
               a_flood_of_faults_is_cut_with_a_note},
              {"deep arguments are walked without recursion",
               deep_arguments_are_walked_without_recursion},
              {"a long chain of operations is searched without recursion",
               a_long_chain_of_operations_is_searched_without_recursion})
