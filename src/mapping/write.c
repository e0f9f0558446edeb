/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/write_private.h"

#include <string.h>

#include "mapping/fates.h"
#include "mapping/pairs.h"
#include "mapping/reread.h"

static void
unref_set(GHashTable *set)
{
    if (set != NULL)
        g_hash_table_unref(set);
}

/* Of a large document that is half of the memory: it goes before the text is made. */
static void
forget_reading_back(OcpWriting *writing)
{
    g_clear_pointer(&writing->core, ocp_core_free);
    g_clear_pointer(&writing->hidden, ocp_hidden_free);
    g_clear_pointer(&writing->places, ocp_places_free);
    g_clear_pointer(&writing->document, ocp_document_unref);
}

static void
writing_clear(OcpWriting *writing)
{
    unref_set(writing->came_from);
    unref_set(writing->sensitive);
    unref_set(writing->unedited);
    unref_set(writing->lost);
    unref_set(writing->rename);
    unref_set(writing->carried);
    forget_reading_back(writing);
    ocp_draft_free(writing->draft);
}

/* ---- what the model brings ------------------------------------------------------- */

static void
find_carry(OcpWriting *writing)
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
find_unedited(OcpWriting *writing)
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
model_is_unedited(const OcpWriting *writing)
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

/* ---- merging --------------------------------------------------------------------- */

static const char *
key_of(const OcpNode *element, gpointer data)
{
    OcpWriting *writing = data;
    return ocp_draft_key(element, writing->draft);
}

static void
note_merged(const OcpNode *result, const OcpNode *w_element, gpointer data)
{
    OcpWriting *writing = data;
    g_hash_table_insert(writing->came_from, (gpointer)result, (gpointer)w_element);
}

/* Carried values that did not come back: the edit that took their place is the reason.
 */
static void
note_lost(OcpPatchFate fate, const char *site, const char *member, const OcpNode *value,
          gpointer data)
{
    OcpWriting *writing = data;
    (void)site;
    (void)member;
    if (fate != OCP_PATCH_RESTORED && value != NULL)
        g_hash_table_insert(writing->lost, (gpointer)value, (gpointer) "superseded");
}

static const OcpNode *
merge(OcpWriting *writing, const OcpNode *w)
{
    if (writing->carry.state != OCP_CARRY_USABLE)
        return w;
    OcpPatchKeys keys = {.key = key_of, .merged = note_merged, .data = writing};
    g_hash_table_remove_all(writing->lost);
    const OcpNode *patch =
        ocp_hidden_scrub_patch(writing->made, writing->carry.patch, writing->sensitive);
    return ocp_patch_apply(writing->made, w, patch, &keys, note_lost, writing);
}

/* True if the carry has a site at a member of the root: the rules made it then. */
static bool
was_made(const OcpWriting *writing, const char *name)
{
    g_autoptr(GString) place = g_string_new(NULL);
    ocp_pointer_push(place, name, strlen(name));
    OcpIter iter = ocp_iter(writing->carry.patch);
    for (const OcpNode *site; (site = ocp_iter_element(&iter)) != NULL;)
        if (ocp_text_is_sized(ocp_member(site, "at"), place->str, place->len))
            return true;
    return false;
}

/* An edit may take from the model all that a member was made of. What the carry still
 * has for it is then a fragment; where the schema does not admit that, it goes too. */
static void
drop_fragments(OcpWriting *writing)
{
    const OcpTemplate *template = writing->request->mapping->write;
    if (writing->carry.state != OCP_CARRY_USABLE)
        return;
    for (guint i = 0; i < template->members->len; i++) {
        const OcpTemplateMember *member =
            &g_array_index(template->members, OcpTemplateMember, i);
        if (member->name == NULL || member->value->shape == NULL)
            continue;
        const OcpNode *value = ocp_member_like(writing->tree, member->name);
        if (!ocp_is(value, OCP_OBJECT) || value->size == 0 ||
            ocp_member_like(writing->draft->root, member->name) != NULL ||
            ocp_shape_admits(member->value->shape, value))
            continue;
        g_autofree char *name = ocp_text_dup(member->name);
        const char *const path[] = {name};
        if (!was_made(writing, name))
            continue;
        ocp_hidden_add_leaves(writing->lost, value, "superseded");
        writing->tree = ocp_without_member(writing->made, writing->tree, path, 1);
    }
}

