/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * The account of one conversion step: what became of every leaf of its source, and what
 * in the result has no source (accounting.md, L1). Plain data, owned by whoever made it.
 */
typedef enum {
    OCP_FATE_MAPPED,  /* the result alone gives it back */
    OCP_FATE_KEPT,    /* shows in the result in another form; exact form in the carry */
    OCP_FATE_CARRIED, /* only in the carry (or the stash) */
    OCP_FATE_OMITTED  /* left out, with a reason */
} OcpFate;

enum { OCP_FATES = OCP_FATE_OMITTED + 1 };

typedef struct {
    char *pointer;      /* of the leaf in the source */
    OcpFate fate;
    const char *reason; /* omitted: size, irrelevant, …, no_place; else NULL. Static. */
    char *place;        /* pointer in the result where it shows, or NULL */
    GPtrArray *places;  /* further places, or NULL */
    char *carry;        /* pointer in the result where its exact form is carried, or NULL */
    char *rule;         /* where the rule stands: "read:progress/next", or NULL */
    bool asked;         /* omitted because an option or a default asked for it */
    bool steers;        /* it decided something in a rule */
} OcpLeaf;

typedef struct {
    char *pointer; /* of the leaf in the result */
    char *rule;    /* the rule that made it, or "engine" */
    char *why;     /* or NULL */
} OcpMadeLeaf;

/* A leaf of the result that was made out of leaves of the source. */
typedef struct {
    guint rule;        /* of the mapping */
    char *place;       /* pointer in the result */
    char *object;      /* local id of the nearest model object, or NULL */
    GPtrArray *from;   /* pointers in the source */
    bool wiring;       /* an id or a reference of the model: not content */
} OcpChange;

typedef struct {
    guint64 counts[OCP_FATES];
    guint64 leaves;    /* of the source, counted on their own: the account must close */
    GPtrArray *fates;  /* OcpLeaf, in source order; if brief only what is omitted */
    GPtrArray *made;   /* OcpMadeLeaf, in result order; if brief only the first of each rule
                        * that gives a reason */
    GPtrArray *changes; /* OcpChange, in result order */
} OcpAccount;

OcpAccount *ocp_account_new(void);
void ocp_account_free(OcpAccount *account);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpAccount, ocp_account_free)

OcpLeaf *ocp_account_leaf(OcpAccount *account, const char *pointer, OcpFate fate);
OcpMadeLeaf *ocp_account_made(OcpAccount *account, const char *pointer, const char *rule);

/* The pointer with its array indexes as "[*]": "/items/3/ci" is "/items/[*]/ci". Free it. */
char *ocp_account_pattern(const char *pointer);

/* True if the counts add up to the leaves. */
bool ocp_account_closes(const OcpAccount *account);

/* "mapped", "kept", "carried", "omitted". Static. */
const char *ocp_fate_name(OcpFate fate);
