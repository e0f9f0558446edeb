/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/expr_ast.h"

/*
 * The functions of the mapping language: one table of rows. A row says what a call
 * looks like; the loader checks calls against it, the evaluator runs its
 * implementation. Arguments are evaluated when an implementation asks for them, so all
 * are lazy.
 */

typedef enum {
    OCP_PARAM_VALUE,      /* one value; many gives its first */
    OCP_PARAM_NODES,      /* a sequence */
    OCP_PARAM_CONDITION,  /* tested */
    OCP_PARAM_BRANCH,     /* passed on: value, sequence or condition */
    OCP_PARAM_REGEXP,     /* a value; a literal is compiled at load */
    OCP_PARAM_MAP,        /* literal name of a table that is a map */
    OCP_PARAM_MEMBERSHIP, /* literal name of a table that is a list, or a sequence */
    OCP_PARAM_WORD,       /* one of the row's words, literal */
    OCP_PARAM_NAME,       /* a member name, literal */
    OCP_PARAM_SIZE        /* a whole number from 0, literal */
} OcpParam;

typedef enum {
    OCP_GIVES_ONE,
    OCP_GIVES_MANY,
    OCP_GIVES_CONDITION,
    OCP_GIVES_BRANCH,  /* the type of its BRANCH arguments */
    OCP_GIVES_ARGUMENT /* the type of its only argument */
} OcpGives;

enum {
    OCP_FUNCTION_RFC = 1 << 0,         /* one of RFC 9535's five */
    OCP_FUNCTION_TRANSPARENT = 1 << 1, /* passes nodes on as they are */
    OCP_FUNCTION_ALWAYS = 1 << 2,  /* always gives a value: testing it is a mistake */
    OCP_FUNCTION_WHOLE = 1 << 3,   /* its regexp must match the whole text */
    OCP_FUNCTION_DOT_ALL = 1 << 4, /* ... in which "." matches line ends */
    OCP_FUNCTION_FOREIGN = 1 << 5  /* asks foreign() */
};

enum { OCP_ANY_NUMBER = 255, OCP_PARAMS = 4 };

/* A call being evaluated. */
typedef struct {
    const OcpAst *ast;
    OcpEval *eval;
    const OcpNode *at; /* @ */
} OcpCall;

struct OcpFunction {
    const char *name;
    guint8 least;
    guint8 most; /* arguments; OCP_ANY_NUMBER: the last parameter repeats */
    guint8 flags;
    OcpParam params[OCP_PARAMS];
    const char *const *words; /* for OCP_PARAM_WORD, NULL-terminated */
    OcpGives gives;
    /* One of the three, by what it gives; BRANCH has all. */
    const OcpNode *(*one)(const OcpCall *call);
    void (*nodes)(const OcpCall *call, GPtrArray *out);
    bool (*truth)(const OcpCall *call);
};

/* The row of that name, or NULL. */
const OcpFunction *ocp_function_find(const char *name, gsize length);
/* Name of the n-th row, NULL behind the last. data is not used. */
const char *ocp_function_nth(guint n, gpointer data);

/* The parameter for argument n. */
OcpParam ocp_function_param(const OcpFunction *function, guint n);

/* ---- for implementations ---------------------------------------------------- */

const OcpAst *ocp_call_ast(const OcpCall *call, guint n);
/* The n-th argument: its one value, its nodes (appended), its truth. NULL, nothing and
 * false if there is none. */
const OcpNode *ocp_call_one(const OcpCall *call, guint n);
void ocp_call_nodes(const OcpCall *call, guint n, GPtrArray *out);
bool ocp_call_truth(const OcpCall *call, guint n);
/* The nodes of argument n and all behind it. */
GPtrArray *ocp_call_all(const OcpCall *call, guint n);
/* A SIZE argument. */
gsize ocp_call_size(const OcpCall *call, guint n);

/* A text for a while: a span of the node, or decoded. Clear after use. */
typedef struct {
    const char *text;
    gsize length;
    char *owned;
} OcpSpan;

/* The decoded text of a string; also of a number if numbers. False for anything else.
 */
