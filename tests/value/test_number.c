/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support.h"
#include "value/number.h"

static OcpNode
number(const char *text)
{
    OcpNode node = {.kind = OCP_NUMBER, .size = (guint32)strlen(text), .as.text = text};
    return node;
}

static int
compared(const char *a, const char *b)
{
    OcpNode x = number(a);
    OcpNode y = number(b);
    return ocp_number_compare(&x, &y);
}

static bool
multiple(const char *value, const char *divisor)
{
    OcpNode x = number(value);
    OcpNode y = number(divisor);
    return ocp_number_is_multiple(&x, &y);
}

static char *
canonical(const char *text)
{
    OcpNode node = number(text);
    GString *out = g_string_new(NULL);
    ocp_number_append_canonical(&node, out);
    return g_string_free(out, FALSE);
}

static char *
python(const char *text)
{
    OcpNode node = number(text);
    GString *out = g_string_new(NULL);
    ocp_number_append_python(&node, out);
    return g_string_free(out, FALSE);
}

/* "1" and count zeros, and tail. */
static char *
one_and_zeros(gsize count, const char *tail)
{
    GString *text = g_string_new("1");
    for (gsize i = 0; i < count; i++)
        g_string_append_c(text, '0');
    g_string_append(text, tail);
    return g_string_free(text, FALSE);
}

static void
validity_is_the_grammar_of_the_rfc(void)
{
    static const char *const valid[] = {"0",         "-0",  "10",     "1.0",
                                        "-1.50e-07", "0e0", "1E+400", "123456789"};
    static const char *const invalid[] = {"",   "-",  "+1",  "01",    "-01", ".5",
                                          "1.", "1e", "1e+", "1.e1",  "0x1", "NaN",
                                          "1 ", " 1", "1-1", "1e1.5", "--1", "1,0"};
    for (guint i = 0; i < G_N_ELEMENTS(valid); i++)
        if (!ocp_number_valid(valid[i], strlen(valid[i])))
            ocp_test_fail("%s is a number", valid[i]);
    for (guint i = 0; i < G_N_ELEMENTS(invalid); i++)
        if (ocp_number_valid(invalid[i], strlen(invalid[i])))
            ocp_test_fail("%s is no number", invalid[i]);
    CU_ASSERT_FALSE(ocp_number_valid("1\0", 2));
}

