/* SPDX-License-Identifier: Apache-2.0 */
#include "schemas.h"

/* Walks a pointer-like path from the root: names, "*" for elements, "?" for the values
 * of undeclared members. */
static OcpShape *
at(const OcpSchema *schema, const char *path)
{
    g_auto(GStrv) steps = g_strsplit(path, "/", -1);
    OcpShape *shape = ocp_shape_root(schema);
    for (guint i = 1; *path != '\0' && steps[i] != NULL; i++) {
        OcpShape *below = NULL;
        if (strcmp(steps[i], "*") == 0)
            below = ocp_shape_element(shape);
        else if (strcmp(steps[i], "?") == 0)
            below = ocp_shape_other(shape);
        else
            below = ocp_shape_member(shape, steps[i], strlen(steps[i]));
        ocp_shape_free(shape);
        shape = below;
    }
    return shape;
}

static guint
kinds_at(const OcpSchema *schema, const char *path)
{
    g_autoptr(OcpShape) shape = at(schema, path);
    return ocp_shape_kinds(shape);
}

static bool
requires_at(const OcpSchema *schema, const char *path, const char *name)
{
    g_autoptr(OcpShape) shape = at(schema, path);
    return ocp_shape_requires(shape, name, strlen(name));
}

static bool
open_at(const OcpSchema *schema, const char *path)
{
    g_autoptr(OcpShape) shape = at(schema, path);
    return ocp_shape_is_open(shape);
}

static char *
names_at(const OcpSchema *schema, const char *path)
{
    g_autoptr(OcpShape) shape = at(schema, path);
    g_autoptr(GPtrArray) names = ocp_shape_properties(shape);
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(list, "%s%s", i > 0 ? " " : "", (char *)names->pdata[i]);
    return g_string_free(list, FALSE);
}

static void
expect_names(const OcpSchema *schema, const char *path, const char *expected)
{
    g_autofree char *names = names_at(schema, path);
    if (strcmp(names, expected) != 0)
        ocp_test_fail("%s has %s, expected %s", path, names, expected);
    else
        CU_PASS("as expected");
}

static const guint string = 1u << OCP_STRING;
static const guint object = 1u << OCP_OBJECT;
static const guint array = 1u << OCP_ARRAY;
static const guint number = 1u << OCP_NUMBER;
static const guint null = 1u << OCP_NULL;

static void
kinds_come_through_references_and_branches(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("session-checkpoint");
    CU_ASSERT_EQUAL(kinds_at(schema, ""), object);
    CU_ASSERT_EQUAL(kinds_at(schema, "/version"), number);
    CU_ASSERT_EQUAL(kinds_at(schema, "/label"), string);
    CU_ASSERT_EQUAL(kinds_at(schema, "/lineage/parent_session_id"), string | null);
    CU_ASSERT_EQUAL(kinds_at(schema, "/working_memory/*/turn_history/*/*"), string);
    CU_ASSERT_EQUAL(kinds_at(schema, "/kernel"), object);
    CU_ASSERT_EQUAL(kinds_at(schema, "/kernel/q"), 0);
    CU_ASSERT_EQUAL(kinds_at(schema, "/manifest/content/anything"), 0);
    CU_ASSERT_EQUAL(kinds_at(schema, "/nothing"), 0);

    g_autoptr(OcpSchema) checkpoint = test_load_named("opencheckpoint");
    CU_ASSERT_EQUAL(kinds_at(checkpoint, "/statements/*/kind"), string);
    CU_ASSERT_EQUAL(kinds_at(checkpoint, "/statements/*/origin/type"), string);
    CU_ASSERT_EQUAL(kinds_at(checkpoint, "/statements"), array);
    CU_ASSERT_EQUAL(kinds_at(checkpoint, "/opencheckpoint"), string);
    CU_ASSERT_EQUAL(kinds_at(checkpoint, "/resources/*/size"), number);
}

static void
places_the_schema_says_nothing_of_are_empty(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("session-checkpoint");
    static const struct {
        const char *path;
        bool empty;
    } cases[] = {{"", false},         {"/kernel", false},
                 {"/kernel/q", true}, {"/nothing", true},
                 {"/label/x", true},  {"/memory_seeds/*", false},
                 {"/kernel/?", true}, {"/manifest/content", false}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpShape) shape = at(schema, cases[i].path);
        if (ocp_shape_is_empty(shape) != cases[i].empty)
            ocp_test_fail("%s is %s", cases[i].path,
                          cases[i].empty ? "not empty" : "empty");
        else
            CU_PASS("as expected");
    }
}

static void
formats_and_descriptions_are_found(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("opencheckpoint");
    g_autoptr(OcpShape) created = at(schema, "/created_at");
    CU_ASSERT(ocp_shape_has_format(created, "date-time"));
    CU_ASSERT_FALSE(ocp_shape_has_format(created, "uri"));
    CU_ASSERT_STRING_EQUAL(ocp_shape_description(created),
                           "When the checkpoint was captured.");
    g_autoptr(OcpShape) text = at(schema, "/statements/*/text");
    CU_ASSERT_PTR_NULL(ocp_shape_description(text));
}

static void
properties_come_in_order_each_once(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("session-checkpoint");
    expect_names(
        schema, "",
        "version label turn kernel memory_seeds runtime_profile backtrack_count "
        "spec_revision related lineage working_memory manifest");
    expect_names(schema, "/kernel", "");
    expect_names(schema, "/memory_seeds/*", "key content");
    g_autoptr(OcpSchema) checkpoint = test_load_named("opencheckpoint");
    expect_names(checkpoint, "/parent", "id digest");
    expect_names(checkpoint, "/statements/*/origin", "type name ref");
}

