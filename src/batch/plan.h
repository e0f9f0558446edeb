/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/files.h"
#include "batch/shard.h"
#include "text/source.h"
#include "value/report.h"

/*
 * What a run is to do, settled before it begins: which files, in which order, and what
 * each is called below the output folder. Reads folders; reads and writes no file.
 *
 * Links to files are followed, to folders not, so there are no loops; what is neither
 * file nor folder is skipped and named. The order is that of the inputs as given, and
 * within a folder that of the bytes of the paths, whatever order the disk has.
 */
typedef struct {
    char *path;       /* to be read; "-" is standard input */
    char *name;       /* the same below the output folder: "sub/a.json" */
    OcpReport *fault; /* why it cannot be read, found while looking; or NULL */
} OcpPlanItem;

typedef struct {
    char *const *inputs; /* files, folders, "-" */
    guint input_count;
    char *const *listed;  /* more of them, which keep the folders in their names; NULL
                           * is none; ends with NULL */
    char *const *include; /* patterns; NULL takes all */
    char *const *exclude; /* patterns; NULL is none */
    const char *output;   /* the folder where outputs go, or NULL */
    OcpSyntax syntax;     /* of outputs */
    bool companions;      /* each output has its model beside it */
    const char *reserved; /* a name below output that is the report's; or NULL */
    bool tree;            /* an output folder is used as one: names must not clash */
    OcpShard shard;
    /* How many documents an input holds. Asked only where it decides if names clash. */
    guint (*count)(const char *path, gpointer data);
    gpointer data;
} OcpPlanOptions;

typedef struct {
    GPtrArray *items;  /* OcpPlanItem, in order: what this run does */
    GPtrArray *all;    /* the same for all shards */
    GHashTable *names; /* of outputs -> the OcpPlanItem they belong to */
    OcpPlanItem other; /* whose the reserved name is: no input's */
    bool folders;      /* an input was a folder */
} OcpPlan;

void ocp_plan_free(OcpPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpPlan, ocp_plan_free)

/* Looks at all inputs. Files that are there are added to protect. What was skipped is
 * in the report as warnings. Errors: usage.same-output, usage.twice, usage.output. */
bool ocp_plan_make(const OcpPlanOptions *options, OcpFileSet *protect,
                   OcpReport *report, OcpPlan **ret);

/* Whether the name of an output belongs to the input of that name, or to nobody.
 * Several threads may ask. */
bool ocp_plan_owns(const OcpPlan *plan, const char *output, const char *name);

/* Splits a list of paths: at NUL bytes if it holds any, else at line ends; empty ones
 * are left out. Returns strings and NULL; g_strfreev(). */
char **ocp_plan_split(GBytes *list);
