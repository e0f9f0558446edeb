/* SPDX-License-Identifier: Apache-2.0 */
#include "dialect/registry.h"

#include <string.h>

#include "dialect/detect.h"
#include "mapping/coverage.h"
#include "mapping/mapping_file.h"
#include "text/embedded.h"
#include "text/source.h"
#include "value/distance.h"

#define MODEL_DIALECT "opencheckpoint"

enum { FARTHEST = 3 }; /* edits from a label to one it was meant for */
#define MAPPING_GRAMMAR "mapping.schema.json"

/* A file of schemas/ or mappings/, parsed when it is first needed. */
typedef struct {
    GBytes *bytes;
    GBytes *head_bytes; /* of an embedded mapping; or NULL */
    OcpDocument *document;
    OcpDocument *head;
    bool added; /* from outside; what is embedded was checked by the tests */
} File;

struct OcpRegistry {
    GHashTable *schemas;  /* file name -> File */
    GHashTable *mappings; /* file name -> File */
    GPtrArray *dialects;  /* OcpDialect; NULL until listed */
    OcpSchemaStore *store;
    OcpSchema *grammar; /* of mapping files; compiled for the first that was added */
    GMutex lock;        /* compiling on first use; what is compiled is immutable */
};

static void
free_file(gpointer pointer)
{
    File *file = pointer;
    g_bytes_unref(file->bytes);
    if (file->head_bytes != NULL)
        g_bytes_unref(file->head_bytes);
    ocp_document_unref(file->document);
    ocp_document_unref(file->head);
    g_free(file);
}

static void
free_dialect(gpointer pointer)
{
    OcpDialect *dialect = pointer;
    ocp_mapping_free(dialect->mapping);
    ocp_schema_free(dialect->schema);
    ocp_document_unref(dialect->head);
    ocp_document_unref(dialect->used_head);
    g_free(dialect->used_file);
    g_free(dialect->file);
    g_free(dialect->name);
    g_free(dialect->version);
    g_free(dialect->label);
    g_free(dialect);
}

static File *
add_file(GHashTable *files, const char *name, GBytes *bytes, bool added)
{
    File *file = g_new0(File, 1);
    file->bytes = g_bytes_ref(bytes);
    file->added = added;
    g_hash_table_insert(files, g_strdup(name), file);
    return file;
}

static void
add_embedded(OcpRegistry *registry)
{
    for (const OcpEmbedded *file = ocp_embedded_files; file->name != NULL; file++) {
        g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
        if (g_str_has_prefix(file->name, "mappings/")) {
            File *mapping = add_file(registry->mappings,
                                     file->name + strlen("mappings/"), bytes, false);
            if (file->head != NULL)
                mapping->head_bytes = g_bytes_new_static(file->head, file->head_size);
        } else if (g_str_has_prefix(file->name, "schemas/")) {
            add_file(registry->schemas, file->name + strlen("schemas/"), bytes, false);
        }
    }
}

OcpRegistry *
ocp_registry_new(void)
{
    OcpRegistry *registry = g_new0(OcpRegistry, 1);
    registry->schemas =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_file);
    registry->mappings =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_file);
    registry->store = ocp_schema_store_new();
    g_mutex_init(&registry->lock);
    add_embedded(registry);
    return registry;
}

void
ocp_registry_free(OcpRegistry *registry)
{
    if (registry == NULL)
        return;
    if (registry->dialects != NULL)
        g_ptr_array_unref(registry->dialects);
    ocp_schema_free(registry->grammar);
    ocp_schema_store_free(registry->store);
    g_mutex_clear(&registry->lock);
    g_hash_table_unref(registry->schemas);
    g_hash_table_unref(registry->mappings);
    g_free(registry);
}

void
ocp_registry_add_schema(OcpRegistry *registry, const char *name, GBytes *bytes)
{
    add_file(registry->schemas, name, bytes, true);
}

void
ocp_registry_add_mapping(OcpRegistry *registry, const char *name, GBytes *bytes)
{
    add_file(registry->mappings, name, bytes, true);
}

/* ---- files ----------------------------------------------------------------------- */

