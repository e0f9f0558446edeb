/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel was doing, and the operations that the model must hold for it. The
 * first table are documents of the corpus (each in all its syntaxes), the second are
 * states that no document there has. An operation reads "kind status effect resume
 * tool".
 */
#include "pipe.h"

typedef struct {
    const char *what;
    const char *status;
    const char *operations;
} State;

static const State corpus[] = {
    {"v1/bad-args-list", "active", "action uncertain unknown verify_first web-search"},
    {"v1/bad-cid-not-int", "active",
     "action uncertain unknown verify_first web-search"},
    {"v1/bad-q-unknown-enum", "active",
     "action uncertain unknown verify_first web-search"},
    {"v1/bad-run-event-no-next-step", "active",
     "action uncertain unknown verify_first web-search"},
    {"v1/july-aborted", "abandoned", ""},
    {"v1/july-gov-blacklist", "awaiting_input", ""},
    {"v1/july-gov-block", "awaiting_input", ""},
    {"v1/july-gov-hitl", "awaiting_input",
     "approval awaiting - ask -; action planned - ask delete_file"},
    {"v1/july-gov-skip", "awaiting_input", ""},
    {"v1/july-gov-terminate", "abandoned", "action planned - ask delete_file"},
    {"v1/july-hitl-approved-done", "awaiting_input", ""},
    {"v1/july-hitl-approved-tool-inflight", "active",
     "action uncertain unknown verify_first book_flight"},
    {"v1/july-hitl-blocked-done", "awaiting_input", ""},
    {"v1/july-hitl-skipped-llm-inflight", "active",
     "wait uncertain none verify_first -"},
    {"v1/july-hitl-tool-result-pending", "awaiting_input",
     "approval awaiting - ask -; action uncertain unknown verify_first web-search"},
    {"v1/july-idle-fresh", "awaiting_input", ""},
    {"v1/july-memory-op-inflight", "active", "action uncertain unknown verify_first -"},
    {"v1/july-model-error", "awaiting_input", ""},
    {"v1/july-pattern-cot", "active", "wait uncertain none verify_first -"},
    {"v1/july-paused-hitl-dropped", "paused", "action planned - ask book_flight"},
    {"v1/july-tool-error", "awaiting_input", ""},
    {"v1/july-tool-inflight-unicode-args", "active",
     "action uncertain unknown verify_first recherche_web"},
    {"v1/july-tool-inflight", "active",
     "action uncertain unknown verify_first web-search"},
    {"v1/new-hitl-tool-pending", "awaiting_input",
     "approval awaiting - ask -; action planned - ask book_flight"},
    {"v1/new-parallel-inflight", "active",
     "action uncertain unknown verify_first calc; "
     "action uncertain unknown verify_first send_email"},
    {"v1/x-q-lenient-types", "awaiting_input",
     "approval awaiting - ask -; action planned - ask book_flight"},
    {"v1/x-run-empty-object", "active",
     "action uncertain unknown verify_first web-search"},
    {"v2/cot-pass-2", "active", "wait uncertain none verify_first -"},
    {"v2/fork-cli-grandchild", "awaiting_input", ""},
    {"v2/gov-ingress-retry-authorize", "active",
     "wait planned none ask -; action uncertain unknown verify_first book_flight"},
    {"v2/gov-ingress-retry-stuck", "active",
     "action uncertain unknown verify_first book_flight"},
    {"v2/gov-retry", "active", "action planned - ask delete_file"},
    {"v2/hitl-blocked", "awaiting_input", ""},
    {"v2/hitl-skipped", "awaiting_input", ""},
    {"v2/hitl-terminated", "abandoned", "action planned - ask book_flight"},
    {"v2/hitl-tool-pending", "awaiting_input",
     "approval awaiting - ask -; action planned - ask book_flight"},
    {"v2/hitl-wiped-after-resume", "awaiting_input",
     "approval awaiting - ask -; action planned - ask book_flight"},
    {"v2/idle-after-1-turn", "awaiting_input", ""},
    {"v2/idle-fresh", "awaiting_input", ""},
    {"v2/idle-stale-tool-result-quirk", "awaiting_input", ""},
    {"v2/llm-inflight", "active", "wait uncertain none verify_first -"},
    {"v2/mas-child-tool-inflight", "active",
     "action uncertain unknown verify_first delegate_to_schedule_agent; "
     "action uncertain unknown verify_first delegate_to_concierge_agent; "
     "action uncertain unknown verify_first train_times"},
    {"v2/mas-delegate-inflight", "active",
     "action uncertain unknown verify_first delegate_to_itinerary_agent"},
    {"v2/mas-parallel-delegates-inflight", "active",
     "action uncertain unknown verify_first delegate_to_schedule_agent; "
     "action uncertain unknown verify_first delegate_to_concierge_agent"},
    {"v2/memory-op-inflight", "active", "action uncertain unknown verify_first -"},
    {"v2/model-error", "awaiting_input", ""},
    {"v2/parallel-one-returned", "active",
     "action uncertain unknown verify_first web-search; "
     "action uncertain unknown verify_first send_email"},
    {"v2/parallel-same-tool-same-args", "active",
     "action uncertain unknown verify_first append_log; "
     "action uncertain unknown verify_first append_log"},
    {"v2/paused-hitl-dropped", "paused", "action planned - ask book_flight"},
    {"v2/paused-idle", "paused", ""},
    {"v2/tool-2-inflight", "active",
     "action uncertain unknown verify_first send_email"},
    {"v2/tool-error", "awaiting_input", ""},
    {"v2/tool-inflight-unicode-args", "active",
     "action uncertain unknown verify_first recherche_web"},
    {"v2/tool-result-in-llm-inflight", "active", "wait uncertain none verify_first -"},
    {"v2/x-tool-arguments-shapes", "awaiting_input",
     "action uncertain unknown verify_first a; "
     "action uncertain unknown verify_first b; "
     "action uncertain unknown verify_first c; "
     "action uncertain unknown verify_first d; "
     "action uncertain unknown verify_first e; "
     "action uncertain unknown verify_first f"},
    {"v2/x-tool-call-id-reused", "active",
     "action uncertain unknown verify_first web-search"},
};

