/* SPDX-License-Identifier: Apache-2.0 */
#include "text/canonical.h"

#include <string.h>

#include "text/json_scan.h"
#include "text/pen.h"
#include "value/number.h"

typedef struct {
    const char *name; /* decoded */
    gsize length;
    const OcpNode *value;
} Member;

/* An open container. */
typedef struct {
    const OcpNode *next; /* array: the element to append next */
    Member *members;     /* object: sorted; owned */
    gsize count;
    gsize done;
    bool object;
} Frame;

typedef struct {
    OcpPen pen;
    GArray *frames;
    OcpArena *names;
    OcpCanonicalNumbers numbers;
} Writer;

/* ---- scalars --------------------------------------------------------------- */

static void
append_string(OcpPen *pen, const char *text, gsize length)
{
    const char *end = text + length;
    ocp_pen_char(pen, '"');
    while (text < end) {
        const char *from = text;
        text = ocp_json_run(text, end);
        ocp_pen_put(pen, from, (gsize)(text - from));
        if (text < end)
            ocp_json_put_escape((guchar)*text++, pen);
    }
    ocp_pen_char(pen, '"');
}

static void
append_string_node(OcpPen *pen, const OcpNode *string)
{
    if (!(string->flags & OCP_NODE_ESCAPED)) {
        append_string(pen, string->as.text, string->size);
        return;
    }
    g_autofree char *text = g_malloc(string->size + 1);
    append_string(pen, text, ocp_unescape(string->as.text, string->size, text));
}

static void
append_number(Writer *writer, const OcpNode *number)
{
    OcpPen *pen = &writer->pen;
    if (writer->numbers == OCP_CANONICAL_TEXT) {
        ocp_pen_put(pen, number->as.text, number->size);
        return;
    }
    ocp_pen_lift(pen);
    if (writer->numbers == OCP_CANONICAL_VALUE)
        ocp_number_append_canonical(number, pen->text);
    else
        ocp_number_append_python(number, pen->text);
    *pen = ocp_pen(pen->text);
}

/* ---- containers ------------------------------------------------------------ */

/* The order of UTF-8 bytes is that of code points. */
static gint
compare_members(gconstpointer a, gconstpointer b, gpointer data)
{
    (void)data;
    const Member *x = a;
    const Member *y = b;
    int order = memcmp(x->name, y->name, MIN(x->length, y->length));
    if (order != 0)
        return order;
    return x->length < y->length ? -1 : x->length > y->length;
}

static void
open_object(Writer *writer, const OcpNode *object)
{
    Frame frame = {.object = true, .members = g_new(Member, object->size)};
    const OcpNode *key = NULL;
    const OcpNode *value = NULL;
    for (OcpIter iter = ocp_iter(object); ocp_iter_member(&iter, &key, &value);) {
        Member *member = &frame.members[frame.count++];
        member->name = ocp_text(key, writer->names, &member->length);
        member->value = value;
    }
    g_qsort_with_data(frame.members, (gint)frame.count, sizeof(Member), compare_members,
                      NULL);
    g_array_append_val(writer->frames, frame);
    ocp_pen_char(&writer->pen, '{');
}

static void
open_array(Writer *writer, const OcpNode *array)
{
    Frame frame = {.next = ocp_first_child(array)};
    g_array_append_val(writer->frames, frame);
    ocp_pen_char(&writer->pen, '[');
}

/* Appends a scalar, or opens a container. */
static void
append_value(Writer *writer, const OcpNode *node)
{
    switch ((OcpKind)node->kind) {
    case OCP_NULL: ocp_pen_put(&writer->pen, "null", 4); break;
    case OCP_FALSE: ocp_pen_put(&writer->pen, "false", 5); break;
    case OCP_TRUE: ocp_pen_put(&writer->pen, "true", 4); break;
    case OCP_NUMBER: append_number(writer, node); break;
    case OCP_STRING: append_string_node(&writer->pen, node); break;
    case OCP_ARRAY: open_array(writer, node); break;
    case OCP_OBJECT: open_object(writer, node); break;
    case OCP_LINK: break; /* followed before */
    }
}

static void
close_container(Writer *writer, const Frame *frame)
{
    ocp_pen_char(&writer->pen, frame->object ? '}' : ']');
    g_free(frame->members);
    g_array_set_size(writer->frames, writer->frames->len - 1);
}

/* Appends the next child of the innermost container, or closes it. */
static void
append_next(Writer *writer)
{
    Frame *frame = &g_array_index(writer->frames, Frame, writer->frames->len - 1);
    if (frame->object ? frame->done == frame->count : frame->next == NULL) {
        close_container(writer, frame);
        return;
    }
    if (frame->done++ > 0)
        ocp_pen_char(&writer->pen, ',');
    if (!frame->object) {
        const OcpNode *element = ocp_deref(frame->next);
        frame->next = frame->next->next;
        append_value(writer, element); /* may move the frames */
        return;
    }
    const Member *member = &frame->members[frame->done - 1];
    append_string(&writer->pen, member->name, member->length);
    ocp_pen_char(&writer->pen, ':');
    append_value(writer, member->value);
}

void
ocp_canonical_append(const OcpNode *node, OcpCanonicalNumbers numbers, GString *out)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    g_autoptr(OcpArena) names = ocp_arena_new();
    Writer writer = {ocp_pen(out), frames, names, numbers};
    append_value(&writer, ocp_deref(node));
    while (frames->len > 0)
        append_next(&writer);
    ocp_pen_lift(&writer.pen);
}

/* ---- digests --------------------------------------------------------------- */

char *
ocp_canonical_digest(const OcpNode *node, OcpCanonicalNumbers numbers)
{
    g_autoptr(GString) text = g_string_new(NULL);
    ocp_canonical_append(node, numbers, text);
    return ocp_sha256(text->str, text->len);
}

char *
ocp_urn_uuid5(const char *name, gsize length)
{
    static const guint8 space[16] = {0xdb, 0x76, 0x34, 0x88, 0xa8, 0xaa, 0x47, 0xe2,
                                     0x91, 0xd6, 0xb3, 0xed, 0x32, 0x4a, 0xb8, 0xaf};
    guint8 id[20]; /* SHA-1, of which a UUID takes the first 16 bytes */
    gsize size = sizeof id;
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA1);
    g_checksum_update(checksum, space, sizeof space);
    g_checksum_update(checksum, (const guchar *)name, (gssize)length);
    g_checksum_get_digest(checksum, id, &size);
    g_checksum_free(checksum);
    id[6] = (guint8)((id[6] & 0x0F) | 0x50);
    id[8] = (guint8)((id[8] & 0x3F) | 0x80);
    GString *urn = g_string_new("urn:uuid:");
    for (int i = 0; i < 16; i++)
        g_string_append_printf(
            urn, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", id[i]);
    return g_string_free(urn, FALSE);
}
