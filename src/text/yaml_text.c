/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/yaml_reader.h"
#include "text/yaml_scalar.h"

/*
 * The text of a scalar.
 */

bool
ocp_yaml_fail_break(OcpYamlReader *reader, guint32 place)
{
    ocp_fail_at(reader->report, reader->document, place, "yaml.line-break",
                "U+0085, U+2028 and U+2029 break lines in YAML 1.1 and do not in 1.2");
    OcpDiagnostic *last = g_ptr_array_index(reader->report->diagnostics,
                                            reader->report->diagnostics->len - 1);
    last->hint = g_strdup("write it in double quotes as \\N, \\u2028 or \\u2029");
    return false;
}

static void
copy_text(OcpYamlReader *reader, OcpNode *node, const char *text, gsize length)
{
    node->as.text = ocp_arena_copy(reader->document->arena, text, length);
    node->size = (guint32)length;
}

/* A warning where YAML 1.1 and 1.2 read a quoted scalar with such breaks differently.
 */
static void
warn_break(OcpYamlReader *reader, guint32 place, const char *version)
{
    OcpDiagnostic *warning = ocp_report_add(
        reader->report, OCP_WARNING, "yaml.line-break",
        "YAML 1.1 and 1.2 read U+0085, U+2028, U+2029 differently here: read as %s",
        version);
    ocp_yaml_locate(reader->report, warning, reader->document, place);
}

static bool
is_blank(const char *text, gsize at, gsize end)
{
    return at < end && g_ascii_isspace(text[at]);
}

/* A quoted scalar in which U+0085, U+2028 or U+2029 stands. Double quotes: as in JSON
 * and YAML 1.2. Single quotes: PyYAML folds lines there, so as in 1.1. */
static bool
take_broken_text(OcpYamlReader *reader, OcpNode *node, const OcpYamlItem *item)
{
    const char *text = reader->document->text;
    char *value = (char *)item->event->data.scalar.value;
    gsize length = item->event->data.scalar.length;
    bool single = item->event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE;
    bool differs = false;
    for (guint i = 0; i < item->breaks; i++) {
        guint32 at =
            g_array_index(reader->check.breaks, guint32, reader->next_break + i);
        bool next_line = (guchar)text[at] == 0xC2; /* U+0085 has two bytes */
        if (next_line && single)
            return ocp_yaml_fail_break(reader, at);
        differs = differs || next_line || is_blank(text, at - 1, item->end) ||
                  is_blank(text, at + 3, item->end);
    }
    reader->next_break += item->breaks;
    if (differs)
        warn_break(reader, node->place, single ? "1.1" : "1.2");
    if (!single) {
        ocp_yaml_check_restore(&reader->check, value, length);
        copy_text(reader, node, value, length);
        return true;
    }
    g_autoptr(GString) unquoted = g_string_sized_new(length);
    ocp_yaml_unquote_single(text + item->content + 1, item->end - item->content - 2,
                            unquoted);
    copy_text(reader, node, unquoted->str, unquoted->len);
    return true;
}

bool
ocp_yaml_take_text(OcpYamlReader *reader, OcpNode *node, const OcpYamlItem *item)
{
    if (item->breaks > 0)
        return take_broken_text(reader, node, item);
    const char *value = (const char *)item->event->data.scalar.value;
    gsize length = item->event->data.scalar.length;
    gsize quote = item->event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? 0 : 1;
    const char *span = reader->document->text + item->content + quote;
    if (item->content + length + 2 * quote == item->end &&
        memcmp(span, value, length) == 0) {
        node->as.text = span;
        node->size = (guint32)length;
    } else {
        copy_text(reader, node, value, length);
    }
    return true;
}
