/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of time: rfc3339, newest, before.
 */
#include "mapping/functions.h"
#include "schema/format.h"

enum { TIME_LETTER = 10 /* where the T stands */ };

/* The text of a valid time with its T and Z large; false if it is none. */
static bool
time_span(const OcpNode *node, OcpSpan *ret)
{
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(node, false, &span) || span.length <= TIME_LETTER)
        return false;
    gsize end = span.length - 1;
    if (span.text[TIME_LETTER] == 't' || span.text[end] == 'z') {
        char *owned = g_memdup2(span.text, span.length);
        ocp_span_clear(&span);
        owned[TIME_LETTER] = g_ascii_toupper(owned[TIME_LETTER]);
        owned[end] = g_ascii_toupper(owned[end]);
        span = (OcpSpan){owned, end + 1, owned};
    }
    if (!ocp_format_date_time(span.text, span.length))
        return false;
    *ret = span;
    span.owned = NULL;
    return true;
}

/* The node itself, unless its letters had to be made large. */
static const OcpNode *
time_node(const OcpCall *call, const OcpNode *node, const OcpSpan *span)
{
    if (ocp_text_is_sized(node, span->text, span->length))
        return node;
    return ocp_call_text(call, node, span->text, span->length);
}

OCP_FUNCTION_ONE(rfc3339)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    return time_span(node, &span) ? time_node(call, node, &span) : NULL;
}

OCP_FUNCTION_ONE(newest)
{
    g_autoptr(GPtrArray) nodes = ocp_call_all(call, 0);
    g_auto(OcpSpan) best = OCP_SPAN_NONE;
    const OcpNode *found = NULL;
    for (guint i = 0; i < nodes->len; i++) {
        OcpSpan span = OCP_SPAN_NONE;
        if (!time_span(nodes->pdata[i], &span))
            continue;
        ocp_steer(call->eval, nodes->pdata[i]);
        if (found != NULL && ocp_format_compare_times(span.text, span.length, best.text,
                                                      best.length) <= 0) {
            ocp_span_clear(&span);
            continue;
        }
        ocp_span_clear(&best);
        best = span;
        found = nodes->pdata[i];
    }
    return found != NULL ? time_node(call, found, &best) : NULL;
}

OCP_FUNCTION_TRUTH(before)
{
    const OcpNode *a = ocp_call_one(call, 0);
    const OcpNode *b = ocp_call_one(call, 1);
    g_auto(OcpSpan) left = OCP_SPAN_NONE;
    g_auto(OcpSpan) right = OCP_SPAN_NONE;
    ocp_steer(call->eval, a);
    ocp_steer(call->eval, b);
    return time_span(a, &left) && time_span(b, &right) &&
           ocp_format_compare_times(left.text, left.length, right.text, right.length) <
               0;
}
