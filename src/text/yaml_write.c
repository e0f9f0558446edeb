/* SPDX-License-Identifier: Apache-2.0 */
#include "text/yaml.h"

#include <string.h>

#include "value/pointer.h"

/*
 * Block style, without recursion. Whatever a YAML 1.1 or 1.2 reader might take for
 * something else than text is double quoted, on one line; text of several lines is a
 * literal block where nothing in it can go wrong. What is nested very deeply is in flow
 * style, because indentation would make the text many times as long as the value.
 */

enum {
    LONGEST_KEY =
        1000, /* readers give up on a key without "?" beyond 1024 characters */
    DEEPEST_BLOCK = 64, /* levels */
    MOST_NOTES = 1000
};

typedef struct {
    const OcpNode *container;
    const OcpNode *at;  /* next child as it stands in the container */
    const OcpNode *key; /* object: key of the value being written */
    gsize index;        /* array: index of the element being written, from 1 */
    gsize indent;
    bool same_line; /* the first child follows a "- " */
    bool flow;
} Level;

typedef struct {
    GString *out;
    OcpReport *report;
    GArray *levels;
    GString *scratch; /* a decoded string */
    guint respelled;
} Writer;

static void
append_indent(GString *out, gsize count)
{
    gsize length = out->len;
    g_string_set_size(out, length + count);
    memset(out->str + length, ' ', count);
}

/* ---- strings --------------------------------------------------------------------- */

static const char *
decoded(Writer *writer, const OcpNode *string, gsize *ret_length)
{
    *ret_length = string->size;
    if (!(string->flags & OCP_NODE_ESCAPED))
        return string->as.text;
    g_string_set_size(writer->scratch, string->size);
    *ret_length = ocp_unescape(string->as.text, string->size, writer->scratch->str);
    return writer->scratch->str;
}

static bool
is_word(const char *text, gsize length)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (strlen(words[i]) == length &&
            g_ascii_strncasecmp(text, words[i], length) == 0)
            return true;
    return false;
}

/* Words of letters, digits and "_./-", one blank between, the first a letter or "_",
 * that are no word of YAML's own. */
static bool
is_plain(const char *text, gsize length)
{
    if (length == 0 || !(g_ascii_isalpha(*text) || *text == '_') ||
        text[length - 1] == ' ')
        return false;
    for (gsize i = 0; i < length; i++) {
        char c = text[i];
        bool blank = c == ' ' && text[i + 1] != ' ';
        if (!g_ascii_isalnum(c) && c != '_' && c != '.' && c != '/' && c != '-' &&
            !blank)
            return false;
    }
    return !is_word(text, length);
}

/* Length in bytes of the character at text, *ret its code. The text is valid UTF-8. */
static gsize
character(const char *text, guint32 *ret)
{
    *ret = (guchar)*text;
    if (*ret < 0x80)
        return 1;
    *ret = g_utf8_get_char(text);
    return (gsize)g_utf8_skip[(guchar)*text];
}

/* What one of the readers refuses, drops or takes for a line break. */
static bool
is_special(guint32 code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 ||
           code == 0x2029 || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
}

static void
append_escape(guint32 code, GString *out)
{
    static const char letters[] = "btnvfr"; /* U+0008 to U+000D */
    if (code == '"' || code == '\\')
        g_string_append_printf(out, "\\%c", (char)code);
    else if (code >= 8 && code <= 13 && code != 11)
        g_string_append_printf(out, "\\%c", letters[code - 8]);
    else
        g_string_append_printf(out, "\\u%04X", code);
}

static void
append_quoted(const char *text, gsize length, GString *out)
{
    g_string_append_c(out, '"');
    gsize from = 0;
    gsize at = 0;
    while (at < length) {
        guint32 code;
        gsize size = character(text + at, &code);
        if (code == '"' || code == '\\' || is_special(code)) {
            g_string_append_len(out, text + from, (gssize)(at - from));
            append_escape(code, out);
            from = at + size;
        }
        at += size;
    }
    g_string_append_len(out, text + from, (gssize)(length - from));
    g_string_append_c(out, '"');
}

/* Text of lines that neither begin nor end in a blank, the first not empty, at most one
 * line end at the end, and nothing special in it. */
