/* SPDX-License-Identifier: Apache-2.0 */
#include "text/yaml_scalar.h"

#include <string.h>

/* A number in base 2, 8, 16 or 60 longer than this is refused: turning it into decimal
 * takes time in the square of its length. */
enum { LONGEST_OTHER_BASE = 2048, LIMB = 1000000000, MOST_LOCATED = 100 };

typedef struct {
    const char *at;
    const char *end;
} Span;

static bool
is_one_of(Span span, const char *const words[])
{
    gsize length = (gsize)(span.end - span.at);
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(*words, span.at, length) == 0)
            return true;
    return false;
}

static bool
take_sign(Span *span)
{
    bool minus = span->at < span->end && *span->at == '-';
    if (span->at < span->end && (*span->at == '-' || *span->at == '+'))
        span->at++;
    return minus;
}

static bool
take(Span *span, char wanted)
{
    if (span->at == span->end || *span->at != wanted)
        return false;
    span->at++;
    return true;
}

/* Takes a run of digits of the base (and "_" if loose); returns how many digits. */
static gsize
take_digits(Span *span, int base, bool loose)
{
    gsize count = 0;
    for (; span->at < span->end; span->at++) {
        int digit = g_ascii_xdigit_value(*span->at);
        if (digit >= 0 && digit < base)
            count++;
        else if (!loose || *span->at != '_')
            break;
    }
    return count;
}

/* ---- spelling a number as JSON ------------------------------------------------ */

static void
multiply_add(GArray *limbs, guint32 factor, guint32 addend)
{
    guint64 carry = addend;
    for (guint i = 0; i < limbs->len; i++) {
        guint32 *limb = &g_array_index(limbs, guint32, i);
        guint64 sum = (guint64)*limb * factor + carry;
        *limb = (guint32)(sum % LIMB);
        carry = sum / LIMB;
    }
    guint32 top = (guint32)carry;
    if (top != 0)
        g_array_append_val(limbs, top);
}

static void
append_limbs(const GArray *limbs, GString *out)
{
    if (limbs->len == 0)
        g_string_append_c(out, '0');
    for (guint i = limbs->len; i-- > 0;)
        g_string_append_printf(out, i + 1 == limbs->len ? "%u" : "%09u",
                               g_array_index(limbs, guint32, i));
}

/* Digits of a base ("_" skipped); ":" in base 60 ends a decimal part. */
static OcpYamlType
spell_base(bool minus, Span digits, guint32 base, GString *out)
{
    if (digits.end - digits.at > LONGEST_OTHER_BASE)
        return OCP_YAML_NO_JSON;
    g_autoptr(GArray) limbs = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 part = 0;
    bool first = true;
    for (; digits.at < digits.end; digits.at++) {
        if (*digits.at == ':' && !first)
            multiply_add(limbs, 60, part);
        if (*digits.at == ':') {
            first = false;
            part = 0;
        }
        if (!g_ascii_isxdigit(*digits.at))
            continue;
        guint32 digit = (guint32)g_ascii_xdigit_value(*digits.at);
        if (first)
            multiply_add(limbs, base == 60 ? 10 : base, digit);
        else
            part = part * 10 + digit;
    }
    if (!first)
        multiply_add(limbs, 60, part);
    if (minus)
        g_string_append_c(out, '-');
    append_limbs(limbs, out);
    return OCP_YAML_NUMBER;
}

static void
append_digits(Span digits, GString *out)
{
    for (; digits.at < digits.end; digits.at++)
        if (*digits.at != '_')
            g_string_append_c(out, *digits.at);
}

/* whole, then "." and fraction (if there is a point), then the exponent as it is. */
static OcpYamlType
spell_decimal(bool minus, Span whole, const Span *fraction, Span exponent, GString *out)
{
    if (minus)
        g_string_append_c(out, '-');
    while (whole.at < whole.end && (*whole.at == '0' || *whole.at == '_'))
        whole.at++;
    gsize before = out->len;
    append_digits(whole, out);
    if (out->len == before)
        g_string_append_c(out, '0');
    if (fraction != NULL) {
        g_string_append_c(out, '.');
        before = out->len;
        append_digits(*fraction, out);
        if (out->len == before)
            g_string_append_c(out, '0');
    }
    g_string_append_len(out, exponent.at, exponent.end - exponent.at);
    return OCP_YAML_NUMBER;
}

/* ---- the number grammars ------------------------------------------------------- */