/* Members of q that differ from an idle kernel. */
static const State idle_but[] = {
    {"", "awaiting_input", ""},
    {"'pending_tool_name':'rm','pending_tool_args':{'a':1}", "awaiting_input", ""},
    {"'ctrl':'STOPPED'", "abandoned", ""},
    {"'ctrl':'PAUSED'", "paused", ""},
    {"'dp':'CTX_BUILD'", "active", ""},
    {"'dp':'EVALUATING','pending_tool_name':'rm'", "awaiting_input", ""},
    /* several in flight: each by its own name; who has none is named by the last */
    {"'dp':'AWAITING_INGRESS','inflight_kind':'TOOL','inflight_correlation_ids':[2,3],"
     "'pending_tool_name':'b','pending_tools_by_cid':{'2':{'tool_name':'a'}}",
     "active",
     "action uncertain unknown verify_first a; action uncertain unknown verify_first "
     "b"},
    {"'dp':'AWAITING_INGRESS','tool':'EXECUTING','pending_engine_correlation_id':4,"
     "'pending_tool_name':'b'",
     "active", "action uncertain unknown verify_first b"},
    /* the op of a wait, not its kind */
    {"'dp':'AWAITING_INGRESS','outbound_waits':[{'correlation_id':1,'kind':'TOOL',"
     "'op':'TRANSPORT_MSG'},{'correlation_id':2,'kind':'MODEL','op':'LLM_CALL'}]",
     "active",
     "wait uncertain none verify_first -; action uncertain unknown verify_first -"},
    {"'dp':'AWAITING_INGRESS','outbound_waits':[{'correlation_id':1,'kind':'TOOL',"
     "'op':'NONE'}],'pending_tool_name':'a'",
     "active", "action uncertain unknown verify_first -"},
    {"'dp':'AWAITING_INGRESS','transport':'SENDING','inflight_correlation_ids':[1]",
     "active", "action uncertain unknown verify_first -"},
    {"'dp':'AWAITING_INGRESS','model':'CALLING','inflight_kind':'MODEL',"
     "'inflight_correlation_ids':[1],'pending_tool_name':'a'",
     "active", "wait uncertain none verify_first -"},
    /* a question to the user, asked by a tool */
    {"'dp':'AWAITING_INGRESS','tool':'EXECUTING','inflight_correlation_ids':[2],"
     "'pending_tool_name':'request_human_input','pending_tool_args':{'question':'Which?"
     "'}",
     "awaiting_input", "input awaiting - ask -"},
    /* nothing is sent that only waits to be sent */
    {"'dp':'EGRESS_PENDING','scheduled_egress':'TOOL_CALL','gov_state':'AUTHZ_EGRESS',"
     "'pending_tool_name':'a'",
     "active", "action planned - ask a"},
    {"'dp':'EGRESS_PENDING','scheduled_egress':'LLM_CALL','pending_tool_name':'a'",
     "active", "wait planned none ask -"},
    {"'dp':'EGRESS_PENDING','scheduled_egress':'MEMORY_OP'", "active",
     "action planned - ask -"},
    {"'dp':'EGRESS_PENDING','scheduled_egress':'TRANSPORT_MSG'", "active",
     "action planned - ask -"},
    {"'dp':'EGRESS_PENDING'", "active", "action planned - ask -"},
    {"'parallel_tool_batch':[{'tool_name':'a','tool_arguments':{}},{'tool_name':'b'}]",
     "active", "action planned - ask a; action planned - ask b"},
    /* a person is asked: about a call, a result, another operation */
    {"'dp':'AWAITING_INGRESS','tool':'WAIT_GOV','gov_state':'HITL_PENDING',"
     "'hitl_request_id':2,'hitl_pending_schedule':'TOOL_CALL','pending_tool_name':'a'",
     "awaiting_input", "approval awaiting - ask -; action planned - ask a"},
    {"'dp':'AWAITING_INGRESS','tool':'DONE','gov_state':'HITL_PENDING','hitl_request_"
     "id':3,"
     "'hitl_pending_schedule':'NONE','inflight_correlation_ids':[2],'pending_tool_name'"
     ":'a'",
     "awaiting_input",
     "approval awaiting - ask -; action uncertain unknown verify_first a"},
    {"'dp':'AWAITING_INGRESS','tool':'DONE','gov_state':'HITL_PENDING','hitl_request_"
     "id':3,"
     "'hitl_pending_schedule':'NONE','pending_tool_name':'a'",
     "awaiting_input",
     "approval awaiting - ask -; action uncertain unknown verify_first a"},
    {"'dp':'AWAITING_INGRESS','model':'CALLING','gov_state':'HITL_PENDING',"
     "'hitl_request_id':2,'hitl_pending_schedule':'LLM_CALL','pending_tool_name':'a'",
     "awaiting_input", "approval awaiting - ask -"},
    {"'dp':'AWAITING_INGRESS','gov_state':'HITL_PENDING','hitl_request_id':2,"
     "'hitl_pending_schedule':'MEMORY_OP'",
     "awaiting_input", "approval awaiting - ask -"},
    {"'dp':'AWAITING_INGRESS','gov_state':'HITL_PENDING','hitl_request_id':2,"
     "'hitl_pending_schedule':'TRANSPORT_MSG'",
     "awaiting_input", "approval awaiting - ask -"},
    /* the runtime forgot that it asks; an id left over from an answered question */
    {"'dp':'AWAITING_INGRESS','tool':'WAIT_GOV','hitl_request_id':2,"
     "'hitl_pending_schedule':'TOOL_CALL','pending_tool_name':'a'",
     "awaiting_input", "approval awaiting - ask -; action planned - ask a"},
    {"'hitl_request_id':2,'hitl_pending_schedule':'TOOL_CALL','pending_tool_name':'a'",
     "awaiting_input", ""},
    {"'gov_state':'HITL_PENDING','pending_tool_name':'a'", "awaiting_input", ""},
    /* states of older versions, and of none */
    {"'dp':'AWAITING_HITL','hitl_request_id':2,'hitl_pending_schedule':'TOOL_CALL',"
     "'pending_tool_name':'a'",
     "awaiting_input", "approval awaiting - ask -; action planned - ask a"},
    {"'dp':'AWAITING_HITL','pending_tool_name':'a'", "awaiting_input",
     "approval awaiting - ask -; action uncertain unknown verify_first a"},
    {"'dp':'DREAMING','inflight_kind':'TOOL','inflight_correlation_ids':[2],"
     "'pending_tool_name':'a'",
     "active", "action uncertain unknown verify_first a"},
    /* one held, one sent before it */
    {"'dp':'AWAITING_INGRESS','tool':'WAIT_GOV','gov_state':'HITL_PENDING',"
     "'hitl_request_id':9,'hitl_pending_schedule':'TOOL_CALL','pending_tool_name':'b',"
     "'outbound_waits':[{'correlation_id':3,'kind':'TOOL','op':'TOOL_CALL'}],"
     "'pending_tools_by_cid':{'3':{'tool_name':'a','tool_arguments':{}}}",
     "awaiting_input",
     "approval awaiting - ask -; action planned - ask b; "
     "action uncertain unknown verify_first a"},
};

