/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/regexp_nfa.h"

#include <string.h>

enum { STEPS = 2000 };

static bool emit(OcpNfa *nfa, const OcpRx *rx);

static guint32
add(OcpNfa *nfa, OcpNfaOp op, guint32 first, guint32 second)
{
    OcpNfaStep step = {op, first, second};
    g_array_append_val(nfa->steps, step);
    return nfa->steps->len - 1;
}

static OcpNfaStep *
step_at(OcpNfa *nfa, guint32 at)
{
    return &g_array_index(nfa->steps, OcpNfaStep, at);
}

static bool
emit_set(OcpNfa *nfa, const OcpRxSet *set)
{
    if (set->properties != NULL)
        return false;
    guint number;
    if (!g_ptr_array_find(nfa->sets, set, &number)) { /* a repeat emits its set often */
        number = nfa->sets->len;
        g_ptr_array_add(nfa->sets, (gpointer)set);
    }
    add(nfa, OCP_NFA_SET, number, 0);
    return true;
}

static bool
emit_children(OcpNfa *nfa, const OcpRx *rx)
{
    for (const OcpRx *child = rx->first; child != NULL; child = child->next)
        if (!emit(nfa, child))
            return false;
    return true;
}

/* split A, else split B, else … C; each jumps behind the last. */
static bool
emit_choice(OcpNfa *nfa, const OcpRx *rx)
{
    g_autoptr(GArray) jumps = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (const OcpRx *child = rx->first; child != NULL; child = child->next) {
        guint32 split = nfa->steps->len;
        if (child->next != NULL)
            add(nfa, OCP_NFA_SPLIT, split + 1, 0);
        if (!emit(nfa, child))
            return false;
        if (child->next == NULL)
            break;
        guint32 jump = add(nfa, OCP_NFA_JUMP, 0, 0);
        g_array_append_val(jumps, jump);
        step_at(nfa, split)->second = nfa->steps->len;
    }
    for (guint i = 0; i < jumps->len; i++)
        step_at(nfa, g_array_index(jumps, guint32, i))->first = nfa->steps->len;
    return true;
}

static bool
emit_repeat(OcpNfa *nfa, const OcpRx *rx)
{
    for (guint32 i = 0; i < rx->low; i++)
        if (!emit(nfa, rx->first))
            return false;
    if (rx->high == OCP_RX_FOREVER) {
        guint32 split = add(nfa, OCP_NFA_SPLIT, nfa->steps->len + 1, 0);
        if (!emit(nfa, rx->first))
            return false;
        add(nfa, OCP_NFA_JUMP, split, 0);
        step_at(nfa, split)->second = nfa->steps->len;
        return true;
    }
    g_autoptr(GArray) splits = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = rx->low; i < rx->high; i++) {
        guint32 split = add(nfa, OCP_NFA_SPLIT, nfa->steps->len + 1, 0);
        g_array_append_val(splits, split);
        if (!emit(nfa, rx->first))
            return false;
    }
    for (guint i = 0; i < splits->len; i++)
        step_at(nfa, g_array_index(splits, guint32, i))->second = nfa->steps->len;
    return true;
}

/* Bounded by the parser's depth limit. Every turn of a count adds a step or fails: an
 * empty body is emitted as a jump. */
static bool
emit(OcpNfa *nfa, const OcpRx *rx)
{
    if (nfa->steps->len > STEPS)
        return false;
    switch (rx->kind) {
    case OCP_RX_SET: return emit_set(nfa, rx->set);
    case OCP_RX_SEQUENCE:
        if (rx->first == NULL)
            add(nfa, OCP_NFA_JUMP, nfa->steps->len + 1, 0);
        return emit_children(nfa, rx);
    case OCP_RX_CAPTURE: return emit_children(nfa, rx);
    case OCP_RX_CHOICE: return emit_choice(nfa, rx);
    case OCP_RX_REPEAT: return emit_repeat(nfa, rx);
    case OCP_RX_START: add(nfa, OCP_NFA_START, 0, 0); return true;
    case OCP_RX_END: add(nfa, OCP_NFA_END, 0, 0); return true;
    case OCP_RX_WORD_EDGE:
    case OCP_RX_LOOK:
    case OCP_RX_BACK:
    default: return false;
    }
}

