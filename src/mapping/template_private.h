/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/template.h"

/*
 * Compiling templates, private to template_load.c (objects and lists) and
 * template_text.c (names in scope and everything that holds expressions).
 */

GArray *ocp_template_scope_new(void);
/* Adds a name to the scope and gives its slot; takes all names from depth on away. */
guint ocp_template_name(OcpTemplateLoad *load, const OcpNode *name, OcpExprType type);
void ocp_template_unname(OcpTemplateLoad *load, guint depth);

/* True if a text has a brace: then it is no constant. */
bool ocp_template_has_brace(const OcpNode *text);
/* Compiles "a {expr} b" into OcpTextPart; *ret is set also on failure. */
bool ocp_template_load_parts(OcpTemplateLoad *load, const OcpNode *node, GArray **ret);
/* The same as ocp_template_load_expr() for what is only tested. */
bool ocp_template_load_condition(OcpTemplateLoad *load, const OcpNode *node,
                                 OcpExpr **ret);
