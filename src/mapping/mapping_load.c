/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/mapping.h"

#include <string.h>

#include "mapping/spelling.h"

/* The two files a mapping may come from; a member given in the first wins whole. */
typedef struct {
    OcpMapping *mapping;
    OcpDocument *own;
    OcpDocument *used; /* or NULL */
    const OcpSchema *dialect_schema;
    const OcpSchema *model_schema;
    OcpReport *report;
    OcpTemplateLoad load;
} Loader;

const OcpNode *
ocp_mapping_peek(const OcpNode *mapping_root, const OcpNode *used_root,
                 const char *name)
{
    const OcpNode *node = ocp_member(mapping_root, name);
    return node != NULL || used_root == NULL ? node : ocp_member(used_root, name);
}

/* Finds a member and says, through load.document, which file it stands in. */
static const OcpNode *
find(Loader *loader, const char *name)
{
    const OcpNode *node = ocp_member(loader->own->root, name);
    loader->load.document = loader->own;
    if (node == NULL && loader->used != NULL) {
        node = ocp_member(loader->used->root, name);
        loader->load.document = loader->used;
    }
    return ocp_is(node, OCP_NULL) ? NULL : node; /* a null takes away what is used */
}

static bool fail(Loader *loader, const OcpNode *node, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool
fail(Loader *loader, const OcpNode *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ocp_fail_at(loader->report, loader->load.document, node->place,
                       "mapping.file", "%s", message);
}

/* ---- what is freed ------------------------------------------------------------- */

static void
free_table(gpointer table)
{
    ocp_table_free(table);
}

static void
free_rule(gpointer pointer)
{
    OcpRule *rule = pointer;
    g_free(rule->label);
    g_free(rule->why);
    g_free(rule);
}

static void
clear_check(gpointer pointer)
{
    OcpRuleCheck *check = pointer;
    ocp_template_free(check->say);
    g_free(check->code);
}

static void
clear_path(gpointer pointer)
{
    OcpPathRule *rule = pointer;
    ocp_expr_free(rule->path);
    ocp_expr_free(rule->parent);
    g_free(rule->path_text);
    g_free(rule->name);
}

static void
clear_copy(gpointer pointer)
{
    OcpCopyRule *rule = pointer;
    ocp_expr_free(rule->of);
    ocp_expr_free(rule->at);
}

static GArray *
array_of(guint size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, size);
    g_array_set_clear_func(array, clear);
    return array;
}

static OcpMapping *
mapping_new(OcpDocument *document)
{
    OcpMapping *mapping = g_new0(OcpMapping, 1);
    mapping->document = ocp_document_ref(document);
    mapping->arena = ocp_arena_new();
    mapping->tables =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_table);
    mapping->rules = g_ptr_array_new_with_free_func(free_rule);
    OcpRule *none = g_new0(OcpRule, 1);
    none->label = g_strdup("engine");
    g_ptr_array_add(mapping->rules, none);
    mapping->checks = array_of(sizeof(OcpRuleCheck), clear_check);
    mapping->sensitive = array_of(sizeof(OcpPathRule), clear_path);
    mapping->omit = array_of(sizeof(OcpPathRule), clear_path);
    mapping->carry = array_of(sizeof(OcpPathRule), clear_path);
    mapping->copies = array_of(sizeof(OcpCopyRule), clear_copy);
    return mapping;
}

void
ocp_mapping_free(OcpMapping *mapping)
{
    if (mapping == NULL)
        return;
    ocp_template_free(mapping->read);
    ocp_template_free(mapping->write);
    ocp_template_free(mapping->finish);
    g_array_unref(mapping->checks);
    g_array_unref(mapping->sensitive);
    g_array_unref(mapping->omit);
    g_array_unref(mapping->carry);
    g_array_unref(mapping->copies);
    g_ptr_array_unref(mapping->rules);
    g_hash_table_unref(mapping->tables);
    if (mapping->open_path != NULL)
        g_ptr_array_unref(mapping->open_path);
    g_free(mapping->dialect);
    g_free(mapping->version);
    g_free(mapping->title);
    g_free(mapping->schema);
    g_free(mapping->key);
    ocp_arena_free(mapping->arena);
    ocp_document_unref(mapping->document);
    g_free(mapping);
}

/* ---- plain members -------------------------------------------------------------- */

static bool
load_text(Loader *loader, const char *name, bool required, char **ret)
{
    const OcpNode *node = find(loader, name);
    if (node == NULL && !required)
        return true;
    if (node == NULL) {
        loader->load.document = loader->own;
        return fail(loader, loader->own->root, "the mapping has no %s:", name);
    }
    if (!ocp_is(node, OCP_STRING) || node->size == 0)
        return fail(loader, node, "%s: expected a text, found %s", name,
                    ocp_kind_name(node->kind));
    *ret = ocp_text_dup(node);
    return true;
}

