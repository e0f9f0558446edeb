/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/limits.h"
#include "value/report.h"

/*
 * YAML by libyaml's events. The reader settles what YAML 1.1 and 1.2 agree on; a plain
 * scalar on which they differ is marked OCP_NODE_UNSETTLED and keeps its text, until
 * ocp_yaml_settle() is told what the dialect's schema allows at its place.
 */

/* Reads all documents of a stream; *ret gets an array of OcpDocument (free function
 * set), at least one. Errors: yaml.* with line, column and, where it has one, pointer. */
bool ocp_yaml_read(GBytes *bytes, const char *name, const OcpLimits *limits,
                   OcpReport *report, GPtrArray **ret);

typedef enum { OCP_YAML_1_1, OCP_YAML_1_2 } OcpYamlVersion;

/* What a schema allows at a place. Bits of 1 << OcpKind (both booleans count as
 * 1 << OCP_TRUE); 0 means "says nothing". */
typedef struct {
    guint kinds;
    bool date_time; /* format date-time: a plain timestamp becomes RFC 3339 */
} OcpAllowed;

/* Asked for an unsettled scalar: what is allowed there. NULL: anything. */
typedef OcpAllowed (*OcpAllowedAt)(const OcpNode *node, gpointer data);

/* Gives every unsettled scalar of the document its type: string where only that is
 * allowed (a note says so), else by version (with a warning). Timestamps where the
 * schema wants date-time become RFC 3339 (a note). After this no node is unsettled. */
bool ocp_yaml_settle(OcpDocument *document, OcpYamlVersion version, OcpAllowedAt allowed,
                     gpointer data, OcpReport *report);

/* Appends one document in block style. Notes (yaml.number-respelled) for a number whose
 * text a YAML reader would take for something else. Multi-document streams: the caller
 * puts "---\n" between. */
void ocp_yaml_write(const OcpNode *node, OcpReport *report, GString *out);