static const char idle[] =
    "{'ctrl':'RUNNING','dp':'IDLE','model':'IDLE','tool':'IDLE','ctx':'IDLE',"
    "'memory':'IDLE','session':'IDLE','transport':'IDLE','gov_state':'IDLE',"
    "'scheduled_egress':'NONE','inflight_kind':'NONE','hitl_request_id':0,"
    "'hitl_pending_schedule':'NONE'}";

static void
append_text(GString *text, const OcpNode *node, const char *otherwise)
{
    g_autofree char *own = ocp_is(node, OCP_STRING) ? ocp_text_dup(node) : NULL;
    if (text->len > 0 && !g_str_has_suffix(text->str, "; "))
        g_string_append_c(text, ' ');
    g_string_append(text, own != NULL ? own : otherwise);
}

static char *
operations_of(const OcpNode *model)
{
    GString *text = g_string_new(NULL);
    OcpIter iter = ocp_iter(ocp_member(model, "operations"));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;) {
        if (text->len > 0)
            g_string_append(text, "; ");
        append_text(text, ocp_member(one, "kind"), "?");
        append_text(text, ocp_member(one, "status"), "?");
        append_text(text, ocp_member(one, "effect"), "-");
        append_text(text, ocp_member(one, "resume"), "-");
        append_text(text, ocp_member(ocp_member(one, "call"), "tool"), "-");
    }
    return g_string_free(text, FALSE);
}

