/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include "model_text.h"

static const char whole[] =
    "{\"source\": {\"session_refs\": [{\"protocol\": \"mcp\", \"id\": \"sess-1\"}]},"
    " \"task\": {\"success_criteria\": [{\"id\": \"c\", \"evidence\": [\"s\"]}]},"
    " \"progress\": {\"completed\": [{\"id\": \"d\", \"evidence\": [\"r\"]}],"
    "  \"focus\": {\"refs\": [\"o\"]},"
    "  \"next\": [{\"id\": \"n\", \"blocked_by\": [\"o\"], \"requires\": [\"q\"],"
    "   \"refs\": [\"r\"]}]},"
    " \"statements\": [{\"id\": \"s\", \"superseded_by\": \"s2\", \"evidence\": "
    "[\"r\"],"
    "  \"origin\": {\"ref\": \"r\"}}, {\"id\": \"\\u0073\\u0032\"}],"
    " \"resources\": [{\"id\": \"r\"}],"
    " \"application_context\": [{\"id\": \"a\", \"selections\": [{\"resource\": "
    "\"r\"}],"
    "  \"drafts\": [{\"id\": \"dr\", \"target\": \"r\", \"content_ref\": \"r\"}]}],"
    " \"operations\": [{\"id\": \"o\", \"target\": \"r\", \"record\": \"r\","
    "  \"depends_on\": [\"o2\", \"o3\"], \"approval\": {\"evidence\": [\"r\"]}}],"
    " \"continuation\": {\"requirements\": [{\"id\": \"q\", \"refs\": [\"r\"]}],"
    "  \"preconditions\": [{\"id\": \"p\", \"refs\": [\"r\"]}],"
    "  \"stop_conditions\": [{\"id\": \"x\", \"refs\": [\"r\"], \"applies_to\": "
    "[\"o\"],"
    "   \"until\": [{\"operation\": \"o\"}]}],"
    "  \"recovery\": [{\"id\": \"v\", \"refs\": [\"o\"]}]},"
    " \"derivation\": {\"inputs\": [{\"session\": {\"id\": \"sess-2\"}}],"
    "  \"omissions\": [{\"recoverable_from\": \"r\"}],"
    "  \"transformations\": [{\"affected\": [\"s\", \"o\"]}]}}";

static void
every_object_with_an_id_is_found_with_its_kind(void)
{
    static const struct {
        const char *id;
        OcpModelKind kind;
    } expected[] = {
        {"c", OCP_MODEL_CRITERION},    {"d", OCP_MODEL_COMPLETED_STEP},
        {"n", OCP_MODEL_NEXT_STEP},    {"s", OCP_MODEL_STATEMENT},
        {"s2", OCP_MODEL_STATEMENT},   {"r", OCP_MODEL_RESOURCE},
        {"a", OCP_MODEL_CONTEXT},      {"dr", OCP_MODEL_DRAFT},
        {"o", OCP_MODEL_OPERATION},    {"q", OCP_MODEL_REQUIREMENT},
        {"p", OCP_MODEL_PRECONDITION}, {"x", OCP_MODEL_STOP_CONDITION},
        {"v", OCP_MODEL_RECOVERY},
    };
    g_autoptr(OcpDocument) document = read_text("whole", whole);
    g_autoptr(OcpModel) model = ocp_model_new(document->root);
    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
        OcpModelKind kind = 0;
        const char *id = expected[i].id;
        const OcpNode *object = ocp_model_find(model, id, strlen(id), &kind);
        CU_ASSERT_PTR_NOT_NULL(object);
        CU_ASSERT(ocp_text_is(ocp_member(object, "id"), id));
        CU_ASSERT_EQUAL(kind, expected[i].kind);
    }
    CU_ASSERT_PTR_NULL(ocp_model_find(model, "o2", 2, NULL));
    CU_ASSERT_PTR_NULL(ocp_model_find(model, "s\0", 2, NULL));
    CU_ASSERT(ocp_model_has_session(model, "sess-1", 6));
    CU_ASSERT(ocp_model_has_session(model, "sess-2", 6));
    CU_ASSERT_FALSE(ocp_model_has_session(model, "r", 1));
}

