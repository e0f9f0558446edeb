/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each law's test fails when the law is broken: a conversion is tampered with before
 * its check, and the check must say so. The faults are listed in docs/laws.md.
 */
#include <string.h>

#include "generate.h"
#include "laws.h"
#include "support.h"

enum { SEEDS = 60 };

typedef struct {
    const char *name;
    const char *label; /* the dialect */
    const char *from;  /* what is generated */
    Law law;
    void (*tamper)(Step step, Turn *turn);
    const char *broken; /* what the check says: how it starts */
} Fault;

/* ---- tampering ------------------------------------------------------------------- */

/* The text follows the tree. */
static void
rewrite(Turn *turn)
{
    g_bytes_unref(turn->outcome->text);
    turn->outcome->text = tree_write(turn->result, 0);
}

static void
lose_a_leaf(Step step, Turn *turn)
{
    if (step == STEP_READ && turn->outcome->read->fates->len > 0)
        g_ptr_array_remove_index(turn->outcome->read->fates,
                                 turn->outcome->read->fates->len / 2);
}

static void
tell_a_leaf_twice(Step step, Turn *turn)
{
    if (step != STEP_READ)
        return;
    const OcpLeaf *leaf = turn->outcome->read->fates->pdata[0];
    OcpLeaf *twin = ocp_account_leaf(turn->outcome->read, leaf->pointer, leaf->fate);
    twin->carry = g_strdup(leaf->carry);
    turn->outcome->read->leaves++;
}

static void
miscount(Step step, Turn *turn)
{
    if (step == STEP_WRITE)
        turn->outcome->write->counts[OCP_FATE_MAPPED]++;
}

static void
omit_without_a_reason(Step step, Turn *turn)
{
    for (guint i = 0; step == STEP_READ && i < turn->outcome->read->fates->len; i++) {
        OcpLeaf *leaf = turn->outcome->read->fates->pdata[i];
        leaf->reason = NULL;
    }
}

/* Says of all that has no place that the result alone gives it back. */
static void
call_mapped(OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        OcpLeaf *leaf = account->fates->pdata[i];
        if (g_strcmp0(leaf->reason, "irrelevant") != 0)
            continue;
        account->counts[leaf->fate]--;
        account->counts[OCP_FATE_MAPPED]++;
        leaf->fate = OCP_FATE_MAPPED;
        leaf->reason = NULL;
    }
}

static void
call_lost_mapped(Step step, Turn *turn)
{
    if (step == STEP_READ)
        call_mapped(turn->outcome->read);
    else if (step == STEP_WRITE)
        call_mapped(turn->outcome->write);
}

static void
call_lost_on_the_way_mapped(Step step, Turn *turn)
{
    if (step == STEP_AGAIN)
        call_mapped(turn->outcome->route);
}

static void
lose_a_member(Step step, Turn *turn)
{
    if (step == STEP_WRITE && turn->result->items->len > 0)
        tree_drop(turn->result, turn->result->names->pdata[0]);
}

static void
respell_a_number(Step step, Turn *turn)
{
    Tree *number =
        step == STEP_WRITE ? tree_get(turn->result, "checkpoint_version") : NULL;
    if (number != NULL)
        g_string_append(number->text, ".0");
}

static void
change_the_task(Step step, Turn *turn)
{
    if (step == STEP_READ && tree_at(turn->result, "/task/objective") != NULL)
        tree_set(tree_get(turn->result, "task"), "objective",
                 tree_text("something else"));
}

static void
lose_the_statements(Step step, Turn *turn)
{
    if (step == STEP_READ)
        tree_drop(turn->result, "statements");
}

static void
write_no_task(Step step, Turn *turn)
{
    if (step != STEP_READ)
        return;
    g_autoptr(Tree) less = tree_copy(turn->result);
    tree_drop(less, "task");
    g_bytes_unref(turn->outcome->text);
    turn->outcome->text = tree_write(less, 0);
}

/* A reference to nothing: valid by the schema, not by integrity. */
static void
refer_to_nothing(Step step, Turn *turn)
{
    Tree *next = step == STEP_READ ? tree_at(turn->result, "/progress/next/0") : NULL;
    if (next == NULL)
        return;
    Tree *refs = tree_new(OCP_ARRAY);
    tree_push(refs, tree_text("nobody"));
    tree_set(next, "refs", refs);
    rewrite(turn);
}

