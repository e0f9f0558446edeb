/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits of the model between reading and writing, in every dialect: a status changed, a
 * step added, an element deleted, the order turned round, a parent deleted. The edit
 * shows; what only the carry holds of the other elements stays with its element; what
 * it holds of a deleted one is reported, and is in no document and no model after it.
 */
#include "edit.h"

enum { ELEMENTS = 3 };

/* A document with three elements of a kind: "label-N" stands in what the model shows of
 * element N, "keep-N" in what only the carry holds of it. */
typedef struct {
    const char *name, *dialect, *document;
    const char *list;       /* of the elements in the document */
    const char *collection; /* ... and of their objects in the model */
    const char *parent;     /* "/resources id": all of it hangs on this; or NULL */
    bool bare;              /* the carry holds nothing: there is no "keep-N" */
} Row;

#define BUDGET                                                                         \
    "'context_budget': {'window_tokens': 200000, 'soft_stop_ratio': 0.5, "             \
    "'hard_stop_ratio': 0.65, 'critical_stop_ratio': 0.75}, 'output_firewall': "       \
    "{'raw_log_policy': 'file_only', 'max_parent_stdout_lines': 150, "                 \
    "'max_subagent_final_lines': 150, 'artifact_root': 'logs'}, "
#define ITEM(n, state)                                                                 \
    "{'issue': 10" n ", 'state': '" state "', 'next_action': 'label-" n "', 'mine': "  \
    "{'deep': ['keep-" n "']}}"
#define TRANCHE(version)                                                               \
    "{'checkpoint_version': " version ", 'tranche_id': 't', 'repo': 'o/n', 'scope': "  \
    "'s', 'status': 'handoff', " BUDGET "'items': [" ITEM("0", "open") ", " ITEM(      \
        "1", "running") ", " ITEM("2", "blocked") "], 'resume_prompt': 'r'}"
#define PENDING(n) "{'kind': 'pr', 'number': 1" n ", 'next_action': 'label-" n "'}"
#define ACTION(rank, n)                                                                \
    "{'rank': " rank ", 'work_id': 'w" n "', 'action_type': 'keep-" n                  \
    "', 'recommended_prompt': 'label-" n "'}"
#define BRIEF_OF(actions)                                                              \
    "{'unsettled_leases': [], 'stale_commitments': [], 'unassigned_blockers': [], "    \
    "'ranked_next_actions': [" actions "], 'system_advisories': []}"
#define BRIEF BRIEF_OF(ACTION("1", "0") ", " ACTION("2", "1") ", " ACTION("3", "2"))
#define CHECK(n)                                                                       \
    "{'work_id': 'w" n "', 'sub_state': 'VERIFY_PHASE_2_DEFERRED', "                   \
    "'verification_capability_id': 'c', 'success_predicate': 'label-" n                \
    "', 'check_due_at': '2026-10-02T10:0" n                                            \
    ":00Z', 'status': 'PENDING', 'fact_ids': ['keep-" n "']}"
#define PULSE                                                                          \
    "{'pulse_timestamp': '2026-10-01T10:00:00Z', 'workspace_stage_profile': "          \
    "'CAOP-STAGE-1', 'resume_brief': "
#define CALL(n)                                                                        \
    "{'tool_name': 'label-" n "', 'tool_arguments': {'n': " n "}, 'note': 'keep-" n "'}"
#define STATES(dp)                                                                     \
    "'ctrl': 'RUNNING', 'dp': '" dp                                                    \
    "', 'model': 'IDLE', 'tool': 'IDLE', 'ctx': 'IDLE', 'memory': 'IDLE', 'session': " \
    "'IDLE', 'transport': 'IDLE'"
#define CALLS                                                                          \
    "'kernel': {'q': {" STATES(                                                        \
        "EGRESS_PENDING") ", 'scheduled_egress': 'TOOL_CALL', "                        \
                          "'inflight_kind': 'NONE', 'parallel_tool_batch': [" CALL(    \
                              "0") ", " CALL("1") ", " CALL("2") "]}, 'run': "         \
                                                                 "{'events': []}}"
