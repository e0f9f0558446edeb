/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/progress.h"
#include "cli/messages.h"

/*
 * The progress bar on a terminal: drawn over itself, away while something is said.
 */
typedef struct OcpView OcpView;

/* Draws nothing unless the options and the terminal say so. total: files. */
OcpView *ocp_view_new(const OcpOptions *options, guint64 total);
void ocp_view_free(OcpView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpView, ocp_view_free)

void ocp_view_count(OcpView *view, bool failed, bool skipped);

/* Draws it if it is time to. */
void ocp_view_draw(OcpView *view);

/* Takes it away; may be called in any thread. NULL is allowed. */
void ocp_view_clear(OcpView *view);