static void
add_a_blank(Step step, Turn *turn)
{
    if (step != STEP_AGAIN && step != STEP_COPY)
        return;
    GString *text = g_string_new_len(g_bytes_get_data(turn->outcome->text, NULL),
                                     (gssize)g_bytes_get_size(turn->outcome->text));
    g_string_append_c(text, ' ');
    g_bytes_unref(turn->outcome->text);
    turn->outcome->text = g_string_free_to_bytes(text);
}

static void
lose_the_edit(Step step, Turn *turn)
{
    static Tree *unedited; /* of the last writing */
    if (step == STEP_WRITE) {
        tree_free(unedited);
        unedited = tree_copy(turn->result);
    } else if (step == STEP_EDITED && unedited != NULL) {
        tree_free(turn->result);
        turn->result = g_steal_pointer(&unedited);
        rewrite(turn);
    }
}

static void
change_something_else(Step step, Turn *turn)
{
    if (step == STEP_EDITED && tree_get(turn->result, "resume") != NULL)
        tree_set(turn->result, "resume", tree_text("changed too"));
}

/* Reading what an edit made. */
static void
turn_the_steps_round(Step step, Turn *turn)
{
    Tree *next = step == STEP_AGAIN ? tree_at(turn->result, "/progress/next") : NULL;
    for (guint i = 0; next != NULL && i < next->items->len / 2; i++) {
        gpointer *at = next->items->pdata;
        gpointer first = at[i];
        at[i] = at[next->items->len - 1 - i];
        at[next->items->len - 1 - i] = first;
    }
}

static void
bring_back_steps(Step step, Turn *turn)
{
    static Tree *steps; /* of the first reading */
    Tree *next = tree_at(turn->result, "/progress/next");
    if (step == STEP_READ) {
        tree_free(steps);
        steps = next != NULL ? tree_copy(next) : NULL;
    } else if (step == STEP_AGAIN && steps != NULL && next != NULL &&
               next->items->len < steps->items->len) {
        tree_set(tree_get(turn->result, "progress"), "next", g_steal_pointer(&steps));
    }
}

static void
obey(Step step, Turn *turn)
{
    Tree *list = step == STEP_BARE ? tree_get(turn->result, "statements") : NULL;
    for (guint i = 0; list != NULL && i < list->items->len; i++)
        tree_set(list->items->pdata[i], "kind", tree_text("instruction"));
}

static void
believe(Step step, Turn *turn)
{
    Tree *list = step == STEP_BARE ? tree_get(turn->result, "statements") : NULL;
    for (guint i = 0; list != NULL && i < list->items->len; i++) {
        Tree *verification = tree_new(OCP_OBJECT);
        tree_set(verification, "state", tree_text("verified"));
        tree_set(list->items->pdata[i], "verification", verification);
    }
}

static void
change_operations(Step step, Turn *turn, const char *member, const char *value)
{
    Tree *list = step == STEP_BARE ? tree_get(turn->result, "operations") : NULL;
    for (guint i = 0; list != NULL && i < list->items->len; i++)
        tree_set(list->items->pdata[i], member, tree_text(value));
}

static void
approve(Step step, Turn *turn)
{
    change_operations(step, turn, "status", "approved");
}

static void
retry(Step step, Turn *turn)
{
    change_operations(step, turn, "resume", "retry");
}

static void
bring_back_operations(Step step, Turn *turn)
{
    static Tree *operations; /* of the first reading */
    if (step == STEP_READ) {
        tree_free(operations);
        const Tree *list = tree_get(turn->result, "operations");
        operations = list != NULL ? tree_copy(list) : NULL;
    } else if (step == STEP_BARE && operations != NULL) {
        tree_set(turn->result, "operations", g_steal_pointer(&operations));
    }
}

/* ---- the faults ------------------------------------------------------------------ */

