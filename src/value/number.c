/* SPDX-License-Identifier: Apache-2.0 */
#include "value/number.h"

#include <string.h>

enum {
    SMALL_EXPONENT = 18,  /* digits of an exponent that surely fits 64 bits */
    SMALL_DIVISOR = 18,   /* digits of a divisor that fits with one more digit */
    DIVISOR_DIGITS = 256, /* longest divisor ocp_number_is_multiple() works with */
    LIMB_DIGITS = 9,
    LIMBS = (DIVISOR_DIGITS + 1) / LIMB_DIGITS + 2
};

/* A number taken apart, still as spans of its text. Its value is that of its
 * significant digits times ten to the power of (written exponent + shift). */
typedef struct {
    bool negative;
    bool zero;
    const char *first; /* first significant digit */
    const char *end;   /* behind the last; a point may stand between */
    gsize count;       /* significant digits: neither the first nor the last is 0 */
    gint64 shift;
    const char *exponent; /* digits of the written exponent, no leading zeros */
    gsize exponent_size;
    bool exponent_negative;
} Parts;

/* ---- taking apart ---------------------------------------------------------- */

static const char *
skip_digits(const char *at, const char *end)
{
    while (at < end && g_ascii_isdigit(*at))
        at++;
    return at;
}

bool
ocp_number_valid(const char *text, gsize length)
{
    const char *end = text + length;
    const char *at = text < end && *text == '-' ? text + 1 : text;
    const char *digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at > digits + 1))
        return false;
    if (at < end && *at == '.') {
        digits = at + 1;
        at = skip_digits(digits, end);
        if (at == digits)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        digits = at;
        at = skip_digits(digits, end);
        if (at == digits)
            return false;
    }
    return at == end;
}

static void
split_exponent(Parts *parts, const char *at, const char *end)
{
    if (at == end)
        return;
    at++; /* e */
    parts->exponent_negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    while (at < end && *at == '0')
        at++;
    parts->exponent = at;
    parts->exponent_size = (gsize)(end - at);
}

static Parts
split(const OcpNode *number)
{
    Parts parts = {.zero = true};
    const char *at = number->as.text;
    const char *end = at + number->size;
    if (at < end && *at == '-') {
        parts.negative = true;
        at++;
    }
    gsize behind_point = 0; /* digits seen behind the point */
    gsize pending = 0;      /* zeros seen since the last significant digit */
    bool point = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        behind_point += point;
        if (*at == '0') {
            pending++;
            continue;
        }
        if (parts.zero)
            parts.first = at;
        else
            parts.count += pending;
        parts.zero = false;
        parts.count++;
        parts.end = at + 1;
        pending = 0;
    }
    parts.shift = (gint64)pending - (gint64)behind_point;
    split_exponent(&parts, at, end);
    return parts;
}

/* Reads the written exponent if it is small. */
static bool
small_exponent(const Parts *parts, gint64 *ret)
{
    if (parts->exponent_size > SMALL_EXPONENT)
        return false;
    gint64 value = 0;
    for (gsize i = 0; i < parts->exponent_size; i++)
        value = value * 10 + (parts->exponent[i] - '0');
    *ret = parts->exponent_negative ? -value : value;
    return true;
}

/* Appends the written exponent plus shift, exactly. The shift is less than 2^33 away
 * from 0, so it never changes the sign of an exponent that is not small. */
static void
append_exponent(const Parts *parts, gint64 shift, GString *out)
{
    gint64 small = 0;
    if (small_exponent(parts, &small)) {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, small + shift);
        return;
    }
    gint64 carry = parts->exponent_negative ? -shift : shift;
    if (parts->exponent_negative)
        g_string_append_c(out, '-');
    g_string_append_c(out, '0'); /* room for a carry */
    gsize start = out->len - 1;
    g_string_append_len(out, parts->exponent, (gssize)parts->exponent_size);
    for (gsize i = out->len; carry != 0 && i-- > start;) {
        gint64 digit = out->str[i] - '0' + carry;
        carry = digit >= 0 ? digit / 10 : -((9 - digit) / 10);
        out->str[i] = (char)('0' + (digit - carry * 10));
    }
    gsize zeros = strspn(out->str + start, "0");
    g_string_erase(out, (gssize)start, (gssize)zeros);
}

