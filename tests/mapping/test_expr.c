/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate.h"
#include "text/yaml.h"

static const char shop[] =
    "{'input': {'name': 'f.json'}, 'q': {'dp': 'IDLE', 'n': 1.0, 'nil': null, 'no': "
    "false},"
    " 'items': [{'id': 'a', 'n': 1, 'to': 'c'}, {'id': 'b', 'n': 2},"
    "           {'id': 'c', 'n': 2, 'to': 'b'}],"
    " 'odd names': {'x-y': 1, '\\u00e9': 2}}";

static void
queries_and_types(void)
{
    g_autoptr(Bench) b = bench_new(shop);
    static const char *const rows[][2] = {
        {"$.q.dp", "'IDLE'"},
        {" $ .q .dp ", "'IDLE'"},
        {"@.q.n", "1.0"},
        {"$input.name", "'f.json'"},
        {"$.items[-1].id", "'c'"},
        {"$.items[*].id", "'a'; 'b'; 'c'"},
        {"$.items[?@.n == 2].id", "'b'; 'c'"},
        {"$.items[::-2].id", "'c'; 'a'"},
        {"$['odd names']['x-y', '\xC3\xA9']", "1; 2"},
        {"$['odd names'].\xC3\xA9", "2"},
        {"$..to", "'c'; 'b'"},
        {"$.nothing.more", "-"},
        {"\"a\\u0041\"", "'aA'"},
        {"'\\\"'", "error: unknown escape in a text"},
        {"-1.5e+3", "-1.5e+3"},
        {"null", "null"},
        {NULL, NULL},
    };
    bench_table(b, rows);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "$.a.b[0]")), OCP_ONE);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "$.a.b[*]")), OCP_MANY);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "$.a == 1")), OCP_CONDITION);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "if($.a, $.b, $.c[*])")), OCP_MANY);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "if($.a, not($.b))")), OCP_CONDITION);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "first($.a[*], $.b)")), OCP_ONE);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "by_id($.a[*])")), OCP_MANY);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "by_id($.a).locator.key")), OCP_ONE);
}

static void
conditions_compare_values_exactly(void)
{
    g_autoptr(Bench) b = bench_new(shop);
    static const char *const rows[][2] = {
        {"$.q.n == 1", "true"},
        {"$.q.n == 100e-2", "true"},
        {"$.q.n == \"1\"", "false"},
        {"$.nothing == $.neither", "true"},
        {"$.nothing == null", "false"},
        {"$.q.nil == null", "true"},
        {"$.nothing != 1", "true"},
        {"$.q.no && $.q.nil", "true"},
        {"$.q.no == true", "false"},
        {"$.items[?@.n == 2].id == \"b\"", "true"},
        {"$.items[0] == $.items[?@.id == \"a\"]", "true"},
        {"\"a\" < \"\\u00e9\" && \"\\u00e9\" < \"\\ud83d\\ude00\"", "true"},
        {"1 < \"2\"", "false"},
        {"12345678901234567890123 > 12345678901234567890122", "true"},
        {"null <= null", "true"},
        {"!$.nothing && !($.q.n == 2) || $.nothing", "true"},
        {"$.nothing && $.q || $.q", "true"},
        {"($.nothing)", "false"},
        {NULL, NULL},
    };
    bench_table(b, rows);
}

static void
names_stand_for_what_let_gave(void)
{
    g_autoptr(Bench) b = bench_new(shop);
    bench_let(b, "second", "$.items[1]");
    bench_let(b, "all", "$.items[?@.n]");
    bench_let(b, "yes", "$.q.n == 1");
    bench_let(b, "no", "$.q.n == 2");
    bench_let(b, "none", "$.nothing");
    bench_let(b, "task_1", "$.q");
    static const char *const rows[][2] = {
        {"$second.id", "'b'"},
        {"$all[-1].to", "'b'"},
        {"$all[*].id", "'a'; 'b'; 'c'"},
        {"count($all[*])", "3"},
        {"$all[?@.to == $second.id].id", "'c'"},
        {"$.items[?$all[?@.id == 'b'] && @.n == $second.n].id", "'b'; 'c'"},
        {"$yes", "true"},
        {"$yes && !$no && not($no)", "true"},
        {"$yes == true && $no == false", "true"},
        {"if($no, 1, 2)", "2"},
        {"$none.a", "-"},
        {"$none", "-"},
        {"$task_1.dp", "'IDLE'"},
        {"in($second.n, $all[*].n)", "true"},
        {"in('c', $second.to)", "false"},
        {NULL, NULL},
    };
    bench_table(b, rows);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "$yes")), OCP_CONDITION);
    CU_ASSERT_EQUAL(ocp_expr_type(bench_load(b, "$all")), OCP_ONE);
    const OcpExpr *expr = bench_load(b, "first($second.x, $.a[?@.b == $yes])");
    CU_ASSERT(ocp_expr_uses_name(expr, 0));
    CU_ASSERT(!ocp_expr_uses_name(expr, 1));
    CU_ASSERT(ocp_expr_uses_name(expr, 2));
    CU_ASSERT(!ocp_expr_asks_foreign(expr));
    CU_ASSERT(ocp_expr_asks_foreign(bench_load(b, "$.a[?@.b && foreign()]")));
}

