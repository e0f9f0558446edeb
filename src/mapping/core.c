/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/core.h"

#include <string.h>

#include "mapping/copies.h"
#include "mapping/resolve.h"

/* ---- reading ------------------------------------------------------------------- */

/* Takes the template's created_at out (the engine decides about times) and puts the
 * version in front. */
static OcpNode *
core_root(OcpCore *core, const OcpNode *result)
{
    OcpBuilder root = ocp_build(core->made, ocp_make_object(core->made));
    ocp_build_named(&root, "opencheckpoint", ocp_make_text(core->made, "0.1"));
    OcpIter iter = ocp_iter(result);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        if (ocp_text_is(key, "created_at"))
            core->created_at = value;
        else
            ocp_build_member(&root, key, value);
    }
    return root.container;
}

OcpCore *
ocp_core_read(const OcpCoreInput *input)
{
    OcpCore *core = g_new0(OcpCore, 1);
    core->made = ocp_document_new(NULL);
    ocp_document_borrow(core->made, input->source);
    ocp_document_borrow(core->made, input->mapping->document);
    if (input->traced)
        core->trace = ocp_trace_new(input->source, input->places, core->made);
    core->ids = ocp_ids_new();
    ocp_ids_reserve(core->ids, "source");
    OcpRunInput run_input = {.mapping = input->mapping,
                             .source = input->source,
                             .root = input->source->root,
                             .places = input->places,
                             .made = core->made,
                             .trace = core->trace,
                             .input = input->input,
                             .hidden = input->hidden,
                             .rename = input->rename};
    core->run = ocp_run_new(&run_input, input->mapping->read_slots);
    const OcpNode *result =
        ocp_run_template(core->run, input->mapping->read, core->ids);
    if (ocp_is(result, OCP_OBJECT))
        core->dropped =
            ocp_resolve_references(core->made, (OcpNode *)result, input->model_shape,
                                   core->ids, input->rename, core->trace);
    ocp_run_rest(core->run);
    core->root = core_root(core, result);
    return core;
}

void
ocp_core_free(OcpCore *core)
{
    if (core == NULL)
        return;
    ocp_run_free(core->run);
    ocp_ids_free(core->ids);
    ocp_trace_free(core->trace);
    ocp_document_unref(core->made);
    g_free(core);
}

/* ---- writing ------------------------------------------------------------------- */

OcpDraft *
ocp_draft_write(const OcpDraftInput *input)
{
    const OcpMapping *mapping = input->mapping;
    OcpDocument *model = input->model;
    OcpDraft *draft = g_new0(OcpDraft, 1);
    draft->made = ocp_document_new(NULL);
    ocp_document_borrow(draft->made, model);
    ocp_document_borrow(draft->made, mapping->document);
    draft->places = ocp_places_new(model);
    if (input->traced)
        draft->trace = ocp_trace_new(model, draft->places, draft->made);
    draft->model = ocp_model_new(model->root);
    OcpRunInput run_input = {.mapping = mapping,
                             .source = model,
                             .root = model->root,
                             .places = draft->places,
                             .made = draft->made,
                             .trace = draft->trace,
                             .model = draft->model,
                             .hidden = input->hidden,
                             .foreign = input->foreign};
    draft->run = ocp_run_new(&run_input, mapping->write_slots);
    draft->root = ocp_run_template(draft->run, mapping->write, NULL);
    if (draft->root == NULL)
        draft->root = ocp_make_object(draft->made);
    ocp_run_rest(draft->run);
    return draft;
}

void
ocp_draft_free(OcpDraft *draft)
{
    if (draft == NULL)
        return;
    ocp_run_free(draft->run);
    ocp_model_free(draft->model);
    ocp_trace_free(draft->trace);
    ocp_places_free(draft->places);
    ocp_document_unref(draft->made);
    g_free(draft);
}

const OcpNode *
ocp_draft_finish(OcpDraft *draft, const OcpMapping *mapping,
                 OcpDocument *finished_document, const OcpNode *finished)
{
    if (mapping->finish == NULL)
        return draft->root;
    g_autoptr(OcpPlaces) places = ocp_places_new(finished_document);
    ocp_document_borrow(draft->made, finished_document);
    OcpRunInput run_input = {.mapping = mapping,
                             .source = finished_document,
                             .root = finished,
                             .places = places,
                             .made = draft->made};
    g_autoptr(OcpRun) run = ocp_run_new(&run_input, mapping->finish_slots);
    const OcpNode *derived = ocp_run_template(run, mapping->finish, NULL);
    if (derived == NULL)
        return draft->root;
    return ocp_overlay(draft->made, draft->root, derived);
}

