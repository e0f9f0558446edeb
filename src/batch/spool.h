/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "batch/output.h"

/*
 * Text that is gathered for the whole of a run and then written in one piece: in memory
 * while it is short, else in a file without a name beside the place it will have, so
 * that it costs no memory and is gone if the process is.
 */
typedef struct OcpSpool OcpSpool;

/* place (copied): where it will be written, or "-". */
OcpSpool *ocp_spool_new(const char *place);
void ocp_spool_free(OcpSpool *spool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpSpool, ocp_spool_free)

/* What goes wrong is said when it is written. */
void ocp_spool_append(OcpSpool *spool, const char *text, gsize size);

bool ocp_spool_is_empty(const OcpSpool *spool);

/* Writes all of it to its place. Errors: those of ocp_output_write(). */
bool ocp_spool_write(OcpSpool *spool, const OcpOutputOptions *options,
                     OcpReport *report);
