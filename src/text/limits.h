/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/* What a document may cost. All in one place, with documented defaults. */
typedef struct {
    guint depth;           /* nested containers; default 512 */
    guint64 bytes;         /* size of one document's text; default 4 GiB - 1 */
    guint64 alias_nodes;   /* nodes that YAML aliases may add; default 1,000,000 */
} OcpLimits;

#define OCP_LIMITS_DEFAULT {512, G_MAXUINT32 - 1, 1000000}
