/* SPDX-License-Identifier: Apache-2.0 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

#include "generate_place.h"
#include "generate_text.h"
#include "support.h"
#include "text/embedded.h"

typedef struct {
    const char *label;
    const char *schema;
    const char *fragment;
    const char *hints;
} Kind;

static const Kind known[] = {
    {"opencheckpoint", "opencheckpoint-0.1.schema.json", "", "opencheckpoint"},
    {"specrail@1", "specrail-runtime-checkpoint-1.schema.json", "", "specrail-1"},
    {"specrail@2", "specrail-relaxed.schema.json", "", "specrail-2"},
    {"specrail@3", "specrail-relaxed.schema.json", "", "specrail-3"},
    {"specrail-cursor", "specrail-cursor.schema.json", "", "specrail-cursor"},
    {"session-checkpoint@1", "session-checkpoint.schema.yaml", "",
     "session-checkpoint-1"},
    {"session-checkpoint@2", "session-checkpoint.schema.yaml", "",
     "session-checkpoint-2"},
    {"caop-pulse", "caop-0.2.schema.json", "/$defs/PulseResponse", "caop-pulse"},
    {"caop-resume-brief", "caop-0.2.schema.json", "/$defs/ResumeBrief", NULL}};

const char *const generator_labels[] = {"opencheckpoint",       "specrail@1",
                                        "specrail@2",           "specrail@3",
                                        "specrail-cursor",      "session-checkpoint@1",
                                        "session-checkpoint@2", "caop-pulse",
                                        "caop-resume-brief",    NULL};

struct Generator {
    const Kind *kind;
    Tree *schema;
    Tree *hints; /* or NULL */
};

typedef struct {
    Dice dice;
    guint often;     /* percent of optional members */
    guint extras;    /* percent of open objects that get members of our own */
    guint wide;      /* permille of arrays that are long */
    guint budget;    /* nodes left */
    GPtrArray *said; /* texts given so far */
} Make;

enum { DEEPEST = 40 };

static Tree *make_place(Make *make, const Place *place, guint depth);

/* ---- anything ------------------------------------------------------------------ */

static Tree *
make_any(Make *make, guint depth)
{
    guint kind = dice_below(&make->dice, depth < 4 ? 9 : 6);
    if (make->budget < 5)
        kind %= 6;
    make->budget -= make->budget > 0;
    g_autofree char *text = NULL;
    switch (kind) {
    case 0: return tree_new(OCP_NULL);
    case 1: return tree_new(dice_chance(&make->dice, 50) ? OCP_TRUE : OCP_FALSE);
    case 2: return tree_number(text = make_number(&make->dice));
    case 3:
    case 4: return tree_text(text = make_text(&make->dice, 0, G_MAXUINT, make->said));
    case 5: return tree_new(dice_chance(&make->dice, 50) ? OCP_ARRAY : OCP_OBJECT);
    default: break;
    }
    Tree *tree = tree_new(kind < 7 ? OCP_ARRAY : OCP_OBJECT);
    for (guint n = dice_below(&make->dice, 4); n > 0; n--) {
        g_autofree char *name = make_name(&make->dice);
        if (tree->kind == OCP_ARRAY)
            tree_push(tree, make_any(make, depth + 1));
        else
            tree_set(tree, name, make_any(make, depth + 1));
    }
    return tree;
}

/* Arrays and objects in each other. */
static Tree *
make_deep(Make *make, guint levels)
{
    Tree *tree = make_any(make, 9);
    for (guint i = 0; i < levels; i++) {
        Tree *outer = tree_new(dice_chance(&make->dice, 50) ? OCP_ARRAY : OCP_OBJECT);
        if (outer->kind == OCP_ARRAY)
            tree_push(outer, tree);
        else
            tree_set(outer, "in", tree);
        tree = outer;
    }
    return tree;
}

/* ---- scalars ------------------------------------------------------------------- */

static Tree *
make_string(Make *make, const Place *place)
{
    guint least = (guint)place_limit(place, "minLength", 0);
    gint64 longest = place_limit(place, "maxLength", G_MAXUINT);
    const Tree *format = place_says(place, "format");
    const Tree *pattern = place_says(place, "pattern");
    g_autofree char *text = NULL;
    if (tree_is_text(format, "date-time"))
        text = make_date_time(&make->dice);
    else if (tree_is_text(format, "uri"))
        text = make_uri(&make->dice);
    else if (pattern != NULL && strstr(pattern->text->str, "{0,127}") != NULL)
        text = make_id(&make->dice);
    else if (pattern != NULL)
        text = make_match(&make->dice, pattern->text->str);
    else
        text = make_text(&make->dice, least, (guint)longest, make->said);
    return tree_text(text);
}

