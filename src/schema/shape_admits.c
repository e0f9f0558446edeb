/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May a value stand at the place a shape describes?
 */
#include <string.h>

#include "schema/check.h"
#include "schema/shape_private.h"

OcpShape *
ocp_shape_copy(const OcpShape *shape)
{
    gsize size = sizeof *shape + shape->count * sizeof(OcpShapeEntry);
    OcpShape *copy = g_malloc(size);
    memcpy(copy, shape, size);
    return copy;
}

static bool
satisfies(const OcpSub *sub, const OcpNode *value)
{
    OcpCheck check;
    ocp_check_init(&check, NULL);
    bool ok = ocp_check_verdict(&check, sub, value, NULL);
    ocp_check_clear(&check);
    return ok;
}

/* All subschemas that surely apply must agree. Those that only may apply decide where
 * nothing is sure: then one of them must. */
bool
ocp_shape_admits(const OcpShape *shape, const OcpNode *value)
{
    bool sure = false;
    bool some = shape->count == 0;
    for (guint i = 0; i < shape->count; i++) {
        const OcpShapeEntry *entry = &shape->entries[i];
        bool fits = satisfies(entry->sub, value);
        if (!entry->maybe && !fits)
            return false;
        sure = sure || !entry->maybe;
        some = some || fits;
    }
    return sure || some;
}
