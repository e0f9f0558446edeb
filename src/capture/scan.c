/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/scan.h"

#include <errno.h>
#include <string.h>

enum {
    LARGE = 1 << 20,    /* a line that is not kept twice */
    HISTORY = 1 << 20,  /* bytes kept before the line that is next */
    OVERLAP = 64,       /* longer than any sign of a name */
    MOST_FOREIGN = 100, /* lines of other streams to look past */
    SPARE_BACK = 4 << 20,
    FINISHED = 1024
};

typedef struct {
    const OcpCapture *capture;
    OcpLogReader *reader;
    const OcpScanSink *sink;
    bool utf16;
    OcpWindow window;
    gsize at;       /* the line that is next; lines before it are done */
    gsize searched; /* no name begins between at and here */
    /* one place and what it is in the log: */
    gsize known_at;
    guint64 known_line;
    guint64 known_offset;
    GPtrArray *records; /* OcpRecord, open */
    GPtrArray *spare;   /* OcpRecord, to be used again */
    gsize held;         /* bytes of text in open records */
    struct {
        guint64 key;
        guint64 line;
    } finished[FINISHED]; /* the last line of a stream's last record */
    guint64 tick;
    guint64 back;   /* bytes before names that were looked at */
    OcpPiece piece; /* of the line at hand */
    OcpPiece other; /* of a line before it */
} Scan;

/* ---- places -------------------------------------------------------------- */

/* Moves the known place forward. */
static void
know(Scan *scan, gsize at)
{
    const char *from = scan->window.bytes + scan->known_at;
    if (at <= scan->known_at)
        return;
    gsize size = at - scan->known_at;
    scan->known_line += ocp_window_lines(&scan->window, scan->known_at, at);
    scan->known_offset += scan->utf16 ? ocp_utf16_size(from, size) : size;
    scan->known_at = at;
}

/* ---- lines --------------------------------------------------------------- */

typedef struct {
    gsize from;
    gsize to; /* without its end */
    guint64 line;
    guint64 offset;
    OcpFrame frame;
    guint64 key; /* of the stream */
} Line;

/* The end of a line without the return that may stand before its end. */
static gsize
trim_return(const Scan *scan, gsize from, gsize to)
{
    return to > from && scan->window.bytes[to - 1] == '\r' ? to - 1 : to;
}

static bool
has_name(const Scan *scan, const char *from, gsize size)
{
    return ocp_needles_find(scan->capture->needles, from, from + size, NULL) != NULL;
}

/* FNV-1a of what tells the streams of a log apart. */
static guint64
key_of(const OcpFrame *frame)
{
    guint64 key = G_GUINT64_CONSTANT(14695981039346656037);
    const char *const texts[] = {frame->name, frame->key};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        for (const char *at = texts[i]; *at != '\0'; at++)
            key = (key ^ (guchar)*at) * G_GUINT64_CONSTANT(1099511628211);
    return key;
}

/* Sets piece to the line's body, and the line's frame; raw: it has none. */
static void
read_line(const Scan *scan, Line *line, bool raw, OcpPiece *piece)
{
    const char *bytes = scan->window.bytes + line->from;
    gsize size = line->to - line->from;
    ocp_piece_set(piece, bytes, size, line->offset, scan->utf16);
    ocp_frame_read(piece->text->str, piece->text->len, &line->frame);
    if (!raw) {
        bool named =
            line->frame.string && has_name(scan, piece->text->str, piece->text->len);
        ocp_piece_unframe(piece, &line->frame, scan->utf16);
        raw = named && !has_name(scan, piece->text->str, piece->text->len);
        if (raw) /* the name stands elsewhere in the record of JSON */
            ocp_piece_set(piece, bytes, size, line->offset, scan->utf16);
    }
    if (raw) {
        line->frame.name = "";
        line->frame.key[0] = '\0';
        line->frame.partial = line->frame.string = line->frame.soft = false;
    }
    line->frame.body = NULL;
    line->key = key_of(&line->frame);
}

static char
last_char(const OcpPiece *piece)
{
    gsize at = piece->text->len;
    while (at > 0 && g_ascii_isspace(piece->text->str[at - 1]))
        at--;
    return at > 0 ? piece->text->str[at - 1] : '\0';
}

static char
first_char(const char *text, gsize size)
{
    gsize at = 0;
    while (at < size && g_ascii_isspace(text[at]))
        at++;
    return at < size ? text[at] : '\0';
}

/* True if JSON may go on from a line that ends so to one that begins so. */
static bool
may_follow(char last, char first)
{
    if (last == '\0' || first == '\0')
        return false;
    if (strchr("{[,:", last) != NULL)
        return strchr("\"{[]}-tfn0123456789", first) != NULL;
    return strchr(",}]", first) != NULL &&
           (strchr("\"}]", last) != NULL || g_ascii_isalnum(last));
}

