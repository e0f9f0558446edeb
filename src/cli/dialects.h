/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/options.h"

/*
 * The dialects there are: folders that add some, and the list for people and machines.
 */

/* Adds the files of the folders that --schemas and --mappings name. */
bool ocp_dialects_add_folders(OcpContext *context, const OcpOptions *options,
                              OcpReport *report);

/* Whether --from and --to name dialects: said once, before anything is read. */
bool ocp_dialects_check(OcpContext *context, const OcpOptions *options,
                        OcpReport *report);

/* Adds what is in these files to a checksum. */
bool ocp_dialects_sum_folders(const OcpOptions *options, GChecksum *sum,
                              OcpReport *report);

/* Appends the list of --list-dialects: a table, or JSON. */
bool ocp_dialects_append_list(OcpContext *context, bool json, OcpReport *report,
                              GString *out);

/* Sets *ret to the names (strings, each once) of the dialects that can be written. */
bool ocp_dialects_writable(OcpContext *context, OcpReport *report, GPtrArray **ret);
