/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a document that was written does not say of its model: the stash, or, where the
 * dialect has no place for one, the list of what is omitted.
 */
#include <string.h>

#include "mapping/copies.h"
#include "mapping/pairs.h"
#include "mapping/reread.h"
#include "mapping/returned.h"
#include "mapping/stash.h"
#include "mapping/write_private.h"
#include "model/model.h"
#include "model/walk.h"
#include "text/canonical.h"

/* ---- what the document does not say ---------------------------------------------- */

static OcpCore *
read_back(OcpWriting *writing, GHashTable *rename)
{
    g_autoptr(OcpShape) shape = ocp_shape_root(writing->request->model_schema);
    OcpCoreInput input = {.mapping = writing->request->mapping,
                          .source = writing->document,
                          .places = writing->places,
                          .hidden = writing->hidden->unseen,
                          .rename = rename,
                          .model_shape = shape};
    return ocp_core_read(&input);
}

static void note_parts(const OcpNode *node, const char *pointer, gpointer data);

static const char *
model_key(const OcpNode *element, gpointer data)
{
    OcpWriting *writing = data;
    return ocp_stash_key(element, writing->core->made);
}

static const char *
model_made(const OcpNode *element, guint n, gpointer data)
{
    OcpWriting *writing = data;
    return ocp_stash_made(element, n, writing->core->made);
}

static bool
model_skips(const OcpNode *node, gpointer data)
{
    OcpWriting *writing = data;
    return g_hash_table_contains(writing->sensitive, node);
}

static const OcpNode *
model_instead(const OcpNode *node, gpointer data)
{
    OcpWriting *writing = data;
    (void)node;
    return writing->omitted;
}

/* The list without what the engine made; NULL if nothing is left. */
static const OcpNode *
without_unedited(OcpWriting *writing, const OcpNode *list)
{
    OcpBuilder build = ocp_build(writing->made, ocp_make_array(writing->made));
    OcpIter iter = ocp_iter(list);
    for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
        if (!g_hash_table_contains(writing->unedited, element))
            ocp_build_element(&build, element);
    if (build.container->size == list->size)
        return list;
    return build.container->size > 0 ? build.container : NULL;
}

/* The model as far as reading the document again must give it: without the carry, and
 * without what the engine will make again. */
static const OcpNode *
model_to_keep(OcpWriting *writing)
{
    const OcpNode *root = writing->request->model->root;
    OcpBuilder build = ocp_build(writing->made, ocp_make_object(writing->made));
    OcpIter iter = ocp_iter(root);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        const OcpNode *kept = value;
        if (g_hash_table_contains(writing->unedited, value)) {
            kept = NULL;
        } else if (ocp_text_is(key, "resources") && ocp_is(value, OCP_ARRAY) &&
                   value->size > 0) {
            kept = without_unedited(writing, value);
        } else if (ocp_text_is(key, "extensions") &&
                   writing->carry.state == OCP_CARRY_USABLE) {
            const char *const path[] = {writing->request->mapping->key};
            kept = ocp_without_member(writing->made, value, path, 1);
            kept = kept->size > 0 ? kept : NULL;
        }
        if (kept != NULL)
            ocp_build_member(&build, key, kept);
    }
    return build.container;
}

static void
note_carried(const OcpNode *node, const char *pointer, gpointer data)
{
    OcpWriting *writing = data;
    if (node->flags &
        OCP_NODE_MADE) { /* by model_to_keep(): its parts are the model's */
        note_parts(node, pointer, data);
        return;
    }
    GString *place = g_string_new(NULL);
    const GPtrArray *path = writing->request->mapping->open_path;
    for (guint i = 0; path != NULL && i < path->len; i++)
        ocp_pointer_push(place, path->pdata[i], strlen(path->pdata[i]));
    g_string_append(place, "/sites");
    g_string_append(place, pointer);
    g_hash_table_insert(writing->carried, (gpointer)node, g_string_free(place, FALSE));
}

