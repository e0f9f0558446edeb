/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of characters: ECMA-262's classes as ranges, Unicode properties as PCRE2 names.
 */
#include <stdlib.h>
#include <string.h>

#include "schema/regexp_private.h"

static const OcpRxRange digits[] = {{'0', '9'}};
static const OcpRxRange words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const OcpRxRange blanks[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
    {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

void
ocp_rx_set_begin(OcpRxSetBuilder *builder)
{
    builder->ranges = builder->few;
    builder->count = 0;
    builder->room = OCP_RX_FEW_RANGES;
    builder->properties = NULL;
}

static void
free_ranges(OcpRxSetBuilder *builder)
{
    if (builder->ranges != builder->few)
        g_free(builder->ranges);
}

static void
append_range(OcpRxSetBuilder *builder, OcpRxRange range)
{
    if (builder->count == builder->room) {
        OcpRxRange *more = g_new(OcpRxRange, builder->room * 2);
        memcpy(more, builder->ranges, builder->count * sizeof range);
        free_ranges(builder);
        builder->ranges = more;
        builder->room *= 2;
    }
    builder->ranges[builder->count++] = range;
}

/* Surrogates are no characters of valid UTF-8 text: they are left out. */
void
ocp_rx_set_add(OcpRxSetBuilder *builder, guint32 low, guint32 high)
{
    if (low < 0xD800 && high > 0xD7FF) {
        ocp_rx_set_add(builder, low, 0xD7FF);
        low = 0xE000;
    }
    low = low >= 0xD800 && low < 0xE000 ? 0xE000 : low;
    high = high >= 0xD800 && high < 0xE000 ? 0xD7FF : high;
    OcpRxRange range = {low, high};
    if (low <= high)
        append_range(builder, range);
}

static void
add_outside(OcpRxSetBuilder *builder, const OcpRxRange *ranges, guint count)
{
    guint32 from = 0;
    for (guint i = 0; i < count; i++) {
        if (ranges[i].low > from)
            ocp_rx_set_add(builder, from, ranges[i].low - 1);
        from = ranges[i].high + 1;
    }
    if (from <= 0x10FFFF)
        ocp_rx_set_add(builder, from, 0x10FFFF);
}

void
ocp_rx_set_add_class(OcpRxSetBuilder *builder, char letter)
{
    const OcpRxRange *ranges = digits;
    guint count = G_N_ELEMENTS(digits);
    char lower = g_ascii_tolower(letter);
    if (lower == 'w') {
        ranges = words;
        count = G_N_ELEMENTS(words);
    } else if (lower == 's') {
        ranges = blanks;
        count = G_N_ELEMENTS(blanks);
    }
    if (lower != letter) {
        add_outside(builder, ranges, count);
        return;
    }
    for (guint i = 0; i < count; i++)
        ocp_rx_set_add(builder, ranges[i].low, ranges[i].high);
}

/* ---- Unicode properties ---------------------------------------------------------- */

/* General categories: PCRE2's name, then the names of ECMA-262. */
static const char *const categories[][4] = {
    {"L&", "LC", "Cased_Letter", NULL},
    {"Pe", "Close_Punctuation", NULL, NULL},
    {"Pc", "Connector_Punctuation", NULL, NULL},
    {"Cc", "Control", "cntrl", NULL},
    {"Sc", "Currency_Symbol", NULL, NULL},
    {"Pd", "Dash_Punctuation", NULL, NULL},
    {"Nd", "Decimal_Number", "digit", NULL},
    {"Me", "Enclosing_Mark", NULL, NULL},
    {"Pf", "Final_Punctuation", NULL, NULL},
    {"Cf", "Format", NULL, NULL},
    {"Pi", "Initial_Punctuation", NULL, NULL},
    {"L", "Letter", NULL, NULL},
    {"Nl", "Letter_Number", NULL, NULL},
    {"Zl", "Line_Separator", NULL, NULL},
    {"Ll", "Lowercase_Letter", NULL, NULL},
    {"M", "Mark", "Combining_Mark", NULL},
    {"Sm", "Math_Symbol", NULL, NULL},
    {"Lm", "Modifier_Letter", NULL, NULL},
    {"Sk", "Modifier_Symbol", NULL, NULL},
    {"Mn", "Nonspacing_Mark", NULL, NULL},
    {"N", "Number", NULL, NULL},
    {"Ps", "Open_Punctuation", NULL, NULL},
    {"C", "Other", NULL, NULL},
    {"Lo", "Other_Letter", NULL, NULL},
    {"No", "Other_Number", NULL, NULL},
    {"Po", "Other_Punctuation", NULL, NULL},
    {"So", "Other_Symbol", NULL, NULL},
    {"Zp", "Paragraph_Separator", NULL, NULL},
    {"Co", "Private_Use", NULL, NULL},
    {"P", "Punctuation", "punct", NULL},
    {"Z", "Separator", NULL, NULL},
    {"Zs", "Space_Separator", NULL, NULL},
    {"Mc", "Spacing_Mark", NULL, NULL},
    {"Cs", "Surrogate", NULL, NULL},
    {"S", "Symbol", NULL, NULL},
    {"Lt", "Titlecase_Letter", NULL, NULL},
    {"Cn", "Unassigned", NULL, NULL},
    {"Lu", "Uppercase_Letter", NULL, NULL},
};

/* Binary properties of ECMA-262 that PCRE2 knows by the same name. */
static const char *const binaries[] = {"Any",
                                       "ASCII",
                                       "Alphabetic",
                                       "Alpha",
                                       "ASCII_Hex_Digit",
                                       "AHex",
                                       "Bidi_Control",
                                       "Bidi_C",
                                       "Bidi_Mirrored",
                                       "Bidi_M",
                                       "Case_Ignorable",
                                       "CI",
                                       "Cased",
                                       "Changes_When_Casefolded",
                                       "CWCF",
                                       "Changes_When_Casemapped",
                                       "CWCM",
                                       "Changes_When_Lowercased",
                                       "CWL",
                                       "Changes_When_Titlecased",
                                       "CWT",
                                       "Changes_When_Uppercased",
                                       "CWU",
                                       "Dash",
                                       "Default_Ignorable_Code_Point",
                                       "DI",
                                       "Deprecated",
                                       "Dep",
                                       "Diacritic",
                                       "Dia",
                                       "Emoji",
                                       "Emoji_Component",
                                       "EComp",
                                       "Emoji_Modifier",
                                       "EMod",
                                       "Emoji_Modifier_Base",
                                       "EBase",
                                       "Emoji_Presentation",
                                       "EPres",
                                       "Extended_Pictographic",
                                       "ExtPict",
                                       "Extender",
                                       "Ext",
                                       "Grapheme_Base",
                                       "Gr_Base",
                                       "Grapheme_Extend",
                                       "Gr_Ext",
                                       "Hex_Digit",
                                       "Hex",
                                       "IDS_Binary_Operator",
                                       "IDSB",
                                       "IDS_Trinary_Operator",
                                       "IDST",
                                       "ID_Continue",
                                       "IDC",
                                       "ID_Start",
                                       "IDS",
                                       "Ideographic",
                                       "Ideo",
                                       "Join_Control",
                                       "Join_C",
                                       "Logical_Order_Exception",
                                       "LOE",
                                       "Lowercase",
                                       "Lower",
                                       "Math",
                                       "Noncharacter_Code_Point",
                                       "NChar",
                                       "Pattern_Syntax",
                                       "Pat_Syn",
                                       "Pattern_White_Space",
                                       "Pat_WS",
                                       "Quotation_Mark",
                                       "QMark",
                                       "Radical",
                                       "Regional_Indicator",
                                       "RI",
                                       "Sentence_Terminal",
                                       "STerm",
                                       "Soft_Dotted",
                                       "SD",
                                       "Terminal_Punctuation",
                                       "Term",
                                       "Unified_Ideograph",
                                       "UIdeo",
                                       "Uppercase",
                                       "Upper",
                                       "Variation_Selector",
                                       "VS",
                                       "White_Space",
                                       "space",
                                       "XID_Continue",
                                       "XIDC",
                                       "XID_Start",
                                       "XIDS"};

static const char *
find_category(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(categories); i++) {
        if (strcmp(categories[i][0], name) == 0 && strcmp(name, "L&") != 0)
            return categories[i][0];
        for (guint j = 1; categories[i][j] != NULL; j++)
            if (strcmp(categories[i][j], name) == 0)
                return categories[i][0];
    }
    return NULL;
}

static bool
is_binary(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(binaries); i++)
        if (strcmp(binaries[i], name) == 0)
            return true;
    return false;
}

