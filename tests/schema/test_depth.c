/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking takes no more of the stack for a deep value than for a flat one: values a
 * million levels deep are checked on a thread that has next to none.
 */
#include <pthread.h>

#include "schemas.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 512 * 1024 }; /* frames are many times as large there */
#else
enum { STACK = 64 * 1024 };
#endif

enum { LEVELS = 1000 * 1000, FEWER_LEVELS = 100 * 1000 };

typedef struct {
    const OcpSchema *schema;
    const OcpDocument *document;
    OcpReport *report; /* NULL: only the verdict is wanted */
    bool good;
} Job;

static void *
check(void *data)
{
    Job *job = data;
    job->good = ocp_schema_check(job->schema, job->document, job->document->root, NULL,
                                 job->report);
    return NULL;
}

static bool
check_on_small_stack(Job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CU_ASSERT_EQUAL_FATAL(pthread_attr_setstacksize(&attributes, STACK), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, &attributes, check, job), 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, NULL);
    return job->good;
}

/* Arrays in one another, the innermost empty or around a value. */
static OcpDocument *
nested(guint levels, bool around_null)
{
    OcpDocument *document = ocp_document_new("nested");
    OcpNode *inner = ocp_make_array(document);
    if (around_null) {
        OcpBuilder build = ocp_build(document, inner);
        ocp_build_element(&build, ocp_make_null(document));
    }
    for (guint i = 1; i < levels; i++) {
        OcpBuilder build = ocp_build(document, ocp_make_array(document));
        ocp_build_element(&build, inner);
        inner = build.container;
    }
    document->root = inner;
    return document;
}

static void
a_million_levels_are_checked(void)
{
    g_autoptr(OcpSchema) schema =
        test_load_text("{\"items\": {\"$ref\": \"#\"}, \"type\": \"array\"}");
    g_autoptr(OcpDocument) document = nested(LEVELS, false);
    g_autoptr(OcpReport) report = ocp_report_new();
    Job job = {schema, document, report, false};
    CU_ASSERT(check_on_small_stack(&job));
    CU_ASSERT_EQUAL(report->diagnostics->len, 0);
}

static void
a_fault_a_million_levels_down_is_told(void)
{
    g_autoptr(OcpSchema) schema =
        test_load_text("{\"items\": {\"$ref\": \"#\"}, \"type\": \"array\"}");
    g_autoptr(OcpDocument) document = nested(LEVELS, true);
    g_autoptr(OcpReport) report = ocp_report_new();
    Job job = {schema, document, report, true};
    CU_ASSERT_FALSE(check_on_small_stack(&job));
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *only = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(only->code, "schema.type");
    CU_ASSERT_EQUAL(strlen(only->pointer), 2 * LEVELS);
}

/* Every keyword that leads back to the schema one level down, alone or in company. */
static void
every_way_down_is_checked(void)
{
    static const char *const schemas[] = {
        "{\"allOf\": [{\"items\": {\"$ref\": \"#\"}}, {\"type\": \"array\"}]}",
        "{\"prefixItems\": [{\"$ref\": \"#\"}]}",
        "{\"anyOf\": [{\"type\": \"null\"}, {\"items\": {\"$ref\": \"#\"}}]}",
        "{\"anyOf\": [{\"items\": {\"items\": false}}, {\"items\": {\"$ref\": "
        "\"#\"}}]}",
        "{\"oneOf\": [{\"type\": \"null\"}, {\"items\": {\"$ref\": \"#\"}}]}",
        "{\"oneOf\": [{\"items\": {\"contains\": {\"type\": \"null\"}}, "
        "\"minItems\": 1}, {\"items\": {\"$ref\": \"#\"}}]}",
        "{\"not\": {\"not\": {\"items\": {\"$ref\": \"#\"}}}}",
        "{\"if\": {\"items\": {\"$ref\": \"#\"}}, \"else\": false}",
        "{\"if\": {\"type\": \"array\"}, \"then\": {\"items\": {\"$ref\": \"#\"}}}",
        "{\"anyOf\": [{\"maxItems\": 0}, {\"contains\": {\"$ref\": \"#\"}}]}",
        "{\"unevaluatedItems\": {\"$ref\": \"#\"}}",
        "{\"$id\": \"http://localhost/\", \"$dynamicAnchor\": \"a\", "
        "\"items\": {\"$dynamicRef\": \"#a\"}}",
    };
    g_autoptr(OcpDocument) document = nested(FEWER_LEVELS, false);
    for (gsize i = 0; i < G_N_ELEMENTS(schemas); i++) {
        g_autoptr(OcpSchema) schema = test_load_text(schemas[i]);
        Job job = {schema, document, NULL, false};
        if (!check_on_small_stack(&job))
            ocp_test_fail("%s: refused", schemas[i]);
    }
}

/* Without an end at one value the check ends of itself. */
static void
a_schema_that_leads_to_itself_needs_no_stack_either(void)
{
    static const char *const schemas[] = {
        "{\"$ref\": \"#\"}",
        "{\"allOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}",
        "{\"anyOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}",
        "{\"minItems\": 9, \"oneOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}",
        "{\"not\": {\"$ref\": \"#\"}}",
        "{\"if\": {\"$ref\": \"#\"}}",
        "{\"unevaluatedItems\": false, \"$ref\": \"#\"}",
    };
    g_autoptr(OcpDocument) document = nested(3, true);
    for (gsize i = 0; i < G_N_ELEMENTS(schemas); i++) {
        g_autoptr(OcpSchema) schema = test_load_text(schemas[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        Job job = {schema, document, report, true};
        if (check_on_small_stack(&job) || report->diagnostics->len == 0)
            ocp_test_fail("%s: accepted", schemas[i]);
    }
}

OCP_TEST_MAIN("schema-depth",
              {"a million levels are checked", a_million_levels_are_checked},
              {"a fault a million levels down is told",
               a_fault_a_million_levels_down_is_told},
              {"every way down is checked", every_way_down_is_checked},
              {"a schema that leads to itself needs no stack either",
               a_schema_that_leads_to_itself_needs_no_stack_either})
