/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/window.h"

#include <errno.h>
#include <string.h>

enum {
    FIRST = 256 * 1024, /* the block of a small log */
    BLOCK = 1 << 20,
    ROOM = 4 << 20 /* as long as lines are shorter */
};

void
ocp_window_init(OcpWindow *window, OcpLogReader *reader)
{
    *window = (OcpWindow){.reader = reader, .room = FIRST, .bytes = g_malloc(FIRST)};
}

void
ocp_window_clear(OcpWindow *window)
{
    ocp_ahead_free(window->ahead);
    g_free(window->bytes);
}

bool
ocp_window_has_room(const OcpWindow *window)
{
    return window->size + BLOCK <= ROOM;
}

/* Takes the block that is on its way. */
static void
settle(OcpWindow *window, gssize count)
{
    window->asked = false;
    window->arrived = true;
    window->error = count < 0 ? errno : 0;
    window->ended = count <= 0;
    window->size += count > 0 ? (gsize)count : 0;
    window->total += count > 0 ? (guint64)count : 0;
}

bool
ocp_window_take(OcpWindow *window)
{
    if (window->asked)
        settle(window, ocp_ahead_wait(window->ahead));
    else if (!window->arrived)
        settle(window, ocp_log_reader_read(window->reader, window->bytes + window->size,
                                           window->room - window->size));
    window->arrived = false;
    if (window->ahead == NULL && window->total == FIRST)
        window->ahead = ocp_ahead_new(window->reader);
    return !window->ended;
}

void
ocp_window_ask(OcpWindow *window)
{
    if (window->asked || window->arrived || window->ended)
        return;
    gsize block = window->ahead != NULL ? BLOCK : FIRST;
    gsize least = window->ahead != NULL ? ROOM : FIRST;
    if (window->size + block > window->room) {
        window->room = MAX(window->size + 2 * block, least);
        window->bytes = g_realloc(window->bytes, window->room);
    }
    if (window->ahead == NULL)
        return;
    ocp_ahead_start(window->ahead, window->bytes + window->size, BLOCK);
    window->asked = true;
}

void
ocp_window_forget(OcpWindow *window, gsize count)
{
    if (window->asked)
        settle(window, ocp_ahead_wait(window->ahead));
    memmove(window->bytes, window->bytes + count, window->size - count);
    window->size -= count;
    if (window->room > ROOM && ocp_window_has_room(window)) {
        window->room = ROOM;
        window->bytes = g_realloc(window->bytes, window->room);
    }
}
