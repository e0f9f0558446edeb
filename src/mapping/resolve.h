/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/ids.h"
#include "mapping/trace.h"
#include "schema/schema.h"

/*
 * After a read: raw ids in reference members become final ones. A reference that names
 * nothing is dropped; an emptied list, and an object that cannot stand without its
 * reference, go with it (mapping language, section 6).
 */

/* Works on the made tree in place. rename: final id -> the id it goes by, or NULL.
 * Returns how many references named nothing. */
guint ocp_resolve_references(OcpDocument *made, OcpNode *root, const OcpShape *shape,
                             const OcpIds *ids, GHashTable *rename, OcpTrace *trace);