static bool
is_block(const char *text, gsize length)
{
    if (memchr(text, '\n', length) == NULL || *text == '\n' ||
        (length > 1 && text[length - 1] == '\n' && text[length - 2] == '\n'))
        return false;
    gsize size;
    for (gsize at = 0; at < length; at += size) {
        guint32 code;
        size = character(text + at, &code);
        if (code != '\n' && is_special(code))
            return false;
        bool first = at == 0 || text[at - 1] == '\n';
        bool last = at + 1 == length || text[at + 1] == '\n';
        if (code == ' ' && (first || last))
            return false;
    }
    return true;
}

static void
append_block(const char *text, gsize length, gsize indent, GString *out)
{
    const char *end = text + length;
    g_string_append(out, end[-1] == '\n' ? "|" : "|-");
    for (const char *at = text; at < end;) {
        const char *eol = memchr(at, '\n', (gsize)(end - at));
        gsize line = (gsize)((eol != NULL ? eol : end) - at);
        g_string_append_c(out, '\n');
        if (line > 0)
            append_indent(out, indent);
        g_string_append_len(out, at, (gssize)line);
        at += line + 1;
    }
}

/* indent: of a literal block; 0 where there can be none. */
static void
append_string(Writer *writer, const OcpNode *string, gsize indent)
{
    gsize length;
    const char *text = decoded(writer, string, &length);
    if (is_plain(text, length))
        g_string_append_len(writer->out, text, (gssize)length);
    else if (indent > 0 && is_block(text, length))
        append_block(text, length, indent, writer->out);
    else
        append_quoted(text, length, writer->out);
}

/* ---- numbers --------------------------------------------------------------------- */

static void
note_respelled(Writer *writer, const OcpNode *number, const char *written)
{
    if (++writer->respelled > MOST_NOTES)
        return;
    OcpDiagnostic *note = ocp_report_add(
        writer->report, OCP_NOTE, "yaml.number-respelled",
        "the number %.*s is written as %.60s, because YAML 1.1 would read it as text",
        (int)MIN(number->size, 60), number->as.text, written);
    g_autoptr(GString) pointer = g_string_new(NULL);
    for (guint i = 0; i < writer->levels->len; i++) {
        const Level *level = &g_array_index(writer->levels, Level, i);
        if (level->key != NULL)
            ocp_pointer_push_key(pointer, level->key);
        else
            ocp_pointer_push_index(pointer, level->index - 1);
    }
    note->pointer = g_strdup(pointer->str);
}

/* YAML 1.1 wants a point and a sign with an exponent: 1e3 is written 1.0e+3. */
static void
append_number(Writer *writer, const OcpNode *number)
{
    const char *text = number->as.text;
    gsize length = number->size;
    gsize exponent = 0;
    while (exponent < length && text[exponent] != 'e' && text[exponent] != 'E')
        exponent++;
    bool point = memchr(text, '.', exponent) != NULL;
    bool sign = exponent + 1 < length &&
                (text[exponent + 1] == '+' || text[exponent + 1] == '-');
    if (exponent == length || (point && sign)) {
        g_string_append_len(writer->out, text, (gssize)length);
        return;
    }
    gsize start = writer->out->len;
    g_string_append_len(writer->out, text, (gssize)exponent);
    if (!point)
        g_string_append(writer->out, ".0");
    g_string_append_c(writer->out, text[exponent]);
    if (!sign)
        g_string_append_c(writer->out, '+');
    g_string_append_len(writer->out, text + exponent + 1,
                        (gssize)(length - exponent - 1));
    note_respelled(writer, number, writer->out->str + start);
}

/* ---- structure ------------------------------------------------------------------- */

static void
append_leaf(Writer *writer, const OcpNode *node, gsize indent)
{
    switch ((OcpKind)node->kind) {
    case OCP_NULL: g_string_append(writer->out, "null"); break;
    case OCP_FALSE: g_string_append(writer->out, "false"); break;
    case OCP_TRUE: g_string_append(writer->out, "true"); break;
    case OCP_NUMBER: append_number(writer, node); break;
    case OCP_STRING: append_string(writer, node, indent); break;
    case OCP_ARRAY: g_string_append(writer->out, "[]"); break;
    case OCP_OBJECT: g_string_append(writer->out, "{}"); break;
    case OCP_LINK: break; /* links are followed before */
    }
}