/* Ids that only the stash's map from made ids gives back, and references to them. */
typedef struct {
    OcpWriting *writing;
    GHashTable *made; /* id of the model -> made id */
} Renamed;

static void
note_renamed(const Renamed *renamed, const OcpNode *text)
{
    g_autofree char *id = ocp_is(text, OCP_STRING) ? ocp_text_dup(text) : NULL;
    const char *made = id != NULL ? g_hash_table_lookup(renamed->made, id) : NULL;
    if (made == NULL || g_hash_table_contains(renamed->writing->carried, text))
        return;
    GString *place = g_string_new(NULL);
    const GPtrArray *path = renamed->writing->request->mapping->open_path;
    for (guint i = 0; path != NULL && i < path->len; i++)
        ocp_pointer_push(place, path->pdata[i], strlen(path->pdata[i]));
    g_string_append(place, "/ids");
    ocp_pointer_push(place, made, strlen(made));
    g_hash_table_insert(renamed->writing->carried, (gpointer)text,
                        g_string_free(place, FALSE));
}

static void
note_renamed_id(const OcpNode *object, GString *pointer, gpointer data)
{
    (void)pointer;
    note_renamed(data, ocp_member(object, "id"));
}

static void
note_renamed_reference(const OcpNode *reference, guint kinds, const char *rule,
                       const char *pointer, gpointer data)
{
    (void)kinds;
    (void)rule;
    (void)pointer;
    note_renamed(data, reference);
}

static void
note_all_renamed(OcpWriting *writing)
{
    g_autoptr(GHashTable) made = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTableIter iter;
    gpointer from, to;
    g_hash_table_iter_init(&iter, writing->rename);
    while (g_hash_table_iter_next(&iter, &from, &to))
        g_hash_table_insert(made, to, from);
    Renamed renamed = {writing, made};
    const OcpNode *root = writing->request->model->root;
    ocp_model_each_object(root, note_renamed_id, &renamed);
    ocp_model_each_reference(root, note_renamed_reference, &renamed);
}

static void
note_parts(const OcpNode *node, const char *pointer, gpointer data)
{
    g_autoptr(GString) below = g_string_new(pointer);
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *value;
    if (node->kind == OCP_ARRAY) {
        for (gsize i = 0; (value = ocp_iter_element(&iter)) != NULL; i++) {
            ocp_pointer_push_index(below, i);
            note_carried(value, below->str, data);
            g_string_truncate(below, strlen(pointer));
        }
        return;
    }
    while (ocp_iter_member(&iter, &key, &value)) {
        ocp_pointer_push_key(below, key);
        note_carried(value, below->str, data);
        g_string_truncate(below, strlen(pointer));
    }
}

/* The key of each element of the document, by walking it beside the tree it was written
 * from: elements of the draft know the model object they came from. */
static const char *
element_key(const OcpNode *tree_element, gpointer data)
{
    OcpWriting *writing = data;
    const OcpNode *draft_element =
        g_hash_table_lookup(writing->came_from, tree_element);
    return ocp_draft_key(draft_element != NULL ? draft_element : tree_element,
                         writing->draft);
}

/* An object read back goes by the id of the model's that it is. */
static const char *
model_key_back(const OcpNode *element, gpointer data)
{
    OcpWriting *writing = data;
    const char *id = ocp_stash_key(element, writing->core->made);
    const char *name = id != NULL ? g_hash_table_lookup(writing->rename, id) : NULL;
    return name != NULL ? name : id;
}

/* Nothing is kept beside the document: not the ids either, so they are compared as
 * reading makes them. */
static void
find_lost(OcpWriting *writing)
{
    OcpCore *core = writing->core;
    OcpPatchKeys keys = {.key = model_key_back, .made = model_made, .data = writing};
    const OcpNode *back =
        ocp_engine_head(core->made, core->root, NULL, core->created_at);
    writing->carried = ocp_returned_lost(writing->request->model->root, back, &keys);
}

