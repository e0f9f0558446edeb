/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "capture/capture.h"
#include "cli/work_private.h"

/*
 * Documents found in logs. They are converted by other threads while the search goes
 * on, and delivered in the order found, by the thread that searches. Only so many wait
 * for their turn, so memory does not grow with their number.
 */
typedef struct OcpTurns OcpTurns;

OcpTurns *ocp_turns_new(OcpWork *work);
/* Nothing may wait any more. */
void ocp_turns_free(OcpTurns *turns);

/* The log may still be written: its documents are converted and delivered at once. */
void ocp_turns_set_live(OcpTurns *turns, bool live);

/* Converts a document that was found in a log, and delivers it when its turn comes.
 * Copies captured. */
void ocp_turns_convert(OcpTurns *turns, const OcpPlanItem *item,
                       const OcpCaptured *captured);

/* Only the report shows that a document was found again. */
void ocp_turns_repeat(OcpTurns *turns, const OcpPlanItem *item,
                      const OcpCaptured *captured);

/* Waits for all documents and delivers them; with --fail-fast, to the first that
 * fails. */
void ocp_turns_settle(OcpTurns *turns);
