/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/open.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
    ROOM = 256 * 1024,
    LARGE = 1 << 20,     /* the rest of a file that several threads may read */
    HEAD = 8,            /* bytes that tell what a log is packed in */
    ZSTD_WINDOW_LOG = 24 /* memory a zstd frame may ask for: 16 MiB */
};

typedef enum { PLAIN, GZIP, ZSTD, OTHER } Packing;
typedef enum { UTF8, UTF16_LITTLE, UTF16_BIG } Encoding;

struct OcpLogReader {
    int file;
    Packing packing;
    Encoding encoding;
    bool begun; /* packing and encoding are known */
    bool ended; /* nothing more comes */
    guint mark;
    const char *fault;
    const char *detail;
    char *in; /* bytes of the file, not unpacked yet */
    gsize in_at, in_size;
    bool in_end; /* the file has ended */
    char *units; /* unpacked, not transcoded yet */
    gsize units_at, units_size;
    bool units_end;
    z_stream inflate;
    bool inflating; /* in the middle of a member */
    ZSTD_DCtx *zstd;
    bool in_frame;
};

OcpLogReader *
ocp_log_reader_new(int file)
{
    OcpLogReader *reader = g_new0(OcpLogReader, 1);
    reader->file = file;
    reader->in = g_malloc(ROOM);
    return reader;
}

void
ocp_log_reader_free(OcpLogReader *reader)
{
    if (reader == NULL)
        return;
    if (reader->packing == GZIP)
        inflateEnd(&reader->inflate);
    ZSTD_freeDCtx(reader->zstd);
    g_free(reader->in);
    g_free(reader->units);
    g_free(reader);
}

const char *
ocp_log_reader_fault(const OcpLogReader *reader, const char **ret_detail)
{
    *ret_detail = reader->detail;
    return reader->fault;
}

const char *
ocp_log_reader_packing(const OcpLogReader *reader)
{
    return reader->packing == GZIP ? "gzip" : reader->packing == ZSTD ? "zstd" : NULL;
}

guint
ocp_log_reader_mark(const OcpLogReader *reader)
{
    return reader->mark;
}

bool
ocp_log_reader_utf16(const OcpLogReader *reader)
{
    return reader->encoding != UTF8;
}

static gssize
fail(OcpLogReader *reader, const char *fault, const char *detail)
{
    reader->fault = fault;
    reader->detail = detail;
    reader->ended = true;
    return 0;
}

/* ---- bytes of the file --------------------------------------------------- */

