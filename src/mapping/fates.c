/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/fates.h"

#include <string.h>

#include "mapping/copies.h"
#include "model/model.h"
#include "value/equal.h"

/* One step down a tree: to a member by its key, or to an element (key NULL). */
typedef struct {
    const OcpNode *key;
    gsize index;
} Step;

typedef struct {
    const OcpFatesInput *input;
    OcpAccount *account;
    GHashTable *shown;  /* source node -> GPtrArray of places (char *) */
    GHashTable *rules;  /* source node -> rule */
    GArray *path;       /* Step: to the node at hand, of the result or the source */
    GString *pointer;   /* its pointer, made where somebody wants it */
    GHashTable *names;  /* key node -> its text */
    const char *object; /* id of the nearest model object */
    OcpChange *change;  /* being collected */
    bool unshown;       /* nobody will ask where a source node shows */
    guint8 *told;       /* brief: by rule, whether its reason was noted */
} Fates;

static void
free_places(gpointer places)
{
    g_ptr_array_unref(places);
}

/* ---- where we are ---------------------------------------------------------------- */

static void
step_down(Fates *fates, const OcpNode *key, gsize index)
{
    Step step = {key, index};
    g_array_append_val(fates->path, step);
}

static void
step_up(Fates *fates)
{
    g_array_set_size(fates->path, fates->path->len - 1);
}

static const Step *
step_at(const Fates *fates, guint depth)
{
    return &g_array_index(fates->path, Step, depth);
}

/* The pointer from the node at that depth to the one at hand; stays until the next
 * call. */
static const char *
pointer_from(Fates *fates, guint depth)
{
    g_string_truncate(fates->pointer, 0);
    for (guint i = depth; i < fates->path->len; i++) {
        const Step *step = step_at(fates, i);
        if (step->key != NULL)
            ocp_pointer_push_key(fates->pointer, step->key);
        else
            ocp_pointer_push_index(fates->pointer, step->index);
    }
    return fates->pointer->str;
}

static const char *
pointer_of(Fates *fates)
{
    return pointer_from(fates, 0);
}

/* ---- the result: where each source node shows ------------------------------------ */

static void
show(Fates *fates, const OcpNode *source, guint rule)
{
    if (fates->unshown)
        return;
    GPtrArray *places = g_hash_table_lookup(fates->shown, source);
    if (places == NULL) {
        places = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(fates->shown, (gpointer)source, places);
        g_hash_table_insert(fates->rules, (gpointer)source, GUINT_TO_POINTER(rule));
    }
    g_ptr_array_add(places, g_strdup(pointer_of(fates)));
}

static void
show_origin(const OcpNode *origin, gpointer data)
{
    Fates *fates = data;
    show(fates, origin, fates->change->rule);
    g_ptr_array_add(fates->change->from, (gpointer)origin);
}

static const char *
name_of(Fates *fates, const OcpNode *key)
{
    char *name = g_hash_table_lookup(fates->names, key);
    if (name == NULL) {
        name = ocp_text_dup(key);
        g_hash_table_insert(fates->names, (gpointer)key, name);
    }
    return name;
}

enum { DEEPEST = 8 }; /* objects with an id and references stand less deep in a model */

/* The path as member names and "*". Returns how many, or 0 if it leads too deep. */
static gsize
path_names(Fates *fates, const char **names)
{
    guint depth = fates->path->len;
    if (!fates->input->to_model || depth > DEEPEST)
        return 0;
    for (guint i = 0; i < depth; i++) {
        const OcpNode *key = step_at(fates, i)->key;
        names[i] = key != NULL ? name_of(fates, key) : "*";
    }
    return depth;
}

/* Ids and references are the model's own wiring, not content. */
static bool
is_wiring(Fates *fates)
{
    const char *names[DEEPEST];
    gsize depth = path_names(fates, names);
    if (depth == 0)
        return false;
    gsize last = depth - 1;
    if (strcmp(names[last], "*") == 0 && last > 0)
        last--;
    return ocp_model_is_reference(names, last, names[last]) ||
           (strcmp(names[last], "id") == 0 && ocp_model_has_id(names, last));
}

static bool
is_model_object(Fates *fates, const OcpNode *node)
{
    const char *names[DEEPEST];
    if (node->kind != OCP_OBJECT || fates->path->len == 0 ||
        step_at(fates, fates->path->len - 1)->key != NULL) /* they all stand in lists */
        return false;
    gsize depth = path_names(fates, names);
    return depth > 0 && ocp_model_has_id(names, depth);
}

