/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "batch/input.h"
#include "cli/suggest.h"
#include "cli/work_private.h"
#include "text/source.h"

static bool
has_lines_name(const char *path)
{
    g_autofree char *lower = g_ascii_strdown(path, -1);
    return g_str_has_suffix(lower, ".ndjson") || g_str_has_suffix(lower, ".jsonl");
}

/* Standard input has no name that says that it is NDJSON; what is more than one JSON
 * text, each on a line, is. */
static bool
read_nameless(GBytes *bytes, const OcpLimits *limits, OcpReport *report,
              GPtrArray **ret)
{
    g_autoptr(OcpReport) trial = ocp_report_new();
    bool read = ocp_source_read(bytes, "-", OCP_SYNTAX_AUTO, limits, trial, ret);
    guint count = trial->diagnostics->len;
    const OcpDiagnostic *last = count > 0 ? trial->diagnostics->pdata[count - 1] : NULL;
    if (!read && last != NULL && strcmp(last->code, "json.trailing") == 0) {
        g_autoptr(OcpReport) lines = ocp_report_new();
        if (ocp_source_read(bytes, "-", OCP_SYNTAX_NDJSON, limits, lines, ret)) {
            ocp_report_move(report, lines);
            return true;
        }
    }
    ocp_report_move(report, trial);
    return read;
}

bool
ocp_task_read(OcpTask *task, OcpReport *report, GBytes **ret_bytes)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpInput input;
    if (!ocp_input_read(task->item->path, limits.bytes, report, &input))
        return false;
    task->origin.modified = input.modified;
    *ret_bytes = input.bytes;
    return true;
}

bool
ocp_task_parse(OcpTask *task, GBytes *bytes, OcpReport *report, GPtrArray **ret)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    const char *path = task->item->path;
    OcpSyntax syntax = task->work->options->input_syntax;
    bool read;
    if (syntax == OCP_SYNTAX_AUTO && strcmp(path, "-") == 0) {
        read = read_nameless(bytes, &limits, report, ret);
    } else {
        if (syntax == OCP_SYNTAX_AUTO && has_lines_name(path))
            syntax = OCP_SYNTAX_NDJSON;
        read = ocp_source_read(bytes, path, syntax, &limits, report, ret);
    }
    if (!read) {
        ocp_redact_unread(task->work->context, bytes, report);
        ocp_suggest_logs(path, report);
    }
    return read;
}
