/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "generate.h"
#include "generate_text.h"

/* Kinds of objects that have an id, by the letter that references use below. */
typedef struct {
    const char *path;
    char letter;
} Owner;

static const Owner owners[] = {{"task/success_criteria/*", 'c'},
                               {"progress/completed/*", 'd'},
                               {"progress/next/*", 'n'},
                               {"statements/*", 's'},
                               {"resources/*", 'r'},
                               {"application_context/*", 'a'},
                               {"application_context/*/drafts/*", 'f'},
                               {"operations/*", 'o'},
                               {"continuation/requirements/*", 'q'},
                               {"continuation/preconditions/*", 'p'},
                               {"continuation/stop_conditions/*", 't'},
                               {"continuation/recovery/*", 'y'}};

/* Where references stand and what they may name ("" is anything; "<" only what stands
 * before, so that there is no cycle). */
typedef struct {
    const char *path;
    const char *letters;
} Slot;

static const Slot slots[] = {{"task/success_criteria/*/evidence", ""},
                             {"progress/completed/*/evidence", ""},
                             {"progress/focus/refs", ""},
                             {"progress/next/*/blocked_by", "sorq"},
                             {"progress/next/*/requires", "q"},
                             {"progress/next/*/refs", ""},
                             {"statements/*/superseded_by", "<s"},
                             {"statements/*/evidence", ""},
                             {"statements/*/origin/ref", "r"},
                             {"application_context/*/selections/*/resource", "r"},
                             {"application_context/*/drafts/*/target", "r"},
                             {"application_context/*/drafts/*/content_ref", "r"},
                             {"operations/*/target", "r"},
                             {"operations/*/record", "r"},
                             {"operations/*/depends_on", "<o"},
                             {"operations/*/approval/evidence", "r"},
                             {"continuation/requirements/*/refs", ""},
                             {"continuation/preconditions/*/refs", ""},
                             {"continuation/stop_conditions/*/refs", ""},
                             {"continuation/stop_conditions/*/applies_to", "o"},
                             {"continuation/stop_conditions/*/until/*/operation", "o"},
                             {"continuation/recovery/*/refs", ""},
                             {"derivation/omissions/*/recoverable_from", "r"},
                             {"derivation/transformations/*/affected", ""}};

typedef struct {
    Dice *dice;
    GHashTable *taken;
    GPtrArray *ids;   /* char * */
    GString *letters; /* of each id */
    const char *allowed;
    const char *own; /* id of the object the reference is in */
} Settling;

typedef void (*Visit)(Settling *settling, Tree *parent, const char *name, Tree *value,
                      char letter);

/* Calls visit at every value that the path reaches. */
static void
walk(Settling *settling, Tree *parent, Tree *value, const char *path, const char *name,
     Visit visit, char letter)
{
    const Tree *id = tree_get(value, "id");
    if (tree_is(id, OCP_STRING))
        settling->own = id->text->str;
    if (*path == '\0') {
        visit(settling, parent, name, value, letter);
        return;
    }
    gsize length = strcspn(path, "/");
    g_autofree char *step = g_strndup(path, length);
    const char *rest = path[length] == '/' ? path + length + 1 : path + length;
    if (strcmp(step, "*") != 0) {
        Tree *member = tree_get(value, step);
        if (member != NULL)
            walk(settling, value, member, rest, step, visit, letter);
        return;
    }
    /* backwards: a visit may take the element away */
    for (guint i = value->items != NULL ? value->items->len : 0; i > 0; i--)
        walk(settling, value, value->items->pdata[i - 1], rest, step, visit, letter);
}

static void
settle_id(Settling *settling, Tree *parent, const char *name, Tree *object, char letter)
{
    (void)parent;
    (void)name;
    Tree *id = tree_get(object, "id");
    g_autofree char *text = g_strdup(id->text->str);
    for (guint n = 2; g_hash_table_contains(settling->taken, text); n++) {
        g_free(text);
        text = g_strdup_printf("%.100s-%u", id->text->str, n);
    }
    g_string_assign(id->text, text);
    g_hash_table_add(settling->taken, g_strdup(text));
    g_ptr_array_add(settling->ids, g_strdup(text));
    g_string_append_c(settling->letters, letter);
}

/* An id that may stand there, or NULL. Ids were taken last element first, so what
 * stands before in the document stands behind in the list. */
static const char *
choose(Settling *settling)
{
    bool before = *settling->allowed == '<';
    const char *letters = settling->allowed + before;
    guint start = 0;
    for (guint i = 0; before && i < settling->ids->len; i++)
        if (g_strcmp0(settling->ids->pdata[i], settling->own) == 0)
            start = i + 1;
    for (guint tries = 0; tries < 30 && start < settling->ids->len; tries++) {
        guint i = start + dice_below(settling->dice, settling->ids->len - start);
        if (*letters == '\0' || strchr(letters, settling->letters->str[i]) != NULL)
            return settling->ids->pdata[i];
    }
    return NULL;
}

