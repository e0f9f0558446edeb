/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Editing a model between reading and writing it, as an editor would who knows
 * OpenCheckpoint and nothing of where the model came from.
 */
#include "pipe.h"

typedef struct {
    OcpDocument *made;    /* owns what the edits make */
    const OcpNode *model; /* as it is now */
} Edit;

/* Of a model that outlives the edit. */
static inline Edit
edit_begin(OcpDocument *model)
{
    Edit edit = {.made = ocp_document_new(NULL), .model = model->root};
    ocp_document_borrow(edit.made, model);
    return edit;
}

static inline void
edit_clear(Edit *edit)
{
    ocp_document_unref(edit->made);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Edit, edit_clear)

/* The edited model as a text. */
static inline GBytes *
edit_text(const Edit *edit)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(edit->model, false, text);
    return g_string_free_to_bytes(text);
}

static inline const OcpNode *
edit_value(Edit *edit, const char *text)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GBytes) bytes = pipe_quoted(text);
    g_autoptr(OcpDocument) document = pipe_read(bytes, "edit.json", report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    ocp_document_borrow(edit->made, document);
    return document->root;
}

/* An open container of the same kind. */
static inline OcpBuilder
edit_like(Edit *edit, const OcpNode *node)
{
    return ocp_build(edit->made, node->kind == OCP_ARRAY ? ocp_make_array(edit->made)
                                                         : ocp_make_object(edit->made));
}

/* The next child of a container; key is NULL for elements. */
static inline bool
edit_child(OcpIter *iter, const OcpNode *node, const OcpNode **key,
           const OcpNode **child)
{
    *key = NULL;
    if (node->kind == OCP_ARRAY)
        return (*child = ocp_iter_element(iter)) != NULL;
    return ocp_iter_member(iter, key, child);
}

static inline void
edit_add(OcpBuilder *build, const OcpNode *key, const OcpNode *child)
{
    if (child != NULL && key == NULL)
        ocp_build_element(build, child);
    else if (child != NULL)
        ocp_build_member(build, key, child);
}

/* The tree with the value at the steps replaced; NULL takes it away. "+" as the last
 * step puts it in front of an array. Recursion: as deep as the pointer is long. */
static inline const OcpNode *
edit_replaced(Edit *edit, const OcpNode *node, char **steps, const OcpNode *value)
{
    if (*steps == NULL)
        return value;
    OcpBuilder build = edit_like(edit, node);
    const OcpNode *key, *child;
    OcpIter iter = ocp_iter(node);
    bool found = false;
    if (strcmp(*steps, "+") == 0)
        ocp_build_element(&build, value);
    for (guint index = 0; edit_child(&iter, node, &key, &child); index++) {
        g_autofree char *place = g_strdup_printf("%u", index);
        bool here = key == NULL ? strcmp(place, *steps) == 0 : ocp_text_is(key, *steps);
        found = found || here;
        edit_add(&build, key,
                 here ? edit_replaced(edit, child, steps + 1, value) : child);
    }
    if (!found && node->kind == OCP_OBJECT && value != NULL)
        ocp_build_named(&build, *steps, value);
    return build.container;
}

static inline void
edit_put_node(Edit *edit, const char *pointer, const OcpNode *value)
{
    g_auto(GStrv) steps = g_strsplit(pointer + 1, "/", -1);
    edit->model = edit_replaced(edit, edit->model, steps, value);
}

/* Sets, adds or (NULL) takes away the value there; text in single quotes. */
static inline void
edit_put(Edit *edit, const char *pointer, const char *text)
{
    edit_put_node(edit, pointer, text != NULL ? edit_value(edit, text) : NULL);
}

/* Ids in a collection of the model, in their order. */
static inline GPtrArray *
edit_ids(const OcpNode *model, const char *collection)
{
    GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
    OcpIter iter = ocp_iter(ocp_pointer_find(model, collection));
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        g_ptr_array_add(ids, ocp_text_dup(ocp_member(one, "id")));
    return ids;
}

static inline bool
edit_refers(const OcpNode *node, const char *id)
{
    return ocp_text_is(node, id) || (ocp_is(node, OCP_OBJECT) && node->size == 1 &&
                                     ocp_text_is(ocp_member(node, "operation"), id));
}

/* The tree without references to that id; containers left empty go, and so does what
 * has no sense without the reference. The carry, which an editor has no business with,
 * stays as it is. Recursion: as deep as the model, which a reader has bounded. */
static inline const OcpNode *
edit_unreferred(Edit *edit, const OcpNode *node, const char *id)
{
    if (!ocp_is_container(node) || node->size == 0)
        return node;
    OcpBuilder build = edit_like(edit, node);
    const OcpNode *key, *child;
    OcpIter iter = ocp_iter(node);
    while (edit_child(&iter, node, &key, &child)) {
        bool carry = key != NULL && ocp_text_is(key, "extensions");
        bool own = key != NULL && ocp_text_is(key, "id");
        if (carry || own)
            edit_add(&build, key, child);
        else if (!edit_refers(child, id))
            edit_add(&build, key, edit_unreferred(edit, child, id));
    }
    return build.container->size == 0 ? NULL : build.container;
}

/* The object and all that refers to it, as a careful editor does it. */
static inline void
edit_take_away(Edit *edit, const char *collection, const char *id)
{
    g_autoptr(GPtrArray) ids = edit_ids(edit->model, collection);
    for (guint i = 0; i < ids->len; i++) {
        if (strcmp(ids->pdata[i], id) != 0)
            continue;
        g_autofree char *place = g_strdup_printf("%s/%u", collection, i);
        edit_put(edit, place, NULL);
        edit->model = edit_unreferred(edit, edit->model, id);
        return;
    }
    ocp_test_fail("no %s in %s", id, collection);
}

/* The collection in reverse order. */
static inline void
edit_reverse(Edit *edit, const char *collection)
{
    const OcpNode *before = ocp_pointer_find(edit->model, collection);
    OcpBuilder build = edit_like(edit, before);
    for (guint32 i = before->size; i > 0; i--)
        ocp_build_element(&build, ocp_element(before, i - 1));
    edit_put_node(edit, collection, build.container);
}