static void
of_two_with_one_id_the_first_is_found(void)
{
    g_autoptr(OcpDocument) document =
        read_text("twins", "{\"statements\": [{\"id\": \"a\", \"n\": 1}],"
                           " \"resources\": [{\"id\": \"a\", \"n\": 2}]}");
    g_autoptr(OcpModel) model = ocp_model_new(document->root);
    OcpModelKind kind = 0;
    const OcpNode *object = ocp_model_find(model, "a", 1, &kind);
    CU_ASSERT_EQUAL(kind, OCP_MODEL_STATEMENT);
    CU_ASSERT_NSTRING_EQUAL(ocp_member(object, "n")->as.text, "1", 1);
}

static void
what_is_no_model_has_no_objects(void)
{
    static const char *const odd[] = {
        "null", "[]", "{\"statements\": {}, \"progress\": [], \"task\": 7}",
        "{\"statements\": [1, null, [], {\"id\": 7}], \"operations\": [{}]}"};
    for (gsize i = 0; i < G_N_ELEMENTS(odd); i++) {
        g_autoptr(OcpDocument) document = read_text("odd", odd[i]);
        g_autoptr(OcpModel) model = ocp_model_new(document->root);
        CU_ASSERT_PTR_NULL(ocp_model_find(model, "7", 1, NULL));
        g_autoptr(OcpReport) report = ocp_report_new();
        CU_ASSERT(ocp_model_check(document, document->root, report));
        CU_ASSERT_EQUAL(report->diagnostics->len, 0);
    }
}

/* ---- references ------------------------------------------------------------ */

static void
note_reference(const OcpNode *reference, guint kinds, const char *rule,
               const char *pointer, gpointer data)
{
    g_autofree char *name = ocp_text_dup(reference);
    g_string_append_printf(data, "%s %s %s %s\n", pointer, name, rule,
                           kinds == OCP_MODEL_ANY ? "any" : "some");
}

static void
every_reference_is_visited_with_its_rule_and_pointer(void)
{
    g_autoptr(OcpDocument) document = read_text("whole", whole);
    g_autoptr(GString) seen = g_string_new(NULL);
    ocp_model_each_reference(document->root, note_reference, seen);
    static const char expected[] =
        "/task/success_criteria/0/evidence/0 s OC-I02 any\n"
        "/progress/completed/0/evidence/0 r OC-I02 any\n"
        "/progress/focus/refs/0 o OC-I02 any\n"
        "/progress/next/0/blocked_by/0 o OC-I12 some\n"
        "/progress/next/0/requires/0 q OC-I13 some\n"
        "/progress/next/0/refs/0 r OC-I02 any\n"
        "/statements/0/superseded_by s2 OC-I03 some\n"
        "/statements/0/evidence/0 r OC-I02 any\n"
        "/statements/0/origin/ref r OC-I05 some\n"
        "/application_context/0/selections/0/resource r "
        "OC-I06 some\n"
        "/application_context/0/drafts/0/target r OC-I07 some\n"
        "/application_context/0/drafts/0/content_ref r OC-I07 "
        "some\n"
        "/operations/0/target r OC-I08 some\n"
        "/operations/0/record r OC-I08 some\n"
        "/operations/0/depends_on/0 o2 OC-W15 some\n"
        "/operations/0/depends_on/1 o3 OC-W15 some\n"
        "/operations/0/approval/evidence/0 r OC-I09 some\n"
        "/continuation/requirements/0/refs/0 r OC-I02 any\n"
        "/continuation/preconditions/0/refs/0 r OC-I02 any\n"
        "/continuation/stop_conditions/0/refs/0 r OC-I02 any\n"
        "/continuation/stop_conditions/0/applies_to/0 o OC-I10 "
        "some\n"
        "/continuation/stop_conditions/0/until/0/operation o "
        "OC-I11 some\n"
        "/continuation/recovery/0/refs/0 o OC-I02 any\n"
        "/derivation/omissions/0/recoverable_from r OC-I14 "
        "some\n"
        "/derivation/transformations/0/affected/0 s OC-I02 "
        "any\n"
        "/derivation/transformations/0/affected/1 o OC-I02 "
        "any\n";
    CU_ASSERT_STRING_EQUAL(seen->str, expected);
    if (strcmp(seen->str, expected) != 0)
        ocp_test_fail("%s", seen->str);
}

