/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The characters of an expression: blanks, names, literals (RFC 9535, sections 2.1 to
 * 2.3 and 2.3.5), and how an error in them is said.
 */
#include <string.h>

#include "value/distance.h"

#include "mapping/expr_parse.h"

static OcpDiagnostic *fail_va(OcpParser *parser, gsize offset, const char *format,
                              va_list arguments) G_GNUC_PRINTF(3, 0);

static OcpDiagnostic *
fail_va(OcpParser *parser, gsize offset, const char *format, va_list arguments)
{
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    OcpDiagnostic *diagnostic =
        ocp_report_add(parser->report, OCP_ERROR, "mapping.expression", "%s", message);
    guint32 place = parser->scope->place;
    if (place != OCP_NO_PLACE)
        place += (guint32)MIN(offset, parser->length);
    ocp_diagnostic_locate(diagnostic, parser->scope->document, place);
    return diagnostic;
}

bool
ocp_parse_fail(OcpParser *parser, gsize offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_va(parser, offset, format, arguments);
    va_end(arguments);
    return false;
}

bool
ocp_parse_fail_hint(OcpParser *parser, gsize offset, const char *hint,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    OcpDiagnostic *diagnostic = fail_va(parser, offset, format, arguments);
    va_end(arguments);
    diagnostic->hint = g_strdup(hint);
    return false;
}

char *
ocp_parse_suggest(const char *word, gsize length,
                  const char *(*nth)(guint n, gpointer data), gpointer data,
                  const char *format)
{
    const char *best = NULL;
    guint least = length < 4 ? 2 : 3; /* less than this many edits */
    for (guint n = 0; nth != NULL; n++) {
        const char *name = nth(n, data);
        if (name == NULL)
            break;
        guint edits = ocp_distance(word, length, name, strlen(name), least);
        if (edits < least) {
            least = edits;
            best = name;
        }
    }
    if (best == NULL)
        return NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return g_strdup_printf(format, best);
#pragma GCC diagnostic pop
}

gsize
ocp_parse_name_length(const OcpParser *parser, gsize offset)
{
    gsize at = offset;
    for (; at < parser->length; at++) {
        guchar letter = (guchar)parser->text[at];
        bool digit = g_ascii_isdigit((char)letter) && at > offset;
        if (!digit && !g_ascii_isalpha((char)letter) && letter != '_' && letter < 0x80)
            break;
    }
    return at - offset;
}

static bool
hex4(OcpParser *parser, guint32 *ret)
{
    guint32 unit = 0;
    if (parser->length - parser->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        int digit = g_ascii_xdigit_value(parser->text[parser->at + (gsize)i]);
        if (digit < 0)
            return false;
        unit = unit << 4 | (guint32)digit;
    }
    parser->at += 4;
    *ret = unit;
    return true;
}

