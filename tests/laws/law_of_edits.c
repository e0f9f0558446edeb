/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L6: an edit of the model shows in what is written; nothing else changes but what is
 * derived from it.
 */
#include <string.h>

#include "laws.h"

/* ---- a changed text: only where it shows ----------------------------------------- */

/* Writing before and after the edit: what either says of a place counts. */
typedef struct {
    const Edit *edit;
    const OcpAccount *accounts[2];
    bool expected; /* all leaves of one difference so far */
    bool appears;  /* ... and nothing, or an empty list, was there before */
    GString *pointer;
    char *broken;
} Locality;

static bool
is_one_of(const char *text, const GPtrArray *texts)
{
    for (guint i = 0; texts != NULL && i < texts->len; i++)
        if (strcmp(texts->pdata[i], text) == 0)
            return true;
    return false;
}

/* The place, or something in it. */
static bool
is_at(const char *pointer, const char *place)
{
    gsize length = strlen(place);
    return strncmp(pointer, place, length) == 0 &&
           (pointer[length] == '\0' || pointer[length] == '/');
}

/* The place shows the edited leaf, is made from it, or is made where that leaf decided.
 */
static bool
hangs_on(const OcpAccount *account, const char *edited, const char *pointer)
{
    bool steers = false;
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (strcmp(leaf->pointer, edited) != 0)
            continue;
        steers = leaf->steers;
        if ((leaf->place != NULL && is_at(pointer, leaf->place)) ||
            is_one_of(pointer, leaf->places))
            return true;
    }
    for (guint i = 0; i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        if (is_at(pointer, change->place) && is_one_of(edited, change->from))
            return true;
    }
    for (guint i = 0; steers && i < account->made->len; i++) {
        const OcpMadeLeaf *leaf = account->made->pdata[i];
        if (strcmp(leaf->pointer, pointer) == 0)
            return true;
    }
    return false;
}

static const OcpLeaf *
find_leaf(const OcpAccount *account, const char *pointer)
{
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (strcmp(leaf->pointer, pointer) == 0)
            return leaf;
    }
    return NULL;
}

/* Nothing was there before the edited leaf decided that something is. */
static bool
is_let_in(const Locality *law)
{
    const OcpLeaf *leaf = find_leaf(law->accounts[1], law->edit->pointer);
    return law->appears && leaf != NULL && leaf->steers;
}

/* A carried value stood there, and the report says that the edit won over it. */
static bool
is_superseded(const Locality *law, const char *pointer)
{
    for (guint i = 0; i < law->accounts[0]->fates->len; i++) {
        const OcpLeaf *leaf = law->accounts[0]->fates->pdata[i];
        if (g_strcmp0(leaf->place, pointer) != 0)
            continue;
        const OcpLeaf *now = find_leaf(law->accounts[1], leaf->pointer);
        if (now != NULL && g_strcmp0(now->reason, "superseded") == 0)
            return true;
    }
    return false;
}

static void
expect_leaf(const Tree *leaf, const char *below, gpointer data)
{
    Locality *law = data;
    (void)leaf;
    g_autofree char *pointer = g_strconcat(law->pointer->str, below, NULL);
    bool expected = hangs_on(law->accounts[0], law->edit->pointer, pointer) ||
                    hangs_on(law->accounts[1], law->edit->pointer, pointer) ||
                    is_superseded(law, pointer) || is_let_in(law);
    law->expected = law->expected && (expected || is_derived(pointer));
}

static void
expect_only_there(const char *pointer, const Tree *before, const Tree *after,
                  gpointer data)
{
    Locality *law = data;
    if (law->broken != NULL)
        return;
    g_string_assign(law->pointer, pointer);
    law->expected = true;
    law->appears = before == NULL || (before->items != NULL && before->items->len == 0);
    if (after != NULL)
        tree_each_leaf(after, expect_leaf, law);
    else
        tree_each_leaf(before, expect_leaf, law);
    if (law->expected)
        return;
    g_autofree char *was = before != NULL ? tree_compact(before) : g_strdup("nothing");
    g_autofree char *is = after != NULL ? tree_compact(after) : g_strdup("nothing");
    law->broken =
        g_strdup_printf("L6: %s was edited and %s, that was %.200s, is %.200s",
                        law->edit->pointer, pointer, was, is);
}

