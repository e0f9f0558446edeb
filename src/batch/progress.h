/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/*
 * How far a run is, as one line of text: files, rate, failures, time left. Knows no
 * clock and no terminal: both are told. Prints nothing.
 */
typedef struct {
    guint64 total; /* 0: unknown */
    guint64 done;
    guint64 failed;
    guint64 skipped; /* of done: there was nothing to do */
    gint64 started;  /* microseconds, as now */
} OcpProgress;

/* Appends the line, columns wide at most, without a line end. */
void ocp_progress_append(const OcpProgress *progress, gint64 now, guint columns,
                         GString *out);
