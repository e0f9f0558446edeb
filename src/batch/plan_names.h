/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/plan.h"

/* Enters the names of all outputs, so that each belongs to one input. Errors:
 * usage.same-output, usage.twice. */
bool ocp_plan_name_all(OcpPlan *plan, const OcpPlanOptions *options, OcpReport *report);
