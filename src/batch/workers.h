/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/*
 * Threads that do tasks in the order in which they were pushed, as many at once as
 * there are threads. Unlike those of a GThreadPool, exclusive or not, they end with it:
 * GLib keeps its threads for the next pool, where they would still be freeing the last
 * one.
 */
typedef struct OcpWorkers OcpWorkers;

typedef void (*OcpWorkersFunc)(gpointer task, gpointer data);

/* Up to so many threads, one at least, which call make for each task. NULL if the
 * machine gives none. data outlives the workers. */
OcpWorkers *ocp_workers_new(guint threads, OcpWorkersFunc make, gpointer data);

/* A task (not NULL) for whichever thread is free first. Any thread may push. */
void ocp_workers_push(OcpWorkers *workers, gpointer task);

/* Returns when all tasks are done and all threads have ended. NULL does nothing. */
void ocp_workers_free(OcpWorkers *workers);
