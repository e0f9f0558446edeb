/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/store.h"

#include <string.h>

#include "schema/uri.h"
#include "text/embedded.h"
#include "text/json.h"
#include "value/pointer.h"

static void
free_resource(gpointer pointer)
{
    OcpResource *resource = pointer;
    g_free(resource->uri);
    g_free(resource->schema);
    g_hash_table_unref(resource->anchors);
    g_hash_table_unref(resource->dynamics);
    g_free(resource);
}

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

OcpSchemaStore *
ocp_schema_store_new(void)
{
    OcpSchemaStore *store = g_new0(OcpSchemaStore, 1);
    store->documents = g_ptr_array_new_with_free_func(release_document);
    store->resources = g_ptr_array_new_with_free_func(free_resource);
    store->by_uri = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    store->by_root = g_hash_table_new(NULL, NULL);
    store->draft = OCP_DRAFT_2020_12;
    return store;
}

void
ocp_schema_store_free(OcpSchemaStore *store)
{
    if (store == NULL)
        return;
    g_hash_table_unref(store->by_root);
    g_hash_table_unref(store->by_uri);
    g_ptr_array_unref(store->resources);
    g_ptr_array_unref(store->documents);
    g_free(store);
}

void
ocp_schema_store_assume_draft_07(OcpSchemaStore *store)
{
    store->draft = OCP_DRAFT_07;
}

/* ---- indexing a document --------------------------------------------------------- */

OcpHolds
ocp_keyword_holds(const OcpNode *key)
{
    static const struct {
        const char *name;
        OcpHolds holds;
    } keywords[] = {{"additionalItems", OCP_HOLDS_SCHEMA},
                    {"additionalProperties", OCP_HOLDS_SCHEMA},
                    {"contains", OCP_HOLDS_SCHEMA},
                    {"else", OCP_HOLDS_SCHEMA},
                    {"if", OCP_HOLDS_SCHEMA},
                    {"not", OCP_HOLDS_SCHEMA},
                    {"propertyNames", OCP_HOLDS_SCHEMA},
                    {"then", OCP_HOLDS_SCHEMA},
                    {"contentSchema", OCP_HOLDS_SCHEMA},
                    {"unevaluatedItems", OCP_HOLDS_SCHEMA},
                    {"unevaluatedProperties", OCP_HOLDS_SCHEMA},
                    {"items", OCP_HOLDS_EITHER},
                    {"allOf", OCP_HOLDS_ARRAY},
                    {"anyOf", OCP_HOLDS_ARRAY},
                    {"oneOf", OCP_HOLDS_ARRAY},
                    {"prefixItems", OCP_HOLDS_ARRAY},
                    {"$defs", OCP_HOLDS_MAP},
                    {"definitions", OCP_HOLDS_MAP},
                    {"dependentSchemas", OCP_HOLDS_MAP},
                    {"dependencies", OCP_HOLDS_MAP},
                    {"patternProperties", OCP_HOLDS_MAP},
                    {"properties", OCP_HOLDS_MAP}};
    for (guint i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (ocp_text_is(key, keywords[i].name))
            return keywords[i].holds;
    return OCP_HOLDS_NOTHING;
}

static char *
string_member(const OcpNode *object, const char *name)
{
    const OcpNode *member = ocp_member(object, name);
    return ocp_is(member, OCP_STRING) ? ocp_text_dup(member) : NULL;
}

static OcpDraft
draft_of(const char *schema, OcpDraft otherwise)
{
    if (schema == NULL)
        return otherwise;
    return strstr(schema, "json-schema.org/draft-0") != NULL ? OCP_DRAFT_07
                                                             : OCP_DRAFT_2020_12;
}

static OcpResource *
add_resource(OcpSchemaStore *store, OcpDocument *document, const OcpNode *root,
             char *uri, OcpDraft otherwise)
{
    OcpResource *resource = g_new0(OcpResource, 1);
    g_free(ocp_uri_split_fragment(uri));
    resource->document = document;
    resource->root = root;
    resource->uri = uri;
    resource->schema = string_member(root, "$schema");
    resource->draft = draft_of(resource->schema, otherwise);
    resource->anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    resource->dynamics = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_ptr_array_add(store->resources, resource);
    g_hash_table_insert(store->by_root, (gpointer)root, resource);
    if (*uri != '\0')
        g_hash_table_insert(store->by_uri, g_strdup(uri), resource);
    return resource;
}

/* Notes the object's own names; returns the resource its children belong to. */
static OcpResource *
note_names(OcpSchemaStore *store, const OcpNode *node, OcpResource *resource)
{
    bool draft_07 = resource->draft == OCP_DRAFT_07;
    if (draft_07 && node != resource->root && ocp_member(node, "$ref") != NULL)
        return resource; /* draft-07: what stands beside $ref does not count */
    g_autofree char *id = string_member(node, "$id");
    if (id != NULL && node != resource->root && (!draft_07 || *id != '#')) {
        resource = add_resource(store, resource->document, node,
                                ocp_uri_resolve(resource->uri, id), resource->draft);
        draft_07 = resource->draft == OCP_DRAFT_07;
    }
    if (draft_07) {
        const char *hash = id != NULL ? strchr(id, '#') : NULL;
        if (hash != NULL && hash[1] != '\0' && hash[1] != '/')
            g_hash_table_insert(resource->anchors, g_strdup(hash + 1), (gpointer)node);
        return resource;
    }
    char *anchor = string_member(node, "$anchor");
    if (anchor != NULL)
        g_hash_table_insert(resource->anchors, anchor, (gpointer)node);
    char *dynamic = string_member(node, "$dynamicAnchor");
    if (dynamic != NULL) {
        g_hash_table_insert(resource->anchors, g_strdup(dynamic), (gpointer)node);
        g_hash_table_insert(resource->dynamics, dynamic, (gpointer)node);
    }
    return resource;
}

typedef struct {
    const OcpNode *node;
    OcpResource *resource;
} Visit;

static void
push_visit(GArray *stack, const OcpNode *node, OcpResource *resource)
{
    Visit visit = {node, resource};
    if (ocp_is(node, OCP_OBJECT))
        g_array_append_val(stack, visit);
}

static void
push_children(GArray *stack, const OcpNode *node, OcpResource *resource)
{
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(node); ocp_iter_member(&i, &key, &value);) {
        OcpHolds holds = ocp_keyword_holds(key);
        if (holds == OCP_HOLDS_NOTHING)
            continue;
        if (holds == OCP_HOLDS_SCHEMA || holds == OCP_HOLDS_EITHER)
            push_visit(stack, value, resource);
        if (ocp_is(value, OCP_ARRAY)) {
            const OcpNode *element;
            for (OcpIter j = ocp_iter(value); (element = ocp_iter_element(&j)) != NULL;)
                push_visit(stack, element, resource);
        } else if (holds == OCP_HOLDS_MAP && ocp_is(value, OCP_OBJECT)) {
            const OcpNode *name, *child;
            for (OcpIter j = ocp_iter(value); ocp_iter_member(&j, &name, &child);)
                push_visit(stack, child, resource);
        }
    }
}

