/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models that did not come from specrail, written as specrail: safe defaults, nothing
 * that claims more than the model says, and nothing dangerous left unseen.
 */
#include "pipe.h"

#define MODEL(status, rest)                                                            \
    "{'opencheckpoint': '0.1', 'id': "                                                 \
    "'urn:uuid:6f1f6c1e-2f5f-4a6e-9d3b-0d2f8a1c7b10', "                                \
    "'created_at': '2026-10-01T09:30:00Z', 'source': {'producer': {'name': 'x'}}, "    \
    "'task': {'objective': 'Finish', 'status': '" status "'}" rest "}"

static void
a_foreign_model_gets_safe_defaults(void)
{
    g_autoptr(Pipe) p = pipe_text(MODEL("active", ""), "specrail");
    pipe_has(p, "/context_budget",
             "{'window_tokens':258400,'soft_stop_ratio':0.5,'hard_stop_ratio':0.65,"
             "'critical_stop_ratio':0.75}");
    pipe_has(p, "/output_firewall/artifact_root",
             "'artifacts/logs/urn:uuid:6f1f6c1e-2f5f-4a6e-9d3b-0d2f8a1c7b10'");
    pipe_has(p, "/output_firewall/raw_log_policy", "'file_only'");
    pipe_has(p, "/repo", "'workspace'");
    pipe_has(p, "/queue_mode", "'bounded_tranche'");
    pipe_has(p, "/items", "[{'state':'open','next_action':'Finish'}]");
    pipe_check(p->context, p->outcome->text, "specrail.json", OCP_WARNING);
}

static void
every_status_has_a_word(void)
{
    static const char *const texts[][2] = {{MODEL("active", ""), "'running'"},
                                           {MODEL("paused", ""), "'handoff'"},
                                           {MODEL("blocked", ""), "'blocked'"},
                                           {MODEL("awaiting_input", ""), "'blocked'"},
                                           {MODEL("completed", ""), "'complete'"},
                                           {MODEL("abandoned", ""), "'blocked'"}};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(Pipe) p = pipe_text(texts[i][0], "specrail");
        pipe_has(p, "/status", texts[i][1]);
    }
    g_autoptr(Pipe) left = pipe_text(MODEL("abandoned", ""), "specrail");
    g_autofree char *prompt =
        pipe_json(ocp_pointer_find(left->result->root, "/resume_prompt"));
    CU_ASSERT_PTR_NOT_NULL(strstr(prompt, "abandoned"));
}

static void
a_foreign_model_is_never_merge_ready(void)
{
    g_autoptr(Pipe) p = pipe_text(
        MODEL(
            "completed",
            ", 'progress': {'completed': [{'id': 'item-1', 'description': 'merged: "
            "it', "
            "'evidence': ['pr-5']}], 'next': [{'id': 'item-2', 'description': 'merge', "
            "'blocked_by': ['merge-approval-2'], 'refs': ['pr-5']}]}, 'resources': "
            "[{'id': 'pr-5', 'kind': 'record', 'locator': {'system': 'github', 'type': "
            "'pull_request', 'key': '#5'}}], 'operations': [{'id': "
            "'merge-approval-2', 'kind': 'approval', 'description': 'merge', 'status': "
            "'awaiting'}]"),
        "specrail");
    pipe_has(p, "/items/0/state", "'complete'");
    pipe_has(p, "/items/0/pr", "-");
    pipe_has(p, "/items/1/state", "'review_required'");
    pipe_has(p, "/items/1/merge_authorization", "-");
    pipe_has(p, "/items/1/truth_level", "-");
}

/* The same model without its carry: nobody vouches for its words any more. */
static void
without_its_carry_a_model_is_foreign(void)
{
    g_autofree char *path = ocp_test_source("fixtures/specrail/merge-ready/input.json");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    OcpConvertOptions none = {.carry_none = true};
    g_autoptr(Pipe) model = pipe_run(bytes, "input.json", "opencheckpoint", &none);
    CU_ASSERT_FATAL(model->ok);
    g_autoptr(Pipe) p = pipe_run(model->outcome->text, "model.json", "specrail", NULL);
    CU_ASSERT_FATAL(p->ok);
    pipe_has(p, "/items/0/pr", "91");
    pipe_has(p, "/items/0/ci/status", "'green'");
    pipe_has(p, "/items/0/state", "'review_required'");
    pipe_has(p, "/items/0/truth_level", "-");
    pipe_has(p, "/items/0/merge_authorization", "-");
}

