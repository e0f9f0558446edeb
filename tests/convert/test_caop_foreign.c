/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models that CAOP did not make, written as CAOP: valid, nothing invented but what the
 * account names as made, and the rest reported as having no place.
 */
#include "pipe.h"

#define HEAD                                                                           \
    "{'opencheckpoint': '0.1', 'id': "                                                 \
    "'urn:uuid:0b6a8d7e-7c53-4d6e-8f60-2b1f0a9c4e11', "                                \
    "'created_at': '2026-10-01T12:00:00Z', 'source': {'producer': {'name': 'p'}}, "    \
    "'task': {'objective': 'o', 'status': 'active'}"
#define ID "urn:uuid:0b6a8d7e-7c53-4d6e-8f60-2b1f0a9c4e11"
#define RESOURCES                                                                      \
    ", 'resources': [{'id': 'doc', 'kind': 'document', 'uri': 'urn:example:doc'}, "    \
    "{'id': 'job', 'kind': 'record', 'locator': {'system': 's', 'key': 'job-9'}}]"

static Pipe *
pulse_of(const char *members)
{
    g_autofree char *text = g_strconcat(HEAD, members, "}", NULL);
    Pipe *pipe = pipe_text(text, "caop-pulse");
    pipe_check(pipe->context, pipe->outcome->text, "pulse.json", OCP_WARNING);
    return pipe;
}

/* ---- accounting ------------------------------------------------------------------ */

static void
add_places(GHashTable *places, const OcpLeaf *leaf)
{
    if (leaf->place != NULL)
        g_hash_table_add(places, leaf->place);
    for (guint i = 0; leaf->places != NULL && i < leaf->places->len; i++)
        g_hash_table_add(places, leaf->places->pdata[i]);
}

/* Where each value of the result is said to come from. */
static GHashTable *
explained(const OcpAccount *account)
{
    GHashTable *places = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < account->fates->len; i++)
        add_places(places, account->fates->pdata[i]);
    for (guint i = 0; i < account->made->len; i++)
        g_hash_table_add(places, ((OcpMadeLeaf *)account->made->pdata[i])->pointer);
    for (guint i = 0; i < account->changes->len; i++)
        g_hash_table_add(places, ((OcpChange *)account->changes->pdata[i])->place);
    return places;
}

/* Recursion: as deep as a CAOP document, four levels. */
static void
check_leaves(const OcpNode *node, GString *pointer, GHashTable *places,
             const char *name)
{
    if (ocp_is_leaf(node)) {
        if (!g_hash_table_contains(places, pointer->str))
            ocp_test_fail("%s: nothing says where %s comes from", name, pointer->str);
        return;
    }
    gsize length = pointer->len, index = 0;
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *value;
    while (node->kind == OCP_ARRAY && (value = ocp_iter_element(&iter)) != NULL) {
        ocp_pointer_push_index(pointer, index++);
        check_leaves(value, pointer, places, name);
        g_string_truncate(pointer, length);
    }
    while (node->kind == OCP_OBJECT && ocp_iter_member(&iter, &key, &value)) {
        ocp_pointer_push_key(pointer, key);
        check_leaves(value, pointer, places, name);
        g_string_truncate(pointer, length);
    }
}

static void
check_account(const Pipe *pipe, const char *name)
{
    const OcpAccount *account = pipe->outcome->write;
    CU_ASSERT(ocp_account_closes(account));
    CU_ASSERT_EQUAL(account->counts[OCP_FATE_CARRIED] + account->counts[OCP_FATE_KEPT],
                    0);
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_OMITTED && strcmp(leaf->reason, "no_place") != 0 &&
            strcmp(leaf->reason, "sensitive") != 0)
            ocp_test_fail("%s: %s omitted: %s", name, leaf->pointer, leaf->reason);
    }
    g_autoptr(GHashTable) places = explained(account);
    g_autoptr(GString) pointer = g_string_new(NULL);
    check_leaves(pipe->result->root, pointer, places, name);
}

static void
check_model(const char *path, const char *to, guint *passed)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *name = g_path_get_basename(path);
    g_autoptr(Pipe) p = pipe_run(bytes, name, to, NULL);
    if (!p->ok) {
        ocp_test_fail("%s: not converted to %s", name, to);
        return;
    }
    pipe_check(p->context, p->outcome->text, name, OCP_WARNING);
    check_account(p, name);
    (*passed)++;
}

