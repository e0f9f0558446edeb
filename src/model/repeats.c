/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planned call that repeats one whose outcome is unknown (W20): the same tool, and
 * arguments that include every recorded one with an equal value.
 *
 * Subsets cannot be hashed, so every uncertain call is filed under one of its
 * arguments, the one that is rarest among uncertain calls; a planned call looks under
 * each of its own. Calls with no arguments are filed under the tool alone.
 */
#include "model/check.h"
#include "value/equal.h"

/* What is asked for and filed: a tool, and one argument of it or none. */
typedef struct {
    const OcpNode *tool;
    const OcpNode *key;   /* or NULL */
    const OcpNode *value; /* or NULL */
    guint hash;
} Slot;

typedef struct Recorded Recorded;

struct Recorded {
    const OcpNode *operation;
    const OcpNode *arguments; /* an object, or NULL */
    Recorded *next;           /* filed under the same slot */
};

typedef struct {
    OcpRuleCheck *check;
    GHashTable *counts; /* Slot → how many uncertain calls have it */
    GHashTable *filed;  /* Slot → Recorded */
} Repeats;

static guint
hash_slot(gconstpointer pointer)
{
    return ((const Slot *)pointer)->hash;
}

static gboolean
equal_slots(gconstpointer pa, gconstpointer pb)
{
    const Slot *a = pa;
    const Slot *b = pb;
    if (a->hash != b->hash || (a->key == NULL) != (b->key == NULL) ||
        !ocp_text_equal(a->tool, b->tool))
        return FALSE;
    return a->key == NULL ||
           (ocp_text_equal(a->key, b->key) && ocp_equal_value(a->value, b->value));
}

static Slot
slot_of(const OcpNode *tool, const OcpNode *key, const OcpNode *value)
{
    Slot slot = {tool, key, value, ocp_text_hash(tool)};
    if (key != NULL)
        slot.hash = slot.hash * 31 + (ocp_text_hash(key) ^ ocp_hash_value(value) * 17);
    return slot;
}

static const OcpNode *
arguments_of(const OcpNode *call)
{
    const OcpNode *arguments = ocp_member(call, "arguments");
    return ocp_is(arguments, OCP_OBJECT) && arguments->size > 0 ? arguments : NULL;
}

/* True if a second run of an uncertain operation could do harm. */
static bool
must_not_repeat(const OcpNode *operation)
{
    const OcpNode *effect = ocp_member(operation, "effect");
    return ocp_member_is(operation, "status", "uncertain") &&
           !ocp_text_is(effect, "none") && !ocp_text_is(effect, "idempotent");
}

static Slot *
keep_slot(Repeats *self, Slot slot)
{
    Slot *kept = ocp_arena_new_of(self->check->arena, Slot);
    *kept = slot;
    return kept;
}

static void
count_arguments(const OcpNode *operation, G_GNUC_UNUSED GString *pointer, gpointer data)
{
    Repeats *self = data;
    const OcpNode *call = ocp_member(operation, "call");
    const OcpNode *tool = ocp_member(call, "tool");
    const OcpNode *arguments = arguments_of(call);
    if (!must_not_repeat(operation) || !ocp_is(tool, OCP_STRING) || arguments == NULL)
        return;
    OcpIter iter = ocp_iter(arguments);
    const OcpNode *key;
    const OcpNode *value;
    while (ocp_iter_member(&iter, &key, &value)) {
        Slot *slot = keep_slot(self, slot_of(tool, key, value));
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(self->counts, slot));
        g_hash_table_insert(self->counts, slot, GUINT_TO_POINTER(count + 1));
    }
}

