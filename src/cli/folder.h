/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/plan.h"
#include "batch/signals.h"
#include "batch/state.h"
#include "cli/options.h"

/*
 * An output folder: every document in a file of its own, in the tree that the inputs
 * have. Knows what earlier runs did there: what is up to date is left alone, and what
 * is there and is not ours is never replaced unless --force says so.
 *
 * Threads: all but making and freeing it may be called by several.
 */
typedef struct OcpFolder OcpFolder;

typedef struct {
    const OcpOptions *options;
    const OcpPlan *plan;
    OcpFileSet *set; /* not to be written over; learns what was written */
    OcpSignals *signals;
    gint64 epoch;
    bool batch; /* keeps a state; else existing files are replaced */
} OcpFolderSetup;

bool ocp_folder_new(const OcpFolderSetup *setup, OcpReport *report, OcpFolder **ret);
void ocp_folder_free(OcpFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpFolder, ocp_folder_free)

/* What the state says of an input: its name, what it holds, and the options. */
OcpStateInput ocp_folder_input(const OcpFolder *folder, const OcpPlanItem *item,
                               GBytes *bytes, gint64 modified);

/* Whether all outputs of an input are there as they would be made. *ret_path: the path
 * of the only one, or NULL; free with g_free(). */
bool ocp_folder_is_current(const OcpFolder *folder, const OcpStateInput *input,
                           char **ret_path);

/* Writes document number (of several, else 0) of parts, and its model beside it (may be
 * NULL). With --dry-run it only looks whether it could. *ret_path: free with g_free().
 * Errors: io.*, usage.same-output. */
bool ocp_folder_put(OcpFolder *folder, const OcpStateInput *input, guint number,
                    guint parts, GBytes *text, GBytes *model, OcpReport *report,
                    char **ret_path);

/* Waits until all that was written is on the disk. */
void ocp_folder_sync(const OcpFolder *folder);
