/* SPDX-License-Identifier: Apache-2.0 */
#include "generate_place.h"

#include <string.h>

/* ---- what is said of a place ------------------------------------------------ */

Place
place_new(void)
{
    Place place = {g_array_new(FALSE, FALSE, sizeof(Piece)),
                   g_array_new(FALSE, FALSE, sizeof(Piece))};
    return place;
}

void
place_clear(Place *place)
{
    g_array_unref(place->pieces);
    g_array_unref(place->conditions);
}

Piece *
piece_at(const Place *place, guint i)
{
    return &g_array_index(place->pieces, Piece, i);
}

void
place_add(Place *place, Tree *schema, Tree *root, Dice *dice)
{
    static const char *const choices[] = {"oneOf", "anyOf"};
    if (!tree_is(schema, OCP_OBJECT))
        return;
    Piece piece = {schema, root};
    g_array_append_val(place->pieces, piece);
    const Tree *reference = tree_get(schema, "$ref");
    if (reference != NULL)
        place_add(place, tree_at(root, reference->text->str + 1), root, dice);
    const Tree *all = tree_get(schema, "allOf");
    for (guint i = 0; all != NULL && i < all->items->len; i++)
        place_add(place, all->items->pdata[i], root, dice);
    for (gsize i = 0; i < G_N_ELEMENTS(choices); i++) {
        const Tree *branches = tree_get(schema, choices[i]);
        if (branches != NULL)
            place_add(place,
                      branches->items->pdata[dice_below(dice, branches->items->len)],
                      root, dice);
    }
    if (tree_get(schema, "if") != NULL)
        g_array_append_val(place->conditions, piece);
}

Tree *
place_says(const Place *place, const char *keyword)
{
    for (guint i = 0; i < place->pieces->len; i++) {
        Tree *value = tree_get(piece_at(place, i)->schema, keyword);
        if (value != NULL)
            return value;
    }
    return NULL;
}

gint64
place_limit(const Place *place, const char *keyword, gint64 otherwise)
{
    const Tree *limit = place_says(place, keyword);
    return limit != NULL ? g_ascii_strtoll(limit->text->str, NULL, 10) : otherwise;
}

static guint
kind_named(const char *name)
{
    static const struct {
        const char *name;
        guint kinds;
    } named[] = {{"null", 1u << OCP_NULL},
                 {"boolean", 1u << OCP_TRUE},
                 {"number", 1u << OCP_NUMBER | PLACE_INTEGER},
                 {"integer", PLACE_INTEGER},
                 {"string", 1u << OCP_STRING},
                 {"array", 1u << OCP_ARRAY},
                 {"object", 1u << OCP_OBJECT}};
    for (gsize i = 0; i < G_N_ELEMENTS(named); i++)
        if (strcmp(named[i].name, name) == 0)
            return named[i].kinds;
    return 0;
}

guint
place_kinds(const Place *place)
{
    guint kinds = G_MAXUINT;
    for (guint i = 0; i < place->pieces->len; i++) {
        const Tree *type = tree_get(piece_at(place, i)->schema, "type");
        guint named = 0;
        if (tree_is(type, OCP_STRING))
            named = kind_named(type->text->str);
        for (guint n = 0; tree_is(type, OCP_ARRAY) && n < type->items->len; n++)
            named |= kind_named(((Tree *)type->items->pdata[n])->text->str);
        kinds &= type != NULL ? named : G_MAXUINT;
    }
    if (kinds == G_MAXUINT &&
        (place_says(place, "properties") || place_says(place, "required")))
        kinds = 1u << OCP_OBJECT;
    return kinds;
}
