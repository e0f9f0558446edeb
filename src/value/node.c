/* SPDX-License-Identifier: Apache-2.0 */
#include "value/node.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_FIRST = 32, /* in the first block; each block has twice as many … */
    DOUBLINGS = 10,   /* … as the one before, until they have 32768: 1 MiB */
    INDEX_FROM = 24,  /* members from which a hash beats a walk */
    PROBES_MOST = 64, /* a hash that needs more was made to: sort instead */
    HASHES_AHEAD = 16 /* a power of two */
};

/* A key as it stands in the object. Most slots are told apart by the hash, so that a
 * large object's keys, which lie all over the memory, need not be looked at. */
typedef struct {
    guint32 hash;
    guint32 key; /* serial + 1; 0: empty */
} Slot;

struct OcpKeyIndex {
    OcpNode *first;
    const OcpDocument *document;
    guint32 mask; /* 0: the slots are the keys sorted, not a hash */
    guint32 count;
    Slot slots[];
};

static const OcpNode *
slot_key(const OcpKeyIndex *index, const Slot *slot)
{
    return ocp_document_node(index->document, slot->key - 1);
}

OcpDocument *
ocp_document_new(const char *name)
{
    OcpDocument *document = g_new0(OcpDocument, 1);
    document->arena = ocp_arena_new();
    document->name = g_strdup(name);
    document->references = 1;
    return document;
}

OcpDocument *
ocp_document_ref(OcpDocument *document)
{
    g_atomic_int_inc(&document->references);
    return document;
}

void
ocp_document_unref(OcpDocument *document)
{
    if (document == NULL || !g_atomic_int_dec_and_test(&document->references))
        return;
    ocp_arena_free(document->arena);
    if (document->bytes != NULL)
        g_bytes_unref(document->bytes);
    if (document->lenders != NULL)
        g_ptr_array_unref(document->lenders);
    g_free(document->blocks);
    g_free(document->marks);
    g_free(document->name);
    g_free(document);
}

static void
release_lender(gpointer lender)
{
    ocp_document_unref(lender);
}

void
ocp_document_borrow(OcpDocument *document, OcpDocument *lender)
{
    if (document == lender)
        return;
    if (document->lenders == NULL)
        document->lenders = g_ptr_array_new_with_free_func(release_lender);
    if (!g_ptr_array_find(document->lenders, lender, NULL))
        g_ptr_array_add(document->lenders, ocp_document_ref(lender));
}

static guint32
block_size(guint32 block)
{
    return (guint32)NODES_FIRST << MIN(block, (guint32)DOUBLINGS);
}

static void
add_block(OcpDocument *document)
{
    guint32 block = document->block_count++;
    guint32 size = block_size(block);
    if ((block & (block - 1)) == 0) /* the table's size is a power of two */
        document->blocks = g_renew(OcpNode *, document->blocks, MAX(2 * block, 1));
    document->block = ocp_arena_take(document->arena, size * sizeof(OcpNode));
    document->blocks[block] = document->block;
    document->block_left = size;
}

OcpNode *
ocp_document_node(const OcpDocument *document, guint32 serial)
{
    if (serial >= document->nodes)
        return NULL;
    guint32 block = g_bit_storage(serial / NODES_FIRST + 1) - 1;
    if (block <= DOUBLINGS)
        return document->blocks[block] + (serial - (block_size(block) - NODES_FIRST));
    guint32 rest = serial - (block_size(DOUBLINGS) - NODES_FIRST);
    guint32 most = block_size(DOUBLINGS);
    return document->blocks[DOUBLINGS + rest / most] + rest % most;
}

OcpNode *
ocp_node_new(OcpDocument *document, OcpKind kind)
{
    if (document->block_left == 0)
        add_block(document);
    OcpNode *node = document->block++;
    document->block_left--;
    memset(node, 0, sizeof *node);
    node->kind = (guint8)kind;
    node->serial = document->nodes++;
    return node;
}

static OcpNode *
make(OcpDocument *document, OcpKind kind)
{
    OcpNode *node = ocp_node_new(document, kind);
    node->flags = OCP_NODE_MADE;
    node->place = OCP_NO_PLACE;
    return node;
}

OcpNode *
ocp_make_null(OcpDocument *document)
{
    OcpNode *node = make(document, OCP_NULL);
    node->as.text = "null";
    node->size = 4;
    return node;
}

OcpNode *
ocp_make_boolean(OcpDocument *document, bool truth)
{
    OcpNode *node = make(document, truth ? OCP_TRUE : OCP_FALSE);
    node->as.text = truth ? "true" : "false";
    node->size = truth ? 4 : 5;
    return node;
}

static OcpNode *
make_span(OcpDocument *document, OcpKind kind, const char *text, gsize length)
{
    OcpNode *node = make(document, kind);
    node->as.text = ocp_arena_copy(document->arena, text, length);
    node->size = (guint32)length;
    return node;
}