/* ---- records ------------------------------------------------------------- */

static OcpRecord *
find_record(const Scan *scan, guint64 key)
{
    for (guint i = 0; i < scan->records->len; i++) {
        OcpRecord *record = scan->records->pdata[i];
        if (record->key == key)
            return record;
    }
    return NULL;
}

static OcpRecord *
new_record(Scan *scan)
{
    if (scan->spare->len > 0)
        return g_ptr_array_steal_index_fast(scan->spare, scan->spare->len - 1);
    OcpRecord *record = ocp_record_new(scan->capture);
    record->hunt.flush = scan->sink->take;
    record->hunt.data = scan->sink->data;
    return record;
}

static void
finish(Scan *scan, OcpRecord *record)
{
    guint slot = (guint)(record->key % FINISHED);
    scan->finished[slot].key = record->key;
    scan->finished[slot].line = record->end_line;
    ocp_record_end(record);
    scan->sink->take(&record->hunt);
    scan->held -= record->text->len;
    g_ptr_array_remove_fast(scan->records, record);
    if (scan->spare->len < 4 && record->text->allocated_len < LARGE)
        g_ptr_array_add(scan->spare, record);
    else
        ocp_record_free(record);
}

/* Makes room for one more record: the one that waited longest is done. */
static void
make_room(Scan *scan)
{
    bool full = scan->records->len >= scan->capture->limits.streams ||
                scan->held > scan->capture->limits.span;
    OcpRecord *oldest = NULL;
    for (guint i = 0; full && i < scan->records->len; i++) {
        OcpRecord *record = scan->records->pdata[i];
        oldest = oldest == NULL || record->used < oldest->used ? record : oldest;
    }
    if (oldest != NULL)
        finish(scan, oldest);
}

/* Adds the line in scan->piece. The record may be done with it. */
static void
add_line(Scan *scan, OcpRecord *record, const Line *line)
{
    gsize before = record->text->len;
    record->used = ++scan->tick;
    bool more = ocp_record_add(record, &scan->piece, line->line, line->frame.partial);
    bool waits = ocp_record_waits(record);
    if (waits)
        ocp_record_trim(record);
    scan->held += record->text->len - before;
    if (waits && more && record->text->len <= scan->capture->limits.span)
        return;
    if (waits)
        ocp_hunt_note(&record->hunt, &record->layer, 0, "span-limit",
                      "the value is too long")
            ->soft = true;
    finish(scan, record);
}

/* ---- looking back -------------------------------------------------------- */

/* Sets line to the one before next; false if there is none in the buffer. */
static bool
line_before(Scan *scan, const Line *next, Line *line)
{
    if (next->from == 0)
        return false;
    gsize to = next->from - 1;
    const char *end = memrchr(scan->window.bytes, '\n', to);
    line->from = end != NULL ? (gsize)(end - scan->window.bytes) + 1 : 0;
    /* What the buffer begins with may be the rest of a line. */
    if (line->from == 0 && scan->known_offset > scan->known_at + OVERLAP)
        return false;
    line->to = trim_return(scan, line->from, to);
    line->line = next->line - 1;
    gsize size = next->from - line->from;
    line->offset =
        next->offset -
        (scan->utf16 ? ocp_utf16_size(scan->window.bytes + line->from, size) : size);
    scan->back += size;
    return scan->back < 2 * scan->window.total + SPARE_BACK;
}

/* The number of the last line that was in a record of the stream. */
static guint64
last_finished(const Scan *scan, guint64 key)
{
    guint slot = (guint)(key % FINISHED);
    return scan->finished[slot].key == key ? scan->finished[slot].line : 0;
}

/* The lines (Line) that the line continues, nearest first; NULL if there are none. */
static GArray *
lines_before(Scan *scan, const Line *line)
{
    GArray *lines = NULL;
    guint64 stop = last_finished(scan, line->key);
    bool framed = *line->frame.name != '\0';
    char first = first_char(scan->piece.text->str, scan->piece.text->len);
    guint foreign = 0, taken = 0, passed = 0;
    Line next = *line, before = {0};
    bool may_begin = framed || strchr("\"{[]}-,tfn0123456789", first) != NULL;
    for (; may_begin && line_before(scan, &next, &before); next = before, passed++) {
        if (before.line <= stop)
            break;
        read_line(scan, &before, false, &scan->other);
        bool same = before.key == line->key;
        if (!same && !framed && before.frame.soft && taken == passed) {
            read_line(scan, &before, true, &scan->other);
            same = true;
        }
        if (!same && framed && foreign++ < MOST_FOREIGN)
            continue;
        if (!same ||
            !(before.frame.partial || may_follow(last_char(&scan->other), first)))
            break;
        if (lines == NULL)
            lines = g_array_new(FALSE, FALSE, sizeof(Line));
        g_array_append_val(lines, before);
        taken++;
        first = first_char(scan->other.text->str, scan->other.text->len);
    }
    return lines;
}

