/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/run.h"

#include <string.h>

#include "mapping/expr_ast.h"
#include "mapping/stand_in.h"

typedef enum { SLOT_UNSET, SLOT_LAZY, SLOT_BUSY, SLOT_DONE } SlotState;

/* The value of a name; a `let` is evaluated when it is first used, where it stands. */
typedef struct {
    SlotState state;
    const OcpNode *value;
    const OcpBinding *binding;
    const OcpNode *current;
    gsize position;
} Slot;

struct OcpRun {
    OcpRunInput input;
    OcpEval eval;
    OcpIds *ids;
    Slot *slots;
    guint slot_count;
    const OcpNode *bound;   /* the innermost bound element */
    GHashTable *origin;     /* made element -> element it came from */
    GHashTable *list_index; /* made element of a `let` list -> its index + 1 */
    GHashTable *made_ids;   /* source element -> GPtrArray of final ids */
    GHashTable *tainted;    /* ancestors of hidden nodes */
};

static const OcpNode *eval_name(OcpEval *eval, guint slot);
static bool eval_place(OcpEval *eval, const OcpNode *node, gsize *ret_index,
                       const OcpNode **ret_key);
static const OcpNode *eval_visible(OcpEval *eval, const OcpNode *node);
static const OcpNode *run_template(OcpRun *run, const OcpTemplate *template);

static void
free_nodes(gpointer nodes)
{
    g_ptr_array_unref(nodes);
}

static void
find_tainted(OcpRun *run)
{
    if (run->input.hidden == NULL)
        return;
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, run->input.hidden);
    while (g_hash_table_iter_next(&iter, &node, NULL))
        for (const OcpNode *at = node; at != NULL;
             at = ocp_places_parent(run->input.places, at))
            g_hash_table_add(run->tainted, (gpointer)at);
}

OcpRun *
ocp_run_new(const OcpRunInput *input, guint slots)
{
    OcpRun *run = g_new0(OcpRun, 1);
    run->input = *input;
    run->slots = g_new0(Slot, MAX(slots, 1));
    run->slot_count = slots;
    run->origin = g_hash_table_new(NULL, NULL);
    run->list_index = g_hash_table_new(NULL, NULL);
    run->made_ids = g_hash_table_new_full(NULL, NULL, NULL, free_nodes);
    run->tainted = g_hash_table_new(NULL, NULL);
    find_tainted(run);
    run->eval = (OcpEval){.root = input->root,
                          .current = input->root,
                          .input = input->input,
                          .name = eval_name,
                          .place = eval_place,
                          .made = input->made,
                          .trace = input->trace,
                          .model = input->model,
                          .foreign = input->foreign,
                          .hidden = input->hidden,
                          .visible = input->hidden != NULL ? eval_visible : NULL,
                          .data = run};
    return run;
}

void
ocp_run_free(OcpRun *run)
{
    if (run == NULL)
        return;
    ocp_eval_clear(&run->eval);
    g_hash_table_unref(run->origin);
    g_hash_table_unref(run->list_index);
    g_hash_table_unref(run->made_ids);
    g_hash_table_unref(run->tainted);
    g_free(run->slots);
    g_free(run);
}

/* ---- names -------------------------------------------------------------------- */

/* A `let` of many nodes becomes an array; made elements remember their place in it. */
static const OcpNode *
array_of_nodes(OcpRun *run, const GPtrArray *nodes)
{
    if (nodes->len == 0)
        return NULL;
    OcpBuilder build = ocp_build(run->input.made, ocp_make_array(run->input.made));
    for (guint i = 0; i < nodes->len; i++)
        ocp_build_element(&build, nodes->pdata[i]);
    return build.container;
}

static void
remember_places(OcpRun *run, const OcpNode *array)
{
    OcpIter iter = ocp_iter(array);
    gsize index = 0;
    for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL; index++)
        if ((element->flags & OCP_NODE_MADE) &&
            !g_hash_table_contains(run->list_index, element))
            g_hash_table_insert(run->list_index, (gpointer)element,
                                GSIZE_TO_POINTER(index + 1));
}

