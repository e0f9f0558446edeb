/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "mapping/patch.h"
#include "support.h"
#include "text/json.h"
#include "value/equal.h"
#include "value/pointer.h"

#include <stdlib.h>
#include <string.h>

/*
 * Values made at random, and something like them as templates would make it, to try the
 * laws of the patch on. OCP_SEED repeats one case, OCP_CASES sets how many are run.
 */

typedef struct {
    guint seed;
    GRand *rand;
    OcpDocument *document; /* of w, s and edits */
    OcpDocument *made;     /* of patches and results */
    GHashTable *keys;      /* w element -> id */
    GHashTable *origins;   /* s element -> GPtrArray of ids */
    GStringChunk *texts;   /* of ids */
    guint ids;
    guint secrets;       /* per cent of objects that hold something to be skipped */
    bool listed;         /* and arrays may */
    GHashTable *skipped; /* s nodes */
    GPtrArray *pool;     /* values that may be repeated, or NULL */
    GHashTable *repeats; /* s node -> the one it repeats */
    GHashTable *places;  /* s node -> pointer */
    guint yielded;
    guint orphaned;
} Case;

static inline guint
pick(Case *c, guint below)
{
    return (guint)g_rand_int_range(c->rand, 0, (gint32)below);
}

static inline bool
chance(Case *c, guint percent)
{
    return pick(c, 100) < percent;
}

static inline const char *
key_of(const OcpNode *element, gpointer data)
{
    const Case *c = data;
    return g_hash_table_lookup(c->keys, element);
}

static inline const char *
made_of(const OcpNode *element, guint n, gpointer data)
{
    const Case *c = data;
    const GPtrArray *ids = g_hash_table_lookup(c->origins, element);
    return ids != NULL && n < ids->len ? ids->pdata[n] : NULL;
}

static inline bool
is_skipped(const OcpNode *node, gpointer data)
{
    const Case *c = data;
    return g_hash_table_contains(c->skipped, node);
}

static inline void
count_notices(OcpPatchFate fate, const char *site, const char *member,
              const OcpNode *value, gpointer data)
{
    Case *c = data;
    (void)site;
    (void)member;
    (void)value;
    c->yielded += fate == OCP_PATCH_YIELDED;
    c->orphaned += fate == OCP_PATCH_ORPHANED;
}

static inline OcpPatchKeys
keys_of(Case *c)
{
    OcpPatchKeys keys = {.key = key_of, .made = made_of, .data = c};
    return keys;
}

static inline void
free_ids(gpointer ids)
{
    g_ptr_array_unref(ids);
}

static inline void
begin(Case *c, guint seed)
{
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->rand = g_rand_new_with_seed(seed);
    c->document = ocp_document_new(NULL);
    c->made = ocp_document_new(NULL);
    c->keys = g_hash_table_new(NULL, NULL);
    c->origins = g_hash_table_new_full(NULL, NULL, NULL, free_ids);
    c->skipped = g_hash_table_new(NULL, NULL);
    c->repeats = g_hash_table_new(NULL, NULL);
    c->places = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    c->texts = g_string_chunk_new(1024);
}

static inline void
end(Case *c)
{
    g_hash_table_unref(c->keys);
    g_hash_table_unref(c->origins);
    g_hash_table_unref(c->skipped);
    g_hash_table_unref(c->repeats);
    g_hash_table_unref(c->places);
    g_string_chunk_free(c->texts);
    ocp_document_unref(c->made);
    ocp_document_unref(c->document);
    g_rand_free(c->rand);
}

static inline char *
text_of(const OcpNode *node)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(node, true, text);
    return g_string_free(text, FALSE);
}

/* ---- values ---------------------------------------------------------------- */

static const char *const names[] = {"a", "b", "c",   "k",  "",       "#1", "a/b",
                                    "~", "0", "new", "at", "\u00e9", "+0", "\""};

