/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a schema says of members by their names: properties, required, and the keywords
 * for dependencies, in one table.
 */
#include <string.h>

#include "schema/compile.h"

/* Filled as it is built: there is room for every name that could be new. */
typedef struct {
    OcpCompiler *compiler;
    OcpNames *names;
} Table;

guint
ocp_names_hash(const char *text, gsize length)
{
    const guchar *bytes = (const guchar *)text;
    guint hash = (guint)length * 0x9E3779B1u;
    if (length > 0)
        hash += bytes[0] * 0x85EBCA6Bu + bytes[length / 2] * 0xC2B2AE35u +
                bytes[length - 1] * 0x27D4EB2Fu;
    return hash ^ hash >> 15;
}

const OcpName *
ocp_names_find_hashed(const OcpNames *names, const char *text, gsize length, guint hash)
{
    if (names->count == 0)
        return NULL;
    for (guint32 i = names->heads[hash & names->mask]; i != 0;
         i = names->names[i - 1].next) {
        const OcpName *name = &names->names[i - 1];
        if (name->hash == hash && name->length == length &&
            memcmp(name->text, text, length) == 0)
            return name;
    }
    return NULL;
}

static const OcpName *
find(const OcpNames *names, const char *text, gsize length)
{
    return names->count > 0 ? ocp_names_find_hashed(names, text, length,
                                                    ocp_names_hash(text, length))
                            : NULL;
}

static OcpName *
name_of(Table *table, const OcpNode *key)
{
    OcpNames *names = table->names;
    gsize length;
    const char *text = ocp_text(key, table->compiler->schema->arena, &length);
    const OcpName *known = find(names, text, length);
    if (known != NULL)
        return &names->names[known - names->names];
    OcpName *name = &names->names[names->count++];
    memset(name, 0, sizeof *name);
    name->text = ocp_arena_copy(table->compiler->schema->arena, text, length);
    name->length = length;
    name->hash = ocp_names_hash(text, length);
    guint32 *head = &names->heads[name->hash & names->mask];
    name->next = *head;
    *head = names->count;
    return name;
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
    const OcpNode *properties = compiler->members.properties;
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
    const OcpNode *required = table->compiler->members.required;
    if (required == NULL)
        return true;
    if (!all_strings(required))
        return ocp_compile_fail(table->compiler, required,
                                "\"required\" must be an array of names");
    const OcpNode *element;
    for (OcpIter i = ocp_iter(required); (element = ocp_iter_element(&i)) != NULL;) {
        OcpName *name = name_of(table, element);
        table->names->required += name->required ? 0 : 1;
        name->required = true;
    }
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
read_dependencies(Table *table, const OcpNode *map, const char *keyword)
{
    OcpCompiler *compiler = table->compiler;
    if (map == NULL)
        return true;
    if (!ocp_is(map, OCP_OBJECT))
        return ocp_compile_fail(compiler, map, "\"%s\" must be an object", keyword);
    const OcpNode *key, *value;
    for (OcpIter i = ocp_iter(map); ocp_iter_member(&i, &key, &value);) {
        table->names->has_dependents = true;
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

static guint
size_of(const OcpNode *container)
{
    return ocp_is_container(container) ? container->size : 0;
}

/* Room for count names. */
static void
make_room(OcpNames *names, guint count, OcpArena *arena)
{
    guint32 slots = 4;
    while (slots < count * 2)
        slots *= 2;
    names->names = ocp_arena_take(arena, (count + 1) * sizeof(OcpName));
    names->mask = slots - 1;
    names->heads = ocp_arena_take(arena, slots * sizeof(guint32));
    memset(names->heads, 0, slots * sizeof(guint32));
}

bool
ocp_compile_names(OcpCompiler *compiler, OcpSub *sub)
{
    const OcpMembers *members = &compiler->members;
    Table table = {compiler, &sub->names};
    guint count = size_of(members->properties) + size_of(members->required) +
                  size_of(members->dependencies) + size_of(members->schemas) +
                  size_of(members->needs);
    make_room(&sub->names, count, compiler->schema->arena);
    return read_properties(&table) && read_required(&table) &&
           read_dependencies(&table, members->dependencies, "dependencies") &&
           read_dependencies(&table, members->schemas, "dependentSchemas") &&
           read_dependencies(&table, members->needs, "dependentRequired");
}

/* ---- looking up ------------------------------------------------------------------ */

const OcpName *
ocp_names_find(const OcpNames *names, const OcpNode *key)
{
    if (names->count == 0)
        return NULL;
    if (!(key->flags & OCP_NODE_ESCAPED))
        return find(names, key->as.text, key->size);
    char buffer[256];
    char *text = key->size <= sizeof buffer ? buffer : g_malloc(key->size);
    const OcpName *name =
        find(names, text, ocp_unescape(key->as.text, key->size, text));
    if (text != buffer)
        g_free(text);
    return name;
}

const OcpName *
ocp_names_find_text(const OcpNames *names, const char *text, gsize length)
{
    return find(names, text, length);
}