/* [eE][-+]?[0-9]+ to the end; in 1.1 the sign must be there. */
static bool
is_exponent(Span span, bool sign_needed)
{
    if (!take(&span, 'e') && !take(&span, 'E'))
        return false;
    const char *before = span.at;
    take_sign(&span);
    if (sign_needed && span.at == before)
        return false;
    return take_digits(&span, 10, false) > 0 && span.at == span.end;
}

static OcpYamlType
number_1_2(Span span, GString *number)
{
    if (span.end - span.at > 2 && span.at[0] == '0' &&
        (span.at[1] == 'o' || span.at[1] == 'x')) {
        int base = span.at[1] == 'o' ? 8 : 16;
        Span digits = {span.at + 2, span.end};
        span.at += 2;
        take_digits(&span, base, false);
        return span.at == span.end ? spell_base(false, digits, (guint32)base, number)
                                   : OCP_YAML_TEXT;
    }
    bool minus = take_sign(&span);
    Span whole = span;
    gsize count = take_digits(&span, 10, false);
    whole.end = span.at;
    Span fraction = {NULL, NULL};
    bool point = take(&span, '.');
    if (point) {
        fraction.at = span.at;
        gsize more = take_digits(&span, 10, false);
        fraction.end = span.at;
        count += more;
    }
    if (count == 0 || (span.at < span.end && !is_exponent(span, false)))
        return OCP_YAML_TEXT;
    return spell_decimal(minus, whole, point ? &fraction : NULL, span, number);
}

/* (:[0-5]?[0-9])+ and in a float "." [0-9_]* to the end, behind the first part. */
static OcpYamlType
number_base_60(bool minus, Span whole, Span span, GString *number)
{
    while (take(&span, ':')) {
        const char *part = span.at;
        gsize count = take_digits(&span, 10, false);
        if (count == 0 || count > 2 || (count == 2 && *part > '5'))
            return OCP_YAML_TEXT;
    }
    Span digits = {whole.at, span.at};
    if (span.at == span.end)
        return *whole.at == '0' ? OCP_YAML_TEXT : spell_base(minus, digits, 60, number);
    if (!take(&span, '.'))
        return OCP_YAML_TEXT;
    Span fraction = span;
    gsize count = take_digits(&span, 10, true);
    if (span.at != span.end)
        return OCP_YAML_TEXT;
    OcpYamlType type = spell_base(minus, digits, 60, number);
    if (type == OCP_YAML_NUMBER) {
        g_string_append_c(number, '.');
        append_digits(fraction, number);
        if (count == 0)
            g_string_append_c(number, '0');
    }
    return type;
}

/* 0b101, 0x1F and 017 with "_" anywhere; at is behind the sign. */
static OcpYamlType
number_1_1_prefixed(bool minus, Span span, GString *number)
{
    int base = 8;
    span.at++;
    if (span.at < span.end && (*span.at == 'b' || *span.at == 'x'))
        base = *span.at++ == 'b' ? 2 : 16;
    Span digits = span;
    gsize count = take_digits(&span, base, true);
    if (span.at != span.end || (count == 0 && base != 8))
        return OCP_YAML_TEXT;
    return spell_base(minus, digits, (guint32)base, number);
}

static OcpYamlType
number_1_1(Span span, GString *number)
{
    const char *start = span.at;
    bool minus = take_sign(&span);
    bool sign = span.at != start;
    Span whole = span;
    if (span.at < span.end && g_ascii_isdigit(*span.at))
        take_digits(&span, 10, true);
    whole.end = span.at;
    if (span.at == span.end && whole.at < whole.end &&
        (*whole.at != '0' || whole.end - whole.at == 1)) {
        Span none = {span.end, span.end};
        return spell_decimal(minus, whole, NULL, none, number);
    }
    if (span.at < span.end && *span.at == ':' && whole.at < whole.end)
        return number_base_60(minus, whole, span, number);
    if (take(&span, '.') && (whole.at < whole.end || !sign)) {
        Span fraction = span;
        if (whole.at == whole.end &&
            (span.at == span.end || !g_ascii_isdigit(*span.at)))
            return OCP_YAML_TEXT;
        take_digits(&span, 10, true);
        fraction.end = span.at;
        if (span.at < span.end && !is_exponent(span, true))
            return OCP_YAML_TEXT;
        return spell_decimal(minus, whole, &fraction, span, number);
    }
    if (whole.at < whole.end && *whole.at == '0') {
        span.at = whole.at;
        return number_1_1_prefixed(minus, span, number);
    }
    return OCP_YAML_TEXT;
}

