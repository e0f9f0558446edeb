/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/output.h"
#include "cli/options.h"

/*
 * Where converted documents go that do not each have a file in a folder (folder.h):
 * nowhere, standard output, one file. Knows in which form several documents share one
 * output.
 */
typedef enum {
    OCP_SINK_NONE,
    OCP_SINK_STREAM,
    OCP_SINK_FILE,
    OCP_SINK_FOLDER
} OcpSinkKind;

typedef struct OcpSink OcpSink;

/* Decides by the options and by what is at --output. several: there is more than one
 * input. set (borrowed) names the files that are not to be written over. Errors:
 * usage.*. */
bool ocp_sink_new(const OcpOptions *options, bool several, OcpFileSet *set,
                  OcpSignals *signals, OcpReport *report, OcpSink **ret);
void ocp_sink_free(OcpSink *sink);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSink, ocp_sink_free)

OcpSinkKind ocp_sink_kind(const OcpSink *sink);

/* The syntax documents must have to go there. several: there is more than one. Errors:
 * usage.syntax if several cannot share the output in the syntax that was asked for. */
bool ocp_sink_syntax(OcpSink *sink, bool several, OcpReport *report, OcpSyntax *ret);

/* Takes one document, and its model (may be NULL). *ret_path gets the path of the file
 * it is in, or NULL; free with g_free(). */
bool ocp_sink_put(OcpSink *sink, GBytes *text, GBytes *model, OcpReport *report,
                  char **ret_path);

/* Writes what was held back until all documents were there; if not complete, drops it
 * and says so. */
bool ocp_sink_close(OcpSink *sink, bool complete, OcpReport *report);
