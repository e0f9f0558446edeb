/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each keyword of a schema compiles to. A keyword that a draft does not have is
 * passed over in silence, as any unknown one; a known one of the wrong kind is an
 * error.
 */
#include <string.h>

#include "schema/compile.h"
#include "schema/uri.h"
#include "value/number.h"

typedef enum { BOTH, ONLY_07, ONLY_2020 } Drafts;

typedef struct Keyword Keyword;
struct Keyword {
    const char *name;
    gsize length;
    bool (*read)(OcpCompiler *, OcpSub *, const Keyword *, const OcpNode *);
    gsize field; /* offset in OcpSub of what it sets, where the reader is general */
    Drafts drafts;
    bool validation; /* belongs to the validation vocabulary */
};

static void *
field_of(OcpSub *sub, const Keyword *keyword)
{
    return (char *)sub + keyword->field;
}

static bool
wrong(OcpCompiler *compiler, const Keyword *keyword, const OcpNode *value,
      const char *what)
{
    return ocp_compile_fail(compiler, value, "\"%s\" must be %s", keyword->name, what);
}

static bool
read_child(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
           const OcpNode *value)
{
    OcpSub **field = field_of(sub, keyword);
    *field = ocp_compile_child(compiler, value, compiler->resource);
    return true;
}

static bool
read_children(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
              const OcpNode *value)
{
    OcpSubs *field = field_of(sub, keyword);
    if (!ocp_is(value, OCP_ARRAY))
        return wrong(compiler, keyword, value, "an array of schemas");
    field->subs =
        ocp_arena_take(compiler->schema->arena, (value->size + 1) * sizeof(void *));
    const OcpNode *element;
    for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;)
        field->subs[field->count++] =
            ocp_compile_child(compiler, element, compiler->resource);
    return true;
}

static bool
read_number(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
            const OcpNode *value)
{
    const OcpNode **field = field_of(sub, keyword);
    if (!ocp_is(value, OCP_NUMBER))
        return wrong(compiler, keyword, value, "a number");
    *field = value;
    return true;
}

static bool
read_multiple(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
              const OcpNode *value)
{
    OcpNode zero = {.kind = OCP_NUMBER, .size = 1, .as.text = "0"};
    if (ocp_is(value, OCP_NUMBER) && ocp_number_compare(value, &zero) <= 0)
        return wrong(compiler, keyword, value, "greater than 0");
    return read_number(compiler, sub, keyword, value);
}

/* A count beyond 64 bits is as good as the largest that fits. */
static bool
read_count(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
           const OcpNode *value)
{
    OcpNode zero = {.kind = OCP_NUMBER, .size = 1, .as.text = "0"};
    guint64 *field = field_of(sub, keyword);
    if (!ocp_is(value, OCP_NUMBER) || !ocp_number_is_integer(value) ||
        ocp_number_compare(value, &zero) < 0)
        return wrong(compiler, keyword, value, "a whole number, not negative");
    gint64 number;
    *field = ocp_number_to_int64(value, &number) ? (guint64)number : G_MAXINT64;
    return true;
}

static bool
read_flag(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
          const OcpNode *value)
{
    bool *field = field_of(sub, keyword);
    if (!ocp_is(value, OCP_TRUE) && !ocp_is(value, OCP_FALSE))
        return wrong(compiler, keyword, value, "true or false");
    *field = value->kind == OCP_TRUE;
    return true;
}

static guint
type_named(const OcpNode *name)
{
    static const struct {
        const char *name;
        guint bit;
    } types[] = {{"null", 1 << OCP_NULL},     {"boolean", 1 << OCP_TRUE},
                 {"number", 1 << OCP_NUMBER}, {"integer", OCP_TYPE_INTEGER},
                 {"string", 1 << OCP_STRING}, {"array", 1 << OCP_ARRAY},
                 {"object", 1 << OCP_OBJECT}};
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (ocp_text_is(name, types[i].name))
            return types[i].bit;
    return 0;
}

static bool
read_type(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
          const OcpNode *value)
{
    if (ocp_is(value, OCP_ARRAY)) {
        const OcpNode *element;
        for (OcpIter i = ocp_iter(value); (element = ocp_iter_element(&i)) != NULL;) {
            guint bit = type_named(element);
            if (bit == 0)
                return wrong(compiler, keyword, element, "names of types");
            sub->types |= bit;
        }
        return true;
    }
    sub->types = type_named(value);
    return sub->types != 0 || wrong(compiler, keyword, value, "the name of a type");
}

