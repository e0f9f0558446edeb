/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/pointer.h"

/*
 * What the rules did with the values of a source: marks on its nodes, and for every
 * value that was made, which source nodes went into it. ocp_trace_use() and
 * ocp_trace_derive() take NULL for a trace and do nothing then.
 */
typedef struct OcpTrace OcpTrace;

typedef enum {
    OCP_MARK_VALUE, /* reached the result as it is */
    OCP_MARK_MADE,  /* reached the result changed */
    OCP_MARK_STEER  /* decided something */
} OcpMark;

/* A trace of the nodes of source. places: of the same document; made: the one document
 * whose nodes can have come out of them. All borrowed. */
OcpTrace *ocp_trace_new(const OcpDocument *source, const OcpPlaces *places,
                        const OcpDocument *made);
void ocp_trace_free(OcpTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpTrace, ocp_trace_free)

/* Marks a node by the rule at work. For a made node its origins get the mark instead
 * (value becomes made). VALUE and MADE hold for the whole subtree, STEER for the node.
 */
void ocp_trace_use(OcpTrace *trace, const OcpNode *node, OcpMark mark);

/* Remembers that made came out of from (a source node or a made one). */
void ocp_trace_derive(OcpTrace *trace, const OcpNode *made, const OcpNode *from);

/* Calls visit for each source node that went into a made node. */
typedef void (*OcpTraceVisit)(const OcpNode *origin, gpointer data);
void ocp_trace_each_origin(const OcpTrace *trace, const OcpNode *made,
                           OcpTraceVisit visit, gpointer data);
bool ocp_trace_has_origin(const OcpTrace *trace, const OcpNode *made);

/* The marks of a source node itself (1 << OcpMark). VALUE and MADE of a container hold
 * for all below it: whoever walks down hands them on. */
guint ocp_trace_own_marks(const OcpTrace *trace, const OcpNode *node);

/* True if the node is one of the source's. */
bool ocp_trace_knows(const OcpTrace *trace, const OcpNode *node);

/* Appends a source node's pointer. */
void ocp_trace_pointer(const OcpTrace *trace, const OcpNode *node, GString *pointer);

/* The container of a source node, or NULL. */
const OcpNode *ocp_trace_parent(const OcpTrace *trace, const OcpNode *node);
