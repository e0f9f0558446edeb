/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Tasks done by several threads and handed over in the order in which they came,
 * however long each took. Only so many are taken in advance, so memory does not grow
 * with their number. Knows nothing of what a task is.
 */
typedef struct {
    /* The next task, or NULL when there are no more. May wait for it. Called in a
     * thread of its own, or with one job in that of the caller. */
    gpointer (*next)(gpointer data);
    /* Does the task. Called in any thread, many at once. */
    void (*make)(gpointer task, gpointer data);
    /* Takes the task over, in order, in the caller's thread. False: no more are wanted.
     */
    bool (*deliver)(gpointer task, gpointer data);
    /* Frees a task that nobody wants any more; it may not have been made. */
    void (*drop)(gpointer task);
    /* Called now and then in the caller's thread, while it waits; may be NULL. */
    void (*idle)(gpointer data);
} OcpPoolJob;

/* Does all tasks in jobs threads (1: in the caller's); ahead is how many may be under
 * way or waiting to be delivered. Returns when all is done. */
void ocp_pool_run(guint jobs, guint ahead, const OcpPoolJob *job, gpointer data);
