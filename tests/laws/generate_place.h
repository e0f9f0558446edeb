/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tree.h"

/*
 * A place in a document that is being made, and all that schemas say of it.
 */

/* A subschema, and the document its references point into. */
typedef struct {
    Tree *schema;
    Tree *root;
} Piece;

/* All that is said of one place. */
typedef struct {
    GArray *pieces;     /* Piece */
    GArray *conditions; /* Piece with an "if" */
} Place;

Place place_new(void);
void place_clear(Place *place);
Piece *piece_at(const Place *place, guint i);

/* Adds a subschema with all it refers to; of a choice, one branch by the dice. */
void place_add(Place *place, Tree *schema, Tree *root, Dice *dice);

/* The first value that a keyword has there, or NULL. */
Tree *place_says(const Place *place, const char *keyword);
gint64 place_limit(const Place *place, const char *keyword, gint64 otherwise);

/* Kinds allowed as bits 1 << OcpKind, and PLACE_INTEGER; all bits if nothing is said.
 */
enum { PLACE_INTEGER = 1 << 8 };
guint place_kinds(const Place *place);
