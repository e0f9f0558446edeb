/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warnings about single objects: what is allowed but will mislead a reader.
 */
#include <string.h>

#include "model/check.h"

/* ---- statements: W05, W06 -------------------------------------------------- */

static void
warn_misplaced(OcpRuleCheck *check, const OcpNode *statement, const GString *pointer,
               const char *member, const char *kind)
{
    const OcpNode *value = ocp_member(statement, member);
    const OcpNode *actual = ocp_member(statement, "kind");
    if (value == NULL || !ocp_is(actual, OCP_STRING) || ocp_text_is(actual, kind))
        return;
    g_autofree char *at = ocp_rule_below(pointer, member);
    g_autofree char *quoted = ocp_rule_quote(actual);
    g_autofree char *expected = g_strdup_printf("%s only on a %s", member, kind);
    ocp_rule_detail(ocp_rule_fault(check, "OC-W05", value, at,
                                   "%s belongs to a %s; this statement's kind is %s",
                                   member, kind, quoted),
                    expected, actual, NULL);
}

static void
advise_statement(const OcpNode *statement, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    warn_misplaced(check, statement, pointer, "resolution", "question");
    warn_misplaced(check, statement, pointer, "rationale", "decision");
    const OcpNode *verification = ocp_member(statement, "verification");
    const OcpNode *state = ocp_member(verification, "state");
    const OcpNode *evidence = ocp_member(statement, "evidence");
    bool has_evidence = ocp_is(evidence, OCP_ARRAY) && evidence->size > 0;
    if (!ocp_text_is(state, "verified") || has_evidence ||
        ocp_member(verification, "method") != NULL)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "verification/state");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W06", state, at,
                                   "\"verified\" without evidence or method"),
                    "evidence, or the method of the check", state,
                    "say how it was checked, or leave it \"unverified\"");
}

/* ---- resources and application context: W07, W08, W09 ---------------------- */

/* What a short excerpt may have; more belongs where it can be fetched. */
enum { LARGE_INLINE = 4096 };

static void
warn_large_data_uri(OcpRuleCheck *check, const OcpNode *uri, const char *pointer)
{
    if (!ocp_is(uri, OCP_STRING) || uri->size <= LARGE_INLINE)
        return;
    gsize length;
    const char *text = ocp_text(uri, check->arena, &length);
    if (length <= LARGE_INLINE || g_ascii_strncasecmp(text, "data:", 5) != 0)
        return;
    g_autofree char *expected = g_strdup_printf("at most %d bytes", LARGE_INLINE);
    ocp_rule_detail(ocp_rule_fault(check, "OC-W09", uri, pointer,
                                   "%" G_GSIZE_FORMAT " bytes of content stand inline",
                                   length),
                    expected, uri, "large content is referenced, not embedded");
}

static void
advise_resource(const OcpNode *resource, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *uri = ocp_member(resource, "uri");
    const OcpNode *locator = ocp_member(resource, "locator");
    g_autofree char *at_uri = ocp_rule_below(pointer, "uri");
    warn_large_data_uri(check, uri, at_uri);
    if (uri == NULL || locator == NULL)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "locator");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W08", locator, at,
                                   "a locator beside a uri: the uri identifies the "
                                   "resource already"),
                    "a uri, or a locator where there is none", NULL, NULL);
}

static void
advise_context(const OcpNode *context, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    g_autofree char *at_uri = ocp_rule_below(pointer, "view/uri");
    warn_large_data_uri(check, ocp_member(ocp_member(context, "view"), "uri"), at_uri);
    const OcpNode *state = ocp_member(context, "state");
    if (!ocp_is(state, OCP_OBJECT) || state->size == 0 ||
        ocp_member(context, "state_schema") != NULL)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "state");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W07", state, at,
                                   "state without state_schema: nobody else can read "
                                   "it"),
                    "state_schema beside state", NULL, NULL);
}