static void forget(Scan *scan, gsize count);

/* A line with a name, in a stream with no open record. It is in scan->piece. */
static void
begin_record(Scan *scan, const Line *line)
{
    g_autoptr(GArray) lines = lines_before(scan, line);
    guint count = lines != NULL ? lines->len : 0;
    const Line *first = count > 0 ? &g_array_index(lines, Line, count - 1) : line;
    make_room(scan);
    OcpRecord *record = new_record(scan);
    ocp_record_begin(record, line->key, &first->frame,
                     ocp_log_reader_packing(scan->reader), first->line, scan->utf16);
    g_ptr_array_add(scan->records, record);
    record->sweep.expects = true;
    for (guint i = count; i > 0; i--) {
        Line *before = &g_array_index(lines, Line, i - 1);
        read_line(scan, before, *line->frame.name == '\0', &scan->other);
        ocp_record_add(record, &scan->other, before->line, before->frame.partial);
    }
    record->sweep.expects = false;
    record->layer.framed = *line->frame.name != '\0';
    scan->held += record->text->len;
    if (line->to - line->from > LARGE) /* it is in the piece */
        forget(scan, scan->at);
    add_line(scan, record, line);
}

/* ---- lines that are looked at -------------------------------------------- */

/* The open record that a line without a frame continues, though that has one: the line
 * before was its last, and what it has may be no frame. */
static OcpRecord *
soft_record(const Scan *scan, const Line *line)
{
    if (*line->frame.name != '\0')
        return NULL;
    for (guint i = 0; i < scan->records->len; i++) {
        OcpRecord *record = scan->records->pdata[i];
        if (record->frame.soft && record->end_line + 1 == line->line)
            return record;
    }
    return NULL;
}

/* True if a line with a name can neither hold nor continue a value: it has no brackets,
 * nothing is encoded in it, and it does not begin as such a line of JSON does. */
static bool
is_plain(const Scan *scan, const char *text, gsize size)
{
    const char *end = text + size;
    const OcpPattern *pattern = NULL;
    if (size > LARGE || memchr(text, '{', size) != NULL ||
        memchr(text, '[', size) != NULL || memchr(text, '\\', size) != NULL ||
        memchr(text, '\x1B', size) != NULL)
        return false;
    for (const char *at = text;
         at < end &&
         (at = ocp_needles_find(scan->capture->needles, at, end, &pattern)) != NULL;
         at += pattern->length)
        if (pattern->sign != OCP_SIGN_NAME)
            return false;
    return true;
}

/* Says of a plain line what its first name is. */
static void
remark_plain(const Scan *scan, const Line *line, const char *text, gsize size)
{
    OcpLayer layer = {.bytes = text, .length = size};
    const OcpPattern *pattern = NULL;
    const char *end = text + size;
    for (const char *at = text;
         at < end &&
         (at = ocp_needles_find(scan->capture->needles, at, end, &pattern)) != NULL;
         at += pattern->length) {
        if (!(scan->capture->required & (guint32)1 << pattern->name))
            continue;
        gsize place = (gsize)(at - text);
        OcpCaptureRemark remark = {
            .code = ocp_diagnose_name(&layer, place, pattern->length, false),
            .line = line->line,
            .offset =
                line->offset + (scan->utf16 ? ocp_utf16_size(text, place) : place)};
        remark.mention = strcmp(remark.code, "mention") == 0;
        scan->sink->remark(&remark, scan->sink->data);
        return;
    }
}

/* Deals with a plain line; false if it is none. */
static bool
take_plain(const Scan *scan, Line *line)
{
    const char *text = scan->window.bytes + line->from;
    gsize size = line->to - line->from;
    if (scan->records->len > 0 || !is_plain(scan, text, size))
        return false;
    ocp_frame_read(text, size, &line->frame);
    char first = first_char(line->frame.body, line->frame.size);
    if (line->frame.partial || line->frame.string || strchr("\",}]", first) != NULL)
        return false;
    remark_plain(scan, line, text, size);
    return true;
}

static void
take_line(Scan *scan, gsize from, gsize to)
{
    Line line = {.from = from, .to = trim_return(scan, from, to)};
    know(scan, from);
    line.line = scan->known_line;
    line.offset = scan->known_offset;
    if (take_plain(scan, &line))
        return;
    read_line(scan, &line, false, &scan->piece);
    OcpRecord *record = find_record(scan, line.key);
    if (record == NULL)
        record = soft_record(scan, &line);
    if (record != NULL && !record->partial &&
        !ocp_sweep_accepts(&record->sweep, scan->piece.text->str,
                           scan->piece.text->len)) {
        finish(scan, record);
        record = NULL;
    }
    if (record != NULL)
        add_line(scan, record, &line);
    else if (has_name(scan, scan->window.bytes + line.from, line.to - line.from))
        begin_record(scan, &line);
}

