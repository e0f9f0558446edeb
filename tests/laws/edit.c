/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "laws.h"

/* Lists of a model whose elements are edited as a whole, and the text of each. */
typedef struct {
    const char *list;
    const char *text;
} Collection;

static const Collection collections[] = {
    {"/progress/completed", "description"},
    {"/progress/next", "description"},
    {"/statements", "text"},
    {"/operations", "description"},
    {"/resources", "title"},
    {"/task/success_criteria", "description"},
    {"/continuation/recovery", "description"},
    {"/continuation/stop_conditions", "description"},
    {"/continuation/requirements", "description"}};

void
edit_clear(Edit *edit)
{
    g_free(edit->pointer);
    g_free(edit->id);
    g_free(edit->value);
}

/* A list that has elements; NULL if none of several tries has. */
static Tree *
choose_list(Tree *model, Dice *dice, const Collection **ret)
{
    guint start = dice_below(dice, G_N_ELEMENTS(collections));
    for (guint i = 0; i < G_N_ELEMENTS(collections); i++) {
        const Collection *collection =
            &collections[(start + i) % G_N_ELEMENTS(collections)];
        Tree *list = tree_at(model, collection->list);
        if (!tree_is(list, OCP_ARRAY) || list->items->len == 0)
            continue;
        *ret = collection;
        return list;
    }
    return NULL;
}

/* ---- deleting -------------------------------------------------------------------- */

static bool
refers(const Tree *value, const char *id)
{
    return tree_is_text(value, id) || tree_is_text(tree_get(value, "operation"), id) ||
           tree_is_text(tree_get(value, "resource"), id);
}

static void
purge(Tree *tree, const char *id)
{
    for (guint i = tree->items != NULL ? tree->items->len : 0; i > 0; i--) {
        Tree *child = tree->items->pdata[i - 1];
        const char *name = tree->names != NULL ? tree->names->pdata[i - 1] : NULL;
        if (name != NULL &&
            (strcmp(name, "extensions") == 0 || strcmp(name, "id") == 0))
            continue;
        bool goes = tree->kind == OCP_ARRAY
                        ? refers(child, id) || tree_is_text(tree_get(child, "id"), id)
                        : tree_is_text(child, id);
        if (!goes) {
            bool filled = child->items != NULL && child->items->len > 0;
            purge(child, id);
            goes = filled && child->items->len == 0;
        }
        if (!goes)
            continue;
        tree_free(g_ptr_array_remove_index(tree->items, i - 1));
        if (tree->names != NULL)
            g_ptr_array_remove_index(tree->names, i - 1);
    }
}

void
delete_object(Tree *model, const char *id)
{
    purge(model, id);
}

/* ---- the kinds ------------------------------------------------------------------- */

static bool
edit_text(Tree *model, Dice *dice, Edit *ret)
{
    const Collection *collection = NULL;
    Tree *list = dice_chance(dice, 85) ? choose_list(model, dice, &collection) : NULL;
    ret->value = g_strdup_printf("edited text %u", dice_below(dice, 1000));
    if (list == NULL) {
        ret->pointer = g_strdup("/task/objective");
        tree_set(tree_get(model, "task"), "objective", tree_text(ret->value));
        return true;
    }
    guint i = dice_below(dice, list->items->len);
    Tree *object = list->items->pdata[i];
    ret->pointer = g_strdup_printf("%s/%u/%s", collection->list, i, collection->text);
    ret->id = g_strdup(tree_get(object, "id")->text->str);
    bool there = tree_get(object, collection->text) != NULL;
    tree_set(object, collection->text, tree_text(ret->value));
    return there;
}

static bool
edit_status(Tree *model, Dice *dice, Edit *ret)
{
    static const char *const ends[] = {"completed", "cancelled", "failed"};
    Tree *operations = tree_get(model, "operations");
    Tree *statements = tree_get(model, "statements");
    bool first = dice_chance(dice, 60);
    Tree *list = first && operations != NULL ? operations : statements;
    if (list == NULL || list->items->len == 0)
        return false;
    guint i = dice_below(dice, list->items->len);
    Tree *object = list->items->pdata[i];
    ret->id = g_strdup(tree_get(object, "id")->text->str);
    ret->pointer =
        g_strdup_printf("/%s/%u", list == operations ? "operations" : "statements", i);
    tree_drop(object, "approval");
    tree_drop(object, "superseded_by");
    tree_set(object, "status",
             tree_text(list == operations ? ends[dice_below(dice, 3)] : "retracted"));
    return true;
}

static bool
edit_delete(Tree *model, Dice *dice, Edit *ret)
{
    const Collection *collection = NULL;
    Tree *list = choose_list(model, dice, &collection);
    if (list == NULL)
        return false;
    guint i = dice_below(dice, list->items->len);
    ret->id = g_strdup(tree_get(list->items->pdata[i], "id")->text->str);
    ret->pointer = g_strdup_printf("%s/%u", collection->list, i);
    delete_object(model, ret->id);
    return true;
}

static bool
edit_insert(Tree *model, Dice *dice, Edit *ret)
{
    bool statement = dice_chance(dice, 50);
    Tree *list = tree_at(model, statement ? "/statements" : "/progress/next");
    if (list == NULL)
        return false;
    Tree *made = tree_new(OCP_OBJECT);
    tree_set(made, "id", tree_text("inserted-by-hand"));
    tree_set(made, statement ? "text" : "description",
             tree_text("A thing that is new"));
    if (statement) {
        Tree *origin = tree_new(OCP_OBJECT);
        tree_set(origin, "type", tree_text("agent"));
        tree_set(made, "kind", tree_text("observation"));
        tree_set(made, "origin", origin);
    }
    guint i = dice_below(dice, list->items->len + 1);
    g_ptr_array_insert(list->items, (gint)i, made);
    ret->id = g_strdup("inserted-by-hand");
    ret->pointer =
        g_strdup_printf("%s/%u", statement ? "/statements" : "/progress/next", i);
    return true;
}

static bool
edit_move(Tree *model, Dice *dice, Edit *ret)
{
    const Collection *collection = NULL;
    Tree *list = choose_list(model, dice, &collection);
    if (list == NULL || list->items->len < 2)
        return false;
    guint i = dice_below(dice, list->items->len - 1);
    ret->pointer = g_strdup_printf("%s/%u", collection->list, i);
    gpointer moved = list->items->pdata[i];
    list->items->pdata[i] = list->items->pdata[i + 1];
    list->items->pdata[i + 1] = moved;
    return true;
}

bool
edit_model(Tree *model, EditKind kind, Dice *dice, Edit *ret)
{
    static bool (*const kinds[])(Tree *, Dice *, Edit *) = {
        edit_text, edit_status, edit_delete, edit_insert, edit_move};
    memset(ret, 0, sizeof *ret);
    ret->kind = kind;
    return kinds[kind](model, dice, ret);
}
