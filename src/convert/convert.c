/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert/context.h"
#include "convert/returns.h"
#include "convert/route.h"
#include "mapping/describe.h"
#include "mapping/read.h"
#include "mapping/write.h"
#include "schema/format.h"
#include "text/canonical.h"
#include "text/json.h"
#include "value/equal.h"

/* One conversion on its way. */
typedef struct {
    OcpContext *context;
    OcpDocument *document;
    const OcpOrigin *origin;
    const OcpConvertOptions *options;
    OcpReport *report;
    OcpPrepared from;
    OcpPrepared to;
    OcpOutcome *outcome;
    OcpDocument *model;
    OcpDocument *result; /* of a dialect, where the way back must be gone; or NULL */
} Conversion;

static bool
wants_yaml(const OcpConvertOptions *options)
{
    return options->syntax == OCP_SYNTAX_YAML;
}

/* ---- options ------------------------------------------------------------------------ */

static bool
check_options(const Conversion *conversion, bool to_itself)
{
    const OcpConvertOptions *options = conversion->options;
    if (to_itself && (options->id != NULL || options->created_at != NULL))
        return ocp_fail(conversion->report, "usage.identity",
                        "opencheckpoint to opencheckpoint changes nothing: --id and "
                        "--created-at cannot be given");
    if (options->created_at != NULL &&
        !ocp_format_date_time(options->created_at, strlen(options->created_at)))
        return ocp_fail(conversion->report, "usage.time",
                        "--created-at: expected an RFC 3339 time like "
                        "2026-01-31T12:00:00Z, found \"%s\"",
                        options->created_at);
    if (options->id != NULL && (*options->id == '\0' || strlen(options->id) > 256))
        return ocp_fail(conversion->report, "usage.id",
                        "--id: expected a text of 1 to 256 characters");
    return true;
}

static bool
find_target(Conversion *conversion)
{
    OcpContext *context = conversion->context;
    OcpPrepared *to = &conversion->to;
    const char *label =
        conversion->options->to != NULL ? conversion->options->to : "opencheckpoint";
    return ocp_registry_find(context->registry, label, conversion->report,
                             &to->dialect) &&
           ocp_dialect_schema(context->registry, to->dialect, conversion->report,
                              &to->schema) &&
           ocp_dialect_mapping(context->registry, to->dialect, conversion->report,
                               &to->mapping);
}

/* ---- the text that goes out ----------------------------------------------------------- */

static GBytes *
compact(const OcpDocument *document)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(document->root, true, text);
    g_string_append_c(text, '\n');
    return g_string_free_to_bytes(text);
}

/* YAML is read back too: what is in the text must be the value, numbers by exact value. */
static bool
yaml_text(Conversion *conversion, const OcpDocument *document, GBytes **ret)
{
    GString *text = g_string_new(NULL);
    ocp_yaml_write(document->root, conversion->report, text);
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(text);
    g_autoptr(GPtrArray) documents = NULL;
    g_autoptr(OcpReport) quiet = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    bool same = ocp_yaml_read(bytes, NULL, &limits, quiet, &documents) &&
                documents->len == 1;
    OcpDocument *back = same ? documents->pdata[0] : NULL;
    same = same && ocp_settle_plain(back, conversion->to.mapping->yaml) &&
           ocp_equal_value(back->root, document->root);
    if (!same)
        return ocp_fail(conversion->report, "fault.yaml",
                        "the YAML written does not read back to the same value");
    *ret = g_steal_pointer(&bytes);
    return true;
}

static bool
put_text(Conversion *conversion, OcpDocument *document, GBytes *json)
{
    OcpOutcome *outcome = conversion->outcome;
    if (wants_yaml(conversion->options))
        return yaml_text(conversion, document, &outcome->text);
    if (conversion->options->syntax == OCP_SYNTAX_NDJSON)
        outcome->text = compact(document);
    else
        outcome->text = g_bytes_ref(json);
    return true;
}

/* ---- faults of what we made ------------------------------------------------------------ */

