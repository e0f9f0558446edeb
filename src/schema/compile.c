/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/compile.h"

#include <string.h>

#include "schema/uri.h"

bool
ocp_compile_fail(OcpCompiler *compiler, const OcpNode *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ocp_fail_at(compiler->report, compiler->resource->document, node->place,
                       "schema.compile", "%s", message);
}

const char *
ocp_compile_text(OcpCompiler *compiler, const OcpNode *node, gsize *length)
{
    gsize size;
    const char *text = ocp_text(node, compiler->schema->arena, &size);
    if (length != NULL)
        *length = size;
    return ocp_arena_copy(compiler->schema->arena, text, size);
}

static void
free_regexp(gpointer regexp)
{
    ocp_regexp_free(regexp);
}

static void
free_scope(gpointer pointer)
{
    OcpScope *scope = pointer;
    g_hash_table_unref(scope->dynamics);
    g_free(scope);
}

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

static OcpScope *
scope_of(OcpCompiler *compiler, OcpResource *resource)
{
    OcpScope *scope = g_hash_table_lookup(compiler->scopes, resource);
    if (scope != NULL)
        return scope;
    scope = g_new0(OcpScope, 1);
    scope->dynamics = g_hash_table_new(g_str_hash, g_str_equal);
    g_ptr_array_add(compiler->schema->scopes, scope);
    g_hash_table_insert(compiler->scopes, resource, scope);
    if (!g_ptr_array_find(compiler->schema->documents, resource->document, NULL))
        g_ptr_array_add(compiler->schema->documents,
                        ocp_document_ref(resource->document));

    /* Whoever enters this resource may be sent to any of its dynamic anchors. */
    GHashTableIter iter;
    gpointer name, node;
    g_hash_table_iter_init(&iter, resource->dynamics);
    while (g_hash_table_iter_next(&iter, &name, &node)) {
        char *kept = ocp_arena_copy(compiler->schema->arena, name, strlen(name));
        g_hash_table_insert(scope->dynamics, kept,
                            ocp_compile_child(compiler, node, resource));
    }
    return scope;
}

/* The slot that holds the node's subschema, or would. */
static OcpSub **
slot_of(const OcpCompiler *compiler, const OcpNode *node)
{
    guint64 hash =
        (guint64)GPOINTER_TO_SIZE(node) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    gsize at = (gsize)(hash >> 32) & (compiler->slots - 1);
    while (compiler->subs[at] != NULL && compiler->subs[at]->node != node)
        at = (at + 1) & (compiler->slots - 1);
    return &compiler->subs[at];
}

static void
grow_slots(OcpCompiler *compiler)
{
    compiler->slots = MAX(compiler->slots * 2, 512);
    g_free(compiler->subs);
    compiler->subs = g_new0(OcpSub *, compiler->slots);
    for (guint i = 0; i < compiler->pending->len; i++) {
        OcpSub *sub = g_array_index(compiler->pending, OcpPending, i).sub;
        *slot_of(compiler, sub->node) = sub;
    }
}

OcpSub *
ocp_compile_child(OcpCompiler *compiler, const OcpNode *node, OcpResource *resource)
{
    if ((gsize)compiler->pending->len * 2 >= compiler->slots)
        grow_slots(compiler);
    OcpSub **slot = slot_of(compiler, node);
    OcpSub *sub = *slot;
    if (sub != NULL)
        return sub;
    OcpResource *own = ocp_store_resource(compiler->store, node);
    sub = ocp_arena_new_of(compiler->schema->arena, OcpSub);
    memset(sub, 0, sizeof *sub);
    sub->node = node;
    *slot = sub;
    OcpPending pending = {sub, own != NULL ? own : resource};
    g_array_append_val(compiler->pending, pending);
    return sub;
}

static void
set_defaults(OcpSub *sub)
{
    sub->max_length = G_MAXUINT64;
    sub->max_items = G_MAXUINT64;
    sub->max_properties = G_MAXUINT64;
    sub->min_contains = 1;
    sub->max_contains = G_MAXUINT64;
}

static bool
read_sub(OcpCompiler *compiler, const OcpPending *pending)
{
    OcpSub *sub = pending->sub;
    const OcpNode *node = sub->node;
    compiler->resource = pending->resource;
    compiler->node = node;
    OcpScope *scope = scope_of(compiler, pending->resource);
    sub->scope = g_hash_table_size(scope->dynamics) > 0 ? scope : NULL;
    set_defaults(sub);
    if (node->kind == OCP_TRUE || node->kind == OCP_FALSE) {
        sub->never = node->kind == OCP_FALSE;
        sub->trivial = node->kind == OCP_TRUE;
        return true;
    }
    if (node->kind != OCP_OBJECT)
        return ocp_compile_fail(compiler, node, "a schema is an object or a boolean");
    sub->trivial = node->size == 0;
    bool good = ocp_compile_keywords(compiler, sub);
    ocp_sub_note_uses(sub);
    return good;
}