/* Script values are left to PCRE2, which refuses what it does not know. */
static bool
is_script_name(const char *name)
{
    if (!g_ascii_isupper(*name))
        return false;
    for (const char *at = name; *at != '\0'; at++)
        if (!g_ascii_isalnum(*at) && *at != '_')
            return false;
    return true;
}

bool
ocp_rx_set_add_property(OcpRxSetBuilder *builder, const char *body, bool negative)
{
    const char *letter = negative ? "\\P" : "\\p";
    const char *equals = strchr(body, '=');
    if (builder->properties == NULL)
        builder->properties = g_string_new(NULL);
    if (equals == NULL) {
        const char *category = find_category(body);
        if (strcmp(body, "Assigned") == 0)
            g_string_append(builder->properties, negative ? "\\p{Cn}" : "\\P{Cn}");
        else if (category != NULL || is_binary(body))
            g_string_append_printf(builder->properties, "%s{%s}", letter,
                                   category != NULL ? category : body);
        else
            return false;
        return true;
    }
    g_autofree char *name = g_strndup(body, (gsize)(equals - body));
    const char *value = equals + 1;
    if (strcmp(name, "General_Category") == 0 || strcmp(name, "gc") == 0) {
        const char *category = find_category(value);
        if (category == NULL)
            return false;
        g_string_append_printf(builder->properties, "%s{%s}", letter, category);
        return true;
    }
    bool script = strcmp(name, "Script") == 0 || strcmp(name, "sc") == 0;
    bool extensions =
        strcmp(name, "Script_Extensions") == 0 || strcmp(name, "scx") == 0;
    if (!(script || extensions) || !is_script_name(value))
        return false;
    g_string_append_printf(builder->properties, "%s{%s:%s}", letter,
                           script ? "sc" : "scx", value);
    return true;
}

