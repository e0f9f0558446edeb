/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model made from specrail, edited and written back: the edit shows, no other element
 * loses or changes what was carried for it, and nothing that was carried speaks up once
 * its reason is gone from the model.
 */
#include <stdio.h>

#include "pipe.h"
#include "value/equal.h"

/* Items that become steps of both kinds, in mixed order, each with data of its own that
 * only the carry holds ("mine"), and a queue of which one entry repeats an item. */
static const char checkpoint[] =
    "{'checkpoint_version': 1, 'tranche_id': 't1', 'repo': 'o/n', 'scope': 'one "
    "slice', "
    "'status': 'handoff', 'context_budget': {'window_tokens': 200000, "
    "'soft_stop_ratio': 0.5, 'hard_stop_ratio': 0.65, 'critical_stop_ratio': 0.75}, "
    "'output_firewall': {'raw_log_policy': 'file_only', 'max_parent_stdout_lines': "
    "150, "
    "'max_subagent_final_lines': 150, 'artifact_root': 'logs'}, 'items': ["
    "{'issue': 1, 'state': 'needs_spec', 'next_action': 'a', 'mine': [1]},"
    "{'issue': 2, 'pr': 12, 'state': 'merged', 'next_action': 'b', 'mine': [2]},"
    "{'issue': 3, 'pr': 13, 'head_sha': 'abc', 'state': 'merge_ready', 'truth_level': "
    "'A', 'ci': {'status': 'green', 'run_id': 7, 'evidence': 'ci.md'}, 'review': "
    "{'status': 'passed', 'verdict': 'clean'}, 'pr_gate': {'status': 'passed', "
    "'head_sha': 'abc', 'evidence': 'gate.json'}, 'next_action': 'c', 'merge_state': "
    "'clean', 'merge_authorization': {'actor': 'm', 'source': 'chat', 'summary': "
    "'go'}, 'mine': [3]},"
    "{'state': 'complete', 'next_action': 'd', 'mine': [4]},"
    "{'issue': 5, 'state': 'waiting_ci', 'next_action': 'e', 'mine': [5]},"
    "{'issue': 6, 'state': 'running', 'next_action': 'f', 'mine': [6]},"
    "{'issue': 7, 'state': 'deferred', 'next_action': 'g', 'blocker': 'h', 'mine': [7]}"
    "], 'remaining_queue': ["
    "{'issue': 8, 'state': 'needs_spec', 'next_action': 'q', 'mine': [8]},"
    "{'issue': 1, 'state': 'open', 'next_action': 'again', 'mine': [1]},"
    "{'issue': 9, 'state': 'open', 'next_action': 'r', 'mine': [9]}"
    "], 'resume_prompt': 'Read this', 'mine': {'top': true}}";

/* ---- editing --------------------------------------------------------------------- */

typedef struct {
    Pipe *there;
    OcpDocument *made;
    const OcpNode *model;
} Edit;

static Edit
edit_begin(void)
{
    Edit edit = {.there = pipe_text(checkpoint, "opencheckpoint")};
    edit.made = ocp_document_new(NULL);
    ocp_document_borrow(edit.made, edit.there->result);
    edit.model = edit.there->result->root;
    return edit;
}

static const OcpNode *
value_of(Edit *edit, const char *text)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) bytes = pipe_quoted(text);
    g_autoptr(OcpDocument) document = pipe_read(bytes, "edit.json", report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    ocp_document_borrow(edit->made, document);
    return document->root;
}

/* The tree with the value at the pointer replaced; NULL takes it away. A "-" at the end
 * appends to an array, "+N" inserts before element N. */
static const OcpNode *
replaced(Edit *edit, const OcpNode *node, char **steps, const OcpNode *value)
{
    if (*steps == NULL)
        return value;
    bool array = node->kind == OCP_ARRAY;
    OcpBuilder build = ocp_build(edit->made, array ? ocp_make_array(edit->made)
                                                   : ocp_make_object(edit->made));
    const OcpNode *key = NULL, *child;
    bool found = false;
    guint index = 0;
    OcpIter iter = ocp_iter(node);
    while (array ? (child = ocp_iter_element(&iter)) != NULL
                 : ocp_iter_member(&iter, &key, &child)) {
        g_autofree char *place = g_strdup_printf("%u", index++);
        if (array && **steps == '+' && strcmp(*steps + 1, place) == 0)
            ocp_build_element(&build, value);
        bool here = array ? strcmp(place, *steps) == 0 : ocp_text_is(key, *steps);
        found = found || here;
        if (here)
            child = replaced(edit, child, steps + 1, value);
        if (child != NULL && array)
            ocp_build_element(&build, child);
        else if (child != NULL)
            ocp_build_member(&build, key, child);
    }
    if (!found && !array)
        ocp_build_named(&build, *steps, value);
    if (array && strcmp(*steps, "-") == 0)
        ocp_build_element(&build, value);
    return build.container;
}

