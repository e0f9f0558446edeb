/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <yaml.h>

#include "text/yaml_check.h"

/*
 * The state of one run of the YAML reader. Private to yaml_read.c (events to nodes),
 * yaml_around.c (what libyaml skips) and yaml_text.c (the text of a scalar).
 */
typedef struct {
    GBytes *bytes;
    const char *name;
    const OcpLimits *limits;
    OcpReport *report;
    OcpYamlCheck check;
    yaml_parser_t parser;
    OcpDocument *document; /* the one being read; before the first: for messages */
    GPtrArray *documents;
    GArray *frames;
    GHashTable *anchors; /* name → Anchor, of this document */
    guint64 budget;      /* nodes that aliases may still add */
    gsize base;          /* bytes before what libyaml gets (a byte order mark) */
    gsize at_char;       /* a place that is known in characters, */
    gsize at_byte;       /* … and in bytes */
    gsize gap;           /* end of the last event: comments stand in gaps */
    guint next_break;    /* in check.breaks */
    guint32 comment;     /* place of the first comment, or OCP_NO_PLACE */
    guint32 odd_key;     /* place of the first key that is no string, or OCP_NO_PLACE */
} OcpYamlReader;

/* Where one event stands: byte offsets. */
typedef struct {
    yaml_event_t *event;
    gsize start;   /* of the event, anchor and tag included */
    gsize content; /* of a scalar, behind anchor and tag; else end */
    gsize end;
    guint breaks; /* how many of check.breaks, from next_break on, stand in it */
} OcpYamlItem;

/* Sets item->content and item->breaks from the rest, looks for comments, and refuses
 * what libyaml reads in another way than YAML 1.2 says: yaml.line-break, yaml.syntax.
 */
bool ocp_yaml_look_around(OcpYamlReader *reader, OcpYamlItem *item);

/* Sets text and size of a node from a scalar event: a span of the document where the
 * text stands there as it is, else a copy. Errors: yaml.line-break. */
bool ocp_yaml_take_text(OcpYamlReader *reader, OcpNode *node, const OcpYamlItem *item);

/* Adds yaml.line-break at a place, returns false. */
bool ocp_yaml_fail_break(OcpYamlReader *reader, guint32 place);