/* Moves *at to the next digit and returns its value; 0 behind the last. */
static guint
next_digit(const char **at, const char *end)
{
    if (*at < end && **at == '.')
        (*at)++;
    return *at < end ? (guint)(*(*at)++ - '0') : 0;
}

/* ---- comparing ------------------------------------------------------------- */

static int
sign_of(gint64 number)
{
    return number > 0 ? 1 : number < 0 ? -1 : 0;
}

/* Compares decimal integers without leading zeros. */
static int
compare_integers(const GString *a, const GString *b)
{
    bool negative = a->str[0] == '-';
    if (negative != (b->str[0] == '-'))
        return negative ? -1 : 1;
    int order =
        a->len != b->len ? (a->len < b->len ? -1 : 1) : sign_of(strcmp(a->str, b->str));
    return negative ? -order : order;
}

/* Compares (exponent of a + shift_a) with (exponent of b + shift_b). */
static int
compare_exponents(const Parts *a, gint64 shift_a, const Parts *b, gint64 shift_b)
{
    gint64 left = 0;
    gint64 right = 0;
    if (small_exponent(a, &left) && small_exponent(b, &right))
        return sign_of((left + shift_a) - (right + shift_b));
    g_autoptr(GString) text_a = g_string_new(NULL);
    g_autoptr(GString) text_b = g_string_new(NULL);
    append_exponent(a, shift_a, text_a);
    append_exponent(b, shift_b, text_b);
    return compare_integers(text_a, text_b);
}