static Tree *
make_numeral(Make *make, const Place *place, bool integer)
{
    g_autofree char *text = NULL;
    if (place_says(place, "exclusiveMaximum") != NULL)
        text = make_ratio(&make->dice);
    else if (integer)
        text = make_integer(&make->dice, place_limit(place, "minimum", G_MININT64),
                            place_limit(place, "maximum", G_MAXINT64));
    else
        text = make_number(&make->dice);
    return tree_number(text);
}

/* ---- arrays ---------------------------------------------------------------------- */

static Place
element_place(Make *make, const Place *place)
{
    Place element = place_new();
    for (guint i = 0; i < place->pieces->len; i++) {
        Piece *piece = piece_at(place, i);
        place_add(&element, tree_get(piece->schema, "items"), piece->root, &make->dice);
    }
    return element;
}

static bool
holds(const Tree *array, const Tree *value)
{
    for (guint i = 0; i < array->items->len; i++)
        if (tree_equal(array->items->pdata[i], value))
            return true;
    return false;
}

static Tree *
make_array(Make *make, const Place *place, guint depth)
{
    Tree *array = tree_new(OCP_ARRAY);
    guint least = (guint)place_limit(place, "minItems", 0);
    guint most = (guint)place_limit(place, "maxItems", 1000);
    bool unique = tree_is(place_says(place, "uniqueItems"), OCP_TRUE);
    guint count = dice_below(&make->dice, 4);
    if (dice_below(&make->dice, 1000) < make->wide)
        count = 40 + dice_below(&make->dice, 40);
    if (depth > DEEPEST || make->budget < 10)
        count = 0;
    count = CLAMP(count, least, most);
    for (guint tries = 0; array->items->len < count && tries < 2 * count + 2; tries++) {
        Place element =
            element_place(make, place); /* anew: another branch of a choice */
        Tree *value = make_place(make, &element, depth + 1);
        place_clear(&element);
        if (unique && holds(array, value))
            tree_free(value);
        else
            tree_push(array, value);
    }
    return array;
}

/* ---- objects --------------------------------------------------------------------- */

/* The place of a member; *ret_closed: some piece allows only names it declares. */
static Place
member_place(Make *make, const Place *place, const char *name, bool *ret_closed)
{
    Place member = place_new();
    *ret_closed = false;
    for (guint i = 0; i < place->pieces->len; i++) {
        Piece *piece = piece_at(place, i);
        Tree *declared = tree_get(tree_get(piece->schema, "properties"), name);
        Tree *other = tree_get(piece->schema, "additionalProperties");
        if (declared != NULL)
            place_add(&member, declared, piece->root, &make->dice);
        else if (tree_is(other, OCP_FALSE))
            *ret_closed = true;
        else
            place_add(&member, other, piece->root, &make->dice);
    }
    return member;
}

static bool
is_required(const Place *place, const char *name)
{
    for (guint i = 0; i < place->pieces->len; i++) {
        const Tree *required = tree_get(piece_at(place, i)->schema, "required");
        for (guint n = 0; required != NULL && n < required->items->len; n++)
            if (tree_is_text(required->items->pdata[n], name))
                return true;
    }
    return false;
}

static void
put_member(Make *make, Tree *object, const Place *place, const char *name, guint depth)
{
    bool closed;
    Place member = member_place(make, place, name, &closed);
    if (!closed)
        tree_set(object, name, make_place(make, &member, depth + 1));
    place_clear(&member);
}

static void
put_declared(Make *make, Tree *object, const Place *place, guint depth)
{
    for (guint i = 0; i < place->pieces->len; i++) {
        const Tree *properties = tree_get(piece_at(place, i)->schema, "properties");
        for (guint n = 0; properties != NULL && n < properties->items->len; n++) {
            const char *name = properties->names->pdata[n];
            const Tree *percent = tree_get(properties->items->pdata[n], "x-percent");
            guint often =
                percent != NULL ? (guint)atoi(percent->text->str) : make->often;
            if (depth > DEEPEST || make->budget < 10)
                often = 0;
            if (tree_get(object, name) == NULL &&
                (is_required(place, name) || dice_chance(&make->dice, often)))
                put_member(make, object, place, name, depth);
        }
    }
    for (guint i = 0; i < place->pieces->len; i++) {
        const Tree *required = tree_get(piece_at(place, i)->schema, "required");
        for (guint n = 0; required != NULL && n < required->items->len; n++) {
            const char *name = ((Tree *)required->items->pdata[n])->text->str;
            if (tree_get(object, name) == NULL)
                put_member(make, object, place, name, depth);
        }
    }
}

