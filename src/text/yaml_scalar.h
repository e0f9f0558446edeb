/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/yaml.h"

/*
 * What a plain scalar is in YAML 1.1 (as PyYAML resolves it) and in the core schema of
 * YAML 1.2. Private to the YAML reader and ocp_yaml_settle().
 */

typedef enum {
    OCP_YAML_TEXT,
    OCP_YAML_NULL,
    OCP_YAML_TRUE,
    OCP_YAML_FALSE,
    OCP_YAML_NUMBER,
    OCP_YAML_TIME,   /* YAML 1.1 only: a timestamp, which JSON has only as text */
    OCP_YAML_NO_JSON /* .inf, .nan, an overlong number; 1.1 only: "=" and "<<" */
} OcpYamlType;

/* The type of a plain scalar. number gets the JSON spelling of the same exact value if
 * it is a number, else it is emptied. */
OcpYamlType ocp_yaml_type(const char *text, gsize length, OcpYamlVersion version,
                          GString *number);

/* False for most text: neither version can read a scalar that begins so as anything
 * but text. A cheap question before ocp_yaml_type(). */
bool ocp_yaml_may_have_type(const char *text, gsize length);

/* Gives the node (a scalar that holds its text) this type: kind, flags, spelling. */
void ocp_yaml_apply(OcpDocument *document, OcpNode *node, OcpYamlType type,
                    const GString *number);

/* The kind a node of this type gets. */
OcpKind ocp_yaml_kind(OcpYamlType type);

/* "text", "null", "the number 8", … for messages; free with g_free(). */
char *ocp_yaml_type_words(OcpYamlType type, const GString *number);

/* Gives a note or warning just added to report its file, line and column. Finding them
 * reads the text from its start, so only the first 100 get line and column. */
void ocp_yaml_locate(OcpReport *report, OcpDiagnostic *diagnostic,
                     const OcpDocument *document, guint32 place);

/* Appends the RFC 3339 form of a YAML 1.1 timestamp: "T", seconds, an offset ("Z" where
 * the text has none, as YAML 1.1 says). False if text is none, or no date there is. */
bool ocp_yaml_timestamp(const char *text, gsize length, GString *out);

/* Adds yaml.tag for a tag without meaning, returns false. */
bool ocp_yaml_fail_tag(const OcpDocument *document, guint32 place, const char *tag,
                       OcpReport *report);

/* Gives a scalar node (kind string, its text, OCP_NODE_PLAIN if plain and untagged) the
 * type of its tag, or, plain, what both versions say; OCP_NODE_UNSETTLED where they
 * differ. tag: NULL or "!" for none. Errors: yaml.tag, yaml.no-json. Warning:
 * yaml.version-differs for a tagged number. */
bool ocp_yaml_resolve(OcpDocument *document, OcpNode *node, const char *tag,
                      OcpReport *report);