static bool
check_names(Loader *loader, OcpDocument *document)
{
    static const char *const names[] = {
        "mapping", "dialect", "title", "schema",  "key",    "detect",    "tables",
        "read",    "write",   "open",  "finish",  "copies", "checks",    "sensitive",
        "omit",    "carry",   "yaml",  "capture", "use",    "preferred", "parts"};
    loader->load.document = document;
    OcpIter iter = ocp_iter(document->root);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        bool known = false;
        for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
            known = known || ocp_text_is(key, names[i]);
        g_autofree char *name = ocp_text_dup(key);
        if (!known)
            return fail(loader, key, "unknown member \"%s\" in a mapping", name);
    }
    return true;
}

static bool
load_head(Loader *loader)
{
    OcpMapping *mapping = loader->mapping;
    loader->load.document = loader->own;
    if (!ocp_is(loader->own->root, OCP_OBJECT))
        return fail(loader, loader->own->root, "a mapping is an object");
    if (!check_names(loader, loader->own))
        return false;
    const OcpNode *format = find(loader, "mapping");
    if (!ocp_is(format, OCP_NUMBER) || format->size != 1 || format->as.text[0] != '1')
        return fail(loader, format != NULL ? format : loader->own->root,
                    "expected \"mapping: 1\", the format of this file");
    if (!load_text(loader, "dialect", true, &mapping->dialect) ||
        !load_text(loader, "title", false, &mapping->title) ||
        !load_text(loader, "schema", true, &mapping->schema) ||
        !load_text(loader, "key", false, &mapping->key))
        return false;
    char *at = strchr(mapping->dialect, '@');
    if (at != NULL) {
        mapping->version = g_strdup(at + 1);
        *at = '\0';
    }
    mapping->preferred = ocp_is(find(loader, "preferred"), OCP_TRUE);
    mapping->detect = find(loader, "detect");
    mapping->capture = find(loader, "capture");
    const OcpNode *yaml = find(loader, "yaml");
    mapping->yaml = ocp_text_is(yaml, "1.1") ? OCP_YAML_1_1 : OCP_YAML_1_2;
    return true;
}

/* "$.a.b" as the names a and b; the open place is a path of plain names. */
static bool
load_open(Loader *loader)
{
    const OcpNode *open = find(loader, "open");
    if (open == NULL || open->kind == OCP_NULL)
        return true;
    const OcpNode *at = ocp_member(open, "at");
    const OcpNode *as = ocp_member(open, "as");
    if (!ocp_is(at, OCP_STRING))
        return fail(loader, open,
                    "open: expected {at: path, as: object or json-string}");
    g_autofree char *path = ocp_text_dup(at);
    if (!g_str_has_prefix(path, "$.") || strpbrk(path + 2, "[]*'\"") != NULL)
        return fail(loader, at, "open: at: expected a path of plain names, like $.a.b");
    g_auto(GStrv) names = g_strsplit(path + 2, ".", -1);
    loader->mapping->open_path = g_ptr_array_new_with_free_func(g_free);
    for (char **name = names; *name != NULL; name++)
        g_ptr_array_add(loader->mapping->open_path, g_strdup(*name));
    loader->mapping->open_is_text = ocp_text_is(as, "json-string");
    if (!ocp_text_is(as, "json-string") && !ocp_text_is(as, "object"))
        return fail(loader, as != NULL ? as : open,
                    "open: as: expected object or json-string");
    return true;
}

static bool
load_tables(Loader *loader)
{
    const OcpNode *tables = find(loader, "tables");
    if (tables == NULL)
        return true;
    if (!ocp_is(tables, OCP_OBJECT))
        return fail(loader, tables, "tables: expected names with maps or lists");
    OcpIter iter = ocp_iter(tables);
    for (const OcpNode *name, *rows; ocp_iter_member(&iter, &name, &rows);) {
        if (!ocp_is_container(rows))
            return fail(loader, rows, "a table is a map or a list");
        g_hash_table_insert(loader->mapping->tables, ocp_text_dup(name),
                            ocp_table_new(rows));
    }
    return true;
}

/* Templates by name, for `insert:`; what two dialects share is said once. */
static bool
load_parts(Loader *loader)
{
    const OcpNode *parts = find(loader, "parts");
    loader->load.parts = parts;
    loader->load.parts_document = loader->load.document;
    return parts == NULL || ocp_is(parts, OCP_OBJECT) ||
           fail(loader, parts, "parts: expected names with templates");
}

/* ---- templates ------------------------------------------------------------------ */

/* The shape that is left once the constants a template writes have chosen the branches:
 * a version says which of two schemas holds. */