#define SESSION                                                                        \
    "'version': 2, 'label': 'l', 'turn': 1, 'lineage': {'session_id': 's', "           \
    "'parent_session_id': null, 'forked_from_checkpoint': null, 'root_session_id': "   \
    "'s', 'created_at': '2026-10-01T10:00:00+00:00'}, 'manifest': {'content': "        \
    "{'kind': 'Agent'}, 'content_hash': "                                              \
    "'5a1e6d6fcb0fb5d2dcf6bb1bcb2e6bb0c1e2f6d7a4a3b5ff2a4a3e6f5d4c3b2a'}"
#define MESSAGE(n) "{'role': 'user', 'content': 'label-" n "', 'note': 'keep-" n "'}"
#define MEMORY(messages)                                                               \
    "'working_memory': [{'agent_id': 'a', 'turn_history': [], "                        \
    "'committed_messages': [" messages "], 'conversation_chunks': null}]"
#define SEED(n) "{'key': 'k" n "', 'content': 'label-" n "', 'note': 'keep-" n "'}"

static const Row rows[] = {
    {"specrail@1", "specrail@1", TRANCHE("1"), "/items", "/progress/next", NULL, false},
    {"specrail@2", "specrail@2", TRANCHE("2"), "/items", "/progress/next", NULL, false},
    {"specrail@3", "specrail@3", TRANCHE("3"), "/items", "/progress/next", NULL, false},
    {"specrail-cursor", "specrail-cursor",
     "{'checkpoint_version': 4, 'run_id': 'r', 'repo': 'o/n', 'scope': 's', 'status': "
     "'running', 'milestone': {'id': 'm', 'state': 'active'}, 'completed': [], "
     "'pending': [" PENDING("0") ", " PENDING("1") ", " PENDING(
         "2") "], 'blocked': [], 'artifact_refs': [], 'resume': 'r', 'updated_at': "
              "'2026-10-01T10:00:00Z'}",
     "/pending", "/progress/next", NULL, true},
    {"caop-pulse, actions", "caop-pulse", PULSE BRIEF "}",
     "/resume_brief/ranked_next_actions", "/progress/next", NULL, false},
    {"caop-pulse, checks", "caop-pulse",
     PULSE BRIEF_OF("") ", 'outcome_verifications': [" CHECK("0") ", " CHECK(
         "1") ", " CHECK("2") "]}",
     "/outcome_verifications", "/operations", NULL, false},
    {"caop-resume-brief", "caop-resume-brief", BRIEF, "/ranked_next_actions",
     "/progress/next", NULL, false},
    {"session-checkpoint@1, calls", "session-checkpoint@1", "{'version': 1, " CALLS "}",
     "/kernel/q/parallel_tool_batch", "/operations", NULL, false},
    {"session-checkpoint@2, calls", "session-checkpoint@2",
     "{" SESSION ", " CALLS ", " MEMORY("") "}", "/kernel/q/parallel_tool_batch",
     "/operations", NULL, false},
    {"session-checkpoint@2, messages", "session-checkpoint@2",
     "{" SESSION
     ", 'kernel': {'q': {" STATES("IDLE") "}, 'run': {'events': []}}, " MEMORY(
         MESSAGE("0") ", " MESSAGE("1") ", " MESSAGE("2")) "}",
     "/working_memory/0/committed_messages", "/statements", "/resources agent-1",
     false},
    {"session-checkpoint@2, seeds", "session-checkpoint@2",
     "{" SESSION
     ", 'kernel': {'q': {" STATES("IDLE") "}, 'run': {'events': []}}, " MEMORY(
         "") ", 'memory_seeds': [" SEED("0") ", " SEED("1") ", " SEED("2") "]}",
     "/memory_seeds", "/statements", NULL, false},
};

/* ---- words ---------------------------------------------------------------------- */

static char *
label_of(guint n)
{
    return g_strdup_printf("label-%u", n);
}

