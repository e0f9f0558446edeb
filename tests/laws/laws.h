/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "convert/convert.h"
#include "tree.h"

/*
 * The laws of the account, L1 to L8, as checks of one document. A check answers NULL,
 * or what is broken: "L2: …". It passes over documents that are not valid, so that a
 * failing one can be shrunk blindly.
 */

/* One conversion. */
typedef struct {
    OcpOutcome *outcome; /* NULL if it failed */
    OcpReport *report;
    Tree *result; /* of the text; NULL for YAML */
    char *fault;  /* the first error, "code: message", or NULL */
    bool invalid; /* the input was not valid */
} Turn;

void turn_free(Turn *turn);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Turn, turn_free)

typedef struct Laws Laws;

/* Which conversion of a check this is, for deliberate faults. */
typedef enum {
    STEP_READ,
    STEP_WRITE,
    STEP_AGAIN,  /* the same once more, or back after an edit */
    STEP_EDITED, /* writing an edited model */
    STEP_BARE,   /* reading what must not have been promoted */
    STEP_COPY
} Step;

struct Laws {
    OcpContext *context;
    const char *label; /* the dialect */
    bool open;         /* it keeps what it has no place for */
    guint64 seed;      /* of edits and spellings */
    /* A deliberate fault: changes what a conversion gave. NULL in earnest. */
    void (*tamper)(Step step, Turn *turn);
    guint documents; /* valid ones that were checked */
    guint edits;
};

typedef char *(*Law)(Laws *laws, const Tree *document);

/* A document of the dialect: L1, L2, L4, L5, L6, L8. */
char *law_of_document(Laws *laws, const Tree *document);
/* An OpenCheckpoint document, through the dialect: L1, L3, L4, L5, L8. */
char *law_of_model(Laws *laws, const Tree *model);
/* The same without a carry: L1, L4, and every difference of a round trip is named. */
char *law_of_bare_document(Laws *laws, const Tree *document);
char *law_of_bare_model(Laws *laws, const Tree *model);
/* An OpenCheckpoint document to itself: L7. */
char *law_of_copy(Laws *laws, const Tree *model);

/* ---- parts, shared by the files of the laws ------------------------------------- */

Turn *laws_turn(Laws *laws, GBytes *text, const char *to, Step step,
                const OcpConvertOptions *options);
/* The parts of the laws: each gives NULL or what is broken. */
char *check_totality(const OcpAccount *account, const Tree *source, const char *what);
char *check_valid(Laws *laws, GBytes *text, const char *as, bool rules);
/* The command's own word: every difference that --round-trip prints is named. */
char *check_round_trip(Laws *laws, GBytes *text, const char *to,
                       const OcpConvertOptions *options);
char *check_same_again(Laws *laws, GBytes *text, const char *to, const Turn *turn,
                       Step step);
char *check_edits(Laws *laws, const Turn *read);
char *check_promotion(const Tree *before, const Tree *after, const char *what);
char *check_deleted_operations(Laws *laws, const Turn *read);

/* Calls visit with every pointer where a and b differ: the smallest such subtrees. */
typedef void (*Differs)(const char *pointer, const Tree *a, const Tree *b,
                        gpointer data);
void tree_differences(const Tree *a, const Tree *b, Differs visit, gpointer data);

/* The document without what an open place keeps of the model. */
Tree *without_open_place(const Tree *document);
/* True for what is derived from the whole, by the end of its pointer. */
bool is_derived(const char *pointer);

/* NULL if every difference of a model that came back is named by the reports. edited:
 * it was read and edited, so that its identity is made anew. */
char *check_back_again(const Tree *model, const Turn *written, const Turn *read,
                       const char *law, bool edited);

/* The pointer with every step into a list of objects as that object's id, so that
 * leaves of two versions of a model can be told to be the same. Free it. */
char *tree_path_by_ids(Tree *model, const char *pointer);

/* Pointers of the omitted leaves of an account. */
GHashTable *omitted_leaves(const OcpAccount *account);

/* Takes away all that the failure does not need. Returns the smaller document. */
Tree *shrink(Laws *laws, Law law, const Tree *document, const char *failure);

/* ---- edits of a model ------------------------------------------------------------ */

typedef enum { EDIT_TEXT, EDIT_STATUS, EDIT_DELETE, EDIT_INSERT, EDIT_MOVE } EditKind;

typedef struct {
    EditKind kind;
    char *pointer; /* of the leaf or object in the model before */
    char *id;      /* of the object, or NULL */
    char *value;   /* EDIT_TEXT: the new text */
} Edit;

/* Changes the model in one way; false if there was nothing to change. */
bool edit_model(Tree *model, EditKind kind, Dice *dice, Edit *ret);
void edit_clear(Edit *edit);
/* Takes away what has that id, and references to it. */
void delete_object(Tree *model, const char *id);
