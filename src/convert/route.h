/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"
#include "text/yaml.h"

/*
 * The account of a whole route: a source leaf has the worse of its fate at the read and
 * the best fate of the model leaves it reached; one that is only in the carry has the
 * carry's fate (accounting.md).
 */

/* The account of outcome's route: that of its one step (the same object), or a new one.
 * key: of the source dialect's carry. A leaf that needs no place, since writing its own
 * dialect says it again, depends on the model being known as that dialect's: it has the
 * fate of the carry's own mark. */
OcpAccount *ocp_route_account(const OcpOutcome *outcome, const char *key);

/* How many leaves of the source would be omitted that no option asked to omit. */
guint ocp_route_unasked(const OcpOutcome *outcome);

/* Warns of each value of an OpenCheckpoint document that looks like a credential. */
void ocp_route_warn_sensitive(const OcpDocument *document, OcpReport *report);

/* Settles all scalars of a document by version alone. */
bool ocp_settle_plain(OcpDocument *document, OcpYamlVersion version);
