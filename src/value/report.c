/* SPDX-License-Identifier: Apache-2.0 */
#include "value/report.h"

#include <string.h>

#include "value/position.h"

static void
free_diagnostic(gpointer pointer)
{
    OcpDiagnostic *diagnostic = pointer;
    g_free(diagnostic->code);
    g_free(diagnostic->file);
    g_free(diagnostic->pointer);
    g_free(diagnostic->keyword);
    g_free(diagnostic->expected);
    g_free(diagnostic->found);
    g_free(diagnostic->message);
    g_free(diagnostic->hint);
    g_free(diagnostic->excerpt);
    g_free(diagnostic);
}

OcpReport *
ocp_report_new(void)
{
    OcpReport *report = g_new0(OcpReport, 1);
    report->diagnostics = g_ptr_array_new_with_free_func(free_diagnostic);
    return report;
}

void
ocp_report_free(OcpReport *report)
{
    if (report == NULL)
        return;
    g_ptr_array_unref(report->diagnostics);
    g_free(report);
}

static OcpDiagnostic *add_va(OcpReport *report, OcpSeverity severity, const char *code,
                             const char *format, va_list arguments)
    G_GNUC_PRINTF(4, 0);

static OcpDiagnostic *
add_va(OcpReport *report, OcpSeverity severity, const char *code, const char *format,
       va_list arguments)
{
    OcpDiagnostic *diagnostic = g_new0(OcpDiagnostic, 1);
    diagnostic->severity = severity;
    diagnostic->code = g_strdup(code);
    diagnostic->message = g_strdup_vprintf(format, arguments);
    g_ptr_array_add(report->diagnostics, diagnostic);
    report->counts[severity]++;
    return diagnostic;
}

OcpDiagnostic *
ocp_report_add(OcpReport *report, OcpSeverity severity, const char *code,
               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    OcpDiagnostic *diagnostic = add_va(report, severity, code, format, arguments);
    va_end(arguments);
    return diagnostic;
}

void
ocp_diagnostic_locate(OcpDiagnostic *diagnostic, const OcpDocument *document,
                      guint32 place)
{
    if (document == NULL)
        return;
    if (diagnostic->file == NULL)
        diagnostic->file = g_strdup(document->name);
    if (place == OCP_NO_PLACE || document->text == NULL)
        return;
    ocp_document_position(document, place, &diagnostic->line, &diagnostic->column);
    g_free(diagnostic->excerpt);
    diagnostic->excerpt = ocp_position_excerpt(document->text, document->length, place);
}

bool
ocp_fail(OcpReport *report, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_va(report, OCP_ERROR, code, format, arguments);
    va_end(arguments);
    return false;
}

bool
ocp_fail_at(OcpReport *report, const OcpDocument *document, guint32 place,
            const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    OcpDiagnostic *diagnostic = add_va(report, OCP_ERROR, code, format, arguments);
    va_end(arguments);
    ocp_diagnostic_locate(diagnostic, document, place);
    return false;
}

void
ocp_report_move(OcpReport *report, OcpReport *from)
{
    for (guint i = 0; i < from->diagnostics->len; i++)
        g_ptr_array_add(report->diagnostics, from->diagnostics->pdata[i]);
    for (guint i = 0; i <= OCP_ERROR; i++) {
        report->counts[i] += from->counts[i];
        from->counts[i] = 0;
    }
    g_ptr_array_set_free_func(from->diagnostics, NULL);
    g_ptr_array_set_size(from->diagnostics, 0);
    g_ptr_array_set_free_func(from->diagnostics, free_diagnostic);
}

void
ocp_report_soften(OcpReport *report, const char *prefix)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity != OCP_ERROR ||
            (prefix != NULL && !g_str_has_prefix(diagnostic->code, prefix)))
            continue;
        diagnostic->severity = OCP_WARNING;
        report->counts[OCP_ERROR]--;
        report->counts[OCP_WARNING]++;
    }
}

bool
ocp_report_has_errors(const OcpReport *report)
{
    return report->counts[OCP_ERROR] > 0;
}

const char *
ocp_severity_name(OcpSeverity severity)
{
    static const char *const names[] = {"note", "loss", "warning", "error"};
    return names[severity];
}
