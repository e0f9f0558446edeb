/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A bench for expressions: a document, names given by expressions, and what an
 * expression says of them as text: its values as compact JSON, "; " between, "-" for
 * none, "error: …" if it does not load.
 */
#include <string.h>

#include "mapping/expr.h"
#include "support.h"
#include "text/json.h"
#include "value/pointer.h"

enum { BENCH_NAMES = 16 };

typedef struct {
    OcpDocument *document, *made;
    OcpPlaces *places;
    OcpTrace *trace;
    OcpModel *model;
    OcpTable *map, *list;
    const char *names[BENCH_NAMES];
    OcpExprType types[BENCH_NAMES];
    const OcpNode *values[BENCH_NAMES];
    guint count;
    guint asked; /* how often a name was asked for */
    GPtrArray *exprs;
    OcpEval eval;
    GString *text;
} Bench;

static inline OcpDocument *
bench_read(const char *json)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GBytes) bytes = g_bytes_new(json, strlen(json));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "test.json", &limits, report, &document))
        g_error("%s in %s", ((OcpDiagnostic *)report->diagnostics->pdata[0])->message,
                json);
    return document;
}

static inline bool
bench_find_name(const char *name, gsize length, guint *ret_slot, OcpExprType *ret_type,
                gpointer data)
{
    const Bench *bench = data;
    for (guint i = 0; i < bench->count; i++)
        if (strlen(bench->names[i]) == length &&
            memcmp(bench->names[i], name, length) == 0) {
            *ret_slot = i;
            *ret_type = bench->types[i];
            return true;
        }
    return false;
}

static inline const OcpTable *
bench_find_table(const char *name, gsize length, gpointer data)
{
    const Bench *bench = data;
    if (length == 3 && memcmp(name, "map", 3) == 0)
        return bench->map;
    return length == 4 && memcmp(name, "list", 4) == 0 ? bench->list : NULL;
}

static inline const char *
bench_nth_name(guint n, gpointer data)
{
    const Bench *bench = data;
    return n < bench->count ? bench->names[n] : NULL;
}

static inline const char *
bench_nth_table(guint n, gpointer data)
{
    static const char *const tables[] = {"map", "list", NULL};
    (void)data;
    return tables[n];
}

static inline const OcpNode *
bench_name(OcpEval *eval, guint slot)
{
    Bench *bench = eval->data;
    bench->asked++;
    return bench->values[slot];
}

static inline bool
bench_place(OcpEval *eval, const OcpNode *node, gsize *ret_index,
            const OcpNode **ret_key)
{
    const Bench *bench = eval->data;
    if (ocp_places_parent(bench->places, node) == NULL)
        return false;
    *ret_index = ocp_places_index(bench->places, node);
    *ret_key = ocp_places_key(bench->places, node);
    return true;
}

static inline void
free_expr(gpointer expr)
{
    ocp_expr_free(expr);
}

/* Single quotes in json stand for double ones. */
static inline Bench *
bench_new(const char *json)
{
    Bench *bench = g_new0(Bench, 1);
    g_autofree char *text = g_strdelimit(g_strdup(json), "'", '"');
    bench->document = bench_read(text);
    bench->made = ocp_document_new(NULL);
    bench->places = ocp_places_new(bench->document);
    bench->trace = ocp_trace_new(bench->document, bench->places, bench->made);
    bench->exprs = g_ptr_array_new_with_free_func(free_expr);
    bench->text = g_string_new(NULL);
    const OcpNode *root = bench->document->root;
    if (ocp_member(root, "map") != NULL)
        bench->map = ocp_table_new(ocp_member(root, "map"));
    if (ocp_member(root, "list") != NULL)
        bench->list = ocp_table_new(ocp_member(root, "list"));
    if (ocp_member(root, "resources") != NULL)
        bench->model = ocp_model_new(root);
    bench->eval = (OcpEval){.root = root,
                            .current = root,
                            .input = ocp_member(root, "input"),
                            .name = bench_name,
                            .place = bench_place,
                            .made = bench->made,
                            .trace = bench->trace,
                            .model = bench->model,
                            .position = 3,
                            .data = bench};
    return bench;
}

static inline void
bench_free(Bench *bench)
{
    ocp_eval_clear(&bench->eval);
    g_ptr_array_unref(bench->exprs);
    g_string_free(bench->text, TRUE);
    ocp_table_free(bench->map);
    ocp_table_free(bench->list);
    ocp_model_free(bench->model);
    ocp_trace_free(bench->trace);
    ocp_places_free(bench->places);
    ocp_document_unref(bench->made);
    ocp_document_unref(bench->document);
    g_free(bench);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bench, bench_free)

