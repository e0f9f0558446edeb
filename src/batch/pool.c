/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/pool.h"

#include "batch/workers.h"

enum { IDLE_INTERVAL = 100000 }; /* microseconds */

typedef struct {
    gpointer task;
    bool made;
} Slot;

typedef struct {
    const OcpPoolJob *job;
    gpointer data;
    Slot *slots; /* a ring: task number n is in slot n % ahead */
    guint ahead;
    GMutex lock;
    GCond made;    /* the task to be delivered next is made, or there are no more */
    GCond room;    /* one was delivered */
    guint64 taken; /* tasks so far */
    guint64 given; /* of them delivered */
    bool ended;    /* there are no more */
    bool stopped;  /* no more are wanted */
    OcpWorkers *workers;
} Pool;

static void
make(gpointer pointer, gpointer data)
{
    Slot *slot = pointer;
    Pool *pool = data;
    g_mutex_lock(&pool->lock);
    bool wanted = !pool->stopped;
    g_mutex_unlock(&pool->lock);
    if (wanted)
        pool->job->make(slot->task, pool->data);
    g_mutex_lock(&pool->lock);
    slot->made = true;
    if (slot == &pool->slots[pool->given % pool->ahead])
        g_cond_signal(&pool->made);
    g_mutex_unlock(&pool->lock);
}

/* Waits until there is room for one more. False: it is not wanted. */
static bool
wait_for_room(Pool *pool)
{
    g_mutex_lock(&pool->lock);
    while (!pool->stopped && pool->taken - pool->given >= pool->ahead)
        g_cond_wait(&pool->room, &pool->lock);
    bool wanted = !pool->stopped;
    g_mutex_unlock(&pool->lock);
    return wanted;
}

static gpointer
feed(gpointer pointer)
{
    Pool *pool = pointer;
    while (wait_for_room(pool)) {
        gpointer task = pool->job->next(pool->data);
        if (task == NULL)
            break;
        g_mutex_lock(&pool->lock);
        Slot *slot = &pool->slots[pool->taken++ % pool->ahead];
        slot->task = task;
        slot->made = false;
        g_mutex_unlock(&pool->lock);
        ocp_workers_push(pool->workers, slot);
    }
    g_mutex_lock(&pool->lock);
    pool->ended = true;
    g_cond_signal(&pool->made);
    g_mutex_unlock(&pool->lock);
    return NULL;
}

/* The task whose turn it is, or NULL when there are no more. */
static gpointer
wait_for_task(Pool *pool)
{
    gpointer task = NULL;
    g_mutex_lock(&pool->lock);
    for (;;) {
        Slot *slot = &pool->slots[pool->given % pool->ahead];
        bool none = pool->given == pool->taken;
        if (!none && slot->made) {
            task = slot->task;
            break;
        }
        if (none && pool->ended)
            break;
        gint64 end = g_get_monotonic_time() + IDLE_INTERVAL;
        if (!g_cond_wait_until(&pool->made, &pool->lock, end) &&
            pool->job->idle != NULL) {
            g_mutex_unlock(&pool->lock);
            pool->job->idle(pool->data);
            g_mutex_lock(&pool->lock);
        }
    }
    g_mutex_unlock(&pool->lock);
    return task;
}

static void
deliver_all(Pool *pool)
{
    bool wanted = true;
    for (;;) {
        gpointer task = wait_for_task(pool);
        if (task == NULL)
            return;
        if (wanted)
            wanted = pool->job->deliver(task, pool->data);
        else
            pool->job->drop(task);
        g_mutex_lock(&pool->lock);
        pool->given++;
        pool->stopped = !wanted;
        g_cond_signal(&pool->room);
        g_mutex_unlock(&pool->lock);
    }
}

static void
run_alone(const OcpPoolJob *job, gpointer data)
{
    bool wanted = true;
    while (wanted) {
        gpointer task = job->next(data);
        if (task == NULL)
            return;
        job->make(task, data);
        wanted = job->deliver(task, data);
        if (job->idle != NULL)
            job->idle(data);
    }
}

static void
pool_clear(Pool *pool)
{
    ocp_workers_free(pool->workers);
    g_cond_clear(&pool->room);
    g_cond_clear(&pool->made);
    g_mutex_clear(&pool->lock);
    g_free(pool->slots);
}

void
ocp_pool_run(guint jobs, guint ahead, const OcpPoolJob *job, gpointer data)
{
    Pool pool = {.job = job, .data = data, .ahead = MAX(ahead, jobs)};
    pool.slots = g_new0(Slot, pool.ahead);
    g_mutex_init(&pool.lock);
    g_cond_init(&pool.made);
    g_cond_init(&pool.room);
    GThread *feeder = NULL;
    if (jobs > 1)
        pool.workers = ocp_workers_new(jobs, make, &pool);
    if (pool.workers != NULL)
        feeder = g_thread_try_new("feeder", feed, &pool, NULL);
    if (feeder != NULL) {
        deliver_all(&pool);
        g_thread_join(feeder);
    } else { /* one job, or the machine gives no threads */
        run_alone(job, data);
    }
    pool_clear(&pool);
}
