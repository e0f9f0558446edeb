/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/plan.h"
#include "batch/signals.h"
#include "batch/spool.h"
#include "cli/folder.h"
#include "cli/result.h"
#include "cli/sink.h"
#include "cli/tally.h"
#include "cli/view.h"
#include "cli/work.h"

/*
 * A run, and one input of it on its way through: made by any thread, delivered in order
 * by the first. What can be said and written without waiting for one's turn is done by
 * the thread that made it: then only text is left to be delivered.
 */
typedef struct {
    const OcpOptions *options;
    OcpContext *context;
    OcpMessages messages;
    gint64 epoch;
    OcpFileSet *set; /* inputs, and outputs already written */
    OcpSignals *signals;
    OcpPlan *plan;
    OcpSink *sink;
    OcpFolder *folder; /* NULL: outputs go to the sink */
    OcpSpool *report;  /* of --report; NULL if not asked for */
    OcpView *view;
    bool several;       /* there is, or may be, more than one input */
    bool settles_early; /* documents need not wait for their turn */
    OcpSyntax syntax;   /* of outputs, if several */
    guint next;         /* item of the plan */
    bool stopped;       /* --fail-fast: something failed */
    guint shown;        /* --explain: tables so far */
    OcpTally tally;
} OcpWork;

typedef struct {
    OcpWork *work;
    const OcpPlanItem *item;
    OcpOrigin origin;
    OcpSyntax syntax;
    OcpStateInput input;  /* for a folder */
    GPtrArray *documents; /* OcpDocument, not converted yet; or NULL */
    OcpResult *first;     /* what reading had to say; belongs to the first document */
    GPtrArray *results;   /* OcpResult, made and not delivered */
    bool only;            /* one document in all, as far as is known */
    GString *said;        /* messages that wait */
    GString *entries;     /* of the report, that wait */
    OcpTally tally;
} OcpTask;

/* Says what there is to say of a result, gives its document away, and counts it. entries
 * (may be NULL): where its entry of the report goes. */
void ocp_task_settle(OcpTask *task, OcpResult *result, const OcpMessages *messages,
                     GString *entries);

/* Reads the documents of an input. *ret: OcpDocument. */
bool ocp_task_read(OcpTask *task, OcpReport *report, GBytes **ret_bytes);
bool ocp_task_parse(OcpTask *task, GBytes *bytes, OcpReport *report, GPtrArray **ret);
