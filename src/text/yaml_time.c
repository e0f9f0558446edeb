/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timestamps of YAML 1.1, and their RFC 3339 form.
 */
#include <string.h>

#include "text/yaml_scalar.h"

typedef struct {
    const char *at;
    const char *end;
} Span;

/* Takes between least and most digits; returns their value, or -1. */
static int
take_number(Span *span, int least, int most)
{
    int value = 0;
    int count = 0;
    for (; count < most && span->at < span->end && g_ascii_isdigit(*span->at); count++)
        value = value * 10 + g_ascii_digit_value(*span->at++);
    return count < least ? -1 : value;
}

static bool
take(Span *span, char wanted)
{
    if (span->at == span->end || *span->at != wanted)
        return false;
    span->at++;
    return true;
}

static bool
take_blanks(Span *span)
{
    const char *start = span->at;
    while (span->at < span->end && (*span->at == ' ' || *span->at == '\t'))
        span->at++;
    return span->at > start;
}

static bool
is_date(int year, int month, int day)
{
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 &&
           g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year);
}

/* [ \t]*(Z|[-+]hh?(:mm)?) to the end; nothing means UTC. */
static bool
offset_of(Span span, GString *out)
{
    if (span.at == span.end) {
        g_string_append_c(out, 'Z');
        return true;
    }
    take_blanks(&span);
    if (take(&span, 'Z')) {
        g_string_append_c(out, 'Z');
        return span.at == span.end;
    }
    char sign = span.at < span.end ? *span.at : '\0';
    if (!take(&span, '-') && !take(&span, '+'))
        return false;
    int hours = take_number(&span, 1, 2);
    int minutes = take(&span, ':') ? take_number(&span, 2, 2) : 0;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
        return false;
    g_string_append_printf(out, "%c%02d:%02d", sign, hours, minutes);
    return span.at == span.end;
}

static bool
time_of(Span span, GString *out)
{
    if (!take(&span, 'T') && !take(&span, 't') && !take_blanks(&span))
        return false;
    int hour = take_number(&span, 1, 2);
    int minute = take(&span, ':') ? take_number(&span, 2, 2) : -1;
    int second = take(&span, ':') ? take_number(&span, 2, 2) : -1;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return false;
    g_string_append_printf(out, "T%02d:%02d:%02d", hour, minute, second);
    if (take(&span, '.')) {
        const char *digits = span.at;
        while (span.at < span.end && g_ascii_isdigit(*span.at))
            span.at++;
        if (span.at > digits) {
            g_string_append_c(out, '.');
            g_string_append_len(out, digits, span.at - digits);
        }
    }
    return offset_of(span, out);
}

bool
ocp_yaml_timestamp(const char *text, gsize length, GString *out)
{
    Span span = {text, text + length};
    int year = take_number(&span, 4, 4);
    int month = take(&span, '-') ? take_number(&span, 1, 2) : -1;
    int day = take(&span, '-') ? take_number(&span, 1, 2) : -1;
    if (year < 0 || !is_date(year, month, day))
        return false;
    gsize before = out->len;
    g_string_append_printf(out, "%04d-%02d-%02d", year, month, day);
    if (span.at == span.end && length == 10) {
        g_string_append(out, "T00:00:00Z"); /* what YAML 1.1 says a bare date means */
        return true;
    }
    if (time_of(span, out))
        return true;
    g_string_truncate(out, before);
    return false;
}