/* ---- operations: W04, W13, W23 --------------------------------------------- */

/* mcp__server__tool is how clients name a server's tool among others. */
static bool
has_client_prefix(const char *tool, gsize length)
{
    const gsize prefix = strlen("mcp__");
    if (length <= prefix || memcmp(tool, "mcp__", prefix) != 0)
        return false;
    const char *inner = g_strstr_len(tool + prefix, (gssize)(length - prefix), "__");
    return inner != NULL && inner > tool + prefix && inner + 2 < tool + length;
}

static void
advise_tool(OcpRuleCheck *check, const OcpNode *tool, const GString *pointer)
{
    if (!ocp_is(tool, OCP_STRING))
        return;
    gsize length;
    const char *text = ocp_text(tool, check->arena, &length);
    if (!has_client_prefix(text, length))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "call/tool");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W13", tool, at,
                                   "the tool's name has a client's prefix"),
                    "the name as the server declares it", tool,
                    "another client names it otherwise");
}

static void
advise_operation(const OcpNode *operation, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    advise_tool(check, ocp_member(ocp_member(operation, "call"), "tool"), pointer);
    const OcpNode *status = ocp_member(operation, "status");
    if (ocp_text_is(status, "completed") || ocp_text_is(status, "cancelled")) {
        g_autofree char *at = ocp_rule_below(pointer, "status");
        ocp_rule_detail(ocp_rule_fault(check, "OC-W04", status, at,
                                       "a finished operation is listed"),
                        "operations that are not finished", status,
                        "what is done belongs in progress.completed");
    }
    const OcpNode *effect = ocp_member(operation, "effect");
    const OcpNode *resume = ocp_member(operation, "resume");
    bool may_duplicate = ocp_text_is(effect, "non_idempotent") ||
                         ocp_text_is(effect, "unknown") ||
                         (effect == NULL && ocp_member_is(operation, "kind", "action"));
    if (!ocp_text_is(status, "failed") || !ocp_text_is(resume, "retry") ||
        !may_duplicate)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "resume");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W23", resume, at,
                                   "\"retry\" of a failed operation that may have had "
                                   "an effect"),
                    "\"verify_first\", \"ask\" or \"do_not_resume\"", resume,
                    "a failed call may still have done something");
}

/* ---- stop conditions: W12 -------------------------------------------------- */

static bool
is_final(const OcpNode *status)
{
    return ocp_text_is(status, "approved") || ocp_text_is(status, "rejected") ||
           ocp_text_is(status, "completed") || ocp_text_is(status, "cancelled");
}

static void
advise_until(const OcpNode *until, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *id = ocp_member(until, "operation");
    const OcpNode *wanted = ocp_member(until, "status");
    OcpModelKind kind = 0;
    const OcpNode *operation =
        ocp_is(id, OCP_STRING) ? ocp_model_find_like(check->model, id, &kind) : NULL;
    if (operation == NULL || kind != OCP_MODEL_OPERATION || !ocp_is(wanted, OCP_STRING))
        return;
    const OcpNode *status = ocp_member(operation, "status");
    bool decides = ocp_text_is(wanted, "approved") || ocp_text_is(wanted, "rejected");
    bool is_approval = ocp_member_is(operation, "kind", "approval");
    const char *why = NULL;
    if (decides && !is_approval)
        why = "only an approval is approved or rejected";
    else if (is_final(status) && !ocp_text_equal(status, wanted))
        why = "the operation has ended otherwise";
    if (why == NULL)
        return;
    g_autofree char *at = ocp_rule_below(pointer, "status");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W12", wanted, at,
                                   "this can never be reached: %s", why),
                    "a status that the operation can reach", wanted,
                    "the stop condition would never be lifted");
}

/* ---- sessions: W14 --------------------------------------------------------- */

static const char *const protocols[] = {
    "a2a", "acp", "mcp", "open-responses", "openresponses", "ag-ui", "anp",
};

