/* SPDX-License-Identifier: Apache-2.0 */
/* Documents from bytes, and what can be asked of one. */
#include "convert/context.h"
#include "library/private.h"

static const OcpSyntax syntaxes[] = {
    [OCP_READ_AUTO] = OCP_SYNTAX_AUTO,
    [OCP_READ_JSON] = OCP_SYNTAX_JSON,
    [OCP_READ_YAML] = OCP_SYNTAX_YAML,
    [OCP_READ_LINES] = OCP_SYNTAX_NDJSON,
};

static OcpDocument **
steal_all(const GPtrArray *documents)
{
    OcpDocument **all = g_new0(OcpDocument *, (gsize)documents->len + 1);
    for (guint i = 0; i < documents->len; i++)
        all[i] = ocp_document_ref(documents->pdata[i]);
    return all;
}

/* What could not be read must not be shown where it may hold secrets; messages that
 * were in the report before are not of this text. */
static bool
read_all(const OcpConverter *converter, GBytes *text, const char *name,
         OcpSyntax syntax, OcpReport *report, GPtrArray **ret)
{
    g_autoptr(OcpReport) heard = ocp_report_new();
    bool ok = ocp_source_read(text, name, syntax, &converter->limits, heard, ret);
    if (!ok && g_bytes_get_size(text) > 0)
        ocp_redact_unread(converter->context, text, heard);
    ocp_report_move(report, heard);
    return ok;
}

bool
ocp_read_documents(OcpConverter *converter, const void *bytes, size_t size,
                   const char *name, OcpReadSyntax syntax, OcpReport *report,
                   OcpDocument ***ret)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    if ((unsigned)syntax >= G_N_ELEMENTS(syntaxes))
        return ocp_fail(report, "usage.value", "there is no such syntax to read");
    if (size > converter->limits.bytes)
        return ocp_fail(report, "io.size",
                        "the text has more than %" G_GUINT64_FORMAT " bytes",
                        converter->limits.bytes);
    if (!ocp_converter_settle(converter, report))
        return false;
    g_autoptr(GBytes) text = g_bytes_new(bytes, size);
    g_autoptr(GPtrArray) documents = NULL;
    if (!read_all(converter, text, name, syntaxes[syntax], report, &documents))
        return false;
    if (documents->len == 0)
        return ocp_fail(report, "json.empty", "the text holds no document");
    *ret = steal_all(documents);
    return true;
}

void
ocp_free_documents(OcpDocument **documents)
{
    if (documents == NULL)
        return;
    for (gsize i = 0; documents[i] != NULL; i++)
        ocp_document_unref(documents[i]);
    g_free(documents);
}

void
ocp_free_document(OcpDocument *document)
{
    if (document != NULL)
        ocp_document_unref(document);
}

void
ocp_free_text(char *text)
{
    g_free(text);
}

bool
ocp_detect_dialect(OcpConverter *converter, OcpDocument *document, OcpReport *report,
                   char **ret)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    OcpDialect *dialect = NULL;
    if (!ocp_converter_settle(converter, report) ||
        !ocp_registry_detect(converter->context->registry, document, NULL, report,
                             &dialect))
        return false;
    *ret = g_strdup(dialect->label);
    return true;
}

bool
ocp_check_document(OcpConverter *converter, OcpDocument *document, const char *from,
                   OcpReport *report)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    return ocp_converter_settle(converter, report) &&
           ocp_check(converter->context, document, from, report, NULL);
}
