/* SPDX-License-Identifier: Apache-2.0 */
/* The public header, by what it promises. */
#include <string.h>

#include "library/ocp.h"
#include "support.h"

/* Nothing of the layers: a caller has the public header only. */
typedef struct {
    OcpConverter *converter;
    OcpReport *report;
    OcpDocument **documents;
    OcpConversion *conversion;
} World;

static void
clear(World *world)
{
    ocp_free_conversion(world->conversion);
    ocp_free_documents(world->documents);
    ocp_free_report(world->report);
    ocp_free_converter(world->converter);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(World, clear)

static World
begin(void)
{
    World world = {.converter = ocp_new_converter(), .report = ocp_new_report()};
    return world;
}

static bool
read_text(World *world, const char *text, const char *name)
{
    return ocp_read_documents(world->converter, text, strlen(text), name, OCP_READ_AUTO,
                              world->report, &world->documents);
}

static char *
load(const char *path)
{
    g_autofree char *whole = ocp_test_source(path);
    char *text = NULL;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(whole, &text, NULL, NULL));
    return text;
}

static bool
read_case(World *world)
{
    g_autofree char *text = load("fixtures/specrail/handoff/input.json");
    return read_text(world, text, "input.json");
}

static const char *
last_code(const World *world)
{
    size_t count = ocp_count_messages(world->report);
    const char *code =
        count > 0 ? ocp_message_text(world->report, count - 1, OCP_MESSAGE_CODE) : NULL;
    return code != NULL ? code : "";
}

static void
converts_and_accounts(void)
{
    g_auto(World) world = begin();
    size_t size = 0;
    CU_ASSERT_TRUE_FATAL(read_case(&world));
    CU_ASSERT_TRUE_FATAL(ocp_convert_document(world.converter, world.documents[0], NULL,
                                              world.report, &world.conversion));
    CU_ASSERT_STRING_EQUAL(ocp_conversion_to(world.conversion), "opencheckpoint");
    CU_ASSERT_PTR_NOT_NULL(ocp_conversion_text(world.conversion, &size));
    CU_ASSERT_TRUE(size > 0);
    size_t sum = 0;
    for (int fate = OCP_VALUE_MAPPED; fate <= OCP_VALUE_OMITTED; fate++)
        sum += ocp_count_fate(world.conversion, (OcpValueFate)fate);
    CU_ASSERT_EQUAL(sum, ocp_count_values(world.conversion));
    OcpValue value = {0};
    CU_ASSERT_TRUE(ocp_get_value(world.conversion, 0, &value));
    CU_ASSERT_PTR_NOT_NULL(value.pointer);
    CU_ASSERT_FALSE(ocp_get_value(world.conversion, sum, &value));
}

static void
round_trip_is_exact(void)
{
    g_auto(World) world = begin();
    size_t differences = 99;
    CU_ASSERT_TRUE_FATAL(read_case(&world));
    CU_ASSERT_TRUE(ocp_round_trip_document(world.converter, world.documents[0], NULL,
                                           world.report, &differences));
    CU_ASSERT_EQUAL(differences, 0);
}

static void
a_fault_has_a_place(void)
{
    g_auto(World) world = begin();
    unsigned line = 0;
    unsigned column = 0;
    CU_ASSERT_FALSE(read_text(&world, "{\n  \"a\": 1,\n  \"a\": 2\n}\n", "twice.json"));
    CU_ASSERT_PTR_NULL(world.documents);
    CU_ASSERT_STRING_EQUAL(last_code(&world), "json.duplicate-key");
    CU_ASSERT_EQUAL(ocp_message_level(world.report, 0), OCP_LEVEL_ERROR);
    ocp_message_place(world.report, 0, &line, &column);
    CU_ASSERT_EQUAL(line, 3);
    CU_ASSERT_EQUAL(column, 3);
    CU_ASSERT_STRING_EQUAL(ocp_message_text(world.report, 0, OCP_MESSAGE_FILE),
                           "twice.json");
    CU_ASSERT_PTR_NULL(ocp_message_text(world.report, 1, OCP_MESSAGE_CODE));
}

