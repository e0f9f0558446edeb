/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/expr.h"
#include "schema/schema.h"

/*
 * Templates in the shape of the result (mapping language, section 3), compiled once and
 * immutable. Private to the mapping layer: template_load.c makes them, run.c runs them.
 */
typedef struct OcpTemplate OcpTemplate;

typedef enum {
    OCP_TEMPLATE_CONSTANT,
    OCP_TEMPLATE_EXPR,   /* "=expr" */
    OCP_TEMPLATE_TEXT,   /* "a {expr} b" */
    OCP_TEMPLATE_OBJECT,
    OCP_TEMPLATE_LIST
} OcpTemplateKind;

/* A rule, as the account names it: where it stands, and why it does what it does. */
typedef struct {
    char *label; /* "read:progress/next/0/description" */
    char *why;   /* the sentence of the nearest `why:`, or NULL */
    guint group; /* the rule of the object it belongs to: one transformation a group */
} OcpRule;

/* A text part: either literal or an expression. */
typedef struct {
    char *literal;
    gsize length;
    OcpExpr *expr;
} OcpTextPart;

/* A `let` (value is an expression or a template) or a binding of `for`. */
typedef struct {
    guint slot;
    OcpExpr *expr;
    OcpTemplate *value;
    OcpExprType type;
} OcpBinding;

typedef struct {
    const OcpNode *name;   /* of the mapping document; NULL if computed */
    GArray *computed;      /* OcpTextPart; NULL if not */
    OcpTemplate *value;
    bool is_reference;     /* holds raw ids of model objects */
} OcpTemplateMember;

struct OcpTemplate {
    OcpTemplateKind kind;
    guint rule;             /* index into the mapping's rules */
    const OcpNode *node;    /* where it stands in the mapping document */
    OcpShape *shape;        /* what the target's schema says of its place; may be NULL */
    OcpExpr *expr;          /* EXPR */
    GArray *parts;          /* TEXT: OcpTextPart */
    GPtrArray *entries;     /* LIST: OcpTemplate */
    /* OBJECT (and list entries, which are objects with for, when, let, make): */
    GArray *loop;           /* OcpBinding, outermost first; NULL: no loop */
    GArray *lets;           /* OcpBinding */
    OcpExpr *when;
    OcpTemplate *make;
    GArray *members;        /* OcpTemplateMember */
    GPtrArray *needs;       /* read: names the model's schema requires; or NULL */
    bool has_id;            /* makes a model object with a local id */
    bool required;          /* the schema requires it: written empty rather than not */
};

void ocp_template_free(OcpTemplate *template);

/* What a loader needs to know while it compiles one direction. */
typedef struct {
    OcpDocument *document;  /* the mapping file */
    OcpArena *arena;        /* where expressions are made; outlives them */
    OcpReport *report;
    GHashTable *tables;     /* name -> OcpTable */
    const OcpNode *parts;   /* `parts:` of the mapping, or NULL */
    OcpDocument *parts_document; /* the file they stand in */
    bool in_part;           /* a part is being compiled */
    GPtrArray *rules;       /* OcpRule, grows; index 0 is "none" */
    guint slots;            /* how many slots the direction needs; grows */
    GArray *scope;          /* names in scope, innermost last */
    bool to_model;          /* read: the target is the model */
    const char *direction;  /* "read", "write", "finish" */
    GString *path;          /* of the place being compiled: "progress/next/0" */
    GPtrArray *model_path;  /* member names and "*" for ocp_model_has_id() */
} OcpTemplateLoad;

/* Compiles the template at node for a target of that shape. */
bool ocp_template_load(OcpTemplateLoad *load, const OcpNode *node, const OcpShape *shape,
                       OcpTemplate **ret);

/* Compiles a bare expression of the mapping file (checks, paths), with or without "=". */
bool ocp_template_load_expr(OcpTemplateLoad *load, const OcpNode *node, OcpExpr **ret);
