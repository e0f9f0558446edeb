/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specrail, row by row of its table: what the model of a checkpoint holds, what it
 * never may, and that every one of these checkpoints comes back.
 */
#include "pipe.h"
#include "value/equal.h"

/* A checkpoint in single quotes: what is given, and the rest from a minimal one. */
typedef struct {
    const char *status, *repo, *scope, *items, *rest;
} Parts;

static const char *
part(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static char *
checkpoint_of(const Parts *parts)
{
    return g_strdup_printf(
        "{'checkpoint_version': 1, 'tranche_id': 't1', 'repo': '%s', 'scope': '%s', "
        "'status': '%s', 'context_budget': {'window_tokens': 258400, "
        "'soft_stop_ratio': 0.50, 'hard_stop_ratio': 0.65, 'critical_stop_ratio': "
        "0.75}, 'output_firewall': {'raw_log_policy': 'file_only', "
        "'max_parent_stdout_lines': 150, 'max_subagent_final_lines': 150, "
        "'artifact_root': 'artifacts/logs/t1'}, 'items': [%s], 'resume_prompt': "
        "'Read this'%s}",
        part(parts->repo, "o/n"), part(parts->scope, "one slice"),
        part(parts->status, "running"),
        part(parts->items, "{'state': 'open', 'next_action': 'start'}"),
        part(parts->rest, ""));
}

/* The model written as specrail again must be the checkpoint. */
static void
check_back(Pipe *pipe)
{
    g_autoptr(Pipe) back =
        pipe_run(pipe->outcome->text, "model.json", "specrail", NULL);
    CU_ASSERT_FATAL(back->ok);
    CU_ASSERT(ocp_equal(back->result->root, pipe->source->root));
}

static Pipe *
model_of(const Parts *parts)
{
    g_autofree char *text = checkpoint_of(parts);
    Pipe *pipe = pipe_text(text, "opencheckpoint");
    pipe_check(pipe->context, pipe->outcome->text, "model.json", OCP_ERROR);
    check_back(pipe);
    return pipe;
}

static Pipe *
model_of_items(const char *items)
{
    return model_of(&(Parts){.items = items});
}

static void
object_is(const Pipe *pipe, const char *collection, const char *id, const char *pointer,
          const char *expected)
{
    const OcpNode *object = pipe_object(pipe, collection, id);
    if (object == NULL)
        ocp_test_fail("no %s in %s", id, collection);
    pipe_is(object, pointer, expected);
}

static void
carried(const Pipe *pipe, const char *pointer)
{
    const OcpLeaf *leaf = pipe_leaf(pipe->outcome->read, pointer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(leaf);
    CU_ASSERT(leaf->fate == OCP_FATE_CARRIED || leaf->fate == OCP_FATE_KEPT);
}

/* ---- head ------------------------------------------------------------------------ */

static void
the_tranche_names_title_and_session(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){0});
    pipe_has(p, "/task/title", "'t1'");
    pipe_has(p, "/source/session_refs", "[{'protocol':'local.specrail','id':'t1'}]");
    pipe_has(p, "/source/producer", "{'name':'specrail'}");
    pipe_has(p, "/derivation/method", "'converted'");
    pipe_has(p, "/derivation/inputs",
             "[{'session':{'protocol':'local.specrail','id':'t1'}}]");
}

static void
the_status_is_the_tranches(void)
{
    static const char *const rows[][2] = {{"planning", "'active'"},
                                          {"running", "'active'"},
                                          {"blocked", "'blocked'"},
                                          {"handoff", "'paused'"},
                                          {"complete", "'completed'"}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(Pipe) p = model_of(&(Parts){.status = rows[i][0]});
        pipe_has(p, "/task/status", rows[i][1]);
    }
}

static void
the_scope_is_the_objective_except_in_a_drain(void)
{
    g_autoptr(Pipe) one = model_of(&(Parts){
        .rest = ", 'overall_objective': 'drain all', 'queue_mode': 'bounded_tranche'"});
    pipe_has(one, "/task/objective", "'one slice'");
    pipe_has(one, "/task/scope/includes", "['one slice']");
    g_autoptr(Pipe) all = model_of(&(Parts){
        .rest =
            ", 'overall_objective': 'drain all', 'queue_mode': 'full_queue_drain'"});
    pipe_has(all, "/task/objective", "'drain all'");
    pipe_has(all, "/task/scope/includes", "['one slice']");
    carried(all, "/queue_mode");
}

