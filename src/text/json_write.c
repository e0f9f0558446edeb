/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/json.h"
#include "text/json_scan.h"
#include "text/pen.h"

/* An open container. */
typedef struct {
    const OcpNode *next; /* the child to write next, as it stands in the container */
    bool object;
    bool begun; /* something was written into it */
} Frame;

typedef struct {
    OcpPen pen;
    GArray *frames;
    bool compact;
} Writer;

/* ---- strings --------------------------------------------------------------- */

static void
write_text(OcpPen *pen, const char *text, gsize length)
{
    const char *end = text + length;
    const char *from = text; /* not yet written */
    ocp_pen_char(pen, '"');
    while ((text = ocp_json_writer_run(text, end)) < end) {
        bool separator = ocp_json_is_separator(text, end);
        if (*text == '\xE2' && !separator) {
            text++;
            continue;
        }
        ocp_pen_put(pen, from, (gsize)(text - from));
        guint code = !separator ? (guint)*text : text[2] == '\xA8' ? 0x2028 : 0x2029;
        ocp_json_put_escape(code, pen);
        text += separator ? 3 : 1;
        from = text;
    }
    ocp_pen_put(pen, from, (gsize)(end - from));
    ocp_pen_char(pen, '"');
}

void
ocp_json_write_string(const char *text, gsize length, GString *out)
{
    OcpPen pen = ocp_pen(out);
    write_text(&pen, text, length);
    ocp_pen_lift(&pen);
}

static void
write_string(OcpPen *pen, const OcpNode *string)
{
    if (!(string->flags & OCP_NODE_ESCAPED)) {
        write_text(pen, string->as.text, string->size);
        return;
    }
    if (!(string->flags & OCP_NODE_UNUSUAL)) { /* spelled as we would spell it */
        ocp_pen_room(pen, (gsize)string->size + 2);
        *pen->at++ = '"';
        memcpy(pen->at, string->as.text, string->size);
        pen->at += string->size;
        *pen->at++ = '"';
        return;
    }
    g_autofree char *text = g_malloc(string->size + 1);
    write_text(pen, text, ocp_unescape(string->as.text, string->size, text));
}

/* ---- values ---------------------------------------------------------------- */

static void
write_break(Writer *writer)
{
    if (writer->compact)
        return;
    /* Far to the right nobody reads: there a few bytes would cost a kilobyte of spaces. */
    enum { INDENTED = 32 };
    ocp_pen_char(&writer->pen, '\n');
    ocp_pen_fill(&writer->pen, ' ', 2 * MIN((gsize)writer->frames->len, INDENTED));
}

static void
write_container(Writer *writer, const OcpNode *node)
{
    bool object = node->kind == OCP_OBJECT;
    if (node->size == 0) {
        ocp_pen_put(&writer->pen, object ? "{}" : "[]", 2);
        return;
    }
    Frame frame = {.next = ocp_first_child(node), .object = object};
    ocp_pen_char(&writer->pen, object ? '{' : '[');
    g_array_append_val(writer->frames, frame);
}

/* Writes a scalar, or opens a container. */
static void
write_value(Writer *writer, const OcpNode *node)
{
    switch ((OcpKind)node->kind) {
    case OCP_NULL: ocp_pen_put(&writer->pen, "null", 4); break;
    case OCP_FALSE: ocp_pen_put(&writer->pen, "false", 5); break;
    case OCP_TRUE: ocp_pen_put(&writer->pen, "true", 4); break;
    case OCP_NUMBER: ocp_pen_put(&writer->pen, node->as.text, node->size); break;
    case OCP_STRING: write_string(&writer->pen, node); break;
    case OCP_ARRAY:
    case OCP_OBJECT: write_container(writer, node); break;
    case OCP_LINK: break; /* followed before */
    }
}

/* Writes the next child of the innermost container, or closes it. */
static void
write_next(Writer *writer)
{
    Frame *frame = &g_array_index(writer->frames, Frame, writer->frames->len - 1);
    const OcpNode *at = frame->next;
    if (at == NULL) {
        char close = frame->object ? '}' : ']';
        g_array_set_size(writer->frames, writer->frames->len - 1);
        write_break(writer);
        ocp_pen_char(&writer->pen, close);
        return;
    }
    if (frame->begun)
        ocp_pen_char(&writer->pen, ',');
    frame->begun = true;
    write_break(writer);
    if (frame->object) {
        write_string(&writer->pen, ocp_deref(at));
        ocp_pen_put(&writer->pen, ": ", writer->compact ? 1 : 2);
        at = at->next;
    }
    frame->next = at->next;
    write_value(writer, ocp_deref(at)); /* may move the frames */
}

void
ocp_json_write(const OcpNode *node, bool compact, GString *out)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    Writer writer = {.pen = ocp_pen(out), .frames = frames, .compact = compact};
    write_value(&writer, ocp_deref(node));
    while (frames->len > 0)
        write_next(&writer);
    ocp_pen_lift(&writer.pen);
}
