/* SPDX-License-Identifier: Apache-2.0 */
#include "model/derivation.h"

#include <string.h>

#include "value/equal.h"

typedef struct {
    char *checkpoint;       /* or NULL */
    const OcpNode *session; /* or NULL */
} Input;

typedef struct {
    char *description;
    char *reason;
    char *recoverable_from; /* or NULL */
} Omission;

typedef struct {
    char *description;
    GPtrArray *affected; /* the keys of known, in order */
    GHashTable *known;   /* set of ids, owned */
} Transformation;

struct OcpDerivation {
    char *method;
    GPtrArray *inputs;
    GPtrArray *omissions;
    GPtrArray *transformations;
    GHashTable *checkpoints;    /* set of ids, borrowed from inputs */
    GHashTable *sessions;       /* set of nodes */
    GHashTable *omitted;        /* set of Omission, borrowed */
    GHashTable *by_description; /* description → Transformation, borrowed */
};

static const char *const reasons[] = {
    "size", "irrelevant", "superseded", "sensitive", "unavailable",
};

bool
ocp_derivation_reason_valid(const char *reason)
{
    for (gsize i = 0; reason != NULL && i < G_N_ELEMENTS(reasons); i++)
        if (strcmp(reasons[i], reason) == 0)
            return true;
    return false;
}

static void
free_input(gpointer pointer)
{
    Input *input = pointer;
    g_free(input->checkpoint);
    g_free(input);
}

static void
free_omission(gpointer pointer)
{
    Omission *omission = pointer;
    g_free(omission->description);
    g_free(omission->reason);
    g_free(omission->recoverable_from);
    g_free(omission);
}

static void
free_transformation(gpointer pointer)
{
    Transformation *transformation = pointer;
    g_free(transformation->description);
    g_ptr_array_unref(transformation->affected);
    g_hash_table_unref(transformation->known);
    g_free(transformation);
}

static guint
hash_omission(gconstpointer pointer)
{
    const Omission *omission = pointer;
    return g_str_hash(omission->description) * 31 + g_str_hash(omission->reason);
}

static gboolean
equal_omissions(gconstpointer pa, gconstpointer pb)
{
    const Omission *a = pa;
    const Omission *b = pb;
    return strcmp(a->description, b->description) == 0 &&
           strcmp(a->reason, b->reason) == 0 &&
           g_strcmp0(a->recoverable_from, b->recoverable_from) == 0;
}

static guint
hash_value(gconstpointer node)
{
    return ocp_hash(node);
}

static gboolean
equal_values(gconstpointer a, gconstpointer b)
{
    return ocp_equal(a, b);
}

OcpDerivation *
ocp_derivation_new(const char *method)
{
    OcpDerivation *derivation = g_new0(OcpDerivation, 1);
    derivation->method = g_strdup(method);
    derivation->inputs = g_ptr_array_new_with_free_func(free_input);
    derivation->omissions = g_ptr_array_new_with_free_func(free_omission);
    derivation->transformations = g_ptr_array_new_with_free_func(free_transformation);
    derivation->checkpoints = g_hash_table_new(g_str_hash, g_str_equal);
    derivation->sessions = g_hash_table_new(hash_value, equal_values);
    derivation->omitted = g_hash_table_new(hash_omission, equal_omissions);
    derivation->by_description = g_hash_table_new(g_str_hash, g_str_equal);
    return derivation;
}

void
ocp_derivation_free(OcpDerivation *derivation)
{
    if (derivation == NULL)
        return;
    g_hash_table_unref(derivation->checkpoints);
    g_hash_table_unref(derivation->sessions);
    g_hash_table_unref(derivation->omitted);
    g_hash_table_unref(derivation->by_description);
    g_ptr_array_unref(derivation->inputs);
    g_ptr_array_unref(derivation->omissions);
    g_ptr_array_unref(derivation->transformations);
    g_free(derivation->method);
    g_free(derivation);
}

void
ocp_derivation_input_session(OcpDerivation *derivation, const OcpNode *session_ref)
{
    session_ref = ocp_deref(session_ref);
    if (session_ref == NULL ||
        !g_hash_table_add(derivation->sessions, (gpointer)session_ref))
        return;
    Input *input = g_new0(Input, 1);
    input->session = session_ref;
    g_ptr_array_add(derivation->inputs, input);
}

