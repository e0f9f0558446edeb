/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema_private.h"

/* "Did you mean": names and values that are a slip of the finger away. */

/* The declared name nearest to an unknown key, at most two edits away and not in the
 * object yet; one of missing (OcpName, may be NULL) before any other. NULL if none. */
const OcpName *ocp_suggest_name(const OcpNames *names, const OcpNode *object,
                                const OcpNode *key, const GPtrArray *missing);

/* The key of object that is nearly this name, or NULL. */
const OcpNode *ocp_suggest_key(const OcpName *name, const OcpNode *object);

/* The string among allowed that is nearest to value, or NULL. */
const OcpNode *ocp_suggest_value(const OcpNode *const *allowed, guint count,
                                 const OcpNode *value);
