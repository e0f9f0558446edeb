/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a schema says of members by their names: properties, required, and the keywords
 * for dependencies, in one table.
 */
#include <string.h>

#include "schema/compile.h"

typedef struct {
    OcpCompiler *compiler;
    GArray *names; /* OcpName */
    GHashTable *by_text;
} Table;

static guint
hash_text(const char *text, gsize length)
{
    OcpNode node = {.kind = OCP_STRING, .size = (guint32)length, .as.text = text};
    return ocp_text_hash(&node);
}

/* Names may hold U+0000: the table is by decoded key nodes. */
static guint
hash_key(gconstpointer key)
{
    return ocp_text_hash(key);
}

static gboolean
equal_keys(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

static OcpName *
name_of(Table *table, const OcpNode *key)
{
    gpointer found = g_hash_table_lookup(table->by_text, key);
    if (found != NULL)
        return &g_array_index(table->names, OcpName, GPOINTER_TO_UINT(found) - 1);
    OcpName name = {0};
    name.text = ocp_compile_text(table->compiler, key, &name.length);
    name.hash = hash_text(name.text, name.length);
    g_array_append_val(table->names, name);
    g_hash_table_insert(table->by_text, (gpointer)key,
                        GUINT_TO_POINTER(table->names->len));
    return &g_array_index(table->names, OcpName, table->names->len - 1);
}

static bool
all_strings(const OcpNode *array)
{
    const OcpNode *element;
    for (OcpIter i = ocp_iter(array); (element = ocp_iter_element(&i)) != NULL;)
        if (element->kind != OCP_STRING)
            return false;
    return ocp_is(array, OCP_ARRAY);
}

static bool
read_properties(Table *table)
{
    OcpCompiler *compiler = table->compiler;
    const OcpNode *properties = ocp_member(compiler->node, "properties");
    if (properties == NULL)
        return true;
    if (!ocp_is(properties, OCP_OBJECT))
        return ocp_compile_fail(compiler, properties,
                                "\"properties\" must be an object");
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(properties); ocp_iter_member(&i, &key, &value);) {
        OcpSub *sub = ocp_compile_child(compiler, value, compiler->resource);
        name_of(table, key)->sub = sub;
    }
    return true;
}

static bool
read_required(Table *table)
{
    const OcpNode *required = ocp_member(table->compiler->node, "required");
    if (required == NULL)
        return true;
    if (!all_strings(required))
        return ocp_compile_fail(table->compiler, required,
                                "\"required\" must be an array of names");
    const OcpNode *element;
    for (OcpIter i = ocp_iter(required); (element = ocp_iter_element(&i)) != NULL;)
        name_of(table, element)->required = true;
    return true;
}

static void
set_needs(OcpName *name, const OcpNode *array, const char *keyword, OcpArena *arena)
{
    const OcpNode **nodes = ocp_arena_take(arena, (array->size + 1) * sizeof *nodes);
    const OcpNode *element;
    name->needs.nodes = nodes;
    name->needs.count = 0;
    name->needs_keyword = keyword;
    for (OcpIter i = ocp_iter(array); (element = ocp_iter_element(&i)) != NULL;)
        nodes[name->needs.count++] = element;
}

/* dependencies (draft-07) holds both kinds, dependentRequired and -Schemas one each. */
static bool
read_dependencies(Table *table, const char *keyword, bool *has_dependents)
{
    OcpCompiler *compiler = table->compiler;
    const OcpNode *map = ocp_member(compiler->node, keyword);
    if (map == NULL)
        return true;
    if (!ocp_is(map, OCP_OBJECT))
        return ocp_compile_fail(compiler, map, "\"%s\" must be an object", keyword);
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(map); ocp_iter_member(&i, &key, &value);) {
        *has_dependents = true;
        bool names = all_strings(value);
        if (!names &&
            (value->kind == OCP_ARRAY || strcmp(keyword, "dependentRequired") == 0))
            return ocp_compile_fail(compiler, value, "\"%s\" must hold arrays of names",
                                    keyword);
        if (names)
            set_needs(name_of(table, key), value, keyword, compiler->schema->arena);
        else
            name_of(table, key)->dependent =
                ocp_compile_child(compiler, value, compiler->resource);
    }
    return true;
}

static void
build_table(OcpNames *names, const GArray *from, OcpArena *arena)
{
    names->count = from->len;
    if (from->len == 0)
        return;
    names->names = ocp_arena_take(arena, from->len * sizeof(OcpName));
    memcpy(names->names, from->data, from->len * sizeof(OcpName));
    guint32 slots = 4;
    while (slots < from->len * 2)
        slots *= 2;
    names->mask = slots - 1;
    names->heads = ocp_arena_take(arena, slots * sizeof(guint32));
    memset(names->heads, 0, slots * sizeof(guint32));
    for (guint i = 0; i < from->len; i++) {
        OcpName *name = &names->names[i];
        guint32 *head = &names->heads[name->hash & names->mask];
        name->next = *head;
        *head = i + 1;
        names->required += name->required ? 1 : 0;
    }
}

bool
ocp_compile_names(OcpCompiler *compiler, OcpSub *sub)
{
    Table table = {compiler, g_array_new(FALSE, FALSE, sizeof(OcpName)),
                   g_hash_table_new(hash_key, equal_keys)};
    bool validates = ocp_store_validates(compiler->store, compiler->resource);
    bool *has = &sub->names.has_dependents;
    bool good = read_properties(&table) && (!validates || read_required(&table));
    if (compiler->resource->draft == OCP_DRAFT_07)
        good = good && read_dependencies(&table, "dependencies", has);
    else
        good = good && read_dependencies(&table, "dependentSchemas", has) &&
               (!validates || read_dependencies(&table, "dependentRequired", has));
    build_table(&sub->names, table.names, compiler->schema->arena);
    g_array_unref(table.names);
    g_hash_table_unref(table.by_text);
    return good;
}

/* ---- looking up ------------------------------------------------------------------ */

const OcpName *
ocp_names_find(const OcpNames *names, const OcpNode *key)
{
    if (names->count == 0)
        return NULL;
    guint hash = ocp_text_hash(key);
    for (guint32 i = names->heads[hash & names->mask]; i != 0;
         i = names->names[i - 1].next) {
        const OcpName *name = &names->names[i - 1];
        if (name->hash == hash && ocp_text_is_sized(key, name->text, name->length))
            return name;
    }
    return NULL;
}

const OcpName *
ocp_names_find_text(const OcpNames *names, const char *text, gsize length)
{
    OcpNode key = {.kind = OCP_STRING, .size = (guint32)length, .as.text = text};
    return ocp_names_find(names, &key);
}
