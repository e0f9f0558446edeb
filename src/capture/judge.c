/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What looks like a document is read by the strict reader and checked by its schema.
 * Nothing that is said about it shows a value: it may be a secret.
 */
#include <string.h>

#include "capture/hunt.h"
#include "text/canonical.h"
#include "text/json.h"
#include "value/pointer.h"

enum { MOST_EXPLAINED = 1000 /* remarks of a search that say more than what it is */ };

static const OcpDiagnostic *
first_error(const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            return diagnostic;
    }
    return NULL;
}

/* A diagnosis for what the reader refused. */
static const char *
code_of(const OcpDiagnostic *error)
{
    static const struct {
        const char *code;
        const char *said;
    } table[] = {{"json.duplicate-key", "duplicate-key"},
                 {"json.utf8", "invalid-utf8"},
                 {"json.depth", "depth-limit"}};
    for (gsize i = 0; i < G_N_ELEMENTS(table) && error != NULL; i++)
        if (strcmp(error->code, table[i].code) == 0)
            return table[i].said;
    return "json-syntax";
}

/* Where and which keyword; never a value. */
static char *
detail_of(const OcpDiagnostic *error)
{
    if (error == NULL || error->pointer == NULL)
        return NULL;
    const char *pointer = *error->pointer != '\0' ? error->pointer : "/";
    return error->keyword != NULL
               ? g_strdup_printf("%.120s: %s", pointer, error->keyword)
               : g_strdup_printf("%.120s", pointer);
}

/* ---- doubts -------------------------------------------------------------- */

static bool
is_redacted(const OcpNode *node)
{
    static const char *const marks[] = {"[REDACTED]", "[redacted]", "<redacted>",
                                        "<REDACTED>", "REDACTED",   "***",
                                        "[Filtered]", "[FILTERED]", "[Redacted]"};
    for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
        if (ocp_text_is(node, marks[i]))
            return true;
    return false;
}

/* Ends as loggers end what they cut: "...(truncated)", "[truncated 12 chars]". */
static bool
is_cut(const OcpNode *node)
{
    static const char word[] = "truncated";
    gsize tail = MIN(node->size, 40);
    const char *end = node->as.text + node->size;
    if (node->size < sizeof word || strchr(")]>", end[-1]) == NULL)
        return false;
    const char *at = memmem(end - tail, tail, word, strlen(word));
    return at != NULL && at > node->as.text && strchr("([<. ", at[-1]) != NULL;
}

static void
look_for_marks(const OcpNode *node, GString *pointer, GPtrArray *warnings)
{
    if (node->kind == OCP_STRING) {
        bool redacted = is_redacted(node);
        if (redacted || is_cut(node))
            g_ptr_array_add(warnings,
                            g_strdup_printf("%.120s %s", pointer->str,
                                            redacted ? "was made unreadable by the log"
                                                     : "ends in a mark of truncation"));
        return;
    }
    if (!ocp_is_container(node) || warnings->len >= 10)
        return;
    gsize before = pointer->len, index = 0;
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;) {
            ocp_pointer_push_index(pointer, index++);
            look_for_marks(element, pointer, warnings);
            g_string_truncate(pointer, before);
        }
        return;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        ocp_pointer_push_key(pointer, key);
        look_for_marks(value, pointer, warnings);
        g_string_truncate(pointer, before);
    }
}

/* ---- judging ------------------------------------------------------------- */

static OcpCaptured *
captured_of(const OcpLayer *layer, gsize from, gsize to, const OcpQuarry *quarry,
            const OcpDocument *document)
{
    OcpLogPlace place = ocp_layer_place(layer, from);
    const OcpNode *time =
        quarry->time != NULL ? ocp_member(document->root, quarry->time) : NULL;
    OcpCaptured *captured = g_new0(OcpCaptured, 1);
    captured->dialect = quarry->dialect;
    captured->text = g_bytes_ref(document->bytes);
    captured->digest = ocp_canonical_digest(document->root, OCP_CANONICAL_VALUE);
    captured->time =
        time != NULL && time->kind == OCP_STRING ? ocp_text_dup(time) : NULL;
    captured->line = place.line;
    captured->offset = place.offset;
    captured->stream = g_strdup(layer->stream);
    captured->stamp = g_strdup(layer->stamp);
    captured->changes = g_ptr_array_new_with_free_func(g_free);
    captured->warnings = g_ptr_array_new_with_free_func(g_free);
    ocp_layer_changes(layer, from, to, captured->changes);
    g_autoptr(GString) pointer = g_string_new(NULL);
    look_for_marks(document->root, pointer, captured->warnings);
    return captured;
}

/* True if a required member of the quarry is null. */
static bool
has_null(const OcpHunt *hunt, const OcpQuarry *quarry, const OcpDocument *document)
{
    const OcpNeedles *needles = hunt->capture->needles;
    for (guint i = 0; i < needles->name_count; i++)
        if (quarry->names & (guint32)1 << i &&
            ocp_is(ocp_member(document->root, needles->names[i]), OCP_NULL))
            return true;
    return false;
}

OcpCaptured *
ocp_hunt_judge(OcpHunt *hunt, const OcpLayer *layer, gsize from, gsize to,
               guint32 names, bool schema_text)
{
    if (!ocp_hunt_spend(hunt, to - from)) {
        ocp_hunt_note(hunt, layer, from, "span-limit", NULL);
        return NULL;
    }
    const OcpLimits limits = {.depth = hunt->capture->limits.depth,
                              .bytes = hunt->capture->limits.span,
                              .alias_nodes = 0};
    g_autoptr(GBytes) bytes = g_bytes_new(layer->bytes + from, to - from);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    if (!ocp_json_read(bytes, NULL, &limits, report, &document)) {
        const OcpDiagnostic *error = first_error(report);
        ocp_hunt_note(hunt, layer, from, code_of(error), NULL);
        return NULL;
    }
    const OcpCheckOptions options = {.most = 1};
    OcpReport *why = hunt->capture->noted < MOST_EXPLAINED ? report : NULL;
    const char *code = "schema-invalid";
    for (guint i = 0; i < hunt->capture->quarries->len; i++) {
        const OcpQuarry *quarry = &g_array_index(hunt->capture->quarries, OcpQuarry, i);
        if ((names & quarry->names) != quarry->names)
            continue;
        if (ocp_schema_check(quarry->schema, document, document->root, &options, why))
            return captured_of(layer, from, to, quarry, document);
        if (has_null(hunt, quarry, document))
            code = "null-field";
    }
    g_autofree char *detail = schema_text ? NULL : detail_of(first_error(report));
    ocp_hunt_note(hunt, layer, from, schema_text ? "schema-text" : code, detail);
    return NULL;
}
