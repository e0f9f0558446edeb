/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a pattern's program (regexp_nfa.c) to its table, by subsets; and running it.
 */
#include "schema/regexp_dfa.h"

#include <string.h>

#include "schema/regexp_nfa.h"

enum {
    DEAD = 0,  /* nothing can match any more */
    FOUND = 1, /* something has matched */
    FIRST = 2, /* the beginning of the text */
    STATES = 1024,
    SEGMENTS = 1000,
    WORK = 2000000 /* instructions looked at while building */
};

struct OcpDfa {
    guint32 *table;   /* state's row + class → next state's row */
    guint8 *at_end;   /* a state each: found if the text ends here */
    guint classes;    /* of characters that no set tells apart */
    guint segments;   /* ranges of characters, each of one class */
    guint32 *bounds;  /* lowest character of each segment */
    guint8 *class_of; /* a segment each */
    guint8 ascii[128];
};

typedef struct {
    const OcpNfa *nfa;
    OcpDfa *dfa;
    GPtrArray *states;   /* GArray of guint32: instructions, ascending; from FIRST on */
    GHashTable *by_list; /* one of states → its number */
    GArray *table;       /* guint32: rows */
    GArray *examples;    /* guint32: a character of each class */
    guint8 *marks;       /* an instruction each */
    GArray *list;        /* of the instructions just taken */
    GArray *marked;      /* ... those that are set */
    GArray *stack;
    guint work;
} Builder;

/* ---- classes of characters ------------------------------------------------------- */

static gint
compare_codes(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a;
    guint32 right = *(const guint32 *)b;
    return left < right ? -1 : left > right ? 1 : 0;
}

static bool
set_has(const OcpRxSet *set, guint32 code)
{
    for (guint i = 0; i < set->count; i++)
        if (code >= set->ranges[i].low && code <= set->ranges[i].high)
            return true;
    return false;
}

/* Segments that are in the same sets are one class; each class keeps an example. */
static bool
join_segments(Builder *builder)
{
    OcpDfa *dfa = builder->dfa;
    g_autoptr(GHashTable) known =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    dfa->class_of = g_malloc(dfa->segments);
    for (guint i = 0; i < dfa->segments; i++) {
        GString *sets = g_string_new(NULL);
        for (guint j = 0; j < builder->nfa->sets->len; j++)
            g_string_append_c(
                sets,
                set_has(builder->nfa->sets->pdata[j], dfa->bounds[i]) ? '1' : '0');
        char *key = g_string_free(sets, FALSE);
        gpointer group = g_hash_table_lookup(known, key);
        if (group == NULL) {
            g_array_append_val(builder->examples, dfa->bounds[i]);
            group = GUINT_TO_POINTER(++dfa->classes);
            g_hash_table_insert(known, key, group);
        } else {
            g_free(key);
        }
        if (dfa->classes > 255)
            return false;
        dfa->class_of[i] = (guint8)(GPOINTER_TO_UINT(group) - 1);
    }
    return true;
}

/* Characters between two neighbouring bounds of all sets are alike. */
static bool
find_classes(Builder *builder)
{
    g_autoptr(GArray) bounds = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 zero = 0;
    g_array_append_val(bounds, zero);
    for (guint i = 0; i < builder->nfa->sets->len; i++) {
        const OcpRxSet *set = builder->nfa->sets->pdata[i];
        for (guint j = 0; j < set->count; j++) {
            guint32 behind = set->ranges[j].high + 1;
            g_array_append_val(bounds, set->ranges[j].low);
            g_array_append_val(bounds, behind);
        }
    }
    g_array_sort(bounds, compare_codes);
    guint kept = 0;
    for (guint i = 0; i < bounds->len; i++) {
        guint32 code = g_array_index(bounds, guint32, i);
        if (kept == 0 || code != g_array_index(bounds, guint32, kept - 1))
            g_array_index(bounds, guint32, kept++) = code;
    }
    OcpDfa *dfa = builder->dfa;
    dfa->segments = kept;
    dfa->bounds = g_memdup2(bounds->data, kept * sizeof(guint32));
    if (kept > SEGMENTS || !join_segments(builder))
        return false;
    for (guint code = 0, segment = 0; code < 128; code++) {
        while (segment + 1 < kept && dfa->bounds[segment + 1] <= code)
            segment++;
        dfa->ascii[code] = dfa->class_of[segment];
    }
    return true;
}

