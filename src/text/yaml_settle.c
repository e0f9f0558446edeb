/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/yaml_scalar.h"
#include "value/pointer.h"

/*
 * The types of plain scalars on which YAML 1.1 and 1.2 differ: by what the schema
 * allows, then by version.
 */

typedef struct {
    OcpDocument *document;
    OcpYamlVersion version;
    OcpAllowedAt allowed;
    gpointer data;
    OcpReport *report;
    OcpPlaces *places;   /* made when the first pointer is needed */
    GString *numbers[2]; /* by OcpYamlVersion */
    OcpYamlType types[2];
} Settler;

static void
say(Settler *settler, const OcpNode *node, OcpSeverity severity, const char *code,
    const char *message)
{
    OcpDiagnostic *diagnostic =
        ocp_report_add(settler->report, severity, code, "%s", message);
    if (settler->places == NULL)
        settler->places = ocp_places_new(settler->document);
    g_autoptr(GString) pointer = g_string_new(NULL);
    ocp_places_pointer(settler->places, node, pointer);
    diagnostic->pointer = g_strdup(pointer->str);
    ocp_yaml_locate(settler->report, diagnostic, settler->document, node->place);
}

static char *
words_of(const Settler *settler, OcpYamlVersion version)
{
    return ocp_yaml_type_words(settler->types[version], settler->numbers[version]);
}

static void
warn_differs(Settler *settler, const OcpNode *node, OcpYamlVersion taken,
             const char *why)
{
    g_autofree char *old_words = words_of(settler, OCP_YAML_1_1);
    g_autofree char *new_words = words_of(settler, OCP_YAML_1_2);
    g_autofree char *message =
        g_strdup_printf("'%.*s' is %s in YAML 1.1 and %s in YAML 1.2: read as %s%s",
                        (int)MIN(node->size, 40), node->as.text, old_words, new_words,
                        taken == OCP_YAML_1_1 ? "1.1" : "1.2", why);
    say(settler, node, OCP_WARNING, "yaml.version-differs", message);
}

static void
take_version(Settler *settler, OcpNode *node, OcpYamlVersion version, const char *why)
{
    warn_differs(settler, node, version, why);
    ocp_yaml_apply(settler->document, node, settler->types[version],
                   settler->numbers[version]);
}

static void
keep_text(Settler *settler, OcpNode *node)
{
    bool old = settler->types[OCP_YAML_1_1] != OCP_YAML_TEXT;
    g_autofree char *words = words_of(settler, old ? OCP_YAML_1_1 : OCP_YAML_1_2);
    g_autofree char *message =
        g_strdup_printf("'%.*s', which YAML can read as %s, is text here, because the "
                        "schema wants text",
                        (int)MIN(node->size, 40), node->as.text, words);
    say(settler, node, OCP_NOTE, "yaml.text-kept", message);
    node->flags &= (guint8)~OCP_NODE_UNSETTLED;
}

/* A timestamp where a date-time may stand: RFC 3339, and no word if it is that. */
static void
take_time(Settler *settler, OcpNode *node)
{
    g_autoptr(GString) time = g_string_new(NULL);
    node->flags &= (guint8)~OCP_NODE_UNSETTLED;
    if (!ocp_yaml_timestamp(node->as.text, node->size, time) ||
        (time->len == node->size && memcmp(time->str, node->as.text, time->len) == 0))
        return;
    g_autofree char *message =
        g_strdup_printf("The YAML timestamp '%.*s' becomes '%.60s' (RFC 3339)",
                        (int)MIN(node->size, 60), node->as.text, time->str);
    say(settler, node, OCP_NOTE, "yaml.timestamp", message);
    node->as.text = ocp_arena_copy(settler->document->arena, time->str, time->len);
    node->size = (guint32)time->len;
    node->flags |= OCP_NODE_RESPELLED;
}

static bool
allows(const OcpAllowed *allowed, OcpKind kind)
{
    return (allowed->kinds & (1u << (kind == OCP_FALSE ? OCP_TRUE : kind))) != 0;
}

static void
settle(Settler *settler, OcpNode *node)
{
    for (int version = OCP_YAML_1_1; version <= OCP_YAML_1_2; version++)
        settler->types[version] =
            ocp_yaml_type(node->as.text, node->size, (OcpYamlVersion)version,
                          settler->numbers[version]);
    OcpAllowed allowed = {0, false};
    if (settler->allowed != NULL)
        allowed = settler->allowed(node, settler->data);
    OcpYamlVersion version = settler->version;
    OcpYamlVersion other = version == OCP_YAML_1_1 ? OCP_YAML_1_2 : OCP_YAML_1_1;
    OcpKind mine = ocp_yaml_kind(settler->types[version]);
    OcpKind theirs = ocp_yaml_kind(settler->types[other]);
    bool text = allows(&allowed, OCP_STRING);
    if (settler->types[OCP_YAML_1_1] == OCP_YAML_TIME && allowed.date_time &&
        (text || allowed.kinds == 0))
        take_time(settler, node);
    else if (text && (mine == OCP_STRING || !allows(&allowed, mine)) &&
             (theirs == OCP_STRING || !allows(&allowed, theirs)))
        keep_text(settler, node);
    else if (allows(&allowed, theirs) && !allows(&allowed, mine))
        take_version(settler, node, other, ", which the schema allows");
    else
        take_version(settler, node, version, "");
}

/* Walks the tree without recursion: what is still to do is where the walk goes on when
 * a container is done. */
bool
ocp_yaml_settle(OcpDocument *document, OcpYamlVersion version, OcpAllowedAt allowed,
                gpointer data, OcpReport *report)
{
    if (!document->yaml || document->root == NULL)
        return true;
    Settler settler = {.document = document,
                       .version = version,
                       .allowed = allowed,
                       .data = data,
                       .report = report,
                       .numbers = {g_string_new(NULL), g_string_new(NULL)}};
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    for (const OcpNode *node = document->root; node != NULL;) {
        if (node->flags & OCP_NODE_UNSETTLED)
            settle(&settler, (OcpNode *)node);
        const OcpNode *next = node == document->root ? NULL : node->next;
        const OcpNode *child = ocp_first_child(node);
        if (child != NULL && next != NULL)
            g_ptr_array_add(todo, (gpointer)next);
        node = child != NULL ? child : next;
        if (node == NULL && todo->len > 0)
            node = g_ptr_array_steal_index(todo, todo->len - 1);
    }
    if (settler.places != NULL)
        ocp_places_free(settler.places);
    g_string_free(settler.numbers[0], TRUE);
    g_string_free(settler.numbers[1], TRUE);
    return true;
}
