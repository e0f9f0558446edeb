/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"
#include "mapping/hide.h"

/* A document and what came back for it, and what the reports said may differ. */
typedef struct {
    GHashTable *named; /* set of pointers in the document: omitted there or made back */
    GHashTable *moved; /* likewise: partly left behind on the way, or elsewhere now */
    GHashTable *shown; /* set of places in what came back that the model shows at */
    const OcpHidden *hidden; /* of the document */
    bool by_value;           /* numbers by exact value: YAML was on the way */
} OcpDifferencesNamed;

/* Returns the differences (OcpDifference), each with whether the reports name it.
 * Elements of arrays are one where what the reports do not name is the same, in the
 * same order; what they name, and what was made, lies between. */
GPtrArray *ocp_differences_find(const OcpDifferencesNamed *named, const OcpNode *before,
                                const OcpNode *after);