static void
what_is_required_and_what_is_open(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("session-checkpoint");
    CU_ASSERT(requires_at(schema, "", "version"));
    CU_ASSERT(requires_at(schema, "", "kernel"));
    CU_ASSERT_FALSE(requires_at(schema, "", "label"));
    CU_ASSERT(requires_at(schema, "/kernel", "q"));
    CU_ASSERT_FALSE(open_at(schema, ""));
    CU_ASSERT(open_at(schema, "/kernel"));
    g_autoptr(OcpSchema) checkpoint = test_load_named("opencheckpoint");
    CU_ASSERT(requires_at(checkpoint, "/statements/*", "origin"));
    CU_ASSERT_FALSE(requires_at(checkpoint, "/statements/*", "rationale"));
    CU_ASSERT(requires_at(checkpoint, "/statements/*/origin", "type"));
    CU_ASSERT_FALSE(open_at(checkpoint, "/statements/*"));
    CU_ASSERT_FALSE(open_at(checkpoint, "/statements/*/origin"));
    CU_ASSERT(open_at(checkpoint, "/extensions"));
}

static void
values_of_undeclared_members_have_a_shape(void)
{
    g_autoptr(OcpSchema) schema =
        test_load_text("{\"properties\": {\"a\": {}}, \"patternProperties\": {\"^n\": "
                       "{\"type\": \"number\"}}, \"additionalProperties\": {\"type\": "
                       "\"string\"}}");
    CU_ASSERT_EQUAL(kinds_at(schema, "/?"), string | number);
    CU_ASSERT_EQUAL(kinds_at(schema, "/n1"), number);
    CU_ASSERT_EQUAL(kinds_at(schema, "/x"), string);
    CU_ASSERT_EQUAL(kinds_at(schema, "/a"), 0);
    g_autoptr(OcpShape) a = at(schema, "/a");
    CU_ASSERT_FALSE(ocp_shape_is_empty(a));
}

static void
narrowing_leaves_branches_aside(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("session-checkpoint");
    g_autoptr(OcpDocument) one = test_text("{\"version\": 1}");
    g_autoptr(OcpDocument) two = test_text("{\"version\": 2.0}");
    g_autoptr(OcpDocument) none = test_text("{}");
    g_autoptr(OcpShape) root = ocp_shape_root(schema);
    g_autoptr(OcpShape) first = ocp_shape_narrow(root, one->root);
    g_autoptr(OcpShape) second = ocp_shape_narrow(root, two->root);
    g_autoptr(OcpShape) either = ocp_shape_narrow(root, none->root);
    CU_ASSERT_FALSE(ocp_shape_requires(first, "label", 5));
    CU_ASSERT(ocp_shape_requires(second, "label", 5));
    CU_ASSERT_FALSE(ocp_shape_requires(either, "label", 5));
    CU_ASSERT(ocp_shape_requires(either, "kernel", 6));
    g_autoptr(OcpShape) lineage = ocp_shape_member(first, "lineage", 7);
    CU_ASSERT(ocp_shape_is_empty(lineage));
    g_autoptr(OcpShape) seeds = ocp_shape_member(second, "memory_seeds", 12);
    g_autoptr(OcpShape) seed = ocp_shape_element(seeds);
    CU_ASSERT(ocp_shape_is_open(seed));
}

static void
narrowing_follows_conditions(void)
{
    g_autoptr(OcpSchema) schema = test_load_named("opencheckpoint");
    g_autoptr(OcpDocument) decision = test_text("{\"kind\": \"decision\"}");
    g_autoptr(OcpDocument) question = test_text("{\"kind\": \"question\"}");
    g_autoptr(OcpShape) statement = at(schema, "/statements/*");
    g_autoptr(OcpShape) first = ocp_shape_narrow(statement, decision->root);
    g_autoptr(OcpShape) second = ocp_shape_narrow(statement, question->root);
    CU_ASSERT(ocp_shape_requires(first, "rationale", 9));
    CU_ASSERT_FALSE(ocp_shape_requires(second, "rationale", 9));
    CU_ASSERT(ocp_shape_requires(first, "origin", 6));
    CU_ASSERT_FALSE(ocp_shape_is_open(first));
}

static void
a_schema_that_leads_back_to_itself_has_a_shape(void)
{
    g_autoptr(OcpSchema) schema = test_load_text(
        "{\"allOf\": [{\"$ref\": \"#\"}], \"anyOf\": [{\"$ref\": \"#\"}, {\"$ref\": "
        "\"#\"}],"
        "\"properties\": {\"a\": {\"$ref\": \"#\"}}, \"type\": \"object\"}");
    CU_ASSERT_EQUAL(kinds_at(schema, "/a/a/a"), object);
    expect_names(schema, "/a", "a");
    CU_ASSERT(open_at(schema, "/a"));
}

OCP_TEST_MAIN("schema-shape",
              {"kinds come through references and branches",
               kinds_come_through_references_and_branches},
              {"places the schema says nothing of are empty",
               places_the_schema_says_nothing_of_are_empty},
              {"formats and descriptions are found",
               formats_and_descriptions_are_found},
              {"properties come in order, each once",
               properties_come_in_order_each_once},
              {"what is required and what is open", what_is_required_and_what_is_open},
              {"values of undeclared members have a shape",
               values_of_undeclared_members_have_a_shape},
              {"narrowing leaves branches aside", narrowing_leaves_branches_aside},
              {"narrowing follows conditions", narrowing_follows_conditions},
              {"a schema that leads back to itself has a shape",
               a_schema_that_leads_back_to_itself_has_a_shape})