static void
open_level(Writer *writer, const OcpNode *container, gsize indent, bool same_line)
{
    Level level = {.container = container,
                   .at = ocp_first_child(container),
                   .indent = indent,
                   .same_line = same_line,
                   .flow = writer->levels->len >= DEEPEST_BLOCK};
    g_array_append_val(writer->levels, level);
    if (level.flow)
        g_string_append_c(writer->out, container->kind == OCP_ARRAY ? '[' : '{');
}

/* The key and its colon, in the long form where the short one would be too long. */
static void
append_key(Writer *writer, const OcpNode *key, gsize indent, bool flow)
{
    gsize length;
    gsize start = writer->out->len;
    const char *text = decoded(writer, key, &length);
    if (is_plain(text, length))
        g_string_append_len(writer->out, text, (gssize)length);
    else
        append_quoted(text, length, writer->out);
    if (writer->out->len - start > LONGEST_KEY) {
        g_string_insert(writer->out, (gssize)start, "? ");
        g_string_append_c(writer->out, flow ? ' ' : '\n');
        if (!flow)
            append_indent(writer->out, indent);
    }
    g_string_append_c(writer->out, ':');
}

/* Moves on to the next child, which it returns; an object's key is level->key. */
static const OcpNode *
next_child(Level *level)
{
    level->index++;
    if (level->container->kind == OCP_OBJECT) {
        level->key = ocp_deref(level->at);
        level->at = level->at->next;
    }
    const OcpNode *child = ocp_deref(level->at);
    level->at = level->at->next;
    return child;
}

static void
write_block_child(Writer *writer, Level *level)
{
    gsize indent = level->indent;
    bool object = level->container->kind == OCP_OBJECT;
    if (!level->same_line)
        append_indent(writer->out, indent);
    level->same_line = false;
    const OcpNode *child = next_child(level);
    if (object)
        append_key(writer, level->key, indent, false);
    else
        g_string_append(writer->out, "- ");
    bool leaf = ocp_is_leaf(child);
    bool flow = writer->levels->len >= DEEPEST_BLOCK;
    if (object)
        g_string_append_c(writer->out, leaf || flow ? ' ' : '\n');
    if (leaf) {
        append_leaf(writer, child, indent + 2);
        g_string_append_c(writer->out, '\n');
    } else {
        open_level(writer, child, indent + 2, !object);
    }
}

static void
write_flow_child(Writer *writer, Level *level)
{
    if (level->index > 0)
        g_string_append(writer->out, ", ");
    const OcpNode *child = next_child(level);
    if (level->key != NULL) {
        append_key(writer, level->key, 0, true);
        g_string_append_c(writer->out, ' ');
    }
    if (ocp_is_leaf(child))
        append_leaf(writer, child, 0);
    else
        open_level(writer, child, 0, true);
}

static void
close_level(Writer *writer, const Level *level)
{
    if (level->flow)
        g_string_append_c(writer->out, level->container->kind == OCP_ARRAY ? ']' : '}');
    if (level->flow && writer->levels->len == DEEPEST_BLOCK + 1)
        g_string_append_c(writer->out, '\n');
    g_array_set_size(writer->levels, writer->levels->len - 1);
}

void
ocp_yaml_write(const OcpNode *node, OcpReport *report, GString *out)
{
    Writer writer = {.out = out,
                     .report = report,
                     .levels = g_array_new(FALSE, FALSE, sizeof(Level)),
                     .scratch = g_string_new(NULL)};
    node = ocp_deref(node);
    if (ocp_is_leaf(node)) {
        append_leaf(&writer, node, 2);
        g_string_append_c(out, '\n');
    } else {
        open_level(&writer, node, 0, false);
    }
    while (writer.levels->len > 0) {
        Level *level = &g_array_index(writer.levels, Level, writer.levels->len - 1);
        if (level->at == NULL)
            close_level(&writer, level);
        else if (level->flow)
            write_flow_child(&writer, level);
        else
            write_block_child(&writer, level);
    }
    if (writer.respelled > MOST_NOTES)
        ocp_report_add(report, OCP_NOTE, "yaml.number-respelled",
                       "%u more numbers are written in another spelling",
                       writer.respelled - MOST_NOTES);
    g_array_unref(writer.levels);
    g_string_free(writer.scratch, TRUE);
}