static void
walk(OcpSchemaStore *store, OcpResource *resource)
{
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Visit));
    push_visit(stack, resource->root, resource);
    while (stack->len > 0) {
        Visit visit = g_array_index(stack, Visit, stack->len - 1);
        g_array_set_size(stack, stack->len - 1);
        push_children(stack, visit.node, note_names(store, visit.node, visit.resource));
    }
}

static bool
begins(const char *at, const char *end, const char *word)
{
    gsize size = strlen(word);
    return (gsize)(end - at) >= size && memcmp(at, word, size) == 0;
}

/* True if the text has no word for an $id but the root's, nor for an anchor, nor an
 * escape that could spell one. */
static bool
names_nothing(const OcpDocument *document, guint ids)
{
    const char *end = document->text + document->length;
    const char *at = document->text;
    for (; (at = memchr(at, '$', (gsize)(end - at))) != NULL; at++) {
        if (begins(at, end, "$anchor") || begins(at, end, "$dynamicAnchor"))
            return false;
        if (begins(at, end, "$id") && ids-- == 0)
            return false;
    }
    at = document->text;
    for (; (at = memchr(at, '\\', (gsize)(end - at))) != NULL; at += 1)
        if (begins(at, end, "\\u00"))
            return false;
    return true;
}

/* True if the root is the document's only resource. Most schemas are spared the walk.
 */
static bool
has_one_resource(const OcpDocument *document)
{
    const OcpNode *id = ocp_member(document->root, "$id");
    bool whole = document->text != NULL && !document->yaml &&
                 (document->root->flags & OCP_NODE_MADE) == 0;
    bool plain = id == NULL ||
                 (ocp_is(id, OCP_STRING) && memchr(id->as.text, '#', id->size) == NULL);
    return whole && plain && names_nothing(document, id != NULL ? 1 : 0);
}

OcpResource *
ocp_store_index(OcpSchemaStore *store, const char *uri, OcpDocument *document)
{
    OcpResource *known = ocp_store_resource(store, document->root);
    if (known == NULL) {
        g_autofree char *id = string_member(document->root, "$id");
        char *absolute = ocp_uri_resolve(uri != NULL ? uri : "", id != NULL ? id : "");
        g_ptr_array_add(store->documents, ocp_document_ref(document));
        known = add_resource(store, document, document->root, absolute, store->draft);
        if (!has_one_resource(document))
            walk(store, known);
    }
    if (uri != NULL) {
        char *plain = g_strdup(uri);
        g_free(ocp_uri_split_fragment(plain));
        g_hash_table_insert(store->by_uri, plain, known);
    }
    return known;
}

