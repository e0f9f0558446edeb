/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/*
 * Raw ids, as rules give them, to final ids, as the model has them (mapping language,
 * section 6): characters a local id may not have become "-", a non-alphanumeric start gets
 * "x"; if that changed anything or it exceeds 128, it is cut to 110 and "-" + 8 hexadecimal
 * digits of SHA-256(raw) follow; if that is taken, "-2", "-3", … The same raw id is the same
 * object; different raw ids never share a final id.
 */
typedef struct OcpIds OcpIds;

OcpIds *ocp_ids_new(void);
void ocp_ids_free(OcpIds *ids);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpIds, ocp_ids_free)

/* The final id of a raw id, made on first use. Borrowed. ret_new: whether it was new. */
const char *ocp_ids_final(OcpIds *ids, const char *raw, gsize length, gboolean *ret_new);

/* The final id if the raw id is known, else NULL. */
const char *ocp_ids_known(const OcpIds *ids, const char *raw, gsize length);

/* Takes a final id as it is (the engine's own: "source"). */
void ocp_ids_reserve(OcpIds *ids, const char *final);