/* An error: the expression, what is said, and the text where the caret stands. */
static const char *const faults[][3] = {
    {"lookup(\"map\", $.a", "expected ) after the arguments of lookup", ""},
    {"lokup(\"map\", $.a)", "there is no function lokup() [did you mean lookup()?]",
     "lokup"},
    {"lookup(\"mop\", $.a)", "there is no table \"mop\" [did you mean \"map\"?]",
     "\"mop"},
    {"lookup($.t, $.a)", "lookup() wants the name of a table in quotes here", "$.t"},
    {"lookup(\"list\", 1)", "the table \"list\" is a list, lookup() wants a map",
     "\"list"},
    {"in(1, \"map\")", "the table \"map\" is a map, in() wants a list", "\"map"},
    {"lower($.a, $.b)", "lower() takes 1 argument, not 2", "lower"},
    {"if($.a)", "if() takes at least 2 arguments, not 1", "if"},
    {"if($.a, 1, 2, 3)", "if() takes at most 3 arguments, not 4", "if"},
    {"$wiats[0]", "there is no name $wiats here [did you mean $waits?]", "$wiats"},
    {"$zzz", "there is no name $zzz here", "$zzz"},
    {"1 + 1", "\"+ 1\" is left over behind the expression", "+ 1"},
    {"$.a = 1", "a comparison is written ==", "= 1"},
    {"$.a == ", "the expression ends where a value, a path or a function is expected",
     ""},
    {"", "the expression ends where a value, a path or a function is expected", ""},
    {"running",
     "unknown word \"running\" [a text stands in quotes, a path starts with $ or "
     "@, a function's name is followed by (]",
     "running"},
    {"lower($.a == 1)",
     "a condition stands where a value is wanted [if(condition, a, b) chooses between "
     "values]",
     "== 1"},
    {"match($.a, \"x\") == true",
     "a condition stands where a value is wanted [if(condition, a, b) chooses between "
     "values]",
     "match"},
    {"if(\"x\", 1)", "a literal is no condition, it must be compared", "\"x\""},
    {"count($.a[*]) && $.b", "the result of count() must be compared", "count"},
    {"not($waits)",
     "this name is a sequence, which is always there [add [0] to ask whether it has an "
     "element]",
     "$waits"},
    {"count($waits)",
     "count() would see this name as one array [add [*] to take its "
     "elements]",
     "$waits"},
    {"$flag.a", "a condition has no members and no elements", "$flag"},
    {"! $.a == 1",
     "! before a comparison needs parentheses [write !(a == b), or a != b]", "== 1"},
    {"$.a[b]",
     "expected a selector between [ and ]: 'name', a place, *, or ? [a member name "
     "stands in quotes here]",
     "b]"},
    {"$.a['b'", "expected ] after the selector", ""},
    {"$.a['b]", "this text has no closing '", "'b]"},
    {"match($.a, \"(\")", "this is no regular expression: ", "\"(\""},
    {"only(\"text\", $.a)",
     "only() wants one of these words here: string, number, boolean, object, array, "
     "null",
     "\"text\""},
    {"excerpt($.a, $.n)", "excerpt() wants a whole number from 0 here, as a literal",
     "$.n"},
    {"($.a", "expected ) to close the parenthesis", ""},
    {"$. a",
     "expected a member name or * after the dot [other names are written ['like "
     "this']]",
     " a"},
    {"$.a[01]", "an index has no leading zeros and no -0", "01]"},
    {"$.a[9007199254740992]", "this index is out of range", "90071"},
};