/* ---- ending a set ---------------------------------------------------------------- */

static int
compare_ranges(const void *a, const void *b)
{
    const OcpRxRange *left = a;
    const OcpRxRange *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->high < right->high ? -1 : left->high > right->high;
}

static void
sort_and_join(OcpRxSetBuilder *builder)
{
    OcpRxRange *ranges = builder->ranges;
    guint kept = 0;
    if (builder->count < 2)
        return;
    qsort(ranges, builder->count, sizeof *ranges, compare_ranges);
    for (guint i = 0; i < builder->count; i++) {
        OcpRxRange *last = kept > 0 ? &ranges[kept - 1] : NULL;
        if (last != NULL && ranges[i].low <= last->high + 1)
            last->high = MAX(last->high, ranges[i].high);
        else
            ranges[kept++] = ranges[i];
    }
    builder->count = kept;
}

static void
negate(OcpRxSetBuilder *builder)
{
    OcpRxSetBuilder outside;
    ocp_rx_set_begin(&outside);
    add_outside(&outside, builder->ranges, builder->count);
    free_ranges(builder);
    *builder = outside;
    if (outside.ranges == outside.few)
        builder->ranges = builder->few;
}

OcpRxSet *
ocp_rx_set_end(OcpRxSetBuilder *builder, bool negated, OcpArena *arena)
{
    const GString *names = builder->properties;
    bool named = names != NULL && names->len > 0;
    sort_and_join(builder);
    if (negated && !named)
        negate(builder);
    OcpRxSet *set = ocp_arena_new_of(arena, OcpRxSet);
    gsize size = builder->count * sizeof(OcpRxRange);
    set->count = builder->count;
    set->ranges = ocp_arena_take(arena, size + 1);
    memcpy(set->ranges, builder->ranges, size);
    set->properties = named ? ocp_arena_copy(arena, names->str, names->len) : NULL;
    set->negated = negated && named;
    free_ranges(builder);
    if (builder->properties != NULL)
        g_string_free(builder->properties, TRUE);
    return set;
}