const char *
ocp_draft_key(const OcpNode *element, OcpDraft *draft)
{
    const OcpNode *origin = ocp_run_origin(draft->run, element);
    const OcpNode *id = ocp_member(origin, "id");
    if (!ocp_is(id, OCP_STRING))
        return NULL;
    gsize length;
    const char *text = ocp_text(id, draft->made->arena, &length);
    return text[length] == '\0' ? text
                                : ocp_arena_copy(draft->made->arena, text, length);
}

/* ---- the carry ----------------------------------------------------------------- */

static const char *
diff_key(const OcpNode *element, gpointer data)
{
    const OcpCarryDiff *diff = data;
    return ocp_draft_key(element, diff->draft);
}

static const char *
diff_made(const OcpNode *element, guint n, gpointer data)
{
    const OcpCarryDiff *diff = data;
    const GPtrArray *ids = ocp_run_made_ids(diff->core->run, element);
    return ids != NULL && n < ids->len ? ids->pdata[n] : NULL;
}

static bool
diff_skip(const OcpNode *node, gpointer data)
{
    const OcpCarryDiff *diff = data;
    return diff->skip != NULL && diff->skip(node, diff->data);
}

static const OcpNode *
diff_instead(const OcpNode *node, gpointer data)
{
    const OcpCarryDiff *diff = data;
    const OcpNode *own =
        diff->own_instead != NULL ? g_hash_table_lookup(diff->own_instead, node) : NULL;
    return own != NULL ? own : diff->instead;
}

static void
diff_carried(const OcpNode *node, const char *pointer, gpointer data)
{
    const OcpCarryDiff *diff = data;
    if (diff->carried != NULL)
        diff->carried(node, pointer, diff->data);
}

static const char *
diff_copy_of(const OcpNode *node, gpointer data)
{
    const OcpCarryDiff *diff = data;
    const OcpCopy *copy =
        diff->copies != NULL ? g_hash_table_lookup(diff->copies, node) : NULL;
    return copy != NULL ? copy->pointer : NULL;
}

OcpNode *
ocp_carry_diff(const OcpCarryDiff *diff, OcpDocument *made)
{
    const OcpNode *w =
        ocp_draft_finish(diff->draft, diff->mapping, diff->source, diff->root);
    OcpPatchKeys keys = {.key = diff_key,
                         .made = diff_made,
                         .skip = diff_skip,
                         .instead = diff_instead,
                         .copy_of = diff_copy_of,
                         .data = (gpointer)diff,
                         .member_order = true};
    ocp_document_borrow(made, diff->source);
    return ocp_patch_diff(made, w, diff->root, &keys, diff_carried, (gpointer)diff);
}

/* ---- trees --------------------------------------------------------------------- */

const OcpNode *
ocp_overlay(OcpDocument *made, const OcpNode *a, const OcpNode *b)
{
    if (!ocp_is(a, OCP_OBJECT) || !ocp_is(b, OCP_OBJECT))
        return b;
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    OcpIter iter = ocp_iter(a);
    const OcpNode *key, *value;
    while (ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *over = ocp_member_like(b, key);
        ocp_build_member(&build, key,
                         over != NULL ? ocp_overlay(made, value, over) : value);
    }
    iter = ocp_iter(b);
    while (ocp_iter_member(&iter, &key, &value))
        if (ocp_member_like(a, key) == NULL)
            ocp_build_member(&build, key, value);
    ocp_object_seal(made, build.container);
    return build.container;
}

const OcpNode *
ocp_with_member(OcpDocument *made, const OcpNode *object, const char *const *names,
                gsize depth, const OcpNode *value)
{
    if (depth == 0)
        return value;
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    bool found = false;
    OcpIter iter = ocp_iter(object);
    for (const OcpNode *key, *old; ocp_iter_member(&iter, &key, &old);) {
        bool here = ocp_text_is(key, names[0]);
        found = found || here;
        ocp_build_member(&build, key,
                         here ? ocp_with_member(made,
                                                ocp_is(old, OCP_OBJECT) ? old : NULL,
                                                names + 1, depth - 1, value)
                              : old);
    }
    if (!found)
        ocp_build_named(&build, names[0],
                        ocp_with_member(made, NULL, names + 1, depth - 1, value));
    ocp_object_seal(made, build.container);
    return build.container;
}

const OcpNode *
ocp_without_member(OcpDocument *made, const OcpNode *object, const char *const *names,
                   gsize depth)
{
    if (depth == 0 || ocp_member(object, names[0]) == NULL)
        return object;
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    OcpIter iter = ocp_iter(object);
    for (const OcpNode *key, *old; ocp_iter_member(&iter, &key, &old);) {
        if (!ocp_text_is(key, names[0]))
            ocp_build_member(&build, key, old);
        else if (depth > 1)
            ocp_build_member(&build, key,
                             ocp_without_member(made, old, names + 1, depth - 1));
    }
    ocp_object_seal(made, build.container);
    return build.container;
}