static inline const OcpNode *
make_scalar(Case *c)
{
    static const char *const numbers[] = {"1", "1.0", "2", "12345678901234567890123",
                                          "-0"};
    static const char *const texts[] = {
        "",
        "x",
        "y",
        "#2",
        "\u20ac\n",
        "longer than what a patch would keep as a base: a digest of it, 64+"};
    switch (pick(c, 4)) {
    case 0: return ocp_make_null(c->document);
    case 1: return ocp_make_boolean(c->document, chance(c, 50));
    case 2: {
        const char *number = numbers[pick(c, G_N_ELEMENTS(numbers))];
        return ocp_make_number(c->document, number, strlen(number));
    }
    default: return ocp_make_text(c->document, texts[pick(c, G_N_ELEMENTS(texts))]);
    }
}

static inline const OcpNode *
make_secret(Case *c)
{
    const OcpNode *secret =
        chance(c, 50) ? ocp_make_text(c->document, "a secret")
                      : ocp_build(c->document, ocp_make_array(c->document)).container;
    g_hash_table_add(c->skipped, (gpointer)secret);
    return secret;
}

/* Another node for each node; what was to be skipped may be so again. */
static inline const OcpNode *
repeat(Case *c, const OcpNode *node)
{
    if (node->kind != OCP_OBJECT && node->kind != OCP_ARRAY) {
        OcpNode *twin = ocp_make_null(c->document);
        twin->kind = node->kind;
        twin->size = node->size;
        twin->as = node->as;
        return twin;
    }
    bool object = node->kind == OCP_OBJECT;
    OcpBuilder build = ocp_build(c->document, object ? ocp_make_object(c->document)
                                                     : ocp_make_array(c->document));
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next) {
        const OcpNode *key = at;
        if (object)
            at = at->next;
        const OcpNode *twin = repeat(c, ocp_deref(at));
        if (g_hash_table_contains(c->skipped, ocp_deref(at)) && chance(c, 50))
            g_hash_table_add(c->skipped, (gpointer)twin);
        if (object)
            ocp_build_member(&build, key, twin);
        else
            ocp_build_element(&build, twin);
    }
    return build.container;
}

/* A value that repeats another, or the same node again, or one that only claims to. */
static inline const OcpNode *
make_repetition(Case *c)
{
    const OcpNode *original = c->pool->pdata[pick(c, c->pool->len)];
    if (chance(c, 10))
        return original;
    const OcpNode *twin = repeat(c, original);
    if (chance(c, 10))
        original = c->pool->pdata[pick(c, c->pool->len)];
    g_hash_table_insert(c->repeats, (gpointer)twin, (gpointer)original);
    return twin;
}

static inline const OcpNode *make_fresh(Case *c, guint depth);

/* A value; where there is a pool, some repeat one that was made before. */
static inline const OcpNode *
make_value(Case *c, guint depth)
{
    const OcpNode *value =
        c->pool != NULL && c->pool->len > 0 && depth < 5 && chance(c, 20)
            ? make_repetition(c)
            : make_fresh(c, depth);
    if (c->pool != NULL)
        g_ptr_array_add(c->pool, (gpointer)value);
    return value;
}

static inline const OcpNode *
make_fresh(Case *c, guint depth)
{
    guint kind = depth == 0 ? 0 : pick(c, 5);
    if (kind < 2)
        return make_scalar(c);
    guint size = pick(c, 6);
    if (kind == 2) {
        OcpBuilder build = ocp_build(c->document, ocp_make_array(c->document));
        for (guint i = 0; i < size; i++)
            ocp_build_element(&build, c->listed && chance(c, c->secrets)
                                          ? make_secret(c)
                                          : make_value(c, depth - 1));
        return build.container;
    }
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    guint first = pick(c, G_N_ELEMENTS(names));
    for (guint i = 0; i < size; i++)
        ocp_build_named(&build, names[(first + i * 3) % G_N_ELEMENTS(names)],
                        make_value(c, depth - 1));
    if (c->secrets > 0 && chance(c, c->secrets))
        ocp_build_named(&build, "secret", make_secret(c));
    return build.container;
}

static inline void
shuffle(Case *c, GPtrArray *list)
{
    for (guint i = list->len; i > 1; i--) {
        guint j = pick(c, i);
        gpointer kept = list->pdata[i - 1];
        list->pdata[i - 1] = list->pdata[j];
        list->pdata[j] = kept;
    }
}

