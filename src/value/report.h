/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * What there is to say about a piece of work: a list of diagnostics.
 *
 * Functions that can fail take a report, add one diagnostic and return false. The
 * report never prints; the command does. A diagnostic never holds a sensitive value.
 */

typedef enum { OCP_NOTE, OCP_LOSS, OCP_WARNING, OCP_ERROR } OcpSeverity;

typedef struct {
    OcpSeverity severity;
    char *code;      /* stable: "json.duplicate-key", "schema.required", "OC-I02" */
    char *file;      /* as given on the command line; NULL if none */
    guint line;      /* 1-based; 0 if unknown */
    guint column;    /* 1-based, in code points; 0 if unknown */
    char *pointer;   /* JSON pointer of the value; NULL if it has none, "" for the root */
    char *keyword;   /* schema keyword, or NULL */
    char *expected;  /* or NULL */
    char *found;     /* cut, or NULL */
    char *message;   /* one sentence without the place */
    char *hint;      /* what to do, or NULL */
    char *excerpt;   /* the source line, or NULL */
} OcpDiagnostic;

typedef struct OcpReport {
    GPtrArray *diagnostics; /* OcpDiagnostic, in the order found */
    guint counts[OCP_ERROR + 1];
} OcpReport;

OcpReport *ocp_report_new(void);
void ocp_report_free(OcpReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpReport, ocp_report_free)

/* Adds a diagnostic with this message and returns it, to be completed; it belongs to
 * the report. code and the rest are copied. */
OcpDiagnostic *ocp_report_add(OcpReport *report, OcpSeverity severity, const char *code,
                              const char *format, ...) G_GNUC_PRINTF(4, 5);

/* Sets file, line, column and excerpt of a place (byte offset) in the document. */
void ocp_diagnostic_locate(OcpDiagnostic *diagnostic, const OcpDocument *document,
                           guint32 place);

/* Adds an error without a place, returns false: return ocp_fail(report, …). */
bool ocp_fail(OcpReport *report, const char *code, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Adds an error at a place of the document, returns false. */
bool ocp_fail_at(OcpReport *report, const OcpDocument *document, guint32 place,
                 const char *code, const char *format, ...) G_GNUC_PRINTF(5, 6);

/* Moves all diagnostics of from to the end of report. */
void ocp_report_move(OcpReport *report, OcpReport *from);

/* Changes every error (of code prefix, if not NULL) into a warning. */
void ocp_report_soften(OcpReport *report, const char *prefix);

bool ocp_report_has_errors(const OcpReport *report);

/* "note", "loss", "warning", "error". Static. */
const char *ocp_severity_name(OcpSeverity severity);
