/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a string node: its escapes, and comparing without undoing them first.
 */
#include <string.h>

#include "value/node.h"

static guint32
hex4(const char *digits)
{
    guint32 unit = 0;
    for (int i = 0; i < 4; i++)
        unit = unit << 4 | (guint32)g_ascii_xdigit_value(digits[i]);
    return unit;
}

static gsize
put_utf8(guint32 code, char *out)
{
    if (code == 0) {
        *out = '\0'; /* g_unichar_to_utf8() gives one byte too, said plainly */
        return 1;
    }
    return (gsize)g_unichar_to_utf8(code, out);
}

/* Decodes the escape at *at (behind the backslash) and moves *at behind it. */
static gsize
decode_escape(const char **at, char *out)
{
    char letter = *(*at)++;
    switch (letter) {
    case 'b': *out = '\b'; return 1;
    case 'f': *out = '\f'; return 1;
    case 'n': *out = '\n'; return 1;
    case 'r': *out = '\r'; return 1;
    case 't': *out = '\t'; return 1;
    case 'u': break;
    default: *out = letter; return 1; /* \" \\ \/ */
    }
    guint32 code = hex4(*at);
    *at += 4;
    if (code >= 0xD800 && code < 0xDC00) {
        guint32 low = hex4(*at + 2);
        *at += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return put_utf8(code, out);
}

gsize
ocp_unescape(const char *span, gsize length, char *out)
{
    const char *at = span;
    const char *end = span + length;
    char *to = out;
    while (at < end) {
        const char *stop = memchr(at, '\\', (gsize)(end - at));
        gsize run = (gsize)((stop != NULL ? stop : end) - at);
        memmove(to, at, run);
        to += run;
        at += run;
        if (stop == NULL)
            break;
        at++;
        to += decode_escape(&at, to);
    }
    return (gsize)(to - out);
}

const char *
ocp_text(const OcpNode *scalar, OcpArena *arena, gsize *ret_length)
{
    if (!(scalar->flags & OCP_NODE_ESCAPED)) {
        *ret_length = scalar->size;
        return scalar->as.text;
    }
    char *text = ocp_arena_take(arena, scalar->size + 1);
    *ret_length = ocp_unescape(scalar->as.text, scalar->size, text);
    text[*ret_length] = '\0';
    return text;
}

char *
ocp_text_dup(const OcpNode *scalar)
{
    if (!(scalar->flags & OCP_NODE_ESCAPED))
        return g_strndup(scalar->as.text, scalar->size);
    char *text = g_malloc(scalar->size + 1);
    text[ocp_unescape(scalar->as.text, scalar->size, text)] = '\0';
    return text;
}

/* Reads a string byte by byte, escapes undone as they come. */
typedef struct {
    const char *at;
    const char *end;
    bool escaped;
    char pending[8];
    gsize pending_size;
    gsize pending_at;
} Reader;

static Reader
reader_of(const OcpNode *string)
{
    Reader reader = {.at = string->as.text,
                     .end = string->as.text + string->size,
                     .escaped = (string->flags & OCP_NODE_ESCAPED) != 0};
    return reader;
}

static int
reader_next(Reader *reader)
{
    if (reader->pending_at < reader->pending_size)
        return (guchar)reader->pending[reader->pending_at++];
    if (reader->at == reader->end)
        return -1;
    char byte = *reader->at++;
    if (byte != '\\' || !reader->escaped)
        return (guchar)byte;
    reader->pending_size = decode_escape(&reader->at, reader->pending);
    reader->pending_at = 1;
    return (guchar)reader->pending[0];
}

/* UTF-8 sorts by its bytes as code points sort. */
int
ocp_text_compare(const OcpNode *a, const OcpNode *b)
{
    Reader left = reader_of(a);
    Reader right = reader_of(b);
    for (;;) {
        int x = reader_next(&left);
        int y = reader_next(&right);
        if (x != y)
            return x < y ? -1 : 1;
        if (x < 0)
            return 0;
    }
}

bool
ocp_text_equal(const OcpNode *a, const OcpNode *b)
{
    guint escaped = (a->flags | b->flags) & OCP_NODE_ESCAPED;
    bool alike = a->flags == b->flags || !escaped;
    if (a == b ||
        (alike && a->size == b->size && memcmp(a->as.text, b->as.text, a->size) == 0))
        return true;
    if (!escaped)
        return false;
    Reader left = reader_of(a);
    Reader right = reader_of(b);
    for (;;) {
        int x = reader_next(&left);
        if (x != reader_next(&right))
            return false;
        if (x < 0)
            return true;
    }
}

bool
ocp_text_is_decoded(const OcpNode *string, const char *text, gsize length)
{
    OcpNode other = {.kind = OCP_STRING, .size = (guint32)length, .as.text = text};
    return ocp_text_equal(string, &other);
}

/* Eight bytes a step: texts may be long. */
static guint
hash_bytes(const char *text, gsize length)
{
    const guint64 factor = G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    guint64 hash = (length + 1) * factor;
    for (; length >= 8; text += 8, length -= 8) {
        guint64 word;
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    guint64 rest = 0;
    memcpy(&rest, text, length);
    hash = (hash ^ rest) * factor;
    return (guint)(hash ^ hash >> 32);
}

guint
ocp_text_hash(const OcpNode *string)
{
    char buffer[256];
    if (!(string->flags & OCP_NODE_ESCAPED))
        return hash_bytes(string->as.text, string->size);
    char *text = string->size <= sizeof buffer ? buffer : g_malloc(string->size);
    guint hash = hash_bytes(text, ocp_unescape(string->as.text, string->size, text));
    if (text != buffer)
        g_free(text);
    return hash;
}
