/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects with local ids: where they stand, of what kind they are, and the index.
 */
#include "model/model.h"

#include <string.h>

#include "model/walk.h"

typedef struct {
    const char *path;
    OcpModelKind kind;
    const char *name;
} Place;

static const Place places[] = {
    {"task/success_criteria/*", OCP_MODEL_CRITERION, "success criterion"},
    {"progress/completed/*", OCP_MODEL_COMPLETED_STEP, "completed step"},
    {"progress/next/*", OCP_MODEL_NEXT_STEP, "next step"},
    {"statements/*", OCP_MODEL_STATEMENT, "statement"},
    {"resources/*", OCP_MODEL_RESOURCE, "resource"},
    {"application_context/*", OCP_MODEL_CONTEXT, "application context"},
    {"application_context/*/drafts/*", OCP_MODEL_DRAFT, "draft"},
    {"operations/*", OCP_MODEL_OPERATION, "operation"},
    {"continuation/requirements/*", OCP_MODEL_REQUIREMENT, "requirement"},
    {"continuation/preconditions/*", OCP_MODEL_PRECONDITION, "precondition"},
    {"continuation/stop_conditions/*", OCP_MODEL_STOP_CONDITION, "stop condition"},
    {"continuation/recovery/*", OCP_MODEL_RECOVERY, "recovery action"},
};

typedef struct {
    const OcpNode *object;
    OcpModelKind kind;
} Entry;

struct OcpModel {
    GHashTable *objects;  /* id node → Entry in arena */
    GHashTable *sessions; /* set of id nodes */
    OcpArena *arena;
};

typedef struct {
    OcpModel *model;
    OcpModelKind kind;
} Indexing;

static void
index_object(const OcpNode *object, G_GNUC_UNUSED GString *pointer, gpointer data)
{
    const Indexing *self = data;
    const OcpNode *id = ocp_member(object, "id");
    if (!ocp_is(id, OCP_STRING) || g_hash_table_contains(self->model->objects, id))
        return;
    Entry *entry = ocp_arena_new_of(self->model->arena, Entry);
    *entry = (Entry){object, self->kind};
    g_hash_table_insert(self->model->objects, (gpointer)id, entry);
}

static void
index_session(const OcpNode *session, G_GNUC_UNUSED GString *pointer, gpointer data)
{
    OcpModel *model = data;
    const OcpNode *id = ocp_member(session, "id");
    if (ocp_is(id, OCP_STRING))
        g_hash_table_add(model->sessions, (gpointer)id);
}

OcpModel *
ocp_model_new(const OcpNode *root)
{
    OcpModel *model = g_new0(OcpModel, 1);
    model->arena = ocp_arena_new();
    model->objects = ocp_model_text_table();
    model->sessions = ocp_model_text_table();
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        Indexing indexing = {model, places[i].kind};
        ocp_model_walk(root, places[i].path, index_object, &indexing);
    }
    ocp_model_walk(root, "source/session_refs/*", index_session, model);
    ocp_model_walk(root, "derivation/inputs/*/session", index_session, model);
    return model;
}

void
ocp_model_free(OcpModel *model)
{
    if (model == NULL)
        return;
    g_hash_table_unref(model->objects);
    g_hash_table_unref(model->sessions);
    ocp_arena_free(model->arena);
    g_free(model);
}

const OcpNode *
ocp_model_find_like(const OcpModel *model, const OcpNode *id, OcpModelKind *ret_kind)
{
    const Entry *entry = g_hash_table_lookup(model->objects, id);
    if (entry == NULL)
        return NULL;
    if (ret_kind != NULL)
        *ret_kind = entry->kind;
    return entry->object;
}

/* A string node on the caller's stack, to ask the index with. */
static OcpNode
question(const char *id, gsize length)
{
    return (OcpNode){
        .kind = OCP_STRING,
        .size = (guint32)length,
        .as.text = id,
        .place = OCP_NO_PLACE,
    };
}

const OcpNode *
ocp_model_find(const OcpModel *model, const char *id, gsize length,
               OcpModelKind *ret_kind)
{
    OcpNode key = question(id, length);
    return ocp_model_find_like(model, &key, ret_kind);
}

bool
ocp_model_has_session(const OcpModel *model, const char *id, gsize length)
{
    OcpNode key = question(id, length);
    return g_hash_table_contains(model->sessions, &key);
}

bool
ocp_model_has_id(const char *const *path, gsize depth)
{
    if (depth < 2 || strcmp(path[depth - 1], "*") != 0)
        return false; /* they all stand in lists */
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
        if (ocp_model_path_is(places[i].path, path, depth))
            return true;
    return false;
}

void
ocp_model_each_object(const OcpNode *root, OcpWalkVisit visit, gpointer data)
{
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
        ocp_model_walk(root, places[i].path, visit, data);
}

const char *
ocp_model_kind_name(OcpModelKind kind)
{
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
        if (places[i].kind == kind)
            return places[i].name;
    return "object";
}
