/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format.h"

#include <string.h>

/* ---- date-time (RFC 3339) -------------------------------------------------------- */

typedef struct {
    gint64 minute; /* UTC, counted from 0000-03-01 */
    guint second;  /* 60 in a leap second */
    const char *fraction;
    gsize fraction_length;
} Instant;

/* Takes count digits at *at. */
static bool
take_digits(const char **at, const char *end, guint count, guint *ret)
{
    guint value = 0;
    if ((gsize)(end - *at) < count)
        return false;
    for (guint i = 0; i < count; i++) {
        if (!g_ascii_isdigit((*at)[i]))
            return false;
        value = value * 10 + (guint)((*at)[i] - '0');
    }
    *at += count;
    *ret = value;
    return true;
}

static bool
take_letter(const char **at, const char *end, const char *letters)
{
    if (*at == end || **at == '\0' || strchr(letters, **at) == NULL)
        return false;
    (*at)++;
    return true;
}

static guint
days_in_month(guint year, guint month)
{
    static const guint8 days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* Days since 0000-03-01 of the proleptic Gregorian calendar. */
static gint64
days_since_start(guint year, guint month, guint day)
{
    gint64 shifted = (gint64)year - (month <= 2 ? 1 : 0);
    gint64 era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    gint64 year_of_era = shifted - era * 400;
    gint64 day_of_year =
        (153 * ((gint64)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
           day_of_year;
}

static bool
take_date(const char **at, const char *end, gint64 *ret_days)
{
    guint year, month, day;
    if (!take_digits(at, end, 4, &year) || !take_letter(at, end, "-") ||
        !take_digits(at, end, 2, &month) || !take_letter(at, end, "-") ||
        !take_digits(at, end, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    *ret_days = days_since_start(year, month, day);
    return true;
}

static bool
take_offset(const char **at, const char *end, gint64 *ret_minutes)
{
    guint hours, minutes;
    *ret_minutes = 0;
    if (take_letter(at, end, "Zz"))
        return true;
    bool behind = *at < end && **at == '-';
    if (!take_letter(at, end, "+-") || !take_digits(at, end, 2, &hours) ||
        !take_letter(at, end, ":") || !take_digits(at, end, 2, &minutes) ||
        hours > 23 || minutes > 59)
        return false;
    *ret_minutes = (gint64)(hours * 60 + minutes) * (behind ? -1 : 1);
    return true;
}

static bool
read_instant(const char *text, gsize length, Instant *ret)
{
    const char *at = text;
    const char *end = text + length;
    guint hour, minute, second;
    gint64 days, offset;
    if (!take_date(&at, end, &days) || !take_letter(&at, end, "Tt") ||
        !take_digits(&at, end, 2, &hour) || !take_letter(&at, end, ":") ||
        !take_digits(&at, end, 2, &minute) || !take_letter(&at, end, ":") ||
        !take_digits(&at, end, 2, &second) || hour > 23 || minute > 59 || second > 60)
        return false;
    ret->fraction = at;
    ret->fraction_length = 0;
    if (take_letter(&at, end, ".")) {
        ret->fraction = at;
        while (at < end && g_ascii_isdigit(*at))
            at++;
        ret->fraction_length = (gsize)(at - ret->fraction);
        if (ret->fraction_length == 0)
            return false;
    }
    if (!take_offset(&at, end, &offset) || at != end)
        return false;
    ret->minute = (days * 24 + hour) * 60 + minute - offset;
    ret->second = second;
    /* A leap second is only ever the last of a UTC day. */
    return second < 60 || (ret->minute + 1) % 1440 == 0;
}

bool
ocp_format_date_time(const char *text, gsize length)
{
    Instant instant;
    return read_instant(text, length, &instant);
}

static int
compare_fractions(const Instant *a, const Instant *b)
{
    gsize longest = MAX(a->fraction_length, b->fraction_length);
    for (gsize i = 0; i < longest; i++) {
        char x = i < a->fraction_length ? a->fraction[i] : '0';
        char y = i < b->fraction_length ? b->fraction[i] : '0';
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int
ocp_format_compare_times(const char *a, gsize a_length, const char *b, gsize b_length)
{
    Instant left = {0};
    Instant right = {0};
    if (!read_instant(a, a_length, &left) || !read_instant(b, b_length, &right))
        return 0; /* the caller promised valid times */
    if (left.minute != right.minute)
        return left.minute < right.minute ? -1 : 1;
    if (left.second != right.second)
        return left.second < right.second ? -1 : 1;
    return compare_fractions(&left, &right);
}

/* ---- uri (RFC 3986) -------------------------------------------------------------- */

static bool
is_unreserved(char c)
{
    return g_ascii_isalnum(c) || (c != '\0' && strchr("-._~", c) != NULL);
}

static bool
is_sub_delimiter(char c)
{
    return c != '\0' && strchr("!$&'()*+,;=", c) != NULL;
}

/* Every character is unreserved, a sub-delimiter, one of extra, or a %XX triplet. */
static bool
all_allowed(const char *at, const char *end, const char *extra)
{
    for (; at < end; at++) {
        if (*at == '%') {
            if (end - at < 3 || !g_ascii_isxdigit(at[1]) || !g_ascii_isxdigit(at[2]))
                return false;
            at += 2;
        } else if (!is_unreserved(*at) && !is_sub_delimiter(*at) &&
                   (*at == '\0' || strchr(extra, *at) == NULL)) {
            return false;
        }
    }
    return true;
}

static bool
is_ipv4(const char *at, const char *end)
{
    for (guint part = 0; part < 4; part++) {
        guint value = 0;
        const char *start = at;
        if (part > 0 && !take_letter(&at, end, "."))
            return false;
        start = at;
        while (at < end && g_ascii_isdigit(*at) && at - start < 3)
            value = value * 10 + (guint)(*at++ - '0');
        if (at == start || value > 255 || (*start == '0' && at - start > 1))
            return false;
    }
    return at == end;
}

static bool
is_ipv6(const char *at, const char *end)
{
    guint groups = 0;
    bool gap = false;
    if (end - at >= 2 && at[0] == ':' && at[1] == ':') {
        gap = true;
        at += 2;
    }
    while (at < end) {
        const char *start = at;
        while (at < end && g_ascii_isxdigit(*at))
            at++;
        if (at < end && *at == '.') {
            groups += 2;
            return is_ipv4(start, end) && (gap ? groups < 8 : groups == 8);
        }
        if (at == start || at - start > 4)
            return false;
        groups++;
        if (at == end)
            break;
        if (*at++ != ':')
            return false;
        if (at < end && *at == ':') {
            if (gap)
                return false;
            gap = true;
            at++;
        } else if (at == end) {
            return false;
        }
    }
    return gap ? groups < 8 : groups == 8;
}

/* "[" IPv6 or IPvFuture "]"; at stands behind the bracket. */
static bool
is_ip_literal(const char *at, const char *end)
{
    if (at < end && g_ascii_tolower(*at) == 'v') {
        const char *digits = ++at;
        while (at < end && g_ascii_isxdigit(*at))
            at++;
        if (at == digits || !take_letter(&at, end, ".") || at == end)
            return false;
        return memchr(at, '%', (gsize)(end - at)) == NULL && all_allowed(at, end, ":");
    }
    return is_ipv6(at, end);
}

static bool
is_authority(const char *at, const char *end)
{
    const char *user_end = memchr(at, '@', (gsize)(end - at));
    if (user_end != NULL) {
        if (!all_allowed(at, user_end, ":"))
            return false;
        at = user_end + 1;
    }
    const char *port = NULL;
    if (at < end && *at == '[') {
        const char *close = memchr(at, ']', (gsize)(end - at));
        if (close == NULL || !is_ip_literal(at + 1, close))
            return false;
        port = close + 1;
        if (port < end && *port != ':')
            return false;
    } else {
        port = memchr(at, ':', (gsize)(end - at));
        if (port == NULL)
            port = end;
        if (!all_allowed(at, port, ""))
            return false;
    }
    if (port < end)
        port++;
    while (port < end && g_ascii_isdigit(*port))
        port++;
    return port == end;
}

bool
ocp_format_uri(const char *text, gsize length)
{
    const char *at = text;
    const char *end = text + length;
    if (at == end || !g_ascii_isalpha(*at))
        return false;
    while (at < end && (g_ascii_isalnum(*at) || *at == '+' || *at == '-' || *at == '.'))
        at++;
    if (!take_letter(&at, end, ":"))
        return false;

    const char *fragment = memchr(at, '#', (gsize)(end - at));
    if (fragment != NULL && !all_allowed(fragment + 1, end, ":@/?"))
        return false;
    end = fragment != NULL ? fragment : end;
    const char *query = memchr(at, '?', (gsize)(end - at));
    if (query != NULL && !all_allowed(query + 1, end, ":@/?"))
        return false;
    end = query != NULL ? query : end;

    if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
        at += 2;
        const char *path = memchr(at, '/', (gsize)(end - at));
        path = path != NULL ? path : end;
        if (!is_authority(at, path))
            return false;
        at = path;
    }
    return all_allowed(at, end, ":@/");
}
