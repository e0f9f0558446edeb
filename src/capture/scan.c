/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/scan.h"

#include <string.h>

enum {
    BLOCK = 256 * 1024,
    ROOM = 4 << 20,      /* of the buffer, as long as lines are shorter */
    HISTORY = 1 << 20,   /* bytes kept before the line that is next */
    OVERLAP = 64,        /* longer than any name's trace */
    MOST_FOREIGN = 1000, /* lines of other streams to look past */
    MOST_KEYS = 4096
};

typedef struct {
    const OcpCapture *capture;
    OcpLogReader *reader;
    OcpRecordDone done;
    gpointer data;
    bool utf16;
    char *bytes;      /* the last part of the log */
    gsize size;
    gsize room;
    gsize at;         /* the line that is next; lines before it are done */
    gsize searched;   /* no name begins between at and here */
    bool ended;
    /* one place and what it is in the log: */
    gsize known_at;
    guint64 known_line;
    guint64 known_offset;
    GHashTable *records;  /* key -> OcpRecord */
    GHashTable *finished; /* key -> line number behind the stream's last record */
    guint64 tick;
    gint64 back;      /* bytes before a name that may still be looked at */
    OcpPiece piece;
} Scan;

/* ---- places ------------------------------------------------------------------------------- */

/* Moves the known place forward. */
static void
know(Scan *scan, gsize at)
{
    const char *from = scan->bytes + scan->known_at;
    if (at <= scan->known_at)
        return;
    gsize size = at - scan->known_at;
    scan->known_line += ocp_count_lines(from, from + size);
    scan->known_offset += scan->utf16 ? ocp_utf16_size(from, size) : size;
    scan->known_at = at;
}

/* ---- lines ---------------------------------------------------------------------------------- */

typedef struct {
    gsize from;
    gsize to; /* without its end */
    guint64 line;
    guint64 offset;
    OcpFrame frame;
    char *key;
} Line;

/* The end of a line without the return that may stand before its end. */
static gsize
trim_return(const Scan *scan, gsize from, gsize to)
{
    return to > from && scan->bytes[to - 1] == '\r' ? to - 1 : to;
}

static bool
has_name(const Scan *scan, const char *from, gsize size)
{
    return ocp_needles_find(scan->capture->needles, from, from + size, NULL) != NULL;
}