void
ocp_schema_store_add(OcpSchemaStore *store, const char *uri, OcpDocument *document)
{
    ocp_store_index(store, uri, document);
}

/* ---- finding --------------------------------------------------------------------- */

OcpResource *
ocp_store_resource(const OcpSchemaStore *store, const OcpNode *node)
{
    return g_hash_table_lookup(store->by_root, node);
}

/* http(s)://json-schema.org/X is embedded as schemas/meta/X.json. */
static OcpResource *
find_embedded(OcpSchemaStore *store, const char *uri)
{
    const char *path = g_strrstr(uri, "://json-schema.org/");
    if (path == NULL)
        return NULL;
    path += strlen("://json-schema.org/");
    g_autofree char *name = g_strdup_printf("schemas/meta/%s.json", path);
    for (const OcpEmbedded *file = ocp_embedded_files; file->name != NULL; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        static const OcpLimits limits = OCP_LIMITS_DEFAULT;
        g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpDocument *document;
        if (!ocp_json_read(bytes, name, &limits, report, &document))
            return NULL;
        OcpResource *resource = ocp_store_index(store, uri, document);
        ocp_document_unref(document);
        return resource;
    }
    return NULL;
}

OcpResource *
ocp_store_find(OcpSchemaStore *store, const char *uri)
{
    OcpResource *resource = g_hash_table_lookup(store->by_uri, uri);
    return resource != NULL ? resource : find_embedded(store, uri);
}

static const OcpNode *
step(const OcpNode *node, const char *token, gsize length)
{
    if (ocp_is(node, OCP_OBJECT) && memchr(token, '~', length) == NULL)
        return ocp_member_sized(node, token, length, NULL);
    g_autofree char *name = g_malloc(length + 1);
    gsize used = 0;
    for (gsize i = 0; i < length; i++) {
        bool escape = token[i] == '~' && i + 1 < length;
        name[used++] = !escape ? token[i] : token[i + 1] == '1' ? '/' : '~';
        i += escape ? 1 : 0;
    }
    name[used] = '\0';
    if (ocp_is(node, OCP_OBJECT))
        return ocp_member_sized(node, name, used, NULL);
    char *end;
    guint64 index = g_ascii_strtoull(name, &end, 10);
    bool good = ocp_is(node, OCP_ARRAY) && g_ascii_isdigit(*name) && *end == '\0';
    return good ? ocp_element(node, (gsize)index) : NULL;
}

/* Follows a pointer, minding the resources it walks into. */
static const OcpNode *
follow(const OcpSchemaStore *store, OcpResource **resource, const char *pointer)
{
    const OcpNode *node = (*resource)->root;
    while (*pointer == '/' && node != NULL) {
        gsize length = strcspn(pointer + 1, "/");
        node = step(node, pointer + 1, length);
        pointer += length + 1;
        OcpResource *inner = node != NULL ? ocp_store_resource(store, node) : NULL;
        if (inner != NULL)
            *resource = inner;
    }
    return node;
}

const OcpNode *
ocp_store_locate(const OcpSchemaStore *store, OcpResource *resource,
                 const char *fragment, OcpResource **ret_resource, bool *ret_dynamic)
{
    const OcpNode *node = NULL;
    if (*fragment == '\0' || *fragment == '/')
        node = follow(store, &resource, fragment);
    else
        node = g_hash_table_lookup(resource->anchors, fragment);
    if (ret_dynamic != NULL)
        *ret_dynamic = node != NULL && *fragment != '/' && *fragment != '\0' &&
                       g_hash_table_contains(resource->dynamics, fragment);
    if (node != NULL)
        *ret_resource = resource;
    return node;
}

static bool
validates(OcpSchemaStore *store, const OcpResource *resource)
{
    if (resource->schema == NULL || resource->draft == OCP_DRAFT_07 ||
        strstr(resource->schema, "://json-schema.org/draft/2020-12/schema") != NULL)
        return true;
    g_autofree char *uri = ocp_uri_resolve(resource->uri, resource->schema);
    g_free(ocp_uri_split_fragment(uri));
    OcpResource *meta = ocp_store_find(store, uri);
    const OcpNode *vocabulary =
        meta != NULL ? ocp_member(meta->root, "$vocabulary") : NULL;
    return vocabulary == NULL ||
           ocp_member(vocabulary,
                      "https://json-schema.org/draft/2020-12/vocab/validation") != NULL;
}

bool
ocp_store_validates(OcpSchemaStore *store, OcpResource *resource)
{
    resource->known_to_validate =
        resource->known_to_validate || validates(store, resource);
    return resource->known_to_validate;
}
