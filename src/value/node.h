/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "value/arena.h"

/*
 * The document: everything in memory is one kind of thing.
 *
 * A document is an array of small nodes (32 bytes, laid down in the order of the
 * text) over the text it came from. Strings and numbers stay spans of that text
 * until somebody needs them decoded. Values the program makes are nodes of the same
 * kind, and a subtree that is already somewhere is linked, never copied: a node
 * keeps its identity wherever it shows, so "unchanged" is a pointer comparison.
 *
 * A document is written once, then only read, and freed whole. It belongs to one
 * thread at a time; one that is complete may be read and held by many. This module
 * knows nothing of JSON or YAML as text, of schemas or of dialects.
 */

typedef enum {
    OCP_NULL,
    OCP_FALSE,
    OCP_TRUE,
    OCP_NUMBER,
    OCP_STRING,
    OCP_ARRAY,
    OCP_OBJECT,
    OCP_LINK /* stands in a container for a node that lives elsewhere */
} OcpKind;

enum {
    OCP_NODE_ESCAPED = 1 << 0, /* the span holds JSON escapes: decode before use */
    OCP_NODE_UNUSUAL = 1 << 1, /* ... some of which our writer would spell otherwise */
    OCP_NODE_PLAIN = 1 << 2,   /* a plain YAML scalar */
    OCP_NODE_UNSETTLED = 1 << 3, /* ... whose type depends on the dialect's schema */
    OCP_NODE_MADE = 1 << 4,      /* made by the program, stands in no text */
    OCP_NODE_INDEXED = 1 << 5,   /* an object with a hash over its keys */
    OCP_NODE_RESPELLED =
        1 << 6,              /* a YAML scalar whose source spelling differs from text */
    OCP_NODE_PLACED = 1 << 7 /* stands in a container already */
};

#define OCP_NO_PLACE G_MAXUINT32

typedef struct OcpNode OcpNode;
typedef struct OcpKeyIndex OcpKeyIndex;

struct OcpNode {
    guint8 kind;  /* OcpKind */
    guint8 flags; /* OCP_NODE_… */
    guint16 rule; /* made nodes and links: the rule that put it here; 0: none */
    guint32 size; /* scalar: bytes of the span; array: elements; object: members */
    union {
        const char *text;   /* scalar: the span, not NUL-terminated */
        OcpNode *first;     /* container: first child; object: key, value, key, … */
        OcpKeyIndex *index; /* object with OCP_NODE_INDEXED */
        const OcpNode *target; /* link */
    } as;
    OcpNode *next;  /* the following child of the same container */
    guint32 place;  /* byte offset in the document's text, or OCP_NO_PLACE */
    guint32 serial; /* 0, 1, 2, … in the order in which the document got its nodes */
};

G_STATIC_ASSERT(GLIB_SIZEOF_VOID_P != 8 || sizeof(OcpNode) == 32);

typedef struct OcpDocument OcpDocument;

/* Fields are read only outside this module and the readers. */
struct OcpDocument {
    OcpArena *arena;
    OcpNode *root;    /* NULL until the reader or builder sets it */
    GBytes *bytes;    /* the text; NULL for a made document */
    const char *text; /* the same, for line, column and caret */
    gsize length;
    char *name;         /* for messages: file name as given, "-" for standard input */
    bool yaml;          /* the syntax it was read from */
    guint32 nodes;      /* how many nodes it has: serials are below this */
    GPtrArray *lenders; /* documents whose nodes are linked from here, kept alive */
    OcpNode **blocks;   /* where its nodes are, by serial: ocp_document_node() */
    OcpNode *block;     /* nodes are given out from here */
    guint32 block_left;
    guint32 block_count;
    struct OcpTextMark *marks; /* of ocp_document_position(); made when asked again */
    gint asked;                /* for positions far behind */
    gint references;
};

/* Returns an empty document; release with ocp_document_unref(). name may be NULL. */
OcpDocument *ocp_document_new(const char *name);
OcpDocument *ocp_document_ref(OcpDocument *document);
void ocp_document_unref(OcpDocument *document);

/* Returns the node of that serial; NULL if there is none. */
OcpNode *ocp_document_node(const OcpDocument *document, guint32 serial);

/* Keeps lender alive as long as document, whose nodes may now link to it. */
void ocp_document_borrow(OcpDocument *document, OcpDocument *lender);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OcpDocument, ocp_document_unref)

/* ---- making nodes ---------------------------------------------------------- */

/* A raw node of the document, for readers; all fields but serial are zero. */
OcpNode *ocp_node_new(OcpDocument *document, OcpKind kind);

/* Made nodes carry OCP_NODE_MADE and OCP_NO_PLACE; text is copied. Borrowed. */
OcpNode *ocp_make_null(OcpDocument *document);
OcpNode *ocp_make_boolean(OcpDocument *document, bool truth);
OcpNode *ocp_make_string(OcpDocument *document, const char *text, gsize length);
OcpNode *ocp_make_text(OcpDocument *document, const char *text); /* NUL-terminated */
OcpNode *ocp_make_number(OcpDocument *document, const char *text, gsize length);
OcpNode *ocp_make_integer(OcpDocument *document, gint64 number);
OcpNode *ocp_make_array(OcpDocument *document);
OcpNode *ocp_make_object(OcpDocument *document);

/* A made tree equal to node, which it borrows nothing of: texts are decoded. */
OcpNode *ocp_make_copy(OcpDocument *document, const OcpNode *node);

/* Appends to one open container in constant time. Live on the stack:
 *     OcpBuilder build = ocp_build(document, ocp_make_array(document));
 * An element or value that already stands in a container, or lives in another
 * document, is linked; a node that stands nowhere yet is taken as it is. */
