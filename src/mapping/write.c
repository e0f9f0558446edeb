/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/write.h"

#include <string.h>

#include "mapping/copies.h"
#include "mapping/describe.h"
#include "mapping/fates.h"
#include "mapping/hide.h"
#include "mapping/pairs.h"
#include "mapping/reread.h"
#include "mapping/stash.h"
#include "text/canonical.h"

/* One writing, from the model to the finished document. */
typedef struct {
    const OcpWriteRequest *request;
    OcpReport *report;
    OcpCarry carry;
    OcpDraft *draft;          /* W(o) */
    OcpDocument *made;        /* the draft's */
    GHashTable *came_from;    /* element of the merged tree -> element of the draft */
    const OcpNode *tree;      /* the merged document */
    bool verbatim;            /* nothing was edited: what lies in the open place stays */
    GHashTable *sensitive;    /* nodes of the model that do not travel */
    GHashTable *unedited;     /* nodes of the model that the engine made */
    GHashTable *lost;         /* node of the model's carry -> reason */
    OcpPlaces *places;        /* of the document read back */
    OcpDocument *document;
    OcpHidden *hidden;        /* of the document: what reading it will not see */
    OcpCore *core;            /* R(d) */
    GHashTable *rename;
    const OcpNode *omitted;   /* what stands for a sensitive value */
    const OcpNode *sites;     /* diff(R(d) -> o) */
    GHashTable *carried;      /* node of the model -> pointer */
} Writing;

static void
unref_set(GHashTable *set)
{
    if (set != NULL)
        g_hash_table_unref(set);
}

static void
writing_clear(Writing *writing)
{
    unref_set(writing->came_from);
    unref_set(writing->sensitive);
    unref_set(writing->unedited);
    unref_set(writing->lost);
    unref_set(writing->rename);
    unref_set(writing->carried);
    ocp_core_free(writing->core);
    ocp_hidden_free(writing->hidden);
    ocp_places_free(writing->places);
    ocp_document_unref(writing->document);
    ocp_draft_free(writing->draft);
}

/* ---- what the model brings ---------------------------------------------------------- */

static void
find_carry(Writing *writing)
{
    const OcpWriteRequest *request = writing->request;
    writing->carry = ocp_carry_find(request->mapping, request->model->root);
    if (writing->carry.state == OCP_CARRY_BROKEN) {
        OcpDiagnostic *diagnostic = ocp_report_add(
            writing->report, OCP_WARNING, "carry.refused",
            "extension \"%s\" does not have the shape of a carry: it is ordinary data",
            request->mapping->key);
        ocp_diagnostic_locate(diagnostic, request->model,
                              writing->carry.extension->place);
    }
    if (request->carry_none)
        writing->carry.state = OCP_CARRY_ABSENT;
}

