/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L8: no conversion raises authority or certainty, and what was deleted does not run.
 */
#include <string.h>

#include "laws.h"
#include "model/model.h"

/* A claim: an object that says so, told by its text. */
typedef struct {
    const char *list;
    const char *member; /* pointer below the object */
    const char *value;
    const char *text; /* the member that tells which it is */
} Claim;

static const Claim claims[] = {
    {"/statements", "/kind", "instruction", "text"},
    {"/statements", "/verification/state", "verified", "text"},
    {"/statements", "/verification/state", "stale", "text"},
    {"/operations", "/status", "approved", "description"},
    {"/operations", "/resume", "retry", "description"},
    {"/task/success_criteria", "/state", "met", "description"}};

static bool
claims_it(const Claim *claim, Tree *object)
{
    return tree_is_text(tree_at(object, claim->member), claim->value);
}

/* True if it may be what became of the text: itself, its beginning if it was long, or
 * what stands for a text that does not travel. */
static bool
may_tell(const Tree *after, const Tree *before)
{
    enum { LONG = 300 };
    if (tree_equal(after, before))
        return true;
    if (!tree_is(after, OCP_STRING) || !tree_is(before, OCP_STRING))
        return false;
    const GString *said = after->text, *own = before->text;
    if (said->len >= LONG)
        return said->len < own->len && memcmp(said->str, own->str, said->len) == 0;
    bool hidden = strcmp(own->str, "[omitted]") == 0 ||
                  ocp_model_is_credential(own->str, own->len);
    return hidden && (strcmp(said->str, "(not stated)") == 0 ||
                      strcmp(said->str, "[omitted]") == 0);
}

/* True if an object of the model makes the claim; with that text, or any if NULL. */
static bool
is_claimed(const Claim *claim, const Tree *model, const Tree *text)
{
    Tree *list = tree_at((Tree *)model, claim->list);
    for (guint i = 0; tree_is(list, OCP_ARRAY) && i < list->items->len; i++) {
        Tree *object = list->items->pdata[i];
        const Tree *own = tree_get(object, claim->text);
        if (claims_it(claim, object) && own != NULL &&
            (text == NULL || may_tell(text, own)))
            return true;
    }
    return false;
}

char *
check_promotion(const Tree *before, const Tree *after, const char *what)
{
    for (gsize c = 0; c < G_N_ELEMENTS(claims); c++) {
        const Claim *claim = &claims[c];
        Tree *list = tree_at((Tree *)after, claim->list);
        for (guint i = 0; tree_is(list, OCP_ARRAY) && i < list->items->len; i++) {
            Tree *object = list->items->pdata[i];
            const Tree *text = tree_get(object, claim->text);
            if (!claims_it(claim, object) || is_claimed(claim, before, text))
                continue;
            g_autofree char *said = text != NULL ? tree_compact(text) : g_strdup("?");
            return g_strdup_printf("L8: through %s, %s of %s became %s: %.200s", what,
                                   claim->member, claim->list, claim->value, said);
        }
    }
    return NULL;
}

/* ---- deleted operations ---------------------------------------------------------- */

/* What an operation is, whatever its id. */
static char *
portrait(const Tree *operation)
{
    static const char *const members[] = {"kind", "description", "call"};
    GString *text = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        const Tree *member = tree_get(operation, members[i]);
        g_autofree char *json = member != NULL ? tree_compact(member) : g_strdup("-");
        g_string_append_printf(text, "%s ", json);
    }
    return g_string_free(text, FALSE);
}

static guint
count_like(const Tree *model, const char *wanted)
{
    const Tree *operations = tree_get(model, "operations");
    guint count = 0;
    for (guint i = 0; operations != NULL && i < operations->items->len; i++) {
        g_autofree char *found = portrait(operations->items->pdata[i]);
        count += strcmp(found, wanted) == 0;
    }
    return count;
}

static char *
check_deleted(Laws *laws, const Turn *read, const Tree *operation)
{
    const char *id = tree_get(operation, "id")->text->str;
    g_autofree char *wanted = portrait(operation);
    g_autoptr(Tree) model = tree_copy(read->result);
    delete_object(model, id);
    g_autoptr(GBytes) text = tree_write(model, 0);
    g_autoptr(Turn) written = laws_turn(laws, text, laws->label, STEP_AGAIN, NULL);
    if (written->fault != NULL)
        return written->invalid
                   ? NULL
                   : g_strdup_printf("L8: without %s: %s", id, written->fault);
    g_autoptr(Turn) again =
        laws_turn(laws, written->outcome->text, "opencheckpoint", STEP_BARE, NULL);
    if (again->fault != NULL)
        return g_strdup_printf("L8: without %s, not read again: %s", id, again->fault);
    if (count_like(again->result, wanted) >= count_like(read->result, wanted))
        return g_strdup_printf("L8: %s was deleted and is back: %s", id, wanted);
    return NULL;
}

char *
check_deleted_operations(Laws *laws, const Turn *read)
{
    const Tree *operations = tree_get(read->result, "operations");
    if (operations == NULL)
        return NULL;
    Dice dice = {laws->seed ^ 0xde1};
    guint tries = MIN(operations->items->len, 2);
    char *broken = NULL;
    for (guint i = 0; i < tries && broken == NULL; i++) {
        guint n = dice_below(&dice, operations->items->len);
        broken = check_deleted(laws, read, operations->items->pdata[n]);
    }
    return broken;
}
