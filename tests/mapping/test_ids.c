/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/ids.h"

#include <string.h>

#include "support.h"
#include "text/canonical.h"

static const char *
final_of(OcpIds *ids, const char *raw)
{
    return ocp_ids_final(ids, raw, strlen(raw), NULL);
}

/* ^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$ */
static bool
is_local_id(const char *id)
{
    gsize length = strlen(id);
    if (length < 1 || length > 128 || !g_ascii_isalnum(id[0]))
        return false;
    for (const char *at = id; *at != '\0'; at++)
        if (!g_ascii_isalnum(*at) && strchr("._:-", *at) == NULL)
            return false;
    return true;
}

static void
a_raw_id_that_is_good_stays(void)
{
    g_autoptr(OcpIds) ids = ocp_ids_new();
    CU_ASSERT_STRING_EQUAL(final_of(ids, "issue-143"), "issue-143");
    CU_ASSERT_STRING_EQUAL(final_of(ids, "A.b_c:d-1"), "A.b_c:d-1");
    g_autofree char *longest = g_strnfill(128, 'a');
    CU_ASSERT_STRING_EQUAL(final_of(ids, longest), longest);
}

static void
a_raw_id_that_is_not_is_repaired_and_marked(void)
{
    static const struct {
        const char *raw;
        const char *start;
    } cases[] = {
        {"branch-a/b", "branch-a-b-"}, {"-x", "x-x-"}, {"é1", "x-1-"},
        {"a b\tc", "a-b-c-"},          {"", "x-"},     {"task-😀-1", "task---1-"},
        {".hidden", "x.hidden-"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpIds) ids = ocp_ids_new();
        const char *raw = cases[i].raw;
        g_autofree char *digest = ocp_sha256(raw, strlen(raw));
        g_autofree char *expected = g_strdup_printf("%s%.8s", cases[i].start, digest);
        CU_ASSERT_STRING_EQUAL(final_of(ids, raw), expected);
    }
}

static void
a_long_raw_id_is_cut_and_marked(void)
{
    g_autoptr(OcpIds) ids = ocp_ids_new();
    g_autofree char *raw = g_strnfill(129, 'a');
    g_autofree char *kept = g_strnfill(110, 'a');
    g_autofree char *digest = ocp_sha256(raw, 129);
    g_autofree char *expected = g_strdup_printf("%s-%.8s", kept, digest);
    CU_ASSERT_STRING_EQUAL(final_of(ids, raw), expected);
    g_autofree char *other = g_strnfill(130, 'a');
    CU_ASSERT_STRING_NOT_EQUAL(final_of(ids, other), expected);
}

static void
the_same_raw_id_is_the_same_object(void)
{
    g_autoptr(OcpIds) ids = ocp_ids_new();
    gboolean is_new = FALSE;
    CU_ASSERT_PTR_NULL(ocp_ids_known(ids, "a/b", 3));
    const char *first = ocp_ids_final(ids, "a/b", 3, &is_new);
    CU_ASSERT(is_new);
    CU_ASSERT_PTR_EQUAL(ocp_ids_final(ids, "a/b", 3, &is_new), first);
    CU_ASSERT_FALSE(is_new);
    CU_ASSERT_PTR_EQUAL(ocp_ids_known(ids, "a/b", 3), first);
    CU_ASSERT_PTR_NULL(ocp_ids_known(ids, "a\0b", 3));
    CU_ASSERT_STRING_NOT_EQUAL(ocp_ids_final(ids, "a\0b", 3, NULL), first);
}

static void
a_taken_id_gets_a_number(void)
{
    g_autoptr(OcpIds) ids = ocp_ids_new();
    ocp_ids_reserve(ids, "source");
    ocp_ids_reserve(ids, "source-2");
    CU_ASSERT_STRING_EQUAL(final_of(ids, "source"), "source-3");
    CU_ASSERT_STRING_EQUAL(final_of(ids, "source-2"), "source-2-2");
    CU_ASSERT_STRING_EQUAL(final_of(ids, "source"), "source-3");
    const char *made = final_of(ids, "a b");
    g_autofree char *copy = g_strdup(made);
    g_autofree char *expected = g_strconcat(copy, "-2", NULL);
    CU_ASSERT_STRING_EQUAL(final_of(ids, copy), expected);
    g_autofree char *longest = g_strnfill(128, 'z');
    ocp_ids_reserve(ids, longest);
    const char *shorter = final_of(ids, longest);
    CU_ASSERT(is_local_id(shorter));
    CU_ASSERT(g_str_has_suffix(shorter, "z-2"));
}

static void
different_raw_ids_never_share_a_final_id(void)
{
    g_autoptr(OcpIds) ids = ocp_ids_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GRand) random = g_rand_new_with_seed(20261001);
    static const char alphabet[] = "ab-./ :x12";
    guint made = 0;
    for (int i = 0; i < 50000; i++) {
        char raw[8];
        gsize length = (gsize)g_rand_int_range(random, 0, 6);
        for (gsize k = 0; k < length; k++)
            raw[k] = alphabet[g_rand_int_range(random, 0, sizeof alphabet - 1)];
        gboolean is_new = FALSE;
        const char *id = ocp_ids_final(ids, raw, length, &is_new);
        CU_ASSERT(is_local_id(id));
        if (!is_new)
            continue;
        made++;
        if (!g_hash_table_add(seen, (gpointer)id))
            ocp_test_fail("%s is given twice", id);
    }
    CU_ASSERT_EQUAL(g_hash_table_size(seen), made);
}

OCP_TEST_MAIN("mapping-ids",
              {"a raw id that is good stays", a_raw_id_that_is_good_stays},
              {"a raw id that is not is repaired and marked",
               a_raw_id_that_is_not_is_repaired_and_marked},
              {"a long raw id is cut and marked", a_long_raw_id_is_cut_and_marked},
              {"the same raw id is the same object",
               the_same_raw_id_is_the_same_object},
              {"a taken id gets a number", a_taken_id_gets_a_number},
              {"different raw ids never share a final id",
               different_raw_ids_never_share_a_final_id})