static bool
parse_file(File *file, const char *name, OcpReport *report)
{
    if (file->document != NULL)
        return true;
    g_autoptr(GPtrArray) documents = NULL;
    g_autoptr(OcpReport) heard = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    bool ok = ocp_source_read(file->bytes, name, OCP_SYNTAX_AUTO, &limits, heard,
                              &documents) &&
              ocp_yaml_settle(documents->pdata[0], OCP_YAML_1_2, NULL, NULL, heard);
    if (ok)
        file->document = ocp_document_ref(documents->pdata[0]);
    else
        ocp_report_move(report, heard);
    return ok;
}

static File *
find_file(GHashTable *files, const char *name)
{
    return g_hash_table_lookup(files, name);
}

static bool
compile_grammar(OcpRegistry *registry, OcpReport *report)
{
    File *file = find_file(registry->schemas, MAPPING_GRAMMAR);
    if (registry->grammar != NULL || file == NULL)
        return true;
    return parse_file(file, MAPPING_GRAMMAR, report) &&
           ocp_schema_load(registry->store, file->document, NULL, report,
                           &registry->grammar);
}

/* A mapping that was added is checked against the grammar first: its mistakes are then
 * told by name, and later code may rely on the shape of the file. */
static bool
parse_mapping(OcpRegistry *registry, File *file, const char *name, OcpReport *report)
{
    if (file->document != NULL)
        return true;
    g_autoptr(OcpDocument) document = NULL;
    if (!ocp_mapping_file_read(file->bytes, name, report, &document))
        return false;
    if (file->added && (!compile_grammar(registry, report) ||
                        (registry->grammar != NULL &&
                         !ocp_mapping_file_check(document, registry->grammar, report))))
        return false;
    file->document = g_steal_pointer(&document);
    return true;
}

/* What is known of a mapping before it is used: of one that was added, all of it. */
static bool
parse_head(OcpRegistry *registry, File *file, const char *name, OcpReport *report)
{
    if (file->head != NULL)
        return true;
    if (file->head_bytes != NULL)
        return ocp_mapping_file_read(file->head_bytes, name, report, &file->head);
    if (!parse_mapping(registry, file, name, report))
        return false;
    file->head = ocp_document_ref(file->document);
    return true;
}

/* ---- heads ----------------------------------------------------------------------- */

static char *
text_of(const OcpNode *node)
{
    return ocp_is(node, OCP_STRING) ? ocp_text_dup(node) : NULL;
}

static const OcpNode *
peek(const OcpDialect *dialect, const char *name)
{
    return ocp_mapping_peek(
        dialect->head->root,
        dialect->used_head != NULL ? dialect->used_head->root : NULL, name);
}

static bool
read_used(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report)
{
    const OcpNode *use = ocp_member(dialect->head->root, "use");
    if (use == NULL)
        return true;
    g_autofree char *name = text_of(use);
    g_autofree char *file_name = name != NULL ? g_strconcat(name, ".yaml", NULL) : NULL;
    File *file = file_name != NULL ? find_file(registry->mappings, file_name) : NULL;
    if (file == NULL)
        return ocp_fail_at(
            report, dialect->head, use->place, "mapping.file",
            "use: there is no mapping file of that name (NAME of NAME.yaml)");
    if (!parse_head(registry, file, file_name, report))
        return false;
    if (ocp_member(file->head->root, "use") != NULL)
        return ocp_fail_at(
            report, dialect->head, use->place, "mapping.file",
            "use: that mapping uses another one; only one step is allowed");
    dialect->used_head = ocp_document_ref(file->head);
    dialect->used_file = g_steal_pointer(&file_name);
    return true;
}

static bool
read_head(OcpRegistry *registry, const char *file_name, File *file, OcpReport *report)
{
    if (!parse_head(registry, file, file_name, report))
        return false;
    OcpDialect *dialect = g_new0(OcpDialect, 1);
    g_ptr_array_add(registry->dialects, dialect);
    dialect->file = g_strdup(file_name);
    dialect->head = ocp_document_ref(file->head);
    if (!read_used(registry, dialect, report))
        return false;
    dialect->label = text_of(ocp_member(file->head->root, "dialect"));
    if (dialect->label == NULL)
        return ocp_fail_at(report, file->head, 0, "mapping.file",
                           "the mapping has no dialect: NAME or NAME@VERSION");
    char *at = strchr(dialect->label, '@');
    dialect->name = at != NULL ? g_strndup(dialect->label, (gsize)(at - dialect->label))
                               : g_strdup(dialect->label);
    dialect->version = at != NULL ? g_strdup(at + 1) : NULL;
    dialect->preferred = ocp_is(peek(dialect, "preferred"), OCP_TRUE);
    return true;
}

