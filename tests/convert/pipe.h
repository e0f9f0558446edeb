/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * One document through the pipe, for tests of mappings: what came out, what was said,
 * and short questions about it.
 */
#include <string.h>

#include "convert/convert.h"
#include "support.h"
#include "text/json.h"
#include "value/pointer.h"

enum { PIPE_TIME = 1790000000 /* of the file: 2026-09-21T14:13:20Z */ };

typedef struct {
    OcpContext *context;
    OcpReport *report;
    OcpDocument *source;
    OcpOutcome *outcome;
    OcpDocument *result;
    bool ok;
} Pipe;

/* One for the whole program: schemas and mappings are compiled once, not once a
 * document. It lives as long as the program. */
static inline OcpContext *
pipe_context(void)
{
    static OcpContext *context;
    if (context == NULL)
        context = ocp_context_new();
    return context;
}

/* Set for the long run: everything, where the ordinary run takes a sample. */
static inline bool
pipe_is_long(void)
{
    const char *text = g_getenv("OCP_LONG");
    return text != NULL && *text != '\0' && strcmp(text, "0") != 0;
}

static inline void
pipe_free(Pipe *pipe)
{
    ocp_outcome_free(pipe->outcome);
    ocp_document_unref(pipe->source);
    ocp_document_unref(pipe->result);
    ocp_report_free(pipe->report);
    if (pipe->context != pipe_context())
        ocp_context_free(pipe->context);
    g_free(pipe);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pipe, pipe_free)

static inline OcpDocument *
pipe_read(GBytes *bytes, const char *name, OcpReport *report)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GPtrArray) documents = NULL;
    if (!ocp_source_read(bytes, name, OCP_SYNTAX_AUTO, &limits, report, &documents) ||
        documents->len == 0)
        return NULL;
    return ocp_document_ref(documents->pdata[0]);
}

static inline OcpOrigin
pipe_origin(const char *name)
{
    OcpOrigin origin = {.name = name, .modified = PIPE_TIME, .epoch = -1};
    return origin;
}

/* Converts; options may be NULL. Fails nothing: see ok and the report. */
static inline Pipe *
pipe_run(GBytes *bytes, const char *name, const char *to,
         const OcpConvertOptions *options)
{
    Pipe *pipe = g_new0(Pipe, 1);
    pipe->context = pipe_context();
    pipe->report = ocp_report_new();
    pipe->source = pipe_read(bytes, name, pipe->report);
    OcpOrigin origin = pipe_origin(name);
    OcpConvertOptions own = {0};
    if (options != NULL)
        own = *options;
    own.to = to;
    pipe->ok = pipe->source != NULL && ocp_convert(pipe->context, pipe->source, &origin,
                                                   &own, pipe->report, &pipe->outcome);
    if (pipe->ok)
        pipe->result = pipe_read(pipe->outcome->text, "result", pipe->report);
    return pipe;
}

static inline GBytes *
pipe_quoted(const char *text)
{
    char *json = g_strdelimit(g_strdup(text), "'", '"');
    return g_bytes_new_take(json, strlen(json));
}

/* The text in single quotes, converted without options; fails the test if it cannot. */
static inline Pipe *
pipe_text(const char *text, const char *to)
{
    g_autoptr(GBytes) bytes = pipe_quoted(text);
    Pipe *pipe = pipe_run(bytes, "test.json", to, NULL);
    for (guint i = 0; !pipe->ok && i < pipe->report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = pipe->report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            ocp_test_fail("%s: %s", diagnostic->pointer, diagnostic->message);
    }
    CU_ASSERT_FATAL(pipe->ok && pipe->result != NULL);
    return pipe;
}

static inline char *
pipe_json(const OcpNode *node)
{
    if (node == NULL)
        return g_strdup("-");
    GString *text = g_string_new(NULL);
    ocp_json_write(node, true, text);
    return g_strdelimit(g_string_free(text, FALSE), "\"", '\'');
}

/* The element of an array of model objects or rows whose member has that text. */
static inline const OcpNode *
pipe_element(const OcpNode *array, const char *member, const char *text)
{
    OcpIter iter = ocp_iter(array);
    for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
        if (ocp_text_is(ocp_member(element, member), text))
            return element;
    return NULL;
}

/* The object of the model with that id in a collection ("/operations"). */
static inline const OcpNode *
pipe_object(const Pipe *pipe, const char *collection, const char *id)
{
    return pipe_element(ocp_pointer_find(pipe->result->root, collection), "id", id);
}

/* What stands at the pointer below node is that compact JSON in single quotes; "-" for
 * nothing. */
static inline void
pipe_is(const OcpNode *node, const char *pointer, const char *expected)
{
    g_autofree char *found =
        pipe_json(node != NULL ? ocp_pointer_find(node, pointer) : NULL);
    CU_ASSERT_STRING_EQUAL(found, expected);
    if (strcmp(found, expected) != 0)
        ocp_test_fail("%s: %s, not %s", pointer, found, expected);
}

static inline void
pipe_has(const Pipe *pipe, const char *pointer, const char *expected)
{
    pipe_is(pipe->result->root, pointer, expected);
}

/* The leaf of an account at that pointer, or NULL. */
static inline const OcpLeaf *
pipe_leaf(const OcpAccount *account, const char *pointer)
{
    for (guint i = 0; account != NULL && i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (strcmp(leaf->pointer, pointer) == 0)
            return leaf;
    }
    return NULL;
}

/* Checks the text as a document of its dialect; faults of that severity or worse fail.
 */
static inline void
pipe_check(OcpContext *context, GBytes *text, const char *name, OcpSeverity least)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(text, name, report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    ocp_check(context, document, NULL, report, NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR ||
            (least == OCP_WARNING && diagnostic->severity == OCP_WARNING))
            ocp_test_fail("%s: %s: %s [%s]", name, diagnostic->pointer,
                          diagnostic->message, diagnostic->code);
    }
}