static bool
is_special_float(Span span)
{
    static const char *const infinities[] = {".inf", ".Inf", ".INF", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    if (is_one_of(span, nans))
        return true;
    take_sign(&span);
    return is_one_of(span, infinities);
}

/* ---- types ----------------------------------------------------------------------- */

bool
ocp_yaml_may_have_type(const char *text, gsize length)
{
    return length == 0 ||
           (*text != '\0' && strchr("+-.0123456789~nNtTfFyYoO=<", *text) != NULL);
}

OcpYamlType
ocp_yaml_type(const char *text, gsize length, OcpYamlVersion version, GString *number)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"true", "True", "TRUE", NULL};
    static const char *const falses[] = {"false", "False", "FALSE", NULL};
    static const char *const yes[] = {"yes", "Yes", "YES", "on", "On", "ON", NULL};
    static const char *const no[] = {"no", "No", "NO", "off", "Off", "OFF", NULL};
    static const char *const none[] = {"=", "<<", NULL};
    Span span = {text, text + length};
    g_string_truncate(number, 0);
    if (is_one_of(span, nulls))
        return OCP_YAML_NULL;
    bool old = version == OCP_YAML_1_1;
    if (is_one_of(span, trues) || (old && is_one_of(span, yes)))
        return OCP_YAML_TRUE;
    if (is_one_of(span, falses) || (old && is_one_of(span, no)))
        return OCP_YAML_FALSE;
    if (is_special_float(span) || (old && is_one_of(span, none)))
        return OCP_YAML_NO_JSON;
    if (!old)
        return number_1_2(span, number);
    OcpYamlType type = number_1_1(span, number);
    if (type != OCP_YAML_TEXT)
        return type;
    g_string_truncate(number, 0);
    OcpYamlType time =
        ocp_yaml_timestamp(text, length, number) ? OCP_YAML_TIME : OCP_YAML_TEXT;
    g_string_truncate(number, 0);
    return time;
}

OcpKind
ocp_yaml_kind(OcpYamlType type)
{
    switch (type) {
    case OCP_YAML_NULL: return OCP_NULL;
    case OCP_YAML_TRUE: return OCP_TRUE;
    case OCP_YAML_FALSE: return OCP_FALSE;
    case OCP_YAML_NUMBER: return OCP_NUMBER;
    case OCP_YAML_TEXT:
    case OCP_YAML_TIME:
    case OCP_YAML_NO_JSON: break;
    }
    return OCP_STRING;
}

void
ocp_yaml_apply(OcpDocument *document, OcpNode *node, OcpYamlType type,
               const GString *number)
{
    static const char *const words[] = {"null", "false", "true"};
    OcpKind kind = ocp_yaml_kind(type);
    node->kind = (guint8)kind;
    node->flags &= (guint8)~OCP_NODE_UNSETTLED;
    if (kind == OCP_NULL || kind == OCP_TRUE || kind == OCP_FALSE) {
        node->as.text = words[kind];
        node->size = (guint32)strlen(words[kind]);
    } else if (kind == OCP_NUMBER &&
               (number->len != node->size ||
                memcmp(number->str, node->as.text, number->len) != 0)) {
        node->as.text = ocp_arena_copy(document->arena, number->str, number->len);
        node->size = (guint32)number->len;
        node->flags |= OCP_NODE_RESPELLED;
    }
}

char *
ocp_yaml_type_words(OcpYamlType type, const GString *number)
{
    switch (type) {
    case OCP_YAML_NULL: return g_strdup("null");
    case OCP_YAML_TRUE: return g_strdup("true");
    case OCP_YAML_FALSE: return g_strdup("false");
    case OCP_YAML_NUMBER: return g_strdup_printf("the number %.60s", number->str);
    case OCP_YAML_TIME: return g_strdup("a timestamp");
    case OCP_YAML_NO_JSON: return g_strdup("a value that JSON has no type for");
    case OCP_YAML_TEXT: break;
    }
    return g_strdup("text");
}

void
ocp_yaml_locate(OcpReport *report, OcpDiagnostic *diagnostic,
                const OcpDocument *document, guint32 place)
{
    bool locate = report->diagnostics->len <= MOST_LOCATED;
    ocp_diagnostic_locate(diagnostic, document, locate ? place : OCP_NO_PLACE);
}
