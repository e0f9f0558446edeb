/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "value/node.h"
#include "value/pointer.h"

static void
a_linked_node_keeps_its_identity(void)
{
    g_autoptr(OcpDocument) one = ocp_document_new("one");
    g_autoptr(OcpDocument) two = ocp_document_new("two");
    OcpBuilder source = ocp_build(one, ocp_make_object(one));
    ocp_build_named(&source, "a", ocp_make_text(one, "text"));
    one->root = source.container;
    const OcpNode *original = ocp_member(one->root, "a");

    OcpBuilder copy = ocp_build(two, ocp_make_array(two));
    ocp_build_element(&copy, original);
    ocp_build_element(&copy, original);
    ocp_document_borrow(two, one);
    CU_ASSERT_PTR_EQUAL(ocp_element(copy.container, 0), original);
    CU_ASSERT_PTR_EQUAL(ocp_element(copy.container, 1), original);
    CU_ASSERT_EQUAL(copy.container->size, 2);
}

static void
a_large_object_finds_members_and_twins_by_hash(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    for (gint64 i = 0; i < 1000; i++) {
        g_autofree char *name = g_strdup_printf("m%d", (int)i);
        ocp_build_named(&build, name, ocp_make_integer(document, i));
    }
    CU_ASSERT_PTR_NULL(ocp_object_seal(document, build.container));
    CU_ASSERT(build.container->flags & OCP_NODE_INDEXED);
    const OcpNode *found = ocp_member(build.container, "m777");
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_NSTRING_EQUAL(found->as.text, "777", 3);
    CU_ASSERT_PTR_NULL(ocp_member(build.container, "m1000"));

    OcpBuilder twins = ocp_build(document, ocp_make_object(document));
    ocp_build_named(&twins, "x", ocp_make_null(document));
    ocp_build_named(&twins, "x", ocp_make_null(document));
    CU_ASSERT_PTR_NOT_NULL(ocp_object_seal(document, twins.container));
}

/* Two-byte pieces of the same FNV-1a hash would need a search; equal low bits do not. */
static void
keys_chosen_to_collide_stay_cheap(void)
{
    enum { WANTED = 3000 };
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    for (guint i = 0; build.container->size < WANTED; i++) {
        g_autofree char *name = g_strdup_printf("k%x", i);
        OcpNode probe = {
            .kind = OCP_STRING, .as.text = name, .size = (guint32)strlen(name)};
        if ((ocp_text_hash(&probe) & 0x1FFF) < 4)
            ocp_build_named(&build, name, ocp_make_null(document));
    }
    CU_ASSERT_PTR_NULL(ocp_object_seal(document, build.container));
    guint found = 0;
    OcpIter iter = ocp_iter(build.container);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        found += ocp_member_like(build.container, key) == value;
    CU_ASSERT_EQUAL(found, WANTED);
    CU_ASSERT_PTR_NULL(ocp_member(build.container, "no such key"));
}

static void
escaped_strings_compare_by_their_code_points(void)
{
    OcpNode plain = {.kind = OCP_STRING, .as.text = "a\"\xF0\x9F\x98\x80", .size = 6};
    OcpNode escaped = {.kind = OCP_STRING,
                       .flags = OCP_NODE_ESCAPED,
                       .as.text = "\\u0061\\\"\\ud83d\\ude00",
                       .size = 20};
    CU_ASSERT(ocp_text_equal(&plain, &escaped));
    CU_ASSERT_EQUAL(ocp_text_hash(&plain), ocp_text_hash(&escaped));
}

static void
pointers_find_and_name_places(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpBuilder root = ocp_build(document, ocp_make_object(document));
    OcpBuilder list = ocp_build(document, ocp_make_array(document));
    OcpNode *leaf = ocp_make_null(document);
    ocp_build_element(&list, ocp_make_integer(document, 1));
    ocp_build_element(&list, leaf);
    ocp_build_named(&root, "a/b~", list.container);
    document->root = root.container;
    CU_ASSERT_PTR_EQUAL(ocp_pointer_find(document->root, "/a~1b~0/1"), leaf);
    CU_ASSERT_PTR_NULL(ocp_pointer_find(document->root, "/a~1b~0/01"));
    g_autoptr(OcpPlaces) places = ocp_places_new(document);
    g_autoptr(GString) pointer = g_string_new(NULL);
    ocp_places_pointer(places, leaf, pointer);
    CU_ASSERT_STRING_EQUAL(pointer->str, "/a~1b~0/1");
}

OCP_TEST_MAIN("value-node",
              {"a linked node keeps its identity", a_linked_node_keeps_its_identity},
              {"a large object finds members and twins by hash",
               a_large_object_finds_members_and_twins_by_hash},
              {"keys chosen to collide stay cheap", keys_chosen_to_collide_stay_cheap},
              {"escaped strings compare by code points",
               escaped_strings_compare_by_their_code_points},
              {"pointers find and name places", pointers_find_and_name_places})
