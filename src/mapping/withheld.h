/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/core.h"
#include "mapping/hide.h"

/*
 * Leaves that do not come back because of others that may not travel. `finish:` looks
 * at the whole document, and decides otherwise where it finds what stands for a secret:
 * a call that was about to be sent is not sent without its arguments.
 */

/* Adds to set the leaves of source that finishing it gives, and finishing it without
 * its sensitive values does not. draft: W(R(source)). False, with a report, if the
 * source without them is no document. */
bool ocp_withheld_find(const OcpMapping *mapping, OcpDraft *draft, OcpDocument *source,
                       const OcpHidden *hidden, OcpReport *report, GHashTable *set);
