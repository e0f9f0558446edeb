/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/expr.h"
#include "schema/regexp.h"

/*
 * The tree of a compiled expression, private to src/mapping. Everything in it lives in
 * the expression's arena and is immutable once loaded. Its depth is bounded by the
 * parser (OCP_EXPR_DEPTH), so walking it may recurse.
 *
 *     kind      children                     as
 *     LITERAL   -                            literal: a scalar node
 *     QUERY     the call, if root is CALL    query: root and segments
 *     CALL      the arguments                call: function; compiled regexp, table
 *     COMPARE   left, right                  comparison
 *     NOT       one condition                -
 *     AND, OR   one or more conditions       -    (parentheses: an AND of one)
 */
typedef struct OcpAst OcpAst;
typedef struct OcpSegment OcpSegment;
typedef struct OcpSelector OcpSelector;
typedef struct OcpFunction OcpFunction; /* functions.h */
typedef struct OcpEquality OcpEquality;

enum { OCP_EXPR_DEPTH = 64 };

typedef enum {
    OCP_AST_LITERAL,
    OCP_AST_QUERY,
    OCP_AST_CALL,
    OCP_AST_COMPARE,
    OCP_AST_NOT,
    OCP_AST_AND,
    OCP_AST_OR
} OcpAstKind;

typedef enum {
    OCP_ROOT_DOCUMENT, /* $ */
    OCP_ROOT_CURRENT,  /* @ */
    OCP_ROOT_INPUT,    /* $input */
    OCP_ROOT_NAME,     /* $name */
    OCP_ROOT_CALL      /* the value of the child, a call */
} OcpRoot;

typedef enum { OCP_EQ, OCP_NE, OCP_LT, OCP_LE, OCP_GT, OCP_GE } OcpComparison;

struct OcpAst {
    OcpAstKind kind;
    OcpExprType type;
    guint32 offset;    /* in the text, for messages */
    bool uses_current; /* depends on the @ it stands under */
    OcpAst *child;     /* the first child */
    OcpAst *next;      /* the next child of the same parent */
    union {
        OcpNode *literal;
        struct {
            OcpRoot root;
            OcpExprType name_type; /* of a named root */
            guint slot;
            bool singular; /* segments of one name or index each, or none */
            OcpSegment *segments;
        } query;
        struct {
            const OcpFunction *function;
            guint count;             /* arguments */
            const OcpRegexp *regexp; /* of a literal pattern, NULL if it is computed */
            bool hopeless;           /* rfc_only: a literal pattern that is none */
            const OcpTable *table;
            const guint *slots; /* in(x, seq): the names seq depends on, */
            guint slot_count;
            bool steady; /* ... if it depends on nothing else but roots */
        } call;
        OcpComparison comparison;
    } as;
};

typedef enum {
    OCP_SELECT_NAME,
    OCP_SELECT_ALL,
    OCP_SELECT_INDEX,
    OCP_SELECT_SLICE,
    OCP_SELECT_FILTER
} OcpSelect;

struct OcpSelector {
    OcpSelect kind;
    OcpSelector *next;
    const char *name; /* NAME: decoded */
    gsize length;
    gint64 start, end, step; /* INDEX: start; SLICE: all */
    bool has_start, has_end;
    OcpAst *filter;
    OcpEquality *equalities; /* FILTER: conjuncts that an index can answer */
    bool exact;              /* FILTER: they are all it has */
};

/* A conjunct `@.a.b == value` of a filter, where value is free of the filter's @. */
struct OcpEquality {
    const OcpAst *member; /* the side with @ */
    const OcpAst *value;
    OcpEquality *next;
};

struct OcpSegment {
    bool descendant;
    OcpSelector *selectors;
    OcpSegment *next;
    /* The segment, this one or a later one, whose filter an index can answer for the
     * node this segment starts from: only names, indices and [*] stand between. */
    const OcpSegment *indexed;
};

struct OcpExpr {
    OcpArena *arena;
    OcpArena *own_arena; /* the same, or NULL if it is another's */
    OcpAst *ast;
    GPtrArray *regexps; /* NULL: none */
    GArray *slots;      /* of all named roots, with repetitions; NULL: none */
    bool asks_foreign;
};