static const OcpNode *
evaluate_binding(OcpRun *run, const OcpBinding *binding)
{
    const OcpNode *value = NULL;
    if (binding->value != NULL) {
        value = run_template(run, binding->value);
    } else if (binding->type == OCP_CONDITION) {
        value = ocp_make_boolean(run->input.made,
                                 ocp_expr_truth(binding->expr, &run->eval));
    } else if (binding->type == OCP_MANY) {
        GPtrArray *nodes = ocp_scratch_take(&run->eval);
        ocp_expr_nodes(binding->expr, &run->eval, nodes);
        value = array_of_nodes(run, nodes);
        ocp_scratch_give(&run->eval, nodes);
    } else {
        value = ocp_expr_one(binding->expr, &run->eval);
    }
    if (ocp_is(value, OCP_ARRAY) && (value->flags & OCP_NODE_MADE))
        remember_places(run, value);
    return value;
}

static const OcpNode *
eval_name(OcpEval *eval, guint slot_number)
{
    OcpRun *run = eval->data;
    Slot *slot = &run->slots[slot_number];
    if (slot->state != SLOT_LAZY)
        return slot->state == SLOT_DONE ? slot->value : NULL;
    const OcpNode *current = run->eval.current;
    gsize position = run->eval.position;
    OcpIds *ids = run->ids;
    slot->state = SLOT_BUSY;
    run->eval.current = slot->current;
    run->eval.position = slot->position;
    run->ids = NULL; /* a `let` makes no model objects */
    slot->value = evaluate_binding(run, slot->binding);
    slot->state = SLOT_DONE;
    run->eval.current = current;
    run->eval.position = position;
    run->ids = ids;
    return slot->value;
}

static bool
eval_place(OcpEval *eval, const OcpNode *node, gsize *ret_index,
           const OcpNode **ret_key)
{
    OcpRun *run = eval->data;
    if (!(node->flags & OCP_NODE_MADE)) {
        if (ocp_places_parent(run->input.places, node) == NULL)
            return false;
        *ret_index = ocp_places_index(run->input.places, node);
        *ret_key = ocp_places_key(run->input.places, node);
        return true;
    }
    gpointer index = g_hash_table_lookup(run->list_index, node);
    if (index == NULL)
        return false;
    *ret_index = GPOINTER_TO_SIZE(index) - 1;
    *ret_key = NULL;
    return true;
}

static void
bind_lets(OcpRun *run, const GArray *lets)
{
    for (guint i = 0; lets != NULL && i < lets->len; i++) {
        const OcpBinding *binding = &g_array_index(lets, OcpBinding, i);
        Slot *slot = &run->slots[binding->slot];
        slot->state = SLOT_LAZY;
        slot->value = NULL;
        slot->binding = binding;
        slot->current = run->eval.current;
        slot->position = run->eval.position;
    }
}

/* ---- leaves ------------------------------------------------------------------- */

static bool
is_hidden(const OcpRun *run, const OcpNode *node)
{
    return run->input.hidden != NULL && g_hash_table_contains(run->input.hidden, node);
}

/* A copy of a source container without its hidden members. */
static const OcpNode *
without_hidden(OcpRun *run, const OcpNode *node)
{
    if (!ocp_is_container(node) || !g_hash_table_contains(run->tainted, node))
        return node;
    OcpNode *container = node->kind == OCP_ARRAY ? ocp_make_array(run->input.made)
                                                 : ocp_make_object(run->input.made);
    OcpBuilder build = ocp_build(run->input.made, container);
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
            if (!is_hidden(run, element))
                ocp_build_element(&build, without_hidden(run, element));
    } else {
        for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
            if (!is_hidden(run, value))
                ocp_build_member(&build, key, without_hidden(run, value));
    }
    ocp_object_seal(run->input.made, container);
    return container;
}

static const OcpNode *
eval_visible(OcpEval *eval, const OcpNode *node)
{
    return without_hidden(eval->data, node);
}

/* What an expression gave, as it may stand in the result: a null that a path found is
 * absent, and so is what the place does not admit. */
static const OcpNode *
admitted(OcpRun *run, const OcpTemplate *template, const OcpNode *node)
{
    if (node == NULL || (node->kind == OCP_NULL && !(node->flags & OCP_NODE_MADE)))
        return NULL;
    if (is_hidden(run, node))
        return NULL;
    node = without_hidden(run, node);
    if (template->shape != NULL && !ocp_shape_admits(template->shape, node))
        return NULL;
    return node;
}