/* Gives an element of w an id: a good one, one used before, or an odd one. */
static inline const char *
new_id(Case *c)
{
    static const char *const odd[] = {"#3",     "",   "a b", "id-1",
                                      "id-1#2", ".x", "a/b", "\u00e9"};
    if (chance(c, 15))
        return odd[pick(c, G_N_ELEMENTS(odd))];
    g_autofree char *id =
        g_strdup_printf("id-%u", chance(c, 10) ? pick(c, 5) : c->ids++);
    return g_string_chunk_insert_const(c->texts, id);
}

static inline void
remember(Case *c, const OcpNode *w, const OcpNode *s, const char *id)
{
    g_hash_table_insert(c->keys, (gpointer)w, (gpointer)id);
    if (s == NULL)
        return;
    GPtrArray *ids = g_hash_table_lookup(c->origins, s);
    if (ids == NULL) {
        ids = g_ptr_array_new();
        g_hash_table_insert(c->origins, (gpointer)s, ids);
    }
    g_ptr_array_add(ids, (gpointer)id);
}

/* Gives an element of w an id of its own. */
static inline void
name_view(Case *c, const OcpNode *view, const OcpNode *thing)
{
    g_autofree char *id = g_strdup_printf("thing-%u", c->ids++);
    remember(c, view, thing, g_string_chunk_insert_const(c->texts, id));
}

static inline const OcpNode *derive(Case *c, const OcpNode *s, guint depth);

static inline const OcpNode *
derive_array(Case *c, const OcpNode *s, guint depth)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    guint with_ids = pick(c, 3) * 50; /* of none, some or all */
    const OcpNode *element;
    for (OcpIter iter = ocp_iter(s); (element = ocp_iter_element(&iter)) != NULL;) {
        if (chance(c, 15) || g_hash_table_contains(c->skipped, element))
            continue;
        const OcpNode *mine = derive(c, element, depth);
        if (chance(c, with_ids))
            remember(c, mine, element, new_id(c));
        g_ptr_array_add(list, (gpointer)mine);
        if (chance(c, 10)) {
            mine = make_value(c, 2);
            if (chance(c, with_ids))
                remember(c, mine, NULL, new_id(c));
            g_ptr_array_add(list, (gpointer)mine);
        }
    }
    if (chance(c, 30))
        shuffle(c, list);
    OcpBuilder build = ocp_build(c->document, ocp_make_array(c->document));
    for (guint i = 0; i < list->len; i++)
        ocp_build_element(&build, list->pdata[i]);
    return build.container;
}

static inline const OcpNode *
derive_object(Case *c, const OcpNode *s, guint depth)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(s); ocp_iter_member(&iter, &key, &value);)
        if (!g_hash_table_contains(c->skipped, value))
            g_ptr_array_add(keys, (gpointer)key);
    if (chance(c, 40))
        shuffle(c, keys);
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    for (guint i = 0; i < keys->len; i++)
        if (chance(c, 75))
            ocp_build_member(&build, keys->pdata[i],
                             derive(c, ocp_member_like(s, keys->pdata[i]), depth));
    if (chance(c, 15))
        ocp_build_named(&build, "only in w", make_value(c, 2));
    return build.container;
}

/* Something like s, as templates would make it: parts are s's own nodes, parts are made
 * anew, changed, dropped, moved. */
static inline const OcpNode *
derive(Case *c, const OcpNode *s, guint depth)
{
    if (depth == 0 || chance(c, 20))
        return s;
    if (chance(c, 8))
        return make_value(c, 2);
    if (s->kind == OCP_ARRAY)
        return derive_array(c, s, depth - 1);
    if (s->kind == OCP_OBJECT)
        return derive_object(c, s, depth - 1);
    return chance(c, 30) ? make_scalar(c) : s;
}

static inline bool
holds_skipped(const Case *c, const OcpNode *node)
{
    if (g_hash_table_contains(c->skipped, node))
        return true;
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next) {
        if (node->kind == OCP_OBJECT)
            at = at->next;
        if (holds_skipped(c, ocp_deref(at)))
            return true;
    }
    return false;
}