/* What no state may give: a retry of what may have happened, and an instruction that is
 * not the user's or the system's. */
static void
check_safe(const OcpNode *model, const char *what)
{
    OcpIter iter = ocp_iter(ocp_member(model, "operations"));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        if (ocp_text_is(ocp_member(one, "resume"), "retry"))
            ocp_test_fail("%s: an operation may be retried", what);
    iter = ocp_iter(ocp_member(model, "statements"));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;) {
        const OcpNode *type = ocp_member(ocp_member(one, "origin"), "type");
        if (ocp_text_is(ocp_member(one, "kind"), "instruction") &&
            !ocp_text_is(type, "user") && !ocp_text_is(type, "system"))
            ocp_test_fail("%s: an instruction that nobody gave", what);
    }
}

static bool
check_model(const Pipe *pipe, const State *state, const char *what)
{
    if (!pipe->ok) {
        ocp_test_fail("%s: not converted", what);
        return false;
    }
    const OcpNode *model = pipe->result->root;
    g_autofree char *found = operations_of(model);
    bool right = strcmp(found, state->operations) == 0;
    if (!right)
        ocp_test_fail("%s: \"%s\", not \"%s\"", what, found, state->operations);
    const OcpNode *status = ocp_pointer_find(model, "/task/status");
    if (!ocp_text_is(status, state->status)) {
        ocp_test_fail("%s: the task is not %s", what, state->status);
        right = false;
    }
    check_safe(model, what);
    return right;
}

