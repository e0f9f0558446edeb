/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line and column are right: a maximal document is broken at each of 200 places, drawn
 * with a printed seed, and an error names the place. In JSON and in YAML.
 */
#include "schemas.h"
#include "value/position.h"

enum { BREAKS = 200, SEED = 42 };

typedef struct {
    const OcpDocument *document;
    const OcpPlaces *places;
    GPtrArray *values; /* scalars that the schema holds to some kinds */
    GPtrArray *keys;   /* keys of closed objects */
} Targets;

static guint32
draw(guint64 *seed, guint32 below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (guint32)(*seed >> 33) % below;
}

/* Walks document and schema side by side. Recursion: the document is ours, and flat. */
static void
find_targets(Targets *targets, const OcpNode *node, const OcpShape *shape)
{
    g_autoptr(OcpShape) here = ocp_shape_narrow(shape, node);
    guint kinds = ocp_shape_kinds(here);
    const OcpNode *key, *value;
    if (node->kind == OCP_ARRAY) {
        g_autoptr(OcpShape) below = ocp_shape_element(here);
        for (OcpIter i = ocp_iter(node); (value = ocp_iter_element(&i)) != NULL;)
            find_targets(targets, value, below);
    } else if (node->kind == OCP_OBJECT) {
        bool closed = !ocp_shape_is_empty(here) && !ocp_shape_is_open(here);
        for (OcpIter i = ocp_iter(node); ocp_iter_member(&i, &key, &value);) {
            g_autofree char *name = ocp_text_dup(key);
            g_autoptr(OcpShape) below = ocp_shape_member(here, name, strlen(name));
            find_targets(targets, value, below);
            /* Without what chooses the branch, the object is the place. */
            if (closed && strcmp(name, "version") != 0)
                g_ptr_array_add(targets->keys, (gpointer)key);
        }
    } else if (kinds != 0 && (kinds & (1u << OCP_ARRAY)) == 0) {
        g_ptr_array_add(targets->values, (gpointer)node);
    }
}

/* The offset behind a scalar. In the YAML we write a scalar ends with its line; 0 says
 * that it takes more than one. */
static gsize
end_of(const OcpDocument *document, const OcpNode *node)
{
    const char *start = document->text + node->place;
    if (!document->yaml)
        return node->place + node->size + (node->kind == OCP_STRING ? 2u : 0u);
    if (*start == '|' || *start == '>')
        return 0;
    const char *end = memchr(start, '\n', document->length - node->place);
    return end != NULL ? (gsize)(end - document->text) : document->length;
}

static OcpDocument *
replaced(const OcpDocument *document, gsize from, gsize to, const char *with)
{
    g_autoptr(GString) text = g_string_new_len(document->text, (gssize)from);
    g_string_append(text, with);
    g_string_append_len(text, document->text + to, (gssize)(document->length - to));
    g_autoptr(GBytes) bytes = g_bytes_new(text->str, text->len);
    return test_parse(bytes, document->yaml ? "broken.yaml" : "broken.json");
}

static void
expect_error_at(OcpDocument *broken, const OcpSchema *schema, gsize offset,
                const char *pointer, guint *right)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpCheckOptions options = {.most = 1000};
    guint line, column;
    if (broken == NULL || !test_settle(broken, schema)) {
        ocp_test_fail("%s: the broken document cannot be read", pointer);
        return;
    }
    ocp_position(broken->text, broken->length, offset, &line, &column);
    bool good = ocp_schema_check(schema, broken, broken->root, &options, report);
    for (guint i = 0; !good && i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (strcmp(one->pointer, pointer) != 0)
            continue;
        if (one->line == line && one->column == column)
            (*right)++;
        else
            ocp_test_fail("%s: error at %u:%u, expected %u:%u", pointer, one->line,
                          one->column, line, column);
        return;
    }
    ocp_test_fail("%s (%u:%u): no error", pointer, line, column);
}