/* Sets scan->piece to the line's body, and the line's frame; raw: it has none. */
static void
read_line(Scan *scan, Line *line, bool raw)
{
    ocp_piece_set(&scan->piece, scan->bytes + line->from, line->to - line->from,
                  line->offset, scan->utf16);
    OcpPiece *piece = &scan->piece;
    ocp_frame_read(piece->text->str, piece->text->len, &line->frame);
    bool named = has_name(scan, piece->text->str, piece->text->len);
    if (!raw) {
        ocp_piece_unframe(piece, &line->frame, scan->utf16);
        raw = line->frame.string && named &&
              !has_name(scan, piece->text->str, piece->text->len);
        if (raw) /* the name stands elsewhere in the record of JSON */
            ocp_piece_set(piece, scan->bytes + line->from, line->to - line->from,
                          line->offset, scan->utf16);
    }
    if (raw) {
        line->frame.name = "";
        line->frame.key[0] = '\0';
        line->frame.partial = line->frame.string = line->frame.soft = false;
    }
    line->frame.body = NULL;
    g_free(line->key);
    line->key = g_strdup_printf("%s %s", line->frame.name, line->frame.key);
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
first_char(const OcpPiece *piece)
{
    gsize at = 0;
    while (at < piece->text->len && g_ascii_isspace(piece->text->str[at]))
        at++;
    return at < piece->text->len ? piece->text->str[at] : '\0';
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

/* ---- records ---------------------------------------------------------------------------------- */

static void
finish(Scan *scan, OcpRecord *record)
{
    if (g_hash_table_size(scan->finished) >= MOST_KEYS)
        g_hash_table_remove_all(scan->finished);
    guint64 *line = g_new(guint64, 1);
    *line = record->end_line;
    g_hash_table_replace(scan->finished, g_strdup(record->key), line);
    g_hash_table_steal(scan->records, record->key);
    ocp_record_end(record);
    scan->done(record, scan->data);
    ocp_record_free(record);
}

/* Makes room for one more record: the one that waited longest is done. */
static void
make_room(Scan *scan)
{
    GHashTableIter iter;
    gpointer value;
    gsize size = 0;
    OcpRecord *oldest = NULL;
    g_hash_table_iter_init(&iter, scan->records);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        OcpRecord *record = value;
        size += record->text->len;
        oldest = oldest == NULL || record->used < oldest->used ? record : oldest;
    }
    bool full = g_hash_table_size(scan->records) >= scan->capture->limits.streams ||
                size > scan->capture->limits.span;
    if (oldest != NULL && full)
        finish(scan, oldest);
}

/* Adds the line in scan->piece. The record may be done with it. */
static void
add_line(Scan *scan, OcpRecord *record, const Line *line)
{
    record->used = ++scan->tick;
    bool more = ocp_record_add(record, &scan->piece, line->line, line->frame.partial);
    if (!more || record->text->len > scan->capture->limits.span)
        ocp_hunt_note(&record->hunt, &record->layer, 0, "span-limit",
                      "the value is too long")
            ->soft = true;
    else if (ocp_record_waits(record))
        return;
    finish(scan, record);
}

/* ---- looking back ------------------------------------------------------------------------------- */

/* Sets line to the one before from; false if there is none in the buffer. */
static bool
line_before(Scan *scan, const Line *next, Line *line)
{
    if (next->from == 0)
        return false;
    gsize to = next->from - 1;
    const char *end = memrchr(scan->bytes, '\n', to);
    line->from = end != NULL ? (gsize)(end - scan->bytes) + 1 : 0;
    /* What the buffer begins with may be the rest of a line. */
    if (line->from == 0 && scan->known_offset > scan->known_at + OVERLAP)
        return false;
    line->to = trim_return(scan, line->from, to);
    line->line = next->line - 1;
    gsize size = next->from - line->from;
    line->offset = next->offset - (scan->utf16 ? ocp_utf16_size(scan->bytes + line->from,
                                                                size)
                                               : size);
    scan->back -= (gint64)size;
    return scan->back > 0;
}

static void
free_line(gpointer pointer)
{
    Line *line = pointer;
    g_free(line->key);
    g_free(line);
}

/* The lines that the line continues, nearest first. */
static GPtrArray *
lines_before(Scan *scan, const Line *line)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(free_line);
    const guint64 *finished = g_hash_table_lookup(scan->finished, line->key);
    guint64 stop = finished != NULL ? *finished : 0;
    bool framed = *line->frame.name != '\0';
    char first = first_char(&scan->piece);
    guint foreign = 0;
    Line *next = g_new0(Line, 1);
    Line *before = NULL;
    *next = *line;
    next->key = NULL;
    g_autoptr(GPtrArray) passed = g_ptr_array_new_with_free_func(free_line);
    g_ptr_array_add(passed, next);
    for (;; next = before) {
        before = g_new0(Line, 1);
        g_ptr_array_add(passed, before);
        if (!line_before(scan, next, before) || before->line <= stop)
            break;
        read_line(scan, before, false);
        bool same = strcmp(before->key, line->key) == 0;
        if (!same && !framed && before->frame.soft && lines->len + 1 == passed->len - 1) {
            read_line(scan, before, true);
            same = true;
        }
        if (!same && framed && foreign++ < MOST_FOREIGN)
            continue;
        if (!same || !(before->frame.partial || may_follow(last_char(&scan->piece), first)))
            break;
        Line *kept = g_new0(Line, 1);
        *kept = *before;
        kept->key = g_strdup(before->key);
        g_ptr_array_add(lines, kept);
        first = first_char(&scan->piece);
    }
    return lines;
}

/* A line with a name, in a stream with no open record. */
static void
begin_record(Scan *scan, Line *line)
{
    g_autoptr(GPtrArray) lines = lines_before(scan, line);
    make_room(scan);
    const Line *first = lines->len > 0 ? lines->pdata[lines->len - 1] : line;
    OcpRecord *record =
        ocp_record_new(scan->capture, &line->frame, ocp_log_reader_packing(scan->reader),
                       first->line, scan->utf16);
    g_hash_table_insert(scan->records, record->key, record);
    record->sweep.expects = true;
    for (guint i = lines->len; i > 0; i--) {
        Line *before = lines->pdata[i - 1];
        read_line(scan, before, *line->frame.name == '\0');
        ocp_record_add(record, &scan->piece, before->line, before->frame.partial);
    }
    record->sweep.expects = false;
    read_line(scan, line, *line->frame.name == '\0');
    add_line(scan, record, line);
}

/* ---- going on -------------------------------------------------------------------------------------- */

/* The open record that a line without a frame continues, though that has one: the line
 * before was its last, and what it has may be no frame. */
static OcpRecord *
soft_record(const Scan *scan, const Line *line)
{
    GHashTableIter iter;
    gpointer value;
    if (*line->frame.name != '\0')
        return NULL;
    g_hash_table_iter_init(&iter, scan->records);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        OcpRecord *record = value;
        if (record->soft && record->end_line + 1 == line->line)
            return record;
    }
    return NULL;
}

static void
take_line(Scan *scan, gsize from, gsize to)
{
    Line line = {.from = from, .to = trim_return(scan, from, to)};
    know(scan, from);
    line.line = scan->known_line;
    line.offset = scan->known_offset;
    read_line(scan, &line, false);
    OcpRecord *record = g_hash_table_lookup(scan->records, line.key);
    if (record == NULL)
        record = soft_record(scan, &line);
    if (record != NULL)
        add_line(scan, record, &line);
    else if (has_name(scan, scan->bytes + line.from, line.to - line.from))
        begin_record(scan, &line);
    g_free(line.key);
}

