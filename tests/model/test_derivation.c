/* SPDX-License-Identifier: Apache-2.0 */
#include "model/derivation.h"

#include "model_text.h"

static void
expect_json(const OcpDerivation *derivation, const char *expected)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(GString) json = g_string_new(NULL);
    ocp_json_write(ocp_derivation_build(derivation, made), true, json);
    CU_ASSERT_STRING_EQUAL(json->str, expected);
    if (strcmp(json->str, expected) != 0)
        ocp_test_fail("%s", json->str);
}

static void
an_empty_ledger_names_its_method_only(void)
{
    g_autoptr(OcpDerivation) derivation = ocp_derivation_new("converted");
    expect_json(derivation, "{\"method\":\"converted\"}");
}

static void
entries_stand_in_the_order_of_the_calls(void)
{
    g_autoptr(OcpDocument) source =
        read_text("source", "[{\"protocol\": \"local.x\", \"id\": \"b\"},"
                            " {\"protocol\": \"local.x\", \"id\": \"a\"}]");
    g_autoptr(OcpDerivation) derivation = ocp_derivation_new("converted");
    ocp_derivation_input_session(derivation, ocp_element(source->root, 0));
    ocp_derivation_input_checkpoint(derivation, "urn:x:1");
    ocp_derivation_input_session(derivation, ocp_element(source->root, 1));
    ocp_derivation_omit(derivation, "2 values at /b", "sensitive", "source");
    ocp_derivation_omit(derivation, "1 value at /a", "unavailable", NULL);
    ocp_derivation_transform(derivation, "objective made", NULL, 0);
    const char *const ids[] = {"s2", "s1"};
    ocp_derivation_transform(derivation, "texts cut", ids, 2);
    expect_json(
        derivation,
        "{\"method\":\"converted\",\"inputs\":[{\"session\":{\"protocol\":\"local.x\","
        "\"id\":\"b\"}},{\"checkpoint\":\"urn:x:1\"},{\"session\":{\"protocol\":"
        "\"local.x\",\"id\":\"a\"}}],\"omissions\":[{\"description\":\"2 values at "
        "/b\","
        "\"reason\":\"sensitive\",\"recoverable_from\":\"source\"},{\"description\":"
        "\"1 value at /a\",\"reason\":\"unavailable\"}],\"transformations\":["
        "{\"description\":\"objective made\"},{\"description\":\"texts "
        "cut\",\"affected\":"
        "[\"s2\",\"s1\"]}]}");
}

static void
what_is_said_twice_stands_once(void)
{
    g_autoptr(OcpDocument) source =
        read_text("source", "[{\"protocol\": \"p.x\", \"id\": \"a\"},"
                            " {\"id\": \"a\", \"protocol\": \"p.x\"}]");
    g_autoptr(OcpDerivation) derivation = ocp_derivation_new("converted");
    ocp_derivation_input_session(derivation, ocp_element(source->root, 0));
    ocp_derivation_input_session(derivation, ocp_element(source->root, 1));
    ocp_derivation_input_checkpoint(derivation, "c");
    ocp_derivation_input_checkpoint(derivation, "c");
    ocp_derivation_omit(derivation, "d", "size", NULL);
    ocp_derivation_omit(derivation, "d", "size", NULL);
    ocp_derivation_omit(derivation, "d", "size", "source");
    const char *const first[] = {"a", "b", "a"};
    const char *const second[] = {"c", "b"};
    ocp_derivation_transform(derivation, "t", first, 3);
    ocp_derivation_transform(derivation, "t", second, 2);
    expect_json(
        derivation,
        "{\"method\":\"converted\",\"inputs\":[{\"session\":{\"protocol\":\"p.x\","
        "\"id\":\"a\"}},{\"checkpoint\":\"c\"}],\"omissions\":[{\"description\":"
        "\"d\",\"reason\":\"size\"},{\"description\":\"d\",\"reason\":\"size\","
        "\"recoverable_from\":\"source\"}],\"transformations\":[{\"description\":"
        "\"t\",\"affected\":[\"a\",\"b\",\"c\"]}]}");
}

static void
only_reasons_of_opencheckpoint_are_written(void)
{
    g_autoptr(OcpDerivation) derivation = ocp_derivation_new("converted");
    ocp_derivation_omit(derivation, "d", "no_place", NULL);
    expect_json(derivation, "{\"method\":\"converted\",\"omissions\":[{\"description\":"
                            "\"d\",\"reason\":\"irrelevant\"}]}");
    CU_ASSERT(ocp_derivation_reason_valid("superseded"));
    CU_ASSERT_FALSE(ocp_derivation_reason_valid("no_place"));
    CU_ASSERT_FALSE(ocp_derivation_reason_valid(NULL));
}

OCP_TEST_MAIN("model-derivation",
              {"an empty ledger names its method only",
               an_empty_ledger_names_its_method_only},
              {"entries stand in the order of the calls",
               entries_stand_in_the_order_of_the_calls},
              {"what is said twice stands once", what_is_said_twice_stands_once},
              {"only reasons of OpenCheckpoint are written",
               only_reasons_of_opencheckpoint_are_written})