static void
put_node(Edit *edit, const char *pointer, const OcpNode *value)
{
    g_auto(GStrv) steps = g_strsplit(pointer + 1, "/", -1);
    edit->model = replaced(edit, edit->model, steps, value);
}

static void
put(Edit *edit, const char *pointer, const char *text)
{
    put_node(edit, pointer, text != NULL ? value_of(edit, text) : NULL);
}

static char *
place_of(const Edit *edit, const char *collection, const char *id)
{
    guint index = 0;
    OcpIter iter = ocp_iter(ocp_pointer_find(edit->model, collection));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL; index++)
        if (ocp_text_is(ocp_member(one, "id"), id))
            return g_strdup_printf("%s/%u", collection, index);
    ocp_test_fail("no %s in %s", id, collection);
    return g_strdup_printf("%s/0", collection);
}

/* The tree without that text in any array of it; an array left empty goes. The carry,
 * which an editor has no business with, stays as it is. */
static const OcpNode *
without(Edit *edit, const OcpNode *node, const char *id)
{
    if (!ocp_is_container(node) || node->size == 0)
        return node;
    bool array = node->kind == OCP_ARRAY;
    OcpBuilder build = ocp_build(edit->made, array ? ocp_make_array(edit->made)
                                                   : ocp_make_object(edit->made));
    const OcpNode *key = NULL, *child;
    OcpIter iter = ocp_iter(node);
    while (array ? (child = ocp_iter_element(&iter)) != NULL
                 : ocp_iter_member(&iter, &key, &child)) {
        if (array && ocp_text_is(child, id))
            continue;
        if (array || !ocp_text_is(key, "extensions"))
            child = without(edit, child, id);
        if (child != NULL && array)
            ocp_build_element(&build, child);
        else if (child != NULL)
            ocp_build_member(&build, key, child);
    }
    return build.container->size == 0 ? NULL : build.container;
}

/* The object and all that refers to it, as a careful editor does it. */
static void
take_away(Edit *edit, const char *collection, const char *id)
{
    g_autofree char *place = place_of(edit, collection, id);
    put(edit, place, NULL);
    edit->model = without(edit, edit->model, id);
}

/* Writes the edited model as specrail; checks that it is valid. Frees the edit. */
static Pipe *
edit_write(Edit *edit)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(edit->model, false, text);
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(text);
    Pipe *back = pipe_run(bytes, "edited.json", "specrail", NULL);
    if (!back->ok)
        ocp_test_fail("%s",
                      ((OcpDiagnostic *)back->report->diagnostics->pdata[0])->message);
    CU_ASSERT_FATAL(back->ok);
    ocp_document_unref(edit->made);
    pipe_free(edit->there);
    return back;
}

/* ---- comparing ------------------------------------------------------------------- */

/* The elements of an array by their "mine", in order: "1 2 3"; "?" for one without. */
static char *
order_of(const Pipe *pipe, const char *pointer)
{
    GString *order = g_string_new(NULL);
    OcpIter iter = ocp_iter(ocp_pointer_find(pipe->result->root, pointer));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;) {
        g_autofree char *mine = pipe_json(ocp_pointer_find(one, "/mine/0"));
        g_string_append_printf(order, "%s%s", order->len > 0 ? " " : "",
                               strcmp(mine, "-") == 0 ? "?" : mine);
    }
    return g_string_free(order, FALSE);
}

static void
order_is(const Pipe *pipe, const char *pointer, const char *expected)
{
    g_autofree char *order = order_of(pipe, pointer);
    CU_ASSERT_STRING_EQUAL(order, expected);
    if (strcmp(order, expected) != 0)
        ocp_test_fail("%s: %s, not %s", pointer, order, expected);
}

static const OcpNode *
item(const OcpNode *root, const char *list, const char *mine)
{
    OcpIter iter = ocp_iter(ocp_pointer_find(root, list));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;) {
        g_autofree char *text = pipe_json(ocp_pointer_find(one, "/mine/0"));
        if (strcmp(text, mine) == 0)
            return one;
    }
    return NULL;
}

/* Every item and queue entry but those named (" 2 5 ") is there exactly as it was, and
 * so is every other member of the document. */
