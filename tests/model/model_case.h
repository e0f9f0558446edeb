/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/model.h"
#include "model_text.h"

/*
 * One rule at a time: members beside a minimal document, and the faults they make.
 */

/* Members beside a minimal document; the faults as "RULE pointer", in order. */
typedef struct {
    const char *members;
    const char *faults;
} Case;

#define UUID "urn:uuid:6f1f6c1e-2f5f-4a6e-9d3b-0d2f8a1c7b10"
#define OBSERVATION "\"kind\": \"observation\", \"text\": \"t\""
#define ACTION "\"kind\": \"action\", \"description\": \"d\""
#define RESOURCE "\"kind\": \"file\", \"uri\": \"a:b\""

static inline char *
describe(const OcpReport *report)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[i];
        g_string_append_printf(
            text, "\n    %s %s %s %u:%u %s", ocp_severity_name(fault->severity),
            fault->code, fault->pointer, fault->line, fault->column, fault->message);
    }
    return g_string_free(text, FALSE);
}

static inline OcpReport *
check_members(const char *members)
{
    g_autofree char *json = g_strdup_printf(
        "{\"opencheckpoint\": \"0.1\", \"id\": \"" UUID "\",\n"
        " \"created_at\": \"2026-10-01T09:30:00Z\",\n"
        " \"source\": {\"producer\": {\"name\": \"t\"}},\n"
        " \"task\": {\"objective\": \"o\", \"status\": \"active\"}%s%s}",
        *members != '\0' ? ",\n " : "", members);
    g_autoptr(OcpDocument) document = read_text("case", json);
    OcpReport *report = ocp_report_new();
    bool good = ocp_model_check(document, document->root, report);
    CU_ASSERT_EQUAL(good, !ocp_report_has_errors(report));
    return report;
}

static inline void
check_case(const Case *one)
{
    g_autoptr(OcpReport) report = check_members(one->members);
    g_autoptr(GString) found = g_string_new(NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[i];
        CU_ASSERT(fault->line > 0);
        g_string_append_printf(found, "%s%s %s", i > 0 ? "; " : "", fault->code + 3,
                               fault->pointer);
    }
    CU_ASSERT_STRING_EQUAL(found->str, one->faults);
    g_autofree char *all = describe(report);
    if (strcmp(found->str, one->faults) != 0)
        ocp_test_fail("%s\n  expected %s\n  found %s", one->members, one->faults, all);
}

static inline void
check_cases(const Case *cases, gsize count)
{
    for (gsize i = 0; i < count; i++)
        check_case(&cases[i]);
}