typedef struct {
    OcpDocument *document;
    OcpNode *container;
    OcpNode *last;
} OcpBuilder;

OcpBuilder ocp_build(OcpDocument *document, OcpNode *container);
void ocp_build_element(OcpBuilder *build, const OcpNode *element);
/* key: a string node (linked if it stands elsewhere). No check for duplicates. */
void ocp_build_member(OcpBuilder *build, const OcpNode *key, const OcpNode *value);
void ocp_build_named(OcpBuilder *build, const char *key, const OcpNode *value);

/* For readers: appends a fresh node of the same document as it is. */
void ocp_build_raw(OcpBuilder *build, OcpNode *node);

/* Gives an object with many members a hash over its keys. Called by readers and by
 * whoever builds large objects, once, when the object is complete. Returns the first
 * key that occurs twice, or NULL. Of an array there is nothing to say. */
const OcpNode *ocp_object_seal(OcpDocument *document, OcpNode *object);

/* A document of nodes of its own, equal to tree: what reading the tree's text again
 * would give, but for places. The texts of its scalars are borrowed: whatever tree's
 * nodes live in must outlive the copy. NULL if an object has a key twice. */
OcpDocument *ocp_document_copy(const OcpNode *tree);

/* ---- reading nodes --------------------------------------------------------- */

static inline const OcpNode *
ocp_deref(const OcpNode *node)
{
    while (node != NULL && node->kind == OCP_LINK)
        node = node->as.target;
    return node;
}

static inline bool
ocp_is(const OcpNode *node, OcpKind kind)
{
    return node != NULL && node->kind == kind;
}

static inline bool
ocp_is_container(const OcpNode *node)
{
    return node != NULL && (node->kind == OCP_ARRAY || node->kind == OCP_OBJECT);
}

/* A scalar, an empty array or an empty object (accounting.md). */
static inline bool
ocp_is_leaf(const OcpNode *node)
{
    return node != NULL && (!ocp_is_container(node) || node->size == 0);
}

const OcpNode *ocp_first_indexed(const OcpNode *object);

/* The first child as it stands in the container: a link is not followed. */
static inline const OcpNode *
ocp_first_child(const OcpNode *container)
{
    if (!ocp_is_container(container))
        return NULL;
    if (container->flags & OCP_NODE_INDEXED)
        return ocp_first_indexed(container);
    return container->size > 0 ? container->as.first : NULL;
}

/* Walks the children: for (OcpIter i = ocp_iter(a); (e = ocp_iter_element(&i));) */
typedef struct {
    const OcpNode *at;
} OcpIter;

static inline OcpIter
ocp_iter(const OcpNode *container)
{
    OcpIter iter = {ocp_first_child(container)};
    return iter;
}

/* Returns the next element of an array, links followed, or NULL at the end. */
static inline const OcpNode *
ocp_iter_element(OcpIter *iter)
{
    const OcpNode *at = iter->at;
    if (at == NULL)
        return NULL;
    iter->at = at->next;
    return ocp_deref(at);
}

/* Sets key and value (links followed) of the next member; false at the end. */
static inline bool
ocp_iter_member(OcpIter *iter, const OcpNode **key, const OcpNode **value)
{
    const OcpNode *at = iter->at;
    if (at == NULL)
        return false;
    *key = ocp_deref(at);
    *value = ocp_deref(at->next);
    iter->at = at->next->next;
    return true;
}

/* Returns the element at index, or NULL. Linear. */
const OcpNode *ocp_element(const OcpNode *array, gsize index);

/* Returns the value of the member of that (decoded) name, or NULL; also NULL if
 * object is NULL or no object. ret_key, if not NULL, gets the key node. */
const OcpNode *ocp_member_sized(const OcpNode *object, const char *name, gsize length,
                                const OcpNode **ret_key);

static inline const OcpNode *
ocp_member(const OcpNode *object, const char *name)
{
    return ocp_member_sized(object, name, strlen(name), NULL);
}

/* The same by a key node of any document. */
const OcpNode *ocp_member_like(const OcpNode *object, const OcpNode *key);

/* Returns the decoded text of a string (or the text of a number): the span itself, or
 * a copy in arena if the span has escapes. Not NUL-terminated in general. */
const char *ocp_text(const OcpNode *scalar, OcpArena *arena, gsize *ret_length);

/* The same as a NUL-terminated copy; free with g_free(). U+0000 cuts it short. */
char *ocp_text_dup(const OcpNode *scalar);

bool ocp_text_is_decoded(const OcpNode *string, const char *text, gsize length);

/* True if the node is a string of just this text. NULL is no string. Inline, as most
 * answers are no by the length, which the compiler knows of a literal. */
static inline bool
ocp_text_is_sized(const OcpNode *node, const char *text, gsize length)
{
    if (!ocp_is(node, OCP_STRING))
        return false;
    if (node->flags & OCP_NODE_ESCAPED)
        return ocp_text_is_decoded(node, text, length);
    return node->size == length && memcmp(node->as.text, text, length) == 0;
}

static inline bool
ocp_text_is(const OcpNode *node, const char *text)
{
    return ocp_text_is_sized(node, text, strlen(text));
}

/* Equality and hash of two strings' decoded code points, without allocation. */
bool ocp_text_equal(const OcpNode *a, const OcpNode *b);
int ocp_text_compare(const OcpNode *a, const OcpNode *b); /* by code point */
guint ocp_text_hash(const OcpNode *string);

/* Decodes a JSON string span (escapes known to be valid); out holds length bytes at
 * least. Returns the number of bytes written. */
gsize ocp_unescape(const char *span, gsize length, char *out);

/* Name of a kind in the field's words: "null", "boolean", "number", … Static. */
const char *ocp_kind_name(OcpKind kind);
