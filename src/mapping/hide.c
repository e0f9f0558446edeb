/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/hide.h"

#include <string.h>

/* All nodes of the document that a path names. */
static void
each_of_path(const OcpExpr *path, const OcpNode *root, GPtrArray *nodes)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpEval eval = {.root = root, .current = root, .made = made};
    ocp_expr_nodes(path, &eval, nodes);
    ocp_eval_clear(&eval);
}

void
ocp_hidden_add_leaves(GHashTable *set, const OcpNode *node, const char *reason)
{
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    g_ptr_array_add(todo, (gpointer)node);
    while (todo->len > 0) {
        const OcpNode *at = g_ptr_array_steal_index(todo, todo->len - 1);
        OcpIter iter = ocp_iter(at);
        if (ocp_is_leaf(at))
            g_hash_table_insert(set, (gpointer)at,
                                (gpointer)(reason ? reason : (const void *)at));
        else if (at->kind == OCP_ARRAY)
            for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;)
                g_ptr_array_add(todo, (gpointer)element);
        else
            for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
                g_ptr_array_add(todo, (gpointer)value);
    }
}

static bool
looks_like_credential(const OcpNode *string)
{
    enum { SHORTEST = 8 };
    if (string->size < SHORTEST)
        return false;
    if (!(string->flags & OCP_NODE_ESCAPED))
        return ocp_model_is_credential(string->as.text, string->size);
    g_autofree char *text = g_malloc(string->size);
    return ocp_model_is_credential(text,
                                   ocp_unescape(string->as.text, string->size, text));
}

static bool
stands_for_secret(const OcpNode *string)
{
    return ocp_text_is(string, OCP_OMITTED);
}

/* Adds every string at or below root that fits. */
static void
find_strings(const OcpNode *root, bool (*fits)(const OcpNode *string), GHashTable *set)
{
    g_autoptr(GPtrArray) todo = g_ptr_array_new();
    if (ocp_is_container(root))
        g_ptr_array_add(todo, (gpointer)root);
    else if (ocp_is(root, OCP_STRING) && fits(root))
        g_hash_table_add(set, (gpointer)root);
    while (todo->len > 0) {
        const OcpNode *at = g_ptr_array_steal_index(todo, todo->len - 1);
        OcpIter iter = ocp_iter(at);
        const OcpNode *key, *child;
        while (at->kind == OCP_ARRAY ? (child = ocp_iter_element(&iter)) != NULL
                                     : ocp_iter_member(&iter, &key, &child)) {
            if (child->kind == OCP_STRING && fits(child))
                g_hash_table_add(set, (gpointer)child);
            else if (ocp_is_container(child))
                g_ptr_array_add(todo, (gpointer)child);
        }
    }
}

void
ocp_hidden_find_credentials(GHashTable *set, const OcpNode *root)
{
    find_strings(root, looks_like_credential, set);
}

static void
add_set(GHashTable *to, GHashTable *from)
{
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, from);
    while (g_hash_table_iter_next(&iter, &node, NULL))
        g_hash_table_add(to, node);
}

OcpHidden *
ocp_hidden_new(const OcpMapping *mapping, const OcpNode *root)
{
    OcpHidden *hidden = g_new0(OcpHidden, 1);
    hidden->sensitive = g_hash_table_new(NULL, NULL);
    hidden->unseen = g_hash_table_new(NULL, NULL);
    hidden->omitted = g_hash_table_new(NULL, NULL);
    hidden->instead = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    for (guint i = 0; i < mapping->sensitive->len; i++) {
        const OcpPathRule *rule = &g_array_index(mapping->sensitive, OcpPathRule, i);
        g_ptr_array_set_size(nodes, 0);
        each_of_path(rule->path, root, nodes);
        for (guint n = 0; n < nodes->len; n++) {
            ocp_hidden_add_leaves(hidden->sensitive, nodes->pdata[n], NULL);
            if (rule->instead != NULL)
                g_hash_table_insert(hidden->instead, nodes->pdata[n],
                                    (gpointer)rule->instead);
        }
    }
    find_strings(root, looks_like_credential, hidden->sensitive);
    find_strings(root, stands_for_secret, hidden->unseen);
    add_set(hidden->unseen, hidden->sensitive);
    for (guint i = 0; i < mapping->omit->len; i++) {
        const OcpPathRule *rule = &g_array_index(mapping->omit, OcpPathRule, i);
        g_ptr_array_set_size(nodes, 0);
        each_of_path(rule->path, root, nodes);
        for (guint n = 0; n < nodes->len; n++)
            g_hash_table_insert(hidden->omitted, nodes->pdata[n],
                                (gpointer)rule->reason);
    }
    return hidden;
}

