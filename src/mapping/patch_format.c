/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch_private.h"
#include "text/canonical.h"
#include "value/equal.h"
#include "value/number.h"

#include <string.h>

/*
 * How a patch is written down: bases, places, and whether something is a patch at all.
 */

static const char digest_name[] = "sha-256";

enum { DIGEST_DIGITS = 64 };

const OcpNode *
ocp_patch_base(OcpDocument *made, const OcpNode *value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    ocp_canonical_append(value, OCP_CANONICAL_VALUE, text);
    if (text->len <= OCP_PATCH_BASE)
        return ocp_make_copy(made, value);
    g_autofree char *digest = ocp_sha256(text->str, text->len);
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, digest_name, ocp_make_text(made, digest));
    return build.container;
}

/* A value of this shape is itself over the limit, so it is never a base as it is. */
static const OcpNode *
digest_of(const OcpNode *base)
{
    if (!ocp_is(base, OCP_OBJECT) || base->size != 1)
        return NULL;
    const OcpNode *digest = ocp_member(base, digest_name);
    return ocp_is(digest, OCP_STRING) && digest->size == DIGEST_DIGITS ? digest : NULL;
}

bool
ocp_patch_base_matches(const OcpNode *base, const OcpNode *value)
{
    const OcpNode *digest = digest_of(base);
    if (digest == NULL)
        return ocp_equal(base, value);
    g_autofree char *found = ocp_canonical_digest(value, OCP_CANONICAL_VALUE);
    return ocp_text_is(digest, found);
}

void
ocp_patch_seal(OcpDocument *made, OcpNode *node)
{
    if (node->kind == OCP_OBJECT && node->size >= OCP_PATCH_SEAL)
        ocp_object_seal(made, node);
}

void
ocp_patch_push_text(GString *at, const char *name, gsize length)
{
    g_string_append_c(at, '/');
    for (gsize i = 0; i < length; i++) {
        if (name[i] == '~')
            g_string_append(at, "~0");
        else if (name[i] == '/')
            g_string_append(at, "~1");
        else if (name[i] == '#')
            g_string_append(at, "~2");
        else
            g_string_append_c(at, name[i]);
    }
}

void
ocp_patch_push_name(GString *at, const OcpNode *name)
{
    if (!(name->flags & OCP_NODE_ESCAPED)) {
        ocp_patch_push_text(at, name->as.text, name->size);
        return;
    }
    g_autofree char *text = g_malloc(name->size + 1);
    ocp_patch_push_text(at, text, ocp_unescape(name->as.text, name->size, text));
}

void
ocp_patch_push_key(GString *at, const char *key, gsize length)
{
    g_string_append(at, "/#");
    g_string_append_len(at, key, (gssize)length);
}

gsize
ocp_patch_step(const char *at, gsize length, bool *by_key, GString *token)
{
    if (length == 0 || at[0] != '/')
        return 0;
    gsize i = 1;
    if (by_key != NULL) {
        *by_key = i < length && at[i] == '#';
        i += *by_key;
    }
    char last = by_key != NULL ? '2' : '1';
    for (; i < length && at[i] != '/'; i++) {
        char next = i + 1 < length ? at[i + 1] : '\0';
        if (at[i] == '~' && next >= '0' && next <= last)
            g_string_append_c(token, "~/#"[at[++i] - '0']);
        else
            g_string_append_c(token, at[i]);
    }
    return i;
}

/* ---- the tree of places ---------------------------------------------------- */

static guint
place_hash(gconstpointer data)
{
    const OcpPatchPlace *place = data;
    guint hash = g_direct_hash(place->parent) * 31 + place->by_key;
    for (gsize i = 0; i < place->length; i++)
        hash = hash * 33 + (guchar)place->step[i];
    return hash;
}

static gboolean
place_equal(gconstpointer a, gconstpointer b)
{
    const OcpPatchPlace *one = a;
    const OcpPatchPlace *two = b;
    return one->parent == two->parent && one->by_key == two->by_key &&
           one->length == two->length && memcmp(one->step, two->step, one->length) == 0;
}

OcpPatchPlace *
ocp_patch_tree_find(const OcpPatchTree *tree, const OcpPatchPlace *parent, bool by_key,
                    const char *step, gsize length)
{
    if (parent->first == NULL)
        return NULL;
    OcpPatchPlace probe = {
        .parent = parent, .step = step, .length = length, .by_key = by_key};
    return g_hash_table_lookup(tree->places, &probe);
}

