/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of text and numbers: match, search, capture, lower, trim, excerpt, number,
 * add. Text that a function leaves as it is keeps its node.
 */
#include "mapping/functions.h"
#include "value/number.h"

static const OcpRegexp *
pattern_of(const OcpCall *call)
{
    const OcpFunction *function = call->ast->as.call.function;
    if (call->ast->as.call.regexp != NULL || call->ast->as.call.hopeless)
        return call->ast->as.call.regexp;
    const OcpNode *pattern = ocp_call_one(call, 1);
    ocp_steer(call->eval, pattern);
    return ocp_index_regexp(call->eval, pattern, function->flags & OCP_FUNCTION_WHOLE,
                            function->flags & OCP_FUNCTION_DOT_ALL);
}

/* match() and search(): the row says whether the whole text must match. */
OCP_FUNCTION_TRUTH(match)
{
    const OcpNode *node = ocp_call_one(call, 0);
    const OcpRegexp *regexp = pattern_of(call);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    ocp_steer(call->eval, node);
    return regexp != NULL && ocp_span(node, false, &span) &&
           ocp_regexp_search(regexp, span.text, span.length);
}

OCP_FUNCTION_ONE(capture)
{
    const OcpNode *node = ocp_call_one(call, 0);
    const OcpRegexp *regexp = pattern_of(call);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    gsize start, end;
    if (regexp == NULL || !ocp_span(node, false, &span))
        return NULL;
    if (!ocp_regexp_group(regexp, span.text, span.length, (guint)ocp_call_size(call, 2),
                          &start, &end)) {
        ocp_steer(call->eval, node); /* it decided that there is nothing */
        return NULL;
    }
    if (start == 0 && end == span.length)
        return node;
    return ocp_call_text(call, node, span.text + start, end - start);
}

/* Code point at text (valid UTF-8; U+0000 is one like others); *ret_size its bytes. */
static gunichar
code_point(const char *text, gsize *ret_size)
{
    gunichar code = g_utf8_get_char(text);
    *ret_size = (gsize)g_utf8_skip[(guchar)*text];
    return code;
}

/* By code point, so that no locale has a say. */
OCP_FUNCTION_ONE(lower)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(node, false, &span))
        return NULL;
    g_autoptr(GString) out = g_string_sized_new(span.length);
    bool changed = false;
    gsize size;
    for (gsize at = 0; at < span.length; at += size) {
        gunichar code = code_point(span.text + at, &size);
        gunichar small = g_unichar_tolower(code);
        changed = changed || small != code;
        if (small == code)
            g_string_append_len(out, span.text + at, (gssize)size);
        else
            g_string_append_unichar(out, small);
    }
    return changed ? ocp_call_text(call, node, out->str, out->len) : node;
}

/* What either Python or JavaScript trims. */
static bool
is_blank(gunichar code)
{
    return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) ||
           code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
           code == 0x202F || code == 0x205F || code == 0x3000 || code == 0xFEFF;
}

OCP_FUNCTION_ONE(trim)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    gsize size, start = 0, end = 0;
    if (!ocp_span(node, false, &span))
        return NULL;
    for (gsize at = 0; at < span.length; at += size) {
        if (is_blank(code_point(span.text + at, &size)))
            continue;
        if (end == 0)
            start = at;
        end = at + size;
    }
    if (end == 0) {
        ocp_steer(call->eval, node);
        return NULL;
    }
    if (start == 0 && end == span.length)
        return node;
    return ocp_call_text(call, node, span.text + start, end - start);
}

/* The first n code points. */
OCP_FUNCTION_ONE(excerpt)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    gsize left = ocp_call_size(call, 1);
    if (ocp_is(node, OCP_STRING) && node->size <= left)
        return node; /* it has no more code points than bytes */
    if (!ocp_span(node, false, &span))
        return NULL;
    gsize at = 0;
    gsize size;
    for (; at < span.length && left > 0; at += size, left--)
        code_point(span.text + at, &size);
    return at >= span.length ? node : ocp_call_text(call, node, span.text, at);
}

/* The number a text spells as JSON does. */
OCP_FUNCTION_ONE(number)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (ocp_is(node, OCP_NUMBER))
        return node;
    if (!ocp_span(node, false, &span) || !ocp_number_valid(span.text, span.length))
        return NULL;
    const OcpNode *made = ocp_make_number(call->eval->made, span.text, span.length);
    ocp_call_derive(call, made, node);
    return made;
}

/* The sum of two whole numbers of 64 bits, absent if it does not fit. */
OCP_FUNCTION_ONE(add)
{
    const OcpNode *a = ocp_call_one(call, 0);
    const OcpNode *b = ocp_call_one(call, 1);
    gint64 left, right;
    if (!ocp_is(a, OCP_NUMBER) || !ocp_is(b, OCP_NUMBER) ||
        !ocp_number_to_int64(a, &left) || !ocp_number_to_int64(b, &right))
        return NULL;
    if (right > 0 ? left > G_MAXINT64 - right : left < G_MININT64 - right)
        return NULL;
    const OcpNode *made = ocp_call_number(call, left + right);
    ocp_call_derive(call, made, a);
    ocp_call_derive(call, made, b);
    return made;
}