static const Fault faults[] = {
    {"a leaf is lost", "caop-pulse", "caop-pulse", law_of_document, lose_a_leaf, "L1"},
    {"a leaf is told twice", "caop-pulse", "caop-pulse", law_of_document,
     tell_a_leaf_twice, "L1"},
    {"a count is wrong", "specrail@1", "opencheckpoint", law_of_model, miscount, "L1"},
    {"an omission has no reason", "caop-pulse", "caop-pulse", law_of_document,
     omit_without_a_reason, "L1"},
    {"what is lost without a carry is called mapped", "session-checkpoint@2",
     "session-checkpoint@2", law_of_bare_document, call_lost_mapped, "L1"},
    {"what a document without a stash lost is called mapped", "specrail@1",
     "opencheckpoint", law_of_bare_model, call_lost_mapped, "L1"},
    {"what a route without a carry lost is called mapped", "caop-pulse", "caop-pulse",
     law_of_bare_document, call_lost_on_the_way_mapped, "L1"},
    {"a member does not come back", "specrail@1", "specrail@1", law_of_document,
     lose_a_member, "L2"},
    {"a number comes back in another spelling", "specrail@1", "specrail@1",
     law_of_document, respell_a_number, "L2"},
    {"a value of the model comes back changed", "specrail@1", "opencheckpoint",
     law_of_model, change_the_task, "L3"},
    {"statements are lost on the way", "session-checkpoint@2", "opencheckpoint",
     law_of_model, lose_the_statements, "L3"},
    {"a closed target gives back less than it says", "specrail-cursor",
     "opencheckpoint", law_of_model, change_the_task, "L3"},
    {"a model lacks a member", "caop-pulse", "caop-pulse", law_of_document,
     write_no_task, "L4"},
    {"a reference names nothing", "caop-pulse", "caop-pulse", law_of_document,
     refer_to_nothing, "L4"},
    {"the second time gives other bytes", "caop-pulse", "caop-pulse", law_of_document,
     add_a_blank, "L5"},
    {"an edit does not show", "session-checkpoint@2", "session-checkpoint@2",
     law_of_document, lose_the_edit, "L6"},
    {"an edit changes something else", "specrail-cursor", "specrail-cursor",
     law_of_document, change_something_else, "L6"},
    {"steps come back in another order", "caop-pulse", "caop-pulse", law_of_document,
     turn_the_steps_round, "L6"},
    {"a deleted step is back", "caop-pulse", "caop-pulse", law_of_document,
     bring_back_steps, "L6"},
    {"a copy is not the same bytes", "opencheckpoint", "opencheckpoint", law_of_copy,
     add_a_blank, "L7"},
    {"data becomes an instruction", "caop-pulse", "opencheckpoint", law_of_model, obey,
     "L8"},
    {"a statement becomes verified", "caop-pulse", "opencheckpoint", law_of_model,
     believe, "L8"},
    {"an operation becomes approved", "caop-pulse", "opencheckpoint", law_of_model,
     approve, "L8"},
    {"an operation becomes safe to retry", "caop-pulse", "opencheckpoint", law_of_model,
     retry, "L8"},
    {"a deleted operation is back", "session-checkpoint@2", "session-checkpoint@2",
     law_of_document, bring_back_operations, "L8"}};

/* The first thing said of documents of some seeds, or NULL. */
static char *
first_said(const Fault *fault, bool tampered)
{
    Laws laws = {.context = ocp_context_new(),
                 .label = fault->label,
                 .open = g_str_has_prefix(fault->label, "specrail@") ||
                         g_str_has_prefix(fault->label, "session"),
                 .tamper = tampered ? fault->tamper : NULL};
    g_autoptr(Generator) generator = generator_new(fault->from);
    char *said = NULL;
    for (laws.seed = 1; laws.seed <= SEEDS && said == NULL; laws.seed++) {
        g_autoptr(Tree) document = generator_make(generator, laws.seed);
        said = fault->law(&laws, document);
        if (!tampered)
            break; /* that the laws hold is the other test's business */
    }
    ocp_context_free(laws.context);
    return said;
}

static void
each_fault_is_caught_by_its_law(void)
{
    guint caught = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(faults); i++) {
        g_autofree char *sound = first_said(&faults[i], false);
        g_autofree char *said = first_said(&faults[i], true);
        if (sound != NULL)
            ocp_test_fail("%s: without the fault: %s", faults[i].name, sound);
        else if (said == NULL || !g_str_has_prefix(said, faults[i].broken))
            ocp_test_fail("%s: %s", faults[i].name,
                          said != NULL ? said : "nobody noticed");
        else
            caught++;
    }
    ocp_test_count("laws-faults", caught, G_N_ELEMENTS(faults));
}

OCP_TEST_MAIN("laws-faults",
              {"each fault is caught by its law", each_fault_is_caught_by_its_law})
