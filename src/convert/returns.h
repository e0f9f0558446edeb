/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/account.h"
#include "mapping/engine.h"

/*
 * What a route of two steps really gives back where the model on the way does not bring
 * its source's carry. What writing a dialect would say again by itself (a default, a
 * state that follows from others) depends on the whole model then, of which the second
 * step may have lost a part: no account of a step can tell. So the way back is gone.
 */
typedef struct {
    const OcpMapping *from; /* of the source; has read and write */
    const OcpMapping *to;   /* of the result; likewise */
    OcpDocument *source;
    OcpDocument *result;
    const OcpSchema *model_schema;
    const char *name;     /* of the source's file, base name */
    const char *fallback; /* as in OcpFacts */
    bool carry_none;
    bool sensitive_keep;
} OcpReturns;

/* Calls what the route's account says is mapped, and does not come back, omitted. */
void ocp_returns_settle(const OcpReturns *returns, OcpAccount *route);
