/* SPDX-License-Identifier: Apache-2.0 */
#include "text/json_scan.h"

#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#define WIDE 1
#include <emmintrin.h>

static inline __m128i
load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Marks the bytes that no JSON string may hold as they are. */
static inline __m128i
special(__m128i bytes)
{
    const __m128i last = _mm_set1_epi8(0x1F); /* of the control characters */
    __m128i found = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last), bytes);
    found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
    return _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
}

/* The same, with what our writer spells otherwise, or may have to. */
static inline __m128i
unusual(__m128i bytes)
{
    __m128i found = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\xE2')));
    return _mm_or_si128(found, special(bytes));
}
#endif

static inline bool
is_special(char byte)
{
    return (guchar)byte < 0x20 || byte == '"' || byte == '\\';
}

const char *
ocp_json_run(const char *at, const char *end)
{
#ifdef WIDE
    for (; end - at >= 16; at += 16) {
        guint found = (guint)_mm_movemask_epi8(special(load(at)));
        if (found != 0)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && !is_special(*at))
        at++;
    return at;
}

const char *
ocp_json_writer_run(const char *at, const char *end)
{
#ifdef WIDE
    for (; end - at >= 16; at += 16) {
        guint found = (guint)_mm_movemask_epi8(unusual(load(at)));
        if (found != 0)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && !is_special(*at) && *at != 0x7F && *at != '\xE2')
        at++;
    return at;
}

/* The first byte of at to end that is not ASCII. */
static inline const char *
skip_ascii(const char *at, const char *end)
{
#ifdef WIDE
    for (; end - at >= 16; at += 16) {
        guint found = (guint)_mm_movemask_epi8(load(at));
        if (found != 0)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && (guchar)*at < 0x80)
        at++;
    return at;
}

/* ---- UTF-8 ----------------------------------------------------------------- */

static inline bool
is_tail(char byte)
{
    return ((guchar)byte & 0xC0) == 0x80;
}

static inline gsize
utf8_size(const char *at, const char *end)
{
    guchar lead = (guchar)at[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4 || end - at < 2 || !is_tail(at[1]))
        return 0;
    if (lead < 0xE0)
        return 2;
    /* Overlong forms, surrogates and what is beyond U+10FFFF show in the second byte.
     */
    guchar second = (guchar)at[1];
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
        return 0;
    if (end - at < 3 || !is_tail(at[2]))
        return 0;
    if (lead < 0xF0)
        return 3;
    return end - at >= 4 && is_tail(at[3]) ? 4 : 0;
}

gsize
ocp_json_utf8_size(const char *at, const char *end)
{
    return utf8_size(at, end);
}

/* Returns end, or where there is no valid UTF-8. */
static const char *
skip_utf8(const char *at, const char *end)
{
    while (at < end) {
        at = skip_ascii(at, end);
        while (at < end && (guchar)*at >= 0x80) {
            gsize size = utf8_size(at, end);
            if (size == 0)
                return at;
            at += size;
        }
    }
    return at;
}

/* True if a span holds U+007F, U+2028 or U+2029, which our writer escapes. */
static bool
has_unusual(const char *at, const char *end)
{
    while ((at = ocp_json_writer_run(at, end)) < end) {
        if (*at == 0x7F || ocp_json_is_separator(at, end))
            return true;
        at++;
    }
    return false;
}

/* ---- strings --------------------------------------------------------------- */

static bool
set_fault(OcpJsonFault *fault, const char *at, const char *code, const char *message,
          const char *hint)
{
    fault->at = at;
    fault->code = code;
    fault->message = message;
    fault->hint = hint;
    return false;
}

static bool
fault_end(OcpJsonFault *fault, const char *end)
{
    return set_fault(fault, end, "json.truncated", "the text ends inside a string",
                     NULL);
}

/* Reads four hexadecimal digits; false if they are not there. */
static bool
scan_hex4(const char *at, const char *end, guint *ret)
{
    guint unit = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        guint digit = (guint)(guchar)at[i] - '0';
        if (digit > 9) {
            digit = ((guint)(guchar)at[i] | 0x20) - 'a';
            if (digit > 5)
                return false;
            digit += 10;
        }
        unit = unit << 4 | digit;
    }
    *ret = unit;
    return true;
}

static bool
fault_hex(OcpJsonFault *fault, const char *escape, const char *end)
{
    const char *at = escape + 2;
    while (at < end && at < escape + 6 && g_ascii_isxdigit(*at))
        at++;
    if (at == end)
        return fault_end(fault, end);
    return set_fault(fault, escape, "json.escape",
                     "\\u must be followed by four "
                     "hexadecimal digits",
                     NULL);
}

