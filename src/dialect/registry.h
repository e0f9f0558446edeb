/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"

/*
 * The dialects: one for each mapping file, embedded or added. A mapping's head (name,
 * version, schema, detection) is read when the registry is first asked; schemas and rules
 * are compiled when a dialect is first used, and only its own.
 *
 * Knows file names, heads and how a dialect is told from another; no member of any.
 */
typedef struct OcpRegistry OcpRegistry;

typedef struct {
    char *file;     /* "specrail.yaml" */
    char *name;     /* "specrail" */
    char *version;  /* "1", or NULL */
    char *label;    /* "specrail@1", or the name alone */
    OcpDocument *head;      /* its mapping; members only compiling needs may be just true */
    OcpDocument *used_head; /* of the mapping that `use:` names, or NULL */
    char *used_file;
    bool preferred;
    OcpSchema *schema;     /* compiled on first use; see ocp_dialect_schema() */
    OcpMapping *mapping;   /* likewise */
} OcpDialect;

OcpRegistry *ocp_registry_new(void);
void ocp_registry_free(OcpRegistry *registry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpRegistry, ocp_registry_free)

/* Files added later replace those of the same name. */
void ocp_registry_add_schema(OcpRegistry *registry, const char *name, GBytes *bytes);
void ocp_registry_add_mapping(OcpRegistry *registry, const char *name, GBytes *bytes);

/* All dialects, sorted by name and version. Borrowed array of OcpDialect. */
bool ocp_registry_list(OcpRegistry *registry, OcpReport *report, const GPtrArray **ret);

/* The dialect NAME or NAME@VERSION; without a version the preferred one. Errors:
 * usage.dialect, with what there is and a suggestion. */
bool ocp_registry_find(OcpRegistry *registry, const char *label, OcpReport *report,
                       OcpDialect **ret);

/* The version of a dialect (a name without one) that a model carries, if it does: then
 * that is the version to write. False if it carries none. */
bool ocp_registry_carried(OcpRegistry *registry, const char *name, const OcpNode *model,
                          OcpDialect **ret);

/* The dialect of a document by its content. label: NULL, or NAME (one of its versions), or
 * NAME@VERSION, if the document does not say that it has another. Errors: detect.version;
 * detect.unknown and detect.ambiguous, listing the candidates and what each lacked. */
bool ocp_registry_detect(OcpRegistry *registry, const OcpDocument *document,
                         const char *label, OcpReport *report, OcpDialect **ret);

/* True if text holds the name of a member that some dialect calls sensitive. For texts that
 * cannot be read, so that nobody knows what they show. */
bool ocp_registry_may_hold_sensitive(OcpRegistry *registry, const char *text,
                                     gsize length);

/* Compiles what is needed of a dialect; borrowed. */
bool ocp_dialect_schema(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report,
                        const OcpSchema **ret);
bool ocp_dialect_mapping(OcpRegistry *registry, OcpDialect *dialect, OcpReport *report,
                         const OcpMapping **ret);

/* True for OpenCheckpoint itself, the model all others are read into. */
bool ocp_dialect_is_model(const OcpDialect *dialect);

/* OpenCheckpoint's own dialect. */
bool ocp_registry_model(OcpRegistry *registry, OcpReport *report, OcpDialect **ret);
