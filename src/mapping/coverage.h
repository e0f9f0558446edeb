/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"

/*
 * The static check of a mapping against the schemas on both its sides. Expressions are
 * evaluated over what the schemas say of places instead of over documents: "$.a[*].b"
 * is the place /a/[*]/b, by_id() is any object of the model that has an id, a name is
 * what its `let` or `for` may be. From that follows which property of the dialect is
 * read, written or set aside, and which path leads nowhere.
 *
 * Knows compiled mappings and shapes; never sees a document. Not thread-safe; the
 * mapping and the schemas must outlive it.
 */
typedef struct OcpCoverage OcpCoverage;

/* What a rule does with a place. */
typedef enum {
    OCP_USE_TESTED,   /* it decides: a condition, a comparison, an argument of a test */
    OCP_USE_PIECE,    /* it goes into a text or through a function */
    OCP_USE_VALUE,    /* it is taken as it is, with all that is below */
    OCP_USE_WRITTEN,  /* it is made by `write` or `finish`, with all that is below */
    OCP_USE_OPEN,     /* the open place: the rest of a foreign model */
    OCP_USE_COPY,     /* `copies:` gives it as a reference */
    OCP_USE_CARRIED,  /* `carry:` */
    OCP_USE_OMITTED,  /* `omit:` */
    OCP_USE_SENSITIVE /* `sensitive:` */
} OcpUseKind;

typedef struct {
    OcpUseKind kind;
    guint rule;           /* TESTED to WRITTEN: index into mapping->rules */
    const OcpNode *entry; /* COPY to SENSITIVE: the entry of the list, or NULL */
} OcpUse;

/* A property of the dialect. Strings are the coverage's and the schema's. */
typedef struct {
    char *path;              /* "/items/[*]/state" */
    const char *description; /* of the schema, or NULL */
    guint kinds;             /* see ocp_shape_kinds() */
    GArray *uses;            /* OcpUse, in the order of the rules */
} OcpField;

/* Walks all rules. Errors (mapping.coverage, located in the mapping file):
 *   - a property of the dialect that is neither read, written, carried nor omitted
 *   - a path, or a member of a template, that the schema of its side does not have
 *   - a bare path used as a condition where the schema allows a boolean
 *   - a constant that the schema does not allow where it stands
 *   - a name of a `let` that nothing uses
 * Never fails otherwise; a mapping without `read` and `write` covers nothing and says
 * so nowhere. */
OcpCoverage *ocp_coverage_new(const OcpMapping *mapping, const OcpSchema *dialect,
                              const OcpSchema *model, OcpReport *report);
void ocp_coverage_free(OcpCoverage *coverage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpCoverage, ocp_coverage_free)

/* Every property of the dialect, in the order of its schema, down to leaves and to what
 * is used whole, and what is used apart from that below. Borrowed: OcpField. */
const GPtrArray *ocp_coverage_fields(const OcpCoverage *coverage);

/* The places of the model that a rule of `write` takes values from, sorted; free with
 * g_ptr_array_unref(). */
GPtrArray *ocp_coverage_sources(const OcpCoverage *coverage, guint rule);

/* Only the check: true if it found nothing. */
bool ocp_mapping_coverage(const OcpMapping *mapping, const OcpSchema *dialect,
                          const OcpSchema *model, OcpReport *report);
