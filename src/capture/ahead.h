/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/open.h"

/*
 * Reading a log in a thread of its own, one block ahead of whoever searches it.
 */
typedef struct OcpAhead OcpAhead;

/* Until it is freed the reader is the thread's. NULL: there can be no more threads. */
OcpAhead *ocp_ahead_new(OcpLogReader *reader);

/* Waits until nothing is read any more. */
void ocp_ahead_free(OcpAhead *ahead);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpAhead, ocp_ahead_free)

/* Begins to read into into, which has to stay where it is until ocp_ahead_wait(). */
void ocp_ahead_start(OcpAhead *ahead, char *into, gsize room);

/* Waits for what was started; returns as ocp_log_reader_read() does. */
gssize ocp_ahead_wait(OcpAhead *ahead);
