/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/output.h"
#include "cli/options.h"

/*
 * Where converted documents go: nowhere, standard output, one file, or a folder with a
 * file for each. Knows the names of outputs, which are a pure function of the names of
 * inputs, and in which form several documents share one output.
 */
typedef struct OcpSink OcpSink;

/* Decides by the options and by what is at --output. set (borrowed) names the files
 * that are not to be written over and learns what was written. Errors: usage.*. */
bool ocp_sink_new(const OcpOptions *options, OcpFileSet *set, OcpReport *report,
                  OcpSink **ret);
void ocp_sink_free(OcpSink *sink);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSink, ocp_sink_free)

/* The syntax documents must have to go there. several: there is more than one. Errors:
 * usage.syntax if several cannot share the output in the syntax that was asked for. */
bool ocp_sink_syntax(OcpSink *sink, bool several, OcpReport *report, OcpSyntax *ret);

/* Takes one document of input. number: 1, 2, … of several in the input, or 0. *ret_path
 * gets the path of the file it is in, or NULL; free with g_free(). */
bool ocp_sink_put(OcpSink *sink, const char *input, guint number, GBytes *text,
                  OcpReport *report, char **ret_path);

/* Writes what was held back until all documents were there; if not complete, drops it
 * and says so. */
bool ocp_sink_close(OcpSink *sink, bool complete, OcpReport *report);

/* The name of the output for an input: without its folder and its ending, with number
 * if not 0, with the ending of syntax; free with g_free(). */
char *ocp_sink_name(const char *input, guint number, OcpSyntax syntax);
