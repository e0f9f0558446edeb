/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The type of a scalar as it is read: by its tag, or by what both versions say.
 */
#include <string.h>

#include "text/yaml_scalar.h"

#define YAML_TAG "tag:yaml.org,2002:"

static bool
resolve_plain(OcpDocument *document, OcpNode *node, OcpReport *report)
{
    if (!ocp_yaml_may_have_type(node->as.text, node->size))
        return true;
    g_autoptr(GString) new_number = g_string_new(NULL);
    g_autoptr(GString) old_number = g_string_new(NULL);
    OcpYamlType new_type =
        ocp_yaml_type(node->as.text, node->size, OCP_YAML_1_2, new_number);
    OcpYamlType old_type =
        ocp_yaml_type(node->as.text, node->size, OCP_YAML_1_1, old_number);
    if (new_type != old_type || !g_string_equal(new_number, old_number)) {
        node->flags |= OCP_NODE_UNSETTLED;
        return true;
    }
    if (new_type == OCP_YAML_NO_JSON)
        return ocp_fail_at(report, document, node->place, "yaml.no-json",
                           "JSON has no number for %.*s", (int)MIN(node->size, 40),
                           node->as.text);
    OcpNode written = *node;
    ocp_yaml_apply(document, node, new_type, new_number);
    if (node->flags & OCP_NODE_RESPELLED) {
        OcpDiagnostic *note = ocp_report_add(report, OCP_NOTE, "yaml.number-respelled",
                                             "the number %.*s is %.60s in JSON",
                                             (int)MIN(written.size, 40),
                                             written.as.text, new_number->str);
        ocp_yaml_locate(report, note, document, node->place);
    }
    return true;
}

static bool
bad_tag(OcpDocument *document, const OcpNode *node, const char *tag, OcpReport *report)
{
    return ocp_fail_at(report, document, node->place, "yaml.tag",
                       "the text does not fit its tag !!%s", tag + strlen(YAML_TAG));
}

static bool
fits(OcpYamlType type, const char *name, const GString *number)
{
    switch (type) {
    case OCP_YAML_NULL: return strcmp(name, "null") == 0;
    case OCP_YAML_TRUE:
    case OCP_YAML_FALSE: return strcmp(name, "bool") == 0;
    case OCP_YAML_NUMBER:
        return strcmp(name, "float") == 0 ||
               (strcmp(name, "int") == 0 && strpbrk(number->str, ".eE") == NULL);
    case OCP_YAML_TIME:
    case OCP_YAML_TEXT:
    case OCP_YAML_NO_JSON: break;
    }
    return false;
}

static bool
resolve_tagged(OcpDocument *document, OcpNode *node, const char *tag, OcpReport *report)
{
    const char *name = tag + strlen(YAML_TAG);
    g_autoptr(GString) new_number = g_string_new(NULL);
    g_autoptr(GString) old_number = g_string_new(NULL);
    OcpYamlType new_type =
        ocp_yaml_type(node->as.text, node->size, OCP_YAML_1_2, new_number);
    OcpYamlType old_type =
        ocp_yaml_type(node->as.text, node->size, OCP_YAML_1_1, old_number);
    if (strcmp(name, "timestamp") == 0) {
        node->flags |= OCP_NODE_PLAIN | OCP_NODE_UNSETTLED;
        return old_type == OCP_YAML_TIME || bad_tag(document, node, tag, report);
    }
    bool new_fits = fits(new_type, name, new_number);
    bool old_fits = fits(old_type, name, old_number);
    if (!new_fits && !old_fits)
        return bad_tag(document, node, tag, report);
    if (new_fits && old_fits && !g_string_equal(new_number, old_number)) {
        OcpDiagnostic *warning = ocp_report_add(
            report, OCP_WARNING, "yaml.version-differs",
            "%.*s is the number %.60s in YAML 1.2, %.60s in YAML 1.1: read as 1.2",
            (int)MIN(node->size, 40), node->as.text, new_number->str, old_number->str);
        ocp_yaml_locate(report, warning, document, node->place);
    }
    ocp_yaml_apply(document, node, new_fits ? new_type : old_type,
                   new_fits ? new_number : old_number);
    return true;
}

bool
ocp_yaml_fail_tag(const OcpDocument *document, guint32 place, const char *tag,
                  OcpReport *report)
{
    gsize length = strlen(tag);
    g_autofree char *shown = g_utf8_make_valid(tag, (gssize)MIN(length, 80));
    return ocp_fail_at(report, document, place, "yaml.tag",
                       "the tag %s has no meaning in a checkpoint", shown);
}

bool
ocp_yaml_resolve(OcpDocument *document, OcpNode *node, const char *tag,
                 OcpReport *report)
{
    static const char *const known[] = {"null", "bool", "int", "float", "timestamp"};
    if (tag == NULL || *tag == '\0' || strcmp(tag, "!") == 0)
        return !(node->flags & OCP_NODE_PLAIN) || resolve_plain(document, node, report);
    if (strcmp(tag, YAML_TAG "str") == 0)
        return true;
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (g_str_has_prefix(tag, YAML_TAG) &&
            strcmp(tag + strlen(YAML_TAG), known[i]) == 0)
            return resolve_tagged(document, node, tag, report);
    return ocp_yaml_fail_tag(document, node->place, tag, report);
}