void
ocp_hidden_free(OcpHidden *hidden)
{
    if (hidden == NULL)
        return;
    g_hash_table_unref(hidden->sensitive);
    g_hash_table_unref(hidden->unseen);
    g_hash_table_unref(hidden->omitted);
    g_hash_table_unref(hidden->instead);
    g_free(hidden);
}

bool
ocp_hidden_is_sensitive(const OcpHidden *hidden, const OcpNode *node)
{
    return g_hash_table_contains(hidden->sensitive, node);
}

/* Long secrets are shown in part, so parts are looked for: of 12 bytes each, the last
 * one shorter, but not of so few bytes that anything shows them. */
enum { PART = 12, LEAST = 4 };

typedef struct {
    GHashTable *parts;      /* set of texts */
    bool lengths[PART + 1]; /* that they have */
} Parts;

static void
add_parts(Parts *parts, const OcpNode *scalar)
{
    gsize length = scalar->size;
    for (gsize at = 0; at < length; at += PART) {
        char *part = g_strndup(scalar->as.text + at, MIN((gsize)PART, length - at));
        gsize size = strlen(part);
        if (size > 0 && size >= MIN((gsize)LEAST, length)) {
            parts->lengths[size] = true;
            g_hash_table_add(parts->parts, part);
        } else {
            g_free(part);
        }
    }
}

static bool
shows(const Parts *parts, const char *excerpt)
{
    gsize length = excerpt != NULL ? strlen(excerpt) : 0;
    for (gsize at = 0; at < length; at++)
        for (gsize size = 1; size <= MIN((gsize)PART, length - at); size++) {
            char part[PART + 1] = "";
            if (!parts->lengths[size])
                continue;
            memcpy(part, excerpt + at, size);
            if (g_hash_table_contains(parts->parts, part))
                return true;
        }
    return false;
}

void
ocp_hidden_redact(const OcpHidden *hidden, OcpReport *report)
{
    if (report->diagnostics->len == 0)
        return;
    g_autoptr(GHashTable) set =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Parts parts = {.parts = set};
    GHashTableIter iter;
    gpointer node;
    g_hash_table_iter_init(&iter, hidden->sensitive);
    while (g_hash_table_iter_next(&iter, &node, NULL))
        if (!ocp_is_container(node))
            add_parts(&parts, node);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (shows(&parts, diagnostic->excerpt))
            g_clear_pointer(&diagnostic->excerpt, g_free);
    }
}

/* ---- carries of a model
 * --------------------------------------------------------------- */

void
ocp_hidden_find_carried(GHashTable *set, const OcpNode *model)
{
    const OcpNode *key, *extension, *place;
    OcpIter extensions = ocp_iter(ocp_member(model, "extensions"));
    while (ocp_iter_member(&extensions, &key, &extension)) {
        const OcpNode *list = ocp_member(extension, "sensitive");
        if (!ocp_is(list, OCP_ARRAY) || ocp_member(extension, "patch") == NULL)
            continue;
        OcpIter iter = ocp_iter(list);
        while ((place = ocp_iter_element(&iter)) != NULL) {
            g_autofree char *pointer =
                ocp_is(place, OCP_STRING) ? ocp_text_dup(place) : g_strdup("-");
            const OcpNode *node = ocp_pointer_find(extension, pointer);
            if (node != NULL && node != extension)
                ocp_hidden_add_leaves(set, node, NULL);
        }
    }
}