static void
errors_say_what_was_expected_and_where(void)
{
    g_autoptr(Bench) b = bench_new("{'map': {}, 'list': [], 'q': 1}");
    bench_let(b, "waits", "$.list[*]");
    bench_let(b, "flag", "$.q == 1");
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
        g_autofree char *wanted = g_strdup_printf("error: %s", faults[i][1]);
        const char *found = bench_ask(b, faults[i][0]);
        bool same = g_str_has_prefix(found, wanted);
        CU_ASSERT(same);
        if (!same)
            ocp_test_fail("%s: %s, not %s", faults[i][0], found, wanted);

        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(OcpDocument) document = ocp_document_new("m.yaml");
        document->text = faults[i][0];
        document->length = strlen(faults[i][0]);
        OcpExprScope scope = {.name = bench_find_name,
                              .table = bench_find_table,
                              .data = b,
                              .document = document};
        OcpExpr *expr = NULL;
        CU_ASSERT(
            !ocp_expr_load(faults[i][0], document->length, &scope, report, &expr));
        CU_ASSERT_PTR_NULL(expr);
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        CU_ASSERT_STRING_EQUAL(first->code, "mapping.expression");
        const char *caret = faults[i][0] + first->column - 1;
        same = g_str_has_prefix(caret, faults[i][2]) &&
               (faults[i][2][0] != '\0' || caret[0] == '\0');
        CU_ASSERT(same);
        if (!same)
            ocp_test_fail("%s: the caret stands at %s", faults[i][0], caret);
        document->text = NULL;
    }
}

static void
depth_is_bounded(void)
{
    g_autoptr(Bench) b = bench_new("{}");
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < 100000; i++)
        g_string_append_c(text, '(');
    CU_ASSERT_STRING_EQUAL(bench_ask(b, text->str),
                           "error: the expression is nested too deeply");
    g_string_assign(text, "$");
    for (int i = 0; i < 5000; i++)
        g_string_append(text, "[?@");
    CU_ASSERT_STRING_EQUAL(bench_ask(b, text->str),
                           "error: the expression is nested too deeply");
    g_string_assign(text, "$.a");
    for (int i = 0; i < 5000; i++)
        g_string_append(text, " || $.a");
    CU_ASSERT_STRING_EQUAL(bench_ask(b, text->str), "false");

    g_autoptr(OcpDocument) deep = ocp_document_new(NULL);
    const OcpNode *at = ocp_make_integer(deep, 1);
    for (int i = 0; i < 200000; i++) {
        OcpBuilder build = ocp_build(deep, ocp_make_array(deep));
        ocp_build_element(&build, at);
        at = build.container;
    }
    b->eval.root = b->eval.current = at;
    CU_ASSERT_STRING_EQUAL(bench_ask(b, "count($..*)"), "200000");
}

static void
marks_tell_what_decided(void)
{
    static const char doc[] = "{'a': [{'k': 1, 'v': 'x'}, {'k': 2, 'v': 'y'}], 'b': 2,"
                              " 'f': {'g': {'h': 1}}}";
    bench_traced(doc, "$.a[?@.k == $.b].v",
                 "/b=steer /a/0/k=steer /a/1/k=steer /a/1/v=value");
    bench_traced(doc, "$.a[?@.k > 1]", "/a/1=value /a/0/k=steer /a/1/k=steer");
    bench_traced(doc, "if($.f.g, $.b)", "/b=value /f/g=steer");
    bench_traced(doc, "$.b == 2 && $.f", "/b=steer /f=steer");
    bench_traced(doc, "$.f.g.h", "/f/g/h=value");
    bench_traced(doc, "\"literal\"", "");
}