/* The next line that must be looked at: with records open any, else one with a name.
 * False: more of the log is needed to know. */
static bool
next_line(Scan *scan, gsize *ret_from, gsize *ret_to)
{
    const char *end = scan->window.bytes + scan->window.size;
    gsize from = scan->at;
    if (scan->records->len == 0) {
        gsize begin = MAX(scan->at, scan->searched - MIN(scan->searched, OVERLAP));
        const char *name = ocp_window_find(&scan->window, begin, OVERLAP);
        const char *stop = name != NULL ? name : end;
        scan->searched = (gsize)(stop - scan->window.bytes);
        const char *feed = memrchr(scan->window.bytes + scan->at, '\n',
                                   (gsize)(stop - scan->window.bytes) - scan->at);
        from = feed != NULL ? (gsize)(feed - scan->window.bytes) + 1 : scan->at;
        scan->at = from;
        if (name == NULL)
            return false;
    }
    gsize begin = MAX(from, scan->searched);
    const char *feed =
        begin < scan->window.size
            ? memchr(scan->window.bytes + from, '\n', scan->window.size - from)
            : NULL;
    bool whole = feed != NULL || (scan->window.ended && from < scan->window.size) ||
                 scan->window.size - from > scan->capture->limits.span;
    *ret_from = from;
    *ret_to = feed != NULL ? (gsize)(feed - scan->window.bytes) : scan->window.size;
    return whole;
}

/* ---- the buffer ---------------------------------------------------------- */

/* Forgets the first bytes. */
static void
forget(Scan *scan, gsize count)
{
    know(scan, count);
    ocp_window_forget(&scan->window, count);
    scan->at -= MIN(scan->at, count);
    scan->searched -= MIN(scan->searched, count);
    scan->known_at -= count;
}

/* Forgets what is not needed any more, if there is no room for a block. */
static void
make_room_for_block(Scan *scan)
{
    if (ocp_window_has_room(&scan->window))
        return;
    gsize keep = scan->window.size - scan->at;
    bool nothing = scan->records->len == 0 && scan->searched >= scan->window.size;
    if (keep > scan->capture->limits.span && nothing)
        forget(scan, scan->window.size - HISTORY); /* of an endless line: no name yet */
    else if (scan->at > HISTORY)
        forget(scan, scan->at - HISTORY);
}

static bool
take_block(Scan *scan)
{
    bool first = scan->window.total == 0;
    make_room_for_block(scan);
    bool more = ocp_window_take(&scan->window);
    if (first && more) {
        scan->utf16 = ocp_log_reader_utf16(scan->reader);
        scan->known_offset = ocp_log_reader_mark(scan->reader);
    }
    return more;
}

static void
run_lines(Scan *scan)
{
    gsize from, to;
    while (scan->at < scan->window.size && next_line(scan, &from, &to)) {
        scan->at = scan->searched = MIN(to + 1, scan->window.size);
        take_line(scan, from, to);
    }
}

static void
finish_all(Scan *scan)
{
    while (scan->records->len > 0) {
        OcpRecord *first = scan->records->pdata[0];
        for (guint i = 1; i < scan->records->len; i++) {
            OcpRecord *record = scan->records->pdata[i];
            first = record->layer.line < first->layer.line ? record : first;
        }
        finish(scan, first);
    }
}

static void
free_record(gpointer record)
{
    ocp_record_free(record);
}

bool
ocp_scan(const OcpCapture *capture, OcpLogReader *reader, const OcpScanSink *sink)
{
    g_autofree Scan *scan = g_new0(Scan, 1);
    scan->capture = capture;
    scan->reader = reader;
    scan->sink = sink;
    scan->known_line = 1;
    ocp_window_init(&scan->window, reader, capture->needles);
    scan->records = g_ptr_array_new();
    scan->spare = g_ptr_array_new_with_free_func(free_record);
    ocp_piece_init(&scan->piece);
    ocp_piece_init(&scan->other);
    while (take_block(scan))
        run_lines(scan);
    run_lines(scan); /* the last line may have no end */
    finish_all(scan);
    ocp_piece_clear(&scan->piece);
    ocp_piece_clear(&scan->other);
    g_ptr_array_unref(scan->records);
    g_ptr_array_unref(scan->spare);
    int error = scan->window.error;
    ocp_window_clear(&scan->window);
    errno = error;
    return error == 0;
}
