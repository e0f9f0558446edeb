/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include <string.h>

#include "cli/messages.h"
#include "text/json.h"

/* ---- writing JSON as it comes ---------------------------------------------- */

typedef struct {
    GString *out;
    bool indented;
    guint depth;
    bool first; /* nothing stands in the open container yet */
} Writer;

static void
begin_item(Writer *writer)
{
    if (!writer->first)
        g_string_append_c(writer->out, ',');
    writer->first = false;
    if (writer->indented && writer->depth > 0) {
        g_string_append_c(writer->out, '\n');
        for (guint i = 0; i < writer->depth; i++)
            g_string_append(writer->out, "  ");
    }
}

/* A key, or in an array (NULL) the place of the next element. */
static void
put_key(Writer *writer, const char *key)
{
    begin_item(writer);
    if (key == NULL)
        return;
    ocp_json_write_string(key, strlen(key), writer->out);
    g_string_append(writer->out, writer->indented ? ": " : ":");
}

static void
open_container(Writer *writer, const char *key, char bracket)
{
    put_key(writer, key);
    g_string_append_c(writer->out, bracket);
    writer->depth++;
    writer->first = true;
}

static void
close_container(Writer *writer, char bracket)
{
    writer->depth--;
    if (!writer->first && writer->indented) {
        g_string_append_c(writer->out, '\n');
        for (guint i = 0; i < writer->depth; i++)
            g_string_append(writer->out, "  ");
    }
    g_string_append_c(writer->out, bracket);
    writer->first = false;
}

/* Left out if NULL. */
static void
put_text(Writer *writer, const char *key, const char *text)
{
    if (text == NULL)
        return;
    put_key(writer, key);
    if (g_utf8_validate(text, -1, NULL)) {
        ocp_json_write_string(text, strlen(text), writer->out);
        return;
    }
    g_autofree char *plain = ocp_messages_plain(text);
    ocp_json_write_string(plain, strlen(plain), writer->out);
}

static void
put_number(Writer *writer, const char *key, guint64 number)
{
    put_key(writer, key);
    g_string_append_printf(writer->out, "%" G_GUINT64_FORMAT, number);
}

static void
put_truth(Writer *writer, const char *key, bool truth)
{
    put_key(writer, key);
    g_string_append(writer->out, truth ? "true" : "false");
}

static void
put_texts(Writer *writer, const char *key, const GPtrArray *texts)
{
    open_container(writer, key, '[');
    for (guint i = 0; i < texts->len; i++)
        put_text(writer, NULL, texts->pdata[i]);
    close_container(writer, ']');
}

/* ---- the entry ------------------------------------------------------------- */

static void
put_totals(Writer *writer, const OcpAccount *account)
{
    open_container(writer, "totals", '{');
    put_number(writer, "leaves", account->leaves);
    for (int fate = 0; fate < OCP_FATES; fate++)
        put_number(writer, ocp_fate_name((OcpFate)fate), account->counts[fate]);
    put_number(writer, "made", account->made->len);
    close_container(writer, '}');
}

static void
put_leaf(Writer *writer, const OcpLeaf *leaf)
{
    open_container(writer, NULL, '{');
    put_text(writer, "pointer", leaf->pointer);
    put_text(writer, "fate", ocp_fate_name(leaf->fate));
    put_text(writer, "reason", leaf->reason);
    put_text(writer, "place", leaf->place);
    if (leaf->places != NULL)
        put_texts(writer, "places", leaf->places);
    put_text(writer, "carry", leaf->carry);
    put_text(writer, "rule", leaf->rule);
    if (leaf->steers)
        put_truth(writer, "steers", true);
    if (leaf->asked)
        put_truth(writer, "asked", true);
    close_container(writer, '}');
}

static void
put_made(Writer *writer, const OcpMadeLeaf *made)
{
    open_container(writer, NULL, '{');
    put_text(writer, "pointer", made->pointer);
    put_text(writer, "rule", made->rule);
    put_text(writer, "why", made->why);
    close_container(writer, '}');
}

