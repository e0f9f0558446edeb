/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/model.h"
#include "model/walk.h"

/*
 * Inside the model layer: one check of one model, and how its passes report. Each pass
 * is a group of rules, reads the model and adds faults; none depends on another, but
 * that secrets come first, so that no excerpt shows one.
 */
typedef struct {
    const OcpDocument *document; /* for positions */
    const OcpNode *root;
    const OcpModel *model;
    OcpReport *report;
    OcpArena *arena; /* decoded texts */
    GArray *secrets; /* guint64 pairs: where secrets begin and end in the text */
    guint errors;    /* found, reported or not */
    guint warnings;
} OcpRuleCheck;

/* Adds a fault of a rule: "OC-I…" is an error, "OC-W…" a warning. at gives the place.
 * Returns the diagnostic to be completed, or NULL if there are enough already. */
OcpDiagnostic *ocp_rule_fault(OcpRuleCheck *check, const char *rule, const OcpNode *at,
                              const char *pointer, const char *format, ...)
    G_GNUC_PRINTF(5, 6);

/* Completes a fault (NULL is allowed, for each): what was expected, the string or other
 * scalar found (quoted and cut), what to do. */
void ocp_rule_detail(OcpDiagnostic *fault, const char *expected, const OcpNode *found,
                     const char *hint);

/* A scalar in quotes for a message, at most 40 characters, controls replaced; a
 * credential is not shown. Free with g_free(). */
char *ocp_rule_quote(const OcpNode *scalar);

/* Remembers that node's text must not show in an excerpt. */
void ocp_rule_hide(OcpRuleCheck *check, const OcpNode *node);

/* "pointer/member" in a new string; free with g_free(). */
char *ocp_rule_below(const GString *pointer, const char *member);
char *ocp_rule_below_at(const GString *pointer, const char *member, gsize index);

/* The members of an object as texts; a convenience for conditions. */
static inline bool
ocp_member_is(const OcpNode *object, const char *name, const char *text)
{
    return ocp_text_is(ocp_member(object, name), text);
}

/* The passes. */
void ocp_rule_secrets(OcpRuleCheck *check);      /* I19 W19 W21 */
void ocp_rule_ids(OcpRuleCheck *check);          /* I01 W01 I16 */
void ocp_rule_references(OcpRuleCheck *check);   /* I02 I03 I05–I14 W15 W22 */
void ocp_rule_cycles(OcpRuleCheck *check);       /* I04 I15 */
void ocp_rule_digests(OcpRuleCheck *check);      /* I17 W17 */
void ocp_rule_requirements(OcpRuleCheck *check); /* I18 W10 W11 */
void ocp_rule_times(OcpRuleCheck *check);        /* W02 W03 W24 */
void ocp_rule_advice(OcpRuleCheck *check);       /* W04–W09 W12–W14 W16 W18 W23 */
void ocp_rule_repeats(OcpRuleCheck *check);      /* W20 */
