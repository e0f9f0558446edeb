/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as callers see them: messages by index, fields by name. */
#include "library/private.h"

OcpReport *
ocp_new_report(void)
{
    return ocp_report_new();
}

void
ocp_free_report(OcpReport *report)
{
    ocp_report_free(report);
}

size_t
ocp_count_messages(const OcpReport *report)
{
    return report->diagnostics->len;
}

static const OcpDiagnostic *
find(const OcpReport *report, size_t index)
{
    return index < report->diagnostics->len ? report->diagnostics->pdata[index] : NULL;
}

OcpLevel
ocp_message_level(const OcpReport *report, size_t index)
{
    const OcpDiagnostic *diagnostic = find(report, index);
    switch (diagnostic != NULL ? diagnostic->severity : OCP_NOTE) {
    case OCP_NOTE: return OCP_LEVEL_NOTE;
    case OCP_LOSS: return OCP_LEVEL_LOSS;
    case OCP_WARNING: return OCP_LEVEL_WARNING;
    case OCP_ERROR: return OCP_LEVEL_ERROR;
    }
    return OCP_LEVEL_ERROR;
}

const char *
ocp_message_text(const OcpReport *report, size_t index, OcpMessageField field)
{
    const OcpDiagnostic *diagnostic = find(report, index);
    if (diagnostic == NULL)
        return NULL;
    switch (field) {
    case OCP_MESSAGE_CODE: return diagnostic->code;
    case OCP_MESSAGE_TEXT: return diagnostic->message;
    case OCP_MESSAGE_FILE: return diagnostic->file;
    case OCP_MESSAGE_POINTER: return diagnostic->pointer;
    case OCP_MESSAGE_EXPECTED: return diagnostic->expected;
    case OCP_MESSAGE_FOUND: return diagnostic->found;
    case OCP_MESSAGE_HINT: return diagnostic->hint;
    case OCP_MESSAGE_EXCERPT: return diagnostic->excerpt;
    }
    return NULL;
}

void
ocp_message_place(const OcpReport *report, size_t index, unsigned *line,
                  unsigned *column)
{
    const OcpDiagnostic *diagnostic = find(report, index);
    *line = diagnostic != NULL ? diagnostic->line : 0;
    *column = diagnostic != NULL ? diagnostic->column : 0;
}
