/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/ahead.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MOST_HELPERS = 3 };

/* A block under way. */
typedef struct {
    OcpBlock block;
    guint64 place; /* in the file, if that is read at any place */
    gssize count;  /* as read() returns it */
    int error;
    bool done;
} Slot;

struct OcpAhead {
    OcpLogReader *reader;
    const OcpNeedles *needles;
    GThread *helpers[MOST_HELPERS];
    guint count;
    int file; /* read at any place; -1: the reader is asked, by one at a time */
    GMutex lock;
    GCond work;
    GCond done;
    /* under lock: */
    guint idle; /* helpers that wait for work */
    bool waits; /* whoever takes blocks waits for one */
    bool quit;
    bool reading; /* somebody asks the reader */
    bool ended;   /* there is nothing more to read */
    bool over;    /* ... nor to take */
    char *bytes;
    gsize filled;
    gsize room;
    guint64 place;
    guint64 claimed; /* blocks so far */
    guint64 taken;
    Slot slots[OCP_BLOCKS_AHEAD];
};

OcpBlock
ocp_block_of(const OcpNeedles *needles, const char *bytes, gsize from, gsize to)
{
    OcpBlock block = {.from = from, .to = to};
    const char *start = bytes + from, *end = bytes + to;
    const char *trace = ocp_needles_skim(needles, start, end, &block.lines);
    const char *counted = start, *traced = end;
    gsize feeds = 0;
    while (trace != NULL) {
        feeds += ocp_count_lines(counted, trace);
        counted = trace;
        block.feeds[block.trace_count] = (guint32)feeds;
        block.traces[block.trace_count++] = (guint32)(trace - start);
        traced = memchr(trace, '\n', (gsize)(end - trace));
        if (traced == NULL || block.trace_count == OCP_BLOCK_TRACES)
            break;
        trace = ocp_needles_find(needles, traced, end, NULL);
        traced = end;
    }
    block.traced = (guint32)((traced != NULL ? traced : end) - start);
    return block;
}

/* ---- under lock ---------------------------------------------------------- */

/* Takes the next block on, if there is one to be read and room for it. */
static Slot *
claim(OcpAhead *ahead)
{
    if (ahead->ended || ahead->reading ||
        ahead->claimed - ahead->taken == OCP_BLOCKS_AHEAD ||
        ahead->filled + OCP_BLOCK > ahead->room)
        return NULL;
    Slot *slot = &ahead->slots[ahead->claimed++ % OCP_BLOCKS_AHEAD];
    *slot = (Slot){.block = {.from = ahead->filled}, .place = ahead->place};
    if (ahead->file < 0) {
        ahead->reading = true; /* how much it is will show */
        return slot;
    }
    ahead->filled += OCP_BLOCK;
    ahead->place += OCP_BLOCK;
    return slot;
}

static void
tell(OcpAhead *ahead)
{
    if (ahead->waits)
        g_cond_signal(&ahead->done);
}

static void
call(const OcpAhead *ahead, GCond *work)
{
    if (ahead->idle > 0)
        g_cond_broadcast(work);
}

/* ---- a block ------------------------------------------------------------- */

/* Reads a whole block of a file, unless it ends before. */
static gssize
read_at(int file, char *into, guint64 place)
{
    gsize size = 0;
    while (size < OCP_BLOCK) {
        gssize count =
            pread(file, into + size, OCP_BLOCK - size, (off_t)(place + size));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return size > 0 ? (gssize)size : -1;
        if (count == 0)
            break;
        size += (gsize)count;
    }
    return (gssize)size;
}

/* The reader was asked: others may ask it now. */
static void
read_on(OcpAhead *ahead, gssize count)
{
    g_mutex_lock(&ahead->lock);
    ahead->reading = false;
    ahead->ended = count <= 0;
    ahead->filled += count > 0 ? (gsize)count : 0;
    tell(ahead);
    call(ahead, &ahead->work);
    g_mutex_unlock(&ahead->lock);
}

/* Reads a claimed block, and looks through it. The lock is held before and after. */
static void
read_block(OcpAhead *ahead, Slot *slot)
{
    char *bytes = ahead->bytes;
    gsize from = slot->block.from;
    g_mutex_unlock(&ahead->lock);
    slot->count = ahead->file >= 0
                      ? read_at(ahead->file, bytes + from, slot->place)
                      : ocp_log_reader_read(ahead->reader, bytes + from, OCP_BLOCK);
    slot->error = slot->count < 0 ? errno : 0;
    if (ahead->file < 0)
        read_on(ahead, slot->count);
    if (slot->count > 0)
        slot->block =
            ocp_block_of(ahead->needles, bytes, from, from + (gsize)slot->count);
    g_mutex_lock(&ahead->lock);
    slot->done = true;
    ahead->ended = ahead->ended || slot->count <= 0 ||
                   (ahead->file >= 0 && slot->count < OCP_BLOCK);
    tell(ahead);
}