/* Members that nobody declares, where the object is open. */
static void
put_extras(Make *make, Tree *object, const Place *place, guint depth)
{
    const Tree *names = place_says(place, "propertyNames");
    guint count = place_says(place, "properties") == NULL ? dice_below(&make->dice, 4)
                  : dice_chance(&make->dice, make->extras)
                      ? 1 + dice_below(&make->dice, 2)
                      : 0;
    for (; count > 0 && make->budget > 10; count--) {
        g_autofree char *name =
            names != NULL && tree_get(names, "pattern") != NULL
                ? make_match(&make->dice, tree_get(names, "pattern")->text->str)
                : make_name(&make->dice);
        bool closed;
        Place member = member_place(make, place, name, &closed);
        if (!closed && tree_get(object, name) == NULL) {
            Tree *value = member.pieces->len > 0 ? make_place(make, &member, depth + 1)
                          : dice_below(&make->dice, 100) < 3
                              ? make_deep(make, 1 + dice_below(&make->dice, 60))
                              : make_any(make, 0);
            tree_set(object, name, value);
        }
        place_clear(&member);
    }
}

/* ---- conditions ------------------------------------------------------------------ */

/* A small judge of what conditions are made of. */
static bool
fits(const Tree *schema, const Tree *value)
{
    const Tree *constant = tree_get(schema, "const");
    const Tree *list = tree_get(schema, "enum");
    const Tree *not = tree_get(schema, "not");
    const Tree *required = tree_get(schema, "required");
    const Tree *properties = tree_get(schema, "properties");
    if ((constant != NULL && !tree_equal(constant, value)) ||
        (list != NULL && !holds(list, value)) || (not != NULL && fits(not, value)))
        return false;
    if (!tree_is(value, OCP_OBJECT))
        return true;
    for (guint i = 0; required != NULL && i < required->items->len; i++)
        if (tree_get(value, ((Tree *)required->items->pdata[i])->text->str) == NULL)
            return false;
    for (guint i = 0; properties != NULL && i < properties->items->len; i++) {
        const Tree *member = tree_get(value, properties->names->pdata[i]);
        if (member != NULL && !fits(properties->items->pdata[i], member))
            return false;
    }
    return true;
}

/* Makes the object follow: forbidden members go, wrong and missing ones are made anew.
 */
static void
follow(Make *make, Tree *object, const Place *place, Piece rule, guint depth)
{
    Place both = place_new();
    for (guint i = 0; i < place->pieces->len; i++)
        g_array_append_val(both.pieces, *piece_at(place, i));
    place_add(&both, rule.schema, rule.root, &make->dice);
    const Tree *forbidden = tree_get(tree_get(rule.schema, "not"), "required");
    for (guint i = 0; forbidden != NULL && i < forbidden->items->len; i++)
        tree_drop(object, ((Tree *)forbidden->items->pdata[i])->text->str);
    const Tree *required = tree_get(rule.schema, "required");
    for (guint i = 0; required != NULL && i < required->items->len; i++) {
        const char *name = ((Tree *)required->items->pdata[i])->text->str;
        if (tree_get(object, name) == NULL)
            put_member(make, object, &both, name, depth);
    }
    const Tree *properties = tree_get(rule.schema, "properties");
    for (guint i = 0; properties != NULL && i < properties->items->len; i++) {
        const char *name = properties->names->pdata[i];
        const Tree *member = tree_get(object, name);
        for (guint n = 0;
             n < 20 && member != NULL && !fits(properties->items->pdata[i], member);
             n++) {
            put_member(make, object, &both, name, depth);
            member = tree_get(object, name);
        }
    }
    place_clear(&both);
}

static void
follow_conditions(Make *make, Tree *object, const Place *place, guint depth)
{
    for (guint round = 0; round < 4; round++) {
        bool stable = true;
        for (guint i = 0; i < place->conditions->len; i++) {
            const Piece *condition = &g_array_index(place->conditions, Piece, i);
            bool met = fits(tree_get(condition->schema, "if"), object);
            Tree *rule = tree_get(condition->schema, met ? "then" : "else");
            if (rule == NULL || fits(rule, object))
                continue;
            follow(make, object, place, (Piece){rule, condition->root}, depth);
            stable = false;
        }
        if (stable)
            return;
    }
}

static Tree *
make_object(Make *make, const Place *place, guint depth)
{
    Tree *object = tree_new(OCP_OBJECT);
    gint64 most = place_limit(place, "maxProperties", G_MAXINT64);
    gint64 least = place_limit(place, "minProperties", 0);
    for (guint tries = 0; tries < 50; tries++) {
        put_declared(make, object, place, depth);
        put_extras(make, object, place, depth);
        while ((gint64)object->items->len > most)
            tree_drop(
                object,
                object->names->pdata[dice_below(&make->dice, object->names->len)]);
        if ((gint64)object->items->len >= least)
            break;
    }
    follow_conditions(make, object, place, depth);
    return object;
}