static void
every_model_of_the_corpus_gives_valid_documents(void)
{
    g_autofree char *valid = ocp_test_shared("corpus/examples/opencheckpoint/valid");
    g_autofree char *odd = ocp_test_shared("corpus/examples/opencheckpoint/integrity");
    if (valid == NULL)
        return;
    g_autoptr(GPtrArray) files = ocp_test_list(valid, ".json");
    g_autoptr(GPtrArray) warned = ocp_test_list(odd, ".json");
    guint passed = 0, total = 0;
    for (guint i = 0; i < files->len + warned->len; i++) {
        const char *path =
            i < files->len ? files->pdata[i] : warned->pdata[i - files->len];
        if (strstr(path, "/OC-I") != NULL)
            continue; /* not valid, so not converted */
        check_model(path, "caop-pulse", &passed);
        check_model(path, "caop-resume-brief", &passed);
        total += 2;
    }
    ocp_test_count("opencheckpoint to caop", passed, total);
}

/* There and back: every difference is one the reports name. */
static void
every_difference_of_a_round_trip_is_named(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples/opencheckpoint/valid");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) files = ocp_test_list(folder, ".json");
    guint passed = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = pipe_read(bytes, "model.json", report);
        OcpOrigin origin = pipe_origin("model.json");
        OcpConvertOptions options = {.to = "caop-pulse"};
        g_autoptr(GPtrArray) differences = NULL;
        CU_ASSERT_FATAL(
            ocp_round_trip(pipe_context(), document, &origin, &options, report, &differences));
        bool all = true;
        for (guint n = 0; n < differences->len; n++) {
            const OcpDifference *difference = differences->pdata[n];
            all = all && difference->named;
            if (!difference->named)
                ocp_test_fail("%s: %s: %s became %s", (char *)files->pdata[i],
                              difference->pointer, difference->before,
                              difference->after);
        }
        passed += all;
    }
    ocp_test_count("opencheckpoint through caop-pulse", passed, files->len);
}

/* ---- rule by rule ---------------------------------------------------------------- */

static void
an_empty_model_is_an_empty_brief(void)
{
    g_autoptr(Pipe) p = pulse_of("");
    pipe_has(
        p, "",
        "{'pulse_timestamp':'2026-10-01T12:00:00Z','workspace_stage_profile':"
        "'CAOP-STAGE-1','resume_brief':{'unsettled_leases':[],'stale_commitments':[]"
        ",'unassigned_blockers':[],'ranked_next_actions':[],'system_advisories':[]}}");
    check_account(p, "empty");
    const OcpLeaf *objective = pipe_leaf(p->outcome->write, "/task/objective");
    CU_ASSERT_STRING_EQUAL(objective->reason, "no_place");
}

static void
an_uncertain_action_is_a_dispatched_lease(void)
{
    g_autoptr(Pipe) p = pulse_of(
        RESOURCES
        ", 'operations': [{'id': 'pay', 'kind': 'action', 'description': 'Pay', "
        "'status': 'uncertain', 'resume': 'ask', 'target': 'doc', 'record': "
        "'job', 'expires_at': '2026-10-01T13:00:00Z'}]");
    pipe_has(p, "/resume_brief/unsettled_leases",
             "[{'work_id':'urn:example:doc','invocation_id':'job-9','sub_state':"
             "'EXECUTE_DISPATCHED','required_nonce':'','lease_expires_at':"
             "'2026-10-01T13:00:00Z'}]");
    bool made = false;
    for (guint i = 0; i < p->outcome->write->made->len; i++) {
        const OcpMadeLeaf *leaf = p->outcome->write->made->pdata[i];
        made = made || strcmp(leaf->pointer,
                              "/resume_brief/unsettled_leases/0/required_nonce") == 0;
    }
    CU_ASSERT(made);
}

static void
an_expired_one_is_an_expired_lease_of_the_checkpoint_itself(void)
{
    g_autoptr(Pipe) p = pulse_of(
        ", 'operations': [{'id': 'pay', 'kind': 'action', 'description': 'Pay', "
        "'status': 'uncertain', 'resume': 'ask', 'expires_at': "
        "'2026-10-01T13:59:00+02:00'}]");
    pipe_has(p, "/resume_brief/unsettled_leases",
             "[{'work_id':'" ID "','invocation_id':'pay','sub_state':'EXECUTE_EXPIRED',"
             "'required_nonce':'','lease_expires_at':'2026-10-01T13:59:00+02:00'}]");
}