static bool
append_value(GString *text, const OcpNode *value, OcpArena *arena)
{
    if (value == NULL || ocp_is_container(value) || value->kind == OCP_NULL)
        return false;
    gsize length;
    const char *piece = ocp_text(value, arena, &length);
    g_string_append_len(text, piece, (gssize)length);
    return true;
}

const OcpNode *
ocp_run_text(OcpRun *run, const GArray *parts)
{
    g_autoptr(GString) text = g_string_sized_new(64);
    GPtrArray *from = ocp_scratch_take(&run->eval);
    bool whole = true;
    for (guint i = 0; i < parts->len && whole; i++) {
        const OcpTextPart *part = &g_array_index(parts, OcpTextPart, i);
        if (part->expr == NULL) {
            g_string_append_len(text, part->literal, (gssize)part->length);
            continue;
        }
        const OcpNode *value = ocp_expr_one(part->expr, &run->eval);
        whole = value != NULL && !is_hidden(run, value) &&
                append_value(text, value, run->input.made->arena);
        g_ptr_array_add(from, (gpointer)value);
    }
    OcpNode *made =
        whole ? ocp_make_string(run->input.made, text->str, text->len) : NULL;
    for (guint i = 0; i < from->len; i++)
        ocp_trace_derive(run->input.trace, made, from->pdata[i]);
    ocp_scratch_give(&run->eval, from);
    return made;
}

/* A fresh link or made node that carries the rule, so that the result says who put it.
 */
static const OcpNode *
signed_by(OcpRun *run, const OcpTemplate *template, const OcpNode *node)
{
    if (node == NULL)
        return NULL;
    OcpNode *mine = (OcpNode *)node;
    if (!(node->flags & OCP_NODE_MADE) || (node->flags & OCP_NODE_PLACED)) {
        mine = ocp_make_null(run->input.made);
        mine->kind = OCP_LINK;
        mine->as.target = ocp_deref(node);
    }
    mine->rule = (guint16)MIN(template->rule, G_MAXUINT16);
    return mine;
}

/* ---- containers --------------------------------------------------------------- */

typedef void (*Emit)(OcpRun *run, const OcpTemplate *template, OcpBuilder *build,
                     gpointer data);

static void
loop_from(OcpRun *run, const OcpTemplate *template, guint depth, gsize *outputs,
          OcpBuilder *build, Emit emit, gpointer data)
{
    if (depth == template->loop->len) {
        guint32 before = build->container->size;
        run->eval.position = *outputs + 1;
        emit(run, template, build, data);
        if (build->container->size > before)
            (*outputs)++;
        return;
    }
    const OcpBinding *binding = &g_array_index(template->loop, OcpBinding, depth);
    const OcpNode *current = run->eval.current;
    const OcpNode *bound = run->bound;
    GPtrArray *nodes = ocp_scratch_take(&run->eval);
    ocp_expr_nodes(binding->expr, &run->eval, nodes);
    for (guint i = 0; i < nodes->len; i++) {
        run->eval.current = nodes->pdata[i];
        run->bound = nodes->pdata[i];
        if (binding->slot != G_MAXUINT) {
            Slot *slot = &run->slots[binding->slot];
            slot->state = SLOT_DONE;
            slot->value = nodes->pdata[i];
        }
        loop_from(run, template, depth + 1, outputs, build, emit, data);
    }
    ocp_scratch_give(&run->eval, nodes);
    run->eval.current = current;
    run->bound = bound;
}

/* Runs emit once for each element of the loop, or once if there is none. */
static void
each_turn(OcpRun *run, const OcpTemplate *template, OcpBuilder *build, Emit emit,
          gpointer data)
{
    if (template->loop == NULL) {
        emit(run, template, build, data);
        return;
    }
    gsize position = run->eval.position;
    gsize outputs = 0;
    loop_from(run, template, 0, &outputs, build, emit, data);
    run->eval.position = position;
}

static void
note_made_id(OcpRun *run, const char *id)
{
    const OcpNode *origin = ocp_run_origin(run, run->bound);
    if (origin == NULL)
        return;
    GPtrArray *ids = g_hash_table_lookup(run->made_ids, origin);
    if (ids == NULL) {
        ids = g_ptr_array_new();
        g_hash_table_insert(run->made_ids, (gpointer)origin, ids);
    }
    if (!g_ptr_array_find_with_equal_func(ids, id, g_str_equal, NULL))
        g_ptr_array_add(ids, (gpointer)id);
}

