/* SPDX-License-Identifier: Apache-2.0 */
#include "text/yaml_check.h"

#include <string.h>

enum {
    MOST_DIRECTIVES = 64, /* libyaml compares each with all before it */
    PRIVATE_FIRST = 0xE000,
    PRIVATE_LAST = 0xF8FF,
    SHORT_FIRST = 0xA1,
    SHORT_LAST = 0x7FF
};

static const guint32 break_codes[] = {0x85, 0x2028, 0x2029};

/* Decodes one character of at least two bytes; returns its length, 0 if invalid. */
static guint
decode(const guchar *at, const guchar *end, guint32 *code)
{
    guint length = *at >= 0xF0 ? 4 : *at >= 0xE0 ? 3 : 2;
    static const guint32 least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*at < 0xC2 || *at > 0xF4 || (gsize)(end - at) < length)
        return 0;
    *code = *at & (0xFFu >> (length + 1));
    for (guint i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3Fu);
    }
    bool valid = *code >= least[length] && *code <= 0x10FFFF &&
                 (*code < 0xD800 || *code > 0xDFFF);
    return valid ? length : 0;
}

static bool
is_allowed(guint32 code)
{
    if (code < 0x20)
        return code == '\t' || code == '\n' || code == '\r';
    return code < 0x7F || code == 0x85 || (code >= 0xA0 && code < 0xFFFE) ||
           code >= 0x10000;
}

static const guchar *
skip_ordinary_ascii(const guchar *at, const guchar *end)
{
    while (at < end && *at >= 0x20 && *at < 0x7F)
        at++;
    return at;
}

static bool
check_characters(const OcpDocument *document, OcpReport *report, OcpYamlCheck *check)
{
    const guchar *start = (const guchar *)document->text;
    const guchar *end = start + document->length;
    for (const guchar *at = skip_ordinary_ascii(start, end); at < end;
         at = skip_ordinary_ascii(at, end)) {
        guint32 code = *at;
        guint32 place = (guint32)(at - start);
        guint length = code < 0x80 ? 1 : decode(at, end, &code);
        if (length == 0)
            return ocp_fail_at(report, document, place, "yaml.encoding",
                               "the text is not valid UTF-8: byte 0x%02X", *at);
        if (!is_allowed(code))
            return ocp_fail_at(report, document, place, "yaml.character",
                               "U+%04X cannot stand in a YAML text; in double quotes "
                               "it can be written as an escape",
                               code);
        check->ascii = check->ascii && length == 1;
        if (code == 0x85 || code == 0x2028 || code == 0x2029)
            g_array_append_val(check->breaks, place);
        at += length;
    }
    return true;
}

static void
mark_used(guint8 *used, guint32 code)
{
    if (code <= PRIVATE_LAST)
        used[code] = 1;
}

/* The code of a \x, \u or \U escape at at (behind the backslash); 0 if it is none. */
static guint32
escaped_code(const char *at, const char *end)
{
    int digits = *at == 'x' ? 2 : *at == 'u' ? 4 : *at == 'U' ? 8 : 0;
    guint32 code = 0;
    for (int i = 1; i <= digits; i++) {
        if (at + i >= end || !g_ascii_isxdigit(at[i]))
            return 0;
        code = code << 4 | (guint32)g_ascii_xdigit_value(at[i]);
    }
    return code;
}

/* Marks what occurs in the text, as itself or as an escape. */
static void
mark_text(const char *text, gsize length, guint8 *used)
{
    const char *end = text + length;
    for (const char *at = text; at < end; at = g_utf8_next_char(at)) {
        if (*at == '\\' && at + 1 < end)
            mark_used(used, escaped_code(at + 1, end));
        else
            mark_used(used, g_utf8_get_char(at));
    }
}

static bool
choose(guint8 *used, guint32 first, guint32 last, char *stand_in)
{
    for (guint32 code = first; code <= last; code++)
        if (!used[code]) {
            used[code] = 1;
            memset(stand_in, 0, 4);
            g_unichar_to_utf8(code, stand_in);
            return true;
        }
    return false;
}

static guint
break_number(const char *at)
{
    return (guchar)at[0] == 0xC2 ? 0 : (guchar)at[2] == 0xA8 ? 1 : 2;
}

