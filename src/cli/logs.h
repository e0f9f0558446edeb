/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/work_private.h"

/*
 * The run over logs: every document that is found in one is put through what the
 * options ask for as soon as it is found; what is close to one is said when the log has
 * ended.
 */
void ocp_logs_run(OcpWork *work);