static void
break_value(const Targets *targets, const OcpSchema *schema, const OcpNode *node,
            guint *right)
{
    gsize end = end_of(targets->document, node);
    g_autoptr(GString) pointer = g_string_new(NULL);
    ocp_places_pointer(targets->places, node, pointer);
    g_autoptr(OcpDocument) broken =
        replaced(targets->document, node->place, end, "[[]]");
    expect_error_at(broken, schema, node->place, pointer->str, right);
}

static void
break_key(const Targets *targets, const OcpSchema *schema, const OcpNode *key,
          const OcpNode *object, guint *right)
{
    const char *text = targets->document->text + key->place;
    gsize at = key->place + (*text == '"' ? 1u : 0u);
    g_autofree char *old = ocp_text_dup(key);
    g_autofree char *name = g_strconcat("xyzzy-", old, NULL);
    g_autoptr(GString) pointer = g_string_new(NULL);
    ocp_places_pointer(targets->places, object, pointer);
    ocp_pointer_push(pointer, name, strlen(name));
    g_autoptr(OcpDocument) broken = replaced(targets->document, at, at, "xyzzy-");
    expect_error_at(broken, schema, key->place, pointer->str, right);
}

/* The object that a key belongs to: the one whose member of that name has this key. */
static const OcpNode *
object_of(const Targets *targets, const OcpNode *key)
{
    return ocp_places_parent(targets->places, ocp_deref(key->next));
}

static void
break_document(const char *name, OcpDocument *document, const OcpSchema *schema)
{
    g_autoptr(OcpPlaces) places = ocp_places_new(document);
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    Targets targets = {document, places, values, keys};
    g_autoptr(OcpShape) root = ocp_shape_root(schema);
    find_targets(&targets, document->root, root);
    guint64 seed = SEED;
    guint right = 0;
    CU_ASSERT_FATAL(values->len > 20);
    for (guint i = 0; i < BREAKS; i++) {
        const OcpNode *value = values->pdata[draw(&seed, values->len)];
        const OcpNode *key = keys->len > 0 ? keys->pdata[draw(&seed, keys->len)] : NULL;
        if (key == NULL || (i % 4 != 0 && end_of(document, value) != 0))
            break_value(&targets, schema, value, &right);
        else
            break_key(&targets, schema, key, object_of(&targets, key), &right);
    }
    g_autofree char *title = g_strdup_printf("places %s %s (seed %d)", name,
                                             document->yaml ? "YAML" : "JSON", SEED);
    ocp_test_count(title, right, BREAKS);
    CU_ASSERT_EQUAL(right, BREAKS);
}

static void
break_example(const char *name, bool yaml)
{
    g_autofree char *below =
        g_build_filename("corpus/examples", name, "valid/maximal.json", NULL);
    g_autofree char *path = ocp_test_shared(below);
    if (path == NULL)
        return;
    g_autoptr(OcpSchema) schema = test_load_named(name);
    g_autoptr(OcpDocument) document = test_read(path);
    if (yaml) {
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(GString) text = g_string_new(NULL);
        ocp_yaml_write(document->root, report, text);
        g_autoptr(GBytes) bytes = g_bytes_new(text->str, text->len);
        ocp_document_unref(document);
        document = test_parse(bytes, "maximal.yaml");
        CU_ASSERT_PTR_NOT_NULL_FATAL(document);
        CU_ASSERT_FATAL(test_settle(document, schema));
    }
    break_document(name, document, schema);
}

static void
break_all(bool yaml)
{
    static const char *const names[] = {"opencheckpoint", "session-checkpoint-v2",
                                        "specrail", "caop-pulse"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        break_example(names[i], yaml);
}

static void
places_in_json_are_named(void)
{
    break_all(false);
}

static void
places_in_yaml_are_named(void)
{
    break_all(true);
}

OCP_TEST_MAIN("schema-places", {"places in JSON are named", places_in_json_are_named},
              {"places in YAML are named", places_in_yaml_are_named})