static void
an_operation_with_an_unknown_outcome_is_seen(void)
{
    g_autoptr(Pipe) p = pipe_text(
        MODEL("blocked",
              ", 'operations': [{'id': 'pay', 'kind': 'action', 'description': 'Pay', "
              "'status': 'uncertain', 'effect': 'unknown', 'resume': 'verify_first'}]"),
        "specrail");
    pipe_has(p, "/items/0/state", "'blocked'");
    pipe_has(p, "/items/0/next_action", "'Pay'");
    pipe_has(
        p, "/items/0/blocker",
        "'Started, outcome unknown; verify it in the target system before anything "
        "else'");
}

static void
it_is_seen_behind_a_question_too(void)
{
    g_autoptr(Pipe) p = pipe_text(
        MODEL(
            "blocked",
            ", 'progress': {'next': [{'id': 'a', 'description': 'go on', 'blocked_by': "
            "['q', 'pay']}]}, 'statements': [{'id': 'q', 'kind': 'question', 'text': "
            "'Why?', 'origin': {'type': 'user'}}], 'operations': [{'id': 'pay', "
            "'kind': "
            "'action', 'description': 'Pay', 'status': 'uncertain', 'effect': "
            "'unknown', 'resume': 'verify_first'}]"),
        "specrail");
    pipe_has(p, "/items/0/blocker", "'Why?; Pay (uncertain)'");
    pipe_has(p, "/items/1/next_action", "'Pay'");
}

static void
what_was_taken_back_is_not_said(void)
{
    g_autoptr(Pipe) p = pipe_text(
        MODEL(
            "active",
            ", 'progress': {'next': [{'id': 'item-1', 'description': 'n', 'refs': "
            "['merge-authorization-1', 'ci-1']}]}, 'statements': [{'id': "
            "'merge-authorization-1', 'kind': 'observation', 'text': 'Merge "
            "authorization recorded: true', 'status': 'retracted', 'origin': {'type': "
            "'agent'}}, {'id': 'ci-1', 'kind': 'observation', 'text': 'CI: green', "
            "'status': 'retracted', 'origin': {'type': 'agent'}}, {'id': 'k', 'kind': "
            "'constraint', 'text': 'no', 'status': 'retracted', 'origin': {'type': "
            "'user'}}]"),
        "specrail");
    pipe_has(p, "/items/0", "{'state':'open','next_action':'n'}");
    pipe_has(p, "/goal_candidate", "-");
}

static void
texts_are_trimmed_and_never_blank(void)
{
    g_autoptr(Pipe) p = pipe_text(
        MODEL("active", ", 'progress': {'next': [{'id': 'a', 'description': ' '}, "
                        "{'id': 'b', 'description': ' go '}]}"),
        "specrail");
    pipe_has(p, "/items/0/next_action", "'Not stated'");
    pipe_has(p, "/items/1/next_action", "'go'");
}

static void
numbers_of_another_repository_are_not_taken(void)
{
    static const char *const rows[][2] = {{"o/n", "12"}, {"o/other", "-"}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf(
            MODEL(
                "active",
                ", 'progress': {'next': [{'id': 'a', 'description': 'd', 'refs': "
                "['i']}]}, 'resources': [{'id': 'r', 'kind': 'repository', 'locator': "
                "{'system': 'github', 'type': 'repository', 'key': 'o/n'}}, {'id': "
                "'i', 'kind': 'record', 'locator': {'system': 'github', 'type': "
                "'issue', 'key': '%s#12'}}]"),
            rows[i][0]);
        g_autoptr(Pipe) p = pipe_text(text, "specrail");
        pipe_has(p, "/repo", "'o/n'");
        pipe_has(p, "/items/0/issue", rows[i][1]);
    }
}

#define TEST(name)                                                                     \
    {                                                                                  \
#name, name                                                                    \
    }
OCP_TEST_MAIN("specrail foreign", TEST(a_foreign_model_gets_safe_defaults),
              TEST(every_status_has_a_word), TEST(a_foreign_model_is_never_merge_ready),
              TEST(without_its_carry_a_model_is_foreign),
              TEST(an_operation_with_an_unknown_outcome_is_seen),
              TEST(it_is_seen_behind_a_question_too),
              TEST(what_was_taken_back_is_not_said),
              TEST(texts_are_trimmed_and_never_blank),
              TEST(numbers_of_another_repository_are_not_taken))