/* Marks what went into an object that is made already: it was read all the same. */
static void
absorb(OcpRun *run, const OcpNode *node)
{
    node = ocp_deref(node);
    if (!(node->flags & OCP_NODE_MADE) || ocp_is_leaf(node)) {
        ocp_trace_use(run->input.trace, node, OCP_MARK_VALUE);
        return;
    }
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
            absorb(run, element);
        return;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        absorb(run, value);
}

/* Gives the object its final id. False if it must not be made: it has no id, or the
 * same raw id was made before. */
static bool
settle_id(OcpRun *run, OcpNode *object)
{
    const OcpNode *value = ocp_member(object, "id");
    if (!ocp_is(value, OCP_STRING) || value->size == 0)
        return false;
    gsize length;
    const char *raw = ocp_text(value, run->input.made->arena, &length);
    gboolean is_new = FALSE;
    const char *final = ocp_ids_final(run->ids, raw, length, &is_new);
    const char *renamed = run->input.rename != NULL
                              ? g_hash_table_lookup(run->input.rename, final)
                              : NULL;
    final = renamed != NULL ? renamed : final;
    note_made_id(run, final);
    if (!is_new) {
        absorb(run, object);
        return false;
    }
    OcpNode *text = ocp_make_text(run->input.made, final);
    ocp_trace_derive(run->input.trace, text, value);
    for (OcpNode *at = object->as.first; at != NULL; at = at->next->next)
        if (ocp_text_is(ocp_deref(at), "id")) {
            text->next = at->next->next;
            text->rule = at->next->rule;
            text->flags |= OCP_NODE_PLACED;
            at->next = text;
            break;
        }
    return true;
}

/* Puts a stand-in where an object of the model lacks a text it cannot be without; false
 * if it lacks what nothing can stand in for. */
static bool
complete(OcpRun *run, const OcpTemplate *template, OcpBuilder *build)
{
    for (guint i = 0; template->needs != NULL && i < template->needs->len; i++) {
        const char *name = template->needs->pdata[i];
        if (ocp_member(build->container, name) != NULL)
            continue;
        OcpNode *text = ocp_make_text(run->input.made, "(not stated)");
        g_autoptr(OcpShape) place =
            ocp_shape_member(template->shape, name, strlen(name));
        if (!template->has_id || strcmp(name, "id") == 0 ||
            !ocp_shape_admits(place, text))
            return false;
        text->rule = (guint16)MIN(template->rule, G_MAXUINT16);
        ocp_build_named(build, name, text);
    }
    return true;
}

/* A member whose name is computed; names: those that a large object has already. */
typedef struct {
    const OcpTemplateMember *member;
    GHashTable *names; /* set of key nodes; or NULL */
} Computed;

static void emit_computed(OcpRun *run, const OcpTemplate *template, OcpBuilder *build,
                          gpointer data);

static void
run_computed(OcpRun *run, const OcpTemplateMember *member, OcpBuilder *build)
{
    Computed computed = {.member = member};
    each_turn(run, member->value, build, emit_computed, &computed);
    g_clear_pointer(&computed.names, g_hash_table_unref);
}

static const OcpNode *
object_body(OcpRun *run, const OcpTemplate *template)
{
    OcpBuilder build = ocp_build(run->input.made, ocp_make_object(run->input.made));
    for (guint i = 0; i < template->members->len; i++) {
        OcpTemplateMember *member =
            &g_array_index(template->members, OcpTemplateMember, i);
        if (member->computed != NULL) {
            run_computed(run, member, &build);
            continue;
        }
        const OcpNode *value = run_template(run, member->value);
        if (value != NULL)
            ocp_build_member(&build, member->name,
                             signed_by(run, member->value, value));
    }
    if (build.container->size == 0 && !template->required)
        return NULL;
    if (run->ids == NULL && g_hash_table_size(run->tainted) > 0)
        ocp_stand_in(run->input.made, template, &build);
    if (!complete(run, template, &build))
        return NULL;
    if (template->has_id && run->ids != NULL && !settle_id(run, build.container))
        return NULL;
    ocp_object_seal(run->input.made, build.container);
    return build.container;
}

/* One turn of an object or list entry: its names, its condition, its value. */
static const OcpNode *
turn(OcpRun *run, const OcpTemplate *template)
{
    bind_lets(run, template->lets);
    if (template->when != NULL && !ocp_expr_truth(template->when, &run->eval))
        return NULL;
    if (template->make != NULL)
        return run_template(run, template->make);
    return object_body(run, template);
}

