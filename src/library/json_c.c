/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bridge to json-c, over public types. A document made of a json-c value is written
 * and read again, so that it is a document like any other: a text with places in it.
 */
#include "convert/ocp_json.h"
#include "library/ocp_json.h"
#include "library/private.h"
#include "text/json.h"

bool
ocp_document_to_json_c(OcpDocument *document, OcpReport *report,
                       struct json_object **ret)
{
    g_autoptr(OcpReport) own = NULL;
    return ocp_json_to_object(document, NULL, ocp_hear(report, &own), ret);
}

bool
ocp_document_from_json_c(struct json_object *object, const char *name,
                         OcpReport *report, OcpDocument **ret)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    g_autoptr(OcpDocument) made = NULL;
    if (!ocp_json_from_object(object, name, report, &made))
        return false;
    GString *text = g_string_new(NULL);
    ocp_json_write(made->root, false, text);
    g_string_append_c(text, '\n');
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(text);
    g_autoptr(GPtrArray) documents = NULL;
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    if (!ocp_source_read(bytes, name, OCP_SYNTAX_JSON, &limits, report, &documents))
        return false;
    *ret = ocp_document_ref(documents->pdata[0]);
    return true;
}