/* A literal's node belongs to the mapping, not to a document: it is never marked, and
 * copied before it is given out. */
static inline bool
ocp_is_literal(const OcpNode *node)
{
    return node->serial == G_MAXUINT32;
}

/* A bare named root of a condition: a truth, and also a boolean value. */
static inline bool
ocp_ast_is_flag(const OcpAst *ast)
{
    return ast->kind == OCP_AST_QUERY && ast->type == OCP_CONDITION;
}

/* A bare named root of a `let` of many: one array. */
static inline bool
ocp_ast_is_sequence_name(const OcpAst *ast)
{
    return ast->kind == OCP_AST_QUERY && ast->as.query.segments == NULL &&
           ast->as.query.root == OCP_ROOT_NAME && ast->as.query.name_type == OCP_MANY;
}

/* Calls visit for ast and everything below it, filters included; in_filter is true
 * inside them. Stops at the first visit that returns false, and returns false then. */
typedef bool (*OcpAstVisit)(const OcpAst *ast, bool in_filter, gpointer data);
bool ocp_ast_walk(const OcpAst *ast, bool in_filter, OcpAstVisit visit, gpointer data);

/* Of what an index finds the first nodes are enough: for each place where it is asked
 * so many. ended: there were more. */
typedef struct {
    guint most;
    bool ended;
} OcpSome;

/* ---- evaluating (expr_eval.c); at is what @ means ------------------------------ */

void ocp_ast_nodes(const OcpAst *ast, OcpEval *eval, const OcpNode *at, GPtrArray *out);

/* The first node for which counts holds (NULL: for all), or NULL. Does not look for
 * more than it needs where an index answers. */
typedef bool (*OcpCounts)(const OcpNode *node);
const OcpNode *ocp_ast_first(const OcpAst *ast, OcpEval *eval, const OcpNode *at,
                             OcpCounts counts);
const OcpNode *ocp_ast_one(const OcpAst *ast, OcpEval *eval, const OcpNode *at);
bool ocp_ast_truth(const OcpAst *ast, OcpEval *eval, const OcpNode *at);

/* An empty array to collect nodes in, and the same given back: evaluating needs one for
 * every other step, and making them took longer than filling them. */
GPtrArray *ocp_scratch_take(OcpEval *eval);
void ocp_scratch_give(OcpEval *eval, GPtrArray *nodes);

/* Follows the singular segments from node; NULL if the path leads nowhere. */
const OcpNode *ocp_path_follow(const OcpSegment *segments, const OcpNode *node);

/* Appends what a segment without filters selects from node. */
void ocp_segment_plain(const OcpSegment *segment, const OcpNode *node, GPtrArray *out);

/* Appends the children of a container for which a filter holds. */
void ocp_select_filtered(const OcpSelector *selector, OcpEval *eval,
                         const OcpNode *node, GPtrArray *out);

/* Appends the elements or the members' values of a container. */
void ocp_node_children(const OcpNode *node, GPtrArray *out);

static inline void
ocp_steer(const OcpEval *eval, const OcpNode *node)
{
    if (eval->trace != NULL && node != NULL && !ocp_is_literal(node))
        ocp_trace_use(eval->trace, node, OCP_MARK_STEER);
}

/* ---- indexes (expr_index.c) ----------------------------------------------------- */

/* Appends what the segments from `from` to from->indexed select from base; some: NULL
 * if all of it is wanted. Scans the first time and where there is little to scan, else
 * asks an index it makes and keeps. */
void ocp_index_filter(const OcpSegment *from, OcpEval *eval, const OcpNode *base,
                      OcpSome *some, GPtrArray *out);

/* in(x, seq) with a steady seq: whether x is equal to one of its nodes. */
bool ocp_index_in(const OcpAst *call, OcpEval *eval, const OcpNode *at,
                  const OcpNode *x);

/* A regular expression of a computed pattern, or NULL if it is none. Borrowed. */
const OcpRegexp *ocp_index_regexp(OcpEval *eval, const OcpNode *pattern, bool whole,
                                  bool dot_all);
