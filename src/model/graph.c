/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles: statements superseded by each other (I04), operations that wait for each
 * other (I15). Strongly connected components by Tarjan's algorithm with a stack of our
 * own; one fault a component.
 */
#include <string.h>

#include "model/check.h"

#define NOWHERE G_MAXUINT
enum { SHOWN = 6 };

typedef struct {
    guint to;
    const OcpNode *reference; /* the string that names it */
    guint index;              /* its place in the member's array */
} Edge;

typedef struct {
    const OcpNode *object;
    guint first_edge;
    guint edges;
    guint number; /* order of discovery; 0: not yet */
    guint low;
    guint component; /* NOWHERE while open */
    guint walked;    /* edges followed; later: order in a cycle, from 1 */
} Vertex;

typedef struct {
    const char *list;   /* "operations": an array of the root */
    const char *member; /* "depends_on" */
    const char *rule;
    const char *message;
    GArray *vertices;
    GArray *edges;
    GArray *open; /* guint: Tarjan's stack */
    GArray *path; /* guint: the walk from the root of the search */
    guint numbers;
    guint components;
} Graph;

#define VERTEX(graph, i) (&g_array_index((graph)->vertices, Vertex, (i)))
#define EDGE(graph, i) (&g_array_index((graph)->edges, Edge, (i)))
#define LAST(array) g_array_index((array), guint, (array)->len - 1)

static void
add_edge(Graph *graph, GHashTable *numbers, const OcpNode *reference, guint index)
{
    gpointer to;
    if (!ocp_is(reference, OCP_STRING) ||
        !g_hash_table_lookup_extended(numbers, reference, NULL, &to))
        return;
    Edge edge = {GPOINTER_TO_UINT(to), reference, index};
    g_array_append_val(graph->edges, edge);
}

static void
add_edges(Graph *graph, GHashTable *numbers, Vertex *vertex)
{
    vertex->first_edge = graph->edges->len;
    const OcpNode *value = ocp_member(vertex->object, graph->member);
    if (ocp_is(value, OCP_ARRAY)) {
        OcpIter iter = ocp_iter(value);
        const OcpNode *reference;
        for (guint i = 0; (reference = ocp_iter_element(&iter)) != NULL; i++)
            add_edge(graph, numbers, reference, i);
    } else {
        add_edge(graph, numbers, value, NOWHERE);
    }
    vertex->edges = graph->edges->len - vertex->first_edge;
}

/* Of objects that share an id the first is meant, as everywhere. */
static void
read_graph(Graph *graph, const OcpNode *root)
{
    g_autoptr(GHashTable) numbers = ocp_model_text_table();
    const OcpNode *list = ocp_member(root, graph->list);
    OcpIter iter = {ocp_is(list, OCP_ARRAY) ? ocp_first_child(list) : NULL};
    for (const OcpNode *object; (object = ocp_iter_element(&iter)) != NULL;) {
        const OcpNode *id = ocp_member(object, "id");
        if (ocp_is(id, OCP_STRING) && !g_hash_table_contains(numbers, id))
            g_hash_table_insert(numbers, (gpointer)id,
                                GUINT_TO_POINTER(graph->vertices->len));
        Vertex vertex = {.object = object, .component = NOWHERE};
        g_array_append_val(graph->vertices, vertex);
    }
    for (guint i = 0; i < graph->vertices->len; i++)
        add_edges(graph, numbers, VERTEX(graph, i));
}

static void
enter(Graph *graph, guint i)
{
    Vertex *vertex = VERTEX(graph, i);
    vertex->number = vertex->low = ++graph->numbers;
    g_array_append_val(graph->open, i);
    g_array_append_val(graph->path, i);
}

static void
leave(Graph *graph)
{
    guint i = LAST(graph->path);
    g_array_set_size(graph->path, graph->path->len - 1);
    Vertex *vertex = VERTEX(graph, i);
    if (graph->path->len > 0) {
        Vertex *parent = VERTEX(graph, LAST(graph->path));
        parent->low = MIN(parent->low, vertex->low);
    }
    if (vertex->low != vertex->number)
        return;
    while (vertex->component == NOWHERE) {
        VERTEX(graph, LAST(graph->open))->component = graph->components;
        g_array_set_size(graph->open, graph->open->len - 1);
    }
    graph->components++;
}

