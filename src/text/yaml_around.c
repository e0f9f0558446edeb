/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libyaml skips or takes in another way than YAML 1.2: comments, line breaks of
 * Unicode, and a few spellings on which the two disagree without an error. Those are
 * refused, so that no reader gets another value than we do.
 */
#include <string.h>

#include "text/yaml_reader.h"

static bool
is_blank(const OcpYamlReader *reader, gsize at)
{
    return at >= reader->document->length ||
           g_ascii_isspace(reader->document->text[at]);
}

static bool
fail(OcpYamlReader *reader, gsize place, const char *message)
{
    return ocp_fail_at(reader->report, reader->document, (guint32)place, "yaml.syntax",
                       "%s", message);
}

static gsize
end_of_line(const OcpYamlReader *reader, gsize at, gsize end)
{
    const char *text = reader->document->text;
    while (at < end && text[at] != '\n' && text[at] != '\r')
        at++;
    return at;
}

static void
note_comment(OcpYamlReader *reader, gsize at)
{
    if (reader->comment == OCP_NO_PLACE)
        reader->comment = (guint32)at;
}

static bool
check_question(OcpYamlReader *reader, gsize at)
{
    return is_blank(reader, at + 1) ||
           fail(reader, at,
                "'?' begins a key in YAML 1.1 and is text in YAML 1.2: quote it");
}

/* Between events stand indicators, blanks and comments. */
static bool
scan_gap(OcpYamlReader *reader, gsize from, gsize to)
{
    const char *text = reader->document->text;
    for (gsize at = from; at < to; at++) {
        if (text[at] == '?' && !check_question(reader, at))
            return false;
        if (text[at] != '#')
            continue;
        note_comment(reader, at);
        at = end_of_line(reader, at, to);
    }
    return true;
}

/* libyaml ends an anchor's name at these, YAML 1.2 does not. */
static bool
check_name(OcpYamlReader *reader, gsize at, bool alias)
{
    const char *text = reader->document->text;
    if (at >= reader->document->length || text[at] == '\0' ||
        strchr("?:%@`", text[at]) == NULL ||
        (alias && text[at] == ':' && is_blank(reader, at + 1)))
        return true;
    return fail(reader, at, "the name of an anchor has only letters, digits, '_', '-'");
}

/* Walks over anchor, tag and comments from the start of an event; *ret: what follows.
 */
static bool
scan_properties(OcpYamlReader *reader, const OcpYamlItem *item, gsize *ret)
{
    const char *text = reader->document->text;
    gsize at = item->start;
    while (at < item->end) {
        if (g_ascii_isspace(text[at])) {
            at++;
        } else if (at > item->start && text[at] == '#') {
            note_comment(reader, at);
            at = end_of_line(reader, at, item->end);
        } else if (text[at] == '&') {
            do
                at++;
            while (at < item->end &&
                   (g_ascii_isalnum(text[at]) || text[at] == '_' || text[at] == '-'));
            if (!check_name(reader, at, false))
                return false;
        } else if (text[at] == '!') {
            while (at < item->end && !g_ascii_isspace(text[at]))
                at++;
        } else {
            break;
        }
    }
    *ret = at;
    return true;
}

/* A block scalar: its header may have a comment; if the text ends in a line of blanks,
 * readers disagree about whether that line counts. */
static bool
check_block_scalar(OcpYamlReader *reader, const OcpYamlItem *item)
{
    const char *text = reader->document->text;
    gsize header = end_of_line(reader, item->content, item->end);
    const char *hash = memchr(text + item->content, '#', header - item->content);
    if (hash != NULL)
        note_comment(reader, (gsize)(hash - text));
    gsize last = reader->document->length;
    while (last > header && (text[last - 1] == ' ' || text[last - 1] == '\t'))
        last--;
    if (last == reader->document->length || item->end < last ||
        (text[last - 1] != '\n' && text[last - 1] != '\r'))
        return true;
    return fail(reader, last,
                "A block of text ends in a line of blanks that has no line end");
}

/* U+0085, U+2028, U+2029 may stand in quoted scalars only. */
static bool
find_breaks(OcpYamlReader *reader, OcpYamlItem *item, bool quoted)
{
    const GArray *breaks = reader->check.breaks;
    for (guint i = reader->next_break; i < breaks->len; i++) {
        guint32 place = g_array_index(breaks, guint32, i);
        if (place >= item->end)
            break;
        if (!quoted || place < item->content)
            return ocp_yaml_fail_break(reader, place);
        item->breaks++;
    }
    return true;
}

bool
ocp_yaml_look_around(OcpYamlReader *reader, OcpYamlItem *item)
{
    const yaml_event_t *event = item->event;
    const char *text = reader->document->text;
    bool scalar = event->type == YAML_SCALAR_EVENT;
    yaml_scalar_style_t style =
        scalar ? event->data.scalar.style : YAML_ANY_SCALAR_STYLE;
    gsize behind = item->end;
    if (!scan_gap(reader, reader->gap, item->start))
        return false;
    reader->gap = MAX(reader->gap, item->end);
    if ((scalar || event->type == YAML_MAPPING_START_EVENT ||
         event->type == YAML_SEQUENCE_START_EVENT) &&
        !scan_properties(reader, item, &behind))
        return false;
    item->content = scalar ? behind : item->end;
    if (event->type == YAML_MAPPING_START_EVENT && item->start < item->end &&
        text[item->start] == '?' && !check_question(reader, item->start))
        return false;
    if (event->type == YAML_ALIAS_EVENT && !check_name(reader, item->end, true))
        return false;
    if ((style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) &&
        !check_block_scalar(reader, item))
        return false;
    return find_breaks(reader, item,
                       style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                           style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}
