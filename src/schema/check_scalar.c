/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/check.h"
#include "schema/format.h"
#include "value/number.h"

static bool
fault_number(OcpCheck *check, const OcpNode *value, const char *keyword,
             const char *bound, const OcpNode *limit)
{
    OcpFault *fault = ocp_fault_new(check, value, keyword);
    if (fault == NULL)
        return false;
    fault->expected =
        ocp_fault_text(check, "%s %s", bound, ocp_fault_show_constant(check, limit));
    fault->found = ocp_fault_show(check, value);
    fault->message =
        ocp_fault_text(check, "expected %s, found %s", fault->expected, fault->found);
    return false;
}

bool
ocp_check_number(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    if (sub->minimum != NULL && ocp_number_compare(value, sub->minimum) < 0)
        return fault_number(check, value, "minimum", "at least", sub->minimum);
    if (sub->exclusive_minimum != NULL &&
        ocp_number_compare(value, sub->exclusive_minimum) <= 0)
        return fault_number(check, value, "exclusiveMinimum", "more than",
                            sub->exclusive_minimum);
    if (sub->maximum != NULL && ocp_number_compare(value, sub->maximum) > 0)
        return fault_number(check, value, "maximum", "at most", sub->maximum);
    if (sub->exclusive_maximum != NULL &&
        ocp_number_compare(value, sub->exclusive_maximum) >= 0)
        return fault_number(check, value, "exclusiveMaximum", "less than",
                            sub->exclusive_maximum);
    if (sub->multiple_of != NULL && !ocp_number_is_multiple(value, sub->multiple_of))
        return fault_number(check, value, "multipleOf", "a multiple of",
                            sub->multiple_of);
    return true;
}

static guint64
count_code_points(const char *text, gsize length)
{
    guint64 count = 0;
    for (gsize i = 0; i < length; i++)
        count += ((guchar)text[i] & 0xC0) != 0x80;
    return count;
}

static bool
has_format(OcpFormat format, const char *text, gsize length)
{
    switch (format) {
    case OCP_FORMAT_DATE_TIME: return ocp_format_date_time(text, length);
    case OCP_FORMAT_URI: return ocp_format_uri(text, length);
    case OCP_FORMAT_REGEX: return ocp_regexp_valid(text, length);
    case OCP_FORMAT_NONE:
    default: return true;
    }
}

static bool
fault_pattern(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    OcpFault *fault = ocp_fault_new(check, value, "pattern");
    if (fault == NULL)
        return false;
    fault->expected = sub->pattern;
    fault->found = ocp_fault_show(check, value);
    fault->message = ocp_fault_text(check, "%s does not match the pattern %s",
                                    fault->found, sub->pattern);
    if (fault->hint == NULL)
        fault->hint = sub->description;
    return false;
}

/* Where a fault of format is only a warning it does not count against the value. */
static bool
fault_format(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    static const char *const articles[] = {"", "a date-time (RFC 3339)",
                                           "a URI (RFC 3986)",
                                           "a regular expression (ECMA-262)"};
    bool warns = check->options != NULL && check->options->format_warns;
    check->format_failed = check->format_failed || warns;
    OcpFault *fault = ocp_fault_new(check, value, "format");
    if (fault == NULL)
        return warns;
    fault->warning = warns;
    fault->expected = sub->format_name;
    fault->found = ocp_fault_show(check, value);
    fault->message =
        ocp_fault_text(check, "%s is not %s", fault->found, articles[sub->format]);
    if (fault->hint == NULL)
        fault->hint = sub->description;
    return warns;
}

/* True if the number of code points has to be counted: bytes alone do not tell. */
static bool
length_is_open(const OcpSub *sub, gsize bytes)
{
    return (sub->min_length > 0 && (bytes + 3) / 4 < sub->min_length) ||
           bytes > sub->max_length;
}

static bool
check_text(OcpCheck *check, const OcpSub *sub, const OcpNode *value, const char *text,
           gsize length)
{
    if (length_is_open(sub, length)) {
        guint64 count = count_code_points(text, length);
        if (count < sub->min_length)
            return ocp_fault_bound(check, value, "minLength", "at least",
                                   sub->min_length, count, "character");
        if (count > sub->max_length)
            return ocp_fault_bound(check, value, "maxLength", "at most",
                                   sub->max_length, count, "character");
    }
    bool found = true;
    if (sub->regexp != NULL && !ocp_regexp_run(sub->regexp, text, length, &found))
        return ocp_fault_plain(check, value, "pattern",
                               "matching the pattern takes too long here");
    if (!found)
        return fault_pattern(check, sub, value);
    bool ignore = check->options != NULL && check->options->ignore_format;
    if (!ignore && !has_format(sub->format, text, length))
        return fault_format(check, sub, value);
    return true;
}

/* True if the length is right however the escapes of the text are undone: they make at
 * least one code point of twelve bytes. */
static bool
length_is_sure(const OcpSub *sub, gsize bytes)
{
    return (sub->min_length == 0 || (bytes + 11) / 12 >= sub->min_length) &&
           bytes <= sub->max_length;
}

bool
ocp_check_string(OcpCheck *check, const OcpSub *sub, const OcpNode *value)
{
    bool only_length = sub->regexp == NULL && sub->format == OCP_FORMAT_NONE;
    if (only_length && length_is_sure(sub, value->size))
        return true;
    gsize length;
    const char *text = ocp_check_decoded(check, value, &length);
    return check_text(check, sub, value, text, length);
}