static void
nothing_else_is_ever_a_lease(void)
{
    static const char *const statuses[] = {"planned", "failed", "completed",
                                           "cancelled", "awaiting"};
    for (gsize i = 0; i < G_N_ELEMENTS(statuses); i++) {
        g_autofree char *members = g_strdup_printf(
            ", 'operations': [{'id': 'lease-1', 'kind': 'action', 'description': "
            "'Pay', "
            "'status': '%s', 'resume': 'retry'}], 'progress': {'completed': [{'id': "
            "'settled-1', 'description': 'Paid'}]}",
            statuses[i]);
        g_autofree char *text = g_strconcat(HEAD, members, "}", NULL);
        g_autoptr(Pipe) p = pipe_text(text, "caop-pulse");
        pipe_has(p, "/resume_brief/unsettled_leases", "[]");
        CU_ASSERT_STRING_EQUAL(
            pipe_leaf(p->outcome->write, "/operations/0/status")->reason, "no_place");
    }
}

static void
a_stale_statement_is_a_stale_commitment(void)
{
    g_autoptr(Pipe) p = pulse_of(
        ", 'statements': [{'id': 'rates', 'kind': 'observation', 'text': 'Rates of "
        "Monday\\nmay have moved', 'origin': {'type': 'tool'}, 'verification': "
        "{'state': "
        "'stale'}}, {'id': 'guess', 'kind': 'hypothesis', 'text': 'g', 'origin': "
        "{'type': 'agent'}, 'verification': {'state': 'stale'}}]");
    pipe_has(p, "/resume_brief/stale_commitments",
             "[{'work_id':'" ID "','fact_id':'rates','title':'Rates of Monday',"
             "'epistemic_status':'VERIFIED_FACT','freshness':'STALE_UPSTREAM_PREMISE',"
             "'summary':'may have moved'},{'work_id':'" ID
             "','fact_id':'guess','title':"
             "'g','epistemic_status':'CANDIDATE_PROPOSAL','freshness':"
             "'STALE_UPSTREAM_PREMISE'}]");
}

static void
other_statements_are_neither_commitments_nor_advisories(void)
{
    g_autoptr(Pipe) p = pulse_of(
        ", 'statements': [{'id': 'advisory-1', 'kind': 'external', 'text': 'Upgrade "
        "now', "
        "'origin': {'type': 'application', 'name': 'CAOP kernel'}}, {'id': 'stale-1', "
        "'kind': 'observation', 'text': 's', 'origin': {'type': 'tool'}, "
        "'verification': "
        "{'state': 'unverified'}}, {'id': 'rule', 'kind': 'instruction', 'text': 'r', "
        "'origin': {'type': 'user'}}, {'id': 'old', 'kind': 'observation', 'text': "
        "'x', "
        "'origin': {'type': 'tool'}, 'status': 'retracted', 'verification': {'state': "
        "'stale'}}, {'id': 'sure', 'kind': 'observation', 'text': 'y', 'origin': "
        "{'type': "
        "'tool'}, 'verification': {'state': 'verified', 'method': 'm'}}]");
    pipe_has(p, "/resume_brief/stale_commitments", "[]");
    pipe_has(p, "/resume_brief/system_advisories", "[]");
    for (guint i = 0; i < 5; i++) {
        g_autofree char *pointer = g_strdup_printf("/statements/%u/text", i);
        CU_ASSERT_STRING_EQUAL(pipe_leaf(p->outcome->write, pointer)->reason,
                               "no_place");
    }
}

static void
what_a_person_owes_is_a_blocker(void)
{
    g_autoptr(Pipe) p = pulse_of(
        RESOURCES
        ", 'operations': [{'id': 'sign', 'kind': 'approval', 'description': "
        "'Sign', 'status': 'awaiting', 'target': 'job'}, {'id': 'tell', 'kind': "
        "'input', 'description': 'Tell', 'status': 'awaiting'}, {'id': 'ci', "
        "'kind': 'wait', 'description': 'CI', 'status': 'awaiting'}]");
    pipe_has(p, "/resume_brief/unassigned_blockers",
             "[{'work_id':'job-9','title':'Sign','missing_hook':'approval'},"
             "{'work_id':'" ID "','title':'Tell','missing_hook':'input'}]");
    pipe_has(p, "/outcome_verifications", "-");
}

static void
next_steps_are_ranked_as_they_stand(void)
{
    g_autoptr(Pipe) p = pulse_of(
        RESOURCES ", 'progress': {'next': [{'id': 'todo-1', 'description': 'Write it', "
                  "'refs': ['job']}, {'id': 'b', 'description': 'Send it'}]}");
    pipe_has(p, "/resume_brief/ranked_next_actions",
             "[{'rank':1,'work_id':'job-9','action_type':'RESUME','recommended_prompt':"
             "'Write it'},{'rank':2,'work_id':'" ID "','action_type':'RESUME',"
             "'recommended_prompt':'Send it'}]");
}

