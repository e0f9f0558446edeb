/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/trace.h"

struct OcpTrace {
    const OcpPlaces *places;
    guint32 count;
    guint8 *marks;       /* by serial: 1 << OcpMark */
    GHashTable *origins; /* made node -> GPtrArray of source nodes */
};

static void
free_nodes(gpointer nodes)
{
    g_ptr_array_unref(nodes);
}

OcpTrace *
ocp_trace_new(const OcpDocument *source, const OcpPlaces *places)
{
    OcpTrace *trace = g_new0(OcpTrace, 1);
    trace->places = places;
    trace->count = source->nodes;
    trace->marks = g_malloc0(MAX(source->nodes, 1));
    trace->origins = g_hash_table_new_full(NULL, NULL, NULL, free_nodes);
    return trace;
}

void
ocp_trace_free(OcpTrace *trace)
{
    if (trace == NULL)
        return;
    g_hash_table_unref(trace->origins);
    g_free(trace->marks);
    g_free(trace);
}

static GPtrArray *
origins_of(const OcpTrace *trace, const OcpNode *made)
{
    return (made->flags & OCP_NODE_MADE) ? g_hash_table_lookup(trace->origins, made) : NULL;
}

void
ocp_trace_use(OcpTrace *trace, const OcpNode *node, OcpMark mark)
{
    if (trace == NULL || node == NULL)
        return;
    if (!(node->flags & OCP_NODE_MADE)) {
        if (ocp_places_has(trace->places, node))
            trace->marks[node->serial] |= (guint8)(1u << mark);
        return;
    }
    GPtrArray *origins = origins_of(trace, node);
    OcpMark changed = mark == OCP_MARK_VALUE ? OCP_MARK_MADE : mark;
    for (guint i = 0; origins != NULL && i < origins->len; i++)
        ocp_trace_use(trace, origins->pdata[i], changed);
}

void
ocp_trace_derive(OcpTrace *trace, const OcpNode *made, const OcpNode *from)
{
    if (trace == NULL || made == NULL || from == NULL || made == from)
        return;
    GPtrArray *beyond = origins_of(trace, from);
    bool source = !(from->flags & OCP_NODE_MADE) && ocp_places_has(trace->places, from);
    if (beyond == NULL && !source)
        return;
    GPtrArray *origins = g_hash_table_lookup(trace->origins, made);
    if (origins == NULL) {
        origins = g_ptr_array_new();
        g_hash_table_insert(trace->origins, (gpointer)made, origins);
    }
    if (source)
        g_ptr_array_add(origins, (gpointer)from);
    for (guint i = 0; beyond != NULL && i < beyond->len; i++)
        g_ptr_array_add(origins, beyond->pdata[i]);
}

void
ocp_trace_each_origin(const OcpTrace *trace, const OcpNode *made, OcpTraceVisit visit,
                      gpointer data)
{
    GPtrArray *origins = origins_of(trace, made);
    for (guint i = 0; origins != NULL && i < origins->len; i++)
        visit(origins->pdata[i], data);
}

bool
ocp_trace_has_origin(const OcpTrace *trace, const OcpNode *made)
{
    GPtrArray *origins = origins_of(trace, made);
    return origins != NULL && origins->len > 0;
}

guint
ocp_trace_own_marks(const OcpTrace *trace, const OcpNode *node)
{
    return ocp_places_has(trace->places, node) ? trace->marks[node->serial] : 0;
}

bool
ocp_trace_knows(const OcpTrace *trace, const OcpNode *node)
{
    return ocp_places_has(trace->places, node);
}

void
ocp_trace_pointer(const OcpTrace *trace, const OcpNode *node, GString *pointer)
{
    ocp_places_pointer(trace->places, node, pointer);
}

const OcpNode *
ocp_trace_parent(const OcpTrace *trace, const OcpNode *node)
{
    return ocp_places_parent(trace->places, node);
}
