/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/context.h"
#include "convert/passage.h"
#include "convert/route.h"
#include "mapping/hide.h"
#include "text/json.h"
#include "value/equal.h"

enum { SHOWN = 60 };

/* What the two conversions said of leaves that may differ. */
typedef struct {
    GHashTable *named; /* set of pointers in the document: omitted there or made back */
    GHashTable *moved; /* likewise: partly left behind on the way, or elsewhere now */
    GHashTable *shown; /* set of places in what came back that the model shows at */
    OcpHidden *hidden;
    bool by_value;    /* numbers by exact value: YAML was on the way */
    GPtrArray *found; /* OcpDifference */
    GString *pointer; /* in the document */
    GString *back;    /* in what came back: indexes may differ */
} Comparison;

static void
free_difference(gpointer pointer)
{
    OcpDifference *difference = pointer;
    g_free(difference->pointer);
    g_free(difference->before);
    g_free(difference->after);
    g_free(difference);
}

/* A pointer is named if it, something above it or something below it is. */
static bool
is_in(GHashTable *named, const char *pointer)
{
    g_autofree char *above = g_strdup(pointer);
    for (;;) {
        if (g_hash_table_contains(named, above))
            return true;
        char *slash = strrchr(above, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    g_autofree char *prefix = g_strconcat(pointer, "/", NULL);
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init(&iter, named);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        if (g_str_has_prefix(name, prefix))
            return true;
    return false;
}

static bool
is_named(const Comparison *comparison, const char *pointer)
{
    return is_in(comparison->named, pointer) || is_in(comparison->moved, pointer);
}

static char *
shown(const Comparison *comparison, const OcpNode *node)
{
    if (node == NULL)
        return NULL;
    if (ocp_hidden_is_sensitive(comparison->hidden, node))
        return g_strdup("(sensitive)");
    GString *text = g_string_new(NULL);
    ocp_json_write(node, true, text);
    if (ocp_is_container(node) && node->size > 0)
        g_string_assign(text, node->kind == OCP_ARRAY ? "[…]" : "{…}");
    if (g_utf8_strlen(text->str, -1) > SHOWN) {
        g_string_truncate(
            text, (gsize)(g_utf8_offset_to_pointer(text->str, SHOWN) - text->str));
        g_string_append(text, "…");
    }
    return g_string_free(text, FALSE);
}

/* What was not there but shows another part of the model is made of it, and the account
 * of the way back says so. */
static bool
is_shown(const Comparison *comparison, const OcpNode *after)
{
    if (ocp_is_leaf(after))
        return g_hash_table_contains(comparison->shown, comparison->back->str);
    g_autofree char *below = g_strconcat(comparison->back->str, "/", NULL);
    GHashTableIter iter;
    gpointer place;
    g_hash_table_iter_init(&iter, comparison->shown);
    while (g_hash_table_iter_next(&iter, &place, NULL))
        if (g_str_has_prefix(place, below))
            return true;
    return false;
}

static void
differ(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    OcpDifference *difference = g_new0(OcpDifference, 1);
    difference->pointer = g_strdup(comparison->pointer->str);
    difference->before = shown(comparison, before);
    difference->after = shown(comparison, after);
    difference->named = is_named(comparison, comparison->pointer->str) ||
                        is_named(comparison, comparison->back->str) ||
                        (before == NULL && is_shown(comparison, after));
    g_ptr_array_add(comparison->found, difference);
}

static void compare(Comparison *comparison, const OcpNode *before,
                    const OcpNode *after);

static void
compare_member(Comparison *comparison, const OcpNode *key, const OcpNode *before,
               const OcpNode *after)
{
    gsize length = comparison->pointer->len;
    gsize back = comparison->back->len;
    ocp_pointer_push_key(comparison->pointer, key);
    ocp_pointer_push_key(comparison->back, key);
    compare(comparison, before, after);
    g_string_truncate(comparison->pointer, length);
    g_string_truncate(comparison->back, back);
}

static void
compare_elements(Comparison *comparison, gsize index, const OcpNode *before,
                 gsize back_index, const OcpNode *after)
{
    gsize length = comparison->pointer->len;
    gsize back = comparison->back->len;
    ocp_pointer_push_index(comparison->pointer, index);
    ocp_pointer_push_index(comparison->back, back_index);
    compare(comparison, before, after);
    g_string_truncate(comparison->pointer, length);
    g_string_truncate(comparison->back, back);
}

static void
compare_objects(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    const OcpNode *key, *value;
    OcpIter iter = ocp_iter(before);
    while (ocp_iter_member(&iter, &key, &value))
        compare_member(comparison, key, value, ocp_member_like(after, key));
    iter = ocp_iter(after);
    while (ocp_iter_member(&iter, &key, &value))
        if (ocp_member_like(before, key) == NULL)
            compare_member(comparison, key, NULL, value);
}

/* True if every leaf at or below the value is named. */
static bool
is_left_out(Comparison *comparison, const OcpNode *value, GString *pointer)
{
    if (ocp_is_leaf(value))
        return g_hash_table_contains(comparison->named, pointer->str);
    gsize length = pointer->len;
    bool out = true;
    OcpIter iter = ocp_iter(value);
    const OcpNode *key, *part;
    for (gsize i = 0; out; i++) {
        if (value->kind == OCP_ARRAY) {
            if ((part = ocp_iter_element(&iter)) == NULL)
                break;
            ocp_pointer_push_index(pointer, i);
        } else {
            if (!ocp_iter_member(&iter, &key, &part))
                break;
            ocp_pointer_push_key(pointer, key);
        }
        out = is_left_out(comparison, part, pointer);
        g_string_truncate(pointer, length);
    }
    return out;
}

/* By place; where one is longer, elements that are named whole as left out are passed
 * over. */
static void
compare_arrays(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    bool uneven = before->size != after->size;
    OcpIter left = ocp_iter(before);
    OcpIter right = ocp_iter(after);
    const OcpNode *a, *b;
    gsize index = 0;
    gsize taken = 0;
    for (; (a = ocp_iter_element(&left)) != NULL; index++) {
        gsize length = comparison->pointer->len;
        ocp_pointer_push_index(comparison->pointer, index);
        bool out = uneven && is_left_out(comparison, a, comparison->pointer);
        g_string_truncate(comparison->pointer, length);
        b = out ? NULL : ocp_iter_element(&right);
        compare_elements(comparison, index, a, taken, b);
        taken += b != NULL;
    }
    for (; (b = ocp_iter_element(&right)) != NULL; taken++)
        compare_elements(comparison, index++, NULL, taken, b);
}

static void
compare(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    if (before == NULL || after == NULL || before->kind != after->kind) {
        differ(comparison, before, after);
    } else if (before->kind == OCP_OBJECT) {
        compare_objects(comparison, before, after);
    } else if (before->kind == OCP_ARRAY) {
        compare_arrays(comparison, before, after);
    } else {
        bool same = comparison->by_value ? ocp_equal_value(before, after)
                                         : ocp_equal(before, after);
        if (!same)
            differ(comparison, before, after);
    }
}

static void
name_omitted(GHashTable *named, const OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate == OCP_FATE_OMITTED)
            g_hash_table_add(named, g_strdup(leaf->pointer));
    }
}

