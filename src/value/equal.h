/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * When two values are the same. Objects compare as sets of members, arrays in order.
 * Two equalities: accounting's compares numbers by text, JSON Schema's by value.
 * Neither recurses on the depth of the values beyond the reader's depth limit.
 */

bool ocp_equal(const OcpNode *a, const OcpNode *b);       /* numbers by text */
bool ocp_equal_value(const OcpNode *a, const OcpNode *b); /* numbers by exact value */

/* Hashes that agree with the equality of the same name. */
guint ocp_hash(const OcpNode *node);
guint ocp_hash_value(const OcpNode *node);

/* Number of leaves below and including node. */
gsize ocp_count_leaves(const OcpNode *node);