static void
put_change(Writer *writer, const OcpChange *change)
{
    open_container(writer, NULL, '{');
    put_text(writer, "place", change->place);
    put_texts(writer, "from", change->from);
    close_container(writer, '}');
}

static void
put_account(Writer *writer, const char *key, const OcpAccount *account)
{
    if (account == NULL)
        return;
    open_container(writer, key, '{');
    put_totals(writer, account);
    open_container(writer, "leaves", '[');
    for (guint i = 0; i < account->fates->len; i++)
        put_leaf(writer, account->fates->pdata[i]);
    close_container(writer, ']');
    open_container(writer, "made", '[');
    for (guint i = 0; i < account->made->len; i++)
        put_made(writer, account->made->pdata[i]);
    close_container(writer, ']');
    open_container(writer, "changes", '[');
    for (guint i = 0; i < account->changes->len; i++)
        put_change(writer, account->changes->pdata[i]);
    close_container(writer, ']');
    close_container(writer, '}');
}

static void
put_outcome(Writer *writer, const OcpOutcome *outcome)
{
    put_text(writer, "from", outcome->from);
    put_text(writer, "to", outcome->to);
    const OcpAccount *route = outcome->route;
    put_truth(writer, "lossless",
              route == NULL || route->counts[OCP_FATE_OMITTED] == 0);
    if (route != NULL)
        put_totals(writer, route);
    open_container(writer, "accounts", '{');
    put_account(writer, "route", route);
    put_account(writer, "read", outcome->read);
    put_account(writer, "write", outcome->write);
    close_container(writer, '}');
}

static void
put_differences(Writer *writer, const GPtrArray *trips)
{
    open_container(writer, "round_trips", '[');
    for (guint i = 0; i < trips->len; i++) {
        const OcpRoundTrip *trip = trips->pdata[i];
        open_container(writer, NULL, '{');
        put_text(writer, "to", trip->to);
        open_container(writer, "differences", '[');
        for (guint j = 0; j < trip->differences->len; j++) {
            const OcpDifference *difference = trip->differences->pdata[j];
            open_container(writer, NULL, '{');
            put_text(writer, "pointer", difference->pointer);
            put_truth(writer, "named", difference->named);
            close_container(writer, '}');
        }
        close_container(writer, ']');
        close_container(writer, '}');
    }
    close_container(writer, ']');
}

static void
put_diagnostic(Writer *writer, const OcpDiagnostic *diagnostic)
{
    open_container(writer, NULL, '{');
    put_text(writer, "severity", ocp_severity_name(diagnostic->severity));
    put_text(writer, "code", diagnostic->code);
    if (diagnostic->line > 0)
        put_number(writer, "line", diagnostic->line);
    if (diagnostic->line > 0 && diagnostic->column > 0)
        put_number(writer, "column", diagnostic->column);
    put_text(writer, "pointer", diagnostic->pointer);
    close_container(writer, '}');
}

void
ocp_report_append(const OcpResult *result, bool only, GString *out)
{
    Writer writer = {.out = out, .indented = only, .first = true};
    open_container(&writer, NULL, '{');
    put_number(&writer, "format", 1);
    put_text(&writer, "file", result->input);
    if (result->number > 0)
        put_number(&writer, "document", result->number);
    if (result->line > 0) {
        put_number(&writer, "line", result->line);
        put_number(&writer, "offset", result->offset);
        put_number(&writer, "value", result->value);
    }
    put_text(&writer, "status", ocp_result_name(result->kind));
    put_text(&writer, "output", result->output);
    put_text(&writer, "dialect", result->dialect);
    if (result->outcome != NULL)
        put_outcome(&writer, result->outcome);
    if (result->differences != NULL)
        put_differences(&writer, result->differences);
    const GPtrArray *diagnostics = result->report->diagnostics;
    open_container(&writer, "diagnostics", '[');
    for (guint i = 0; i < diagnostics->len; i++)
        put_diagnostic(&writer, diagnostics->pdata[i]);
    close_container(&writer, ']');
    close_container(&writer, '}');
    g_string_append_c(out, '\n');
}