static gssize
read_file(const OcpLogReader *reader, char *into, gsize room)
{
    for (;;) {
        gssize count = read(reader->file, into, room);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

/* Makes sure there are bytes in the input buffer, unless the file has ended. */
static bool
fill(OcpLogReader *reader)
{
    if (reader->in_at < reader->in_size || reader->in_end)
        return true;
    gssize count = read_file(reader, reader->in, ROOM);
    if (count < 0)
        return false;
    reader->in_at = 0;
    reader->in_size = (gsize)count;
    reader->in_end = count == 0;
    return true;
}

/* ---- unpacking ----------------------------------------------------------- */

static bool
starts(const OcpLogReader *reader, const char *magic, gsize size)
{
    return reader->in_size - reader->in_at >= size &&
           memcmp(reader->in + reader->in_at, magic, size) == 0;
}

static gssize
read_gzip(OcpLogReader *reader, char *into, gsize room)
{
    z_stream *stream = &reader->inflate;
    stream->next_out = (Bytef *)into;
    stream->avail_out = (uInt)room;
    while (stream->avail_out == room) {
        if (!fill(reader))
            return -1;
        bool none = reader->in_at == reader->in_size;
        if (none)
            return reader->inflating ? fail(reader, "truncated-gzip", NULL) : 0;
        /* Behind a member: another one, or padding, which is not ours. */
        if (!reader->inflating && reader->in[reader->in_at] != '\x1F') {
            reader->ended = true;
            return 0;
        }
        reader->inflating = true;
        stream->next_in = (Bytef *)reader->in + reader->in_at;
        stream->avail_in = (uInt)(reader->in_size - reader->in_at);
        int state = inflate(stream, Z_NO_FLUSH);
        reader->in_at = reader->in_size - stream->avail_in;
        if (state == Z_STREAM_END) {
            reader->inflating = false;
            inflateReset(stream);
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            fail(reader, "damaged-gzip", NULL);
            break;
        }
    }
    return (gssize)(room - stream->avail_out);
}

static gssize
read_zstd(OcpLogReader *reader, char *into, gsize room)
{
    ZSTD_outBuffer out = {into, room, 0};
    while (out.pos == 0) {
        if (!fill(reader))
            return -1;
        if (reader->in_at == reader->in_size)
            return reader->in_frame ? fail(reader, "truncated-zstd", NULL) : 0;
        ZSTD_inBuffer in = {reader->in, reader->in_size, reader->in_at};
        gsize left = ZSTD_decompressStream(reader->zstd, &out, &in);
        reader->in_at = in.pos;
        reader->in_frame = left != 0;
        if (ZSTD_isError(left)) {
            fail(reader, "damaged-zstd", ZSTD_getErrorName(left));
            break;
        }
    }
    return (gssize)out.pos;
}

static gssize
read_plain(OcpLogReader *reader, char *into, gsize room)
{
    gsize ready = reader->in_size - reader->in_at;
    if (ready == 0)
        return reader->in_end ? 0 : read_file(reader, into, room);
    gsize count = MIN(ready, room);
    memcpy(into, reader->in + reader->in_at, count);
    reader->in_at += count;
    return (gssize)count;
}

static gssize
unpack(OcpLogReader *reader, char *into, gsize room)
{
    if (reader->ended)
        return 0;
    switch (reader->packing) {
    case GZIP: return read_gzip(reader, into, room);
    case ZSTD: return read_zstd(reader, into, room);
    case PLAIN: return read_plain(reader, into, room);
    case OTHER: break;
    }
    return 0;
}

/* ---- what it is ---------------------------------------------------------- */

static const struct {
    const char *magic;
    gsize size;
    const char *name;
} others[] = {{"BZh", 3, "bzip2"},
              {"\xFD\x37zXZ\0", 6, "xz"},
              {"\x04\x22\x4D\x18", 4, "lz4"},
              {"PK\x03\x04", 4, "zip"},
              {"\x1F\x9D", 2, "compress"},
              {"7z\xBC\xAF\x27\x1C", 6, "7-Zip"},
              {"\xFF\x06\x00\x00sNaP", 8, "snappy"}};

static void
find_packing(OcpLogReader *reader)
{
    if (starts(reader, "\x1F\x8B", 2) &&
        inflateInit2(&reader->inflate, 15 + 16) == Z_OK) {
        reader->packing = GZIP;
        return;
    }
    if (starts(reader, "\x28\xB5\x2F\xFD", 4)) {
        reader->packing = ZSTD;
        reader->zstd = ZSTD_createDCtx();
        ZSTD_DCtx_setParameter(reader->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        if (!starts(reader, others[i].magic, others[i].size))
            continue;
        reader->packing = OTHER;
        fail(reader, "unsupported-compression", others[i].name);
    }
}

/* Reads at least HEAD bytes into the buffer, if there are as many. */
static bool
read_head(OcpLogReader *reader)
{
    while (reader->in_size < HEAD && !reader->in_end) {
        gssize count =
            read_file(reader, reader->in + reader->in_size, ROOM - reader->in_size);
        if (count < 0)
            return false;
        reader->in_size += (gsize)count;
        reader->in_end = count == 0;
    }
    return true;
}

/* UTF-16 shows by its mark, or by the zero bytes of ASCII. */
static void
find_encoding(OcpLogReader *reader, const char *text, gsize size)
{
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        reader->mark = 3;
        return;
    }
    if (size < 2)
        return;
    bool little = text[0] == '\xFF' && text[1] == '\xFE';
    bool big = text[0] == '\xFE' && text[1] == '\xFF';
    reader->mark = little || big ? 2 : 0;
    if (size >= 4 && reader->mark == 0) {
        little =
            text[0] != '\0' && text[1] == '\0' && text[2] != '\0' && text[3] == '\0';
        big = text[0] == '\0' && text[1] != '\0' && text[2] == '\0' && text[3] != '\0';
    }
    reader->encoding = little ? UTF16_LITTLE : big ? UTF16_BIG : UTF8;
}

/* Finds out what the log is. The first unpacked bytes wait in units. */
static bool
begin(OcpLogReader *reader)
{
    reader->begun = true;
    reader->units = g_malloc(ROOM);
    if (!read_head(reader))
        return false;
    find_packing(reader);
    while (reader->units_size < HEAD && !reader->units_end) {
        gssize count = unpack(reader, reader->units + reader->units_size,
                              ROOM - reader->units_size);
        if (count < 0)
            return false;
        reader->units_size += (gsize)count;
        reader->units_end = count == 0;
    }
    find_encoding(reader, reader->units, reader->units_size);
    reader->units_at = reader->mark;
    return true;
}

/* ---- UTF-16 -------------------------------------------------------------- */

/* Makes sure there are four bytes of units, unless the log has ended. */
static bool
fill_units(OcpLogReader *reader)
{
    gsize left = reader->units_size - reader->units_at;
    if (left >= 4 || reader->units_end)
        return true;
    memmove(reader->units, reader->units + reader->units_at, left);
    reader->units_at = 0;
    reader->units_size = left;
    while (reader->units_size < 4 && !reader->units_end) {
        gssize count = unpack(reader, reader->units + reader->units_size,
                              ROOM - reader->units_size);
        if (count < 0)
            return false;
        reader->units_size += (gsize)count;
        reader->units_end = count == 0;
    }
    return true;
}

static guint
unit_at(const OcpLogReader *reader, gsize at)
{
    guint first = (guchar)reader->units[at];
    guint second = (guchar)reader->units[at + 1];
    return reader->encoding == UTF16_BIG ? first << 8 | second : second << 8 | first;
}

static gssize
transcode(OcpLogReader *reader, char *into, gsize room)
{
    gsize size = 0;
    while (size + 4 <= room) {
        if (!fill_units(reader))
            return size > 0 ? (gssize)size : -1;
        gsize left = reader->units_size - reader->units_at;
        if (left < 2)
            break;
        guint code = unit_at(reader, reader->units_at);
        guint low = left >= 4 ? unit_at(reader, reader->units_at + 2) : 0;
        reader->units_at += 2;
        if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            reader->units_at += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
        }
        size += (gsize)g_unichar_to_utf8(code, into + size);
    }
    return (gssize)size;
}

gssize
ocp_log_reader_read(OcpLogReader *reader, char *into, gsize room)
{
    if (!reader->begun && !begin(reader))
        return -1;
    if (reader->encoding != UTF8)
        return transcode(reader, into, room);
    gsize ready = reader->units_size - reader->units_at;
    if (ready == 0)
        return unpack(reader, into, room);
    gsize count = MIN(ready, room);
    memcpy(into, reader->units + reader->units_at, count);
    reader->units_at += count;
    return (gssize)count;
}

int
ocp_log_reader_file(const OcpLogReader *reader, guint64 *ret_place)
{
    struct stat about;
    if (!reader->begun || reader->packing != PLAIN || reader->encoding != UTF8 ||
        reader->units_at < reader->units_size || reader->in_at < reader->in_size ||
        fstat(reader->file, &about) != 0 || !S_ISREG(about.st_mode))
        return -1;
    off_t place = lseek(reader->file, 0, SEEK_CUR);
    if (place < 0 || about.st_size - place < LARGE)
        return -1;
    *ret_place = (guint64)place;
    return reader->file;
}