/* ---- a place --------------------------------------------------------------------- */

static Tree *
make_listed(Make *make, const Place *place)
{
    const Tree *constant = place_says(place, "const");
    if (constant != NULL)
        return tree_copy(constant);
    const Tree *list = NULL; /* the shortest says most */
    for (guint i = 0; i < place->pieces->len; i++) {
        const Tree *found = tree_get(piece_at(place, i)->schema, "enum");
        if (found != NULL && (list == NULL || found->items->len < list->items->len))
            list = found;
    }
    return list != NULL
               ? tree_copy(
                     list->items->pdata[dice_below(&make->dice, list->items->len)])
               : NULL;
}

static Tree *
make_place(Make *make, const Place *place, guint depth)
{
    make->budget -= make->budget > 0;
    Tree *listed = make_listed(make, place);
    if (listed != NULL)
        return listed;
    guint kinds = place_kinds(place);
    if (kinds == G_MAXUINT || kinds == 0)
        return make_any(make, 2);
    guint chosen[16];
    guint count = 0;
    for (guint bit = 0; bit < 9; bit++)
        if ((kinds & 1u << bit) != 0)
            chosen[count++] = bit;
    guint bit = chosen[dice_below(&make->dice, count)];
    if (bit == OCP_NULL && count > 1 && dice_chance(&make->dice, 50))
        bit = chosen[1 + dice_below(&make->dice, count - 1)];
    switch (bit) {
    case OCP_NULL: return tree_new(OCP_NULL);
    case OCP_TRUE: return tree_new(dice_chance(&make->dice, 50) ? OCP_TRUE : OCP_FALSE);
    case OCP_STRING: return make_string(make, place);
    case OCP_ARRAY: return make_array(make, place, depth);
    case OCP_OBJECT: return make_object(make, place, depth);
    default: return make_numeral(make, place, bit != OCP_NUMBER);
    }
}

/* ---- generators ------------------------------------------------------------------ */

static Tree *
embedded(const char *name)
{
    g_autofree char *path = g_strconcat("schemas/", name, NULL);
    for (const OcpEmbedded *file = ocp_embedded_files; file->name != NULL; file++) {
        if (strcmp(file->name, path) != 0)
            continue;
        g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
        return tree_read(bytes);
    }
    abort();
}

Generator *
generator_new(const char *label)
{
    Generator *generator = g_new0(Generator, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(known[i].label, label) == 0)
            generator->kind = &known[i];
    if (generator->kind == NULL)
        abort();
    generator->schema = embedded(generator->kind->schema);
    if (generator->kind->hints != NULL) {
        g_autofree char *name =
            g_strdup_printf("tests/laws/hints/%s.json", generator->kind->hints);
        g_autofree char *path = ocp_test_source(name);
        g_autoptr(GBytes) bytes = ocp_test_read(path);
        generator->hints = tree_read(bytes);
    }
    return generator;
}

void
generator_free(Generator *generator)
{
    tree_free(generator->schema);
    tree_free(generator->hints);
    g_free(generator);
}

static void
add_root(Make *make, Place *place, const Generator *generator)
{
    Tree *root = tree_at(generator->schema, generator->kind->fragment);
    const Tree *branch =
        generator->hints != NULL ? tree_get(generator->hints, "x-branch") : NULL;
    if (branch != NULL)
        root = tree_get(root, "oneOf")->items->pdata[atoi(branch->text->str)];
    place_add(place, root, generator->schema, &make->dice);
    if (generator->hints != NULL)
        place_add(place, generator->hints, generator->hints, &make->dice);
}

Tree *
generator_make(Generator *generator, guint64 seed)
{
    static const guint often[] = {10, 35, 60, 90};
    Make make = {.dice = {seed}, .said = g_ptr_array_new_with_free_func(g_free)};
    make.often = often[dice_below(&make.dice, G_N_ELEMENTS(often))];
    make.extras = dice_chance(&make.dice, 50) ? 20 : 0;
    make.wide = dice_chance(&make.dice, 10) ? 60 : 0;
    make.budget = dice_chance(&make.dice, 15) ? 1500 : 250;
    Place place = place_new();
    add_root(&make, &place, generator);
    Tree *tree = make_place(&make, &place, 0);
    place_clear(&place);
    if (generator->kind == known)
        settle_references(tree, &make.dice);
    g_ptr_array_unref(make.said);
    return tree;
}