static void
others_are_unchanged(const Pipe *back, const char *except)
{
    static const char *const lists[] = {"/items", "/remaining_queue"};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) bytes = pipe_quoted(checkpoint);
    g_autoptr(OcpDocument) source = pipe_read(bytes, "source.json", report);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        OcpIter iter = ocp_iter(ocp_pointer_find(source->root, lists[i]));
        for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;) {
            g_autofree char *mine = pipe_json(ocp_pointer_find(one, "/mine/0"));
            g_autofree char *word = g_strdup_printf(" %s ", mine);
            const OcpNode *now = item(back->result->root, lists[i], mine);
            if (strstr(except, word) == NULL && (now == NULL || !ocp_equal(one, now)))
                ocp_test_fail("%s %s is not what it was", lists[i], mine);
        }
    }
    const OcpNode *key, *value;
    OcpIter iter = ocp_iter(source->root);
    while (ocp_iter_member(&iter, &key, &value)) {
        g_autofree char *name = ocp_text_dup(key);
        g_autofree char *word = g_strdup_printf(" %s ", name);
        if (value->kind != OCP_ARRAY && strstr(except, word) == NULL &&
            !ocp_equal(ocp_member(back->result->root, name), value))
            ocp_test_fail("%s is not what it was", name);
    }
}

static void
item_is(const Pipe *back, const char *mine, const char *pointer, const char *expected)
{
    const OcpNode *found = item(back->result->root, "/items", mine);
    if (found == NULL)
        ocp_test_fail("item %s is gone", mine);
    else
        pipe_is(found, pointer, expected);
}

/* ---- steps ----------------------------------------------------------------------- */

static void
without_an_edit_it_comes_back(void)
{
    Edit edit = edit_begin();
    g_autoptr(Pipe) back = edit_write(&edit);
    order_is(back, "/items", "1 2 3 4 5 6 7");
    order_is(back, "/remaining_queue", "8 1 9");
    others_are_unchanged(back, "");
}

static void
a_deleted_step_takes_only_its_own_with_it(void)
{
    static const struct {
        const char *collection, *id, *except, *items, *queue;
    } rows[] = {
        {"/progress/next", "item-1", " 1 ", "2 3 4 5 6 7", "8 1 9"},
        {"/progress/completed", "item-2", " 2 ", "1 3 4 5 6 7", "8 1 9"},
        {"/progress/next", "item-3", " 3 ", "1 2 4 5 6 7", "8 1 9"},
        {"/progress/completed", "item-4", " 4 ", "1 2 3 5 6 7", "8 1 9"},
        {"/progress/next", "item-7", " 7 ", "1 2 3 4 5 6", "8 1 9"},
        {"/progress/next", "queue-1", " 8 ", "1 2 3 4 5 6 7", "1 9"},
        {"/progress/next", "queue-3", " 9 ", "1 2 3 4 5 6 7", "8 1"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Edit edit = edit_begin();
        take_away(&edit, rows[i].collection, rows[i].id);
        g_autoptr(Pipe) back = edit_write(&edit);
        order_is(back, "/items", rows[i].items);
        order_is(back, "/remaining_queue", rows[i].queue);
        others_are_unchanged(back, rows[i].except);
    }
}

static void
an_inserted_step_moves_nobody(void)
{
    static const struct {
        const char *pointer, *items;
    } rows[] = {{"/progress/next/+0", "1 2 3 4 ? 5 6 7"}, /* behind the completed */
                {"/progress/next/+1", "1 ? 2 3 4 5 6 7"},
                {"/progress/next/+2", "1 2 3 ? 4 5 6 7"}};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Edit edit = edit_begin();
        put(&edit, rows[i].pointer, "{'id': 'new', 'description': 'look'}");
        g_autoptr(Pipe) back = edit_write(&edit);
        order_is(back, "/items", rows[i].items);
        order_is(back, "/remaining_queue", "8 1 9");
        others_are_unchanged(back, "");
    }
}

static void
a_moved_step_keeps_its_own(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/progress/next", "item-7");
    const OcpNode *step = ocp_pointer_find(edit.model, place);
    put(&edit, place, NULL);
    put_node(&edit, "/progress/next/+0", step);
    g_autoptr(Pipe) back = edit_write(&edit);
    others_are_unchanged(back, "");
    g_autofree char *order = order_of(back, "/items");
    CU_ASSERT(strstr(order, "7") < strstr(order, "1"));
}

static void
a_changed_text_shows(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/progress/next", "item-1");
    g_autofree char *text = g_strconcat(place, "/description", NULL);
    put(&edit, text, "'write the spec'");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "1", "/next_action", "'write the spec'");
    item_is(back, "1", "/state", "'needs_spec'");
    others_are_unchanged(back, " 1 ");
}

static void
a_step_that_got_done_is_complete_without_its_request(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/progress/next", "item-3");
    put(&edit, place, NULL);
    put(&edit, "/progress/completed/-", "{'id': 'item-3', 'description': 'c'}");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/state", "'complete'");
    item_is(back, "3", "/pr", "-");
    item_is(back, "3", "/merge_authorization", "-");
    item_is(back, "3", "/truth_level", "-");
    item_is(back, "3", "/mine", "[3]");
    others_are_unchanged(back, " 3 ");
}

