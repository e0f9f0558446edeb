/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The leaves of templates while they are compiled: names in scope, expressions, texts
 * with expressions in them.
 */
#include <string.h>

#include "mapping/spelling.h"
#include "mapping/template_private.h"

/* A name in scope. */
typedef struct {
    char *name;
    guint slot;
    OcpExprType type;
} ScopeName;

static void
clear_part(gpointer pointer)
{
    OcpTextPart *part = pointer;
    g_free(part->literal);
    ocp_expr_free(part->expr);
}

/* ---- names ------------------------------------------------------------------ */

GArray *
ocp_template_scope_new(void)
{
    return g_array_new(FALSE, TRUE, sizeof(ScopeName));
}

static bool
scope_name(const char *name, gsize length, guint *ret_slot, OcpExprType *ret_type,
           gpointer data)
{
    const OcpTemplateLoad *load = data;
    for (guint i = load->scope->len; i-- > 0;) {
        const ScopeName *entry = &g_array_index(load->scope, ScopeName, i);
        if (strlen(entry->name) == length && memcmp(entry->name, name, length) == 0) {
            *ret_slot = entry->slot;
            *ret_type = entry->type;
            return true;
        }
    }
    return false;
}

static const OcpTable *
scope_table(const char *name, gsize length, gpointer data)
{
    const OcpTemplateLoad *load = data;
    g_autofree char *key = g_strndup(name, length);
    return load->tables != NULL ? g_hash_table_lookup(load->tables, key) : NULL;
}

/* For "did you mean": the n-th name in scope, the n-th table. */
static const char *
scope_nth_name(guint n, gpointer data)
{
    const OcpTemplateLoad *load = data;
    return n < load->scope->len ? g_array_index(load->scope, ScopeName, n).name : NULL;
}

static const char *
scope_nth_table(guint n, gpointer data)
{
    const OcpTemplateLoad *load = data;
    GHashTableIter iter;
    gpointer name = NULL;
    if (load->tables == NULL)
        return NULL;
    g_hash_table_iter_init(&iter, load->tables);
    for (guint i = 0; i <= n; i++)
        if (!g_hash_table_iter_next(&iter, &name, NULL))
            return NULL;
    return name;
}

guint
ocp_template_name(OcpTemplateLoad *load, const OcpNode *name, OcpExprType type)
{
    ScopeName entry = {ocp_text_dup(name), load->slots++, type};
    g_array_append_val(load->scope, entry);
    return entry.slot;
}

void
ocp_template_unname(OcpTemplateLoad *load, guint depth)
{
    while (load->scope->len > depth) {
        g_free(g_array_index(load->scope, ScopeName, load->scope->len - 1).name);
        g_array_set_size(load->scope, load->scope->len - 1);
    }
}

/* ---- expressions and texts ---------------------------------------------------- */

/* A text without escapes, as a JSON reader leaves them. */
static const OcpNode *
decoded(OcpTemplateLoad *load, const OcpNode *node)
{
    if (!ocp_is(node, OCP_STRING) || !(node->flags & OCP_NODE_ESCAPED))
        return node;
    gsize length;
    OcpNode *plain = ocp_arena_new_of(load->arena, OcpNode);
    *plain =
        *node; /* in the mapping's arena: another thread may be reading the document */
    plain->flags = OCP_NODE_MADE | OCP_NODE_PLACED;
    plain->as.text = ocp_text(node, load->arena, &length);
    plain->size = (guint32)length;
    return plain;
}

/* Moves the last diagnostic from the one line of the expression to the mapping file. */
static void
relocate(OcpTemplateLoad *load, const OcpNode *node, const char *line, gsize start)
{
    GPtrArray *diagnostics = load->report->diagnostics;
    OcpDiagnostic *diagnostic = diagnostics->pdata[diagnostics->len - 1];
    gsize offset =
        (gsize)(g_utf8_offset_to_pointer(line, MAX(diagnostic->column, 1) - 1) - line);
    g_clear_pointer(&diagnostic->file, g_free);
    ocp_diagnostic_locate(diagnostic, load->document,
                          ocp_spelling_place(load->document, node, start + offset));
    char *hint = ocp_spelling_hint(load->document, node);
    if (hint != NULL) {
        g_free(diagnostic->hint);
        diagnostic->hint = hint;
    }
}

/* Compiles the expression that stands at start in the node's text. Its errors are
 * located in a line of its own first: an expression may be folded over several. */