/* The next line that must be looked at: with records open any, else one with a name.
 * False: more of the log is needed to know. */
static bool
next_line(Scan *scan, gsize *ret_from, gsize *ret_to)
{
    const char *end = scan->bytes + scan->size;
    gsize from = scan->at;
    if (g_hash_table_size(scan->records) == 0) {
        gsize begin = MAX(scan->at, scan->searched - MIN(scan->searched, OVERLAP));
        const char *name =
            ocp_needles_find(scan->capture->needles, scan->bytes + begin, end, NULL);
        const char *stop = name != NULL ? name : end;
        scan->searched = (gsize)(stop - scan->bytes);
        const char *feed =
            memrchr(scan->bytes + scan->at, '\n', (gsize)(stop - scan->bytes) - scan->at);
        from = feed != NULL ? (gsize)(feed - scan->bytes) + 1 : scan->at;
        scan->at = from;
        if (name == NULL)
            return false;
    }
    gsize begin = MAX(from, scan->searched);
    const char *feed = begin < scan->size
                           ? memchr(scan->bytes + from, '\n', scan->size - from)
                           : NULL;
    bool whole = feed != NULL || (scan->ended && from < scan->size) ||
                 scan->size - from > scan->capture->limits.span;
    *ret_from = from;
    *ret_to = feed != NULL ? (gsize)(feed - scan->bytes) : scan->size;
    return whole;
}

/* ---- the buffer --------------------------------------------------------------------------------------- */

/* Forgets the first bytes. */
static void
forget(Scan *scan, gsize count)
{
    know(scan, count);
    memmove(scan->bytes, scan->bytes + count, scan->size - count);
    scan->size -= count;
    scan->at -= MIN(scan->at, count);
    scan->searched -= MIN(scan->searched, count);
    scan->known_at -= count;
}

/* Makes room for a block. */
static void
make_buffer(Scan *scan)
{
    if (scan->size + BLOCK <= scan->room)
        return;
    gsize keep = scan->size - scan->at;
    bool nothing = g_hash_table_size(scan->records) == 0 && scan->searched >= scan->size;
    if (keep > scan->capture->limits.span && nothing)
        forget(scan, scan->size - HISTORY); /* of an endless line: no name in it yet */
    else if (scan->at > HISTORY)
        forget(scan, scan->at - HISTORY);
    if (scan->size + BLOCK > scan->room) {
        scan->room = MAX(scan->size + 2 * BLOCK, scan->room);
        scan->bytes = g_realloc(scan->bytes, scan->room);
    } else if (scan->room > ROOM && scan->size + BLOCK <= ROOM) {
        scan->room = ROOM;
        scan->bytes = g_realloc(scan->bytes, scan->room);
    }
}

static bool
read_block(Scan *scan)
{
    make_buffer(scan);
    gssize count = ocp_log_reader_read(scan->reader, scan->bytes + scan->size, BLOCK);
    if (count < 0)
        return false;
    if (scan->size == 0 && scan->known_offset == 0 && count > 0) {
        scan->utf16 = ocp_log_reader_utf16(scan->reader);
        scan->known_offset = ocp_log_reader_mark(scan->reader);
    }
    scan->size += (gsize)count;
    scan->back += 2 * count;
    scan->ended = count == 0;
    return true;
}

static void
run_lines(Scan *scan)
{
    gsize from, to;
    while (scan->at < scan->size && next_line(scan, &from, &to)) {
        take_line(scan, from, to);
        gsize next = MIN(to + 1, scan->size);
        scan->at = next;
        scan->searched = next;
    }
}

static void
finish_all(Scan *scan)
{
    for (;;) {
        GHashTableIter iter;
        gpointer value;
        OcpRecord *first = NULL;
        g_hash_table_iter_init(&iter, scan->records);
        while (g_hash_table_iter_next(&iter, NULL, &value)) {
            OcpRecord *record = value;
            bool earlier = first == NULL || record->layer.line < first->layer.line;
            first = earlier ? record : first;
        }
        if (first == NULL)
            return;
        finish(scan, first);
    }
}

bool
ocp_scan(const OcpCapture *capture, OcpLogReader *reader, OcpRecordDone done,
         gpointer data)
{
    Scan scan = {.capture = capture,
                 .reader = reader,
                 .done = done,
                 .data = data,
                 .room = ROOM,
                 .bytes = g_malloc(ROOM),
                 .known_line = 1,
                 .back = 4 << 20};
    scan.records = g_hash_table_new(g_str_hash, g_str_equal);
    scan.finished = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    ocp_piece_init(&scan.piece);
    bool read = true;
    while (read && !scan.ended) {
        read = read_block(&scan);
        run_lines(&scan);
    }
    finish_all(&scan);
    ocp_piece_clear(&scan.piece);
    g_hash_table_unref(scan.records);
    g_hash_table_unref(scan.finished);
    g_free(scan.bytes);
    return read;
}
