/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as Python's json module writes them after reading them: integers by their
 * digits, all others as the shortest text of the double.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/number.h"

/* Writes number (finite, positive) with precision significant digits: "d.ddde±xx". */
static void
format_digits(double number, int precision, char *out, int size)
{
    char format[16];
    g_snprintf(format, sizeof format, "%%.%de", precision - 1);
    g_ascii_formatd(out, size, format, number);
}

/* Adds one to the last digit of "d.ddde±xx"; false if that would need one digit more.
 */
static bool
raise_last_digit(char *text)
{
    for (char *at = strchr(text, 'e'); at-- > text;) {
        if (*at == '.')
            continue;
        if (*at < '9') {
            (*at)++;
            return true;
        }
        *at = '0';
    }
    return false;
}

/* The shortest text "d.ddde±xx" that reads as number (finite, positive). Every decimal
 * of up to 15 digits survives a normal double, so fewer are zeros at the end there. At
 * a power of two the doubles below are denser than those above: the nearest decimal may
 * fail where the next one up does not. */
static void
format_shortest(double number, char *out, int size)
{
    int exponent = 0;
    bool power = frexp(number, &exponent) == 0.5;
    int precision = fpclassify(number) == FP_SUBNORMAL ? 1 : 15;
    for (; precision < 17; precision++) {
        format_digits(number, precision, out, size);
        if (g_ascii_strtod(out, NULL) == number)
            return;
        if (power && raise_last_digit(out) && g_ascii_strtod(out, NULL) == number)
            return;
    }
    format_digits(number, precision, out, size);
}

/* Lays out digits and exponent as Python's repr() does. */
static void
append_python_layout(const char *digits, gsize count, int exponent, GString *out)
{
    if (exponent < -4 || exponent >= 16) {
        g_string_append_c(out, digits[0]);
        if (count > 1) {
            g_string_append_c(out, '.');
            g_string_append_len(out, digits + 1, (gssize)count - 1);
        }
        g_string_append_printf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
        return;
    }
    int whole = exponent + 1; /* digits before the point */
    if (whole <= 0) {
        g_string_append(out, "0.");
        for (int i = whole; i < 0; i++)
            g_string_append_c(out, '0');
        g_string_append_len(out, digits, (gssize)count);
        return;
    }
    for (int i = 0; i < whole; i++)
        g_string_append_c(out, (gsize)i < count ? digits[i] : '0');
    g_string_append_c(out, '.');
    if ((gsize)whole < count)
        g_string_append_len(out, digits + whole, (gssize)count - whole);
    else
        g_string_append_c(out, '0');
}

static void
append_python_double(double number, GString *out)
{
    if (signbit(number))
        g_string_append_c(out, '-');
    number = fabs(number);
    if (isinf(number)) {
        g_string_append(out, "Infinity");
        return;
    }
    if (fpclassify(number) == FP_ZERO) {
        g_string_append(out, "0.0");
        return;
    }
    char text[40];
    char digits[20];
    gsize count = 0;
    format_shortest(number, text, sizeof text);
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at != '.')
            digits[count++] = *at;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    append_python_layout(digits, count, (int)g_ascii_strtoll(at + 1, NULL, 10), out);
}

void
ocp_number_append_python(const OcpNode *number, GString *out)
{
    const char *text = number->as.text;
    gsize size = number->size;
    bool whole = true;
    for (gsize i = 0; i < size && whole; i++)
        whole = text[i] == '-' || g_ascii_isdigit(text[i]);
    if (whole && size == 2 && memcmp(text, "-0", 2) == 0) {
        g_string_append_c(out, '0');
    } else if (whole) {
        g_string_append_len(out, text, (gssize)size);
    } else {
        g_autofree char *copy = g_strndup(text, size);
        append_python_double(g_ascii_strtod(copy, NULL), out);
    }
}
