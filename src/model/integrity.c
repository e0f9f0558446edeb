/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids and what names them: unique, resolved, of the right kind, not oneself.
 */
#include <string.h>

#include "model/check.h"

/* ---- ids: I01, I16, W01 ---------------------------------------------------- */

static void
check_unique(const OcpNode *object, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *id = ocp_member(object, "id");
    if (!ocp_is(id, OCP_STRING))
        return;
    OcpModelKind kind = 0;
    const OcpNode *first = ocp_model_find_like(check->model, id, &kind);
    if (first == object)
        return;
    g_autofree char *quoted = ocp_rule_quote(id);
    g_autofree char *at = ocp_rule_below(pointer, "id");
    ocp_rule_detail(ocp_rule_fault(check, "OC-I01", id, at,
                                   "the id %s is already that of a %s", quoted,
                                   ocp_model_kind_name(kind)),
                    "an id that no other object of the document has", id,
                    "give the object an id of its own, and its references with it");
}

/* 8-4-4-4-12 hexadecimal digits. */
static bool
is_uuid(const char *text, gsize length)
{
    if (length != 36)
        return false;
    for (gsize i = 0; i < length; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !g_ascii_isxdigit(text[i]))
            return false;
    }
    return true;
}

static void
check_document_id(OcpRuleCheck *check)
{
    const OcpNode *id = ocp_member(check->root, "id");
    if (!ocp_is(id, OCP_STRING))
        return;
    gsize length;
    const char *text = ocp_text(id, check->arena, &length);
    const gsize prefix = strlen("urn:uuid:");
    if (length > prefix && g_ascii_strncasecmp(text, "urn:uuid:", prefix) == 0 &&
        is_uuid(text + prefix, length - prefix))
        return;
    ocp_rule_detail(
        ocp_rule_fault(check, "OC-W01", id, "/id", "the id should be a urn:uuid"),
        "\"urn:uuid:\" and a UUID", id, "only a UUID is unique without asking anybody");
}

static void
check_not_self(OcpRuleCheck *check, const OcpNode *named, const char *pointer,
               const char *role)
{
    const OcpNode *id = ocp_member(check->root, "id");
    if (!ocp_is(id, OCP_STRING) || !ocp_is(named, OCP_STRING) ||
        !ocp_text_equal(id, named))
        return;
    ocp_rule_detail(ocp_rule_fault(check, "OC-I16", named, pointer,
                                   "the checkpoint names itself as its own %s", role),
                    "the id of another checkpoint", named,
                    "a derived checkpoint needs an id of its own");
}

static void
check_input(const OcpNode *input, GString *pointer, gpointer data)
{
    g_autofree char *at = ocp_rule_below(pointer, "checkpoint");
    check_not_self(data, ocp_member(input, "checkpoint"), at, "input");
}

void
ocp_rule_ids(OcpRuleCheck *check)
{
    check_document_id(check);
    ocp_model_each_object(check->root, check_unique, check);
    check_not_self(check, ocp_member(ocp_member(check->root, "parent"), "id"),
                   "/parent/id", "parent");
    ocp_model_walk(check->root, "derivation/inputs/*", check_input, check);
}

/* ---- references: I02, I03, I05–I14, W15 ------------------------------------ */

/* "a statement, operation or resource" */
static char *
describe_kinds(guint kinds)
{
    GString *text = g_string_new(NULL);
    for (guint rest = kinds; rest != 0;) {
        guint kind = rest & (~rest + 1);
        rest &= ~kind;
        const char *name = ocp_model_kind_name((OcpModelKind)kind);
        if (text->len == 0)
            g_string_append(text, strchr("aeiou", name[0]) != NULL ? "an " : "a ");
        else
            g_string_append(text, rest == 0 ? " or " : ", ");
        g_string_append(text, name);
    }
    return g_string_free(text, FALSE);
}

static bool
names_a_session(const OcpRuleCheck *check, const OcpNode *reference)
{
    gsize length;
    const char *text = ocp_text(reference, check->arena, &length);
    return ocp_model_has_session(check->model, text, length);
}

static void
check_reference(const OcpNode *reference, guint kinds, const char *rule,
                const char *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    bool may_be_session = strcmp(rule, "OC-I14") == 0;
    OcpModelKind kind = 0;
    const OcpNode *object = ocp_model_find_like(check->model, reference, &kind);
    if (object != NULL && (kinds & kind) != 0)
        return;
    if (may_be_session && names_a_session(check, reference))
        return;
    g_autofree char *quoted = ocp_rule_quote(reference);
    g_autofree char *wanted = describe_kinds(kinds);
    g_autofree char *expected =
        kinds == OCP_MODEL_ANY
            ? g_strdup("the id of an object in this document")
            : g_strdup_printf("the id of %s%s", wanted,
                              may_be_session ? ", or of a session" : "");
    if (object == NULL) {
        ocp_rule_detail(ocp_rule_fault(check, "OC-I02", reference, pointer,
                                       "no object here has the id %s", quoted),
                        expected, reference, "add the object or drop the reference");
        return;
    }
    const char *is = ocp_model_kind_name(kind);
    ocp_rule_detail(ocp_rule_fault(check, rule, reference, pointer,
                                   "%s is the id of a%s %s; expected %s", quoted,
                                   strchr("aeiou", is[0]) != NULL ? "n" : "", is,
                                   expected),
                    expected, reference, NULL);
}

/* ---- evidence: W22 --------------------------------------------------------- */

static void
check_evidence(const OcpNode *object, GString *pointer, gpointer data)
{
    OcpRuleCheck *check = data;
    const OcpNode *id = ocp_member(object, "id");
    const OcpNode *evidence = ocp_member(object, "evidence");
    if (!ocp_is(id, OCP_STRING) || !ocp_is(evidence, OCP_ARRAY))
        return;
    OcpIter iter = ocp_iter(evidence);
    const OcpNode *named;
    for (gsize i = 0; (named = ocp_iter_element(&iter)) != NULL; i++) {
        if (!ocp_is(named, OCP_STRING) || !ocp_text_equal(named, id))
            continue;
        g_autofree char *at = ocp_rule_below_at(pointer, "evidence", i);
        ocp_rule_detail(ocp_rule_fault(check, "OC-W22", named, at,
                                       "it names itself as its own evidence"),
                        "another object", named, NULL);
        return;
    }
}

void
ocp_rule_references(OcpRuleCheck *check)
{
    ocp_model_each_reference(check->root, check_reference, check);
    ocp_model_walk(check->root, "task/success_criteria/*", check_evidence, check);
    ocp_model_walk(check->root, "progress/completed/*", check_evidence, check);
    ocp_model_walk(check->root, "statements/*", check_evidence, check);
}