/* A value without its hidden parts; NULL if it is hidden itself. */
static const OcpNode *
scrub_value(OcpDocument *made, const OcpNode *node, GHashTable *hidden)
{
    if (g_hash_table_contains(hidden, node))
        return NULL;
    if (ocp_is_leaf(node))
        return node;
    OcpBuilder build = ocp_build(made, node->kind == OCP_ARRAY ? ocp_make_array(made)
                                                               : ocp_make_object(made));
    OcpIter iter = ocp_iter(node);
    if (node->kind == OCP_ARRAY) {
        for (const OcpNode *element; (element = ocp_iter_element(&iter)) != NULL;) {
            const OcpNode *clean = scrub_value(made, element, hidden);
            ocp_build_element(&build,
                              clean != NULL ? clean : ocp_make_text(made, OCP_OMITTED));
        }
        return build.container;
    }
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        const OcpNode *clean = scrub_value(made, value, hidden);
        if (clean != NULL)
            ocp_build_member(&build, key, clean);
    }
    ocp_object_seal(made, build.container);
    return build.container;
}

/* One part of a site: hidden members of `rest`, pairs of `was` and elements of `new` go
 * whole, so that what the rules write stands there. */
static const OcpNode *
scrub_part(OcpDocument *made, const OcpNode *part, GHashTable *hidden, bool pairs)
{
    if (!ocp_is_container(part))
        return part;
    OcpBuilder build = ocp_build(made, part->kind == OCP_ARRAY ? ocp_make_array(made)
                                                               : ocp_make_object(made));
    OcpIter iter = ocp_iter(part);
    const OcpNode *key = NULL, *value = NULL;
    while (part->kind == OCP_ARRAY ? (value = ocp_iter_element(&iter)) != NULL
                                   : ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *theirs = pairs ? ocp_element(value, 1) : value;
        if (part->kind == OCP_ARRAY)
            theirs = ocp_member(value, "value");
        bool gone = g_hash_table_contains(hidden, theirs != NULL ? theirs : value);
        const OcpNode *clean = gone ? NULL : scrub_value(made, value, hidden);
        if (clean != NULL && part->kind == OCP_ARRAY)
            ocp_build_element(&build, clean);
        else if (clean != NULL)
            ocp_build_member(&build, key, clean);
    }
    ocp_object_seal(made, build.container);
    return build.container;
}

static const OcpNode *
scrub_site(OcpDocument *made, const OcpNode *site, GHashTable *hidden)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    OcpIter iter = ocp_iter(site);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        bool pairs = ocp_text_is(key, "was");
        bool values = pairs || ocp_text_is(key, "rest") || ocp_text_is(key, "new");
        const OcpNode *clean = values ? scrub_part(made, value, hidden, pairs) : value;
        if (!values || clean->size > 0)
            ocp_build_member(&build, key, clean);
    }
    return build.container->size > 1 ? build.container : NULL;
}

const OcpNode *
ocp_hidden_scrub_patch(OcpDocument *made, const OcpNode *patch, GHashTable *hidden)
{
    if (g_hash_table_size(hidden) == 0 || !ocp_is(patch, OCP_ARRAY))
        return patch;
    OcpBuilder build = ocp_build(made, ocp_make_array(made));
    OcpIter iter = ocp_iter(patch);
    for (const OcpNode *site; (site = ocp_iter_element(&iter)) != NULL;) {
        const OcpNode *clean = scrub_site(made, site, hidden);
        if (clean != NULL)
            ocp_build_element(&build, clean);
    }
    return build.container;
}
