/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns for paths. */
#include "batch/glob.h"

#include <string.h>

#include "support.h"

typedef struct {
    const char *pattern;
    const char *path;
    bool matches;
} Row;

static void
check(const Row *rows, gsize count)
{
    for (gsize i = 0; i < count; i++)
        if (ocp_glob_matches(rows[i].pattern, rows[i].path) != rows[i].matches)
            ocp_test_fail("%s %s %s", rows[i].pattern,
                          rows[i].matches ? "does not match" : "matches", rows[i].path);
    CU_PASS("all rows seen");
}

static void
test_last_part(void)
{
    static const Row rows[] = {
        {"*.json", "a.json", true},
        {"*.json", "x/y/a.json", true},
        {"*.json", "a.jsonl", false},
        {"a", "a/b", false},
        {"?.json", "x/a.json", true},
        {"?.json", ".json", false},
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"*a*b*c*", "xaxbxcx", true},
        {"*a*b*c*", "xaxcxbx", false},
    };
    check(rows, G_N_ELEMENTS(rows));
}

static void
test_whole_path(void)
{
    static const Row rows[] = {
        {"x/*", "x/a", true},        {"x/*", "x/y/a", false},
        {"x/*", "y/x/a", false},     {"x/**", "x/y/a", true},
        {"x/**", "x/", true},        {"**/a", "a", true},
        {"**/a", "x/y/a", true},     {"**/a", "xa", false},
        {"**/a", "x/ba", false},     {"x/**/a", "x/a", true},
        {"x/**/a", "x/y/z/a", true}, {"x/**/a", "xa", false},
        {"x?a/", "x/a/", false},     {"x/[!b]", "x/a", true},
        {"**/y/**", "x/y/z", true},  {"**/y/**", "x/yy/z", false},
    };
    check(rows, G_N_ELEMENTS(rows));
}

static void
test_sets_and_escapes(void)
{
    static const Row rows[] = {
        {"[abc]", "b", true},        {"[abc]", "d", false},     {"[a-c]x", "bx", true},
        {"[!a-c]x", "bx", false},    {"[^a-c]x", "dx", true},   {"[]]", "]", true},
        {"[!]]", "]", false},        {"[a-]", "-", true},       {"[", "[", true},
        {"[a", "[a", true},          {"\\*", "*", true},        {"\\*", "a", false},
        {"[\\]]", "]", true},        {"a[/]b/", "a/b/", false}, {"\\", "\\", true},
        {"\xff*", "\xff\xfe", true}, {"?", "\xff", true},
    };
    check(rows, G_N_ELEMENTS(rows));
}

/* What takes other matchers for ever takes no time here. */
static void
test_many_stars(void)
{
    GString *pattern = g_string_new(NULL);
    for (guint i = 0; i < 200; i++)
        g_string_append(pattern, "*a**a");
    g_string_append_c(pattern, 'b');
    g_autofree char *text = g_strnfill(2000, 'a');
    CU_ASSERT_FALSE(ocp_glob_matches(pattern->str, text));
    g_string_free(pattern, TRUE);
}

OCP_TEST_MAIN("batch-glob",
              {"a pattern without / is for the last part", test_last_part},
              {"a pattern with / is for the whole path", test_whole_path},
              {"sets and escapes", test_sets_and_escapes},
              {"many stars cost no more than their number", test_many_stars})
