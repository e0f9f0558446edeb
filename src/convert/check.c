/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/context.h"
#include "mapping/checks.h"
#include "mapping/hide.h"

/* What is hidden in a document, found when a fault may show it: most have none. */
typedef struct {
    const OcpMapping *mapping;
    const OcpNode *root;
    OcpHidden *hidden;
} LateHidden;

static const OcpHidden *
found(LateHidden *late)
{
    if (late->hidden == NULL)
        late->hidden = ocp_hidden_new(late->mapping, late->root);
    return late->hidden;
}

static bool
is_sensitive(const OcpNode *node, gpointer data)
{
    return ocp_hidden_is_sensitive(found(data), node);
}

/* The rules of the model or the mapping; false if there are errors. */
static bool
check_rules(const OcpPrepared *prepared, OcpDocument *document, bool rules_warn,
            LateHidden *late, OcpReport *report)
{
    g_autoptr(OcpReport) rules = ocp_report_new();
    if (ocp_dialect_is_model(prepared->dialect)) {
        ocp_model_check(document, document->root, rules);
    } else {
        ocp_mapping_check(prepared->mapping, document, rules);
        if (rules_warn)
            ocp_report_soften(rules, NULL);
    }
    if (rules->diagnostics->len > 0)
        ocp_hidden_redact(found(late), rules);
    bool ok = !ocp_report_has_errors(rules);
    ocp_report_move(report, rules);
    return ok;
}

bool
ocp_check_prepared(const OcpPrepared *prepared, OcpDocument *document,
                   bool format_warns, bool rules_warn, OcpReport *report)
{
    LateHidden late = {prepared->mapping, document->root, NULL};
    OcpCheckOptions options = {
        .format_warns = format_warns, .sensitive = is_sensitive, .data = &late};
    bool ok = ocp_schema_check(prepared->schema, document, document->root, &options,
                               report) &&
              check_rules(prepared, document, rules_warn, &late, report);
    ocp_hidden_free(late.hidden);
    return ok;
}

bool
ocp_check(OcpContext *context, OcpDocument *document, const char *from,
          OcpReport *report, char **ret_dialect)
{
    OcpPrepared prepared;
    if (!ocp_prepare(context, document, from, report, &prepared))
        return false;
    if (ret_dialect != NULL)
        *ret_dialect = g_strdup(prepared.dialect->label);
    return ocp_check_prepared(&prepared, document, false, false, report);
}

void
ocp_redact_unread(OcpContext *context, GBytes *text, OcpReport *report)
{
    gsize length;
    const char *bytes = g_bytes_get_data(text, &length);
    bool may = ocp_registry_may_hold_sensitive(context->registry, bytes, length);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        const char *shown = diagnostic->excerpt;
        if (shown != NULL && (may || ocp_model_is_credential(shown, strlen(shown))))
            g_clear_pointer(&diagnostic->excerpt, g_free);
    }
}
