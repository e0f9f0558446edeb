/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * What the rules did with the values of a source: marks on its nodes, and for every
 * value that was made, which source nodes went into it. NULL is allowed for a trace
 * everywhere and costs nothing.
 */
typedef struct OcpTrace OcpTrace;

typedef enum {
    OCP_MARK_VALUE, /* reached the result as it is */
    OCP_MARK_MADE,  /* reached the result changed */
    OCP_MARK_STEER  /* decided something */
} OcpMark;

/* Marks a node by the rule at work. For a made node its origins get the mark instead
 * (value becomes made). VALUE and MADE hold for the whole subtree, STEER for the node. */
void ocp_trace_use(OcpTrace *trace, const OcpNode *node, OcpMark mark);

/* Remembers that made came out of from (a source node or a made one). */
void ocp_trace_derive(OcpTrace *trace, const OcpNode *made, const OcpNode *from);
