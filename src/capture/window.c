/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/window.h"

#include <errno.h>
#include <string.h>

enum {
    FIRST = OCP_BLOCK, /* a log that is no longer is small */
    ROOM = 8 << 20,    /* as long as lines are shorter */
    NEAR = 4096,       /* bytes in which line feeds are soon counted */
    MORE = OCP_BLOCK * OCP_BLOCKS_AHEAD
};

void
ocp_window_init(OcpWindow *window, OcpLogReader *reader, const OcpNeedles *needles)
{
    *window = (OcpWindow){.reader = reader,
                          .needles = needles,
                          .room = FIRST,
                          .bytes = g_malloc(FIRST),
                          .blocks = g_array_new(FALSE, FALSE, sizeof(OcpBlock))};
}

void
ocp_window_clear(OcpWindow *window)
{
    ocp_ahead_free(window->ahead);
    g_array_unref(window->blocks);
    g_free(window->bytes);
}

bool
ocp_window_has_room(const OcpWindow *window)
{
    return window->size + OCP_BLOCK <= ROOM ||
           (window->ahead != NULL && ocp_ahead_has_next(window->ahead));
}

/* ---- blocks -------------------------------------------------------------- */

/* Notes the block that came; small ones grow together. */
static void
add_block(OcpWindow *window, const OcpBlock *block)
{
    window->last = *block;
    window->size = block->to;
    window->total += block->to - block->from;
    if (window->blocks->len > 0) {
        OcpBlock *before =
            &g_array_index(window->blocks, OcpBlock, window->blocks->len - 1);
        if (before->to == block->from && block->to - before->from <= OCP_BLOCK) {
            before->to = block->to;
            before->lines += block->lines;
            before->trace_count = 0;
            return;
        }
    }
    g_array_append_vals(window->blocks, block, 1);
}

/* The first block, or one of those that the first is made of. */
static bool
read_first(OcpWindow *window, OcpBlock *ret)
{
    gsize from = window->size;
    gssize count =
        ocp_log_reader_read(window->reader, window->bytes + from, window->room - from);
    if (count > 0)
        *ret = ocp_block_of(window->needles, window->bytes, from, from + (gsize)count);
    errno = count < 0 ? errno : 0;
    return count > 0;
}

static void
set_room(OcpWindow *window, gsize room)
{
    window->room = room;
    window->bytes = g_realloc(window->bytes, room);
}

/* Makes sure there is room for a block. */
static void
prepare(OcpWindow *window)
{
    if (window->total < FIRST)
        return;
    if (window->total == FIRST && window->ahead == NULL) {
        set_room(window, ROOM);
        window->ahead = ocp_ahead_new(window->reader, window->needles);
    } else if (window->size + OCP_BLOCK <= window->room ||
               (window->ahead != NULL && ocp_ahead_has_next(window->ahead))) {
        return;
    } else {
        if (window->ahead != NULL)
            (void)ocp_ahead_hold(window->ahead);
        set_room(window, window->size + MORE);
    }
    if (window->ahead != NULL)
        ocp_ahead_offer(window->ahead, window->bytes, window->size, 0, window->room);
}

bool
ocp_window_take(OcpWindow *window)
{
    OcpBlock block = {0};
    if (window->ended)
        return false;
    prepare(window);
    window->ended = window->ahead != NULL ? !ocp_ahead_take(window->ahead, &block)
                                          : !read_first(window, &block);
    if (window->ended)
        window->error = errno;
    else
        add_block(window, &block);
    return !window->ended;
}

/* Forgets blocks that begin before count. */
static void
forget_blocks(OcpWindow *window, gsize count)
{
    OcpBlock *blocks = (OcpBlock *)(void *)window->blocks->data;
    guint kept = 0;
    for (guint i = 0; i < window->blocks->len; i++) {
        if (blocks[i].from < count)
            continue;
        blocks[kept] = blocks[i];
        blocks[kept].from -= count;
        blocks[kept++].to -= count;
    }
    g_array_set_size(window->blocks, kept);
}