bool ocp_span(const OcpNode *node, bool numbers, OcpSpan *ret);
void ocp_span_clear(OcpSpan *span);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OcpSpan, ocp_span_clear)
#define OCP_SPAN_NONE                                                                  \
    {                                                                                  \
        NULL, 0, NULL                                                                  \
    }

/* Makes a string that came out of from (may be NULL), and tells the trace. */
const OcpNode *ocp_call_text(const OcpCall *call, const OcpNode *from, const char *text,
                             gsize length);
const OcpNode *ocp_call_number(const OcpCall *call, gint64 number);
void ocp_call_derive(const OcpCall *call, const OcpNode *made, const OcpNode *from);
/* The same for every value below made, whichever is used. */
void ocp_call_derive_all(const OcpCall *call, const OcpNode *made, const OcpNode *from);

/* ---- tables (table.c) ------------------------------------------------------- */

bool ocp_table_is_map(const OcpTable *table);
const OcpNode *ocp_table_row(const OcpTable *table, const char *key, gsize length);
/* The key of the first row with that value, or NULL. */
const OcpNode *ocp_table_reverse(const OcpTable *table, const OcpNode *value);
bool ocp_table_has(const OcpTable *table, const OcpNode *element);
/* Appends the elements of a list. */
void ocp_table_elements(const OcpTable *table, GPtrArray *out);

/* ---- implementations by subject: functions_<subject>.c ---------------------- */

#define OCP_FUNCTION_ONE(name) const OcpNode *ocp_function_##name(const OcpCall *call)
#define OCP_FUNCTION_NODES(name)                                                       \
    void ocp_function_##name##_nodes(const OcpCall *call, GPtrArray *out)
#define OCP_FUNCTION_TRUTH(name) bool ocp_function_##name##_truth(const OcpCall *call)

/* choice and tables */
OCP_FUNCTION_ONE(first);
OCP_FUNCTION_ONE(if);
OCP_FUNCTION_NODES(if);
OCP_FUNCTION_TRUTH(if);
OCP_FUNCTION_TRUTH(present);
OCP_FUNCTION_TRUTH(not );
OCP_FUNCTION_TRUTH(foreign);
OCP_FUNCTION_ONE(lookup);
OCP_FUNCTION_ONE(reverse);
OCP_FUNCTION_TRUTH(in);
OCP_FUNCTION_ONE(near);
/* sequences */
OCP_FUNCTION_NODES(list);
OCP_FUNCTION_ONE(last);
OCP_FUNCTION_NODES(after);
OCP_FUNCTION_NODES(minus);
OCP_FUNCTION_NODES(sorted);
OCP_FUNCTION_ONE(join);
OCP_FUNCTION_ONE(count);
OCP_FUNCTION_TRUTH(ascending);
OCP_FUNCTION_TRUTH(unique);
OCP_FUNCTION_ONE(position);
OCP_FUNCTION_ONE(value);
OCP_FUNCTION_ONE(length);
/* nodes */
OCP_FUNCTION_ONE(index);
OCP_FUNCTION_ONE(next);
OCP_FUNCTION_ONE(key);
OCP_FUNCTION_ONE(member);
OCP_FUNCTION_ONE(by_id);
OCP_FUNCTION_NODES(by_id);
OCP_FUNCTION_ONE(only);
/* text */
OCP_FUNCTION_TRUTH(match);
OCP_FUNCTION_ONE(capture);
OCP_FUNCTION_ONE(lower);
OCP_FUNCTION_ONE(trim);
OCP_FUNCTION_ONE(excerpt);
OCP_FUNCTION_ONE(number);
OCP_FUNCTION_ONE(add);
/* time */
OCP_FUNCTION_ONE(rfc3339);
OCP_FUNCTION_ONE(newest);
OCP_FUNCTION_TRUTH(before);
/* encodings */
OCP_FUNCTION_ONE(parse_json);
OCP_FUNCTION_ONE(canonical);
OCP_FUNCTION_ONE(digest);
OCP_FUNCTION_ONE(file_uri);
