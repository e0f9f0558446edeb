/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema_private.h"

/*
 * What a shape is: a set of subschemas that apply at one place. An entry that is
 * "maybe" comes from a branch that need not apply; the others all do. A "flat" entry
 * stands for its own keywords only, since narrowing has already settled which branches
 * apply.
 */

typedef struct {
    const OcpSub *sub;
    bool flat;
    bool maybe;
} OcpShapeEntry;

struct OcpShape {
    guint count;
    OcpShapeEntry entries[];
};

/* Visits every subschema of the shape, those reached in place included. */
typedef void (*OcpShapeVisit)(const OcpSub *sub, bool maybe, gpointer data);
void ocp_shape_walk(const OcpShape *shape, OcpShapeVisit visit, gpointer data);