/* Where the search begins anew in what is left of the last block. */
static void
forget_last(OcpWindow *window, gsize count)
{
    if (window->last.from < count) {
        window->last = ocp_block_of(window->needles, window->bytes, 0, window->size);
        return;
    }
    window->last.from -= count;
    window->last.to -= count;
}

void
ocp_window_forget(OcpWindow *window, gsize count)
{
    gsize filled = window->ahead != NULL ? ocp_ahead_hold(window->ahead) : window->size;
    gsize kept = filled - count;
    bool apart = window->room == ROOM &&
                 kept + MORE <= count; /* so blocks can be read while it moves */
    if (window->ahead != NULL && apart)
        ocp_ahead_offer(window->ahead, window->bytes, kept, count, window->room);
    memmove(window->bytes, window->bytes + count, kept);
    window->size -= count;
    forget_blocks(window, count);
    forget_last(window, count);
    if (apart)
        return;
    if (window->room > ROOM && kept + OCP_BLOCK <= ROOM)
        set_room(window, ROOM);
    if (window->ahead != NULL)
        ocp_ahead_offer(window->ahead, window->bytes, kept, count, window->room);
}

/* ---- searching ----------------------------------------------------------- */

/* As ocp_window_find(), in the last block. */
static const char *
find_in_last(const OcpWindow *window, gsize from)
{
    const OcpBlock *last = &window->last;
    const char *bytes = window->bytes;
    bool begins = from == last->from || bytes[from - 1] == '\n';
    for (guint i = 0; i < last->trace_count; i++) {
        gsize trace = last->from + last->traces[i];
        if (trace >= from && (i == 0 || begins))
            return bytes + trace;
    }
    if (begins || last->trace_count == 0)
        from = MAX(from, last->from + last->traced);
    return ocp_needles_find(window->needles, bytes + from, bytes + last->to, NULL);
}

const char *
ocp_window_find(const OcpWindow *window, gsize from, gsize overlap)
{
    const char *bytes = window->bytes;
    gsize begin = window->last.from;
    gsize seam = MIN(begin + overlap, window->size);
    const char *place = NULL;
    if (from < begin)
        place = ocp_needles_find(window->needles, bytes + from, bytes + seam, NULL);
    return place != NULL ? place : find_in_last(window, MAX(from, begin));
}

/* The line feeds in a block before at: counted from the nearest place where they are
 * known. */
static gsize
lines_before(const OcpWindow *window, const OcpBlock *block, gsize at)
{
    gsize place = block->from, lines = 0;
    for (guint i = 0; i < block->trace_count; i++) {
        gsize trace = block->from + block->traces[i];
        if (ABS((gssize)(trace - at)) > ABS((gssize)(place - at)))
            continue;
        place = trace;
        lines = block->feeds[i];
    }
    if (block->to - at < (gsize)ABS((gssize)(place - at))) {
        place = block->to;
        lines = block->lines;
    }
    const char *bytes = window->bytes;
    return at >= place ? lines + ocp_count_lines(bytes + place, bytes + at)
                       : lines - ocp_count_lines(bytes + at, bytes + place);
}

gsize
ocp_window_lines(const OcpWindow *window, gsize from, gsize to)
{
    const char *bytes = window->bytes;
    gsize lines = 0;
    for (guint i = 0; i < window->blocks->len && to - from > NEAR; i++) {
        const OcpBlock *block = &g_array_index(window->blocks, OcpBlock, i);
        if (block->to <= from || block->from >= to)
            continue;
        gsize begin = MAX(block->from, from), end = MIN(block->to, to);
        lines += ocp_count_lines(bytes + from, bytes + begin) +
                 lines_before(window, block, end) - lines_before(window, block, begin);
        from = end;
    }
    return lines + ocp_count_lines(bytes + from, bytes + to);
}
