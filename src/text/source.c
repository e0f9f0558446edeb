/* SPDX-License-Identifier: Apache-2.0 */
#include "text/source.h"

#include <string.h>

#include "text/json.h"
#include "text/yaml.h"
#include "value/position.h"

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

static bool
read_json(GBytes *bytes, const char *name, const OcpLimits *limits, OcpReport *report,
          GPtrArray **ret)
{
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, name, limits, report, &document))
        return false;
    *ret = g_ptr_array_new_with_free_func(release_document);
    g_ptr_array_add(*ret, document);
    return true;
}

/* ---- one document a line --------------------------------------------------------- */

/* Makes a document that was read from a line one of the whole text: its spans point
 * into the same memory, only its places move. */
static void
move_places(OcpDocument *document, GBytes *bytes, guint32 offset)
{
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    for (const OcpNode *node = document->root; node != NULL;) {
        ((OcpNode *)node)->place += offset;
        const OcpNode *next = node == document->root ? NULL : node->next;
        const OcpNode *child = ocp_first_child(node);
        if (child != NULL && next != NULL)
            g_ptr_array_add(todo, (gpointer)next);
        node = child != NULL ? child : next;
        if (node == NULL && todo->len > 0)
            node = g_ptr_array_steal_index(todo, todo->len - 1);
    }
    g_bytes_unref(document->bytes);
    document->bytes = g_bytes_ref(bytes);
    document->text = g_bytes_get_data(bytes, &document->length);
}

static guint
lines_until(GBytes *bytes, gsize start)
{
    guint line = 0;
    guint column = 0;
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    ocp_position(text, length, start, &line, &column);
    return line - 1;
}

static bool
read_line(GBytes *bytes, const char *name, gsize start, gsize length,
          const OcpLimits *limits, OcpReport *report, GPtrArray *documents)
{
    g_autoptr(GBytes) line = g_bytes_new_from_bytes(bytes, start, length);
    OcpDocument *document = NULL;
    guint before = report->diagnostics->len;
    bool done = ocp_json_read(line, name, limits, report, &document);
    for (guint i = before; i < report->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        guint lines_before = lines_until(bytes, start);
        if (diagnostic->line > 0)
            diagnostic->line += lines_before;
    }
    if (!done)
        return false;
    move_places(document, bytes, (guint32)start);
    g_ptr_array_add(documents, document);
    return true;
}

static bool
is_blank(const char *text, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

static bool
read_ndjson(GBytes *bytes, const char *name, const OcpLimits *limits, OcpReport *report,
            GPtrArray **ret)
{
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    if (length >= OCP_NO_PLACE || length > limits->bytes)
        return ocp_fail(report, "json.size",
                        "%s: the text has more than %" G_GUINT64_FORMAT " bytes", name,
                        limits->bytes);
    g_autoptr(GPtrArray) documents = g_ptr_array_new_with_free_func(release_document);
    for (gsize at = 0; at < length;) {
        const char *eol = memchr(text + at, '\n', length - at);
        gsize size = eol != NULL ? (gsize)(eol - text) - at : length - at;
        if (!is_blank(text + at, size) &&
            !read_line(bytes, name, at, size, limits, report, documents))
            return false;
        at += size + 1;
    }
    if (documents->len == 0)
        return ocp_fail(report, "json.empty", "%s: the text holds no document", name);
    *ret = g_steal_pointer(&documents);
    return true;
}

/* ---- which reader ---------------------------------------------------------------- */

static bool
has_yaml_name(const char *name)
{
    if (name == NULL)
        return false;
    g_autofree char *lower = g_ascii_strdown(name, -1);
    return g_str_has_suffix(lower, ".yaml") || g_str_has_suffix(lower, ".yml");
}

/* True if the first character, blanks and a byte order mark skipped, is "{" or "[". */
static bool
begins_like_json(GBytes *bytes)
{
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    gsize at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < length && memchr(" \t\r\n", text[at], 4) != NULL)
        at++;
    return at < length && (text[at] == '{' || text[at] == '[');
}

bool
ocp_source_read(GBytes *bytes, const char *name, OcpSyntax syntax,
                const OcpLimits *limits, OcpReport *report, GPtrArray **ret)
{
    if (syntax == OCP_SYNTAX_JSON)
        return read_json(bytes, name, limits, report, ret);
    if (syntax == OCP_SYNTAX_NDJSON)
        return read_ndjson(bytes, name, limits, report, ret);
    if (syntax == OCP_SYNTAX_YAML)
        return ocp_yaml_read(bytes, name, limits, report, ret);
    if (!has_yaml_name(name))
        return begins_like_json(bytes)
                   ? read_json(bytes, name, limits, report, ret)
                   : ocp_yaml_read(bytes, name, limits, report, ret);
    g_autoptr(OcpReport) trial = ocp_report_new();
    if (!read_json(bytes, name, limits, trial, ret))
        return ocp_yaml_read(bytes, name, limits, report, ret);
    ocp_report_move(report, trial);
    return true;
}
