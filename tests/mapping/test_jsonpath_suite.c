/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSONPath compliance test suite (RFC 9535): every invalid selector is refused,
 * every other gives one of the results allowed.
 */
#include "mapping/expr.h"
#include "support.h"
#include "text/json.h"
#include "value/equal.h"

static const OcpNode *
result_of(const OcpExpr *expr, const OcpNode *document, OcpDocument *made)
{
    OcpEval eval = {.root = document, .current = document, .made = made};
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    ocp_expr_nodes(expr, &eval, nodes);
    ocp_eval_clear(&eval);
    OcpBuilder build = ocp_build(made, ocp_make_array(made));
    for (guint i = 0; i < nodes->len; i++)
        ocp_build_element(&build, nodes->pdata[i]);
    return build.container;
}

static bool
is_allowed(const OcpNode *test, const OcpNode *result)
{
    const OcpNode *only = ocp_member(test, "result");
    const OcpNode *results = ocp_member(test, "results");
    bool allowed = only != NULL && ocp_equal(only, result);
    OcpIter iter = ocp_iter(results);
    for (const OcpNode *one;
         results != NULL && (one = ocp_iter_element(&iter)) != NULL;)
        allowed = allowed || ocp_equal(one, result);
    return allowed;
}

static bool
passes(const OcpNode *test)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpExpr) expr = NULL;
    OcpExprScope scope = {.rfc_only = true, .place = OCP_NO_PLACE};
    gsize length;
    const char *selector = ocp_text(ocp_member(test, "selector"), made->arena, &length);
    bool valid = !ocp_is(ocp_member(test, "invalid_selector"), OCP_TRUE);
    bool loaded = ocp_expr_load(selector, length, &scope, report, &expr);
    g_autofree char *name = ocp_text_dup(ocp_member(test, "name"));
    if (loaded != valid) {
        const OcpDiagnostic *first = loaded ? NULL : report->diagnostics->pdata[0];
        ocp_test_fail("%s: %.*s is %s %s", name, (int)length, selector,
                      valid ? "refused:" : "accepted",
                      first != NULL ? first->message : "");
        return false;
    }
    if (!valid)
        return report->diagnostics->len == 1;
    const OcpNode *result = result_of(expr, ocp_member(test, "document"), made);
    if (is_allowed(test, result))
        return true;
    g_autoptr(GString) text = g_string_new(NULL);
    ocp_json_write(result, true, text);
    ocp_test_fail("%s: %.*s gives %s", name, (int)length, selector, text->str);
    return false;
}

static void
every_test_of_the_suite_holds(void)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autofree char *path = ocp_test_shared("suites/jsonpath/cts.json");
    if (path == NULL)
        return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) suite = NULL;
    CU_ASSERT_FATAL(ocp_json_read(bytes, path, &limits, report, &suite));
    guint passed = 0, total = 0;
    OcpIter iter = ocp_iter(ocp_member(suite->root, "tests"));
    for (const OcpNode *test; (test = ocp_iter_element(&iter)) != NULL; total++)
        passed += passes(test);
    ocp_test_count("jsonpath", passed, total);
    CU_ASSERT_EQUAL(passed, total);
    CU_ASSERT_EQUAL(total, 703);
}

OCP_TEST_MAIN("mapping-jsonpath-suite",
              {"every test of the suite holds", every_test_of_the_suite_holds})
