/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/mapping.h"

/*
 * Which values of a source do not travel: what the mapping calls sensitive, what looks
 * like a credential wherever it stands (rule I19), and what `omit:` leaves out.
 */
typedef struct {
    GHashTable *sensitive; /* set of scalar nodes (and whole subtrees, by their node) */
    GHashTable *unseen;  /* those, and what stands for such values: no rule sees them */
    GHashTable *omitted; /* node -> reason (static text) */
    GHashTable *instead; /* sensitive node -> what the mapping puts in its place */
} OcpHidden;

OcpHidden *ocp_hidden_new(const OcpMapping *mapping, const OcpNode *root);
void ocp_hidden_free(OcpHidden *hidden);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpHidden, ocp_hidden_free)

/* True if some path of the mapping's `sensitive:` names this node of the document, or
 * it looks like a credential. For messages, which never show such a value. */
bool ocp_hidden_is_sensitive(const OcpHidden *hidden, const OcpNode *node);

/* What stands where a sensitive value stood and something has to. */
#define OCP_OMITTED "[omitted]"

/* Adds every leaf at or below node, with the reason (static text) that it is left out
 * for; NULL where the table is a set. */
void ocp_hidden_add_leaves(GHashTable *set, const OcpNode *node, const char *reason);

/* Adds what the carries of a model hold though it is sensitive (a carry says so
 * itself). */
void ocp_hidden_find_carried(GHashTable *set, const OcpNode *model);

/* A patch without the hidden values: made in made, or itself. */
const OcpNode *ocp_hidden_scrub_patch(OcpDocument *made, const OcpNode *patch,
                                      GHashTable *hidden);

/* Adds every string at or below root that looks like a credential. */
void ocp_hidden_find_credentials(GHashTable *set, const OcpNode *root);

/* Takes away what a diagnostic shows of the source's text where that holds a hidden
 * value. */
void ocp_hidden_redact(const OcpHidden *hidden, OcpReport *report);
