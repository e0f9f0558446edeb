/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "schema/regexp.h"
#include "support.h"

typedef struct {
    const char *pattern;
    const char *text;
    bool found;
} Case;

static void
expect(const OcpRegexp *regexp, const Case *one)
{
    if (ocp_regexp_search(regexp, one->text, strlen(one->text)) != one->found)
        ocp_test_fail("/%s/ on \"%s\": expected %s", one->pattern, one->text,
                      one->found ? "a match" : "none");
    else
        CU_PASS("as expected");
}

static void
expect_all(const Case *cases, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpRegexp) regexp = NULL;
        const char *pattern = cases[i].pattern;
        if (!ocp_regexp_load(pattern, strlen(pattern), report, &regexp)) {
            OcpDiagnostic *first = report->diagnostics->pdata[0];
            ocp_test_fail("/%s/: %s", pattern, first->message);
            continue;
        }
        expect(regexp, &cases[i]);
    }
}

static void
anchors_are_those_of_ecmascript(void)
{
    static const Case cases[] = {
        {"^abc$", "abc", true},
        {"^abc$", "abc\n", false},
        {"^abc$", "x\nabc", false},
        {"bar", "foobarx", true},
        {"^$", "", true},
        {"^$", "\n", false},
        {"a|^b$", "xb", false},
        {"\\bfoo\\b", "a foo b", true},
        {"\\bfoo\\b", "éfooé", true},
        {"\\Boo", "foo", true},
        {"", "anything", true},
        {"(?:)", "", true},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void
classes_are_those_of_ecmascript(void)
{
    static const Case cases[] = {
        {"^\\d$", "7", true},        {"^\\d$", "\u0667", false}, /* an Arabic digit */
        {"^\\D$", "\u0667", true},   {"^\\w$", "é", false},
        {"^\\W$", "é", true},        {"^\\s$", "\uFEFF", true},
        {"^\\s$", "\u2003", true},   {"^\\s$", "\xC2\x85", false},
        {"^\\S$", "\xC2\x85", true}, {"^.$", "\n", false},
        {"^.$", "\r", false},        {"^.$", "\u2028", false},
        {"^.$", "\xC2\x85", true},   {"^.$", "🐲", true},
        {"^[^]$", "\n", true},       {"[]", "a", false},
        {"a[]*b", "ab", true},       {"^[\\d\\-x]+$", "1-x", true},
        {"^[^\\d]$", "1", false},    {"^[\\D\\d]$", "\n", true},
        {"^[a-c-]$", "-", true},     {"^[\\b]$", "\b", true},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void
escapes_name_characters(void)
{
    static const Case cases[] = {
        {"^\\u0041$", "A", true},
        {"^\\u{1F432}*$", "🐲🐲", true},
        {"^\\ud83d\\udc32$", "🐲", true},
        {"^[\\ud83d\\udc32]$", "🐲", true},
        {"\\ud83d", "🐲", false}, /* half a pair is in no valid text */
        {"^\\x41$", "A", true},
        {"^\\cC$", "\x03", true},
        {"^\\cc$", "\x03", true},
        {"^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", true},
        {"^\\/\\.\\^\\$$", "/.^$", true},
        {"^🐲{2}$", "🐲🐲", true},
        {"^á", "áb", true},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void
unicode_properties_have_long_and_short_names(void)
{
    static const Case cases[] = {
        {"^\\p{Letter}+$", "Hélène", true},
        {"^\\p{L}+$", "a1", false},
        {"^\\p{digit}+$", "42", true},
        {"^\\p{digit}+$", "\u09EA\u09E8", true},
        {"^\\P{Lu}$", "a", true},
        {"^\\p{General_Category=Uppercase_Letter}$", "A", true},
        {"^\\p{gc=Ll}$", "A", false},
        {"^\\p{Script=Greek}+$", "αβγ", true},
        {"^\\p{sc=Latin}$", "α", false},
        {"^[^\\p{Lu}x]$", "X", false},
        {"^[^\\p{Lu}x]$", "y", true},
        {"^[\\p{Lu}0-9]+$", "A1", true},
        {"^\\p{ASCII}$", "é", false},
        {"^\\p{Alphabetic}$", "é", true},
        {"^\\p{Assigned}$", "é", true},
        {"^\\p{Emoji_Presentation}$", "🐲", true},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void
groups_references_and_lookaround_work(void)
{
    static const Case cases[] = {
        {"^(a|b)\\1$", "aa", true},
        {"^(a|b)\\1$", "ab", false},
        {"^(?<x>a|b)\\k<x>$", "bb", true},
        {"^\\1(a)$", "a", true}, /* a group that took no part is empty */
        {"^(?:(a)|b)\\1$", "b", true},
        {"a(?=b)", "ab", true},
        {"a(?!b)", "ab", false},
        {"(?<=a)b", "ab", true},
        {"(?<!a)b", "ab", false},
        {"^a{2,3}?$", "aaa", true},
        {"^a{2,}$", "aaaa", true},
        {"^a{0}$", "", true},
        {"^(a*)*$", "aaaa", true},
        {"^(?:a|ab)(?:c|bcd)(?:d*)$", "abcd", true},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void
what_the_u_flag_refuses_is_refused(void)
{
    static const char *const patterns[] = {
        "\\a",         "\\Z",         "\\z",
        "\\A",         "\\_",         "\\-",
        "[",           "(",           ")",
        "a**",         "*",           "a{",
        "a{1",         "a{2,1}",      "{1}",
        "}",           "]",           "\\",
        "\\u12",       "\\u{110000}", "\\x1",
        "\\c1",        "\\01",        "\\1",
        "(a)\\2",      "\\k<n>",      "(?<n>a)(?<n>b)",
        "(?P<n>a)",    "(?i)a",       "(?#c)",
        "(?>a)",       "[b-a]",       "[\\d-z]",
        "\\p{letter}", "\\p{Nope}",   "\\p{sc=Nope}",
        "\\pL",        "^*",          "(?=a)*",
        "a\xff",       "\\p{L&}",     "\\K",
        "(?R)",        "a++",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpRegexp) regexp = NULL;
        if (ocp_regexp_load(patterns[i], strlen(patterns[i]), report, &regexp))
            ocp_test_fail("/%s/ was accepted", patterns[i]);
        else
            CU_ASSERT_EQUAL(report->counts[OCP_ERROR], 1);
    }
    g_autofree char *deep = g_strnfill(100000, '(');
    OcpRegexp *none = NULL;
    CU_ASSERT_FALSE(ocp_regexp_load(deep, 100000, NULL, &none));
}

static void
a_variable_lookbehind_is_valid_but_not_run(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpRegexp *none = NULL;
    CU_ASSERT(ocp_regexp_valid("(?<=a+)b", 8));
    CU_ASSERT_FALSE(ocp_regexp_load("(?<=a+)b", 8, report, &none));
}

static void
i_regexps_match_whole_or_search(void)
{
    static const struct {
        const char *pattern;
        bool whole;
        bool dot_all;
        const char *text;
        bool found;
    } cases[] = {
        {"a.*", true, false, "ab", true},
        {"a.*", true, false, "bab", false},
        {"a.*", false, false, "bab", true},
        {"^ab.*", true, false, "abc", true},
        {".*bc$", true, false, "abcx", false},
        {".", true, false, "\u2028", true},
        {".", true, false, "\r", false},
        {".", true, true, "\r", true},
        {"a|b", true, false, "ab", false},
        {"\\p{Lu}", true, false, "Ж", true},
        {"a[\\].]c", true, false, "a]c", true},
        {"[a-z]+", true, false, "abc\n", false},
        {"[^/~.\\s][^/\\s]*/[^/\\s]+", true, false, "o/n", true},
        {"(?:ab)+", true, false, "abab", true},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(OcpRegexp) regexp = NULL;
        const char *pattern = cases[i].pattern;
        CU_ASSERT_FATAL(ocp_regexp_load_i(pattern, strlen(pattern), cases[i].whole,
                                          cases[i].dot_all, NULL, &regexp));
        Case one = {pattern, cases[i].text, cases[i].found};
        expect(regexp, &one);
    }
    static const char *const refused[] = {"(?=a)", "a*?", "\\1", "(?<n>a)", "\\b", "["};
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        OcpRegexp *none = NULL;
        CU_ASSERT_FALSE(ocp_regexp_load_i(refused[i], strlen(refused[i]), true, false,
                                          NULL, &none));
    }
}

static void
groups_tell_their_spans(void)
{
    g_autoptr(OcpRegexp) regexp = NULL;
    gsize start = 99;
    gsize end = 99;
    const char *text = "first\nsecond\nthird";
    CU_ASSERT_FATAL(
        ocp_regexp_load_i("([^\n]*)\n(.*)(x)?", 16, true, true, NULL, &regexp));
    CU_ASSERT(ocp_regexp_group(regexp, text, strlen(text), 1, &start, &end));
    CU_ASSERT(start == 0 && end == 5);
    CU_ASSERT(ocp_regexp_group(regexp, text, strlen(text), 2, &start, &end));
    CU_ASSERT(start == 6 && end == 18);
    CU_ASSERT_FALSE(ocp_regexp_group(regexp, text, strlen(text), 3, &start, &end));
    CU_ASSERT_FALSE(ocp_regexp_group(regexp, text, strlen(text), 9, &start, &end));
    CU_ASSERT(start == 6 && end == 18);
}

static void
text_may_hold_nul(void)
{
    g_autoptr(OcpRegexp) regexp = NULL;
    CU_ASSERT_FATAL(ocp_regexp_load("^a\\0b$", 6, NULL, &regexp));
    CU_ASSERT(ocp_regexp_search(regexp, "a\0b", 3));
    CU_ASSERT_FALSE(ocp_regexp_search(regexp, "a\0bc", 4));
}

/* ---- the automaton against PCRE2 ------------------------------------------------- */

static guint32
draw(guint64 *seed, guint32 below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (guint32)(*seed >> 33) % below;
}

static void
draw_pattern(guint64 *seed, guint depth, GString *out)
{
    static const char *const atoms[] = {"a",     "b",   "ab",      "[ab]", "[^a]",
                                        ".",     "\\d", "é",       "",     "\\s",
                                        "[é-ü]", "🐲",   "\\u{62}", "[^]"};
    static const char *const counts[] = {"*",     "+",     "?",    "{2}",
                                         "{1,3}", "{0,2}", "{2,}", "*?"};
    static const char *const edges[] = {"^", "$"};
    guint pieces = 1 + draw(seed, 3);
    for (guint i = 0; i < pieces; i++) {
        guint kind = draw(seed, depth > 0 ? 10 : 6);
        if (kind == 0) {
            g_string_append(out, edges[draw(seed, 2)]);
            continue;
        }
        if (kind < 6) {
            g_string_append_printf(out, "(?:%s)",
                                   atoms[draw(seed, G_N_ELEMENTS(atoms))]);
        } else {
            g_string_append(out, kind == 6 ? "(" : "(?:");
            draw_pattern(seed, depth - 1, out);
            if (kind > 7) {
                g_string_append_c(out, '|');
                draw_pattern(seed, depth - 1, out);
            }
            g_string_append_c(out, ')');
        }
        if (draw(seed, 2) == 0)
            g_string_append(out, counts[draw(seed, G_N_ELEMENTS(counts))]);
    }
}

/* A look-ahead for nothing keeps a pattern from having an automaton. */
static void
the_automaton_agrees_with_pcre2(void)
{
    static const char *const letters[] = {"a", "b", "a", "b", "7", "é", " ", "\n", "🐲"};
    guint64 seed = 20261130;
    guint compared = 0;
    for (guint round = 0; round < 3000; round++) {
        g_autoptr(GString) pattern = g_string_new(NULL);
        g_autoptr(OcpRegexp) fast = NULL;
        g_autoptr(OcpRegexp) slow = NULL;
        draw_pattern(&seed, 2, pattern);
        g_autofree char *plain = g_strdup_printf("(?=)(?:%s)", pattern->str);
        CU_ASSERT_FATAL(ocp_regexp_load(pattern->str, pattern->len, NULL, &fast));
        CU_ASSERT_FATAL(ocp_regexp_load(plain, strlen(plain), NULL, &slow));
        for (guint text_round = 0; text_round < 20; text_round++) {
            g_autoptr(GString) text = g_string_new(NULL);
            for (guint i = draw(&seed, 9); i > 0; i--)
                g_string_append(text, letters[draw(&seed, G_N_ELEMENTS(letters))]);
            bool found = ocp_regexp_search(fast, text->str, text->len);
            bool other;
            if (!ocp_regexp_run(slow, text->str, text->len, &other))
                continue; /* PCRE2 gave up */
            if (found != other)
                ocp_test_fail("/%s/ on \"%s\": %d", pattern->str, text->str, found);
            compared++;
        }
    }
    printf("regexp: %u searches compared, seed 20261130\n", compared);
    CU_ASSERT(compared > 59000);
}

static void
a_nested_repeat_is_linear_and_a_slow_pattern_is_told(void)
{
    g_autoptr(OcpRegexp) nested = NULL;
    g_autoptr(OcpRegexp) slow = NULL;
    g_autofree char *text = g_strnfill(1000001, 'a');
    bool found = true;
    text[1000000] = '!';
    CU_ASSERT_FATAL(ocp_regexp_load("^(a+)+$", 7, NULL, &nested));
    CU_ASSERT_FALSE(ocp_regexp_search(nested, text, 1000001));
    CU_ASSERT_FATAL(ocp_regexp_load("^(?=a)(a+)+$", 12, NULL, &slow));
    CU_ASSERT_FALSE(ocp_regexp_run(slow, text, 1000001, &found));
    CU_ASSERT(found);
}

OCP_TEST_MAIN("schema-regexp",
              {"anchors are those of ECMAScript", anchors_are_those_of_ecmascript},
              {"classes are those of ECMAScript", classes_are_those_of_ecmascript},
              {"escapes name characters", escapes_name_characters},
              {"Unicode properties have long and short names",
               unicode_properties_have_long_and_short_names},
              {"groups, references and lookaround work",
               groups_references_and_lookaround_work},
              {"what the u flag refuses is refused",
               what_the_u_flag_refuses_is_refused},
              {"a variable lookbehind is valid but not run",
               a_variable_lookbehind_is_valid_but_not_run},
              {"I-Regexps match whole or search", i_regexps_match_whole_or_search},
              {"groups tell their spans", groups_tell_their_spans},
              {"text may hold NUL", text_may_hold_nul},
              {"the automaton agrees with PCRE2", the_automaton_agrees_with_pcre2},
              {"a nested repeat is linear, and a slow pattern is told",
               a_nested_repeat_is_linear_and_a_slow_pattern_is_told})