static char *
check_text_edit(const Edit *edit, const Turn *unedited, const Turn *written)
{
    Locality law = {.edit = edit,
                    .accounts = {unedited->outcome->write, written->outcome->write},
                    .pointer = g_string_new(NULL)};
    g_autoptr(Tree) before = without_open_place(unedited->result);
    g_autoptr(Tree) after = without_open_place(written->result);
    tree_differences(before, after, expect_only_there, &law);
    g_string_free(law.pointer, TRUE);
    return law.broken;
}

/* ---- any edit: what is told of other objects stays ------------------------------- */

typedef struct {
    GHashTable *values; /* path by ids -> compact value in the document */
    Tree *model;
    Tree *result;
} Shown;

/* True if the place was made out of leaves: it may hang on the edited one too. */
static bool
is_made_there(const OcpAccount *account, const char *place)
{
    for (guint i = 0; i < account->changes->len; i++)
        if (strcmp(((const OcpChange *)account->changes->pdata[i])->place, place) == 0)
            return true;
    return false;
}

/* Leaves of the model that stand in the document as they are. */
static void
collect_shown(Shown *shown, const OcpAccount *account)
{
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        const Tree *own = tree_at(shown->model, leaf->pointer);
        const Tree *there =
            leaf->place != NULL ? tree_at(shown->result, leaf->place) : NULL;
        if (own == NULL || there == NULL || leaf->places != NULL ||
            leaf->fate != OCP_FATE_MAPPED)
            continue;
        if (tree_equal(own, there))
            g_hash_table_insert(shown->values,
                                tree_path_by_ids(shown->model, leaf->pointer),
                                tree_compact(there));
    }
}

static char *
check_others(const Edit *edit, const OcpAccount *account, Shown *before, Tree *edited,
             Tree *result)
{
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->place == NULL)
            continue;
        g_autofree char *path = tree_path_by_ids(edited, leaf->pointer);
        const char *was = g_hash_table_lookup(before->values, path);
        const Tree *own = tree_at(edited, leaf->pointer);
        const Tree *there = tree_at(result, leaf->place);
        if (was == NULL || own == NULL || there == NULL || !tree_is_leaf(there))
            continue;
        g_autofree char *mine = tree_compact(own);
        g_autofree char *is = tree_compact(there);
        bool touched = strcmp(mine, was) != 0; /* by the edit */
        if (!touched && strcmp(is, was) != 0 && !is_made_there(account, leaf->place))
            return g_strdup_printf(
                "L6: %s was edited (%d) and %s, that was %.200s, is %.200s",
                edit->pointer, edit->kind, leaf->place, was, is);
    }
    return NULL;
}

/* ---- it shows -------------------------------------------------------------------- */

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What the next steps say, in their order; the blocked ones or the others. */
static GPtrArray *
steps_of(const Tree *model, bool blocked)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    const Tree *next = tree_at((Tree *)model, "/progress/next");
    for (guint i = 0; next != NULL && i < next->items->len; i++) {
        const Tree *step = next->items->pdata[i];
        if ((tree_get(step, "blocked_by") != NULL) == blocked)
            g_ptr_array_add(texts, tree_compact(tree_get(step, "description")));
    }
    return texts;
}

static bool
same_texts(const GPtrArray *a, const GPtrArray *b)
{
    bool same = a->len == b->len;
    for (guint i = 0; same && i < a->len; i++)
        same = strcmp(a->pdata[i], b->pdata[i]) == 0;
    return same;
}

static bool
in_order(const Tree *before, const Tree *after, bool blocked)
{
    g_autoptr(GPtrArray) asked = steps_of(before, blocked);
    g_autoptr(GPtrArray) shown = steps_of(after, blocked);
    if (same_texts(asked, shown))
        return true;
    g_ptr_array_sort(asked, compare_texts);
    g_ptr_array_sort(shown, compare_texts);
    return !same_texts(asked, shown);
}

/* Steps that all come back come back in their order, as far as a dialect has one: it
 * may keep those that are blocked elsewhere. */
static char *
check_order(const Tree *before, const Tree *after)
{
    return in_order(before, after, false) && in_order(before, after, true)
               ? NULL
               : g_strdup("L6: the next steps came back in another order");
}

