/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/workers.h"

#include <stdbool.h>

struct OcpWorkers {
    OcpWorkersFunc make;
    gpointer data;
    GPtrArray *threads; /* GThread, joined at the end */
    GMutex lock;
    GCond pushed; /* a task, or ended */
    GQueue queue; /* under lock: tasks that no thread has taken */
    bool ended;   /* under lock: no more will be pushed */
};

/* The next task; NULL when there will be no more. */
static gpointer
take(OcpWorkers *workers)
{
    g_mutex_lock(&workers->lock);
    while (g_queue_is_empty(&workers->queue) && !workers->ended)
        g_cond_wait(&workers->pushed, &workers->lock);
    gpointer task = g_queue_pop_head(&workers->queue);
    g_mutex_unlock(&workers->lock);
    return task;
}

static gpointer
work(gpointer pointer)
{
    OcpWorkers *workers = pointer;
    gpointer task;
    while ((task = take(workers)) != NULL)
        workers->make(task, workers->data);
    return NULL;
}

OcpWorkers *
ocp_workers_new(guint threads, OcpWorkersFunc make, gpointer data)
{
    OcpWorkers *workers = g_new0(OcpWorkers, 1);
    workers->make = make;
    workers->data = data;
    workers->threads = g_ptr_array_new();
    g_queue_init(&workers->queue);
    g_mutex_init(&workers->lock);
    g_cond_init(&workers->pushed);
    GThread *thread;
    while (workers->threads->len < threads &&
           (thread = g_thread_try_new("worker", work, workers, NULL)) != NULL)
        g_ptr_array_add(workers->threads, thread);
    if (workers->threads->len == 0)
        g_clear_pointer(&workers, ocp_workers_free);
    return workers;
}

void
ocp_workers_push(OcpWorkers *workers, gpointer task)
{
    g_mutex_lock(&workers->lock);
    g_queue_push_tail(&workers->queue, task);
    g_cond_signal(&workers->pushed);
    g_mutex_unlock(&workers->lock);
}

void
ocp_workers_free(OcpWorkers *workers)
{
    if (workers == NULL)
        return;
    g_mutex_lock(&workers->lock);
    workers->ended = true;
    g_cond_broadcast(&workers->pushed);
    g_mutex_unlock(&workers->lock);
    for (guint i = 0; i < workers->threads->len; i++)
        g_thread_join(workers->threads->pdata[i]);
    g_ptr_array_unref(workers->threads);
    g_cond_clear(&workers->pushed);
    g_mutex_clear(&workers->lock);
    g_free(workers);
}
