/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/ahead.h"

#include <errno.h>

typedef enum { IDLE, ASKED, DONE, QUIT } State;

struct OcpAhead {
    OcpLogReader *reader;
    GThread *thread;
    GMutex lock;
    GCond changed;
    State state; /* under lock; the rest belongs to whose turn it is */
    char *into;
    gsize room;
    gssize count;
    int error;
};

/* Waits for a state; the lock is held. */
static State
wait_for(OcpAhead *ahead, State one, State other)
{
    while (ahead->state != one && ahead->state != other)
        g_cond_wait(&ahead->changed, &ahead->lock);
    return ahead->state;
}

static gpointer
run(gpointer data)
{
    OcpAhead *ahead = data;
    g_mutex_lock(&ahead->lock);
    while (wait_for(ahead, ASKED, QUIT) == ASKED) {
        g_mutex_unlock(&ahead->lock);
        ahead->count = ocp_log_reader_read(ahead->reader, ahead->into, ahead->room);
        ahead->error = errno;
        g_mutex_lock(&ahead->lock);
        if (ahead->state == ASKED)
            ahead->state = DONE;
        g_cond_signal(&ahead->changed);
    }
    g_mutex_unlock(&ahead->lock);
    return NULL;
}

OcpAhead *
ocp_ahead_new(OcpLogReader *reader)
{
    OcpAhead *ahead = g_new0(OcpAhead, 1);
    ahead->reader = reader;
    g_mutex_init(&ahead->lock);
    g_cond_init(&ahead->changed);
    ahead->thread = g_thread_try_new("log", run, ahead, NULL);
    if (ahead->thread != NULL)
        return ahead;
    g_mutex_clear(&ahead->lock);
    g_cond_clear(&ahead->changed);
    g_free(ahead);
    return NULL;
}

void
ocp_ahead_free(OcpAhead *ahead)
{
    if (ahead == NULL)
        return;
    g_mutex_lock(&ahead->lock);
    ahead->state = QUIT;
    g_cond_signal(&ahead->changed);
    g_mutex_unlock(&ahead->lock);
    g_thread_join(ahead->thread);
    g_mutex_clear(&ahead->lock);
    g_cond_clear(&ahead->changed);
    g_free(ahead);
}

void
ocp_ahead_start(OcpAhead *ahead, char *into, gsize room)
{
    g_mutex_lock(&ahead->lock);
    ahead->into = into;
    ahead->room = room;
    ahead->state = ASKED;
    g_cond_signal(&ahead->changed);
    g_mutex_unlock(&ahead->lock);
}

gssize
ocp_ahead_wait(OcpAhead *ahead)
{
    g_mutex_lock(&ahead->lock);
    wait_for(ahead, DONE, DONE);
    ahead->state = IDLE;
    g_mutex_unlock(&ahead->lock);
    errno = ahead->error;
    return ahead->count;
}