static bool
is_in(const Tree *array, const char *text)
{
    for (guint i = 0; i < array->items->len; i++)
        if (tree_is_text(array->items->pdata[i], text))
            return true;
    return false;
}

static void
settle_slot(Settling *settling, Tree *parent, const char *name, Tree *value,
            char letter)
{
    (void)letter;
    if (tree_is(value, OCP_STRING)) {
        const char *id = choose(settling);
        if (id != NULL)
            g_string_assign(value->text, id);
        else
            tree_drop(parent, name);
        return;
    }
    Tree *list = tree_new(OCP_ARRAY);
    for (guint i = 0; i < value->items->len; i++) {
        const char *id = choose(settling);
        if (id != NULL && !is_in(list, id))
            tree_push(list, tree_text(id));
    }
    tree_set(parent, name, list);
}

static void
drop_element(Tree *array, const Tree *element)
{
    for (guint i = 0; i < array->items->len; i++) {
        if (array->items->pdata[i] != element)
            continue;
        tree_free(g_ptr_array_remove_index(array->items, i));
        return;
    }
}

/* What lost a reference that it cannot be without goes, or says less. */
static void
heal(Settling *settling, Tree *parent, const char *name, Tree *value, char letter)
{
    (void)settling;
    (void)name;
    if (letter == 'e') { /* an element that must name something */
        if (tree_get(value, "resource") == NULL && tree_get(value, "operation") == NULL)
            drop_element(parent, value);
    } else if (letter == 't') {
        const Tree *until = tree_get(value, "until");
        if (until != NULL && until->items->len == 0)
            tree_drop(value, "until");
    } else if (letter == 's') {
        if (tree_is_text(tree_get(value, "status"), "superseded") &&
            tree_get(value, "superseded_by") == NULL)
            tree_set(value, "status", tree_text("active"));
    } else if (letter == 'o') {
        const Tree *approval = tree_get(value, "approval");
        const Tree *evidence = tree_get(approval, "evidence");
        if (approval != NULL && (evidence == NULL || evidence->items->len == 0)) {
            tree_drop(value, "approval");
            tree_set(value, "status", tree_text("awaiting"));
        }
        if (!tree_is_text(tree_get(value, "kind"), "action"))
            tree_drop(value, "call");
    } else if (letter == 'q') {
        if (tree_is_text(tree_get(value, "kind"), "extension"))
            tree_set(value, "name", tree_text("org.example/notes"));
    } else if (letter == 'g' && tree_is_text(tree_get(value, "algorithm"), "sha-256")) {
        g_autofree char *hex = g_strnfill(64, 'a');
        tree_set(value, "value", tree_text(hex));
    }
}

void
settle_references(Tree *model, Dice *dice)
{
    static const Owner unsettled[] = {{"application_context/*/selections/*", 'e'},
                                      {"continuation/stop_conditions/*/until/*", 'e'},
                                      {"continuation/stop_conditions/*", 't'},
                                      {"statements/*", 's'},
                                      {"operations/*", 'o'},
                                      {"continuation/requirements/*", 'q'},
                                      {"resources/*/digest", 'g'},
                                      {"parent/digest", 'g'}};
    Settling settling = {
        .dice = dice,
        .taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .ids = g_ptr_array_new_with_free_func(g_free),
        .letters = g_string_new(NULL)};
    for (gsize i = 0; i < G_N_ELEMENTS(owners); i++)
        walk(&settling, NULL, model, owners[i].path, "", settle_id, owners[i].letter);
    for (gsize i = 0; i < G_N_ELEMENTS(slots); i++) {
        settling.allowed = slots[i].letters;
        walk(&settling, NULL, model, slots[i].path, "", settle_slot, 0);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(unsettled); i++)
        walk(&settling, NULL, model, unsettled[i].path, "", heal, unsettled[i].letter);
    Tree *inputs = tree_at(model, "/derivation/inputs");
    for (guint i = 0; inputs != NULL && i < inputs->items->len; i++)
        if (tree_get(inputs->items->pdata[i], "session") == NULL)
            tree_set(inputs->items->pdata[i], "checkpoint",
                     tree_text("urn:example:before"));
    const Tree *id = tree_get(model, "id");
    const Tree *parent = tree_get(tree_get(model, "parent"), "id");
    if (parent != NULL && tree_equal(id, parent))
        tree_drop(model, "parent");
    g_hash_table_unref(settling.taken);
    g_ptr_array_unref(settling.ids);
    g_string_free(settling.letters, TRUE);
}
