/* SPDX-License-Identifier: Apache-2.0 */
#include "value/equal.h"

#include <string.h>

#include "value/number.h"

enum { WALK_UP_TO = 24 }; /* members up to which a walk beats making a hash */

typedef struct {
    const OcpNode *a;
    const OcpNode *b;
} Pair;

typedef struct {
    GArray *todo; /* Pair: containers of the same kind and size, not yet compared */
    bool by_value;
} Comparison;

/* ---- equality -------------------------------------------------------------- */

static bool
same_kind(const OcpNode *a, const OcpNode *b)
{
    if (a->kind != b->kind)
        return false;
    return !ocp_is_container(a) || a->size == b->size;
}

/* Compares scalars, leaves containers for later. */
static bool
compare(const Comparison *comparison, const OcpNode *a, const OcpNode *b)
{
    if (a == b)
        return true;
    if (!same_kind(a, b))
        return false;
    switch ((OcpKind)a->kind) {
    case OCP_NULL:
    case OCP_FALSE:
    case OCP_TRUE:
    case OCP_LINK: return true;
    case OCP_STRING: return ocp_text_equal(a, b);
    case OCP_NUMBER:
        if (a->size == b->size && memcmp(a->as.text, b->as.text, a->size) == 0)
            return true;
        return comparison->by_value && ocp_number_compare(a, b) == 0;
    case OCP_ARRAY:
    case OCP_OBJECT: break;
    }
    if (a->size > 0) {
        Pair pair = {a, b};
        g_array_append_val(comparison->todo, pair);
    }
    return true;
}

static bool
compare_elements(const Comparison *comparison, const OcpNode *a, const OcpNode *b)
{
    OcpIter left = ocp_iter(a);
    OcpIter right = ocp_iter(b);
    const OcpNode *element = NULL;
    while ((element = ocp_iter_element(&left)) != NULL)
        if (!compare(comparison, element, ocp_iter_element(&right)))
            return false;
    return true;
}

static guint
key_hash(gconstpointer key)
{
    return ocp_text_hash(key);
}

