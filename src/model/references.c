/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference members of a model: where they stand, what they may name, and which
 * rule says so.
 */
#include <string.h>

#include "model/model.h"
#include "model/walk.h"
#include "value/pointer.h"

typedef struct {
    const char *path; /* of the object */
    const char *name; /* of its member: a local id or an array of them */
    gsize length;
    guint kinds;
    const char *rule;
} Reference;

#define NAME(text) (text), sizeof(text) - 1

static const Reference references[] = {
    {"task/success_criteria/*", NAME("evidence"), OCP_MODEL_ANY, "OC-I02"},
    {"progress/completed/*", NAME("evidence"), OCP_MODEL_ANY, "OC-I02"},
    {"progress/focus", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"progress/next/*", NAME("blocked_by"),
     OCP_MODEL_STATEMENT | OCP_MODEL_OPERATION | OCP_MODEL_RESOURCE |
         OCP_MODEL_REQUIREMENT,
     "OC-I12"},
    {"progress/next/*", NAME("requires"), OCP_MODEL_REQUIREMENT, "OC-I13"},
    {"progress/next/*", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"statements/*", NAME("superseded_by"), OCP_MODEL_STATEMENT, "OC-I03"},
    {"statements/*", NAME("evidence"), OCP_MODEL_ANY, "OC-I02"},
    {"statements/*/origin", NAME("ref"), OCP_MODEL_RESOURCE, "OC-I05"},
    {"application_context/*/selections/*", NAME("resource"), OCP_MODEL_RESOURCE,
     "OC-I06"},
    {"application_context/*/drafts/*", NAME("target"), OCP_MODEL_RESOURCE, "OC-I07"},
    {"application_context/*/drafts/*", NAME("content_ref"), OCP_MODEL_RESOURCE,
     "OC-I07"},
    {"operations/*", NAME("target"), OCP_MODEL_RESOURCE, "OC-I08"},
    {"operations/*", NAME("record"), OCP_MODEL_RESOURCE, "OC-I08"},
    {"operations/*", NAME("depends_on"), OCP_MODEL_OPERATION, "OC-W15"},
    {"operations/*/approval", NAME("evidence"), OCP_MODEL_RESOURCE, "OC-I09"},
    {"continuation/requirements/*", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"continuation/preconditions/*", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"continuation/stop_conditions/*", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"continuation/stop_conditions/*", NAME("applies_to"), OCP_MODEL_OPERATION,
     "OC-I10"},
    {"continuation/stop_conditions/*/until/*", NAME("operation"), OCP_MODEL_OPERATION,
     "OC-I11"},
    {"continuation/recovery/*", NAME("refs"), OCP_MODEL_ANY, "OC-I02"},
    {"derivation/omissions/*", NAME("recoverable_from"), OCP_MODEL_RESOURCE, "OC-I14"},
    {"derivation/transformations/*", NAME("affected"), OCP_MODEL_ANY, "OC-I02"},
};

typedef struct {
    const Reference *reference;
    OcpReferenceVisit visit;
    gpointer data;
} Visit;

static void
visit_one(const Visit *self, const OcpNode *value, const GString *pointer)
{
    if (ocp_is(value, OCP_STRING))
        self->visit(value, self->reference->kinds, self->reference->rule, pointer->str,
                    self->data);
}

static void
visit_member(const OcpNode *object, GString *pointer, gpointer data)
{
    const Visit *self = data;
    const char *name = self->reference->name;
    const OcpNode *value = ocp_member(object, name);
    if (value == NULL)
        return;
    gsize before = pointer->len;
    ocp_pointer_push(pointer, name, strlen(name));
    visit_one(self, value, pointer);
    gsize at_list = pointer->len;
    OcpIter iter = {ocp_is(value, OCP_ARRAY) ? ocp_first_child(value) : NULL};
    const OcpNode *element;
    for (gsize i = 0; (element = ocp_iter_element(&iter)) != NULL; i++) {
        ocp_pointer_push_index(pointer, i);
        visit_one(self, element, pointer);
        g_string_truncate(pointer, at_list);
    }
    g_string_truncate(pointer, before);
}

void
ocp_model_each_reference(const OcpNode *root, OcpReferenceVisit visit, gpointer data)
{
    for (gsize i = 0; i < G_N_ELEMENTS(references); i++) {
        Visit self = {&references[i], visit, data};
        ocp_model_walk(root, references[i].path, visit_member, &self);
    }
}

bool
ocp_model_is_reference_name(const OcpNode *key)
{
    for (gsize i = 0; i < G_N_ELEMENTS(references); i++)
        if (ocp_text_is_sized(key, references[i].name, references[i].length))
            return true;
    return false;
}

bool
ocp_model_is_reference(const char *const *path, gsize depth, const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(references); i++)
        if (references[i].name[0] == name[0] && strcmp(references[i].name, name) == 0 &&
            ocp_model_path_is(references[i].path, path, depth))
            return true;
    return false;
}