static OcpShape *
chosen_shape(const OcpNode *template, const OcpSchema *target)
{
    g_autoptr(OcpShape) shape = ocp_shape_root(target);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpBuilder constants = ocp_build(made, ocp_make_object(made));
    OcpIter iter = ocp_iter(template);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        bool text = value->kind == OCP_STRING;
        bool rule = text && value->size > 0 &&
                    (value->as.text[0] == '=' ||
                     memchr(value->as.text, '{', value->size) != NULL);
        if (!ocp_is_container(value) && !rule)
            ocp_build_member(&constants, key, value);
    }
    return ocp_shape_narrow(shape, constants.container);
}

static bool
load_direction(Loader *loader, const char *name, const OcpSchema *target, bool to_model,
               OcpTemplate **ret, guint *ret_slots)
{
    const OcpNode *node = find(loader, name);
    if (node == NULL)
        return true;
    if (!ocp_is(node, OCP_OBJECT))
        return fail(loader, node, "%s: expected a template, found %s", name,
                    ocp_kind_name(node->kind));
    loader->load.direction = name;
    loader->load.to_model = to_model;
    loader->load.slots = 0;
    g_autoptr(OcpShape) shape = target != NULL ? chosen_shape(node, target) : NULL;
    if (!ocp_template_load(&loader->load, node, shape, ret))
        return false;
    *ret_slots = loader->load.slots;
    return true;
}

/* A check is written {for, let, when, at, code, severity, say}: the head of an entry
 * whose made value is the message. */
static const OcpNode *
check_entry(Loader *loader, const OcpNode *check)
{
    static const char *const heads[] = {"for", "let", "when"};
    OcpDocument *document = loader->load.document;
    OcpBuilder entry = ocp_build(document, ocp_make_object(document));
    entry.container->place = check->place;
    for (gsize i = 0; i < G_N_ELEMENTS(heads); i++) {
        const OcpNode *value = ocp_member(check, heads[i]);
        if (value != NULL)
            ocp_build_named(&entry, heads[i], value);
    }
    OcpBuilder made = ocp_build(document, ocp_make_object(document));
    made.container->place = check->place;
    ocp_build_named(&made, "say", ocp_member(check, "say"));
    const OcpNode *at = ocp_member(check, "at");
    if (at != NULL)
        ocp_build_named(&made, "at", at);
    ocp_build_named(&entry, "make", made.container);
    return entry.container;
}

static bool
load_check(Loader *loader, const OcpNode *node)
{
    OcpRuleCheck check = {.severity = OCP_ERROR};
    if (!ocp_is(ocp_member(node, "say"), OCP_STRING) ||
        !ocp_is(ocp_member(node, "code"), OCP_STRING))
        return fail(loader, node, "a check has at least when, code and say");
    const OcpNode *severity = ocp_member(node, "severity");
    if (ocp_text_is(severity, "warning"))
        check.severity = OCP_WARNING;
    else if (severity != NULL && !ocp_text_is(severity, "error"))
        return fail(loader, severity, "severity: expected error or warning");
    check.code = ocp_text_dup(ocp_member(node, "code"));
    OcpBuilder list =
        ocp_build(loader->load.document, ocp_make_array(loader->load.document));
    list.container->place = node->place;
    ocp_build_element(&list, check_entry(loader, node));
    bool ok = ocp_template_load(&loader->load, list.container, NULL, &check.say);
    g_array_append_val(loader->mapping->checks, check);
    return ok;
}

static bool
load_checks(Loader *loader)
{
    const OcpNode *checks = find(loader, "checks");
    if (checks == NULL)
        return true;
    if (!ocp_is(checks, OCP_ARRAY))
        return fail(loader, checks, "checks: expected a list");
    loader->load.direction = "checks";
    loader->load.to_model = false;
    loader->load.slots = 0;
    OcpIter iter = ocp_iter(checks);
    for (const OcpNode *check; (check = ocp_iter_element(&iter)) != NULL;)
        if (!load_check(loader, check))
            return false;
    loader->mapping->check_slots = loader->load.slots;
    return true;
}

/* ---- paths ----------------------------------------------------------------------- */

static bool
load_path(Loader *loader, const OcpNode *node, OcpExpr **ret, char **ret_text)
{
    if (!ocp_is(node, OCP_STRING))
        return fail(loader, node, "expected a path");
    gsize skip = node->size > 0 && node->as.text[0] == '=' ? 1 : 0;
    OcpExprScope scope = {.rfc_only = true,
                          .document = loader->load.document,
                          .arena = loader->mapping->arena,
                          .place =
                              ocp_spelling_place(loader->load.document, node, skip)};
    g_autofree char *text = ocp_text_dup(node);
    if (ret_text != NULL)
        *ret_text = g_strdup(text + skip);
    return ocp_expr_load(text + skip, strlen(text + skip), &scope, loader->report, ret);
}

