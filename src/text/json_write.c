/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/json.h"
#include "text/json_scan.h"

/* An open container. */
typedef struct {
    const OcpNode *next; /* the child to write next, as it stands in the container */
    bool object;
    bool begun; /* something was written into it */
} Frame;

typedef struct {
    GString *out;
    GArray *frames;
    bool compact;
} Writer;

/* ---- strings --------------------------------------------------------------- */

void
ocp_json_write_string(const char *text, gsize length, GString *out)
{
    const char *end = text + length;
    const char *from = text; /* not yet written */
    g_string_append_c(out, '"');
    while ((text = ocp_json_writer_run(text, end)) < end) {
        bool separator = ocp_json_is_separator(text, end);
        if (*text == '\xE2' && !separator) {
            text++;
            continue;
        }
        g_string_append_len(out, from, text - from);
        guint code = !separator ? (guint)*text : text[2] == '\xA8' ? 0x2028 : 0x2029;
        ocp_json_append_escape(code, out);
        text += separator ? 3 : 1;
        from = text;
    }
    g_string_append_len(out, from, end - from);
    g_string_append_c(out, '"');
}

static void
write_string(const OcpNode *string, GString *out)
{
    if (!(string->flags & OCP_NODE_ESCAPED)) {
        ocp_json_write_string(string->as.text, string->size, out);
        return;
    }
    if (!(string->flags & OCP_NODE_UNUSUAL)) { /* spelled as we would spell it */
        g_string_append_c(out, '"');
        g_string_append_len(out, string->as.text, string->size);
        g_string_append_c(out, '"');
        return;
    }
    g_autofree char *text = g_malloc(string->size + 1);
    ocp_json_write_string(text, ocp_unescape(string->as.text, string->size, text), out);
}

/* ---- values ---------------------------------------------------------------- */

static void
write_break(const Writer *writer)
{
    static const char blanks[] = "                                ";
    if (writer->compact)
        return;
    g_string_append_c(writer->out, '\n');
    for (gsize left = 2 * (gsize)writer->frames->len; left > 0;) {
        gsize run = MIN(left, sizeof blanks - 1);
        g_string_append_len(writer->out, blanks, (gssize)run);
        left -= run;
    }
}

static void
write_container(const Writer *writer, const OcpNode *node)
{
    bool object = node->kind == OCP_OBJECT;
    if (node->size == 0) {
        g_string_append(writer->out, object ? "{}" : "[]");
        return;
    }
    Frame frame = {.next = ocp_first_child(node), .object = object};
    g_string_append_c(writer->out, object ? '{' : '[');
    g_array_append_val(writer->frames, frame);
}

/* Writes a scalar, or opens a container. */
static void
write_value(const Writer *writer, const OcpNode *node)
{
    switch ((OcpKind)node->kind) {
    case OCP_NULL: g_string_append(writer->out, "null"); break;
    case OCP_FALSE: g_string_append(writer->out, "false"); break;
    case OCP_TRUE: g_string_append(writer->out, "true"); break;
    case OCP_NUMBER: g_string_append_len(writer->out, node->as.text, node->size); break;
    case OCP_STRING: write_string(node, writer->out); break;
    case OCP_ARRAY:
    case OCP_OBJECT: write_container(writer, node); break;
    case OCP_LINK: break; /* followed before */
    }
}

/* Writes the next child of the innermost container, or closes it. */
static void
write_next(const Writer *writer)
{
    Frame *frame = &g_array_index(writer->frames, Frame, writer->frames->len - 1);
    const OcpNode *at = frame->next;
    if (at == NULL) {
        char close = frame->object ? '}' : ']';
        g_array_set_size(writer->frames, writer->frames->len - 1);
        write_break(writer);
        g_string_append_c(writer->out, close);
        return;
    }
    if (frame->begun)
        g_string_append_c(writer->out, ',');
    frame->begun = true;
    write_break(writer);
    if (frame->object) {
        write_string(ocp_deref(at), writer->out);
        g_string_append(writer->out, writer->compact ? ":" : ": ");
        at = at->next;
    }
    frame->next = at->next;
    write_value(writer, ocp_deref(at)); /* may move the frames */
}

void
ocp_json_write(const OcpNode *node, bool compact, GString *out)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    Writer writer = {.out = out, .frames = frames, .compact = compact};
    write_value(&writer, ocp_deref(node));
    while (frames->len > 0)
        write_next(&writer);
}