static void
find_unedited(Writing *writing)
{
    const OcpNode *root = writing->request->model->root;
    const struct {
        const char *name;
        const OcpNode *node;
    } parts[] = {{"id", ocp_member(root, "id")},
                 {"created_at", ocp_member(root, "created_at")},
                 {"derivation", ocp_member(root, "derivation")},
                 {"source", ocp_engine_find_source(root)}};
    writing->unedited = g_hash_table_new(NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
        if (ocp_carry_is_unedited(&writing->carry, parts[i].name, parts[i].node))
            g_hash_table_add(writing->unedited, (gpointer)parts[i].node);
    /* Where a text was found is no part of it. */
    OcpIter iter = ocp_iter(ocp_member(root, "extensions"));
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        if (ocp_carry_is_unedited(&writing->carry, "provenance", value))
            g_hash_table_add(writing->unedited, (gpointer)value);
}

/* True if the model is, the carry aside, what reading made of the document. */
static bool
model_is_unedited(const Writing *writing)
{
    if (writing->carry.state != OCP_CARRY_USABLE ||
        ocp_member(writing->carry.made, "model") == NULL)
        return false;
    const OcpNode *root = writing->request->model->root;
    const char *const path[] = {"extensions", writing->request->mapping->key};
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    const OcpNode *bare = ocp_without_member(made, root, path, 2);
    const OcpNode *extensions = ocp_member(bare, path[0]);
    if (extensions != NULL && extensions->size == 0)
        bare = ocp_without_member(made, bare, path, 1);
    return ocp_carry_is_unedited(&writing->carry, "model", bare);
}

/* ---- merging ------------------------------------------------------------------------ */

static const char *
key_of(const OcpNode *element, gpointer data)
{
    Writing *writing = data;
    return ocp_draft_key(element, writing->draft);
}

static void
note_merged(const OcpNode *result, const OcpNode *w_element, gpointer data)
{
    Writing *writing = data;
    g_hash_table_insert(writing->came_from, (gpointer)result, (gpointer)w_element);
}

/* Carried values that did not come back: the edit that took their place is the reason. */
static void
note_lost(OcpPatchFate fate, const char *site, const char *member, const OcpNode *value,
          gpointer data)
{
    Writing *writing = data;
    (void)site;
    (void)member;
    if (fate != OCP_PATCH_RESTORED && value != NULL)
        g_hash_table_insert(writing->lost, (gpointer)value, (gpointer) "superseded");
}

static const OcpNode *
merge(Writing *writing, const OcpNode *w)
{
    if (writing->carry.state != OCP_CARRY_USABLE)
        return w;
    OcpPatchKeys keys = {.key = key_of, .merged = note_merged, .data = writing};
    g_hash_table_remove_all(writing->lost);
    const OcpNode *patch = ocp_hidden_scrub_patch(writing->made, writing->carry.patch,
                                                  writing->sensitive);
    return ocp_patch_apply(writing->made, w, patch, &keys, note_lost, writing);
}

static bool
make_tree(Writing *writing)
{
    const OcpWriteRequest *request = writing->request;
    bool foreign = writing->carry.state != OCP_CARRY_USABLE;
    writing->draft = ocp_draft_write(request->mapping, request->model, foreign,
                                     writing->sensitive);
    writing->made = writing->draft->made;
    writing->omitted = ocp_make_text(writing->made, OCP_OMITTED);
    writing->came_from = g_hash_table_new(NULL, NULL);
    writing->lost = g_hash_table_new(NULL, NULL);
    writing->tree = merge(writing, writing->draft->root);
    if (request->mapping->finish != NULL) {
        g_autoptr(OcpDocument) finished = NULL;
        if (!ocp_reread(writing->tree, writing->report, NULL, &finished))
            return false;
        const OcpNode *w = ocp_draft_finish(writing->draft, request->mapping, finished,
                                            finished->root);
        writing->tree = merge(writing, w);
    }
    writing->tree = ocp_pairs_fill_sensitive(writing->made, request->mapping,
                                             writing->tree);
    writing->verbatim = model_is_unedited(writing);
    /* Only a stash that was accepted is made anew; what was refused is data, and stays. */
    bool stashed = writing->carry.state == OCP_CARRY_USABLE &&
                   ocp_member(writing->carry.made, "model") != NULL;
    if (stashed && !writing->verbatim && request->mapping->open_path != NULL)
        writing->tree = ocp_without_member(
            writing->made, writing->tree,
            (const char *const *)request->mapping->open_path->pdata,
            request->mapping->open_path->len);
    return true;
}

/* ---- what the document does not say -------------------------------------------------- */

static OcpCore *
read_back(Writing *writing, GHashTable *rename)
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
    Writing *writing = data;
    return ocp_stash_key(element, writing->core->made);
}

static const char *
model_made(const OcpNode *element, guint n, gpointer data)
{
    Writing *writing = data;
    return ocp_stash_made(element, n, writing->core->made);
}

static bool
model_skips(const OcpNode *node, gpointer data)
{
    Writing *writing = data;
    return g_hash_table_contains(writing->sensitive, node);
}

static const OcpNode *
model_instead(const OcpNode *node, gpointer data)
{
    Writing *writing = data;
    (void)node;
    return writing->omitted;
}

/* The list without what the engine made; NULL if nothing is left. */
static const OcpNode *
without_unedited(Writing *writing, const OcpNode *list)
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
model_to_keep(Writing *writing)
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
    Writing *writing = data;
    if (node->flags & OCP_NODE_MADE) { /* by model_to_keep(): its parts are the model's */
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
    Writing *writing = data;
    const OcpNode *draft_element = g_hash_table_lookup(writing->came_from, tree_element);
    return ocp_draft_key(draft_element != NULL ? draft_element : tree_element,
                         writing->draft);
}

static bool
make_sites(Writing *writing)
{
    if (!ocp_reread(writing->tree, writing->report, NULL, &writing->document))
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
    ocp_document_borrow(writing->made, made);
    ocp_document_borrow(writing->made, writing->request->model);
    writing->sites = ocp_patch_diff(writing->made, base, model_to_keep(writing), &keys,
                                    note_carried, writing);
    return true;
}