/* Places of what an account made or changed. */
static void
add_made(GHashTable *places, const OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->made->len; i++) {
        const OcpMadeLeaf *leaf = account->made->pdata[i];
        g_hash_table_add(places, g_strdup(leaf->pointer));
    }
    for (guint i = 0; account != NULL && i < account->changes->len; i++) {
        const OcpChange *change = account->changes->pdata[i];
        g_hash_table_add(places, g_strdup(change->place));
    }
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i]; /* shown changed */
        if (leaf->fate == OCP_FATE_OMITTED && leaf->place != NULL)
            g_hash_table_add(places, g_strdup(leaf->place));
    }
}

/* Where the leaves at these places show after one more step; a step without an account
 * leaves them where they are. */
static void
follow(GHashTable *places, const OcpAccount *account)
{
    if (account == NULL)
        return;
    g_autoptr(GPtrArray) next = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->place == NULL || !g_hash_table_contains(places, leaf->pointer))
            continue;
        g_ptr_array_add(next, g_strdup(leaf->place));
        for (guint n = 0; leaf->places != NULL && n < leaf->places->len; n++)
            g_ptr_array_add(next, g_strdup(leaf->places->pdata[n]));
    }
    g_hash_table_remove_all(places);
    g_ptr_array_set_free_func(next, NULL);
    for (guint i = 0; i < next->len; i++)
        g_hash_table_add(places, next->pdata[i]);
}

static void
add_shown(GHashTable *shown, const OcpAccount *account)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->place != NULL)
            g_hash_table_add(shown, g_strdup(leaf->place));
        for (guint n = 0; leaf->places != NULL && n < leaf->places->len; n++)
            g_hash_table_add(shown, g_strdup(leaf->places->pdata[n]));
    }
}

/* What was made or changed on any of the four steps, by its place in the end. */
static void
name_made(GHashTable *named, const OcpOutcome *there, const OcpOutcome *back)
{
    const OcpAccount *steps[] = {there->read, there->write, back->read, back->write};
    g_autoptr(GHashTable) places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        follow(places, steps[i]);
        add_made(places, steps[i]);
    }
    GHashTableIter iter;
    gpointer place;
    g_hash_table_iter_init(&iter, places);
    while (g_hash_table_iter_next(&iter, &place, NULL))
        g_hash_table_add(named, g_strdup(place));
}

