/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/spelling.h"

#include <string.h>

static bool
is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

static bool
is_space(char letter)
{
    return is_blank(letter) || letter == '\n' || letter == '\r';
}

static gsize
skip_spaces(const OcpDocument *document, gsize at)
{
    while (at < document->length && is_space(document->text[at]))
        at++;
    return at;
}

/* Where the content of the scalar begins, behind its anchor and tag. */
static gsize
content_start(const OcpDocument *document, gsize at)
{
    while (at < document->length &&
           (document->text[at] == '&' || document->text[at] == '!')) {
        while (at < document->length && !is_space(document->text[at]))
            at++;
        at = skip_spaces(document, at);
    }
    return at;
}

static gsize
escape_length(char letter)
{
    switch (letter) {
    case 'x': return 4;
    case 'u': return 6;
    case 'U': return 10;
    default: return 2;
    }
}

/* How much of the file one character of the scalar takes at this place. A line end with
 * the blanks around it is one space. */
static gsize
spelled_length(const OcpDocument *document, gsize at, char quote)
{
    const char *text = document->text + at;
    gsize left = document->length - at;
    gsize blanks = 0;
    while (blanks < left && is_blank(text[blanks]))
        blanks++;
    if (blanks < left && (text[blanks] == '\n' || text[blanks] == '\r'))
        return skip_spaces(document, at) - at;
    if (quote == '\'' && left >= 2 && text[0] == '\'' && text[1] == '\'')
        return 2;
    if (quote == '"' && left >= 2 && text[0] == '\\')
        return escape_length(text[1]);
    return 1;
}

static bool
is_scalar_with_text(const OcpDocument *document, const OcpNode *scalar)
{
    return document != NULL && document->text != NULL && ocp_is(scalar, OCP_STRING) &&
           scalar->place != OCP_NO_PLACE && scalar->place < document->length;
}

guint32
ocp_spelling_place(const OcpDocument *document, const OcpNode *scalar, gsize offset)
{
    if (!is_scalar_with_text(document, scalar))
        return scalar->place;
    gsize at = content_start(document, scalar->place);
    if (at >= document->length || strchr("*|>", document->text[at]) != NULL)
        return scalar->place;
    char first = document->text[at];
    char quote = first == '"' || first == '\'' ? first : '\0';
    at += quote != '\0' ? 1 : 0;
    for (gsize done = 0; done < offset && at < document->length; done++)
        at += spelled_length(document, at, quote);
    return (guint32)MIN(at, document->length);
}

/* ---- expressions without quotes -------------------------------------------------- */

/* Something is open at the end of the text: a quote, a parenthesis, a bracket. */
static bool
is_cut(const char *text, gsize length)
{
    char quote = '\0';
    gint depth = 0;
    for (gsize i = 0; i < length; i++) {
        if (quote != '\0') {
            if (text[i] == '\\')
                i++;
            else if (text[i] == quote)
                quote = '\0';
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        } else {
            depth += text[i] == '(' || text[i] == '[' ? 1 : 0;
            depth -= text[i] == ')' || text[i] == ']' ? 1 : 0;
        }
    }
    return quote != '\0' || depth > 0;
}

char *
ocp_spelling_hint(const OcpDocument *document, const OcpNode *scalar)
{
    if (!is_scalar_with_text(document, scalar) || !(scalar->flags & OCP_NODE_PLAIN) ||
        !is_cut(scalar->as.text, scalar->size))
        return NULL;
    gsize end = ocp_spelling_place(document, scalar, scalar->size);
    end = skip_spaces(document, end);
    char stop = end < document->length ? document->text[end] : '\0';
    if (stop == '\0' || strchr(",]}#", stop) == NULL)
        return NULL;
    return g_strdup_printf(
        "quote the expression: without quotes YAML ends it at \"%c\"", stop);
}

/* An "=" that begins a value, and no quote before it. */
static bool
has_bare_expression(const char *line, gsize length)
{
    for (gsize i = 1; i < length; i++) {
        if (line[i] != '=')
            continue;
        gsize before = i;
        while (before > 0 && is_blank(line[before - 1]))
            before--;
        if (before > 0 && (strchr("{[,", line[before - 1]) != NULL ||
                           (before < i && strchr(":-", line[before - 1]) != NULL)))
            return true;
    }
    return false;
}

char *
ocp_spelling_hint_at(const char *text, gsize length, guint line)
{
    guint now = 1;
    for (gsize at = 0; at < length && now <= line; now++) {
        const char *end = memchr(text + at, '\n', length - at);
        gsize size = end != NULL ? (gsize)(end - text) - at : length - at;
        if (now + 1 >= line && has_bare_expression(text + at, size))
            return g_strdup("quote the expression: in a flow collection, or with "
                            "\": \" or \" #\" inside, it needs quotes");
        at += size + 1;
    }
    return NULL;
}
