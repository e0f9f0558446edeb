/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/coverage.h"

/*
 * Private to the coverage check: spots (coverage_spot.c), things and expressions
 * (coverage_expr.c), templates (coverage_template.c), sections and the verdict
 * (coverage.c).
 */

/* A place of a document as its schema sees it; one for each path that was reached. */
typedef struct OcpSpot OcpSpot;
struct OcpSpot {
    const OcpSpot *parent; /* NULL: the root */
    char *step;            /* member name, "[*]" for elements, "{}" for other members */
    OcpShape *shape; /* NULL: nothing is said of the place, anything may be there */
    GHashTable *children; /* key -> OcpSpot */
    GArray *uses;         /* OcpUse, each kind and rule once */
    bool model;           /* of the model's schema, not of the dialect's */
};

OcpSpot *ocp_spot_root(const OcpSchema *schema, bool model);
void ocp_spot_free(OcpSpot *spot);
/* A step down; NULL if the schema does not allow it. */
OcpSpot *ocp_spot_member(OcpSpot *spot, const char *name, gsize length);
OcpSpot *ocp_spot_element(OcpSpot *spot);
OcpSpot *ocp_spot_other(OcpSpot *spot);
/* What [*] selects: elements, and the values of all members. */
void ocp_spot_children(OcpSpot *spot, GPtrArray *out);
/* Every object of the model that has a local id. */
void ocp_spot_objects(OcpSpot *model_root, GPtrArray *out);
bool ocp_spot_allows(const OcpSpot *spot, OcpKind kind);
void ocp_spot_use(OcpSpot *spot, OcpUseKind kind, guint rule, const OcpNode *entry);
/* "/items/[*]/state"; "/" for the root. g_free(). */
char *ocp_spot_path(const OcpSpot *spot);

/* What a value may be: a spot, an object or array that a template makes, or anything.
 */
typedef struct {
    OcpSpot *spot;
    GHashTable *members; /* name -> set; of a made object */
    GPtrArray *elements; /* set; of a made array */
    GPtrArray *from;     /* set; of a value that a function or a text makes of others */
    OcpUseKind most;     /* ... and what using it means for them at most */
    guint seen[OCP_USE_VALUE + 1]; /* the last use that came by, of each kind */
} OcpThing;

/* A set of OcpThing; owned by the coverage. Empty: there is never a value. */
typedef GPtrArray OcpThings;

typedef enum {
    OCP_NAME_FREE,
    OCP_NAME_BOUND,
    OCP_NAME_BUSY,
    OCP_NAME_KNOWN
} OcpNameState;

/* A name in scope, known when it is first used. */
typedef struct {
    OcpNameState state;
    guint rule; /* that asked last: each is told what decides on the way */
    const OcpBinding *binding;
    const OcpNode *node; /* where its value stands in the mapping file */
    OcpThings *current;
    OcpThings *things;
} OcpNameSlot;

struct OcpCoverage {
    const OcpMapping *mapping;
    OcpReport *report;
    OcpSpot *dialect;
    OcpSpot *model;
    GHashTable *parts; /* node of a part -> document it stands in */
    GHashTable *said;  /* messages, so that each is said once */
    GPtrArray *pool;   /* OcpThing */
    GPtrArray *sets;   /* OcpThings */
    GHashTable *spots; /* OcpSpot -> OcpThing */
    OcpThing *anything;
    guint use_count;   /* calls of ocp_walk_use(): values share parts */
    GPtrArray *fields; /* OcpField */
    bool ok;
};

/* One direction being walked. */
typedef struct {
    OcpCoverage *coverage;
    OcpSpot *root;      /* $ */
    OcpThings *current; /* @ */
    OcpNameSlot *names;
    guint rule;
    bool marks; /* reading counts: not for checks and finish */
    OcpDocument *document;
    const OcpNode *node;         /* the scalar whose expression is evaluated */
    gsize start;                 /* where the expression begins in it */
    const OcpTemplate *computed; /* the value of a member with a computed name, whose
                                    names that may use */
} OcpWalk;

bool ocp_walk_fail(OcpWalk *walk, const OcpNode *node, gsize offset, const char *format,
                   ...) G_GNUC_PRINTF(4, 5);

OcpThings *ocp_things_new(OcpCoverage *coverage);
void ocp_things_add(OcpThings *things, OcpThing *thing);
void ocp_things_join(OcpThings *things, const OcpThings *more);
OcpThing *ocp_thing_new(OcpCoverage *coverage);
OcpThing *ocp_thing_of(OcpCoverage *coverage, OcpSpot *spot);
OcpThings *ocp_things_anything(OcpCoverage *coverage);
/* A value that is made of others. */
OcpThing *ocp_thing_from(OcpCoverage *coverage, OcpThings *from, OcpUseKind most);

/* What an expression may give; marks what decides on the way, not the result. */
OcpThings *ocp_walk_expr(OcpWalk *walk, const OcpExpr *expr);
/* Uses an expression as a condition. */
void ocp_walk_condition(OcpWalk *walk, const OcpExpr *expr);
/* Marks what came to an end: in the result, in a text, in a test. */
void ocp_walk_use(OcpWalk *walk, const OcpThings *things, OcpUseKind kind);

/* Turns to the expression of a scalar of the mapping file. */
void ocp_walk_turn_to(OcpWalk *walk, const OcpNode *node);
/* What a template makes, where it is the value of a name. */
OcpThings *ocp_walk_made(OcpWalk *walk, const OcpTemplate *template);
/* What it makes at a spot of its target; NULL: nothing is known of the target. */
void ocp_walk_target(OcpWalk *walk, const OcpTemplate *template, OcpSpot *spot);