OcpPatchPlace *
ocp_patch_place_of(const OcpPatchTree *tree, const OcpPatchPlace *parent,
                   const OcpNode *name)
{
    if (parent->first == NULL)
        return NULL;
    if (!(name->flags & OCP_NODE_ESCAPED))
        return ocp_patch_tree_find(tree, parent, false, name->as.text, name->size);
    g_autofree char *text = g_malloc(name->size + 1);
    gsize length = ocp_unescape(name->as.text, name->size, text);
    return ocp_patch_tree_find(tree, parent, false, text, length);
}

OcpPatchPlace *
ocp_patch_tree_add(OcpPatchTree *tree, OcpPatchPlace *parent, bool by_key,
                   const GString *step)
{
    OcpPatchPlace *place =
        ocp_patch_tree_find(tree, parent, by_key, step->str, step->len);
    if (place != NULL)
        return place;
    place = ocp_arena_new_of(tree->arena, OcpPatchPlace);
    memset(place, 0, sizeof *place);
    place->parent = parent;
    place->step = ocp_arena_copy(tree->arena, step->str, step->len);
    place->length = step->len;
    place->by_key = by_key;
    if (parent->last == NULL)
        parent->first = place;
    else
        parent->last->next = place;
    parent->last = place;
    g_hash_table_add(tree->places, place);
    return place;
}

static void
add_site(OcpPatchTree *tree, const OcpNode *site, GString *token)
{
    gsize left;
    const char *text = ocp_text(ocp_member(site, "at"), tree->arena, &left);
    const char *at = ocp_arena_copy(tree->arena, text, left);
    OcpPatchPlace *place = &tree->root;
    bool by_key;
    gsize used;
    while ((used = ocp_patch_step(text, left, &by_key, g_string_truncate(token, 0))) >
           0) {
        place = ocp_patch_tree_add(tree, place, by_key, token);
        text += used;
        left -= used;
    }
    if (place->site != NULL) {
        g_ptr_array_add(tree->twins, (gpointer)site);
        return;
    }
    place->site = site;
    place->at = at;
}

void
ocp_patch_tree_init(OcpPatchTree *tree, const OcpNode *patch)
{
    memset(tree, 0, sizeof *tree);
    tree->arena = ocp_arena_new();
    tree->places = g_hash_table_new(place_hash, place_equal);
    tree->twins = g_ptr_array_new();
    g_autoptr(GString) token = g_string_new(NULL);
    const OcpNode *site;
    for (OcpIter iter = ocp_iter(patch); (site = ocp_iter_element(&iter)) != NULL;)
        add_site(tree, site, token);
}

void
ocp_patch_tree_clear(OcpPatchTree *tree)
{
    g_hash_table_unref(tree->places);
    g_ptr_array_unref(tree->twins);
    ocp_arena_free(tree->arena);
}

/* ---- what is a patch ------------------------------------------------------- */

/* A pointer with our escapes and not too many steps. */
static bool
valid_place(const OcpNode *at)
{
    if (!ocp_is(at, OCP_STRING))
        return false;
    g_autoptr(OcpArena) arena = ocp_arena_new();
    gsize length;
    const char *text = ocp_text(at, arena, &length);
    gsize steps = 0;
    for (gsize i = 0; i < length; i++) {
        if (text[i] == '/')
            steps++;
        if (text[i] == '~' &&
            (i + 1 == length || text[i + 1] < '0' || text[i + 1] > '2'))
            return false;
    }
    return steps <= OCP_PATCH_STEPS && (length == 0 || text[0] == '/');
}

static bool
valid_pair(const OcpNode *pair)
{
    return ocp_is(pair, OCP_ARRAY) && pair->size == 2;
}

static bool
valid_map(const OcpNode *map)
{
    return ocp_is(map, OCP_OBJECT) && map->size > 0;
}

static bool
valid_was(const OcpNode *was)
{
    if (!valid_map(was))
        return false;
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(was); ocp_iter_member(&iter, &key, &value);)
        if (!valid_pair(value))
            return false;
    return true;
}

static bool
valid_copy(const OcpNode *copy)
{
    if (!valid_map(copy))
        return false;
    const OcpNode *key;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(copy); ocp_iter_member(&iter, &key, &value);)
        if (!valid_place(key) || key->size == 0 || !valid_place(value))
            return false;
    return true;
}