OcpNode *
ocp_make_string(OcpDocument *document, const char *text, gsize length)
{
    return make_span(document, OCP_STRING, text, length);
}

OcpNode *
ocp_make_text(OcpDocument *document, const char *text)
{
    return make_span(document, OCP_STRING, text, strlen(text));
}

OcpNode *
ocp_make_number(OcpDocument *document, const char *text, gsize length)
{
    return make_span(document, OCP_NUMBER, text, length);
}

OcpNode *
ocp_make_integer(OcpDocument *document, gint64 number)
{
    char text[32];
    int length = g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, number);
    return make_span(document, OCP_NUMBER, text, (gsize)length);
}

OcpNode *
ocp_make_array(OcpDocument *document)
{
    return make(document, OCP_ARRAY);
}

OcpNode *
ocp_make_object(OcpDocument *document)
{
    return make(document, OCP_OBJECT);
}

OcpBuilder
ocp_build(OcpDocument *document, OcpNode *container)
{
    OcpBuilder build = {document, container, NULL};
    return build;
}

static void
append(OcpBuilder *build, OcpNode *node)
{
    if (build->last == NULL)
        build->container->as.first = node;
    else
        build->last->next = node;
    build->last = node;
    node->flags |= OCP_NODE_PLACED;
}

/* A node of the document that stands nowhere yet is taken; any other is linked. */
static OcpNode *
placeable(OcpDocument *document, const OcpNode *node)
{
    if ((node->flags & OCP_NODE_MADE) && !(node->flags & OCP_NODE_PLACED) &&
        ocp_document_node(document, node->serial) == node)
        return (OcpNode *)node;
    OcpNode *link = make(document, OCP_LINK);
    link->as.target = ocp_deref(node);
    return link;
}

void
ocp_build_element(OcpBuilder *build, const OcpNode *element)
{
    append(build, placeable(build->document, element));
    build->container->size++;
}

void
ocp_build_member(OcpBuilder *build, const OcpNode *key, const OcpNode *value)
{
    append(build, placeable(build->document, key));
    append(build, placeable(build->document, value));
    build->container->size++;
}

void
ocp_build_named(OcpBuilder *build, const char *key, const OcpNode *value)
{
    ocp_build_member(build, ocp_make_text(build->document, key), value);
}

void
ocp_build_raw(OcpBuilder *build, OcpNode *node)
{
    append(build, node);
}

const OcpNode *
ocp_first_indexed(const OcpNode *object)
{
    return object->as.index->first;
}

/* Most keys are told apart by their length. */
static inline bool
are_twins(const OcpNode *a, const OcpNode *b)
{
    bool escaped = ((a->flags | b->flags) & OCP_NODE_ESCAPED) != 0;
    return (escaped || a->size == b->size) && ocp_text_equal(a, b);
}

static const OcpNode *
find_twin(const OcpNode *object)
{
    for (const OcpNode *a = ocp_first_child(object); a != NULL; a = a->next->next)
        for (const OcpNode *b = ocp_first_child(object); b != a; b = b->next->next)
            if (are_twins(ocp_deref(a), ocp_deref(b)))
                return ocp_deref(a);
    return NULL;
}

/* Hashes of the keys to come: the slots of a large object lie all over the memory, and
 * asked for in time they are there when their turn comes. */
typedef struct {
    const OcpKeyIndex *index;
    const OcpNode *next; /* the first key not hashed yet */
    guint32 hashes[HASHES_AHEAD];
} Scout;

static void
scout_on(Scout *scout, guint32 turn)
{
    if (scout->next == NULL)
        return;
    guint32 hash = ocp_text_hash(ocp_deref(scout->next));
    scout->hashes[turn % HASHES_AHEAD] = hash;
    __builtin_prefetch(&scout->index->slots[hash & scout->index->mask], 1);
    scout->next = scout->next->next->next;
}

/* Fills the hash; false if somebody chose keys that collide. */
static bool
index_by_hash(OcpKeyIndex *index, const OcpNode **twin)
{
    memset(index->slots, 0, (index->mask + 1) * sizeof(Slot));
    Scout scout = {.index = index, .next = index->first};
    for (guint32 turn = 0; turn < HASHES_AHEAD; turn++)
        scout_on(&scout, turn);
    guint32 turn = 0;
    for (OcpNode *at = index->first; at != NULL; at = at->next->next, turn++) {
        const OcpNode *key = ocp_deref(at);
        guint32 hash = scout.hashes[turn % HASHES_AHEAD];
        scout_on(&scout, turn);
        guint32 slot = hash & index->mask;
        guint32 probes = 0;
        for (; index->slots[slot].key != 0; slot = (slot + 1) & index->mask) {
            if (++probes > PROBES_MOST)
                return false;
            if (*twin == NULL && index->slots[slot].hash == hash &&
                ocp_text_equal(ocp_deref(slot_key(index, &index->slots[slot])), key))
                *twin = key;
        }
        index->slots[slot] = (Slot){hash, at->serial + 1};
    }
    return true;
}

