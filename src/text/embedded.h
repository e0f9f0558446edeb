/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/*
 * The files of schemas/ and mappings/ as they were when the library was built.
 */
typedef struct {
    const char *name; /* "schemas/opencheckpoint-0.1.schema.json" */
    const unsigned char *bytes;
    size_t size;
    const unsigned char
        *head;        /* of a mapping: the same with true for its large members, */
    size_t head_size; /* enough to know the dialect and its documents; or NULL */
} OcpEmbedded;

/* Ends with a name of NULL; sorted by name within each folder. */
extern const OcpEmbedded ocp_embedded_files[];
