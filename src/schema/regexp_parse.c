/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses ECMA-262 patterns as the u flag reads them, and I-Regexp (RFC 9485), which is
 * taken a little more widely than the RFC: escapes for classes and (?:…) are allowed.
 */
#include <string.h>

#include "schema/regexp_private.h"

typedef struct {
    OcpRx *node;
    char *name;
} NamedReference;

typedef struct {
    const char *pattern;
    const char *at;
    const char *end;
    OcpRxFlavour flavour;
    OcpArena *arena;
    OcpReport *report;
    GPtrArray *names; /* of groups, by number; NULL if it has none */
    GArray *references;
    guint highest; /* the highest \n seen */
    guint depth;
} Parser;

static bool parse_choice(Parser *parser, OcpRx **ret);

static bool
bad(Parser *parser, const char *what)
{
    if (parser->report != NULL)
        ocp_fail(parser->report, "regexp.syntax",
                 "the pattern is no regular expression: %s at byte %" G_GSIZE_FORMAT,
                 what, (gsize)(parser->at - parser->pattern));
    return false;
}

static OcpRx *
new_node(Parser *parser, OcpRxKind kind)
{
    OcpRx *node = ocp_arena_new_of(parser->arena, OcpRx);
    memset(node, 0, sizeof *node);
    node->kind = kind;
    return node;
}

static bool
ahead(const Parser *parser, const char *text)
{
    gsize length = strlen(text);
    return (gsize)(parser->end - parser->at) >= length &&
           memcmp(parser->at, text, length) == 0;
}

static bool
skip(Parser *parser, const char *text)
{
    if (!ahead(parser, text))
        return false;
    parser->at += strlen(text);
    return true;
}

/* Takes one character of the pattern. */
static bool
take(Parser *parser, guint32 *ret)
{
    if (parser->at == parser->end)
        return bad(parser, "it ends too early");
    gunichar code = (guchar)*parser->at;
    if (code >= 0x80)
        code = g_utf8_get_char_validated(parser->at, parser->end - parser->at);
    if (code > 0x10FFFF)
        return bad(parser, "not UTF-8");
    parser->at += code < 0x80 ? 1 : g_utf8_skip[(guchar)*parser->at];
    *ret = code;
    return true;
}

static bool
take_hex(Parser *parser, guint digits, guint32 *ret)
{
    guint32 value = 0;
    if ((gsize)(parser->end - parser->at) < digits)
        return bad(parser, "hexadecimal digits are missing");
    for (guint i = 0; i < digits; i++) {
        if (!g_ascii_isxdigit(parser->at[i]))
            return bad(parser, "hexadecimal digits are missing");
        value = value << 4 | (guint32)g_ascii_xdigit_value(parser->at[i]);
    }
    parser->at += digits;
    *ret = value;
    return true;
}

