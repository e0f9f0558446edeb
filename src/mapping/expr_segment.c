/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments and selectors of a query (RFC 9535, sections 2.3 and 2.5).
 */
#include <string.h>

#include "mapping/expr_parse.h"

static OcpSelector *
selector_new(OcpParser *parser, OcpSelect kind)
{
    OcpSelector *selector = ocp_arena_new_of(parser->expr->arena, OcpSelector);
    memset(selector, 0, sizeof *selector);
    selector->kind = kind;
    return selector;
}

static bool
at_integer(const OcpParser *parser)
{
    char letter = ocp_parse_peek(parser);
    return letter == '-' || g_ascii_isdigit(letter);
}

/* Behind the first colon: [end] [":" [step]]. */
static bool
slice_rest(OcpParser *parser, OcpSelector *selector)
{
    selector->kind = OCP_SELECT_SLICE;
    selector->step = 1;
    ocp_parse_blanks(parser);
    if (at_integer(parser)) {
        if (!ocp_parse_integer(parser, &selector->end))
            return false;
        selector->has_end = true;
        ocp_parse_blanks(parser);
    }
    if (!ocp_parse_take(parser, ":"))
        return true;
    ocp_parse_blanks(parser);
    return !at_integer(parser) || ocp_parse_integer(parser, &selector->step);
}

/* [start] and, if a colon follows, the rest of a slice. */
static OcpSelector *
index_or_slice(OcpParser *parser)
{
    OcpSelector *selector = selector_new(parser, OCP_SELECT_INDEX);
    if (at_integer(parser)) {
        if (!ocp_parse_integer(parser, &selector->start))
            return NULL;
        selector->has_start = true;
    }
    gsize before = parser->at;
    ocp_parse_blanks(parser);
    if (!ocp_parse_take(parser, ":")) {
        parser->at = before;
        return selector;
    }
    return slice_rest(parser, selector) ? selector : NULL;
}

static OcpSelector *
filter(OcpParser *parser)
{
    OcpSelector *selector = selector_new(parser, OCP_SELECT_FILTER);
    ocp_parse_blanks(parser);
    selector->filter = ocp_parse_expr(parser);
    if (selector->filter == NULL || !ocp_type_condition(parser, selector->filter))
        return NULL;
    ocp_type_filter(parser, selector);
    return selector;
}

static OcpSelector *
selector(OcpParser *parser)
{
    char letter = ocp_parse_peek(parser);
    if (ocp_parse_take(parser, "*"))
        return selector_new(parser, OCP_SELECT_ALL);
    if (ocp_parse_take(parser, "?"))
        return filter(parser);
    if (letter == '"' || letter == '\'') {
        OcpSelector *name = selector_new(parser, OCP_SELECT_NAME);
        return ocp_parse_string(parser, &name->name, &name->length) ? name : NULL;
    }
    if (letter == ':' || at_integer(parser))
        return index_or_slice(parser);
    ocp_parse_fail_hint(
        parser, parser->at, "a member name stands in quotes here",
        "expected a selector between [ and ]: 'name', a place, *, or ?");
    return NULL;
}

static bool
bracketed(OcpParser *parser, OcpSegment *segment)
{
    OcpSelector **end = &segment->selectors;
    do {
        ocp_parse_blanks(parser);
        *end = selector(parser);
        if (*end == NULL)
            return false;
        end = &(*end)->next;
        ocp_parse_blanks(parser);
    } while (ocp_parse_take(parser, ","));
    if (ocp_parse_take(parser, "]"))
        return true;
    return ocp_parse_fail(parser, parser->at, "expected ] after the selector");
}

/* "*" or a name, behind a dot or two. */
static bool
shorthand(OcpParser *parser, OcpSegment *segment)
{
    if (ocp_parse_take(parser, "*")) {
        segment->selectors = selector_new(parser, OCP_SELECT_ALL);
        return true;
    }
    gsize length = ocp_parse_name_length(parser, parser->at);
    if (length == 0)
        return ocp_parse_fail_hint(parser, parser->at,
                                   "other names are written ['like this']",
                                   "expected a member name or * after the dot");
    segment->selectors = selector_new(parser, OCP_SELECT_NAME);
    segment->selectors->name = parser->text + parser->at;
    segment->selectors->length = length;
    parser->at += length;
    return true;
}

static bool
segment_body(OcpParser *parser, OcpSegment *segment)
{
    if (ocp_parse_take(parser, "["))
        return bracketed(parser, segment);
    segment->descendant = ocp_parse_take(parser, "..");
    if (!segment->descendant)
        parser->at++; /* the dot */
    else if (ocp_parse_take(parser, "["))
        return bracketed(parser, segment);
    return shorthand(parser, segment);
}

bool
ocp_parse_segments(OcpParser *parser, OcpAst *query)
{
    OcpSegment **end = &query->as.query.segments;
    for (;;) {
        gsize before = parser->at;
        ocp_parse_blanks(parser);
        char letter = ocp_parse_peek(parser);
        if (letter != '.' && letter != '[') {
            parser->at = before;
            return true;
        }
        OcpSegment *segment = ocp_arena_new_of(parser->expr->arena, OcpSegment);
        memset(segment, 0, sizeof *segment);
        if (!segment_body(parser, segment))
            return false;
        *end = segment;
        end = &segment->next;
    }
}
