/* SPDX-License-Identifier: Apache-2.0 */
#include "model/check.h"

#include <string.h>

#include "value/pointer.h"

/* Finding a place costs a walk over the text, so a hostile document must not have
 * a million of them found. */
enum { MOST = 50, EXCERPT_REACH = 200, QUOTE_CHARACTERS = 40 };

/* True if an excerpt around place could show a part of a secret. */
static bool
is_near_secret(const OcpRuleCheck *check, guint32 place)
{
    for (guint i = 0; i + 1 < check->secrets->len; i += 2) {
        guint64 start = g_array_index(check->secrets, guint64, i);
        guint64 end = g_array_index(check->secrets, guint64, i + 1);
        if (place + (guint64)EXCERPT_REACH >= start && place <= end + EXCERPT_REACH)
            return true;
    }
    return false;
}

void
ocp_rule_hide(OcpRuleCheck *check, const OcpNode *node)
{
    if (node->place == OCP_NO_PLACE)
        return;
    /* A YAML scalar may take more room in the text than its value does. */
    guint64 span[2] = {node->place, node->place + 2 * (guint64)node->size + 2};
    g_array_append_vals(check->secrets, span, 2);
}

OcpDiagnostic *
ocp_rule_fault(OcpRuleCheck *check, const char *rule, const OcpNode *at,
               const char *pointer, const char *format, ...)
{
    bool is_error = g_str_has_prefix(rule, "OC-I");
    guint *count = is_error ? &check->errors : &check->warnings;
    if (++*count > MOST)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    OcpDiagnostic *fault = ocp_report_add(
        check->report, is_error ? OCP_ERROR : OCP_WARNING, rule, "%s", message);
    fault->pointer = g_strdup(pointer);
    ocp_diagnostic_locate(fault, check->document, at->place);
    if (fault->excerpt != NULL &&
        (is_near_secret(check, at->place) ||
         ocp_model_is_credential(fault->excerpt, strlen(fault->excerpt))))
        g_clear_pointer(&fault->excerpt, g_free);
    return fault;
}

void
ocp_rule_detail(OcpDiagnostic *fault, const char *expected, const OcpNode *found,
                const char *hint)
{
    if (fault == NULL)
        return;
    fault->expected = g_strdup(expected);
    fault->found = found != NULL ? ocp_rule_quote(found) : NULL;
    fault->hint = g_strdup(hint);
}

char *
ocp_rule_quote(const OcpNode *scalar)
{
    if (scalar->kind != OCP_STRING && scalar->kind != OCP_NUMBER)
        return g_strdup(ocp_kind_name(scalar->kind));
    g_autoptr(OcpArena) arena = ocp_arena_new();
    gsize length;
    const char *text = ocp_text(scalar, arena, &length);
    if (ocp_model_is_credential(text, length))
        return g_strdup("(a credential)");
    bool is_string = scalar->kind == OCP_STRING;
    GString *quoted = g_string_new(is_string ? "\"" : NULL);
    const char *end = text + length;
    guint characters = 0;
    for (const char *at = text; at < end; at++) {
        bool begins = ((guchar)*at & 0xC0) != 0x80;
        if (begins && characters++ == QUOTE_CHARACTERS) {
            g_string_append(quoted, "…");
            break;
        }
        bool is_control = (guchar)*at < 0x20 || *at == 0x7F;
        g_string_append_c(quoted, is_control ? ' ' : *at);
    }
    if (is_string)
        g_string_append_c(quoted, '"');
    return g_string_free(quoted, FALSE);
}

char *
ocp_rule_below(const GString *pointer, const char *member)
{
    return g_strconcat(pointer->str, "/", member, NULL);
}

char *
ocp_rule_below_at(const GString *pointer, const char *member, gsize index)
{
    return g_strdup_printf("%s/%s/%" G_GSIZE_FORMAT, pointer->str, member, index);
}

static void
tell_the_rest(const OcpRuleCheck *check)
{
    guint more = MAX(check->errors, MOST) - MOST + MAX(check->warnings, MOST) - MOST;
    if (more == 0)
        return;
    OcpDiagnostic *note =
        ocp_report_add(check->report, OCP_NOTE, "integrity.more",
                       "%u more integrity faults are not listed (%u errors and %u "
                       "warnings in all)",
                       more, check->errors, check->warnings);
    ocp_diagnostic_locate(note, check->document, OCP_NO_PLACE);
}

bool
ocp_model_check(const OcpDocument *document, const OcpNode *root, OcpReport *report)
{
    root = ocp_deref(root);
    if (!ocp_is(root, OCP_OBJECT))
        return true; /* the schema has said so */
    g_autoptr(OcpModel) model = ocp_model_new(root);
    g_autoptr(OcpArena) arena = ocp_arena_new();
    g_autoptr(GArray) secrets = g_array_new(FALSE, FALSE, sizeof(guint64));
    OcpRuleCheck check = {document, root, model, report, arena, secrets, 0, 0};
    ocp_rule_secrets(&check);
    ocp_rule_ids(&check);
    ocp_rule_references(&check);
    ocp_rule_cycles(&check);
    ocp_rule_digests(&check);
    ocp_rule_requirements(&check);
    ocp_rule_times(&check);
    ocp_rule_advice(&check);
    ocp_rule_repeats(&check);
    tell_the_rest(&check);
    return check.errors == 0;
}