/* The expression, kept by the bench, or NULL and its error in bench->text. */
static inline const OcpExpr *
bench_load(Bench *bench, const char *text)
{
    OcpExprScope scope = {.name = bench_find_name,
                          .table = bench_find_table,
                          .nth_name = bench_nth_name,
                          .nth_table = bench_nth_table,
                          .data = bench,
                          .place = OCP_NO_PLACE};
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpExpr *expr = NULL;
    if (ocp_expr_load(text, strlen(text), &scope, report, &expr)) {
        g_ptr_array_add(bench->exprs, expr);
        return expr;
    }
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    g_string_printf(bench->text, "error: %s", first->message);
    if (report->diagnostics->len != 1)
        g_string_append(bench->text, " (and more)");
    if (first->hint != NULL)
        g_string_append_printf(bench->text, " [%s]", first->hint);
    return NULL;
}

/* Names the value of an expression, as a `let` does. */
static inline void
bench_let(Bench *bench, const char *name, const char *text)
{
    const OcpExpr *expr = bench_load(bench, text);
    if (expr == NULL)
        g_error("%s: %s", text, bench->text->str);
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    ocp_expr_nodes(expr, &bench->eval, nodes);
    const OcpNode *value = nodes->len > 0 ? nodes->pdata[0] : NULL;
    if (ocp_expr_type(expr) == OCP_MANY) {
        OcpBuilder build = ocp_build(bench->made, ocp_make_array(bench->made));
        for (guint i = 0; i < nodes->len; i++)
            ocp_build_element(&build, nodes->pdata[i]);
        value = build.container;
    }
    bench->names[bench->count] = name;
    bench->types[bench->count] = ocp_expr_type(expr);
    bench->values[bench->count++] = value;
}

/* What the expression gives, as text; valid until the next call. */
static inline const char *
bench_ask(Bench *bench, const char *text)
{
    const OcpExpr *expr = bench_load(bench, text);
    if (expr == NULL)
        return bench->text->str;
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    ocp_expr_nodes(expr, &bench->eval, nodes);
    const OcpNode *one = ocp_expr_one(expr, &bench->eval);
    CU_ASSERT((nodes->len > 0) == (one != NULL));
    g_string_truncate(bench->text, 0);
    for (guint i = 0; i < nodes->len; i++) {
        if (i > 0)
            g_string_append(bench->text, "; ");
        ocp_json_write(nodes->pdata[i], true, bench->text);
    }
    if (nodes->len == 0)
        g_string_append(bench->text, "-");
    if (ocp_expr_type(expr) == OCP_CONDITION)
        CU_ASSERT_EQUAL(ocp_expr_truth(expr, &bench->eval), ocp_is(one, OCP_TRUE));
    return bench->text->str;
}

/* Pairs of expression and answer, single quotes for double ones; NULL ends. */
static inline void
bench_table(Bench *bench, const char *const (*rows)[2])
{
    for (; (*rows)[0] != NULL; rows++) {
        g_autofree char *wanted = g_strdelimit(g_strdup((*rows)[1]), "'", '"');
        const char *found = bench_ask(bench, (*rows)[0]);
        bool same = g_str_equal(found, wanted);
        if (!same)
            ocp_test_fail("%s gives %s, not %s", (*rows)[0], found, wanted);
        CU_ASSERT(same);
    }
}

/* The pointers of marked nodes, each with its marks: "/a=value /b=steer". */
static inline const char *
bench_marks(Bench *bench)
{
    static const char *const words[] = {"value", "made", "steer"};
    g_string_truncate(bench->text, 0);
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, bench->document->root);
    while (stack->len > 0) {
        const OcpNode *node = g_ptr_array_remove_index(stack, 0);
        guint marks = ocp_trace_own_marks(bench->trace, node);
        for (guint i = 0; i < G_N_ELEMENTS(words); i++)
            if (marks & (1u << i)) {
                if (bench->text->len > 0)
                    g_string_append_c(bench->text, ' ');
                ocp_trace_pointer(bench->trace, node, bench->text);
                g_string_append_printf(bench->text, "=%s", words[i]);
            }
        OcpIter iter = ocp_iter(node);
        const OcpNode *key;
        const OcpNode *child;
        while (node->kind == OCP_ARRAY && (child = ocp_iter_element(&iter)) != NULL)
            g_ptr_array_add(stack, (gpointer)child);
        while (node->kind == OCP_OBJECT && ocp_iter_member(&iter, &key, &child))
            g_ptr_array_add(stack, (gpointer)child);
    }
    return bench->text->str;
}

/* Marks that remain after an expression's result was used as a value. */
static inline void
bench_traced(const char *json, const char *text, const char *wanted)
{
    g_autoptr(Bench) bench = bench_new(json);
    const OcpExpr *expr = bench_load(bench, text);
    if (expr == NULL) {
        ocp_test_fail("%s: %s", text, bench->text->str);
        return;
    }
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    ocp_expr_nodes(expr, &bench->eval, nodes);
    for (guint i = 0; i < nodes->len; i++)
        ocp_trace_use(bench->trace, nodes->pdata[i], OCP_MARK_VALUE);
    const char *found = bench_marks(bench);
    bool same = g_str_equal(found, wanted);
    CU_ASSERT(same);
    if (!same)
        ocp_test_fail("%s marks %s, not %s", text, found, wanted);
}
