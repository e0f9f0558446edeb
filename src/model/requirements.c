/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requirements: extension keys (I18) that are there (W11), fallbacks that are never
 * taken (W10).
 */
#include "model/check.h"

static const char *const extended_paths[] = {
    "",
    "source",
    "task",
    "progress",
    "statements/*",
    "resources/*",
    "application_context/*",
    "operations/*",
    "continuation",
};

typedef struct {
    OcpRuleCheck *check;
    GHashTable *keys; /* set of key nodes: the extensions of the document */
} Requirements;

static void
collect_keys(const OcpNode *object, G_GNUC_UNUSED GString *pointer, gpointer data)
{
    GHashTable *keys = data;
    const OcpNode *extensions = ocp_member(object, "extensions");
    if (!ocp_is(extensions, OCP_OBJECT))
        return;
    OcpIter iter = ocp_iter(extensions);
    const OcpNode *key;
    const OcpNode *value;
    while (ocp_iter_member(&iter, &key, &value))
        g_hash_table_add(keys, (gpointer)key);
}

static bool
is_label_character(char c)
{
    return g_ascii_islower(c) || g_ascii_isdigit(c);
}

/* One label of a reverse-DNS name; returns its length, 0 if there is none. */
static gsize
label_length(const char *at, const char *end)
{
    gsize length = 0;
    while (at + length < end && (is_label_character(at[length]) || at[length] == '-'))
        length++;
    bool good = length > 0 && at[0] != '-' && at[length - 1] != '-';
    return good ? length : 0;
}

/* True if text is an extension key: "com.example" or "com.example/path/to". */
static bool
is_extension_key(const char *text, gsize length)
{
    const char *end = text + length;
    const char *at = text;
    for (guint labels = 1;; labels++) {
        gsize label = label_length(at, end);
        if (label == 0)
            return false;
        at += label;
        if (at < end && *at == '.') {
            at++;
            continue;
        }
        if (labels < 2)
            return false;
        break;
    }
    while (at < end) {
        if (*at++ != '/')
            return false;
        const char *segment = at;
        while (at < end &&
               (g_ascii_isalnum(*at) || *at == '.' || *at == '_' || *at == '-'))
            at++;
        if (at == segment)
            return false;
    }
    return true;
}

static void
check_extension(const Requirements *self, const OcpNode *name, const char *pointer)
{
    OcpRuleCheck *check = self->check;
    gsize length;
    const char *text = ocp_text(name, check->arena, &length);
    g_autofree char *quoted = ocp_rule_quote(name);
    if (!is_extension_key(text, length)) {
        ocp_rule_detail(
            ocp_rule_fault(check, "OC-I18", name, pointer, "%s is no extension key",
                           quoted),
            "a reverse-DNS name such as \"com.example\", and a path if need "
            "be",
            name, NULL);
        return;
    }
    if (g_hash_table_contains(self->keys, name))
        return;
    ocp_rule_detail(ocp_rule_fault(check, "OC-W11", name, pointer,
                                   "the document requires the extension %s but does "
                                   "not hold it",
                                   quoted),
                    "the key of an extension in this document", name,
                    "add the extension or drop the requirement");
}

static void
check_requirement(const OcpNode *requirement, GString *pointer, gpointer data)
{
    const Requirements *self = data;
    const OcpNode *name = ocp_member(requirement, "name");
    if (ocp_member_is(requirement, "kind", "extension") && ocp_is(name, OCP_STRING)) {
        g_autofree char *at = ocp_rule_below(pointer, "name");
        check_extension(self, name, at);
    }
    const OcpNode *fallback = ocp_member(requirement, "fallback");
    if (fallback == NULL || !ocp_member_is(requirement, "necessity", "required"))
        return;
    g_autofree char *at = ocp_rule_below(pointer, "fallback");
    ocp_rule_detail(ocp_rule_fault(self->check, "OC-W10", fallback, at,
                                   "a requirement that is required has no use for a "
                                   "fallback"),
                    "no fallback, or necessity \"recommended\"", fallback,
                    "if work can go on without it, it is \"recommended\"");
}

void
ocp_rule_requirements(OcpRuleCheck *check)
{
    g_autoptr(GHashTable) keys = ocp_model_text_table();
    for (gsize i = 0; i < G_N_ELEMENTS(extended_paths); i++)
        ocp_model_walk(check->root, extended_paths[i], collect_keys, keys);
    Requirements self = {check, keys};
    ocp_model_walk(check->root, "continuation/requirements/*", check_requirement,
                   &self);
}
