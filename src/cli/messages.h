/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/options.h"

/*
 * What the command says on standard error: diagnostics as compilers print them, or one
 * JSON object a line. The only module that writes there. Whatever comes from an input
 * or a file name is made harmless for a terminal.
 */
typedef struct {
    bool json;
    bool color;
    bool quiet;   /* errors only */
    bool verbose; /* notes too, and all of everything */
    bool every;   /* all of everything but notes */
    bool brief;   /* of many inputs: what went wrong, and what is said of all of them */
    GString *into; /* gathers what is said instead of saying it; or NULL */
} OcpMessages;

/* As the options and the terminal behind standard error say. */
OcpMessages ocp_messages_new(const OcpOptions *options);

/* True if text on that descriptor is to be coloured. */
bool ocp_messages_colored(OcpColor color, int descriptor);

/* Prints text as it is. */
void ocp_messages_print(const OcpMessages *messages, const GString *text);

/* Prints a report. file (may be NULL) is named where a diagnostic names none. */
void ocp_messages_report(const OcpMessages *messages, const char *file,
                         const OcpReport *report);

/* Prints one line of account: text after the file name (NULL: no file); in JSON form
 * object (taken over, may be NULL) is completed and printed instead. Not if quiet. */
struct json_object;
void ocp_messages_account(const OcpMessages *messages, const char *file,
                          const char *text, struct json_object *object);

/* Returns text fit for one line of a terminal and for JSON: valid UTF-8, with control
 * characters, line ends, and bytes that are no UTF-8 escaped. Free with g_free(). */
char *ocp_messages_plain(const char *text);

/* Columns of a terminal that valid UTF-8 text takes. */
gsize ocp_messages_width(const char *text);