static const char *
known_reason(const OcpNode *node)
{
    static const char *const reasons[] = {"size", "irrelevant", "superseded",
                                          "sensitive", "unavailable"};
    for (gsize i = 0; i < G_N_ELEMENTS(reasons); i++)
        if (ocp_text_is(node, reasons[i]))
            return reasons[i];
    return NULL;
}

/* A path whose last step is a plain name has a parent that may lack it. */
static bool
load_parent(Loader *loader, const OcpNode *node, OcpPathRule *rule)
{
    const char *dot = strrchr(rule->path_text, '.');
    if (dot == NULL || dot[1] == '\0' || strpbrk(dot, "[]*") != NULL)
        return true;
    rule->name = g_strdup(dot + 1);
    OcpExprScope scope = {.rfc_only = true,
                          .document = loader->load.document,
                          .arena = loader->mapping->arena,
                          .place = node->place};
    return ocp_expr_load(rule->path_text, (gsize)(dot - rule->path_text), &scope,
                         loader->report, &rule->parent);
}

static bool
load_path_rule(Loader *loader, const OcpNode *node, const char *list, GArray *rules)
{
    OcpPathRule rule = {0};
    const OcpNode *path = ocp_is(node, OCP_OBJECT) ? ocp_member(node, "path") : node;
    if (path == NULL)
        return fail(loader, node, "%s: expected a path, or {path: …}", list);
    if (strcmp(list, "sensitive") == 0) {
        rule.reason = "sensitive";
        rule.instead = ocp_member(node, "instead");
    } else if (strcmp(list, "omit") == 0) {
        rule.reason = known_reason(ocp_member(node, "reason"));
        if (rule.reason == NULL)
            return fail(loader, node,
                        "omit: expected {path, reason: size, irrelevant, superseded, "
                        "sensitive or unavailable}");
    }
    bool ok = load_path(loader, path, &rule.path, &rule.path_text) &&
              (strcmp(list, "sensitive") != 0 || load_parent(loader, path, &rule));
    g_array_append_val(rules, rule);
    return ok;
}

static bool
load_paths(Loader *loader, const char *name, GArray *rules)
{
    const OcpNode *list = find(loader, name);
    if (list == NULL)
        return true;
    if (!ocp_is(list, OCP_ARRAY))
        return fail(loader, list, "%s: expected a list of paths", name);
    OcpIter iter = ocp_iter(list);
    for (const OcpNode *node; (node = ocp_iter_element(&iter)) != NULL;)
        if (!load_path_rule(loader, node, name, rules))
            return false;
    return true;
}

static bool
load_copies(Loader *loader)
{
    const OcpNode *list = find(loader, "copies");
    OcpIter iter = ocp_iter(list);
    for (const OcpNode *node; (node = ocp_iter_element(&iter)) != NULL;) {
        OcpCopyRule rule = {0};
        const OcpNode *of = ocp_member(node, "of");
        const OcpNode *at = ocp_member(node, "at");
        bool ok = of != NULL && at != NULL
                      ? load_path(loader, of, &rule.of, NULL) &&
                            load_path(loader, at, &rule.at, NULL)
                      : fail(loader, node, "copies: expected {of: path, at: path}");
        g_array_append_val(loader->mapping->copies, rule);
        if (!ok)
            return false;
    }
    return true;
}

static bool
load_all(Loader *loader)
{
    OcpMapping *mapping = loader->mapping;
    return load_head(loader) && load_open(loader) && load_tables(loader) &&
           load_parts(loader) &&
           load_direction(loader, "read", loader->model_schema, true, &mapping->read,
                          &mapping->read_slots) &&
           load_direction(loader, "write", loader->dialect_schema, false,
                          &mapping->write, &mapping->write_slots) &&
           load_direction(loader, "finish", loader->dialect_schema, false,
                          &mapping->finish, &mapping->finish_slots) &&
           load_checks(loader) && load_paths(loader, "sensitive", mapping->sensitive) &&
           load_paths(loader, "omit", mapping->omit) &&
           load_paths(loader, "carry", mapping->carry) && load_copies(loader);
}

bool
ocp_mapping_load(OcpDocument *document, OcpDocument *used,
                 const OcpSchema *dialect_schema, const OcpSchema *model_schema,
                 OcpReport *report, OcpMapping **ret)
{
    g_autoptr(OcpMapping) mapping = mapping_new(document);
    if (used != NULL)
        ocp_document_borrow(document, used);
    Loader loader = {.mapping = mapping,
                     .own = document,
                     .used = used,
                     .dialect_schema = dialect_schema,
                     .model_schema = model_schema,
                     .report = report,
                     .load = {.report = report,
                              .arena = mapping->arena,
                              .tables = mapping->tables,
                              .rules = mapping->rules}};
    if (!load_all(&loader))
        return false;
    *ret = g_steal_pointer(&mapping);
    return true;
}
