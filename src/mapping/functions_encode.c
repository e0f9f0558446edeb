/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of encodings: parse_json, canonical, digest, file_uri.
 */
#include <string.h>

#include "mapping/functions.h"
#include "text/canonical.h"
#include "text/json.h"

/* The value of a strict JSON text, absent if it is none. */
OCP_FUNCTION_ONE(parse_json)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    g_autoptr(OcpDocument) document = NULL;
    if (!ocp_span(node, false, &span))
        return NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(span.text, span.length);
    g_autoptr(OcpReport) report = ocp_report_new();
    if (!ocp_json_read(bytes, NULL, &limits, report, &document)) {
        ocp_steer(call->eval, node);
        return NULL;
    }
    const OcpNode *made = ocp_make_copy(call->eval->made, document->root);
    ocp_call_derive_all(call, made, node);
    return made;
}

OCP_FUNCTION_ONE(canonical)
{
    const OcpNode *node = ocp_call_one(call, 0);
    const OcpNode *style = ocp_call_ast(call, 1)->as.literal;
    if (node == NULL)
        return NULL;
    OcpCanonicalNumbers numbers = ocp_text_is(style, "text")     ? OCP_CANONICAL_TEXT
                                  : ocp_text_is(style, "python") ? OCP_CANONICAL_PYTHON
                                                                 : OCP_CANONICAL_VALUE;
    g_autoptr(GString) text = g_string_new(NULL);
    const OcpNode *shown =
        call->eval->visible != NULL ? call->eval->visible(call->eval, node) : node;
    ocp_canonical_append(shown, numbers, text);
    return ocp_call_text(call, node, text->str, text->len);
}

/* SHA-256 of a text's UTF-8, in hexadecimal. */
OCP_FUNCTION_ONE(digest)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(node, false, &span))
        return NULL;
    g_autofree char *digest = ocp_sha256(span.text, span.length);
    return ocp_call_text(call, node, digest, strlen(digest));
}

/* The file: URI of an absolute path (RFC 8089), absent for any other. */
OCP_FUNCTION_ONE(file_uri)
{
    const OcpNode *node = ocp_call_one(call, 0);
    g_auto(OcpSpan) span = OCP_SPAN_NONE;
    if (!ocp_span(node, false, &span) || span.length == 0 || span.text[0] != '/')
        return NULL;
    g_autoptr(GString) uri = g_string_new("file://");
    for (gsize i = 0; i < span.length; i++) {
        char letter = span.text[i];
        bool plain = letter != '\0' && strchr("-._~!$&'()*+,;=:@/", letter) != NULL;
        if (plain || g_ascii_isalnum(letter))
            g_string_append_c(uri, letter);
        else
            g_string_append_printf(uri, "%%%02X", (guchar)letter);
    }
    return ocp_call_text(call, node, uri->str, uri->len);
}