static char *
keep_of(guint n)
{
    return g_strdup_printf("keep-%u", n);
}

static bool
holds(const OcpNode *node, const char *word)
{
    g_autofree char *text = pipe_json(node);
    return strstr(text, word) != NULL;
}

static guint
count_in(GBytes *bytes, const char *word)
{
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *copy = g_strndup(text, size);
    guint count = 0;
    for (const char *at = copy; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

/* The labels of a collection in their order: "0 2". */
static char *
order_of(const OcpNode *root, const char *collection)
{
    GString *order = g_string_new(NULL);
    OcpIter iter = ocp_iter(ocp_pointer_find(root, collection));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        for (guint n = 0; n < ELEMENTS; n++) {
            g_autofree char *label = label_of(n);
            if (holds(one, label))
                g_string_append_printf(order, "%s%u", order->len > 0 ? " " : "", n);
        }
    return g_string_free(order, FALSE);
}

/* The id of the object in which element n shows. */
static char *
object_of(const Row *row, const OcpNode *model, guint n)
{
    g_autofree char *label = label_of(n);
    OcpIter iter = ocp_iter(ocp_pointer_find(model, row->collection));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        if (holds(one, label))
            return ocp_text_dup(ocp_member(one, "id"));
    ocp_test_fail("%s: no %s in %s", row->name, label, row->collection);
    return g_strdup("");
}

/* ---- one edit ------------------------------------------------------------------- */

/* A document written from an edited model, read, and written and read again. */
typedef struct {
    const Row *row;
    char *what; /* the edit, for messages */
    Pipe *turns[4];
} Trial;

static void
trial_free(Trial *trial)
{
    for (gsize i = 0; i < G_N_ELEMENTS(trial->turns); i++)
        if (trial->turns[i] != NULL)
            pipe_free(trial->turns[i]);
    g_free(trial->what);
    g_free(trial);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trial, trial_free)

static void fail_trial(const Trial *trial, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
fail_trial(const Trial *trial, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *said = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ocp_test_fail("%s, %s: %s", trial->row->name, trial->what, said);
}

static Pipe *
model_of(const Row *row)
{
    Pipe *pipe = pipe_text(row->document, "opencheckpoint");
    CU_ASSERT_STRING_EQUAL(pipe->outcome->from, row->dialect);
    return pipe;
}

static Trial *
try_edit(const Row *row, const Edit *edit, const char *what)
{
    Trial *trial = g_new0(Trial, 1);
    trial->row = row;
    trial->what = g_strdup(what);
    GBytes *text = edit_text(edit);
    for (gsize i = 0; i < G_N_ELEMENTS(trial->turns); i++) {
        const char *to = i % 2 == 0 ? row->dialect : "opencheckpoint";
        Pipe *turn = pipe_run(text, "turn.json", to, NULL);
        g_bytes_unref(text);
        trial->turns[i] = turn;
        const OcpDiagnostic *said = turn->report->diagnostics->len > 0
                                        ? turn->report->diagnostics->pdata[0]
                                        : NULL;
        if (!turn->ok)
            fail_trial(trial, "turn %u: %s: %s", (guint)i,
                       said != NULL ? said->pointer : "",
                       said != NULL ? said->message : "");
        CU_ASSERT_FATAL(turn->ok);
        pipe_check(turn->context, turn->outcome->text, row->name, OCP_ERROR);
        text = g_bytes_ref(turn->outcome->text);
    }
    g_bytes_unref(text);
    return trial;
}

/* The document right after the edit, and the model read from that. */
static const Pipe *
written(const Trial *trial)
{
    return trial->turns[0];
}

static const OcpNode *
read_again(const Trial *trial)
{
    return trial->turns[1]->result->root;
}

/* What the edit brought is in the model again, or the report says that it has no place.
 */
static bool
is_omitted(const Trial *trial, const char *pointer)
{
    const OcpLeaf *leaf = pipe_leaf(written(trial)->outcome->write, pointer);
    return leaf != NULL && leaf->fate == OCP_FATE_OMITTED;
}

/* ---- what stays, what goes ------------------------------------------------------ */

static void
check_stays(const Trial *trial, const Pipe *turn, guint n)
{
    g_autofree char *label = label_of(n);
    g_autofree char *keep = keep_of(n);
    if (count_in(turn->outcome->text, keep) != 1)
        fail_trial(trial, "%s is there %u times", keep,
                   count_in(turn->outcome->text, keep));
    OcpIter iter = ocp_iter(ocp_pointer_find(turn->result->root, trial->row->list));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        if (holds(one, label) != holds(one, keep)) {
            g_autofree char *text = pipe_json(one);
            fail_trial(trial, "%s is not where %s is: %s", keep, label, text);
        }
}

static void
check_goes(const Trial *trial, guint n)
{
    g_autofree char *keep = keep_of(n);
    for (gsize i = 0; i < G_N_ELEMENTS(trial->turns); i++)
        if (count_in(trial->turns[i]->outcome->text, keep) > 0)
            fail_trial(trial, "%s is back after %u turns", keep, (guint)i + 1);
    const Pipe *first = written(trial);
    const OcpAccount *account = first->outcome->write;
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_OMITTED && strcmp(leaf->reason, "superseded") == 0 &&
            holds(ocp_pointer_find(first->source->root, leaf->pointer), keep))
            return;
    }
    fail_trial(trial, "nothing reports that %s is gone", keep);
}

/* gone: bit n is set if element n was deleted. */
static void
check_carried(const Trial *trial, guint gone)
{
    for (guint n = 0; n < ELEMENTS && !trial->row->bare; n++) {
        if ((gone & 1u << n) != 0) {
            check_goes(trial, n);
            continue;
        }
        check_stays(trial, trial->turns[0], n);
        check_stays(trial, trial->turns[2], n);
    }
}

static void
check_order(const Trial *trial, const OcpNode *edited)
{
    g_autofree char *expected = order_of(edited, trial->row->collection);
    for (gsize i = 1; i < G_N_ELEMENTS(trial->turns); i += 2) {
        g_autofree char *found =
            order_of(trial->turns[i]->result->root, trial->row->collection);
        if (strcmp(found, expected) != 0)
            fail_trial(trial, "the order is %s, not %s", found, expected);
    }
}

/* ---- edits ---------------------------------------------------------------------- */

static void
the_rows_say_what_they_are(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autoptr(Trial) trial = try_edit(row, &edit, "no edit");
        g_autofree char *order = order_of(edit.model, row->collection);
        CU_ASSERT_STRING_EQUAL(order, "0 1 2");
        check_order(trial, edit.model);
        check_carried(trial, 0);
        for (guint n = 0; n < ELEMENTS && !row->bare; n++) {
            g_autofree char *keep = keep_of(n);
            const OcpNode *carry = ocp_member(edit.model, "extensions");
            CU_ASSERT(holds(carry, keep));
            CU_ASSERT_EQUAL(count_in(there->outcome->text, keep), 1);
        }
    }
}