static bool
valid_new(const OcpNode *list)
{
    if (!ocp_is(list, OCP_ARRAY) || list->size == 0)
        return false;
    const OcpNode *entry;
    for (OcpIter iter = ocp_iter(list); (entry = ocp_iter_element(&iter)) != NULL;) {
        const OcpNode *after = ocp_member(entry, "after");
        if (!ocp_is(entry, OCP_OBJECT) || entry->size != 2 ||
            !(ocp_is(after, OCP_NULL) || ocp_is(after, OCP_STRING)) ||
            ocp_member(entry, "value") == NULL)
            return false;
    }
    return true;
}

static guint
text_hash(gconstpointer string)
{
    return ocp_text_hash(string);
}

static gboolean
text_equal(gconstpointer a, gconstpointer b)
{
    return ocp_text_equal(a, b);
}

/* An array of different strings. */
static bool
valid_names(const OcpNode *names)
{
    if (!ocp_is(names, OCP_ARRAY) || names->size == 0)
        return false;
    g_autoptr(GHashTable) seen = g_hash_table_new(text_hash, text_equal);
    const OcpNode *name;
    for (OcpIter iter = ocp_iter(names); (name = ocp_iter_element(&iter)) != NULL;)
        if (!ocp_is(name, OCP_STRING) || !g_hash_table_add(seen, (gpointer)name))
            return false;
    return true;
}

static bool
valid_order(const OcpNode *order)
{
    if (!ocp_is(order, OCP_ARRAY) || order->size < 1 || order->size > 2)
        return false;
    const OcpNode *keys = ocp_element(order, 0);
    if (!valid_names(keys))
        return false;
    if (order->size == 1)
        return true;
    const OcpNode *indices = ocp_element(order, 1);
    if (!ocp_is(indices, OCP_ARRAY) || indices->size != keys->size)
        return false;
    g_autofree bool *seen = g_new0(bool, keys->size);
    const OcpNode *index;
    for (OcpIter iter = ocp_iter(indices); (index = ocp_iter_element(&iter)) != NULL;) {
        gint64 i;
        if (!ocp_is(index, OCP_NUMBER) || !ocp_number_to_int64(index, &i) || i < 0 ||
            i >= keys->size || seen[i])
            return false;
        seen[i] = true;
    }
    return true;
}

enum { IN_OBJECT = 1, IN_ARRAY = 2, IN_ROOT = 4 };

static const struct {
    const char *name;
    bool (*valid)(const OcpNode *part);
    int where;
} parts[] = {
    {"at", valid_place, IN_OBJECT | IN_ARRAY | IN_ROOT},
    {"rest", valid_map, IN_OBJECT},
    {"was", valid_was, IN_OBJECT | IN_ARRAY},
    {"absent", valid_map, IN_OBJECT},
    {"members", valid_names, IN_OBJECT},
    {"new", valid_new, IN_ARRAY},
    {"gone", valid_map, IN_ARRAY},
    {"order", valid_order, IN_ARRAY},
    {"copy", valid_copy, IN_OBJECT | IN_ARRAY},
    {"root", valid_pair, IN_ROOT},
};

static bool
valid_site(const OcpNode *site)
{
    if (!ocp_is(site, OCP_OBJECT) || site->size < 2 || ocp_member(site, "at") == NULL)
        return false;
    int where = IN_OBJECT | IN_ARRAY | IN_ROOT;
    const OcpNode *name;
    const OcpNode *value;
    for (OcpIter iter = ocp_iter(site); ocp_iter_member(&iter, &name, &value);) {
        gsize i = 0;
        while (i < G_N_ELEMENTS(parts) && !ocp_text_is(name, parts[i].name))
            i++;
        if (i == G_N_ELEMENTS(parts) || !parts[i].valid(value))
            return false;
        where &= parts[i].where;
    }
    bool root = ocp_member(site, "root") != NULL;
    return where != 0 && (!root || ocp_member(site, "at")->size == 0);
}

bool
ocp_patch_valid(const OcpNode *patch)
{
    if (!ocp_is(patch, OCP_ARRAY))
        return false;
    g_autoptr(GHashTable) places = g_hash_table_new(text_hash, text_equal);
    const OcpNode *site;
    for (OcpIter iter = ocp_iter(patch); (site = ocp_iter_element(&iter)) != NULL;) {
        if (!valid_site(site) ||
            !g_hash_table_add(places, (gpointer)ocp_member(site, "at")))
            return false;
        if (ocp_member(site, "root") != NULL && patch->size > 1)
            return false;
    }
    return true;
}