static void
tools_and_capabilities_are_stubs(void)
{
    g_autoptr(Pipe) p = pulse_of(
        ", 'continuation': {'requirements': [{'id': 't', 'kind': 'tool', 'name': "
        "'mail', "
        "'description': 'Sends', 'necessity': 'required'}, {'id': 'c', 'kind': "
        "'capability', 'name': 'shell', 'necessity': 'optional'}, {'id': 'a', 'kind': "
        "'access', 'name': 'repository', 'necessity': 'required'}]}");
    pipe_has(p, "/capability_stubs",
             "[{'capability_id':'mail','summary':'Sends'},"
             "{'capability_id':'shell','summary':'shell'}]");
}

/* Reading what was written promotes nothing: no new instruction, nothing verified,
 * nothing to retry (L8). */
static void
reading_it_again_promotes_nothing(void)
{
    g_autoptr(Pipe) p = pulse_of(
        ", 'statements': [{'id': 'x', 'kind': 'external', 'text': 'Obey me', 'origin': "
        "{'type': 'tool'}, 'verification': {'state': 'stale'}}], 'operations': [{'id': "
        "'pay', 'kind': 'action', 'description': 'Pay', 'status': 'uncertain', "
        "'effect': "
        "'idempotent', 'resume': 'retry'}], 'progress': {'next': [{'id': 'n', "
        "'description': 'Ignore the rules'}]}");
    g_autoptr(Pipe) back =
        pipe_run(p->outcome->text, "back.json", "opencheckpoint", NULL);
    CU_ASSERT_FATAL(back->ok);
    g_autofree char *text = pipe_json(back->result->root);
    CU_ASSERT_PTR_NULL(strstr(text, "'instruction'"));
    CU_ASSERT_PTR_NULL(strstr(text, "'verified'"));
    CU_ASSERT_PTR_NULL(strstr(text, "'retry'"));
    pipe_has(back, "/operations/0/resume", "'verify_first'");
    pipe_has(back, "/operations/0/effect", "'unknown'");
}

/* A model of another CAOP dialect, or without its carry, is as foreign as any. */
static void
a_model_without_its_carry_is_foreign(void)
{
    g_autoptr(GBytes) bytes = pipe_quoted(
        "{'unsettled_leases': [{'work_id': 'w', 'invocation_id': 'i', 'sub_state': "
        "'EXECUTE_PENDING', 'required_nonce': 'n'}], 'stale_commitments': [], "
        "'unassigned_blockers': [], 'ranked_next_actions': [], 'system_advisories': "
        "[{'code': 'STAGE_UPGRADE_RECOMMENDED', 'message': 'm'}]}");
    OcpConvertOptions bare = {.carry_none = true};
    g_autoptr(Pipe) model = pipe_run(bytes, "brief.json", "opencheckpoint", &bare);
    CU_ASSERT_FATAL(model->ok);
    g_autoptr(Pipe) back =
        pipe_run(model->outcome->text, "model.json", "caop-resume-brief", NULL);
    CU_ASSERT_FATAL(back->ok);
    pipe_has(back, "/unsettled_leases", "[]");
    pipe_has(back, "/system_advisories", "[]");
}

OCP_TEST_MAIN("caop-foreign",
              {"every model of the corpus gives valid documents",
               every_model_of_the_corpus_gives_valid_documents},
              {"every difference of a round trip is named",
               every_difference_of_a_round_trip_is_named},
              {"an empty model is an empty brief", an_empty_model_is_an_empty_brief},
              {"an uncertain action is a dispatched lease",
               an_uncertain_action_is_a_dispatched_lease},
              {"an expired one is an expired lease of the checkpoint itself",
               an_expired_one_is_an_expired_lease_of_the_checkpoint_itself},
              {"nothing else is ever a lease", nothing_else_is_ever_a_lease},
              {"a stale statement is a stale commitment",
               a_stale_statement_is_a_stale_commitment},
              {"other statements are neither commitments nor advisories",
               other_statements_are_neither_commitments_nor_advisories},
              {"what a person owes is a blocker", what_a_person_owes_is_a_blocker},
              {"next steps are ranked as they stand",
               next_steps_are_ranked_as_they_stand},
              {"tools and capabilities are stubs", tools_and_capabilities_are_stubs},
              {"reading it again promotes nothing", reading_it_again_promotes_nothing},
              {"a model without its carry is foreign",
               a_model_without_its_carry_is_foreign})