static void
no_report_is_needed(void)
{
    g_auto(World) world = begin();
    CU_ASSERT_FALSE(ocp_read_documents(world.converter, "{", 1, NULL, OCP_READ_JSON,
                                       NULL, &world.documents));
    CU_ASSERT_TRUE(ocp_read_documents(world.converter, "{}", 2, NULL, OCP_READ_JSON,
                                      NULL, &world.documents));
    CU_ASSERT_FALSE(ocp_convert_document(world.converter, world.documents[0], NULL,
                                         NULL, &world.conversion));
    CU_ASSERT_PTR_NULL(world.conversion);
    ocp_free_documents(NULL);
    ocp_free_conversion(NULL);
    ocp_free_report(NULL);
    ocp_free_converter(NULL);
    ocp_free_document(NULL);
    ocp_free_text(NULL);
}

static void
many_documents(void)
{
    g_auto(World) world = begin();
    const char *lines = "{\"a\":1}\n{\"b\":2}\n";
    CU_ASSERT_TRUE_FATAL(ocp_read_documents(world.converter, lines, strlen(lines), NULL,
                                            OCP_READ_LINES, world.report,
                                            &world.documents));
    CU_ASSERT_PTR_NOT_NULL(world.documents[0]);
    CU_ASSERT_PTR_NOT_NULL(world.documents[1]);
    CU_ASSERT_PTR_NULL(world.documents[2]);
}

static void
nothing_is_no_document(void)
{
    g_auto(World) world = begin();
    for (int syntax = OCP_READ_AUTO; syntax <= OCP_READ_LINES; syntax++)
        CU_ASSERT_FALSE(ocp_read_documents(world.converter, "", 0, NULL,
                                           (OcpReadSyntax)syntax, world.report,
                                           &world.documents));
    CU_ASSERT_TRUE(ocp_count_messages(world.report) > 0);
}

static void
strict_refuses_and_still_accounts(void)
{
    g_auto(World) world = begin();
    OcpSettings settings = OCP_SETTINGS_DEFAULT;
    settings.strict = true;
    g_autofree char *text = load("fixtures/specrail/handoff/input.json");
    settings.to = "caop-resume-brief";
    CU_ASSERT_TRUE_FATAL(read_text(&world, text, "input.json"));
    bool done = ocp_convert_document(world.converter, world.documents[0], &settings,
                                     world.report, &world.conversion);
    size_t size = 1;
    CU_ASSERT_FALSE(done);
    CU_ASSERT_STRING_EQUAL(last_code(&world), "strict.refused");
    CU_ASSERT_PTR_NOT_NULL_FATAL(world.conversion);
    CU_ASSERT_PTR_NULL(ocp_conversion_text(world.conversion, &size));
    CU_ASSERT_EQUAL(size, 0);
    CU_ASSERT_TRUE(ocp_count_fate(world.conversion, OCP_VALUE_OMITTED) > 0);
}

static void
adds_a_dialect_until_frozen(void)
{
    g_auto(World) world = begin();
    g_autofree char *schema = load("fixtures/added-dialect/garden-list.schema.json");
    g_autofree char *mapping = load("fixtures/added-dialect/garden-list.yaml");
    g_autofree char *text = load("fixtures/added-dialect/document.json");
    char *dialect = NULL;
    CU_ASSERT_TRUE(ocp_add_schema(world.converter, "garden-list.schema.json", schema,
                                  strlen(schema), world.report));
    CU_ASSERT_TRUE(ocp_add_mapping(world.converter, "garden-list.yaml", mapping,
                                   strlen(mapping), world.report));
    CU_ASSERT_FALSE(ocp_add_mapping(world.converter, "a/b.yaml", mapping,
                                    strlen(mapping), world.report));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "usage.name");
    CU_ASSERT_TRUE(ocp_freeze_converter(world.converter, world.report));
    CU_ASSERT_FALSE(ocp_add_mapping(world.converter, "garden-list.yaml", mapping,
                                    strlen(mapping), world.report));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "usage.frozen");
    CU_ASSERT_TRUE_FATAL(read_text(&world, text, "document.json"));
    CU_ASSERT_TRUE_FATAL(ocp_detect_dialect(world.converter, world.documents[0],
                                            world.report, &dialect));
    CU_ASSERT_STRING_EQUAL(dialect, "garden-list");
    ocp_free_text(dialect);
    CU_ASSERT_TRUE(
        ocp_check_document(world.converter, world.documents[0], NULL, world.report));
}

