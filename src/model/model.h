/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * What OpenCheckpoint means beyond its schema: objects with local ids, references
 * between them, integrity rules. A model is a document plus an index of its ids; this
 * module never changes the document. It knows OpenCheckpoint's own members and nothing
 * of any dialect.
 */

typedef enum {
    OCP_MODEL_CRITERION = 1 << 0,
    OCP_MODEL_COMPLETED_STEP = 1 << 1,
    OCP_MODEL_NEXT_STEP = 1 << 2,
    OCP_MODEL_STATEMENT = 1 << 3,
    OCP_MODEL_RESOURCE = 1 << 4,
    OCP_MODEL_CONTEXT = 1 << 5, /* application context */
    OCP_MODEL_DRAFT = 1 << 6,
    OCP_MODEL_OPERATION = 1 << 7,
    OCP_MODEL_REQUIREMENT = 1 << 8,
    OCP_MODEL_PRECONDITION = 1 << 9,
    OCP_MODEL_STOP_CONDITION = 1 << 10,
    OCP_MODEL_RECOVERY = 1 << 11
} OcpModelKind;

typedef struct OcpModel OcpModel;

/* Indexes the ids of root (an object; need not be valid). The nodes are borrowed. */
OcpModel *ocp_model_new(const OcpNode *root);
void ocp_model_free(OcpModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpModel, ocp_model_free)

/* Returns the object with that local id (first wins), or NULL. ret_kind may be NULL. */
const OcpNode *ocp_model_find(const OcpModel *model, const char *id, gsize length,
                              OcpModelKind *ret_kind);

/* The same by a string node of any document. */
const OcpNode *ocp_model_find_like(const OcpModel *model, const OcpNode *id,
                                   OcpModelKind *ret_kind);

/* True if a session reference of the model (source, derivation inputs) has that id:
 * what an omission's recoverable_from may name besides a resource. */
bool ocp_model_has_session(const OcpModel *model, const char *id, gsize length);

/* "statement", "completed step", … Static. */
const char *ocp_model_kind_name(OcpModelKind kind);

/* Every kind: what a reference without a rule of its own may name. */
#define OCP_MODEL_ANY ((1u << 12) - 1)

/* Called for every reference of the model, one string at a time: the string node, the
 * kinds it may name (a mask), the rule that says so ("OC-I05"; "OC-I02" if it may name
 * any object), and its JSON pointer. Strings only; other values are passed over. Used
 * by integrity and mappings. */
typedef void (*OcpReferenceVisit)(const OcpNode *reference, guint kinds,
                                  const char *rule, const char *pointer, gpointer data);
void ocp_model_each_reference(const OcpNode *root, OcpReferenceVisit visit,
                              gpointer data);

/*
 * True if a member of that name, at that place of a model, holds references to local
 * ids (a string or an array of strings). path: the member names and "*" for array
 * elements from the root, e.g. {"progress", "next", "*"}; name e.g. "blocked_by".
 */
bool ocp_model_is_reference(const char *const *path, gsize depth, const char *name);

/* True if members of that name hold references at some place of a model. */
bool ocp_model_is_reference_name(const OcpNode *key);

/* True if objects at that path (e.g. {"operations", "*"}) have a local id. */
bool ocp_model_has_id(const char *const *path, gsize depth);

/* Checks rules OC-I01 … OC-I19 (errors) and OC-W01 … OC-W24 (warnings). document gives
 * the positions. One diagnostic a fault; at most 50 errors and 50 warnings are
 * reported, then a note (integrity.more) says how many there were. root need not be
 * valid: what has the wrong kind is passed over. True without errors. */
bool ocp_model_check(const OcpDocument *document, const OcpNode *root,
                     OcpReport *report);

/* Checks rule OC-I20: that parent.digest is the digest of these bytes, the parent
 * document as it is stored. Algorithms sha-256, sha-384, sha-512 and the truncated
 * sha-256-*; for another one a note says that nothing was checked. True without errors,
 * also where root has no parent.digest. */
bool ocp_model_check_parent(const OcpDocument *document, const OcpNode *root,
                            const void *parent_bytes, gsize parent_length,
                            OcpReport *report);

/* True if text is or holds what looks like a credential (rule I19): bearer tokens and
 * basic authentication, keys known by their prefix, JSON web tokens, PEM private keys,
 * user:pass@ in a URL. text is decoded and may hold U+0000. Linear. Hashes, UUIDs, git
 * URLs and prose are none. */
bool ocp_model_is_credential(const char *text, gsize length);
/* True if a member of that name usually holds a secret (rule W19): "password",
 * "api_key", "accessToken", "Authorization"; not "max_tokens", "next_page_token". */
bool ocp_model_is_credential_name(const char *name, gsize length);