/* How many objects of the list say it. */
static guint
count_text(const Tree *model, const char *list, const char *member, const Tree *text)
{
    const Tree *objects = tree_at((Tree *)model, list);
    guint count = 0;
    for (guint i = 0; objects != NULL && i < objects->items->len; i++) {
        const Tree *own = tree_get(objects->items->pdata[i], member);
        count += own != NULL && tree_equal(own, text);
    }
    return count;
}

/* What was deleted is not back. */
static char *
check_gone(const Tree *before, const Tree *edited, const Tree *after)
{
    static const char *const lists[][2] = {{"/progress/completed", "description"},
                                           {"/progress/next", "description"},
                                           {"/statements", "text"},
                                           {"/operations", "description"}};
    for (gsize n = 0; n < G_N_ELEMENTS(lists); n++) {
        const char *list = lists[n][0], *member = lists[n][1];
        const Tree *objects = tree_at((Tree *)before, list);
        for (guint i = 0; objects != NULL && i < objects->items->len; i++) {
            const Tree *text = tree_get(objects->items->pdata[i], member);
            if (text == NULL)
                continue;
            guint left = count_text(edited, list, member, text);
            if (left < count_text(before, list, member, text) &&
                left < count_text(after, list, member, text)) {
                g_autofree char *said = tree_compact(text);
                return g_strdup_printf("L6: %s was taken from %s and is back", said,
                                       list);
            }
        }
    }
    return NULL;
}

/* Reading what was written gives the edited model, but for what the reports name. */
static char *
check_shows(Laws *laws, const Tree *before, const Tree *model, const Turn *written,
            const Edit *edit)
{
    g_autoptr(Turn) again =
        laws_turn(laws, written->outcome->text, "opencheckpoint", STEP_AGAIN, NULL);
    if (again->fault != NULL)
        return g_strdup_printf("L6: %s was edited (%d), and that is not read: %s",
                               edit->pointer, edit->kind, again->fault);
    g_autofree char *broken = check_back_again(model, written, again, "L6", true);
    if (broken == NULL)
        broken = check_order(model, again->result);
    if (broken == NULL && edit->kind == EDIT_DELETE)
        broken = check_gone(before, model, again->result);
    return broken != NULL ? g_strdup_printf("%s (edited: %s, %d)", broken,
                                            edit->pointer, edit->kind)
                          : NULL;
}

static char *
check_edit(Laws *laws, const Turn *read, EditKind kind, Dice *dice)
{
    g_autoptr(Tree) model = tree_copy(read->result);
    Edit edit;
    char *broken = NULL;
    if (!edit_model(model, kind, dice, &edit)) {
        edit_clear(&edit);
        return NULL;
    }
    g_autoptr(GBytes) text = tree_write(model, 0);
    g_autoptr(Turn) written = laws_turn(laws, text, laws->label, STEP_EDITED, NULL);
    if (written->fault != NULL && !written->invalid)
        broken = g_strdup_printf("L6: %s was edited (%d) and nothing is written: %s",
                                 edit.pointer, kind, written->fault);
    if (written->fault == NULL) {
        laws->edits++;
        g_autoptr(Turn) before =
            laws_turn(laws, read->outcome->text, laws->label, STEP_AGAIN, NULL);
        Shown shown = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                       read->result, before->result};
        collect_shown(&shown, before->outcome->write);
        broken = check_totality(written->outcome->write, model, "edited");
        if (broken == NULL)
            broken = check_valid(laws, written->outcome->text, laws->label, false);
        if (broken == NULL && kind == EDIT_TEXT)
            broken = check_text_edit(&edit, before, written);
        if (broken == NULL)
            broken = check_others(&edit, written->outcome->write, &shown, model,
                                  written->result);
        if (broken == NULL)
            broken = check_shows(laws, read->result, model, written, &edit);
        g_hash_table_unref(shown.values);
    }
    edit_clear(&edit);
    return broken;
}

char *
check_edits(Laws *laws, const Turn *read)
{
    Dice dice = {laws->seed ^ 0xed17};
    char *broken = NULL;
    for (EditKind kind = EDIT_TEXT; kind <= EDIT_MOVE && broken == NULL; kind++)
        if (kind == EDIT_TEXT || dice_chance(&dice, 35))
            broken = check_edit(laws, read, kind, &dice);
    return broken;
}