static gint
compare_dialects(gconstpointer a, gconstpointer b)
{
    const OcpDialect *left = *(OcpDialect *const *)a;
    const OcpDialect *right = *(OcpDialect *const *)b;
    return strcmp(left->label, right->label);
}

static bool
read_heads_locked(OcpRegistry *registry, OcpReport *report)
{
    if (registry->dialects != NULL)
        return true;
    registry->dialects = g_ptr_array_new_with_free_func(free_dialect);
    g_autoptr(GList) names =
        g_list_sort(g_hash_table_get_keys(registry->mappings), (GCompareFunc)strcmp);
    bool ok = true;
    for (GList *at = names; at != NULL && ok; at = at->next)
        ok = read_head(registry, at->data, find_file(registry->mappings, at->data),
                       report);
    if (!ok) {
        g_clear_pointer(&registry->dialects, g_ptr_array_unref);
        return false;
    }
    g_ptr_array_sort(registry->dialects, compare_dialects);
    return true;
}

static bool
read_heads(OcpRegistry *registry, OcpReport *report)
{
    g_mutex_lock(&registry->lock);
    bool ok = read_heads_locked(registry, report);
    g_mutex_unlock(&registry->lock);
    return ok;
}

bool
ocp_registry_list(OcpRegistry *registry, OcpReport *report, const GPtrArray **ret)
{
    if (!read_heads(registry, report))
        return false;
    *ret = registry->dialects;
    return true;
}

/* ---- finding --------------------------------------------------------------------- */

static bool
matches_label(const OcpDialect *dialect, const char *label)
{
    return strchr(label, '@') != NULL ? strcmp(dialect->label, label) == 0
                                      : strcmp(dialect->name, label) == 0;
}

/* What is said of a version that a dialect does not have, or NULL if that is not so. */
static char *
name_versions(const OcpRegistry *registry, const char *label)
{
    const char *at = strchr(label, '@');
    g_autoptr(GString) there = g_string_new(NULL);
    guint count = 0;
    for (guint i = 0; at != NULL && i < registry->dialects->len; i++) {
        const OcpDialect *dialect = registry->dialects->pdata[i];
        if (dialect->version != NULL && strlen(dialect->name) == (gsize)(at - label) &&
            g_str_has_prefix(label, dialect->name))
            g_string_append_printf(there, "%s%s", count++ > 0 ? ", " : "",
                                   dialect->label);
    }
    if (count == 0)
        return NULL;
    return g_strdup_printf(count > 1 ? "there are %s" : "there is %s", there->str);
}

static bool
unknown_label(const OcpRegistry *registry, const char *label, OcpReport *report)
{
    g_autoptr(GString) all = g_string_new(NULL);
    const char *nearest = NULL;
    guint best = FARTHEST + 1;
    for (guint i = 0; i < registry->dialects->len; i++) {
        const OcpDialect *dialect = registry->dialects->pdata[i];
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", dialect->label);
        gsize length = strlen(label);
        guint by_name =
            ocp_distance(label, length, dialect->name, strlen(dialect->name), FARTHEST);
        guint by_label = ocp_distance(label, length, dialect->label,
                                      strlen(dialect->label), FARTHEST);
        if (MIN(by_name, by_label) < best) {
            best = MIN(by_name, by_label);
            nearest = by_name <= by_label ? dialect->name : dialect->label;
        }
    }
    OcpDiagnostic *diagnostic = ocp_report_add(report, OCP_ERROR, "usage.dialect",
                                               "unknown dialect \"%s\"", label);
    diagnostic->hint = name_versions(registry, label);
    if (diagnostic->hint == NULL && nearest != NULL)
        diagnostic->hint = g_strdup_printf("did you mean \"%s\"?", nearest);
    else if (diagnostic->hint == NULL)
        diagnostic->hint = g_strdup_printf("known dialects: %s", all->str);
    return false;
}

bool
ocp_registry_find(OcpRegistry *registry, const char *label, OcpReport *report,
                  OcpDialect **ret)
{
    if (!read_heads(registry, report))
        return false;
    OcpDialect *found = NULL;
    for (guint i = 0; i < registry->dialects->len; i++) {
        OcpDialect *dialect = registry->dialects->pdata[i];
        if (matches_label(dialect, label) && (found == NULL || dialect->preferred))
            found = dialect;
    }
    if (found == NULL)
        return unknown_label(registry, label, report);
    *ret = found;
    return true;
}