static void
documents_of_the_corpus(void)
{
    static const char *const syntaxes[] = {".json",         ".yaml",
                                           ".flow.yaml",    ".quoted.yaml",
                                           ".unicode.yaml", ".anchors.yaml"};
    guint passed = 0, total = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(corpus) * G_N_ELEMENTS(syntaxes); i++) {
        const State *state = &corpus[i / G_N_ELEMENTS(syntaxes)];
        g_autofree char *place =
            g_strconcat("corpus/session-checkpoint/", state->what,
                        syntaxes[i % G_N_ELEMENTS(syntaxes)], NULL);
        g_autofree char *folder = ocp_test_shared("corpus/session-checkpoint");
        if (folder == NULL)
            return;
        g_autofree char *path = g_build_filename(
            folder, place + strlen("corpus/session-checkpoint/"), NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        g_autoptr(GBytes) bytes = ocp_test_read(path);
        g_autoptr(Pipe) pipe = pipe_run(bytes, path, NULL, NULL);
        passed += check_model(pipe, state, place);
        total++;
    }
    ocp_test_count("kernel states of the corpus", passed, total);
    CU_ASSERT_EQUAL(passed, total);
}

/* A version 1 document whose q is the idle one but for these members. */
static GBytes *
document_with(const char *members)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autofree char *changes = g_strconcat("{", members, "}", NULL);
    g_autoptr(GBytes) base_text = pipe_quoted(idle);
    g_autoptr(GBytes) text = pipe_quoted(changes);
    g_autoptr(OcpDocument) base = pipe_read(base_text, "idle", report);
    g_autoptr(OcpDocument) own = pipe_read(text, "own", report);
    CU_ASSERT_FATAL(base != NULL && own != NULL);
    g_autoptr(GString) q = g_string_new(NULL);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    const OcpNode *key, *value;
    OcpIter iter = ocp_iter(base->root);
    while (ocp_iter_member(&iter, &key, &value))
        if (ocp_member_like(own->root, key) == NULL)
            ocp_build_member(&build, key, value);
    iter = ocp_iter(own->root);
    while (ocp_iter_member(&iter, &key, &value))
        ocp_build_member(&build, key, value);
    ocp_json_write(build.container, true, q);
    char *all =
        g_strdup_printf("{\"version\": 1, \"label\": \"x\", \"kernel\": {\"q\": %s, "
                        "\"run\": {\"events\": []}}}",
                        q->str);
    return g_bytes_new_take(all, strlen(all));
}

static void
states_that_no_document_has(void)
{
    guint passed = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(idle_but); i++) {
        g_autoptr(GBytes) bytes = document_with(idle_but[i].what);
        g_autoptr(Pipe) pipe = pipe_run(bytes, "state.json", NULL, NULL);
        passed += check_model(pipe, &idle_but[i], idle_but[i].what);
    }
    ocp_test_count("kernel states written here", passed, G_N_ELEMENTS(idle_but));
    CU_ASSERT_EQUAL(passed, G_N_ELEMENTS(idle_but));
}

/* And each comes back, whatever it is. */
static void
every_state_comes_back(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(idle_but); i++) {
        g_autoptr(GBytes) bytes = document_with(idle_but[i].what);
        g_autoptr(Pipe) there = pipe_run(bytes, "state.json", NULL, NULL);
        g_autoptr(Pipe) back =
            pipe_run(there->outcome->text, "model.json", "session-checkpoint@1", NULL);
        CU_ASSERT_FATAL(back->ok);
        g_autofree char *before = pipe_json(there->source->root);
        g_autofree char *after = pipe_json(back->result->root);
        if (strcmp(before, after) != 0)
            ocp_test_fail("%s came back as %s", before, after);
    }
}

OCP_TEST_MAIN("session-states", {"documents of the corpus", documents_of_the_corpus},
              {"states that no document has", states_that_no_document_has},
              {"every state comes back", every_state_comes_back})
