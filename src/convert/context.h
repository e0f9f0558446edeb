/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"
#include "dialect/registry.h"

/* What a context holds; private to this layer. */
struct OcpContext {
    OcpRegistry *registry;
};

/* A document made ready: its dialect known, YAML settled, everything compiled. */
typedef struct {
    OcpDialect *dialect;
    const OcpSchema *schema;
    const OcpMapping *mapping;
} OcpPrepared;

/* Finds the dialect of a document, settles its YAML scalars by the dialect's schema. */
bool ocp_prepare(OcpContext *context, OcpDocument *document, const char *from,
                 OcpReport *report, OcpPrepared *ret);

/* Checks the document: its schema, then (if that holds) the integrity rules or the
 * dialect's own. format_warns: as in a conversion; rules_warn: likewise. */
bool ocp_check_prepared(const OcpPrepared *prepared, OcpDocument *document,
                        bool format_warns, bool rules_warn, OcpReport *report);
