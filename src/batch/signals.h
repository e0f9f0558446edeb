/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Leaving when told to (SIGINT, SIGTERM, SIGHUP): at once, but not between giving a
 * temporary file a name and taking it away. A thread waits for the signals, which all
 * others do not get; so it has to be there before they are. A signal that was ignored
 * when the process began stays ignored.
 */
typedef struct OcpSignals OcpSignals;

/* leave (may be NULL) says good-bye, in the thread that waits; then the process ends
 * with 128 and the number of the signal. */
OcpSignals *ocp_signals_new(void (*leave)(int signal, gpointer data), gpointer data);
void ocp_signals_free(OcpSignals *signals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSignals, ocp_signals_free)

/* Between these two, in any thread, the process is not left. Short things only. NULL is
 * allowed. */
void ocp_signals_hold(OcpSignals *signals);
void ocp_signals_release(OcpSignals *signals);