/* ---- the stash ------------------------------------------------------------------------ */

/* What reading will leave out of the carry. */
static bool
reading_skips(const OcpNode *node, gpointer data)
{
    Writing *writing = data;
    return (!writing->request->sensitive_keep &&
            g_hash_table_contains(writing->hidden->sensitive, node)) ||
           g_hash_table_contains(writing->hidden->omitted, node);
}

/* The carry that reading the document will give; if the model is foreign it is defaults
 * only, and reading need not attach it. */
static char *
defaults_digest(Writing *writing)
{
    const OcpWriteRequest *request = writing->request;
    if (writing->carry.state == OCP_CARRY_USABLE)
        return NULL;
    g_autoptr(OcpDraft) base =
        ocp_draft_write(request->mapping, request->model, false, NULL);
    g_autoptr(GHashTable) copies = ocp_copies_find(
        request->mapping, writing->document->root, writing->places);
    OcpCarryDiff diff = {.mapping = request->mapping,
                         .core = writing->core,
                         .draft = base,
                         .source = writing->document,
                         .root = ocp_stash_bare(base->made, request->mapping,
                                                writing->document->root),
                         .skip = reading_skips,
                         .instead = ocp_make_text(base->made, OCP_OMITTED),
                         .own_instead = writing->hidden->instead,
                         .copies = copies,
                         .data = writing};
    return ocp_canonical_digest(ocp_carry_diff(&diff, base->made), OCP_CANONICAL_TEXT);
}

static void
put_stash(Writing *writing)
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

/* ---- the account ------------------------------------------------------------------------ */

static void
add_all(GHashTable *to, GHashTable *from, const char *reason)
{
    GHashTableIter iter;
    gpointer node, value;
    g_hash_table_iter_init(&iter, from);
    while (g_hash_table_iter_next(&iter, &node, &value))
        g_hash_table_insert(to, node, reason != NULL ? (gpointer)reason : value);
}

static OcpAccount *
make_account(Writing *writing, const OcpNode *tree, bool keeps)
{
    const OcpWriteRequest *request = writing->request;
    g_autoptr(GHashTable) omitted = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) mapped = g_hash_table_new(NULL, NULL);
    add_all(omitted, writing->sensitive, "sensitive");
    add_all(omitted, writing->lost, NULL);
    add_all(mapped, writing->unedited, NULL);
    if (writing->verbatim)
        g_hash_table_remove_all(writing->carried);
    const char *refused = request->carry_none ? "irrelevant" : keeps ? NULL : "no_place";
    OcpFatesInput input = {.mapping = request->mapping,
                           .source = request->model->root,
                           .trace = writing->draft->trace,
                           .result = tree,
                           .carried = writing->carried,
                           .omitted = omitted,
                           .mapped = mapped,
                           .refused = refused,
                           .refused_asked = request->carry_none};
    return ocp_fates_account(&input);
}

static bool
write_all(Writing *writing, OcpWriteResult *result)
{
    const OcpWriteRequest *request = writing->request;
    bool keeps = request->mapping->open_path != NULL && !request->carry_none;
    find_carry(writing);
    find_unedited(writing);
    writing->sensitive = request->sensitive_keep
                             ? g_hash_table_new(NULL, NULL)
                             : ocp_pairs_sensitive(request->model->root);
    if (!make_tree(writing) || !make_sites(writing))
        return false;
    const OcpNode *bare = writing->tree;
    if (keeps)
        put_stash(writing);
    result->foreign = writing->carry.state != OCP_CARRY_USABLE;
    result->account = make_account(writing, bare, keeps);
    return ocp_reread(writing->tree, writing->report, &result->text, &result->document);
}

bool
ocp_mapping_write(const OcpWriteRequest *request, OcpReport *report, OcpWriteResult **ret)
{
    Writing writing = {.request = request, .report = report};
    g_autoptr(OcpWriteResult) result = g_new0(OcpWriteResult, 1);
    bool ok = write_all(&writing, result);
    writing_clear(&writing);
    if (ok)
        *ret = g_steal_pointer(&result);
    return ok;
}

void
ocp_write_result_free(OcpWriteResult *result)
{
    if (result == NULL)
        return;
    ocp_document_unref(result->document);
    if (result->text != NULL)
        g_bytes_unref(result->text);
    ocp_account_free(result->account);
    g_free(result);
}