static void
the_goal_candidate_gives_criteria_constraints_and_a_stop(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){
        .rest = ", 'goal_candidate': {'objective': 'g', 'done_when': ['tests pass'], "
                "'constraints': ['no force push'], 'blocked_stop_condition': 'stop'}"});
    pipe_has(p, "/task/success_criteria",
             "[{'id':'done-1','description':'tests pass','state':'unknown'}]");
    object_is(p, "/statements", "constraint-1", "/kind", "'constraint'");
    object_is(p, "/statements", "constraint-1", "/text", "'no force push'");
    object_is(p, "/statements", "constraint-1", "/origin/type", "'agent'");
    pipe_has(p, "/continuation/stop_conditions",
             "[{'id':'stop-blocked','description':'stop'}]");
    carried(p, "/goal_candidate/objective");
}

static void
the_resume_prompt_is_a_recommendation_never_an_instruction(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){0});
    pipe_has(p, "/continuation/recovery",
             "[{'id':'resume','description':'Read this'}]");
    CU_ASSERT_PTR_NULL(pipe_element(ocp_pointer_find(p->result->root, "/statements"),
                                    "kind", "instruction"));
}

static void
remote_truth_first_is_added_and_named(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){0});
    pipe_has(p, "/continuation/preconditions/0/id", "'remote-truth'");
    pipe_has(p, "/continuation/preconditions/0/on_failure", "'halt'");
    pipe_has(p, "/continuation/preconditions/0/refs", "['repo']");
    g_autofree char *changes =
        pipe_json(ocp_pointer_find(p->result->root, "/derivation/transformations"));
    CU_ASSERT_PTR_NOT_NULL(strstr(changes, "own rule for everyone who resumes"));
}

static void
the_newest_time_in_it_is_a_lower_bound(void)
{
    g_autoptr(Pipe) none = model_of(&(Parts){0});
    pipe_has(none, "/created_at", "'2026-09-21T14:13:20Z'"); /* the file's */
    g_autoptr(Pipe) some = model_of_items(
        "{'state': 'open', 'next_action': 'n', 'pr_gate': {'status': 'passed', "
        "'checked_at': '2026-07-01T10:00:00+08:00'}, 'review_threads': {'status': "
        "'clean', 'checked_at': '2026-07-01T03:00:00Z'}}, {'state': 'open', "
        "'next_action': 'm', 'pr_gate': {'status': 'passed', 'checked_at': 'soon'}}");
    pipe_has(some, "/created_at", "'2026-07-01T03:00:00Z'");
}

/* ---- things ---------------------------------------------------------------------- */

static void
the_repository_is_hub_path_or_workspace(void)
{
    g_autoptr(Pipe) hub = model_of(&(Parts){.repo = "owner/name"});
    object_is(hub, "/resources", "repo", "/locator",
              "{'system':'github','type':'repository','key':'owner/name'}");
    object_is(hub, "/resources", "repo", "/kind", "'repository'");
    g_autoptr(Pipe) path = model_of(&(Parts){.repo = "/srv/my repo"});
    object_is(path, "/resources", "repo", "/uri", "'file:///srv/my%20repo'");
    g_autoptr(Pipe) word = model_of(&(Parts){.repo = "owner/repo or local/path"});
    object_is(word, "/resources", "repo", "/locator/system", "'workspace'");
}

static void
issue_and_request_are_records_of_the_repository(void)
{
    g_autoptr(Pipe) p = model_of_items("{'issue': 7, 'pr': 9, 'head_sha': 'abc', "
                                       "'state': 'open', 'next_action': 'n'}, "
                                       "{'issue': 7, 'pr': 9, 'head_sha': 'def', "
                                       "'state': 'open', 'next_action': 'm'}");
    object_is(p, "/resources", "issue-7", "/locator",
              "{'system':'github','type':'issue','key':'o/n#7'}");
    object_is(p, "/resources", "issue-7", "/kind", "'record'");
    object_is(p, "/resources", "pr-9-abc", "/locator/key", "'o/n#9'");
    object_is(p, "/resources", "pr-9-abc", "/revision", "'abc'");
    object_is(p, "/resources", "pr-9-def", "/revision", "'def'");
    pipe_has(p, "/progress/next/0/refs", "['issue-7','pr-9-abc']");
    pipe_has(p, "/progress/next/1/refs", "['issue-7','pr-9-def']");
}