/* A document of n items that name each other, and what joining them gives. */
static double
join_time(guint n, const char *text, guint rounds, guint *ret_found)
{
    g_autoptr(GString) json = g_string_new("{'items': [");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(json,
                               "%s{'id': 'i%u', 'same': 'u', 'half': %u, 'other': %u, "
                               "'calls': [{'id': 'c%u'}]}",
                               i == 0 ? "" : ",", i, i % 2, 1 - i % 2, i);
    g_string_append(json, "]}");
    g_autoptr(Bench) b = bench_new(json->str);
    ocp_trace_free(b->trace);
    b->trace = b->eval.trace = NULL;
    bench_let(b, "it", "$.items[0]");
    const OcpExpr *expr = bench_load(b, text);
    const OcpNode *items = ocp_member(b->document->root, "items");
    g_autoptr(GPtrArray) out = g_ptr_array_new();
    gint64 start = g_get_monotonic_time();
    for (guint round = 0; round < rounds; round++) {
        OcpIter iter = ocp_iter(items);
        for (const OcpNode *item; (item = ocp_iter_element(&iter)) != NULL;) {
            b->values[0] = item;
            ocp_expr_nodes(expr, &b->eval, out);
        }
    }
    *ret_found = out->len;
    return (double)(g_get_monotonic_time() - start) / 1e6;
}

static void
joins_are_answered_by_an_index(void)
{
    static const char *const joins[] = {
        "$.items[?@.id == $it.id].id",
        "$.items[?$it.id == @.id && @.same == 'u'].id",
        "$.items[?@.same == 'u' && @.id == $it.id].id",
        "$.items[*].calls[?@.id == $it.calls[0].id].id",
        "first($.items[?@.same == 'u'])",
        "first($.items[?@.same == 'u'].id, 'none')",
        "if(not($.items[?@.half == $it.half && @.other == $it.half]), $it.id)",
        "if(in($it.id, $.items[*].id), $it.id)",
        "if(in($it.id, list($.items[*].id, $.items[*].same)), $it.id)",
    };
    for (guint i = 0; i < G_N_ELEMENTS(joins); i++) {
        guint found;
        double time = join_time(20000, joins[i], 1, &found);
        CU_ASSERT_EQUAL(found, 20000);
        CU_ASSERT(time < 5.0); /* by scanning it would be minutes */
        printf("  20000 x 20000: %s in %.3f s\n", joins[i], time);
    }
}

static void
an_index_gives_what_a_scan_gives(void)
{
    g_autoptr(GString) json = g_string_new("{'x': {'a': [");
    for (guint i = 0; i < 40; i++)
        g_string_append_printf(json, "%s{'n': %u, 'k': %s, 'o': {'p': [%u.0]}}",
                               i == 0 ? "" : ",", i,
                               i % 5 == 0   ? "1"
                               : i % 5 == 1 ? "1.0"
                               : i % 5 == 2 ? "'1'"
                               : i % 5 == 3 ? "null"
                                            : "{'z': [1e0, 2]}",
                               i % 3);
    g_string_append(
        json, ", {'n': 40}, 7, [1]]}, 'v': [1, '1', null, {'z': [1, 2.0]}, [0]]}");
    static const char *const filters[] = {
        "$.x.a[?@.k == $.v[0]].n",
        "$.x.a[?@.k == $.v[1]].n",
        "$.x.a[?@.k == $.v[2]].n",
        "$.x.a[?@.k == $.v[3]].n",
        "$.x.a[?@.k == $.v[9]]",
        "$.x.a[?@.k == 1 && @.o.p == $.v[4]].n",
        "$.x[*][?@.o.p[0] == $.v[0]].n",
        "$.x['a'][?@.k == 1 && @.n > 20 && @.o].n",
        "$.x.a[?@ == 7]",
        "$.x.a[?@[0] == 1]",
    };
    for (guint i = 0; i < G_N_ELEMENTS(filters); i++) {
        g_autoptr(Bench) b = bench_new(json->str);
        const OcpExpr *expr = bench_load(b, filters[i]);
        g_autoptr(GPtrArray) scanned = g_ptr_array_new();
        g_autoptr(GPtrArray) indexed = g_ptr_array_new();
        ocp_expr_nodes(expr, &b->eval, scanned);
        ocp_expr_nodes(expr, &b->eval, indexed);
        CU_ASSERT(scanned->len > 0);
        CU_ASSERT_EQUAL(scanned->len, indexed->len);
        for (guint j = 0; j < MIN(scanned->len, indexed->len); j++)
            CU_ASSERT_PTR_EQUAL(scanned->pdata[j], indexed->pdata[j]);
    }
}

/* ---- the trial mappings ----------------------------------------------------- */

typedef struct {
    const OcpNode *tables;
    GPtrArray *made; /* OcpTable */
    guint loaded;
    const char *file;
} Draft;

