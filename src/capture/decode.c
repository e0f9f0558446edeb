/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/decode.h"

#include <string.h>
#include <zlib.h>

const char *
ocp_decoding_name(OcpDecoding decoding)
{
    static const char *const names[] = {"escapes", "hex",  "octal",
                                        "base64",  "gzip", "numbers"};
    return names[decoding];
}

/* ---- escapes: one step of the input at a time ---------------------------- */

/* What one piece of the input stands for. */
typedef struct {
    const char *from; /* of the input */
    gsize size;
    char text[8]; /* what it stands for, if not for itself */
    gsize length;
    bool itself;
} Step;

static bool
hex_at(const char *at, const char *end, guint digits, guint *ret)
{
    guint value = 0;
    if ((gsize)(end - at) < digits)
        return false;
    for (guint i = 0; i < digits; i++) {
        int digit = g_ascii_xdigit_value(at[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (guint)digit;
    }
    *ret = value;
    return true;
}

static void
set_byte(Step *step, gsize size, guint byte)
{
    step->size = size;
    step->text[0] = (char)byte;
    step->length = 1;
    step->itself = false;
}

static void
set_character(Step *step, gsize size, guint code)
{
    step->size = size;
    step->length = (gsize)g_unichar_to_utf8(code, step->text);
    step->itself = false;
}

/* \uHHHH and \UHHHHHHHH; a half of a pair alone stays as it is. */
static void
step_unicode(Step *step, const char *at, const char *end)
{
    guint code = 0, low = 0;
    if (at[1] == 'U') {
        if (hex_at(at + 2, end, 8, &code) && code < 0x110000 &&
            (code < 0xD800 || code > 0xDFFF))
            set_character(step, 10, code);
        return;
    }
    if (!hex_at(at + 2, end, 4, &code))
        return;
    if (code < 0xD800 || code > 0xDFFF) {
        set_character(step, 6, code);
    } else if (code < 0xDC00 && end - at >= 12 && at[6] == '\\' && at[7] == 'u' &&
               hex_at(at + 8, end, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        set_character(step, 12, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
    }
}

/* What a backslash and that letter stand for; -1: nothing, or more letters decide. */
static inline int
byte_of(char letter)
{
    switch (letter) {
    case '"':
    case '\\':
    case '/':
    case '\'':
    case '`': return letter;
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'a': return '\a';
    case 'v': return '\v';
    case '0': return '\0';
    case 'e': return '\x1B';
    default: return -1;
    }
}

/* A backslash stands at at. */
static void
step_escape(Step *step, const char *at, const char *end)
{
    guint byte = 0;
    step->size = 1;
    step->itself = true;
    if (end - at < 2)
        return;
    int letter = byte_of(at[1]);
    if (letter >= 0)
        set_byte(step, 2, (guint)letter);
    else if (at[1] == 'x' && hex_at(at + 2, end, 2, &byte))
        set_byte(step, 4, byte);
    else if (at[1] == 'u' || at[1] == 'U')
        step_unicode(step, at, end);
    if (step->itself)
        step->size = 2; /* whatever it is, its backslash escapes what follows */
}

/* The next backslash: often near. */
static inline const char *
run_string(const char *at, const char *end)
{
    const char *near = end - at > 16 ? at + 16 : end;
    while (at < near && *at != '\\')
        at++;
    if (at < near)
        return at;
    at = memchr(at, '\\', (gsize)(end - at));
    return at != NULL ? at : end;
}

static bool
is_octal(const char *at, const char *end)
{
    return end - at >= 4 && at[0] == '#' && at[1] == '0' &&
           (memcmp(at + 2, "12", 2) == 0 || memcmp(at + 2, "11", 2) == 0 ||
            memcmp(at + 2, "15", 2) == 0);
}

/* The end of what stands for itself; inside says whether at is in a JSON string. */
static const char *
run_octal(const char *at, const char *end, bool *inside)
{
    for (; at < end; at++) {
        if (*at == '"')
            *inside = !*inside;
        else if (*inside && *at == '\\' && at + 1 < end)
            at++;
        else if (!*inside && is_octal(at, end))
            break;
    }
    return at;
}

/* Sets *step to the next piece of the input. */
static void
next_step(OcpDecoding decoding, const char *at, const char *end, bool *inside,
          Step *step)
{
    guint byte = 0;
    const char *stop = at;
    step->from = at;
    if (decoding == OCP_DECODE_OCTAL)
        stop = run_octal(at, end, inside);
    else if (*at != '\\')
        stop = memchr(at, '\\', (gsize)(end - at));
    stop = stop == NULL ? end : stop;
    step->itself = true;
    step->size = (gsize)(stop - at);
    if (stop > at)
        return;
    if (decoding == OCP_DECODE_OCTAL)
        set_byte(step, 4, at[3] == '1' ? '\t' : at[3] == '2' ? '\n' : '\r');
    else if (end - at >= 4 && at[1] == 'x' && hex_at(at + 2, end, 2, &byte))
        set_byte(step, 4, byte);
    else
        step->size = 1;
}

static bool
decode_steps(OcpDecoding decoding, const char *text, gsize length, gsize most,
             GString *out)
{
    const char *end = text + length;
    bool inside = false;
    Step step;
    for (const char *at = text; at < end; at += step.size) {
        next_step(decoding, at, end, &inside, &step);
        const char *made = step.itself ? step.from : step.text;
        gsize size = step.itself ? step.size : step.length;
        if (out->len + size > most)
            return false;
        g_string_append_len(out, made, (gssize)size);
    }
    return true;
}

/* As decode_steps(). What it makes is never longer than what it reads. */
static bool
decode_string(const char *text, gsize length, gsize most, GString *out)
{
    const char *end = text + length;
    gsize before = out->len;
    Step step;
    g_string_set_size(out, before + length);
    char *into = out->str + before;
    for (const char *at = text; at < end;) {
        const char *stop = run_string(at, end);
        memcpy(into, at, (gsize)(stop - at));
        into += stop - at;
        at = stop;
        int byte = end - at >= 2 ? byte_of(at[1]) : -1;
        if (byte >= 0) {
            *into++ = (char)byte;
            at += 2;
        } else if (at < end) {
            step_escape(&step, at, end);
            gsize size = step.itself ? step.size : step.length;
            memcpy(into, step.itself ? at : step.text, size);
            into += size;
            at += step.size;
        }
    }
    gsize size = (gsize)(into - out->str);
    g_string_truncate(out, MIN(size, MAX(most, before)));
    return size <= most;
}

/* As ocp_decode_place(), for the escapes of a string. */
static gsize
place_in_string(const char *text, gsize length, gsize offset)
{
    const char *end = text + length;
    gsize made = 0;
    Step step;
    for (const char *at = text; at < end;) {
        const char *stop = run_string(at, end);
        if (made + (gsize)(stop - at) > offset)
            return (gsize)(at - text) + offset - made;
        made += (gsize)(stop - at);
        at = stop;
        if (at == end)
            break;
        step = (Step){.size = 2, .length = 1};
        if (end - at < 2 || byte_of(at[1]) < 0)
            step_escape(&step, at, end);
        gsize size = step.itself ? step.size : step.length;
        if (made + size > offset)
            return (gsize)(at - text) + (step.itself ? offset - made : 0);
        made += size;
        at += step.size;
    }
    return length;
}

gsize
ocp_decode_place(OcpDecoding decoding, const char *text, gsize length, gsize offset)
{
    const char *end = text + length;
    bool inside = false;
    gsize made = 0;
    Step step;
    if (decoding > OCP_DECODE_OCTAL)
        return 0;
    if (decoding == OCP_DECODE_STRING)
        return place_in_string(text, length, offset);
    for (const char *at = text; at < end; at += step.size) {
        next_step(decoding, at, end, &inside, &step);
        gsize size = step.itself ? step.size : step.length;
        if (made + size > offset)
            return (gsize)(at - text) + (step.itself ? offset - made : 0);
        made += size;
    }
    return length;
}

/* ---- the rest ------------------------------------------------------------ */

bool
ocp_is_base64(char byte)
{
    return g_ascii_isalnum(byte) || byte == '+' || byte == '/' || byte == '-' ||
           byte == '_';
}

static bool
decode_base64(const char *text, gsize length, gsize most, GString *out)
{
    guint bits = 0, count = 0;
    for (gsize i = 0; i < length && ocp_is_base64(text[i]); i++) {
        char byte = text[i];
        guint value = g_ascii_isupper(byte)        ? (guint)(byte - 'A')
                      : g_ascii_islower(byte)      ? (guint)(byte - 'a') + 26
                      : g_ascii_isdigit(byte)      ? (guint)(byte - '0') + 52
                      : byte == '+' || byte == '-' ? 62
                                                   : 63;
        bits = bits << 6 | value;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (out->len == most)
            return false;
        g_string_append_c(out, (char)(bits >> count & 0xFF));
    }
    return true;
}

static bool
decode_gzip(const char *text, gsize length, gsize most, GString *out)
{
    g_autoptr(GString) packed = g_string_new(NULL);
    if (!decode_base64(text, length, most, packed))
        return false;
    z_stream stream = {.next_in = (Bytef *)packed->str, .avail_in = (uInt)packed->len};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return false;
    char block[8192];
    int state = Z_OK;
    while (state == Z_OK && out->len < most) {
        stream.next_out = (Bytef *)block;
        stream.avail_out = sizeof block;
        state = inflate(&stream, Z_NO_FLUSH);
        g_string_append_len(out, block, (gssize)(sizeof block - stream.avail_out));
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END && out->len <= most;
}

static bool
decode_numbers(const char *text, gsize length, gsize most, GString *out)
{
    gsize i = 0;
    while (i < length) {
        guint value = 0, digits = 0;
        for (; i < length && g_ascii_isdigit(text[i]) && digits < 4; digits++, i++)
            value = value * 10 + (guint)(text[i] - '0');
        if (digits == 0 || value > 255 || out->len == most)
            return false;
        g_string_append_c(out, (char)value);
        while (i < length && (g_ascii_isspace(text[i]) || text[i] == ','))
            i++;
    }
    return true;
}

bool
ocp_decode(OcpDecoding decoding, const char *text, gsize length, gsize most,
           GString *out)
{
    switch (decoding) {
    case OCP_DECODE_STRING: return decode_string(text, length, most, out);
    case OCP_DECODE_HEX:
    case OCP_DECODE_OCTAL: return decode_steps(decoding, text, length, most, out);
    case OCP_DECODE_BASE64: return decode_base64(text, length, most, out);
    case OCP_DECODE_GZIP: return decode_gzip(text, length, most, out);
    case OCP_DECODE_NUMBERS: return decode_numbers(text, length, most, out);
    }
    return false;
}
