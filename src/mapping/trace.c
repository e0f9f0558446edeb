/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/trace.h"

/* One source node that went into a made one; those of a made node are a ring. */
typedef struct {
    const OcpNode *node;
    guint32 next; /* the next one's number + 1: the last leads to the first */
} Origin;

struct OcpTrace {
    const OcpPlaces *places;
    const OcpDocument *made;
    guint8 *marks;   /* of the source's nodes, by serial: 1 << OcpMark */
    GArray *last;    /* of the made nodes, by serial: number + 1 of the last origin */
    GArray *origins; /* Origin */
};

OcpTrace *
ocp_trace_new(const OcpDocument *source, const OcpPlaces *places,
              const OcpDocument *made)
{
    OcpTrace *trace = g_new0(OcpTrace, 1);
    trace->places = places;
    trace->made = made;
    trace->marks = g_malloc0(MAX(source->nodes, 1));
    trace->last = g_array_new(FALSE, TRUE, sizeof(guint32));
    trace->origins = g_array_new(FALSE, FALSE, sizeof(Origin));
    return trace;
}

void
ocp_trace_free(OcpTrace *trace)
{
    if (trace == NULL)
        return;
    g_array_unref(trace->last);
    g_array_unref(trace->origins);
    g_free(trace->marks);
    g_free(trace);
}

/* The number + 1 of a made node's last origin; 0: it has none. */
static guint32
last_of(const OcpTrace *trace, const OcpNode *made)
{
    if (!(made->flags & OCP_NODE_MADE) || made->serial >= trace->last->len ||
        ocp_document_node(trace->made, made->serial) != made)
        return 0;
    return g_array_index(trace->last, guint32, made->serial);
}

static const Origin *
origin_at(const OcpTrace *trace, guint32 number)
{
    return &g_array_index(trace->origins, Origin, number - 1);
}

void
ocp_trace_each_origin(const OcpTrace *trace, const OcpNode *made, OcpTraceVisit visit,
                      gpointer data)
{
    guint32 last = last_of(trace, made);
    for (guint32 at = last; at != 0;) {
        at = origin_at(trace, at)->next;
        visit(origin_at(trace, at)->node, data);
        if (at == last)
            break;
    }
}

static void
set_mark(OcpTrace *trace, const OcpNode *node, OcpMark mark)
{
    if (ocp_places_has(trace->places, node))
        trace->marks[node->serial] |= (guint8)(1u << mark);
}

typedef struct {
    OcpTrace *trace;
    OcpMark mark;
} Marking;

static void
mark_origin(const OcpNode *origin, gpointer data)
{
    const Marking *marking = data;
    set_mark(marking->trace, origin, marking->mark);
}

void
ocp_trace_use(OcpTrace *trace, const OcpNode *node, OcpMark mark)
{
    if (trace == NULL || node == NULL)
        return;
    if (!(node->flags & OCP_NODE_MADE)) {
        set_mark(trace, node, mark);
        return;
    }
    Marking marking = {trace, mark == OCP_MARK_VALUE ? OCP_MARK_MADE : mark};
    ocp_trace_each_origin(trace, node, mark_origin, &marking);
}

static void
add_origin(OcpTrace *trace, const OcpNode *made, const OcpNode *node)
{
    if (made->serial >= trace->last->len)
        g_array_set_size(trace->last, made->serial + 1);
    guint32 *last = &g_array_index(trace->last, guint32, made->serial);
    guint32 number = trace->origins->len + 1;
    Origin origin = {node, number};
    if (*last != 0) {
        Origin *before = &g_array_index(trace->origins, Origin, *last - 1);
        origin.next = before->next;
        before->next = number;
    }
    g_array_append_val(trace->origins, origin);
    *last = number;
}

void
ocp_trace_derive(OcpTrace *trace, const OcpNode *made, const OcpNode *from)
{
    if (trace == NULL || made == NULL || from == NULL || made == from ||
        ocp_document_node(trace->made, made->serial) != made)
        return;
    if (!(from->flags & OCP_NODE_MADE)) {
        if (ocp_places_has(trace->places, from))
            add_origin(trace, made, from);
        return;
    }
    guint32 last = last_of(trace, from);
    for (guint32 at = last; at != 0;) {
        at = origin_at(trace, at)->next;
        add_origin(trace, made, origin_at(trace, at)->node);
        if (at == last)
            break;
    }
}

bool
ocp_trace_has_origin(const OcpTrace *trace, const OcpNode *made)
{
    return last_of(trace, made) != 0;
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