static bool
is_carried(const OcpDialect *dialect, const OcpNode *model)
{
    const OcpNode *key = peek(dialect, "key");
    if (!ocp_is(key, OCP_STRING))
        return false;
    const OcpNode *carry = ocp_member_like(ocp_member(model, "extensions"), key);
    const OcpNode *version = ocp_member(carry, "version");
    return ocp_text_is(ocp_member(carry, "dialect"), dialect->name) &&
           (dialect->version != NULL ? ocp_text_is(version, dialect->version)
                                     : version == NULL);
}

bool
ocp_registry_carried(OcpRegistry *registry, const char *name, const OcpNode *model,
                     OcpDialect **ret)
{
    for (guint i = 0; i < registry->dialects->len; i++) {
        OcpDialect *dialect = registry->dialects->pdata[i];
        if (strcmp(dialect->name, name) == 0 && is_carried(dialect, model)) {
            *ret = dialect;
            return true;
        }
    }
    return false;
}

/* The dialects of that name (NULL: any) that the document fits. */
static GPtrArray *
find_fitting(OcpRegistry *registry, const char *name, const OcpNode *root)
{
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < registry->dialects->len; i++) {
        OcpDialect *dialect = registry->dialects->pdata[i];
        if ((name == NULL || strcmp(dialect->name, name) == 0) &&
            ocp_detect_matches(peek(dialect, "detect"), root))
            g_ptr_array_add(found, dialect);
    }
    return found;
}

/* The version that was asked for. Where the document says that it has another, taking
 * it for the first would let its values mean something else. */
static bool
find_version(OcpRegistry *registry, const OcpDocument *document, const char *label,
             OcpReport *report, OcpDialect **ret)
{
    OcpDialect *asked = NULL;
    if (!ocp_registry_find(registry, label, report, &asked))
        return false;
    g_autoptr(GPtrArray) fitting = find_fitting(registry, asked->name, document->root);
    *ret = asked;
    if (fitting->len == 0 || g_ptr_array_find(fitting, asked, NULL))
        return true;
    const OcpDialect *other = fitting->pdata[0];
    ocp_fail_at(report, document, document->root->place, "detect.version",
                "the document is of version %s, not %s", other->version, label);
    OcpDiagnostic *error = report->diagnostics->pdata[report->diagnostics->len - 1];
    error->hint = g_strdup_printf("-f %s finds the version by itself", asked->name);
    return false;
}

bool
ocp_registry_detect(OcpRegistry *registry, const OcpDocument *document,
                    const char *label, OcpReport *report, OcpDialect **ret)
{
    if (!read_heads(registry, report))
        return false;
    if (label != NULL && strchr(label, '@') != NULL)
        return find_version(registry, document, label, report, ret);
    g_autoptr(GPtrArray) found = find_fitting(registry, label, document->root);
    if (found->len == 1) {
        *ret = found->pdata[0];
        return true;
    }
    if (label != NULL && found->len == 0)
        return ocp_registry_find(registry, label, report, ret);
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < registry->dialects->len; i++) {
        const OcpDialect *dialect = registry->dialects->pdata[i];
        if (found->len == 0)
            ocp_detect_describe(peek(dialect, "detect"), document->root, dialect->label,
                                list);
        else if (g_ptr_array_find(found, dialect, NULL))
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
                                   dialect->label);
    }
    ocp_fail_at(report, document,
                document->root != NULL ? document->root->place : OCP_NO_PLACE,
                found->len == 0 ? "detect.unknown" : "detect.ambiguous",
                found->len == 0 ? "no dialect fits this document: %s"
                                : "more than one dialect fits this document: %s",
                list->str);
    OcpDiagnostic *diagnostic =
        report->diagnostics->pdata[report->diagnostics->len - 1];
    diagnostic->hint = g_strdup("say which with -f NAME");
    return false;
}