static void
a_step_that_is_open_again_is_not_merged(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/progress/completed", "item-2");
    put(&edit, place, NULL);
    put(&edit, "/progress/next/-", "{'id': 'item-2', 'description': 'again'}");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "2", "/state", "'open'");
    others_are_unchanged(back, " 2 ");
}

/* ---- status and head ------------------------------------------------------------- */

static void
a_changed_status_shows(void)
{
    Edit edit = edit_begin();
    put(&edit, "/task/status", "'active'");
    put(&edit, "/task/title", "'t2'");
    g_autoptr(Pipe) back = edit_write(&edit);
    pipe_has(back, "/status", "'running'");
    pipe_has(back, "/tranche_id", "'t2'");
    pipe_has(back, "/output_firewall/artifact_root", "'artifacts/logs/t2'");
    others_are_unchanged(back, " status tranche_id output_firewall ");
}

/* ---- what was carried stays silent ----------------------------------------------- */

static void
merge_ready_goes_with_its_approval(void)
{
    Edit edit = edit_begin();
    take_away(&edit, "/continuation/stop_conditions", "no-merge-3");
    take_away(&edit, "/operations", "merge-3");
    take_away(&edit, "/operations", "merge-approval-3");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/state", "'open'");
    item_is(back, "3", "/mine", "[3]");
    others_are_unchanged(back, " 3 ");
}

static void
waiting_goes_with_its_wait(void)
{
    Edit edit = edit_begin();
    take_away(&edit, "/operations", "wait-ci-5");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "5", "/state", "'open'");
    others_are_unchanged(back, " 5 ");
}

static void
an_authorization_goes_with_its_statement(void)
{
    Edit edit = edit_begin();
    take_away(&edit, "/statements", "merge-authorization-3");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/merge_authorization", "-");
    item_is(back, "3", "/truth_level", "'A'");
    item_is(back, "3", "/ci/run_id", "7");
    others_are_unchanged(back, " 3 ");
}

/* Words about a permission are no permission. */
static void
a_reworded_authorization_is_none(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/statements", "merge-authorization-3");
    g_autofree char *text = g_strconcat(place, "/text", NULL);
    put(&edit, text, "'The maintainer took the permission back'");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/merge_authorization", "-");
    others_are_unchanged(back, " 3 ");
}

/* The gate is doubted: no value that was carried may make it proven again. */
static void
doubt_stays(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/statements", "pr_gate-3");
    g_autofree char *state = g_strconcat(place, "/verification/state", NULL);
    put(&edit, state, "'unverified'");
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/truth_level", "-");
    item_is(back, "3", "/pr_gate/head_sha", "-");
    g_autoptr(Pipe) again =
        pipe_run(back->outcome->text, "again.json", "opencheckpoint", NULL);
    CU_ASSERT_FATAL(again->ok);
    pipe_is(pipe_object(again, "/statements", "pr_gate-3"), "/verification/state",
            "'unverified'");
    others_are_unchanged(back, " 3 ");
}

static void
a_changed_result_shows(void)
{
    Edit edit = edit_begin();
    g_autofree char *place = place_of(&edit, "/statements", "ci-3");
    g_autofree char *text = g_strconcat(place, "/text", NULL);
    put(&edit, text, "'CI: red'");
    g_autofree char *evidence = g_strconcat(place, "/evidence", NULL);
    put(&edit, evidence, NULL);
    g_autoptr(Pipe) back = edit_write(&edit);
    item_is(back, "3", "/ci", "{'status':'red','run_id':7}");
    item_is(back, "3", "/pr_gate/status", "'passed'");
    others_are_unchanged(back, " 3 ");
}

#define TEST(name)                                                                     \
    {                                                                                  \
#name, name                                                                    \
    }
OCP_TEST_MAIN("specrail edits", TEST(without_an_edit_it_comes_back),
              TEST(a_deleted_step_takes_only_its_own_with_it),
              TEST(an_inserted_step_moves_nobody), TEST(a_moved_step_keeps_its_own),
              TEST(a_changed_text_shows),
              TEST(a_step_that_got_done_is_complete_without_its_request),
              TEST(a_step_that_is_open_again_is_not_merged),
              TEST(a_changed_status_shows), TEST(merge_ready_goes_with_its_approval),
              TEST(waiting_goes_with_its_wait),
              TEST(an_authorization_goes_with_its_statement),
              TEST(a_reworded_authorization_is_none), TEST(doubt_stays),
              TEST(a_changed_result_shows))