static void
result_leaf(Fates *fates, const OcpNode *node, guint rule)
{
    if (ocp_trace_knows(fates->input->trace, node)) {
        show(fates, node, rule);
        ocp_trace_use((OcpTrace *)fates->input->trace, node, OCP_MARK_VALUE);
        return;
    }
    if (!ocp_trace_has_origin(fates->input->trace, node)) {
        const OcpRule *made_by = fates->input->mapping->rules->pdata[rule];
        if (fates->input->brief && (made_by->why == NULL || fates->told[rule] != 0))
            return;
        fates->told[rule] = 1;
        OcpMadeLeaf *leaf =
            ocp_account_made(fates->account, pointer_of(fates), made_by->label);
        leaf->why = g_strdup(made_by->why);
        return;
    }
    OcpChange *change = g_new0(OcpChange, 1);
    change->rule = rule;
    change->place = g_strdup(pointer_of(fates));
    change->object = g_strdup(fates->object);
    change->from = g_ptr_array_new();
    fates->change = change;
    ocp_trace_each_origin(fates->input->trace, node, show_origin, fates);
    ocp_trace_use((OcpTrace *)fates->input->trace, node, OCP_MARK_VALUE);
    change->wiring = is_wiring(fates);
    g_ptr_array_add(fates->account->changes, change);
}

static void result_node(Fates *fates, const OcpNode *child, guint rule);

static void
result_children(Fates *fates, const OcpNode *node, guint rule)
{
    gsize index = 0;
    bool object = node->kind == OCP_OBJECT;
    for (const OcpNode *at = ocp_first_child(node); at != NULL;
         at = at->next, index++) {
        const OcpNode *key = object ? ocp_deref(at) : NULL;
        if (object)
            at = at->next;
        step_down(fates, key, index);
        result_node(fates, at, rule);
        step_up(fates);
    }
}

static void
result_node(Fates *fates, const OcpNode *child, guint rule)
{
    const OcpNode *node = ocp_deref(child);
    rule = child->rule != 0 ? child->rule : rule;
    if (ocp_is_leaf(node)) {
        result_leaf(fates, node, rule);
        return;
    }
    const char *outer = fates->object;
    g_autofree char *id = NULL;
    if (is_model_object(fates, node) && ocp_is(ocp_member(node, "id"), OCP_STRING)) {
        id = ocp_text_dup(ocp_member(node, "id"));
        fates->object = id;
    }
    result_children(fates, node, rule);
    fates->object = outer;
}

/* ---- the source: what became of each leaf ---------------------------------------- */

/* What holds for a whole subtree, handed down. */
typedef struct {
    const char *reason;      /* omitted */
    const char *carry;       /* pointer of the carried subtree in the result */
    guint carry_from;        /* depth of that subtree's root in the source */
    const OcpNode *original; /* what this node repeats: it comes back as that does */
    const OcpNode *shown;    /* nearest node that shows */
    bool mapped;
    guint marks; /* VALUE and MADE of the ancestors */
} State;

static void
set_places(Fates *fates, OcpLeaf *leaf, const OcpNode *shown)
{
    const GPtrArray *places =
        shown != NULL ? g_hash_table_lookup(fates->shown, shown) : NULL;
    if (places == NULL)
        return;
    leaf->place = g_strdup(places->pdata[0]);
    guint rule = GPOINTER_TO_UINT(g_hash_table_lookup(fates->rules, shown));
    const OcpRule *by = fates->input->mapping->rules->pdata[rule];
    leaf->rule = g_strdup(by->label);
    for (guint i = 1; i < places->len; i++) {
        if (leaf->places == NULL)
            leaf->places = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(leaf->places, g_strdup(places->pdata[i]));
    }
}

static void
source_leaf(Fates *fates, const OcpNode *node, const State *state)
{
    const OcpFatesInput *input = fates->input;
    guint marks = ocp_trace_own_marks(input->trace, node) | state->marks;
    bool shows = (marks & (1u << OCP_MARK_VALUE | 1u << OCP_MARK_MADE)) != 0;
    OcpFate fate = OCP_FATE_MAPPED;
    const char *reason = NULL;
    if (state->mapped) {
        fate = OCP_FATE_MAPPED;
    } else if (state->reason != NULL) {
        fate = OCP_FATE_OMITTED;
        reason = state->reason;
    } else if (state->carry != NULL) {
        fate = shows ? OCP_FATE_KEPT : OCP_FATE_CARRIED;
        if (input->refused != NULL) {
            fate = OCP_FATE_OMITTED;
            reason = input->refused;
        }
    }
    if (input->brief && fate != OCP_FATE_OMITTED) {
        fates->account->counts[fate]++;
        return;
    }
    OcpLeaf *leaf = ocp_account_leaf(fates->account, pointer_of(fates), fate);
    leaf->reason = reason;
    bool sensitive =
        g_strcmp0(reason, "sensitive") == 0; /* the default counts as asked */
    leaf->asked = sensitive || (reason == input->refused && input->refused_asked);
    leaf->steers = (marks & 1u << OCP_MARK_STEER) != 0;
    set_places(fates, leaf, state->shown);
    if (state->carry != NULL && (fate == OCP_FATE_KEPT || fate == OCP_FATE_CARRIED))
        leaf->carry =
            g_strconcat(state->carry, pointer_from(fates, state->carry_from), NULL);
}

