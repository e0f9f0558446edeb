/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an evaluation remembers so that joins stay linear: the elements under a node by
 * the value of a member, the nodes of a sequence as a set, computed regular
 * expressions. Nodes never change, so the nodes that went in are the whole key.
 */
#include <string.h>

#include "mapping/functions.h"
#include "value/equal.h"

enum { FEW = 16 /* so many elements are scanned */ };

/* Elements with the same values, chained in their order. */
typedef struct {
    guint first, last, count;
} Bucket;

typedef struct {
    /* the key: where in the expression, of which nodes, by which text */
    gconstpointer site;
    gconstpointer *nodes;
    guint node_count;
    char *text;
    gsize text_length;

    guint uses;
    GPtrArray *elements; /* below the base of a filter */
    GHashTable *values;  /* Tuple -> Bucket; or a set of nodes */
    GArray *chain;       /* for each element the next one in its bucket */
    OcpRegexp *regexp;
} Entry;

static guint
entry_hash(gconstpointer key)
{
    const Entry *entry = key;
    guint hash = g_direct_hash(entry->site);
    for (guint i = 0; i < entry->node_count; i++)
        hash = hash * 31 + (g_direct_hash(entry->nodes[i]) >> 4);
    for (gsize i = 0; i < entry->text_length; i++)
        hash = hash * 33 + (guchar)entry->text[i];
    return hash;
}

static gboolean
entry_equal(gconstpointer a, gconstpointer b)
{
    const Entry *one = a;
    const Entry *two = b;
    return one->site == two->site && one->node_count == two->node_count &&
           one->text_length == two->text_length &&
           (one->node_count == 0 ||
            memcmp(one->nodes, two->nodes, one->node_count * sizeof *one->nodes) ==
                0) &&
           (one->text_length == 0 ||
            memcmp(one->text, two->text, one->text_length) == 0);
}

static void
entry_free(gpointer pointer)
{
    Entry *entry = pointer;
    g_free(entry->nodes);
    g_free(entry->text);
    g_clear_pointer(&entry->elements, g_ptr_array_unref);
    g_clear_pointer(&entry->values, g_hash_table_unref);
    g_clear_pointer(&entry->chain, g_array_unref);
    ocp_regexp_free(entry->regexp);
    g_free(entry);
}

/* The entry of that key, fresh on first use; stays until ocp_eval_clear(). */
static Entry *
entry_get(OcpEval *eval, const Entry *key)
{
    if (eval->indexes == NULL)
        eval->indexes =
            g_hash_table_new_full(entry_hash, entry_equal, entry_free, NULL);
    Entry *entry = g_hash_table_lookup(eval->indexes, key);
    if (entry != NULL)
        return entry;
    entry = g_new0(Entry, 1);
    entry->site = key->site;
    entry->node_count = key->node_count;
    entry->nodes = g_memdup2(key->nodes, key->node_count * sizeof *key->nodes);
    entry->text_length = key->text_length;
    entry->text = g_memdup2(key->text, key->text_length);
    g_hash_table_add(eval->indexes, entry);
    return entry;
}

static Entry *
entry_of_node(OcpEval *eval, gconstpointer site, const OcpNode *node)
{
    gconstpointer nodes[] = {node};
    Entry key = {.site = site, .nodes = nodes, .node_count = 1};
    return entry_get(eval, &key);
}

void
ocp_eval_clear(OcpEval *eval)
{
    g_clear_pointer(&eval->indexes, g_hash_table_unref);
    g_clear_pointer(&eval->spares, g_ptr_array_unref);
}

/* ---- filters ---------------------------------------------------------------- */

static GPtrArray *
collect(const OcpSegment *from, const OcpNode *base)
{
    GPtrArray *nodes = g_ptr_array_new();
    g_ptr_array_add(nodes, (gpointer)base);
    for (const OcpSegment *s = from;; s = s->next) {
        GPtrArray *next = g_ptr_array_new();
        for (guint i = 0; i < nodes->len; i++)
            if (s == from->indexed)
                ocp_node_children(nodes->pdata[i], next);
            else
                ocp_segment_plain(s, nodes->pdata[i], next);
        g_ptr_array_unref(nodes);
        nodes = next;
        if (s == from->indexed)
            return nodes;
    }
}