/* Faults in a result are ours, unless the source forces them: then they are warnings. */
static bool
judge(Conversion *conversion, const OcpPrepared *as, OcpDocument *document, bool forced,
      const char *what)
{
    g_autoptr(OcpReport) faults = ocp_report_new();
    bool sound = ocp_check_prepared(as, document, forced, forced, faults);
    if (sound || forced) {
        conversion->outcome->faulty |= !sound;
        ocp_report_soften(faults, NULL);
        ocp_report_move(conversion->report, faults);
        return true;
    }
    const OcpDiagnostic *first = NULL;
    for (guint i = 0; i < faults->diagnostics->len && first == NULL; i++) {
        const OcpDiagnostic *diagnostic = faults->diagnostics->pdata[i];
        first = diagnostic->severity == OCP_ERROR ? diagnostic : NULL;
    }
    ocp_fail(conversion->report, "fault.output", "%s would not be valid: %s: %s", what,
             first != NULL && first->pointer != NULL ? first->pointer : "",
             first != NULL ? first->message : "");
    OcpDiagnostic *said =
        conversion->report->diagnostics->pdata[conversion->report->diagnostics->len - 1];
    said->file = g_strdup(conversion->document->name);
    said->pointer = g_strdup(first != NULL ? first->pointer : NULL);
    return false;
}

/* A route of two steps is told leaf by leaf from both. */
static bool
is_brief(const Conversion *conversion)
{
    return conversion->options->brief &&
           (ocp_dialect_is_model(conversion->from.dialect) ||
            ocp_dialect_is_model(conversion->to.dialect));
}

/* ---- reading ----------------------------------------------------------------------------- */

