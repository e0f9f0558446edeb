/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/piece.h"

#include <string.h>

void
ocp_piece_init(OcpPiece *piece)
{
    piece->text = g_string_new(NULL);
    piece->points = g_array_new(FALSE, FALSE, sizeof(OcpMapPoint));
}

void
ocp_piece_clear(OcpPiece *piece)
{
    g_string_free(piece->text, TRUE);
    g_array_unref(piece->points);
}

static void
add_run(OcpPiece *piece, const char *run, gsize size, guint64 offset)
{
    if (size == 0)
        return;
    OcpMapPoint point = {.offset = offset, .text = (guint32)piece->text->len};
    g_array_append_val(piece->points, point);
    g_string_append_len(piece->text, run, (gssize)size);
}

/* The end of a control sequence that begins with the ESC at at, or at + 1. */
static const char *
behind_control(const char *at, const char *end)
{
    const char *stop = at + 1;
    if (stop >= end || *stop != '[')
        return stop;
    for (stop++; stop < end && stop - at < 32; stop++)
        if (*stop >= '@' && *stop <= '~')
            return stop + 1;
    return at + 1;
}

static guint64
log_size(const char *text, gsize size, bool utf16)
{
    return utf16 ? ocp_utf16_size(text, size) : size;
}

void
ocp_piece_set(OcpPiece *piece, const char *line, gsize length, guint64 offset,
              bool utf16)
{
    g_string_truncate(piece->text, 0);
    g_array_set_size(piece->points, 0);
    const char *end = line + length;
    for (const char *at = line; at < end;) {
        const char *escape = memchr(at, '\x1B', (gsize)(end - at));
        escape = escape == NULL ? end : escape;
        add_run(piece, at, (gsize)(escape - at), offset);
        const char *behind = escape < end ? behind_control(escape, end) : end;
        offset += log_size(at, (gsize)(behind - at), utf16);
        at = behind;
    }
}

/* The log's offset of a byte of the piece; *cursor is the point of an earlier one. */
static guint64
offset_of(const OcpPiece *piece, gsize at, guint *cursor, bool utf16)
{
    while (*cursor + 1 < piece->points->len &&
           g_array_index(piece->points, OcpMapPoint, *cursor + 1).text <= at)
        ++*cursor;
    const OcpMapPoint *point = &g_array_index(piece->points, OcpMapPoint, *cursor);
    return point->offset +
           log_size(piece->text->str + point->text, at - point->text, utf16);
}

/* Appends a span of from as it is. */
static void
copy_span(const OcpPiece *from, gsize begin, gsize end, bool utf16, OcpPiece *to)
{
    guint cursor = 0;
    while (begin < end) {
        guint64 offset = offset_of(from, begin, &cursor, utf16);
        gsize stop = cursor + 1 < from->points->len
                         ? g_array_index(from->points, OcpMapPoint, cursor + 1).text
                         : end;
        stop = MIN(stop, end);
        add_run(to, from->text->str + begin, stop - begin, offset);
        begin = stop;
    }
}

/* Appends a span of from with its escapes decoded, and control sequences left out. */
static void
decode_span(const OcpPiece *from, gsize begin, gsize end, bool utf16, OcpPiece *to)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint cursor = 0;
    while (begin < end && to->points->len < OCP_PIECE_POINTS) {
        const char *at = from->text->str + begin;
        const char *slash = memchr(at, '\\', end - begin);
        gsize run = slash == NULL ? end - begin : (gsize)(slash - at);
        add_run(to, at, run, offset_of(from, begin, &cursor, utf16));
        begin += run;
        if (slash == NULL)
            break;
        gsize size = 2; /* of the escape: as much as the decoder takes at once */
        if (end - begin >= 6 && slash[1] == 'u')
            size = end - begin >= 12 && slash[6] == '\\' && slash[7] == 'u' &&
                           g_ascii_tolower(slash[2]) == 'd'
                       ? 12
                       : 6;
        size = MIN(size, end - begin);
        g_string_truncate(out, 0);
        ocp_decode(OCP_DECODE_STRING, slash, size, 16, out);
        if (out->len == 1 && out->str[0] == '\x1B') {
            const char *behind =
                behind_control(slash + size - 1, from->text->str + end);
            size = (gsize)(behind - slash);
        } else {
            add_run(to, out->str, out->len, offset_of(from, begin, &cursor, utf16));
        }
        begin += size;
    }
}

void
ocp_piece_unframe(OcpPiece *piece, const OcpFrame *frame, bool utf16)
{
    gsize begin = (gsize)(frame->body - piece->text->str);
    if (begin == 0 && frame->size == piece->text->len)
        return;
    OcpPiece body;
    ocp_piece_init(&body);
    if (frame->string)
        decode_span(piece, begin, begin + frame->size, utf16, &body);
    else
        copy_span(piece, begin, begin + frame->size, utf16, &body);
    OcpPiece old = *piece;
    *piece = body;
    ocp_piece_clear(&old);
}