static bool
make_tree(OcpWriting *writing)
{
    const OcpWriteRequest *request = writing->request;
    bool foreign = writing->carry.state != OCP_CARRY_USABLE;
    OcpDraftInput draft = {.mapping = request->mapping,
                           .model = request->model,
                           .foreign = foreign,
                           .hidden = writing->sensitive,
                           .traced = true};
    writing->draft = ocp_draft_write(&draft);
    writing->made = writing->draft->made;
    writing->omitted = ocp_make_text(writing->made, OCP_OMITTED);
    writing->came_from = g_hash_table_new(NULL, NULL);
    writing->lost = g_hash_table_new(NULL, NULL);
    writing->tree = merge(writing, writing->draft->root);
    if (request->mapping->finish != NULL) {
        g_autoptr(OcpDocument) finished = NULL;
        if (!ocp_recopy(writing->tree, writing->report, &finished))
            return false;
        const OcpNode *w = ocp_draft_finish(writing->draft, request->mapping, finished,
                                            finished->root);
        writing->tree = merge(writing, w);
    }
    writing->tree =
        ocp_pairs_fill_sensitive(writing->made, request->mapping, writing->tree);
    drop_fragments(writing);
    writing->verbatim = model_is_unedited(writing);
    /* Only a stash that was accepted is made anew; what was refused is data, and stays.
     */
    bool stashed = writing->carry.state == OCP_CARRY_USABLE &&
                   ocp_member(writing->carry.made, "model") != NULL;
    if (stashed && !writing->verbatim && request->mapping->open_path != NULL)
        writing->tree =
            ocp_without_member(writing->made, writing->tree,
                               (const char *const *)request->mapping->open_path->pdata,
                               request->mapping->open_path->len);
    return true;
}

/* ---- the account ----------------------------------------------------------------- */

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
make_account(OcpWriting *writing, const OcpNode *tree, bool keeps)
{
    const OcpWriteRequest *request = writing->request;
    g_autoptr(GHashTable) omitted = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) mapped = g_hash_table_new(NULL, NULL);
    add_all(omitted, writing->sensitive, "sensitive");
    add_all(omitted, writing->lost, NULL);
    add_all(mapped, writing->unedited, NULL);
    if (writing->verbatim)
        g_hash_table_remove_all(writing->carried);
    const char *refused = request->carry_none ? "irrelevant"
                          : keeps             ? NULL
                                              : "no_place";
    OcpFatesInput input = {.mapping = request->mapping,
                           .source = request->model->root,
                           .trace = writing->draft->trace,
                           .result = tree,
                           .carried = writing->carried,
                           .omitted = omitted,
                           .mapped = mapped,
                           .refused = refused,
                           .refused_asked = request->carry_none,
                           .brief = request->brief};
    return ocp_fates_account(&input);
}

static bool
write_all(OcpWriting *writing, OcpWriteResult *result)
{
    const OcpWriteRequest *request = writing->request;
    bool keeps = request->mapping->open_path != NULL && !request->carry_none;
    find_carry(writing);
    find_unedited(writing);
    writing->sensitive = request->sensitive_keep
                             ? g_hash_table_new(NULL, NULL)
                             : ocp_pairs_sensitive(request->model->root);
    if (!make_tree(writing) || !ocp_writing_make_sites(writing))
        return false;
    const OcpNode *bare = writing->tree;
    if (keeps)
        ocp_writing_put_stash(writing);
    forget_reading_back(writing);
    result->foreign = writing->carry.state != OCP_CARRY_USABLE;
    result->account = make_account(writing, bare, keeps);
    result->text = ocp_rewrite(writing->tree);
    return true;
}

bool
ocp_mapping_write(const OcpWriteRequest *request, OcpReport *report,
                  OcpWriteResult **ret)
{
    OcpWriting writing = {.request = request, .report = report};
    g_autoptr(OcpWriteResult) result = g_new0(OcpWriteResult, 1);
    bool ok = write_all(&writing, result);
    writing_clear(&writing); /* nothing of it is left when the text is read */
    ok = ok && ocp_reread(result->text, report, &result->document);
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
