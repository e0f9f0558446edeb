/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "support.h"
#include "text/json.h"

/* Reads JSON that the test wrote itself; stops the program if it is none. */
static inline OcpDocument *
read_text(const char *name, const char *json)
{
    g_autoptr(GBytes) bytes = g_bytes_new(json, strlen(json));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, name, &limits, report, &document)) {
        const OcpDiagnostic *fault = report->diagnostics->pdata[0];
        g_error("%s: %s in %s", name, fault->message, json);
    }
    return document;
}

/* Reads one of the shared or source files, which must be JSON. */
static inline OcpDocument *
read_file(const char *path)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, path, &limits, report, &document))
        g_error("%s cannot be read", path);
    return document;
}