void
ocp_derivation_input_checkpoint(OcpDerivation *derivation, const char *id)
{
    if (g_hash_table_contains(derivation->checkpoints, id))
        return;
    Input *input = g_new0(Input, 1);
    input->checkpoint = g_strdup(id);
    g_ptr_array_add(derivation->inputs, input);
    g_hash_table_add(derivation->checkpoints, input->checkpoint);
}

void
ocp_derivation_omit(OcpDerivation *derivation, const char *description,
                    const char *reason, const char *recoverable_from)
{
    Omission *omission = g_new0(Omission, 1);
    omission->description = g_strdup(description);
    omission->reason =
        g_strdup(ocp_derivation_reason_valid(reason) ? reason : "irrelevant");
    omission->recoverable_from = g_strdup(recoverable_from);
    if (g_hash_table_contains(derivation->omitted, omission)) {
        free_omission(omission);
        return;
    }
    g_ptr_array_add(derivation->omissions, omission);
    g_hash_table_add(derivation->omitted, omission);
}

static Transformation *
get_transformation(OcpDerivation *derivation, const char *description)
{
    Transformation *known =
        g_hash_table_lookup(derivation->by_description, description);
    if (known != NULL)
        return known;
    Transformation *transformation = g_new0(Transformation, 1);
    transformation->description = g_strdup(description);
    transformation->affected = g_ptr_array_new();
    transformation->known =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_ptr_array_add(derivation->transformations, transformation);
    g_hash_table_insert(derivation->by_description, transformation->description,
                        transformation);
    return transformation;
}

void
ocp_derivation_transform(OcpDerivation *derivation, const char *description,
                         const char *const *affected, gsize n)
{
    Transformation *transformation = get_transformation(derivation, description);
    for (gsize i = 0; i < n; i++) {
        if (g_hash_table_contains(transformation->known, affected[i]))
            continue;
        char *id = g_strdup(affected[i]);
        g_hash_table_add(transformation->known, id);
        g_ptr_array_add(transformation->affected, id);
    }
}

/* ---- building -------------------------------------------------------------- */

static OcpNode *
build_input(const Input *input, OcpDocument *made)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    if (input->session != NULL)
        ocp_build_named(&build, "session", input->session);
    else
        ocp_build_named(&build, "checkpoint", ocp_make_text(made, input->checkpoint));
    return build.container;
}

static OcpNode *
build_omission(const Omission *omission, OcpDocument *made)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, "description", ocp_make_text(made, omission->description));
    ocp_build_named(&build, "reason", ocp_make_text(made, omission->reason));
    if (omission->recoverable_from != NULL)
        ocp_build_named(&build, "recoverable_from",
                        ocp_make_text(made, omission->recoverable_from));
    return build.container;
}

static OcpNode *
build_transformation(const Transformation *transformation, OcpDocument *made)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, "description",
                    ocp_make_text(made, transformation->description));
    if (transformation->affected->len == 0)
        return build.container;
    OcpBuilder list = ocp_build(made, ocp_make_array(made));
    for (guint i = 0; i < transformation->affected->len; i++)
        ocp_build_element(&list,
                          ocp_make_text(made, transformation->affected->pdata[i]));
    ocp_build_named(&build, "affected", list.container);
    return build.container;
}

OcpNode *
ocp_derivation_build(const OcpDerivation *derivation, OcpDocument *made)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, "method", ocp_make_text(made, derivation->method));
    OcpBuilder inputs = ocp_build(made, ocp_make_array(made));
    for (guint i = 0; i < derivation->inputs->len; i++)
        ocp_build_element(&inputs, build_input(derivation->inputs->pdata[i], made));
    OcpBuilder omissions = ocp_build(made, ocp_make_array(made));
    for (guint i = 0; i < derivation->omissions->len; i++)
        ocp_build_element(&omissions,
                          build_omission(derivation->omissions->pdata[i], made));
    OcpBuilder changes = ocp_build(made, ocp_make_array(made));
    for (guint i = 0; i < derivation->transformations->len; i++)
        ocp_build_element(&changes, build_transformation(
                                        derivation->transformations->pdata[i], made));
    if (inputs.container->size > 0)
        ocp_build_named(&build, "inputs", inputs.container);
    if (omissions.container->size > 0)
        ocp_build_named(&build, "omissions", omissions.container);
    if (changes.container->size > 0)
        ocp_build_named(&build, "transformations", changes.container);
    return build.container;
}
