/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the tests of this layer share: reading documents and the four schemas. */

#include <string.h>

#include "schema/schema.h"
#include "support.h"
#include "text/json.h"
#include "text/yaml.h"
#include "value/pointer.h"

typedef struct {
    const char *name; /* folder in the corpus' examples */
    const char *file;
    const char *fragment;
} TestSchema;

static const TestSchema test_schemas[] = {
    {"opencheckpoint", "opencheckpoint-0.1.schema.json", NULL},
    {"session-checkpoint", "session-checkpoint.schema.yaml", NULL},
    {"session-checkpoint-v1", "session-checkpoint.schema.yaml", NULL},
    {"session-checkpoint-v2", "session-checkpoint.schema.yaml", NULL},
    {"specrail", "specrail-runtime-checkpoint-1.schema.json", NULL},
    {"caop-pulse", "caop-0.2.schema.json", "#/$defs/PulseResponse"},
    {"caop-resume-brief", "caop-0.2.schema.json", "#/$defs/ResumeBrief"},
};

/* The document of some text, JSON or (by the name's ending) YAML; NULL if it is none.
 */
static inline OcpDocument *
test_parse(GBytes *bytes, const char *name)
{
    static const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    if (!g_str_has_suffix(name, ".yaml"))
        return ocp_json_read(bytes, name, &limits, report, &document) ? document : NULL;
    GPtrArray *all = NULL;
    if (!ocp_yaml_read(bytes, name, &limits, report, &all))
        return NULL;
    document = ocp_document_ref(all->pdata[0]);
    g_ptr_array_unref(all);
    return document;
}

static inline OcpDocument *
test_read(const char *path)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    return test_parse(bytes, path);
}

static inline OcpDocument *
test_text(const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    OcpDocument *document = test_parse(bytes, "test.json");
    if (document == NULL)
        ocp_test_fail("no JSON: %s", text);
    return document;
}

static inline OcpSchema *
test_load(OcpDocument *document, const char *fragment)
{
    g_autoptr(OcpSchemaStore) store = ocp_schema_store_new();
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpSchema *schema = NULL;
    if (!ocp_schema_load(store, document, fragment, report, &schema)) {
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        ocp_test_fail("%s:%u:%u: %s", first->file, first->line, first->column,
                      first->message);
    }
    return schema;
}

static inline OcpSchema *
test_load_text(const char *text)
{
    g_autoptr(OcpDocument) document = test_text(text);
    return test_load(document, NULL);
}

/* One of the four, by its folder's name. */
static inline OcpSchema *
test_load_named(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(test_schemas); i++) {
        if (strcmp(test_schemas[i].name, name) != 0)
            continue;
        g_autofree char *below =
            g_build_filename("schemas", test_schemas[i].file, NULL);
        g_autofree char *path = ocp_test_source(below);
        g_autoptr(OcpDocument) document = test_read(path);
        return test_load(document, test_schemas[i].fragment);
    }
    return NULL;
}

/* ---- settling YAML by a schema --------------------------------------------------- */

typedef struct {
    const OcpPlaces *places;
    const OcpSchema *schema;
} TestSettling;

/* The shape of the place where node stands; free with ocp_shape_free(). */
static inline OcpShape *
test_shape_at(const TestSettling *settling, const OcpNode *node)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new();
    for (; node != NULL; node = ocp_places_parent(settling->places, node))
        g_ptr_array_add(chain, (gpointer)node);
    OcpShape *shape = ocp_shape_root(settling->schema);
    for (guint i = chain->len; i > 1; i--) {
        const OcpNode *child = chain->pdata[i - 2];
        g_autoptr(OcpShape) above = ocp_shape_narrow(shape, chain->pdata[i - 1]);
        const OcpNode *key = ocp_places_key(settling->places, child);
        g_autofree char *name = key != NULL ? ocp_text_dup(key) : NULL;
        ocp_shape_free(shape);
        shape = key != NULL ? ocp_shape_member(above, name, strlen(name))
                            : ocp_shape_element(above);
    }
    return shape;
}

static inline OcpAllowed
test_allowed(const OcpNode *node, gpointer data)
{
    g_autoptr(OcpShape) shape = test_shape_at(data, node);
    OcpAllowed allowed = {ocp_shape_kinds(shape),
                          ocp_shape_has_format(shape, "date-time")};
    return allowed;
}

static inline bool
test_settle(OcpDocument *document, const OcpSchema *schema)
{
    if (!document->yaml)
        return true;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpPlaces) places = ocp_places_new(document);
    TestSettling settling = {places, schema};
    return ocp_yaml_settle(document, OCP_YAML_1_1, test_allowed, &settling, report);
}