static guint
hash_name(gconstpointer key)
{
    return ocp_text_hash(key);
}

static gboolean
equal_names(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

/* Whether the object in the making has a member of that name. */
static bool
has_name(Computed *computed, const OcpNode *object, const OcpNode *name)
{
    enum { FEW = 16 };
    if (object->size <= FEW)
        return ocp_member_like(object, name) != NULL;
    if (computed->names == NULL) {
        computed->names = g_hash_table_new(hash_name, equal_names);
        OcpIter iter = ocp_iter(object);
        for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
            g_hash_table_add(computed->names, (gpointer)key);
    }
    return g_hash_table_contains(computed->names, name);
}

static void
emit_computed(OcpRun *run, const OcpTemplate *template, OcpBuilder *build,
              gpointer data)
{
    Computed *computed = data;
    bind_lets(run, template->lets);
    const OcpNode *name = ocp_run_text(run, computed->member->computed);
    const OcpNode *value = name != NULL ? turn(run, template) : NULL;
    if (value == NULL || has_name(computed, build->container, name))
        return;
    ocp_build_member(build, name, signed_by(run, template, value));
    if (computed->names != NULL)
        g_hash_table_add(computed->names, (gpointer)name);
}

static void
emit_element(OcpRun *run, const OcpTemplate *template, OcpBuilder *build, gpointer data)
{
    (void)data;
    const OcpNode *element = turn(run, template);
    if (element == NULL)
        return;
    const OcpNode *made = ocp_deref(element);
    if ((made->flags & OCP_NODE_MADE) && run->bound != NULL && made != run->bound)
        g_hash_table_insert(run->origin, (gpointer)made, (gpointer)run->bound);
    ocp_build_element(build, signed_by(run, template, element));
}

static const OcpNode *
run_list(OcpRun *run, const OcpTemplate *template)
{
    OcpBuilder build = ocp_build(run->input.made, ocp_make_array(run->input.made));
    for (guint i = 0; i < template->entries->len; i++) {
        const OcpTemplate *entry = template->entries->pdata[i];
        if (entry->kind == OCP_TEMPLATE_OBJECT) {
            each_turn(run, entry, &build, emit_element, NULL);
            continue;
        }
        const OcpNode *element = run_template(run, entry);
        if (element != NULL)
            ocp_build_element(&build, signed_by(run, entry, element));
    }
    if (build.container->size == 0 && !template->required)
        return NULL;
    return build.container;
}

static const OcpNode *
run_template(OcpRun *run, const OcpTemplate *template)
{
    switch (template->kind) {
    case OCP_TEMPLATE_CONSTANT: return template->node;
    case OCP_TEMPLATE_EXPR:
        return admitted(run, template, ocp_expr_one(template->expr, &run->eval));
    case OCP_TEMPLATE_TEXT:
        return admitted(run, template, ocp_run_text(run, template->parts));
    case OCP_TEMPLATE_OBJECT: return turn(run, template);
    case OCP_TEMPLATE_LIST: return run_list(run, template);
    default: return NULL;
    }
}

const OcpNode *
ocp_run_template(OcpRun *run, const OcpTemplate *template, OcpIds *ids)
{
    run->ids = ids;
    const OcpNode *result = run_template(run, template);
    run->ids = NULL;
    return result;
}

void
ocp_run_rest(OcpRun *run)
{
    ocp_eval_clear(&run->eval);
    g_hash_table_remove_all(run->list_index);
}

/* ---- origins ------------------------------------------------------------------ */

const OcpNode *
ocp_run_origin(const OcpRun *run, const OcpNode *element)
{
    guint steps = 0;
    while (element != NULL && (element->flags & OCP_NODE_MADE) && steps++ < 64)
        element = g_hash_table_lookup(run->origin, element);
    return element;
}

const GPtrArray *
ocp_run_made_ids(const OcpRun *run, const OcpNode *source_element)
{
    return g_hash_table_lookup(run->made_ids, source_element);
}

bool
ocp_run_made(const OcpRun *run, const OcpNode *source_element, const char *id)
{
    const GPtrArray *ids = ocp_run_made_ids(run, source_element);
    return ids != NULL &&
           g_ptr_array_find_with_equal_func((GPtrArray *)ids, id, g_str_equal, NULL);
}