static gint
compare_keys(gconstpointer a, gconstpointer b, gpointer index)
{
    const OcpNode *left = ocp_deref(slot_key(index, a));
    const OcpNode *right = ocp_deref(slot_key(index, b));
    int order = ocp_text_compare(left, right);
    if (order != 0)
        return order;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

/* Sorts the keys; returns one that occurs twice, or NULL. */
static const OcpNode *
index_by_order(OcpKeyIndex *index)
{
    guint32 count = 0;
    for (OcpNode *at = index->first; at != NULL; at = at->next->next)
        index->slots[count++] = (Slot){0, at->serial + 1};
    g_qsort_with_data(index->slots, (gint)count, sizeof(Slot), compare_keys, index);
    index->mask = 0;
    for (guint32 i = 1; i < count; i++) {
        const OcpNode *key = ocp_deref(slot_key(index, &index->slots[i]));
        if (ocp_text_equal(ocp_deref(slot_key(index, &index->slots[i - 1])), key))
            return key;
    }
    return NULL;
}

const OcpNode *
ocp_object_seal(OcpDocument *document, OcpNode *object)
{
    if (object->kind != OCP_OBJECT || (object->flags & OCP_NODE_INDEXED))
        return NULL;
    if (object->size < INDEX_FROM)
        return find_twin(object);

    guint32 slots = 64;
    while (slots < object->size * 2)
        slots *= 2;
    OcpKeyIndex *index =
        ocp_arena_take(document->arena, sizeof *index + slots * sizeof(Slot));
    index->document = document;
    index->first = object->as.first;
    index->mask = slots - 1;
    index->count = object->size;
    const OcpNode *twin = NULL;
    if (!index_by_hash(index, &twin))
        twin = index_by_order(index);
    object->as.index = index;
    object->flags |= OCP_NODE_INDEXED;
    return twin;
}

const OcpNode *
ocp_element(const OcpNode *array, gsize index)
{
    if (!ocp_is(array, OCP_ARRAY) || index >= array->size)
        return NULL;
    const OcpNode *at = ocp_first_child(array);
    while (index-- > 0)
        at = at->next;
    return ocp_deref(at);
}

static const OcpNode *
found_member(const OcpNode *at, const OcpNode **ret_key)
{
    if (ret_key != NULL)
        *ret_key = ocp_deref(at);
    return ocp_deref(at->next);
}

static const OcpNode *
index_find(const OcpKeyIndex *index, const OcpNode *name)
{
    if (index->mask != 0) {
        guint32 hash = ocp_text_hash(name);
        guint32 slot = hash & index->mask;
        for (; index->slots[slot].key != 0; slot = (slot + 1) & index->mask) {
            if (index->slots[slot].hash != hash)
                continue;
            const OcpNode *key = slot_key(index, &index->slots[slot]);
            if (ocp_text_equal(ocp_deref(key), name))
                return key;
        }
        return NULL;
    }
    guint32 low = 0;
    for (guint32 high = index->count; low < high;) {
        guint32 middle = low + (high - low) / 2;
        const OcpNode *key = slot_key(index, &index->slots[middle]);
        int order = ocp_text_compare(ocp_deref(key), name);
        if (order == 0)
            return key;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const OcpNode *
ocp_member_sized(const OcpNode *object, const char *name, gsize length,
                 const OcpNode **ret_key)
{
    if (!ocp_is(object, OCP_OBJECT))
        return NULL;
    if (object->flags & OCP_NODE_INDEXED) {
        OcpNode probe = {.kind = OCP_STRING, .size = (guint32)length, .as.text = name};
        const OcpNode *at = index_find(object->as.index, &probe);
        return at != NULL ? found_member(at, ret_key) : NULL;
    }
    for (const OcpNode *at = ocp_first_child(object); at != NULL; at = at->next->next)
        if (ocp_text_is_sized(ocp_deref(at), name, length))
            return found_member(at, ret_key);
    return NULL;
}

const OcpNode *
ocp_member_like(const OcpNode *object, const OcpNode *key)
{
    if (!(key->flags & OCP_NODE_ESCAPED))
        return ocp_member_sized(object, key->as.text, key->size, NULL);
    g_autofree char *name = g_malloc(key->size + 1);
    gsize length = ocp_unescape(key->as.text, key->size, name);
    return ocp_member_sized(object, name, length, NULL);
}

const char *
ocp_kind_name(OcpKind kind)
{
    static const char *const names[] = {"null",   "boolean", "boolean", "number",
                                        "string", "array",   "object",  "link"};
    return names[kind];
}