OcpNfa *
ocp_nfa_new(const OcpRx *rx, bool whole)
{
    OcpNfa *nfa = g_new0(OcpNfa, 1);
    nfa->steps = g_array_new(FALSE, FALSE, sizeof(OcpNfaStep));
    nfa->sets = g_ptr_array_new();
    if (whole)
        add(nfa, OCP_NFA_START, 0, 0);
    if (!emit(nfa, rx)) {
        ocp_nfa_free(nfa);
        return NULL;
    }
    if (whole)
        add(nfa, OCP_NFA_END, 0, 0);
    add(nfa, OCP_NFA_FOUND, 0, 0);
    return nfa;
}

void
ocp_nfa_free(OcpNfa *nfa)
{
    if (nfa == NULL)
        return;
    g_array_unref(nfa->steps);
    g_ptr_array_unref(nfa->sets);
    g_free(nfa);
}

/* ---- running ----------------------------------------------------------------------- */

/* The instructions that are reached at one place of the text. */
typedef struct {
    const OcpNfa *nfa;
    guint32 *lists[2]; /* sets waiting for a character: now, and at the next one */
    guint counts[2];
    guint32 *marks;    /* an instruction each: the place it was reached at, + 1 */
    guint32 *stack;
    guint depth;
} Walk;

static bool
has(const OcpRxSet *set, guint32 code)
{
    for (guint i = 0; i < set->count; i++)
        if (code >= set->ranges[i].low && code <= set->ranges[i].high)
            return true;
    return false;
}

static void
push(Walk *walk, guint32 at, guint32 place)
{
    if (walk->marks[at] == place + 1)
        return;
    walk->marks[at] = place + 1;
    walk->stack[walk->depth++] = at;
}

/* Puts the sets that are reached from an instruction on a list; true if that is a match. */
static bool
reach(Walk *walk, guint which, guint32 from, guint32 place, bool at_end)
{
    push(walk, from, place);
    while (walk->depth > 0) {
        guint32 at = walk->stack[--walk->depth];
        const OcpNfaStep *step = &g_array_index(walk->nfa->steps, OcpNfaStep, at);
        switch (step->op) {
        case OCP_NFA_SPLIT:
            push(walk, step->first, place);
            push(walk, step->second, place);
            break;
        case OCP_NFA_JUMP: push(walk, step->first, place); break;
        case OCP_NFA_START:
            if (place == 0)
                push(walk, at + 1, place);
            break;
        case OCP_NFA_END:
            if (at_end)
                push(walk, at + 1, place);
            break;
        case OCP_NFA_SET: walk->lists[which][walk->counts[which]++] = at; break;
        case OCP_NFA_FOUND:
        default: walk->depth = 0; return true;
        }
    }
    return false;
}

static bool
walk_text(Walk *walk, const char *text, const char *end)
{
    guint32 place = 0;
    guint now = 0;
    for (const char *at = text;; now = 1 - now) {
        if (reach(walk, now, 0, place, at == end)) /* a match may begin anywhere */
            return true;
        if (at == end)
            return false;
        guint32 code = g_utf8_get_char(at);
        at = g_utf8_next_char(at);
        place++;
        walk->counts[1 - now] = 0;
        for (guint i = 0; i < walk->counts[now]; i++) {
            guint32 step = walk->lists[now][i];
            guint32 set = g_array_index(walk->nfa->steps, OcpNfaStep, step).first;
            if (has(walk->nfa->sets->pdata[set], code) &&
                reach(walk, 1 - now, step + 1, place, at == end))
                return true;
        }
    }
}

bool
ocp_nfa_search(const OcpNfa *nfa, const char *text, gsize length)
{
    gsize steps = nfa->steps->len;
    g_autofree guint32 *memory = g_new(guint32, 4 * steps);
    Walk walk = {.nfa = nfa,
                 .lists = {memory, memory + steps},
                 .marks = memory + 2 * steps,
                 .stack = memory + 3 * steps};
    memset(walk.marks, 0, steps * sizeof(guint32));
    return walk_text(&walk, text, text + length);
}
