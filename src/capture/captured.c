/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "capture/capture.h"
#include "schema/format.h"
#include "text/json.h"

void
ocp_captured_free(OcpCaptured *captured)
{
    if (captured == NULL)
        return;
    g_bytes_unref(captured->text);
    g_free(captured->digest);
    g_free(captured->time);
    g_free(captured->wrapper);
    g_free(captured->stream);
    g_free(captured->stamp);
    g_free(captured->rpc_id);
    g_ptr_array_unref(captured->changes);
    g_ptr_array_unref(captured->warnings);
    g_free(captured);
}

static GPtrArray *
copy_texts(const GPtrArray *texts)
{
    GPtrArray *copy = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < texts->len; i++)
        g_ptr_array_add(copy, g_strdup(texts->pdata[i]));
    return copy;
}

OcpCaptured *
ocp_captured_copy(const OcpCaptured *captured)
{
    OcpCaptured *copy = g_new(OcpCaptured, 1);
    *copy = *captured;
    copy->text = g_bytes_ref(captured->text);
    copy->digest = g_strdup(captured->digest);
    copy->time = g_strdup(captured->time);
    copy->wrapper = g_strdup(captured->wrapper);
    copy->stream = g_strdup(captured->stream);
    copy->stamp = g_strdup(captured->stamp);
    copy->rpc_id = g_strdup(captured->rpc_id);
    copy->changes = copy_texts(captured->changes);
    copy->warnings = copy_texts(captured->warnings);
    return copy;
}

int
ocp_captured_compare(const OcpCaptured *a, const OcpCaptured *b)
{
    if (a->time == NULL || b->time == NULL)
        return (a->time != NULL) - (b->time != NULL);
    return ocp_format_compare_times(a->time, strlen(a->time), b->time, strlen(b->time));
}

/* ---- provenance ---------------------------------------------------------- */

static void
put_text(OcpBuilder *build, const char *name, const char *text)
{
    if (text != NULL && *text != '\0' && g_utf8_validate(text, -1, NULL))
        ocp_build_named(build, name, ocp_make_text(build->document, text));
}

/* The id of the message: a value of JSON, as it stood in the log. */
static void
put_id(OcpBuilder *build, const char *text)
{
    if (text == NULL)
        return;
    g_autoptr(OcpReport) ignored = ocp_report_new();
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpDocument) id = NULL;
    if (!ocp_json_read(bytes, NULL, NULL, ignored, &id) || ocp_is_container(id->root))
        return;
    ocp_document_borrow(build->document, id);
    ocp_build_named(build, "rpc_id", id->root);
}

static void
put_wrappers(OcpBuilder *build, const char *chain)
{
    OcpDocument *document = build->document;
    OcpBuilder list = ocp_build(document, ocp_make_array(document));
    g_auto(GStrv) links = g_strsplit(chain != NULL ? chain : "", ">", -1);
    for (guint i = 0; links[i] != NULL; i++)
        if (*links[i] != '\0')
            ocp_build_element(&list, ocp_make_text(document, links[i]));
    ocp_build_named(build, "wrappers", list.container);
}

OcpDocument *
ocp_captured_provenance(const OcpCaptured *captured, const char *name)
{
    OcpDocument *document = ocp_document_new(NULL);
    OcpBuilder build = ocp_build(document, ocp_make_object(document));
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    put_text(&build, "log", valid);
    ocp_build_named(&build, "line", ocp_make_integer(document, (gint64)captured->line));
    ocp_build_named(&build, "offset",
                    ocp_make_integer(document, (gint64)captured->offset));
    put_wrappers(&build, captured->wrapper);
    put_text(&build, "stream", captured->stream);
    put_text(&build, "time", captured->stamp);
    put_id(&build, captured->rpc_id);
    document->root = build.container;
    return document;
}