static gboolean
key_equal(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

/* A hash over the members of a large object that has none of its own, else NULL. */
static GHashTable *
index_members(const OcpNode *object)
{
    if ((object->flags & OCP_NODE_INDEXED) || object->size <= WALK_UP_TO)
        return NULL;
    GHashTable *members = g_hash_table_new(key_hash, key_equal);
    const OcpNode *key = NULL;
    const OcpNode *value = NULL;
    for (OcpIter iter = ocp_iter(object); ocp_iter_member(&iter, &key, &value);)
        g_hash_table_insert(members, (gpointer)key, (gpointer)value);
    return members;
}

/* The members of a from iter on, each looked up in b. */
static bool
compare_unordered(const Comparison *comparison, OcpIter iter, const OcpNode *b)
{
    GHashTable *members = index_members(b);
    const OcpNode *key = NULL;
    const OcpNode *value = NULL;
    bool same = true;
    while (same && ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *other = members != NULL ? g_hash_table_lookup(members, key)
                                               : ocp_member_like(b, key);
        same = other != NULL && compare(comparison, value, other);
    }
    if (members != NULL)
        g_hash_table_unref(members);
    return same;
}

/* Most objects that are equal have their members in the same order. */
static bool
compare_members(const Comparison *comparison, const OcpNode *a, const OcpNode *b)
{
    const OcpNode *key_a = NULL;
    const OcpNode *key_b = NULL;
    const OcpNode *value_a = NULL;
    const OcpNode *value_b = NULL;
    OcpIter left = ocp_iter(a);
    OcpIter right = ocp_iter(b);
    for (;;) {
        OcpIter here = left;
        if (!ocp_iter_member(&left, &key_a, &value_a) ||
            !ocp_iter_member(&right, &key_b, &value_b))
            return true;
        if (!ocp_text_equal(key_a, key_b))
            return compare_unordered(comparison, here, b);
        if (!compare(comparison, value_a, value_b))
            return false;
    }
}

static bool
equal(const OcpNode *a, const OcpNode *b, bool by_value)
{
    a = ocp_deref(a);
    b = ocp_deref(b);
    if (a == NULL || b == NULL)
        return a == b;
    if (a == b || !same_kind(a, b))
        return a == b;
    Comparison comparison = {NULL, by_value};
    if (ocp_is_leaf(a))
        return compare(&comparison, a, b);
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(Pair));
    comparison.todo = todo;
    bool same = compare(&comparison, a, b);
    while (same && todo->len > 0) {
        Pair pair = g_array_index(todo, Pair, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
        same = pair.a->kind == OCP_OBJECT
                   ? compare_members(&comparison, pair.a, pair.b)
                   : compare_elements(&comparison, pair.a, pair.b);
    }
    return same;
}

bool
ocp_equal(const OcpNode *a, const OcpNode *b)
{
    return equal(a, b, false);
}

bool
ocp_equal_value(const OcpNode *a, const OcpNode *b)
{
    return equal(a, b, true);
}

/* ---- hashes ---------------------------------------------------------------- */

/* A node to be hashed, and a number that stands for its place below the root. */
typedef struct {
    const OcpNode *node;
    guint64 place;
} Placed;

static guint64
mix(guint64 seed, guint64 number)
{
    guint64 hash = (seed ^ number) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
    hash *= G_GUINT64_CONSTANT(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

static guint64
number_hash(const OcpNode *number, bool by_value)
{
    if (!by_value)
        return ocp_text_hash(number);
    g_autoptr(GString) text = g_string_new(NULL);
    ocp_number_append_canonical(number, text);
    OcpNode canonical = {
        .kind = OCP_STRING, .size = (guint32)text->len, .as.text = text->str};
    return ocp_text_hash(&canonical);
}

static guint64
own_hash(const OcpNode *node, bool by_value)
{
    switch ((OcpKind)node->kind) {
    case OCP_NUMBER: return number_hash(node, by_value);
    case OCP_STRING: return ocp_text_hash(node);
    case OCP_ARRAY:
    case OCP_OBJECT: return node->size;
    case OCP_NULL:
    case OCP_FALSE:
    case OCP_TRUE:
    case OCP_LINK: break;
    }
    return 0;
}

static void
push_children(GArray *todo, const Placed *parent)
{
    guint64 index = 0;
    for (const OcpNode *at = ocp_first_child(parent->node); at != NULL; at = at->next) {
        guint64 step = index++;
        if (parent->node->kind == OCP_OBJECT) {
            step = ocp_text_hash(ocp_deref(at));
            at = at->next;
        }
        Placed child = {ocp_deref(at), mix(parent->place, step)};
        g_array_append_val(todo, child);
    }
}

/* The sum over all nodes of a hash of value and place: it does not depend on the order
 * in which the members of an object come. */
static guint
hash(const OcpNode *node, bool by_value)
{
    node = ocp_deref(node);
    if (node == NULL)
        return 0;
    if (ocp_is_leaf(node)) {
        guint64 alone = mix(1 + node->kind, own_hash(node, by_value));
        return (guint)(alone ^ alone >> 32);
    }
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(Placed));
    guint64 sum = 0;
    Placed at = {node, 1};
    for (;;) {
        sum += mix(at.place + at.node->kind, own_hash(at.node, by_value));
        if (ocp_is_container(at.node))
            push_children(todo, &at);
        if (todo->len == 0)
            break;
        at = g_array_index(todo, Placed, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
    }
    return (guint)(sum ^ sum >> 32);
}

guint
ocp_hash(const OcpNode *node)
{
    return hash(node, false);
}

guint
ocp_hash_value(const OcpNode *node)
{
    return hash(node, true);
}

/* ---- leaves ---------------------------------------------------------------- */

/* Counts the children that are leaves, leaves the others for later. */
static gsize
count_children(const OcpNode *container, GPtrArray *todo)
{
    gsize count = 0;
    for (const OcpNode *at = ocp_first_child(container); at != NULL; at = at->next) {
        if (container->kind == OCP_OBJECT)
            at = at->next;
        const OcpNode *child = ocp_deref(at);
        if (ocp_is_leaf(child))
            count++;
        else
            g_ptr_array_add(todo, (gpointer)child);
    }
    return count;
}

gsize
ocp_count_leaves(const OcpNode *node)
{
    node = ocp_deref(node);
    if (node == NULL)
        return 0;
    if (ocp_is_leaf(node))
        return 1;
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    gsize count = count_children(node, todo);
    while (todo->len > 0)
        count += count_children(g_ptr_array_steal_index(todo, todo->len - 1), todo);
    return count;
}