static gpointer
help(gpointer data)
{
    OcpAhead *ahead = data;
    g_mutex_lock(&ahead->lock);
    while (!ahead->quit) {
        Slot *slot = claim(ahead);
        if (slot != NULL) {
            read_block(ahead, slot);
            continue;
        }
        ahead->idle++;
        g_cond_wait(&ahead->work, &ahead->lock);
        ahead->idle--;
    }
    g_mutex_unlock(&ahead->lock);
    return NULL;
}

/* ---- for whoever searches ------------------------------------------------ */

OcpAhead *
ocp_ahead_new(OcpLogReader *reader, const OcpNeedles *needles)
{
    OcpAhead *ahead = g_new0(OcpAhead, 1);
    ahead->reader = reader;
    ahead->needles = needles;
    ahead->file = ocp_log_reader_file(reader, &ahead->place);
    g_mutex_init(&ahead->lock);
    g_cond_init(&ahead->work);
    g_cond_init(&ahead->done);
    guint most =
        ahead->file >= 0 ? CLAMP(g_get_num_processors(), 2, MOST_HELPERS + 1) - 1 : 1;
    for (; ahead->count < most; ahead->count++) {
        ahead->helpers[ahead->count] = g_thread_try_new("log", help, ahead, NULL);
        if (ahead->helpers[ahead->count] == NULL)
            break;
    }
    if (ahead->count > 0)
        return ahead;
    ocp_ahead_free(ahead);
    return NULL;
}

void
ocp_ahead_free(OcpAhead *ahead)
{
    if (ahead == NULL)
        return;
    g_mutex_lock(&ahead->lock);
    ahead->quit = true;
    g_cond_broadcast(&ahead->work);
    g_mutex_unlock(&ahead->lock);
    for (guint i = 0; i < ahead->count; i++)
        g_thread_join(ahead->helpers[i]);
    if (ahead->over && ahead->file >= 0) /* as if it had been read */
        (void)lseek(ahead->file, (off_t)ahead->place, SEEK_SET);
    g_mutex_clear(&ahead->lock);
    g_cond_clear(&ahead->work);
    g_cond_clear(&ahead->done);
    g_free(ahead);
}

void
ocp_ahead_offer(OcpAhead *ahead, char *bytes, gsize filled, gsize back, gsize room)
{
    g_mutex_lock(&ahead->lock);
    ahead->bytes = bytes;
    ahead->filled = filled;
    ahead->room = room;
    for (guint64 i = ahead->taken; i < ahead->claimed; i++) {
        OcpBlock *block = &ahead->slots[i % OCP_BLOCKS_AHEAD].block;
        block->from -= back;
        block->to -= back;
    }
    call(ahead, &ahead->work);
    g_mutex_unlock(&ahead->lock);
}

/* True if some block that was claimed is not done. */
static bool
is_busy(const OcpAhead *ahead)
{
    for (guint64 i = ahead->taken; i < ahead->claimed; i++)
        if (!ahead->slots[i % OCP_BLOCKS_AHEAD].done)
            return true;
    return false;
}

gsize
ocp_ahead_hold(OcpAhead *ahead)
{
    g_mutex_lock(&ahead->lock);
    ahead->room = 0;
    ahead->waits = true;
    while (is_busy(ahead))
        g_cond_wait(&ahead->done, &ahead->lock);
    ahead->waits = false;
    gsize filled = ahead->filled;
    g_mutex_unlock(&ahead->lock);
    return filled;
}

bool
ocp_ahead_has_next(OcpAhead *ahead)
{
    g_mutex_lock(&ahead->lock);
    bool next = ahead->ended || ahead->claimed > ahead->taken;
    g_mutex_unlock(&ahead->lock);
    return next;
}

/* The next block when it is done, NULL if none comes. The lock is held. */
static const Slot *
next_done(OcpAhead *ahead)
{
    while (ahead->claimed == ahead->taken ||
           !ahead->slots[ahead->taken % OCP_BLOCKS_AHEAD].done) {
        Slot *slot = claim(ahead);
        if (slot == NULL && ahead->claimed == ahead->taken)
            return NULL;
        if (slot != NULL) {
            read_block(ahead, slot);
            continue;
        }
        ahead->waits = true;
        g_cond_wait(&ahead->done, &ahead->lock);
        ahead->waits = false;
    }
    return &ahead->slots[ahead->taken % OCP_BLOCKS_AHEAD];
}

bool
ocp_ahead_take(OcpAhead *ahead, OcpBlock *ret)
{
    g_mutex_lock(&ahead->lock);
    const Slot *slot = ahead->over ? NULL : next_done(ahead);
    int error = slot != NULL ? slot->error : 0;
    bool some = slot != NULL && slot->count > 0;
    if (some)
        *ret = slot->block;
    /* Whatever comes behind the end of a file was written since. */
    bool last = !some || (ahead->file >= 0 && slot->count < OCP_BLOCK);
    if (last && !ahead->over && slot != NULL)
        ahead->place = slot->place + (guint64)MAX(slot->count, 0);
    ahead->over = ahead->over || last;
    if (slot != NULL) {
        ahead->taken++;
        if (ahead->claimed - ahead->taken <= OCP_BLOCKS_AHEAD / 2)
            call(ahead, &ahead->work);
    }
    g_mutex_unlock(&ahead->lock);
    errno = error;
    return some;
}