/* Well known, or with a dot in it, as a reverse-DNS name or a URI has. */
static bool
is_known_protocol(const char *text, gsize length)
{
    const char *dot = memchr(text, '.', length);
    if (dot != NULL && dot > text && dot + 1 < text + length)
        return true;
    for (gsize i = 0; i < G_N_ELEMENTS(protocols); i++)
        if (strlen(protocols[i]) == length &&
            g_ascii_strncasecmp(text, protocols[i], length) == 0)
            return true;
    return length > 4 && g_ascii_strncasecmp(text, "urn:", 4) == 0;
}

static void
advise_session(const OcpNode *session, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *protocol = ocp_member(session, "protocol");
    if (!ocp_is(protocol, OCP_STRING))
        return;
    gsize length;
    const char *text = ocp_text(protocol, check->arena, &length);
    if (is_known_protocol(text, length))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "protocol");
    g_autofree char *quoted = ocp_rule_quote(protocol);
    ocp_rule_detail(ocp_rule_fault(check, "OC-W14", protocol, at,
                                   "%s is neither a well-known protocol nor a "
                                   "namespaced name",
                                   quoted),
                    "a2a, acp, mcp, open-responses or a name such as com.example.chat",
                    protocol, NULL);
}

/* ---- the whole: W16, W18 --------------------------------------------------- */

static void
advise_derivation(OcpRuleCheck *check)
{
    const OcpNode *derivation = ocp_member(check->root, "derivation");
    const OcpNode *method = ocp_member(derivation, "method");
    const OcpNode *inputs = ocp_member(derivation, "inputs");
    gsize count = ocp_is(inputs, OCP_ARRAY) ? inputs->size : 0;
    if (ocp_text_is(method, "forked") && ocp_member(check->root, "parent") == NULL)
        ocp_rule_detail(ocp_rule_fault(check, "OC-W16", method, "/derivation/method",
                                       "forked, but no parent is named"),
                        "parent with the id of the checkpoint it was copied from",
                        method, NULL);
    if (ocp_text_is(method, "merged") && count < 2)
        ocp_rule_detail(ocp_rule_fault(check, "OC-W16", method, "/derivation/method",
                                       "merged, but fewer than two inputs are named"),
                        "two inputs or more", method, NULL);
}

static void
advise_criterion(const OcpNode *criterion, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *state = ocp_member(criterion, "state");
    if (!ocp_text_is(state, "unmet"))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "state");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W18", state, at,
                                   "the task is completed, but this criterion is "
                                   "unmet"),
                    "\"met\", or another task status", state, NULL);
}

static void
advise_open_end(const OcpNode *operation, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *status = ocp_member(operation, "status");
    if (!ocp_text_is(status, "uncertain"))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "status");
    ocp_rule_detail(ocp_rule_fault(check, "OC-W18", status, at,
                                   "the task is completed, but the outcome of this "
                                   "operation is unknown"),
                    "a known outcome, or another task status", status, NULL);
}

void
ocp_rule_advice(OcpRuleCheck *check)
{
    const OcpNode *root = check->root;
    ocp_model_walk(root, "statements/*", advise_statement, check);
    ocp_model_walk(root, "resources/*", advise_resource, check);
    ocp_model_walk(root, "application_context/*", advise_context, check);
    ocp_model_walk(root, "operations/*", advise_operation, check);
    ocp_model_walk(root, "continuation/stop_conditions/*/until/*", advise_until, check);
    ocp_model_walk(root, "source/session_refs/*", advise_session, check);
    ocp_model_walk(root, "derivation/inputs/*/session", advise_session, check);
    advise_derivation(check);
    if (!ocp_member_is(ocp_member(root, "task"), "status", "completed"))
        return;
    ocp_model_walk(root, "task/success_criteria/*", advise_criterion, check);
    ocp_model_walk(root, "operations/*", advise_open_end, check);
}