/* What reading puts around a model that comes back: the derivation and the carry. */
static void
name_engine_parts(GHashTable *named, const OcpPrepared *there)
{
    g_hash_table_add(named, g_strdup("/derivation"));
    if (there->mapping->key == NULL)
        return;
    GString *pointer = g_string_new("/extensions");
    ocp_pointer_push(pointer, there->mapping->key, strlen(there->mapping->key));
    g_hash_table_add(named, g_string_free(pointer, FALSE));
}

/* What a document keeps of the model in its open place was not there before. */
static void
name_open_place(GHashTable *named, const OcpMapping *mapping)
{
    if (mapping->open_path == NULL)
        return;
    GString *pointer = g_string_new(NULL);
    for (guint i = 0; i < mapping->open_path->len; i++)
        ocp_pointer_push(pointer, mapping->open_path->pdata[i],
                         strlen(mapping->open_path->pdata[i]));
    g_hash_table_add(named, g_string_free(pointer, FALSE));
}

static bool
back_again(OcpContext *context, const OcpOutcome *there, const OcpOrigin *origin,
           const OcpConvertOptions *options, OcpReport *report, OcpDocument **ret,
           OcpOutcome **ret_outcome)
{
    g_autoptr(GPtrArray) documents = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpSyntax syntax =
        options->syntax == OCP_SYNTAX_YAML ? OCP_SYNTAX_YAML : OCP_SYNTAX_JSON;
    if (!ocp_source_read(there->text, origin->name, syntax, &limits, report,
                         &documents))
        return false;
    OcpConvertOptions back = *options;
    back.from = there->to;
    back.to = there->from;
    back.strict = false;
    back.syntax = OCP_SYNTAX_JSON;
    back.id = NULL;
    back.created_at = NULL;
    g_autoptr(OcpOutcome) outcome = NULL;
    if (!ocp_convert(context, documents->pdata[0], origin, &back, report, &outcome) ||
        !ocp_json_read(outcome->text, NULL, &limits, report, ret))
        return false;
    *ret_outcome = g_steal_pointer(&outcome);
    return true;
}

static bool
name_target(OcpContext *context, const OcpOutcome *there, OcpReport *report,
            GHashTable *named)
{
    OcpPrepared target;
    if (!ocp_registry_find(context->registry, there->to, report, &target.dialect) ||
        !ocp_dialect_mapping(context->registry, target.dialect, report,
                             &target.mapping))
        return false;
    name_engine_parts(named, &target);
    return true;
}

bool
ocp_round_trip(OcpContext *context, OcpDocument *document, const OcpOrigin *origin,
               const OcpConvertOptions *options, OcpReport *report, GPtrArray **ret)
{
    OcpPrepared prepared;
    if (!ocp_prepare(context, document, options->from, report, &prepared))
        return false;
    OcpConvertOptions once = *options;
    once.from = prepared.dialect->label;
    once.strict = false;
    g_autoptr(OcpOutcome) there = NULL;
    g_autoptr(OcpOutcome) back = NULL;
    g_autoptr(OcpDocument) result = NULL;
    if (!ocp_convert(context, document, origin, &once, report, &there) ||
        !back_again(context, there, origin, &once, report, &result, &back))
        return false;
    Comparison comparison = {
        .named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .moved = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .hidden = ocp_hidden_new(prepared.mapping, document->root),
        .by_value = document->yaml || options->syntax == OCP_SYNTAX_YAML,
        .found = g_ptr_array_new_with_free_func(free_difference),
        .pointer = g_string_new(NULL),
        .back = g_string_new(NULL)};
    name_omitted(comparison.named, there->route);
    name_omitted(comparison.named, there->write);
    name_open_place(comparison.named, prepared.mapping);
    if (ocp_dialect_is_model(prepared.dialect) &&
        !name_target(context, there, report, comparison.named))
        return false;
    name_made(comparison.named, there, back);
    if (there->read != NULL && g_str_has_prefix(there->to, prepared.dialect->name))
        add_made(comparison.named, there->write); /* one dialect: the same places */
    const OcpAccount *steps[] = {there->read, there->write, back->read, back->write};
    ocp_passage_name(comparison.moved, steps, G_N_ELEMENTS(steps));
    add_shown(comparison.shown, back->write != NULL ? back->write : back->read);
    compare(&comparison, document->root, result->root);
    g_hash_table_unref(comparison.named);
    g_hash_table_unref(comparison.moved);
    g_hash_table_unref(comparison.shown);
    ocp_hidden_free(comparison.hidden);
    g_string_free(comparison.pointer, TRUE);
    g_string_free(comparison.back, TRUE);
    *ret = comparison.found;
    return true;
}