void
ocp_sub_note_uses(OcpSub *sub)
{
    bool number = sub->multiple_of != NULL || sub->minimum != NULL ||
                  sub->maximum != NULL || sub->exclusive_minimum != NULL ||
                  sub->exclusive_maximum != NULL;
    bool string = sub->min_length > 0 || sub->max_length != G_MAXUINT64 ||
                  sub->regexp != NULL || sub->format != OCP_FORMAT_NONE;
    bool array = sub->min_items > 0 || sub->max_items != G_MAXUINT64 ||
                 sub->unique_items || sub->prefix.count > 0 || sub->items != NULL ||
                 sub->contains != NULL;
    bool object = sub->min_properties > 0 || sub->max_properties != G_MAXUINT64 ||
                  sub->names.count > 0 || sub->pattern_count > 0 ||
                  sub->additional != NULL || sub->property_names != NULL;
    bool logic = sub->ref != NULL || sub->dynamic_ref != NULL ||
                 sub->all_of.count > 0 || sub->any_of.count > 0 ||
                 sub->one_of.count > 0 || sub->not_sub != NULL || sub->if_sub != NULL;
    bool values = sub->constant != NULL || sub->values.nodes != NULL;
    sub->uses = (values ? OCP_USES_VALUES : 0u) | (number ? OCP_USES_NUMBER : 0u) |
                (string ? OCP_USES_STRING : 0u) | (array ? OCP_USES_ARRAY : 0u) |
                (object ? OCP_USES_OBJECT : 0u) | (logic ? OCP_USES_LOGIC : 0u);
}

void
ocp_sub_note_decides(OcpSub *sub)
{
    const OcpName *name = sub->names.names;
    bool only_names = sub->uses == OCP_USES_OBJECT && sub->types == 0 &&
                      sub->pattern_count == 0 && sub->additional == NULL &&
                      sub->property_names == NULL && sub->min_properties == 0 &&
                      sub->max_properties == G_MAXUINT64 && !sub->unevaluated &&
                      sub->names.count == 1 && !sub->names.has_dependents;
    if (only_names && name->required && name->sub != NULL && name->sub->types == 0 &&
        name->sub->uses == OCP_USES_VALUES)
        sub->decides = name;
}

static void
find_choices(OcpCompiler *compiler)
{
    for (guint i = 0; i < compiler->pending->len; i++) {
        OcpSub *sub = g_array_index(compiler->pending, OcpPending, i).sub;
        ocp_choice_find(&sub->any_of, compiler->schema->arena, &sub->any_choice);
        ocp_choice_find(&sub->one_of, compiler->schema->arena, &sub->one_choice);
        ocp_sub_note_decides(sub);
    }
}

static bool
read_all(OcpCompiler *compiler)
{
    for (guint i = 0; i < compiler->pending->len; i++) {
        OcpPending pending = g_array_index(compiler->pending, OcpPending, i);
        if (!read_sub(compiler, &pending))
            return false;
    }
    find_choices(compiler);
    return true;
}

static OcpSchema *
new_schema(void)
{
    OcpSchema *schema = g_new0(OcpSchema, 1);
    schema->arena = ocp_arena_new();
    schema->documents = g_ptr_array_new_with_free_func(release_document);
    schema->regexps = g_ptr_array_new_with_free_func(free_regexp);
    schema->scopes = g_ptr_array_new_with_free_func(free_scope);
    return schema;
}

bool
ocp_schema_load(OcpSchemaStore *store, OcpDocument *document, const char *fragment,
                OcpReport *report, OcpSchema **ret)
{
    OcpResource *resource = ocp_store_index(store, NULL, document);
    bool hash = fragment != NULL && *fragment == '#';
    g_autofree char *uri = g_strdup_printf("#%s", hash               ? fragment + 1
                                                  : fragment != NULL ? fragment
                                                                     : "");
    g_autofree char *name = ocp_uri_split_fragment(uri);
    const OcpNode *node = ocp_store_locate(store, resource, name, &resource, NULL);
    if (node == NULL)
        return ocp_fail_at(report, document, document->root->place, "schema.compile",
                           "the schema has no \"%s\"", fragment);
    g_autoptr(OcpSchema) schema = new_schema();
    OcpCompiler compiler = {.store = store,
                            .schema = schema,
                            .report = report,
                            .scopes = g_hash_table_new(NULL, NULL),
                            .pending = g_array_new(FALSE, FALSE, sizeof(OcpPending))};
    schema->root = ocp_compile_child(&compiler, node, resource);
    bool good = read_all(&compiler);
    g_free(compiler.subs);
    g_hash_table_unref(compiler.scopes);
    g_array_unref(compiler.pending);
    if (good)
        *ret = g_steal_pointer(&schema);
    return good;
}

void
ocp_schema_free(OcpSchema *schema)
{
    if (schema == NULL)
        return;
    g_ptr_array_unref(schema->regexps);
    g_ptr_array_unref(schema->scopes);
    g_ptr_array_unref(schema->documents);
    ocp_arena_free(schema->arena);
    g_free(schema);
}