static bool
make_copy(const OcpDocument *document, OcpReport *report, OcpYamlCheck *check)
{
    if (check->breaks->len == 0)
        return true;
    g_autofree guint8 *used = g_malloc0(PRIVATE_LAST + 1);
    mark_text(document->text, document->length, used);
    if (!choose(used, SHORT_FIRST, SHORT_LAST, check->stand_in[0]) ||
        !choose(used, PRIVATE_FIRST, PRIVATE_LAST, check->stand_in[1]) ||
        !choose(used, PRIVATE_FIRST, PRIVATE_LAST, check->stand_in[2]))
        return ocp_fail_at(report, document, g_array_index(check->breaks, guint32, 0),
                           "yaml.line-break",
                           "U+0085, U+2028 or U+2029 in a text that uses every private "
                           "character: write it as an escape in double quotes");
    check->copy = g_malloc(document->length + 1);
    memcpy(check->copy, document->text, document->length);
    check->copy[document->length] = '\0';
    for (guint i = 0; i < check->breaks->len; i++) {
        char *at = check->copy + g_array_index(check->breaks, guint32, i);
        const char *stand_in = check->stand_in[break_number(at)];
        memcpy(at, stand_in, strlen(stand_in));
    }
    return true;
}

static bool
check_directives(const OcpDocument *document, OcpReport *report)
{
    const char *at = document->text;
    const char *end = at + document->length;
    for (guint count = 0; at != NULL && at < end; count++) {
        at = memmem(at, (gsize)(end - at), "%TAG", 4);
        if (at == NULL)
            return true;
        bool starts_line = at == document->text || at[-1] == '\n' || at[-1] == '\r';
        if (!starts_line)
            count--;
        if (starts_line && count == MOST_DIRECTIVES)
            return ocp_fail_at(report, document, (guint32)(at - document->text),
                               "yaml.directives", "more than %d %%TAG directives",
                               (int)MOST_DIRECTIVES);
        at += 4;
    }
    return true;
}

static bool
check_size(const OcpDocument *document, const OcpLimits *limits, OcpReport *report)
{
    if (document->length > limits->bytes || document->length >= OCP_NO_PLACE)
        return ocp_fail(report, "yaml.size",
                        "%s: the text has more than %" G_GUINT64_FORMAT " bytes",
                        document->name, limits->bytes);
    const guchar *text = (const guchar *)document->text;
    if (document->length >= 2 &&
        ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF)))
        return ocp_fail_at(report, document, 0, "yaml.encoding",
                           "the text is UTF-16: it must be UTF-8");
    return true;
}

bool
ocp_yaml_check(const OcpDocument *document, const OcpLimits *limits, OcpReport *report,
               OcpYamlCheck *check)
{
    memset(check, 0, sizeof *check);
    check->ascii = true;
    check->breaks = g_array_new(FALSE, FALSE, sizeof(guint32));
    return check_size(document, limits, report) &&
           check_characters(document, report, check) &&
           check_directives(document, report) && make_copy(document, report, check);
}

void
ocp_yaml_check_clear(OcpYamlCheck *check)
{
    g_array_unref(check->breaks);
    g_free(check->copy);
}

void
ocp_yaml_check_restore(const OcpYamlCheck *check, char *text, gsize length)
{
    for (guint i = 0; i < G_N_ELEMENTS(break_codes); i++) {
        char original[8] = {0};
        gsize size = (gsize)g_unichar_to_utf8(break_codes[i], original);
        char *end = text + length;
        for (char *at = text;
             (at = memmem(at, (gsize)(end - at), check->stand_in[i], size)) != NULL;
             at += size)
            memcpy(at, original, size);
    }
}

/* Length of the line break at at, or 0; U+0085 is none here: the reader refuses it. */
static gsize
break_length(const char *at, const char *end)
{
    if (*at == '\n')
        return 1;
    if (*at == '\r')
        return end - at > 1 && at[1] == '\n' ? 2 : 1;
    return end - at > 2 && memcmp(at, "\xE2\x80", 2) == 0 &&
                   ((guchar)at[2] == 0xA8 || (guchar)at[2] == 0xA9)
               ? 3
               : 0;
}

/* Takes blanks and line breaks from at and appends what is left of them. */
static const char *
fold(const char *at, const char *end, GString *out)
{
    const char *blanks = at;
    gsize before = out->len;
    bool broken = false;
    bool after_lf = false; /* the first break is an LF: alone it becomes a space */
    for (gsize length; at < end; at += length) {
        length = *at == ' ' || *at == '\t' ? 1 : 0;
        if (length != 0)
            continue;
        length = break_length(at, end);
        if (length == 0)
            break;
        if (!broken && length < 3)
            after_lf = true;
        else if (length < 3)
            g_string_append_c(out, '\n');
        else
            g_string_append_len(out, at, (gssize)length);
        broken = true;
    }
    if (!broken)
        g_string_append_len(out, blanks, at - blanks);
    else if (after_lf && out->len == before)
        g_string_append_c(out, ' ');
    return at;
}

void
ocp_yaml_unquote_single(const char *span, gsize length, GString *out)
{
    const char *end = span + length;
    for (const char *at = span; at < end;) {
        if (*at == ' ' || *at == '\t' || break_length(at, end) > 0) {
            at = fold(at, end, out);
            continue;
        }
        if (*at == '\'')
            at++;
        if (at < end)
            g_string_append_c(out, *at++);
    }
}
