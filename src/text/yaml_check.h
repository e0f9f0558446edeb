/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "text/limits.h"
#include "value/report.h"

/*
 * What is checked and changed in a YAML text before libyaml sees it. Private to the
 * YAML reader.
 *
 * U+0085, U+2028 and U+2029 are line breaks to libyaml (YAML 1.1) and ordinary
 * characters in YAML 1.2. libyaml gets a copy in which other characters, that occur
 * nowhere in the text, stand in for them, so that they break nothing; what they mean
 * depends on where they stand, which the reader knows.
 */
typedef struct {
    bool ascii;          /* one byte a character throughout */
    GArray *breaks;      /* guint32 offsets of these characters */
    char *copy;          /* the text with stand-ins; NULL without such characters */
    char stand_in[3][4]; /* for U+0085, U+2028, U+2029; of the same length */
} OcpYamlCheck;

/* document: bytes, text and length set; for its text and for messages. Errors:
 * yaml.size, yaml.encoding, yaml.character, yaml.directives. Release with
 * ocp_yaml_check_clear(), whatever came out. */
bool ocp_yaml_check(const OcpDocument *document, const OcpLimits *limits,
                    OcpReport *report, OcpYamlCheck *check);
void ocp_yaml_check_clear(OcpYamlCheck *check);

/* Puts the characters back where stand-ins are, in place. */
void ocp_yaml_check_restore(const OcpYamlCheck *check, char *text, gsize length);

/* Appends what YAML 1.1 makes of the inside of a single-quoted scalar: blanks around a
 * line break fall away, one LF becomes a space, U+2028 and U+2029 stay. */
void ocp_yaml_unquote_single(const char *span, gsize length, GString *out);
