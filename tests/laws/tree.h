/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "value/node.h"

/*
 * A value that tests may change in place: made by the generator, edited, shrunk,
 * written as JSON. Not the converter's own document, which is written once.
 */
typedef struct Tree Tree;

struct Tree {
    OcpKind kind;
    GString *text;    /* string: decoded; number: its spelling; else NULL */
    GPtrArray *names; /* object: char *, as many as items */
    GPtrArray *items; /* containers: Tree *; else NULL */
};

Tree *tree_new(OcpKind kind);
Tree *tree_text(const char *text);
Tree *tree_number(const char *text);
void tree_free(Tree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tree, tree_free)

Tree *tree_copy(const Tree *tree);
Tree *tree_of(const OcpNode *node);
/* Reads JSON; NULL if it is none. */
Tree *tree_read(GBytes *bytes);

/* Values are taken. tree_set replaces the member of that name. */
void tree_push(Tree *array, Tree *value);
void tree_set(Tree *object, const char *name, Tree *value);
void tree_drop(Tree *object, const char *name);
Tree *tree_get(const Tree *object, const char *name); /* NULL if there is none */
/* Follows a JSON pointer; NULL if nothing is there. */
Tree *tree_at(Tree *tree, const char *pointer);

static inline bool
tree_is(const Tree *tree, OcpKind kind)
{
    return tree != NULL && tree->kind == kind;
}

static inline bool
tree_is_leaf(const Tree *tree)
{
    return tree->items == NULL || tree->items->len == 0;
}

bool tree_is_text(const Tree *tree, const char *text);

/* Equality of accounting.md: numbers by their text, members as a set. */
bool tree_equal(const Tree *a, const Tree *b);

/* JSON. loud: strings and blanks in spellings that our writer never uses, by a seed; 0
 * is plain and indented. */
GBytes *tree_write(const Tree *tree, guint64 loud);
char *tree_compact(const Tree *tree);

/* Appends "/" and the name, escaped as in a JSON pointer. */
void tree_pointer_push(GString *pointer, const char *name);

/* Calls visit for every leaf, in order, with its pointer. */
typedef void (*TreeVisit)(const Tree *leaf, const char *pointer, gpointer data);
void tree_each_leaf(const Tree *tree, TreeVisit visit, gpointer data);

/* Splitmix: the same numbers for a seed, everywhere. */
typedef struct {
    guint64 state;
} Dice;

guint64 dice_roll(Dice *dice);
guint dice_below(Dice *dice, guint limit); /* limit > 0 */
bool dice_chance(Dice *dice, guint percent);
