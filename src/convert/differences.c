/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/differences.h"

#include <string.h>

#include "text/json.h"
#include "value/equal.h"

enum {
    SHOWN = 60,
    REACH = 8 /* elements looked through once one was not found: no report helps then */
};

typedef struct {
    const OcpDifferencesNamed *said;
    GHashTable *above;       /* set of pointers: what holds something that is named */
    GHashTable *above_shown; /* likewise: something that shows */
    GPtrArray *found;        /* OcpDifference */
    GString *pointer;        /* in the document */
    GString *back;           /* in what came back: indexes may differ */
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

/* ---- what is named --------------------------------------------------------------- */

/* Adds all pointers above those of a set. */
static void
add_above(GHashTable *above, GHashTable *named)
{
    GHashTableIter iter;
    gpointer pointer;
    g_hash_table_iter_init(&iter, named);
    while (g_hash_table_iter_next(&iter, &pointer, NULL)) {
        g_autofree char *at = g_strdup(pointer);
        for (char *slash; (slash = strrchr(at, '/')) != NULL;) {
            *slash = '\0';
            if (!g_hash_table_add(above, g_strdup(at)))
                break;
        }
    }
}

static bool
is_said(const Comparison *comparison, const char *pointer)
{
    return g_hash_table_contains(comparison->said->named, pointer) ||
           g_hash_table_contains(comparison->said->moved, pointer);
}

/* A pointer is named if it, something above it or something below it is. */
static bool
is_named(const Comparison *comparison, const char *pointer)
{
    if (g_hash_table_contains(comparison->above, pointer))
        return true;
    g_autofree char *at = g_strdup(pointer);
    for (;;) {
        if (is_said(comparison, at))
            return true;
        char *slash = strrchr(at, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
}

/* What was not there but shows another part of the model is made of it, and the account
 * of the way back says so. */
static bool
is_shown(const Comparison *comparison, const OcpNode *after)
{
    GHashTable *places =
        ocp_is_leaf(after) ? comparison->said->shown : comparison->above_shown;
    return g_hash_table_contains(places, comparison->back->str);
}

/* ---- a difference ---------------------------------------------------------------- */

static char *
shown(const Comparison *comparison, const OcpNode *node)
{
    if (node == NULL)
        return NULL;
    if (ocp_hidden_is_sensitive(comparison->said->hidden, node))
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

static bool
is_same(const Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    return comparison->said->by_value ? ocp_equal_value(before, after)
                                      : ocp_equal(before, after);
}

/* ---- which elements are one ------------------------------------------------------ */

static GPtrArray *
elements_of(const OcpNode *array)
{
    GPtrArray *elements = g_ptr_array_sized_new(array != NULL ? array->size : 0);
    OcpIter iter = ocp_iter(array);
    for (const OcpNode *at; (at = ocp_iter_element(&iter)) != NULL;)
        g_ptr_array_add(elements, (gpointer)at);
    return elements;
}

static bool gives(Comparison *comparison, const OcpNode *before, const OcpNode *after);

static bool
gives_element(Comparison *comparison, guint index, const OcpNode *before,
              const OcpNode *after)
{
    gsize length = comparison->pointer->len;
    ocp_pointer_push_index(comparison->pointer, index);
    bool ok = gives(comparison, before, after);
    g_string_truncate(comparison->pointer, length);
    return ok;
}

static bool
gives_array(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    OcpIter left = ocp_iter(before);
    OcpIter right = ocp_iter(ocp_is(after, OCP_ARRAY) ? after : NULL);
    const OcpNode *a, *b;
    for (guint i = 0; (a = ocp_iter_element(&left)) != NULL; i++) {
        bool found = gives_element(comparison, i, a, NULL);
        while (!found && (b = ocp_iter_element(&right)) != NULL)
            found = gives_element(comparison, i, a, b);
        if (!found)
            return false;
    }
    return true;
}

/* True if after (NULL: nothing) has all of before that is not named. */
static bool
gives(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    if (is_said(comparison, comparison->pointer->str))
        return true;
    if (ocp_is_leaf(before))
        return after != NULL && is_same(comparison, before, after);
    if (before->kind == OCP_ARRAY)
        return gives_array(comparison, before, after);
    const OcpNode *object = ocp_is(after, OCP_OBJECT) ? after : NULL;
    OcpIter iter = ocp_iter(before);
    bool ok = true;
    for (const OcpNode *key, *value; ok && ocp_iter_member(&iter, &key, &value);) {
        gsize length = comparison->pointer->len;
        ocp_pointer_push_key(comparison->pointer, key);
        ok = gives(comparison, value, ocp_member_like(object, key));
        g_string_truncate(comparison->pointer, length);
    }
    return ok;
}

/* ---- comparing ------------------------------------------------------------------- */

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

/* Two arrays, and how far they were compared. */
typedef struct {
    GPtrArray *before;
    GPtrArray *after;
    guint left;  /* of before: from here on nothing was compared */
    guint right; /* of after: likewise */
    guint more;  /* elements that only after has */
} Pairs;

static void
compare_elements(Comparison *comparison, guint index, const OcpNode *before,
                 guint back_index, const OcpNode *after)
{
    gsize length = comparison->pointer->len;
    gsize back = comparison->back->len;
    ocp_pointer_push_index(comparison->pointer, index);
    ocp_pointer_push_index(comparison->back, back_index);
    compare(comparison, before, after);
    g_string_truncate(comparison->pointer, length);
    g_string_truncate(comparison->back, back);
}

/* By place, up to these elements: what is left out may show changed. */
static void
compare_up_to(Comparison *comparison, Pairs *pairs, guint left, guint right)
{
    while (pairs->left < left || pairs->right < right) {
        bool here = pairs->left < left;
        bool there = pairs->right < right;
        guint index = here ? pairs->left : pairs->before->len + pairs->more++;
        compare_elements(comparison, index,
                         here ? pairs->before->pdata[pairs->left] : NULL, pairs->right,
                         there ? pairs->after->pdata[pairs->right] : NULL);
        pairs->left += here;
        pairs->right += there;
    }
}

static bool
gives_by_place(Comparison *comparison, const Pairs *pairs)
{
    bool ok = pairs->before->len == pairs->after->len;
    for (guint i = 0; ok && i < pairs->before->len; i++)
        ok = gives_element(comparison, i, pairs->before->pdata[i],
                           pairs->after->pdata[i]);
    return ok;
}

static void
compare_arrays(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    g_autoptr(GPtrArray) ours = elements_of(before);
    g_autoptr(GPtrArray) theirs = elements_of(after);
    Pairs pairs = {.before = ours, .after = theirs};
    bool by_place = gives_by_place(comparison, &pairs);
    guint next = 0;
    guint reach = theirs->len;
    for (guint i = 0; !by_place && i < ours->len; i++) {
        if (gives_element(comparison, i, ours->pdata[i], NULL))
            continue;
        guint end = MIN(theirs->len, next + reach);
        guint at = next;
        while (at < end &&
               !gives_element(comparison, i, ours->pdata[i], theirs->pdata[at]))
            at++;
        if (at >= end) {
            reach = REACH;
            continue;
        }
        compare_up_to(comparison, &pairs, i, at);
        compare_up_to(comparison, &pairs, i + 1, at + 1);
        next = at + 1;
    }
    compare_up_to(comparison, &pairs, ours->len, theirs->len);
}

static void
compare(Comparison *comparison, const OcpNode *before, const OcpNode *after)
{
    if (before == NULL || after == NULL || before->kind != after->kind)
        differ(comparison, before, after);
    else if (before->kind == OCP_OBJECT)
        compare_objects(comparison, before, after);
    else if (before->kind == OCP_ARRAY)
        compare_arrays(comparison, before, after);
    else if (!is_same(comparison, before, after))
        differ(comparison, before, after);
}

GPtrArray *
ocp_differences_find(const OcpDifferencesNamed *named, const OcpNode *before,
                     const OcpNode *after)
{
    g_autoptr(GHashTable) above =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) above_shown =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) pointer = g_string_new(NULL);
    g_autoptr(GString) back = g_string_new(NULL);
    add_above(above, named->named);
    add_above(above, named->moved);
    add_above(above_shown, named->shown);
    Comparison comparison = {.said = named,
                             .above = above,
                             .above_shown = above_shown,
                             .found = g_ptr_array_new_with_free_func(free_difference),
                             .pointer = pointer,
                             .back = back};
    compare(&comparison, before, after);
    return comparison.found;
}