bool
ocp_writing_make_sites(OcpWriting *writing)
{
    if (!ocp_recopy(writing->tree, writing->report, &writing->document))
        return false;
    writing->places = ocp_places_new(writing->document);
    writing->hidden =
        ocp_hidden_new(writing->request->mapping, writing->document->root);
    g_autoptr(OcpCore) first = read_back(writing, NULL);
    OcpPairsInput pairs = {.tree = writing->tree,
                           .document = writing->document->root,
                           .made = first->run,
                           .made_root = first->root,
                           .model = writing->draft->model,
                           .key = element_key,
                           .data = writing};
    writing->rename = ocp_pairs_rename(&pairs);
    if (writing->request->carry_none) {
        writing->core = g_steal_pointer(&first);
        find_lost(writing);
        return true;
    }
    writing->core = g_hash_table_size(writing->rename) > 0
                        ? read_back(writing, writing->rename)
                        : g_steal_pointer(&first);
    OcpDocument *made = writing->core->made;
    const OcpNode *time = ocp_member(writing->request->model->root, "created_at");
    bool own_time = time != NULL && g_hash_table_contains(writing->unedited, time);
    const OcpNode *base = ocp_engine_head(made, writing->core->root, NULL,
                                          own_time ? NULL : writing->core->created_at);
    writing->carried = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    OcpPatchKeys keys = {.key = model_key,
                         .made = model_made,
                         .skip = model_skips,
                         .instead = model_instead,
                         .data = writing};
    ocp_document_borrow(writing->made, writing->request->model);
    writing->sites = ocp_patch_diff(writing->made, base, model_to_keep(writing), &keys,
                                    note_carried, writing);
    note_all_renamed(writing);
    return true;
}

/* ---- the stash ------------------------------------------------------------------- */

/* What reading will leave out of the carry. */
static bool
reading_skips(const OcpNode *node, gpointer data)
{
    OcpWriting *writing = data;
    return (!writing->request->sensitive_keep &&
            g_hash_table_contains(writing->hidden->sensitive, node)) ||
           g_hash_table_contains(writing->hidden->omitted, node);
}

/* The carry that reading the document will give; if the model is foreign it is defaults
 * only, and reading need not attach it. */
static char *
defaults_digest(OcpWriting *writing)
{
    const OcpWriteRequest *request = writing->request;
    if (writing->carry.state == OCP_CARRY_USABLE)
        return NULL;
    OcpDraftInput input = {.mapping = request->mapping, .model = request->model};
    g_autoptr(OcpDraft) base = ocp_draft_write(&input);
    g_autoptr(GHashTable) copies =
        ocp_copies_find(request->mapping, writing->document->root, writing->places);
    OcpCarryDiff diff = {
        .mapping = request->mapping,
        .core = writing->core,
        .draft = base,
        .source = writing->document,
        .root = ocp_stash_bare(base->made, request->mapping, writing->document->root),
        .skip = reading_skips,
        .instead = ocp_make_text(base->made, OCP_OMITTED),
        .own_instead = writing->hidden->instead,
        .copies = copies,
        .data = writing};
    return ocp_canonical_digest(ocp_carry_diff(&diff, base->made), OCP_CANONICAL_VALUE);
}

void
ocp_writing_put_stash(OcpWriting *writing)
{
    const OcpMapping *mapping = writing->request->mapping;
    bool something = writing->sites->size > 0 || g_hash_table_size(writing->rename) > 0;
    if (!something || writing->verbatim)
        return;
    const OcpNode *data = ocp_stash_place(mapping, writing->tree);
    if (data != NULL) /* a stash takes the place of data that stood there */
        g_hash_table_insert(writing->lost, (gpointer)data, (gpointer) "superseded");
    g_autofree char *of = ocp_stash_digest_of(mapping, writing->document->root);
    g_autofree char *carry = defaults_digest(writing);
    const OcpNode *stash =
        ocp_stash_build(writing->made, writing->rename, writing->sites, carry, of);
    writing->tree = ocp_stash_put(writing->made, mapping, writing->tree, stash);
}