/* ---- sets of instructions -------------------------------------------------------- */

static void
push(Builder *builder, guint32 at)
{
    if (builder->marks[at])
        return;
    builder->marks[at] = 1;
    g_array_append_val(builder->marked, at);
    g_array_append_val(builder->stack, at);
}

/* Marks what is reached from at without taking a character; true if that is a match. */
static bool
reach(Builder *builder, guint32 from, bool at_start, bool at_end)
{
    bool found = false;
    push(builder, from);
    while (builder->stack->len > 0) {
        guint32 at = g_array_index(builder->stack, guint32, builder->stack->len - 1);
        const OcpNfaStep *step = &g_array_index(builder->nfa->steps, OcpNfaStep, at);
        g_array_set_size(builder->stack, builder->stack->len - 1);
        builder->work++;
        switch (step->op) {
        case OCP_NFA_SPLIT:
            push(builder, step->first);
            push(builder, step->second);
            break;
        case OCP_NFA_JUMP: push(builder, step->first); break;
        case OCP_NFA_START:
            if (at_start)
                push(builder, at + 1);
            break;
        case OCP_NFA_END:
            if (at_end)
                push(builder, at + 1);
            break;
        case OCP_NFA_FOUND: found = true; break;
        case OCP_NFA_SET:
        default: break;
        }
    }
    return found;
}

/* Takes the marked instructions that matter later as a list, and unmarks all. The list
 * is the builder's: the next one takes its place. */
static GArray *
take_marked(Builder *builder)
{
    GArray *list = builder->list;
    g_array_set_size(list, 0);
    for (guint i = 0; i < builder->marked->len; i++) {
        guint32 at = g_array_index(builder->marked, guint32, i);
        OcpNfaOp op = g_array_index(builder->nfa->steps, OcpNfaStep, at).op;
        if (op == OCP_NFA_SET || op == OCP_NFA_END)
            g_array_append_val(list, at);
        builder->marks[at] = 0;
    }
    g_array_set_size(builder->marked, 0);
    if (list->len > 1)
        g_array_sort(list, compare_codes);
    return list;
}

static guint
list_hash(gconstpointer pointer)
{
    const GArray *list = pointer;
    guint hash = list->len;
    for (guint i = 0; i < list->len; i++)
        hash = (hash ^ g_array_index(list, guint32, i)) * 0x9E3779B1u;
    return hash ^ hash >> 16;
}

static gboolean
same_list(gconstpointer a, gconstpointer b)
{
    const GArray *left = a;
    const GArray *right = b;
    return left->len == right->len &&
           memcmp(left->data, right->data, left->len * sizeof(guint32)) == 0;
}

static guint
add_state(Builder *builder, const GArray *list)
{
    GArray *own = g_array_sized_new(FALSE, FALSE, sizeof(guint32), list->len);
    g_array_append_vals(own, list->data, list->len);
    g_ptr_array_add(builder->states, own);
    return builder->states->len - 1 + FIRST;
}

static guint
state_of(Builder *builder, const GArray *list)
{
    if (list->len == 0)
        return DEAD;
    gpointer known = g_hash_table_lookup(builder->by_list, list);
    if (known != NULL)
        return GPOINTER_TO_UINT(known);
    guint state = add_state(builder, list);
    g_hash_table_insert(builder->by_list, builder->states->pdata[state - FIRST],
                        GUINT_TO_POINTER(state));
    return state;
}

static guint
step_by(Builder *builder, const GArray *list, guint group)
{
    bool found = reach(builder, 0, false, false); /* a match may begin anywhere */
    for (guint i = 0; i < list->len; i++) {
        guint32 at = g_array_index(list, guint32, i);
        const OcpNfaStep *step = &g_array_index(builder->nfa->steps, OcpNfaStep, at);
        if (step->op == OCP_NFA_SET &&
            set_has(builder->nfa->sets->pdata[step->first],
                    g_array_index(builder->examples, guint32, group)))
            found = reach(builder, at + 1, false, false) || found;
    }
    const GArray *next = take_marked(builder);
    return found ? (guint)FOUND : state_of(builder, next);
}

static bool
found_at_end(Builder *builder, const GArray *list, bool at_start)
{
    bool found = false;
    for (guint i = 0; i < list->len; i++) {
        guint32 at = g_array_index(list, guint32, i);
        if (g_array_index(builder->nfa->steps, OcpNfaStep, at).op == OCP_NFA_END)
            found = reach(builder, at, at_start, true) || found;
    }
    take_marked(builder);
    return found;
}

