/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/trace.h"
#include "model/model.h"
#include "value/pointer.h"
#include "value/report.h"

/*
 * Expressions of the mapping language: JSONPath (RFC 9535), its logical expressions,
 * and what the language adds (named roots, segments after a call, 36 functions).
 * Compiled once, immutable, shareable; evaluating writes only to the evaluation at
 * hand.
 */
typedef struct OcpExpr OcpExpr;

/* What an expression gives: one value at most, any number of them, or a truth. */
typedef enum { OCP_ONE, OCP_MANY, OCP_CONDITION } OcpExprType;

/* ---- loading --------------------------------------------------------------- */

typedef struct OcpTable OcpTable; /* a map or a list under `tables:` */

/* What the names in an expression mean, asked while it is compiled. */
typedef struct {
    bool rfc_only;  /* plain RFC 9535: a query, the five functions, nothing of ours */
    bool condition; /* the whole is a condition (`when:`): what cannot be one is refused
                     */
    /* A named root: its slot and type; false if there is none of that name in scope. */
    bool (*name)(const char *name, gsize length, guint *ret_slot, OcpExprType *ret_type,
                 gpointer data);
    /* A table, or NULL. */
    const OcpTable *(*table)(const char *name, gsize length, gpointer data);
    /* The n-th name in scope and the n-th table, NULL behind the last: only asked to
     * say "did you mean". Both may be NULL. */
    const char *(*nth_name)(guint n, gpointer data);
    const char *(*nth_table)(guint n, gpointer data);
    gpointer data;
    /* Where the text stands, for errors: they are located at place + offset in text. */
    const OcpDocument *document;
    guint32 place;
    /* Where the expression is made: borrowed, must outlive it. NULL: in one of its own.
     */
    OcpArena *arena;
} OcpExprScope;

/* Compiles text: for rfc_only a whole JSONPath query, else an `expr` of the grammar.
 * Errors: mapping.expression, one, located, saying what was expected. RFC 9535's
 * well-typedness rules apply, extended to our functions and types. */
bool ocp_expr_load(const char *text, gsize length, const OcpExprScope *scope,
                   OcpReport *report, OcpExpr **ret);
void ocp_expr_free(OcpExpr *expr);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpExpr, ocp_expr_free)

/* What it gives. A bare named root: CONDITION if the name is one, else ONE, also where
 * the name is a `let` of many: that is one array, its elements are $name[*]. */
OcpExprType ocp_expr_type(const OcpExpr *expr);

/* True if the expression is foreign() or depends on it anywhere (not through a name).
 */
bool ocp_expr_asks_foreign(const OcpExpr *expr);

/* True if the named root of that slot stands in the expression, filters included. */
bool ocp_expr_uses_name(const OcpExpr *expr, guint slot);

/* Tables: made from the mapping's nodes (borrowed: the document outlives the table). A
 * map gives lookup and reverse, a list gives in. Immutable, shareable. */
OcpTable *ocp_table_new(const OcpNode *map_or_list);
void ocp_table_free(OcpTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpTable, ocp_table_free)

/* ---- evaluating ------------------------------------------------------------ */

/* Everything an evaluation may ask for; the caller fills it and keeps it current. The
 * evaluator never changes current: a filter's @ is its own affair, so name() always
 * sees the caller's. made, root and the names' values must stay until ocp_eval_clear().
 */
typedef struct OcpEval OcpEval;
struct OcpEval {
    const OcpNode *root;    /* $ */
    const OcpNode *current; /* @ */
    const OcpNode *input;   /* $input */
    /* The value of a named root: a node, NULL if absent; a `let` of many is an array,
     * one of a condition a boolean node. Lazy: the callee evaluates it on first use. */
    const OcpNode *(*name)(OcpEval *eval, guint slot);
    /* Place of a node in its array or object, for index() (0-based) and key(); false if
     * it stands in none. Covers source nodes and elements of made lists. */
    bool (*place)(OcpEval *eval, const OcpNode *node, gsize *ret_index,
                  const OcpNode **ret_key);
    OcpDocument *made;     /* where new nodes are made */
    OcpTrace *trace;       /* or NULL */
    const OcpModel *model; /* for by_id(); NULL while reading: by_id() is absent then */
    gsize position;        /* position(): 1-based place in this loop's output */
    bool foreign;          /* foreign() */
    GHashTable *hidden;    /* set of nodes that count as absent, or NULL */
    /* A container without its hidden parts (itself if it has none), for what writes a
     * whole value as text; NULL: nothing is hidden. */
    const OcpNode *(*visible)(OcpEval *eval, const OcpNode *node);
    gpointer data; /* the caller's */
    /* Owned by the evaluator; start with NULL. */
    GHashTable *indexes; /* what it found out */
    GPtrArray *spares;   /* arrays to use again */
};

/* Releases what evaluating left in eval->indexes and eval->spares. */
void ocp_eval_clear(OcpEval *eval);

/* Appends the nodes that the expression gives (one or many) to out. Links followed. A
 * null found by a path counts as a node here; first(), present() skip it. A query over
 * a `let` that gives nothing gives nothing. A condition gives one boolean node.
 * Literals and table rows are made anew in eval->made each time, so nothing of the
 * mapping's memory is given out; a null that is a literal has OCP_NODE_MADE, one found
 * in a source has not. */
void ocp_expr_nodes(const OcpExpr *expr, OcpEval *eval, GPtrArray *out);

/* The first of them, or NULL. */
const OcpNode *ocp_expr_one(const OcpExpr *expr, OcpEval *eval);

/* The truth of the expression: a condition's value; of a query: whether it gives a
 * node; of a call: whether it gives a value. Everything read for it is marked STEER. */
bool ocp_expr_truth(const OcpExpr *expr, OcpEval *eval);

/*
 * Tracing, by contract: the nodes that nodes()/one() return are not marked by the
 * evaluator (the caller marks them VALUE or MADE when they reach the result). Values
 * that a function makes are derived from its arguments (ocp_trace_derive). What only
 * decides (a comparison, a filter, `present`, the condition of `if`, count, in, before,
 * the ids of by_id, the name of member, the numbers of sorted, the members of minus) is
 * marked STEER; where an index answers a filter, the compared members of all elements
 * are marked once. lookup and reverse derive the row from the key, whose STEER that
 * makes needless. first, if, only, rfc3339, last, list, after, minus, sorted, newest,
 * by_id, member, value pass nodes on as they are, unmarked; capture, lower, trim,
 * excerpt and number do where nothing changes. index and key depend on the place alone:
 * they mark and derive nothing.
 */