static void
branch_and_worktree_belong_to_the_machine(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'branch': 'fix', 'worktree': '/tmp/w', 'head_sha': 'abc', 'state': 'open', "
        "'next_action': 'n'}");
    object_is(p, "/resources", "branch-fix-abc", "/locator",
              "{'system':'git','type':'branch','key':'fix'}");
    object_is(p, "/resources", "branch-fix-abc", "/kind", "'repository'");
    object_is(p, "/resources", "branch-fix-abc", "/revision", "'abc'");
    const OcpNode *resources = ocp_pointer_find(p->result->root, "/resources");
    const OcpNode *tree = pipe_element(resources, "availability", "unknown");
    pipe_is(tree, "/kind", "'repository'");
    pipe_is(tree, "/locator",
            "{'system':'workspace','type':'worktree','key':'/tmp/w'}");
}

/* ---- items ----------------------------------------------------------------------- */

static void
finished_items_are_completed_steps(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'issue': 1, 'pr': 2, 'state': 'merged', 'next_action': 'none'}, "
        "{'state': 'Closed', 'next_action': 'no'}, "
        "{'state': 'complete', 'next_action': 'rest'}");
    pipe_has(p, "/progress/completed/0/description", "'merged: none'");
    pipe_has(p, "/progress/completed/0/evidence", "['issue-1','pr-2']");
    pipe_has(p, "/progress/completed/1/description", "'closed: no'");
    pipe_has(p, "/progress/completed/2/id", "'item-3'");
    pipe_has(p, "/progress/next", "-");
}

static void
other_items_are_next_steps_and_a_running_one_the_focus(void)
{
    g_autoptr(Pipe) p =
        model_of_items("{'state': 'eligible_impl', 'next_action': 'first'}, "
                       "{'state': 'running', 'next_action': 'second'}, "
                       "{'state': 'never heard of', 'next_action': 'third'}");
    pipe_has(p, "/progress/next/0/description", "'first'");
    pipe_has(p, "/progress/next/1/description", "'second'");
    pipe_has(p, "/progress/next/2/description", "'third'");
    pipe_has(p, "/progress/focus", "{'description':'second','refs':['item-2']}");
}

static void
the_queue_follows_without_what_is_an_item_already(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){
        .items = "{'issue': 1, 'state': 'open', 'next_action': 'a'}",
        .rest = ", 'remaining_queue': [{'issue': 1, 'state': 'open', 'next_action': "
                "'again'}, {'issue': 2, 'state': 'needs_spec', 'next_action': 'b', "
                "'blocker': 'why'}, {'pr': 3, 'state': 'open', 'next_action': 'c'}]"});
    pipe_has(p, "/progress/next/1",
             "{'id':'queue-2','description':'b','blocked_by':['queue-blocker-2'],"
             "'refs':['issue-2']}");
    pipe_has(p, "/progress/next/2/refs", "['pr-3']");
    pipe_has(p, "/progress/next/3", "-");
    object_is(p, "/statements", "queue-blocker-2", "/text", "'why'");
}

static void
a_blocker_is_an_observation_that_blocks_its_step(void)
{
    g_autoptr(Pipe) p =
        model_of_items("{'state': 'blocked', 'next_action': 'n', 'blocker': 'no key'}");
    object_is(p, "/statements", "blocker-1", "/kind", "'observation'");
    object_is(p, "/statements", "blocker-1", "/text", "'no key'");
    object_is(p, "/statements", "blocker-1", "/origin/type", "'agent'");
    object_is(p, "/statements", "blocker-1", "/verification/state", "'unverified'");
    pipe_has(p, "/progress/next/0/blocked_by", "['blocker-1']");
}

static void
waiting_for_checks_is_a_wait(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'pr': 5, 'state': 'waiting_ci', 'next_action': 'wait'}, "
        "{'state': 'Needs_CI', 'next_action': 'wait'}, "
        "{'state': 'open', 'next_action': 'go', 'ci': {'status': 'Pending'}}");
    object_is(p, "/operations", "wait-ci-1", "/kind", "'wait'");
    object_is(p, "/operations", "wait-ci-1", "/status", "'awaiting'");
    object_is(p, "/operations", "wait-ci-1", "/target", "'pr-5'");
    pipe_has(p, "/progress/next/0/blocked_by", "['wait-ci-1']");
    pipe_has(p, "/progress/next/1/blocked_by", "['wait-ci-2']");
    pipe_has(p, "/progress/next/2/blocked_by", "-");
    pipe_has(p, "/progress/next/2/refs", "['wait-ci-3']");
}