static int
compare_magnitudes(const Parts *a, const Parts *b)
{
    int order = compare_exponents(a, a->shift + (gint64)a->count, b,
                                  b->shift + (gint64)b->count);
    if (order != 0)
        return order;
    const char *at_a = a->first;
    const char *at_b = b->first;
    while (at_a < a->end || at_b < b->end) {
        guint x = next_digit(&at_a, a->end);
        guint y = next_digit(&at_b, b->end);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int
ocp_number_compare(const OcpNode *a, const OcpNode *b)
{
    Parts x = split(a);
    Parts y = split(b);
    int sign_x = x.zero ? 0 : x.negative ? -1 : 1;
    int sign_y = y.zero ? 0 : y.negative ? -1 : 1;
    if (sign_x != sign_y)
        return sign_x < sign_y ? -1 : 1;
    return sign_x == 0 ? 0 : sign_x * compare_magnitudes(&x, &y);
}

static bool
is_integer(const Parts *parts)
{
    gint64 exponent = 0;
    if (parts->zero)
        return true;
    if (!small_exponent(parts, &exponent))
        return !parts->exponent_negative;
    return exponent + parts->shift >= 0;
}

bool
ocp_number_is_integer(const OcpNode *number)
{
    Parts parts = split(number);
    return is_integer(&parts);
}

bool
ocp_number_to_int64(const OcpNode *number, gint64 *ret)
{
    Parts parts = split(number);
    gint64 exponent = 0;
    if (parts.zero) {
        *ret = 0;
        return true;
    }
    if (!is_integer(&parts) || !small_exponent(&parts, &exponent) || parts.count > 19 ||
        exponent + parts.shift + (gint64)parts.count > 19)
        return false;
    guint64 value = 0; /* 19 digits are less than 2^64 */
    const char *at = parts.first;
    while (at < parts.end)
        value = value * 10 + next_digit(&at, parts.end);
    for (gint64 i = exponent + parts.shift; i > 0; i--)
        value *= 10;
    if (value > (guint64)G_MAXINT64 + (parts.negative ? 1 : 0))
        return false;
    *ret = parts.negative ? (gint64)(~value + 1) : (gint64)value;
    return true;
}

/* ---- multiples ------------------------------------------------------------- */

/* Ten to which power, at most most, is to be multiplied to the digits of value so that
 * divisor's digits may divide them; negative: they never do. */
static gint64
missing_zeros(const Parts *value, const Parts *divisor, gint64 most)
{
    if (compare_exponents(value, value->shift, divisor, divisor->shift) < 0)
        return -1;
    if (compare_exponents(value, value->shift, divisor, divisor->shift + most) >= 0)
        return most;
    gint64 power = 0;
    gint64 right = 0;
    if (small_exponent(value, &power) && small_exponent(divisor, &right))
        return power + value->shift - right - divisor->shift;
    while (compare_exponents(value, value->shift, divisor, divisor->shift + power) > 0)
        power++;
    return power;
}

static bool
divides_small(const Parts *value, const Parts *divisor, gint64 zeros)
{
    guint64 modulus = 0;
    for (const char *at = divisor->first; at < divisor->end;)
        modulus = modulus * 10 + next_digit(&at, divisor->end);
    guint64 rest = 0;
    for (const char *at = value->first; at < value->end;)
        rest = (rest * 10 + next_digit(&at, value->end)) % modulus;
    for (; zeros > 0; zeros--)
        rest = rest * 10 % modulus;
    return rest == 0;
}

/* A natural number below ten times a divisor: limbs of nine digits, least first. */
typedef struct {
    guint32 limbs[LIMBS];
} Large;

enum { LIMB = 1000000000 };

static void
large_push(Large *large, guint digit)
{
    guint64 carry = digit;
    for (int i = 0; i < LIMBS; i++) {
        carry += (guint64)large->limbs[i] * 10;
        large->limbs[i] = (guint32)(carry % LIMB);
        carry /= LIMB;
    }
}

static bool
large_is_below(const Large *a, const Large *b)
{
    for (int i = LIMBS; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i];
    return false;
}

static void
large_subtract(Large *a, const Large *b)
{
    guint32 borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        guint32 take = b->limbs[i] + borrow;
        borrow = a->limbs[i] < take;
        a->limbs[i] = a->limbs[i] + (borrow ? LIMB : 0) - take;
    }
}

static void
large_push_modulo(Large *rest, guint digit, const Large *modulus)
{
    large_push(rest, digit);
    while (!large_is_below(rest, modulus))
        large_subtract(rest, modulus);
}

static bool
divides_large(const Parts *value, const Parts *divisor, gint64 zeros)
{
    Large modulus = {{0}};
    Large rest = {{0}};
    const Large zero = {{0}};
    for (const char *at = divisor->first; at < divisor->end;)
        large_push(&modulus, next_digit(&at, divisor->end));
    for (const char *at = value->first; at < value->end;)
        large_push_modulo(&rest, next_digit(&at, value->end), &modulus);
    for (; zeros > 0; zeros--)
        large_push_modulo(&rest, 0, &modulus);
    return memcmp(&rest, &zero, sizeof zero) == 0;
}

/* a·10^p is a multiple of b·10^q if b divides a·10^(p-q); never if p < q, as a does not
 * end in 0. Powers of ten beyond the twos and fives that b can have change nothing, and
 * b has less than four of either a digit. A divisor of more than DIVISOR_DIGITS digits
 * is no number a schema says in earnest: only zero counts as its multiple. */
bool
ocp_number_is_multiple(const OcpNode *value, const OcpNode *divisor)
{
    Parts a = split(value);
    Parts b = split(divisor);
    if (a.zero)
        return true;
    if (b.zero || b.count > DIVISOR_DIGITS)
        return false;
    gint64 zeros = missing_zeros(&a, &b, 4 * (gint64)b.count);
    if (zeros < 0)
        return false;
    return b.count <= SMALL_DIVISOR ? divides_small(&a, &b, zeros)
                                    : divides_large(&a, &b, zeros);
}

/* ---- spelling -------------------------------------------------------------- */

void
ocp_number_append_canonical(const OcpNode *number, GString *out)
{
    Parts parts = split(number);
    if (parts.zero) {
        g_string_append_c(out, '0');
        return;
    }
    if (parts.negative)
        g_string_append_c(out, '-');
    const char *point = memchr(parts.first, '.', (gsize)(parts.end - parts.first));
    const char *stop = point != NULL ? point : parts.end;
    g_string_append_len(out, parts.first, stop - parts.first);
    if (point != NULL)
        g_string_append_len(out, point + 1, parts.end - point - 1);
    g_string_append_c(out, 'e');
    append_exponent(&parts, parts.shift, out);
}
