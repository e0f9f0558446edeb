/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/template.h"
#include "text/yaml.h"

/*
 * A mapping: one dialect's file under mappings/, compiled, immutable, shareable.
 */
typedef struct OcpMapping OcpMapping;

/* What a rule of `checks:` says. */
typedef struct {
    OcpTemplate *say; /* makes a list of {say: message, at: the node at fault} */
    char *code;
    OcpSeverity severity;
} OcpRuleCheck;

typedef struct {
    OcpExpr *path;
    char *path_text;
    const char *reason;     /* omit: reason; carry: NULL */
    const OcpNode *instead; /* sensitive: what stands where the target requires it */
    OcpExpr *parent;        /* sensitive: the objects whose member `name` it is, or NULL */
    char *name;
} OcpPathRule;

typedef struct {
    OcpExpr *of;
    OcpExpr *at;
} OcpCopyRule;

struct OcpMapping {
    OcpDocument *document;
    OcpArena *arena;      /* of what its expressions are compiled to */
    char *dialect;        /* "specrail" */
    char *version;        /* "1"; NULL if the dialect has but one */
    char *title;
    char *schema;         /* file name, "#" and pointer */
    char *key;            /* of the extension that holds the carry */
    bool preferred;       /* the version written when nobody asks for another */
    OcpYamlVersion yaml;
    const OcpNode *detect;
    const OcpNode *capture;
    GPtrArray *open_path; /* member names of the open place; NULL: none */
    bool open_is_text;    /* as: json-string */
    GHashTable *tables;
    GPtrArray *rules;     /* OcpRule */
    OcpTemplate *read;    /* NULL: this dialect is only checked */
    guint read_slots;
    OcpTemplate *write;
    guint write_slots;
    OcpTemplate *finish;
    guint finish_slots;
    GArray *checks;       /* OcpRuleCheck */
    guint check_slots;
    GArray *sensitive;    /* OcpPathRule */
    GArray *omit;         /* OcpPathRule */
    GArray *carry;        /* OcpPathRule: read by no rule, on purpose */
    GArray *copies;       /* OcpCopyRule */
};

/* Compiles a mapping. used: the mapping that `use:` names, or NULL. dialect_schema may be NULL
 * (then shapes are unknown and nothing is checked against them). */
bool ocp_mapping_load(OcpDocument *document, OcpDocument *used,
                      const OcpSchema *dialect_schema, const OcpSchema *model_schema,
                      OcpReport *report, OcpMapping **ret);
void ocp_mapping_free(OcpMapping *mapping);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpMapping, ocp_mapping_free)

/* The member of that name of the mapping file, or of the one it uses; for what is needed
 * before anything is compiled (dialect, schema, detect, use). */
const OcpNode *ocp_mapping_peek(const OcpNode *mapping_root, const OcpNode *used_root,
                                const char *name);
