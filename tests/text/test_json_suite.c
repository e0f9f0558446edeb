/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON parsing suite: y_ must be accepted, n_ refused, and i_ is ours to decide.
 */
#include <string.h>

#include "support.h"
#include "text/json.h"

#define FOLDER "suites/json/test_parsing"

/* What the RFC leaves open, and what we do. */
static const struct {
    const char *name; /* behind "i_", without ".json" */
    bool accepted;
    const char *reason;
} decisions[] = {
    {"number_double_huge_neg_exp", true, "a number is kept by its text"},
    {"number_huge_exp", true, "a number is kept by its text"},
    {"number_neg_int_huge_exp", true, "a number is kept by its text"},
    {"number_pos_double_huge_exp", true, "a number is kept by its text"},
    {"number_real_neg_overflow", true, "a number is kept by its text"},
    {"number_real_pos_overflow", true, "a number is kept by its text"},
    {"number_real_underflow", true, "a number is kept by its text"},
    {"number_too_big_neg_int", true, "a number is kept by its text"},
    {"number_too_big_pos_int", true, "a number is kept by its text"},
    {"number_very_big_negative_int", true, "a number is kept by its text"},
    {"object_key_lone_2nd_surrogate", false, "a lone surrogate is no character"},
    {"string_1st_surrogate_but_2nd_missing", false, "a lone surrogate is no character"},
    {"string_1st_valid_surrogate_2nd_invalid", false,
     "a lone surrogate is no character"},
    {"string_UTF-16LE_with_BOM", false, "JSON is exchanged in UTF-8"},
    {"string_UTF-8_invalid_sequence", false, "not UTF-8"},
    {"string_UTF8_surrogate_U+D800", false, "UTF-8 has no surrogates"},
    {"string_incomplete_surrogate_and_escape_valid", false,
     "a lone surrogate is no character"},
    {"string_incomplete_surrogate_pair", false, "a lone surrogate is no character"},
    {"string_incomplete_surrogates_escape_valid", false,
     "a lone surrogate is no character"},
    {"string_invalid_lonely_surrogate", false, "a lone surrogate is no character"},
    {"string_invalid_surrogate", false, "a lone surrogate is no character"},
    {"string_invalid_utf-8", false, "not UTF-8"},
    {"string_inverted_surrogates_U+1D11E", false, "a lone surrogate is no character"},
    {"string_iso_latin_1", false, "not UTF-8"},
    {"string_lone_second_surrogate", false, "a lone surrogate is no character"},
    {"string_lone_utf8_continuation_byte", false, "not UTF-8"},
    {"string_not_in_unicode_range", false, "beyond U+10FFFF"},
    {"string_overlong_sequence_2_bytes", false, "overlong UTF-8"},
    {"string_overlong_sequence_6_bytes", false, "overlong UTF-8"},
    {"string_overlong_sequence_6_bytes_null", false, "overlong UTF-8"},
    {"string_truncated-utf-8", false, "not UTF-8"},
    {"string_utf16BE_no_BOM", false, "JSON is exchanged in UTF-8"},
    {"string_utf16LE_no_BOM", false, "JSON is exchanged in UTF-8"},
    {"structure_500_nested_arrays", true, "within the default depth of 512"},
    {"structure_UTF-8_BOM_empty_object", true, "the mark is skipped, with a note"},
};

/* Where we are stricter than the suite: the RFC says that names SHOULD be unique,
 * readers differ in which twin they keep, and a checkpoint must mean one thing. */
static const char *const twins[] = {"y_object_duplicated_key.json",
                                    "y_object_duplicated_key_and_value.json"};

static bool
is_twin(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(twins); i++)
        if (strcmp(name, twins[i]) == 0)
            return true;
    return false;
}

/* Whether a file of this name is to be accepted; fails if the list does not say. */
static bool
is_expected(const char *name)
{
    if (name[0] != 'i')
        return name[0] == 'y';
    for (guint i = 0; i < G_N_ELEMENTS(decisions); i++) {
        gsize length = strlen(decisions[i].name);
        if (strncmp(name + 2, decisions[i].name, length) == 0 &&
            strcmp(name + 2 + length, ".json") == 0)
            return decisions[i].accepted;
    }
    ocp_test_fail("%s: nobody decided", name);
    return false;
}

/* True if the file does what it should: accepted without an error, or refused with just
 * one. */
static bool
behaves(const char *path)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autofree char *name = g_path_get_basename(path);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    bool accepted = ocp_json_read(bytes, name, &limits, report, &document);
    if (is_twin(name)) {
        OcpDiagnostic *error = report->diagnostics->pdata[0];
        CU_ASSERT_FALSE(accepted);
        CU_ASSERT_STRING_EQUAL(error->code, "json.duplicate-key");
        return false;
    }
    if (accepted != is_expected(name)) {
        ocp_test_fail("%s: %s", name, accepted ? "accepted" : "refused");
        return false;
    }
    if (report->counts[OCP_ERROR] == (accepted ? 0 : 1))
        return true;
    ocp_test_fail("%s: %u errors", name, report->counts[OCP_ERROR]);
    return false;
}

static void
every_file_of_the_suite_behaves(void)
{
    static const struct {
        const char *prefix;
        const char *title;
        guint size;
        guint excepted;
    } groups[] = {{"y_", "json-parsing y_ accepted", 95, G_N_ELEMENTS(twins)},
                  {"n_", "json-parsing n_ refused", 188, 0},
                  {"i_", "json-parsing i_ as documented", 35, 0}};
    g_autofree char *folder = ocp_test_shared(FOLDER);
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    CU_ASSERT_EQUAL(paths->len, 318);
    for (guint g = 0; g < G_N_ELEMENTS(groups); g++) {
        guint passed = 0;
        guint total = 0;
        for (guint i = 0; i < paths->len; i++) {
            const char *slash = strrchr(paths->pdata[i], '/');
            if (!g_str_has_prefix(slash + 1, groups[g].prefix))
                continue;
            total++;
            passed += behaves(paths->pdata[i]);
        }
        ocp_test_count(groups[g].title, passed, total);
        CU_ASSERT_EQUAL(passed + groups[g].excepted, total);
        CU_ASSERT_EQUAL(total, groups[g].size);
    }
    for (guint i = 0; i < G_N_ELEMENTS(twins); i++)
        printf("  %s: refused, duplicate keys are errors\n", twins[i]);
    for (guint i = 0; i < G_N_ELEMENTS(decisions); i++)
        printf("  i_%s: %s, %s\n", decisions[i].name,
               decisions[i].accepted ? "accepted" : "refused", decisions[i].reason);
}

OCP_TEST_MAIN("text-json-suite",
              {"every file of the suite behaves", every_file_of_the_suite_behaves})
