/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "tree.h"

/*
 * Valid documents out of a schema: all branches, boundaries, odd spellings, members
 * that only an open object allows. What the schema leaves open is filled by the hints
 * of a dialect (hints/NAME.json: a schema of what such documents look like), so that
 * they mean something to its mapping.
 */
typedef struct Generator Generator;

/* label: "specrail@1"; aborts the program if the dialect is none of those below. */
Generator *generator_new(const char *label);
void generator_free(Generator *generator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Generator, generator_free)

/* All that can be made, NULL at the end; the first is OpenCheckpoint. */
extern const char *const generator_labels[];

/* A document that should be valid; the same for a seed. Free with tree_free(). */
Tree *generator_make(Generator *generator, guint64 seed);

/* Makes ids unique and references refer, so that an OpenCheckpoint document keeps its
 * integrity; drops what cannot. */
void settle_references(Tree *model, Dice *dice);
