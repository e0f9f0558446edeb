/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "text/canonical.h"
#include "text/json.h"
#include "value/pointer.h"

/* NULL if it is refused. */
static OcpDocument *
read_bytes(GBytes *bytes)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    ocp_json_read(bytes, NULL, &limits, report, &document);
    return document;
}

static void
check_canonical(const char *text, OcpCanonicalNumbers numbers, const char *expected)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    g_autoptr(OcpDocument) document = read_bytes(bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    g_autoptr(GString) out = g_string_new(NULL);
    ocp_canonical_append(document->root, numbers, out);
    CU_ASSERT_STRING_EQUAL(out->str, expected);
}

static void
members_are_sorted_by_code_point(void)
{
    /* U+FF5E comes before U+1F600, though not in UTF-16. */
    check_canonical(
        "{\"b\":1,\"a\":{\"\xF0\x9F\x98\x80\":2,\"\xEF\xBD\x9E\":3,\"\":[]},"
        "\"\\u0061a\":{}}",
        OCP_CANONICAL_TEXT,
        "{\"a\":{\"\":[],\"\xEF\xBD\x9E\":3,\"\xF0\x9F\x98\x80\":2},"
        "\"aa\":{},\"b\":1}");
}

static void
only_the_required_escapes_are_used(void)
{
    check_canonical("[\"\\/\\u0041\\u001F\\n\x7F\\u2028\\\"\\\\\\u0000\"]",
                    OCP_CANONICAL_TEXT,
                    "[\"/A\\u001f\\n\x7F\xE2\x80\xA8\\\"\\\\\\u0000\"]");
}

static void
numbers_have_three_spellings(void)
{
    const char *text = "[120, 1.50, -0, 1e400, 1.0, 0.00001, true]";
    check_canonical(text, OCP_CANONICAL_TEXT, "[120,1.50,-0,1e400,1.0,0.00001,true]");
    check_canonical(text, OCP_CANONICAL_VALUE, "[12e1,15e-1,0,1e400,1e0,1e-5,true]");
    check_canonical(text, OCP_CANONICAL_PYTHON, "[120,1.5,0,Infinity,1.0,1e-05,true]");
}

static void
digests_are_those_of_the_standards(void)
{
    g_autofree char *empty = ocp_sha256("", 0);
    CU_ASSERT_STRING_EQUAL(
        empty, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    g_autofree char *abc = ocp_sha256("abc", 3);
    CU_ASSERT_STRING_EQUAL(
        abc, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    g_autofree char *none = ocp_urn_uuid5("", 0);
    CU_ASSERT_STRING_EQUAL(none, "urn:uuid:b483f5e5-1ec6-586a-9db9-fab069598905");
    g_autofree char *pulse = ocp_urn_uuid5("caop-pulse\nabc", 14);
    CU_ASSERT_STRING_EQUAL(pulse, "urn:uuid:172ce0da-4d69-55c3-b2e3-405cadcb1d4f");
}

/* How the content of this manifest hashes; NULL if the document has none to hash. */
static char *
content_digest(const OcpDocument *document, const OcpNode **ret_expected)
{
    const OcpNode *content = ocp_pointer_find(document->root, "/manifest/content");
    *ret_expected = ocp_pointer_find(document->root, "/manifest/content_hash");
    if (content == NULL || !ocp_is(*ret_expected, OCP_STRING))
        return NULL;
    return ocp_canonical_digest(content, OCP_CANONICAL_PYTHON);
}

static void
manifest_hashes_of_the_corpus_are_reproduced(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/session-checkpoint/v2");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    guint same = 0;
    guint total = 0;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(paths->pdata[i]);
        g_autoptr(OcpDocument) document = read_bytes(bytes);
        g_autofree char *name = g_path_get_basename(paths->pdata[i]);
        const OcpNode *expected = NULL;
        g_autofree char *digest =
            document != NULL ? content_digest(document, &expected) : NULL;
        if (digest == NULL)
            continue;
        bool match = ocp_text_is(expected, digest);
        if (match && g_str_has_prefix(name, "bad-hash-"))
            ocp_test_fail("%s: the hash matches", name);
        if (g_str_has_prefix(name, "bad-"))
            continue;
        if (!match)
            ocp_test_fail("%s: %s", name, digest);
        same += match;
        total++;
    }
    ocp_test_count("content hashes", same, total);
    CU_ASSERT(total >= 40);
}

static void
deep_values_need_no_stack(void)
{
    g_autoptr(OcpDocument) document = ocp_document_new(NULL);
    OcpNode *top = ocp_make_array(document);
    for (guint depth = 0; depth < 300000; depth++) {
        OcpBuilder build = ocp_build(document, ocp_make_object(document));
        ocp_build_named(&build, "a", top);
        top = build.container;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    ocp_canonical_append(top, OCP_CANONICAL_VALUE, out);
    CU_ASSERT_EQUAL(out->len, 300000 * 6 + 2);
}

OCP_TEST_MAIN("text-canonical",
              {"members are sorted by code point", members_are_sorted_by_code_point},
              {"only the required escapes are used",
               only_the_required_escapes_are_used},
              {"numbers have three spellings", numbers_have_three_spellings},
              {"digests are those of the standards",
               digests_are_those_of_the_standards},
              {"manifest hashes of the corpus are reproduced",
               manifest_hashes_of_the_corpus_are_reproduced},
              {"deep values need no stack", deep_values_need_no_stack})
