/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "mapping/coverage.h"
#include "mapping/mapping_file.h"
#include "support.h"
#include "text/json.h"

/*
 * What the tests of mapping files share: schemas, and a mapping from a text.
 */

/* A compiled schema and what it needs to live. */
typedef struct {
    OcpSchemaStore *store;
    OcpSchema *schema;
} CaseSchema;

static inline CaseSchema
case_schema_of(GBytes *bytes, const char *name, const char *fragment)
{
    CaseSchema made = {ocp_schema_store_new(), NULL};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    if (!ocp_mapping_file_read(bytes, name, report, &document) ||
        !ocp_schema_load(made.store, document, fragment, report, &made.schema))
        g_error("%s: %s", name,
                ((OcpDiagnostic *)report->diagnostics->pdata[0])->message);
    return made;
}

/* reference: "file" or "file#/fragment" below schemas/. */
static inline CaseSchema
case_schema(const char *reference)
{
    const char *hash = strchr(reference, '#');
    g_autofree char *name = hash != NULL
                                ? g_strndup(reference, (gsize)(hash - reference))
                                : g_strdup(reference);
    g_autofree char *below = g_build_filename("schemas", name, NULL);
    g_autofree char *path = ocp_test_source(below);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    return case_schema_of(bytes, name, hash);
}

static inline void
case_schema_clear(CaseSchema *schema)
{
    ocp_schema_free(schema->schema);
    if (schema->store != NULL)
        ocp_schema_store_free(schema->store);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CaseSchema, case_schema_clear)

/* The first diagnostic of a report, or NULL. */
static inline const OcpDiagnostic *
case_first(const OcpReport *report)
{
    return report->diagnostics->len > 0 ? report->diagnostics->pdata[0] : NULL;
}

/* All diagnostics as "line:column: code: message (hint)" lines. */
static inline char *
case_words(const OcpReport *report)
{
    GString *words = g_string_new(NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *found = report->diagnostics->pdata[i];
        g_string_append_printf(words, "%u:%u: %s: %s", found->line, found->column,
                               found->code, found->message);
        if (found->hint != NULL)
            g_string_append_printf(words, " (%s)", found->hint);
        g_string_append_c(words, '\n');
    }
    return g_string_free(words, FALSE);
}

/* A file of mappings/, with what it uses and its schema. */
typedef struct {
    OcpDocument *document;
    OcpDocument *used; /* or NULL */
    CaseSchema schema;
    OcpMapping *mapping; /* NULL if it could not be loaded: the report says why */
} CaseMapping;

static inline OcpDocument *
case_mapping_document(const char *name, OcpReport *report)
{
    g_autofree char *below = g_build_filename("mappings", name, NULL);
    g_autofree char *path = ocp_test_source(below);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    OcpDocument *document = NULL;
    ocp_mapping_file_read(bytes, name, report, &document);
    return document;
}

static inline CaseMapping
case_mapping(const char *name, const OcpSchema *model, OcpReport *report)
{
    CaseMapping made = {.document = case_mapping_document(name, report)};
    if (made.document == NULL)
        return made;
    const OcpNode *use = ocp_member(made.document->root, "use");
    if (use != NULL) {
        g_autofree char *stem = ocp_text_dup(use);
        g_autofree char *file = g_strconcat(stem, ".yaml", NULL);
        made.used = case_mapping_document(file, report);
    }
    g_autofree char *reference = ocp_text_dup(ocp_mapping_peek(
        made.document->root, made.used != NULL ? made.used->root : NULL, "schema"));
    made.schema = case_schema(reference);
    ocp_mapping_load(made.document, made.used, made.schema.schema, model, report,
                     &made.mapping);
    return made;
}

static inline void
case_mapping_clear(CaseMapping *made)
{
    ocp_mapping_free(made->mapping);
    case_schema_clear(&made->schema);
    ocp_document_unref(made->used);
    ocp_document_unref(made->document);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CaseMapping, case_mapping_clear)