static bool
read_constant(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
              const OcpNode *value)
{
    (void)compiler;
    (void)keyword;
    sub->constant = value;
    return true;
}

static OcpNodes
collect(OcpCompiler *compiler, const OcpNode *array)
{
    const OcpNode **nodes =
        ocp_arena_take(compiler->schema->arena, (array->size + 1) * sizeof *nodes);
    OcpNodes all = {nodes, 0};
    const OcpNode *element;
    for (OcpIter i = ocp_iter(array); (element = ocp_iter_element(&i)) != NULL;)
        nodes[all.count++] = element;
    return all;
}

static bool
read_enum(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
          const OcpNode *value)
{
    if (!ocp_is(value, OCP_ARRAY))
        return wrong(compiler, keyword, value, "an array");
    sub->values = collect(compiler, value);
    return true;
}

static bool
compile_regexp(OcpCompiler *compiler, const OcpNode *pattern, OcpRegexp **ret)
{
    gsize length;
    g_autoptr(OcpReport) report = ocp_report_new();
    const char *text = ocp_compile_text(compiler, pattern, &length);
    if (!ocp_regexp_load(text, length, report, ret)) {
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        return ocp_compile_fail(compiler, pattern, "%s", first->message);
    }
    g_ptr_array_add(compiler->schema->regexps, *ret);
    return true;
}

static bool
read_pattern(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
             const OcpNode *value)
{
    if (!ocp_is(value, OCP_STRING))
        return wrong(compiler, keyword, value, "a string");
    sub->pattern = ocp_compile_text(compiler, value, NULL);
    return compile_regexp(compiler, value, &sub->regexp);
}

static bool
read_patterns(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
              const OcpNode *value)
{
    if (!ocp_is(value, OCP_OBJECT))
        return wrong(compiler, keyword, value, "an object");
    sub->patterns =
        ocp_arena_take(compiler->schema->arena, (value->size + 1) * sizeof(OcpPattern));
    const OcpNode *key, *child;
    for (OcpIter i = ocp_iter(value); ocp_iter_member(&i, &key, &child);) {
        OcpPattern *pattern = &sub->patterns[sub->pattern_count];
        if (!compile_regexp(compiler, key, &pattern->regexp))
            return false;
        pattern->sub = ocp_compile_child(compiler, child, compiler->resource);
        sub->pattern_count++;
    }
    return true;
}

static bool
read_format(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
            const OcpNode *value)
{
    if (!ocp_is(value, OCP_STRING))
        return wrong(compiler, keyword, value, "a string");
    sub->format_name = ocp_compile_text(compiler, value, NULL);
    if (strcmp(sub->format_name, "date-time") == 0)
        sub->format = OCP_FORMAT_DATE_TIME;
    else if (strcmp(sub->format_name, "uri") == 0)
        sub->format = OCP_FORMAT_URI;
    else if (strcmp(sub->format_name, "regex") == 0)
        sub->format = OCP_FORMAT_REGEX;
    return true;
}

static bool
read_description(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
                 const OcpNode *value)
{
    (void)keyword;
    if (ocp_is(value, OCP_STRING))
        sub->description = ocp_compile_text(compiler, value, NULL);
    return true;
}

static bool
read_items(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
           const OcpNode *value)
{
    if (compiler->resource->draft == OCP_DRAFT_07 && ocp_is(value, OCP_ARRAY))
        return read_children(compiler, sub, keyword, value);
    sub->items = ocp_compile_child(compiler, value, compiler->resource);
    sub->items_keyword = "items";
    return true;
}

/* draft-07: means something only beside an array of items. */
static bool
read_additional_items(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
                      const OcpNode *value)
{
    (void)keyword;
    if (!ocp_is(ocp_member(compiler->node, "items"), OCP_ARRAY))
        return true;
    sub->items = ocp_compile_child(compiler, value, compiler->resource);
    sub->items_keyword = "additionalItems";
    return true;
}

