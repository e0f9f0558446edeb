/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"

/*
 * The account for people: one line for a conversion, and a table of where every value
 * went. Makes text; prints nothing.
 */

/* "specrail → opencheckpoint: 118 values: 61 mapped, …"; free with g_free(). */
char *ocp_account_line(const OcpOutcome *outcome);

/* The same as an object for machines; release with json_object_put(). */
struct json_object;
struct json_object *ocp_account_object(const OcpOutcome *outcome);

/* Appends "118 values: 61 mapped, …". */
void ocp_account_append_counts(const OcpAccount *account, GString *out);

typedef struct {
    bool all; /* every leaf; else leaves that differ in array places only are one row */
    bool color;
    guint width; /* columns to stay within */
} OcpExplainStyle;

/* Appends the table of --explain. title: the file, fit to print. */
void ocp_account_explain(const OcpOutcome *outcome, const char *title,
                         const OcpExplainStyle *style, GString *out);
