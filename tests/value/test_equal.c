/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "value/equal.h"

static OcpNode *
integer(OcpDocument *document, const char *text)
{
    return ocp_make_number(document, text, strlen(text));
}

/* {"k0": 0, "k1": 1, …}, from back to front if reverse. */
static OcpNode *
numbered(OcpDocument *document, gint64 count, bool reverse)
{
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    for (gint64 i = 0; i < count; i++) {
        gint64 k = reverse ? count - 1 - i : i;
        g_autofree char *name = g_strdup_printf("k%" G_GINT64_FORMAT, k);
        ocp_build_named(&build, name, ocp_make_integer(document, k));
    }
    return build.container;
}

static void
check_equal(const OcpNode *a, const OcpNode *b)
{
    CU_ASSERT(ocp_equal(a, b) && ocp_equal(b, a));
    CU_ASSERT(ocp_equal_value(a, b) && ocp_equal_value(b, a));
    CU_ASSERT_EQUAL(ocp_hash(a), ocp_hash(b));
    CU_ASSERT_EQUAL(ocp_hash_value(a), ocp_hash_value(b));
}

static void
check_different(const OcpNode *a, const OcpNode *b)
{
    CU_ASSERT_FALSE(ocp_equal(a, b) || ocp_equal(b, a));
    CU_ASSERT_FALSE(ocp_equal_value(a, b) || ocp_equal_value(b, a));
    CU_ASSERT_NOT_EQUAL(ocp_hash(a), ocp_hash(b)); /* likely, and so for these */
}

static void
scalars_are_equal_by_kind_and_text(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    const OcpNode *values[] = {ocp_make_null(document),
                               ocp_make_boolean(document, true),
                               ocp_make_boolean(document, false),
                               integer(document, "0"),
                               integer(document, "1"),
                               ocp_make_text(document, "1"),
                               ocp_make_text(document, ""),
                               ocp_make_string(document, "\0", 1),
                               ocp_make_array(document),
                               ocp_make_object(document)};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        for (guint j = 0; j < G_N_ELEMENTS(values); j++) {
            if (i == j)
                check_equal(values[i], values[j]);
            else
                check_different(values[i], values[j]);
        }
}

static void
numbers_differ_by_text_and_agree_by_value(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    const OcpNode *a = integer(document, "1");
    const OcpNode *b = integer(document, "10e-1");
    CU_ASSERT_FALSE(ocp_equal(a, b));
    CU_ASSERT(ocp_equal_value(a, b));
    CU_ASSERT_EQUAL(ocp_hash_value(a), ocp_hash_value(b));
    CU_ASSERT_FALSE(ocp_equal_value(integer(document, "12345678901234567890123"),
                                    integer(document, "12345678901234567890124")));
}

static void
strings_are_equal_by_code_points(void)
{
    OcpNode plain = {.kind = OCP_STRING, .as.text = "A\n", .size = 2};
    OcpNode escaped = {.kind = OCP_STRING,
                       .flags = OCP_NODE_ESCAPED,
                       .as.text = "\\u0041\\n",
                       .size = 8};
    check_equal(&plain, &escaped);
}

static void
members_are_a_set_and_elements_a_list(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    check_equal(numbered(document, 5, false), numbered(document, 5, true));
    check_different(numbered(document, 5, false), numbered(document, 6, false));

    OcpBuilder a = ocp_build(document, ocp_make_array(document));
    OcpBuilder b = ocp_build(document, ocp_make_array(document));
    ocp_build_element(&a, integer(document, "1"));
    ocp_build_element(&a, integer(document, "2"));
    ocp_build_element(&b, integer(document, "2"));
    ocp_build_element(&b, integer(document, "1"));
    check_different(a.container, b.container);

    OcpBuilder x = ocp_build(document, ocp_make_object(document));
    OcpBuilder y = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&x, "a", ocp_make_null(document));
    ocp_build_named(&x, "b", ocp_make_boolean(document, true));
    ocp_build_named(&y, "a", ocp_make_boolean(document, true));
    ocp_build_named(&y, "b", ocp_make_null(document));
    check_different(x.container, y.container);
}

static void
links_count_as_what_they_stand_for(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpNode *object = numbered(document, 2, false);
    OcpBuilder first = ocp_build(document, ocp_make_array(document));
    OcpBuilder second = ocp_build(document, ocp_make_array(document));
    ocp_build_element(&first, object);
    ocp_build_element(&second, object); /* stands in first: linked */
    check_equal(first.container, second.container);
    CU_ASSERT_EQUAL(ocp_count_leaves(second.container), 2);
}

static void
large_objects_compare_in_linear_time(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpNode *a = numbered(document, 200000, false);
    OcpNode *b = numbered(document, 200000, true);
    gint64 start = g_get_monotonic_time();
    check_equal(a, b); /* without an index */
    CU_ASSERT_PTR_NULL(ocp_object_seal(document, a));
    check_equal(a, b);
    CU_ASSERT(g_get_monotonic_time() - start < 10 * G_USEC_PER_SEC);
}

static void
depth_needs_no_stack(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpNode *tops[2];
    for (int i = 0; i < 2; i++) {
        tops[i] = ocp_make_array(document);
        for (guint depth = 0; depth < 300000; depth++) {
            OcpBuilder build = ocp_build(document, ocp_make_array(document));
            ocp_build_element(&build, tops[i]);
            tops[i] = build.container;
        }
    }
    check_equal(tops[0], tops[1]);
    CU_ASSERT_EQUAL(ocp_count_leaves(tops[0]), 1);
}

static void
leaves_are_scalars_and_empty_containers(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_array(document));
    CU_ASSERT_EQUAL(ocp_count_leaves(build.container), 1);
    ocp_build_element(&build, ocp_make_array(document));
    ocp_build_element(&build, ocp_make_object(document));
    ocp_build_element(&build, numbered(document, 3, false));
    ocp_build_element(&build, ocp_make_null(document));
    CU_ASSERT_EQUAL(ocp_count_leaves(build.container), 6);
    CU_ASSERT_EQUAL(ocp_count_leaves(NULL), 0);
}

OCP_TEST_MAIN(
    "value-equal",
    {"scalars are equal by kind and text", scalars_are_equal_by_kind_and_text},
    {"numbers differ by text and agree by value",
     numbers_differ_by_text_and_agree_by_value},
    {"strings are equal by code points", strings_are_equal_by_code_points},
    {"members are a set and elements a list", members_are_a_set_and_elements_a_list},
    {"links count as what they stand for", links_count_as_what_they_stand_for},
    {"large objects compare in linear time", large_objects_compare_in_linear_time},
    {"depth needs no stack", depth_needs_no_stack},
    {"leaves are scalars and empty containers",
     leaves_are_scalars_and_empty_containers})