/* Left for ocp_compile_names(), which puts them all in one table. */
static bool
read_members(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
             const OcpNode *value)
{
    const OcpNode **field =
        (const OcpNode **)((char *)&compiler->members + keyword->field);
    (void)sub;
    *field = value;
    return true;
}

/* ---- references ------------------------------------------------------------------ */

static void
set_reference(OcpSub *sub, const Keyword *keyword, OcpSub *child, const char *dynamic)
{
    if (strcmp(keyword->name, "$ref") == 0) {
        sub->ref = child;
        return;
    }
    sub->dynamic_ref = child;
    sub->dynamic = dynamic;
}

/* Most references name a place of their own document, and need no URI for that. */
static bool
is_local(const char *text)
{
    return text[0] == '#' && (text[1] == '\0' || text[1] == '/') &&
           strchr(text, '%') == NULL && strchr(text + 1, '#') == NULL;
}

static bool
read_local_reference(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
                     const OcpNode *value, const char *text)
{
    OcpResource *resource = compiler->resource;
    const OcpNode *target =
        ocp_store_locate(compiler->store, resource, text + 1, &resource, NULL);
    if (target == NULL)
        return ocp_compile_fail(compiler, value, "\"%s\" names nothing", text);
    set_reference(sub, keyword, ocp_compile_child(compiler, target, resource), NULL);
    return true;
}

static bool
read_reference(OcpCompiler *compiler, OcpSub *sub, const Keyword *keyword,
               const OcpNode *value)
{
    if (!ocp_is(value, OCP_STRING))
        return wrong(compiler, keyword, value, "a string");
    const char *text = ocp_compile_text(compiler, value, NULL);
    if (is_local(text))
        return read_local_reference(compiler, sub, keyword, value, text);
    g_autofree char *uri = ocp_uri_resolve(compiler->resource->uri, text);
    g_autofree char *fragment = ocp_uri_split_fragment(uri);
    bool here = strcmp(uri, compiler->resource->uri) == 0;
    OcpResource *resource =
        here ? compiler->resource : ocp_store_find(compiler->store, uri);
    if (resource == NULL)
        return ocp_compile_fail(compiler, value, "\"%s\" names no known document (%s)",
                                text, uri);
    bool dynamic;
    const OcpNode *target =
        ocp_store_locate(compiler->store, resource, fragment, &resource, &dynamic);
    if (target == NULL)
        return ocp_compile_fail(compiler, value, "\"%s\" names nothing", text);
    OcpSub *child = ocp_compile_child(compiler, target, resource);
    set_reference(
        sub, keyword, child,
        dynamic ? ocp_arena_copy(compiler->schema->arena, fragment, strlen(fragment))
                : NULL);
    return true;
}

/* ---- the table ------------------------------------------------------------------- */

#define FIELD(name) G_STRUCT_OFFSET(OcpSub, name)
#define MEMBER(name) G_STRUCT_OFFSET(OcpMembers, name)

#define NAMED(name) name, sizeof(name) - 1