static void
scan(const OcpSelector *selector, OcpEval *eval, const GPtrArray *elements,
     GPtrArray *out)
{
    for (guint i = 0; i < elements->len; i++)
        if (ocp_ast_truth(selector->filter, eval, elements->pdata[i]))
            g_ptr_array_add(out, elements->pdata[i]);
}

/* The values that a filter compares, one for each of its equalities; NULL is absence.
 */
typedef struct {
    gsize count;
    const OcpNode *values[];
} Tuple;

static gsize
tuple_size(gsize count)
{
    return sizeof(Tuple) + count * sizeof(const OcpNode *);
}

static guint
tuple_hash(gconstpointer key)
{
    const Tuple *tuple = key;
    guint hash = 0;
    for (gsize i = 0; i < tuple->count; i++)
        hash = hash * 31 +
               (tuple->values[i] != NULL ? ocp_hash_value(tuple->values[i]) : 7);
    return hash;
}

static gboolean
tuple_equal(gconstpointer a, gconstpointer b)
{
    const Tuple *one = a;
    const Tuple *two = b;
    for (gsize i = 0; i < one->count; i++) {
        const OcpNode *mine = one->values[i];
        const OcpNode *theirs = two->values[i];
        if ((mine == NULL || theirs == NULL) ? mine != theirs
                                             : !ocp_equal_value(mine, theirs))
            return FALSE;
    }
    return TRUE;
}

static Tuple *
tuple_new(const OcpSelector *selector)
{
    gsize count = 0;
    for (const OcpEquality *e = selector->equalities; e != NULL; e = e->next)
        count++;
    Tuple *tuple = g_malloc0(tuple_size(count));
    tuple->count = count;
    return tuple;
}

static void
add_to_bucket(Entry *entry, const Tuple *tuple, guint element)
{
    Bucket *bucket = g_hash_table_lookup(entry->values, tuple);
    if (bucket == NULL) {
        bucket = g_new0(Bucket, 1);
        bucket->first = element;
        g_hash_table_insert(entry->values, g_memdup2(tuple, tuple_size(tuple->count)),
                            bucket);
    } else {
        g_array_index(entry->chain, guint, bucket->last) = element;
    }
    bucket->last = element;
    bucket->count++;
}

/* Sorts the elements into buckets. All compared members steer, each once. */
static void
build(Entry *entry, OcpEval *eval, const OcpSelector *selector)
{
    const GPtrArray *elements = entry->elements;
    g_autofree Tuple *tuple = tuple_new(selector);
    entry->values = g_hash_table_new_full(tuple_hash, tuple_equal, g_free, g_free);
    entry->chain = g_array_sized_new(FALSE, TRUE, sizeof(guint), elements->len);
    g_array_set_size(entry->chain, elements->len);
    for (guint i = 0; i < elements->len; i++) {
        gsize n = 0;
        for (const OcpEquality *e = selector->equalities; e != NULL; e = e->next, n++) {
            tuple->values[n] =
                ocp_path_follow(e->member->as.query.segments, elements->pdata[i]);
            ocp_steer(eval, tuple->values[n]);
        }
        add_to_bucket(entry, tuple, i);
    }
}

/* The elements for which all equalities hold; none: NULL. */
static const Bucket *
find_bucket(Entry *entry, OcpEval *eval, const OcpSelector *selector)
{
    g_autofree Tuple *tuple = tuple_new(selector);
    gsize n = 0;
    for (const OcpEquality *e = selector->equalities; e != NULL; e = e->next, n++)
        tuple->values[n] = ocp_ast_one(e->value, eval, NULL);
    if (entry->values == NULL)
        build(entry, eval, selector);
    for (n = 0; n < tuple->count; n++)
        ocp_steer(eval, tuple->values[n]);
    return g_hash_table_lookup(entry->values, tuple);
}

