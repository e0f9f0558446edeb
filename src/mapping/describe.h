/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "mapping/mapping.h"
#include "model/derivation.h"
#include "value/report.h"

/*
 * The account in words: entries for the derivation block and lines for the report, one for
 * each rule and kind, with counts and pointer patterns.
 */

/* Adds omissions (OpenCheckpoint's reasons only) and transformations. */
void ocp_describe_derivation(const OcpMapping *mapping, const OcpAccount *account,
                             OcpDerivation *derivation);

/* Adds a LOSS diagnostic for each group of omitted leaves. */
void ocp_describe_losses(const OcpAccount *account, const char *file, OcpReport *report);