static void
a_changed_status_shows(void)
{
    static const char *const statuses[] = {"paused", "blocked", "active", "completed",
                                           "abandoned"};
    for (gsize i = 0; i < G_N_ELEMENTS(rows) * G_N_ELEMENTS(statuses); i++) {
        const Row *row = &rows[i / G_N_ELEMENTS(statuses)];
        const char *status = statuses[i % G_N_ELEMENTS(statuses)];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autofree char *value = g_strdup_printf("'%s'", status);
        edit_put(&edit, "/task/status", value);
        g_autoptr(Trial) trial = try_edit(row, &edit, status);
        const OcpNode *found = ocp_pointer_find(read_again(trial), "/task/status");
        if (!ocp_text_is(found, status) && !is_omitted(trial, "/task/status"))
            fail_trial(trial, "it does not show");
        check_order(trial, edit.model);
        check_carried(trial, 0);
    }
}

static void
an_added_step_shows(void)
{
    static const char step[] = "{'id': 'brand-new', 'description': 'Brand new step'}";
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        if (ocp_member(edit.model, "progress") == NULL)
            edit_put(&edit, "/progress", "{}");
        if (ocp_pointer_find(edit.model, "/progress/next") == NULL)
            edit_put(&edit, "/progress/next", "[]");
        edit_put(&edit, "/progress/next/+", step);
        g_autoptr(Trial) trial = try_edit(row, &edit, "a step added");
        const OcpNode *next = ocp_pointer_find(read_again(trial), "/progress/next");
        if (!holds(next, "Brand new step") &&
            !is_omitted(trial, "/progress/next/0/description"))
            fail_trial(trial, "it does not show");
        check_order(trial, edit.model);
        check_carried(trial, 0);
    }
}