static Slot
rarest_slot(const Repeats *self, const OcpNode *tool, const OcpNode *arguments)
{
    Slot rarest = slot_of(tool, NULL, NULL);
    if (arguments == NULL)
        return rarest;
    guint least = G_MAXUINT;
    OcpIter iter = ocp_iter(arguments);
    const OcpNode *key;
    const OcpNode *value;
    while (ocp_iter_member(&iter, &key, &value)) {
        Slot slot = slot_of(tool, key, value);
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(self->counts, &slot));
        if (count < least) {
            least = count;
            rarest = slot;
        }
    }
    return rarest;
}

static bool
includes(const OcpNode *arguments, const OcpNode *recorded)
{
    if (recorded == NULL)
        return true;
    if (arguments == NULL || arguments->size < recorded->size)
        return false;
    OcpIter iter = ocp_iter(recorded);
    const OcpNode *key;
    const OcpNode *value;
    while (ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *mine = ocp_member_like(arguments, key);
        if (mine == NULL || !ocp_equal_value(mine, value))
            return false;
    }
    return true;
}

static const Recorded *
find_repeated(const Repeats *self, Slot slot, const OcpNode *arguments)
{
    const Recorded *recorded = g_hash_table_lookup(self->filed, &slot);
    for (; recorded != NULL; recorded = recorded->next)
        if (includes(arguments, recorded->arguments))
            return recorded;
    return NULL;
}

static void
file_operation(const OcpNode *operation, G_GNUC_UNUSED GString *pointer, gpointer data)
{
    Repeats *self = data;
    const OcpNode *call = ocp_member(operation, "call");
    const OcpNode *tool = ocp_member(call, "tool");
    if (!must_not_repeat(operation) || !ocp_is(tool, OCP_STRING))
        return;
    const OcpNode *arguments = arguments_of(call);
    Slot slot = rarest_slot(self, tool, arguments);
    if (find_repeated(self, slot, arguments) != NULL)
        return; /* whoever repeats this one repeats that one */
    Recorded *recorded = ocp_arena_new_of(self->check->arena, Recorded);
    *recorded =
        (Recorded){operation, arguments, g_hash_table_lookup(self->filed, &slot)};
    g_hash_table_insert(self->filed, keep_slot(self, slot), recorded);
}

static void
check_planned(const OcpNode *operation, GString *pointer, gpointer data)
{
    const Repeats *self = data;
    const OcpNode *call = ocp_member(operation, "call");
    const OcpNode *tool = ocp_member(call, "tool");
    if (!ocp_member_is(operation, "status", "planned") || !ocp_is(tool, OCP_STRING))
        return;
    const OcpNode *arguments = arguments_of(call);
    const Recorded *found = find_repeated(self, slot_of(tool, NULL, NULL), arguments);
    OcpIter iter = {arguments != NULL ? ocp_first_child(arguments) : NULL};
    const OcpNode *key;
    const OcpNode *value;
    while (found == NULL && ocp_iter_member(&iter, &key, &value))
        found = find_repeated(self, slot_of(tool, key, value), arguments);
    if (found == NULL)
        return;
    const OcpNode *id = ocp_member(found->operation, "id");
    g_autofree char *quoted = id != NULL ? ocp_rule_quote(id) : g_strdup("another");
    g_autofree char *at = ocp_rule_below(pointer, "call");
    ocp_rule_detail(ocp_rule_fault(self->check, "OC-W20", call, at,
                                   "this planned call repeats the operation %s, whose "
                                   "outcome is unknown",
                                   quoted),
                    "a call that no uncertain operation stands for", NULL,
                    "find out what became of that one first");
}

void
ocp_rule_repeats(OcpRuleCheck *check)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(hash_slot, equal_slots);
    g_autoptr(GHashTable) filed = g_hash_table_new(hash_slot, equal_slots);
    Repeats self = {check, counts, filed};
    ocp_model_walk(check->root, "operations/*", count_arguments, &self);
    ocp_model_walk(check->root, "operations/*", file_operation, &self);
    if (g_hash_table_size(filed) > 0)
        ocp_model_walk(check->root, "operations/*", check_planned, &self);
}
