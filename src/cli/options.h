/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/shard.h"
#include "convert/convert.h"

/*
 * The command line, read: what to do, with what, and how to speak about it. Reads
 * arguments only; environment and files are other modules' business.
 */
typedef enum {
    OCP_MODE_CONVERT,
    OCP_MODE_CHECK,
    OCP_MODE_EXPLAIN,
    OCP_MODE_ROUND_TRIP,
    OCP_MODE_LIST,
    OCP_MODE_HELP,
    OCP_MODE_VERSION
} OcpMode;

/* What --from names where the inputs are logs. */
#define OCP_FROM_LOGS "caop-log"

/* Of colours, and of the progress bar: as the terminal says, or in any case. */
typedef enum { OCP_COLOR_AUTO, OCP_COLOR_ALWAYS, OCP_COLOR_NEVER } OcpColor;

typedef struct {
    OcpMode mode;
    bool explain_all;
    OcpConvertOptions convert; /* its strings belong to this struct */
    bool syntax_given;
    OcpSyntax input_syntax;
    char *output; /* NULL: standard output */
    char *report;
    char **schemas; /* folders; NULL if none */
    char **mappings;
    char **inputs; /* "-" is standard input; NULL only in modes that need none */
    guint input_count;
    char *files_from; /* a list of more inputs; "-" is standard input */
    char **include;   /* patterns; NULL: all */
    char **exclude;
    OcpShard shard;
    guint jobs;
    bool lines;
    bool logs;       /* inputs are logs, and documents are found in them */
    bool log_all;    /* every occurrence of each */
    bool log_latest; /* the newest of each stream */
    bool companion;
    bool force;
    bool dry_run;
    bool fail_fast;
    OcpColor progress;
    bool json_messages;
    OcpColor color;
    bool quiet;
    bool verbose;
    char *from;
    char *to;
    char *created_at;
    char *id;
} OcpOptions;

/* Reads the arguments. False: a usage error (usage.*) is in the report; *ret then holds
 * what could be read. Free with ocp_options_clear() in either case. */
bool ocp_options_read(int argc, char *const *argv, OcpReport *report, OcpOptions *ret);
void ocp_options_clear(OcpOptions *options);