static void
a_bad_mapping_is_told_when_frozen(void)
{
    g_auto(World) world = begin();
    CU_ASSERT_TRUE(
        ocp_add_mapping(world.converter, "bad.yaml", "mapping: 1\n", 11, world.report));
    CU_ASSERT_FALSE(ocp_freeze_converter(world.converter, world.report));
    CU_ASSERT_TRUE(g_str_has_prefix(last_code(&world), "mapping."));
}

static void
lists_dialects(void)
{
    g_auto(World) world = begin();
    const OcpDialectEntry *const *entries = NULL;
    size_t count = 0;
    bool seen = false;
    CU_ASSERT_TRUE_FATAL(
        ocp_list_dialects(world.converter, world.report, &entries, &count));
    for (size_t i = 0; i < count; i++)
        seen = seen || (strcmp(entries[i]->name, "opencheckpoint") == 0 &&
                        entries[i]->reads && entries[i]->writes);
    CU_ASSERT_TRUE(seen);
}

static void
bounds_hold(void)
{
    g_auto(World) world = begin();
    OcpBounds bounds = OCP_BOUNDS_DEFAULT;
    bounds.depth = 2;
    bounds.bytes = 10;
    CU_ASSERT_TRUE(ocp_set_bounds(world.converter, &bounds, world.report));
    CU_ASSERT_FALSE(read_text(&world, "[[[1]]]", NULL));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "json.depth");
    CU_ASSERT_FALSE(read_text(&world, "[1, 2, 3, 4, 5]", NULL));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "io.size");
    CU_ASSERT_FALSE(ocp_set_bounds(world.converter, &bounds, world.report));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "usage.frozen");
}

static void
an_older_caller_has_a_shorter_struct(void)
{
    g_auto(World) world = begin();
    OcpSettings settings;
    memset(&settings, 0xff, sizeof settings); /* what lies behind the caller's struct */
    settings.struct_size = offsetof(OcpSettings, to);
    settings.from = NULL;
    CU_ASSERT_TRUE_FATAL(read_case(&world));
    CU_ASSERT_TRUE(ocp_convert_document(world.converter, world.documents[0], &settings,
                                        world.report, &world.conversion));
    settings.struct_size = 0;
    CU_ASSERT_FALSE(ocp_convert_document(world.converter, world.documents[0], &settings,
                                         world.report, &world.conversion));
    CU_ASSERT_STRING_EQUAL(last_code(&world), "usage.value");
}

OCP_TEST_MAIN("library-library", {"converts and accounts", converts_and_accounts},
              {"a round trip is exact", round_trip_is_exact},
              {"a fault has a place", a_fault_has_a_place},
              {"no report is needed", no_report_is_needed},
              {"many documents", many_documents},
              {"nothing is no document", nothing_is_no_document},
              {"strict refuses and still accounts", strict_refuses_and_still_accounts},
              {"a dialect is added until frozen", adds_a_dialect_until_frozen},
              {"a bad mapping is told when frozen", a_bad_mapping_is_told_when_frozen},
              {"dialects are listed", lists_dialects}, {"bounds hold", bounds_hold},
              {"an older caller has a shorter struct",
               an_older_caller_has_a_shorter_struct})
