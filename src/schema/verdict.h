/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "schema/schema_private.h"

/*
 * The machine that decides whether a value satisfies a subschema, and nothing else: no
 * faults, no paths, no allocation for ordinary values.
 *
 * It never recurses on the value's depth. What must hold of a container below is a task
 * in a list; where the outcome of one task decides about others (anyOf, oneOf, not, if,
 * contains, unevaluated…), they form a group. Only at one value does it recurse, a few
 * steps: what scalars and flat objects settle at once needs neither task nor group.
 */

enum {
    OCP_CHECK_NESTING = 8000, /* subschemas applied in one another at one value */
    OCP_VERDICT_TASKS = 48,   /* that need no allocation */
    OCP_VERDICT_GROUPS = 6
};

/* Which resources the check has come through, for dynamic references; each once. */
typedef struct OcpScopes OcpScopes;
struct OcpScopes {
    const OcpScopes *up;
    const OcpScope *scope;
    OcpScopes *below; /* those entered from here */
    OcpScopes *beside;
};

/* Which members or elements some subschema has evaluated. */
typedef struct {
    guint8 *flags; /* NULL: nobody asks */
    gsize count;
} OcpSeen;

typedef enum {
    OCP_TASK_APPLY, /* a subschema to a value */
    OCP_TASK_INNER, /* the same without its unevaluated… */
    OCP_TASK_ANY,
    OCP_TASK_ONE,
    OCP_TASK_NOT,
    OCP_TASK_IF,
    OCP_TASK_CONTAINS,
    OCP_TASK_WHOLE, /* with its unevaluated… */
    OCP_TASK_ROOT
} OcpTaskKind;

typedef struct {
    const OcpSub *sub;
    const OcpNode *value;
    const OcpScopes *scopes;
    guint32 nested; /* subschemas applied at this value already */
    OcpTaskKind kind;
} OcpTask;

typedef struct {
    OcpTask task;
    guint base;        /* tasks from here on decide the present branch */
    guint branch;      /* the next one */
    guint64 count;     /* of those that hold */
    const OcpNode *at; /* of contains: the element behind the present one */
    OcpSeen seen;      /* of the present branch */
} OcpGroup;

typedef struct {
    OcpTask *tasks;
    guint task_count;
    guint task_room;
    OcpGroup *groups;
    guint group_count;
    guint group_room;
    /* The task at hand. */
    const OcpScopes *scopes;
    OcpSeen *seen; /* where it notes what it evaluates, or NULL */
    guint nested;
    bool deferring; /* what takes long becomes a task; otherwise it is unknown */
    bool blind;     /* ... and so is all that is still looked at: it leads too far */
    /* The member looked for last: one condition after the other asks for the same. */
    const OcpNode *asked_object;
    const OcpName *asked_name;
    const OcpNode *asked_member;
    OcpTask first_tasks[OCP_VERDICT_TASKS];
    OcpGroup first_groups[OCP_VERDICT_GROUPS];
} OcpMachine;

typedef enum { OCP_FAILS, OCP_HOLDS, OCP_UNKNOWN } OcpTruth;

typedef struct OcpCheck OcpCheck;

void ocp_machine_init(OcpMachine *machine);
void ocp_machine_clear(OcpMachine *machine);

/* True if value satisfies sub. Marks what it evaluated in outer (may be NULL) if so. */
bool ocp_check_verdict(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                       OcpSeen *outer);
/* The same if that can be told without looking far, else OCP_UNKNOWN. */
OcpTruth ocp_check_glance(OcpCheck *check, const OcpSub *sub, const OcpNode *value);

/* ---- for the parts of the machine ------------------------------------------------ */

/* Applies sub to the value at hand; steps is how deep in C that is at this value. */
OcpTruth ocp_verdict_apply(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                           guint steps);
/* All of sub but types and unevaluated…. */
OcpTruth ocp_verdict_keywords(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                              guint steps);
/* Applies sub to a member or element. */
OcpTruth ocp_verdict_below(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
/* Applies sub to the value at hand for its truth alone: no tasks, no marks. */
OcpTruth ocp_verdict_apart(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                           guint steps);
/* Leaves the matter to a task: it holds unless the task fails. */
OcpTruth ocp_verdict_later(OcpCheck *check, OcpTaskKind kind, const OcpSub *sub,
                           const OcpNode *value, guint steps);
OcpTruth ocp_verdict_array(OcpCheck *check, const OcpSub *sub, const OcpNode *value);
OcpTruth ocp_verdict_object(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                            guint steps);
OcpTruth ocp_verdict_logic(OcpCheck *check, const OcpSub *sub, const OcpNode *value,
                           guint steps);

/* The object's member of that name, or NULL; quick where the same is asked again. */
const OcpNode *ocp_verdict_member(OcpMachine *machine, const OcpNode *object,
                                  const OcpName *name);
/* True if const and enum of sub allow the value. */
bool ocp_verdict_values(const OcpSub *sub, const OcpNode *value);

static inline OcpTruth
ocp_truth_and(OcpTruth a, OcpTruth b)
{
    if (a == OCP_FAILS || b == OCP_FAILS)
        return OCP_FAILS;
    return a == OCP_HOLDS ? b : a;
}

void ocp_seen_mark(OcpSeen *seen, gsize index);
void ocp_seen_merge(OcpSeen *outer, const OcpSeen *seen);

/* ---- verdict_group.c ------------------------------------------------------------- */

/* What comes of a group, once its present branch is decided. */
typedef enum { OCP_GROUP_FAILS, OCP_GROUP_HOLDS, OCP_GROUP_GOES_ON } OcpOutcome;

/* Opens the group of a task. seen: the record of a root. */
void ocp_group_open(OcpCheck *check, const OcpTask *task, const OcpSeen *seen);
/* Enters its first branch. */
OcpOutcome ocp_group_begin(OcpCheck *check);
/* Goes on after its present branch was decided. */
OcpOutcome ocp_group_decide(OcpCheck *check, bool good);
void ocp_group_close(OcpCheck *check);

void ocp_machine_push(OcpMachine *machine, const OcpTask *task);

/* Scopes as they are once a subschema of scope is entered. */
const OcpScopes *ocp_scopes_enter(OcpCheck *check, const OcpScopes *scopes,
                                  const OcpScope *scope);
/* Where a $dynamicRef leads: the outermost resource that has the anchor decides
 * (2020-12, 8.2.3.2). */
const OcpSub *ocp_scopes_target(const OcpScopes *scopes, const OcpSub *sub);
