/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"

/*
 * Which values of a source repeat others (`copies:` of a mapping): a node under `at` that
 * is deep-equal to one under `of` is carried as a reference, so that an edit of the one
 * reaches the other and a long text is kept once.
 */
typedef struct {
    const OcpNode *original;
    char *pointer; /* of the original in the source */
} OcpCopy;

/* Returns node -> OcpCopy; empty where the mapping has no copies. g_hash_table_unref(). */
GHashTable *ocp_copies_find(const OcpMapping *mapping, const OcpNode *root,
                            const OcpPlaces *places);
