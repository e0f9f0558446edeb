/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/messages.h"

/*
 * The run over all inputs: read, make a result of every document, deliver it (messages,
 * output, report) in the order of the inputs, and count.
 */

/* epoch: SOURCE_DATE_EPOCH, or -1. Returns the exit code. */
int ocp_work_run(const OcpOptions *options, OcpContext *context, gint64 epoch,
                 const OcpMessages *messages);