static void
places_of_references_and_ids_are_known(void)
{
    const char *const next[] = {"progress", "next", "*"};
    const char *const origin[] = {"statements", "*", "origin"};
    const char *const drafts[] = {"application_context", "*", "drafts", "*"};
    CU_ASSERT(ocp_model_is_reference(next, 3, "blocked_by"));
    CU_ASSERT(ocp_model_is_reference(origin, 3, "ref"));
    CU_ASSERT(ocp_model_is_reference(drafts, 4, "content_ref"));
    CU_ASSERT_FALSE(ocp_model_is_reference(next, 3, "description"));
    CU_ASSERT_FALSE(ocp_model_is_reference(next, 2, "blocked_by"));
    CU_ASSERT_FALSE(ocp_model_is_reference(origin, 3, "refs"));
    CU_ASSERT_FALSE(ocp_model_is_reference(NULL, 0, "refs"));
    CU_ASSERT(ocp_model_has_id(next, 3));
    CU_ASSERT(ocp_model_has_id(drafts, 4));
    CU_ASSERT(ocp_model_has_id(drafts, 2));
    CU_ASSERT_FALSE(ocp_model_has_id(drafts, 3));
    CU_ASSERT_FALSE(ocp_model_has_id(origin, 3));
    CU_ASSERT_FALSE(ocp_model_has_id(NULL, 0));
}

/* ---- the parent ------------------------------------------------------------ */

static guint
check_parent(const char *algorithm, const char *value)
{
    g_autofree char *json =
        g_strdup_printf("{\"parent\": {\"digest\": {\"algorithm\": \"%s\", \"value\": "
                        "\"%s\"}}}",
                        algorithm, value);
    g_autoptr(OcpDocument) document = read_text("child", json);
    g_autoptr(OcpReport) report = ocp_report_new();
    bool good = ocp_model_check_parent(document, document->root, "test", 4, report);
    CU_ASSERT_EQUAL(good, !ocp_report_has_errors(report));
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[i];
        CU_ASSERT_STRING_EQUAL(fault->code, "OC-I20");
        CU_ASSERT(g_str_has_prefix(fault->pointer, "/parent/digest/"));
        CU_ASSERT_EQUAL(fault->line, 1);
    }
    return report->counts[OCP_ERROR] * 10 + report->counts[OCP_NOTE];
}

static void
the_digest_of_the_parent_is_that_of_its_bytes(void)
{
    static const char sha256[] =
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    static const char sha512[] =
        "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db2"
        "7ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff";
    static const char sha384[] =
        "768412320f7b0aa5812fce428dc4706b3cae50e02a64caa16a782249bfe8efc4"
        "b7ef1ccb126255d196047dfedf17a0a9";
    CU_ASSERT_EQUAL(check_parent("sha-256", sha256), 0);
    CU_ASSERT_EQUAL(check_parent("sha-384", sha384), 0);
    CU_ASSERT_EQUAL(check_parent("sha-512", sha512), 0);
    CU_ASSERT_EQUAL(check_parent("sha-256-32", "9f86d081"), 0);
    CU_ASSERT_EQUAL(check_parent("sha-256", sha512), 10);
    CU_ASSERT_EQUAL(check_parent("sha-256", "00"), 10);
    CU_ASSERT_EQUAL(check_parent("sha3-256", sha256), 1);
    CU_ASSERT_EQUAL(check_parent("md5", "098f6bcd4621d373cade4e832627b4f6"), 1);
}

static void
without_a_parent_there_is_nothing_to_check(void)
{
    g_autoptr(OcpDocument) document =
        read_text("orphan", "{\"parent\": {\"id\": \"x\"}}");
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT(ocp_model_check_parent(document, document->root, "test", 4, report));
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
}

OCP_TEST_MAIN("model-model",
              {"every object with an id is found with its kind",
               every_object_with_an_id_is_found_with_its_kind},
              {"of two with one id the first is found",
               of_two_with_one_id_the_first_is_found},
              {"what is no model has no objects", what_is_no_model_has_no_objects},
              {"every reference is visited with its rule and pointer",
               every_reference_is_visited_with_its_rule_and_pointer},
              {"places of references and ids are known",
               places_of_references_and_ids_are_known},
              {"the digest of the parent is that of its bytes",
               the_digest_of_the_parent_is_that_of_its_bytes},
              {"without a parent there is nothing to check",
               without_a_parent_there_is_nothing_to_check})