static void
a_review_needs_an_approval_and_a_person_an_input(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'state': 'review_required', 'next_action': 'look'}, "
        "{'state': 'needs_human', 'next_action': 'ask', 'blocker': 'which one?'}, "
        "{'state': 'needs_review', 'next_action': 'agent looks'}");
    object_is(p, "/operations", "need-review-1", "/kind", "'approval'");
    object_is(p, "/operations", "need-review-1", "/status", "'awaiting'");
    object_is(p, "/operations", "need-review-1", "/requested_from", "'maintainer'");
    object_is(p, "/operations", "need-review-1", "/resume", "'ask'");
    object_is(p, "/operations", "need-human-2", "/kind", "'input'");
    object_is(p, "/operations", "need-human-2", "/resume", "'ask'");
    pipe_has(p, "/progress/next/1/blocked_by", "['blocker-2','need-human-2']");
    pipe_has(p, "/progress/next/2/blocked_by", "-");
}

static void
ready_to_merge_waits_for_permission(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'pr': 5, 'state': 'merge_ready', 'next_action': 'merge', "
        "'merge_authorization': {'actor': 'm', 'source': 'chat', 'summary': 'go'}}, "
        "{'pr': 6, 'state': 'READY_TO_MERGE', 'next_action': 'merge'}");
    object_is(p, "/operations", "merge-approval-1", "/kind", "'approval'");
    object_is(p, "/operations", "merge-approval-1", "/status", "'awaiting'");
    object_is(
        p, "/operations", "merge-1", "",
        "{'id':'merge-1','kind':'action','description':'merge','status':'planned',"
        "'effect':'non_idempotent','target':'pr-5','depends_on':["
        "'merge-approval-1'],'resume':'ask'}");
    object_is(p, "/operations", "merge-2", "/target", "'pr-6'");
    object_is(p, "/continuation/stop_conditions", "no-merge-1", "/applies_to",
              "['merge-1']");
    object_is(p, "/continuation/stop_conditions", "no-merge-1", "/until",
              "[{'operation':'merge-approval-1','status':'approved'}]");
}

static void
a_recorded_authorization_is_only_an_observation(void)
{
    static const char *const values[] = {
        "{'actor': 'm', 'source': 'chat', 'more': [1]}", "'implx auto invocation'",
        "true"};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *item = g_strdup_printf(
            "{'pr': 5, 'state': 'open', 'next_action': 'n', 'merge_authorization': %s}",
            values[i]);
        g_autoptr(Pipe) p = model_of_items(item);
        object_is(p, "/statements", "merge-authorization-1", "/kind", "'observation'");
        object_is(p, "/statements", "merge-authorization-1", "/verification",
                  "{'state':'unverified','revalidate':'before_action'}");
        pipe_has(p, "/operations", "-");
    }
}

/* ---- results --------------------------------------------------------------------- */

#define ITEM(level, head, gate)                                                        \
    "{'pr': 5, 'head_sha': " head ", 'truth_level': " level                            \
    ", 'state': 'open', 'next_action': 'n', 'pr_gate': {'status': 'passed', "          \
    "'head_sha': " gate                                                                \
    ", 'evidence': 'gate.json', 'checked_at': '2026-07-01T03:00:00z'}}"

static void
a_result_is_proven_only_at_truth_level_a_and_its_own_head(void)
{
    static const struct {
        const char *item, *state;
    } rows[] = {{ITEM("'A'", "'abc'", "'abc'"), "'verified'"},
                {ITEM("'A'", "'abc'", "'old'"), "'stale'"},
                {ITEM("'A'", "'abc'", "null"), "'unverified'"},
                {ITEM("'A'", "null", "'abc'"), "'unverified'"},
                {ITEM("'B'", "'abc'", "'abc'"), "'unverified'"},
                {ITEM("null", "'abc'", "'old'"), "'unverified'"}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(Pipe) p = model_of_items(rows[i].item);
        object_is(p, "/statements", "pr_gate-1", "/verification/state", rows[i].state);
        object_is(p, "/statements", "pr_gate-1", "/verification/revalidate",
                  "'before_action'");
        object_is(p, "/statements", "pr_gate-1", "/verification/checked_at",
                  "'2026-07-01T03:00:00Z'");
        object_is(p, "/statements", "pr_gate-1", "/evidence", "['artifact-gate.json']");
    }
}