/* Behind "\u": four digits, a pair of surrogates, or braces. */
static bool
take_unicode(Parser *parser, guint32 *ret)
{
    guint32 code = 0;
    if (skip(parser, "{")) {
        const char *start = parser->at;
        while (parser->at < parser->end && g_ascii_isxdigit(*parser->at)) {
            code = code << 4 | (guint32)g_ascii_xdigit_value(*parser->at);
            if (code > 0x10FFFF)
                return bad(parser, "no such character");
            parser->at++;
        }
        if (parser->at == start || !skip(parser, "}"))
            return bad(parser, "\\u{…} is malformed");
        *ret = code;
        return true;
    }
    if (!take_hex(parser, 4, &code))
        return false;
    guint32 low = 0;
    if (code >= 0xD800 && code < 0xDC00 && parser->end - parser->at >= 6 &&
        ahead(parser, "\\u") && g_ascii_tolower(parser->at[2]) == 'd' &&
        strchr("cdefCDEF", parser->at[3]) != NULL) {
        parser->at += 2;
        if (!take_hex(parser, 4, &low))
            return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    *ret = code;
    return true;
}

/* An escape that stands for one character; the backslash is taken. */
static bool
take_character_escape(Parser *parser, bool in_class, guint32 *ret)
{
    guint32 code;
    if (!take(parser, &code))
        return false;
    switch (code) {
    case 't': *ret = '\t'; return true;
    case 'n': *ret = '\n'; return true;
    case 'v': *ret = '\v'; return true;
    case 'f': *ret = '\f'; return true;
    case 'r': *ret = '\r'; return true;
    case 'x': return take_hex(parser, 2, ret);
    case 'u': return take_unicode(parser, ret);
    case '0':
        if (parser->at < parser->end && g_ascii_isdigit(*parser->at))
            return bad(parser, "octal escapes are not allowed");
        *ret = 0;
        return true;
    case 'c':
        if (parser->at == parser->end || !g_ascii_isalpha(*parser->at))
            return bad(parser, "\\c needs a letter");
        *ret = (guint32)*parser->at++ & 31;
        return true;
    case 'b':
        if (in_class) {
            *ret = '\b';
            return true;
        }
        break;
    case '-':
        if (in_class || parser->flavour != OCP_RX_ECMA) {
            *ret = '-';
            return true;
        }
        break;
    default:
        if (code != 0 && code < 0x80 && strchr("^$\\.*+?()[]{}|/", (int)code) != NULL) {
            *ret = code;
            return true;
        }
        break;
    }
    parser->at--;
    return bad(parser, "there is no such escape");
}

/* Takes \d \D \w \W \s \S \p{…} \P{…} if one is there (behind the backslash). */
static bool
take_class_escape(Parser *parser, OcpRxSetBuilder *builder, bool *ret_taken)
{
    *ret_taken = false;
    char letter = parser->at < parser->end ? *parser->at : '\0';
    if (letter != '\0' && strchr("dDwWsS", letter) != NULL) {
        ocp_rx_set_add_class(builder, letter);
        parser->at++;
        *ret_taken = true;
        return true;
    }
    if (letter != 'p' && letter != 'P')
        return true;
    parser->at++;
    if (!skip(parser, "{"))
        return bad(parser, "\\p needs braces");
    const char *close = memchr(parser->at, '}', (gsize)(parser->end - parser->at));
    if (close == NULL)
        return bad(parser, "\\p{ is not closed");
    g_autofree char *body = g_strndup(parser->at, (gsize)(close - parser->at));
    if (!ocp_rx_set_add_property(builder, body, letter == 'P'))
        return bad(parser, "there is no such Unicode property");
    parser->at = close + 1;
    *ret_taken = true;
    return true;
}

/* One end of a range in a class; *ret_set says that it was a set, not a character. */
static bool
take_class_atom(Parser *parser, OcpRxSetBuilder *builder, bool *ret_set, guint32 *ret)
{
    *ret_set = false;
    if (!skip(parser, "\\"))
        return take(parser, ret);
    if (!take_class_escape(parser, builder, ret_set))
        return false;
    return *ret_set || take_character_escape(parser, true, ret);
}

static bool
fill_class(Parser *parser, OcpRxSetBuilder *builder)
{
    while (!skip(parser, "]")) {
        bool set;
        guint32 low;
        if (!take_class_atom(parser, builder, &set, &low))
            return false;
        guint32 high = low = set ? 0 : low;
        bool range = ahead(parser, "-") && !ahead(parser, "-]");
        if (range) {
            bool high_set;
            parser->at++;
            if (!take_class_atom(parser, builder, &high_set, &high))
                return false;
            if (set || high_set)
                return bad(parser, "a class cannot be the end of a range");
            if (high < low)
                return bad(parser, "the range is the wrong way round");
        }
        if (!set)
            ocp_rx_set_add(builder, low, high);
    }
    return true;
}

static bool
parse_class(Parser *parser, OcpRx **ret)
{
    OcpRxSetBuilder builder;
    bool negated = skip(parser, "^");
    ocp_rx_set_begin(&builder);
    bool good = fill_class(parser, &builder);
    OcpRx *node = new_node(parser, OCP_RX_SET);
    node->set = ocp_rx_set_end(&builder, negated, parser->arena);
    if (good)
        *ret = node;
    return good;
}

static OcpRx *
node_of_character(Parser *parser, guint32 code)
{
    OcpRxSetBuilder builder;
    ocp_rx_set_begin(&builder);
    ocp_rx_set_add(&builder, code, code);
    OcpRx *node = new_node(parser, OCP_RX_SET);
    node->set = ocp_rx_set_end(&builder, false, parser->arena);
    return node;
}

static OcpRx *
node_of_dot(Parser *parser)
{
    OcpRxSetBuilder builder;
    ocp_rx_set_begin(&builder);
    if (parser->flavour != OCP_RX_I_DOT_ALL) {
        ocp_rx_set_add(&builder, '\n', '\n');
        ocp_rx_set_add(&builder, '\r', '\r');
    }
    if (parser->flavour == OCP_RX_ECMA)
        ocp_rx_set_add(&builder, 0x2028, 0x2029);
    OcpRx *node = new_node(parser, OCP_RX_SET);
    node->set = ocp_rx_set_end(&builder, true, parser->arena);
    return node;
}

/* A group's name up to ">", in ASCII letters, digits, "_" and "$". */
static bool
take_name(Parser *parser, char **ret)
{
    const char *start = parser->at;
    while (parser->at < parser->end &&
           (g_ascii_isalnum(*parser->at) || *parser->at == '_' || *parser->at == '$' ||
            (guchar)*parser->at >= 0x80))
        parser->at++;
    gsize length = (gsize)(parser->at - start);
    if (length == 0 || g_ascii_isdigit(*start) || !skip(parser, ">"))
        return bad(parser, "the group's name is malformed");
    *ret = g_strndup(start, length);
    return true;
}

static bool
parse_reference(Parser *parser, OcpRx **ret)
{
    OcpRx *node = new_node(parser, OCP_RX_BACK);
    if (skip(parser, "k")) {
        NamedReference reference = {node, NULL};
        if (!skip(parser, "<") || !take_name(parser, &reference.name))
            return bad(parser, "\\k needs a name");
        g_array_append_val(parser->references, reference);
        *ret = node;
        return true;
    }
    for (; parser->at < parser->end && g_ascii_isdigit(*parser->at); parser->at++)
        node->group = MIN(node->group * 10 + (guint)(*parser->at - '0'), 100000);
    parser->highest = MAX(parser->highest, node->group);
    *ret = node;
    return true;
}

static bool
parse_escape(Parser *parser, OcpRx **ret)
{
    char letter = parser->at < parser->end ? *parser->at : '\0';
    bool ecma = parser->flavour == OCP_RX_ECMA;
    if (ecma && (letter == 'b' || letter == 'B')) {
        parser->at++;
        *ret = new_node(parser, OCP_RX_WORD_EDGE);
        (*ret)->negative = letter == 'B';
        return true;
    }
    if (ecma && (letter == 'k' || (letter >= '1' && letter <= '9')))
        return parse_reference(parser, ret);

    OcpRxSetBuilder builder;
    bool taken;
    ocp_rx_set_begin(&builder);
    bool good = take_class_escape(parser, &builder, &taken);
    OcpRx *node = new_node(parser, OCP_RX_SET);
    node->set = ocp_rx_set_end(&builder, false, parser->arena);
    if (!good)
        return false;
    guint32 code = 0;
    if (!taken && !take_character_escape(parser, false, &code))
        return false;
    *ret = taken ? node : node_of_character(parser, code);
    return true;
}

/* Opens a named group: registers the name under the next number. */
static bool
open_named(Parser *parser)
{
    char *name;
    if (!take_name(parser, &name))
        return false;
    for (guint i = 0; i < parser->names->len; i++) {
        if (g_strcmp0(parser->names->pdata[i], name) != 0)
            continue;
        g_free(name);
        return bad(parser, "two groups have the same name");
    }
    g_ptr_array_add(parser->names, name);
    return true;
}

static bool
open_group(Parser *parser, OcpRx **ret)
{
    bool ecma = parser->flavour == OCP_RX_ECMA;
    if (skip(parser, "?:")) {
        *ret = new_node(parser, OCP_RX_SEQUENCE);
        return true;
    }
    if (ecma && (ahead(parser, "?=") || ahead(parser, "?!") || ahead(parser, "?<=") ||
                 ahead(parser, "?<!"))) {
        OcpRx *look = new_node(parser, OCP_RX_LOOK);
        parser->at++;
        look->behind = skip(parser, "<");
        look->negative = *parser->at++ == '!';
        *ret = look;
        return true;
    }
    OcpRx *group = new_node(parser, OCP_RX_CAPTURE);
    if (ecma && skip(parser, "?<")) {
        if (!open_named(parser))
            return false;
    } else if (ahead(parser, "?")) {
        return bad(parser, "this kind of group is not allowed");
    } else {
        g_ptr_array_add(parser->names, NULL);
    }
    group->group = parser->names->len;
    *ret = group;
    return true;
}

static bool
parse_group(Parser *parser, OcpRx **ret)
{
    OcpRx *group = NULL;
    if (++parser->depth > OCP_RX_DEPTH)
        return bad(parser, "groups are nested too deep");
    if (!open_group(parser, &group) || !parse_choice(parser, &group->first))
        return false;
    if (!skip(parser, ")"))
        return bad(parser, "the group is not closed");
    parser->depth--;
    *ret = group;
    return true;
}

static bool
parse_atom(Parser *parser, OcpRx **ret)
{
    guint32 code;
    if (!take(parser, &code))
        return false;
    switch (code) {
    case '(': return parse_group(parser, ret);
    case '[': return parse_class(parser, ret);
    case '\\': return parse_escape(parser, ret);
    case '.': *ret = node_of_dot(parser); return true;
    case '^': *ret = new_node(parser, OCP_RX_START); return true;
    case '$': *ret = new_node(parser, OCP_RX_END); return true;
    case '*':
    case '+':
    case '?':
    case '{':
    case '}':
    case ']': parser->at--; return bad(parser, "a character needs a backslash");
    default: *ret = node_of_character(parser, code); return true;
    }
}

static bool
take_count(Parser *parser, guint32 *ret)
{
    guint64 value = 0;
    const char *start = parser->at;
    for (; parser->at < parser->end && g_ascii_isdigit(*parser->at); parser->at++)
        value = MIN(value * 10 + (guint64)(*parser->at - '0'), OCP_RX_FOREVER - 1);
    *ret = (guint32)value;
    return parser->at > start || bad(parser, "a count is missing");
}

static bool
take_quantifier(Parser *parser, bool *ret_taken, guint32 *low, guint32 *high)
{
    *ret_taken = true;
    *low = 0;
    *high = OCP_RX_FOREVER;
    if (skip(parser, "*"))
        return true;
    if (skip(parser, "+")) {
        *low = 1;
        return true;
    }
    if (skip(parser, "?")) {
        *high = 1;
        return true;
    }
    *ret_taken = false;
    if (!skip(parser, "{"))
        return true;
    *ret_taken = true;
    if (!take_count(parser, low))
        return false;
    *high = *low;
    if (skip(parser, ",")) {
        *high = OCP_RX_FOREVER;
        if (!ahead(parser, "}") && !take_count(parser, high))
            return false;
    }
    if (*high < *low)
        return bad(parser, "the counts are the wrong way round");
    return skip(parser, "}") || bad(parser, "a count is not closed");
}

static bool
parse_piece(Parser *parser, OcpRx **ret)
{
    OcpRx *atom = NULL;
    bool repeated;
    guint32 low, high;
    if (!parse_atom(parser, &atom))
        return false;
    const char *behind = parser->at;
    if (!take_quantifier(parser, &repeated, &low, &high))
        return false;
    if (!repeated) {
        *ret = atom;
        return true;
    }
    if (atom->kind == OCP_RX_START || atom->kind == OCP_RX_END ||
        atom->kind == OCP_RX_WORD_EDGE || atom->kind == OCP_RX_LOOK) {
        parser->at = behind;
        return bad(parser, "an assertion cannot be repeated");
    }
    OcpRx *repeat = new_node(parser, OCP_RX_REPEAT);
    repeat->first = atom;
    repeat->low = low;
    repeat->high = high;
    repeat->lazy = parser->flavour == OCP_RX_ECMA && skip(parser, "?");
    *ret = repeat;
    return true;
}

static bool
parse_sequence(Parser *parser, OcpRx **ret)
{
    OcpRx *sequence = new_node(parser, OCP_RX_SEQUENCE);
    OcpRx **tail = &sequence->first;
    while (parser->at < parser->end && *parser->at != '|' && *parser->at != ')') {
        if (!parse_piece(parser, tail))
            return false;
        tail = &(*tail)->next;
    }
    *ret = sequence;
    return true;
}

static bool
parse_choice(Parser *parser, OcpRx **ret)
{
    OcpRx *first;
    if (!parse_sequence(parser, &first))
        return false;
    if (!ahead(parser, "|")) {
        *ret = first;
        return true;
    }
    OcpRx *choice = new_node(parser, OCP_RX_CHOICE);
    choice->first = first;
    while (skip(parser, "|")) {
        if (!parse_sequence(parser, &first->next))
            return false;
        first = first->next;
    }
    *ret = choice;
    return true;
}

static bool
resolve_references(Parser *parser)
{
    for (guint i = 0; i < parser->references->len; i++) {
        NamedReference *reference =
            &g_array_index(parser->references, NamedReference, i);
        for (guint j = 0; j < parser->names->len; j++)
            if (g_strcmp0(parser->names->pdata[j], reference->name) == 0)
                reference->node->group = j + 1;
        if (reference->node->group == 0)
            return bad(parser, "no group has the name of a reference");
    }
    return parser->highest <= parser->names->len ||
           bad(parser, "there is no group of that number");
}

static void
clear_reference(gpointer pointer)
{
    g_free(((NamedReference *)pointer)->name);
}

bool
ocp_rx_parse(const char *pattern, gsize length, OcpRxFlavour flavour, OcpArena *arena,
             OcpReport *report, OcpRx **ret)
{
    Parser parser = {.pattern = pattern,
                     .at = pattern,
                     .end = pattern + length,
                     .flavour = flavour,
                     .arena = arena,
                     .report = report,
                     .names = g_ptr_array_new_with_free_func(g_free),
                     .references = g_array_new(FALSE, FALSE, sizeof(NamedReference))};
    OcpRx *rx = NULL;
    g_array_set_clear_func(parser.references, clear_reference);
    bool good = parse_choice(&parser, &rx) &&
                (parser.at == parser.end || bad(&parser, "a parenthesis too many")) &&
                resolve_references(&parser);
    g_ptr_array_unref(parser.names);
    g_array_unref(parser.references);
    if (good)
        *ret = rx;
    return good;
}