/* ---- building -------------------------------------------------------------------- */

static void
add_row(Builder *builder, guint32 state)
{
    guint32 row = state * builder->dfa->classes;
    for (guint i = 0; i < builder->dfa->classes; i++)
        g_array_append_val(builder->table, row);
}

static bool
build_table(Builder *builder)
{
    g_autoptr(GByteArray) at_end = g_byte_array_new();
    static const guint8 fixed[] = {0, 1};
    g_byte_array_append(at_end, fixed, 2);
    add_row(builder, DEAD);
    add_row(builder, FOUND);
    bool at_once = reach(builder, 0, true, false);
    add_state(builder, take_marked(builder));
    for (guint i = 0; i < builder->states->len; i++) {
        const GArray *list = builder->states->pdata[i];
        guint8 end = at_once || found_at_end(builder, list, i == 0);
        g_byte_array_append(at_end, &end, 1);
        for (guint group = 0; group < builder->dfa->classes; group++) {
            guint32 next = at_once ? FOUND : step_by(builder, list, group);
            next *= builder->dfa->classes;
            g_array_append_val(builder->table, next);
            if (builder->states->len > STATES || builder->work > WORK)
                return false;
        }
    }
    builder->dfa->table =
        g_memdup2(builder->table->data, builder->table->len * sizeof(guint32));
    builder->dfa->at_end = g_memdup2(at_end->data, at_end->len);
    return true;
}

bool
ocp_dfa_is_possible(const OcpRx *rx)
{
    if (rx->kind == OCP_RX_WORD_EDGE || rx->kind == OCP_RX_LOOK ||
        rx->kind == OCP_RX_BACK ||
        (rx->kind == OCP_RX_SET && rx->set->properties != NULL))
        return false;
    for (const OcpRx *child = rx->first; child != NULL; child = child->next)
        if (!ocp_dfa_is_possible(child))
            return false;
    return true;
}

OcpDfa *
ocp_dfa_new(const OcpRx *rx, bool whole)
{
    g_autoptr(OcpNfa) nfa = ocp_nfa_new(rx, whole);
    if (nfa == NULL)
        return NULL;
    Builder builder = {
        .nfa = nfa,
        .dfa = g_new0(OcpDfa, 1),
        .states = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
        .by_list = g_hash_table_new(list_hash, same_list),
        .table = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .examples = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .marks = g_malloc0(nfa->steps->len),
        .marked = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .list = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .stack = g_array_new(FALSE, FALSE, sizeof(guint32))};
    bool good = find_classes(&builder) && build_table(&builder);
    g_hash_table_unref(builder.by_list);
    g_ptr_array_unref(builder.states);
    g_array_unref(builder.table);
    g_array_unref(builder.examples);
    g_array_unref(builder.marked);
    g_array_unref(builder.list);
    g_array_unref(builder.stack);
    g_free(builder.marks);
    if (good)
        return builder.dfa;
    ocp_dfa_free(builder.dfa);
    return NULL;
}

void
ocp_dfa_free(OcpDfa *dfa)
{
    if (dfa == NULL)
        return;
    g_free(dfa->table);
    g_free(dfa->at_end);
    g_free(dfa->bounds);
    g_free(dfa->class_of);
    g_free(dfa);
}

/* ---- running --------------------------------------------------------------------- */

static guint
class_of(const OcpDfa *dfa, guint32 code)
{
    guint low = 0;
    guint high = dfa->segments;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        if (dfa->bounds[middle] <= code)
            low = middle;
        else
            high = middle;
    }
    return dfa->class_of[low];
}

bool
ocp_dfa_search(const OcpDfa *dfa, const char *text, gsize length)
{
    const char *at = text;
    const char *end = text + length;
    const guint32 *table = dfa->table;
    const guint32 settled =
        FOUND * dfa->classes; /* up to here nothing changes any more */
    guint32 row = FIRST * dfa->classes;
    while (at < end && row > settled) {
        guchar byte = (guchar)*at;
        guint group;
        if (byte < 0x80) {
            group = dfa->ascii[byte];
            at++;
        } else {
            group = class_of(dfa, g_utf8_get_char(at));
            at += g_utf8_skip[byte];
        }
        row = table[row + group];
    }
    return dfa->at_end[row / dfa->classes] != 0;
}