/* Behind "\u": one scalar value, by one or two escapes. */
static bool
unicode_escape(OcpParser *parser, GString *out)
{
    guint32 unit, low;
    if (!hex4(parser, &unit) || (unit >= 0xDC00 && unit < 0xE000))
        return false;
    if (unit >= 0xD800 && unit < 0xDC00) {
        if (!ocp_parse_take(parser, "\\u") || !hex4(parser, &low) || low < 0xDC00 ||
            low >= 0xE000)
            return false;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    if (unit == 0)
        g_string_append_c(out, '\0');
    else
        g_string_append_unichar(out, unit);
    return true;
}

/* Behind a backslash. */
static bool
escape(OcpParser *parser, char quote, GString *out)
{
    static const char letters[] = "bfnrt/\\";
    static const char meanings[] = "\b\f\n\r\t/\\";
    char letter = ocp_parse_peek(parser);
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    parser->at++;
    if (known != NULL)
        g_string_append_c(out, meanings[known - letters]);
    else if (letter == quote)
        g_string_append_c(out, quote);
    else
        return letter == 'u' && unicode_escape(parser, out);
    return true;
}

bool
ocp_parse_string(OcpParser *parser, const char **ret_text, gsize *ret_length)
{
    gsize start = parser->at;
    char quote = parser->text[parser->at++];
    g_autoptr(GString) out = g_string_new(NULL);
    for (;;) {
        gsize at = parser->at;
        if (at >= parser->length)
            return ocp_parse_fail(parser, start, "this text has no closing %c", quote);
        char letter = parser->text[at];
        parser->at++;
        if (letter == quote)
            break;
        if ((guchar)letter < 0x20)
            return ocp_parse_fail(parser, at,
                                  "a control character in a text must be escaped");
        if (letter != '\\')
            g_string_append_c(out, letter);
        else if (!escape(parser, quote, out))
            return ocp_parse_fail(parser, at, "unknown escape in a text");
    }
    *ret_text = ocp_arena_copy(parser->expr->arena, out->str, out->len);
    *ret_length = out->len;
    return true;
}

bool
ocp_parse_integer(OcpParser *parser, gint64 *ret)
{
    const gint64 limit = (G_GINT64_CONSTANT(1) << 53) - 1;
    gsize start = parser->at;
    bool minus = ocp_parse_take(parser, "-");
    gsize digits = parser->at;
    gint64 number = 0;
    for (; g_ascii_isdigit(ocp_parse_peek(parser)); parser->at++) {
        number = number * 10 + (ocp_parse_peek(parser) - '0');
        if (number > limit)
            return ocp_parse_fail(parser, start, "this index is out of range");
    }
    gsize count = parser->at - digits;
    if (count == 0)
        return ocp_parse_fail(parser, start, "expected a whole number");
    if (parser->text[digits] == '0' && (count > 1 || minus))
        return ocp_parse_fail(parser, start, "an index has no leading zeros and no -0");
    *ret = minus ? -number : number;
    return true;
}

OcpAst *
ocp_parse_node(OcpParser *parser, OcpAstKind kind, gsize offset)
{
    OcpAst *ast = ocp_arena_new_of(parser->expr->arena, OcpAst);
    memset(ast, 0, sizeof *ast);
    ast->kind = kind;
    ast->offset = (guint32)offset;
    ast->type = kind >= OCP_AST_COMPARE ? OCP_CONDITION : OCP_ONE;
    return ast;
}

static OcpAst *
literal(OcpParser *parser, gsize offset, OcpKind kind, const char *text, gsize length)
{
    OcpAst *ast = ocp_parse_node(parser, OCP_AST_LITERAL, offset);
    OcpNode *node = ocp_arena_new_of(parser->expr->arena, OcpNode);
    memset(node, 0, sizeof *node);
    node->kind = (guint8)kind;
    node->flags = OCP_NODE_MADE | OCP_NODE_PLACED;
    node->size = (guint32)length;
    node->as.text = text;
    node->place = OCP_NO_PLACE;
    node->serial = G_MAXUINT32; /* ocp_is_literal() */
    ast->as.literal = node;
    return ast;
}

static gsize
skip_digits(OcpParser *parser)
{
    gsize start = parser->at;
    while (g_ascii_isdigit(ocp_parse_peek(parser)))
        parser->at++;
    return parser->at - start;
}

static OcpAst *
number(OcpParser *parser)
{
    gsize start = parser->at;
    ocp_parse_take(parser, "-");
    gsize first = parser->at;
    gsize digits = skip_digits(parser);
    bool good = digits == 1 || (digits > 1 && parser->text[first] != '0');
    if (ocp_parse_take(parser, "."))
        good = skip_digits(parser) > 0 && good;
    if (ocp_parse_take(parser, "e") || ocp_parse_take(parser, "E")) {
        if (!ocp_parse_take(parser, "+"))
            ocp_parse_take(parser, "-");
        good = skip_digits(parser) > 0 && good;
    }
    if (!good) {
        ocp_parse_fail(parser, start, "this is not a number as JSON has it");
        return NULL;
    }
    return literal(parser, start, OCP_NUMBER, parser->text + start, parser->at - start);
}

static OcpAst *
keyword(OcpParser *parser)
{
    static const struct {
        const char *word;
        OcpKind kind;
    } words[] = {{"true", OCP_TRUE}, {"false", OCP_FALSE}, {"null", OCP_NULL}};
    gsize length = ocp_parse_name_length(parser, parser->at);
    const char *word = parser->text + parser->at;
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (length != strlen(words[i].word) || memcmp(word, words[i].word, length) != 0)
            continue;
        OcpAst *ast = literal(parser, parser->at, words[i].kind, word, length);
        parser->at += length;
        return ast;
    }
    if (length > 0)
        ocp_parse_fail_hint(parser, parser->at,
                            "a text stands in quotes, a path starts with $ or @, a "
                            "function's name is followed by (",
                            "unknown word \"%.*s\"", (int)length, word);
    else if (parser->at < parser->length)
        ocp_parse_fail(parser, parser->at, "expected a value, a path or a function");
    else
        ocp_parse_fail(parser, parser->at,
                       "the expression ends where a value, a path or a function is "
                       "expected");
    return NULL;
}

OcpAst *
ocp_parse_literal(OcpParser *parser)
{
    char letter = ocp_parse_peek(parser);
    if (letter == '-' || g_ascii_isdigit(letter))
        return number(parser);
    if (letter != '"' && letter != '\'')
        return keyword(parser);
    gsize offset = parser->at;
    const char *text;
    gsize length;
    if (!ocp_parse_string(parser, &text, &length))
        return NULL;
    return literal(parser, offset, OCP_STRING, text, length);
}