void
ocp_index_filter(const OcpSegment *from, OcpEval *eval, const OcpNode *base,
                 OcpSome *some, GPtrArray *out)
{
    const OcpSelector *selector = from->indexed->selectors;
    if (!ocp_is_container(base))
        return;
    if (from == from->indexed && base->size <= FEW) {
        ocp_select_filtered(selector, eval, base, out);
        return;
    }
    Entry *run = entry_of_node(eval, from, base);
    if (run->elements == NULL) {
        GPtrArray *elements = collect(from, base);
        if (run->uses++ == 0 || elements->len <= FEW) {
            scan(selector, eval, elements, out);
            g_ptr_array_unref(elements);
            return;
        }
        run->elements = elements;
    }
    const Bucket *bucket = find_bucket(run, eval, selector);
    guint most = some != NULL && selector->exact ? some->most : G_MAXUINT;
    guint at = bucket != NULL ? bucket->first : 0;
    for (guint i = 0; bucket != NULL && i < bucket->count; i++) {
        if (i == most) {
            some->ended = true;
            return;
        }
        gpointer element = run->elements->pdata[at];
        at = g_array_index(run->chain, guint, at);
        if (selector->exact || ocp_ast_truth(selector->filter, eval, element))
            g_ptr_array_add(out, element);
    }
}

/* ---- membership ------------------------------------------------------------- */

static guint
hash_node(gconstpointer node)
{
    return ocp_hash(node);
}

static gboolean
equal_node(gconstpointer a, gconstpointer b)
{
    return ocp_equal(a, b);
}

/* The nodes of a sequence; one array stands for its elements. All of them steer. */
static GPtrArray *
sequence(const OcpAst *seq, OcpEval *eval, const OcpNode *at)
{
    GPtrArray *nodes = g_ptr_array_new();
    ocp_ast_nodes(seq, eval, at, nodes);
    if (seq->type == OCP_ONE && nodes->len == 1 && ocp_is(nodes->pdata[0], OCP_ARRAY)) {
        const OcpNode *array = nodes->pdata[0];
        g_ptr_array_set_size(nodes, 0);
        ocp_node_children(array, nodes);
    }
    for (guint i = 0; i < nodes->len; i++)
        ocp_steer(eval, nodes->pdata[i]);
    return nodes;
}

static bool
is_among(const GPtrArray *nodes, const OcpNode *x)
{
    for (guint i = 0; i < nodes->len; i++)
        if (ocp_equal(nodes->pdata[i], x))
            return true;
    return false;
}

bool
ocp_index_in(const OcpAst *call, OcpEval *eval, const OcpNode *at, const OcpNode *x)
{
    const OcpAst *seq = call->child->next;
    Entry *entry = NULL;
    if (call->as.call.steady) {
        guint count = call->as.call.slot_count;
        g_autofree gconstpointer *nodes = g_new(gconstpointer, count + 2);
        nodes[0] = eval->root;
        nodes[1] = eval->input;
        for (guint i = 0; i < count; i++)
            nodes[i + 2] = ocp_deref(eval->name(eval, call->as.call.slots[i]));
        Entry key = {.site = call, .nodes = nodes, .node_count = count + 2};
        entry = entry_get(eval, &key);
        if (entry->values != NULL)
            return g_hash_table_contains(entry->values, x);
    }
    g_autoptr(GPtrArray) nodes = sequence(seq, eval, at);
    if (entry == NULL || entry->uses++ == 0)
        return is_among(nodes, x);
    entry->values = g_hash_table_new(hash_node, equal_node);
    for (guint i = 0; i < nodes->len; i++)
        g_hash_table_add(entry->values, nodes->pdata[i]);
    return g_hash_table_contains(entry->values, x);
}

/* ---- regular expressions ---------------------------------------------------- */

const OcpRegexp *
ocp_index_regexp(OcpEval *eval, const OcpNode *pattern, bool whole, bool dot_all)
{
    static const char sites[4] = ""; /* an address for each kind of match */
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(pattern, false, &span))
        return NULL;
    Entry key = {.site = &sites[(whole ? 1 : 0) + (dot_all ? 2 : 0)],
                 .text = (char *)span.text,
                 .text_length = span.length};
    Entry *entry = entry_get(eval, &key);
    if (entry->uses++ > 0)
        return entry->regexp;
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpRegexp *regexp;
    if (ocp_regexp_load_i(span.text, span.length, whole, dot_all, report, &regexp))
        entry->regexp = regexp;
    return entry->regexp;
}