static void
comparison_is_exact(void)
{
    /* Each less than the next. */
    static const char *const rising[] = {"-1e99999999999999999999999",
                                         "-1e400",
                                         "-12345678901234567890123",
                                         "-12345678901234567890122",
                                         "-1",
                                         "-0.1",
                                         "-1e-99999999999999999999",
                                         "0",
                                         "1e-100000000000000000000",
                                         "1e-99999999999999999999",
                                         "1e-400",
                                         "0.1",
                                         "0.10000000000000000000000001",
                                         "1",
                                         "1.5",
                                         "9.99",
                                         "10",
                                         "12345678901234567890122",
                                         "12345678901234567890123",
                                         "1e400",
                                         "1e99999999999999999999",
                                         "10e99999999999999999999",
                                         "100.1e99999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(rising); i++)
        for (guint j = 0; j < G_N_ELEMENTS(rising); j++) {
            int order = compared(rising[i], rising[j]);
            if ((order < 0) != (i < j) || (order > 0) != (i > j))
                ocp_test_fail("%s and %s: %d", rising[i], rising[j], order);
        }
}

static void
equal_values_have_many_spellings(void)
{
    static const char *const pairs[][2] = {
        {"1", "1.0"},
        {"10e-1", "1"},
        {"-0", "0"},
        {"0e5", "-0.00"},
        {"120", "1.2E+2"},
        {"0.001", "1e-3"},
        {"100e-2", "1.00"},
        {"1e0000000000000000000000000000000001", "10"},
        {"1000e99999999999999999997", "1e100000000000000000000"},
        {"0.001e-99999999999999999997", "1e-100000000000000000000"},
        {"0e99999999999999999999", "0"}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        CU_ASSERT_EQUAL(compared(pairs[i][0], pairs[i][1]), 0);
        g_autofree char *a = canonical(pairs[i][0]);
        g_autofree char *b = canonical(pairs[i][1]);
        CU_ASSERT_STRING_EQUAL(a, b);
    }
}

static void
canonical_text_is_sign_digits_and_exponent(void)
{
    static const char *const cases[][2] = {
        {"120", "12e1"},
        {"1", "1e0"},
        {"-1.50", "-15e-1"},
        {"0.00", "0"},
        {"-0", "0"},
        {"0.0012e3", "12e-1"},
        {"10.5", "105e-1"},
        {"1002", "1002e0"},
        {"1e400", "1e400"},
        {"1.5e-99999999999999999999", "15e-100000000000000000000"},
        {"1.5e99999999999999999999", "15e99999999999999999998"},
        {"10e99999999999999999999", "1e100000000000000000000"},
        {"0.1e1000000000000000000", "1e999999999999999999"},
        {"12345678901234567890123", "12345678901234567890123e0"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = canonical(cases[i][0]);
        CU_ASSERT_STRING_EQUAL(text, cases[i][1]);
    }
}

static void
integers_are_told_by_value(void)
{
    static const struct {
        const char *text;
        bool integer;
        bool fits;
        gint64 value;
    } cases[] = {{"0", true, true, 0},
                 {"-0.0", true, true, 0},
                 {"0e99999999999999999999", true, true, 0},
                 {"1.0", true, true, 1},
                 {"1e3", true, true, 1000},
                 {"1500e-2", true, true, 15},
                 {"1.5", false, false, 0},
                 {"1e-1", false, false, 0},
                 {"9223372036854775807", true, true, G_MAXINT64},
                 {"9223372036854775808", true, false, 0},
                 {"-9223372036854775808", true, true, G_MININT64},
                 {"-9223372036854775809", true, false, 0},
                 {"9.223372036854775807e18", true, true, G_MAXINT64},
                 {"1e18", true, true, G_GINT64_CONSTANT(1000000000000000000)},
                 {"1e19", true, false, 0},
                 {"99999999999999999999", true, false, 0},
                 {"1e99999999999999999999", true, false, 0},
                 {"1e-99999999999999999999", false, false, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        OcpNode node = number(cases[i].text);
        gint64 value = 42;
        bool fits = ocp_number_to_int64(&node, &value);
        if (ocp_number_is_integer(&node) != cases[i].integer || fits != cases[i].fits ||
            value != (fits ? cases[i].value : 42))
            ocp_test_fail("%s: %" G_GINT64_FORMAT, cases[i].text, value);
    }
}

static void
multiples_are_exact(void)
{
    static const char *const yes[][2] = {
        {"10", "2"},
        {"4.5", "1.5"},
        {"0.0075", "0.0001"},
        {"0", "7"},
        {"1e308", "0.5"},
        {"12391239123", "1e-8"},
        {"1e400", "1e399"},
        {"-9", "3"},
        {"1e99999999999999999999", "1024"},
        {"19.99", "0.01"},
        {"3e500", "1.5e-500"},
        {"98765432109876543210", "10"},
        {"1e99999999999999999999", "1e99999999999999999998"},
        {"3e100000000000000000002", "12e99999999999999999999"},
        {"246913578024691357802469135780246913578",
         "123456789012345678901234567890123456789"},
        {"1e200", "1606938044258990275541962092341162602522202993782792835301376"}};
    static const char *const no[][2] = {
        {"7", "2"},
        {"0.00751", "0.0001"},
        {"1e308", "3"},
        {"1", "1e1"},
        {"1e-8", "1"},
        {"1e-99999999999999999999", "0.1"},
        {"1e99999999999999999998", "1e99999999999999999999"},
        {"1e100000000000000000000", "16e99999999999999999999"},
        {"19.995", "0.01"},
        {"246913578024691357802469135780246913579",
         "123456789012345678901234567890123456789"},
        {"1e199", "1606938044258990275541962092341162602522202993782792835301376"}};
    for (guint i = 0; i < G_N_ELEMENTS(yes); i++)
        if (!multiple(yes[i][0], yes[i][1]))
            ocp_test_fail("%s is a multiple of %s", yes[i][0], yes[i][1]);
    for (guint i = 0; i < G_N_ELEMENTS(no); i++)
        if (multiple(no[i][0], no[i][1]))
            ocp_test_fail("%s is no multiple of %s", no[i][0], no[i][1]);
}

static void
numbers_of_a_million_digits_cost_no_more_than_reading_them(void)
{
    g_autofree char *large = one_and_zeros(1000000, "");
    g_autofree char *next = one_and_zeros(1000000, "1");
    g_autofree char *exponent = g_strconcat("1e", large, NULL);
    g_autofree char *further = g_strconcat("1e", next, NULL);
    CU_ASSERT_EQUAL(compared(large, "1e1000000"), 0);
    CU_ASSERT(compared(large, next) < 0);
    CU_ASSERT(compared(exponent, further) < 0);
    CU_ASSERT(multiple(large, "1024"));
    CU_ASSERT(multiple(exponent, "123e-400") == false);
    CU_ASSERT_FALSE(multiple(next, "123456789012345678901234567890"));
}

static void
python_spelling_is_its_repr(void)
{
    static const char *const cases[][2] = {
        {"1", "1"},
        {"-0", "0"},
        {"12345678901234567890123", "12345678901234567890123"},
        {"1.0", "1.0"},
        {"1.50", "1.5"},
        {"0.70", "0.7"},
        {"-0.0", "-0.0"},
        {"-0e0", "-0.0"},
        {"0.0001", "0.0001"},
        {"0.00001", "1e-05"},
        {"1.5e-05", "1.5e-05"},
        {"1e15", "1000000000000000.0"},
        {"1e16", "1e+16"},
        {"123456789012345680.0", "1.2345678901234568e+17"},
        {"1E22", "1e+22"},
        {"9007199254740993.0", "9007199254740992.0"},
        {"0.1e1", "1.0"},
        {"3.141592653589793238", "3.141592653589793"},
        {"0.30000000000000004", "0.30000000000000004"},
        {"5.684341886080801486968994140625e-14", "5.684341886080802e-14"},
        {"5e-324", "5e-324"},
        {"1.7976931348623157e308", "1.7976931348623157e+308"},
        {"1e-400", "0.0"},
        {"1e400", "Infinity"},
        {"-1e400", "-Infinity"},
        {"1e99999999999999999999", "Infinity"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = python(cases[i][0]);
        if (strcmp(text, cases[i][1]) != 0)
            ocp_test_fail("%s: %s, not %s", cases[i][0], text, cases[i][1]);
    }
}

OCP_TEST_MAIN("value-number",
              {"validity is the grammar of the RFC",
               validity_is_the_grammar_of_the_rfc},
              {"comparison is exact", comparison_is_exact},
              {"equal values have many spellings", equal_values_have_many_spellings},
              {"canonical text is sign, digits and exponent",
               canonical_text_is_sign_digits_and_exponent},
              {"integers are told by value", integers_are_told_by_value},
              {"multiples are exact", multiples_are_exact},
              {"numbers of a million digits cost no more than reading them",
               numbers_of_a_million_digits_cost_no_more_than_reading_them},
              {"Python's spelling is its repr", python_spelling_is_its_repr})
