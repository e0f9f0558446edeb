/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/context.h"
#include "mapping/checks.h"
#include "mapping/hide.h"

static bool
is_sensitive(const OcpNode *node, gpointer data)
{
    return ocp_hidden_is_sensitive(data, node);
}

bool
ocp_check_prepared(const OcpPrepared *prepared, OcpDocument *document,
                   bool format_warns, bool rules_warn, OcpReport *report)
{
    g_autoptr(OcpHidden) hidden = ocp_hidden_new(prepared->mapping, document->root);
    OcpCheckOptions options = {
        .format_warns = format_warns, .sensitive = is_sensitive, .data = hidden};
    if (!ocp_schema_check(prepared->schema, document, document->root, &options, report))
        return false;
    g_autoptr(OcpReport) rules = ocp_report_new();
    if (ocp_dialect_is_model(prepared->dialect)) {
        ocp_model_check(document, document->root, rules);
    } else {
        ocp_mapping_check(prepared->mapping, document, rules);
        if (rules_warn)
            ocp_report_soften(rules, NULL);
    }
    bool ok = !ocp_report_has_errors(rules);
    ocp_report_move(report, rules);
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