static bool
any_name(const char *name, gsize length, guint *ret_slot, OcpExprType *ret_type,
         gpointer data)
{
    (void)name, (void)length, (void)data;
    *ret_slot = 0;
    *ret_type = OCP_ONE;
    return true;
}

static void
free_table(gpointer table)
{
    ocp_table_free(table);
}

static const OcpTable *
draft_table(const char *name, gsize length, gpointer data)
{
    Draft *draft = data;
    const OcpNode *node = ocp_member_sized(draft->tables, name, length, NULL);
    if (node == NULL)
        return NULL;
    OcpTable *table = ocp_table_new(node);
    g_ptr_array_add(draft->made, table);
    return table;
}

static void
load_one(Draft *draft, const char *text, gsize length)
{
    OcpExprScope scope = {
        .name = any_name, .table = draft_table, .data = draft, .place = OCP_NO_PLACE};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpExpr) expr = NULL;
    draft->loaded++;
    if (ocp_expr_load(text, length, &scope, report, &expr))
        return;
    const OcpDiagnostic *first = report->diagnostics->pdata[0];
    ocp_test_fail("%s: %.*s: %s", draft->file, (int)length, text, first->message);
}

/* The expressions in a text leaf: all of it behind "=", or what stands in braces. */
static void
load_leaf(Draft *draft, const OcpNode *leaf)
{
    g_autofree char *text = ocp_text_dup(leaf);
    if (text[0] == '=') {
        load_one(draft, text + 1, strlen(text) - 1);
        return;
    }
    for (const char *open = strchr(text, '{'); open != NULL;) {
        const char *close = open + 1;
        for (char quote = 0; *close != '\0' && (quote != 0 || *close != '}'); close++)
            if (quote != 0 ? *close == quote : *close == '"' || *close == '\'')
                quote = quote != 0 ? 0 : *close;
        load_one(draft, open + 1, (gsize)(close - open - 1));
        open = strchr(close, '{');
    }
}

static void
load_tree(Draft *draft, const OcpNode *root)
{
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, (gpointer)root);
    while (stack->len > 0) {
        const OcpNode *node = g_ptr_array_remove_index(stack, stack->len - 1);
        OcpIter iter = ocp_iter(node);
        const OcpNode *key;
        const OcpNode *child;
        if (ocp_is(node, OCP_STRING))
            load_leaf(draft, node);
        while (ocp_is(node, OCP_ARRAY) && (child = ocp_iter_element(&iter)) != NULL)
            g_ptr_array_add(stack, (gpointer)child);
        while (ocp_is(node, OCP_OBJECT) && ocp_iter_member(&iter, &key, &child)) {
            load_leaf(draft, key);
            g_ptr_array_add(stack, (gpointer)child);
        }
    }
}

static void
every_expression_of_the_trial_mappings_loads(void)
{
    static const char *const parts[] = {"read", "write", "finish", "checks"};
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autofree char *folder = ocp_test_shared("design/drafts");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) files = ocp_test_list(folder, ".yaml");
    guint loaded = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(GPtrArray) documents = NULL;
        CU_ASSERT_FATAL(
            ocp_yaml_read(bytes, files->pdata[i], &limits, report, &documents));
        const OcpNode *root = ((OcpDocument *)documents->pdata[0])->root;
        g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(free_table);
        Draft draft = {ocp_member(root, "tables"), tables, 0, files->pdata[i]};
        for (guint j = 0; j < G_N_ELEMENTS(parts); j++)
            if (ocp_member(root, parts[j]) != NULL)
                load_tree(&draft, ocp_member(root, parts[j]));
        loaded += draft.loaded;
    }
    printf("  %u expressions in %u trial mappings\n", loaded, files->len);
    CU_ASSERT(files->len > 0);
}

OCP_TEST_MAIN("mapping-expr", {"queries and types", queries_and_types},
              {"conditions compare values exactly", conditions_compare_values_exactly},
              {"names stand for what let gave", names_stand_for_what_let_gave},
              {"errors say what was expected, and where",
               errors_say_what_was_expected_and_where},
              {"depth is bounded", depth_is_bounded},
              {"marks tell what decided", marks_tell_what_decided},
              {"joins are answered by an index", joins_are_answered_by_an_index},
              {"an index gives what a scan gives", an_index_gives_what_a_scan_gives},
              {"every expression of the trial mappings loads",
               every_expression_of_the_trial_mappings_loads})