/* The carry of a leaf of a copy: where that of its original is. NULL if the result
 * alone gives the original back. Free it. */
static char *
carry_of_original(const Fates *fates, const OcpNode *original)
{
    const OcpTrace *trace = fates->input->trace;
    for (const OcpNode *at = original; at != NULL; at = ocp_trace_parent(trace, at)) {
        const char *carry = g_hash_table_lookup(fates->input->carried, at);
        if (carry == NULL)
            continue;
        g_autoptr(GString) whole = g_string_new(NULL);
        g_autoptr(GString) above = g_string_new(NULL);
        ocp_trace_pointer(trace, original, whole);
        ocp_trace_pointer(trace, at, above);
        return g_strconcat(carry, whole->str + above->len, NULL);
    }
    return NULL;
}

static const OcpNode *
original_of(const Fates *fates, const OcpNode *node)
{
    GHashTable *copies = fates->input->copies;
    const OcpCopy *copy = copies != NULL ? g_hash_table_lookup(copies, node) : NULL;
    return copy != NULL ? copy->original : NULL;
}

static void
source_node(Fates *fates, const OcpNode *node, State state)
{
    const OcpFatesInput *input = fates->input;
    const char *reason = g_hash_table_lookup(input->omitted, node);
    const char *carry = g_hash_table_lookup(input->carried, node);
    if (reason != NULL)
        state.reason = reason;
    if (original_of(fates, node) != NULL)
        state.original = original_of(fates, node);
    g_autofree char *own = NULL;
    if (state.original != NULL && ocp_is_leaf(node) && carry == NULL) {
        own = carry_of_original(fates, state.original);
        carry = own;
    }
    if (carry != NULL) {
        state.carry = carry;
        state.carry_from = fates->path->len;
    }
    if (input->mapped != NULL && g_hash_table_contains(input->mapped, node))
        state.mapped = true;
    if (g_hash_table_contains(fates->shown, node))
        state.shown = node;
    if (ocp_is_leaf(node)) {
        source_leaf(fates, node, &state);
        return;
    }
    state.marks |= ocp_trace_own_marks(input->trace, node) &
                   (1u << OCP_MARK_VALUE | 1u << OCP_MARK_MADE);
    gsize index = 0;
    OcpIter iter = ocp_iter(node);
    const OcpNode *original = state.original;
    OcpIter others = ocp_iter(ocp_is(original, OCP_ARRAY) ? original : NULL);
    if (node->kind == OCP_ARRAY) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;) {
            state.original = ocp_iter_element(&others);
            step_down(fates, NULL, index++);
            source_node(fates, element, state);
            step_up(fates);
        }
        return;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        state.original = ocp_member_like(original, key);
        step_down(fates, key, index++);
        source_node(fates, value, state);
        step_up(fates);
    }
}

/* Nodes become pointers: a change names where it came from. */
static void
name_changes(Fates *fates)
{
    for (guint i = 0; i < fates->account->changes->len; i++) {
        OcpChange *change = fates->account->changes->pdata[i];
        GPtrArray *from = g_ptr_array_new_with_free_func(g_free);
        for (guint n = 0; n < change->from->len; n++) {
            GString *pointer = g_string_new(NULL);
            ocp_trace_pointer(fates->input->trace, change->from->pdata[n], pointer);
            g_ptr_array_add(from, g_string_free(pointer, FALSE));
        }
        g_ptr_array_unref(change->from);
        change->from = from;
    }
}

OcpAccount *
ocp_fates_account(const OcpFatesInput *input)
{
    Fates fates = {.input = input,
                   .account = ocp_account_new(),
                   .shown = g_hash_table_new_full(NULL, NULL, NULL, free_places),
                   .rules = g_hash_table_new(NULL, NULL),
                   .pointer = g_string_new(NULL),
                   .path = g_array_new(FALSE, FALSE, sizeof(Step)),
                   .names = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                   .unshown = input->brief && input->refused == NULL &&
                              g_hash_table_size(input->omitted) == 0};
    g_autofree guint8 *told = g_new0(guint8, input->mapping->rules->len);
    fates.told = told;
    result_node(&fates, input->result, 0);
    State state = {0};
    source_node(&fates, input->source, state);
    name_changes(&fates);
    fates.account->leaves = ocp_count_leaves(input->source);
    g_hash_table_unref(fates.shown);
    g_hash_table_unref(fates.rules);
    g_hash_table_unref(fates.names);
    g_string_free(fates.pointer, TRUE);
    g_array_unref(fates.path);
    return fates.account;
}