/* The value without what is skipped; elements keep their ids. */
static inline const OcpNode *
strip(Case *c, const OcpNode *node)
{
    if (!holds_skipped(c, node))
        return node;
    bool object = node->kind == OCP_OBJECT;
    OcpBuilder build = ocp_build(c->document, object ? ocp_make_object(c->document)
                                                     : ocp_make_array(c->document));
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next) {
        const OcpNode *key = at;
        if (object)
            at = at->next;
        const OcpNode *value = ocp_deref(at);
        if (g_hash_table_contains(c->skipped, value))
            continue;
        if (object)
            ocp_build_member(&build, key, strip(c, value));
        else
            ocp_build_element(&build, strip(c, value));
    }
    const char *id = g_hash_table_lookup(c->keys, node);
    if (id != NULL)
        g_hash_table_insert(c->keys, build.container, (gpointer)id);
    return build.container;
}

static inline OcpDocument *
reread(const OcpNode *node)
{
    char *text = text_of(node);
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, strlen(text));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "patch", &limits, report, &document))
        g_error("not JSON: %s", text);
    return document;
}

/* ---- running --------------------------------------------------------------- */

static inline void
fail(const Case *c, const char *what, const OcpNode *w, const OcpNode *s,
     const OcpNode *patch, const OcpNode *result)
{
    const OcpNode *nodes[] = {w, s, patch, result};
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s (OCP_SEED=%u)", what, c->seed);
    static const char *const labels[] = {"w", "s", "patch", "result"};
    for (gsize i = 0; i < G_N_ELEMENTS(nodes); i++) {
        if (nodes[i] == NULL)
            continue;
        g_autofree char *json = text_of(nodes[i]);
        g_string_append_printf(text, "\n  %s: %s", labels[i], json);
    }
    ocp_test_fail("%s", text->str);
}

/* Runs a law over many seeds, until one fails. */
static inline void
over_seeds(bool (*law)(Case *c), guint cases)
{
    const char *one = g_getenv("OCP_SEED");
    const char *more = g_getenv("OCP_CASES");
    guint first = one != NULL ? (guint)strtoul(one, NULL, 10) : 1;
    guint count = one != NULL    ? 1
                  : more != NULL ? (guint)strtoul(more, NULL, 10)
                                 : cases;
    bool held = true;
    for (guint seed = first; held && seed < first + count; seed++) {
        Case c;
        begin(&c, seed);
        held = law(&c);
        end(&c);
    }
    CU_ASSERT(held);
}

static inline const OcpNode *
make_w(Case *c, const OcpNode *s)
{
    return chance(c, 85) ? derive(c, s, 6) : make_value(c, 3);
}

/* A patch with some values replaced, dropped, renamed or moved. */
static inline const OcpNode *
spoil(Case *c, const OcpNode *node, guint percent)
{
    static const char *const parts[] = {"at",   "rest",  "was",     "absent",
                                        "new",  "gone",  "members", "root",
                                        "copy", "order", "#1",      "after"};
    if (chance(c, percent))
        return make_value(c, 2);
    if (!ocp_is_container(node))
        return node;
    bool object = node->kind == OCP_OBJECT;
    OcpBuilder build = ocp_build(c->document, object ? ocp_make_object(c->document)
                                                     : ocp_make_array(c->document));
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    const OcpNode *key;
    const OcpNode *value;
    if (!object)
        for (OcpIter iter = ocp_iter(node); (value = ocp_iter_element(&iter)) != NULL;)
            g_ptr_array_add(list, (gpointer)spoil(c, value, percent));
    if (chance(c, 2 * percent))
        shuffle(c, list);
    for (guint i = 0; i < list->len; i++)
        if (!chance(c, percent))
            ocp_build_element(&build, list->pdata[i]);
    for (OcpIter iter = ocp_iter(object ? node : NULL);
         ocp_iter_member(&iter, &key, &value);) {
        const char *other = parts[pick(c, G_N_ELEMENTS(parts))];
        value = spoil(c, value, percent);
        if (chance(c, percent) && ocp_member(node, other) == NULL &&
            ocp_member(build.container, other) == NULL)
            ocp_build_named(&build, other, value);
        else
            ocp_build_member(&build, key, value);
    }
    return build.container;
}