/* The last name of a path like $.a[*].b, in the text? */
static bool
names_in_text(const OcpNode *path, const char *text, gsize length)
{
    if (ocp_is(path, OCP_OBJECT))
        path = ocp_member(path, "path");
    if (!ocp_is(path, OCP_STRING))
        return false;
    g_autofree char *whole = ocp_text_dup(path);
    char *end = whole + strlen(whole);
    while (end > whole && !g_ascii_isalnum(end[-1]))
        *--end = '\0';
    char *start = end;
    while (start > whole && (g_ascii_isalnum(start[-1]) || start[-1] == '_'))
        start--;
    return end > start && memmem(text, length, start, (gsize)(end - start)) != NULL;
}

bool
ocp_registry_may_hold_sensitive(OcpRegistry *registry, const char *text, gsize length)
{
    g_autoptr(OcpReport) quiet = ocp_report_new();
    if (length == 0)
        return false;
    if (!read_heads(registry, quiet))
        return true;
    for (guint i = 0; i < registry->dialects->len; i++) {
        OcpIter iter = ocp_iter(peek(registry->dialects->pdata[i], "sensitive"));
        for (const OcpNode *path; (path = ocp_iter_element(&iter)) != NULL;)
            if (names_in_text(path, text, length))
                return true;
    }
    return false;
}

/* ---- compiling ------------------------------------------------------------------- */

static bool
compile_schema(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report)
{
    if (dialect->schema != NULL)
        return true;
    const OcpNode *node = peek(dialect, "schema");
    g_autofree char *name = text_of(node);
    if (name == NULL)
        return ocp_fail_at(report, dialect->head, 0, "mapping.file",
                           "the mapping has no schema: FILE or FILE#/pointer");
    char *hash = strchr(name, '#');
    g_autofree char *fragment = g_strdup(hash);
    if (hash != NULL)
        *hash = '\0';
    File *file = find_file(registry->schemas, name);
    if (file == NULL)
        return ocp_fail_at(report, dialect->head, node->place, "mapping.file",
                           "schema: there is no file %s among the schemas", name);
    return parse_file(file, name, report) &&
           ocp_schema_load(registry->store, file->document, fragment, report,
                           &dialect->schema);
}

/* What the tests refuse in an embedded mapping is a warning in one that was added. */
static void
warn_of_gaps(const OcpDialect *dialect, const OcpSchema *model, OcpReport *report)
{
    g_autoptr(OcpReport) found = ocp_report_new();
    ocp_mapping_coverage(dialect->mapping, dialect->schema, model, found);
    ocp_report_soften(found, NULL);
    ocp_report_move(report, found);
}

static bool
compile_mapping(OcpRegistry *registry, OcpDialect *dialect, OcpDialect *model,
                OcpReport *report)
{
    if (dialect->mapping != NULL)
        return true;
    File *file = find_file(registry->mappings, dialect->file);
    File *used = dialect->used_file != NULL
                     ? find_file(registry->mappings, dialect->used_file)
                     : NULL;
    if (!compile_schema(registry, dialect, report) ||
        !compile_schema(registry, model, report) ||
        !parse_mapping(registry, file, dialect->file, report) ||
        (used != NULL && !parse_mapping(registry, used, dialect->used_file, report)) ||
        !ocp_mapping_load(file->document, used != NULL ? used->document : NULL,
                          dialect->schema, model->schema, report, &dialect->mapping))
        return false;
    if (file->added)
        warn_of_gaps(dialect, model->schema, report);
    return true;
}

bool
ocp_dialect_schema(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report,
                   const OcpSchema **ret)
{
    g_mutex_lock(&registry->lock);
    bool ok = compile_schema(registry, dialect, report);
    g_mutex_unlock(&registry->lock);
    if (ok)
        *ret = dialect->schema;
    return ok;
}

bool
ocp_dialect_mapping(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report,
                    const OcpMapping **ret)
{
    OcpDialect *model = NULL;
    if (!ocp_registry_model(registry, report, &model))
        return false;
    g_mutex_lock(&registry->lock);
    bool ok = compile_mapping(registry, dialect, model, report);
    g_mutex_unlock(&registry->lock);
    if (ok)
        *ret = dialect->mapping;
    return ok;
}

bool
ocp_dialect_is_model(const OcpDialect *dialect)
{
    return strcmp(dialect->name, MODEL_DIALECT) == 0;
}

bool
ocp_registry_model(OcpRegistry *registry, OcpReport *report, OcpDialect **ret)
{
    return ocp_registry_find(registry, MODEL_DIALECT, report, ret);
}