static bool
load_expr_text(OcpTemplateLoad *load, const OcpNode *node, gsize start, gsize length,
               bool condition, OcpExpr **ret)
{
    const char *text = node->as.text + start;
    g_autofree char *line = g_malloc(length + 1);
    for (gsize i = 0; i < length; i++)
        line[i] = (guchar)text[i] < ' ' ? ' ' : text[i];
    line[length] = '\0';
    OcpDocument alone = {.text = line, .length = length};
    OcpExprScope scope = {.condition = condition,
                          .name = scope_name,
                          .table = scope_table,
                          .nth_name = scope_nth_name,
                          .nth_table = scope_nth_table,
                          .data = load,
                          .document = &alone,
                          .arena = load->arena};
    if (ocp_expr_load(text, length, &scope, load->report, ret))
        return true;
    relocate(load, node, line, start);
    g_free(alone.marks);
    return false;
}

static bool
load_expr(OcpTemplateLoad *load, const OcpNode *node, bool condition, OcpExpr **ret)
{
    if (!ocp_is(node, OCP_STRING))
        return ocp_fail_at(load->report, load->document, node->place,
                           "mapping.template", "expected an expression, found %s",
                           ocp_kind_name(node->kind));
    node = decoded(load, node);
    gsize skip = node->size > 0 && node->as.text[0] == '=' ? 1 : 0;
    return load_expr_text(load, node, skip, node->size - skip, condition, ret);
}

bool
ocp_template_load_expr(OcpTemplateLoad *load, const OcpNode *node, OcpExpr **ret)
{
    return load_expr(load, node, false, ret);
}

bool
ocp_template_load_condition(OcpTemplateLoad *load, const OcpNode *node, OcpExpr **ret)
{
    return load_expr(load, node, true, ret);
}

/* Fails at a character of a text. */
static bool
fail_in(OcpTemplateLoad *load, const OcpNode *node, gsize offset, const char *message)
{
    return ocp_fail_at(load->report, load->document,
                       ocp_spelling_place(load->document, node, offset),
                       "mapping.template", "%s", message);
}

/* The end of the expression that starts at text[at]: its closing brace, quotes obeyed.
 */
static gsize
placeholder_end(const char *text, gsize length, gsize at)
{
    char quote = '\0';
    for (; at < length; at++) {
        if (quote != '\0') {
            if (text[at] == '\\')
                at++;
            else if (text[at] == quote)
                quote = '\0';
        } else if (text[at] == '"' || text[at] == '\'') {
            quote = text[at];
        } else if (text[at] == '}') {
            return at;
        }
    }
    return length;
}

static void
add_literal(GArray *parts, GString *literal)
{
    if (literal->len == 0)
        return;
    OcpTextPart part = {g_strndup(literal->str, literal->len), literal->len, NULL};
    g_array_append_val(parts, part);
    g_string_truncate(literal, 0);
}

/* Splits "a {expr} b"; {{ and }} are braces. */
bool
ocp_template_load_parts(OcpTemplateLoad *load, const OcpNode *node, GArray **ret)
{
    GArray *parts = g_array_new(FALSE, TRUE, sizeof(OcpTextPart));
    g_array_set_clear_func(parts, clear_part);
    *ret = parts;
    node = decoded(load, node);
    const char *text = node->as.text;
    g_autoptr(GString) literal = g_string_new(NULL);
    for (gsize i = 0; i < node->size; i++) {
        bool brace = text[i] == '{' || text[i] == '}';
        if (brace && i + 1 < node->size && text[i + 1] == text[i]) {
            g_string_append_c(literal, text[i++]);
        } else if (text[i] == '}') {
            return fail_in(load, node, i, "a lone } in a text; write }} for a brace");
        } else if (text[i] == '{') {
            gsize end = placeholder_end(text, node->size, i + 1);
            if (end == node->size)
                return fail_in(load, node, i,
                               "a { without its }; write {{ for a brace");
            add_literal(parts, literal);
            OcpTextPart part = {NULL, 0, NULL};
            if (!load_expr_text(load, node, i + 1, end - i - 1, false, &part.expr))
                return false;
            g_array_append_val(parts, part);
            i = end;
        } else {
            g_string_append_c(literal, text[i]);
        }
    }
    add_literal(parts, literal);
    return true;
}

bool
ocp_template_has_brace(const OcpNode *text)
{
    return memchr(text->as.text, '{', text->size) != NULL ||
           memchr(text->as.text, '}', text->size) != NULL;
}