/* True if our writer would spell this character with just this \u escape. */
static bool
is_own_spelling(const char *digits, guint unit)
{
    for (int i = 0; i < 4; i++)
        if (g_ascii_isupper(digits[i]))
            return false;
    if (unit < 0x20)
        return strchr("\b\t\n\f\r", (int)unit) == NULL || unit == 0;
    return unit == 0x7F || unit == 0x2028 || unit == 0x2029;
}

/* A \u escape; *at is its backslash and moves behind it, and its low half. */
static bool
scan_unicode_escape(const char **at, const char *end, guint8 *flags,
                    OcpJsonFault *fault)
{
    const char *escape = *at;
    guint unit = 0;
    if (!scan_hex4(escape + 2, end, &unit))
        return fault_hex(fault, escape, end);
    *at += 6;
    if (!is_own_spelling(escape + 2, unit))
        *flags |= OCP_NODE_UNUSUAL;
    if (unit < 0xD800 || unit > 0xDFFF)
        return true;
    const char *hint =
        "characters beyond U+FFFF need both halves, a high and a low one";
    if (unit >= 0xDC00)
        return set_fault(fault, escape, "json.surrogate",
                         "low surrogate without a high one before it", hint);
    if (*at == end || (end - *at == 1 && **at == '\\'))
        return fault_end(fault, end);
    guint low = 0;
    if ((*at)[0] != '\\' || (*at)[1] != 'u')
        return set_fault(fault, escape, "json.surrogate",
                         "high surrogate without a low one behind it", hint);
    if (!scan_hex4(*at + 2, end, &low))
        return fault_hex(fault, *at, end);
    if (low < 0xDC00 || low > 0xDFFF)
        return set_fault(fault, escape, "json.surrogate",
                         "high surrogate without a low one behind it", hint);
    *at += 6;
    return true;
}

static bool
scan_escape(const char **at, const char *end, guint8 *flags, OcpJsonFault *fault)
{
    *flags |= OCP_NODE_ESCAPED;
    if (end - *at < 2)
        return fault_end(fault, end);
    switch ((*at)[1]) {
    case 'u': return scan_unicode_escape(at, end, flags, fault);
    case '/': *flags |= OCP_NODE_UNUSUAL; break;
    case '"':
    case '\\':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': break;
    default:
        return set_fault(fault, *at, "json.escape", "JSON has no such escape",
                         "a backslash itself is written \\\\");
    }
    *at += 2;
    return true;
}

static bool
fault_byte(OcpJsonFault *fault, const char *at, const char *end)
{
    if ((guchar)*at >= 0x80)
        return set_fault(fault, at, "json.utf8", "invalid UTF-8",
                         "JSON text must be UTF-8; convert the file first");
    const char *close = memchr(at, '"', (gsize)(end - at));
    return set_fault(fault, at, "json.control",
                     *at == '\n' || *at == '\r' ? "a line break inside a string"
                                                : "a control character inside a string",
                     close == NULL ? "the closing quote is missing"
                                   : "write it as an escape: \\n, \\t, \\u0000");
}

bool
ocp_json_scan_string(const char *at, const char *end, const char **ret_end,
                     guint8 *ret_flags, OcpJsonFault *fault)
{
    const char *start = at;
    guint8 flags = 0;
    for (;;) {
        const char *stop = ocp_json_run(at, end);
        at = skip_utf8(at, stop);
        if (at < stop)
            return fault_byte(fault, at, end);
        if (at == end)
            return fault_end(fault, end);
        if (*at == '"')
            break;
        if (*at != '\\')
            return fault_byte(fault, at, end);
        while (at < end && *at == '\\')
            if (!scan_escape(&at, end, &flags, fault))
                return false;
    }
    /* A span without escapes is looked through when it is written. */
    if (flags == OCP_NODE_ESCAPED && has_unusual(start, at))
        flags |= OCP_NODE_UNUSUAL;
    *ret_end = at;
    *ret_flags = flags;
    return true;
}

void
ocp_json_put_escape(guint code, OcpPen *pen)
{
    static const char letters[] = "btn?fr"; /* U+0008 to U+000D */
    static const char digits[] = "0123456789abcdef";
    if (code == '"' || code == '\\') {
        ocp_pen_char(pen, '\\');
        ocp_pen_char(pen, (char)code);
    } else if (code >= 0x08 && code <= 0x0D && code != 0x0B) {
        ocp_pen_char(pen, '\\');
        ocp_pen_char(pen, letters[code - 0x08]);
    } else {
        const char escape[] = {'\\',
                               'u',
                               digits[code >> 12 & 15],
                               digits[code >> 8 & 15],
                               digits[code >> 4 & 15],
                               digits[code & 15]};
        ocp_pen_put(pen, escape, sizeof escape);
    }
}