static const Keyword keywords[] = {
    {NAMED("$dynamicRef"), read_reference, 0, ONLY_2020, false},
    {NAMED("$ref"), read_reference, 0, BOTH, false},
    {NAMED("additionalItems"), read_additional_items, 0, ONLY_07, false},
    {NAMED("additionalProperties"), read_child, FIELD(additional), BOTH, false},
    {NAMED("allOf"), read_children, FIELD(all_of), BOTH, false},
    {NAMED("anyOf"), read_children, FIELD(any_of), BOTH, false},
    {NAMED("const"), read_constant, 0, BOTH, true},
    {NAMED("contains"), read_child, FIELD(contains), BOTH, false},
    {NAMED("dependencies"), read_members, MEMBER(dependencies), ONLY_07, false},
    {NAMED("dependentRequired"), read_members, MEMBER(needs), ONLY_2020, true},
    {NAMED("dependentSchemas"), read_members, MEMBER(schemas), ONLY_2020, false},
    {NAMED("description"), read_description, 0, BOTH, false},
    {NAMED("else"), read_child, FIELD(else_sub), BOTH, false},
    {NAMED("enum"), read_enum, 0, BOTH, true},
    {NAMED("exclusiveMaximum"), read_number, FIELD(exclusive_maximum), BOTH, true},
    {NAMED("exclusiveMinimum"), read_number, FIELD(exclusive_minimum), BOTH, true},
    {NAMED("format"), read_format, 0, BOTH, false},
    {NAMED("if"), read_child, FIELD(if_sub), BOTH, false},
    {NAMED("items"), read_items, FIELD(prefix), BOTH, false},
    {NAMED("maxContains"), read_count, FIELD(max_contains), ONLY_2020, true},
    {NAMED("maxItems"), read_count, FIELD(max_items), BOTH, true},
    {NAMED("maxLength"), read_count, FIELD(max_length), BOTH, true},
    {NAMED("maxProperties"), read_count, FIELD(max_properties), BOTH, true},
    {NAMED("maximum"), read_number, FIELD(maximum), BOTH, true},
    {NAMED("minContains"), read_count, FIELD(min_contains), ONLY_2020, true},
    {NAMED("minItems"), read_count, FIELD(min_items), BOTH, true},
    {NAMED("minLength"), read_count, FIELD(min_length), BOTH, true},
    {NAMED("minProperties"), read_count, FIELD(min_properties), BOTH, true},
    {NAMED("minimum"), read_number, FIELD(minimum), BOTH, true},
    {NAMED("multipleOf"), read_multiple, FIELD(multiple_of), BOTH, true},
    {NAMED("not"), read_child, FIELD(not_sub), BOTH, false},
    {NAMED("oneOf"), read_children, FIELD(one_of), BOTH, false},
    {NAMED("pattern"), read_pattern, 0, BOTH, true},
    {NAMED("patternProperties"), read_patterns, 0, BOTH, false},
    {NAMED("prefixItems"), read_children, FIELD(prefix), ONLY_2020, false},
    {NAMED("properties"), read_members, MEMBER(properties), BOTH, false},
    {NAMED("propertyNames"), read_child, FIELD(property_names), BOTH, false},
    {NAMED("required"), read_members, MEMBER(required), BOTH, true},
    {NAMED("then"), read_child, FIELD(then_sub), BOTH, false},
    {NAMED("type"), read_type, 0, BOTH, true},
    {NAMED("unevaluatedItems"), read_child, FIELD(unevaluated_items), ONLY_2020, false},
    {NAMED("unevaluatedProperties"), read_child, FIELD(unevaluated_properties),
     ONLY_2020, false},
    {NAMED("uniqueItems"), read_flag, FIELD(unique_items), BOTH, true},
};

/* Their lengths tell most keywords apart. */
static const Keyword *
find_keyword(const OcpNode *key)
{
    bool escaped = (key->flags & OCP_NODE_ESCAPED) != 0;
    for (guint i = 0; i < G_N_ELEMENTS(keywords); i++)
        if ((escaped || keywords[i].length == key->size) &&
            ocp_text_is_sized(key, keywords[i].name, keywords[i].length))
            return &keywords[i];
    return NULL;
}

/* draft-07: what stands beside $ref does not count. */
static bool
is_reference_alone(const OcpCompiler *compiler)
{
    return compiler->resource->draft == OCP_DRAFT_07 &&
           ocp_member(compiler->node, "$ref") != NULL;
}

bool
ocp_compile_keywords(OcpCompiler *compiler, OcpSub *sub)
{
    OcpDraft draft = compiler->resource->draft;
    bool validates = ocp_store_validates(compiler->store, compiler->resource);
    bool alone = is_reference_alone(compiler);
    bool named = false;
    const OcpNode *key, *value;
    compiler->members = (OcpMembers){0};
    for (OcpIter i = ocp_iter(compiler->node); ocp_iter_member(&i, &key, &value);) {
        const Keyword *keyword = find_keyword(key);
        if (keyword == NULL || (keyword->validation && !validates) ||
            (keyword->drafts == ONLY_07 && draft != OCP_DRAFT_07) ||
            (keyword->drafts == ONLY_2020 && draft == OCP_DRAFT_07) ||
            (alone && keyword->read != read_reference))
            continue;
        named = named || keyword->read == read_members;
        if (!keyword->read(compiler, sub, keyword, value))
            return false;
    }
    sub->unevaluated =
        sub->unevaluated_items != NULL || sub->unevaluated_properties != NULL;
    return !named || ocp_compile_names(compiler, sub);
}