static void
a_deleted_element_takes_only_its_own_with_it(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows) * ELEMENTS; i++) {
        const Row *row = &rows[i / ELEMENTS];
        guint n = (guint)(i % ELEMENTS);
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autofree char *id = object_of(row, edit.model, n);
        g_autofree char *what = g_strconcat("without ", id, NULL);
        edit_take_away(&edit, row->collection, id);
        g_autoptr(Trial) trial = try_edit(row, &edit, what);
        check_order(trial, edit.model);
        check_carried(trial, 1u << n);
    }
}

static void
a_new_order_shows(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        edit_reverse(&edit, row->collection);
        g_autoptr(Trial) trial = try_edit(row, &edit, "turned round");
        check_order(trial, edit.model);
        check_carried(trial, 0);
    }
}

/* Two edits in one: what moved into the place of a deleted element is not taken for it.
 */
static void
a_step_in_the_place_of_a_deleted_one_inherits_nothing(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autofree char *id = object_of(row, edit.model, 0);
        edit_take_away(&edit, row->collection, id);
        edit_reverse(&edit, row->collection);
        g_autoptr(Trial) trial =
            try_edit(row, &edit, "without the first, turned round");
        check_order(trial, edit.model);
        check_carried(trial, 1u << 0);
    }
}

static void
without_the_whole_list_nothing_of_it_is_left(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autoptr(GPtrArray) ids = edit_ids(edit.model, row->collection);
        for (guint n = 0; n < ids->len; n++)
            edit_take_away(&edit, row->collection, ids->pdata[n]);
        g_autoptr(Trial) trial = try_edit(row, &edit, "without the list");
        check_carried(trial, (1u << ELEMENTS) - 1);
    }
}

static void
without_the_parent_nothing_of_its_children_is_left(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        if (row->parent == NULL)
            continue;
        g_auto(GStrv) parent = g_strsplit(row->parent, " ", 2);
        g_autoptr(Pipe) there = model_of(row);
        g_auto(Edit) edit = edit_begin(there->result);
        g_autoptr(GPtrArray) ids = edit_ids(edit.model, row->collection);
        for (guint n = 0; n < ids->len; n++)
            edit_take_away(&edit, row->collection, ids->pdata[n]);
        edit_take_away(&edit, parent[0], parent[1]);
        g_autoptr(Trial) trial = try_edit(row, &edit, "without the parent");
        check_carried(trial, (1u << ELEMENTS) - 1);
    }
}

OCP_TEST_MAIN("middle-edits",
              {"the rows say what they are", the_rows_say_what_they_are},
              {"a changed status shows", a_changed_status_shows},
              {"an added step shows", an_added_step_shows},
              {"a deleted element takes only its own with it",
               a_deleted_element_takes_only_its_own_with_it},
              {"a new order shows", a_new_order_shows},
              {"a step in the place of a deleted one inherits nothing",
               a_step_in_the_place_of_a_deleted_one_inherits_nothing},
              {"without the whole list nothing of it is left",
               without_the_whole_list_nothing_of_it_is_left},
              {"without the parent nothing of its children is left",
               without_the_parent_nothing_of_its_children_is_left})