static char *
time_of(const OcpOrigin *origin)
{
    gint64 seconds = origin->epoch >= 0 ? origin->epoch : origin->modified;
    g_autoptr(GDateTime) time =
        seconds >= 0 ? g_date_time_new_from_unix_utc(seconds) : NULL;
    return time != NULL ? g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

static bool
check_source(Conversion *conversion)
{
    g_autoptr(OcpReport) faults = ocp_report_new();
    bool ok = ocp_check_prepared(&conversion->from, conversion->document, true, true,
                                 faults);
    if (!ok && conversion->options->lenient) {
        ocp_report_soften(faults, NULL);
        ok = true;
    }
    ocp_report_move(conversion->report, faults);
    return ok;
}

static bool
read_model(Conversion *conversion)
{
    const OcpConvertOptions *options = conversion->options;
    OcpDocument *document = conversion->document;
    OcpDialect *model = NULL;
    OcpPrepared as = {0};
    if (conversion->from.mapping->read == NULL)
        return ocp_fail(conversion->report, "convert.read",
                        "documents of %s can be checked, but not converted yet",
                        conversion->from.dialect->label);
    if (!ocp_registry_model(conversion->context->registry, conversion->report, &model) ||
        !ocp_dialect_schema(conversion->context->registry, model, conversion->report,
                            &as.schema) ||
        !ocp_dialect_mapping(conversion->context->registry, model, conversion->report,
                             &as.mapping))
        return false;
    as.dialect = model;
    g_autofree char *name = g_path_get_basename(conversion->origin->name);
    g_autofree char *digest = ocp_sha256(document->text, document->length);
    g_autofree char *fallback = time_of(conversion->origin);
    OcpFacts facts = {.name = name,
                      .size = document->length,
                      .media_type =
                          document->yaml ? "application/yaml" : "application/json",
                      .digest = digest,
                      .fallback = fallback,
                      .created_at = options->created_at,
                      .id = options->id,
                      .provenance_key = conversion->origin->provenance_key,
                      .provenance = conversion->origin->provenance,
                      .changes = conversion->origin->changes};
    OcpReadRequest request = {.mapping = conversion->from.mapping,
                              .source = document,
                              .facts = &facts,
                              .model_schema = as.schema,
                              .carry_none = options->carry_none,
                              .sensitive_keep = options->sensitive_keep,
                              .brief = is_brief(conversion)};
    g_autoptr(OcpReadResult) result = NULL;
    if (!ocp_mapping_read(&request, conversion->report, &result))
        return false;
    conversion->outcome->read = g_steal_pointer(&result->account);
    conversion->outcome->model = g_bytes_ref(result->text);
    conversion->model = ocp_document_ref(result->model);
    return judge(conversion, &as, conversion->model, options->lenient, "the model");
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Where nobody asked for a version, the one that the model carries is written. */
static bool
choose_version(Conversion *conversion)
{
    const char *label = conversion->options->to;
    OcpPrepared *to = &conversion->to;
    OcpDialect *carried = NULL;
    if (strchr(label, '@') != NULL ||
        !ocp_registry_carried(conversion->context->registry, label,
                              conversion->model->root, &carried) ||
        carried == to->dialect)
        return true;
    to->dialect = carried;
    g_free(conversion->outcome->to);
    conversion->outcome->to = g_strdup(carried->label);
    return ocp_dialect_schema(conversion->context->registry, carried, conversion->report,
                              &to->schema) &&
           ocp_dialect_mapping(conversion->context->registry, carried,
                               conversion->report, &to->mapping);
}

/* Without the source's carry in the model, and with something lost behind it, only the
 * way back tells what comes back. */
static bool
must_return(const Conversion *conversion)
{
    const OcpMapping *from = conversion->from.mapping;
    const OcpMapping *to = conversion->to.mapping;
    bool none = conversion->options->carry_none;
    return conversion->outcome->read != NULL && from->write != NULL && to->read != NULL &&
           (none || (to->open_path == NULL &&
                     ocp_carry_find(from, conversion->model->root).state !=
                         OCP_CARRY_USABLE));
}

static bool
find_model_schema(const Conversion *conversion, const OcpSchema **ret)
{
    OcpRegistry *registry = conversion->context->registry;
    OcpDialect *model = NULL;
    return ocp_registry_model(registry, conversion->report, &model) &&
           ocp_dialect_schema(registry, model, conversion->report, ret);
}

static bool
write_target(Conversion *conversion)
{
    const OcpConvertOptions *options = conversion->options;
    if (!choose_version(conversion))
        return false;
    if (conversion->to.mapping->write == NULL)
        return ocp_fail(conversion->report, "convert.write",
                        "documents of %s cannot be written yet",
                        conversion->to.dialect->label);
    const OcpSchema *model_schema = NULL;
    if (!find_model_schema(conversion, &model_schema))
        return false;
    OcpWriteRequest request = {.mapping = conversion->to.mapping,
                               .model = conversion->model,
                               .model_schema = model_schema,
                               .carry_none = options->carry_none,
                               .sensitive_keep = options->sensitive_keep,
                               .brief = is_brief(conversion)};
    g_autoptr(OcpWriteResult) result = NULL;
    if (!ocp_mapping_write(&request, conversion->report, &result))
        return false;
    conversion->outcome->write = g_steal_pointer(&result->account);
    if (must_return(conversion))
        conversion->result = ocp_document_ref(result->document);
    bool forced = !result->foreign || options->lenient;
    return judge(conversion, &conversion->to, result->document, forced, "the output") &&
           put_text(conversion, result->document, result->text);
}

/* ---- OpenCheckpoint to itself --------------------------------------------------------------- */

static bool
copy_model(Conversion *conversion)
{
    OcpDocument *document = conversion->document;
    bool yaml = wants_yaml(conversion->options);
    ocp_route_warn_sensitive(document, conversion->report);
    if (document->yaml == yaml && conversion->options->syntax != OCP_SYNTAX_NDJSON) {
        conversion->outcome->text = g_bytes_ref(document->bytes);
        return true;
    }
    g_autoptr(GBytes) json = NULL;
    GString *text = g_string_new(NULL);
    ocp_json_write(document->root, false, text);
    g_string_append_c(text, '\n');
    json = g_string_free_to_bytes(text);
    return put_text(conversion, document, json);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool
account_for_route(Conversion *conversion)
{
    const OcpConvertOptions *options = conversion->options;
    OcpOutcome *outcome = conversion->outcome;
    outcome->route = ocp_route_account(outcome, conversion->from.mapping->key);
    if (conversion->result == NULL)
        return true;
    const OcpSchema *model_schema = NULL;
    if (!find_model_schema(conversion, &model_schema))
        return false;
    g_autofree char *name = g_path_get_basename(conversion->origin->name);
    g_autofree char *fallback = time_of(conversion->origin);
    OcpReturns returns = {.from = conversion->from.mapping,
                          .to = conversion->to.mapping,
                          .source = conversion->document,
                          .result = conversion->result,
                          .model_schema = model_schema,
                          .name = name,
                          .fallback = fallback,
                          .carry_none = options->carry_none,
                          .sensitive_keep = options->sensitive_keep};
    ocp_returns_settle(&returns, outcome->route);
    return true;
}

static bool
run(Conversion *conversion)
{
    OcpOutcome *outcome = conversion->outcome;
    if (!find_target(conversion) ||
        !ocp_prepare(conversion->context, conversion->document,
                     conversion->options->from, conversion->report, &conversion->from))
        return false;
    outcome->from = g_strdup(conversion->from.dialect->label);
    outcome->to = g_strdup(conversion->to.dialect->label);
    bool from_model = ocp_dialect_is_model(conversion->from.dialect);
    bool to_model = ocp_dialect_is_model(conversion->to.dialect);
    if (!check_options(conversion, from_model && to_model) || !check_source(conversion))
        return false;
    if (from_model && to_model)
        return copy_model(conversion);
    if (from_model) {
        conversion->model = ocp_document_ref(conversion->document);
        outcome->model = g_bytes_ref(conversion->document->bytes);
    } else if (!read_model(conversion)) {
        return false;
    }
    if (to_model) {
        if (!put_text(conversion, conversion->model, outcome->model))
            return false;
    } else if (!write_target(conversion)) {
        return false;
    }
    return account_for_route(conversion);
}

static bool
accounts_close(const OcpOutcome *outcome, OcpReport *report)
{
    const OcpAccount *accounts[] = {outcome->read, outcome->write, outcome->route};
    for (gsize i = 0; i < G_N_ELEMENTS(accounts); i++)
        if (accounts[i] != NULL && !ocp_account_closes(accounts[i]))
            return ocp_fail(report, "fault.account",
                            "the account does not close: this is a fault of the program");
    return true;
}

static bool
refuse(Conversion *conversion)
{
    OcpOutcome *outcome = conversion->outcome;
    guint lost = ocp_route_unasked(outcome);
    if (!conversion->options->strict || lost == 0)
        return false;
    g_clear_pointer(&outcome->text, g_bytes_unref);
    outcome->refused = true;
    OcpDiagnostic *diagnostic = ocp_report_add(
        conversion->report, OCP_ERROR, "strict.refused",
        "refused: %u value%s would be omitted that no option asked to omit", lost,
        lost == 1 ? "" : "s");
    diagnostic->file = g_strdup(conversion->document->name);
    return true;
}

bool
ocp_convert(OcpContext *context, OcpDocument *document, const OcpOrigin *origin,
            const OcpConvertOptions *options, OcpReport *report, OcpOutcome **ret)
{
    g_autoptr(OcpOutcome) outcome = g_new0(OcpOutcome, 1);
    Conversion conversion = {.context = context,
                             .document = document,
                             .origin = origin,
                             .options = options,
                             .report = report,
                             .outcome = outcome};
    bool ok = run(&conversion) && accounts_close(outcome, report);
    ocp_document_unref(conversion.model);
    ocp_document_unref(conversion.result);
    if (!ok)
        return false;
    if (outcome->route != NULL)
        ocp_describe_losses(outcome->route, document->name, report);
    bool refused = refuse(&conversion);
    *ret = g_steal_pointer(&outcome);
    return !refused;
}

void
ocp_outcome_free(OcpOutcome *outcome)
{
    if (outcome == NULL)
        return;
    g_free(outcome->from);
    g_free(outcome->to);
    if (outcome->text != NULL)
        g_bytes_unref(outcome->text);
    if (outcome->model != NULL)
        g_bytes_unref(outcome->model);
    if (outcome->route != outcome->read && outcome->route != outcome->write)
        ocp_account_free(outcome->route);
    ocp_account_free(outcome->read);
    ocp_account_free(outcome->write);
    g_free(outcome);
}