static void
results_are_told_in_words_and_name_their_evidence(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'state': 'open', 'next_action': 'n', 'ci': {'status': 'green', 'evidence': "
        "'https://ci.example/1'}, 'review': {'status': 'passed', 'reviewer_lane': "
        "'lane-1', 'blocking_findings': []}, 'review_threads': {'status': 'open', "
        "'unresolved_count': 2}, 'pr_gate': {'status': 'unknown'}}");
    object_is(p, "/statements", "ci-1", "/text", "'CI: green'");
    object_is(p, "/statements", "review-1", "/text", "'Review: passed'");
    object_is(p, "/statements", "review-1", "/origin",
              "{'type':'agent','name':'lane-1'}");
    object_is(p, "/statements", "review_threads-1", "/text",
              "'Review threads: open, 2 unresolved'");
    CU_ASSERT_PTR_NULL(pipe_object(p, "/statements", "pr_gate-1"));
    carried(p, "/items/0/pr_gate/status");
    const OcpNode *resources = ocp_pointer_find(p->result->root, "/resources");
    CU_ASSERT_PTR_NOT_NULL(pipe_element(resources, "uri", "https://ci.example/1"));
}

static void
a_local_check_is_verified_only_with_evidence(void)
{
    g_autoptr(Pipe) p = model_of_items(
        "{'state': 'open', 'next_action': 'n', 'local_verification': [{'command': "
        "'make test', 'status': 'passed', 'evidence': 'log.txt'}, {'command': 'make', "
        "'status': 'passed'}, {'command': 'lint', 'status': 'failed', 'evidence': "
        "'l.txt'}, 'by hand', {'command': 'later'}]}");
    object_is(p, "/statements", "local-1-1", "/text", "'make test: passed'");
    object_is(p, "/statements", "local-1-1", "/origin", "{'type':'tool'}");
    object_is(p, "/statements", "local-1-1", "/verification",
              "{'state':'verified','method':'make test','revalidate':'before_use'}");
    object_is(p, "/statements", "local-1-1", "/evidence", "['artifact-log.txt']");
    object_is(p, "/statements", "local-1-2", "/verification/state", "'unverified'");
    object_is(p, "/statements", "local-1-3", "/verification/state", "'unverified'");
    object_is(p, "/statements", "local-1-4", "/text", "'by hand'");
    object_is(p, "/statements", "local-1-5", "/text", "'later: no result'");
}

static void
the_rest_is_carried(void)
{
    g_autoptr(Pipe) p = model_of(&(Parts){
        .items = "{'state': 'open', 'next_action': 'n', 'spec_status': 'complete', "
                 "'merge_state': 'clean', 'truth_level': 'C', 'x': {'y': [1.50]}}",
        .rest = ", 'goal': {'enabled': false}, 'spec_coverage': {'complete': [1]}, "
                "'mine': 1e2"});
    static const char *const pointers[] = {"/items/0/spec_status",
                                           "/items/0/merge_state",
                                           "/items/0/truth_level",
                                           "/items/0/x/y/0",
                                           "/goal/enabled",
                                           "/spec_coverage/complete/0",
                                           "/mine",
                                           "/context_budget/soft_stop_ratio"};
    for (gsize i = 0; i < G_N_ELEMENTS(pointers); i++)
        carried(p, pointers[i]);
}

#define TEST(name)                                                                     \
    {                                                                                  \
#name, name                                                                    \
    }
OCP_TEST_MAIN("specrail rows", TEST(the_tranche_names_title_and_session),
              TEST(the_status_is_the_tranches),
              TEST(the_scope_is_the_objective_except_in_a_drain),
              TEST(the_goal_candidate_gives_criteria_constraints_and_a_stop),
              TEST(the_resume_prompt_is_a_recommendation_never_an_instruction),
              TEST(remote_truth_first_is_added_and_named),
              TEST(the_newest_time_in_it_is_a_lower_bound),
              TEST(the_repository_is_hub_path_or_workspace),
              TEST(issue_and_request_are_records_of_the_repository),
              TEST(branch_and_worktree_belong_to_the_machine),
              TEST(finished_items_are_completed_steps),
              TEST(other_items_are_next_steps_and_a_running_one_the_focus),
              TEST(the_queue_follows_without_what_is_an_item_already),
              TEST(a_blocker_is_an_observation_that_blocks_its_step),
              TEST(waiting_for_checks_is_a_wait),
              TEST(a_review_needs_an_approval_and_a_person_an_input),
              TEST(ready_to_merge_waits_for_permission),
              TEST(a_recorded_authorization_is_only_an_observation),
              TEST(a_result_is_proven_only_at_truth_level_a_and_its_own_head),
              TEST(results_are_told_in_words_and_name_their_evidence),
              TEST(a_local_check_is_verified_only_with_evidence),
              TEST(the_rest_is_carried))
