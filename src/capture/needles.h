/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/report.h"

/*
 * What a log is searched for: names of members, and what they look like where a name
 * cannot be seen (base64, arrays of byte numbers, \u escapes). One pass finds them all.
 *
 * Knows bytes; where the names come from is the caller's business.
 */
typedef enum {
    OCP_SIGN_NAME,    /* the name itself */
    OCP_SIGN_ESCAPE,  /* a letter written as \u00..: a name may be hidden */
    OCP_SIGN_BASE64,  /* a name inside base64 */
    OCP_SIGN_NUMBERS, /* a name as an array of byte numbers */
    OCP_SIGN_GZIP     /* base64 of something that gzip made */
} OcpSign;

enum { OCP_NEEDLES_MOST = 16, OCP_PATTERNS_MOST = 64 };

typedef struct {
    char *text;
    guint length;
    guint pair; /* the two bytes of text, from here on, that are rarest in logs */
    OcpSign sign;
    guint name; /* index of the name; for OCP_SIGN_NAME */
} OcpPattern;

typedef struct {
    char *names[OCP_NEEDLES_MOST]; /* in the order added */
    guint name_count;
    OcpPattern patterns[OCP_PATTERNS_MOST];
    guint count;
    guint8 first[256]; /* bytes that begin a pair */
    guint8 low[2]
              [16]; /* eight groups of pairs: of the first and the second byte, the */
    guint8 high[2][16]; /* groups in which its lower and its higher half occur */
} OcpNeedles;

OcpNeedles *ocp_needles_new(void);
void ocp_needles_free(OcpNeedles *needles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpNeedles, ocp_needles_free)

/* Adds a name, once; hidden: also what it looks like in encodings. Returns its index,
 * or -1 if there is no room. */
int ocp_needles_add(OcpNeedles *needles, const char *name, bool hidden);

/* The index of the name that text is, whole; -1 if it is none. */
int ocp_needles_index(const OcpNeedles *needles, const char *text, gsize length);

/* Returns the first trace in at to end, or NULL; ret may be NULL. */
const char *ocp_needles_find(const OcpNeedles *needles, const char *at, const char *end,
                             const OcpPattern **ret);

/* As ocp_needles_find(), and counts the line feeds of all of at to end. */
const char *ocp_needles_skim(const OcpNeedles *needles, const char *at, const char *end,
                             gsize *ret_lines);

/* How many line feeds there are in at to end. */
gsize ocp_count_lines(const char *at, const char *end);