static void
search_from(Graph *graph, guint start)
{
    enter(graph, start);
    while (graph->path->len > 0) {
        Vertex *vertex = VERTEX(graph, LAST(graph->path));
        if (vertex->walked == vertex->edges) {
            leave(graph);
            continue;
        }
        guint to = EDGE(graph, vertex->first_edge + vertex->walked++)->to;
        const Vertex *target = VERTEX(graph, to);
        if (target->number == 0)
            enter(graph, to);
        else if (target->component == NOWHERE)
            vertex->low = MIN(vertex->low, target->number);
    }
}

/* The first edge of a vertex that stays in its component, or NULL. */
static const Edge *
inner_edge(const Graph *graph, const Vertex *vertex)
{
    for (guint i = 0; i < vertex->edges; i++) {
        const Edge *edge = EDGE(graph, vertex->first_edge + i);
        if (VERTEX(graph, edge->to)->component == vertex->component)
            return edge;
    }
    return NULL;
}

/* Follows inner edges from a vertex of a cyclic component until one comes again: that
 * one is on a cycle. Returns the cycle's vertex that stands first in the document. */
static guint
find_cycle(Graph *graph, guint start)
{
    guint at = start;
    for (guint order = 1; VERTEX(graph, at)->walked == 0; order++) {
        VERTEX(graph, at)->walked = order;
        at = inner_edge(graph, VERTEX(graph, at))->to;
    }
    guint first = at;
    guint i = at;
    do {
        first = MIN(first, i);
        i = inner_edge(graph, VERTEX(graph, i))->to;
    } while (i != at);
    return first;
}

static char *
describe_cycle(const Graph *graph, guint first)
{
    GString *text = g_string_new(NULL);
    guint at = first;
    guint steps = 0;
    do {
        const OcpNode *id = ocp_member(VERTEX(graph, at)->object, "id");
        g_autofree char *quoted = ocp_rule_quote(id);
        g_string_append_printf(text, "%s → ", steps < SHOWN ? quoted : "…");
        at = inner_edge(graph, VERTEX(graph, at))->to;
    } while (at != first && steps++ < SHOWN);
    g_autofree char *last =
        ocp_rule_quote(ocp_member(VERTEX(graph, first)->object, "id"));
    g_string_append(text, last);
    return g_string_free(text, FALSE);
}

static void
report_cycle(OcpRuleCheck *check, const Graph *graph, guint first)
{
    const Edge *edge = inner_edge(graph, VERTEX(graph, first));
    g_autofree char *cycle = describe_cycle(graph, first);
    GString *pointer = g_string_new(NULL);
    g_string_append_printf(pointer, "/%s/%u/%s", graph->list, first, graph->member);
    if (edge->index != NOWHERE)
        g_string_append_printf(pointer, "/%u", edge->index);
    ocp_rule_detail(ocp_rule_fault(check, graph->rule, edge->reference, pointer->str,
                                   "%s: %s", graph->message, cycle),
                    "no way back", edge->reference, "drop one of these references");
    g_string_free(pointer, TRUE);
}

static void
check_graph(OcpRuleCheck *check, Graph *graph)
{
    graph->vertices = g_array_new(FALSE, FALSE, sizeof(Vertex));
    graph->edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    graph->open = g_array_new(FALSE, FALSE, sizeof(guint));
    graph->path = g_array_new(FALSE, FALSE, sizeof(guint));
    read_graph(graph, check->root);
    for (guint i = 0; i < graph->vertices->len; i++)
        if (VERTEX(graph, i)->number == 0)
            search_from(graph, i);
    for (guint i = 0; i < graph->vertices->len; i++)
        VERTEX(graph, i)->walked = 0;
    g_autofree bool *told = g_new0(bool, graph->components);
    for (guint i = 0; i < graph->vertices->len; i++) {
        const Vertex *vertex = VERTEX(graph, i);
        if (told[vertex->component] || inner_edge(graph, vertex) == NULL)
            continue;
        told[vertex->component] = true;
        report_cycle(check, graph, find_cycle(graph, i));
    }
    g_array_unref(graph->vertices);
    g_array_unref(graph->edges);
    g_array_unref(graph->open);
    g_array_unref(graph->path);
}

void
ocp_rule_cycles(OcpRuleCheck *check)
{
    Graph superseded = {.list = "statements",
                        .member = "superseded_by",
                        .rule = "OC-I04",
                        .message = "statements supersede each other in a circle"};
    check_graph(check, &superseded);
    Graph operations = {.list = "operations",
                        .member = "depends_on",
                        .rule = "OC-I15",
                        .message = "operations depend on each other in a circle"};
    check_graph(check, &operations);
}
