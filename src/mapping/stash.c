/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/stash.h"

#include <string.h>

#include "text/canonical.h"
#include "text/json.h"

const OcpNode *
ocp_stash_place(const OcpMapping *mapping, const OcpNode *root)
{
    const OcpNode *node = root;
    for (guint i = 0; mapping->open_path != NULL && i < mapping->open_path->len; i++)
        node = ocp_member(node, mapping->open_path->pdata[i]);
    return mapping->open_path != NULL ? node : NULL;
}

const OcpNode *
ocp_stash_bare(OcpDocument *made, const OcpMapping *mapping, const OcpNode *root)
{
    const GPtrArray *path = mapping->open_path;
    if (path == NULL)
        return root;
    const char *const *names = (const char *const *)path->pdata;
    root = ocp_without_member(made, root, names, path->len);
    for (guint depth = path->len - 1; depth > 0; depth--) {
        const OcpNode *node = root;
        for (guint i = 0; i < depth; i++)
            node = ocp_member(node, names[i]);
        if (ocp_is(node, OCP_OBJECT) && node->size == 0)
            root = ocp_without_member(made, root, names, depth);
    }
    return root;
}

char *
ocp_stash_digest_of(const OcpMapping *mapping, const OcpNode *root)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    return ocp_canonical_digest(ocp_stash_bare(made, mapping, root), OCP_CANONICAL_VALUE);
}

/* The stash as a value: the object itself, or what its JSON text says. */
static const OcpNode *
stash_value(const OcpMapping *mapping, OcpDocument *source, const OcpNode *node,
            OcpDocument **ret_document)
{
    if (!mapping->open_is_text) {
        *ret_document = ocp_document_ref(source);
        return ocp_is(node, OCP_OBJECT) ? node : NULL;
    }
    if (!ocp_is(node, OCP_STRING))
        return NULL;
    g_autofree char *text = g_malloc(node->size + 1);
    gsize length = (node->flags & OCP_NODE_ESCAPED)
                       ? ocp_unescape(node->as.text, node->size, text)
                       : node->size;
    if (!(node->flags & OCP_NODE_ESCAPED))
        memcpy(text, node->as.text, length);
    g_autoptr(GBytes) bytes = g_bytes_new(text, length);
    g_autoptr(OcpReport) quiet = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    if (!ocp_json_read(bytes, NULL, &limits, quiet, ret_document))
        return NULL;
    return (*ret_document)->root;
}

static bool
is_text_map(const OcpNode *node)
{
    if (!ocp_is(node, OCP_OBJECT))
        return false;
    OcpIter iter = ocp_iter(node);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        if (!ocp_is(value, OCP_STRING))
            return false;
    return true;
}

static char *
seal_of(const OcpNode *stash)
{
    static const char *const path[] = {"seal"};
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    return ocp_canonical_digest(ocp_without_member(made, stash, path, 1),
                                OCP_CANONICAL_VALUE);
}

static const char *
stash_fault(const OcpNode *value)
{
    if (!ocp_is(value, OCP_OBJECT))
        return "it is not a stash";
    const OcpNode *carry = ocp_member(value, "carry");
    if (!is_text_map(ocp_member(value, "ids")) ||
        !ocp_patch_valid(ocp_member(value, "sites")) ||
        !ocp_is(ocp_member(value, "of"), OCP_STRING) ||
        (carry != NULL && !ocp_is(carry, OCP_STRING)))
        return "it does not have a stash's shape";
    g_autofree char *seal = seal_of(value);
    if (!ocp_text_is(ocp_member(value, "seal"), seal))
        return "its seal is wrong or missing: somebody edited it";
    return NULL;
}

static GHashTable *
rename_of(const OcpNode *ids)
{
    GHashTable *rename = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    OcpIter iter = ocp_iter(ids);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        g_hash_table_insert(rename, ocp_text_dup(key), ocp_text_dup(value));
    return rename;
}

static void
warn(const OcpMapping *mapping, OcpDocument *source, const OcpNode *node,
     const char *fault, OcpReport *report)
{
    OcpDiagnostic *diagnostic = ocp_report_add(
        report, OCP_WARNING, "stash.refused",
        "what stands here is not taken for part of the model, but carried as data: %s",
        fault);
    GString *pointer = g_string_new(NULL);
    for (guint i = 0; i < mapping->open_path->len; i++)
        ocp_pointer_push(pointer, mapping->open_path->pdata[i],
                         strlen(mapping->open_path->pdata[i]));
    diagnostic->pointer = g_string_free(pointer, FALSE);
    ocp_diagnostic_locate(diagnostic, source, node->place);
}

OcpStash *
ocp_stash_find(const OcpMapping *mapping, OcpDocument *source, OcpReport *report)
{
    const OcpNode *node = ocp_stash_place(mapping, source->root);
    if (node == NULL)
        return NULL;
    g_autoptr(OcpDocument) document = NULL;
    const OcpNode *value = stash_value(mapping, source, node, &document);
    const char *fault = stash_fault(value);
    if (fault != NULL) {
        warn(mapping, source, node, fault, report);
        return NULL;
    }
    OcpStash *stash = g_new0(OcpStash, 1);
    stash->document = g_steal_pointer(&document);
    stash->node = node;
    stash->value = value;
    stash->rename = rename_of(ocp_member(value, "ids"));
    g_autofree char *of = ocp_stash_digest_of(mapping, source->root);
    stash->untouched = ocp_text_is(ocp_member(value, "of"), of);
    stash->exact = stash->untouched && ocp_member(value, "carry") != NULL;
    return stash;
}

void
ocp_stash_free(OcpStash *stash)
{
    if (stash == NULL)
        return;
    g_hash_table_unref(stash->rename);
    ocp_document_unref(stash->document);
    g_free(stash);
}

/* A document that lends its memory for the copies. */
const char *
ocp_stash_key(const OcpNode *element, gpointer lender)
{
    OcpDocument *made = lender;
    const OcpNode *id = ocp_member(element, "id");
    if (!ocp_is(id, OCP_STRING))
        return NULL;
    gsize length;
    const char *text = ocp_text(id, made->arena, &length);
    return ocp_arena_copy(made->arena, text, length);
}

const char *
ocp_stash_made(const OcpNode *element, guint n, gpointer lender)
{
    return n == 0 ? ocp_stash_key(element, lender) : NULL;
}

const OcpNode *
ocp_stash_apply(const OcpStash *stash, OcpDocument *made, const OcpNode *model)
{
    ocp_document_borrow(made, stash->document);
    OcpPatchKeys keys = {.key = ocp_stash_key, .data = made};
    return ocp_patch_apply(made, model, ocp_member(stash->value, "sites"), &keys, NULL,
                           NULL);
}

bool
ocp_stash_has_carry(const OcpStash *stash, const char *carry_digest)
{
    return ocp_text_is(ocp_member(stash->value, "carry"), carry_digest);
}

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

OcpNode *
ocp_stash_build(OcpDocument *made, GHashTable *rename, const OcpNode *sites,
                const char *carry, const char *of)
{
    OcpBuilder ids = ocp_build(made, ocp_make_object(made));
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(rename), compare_texts);
    for (GList *at = names; at != NULL; at = at->next)
        ocp_build_named(&ids, at->data,
                        ocp_make_text(made, g_hash_table_lookup(rename, at->data)));
    ocp_object_seal(made, ids.container);
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, "ids", ids.container);
    ocp_build_named(&build, "sites", sites);
    if (carry != NULL)
        ocp_build_named(&build, "carry", ocp_make_text(made, carry));
    ocp_build_named(&build, "of", ocp_make_text(made, of));
    g_autofree char *seal = ocp_canonical_digest(build.container, OCP_CANONICAL_VALUE);
    ocp_build_named(&build, "seal", ocp_make_text(made, seal));
    return build.container;
}

const OcpNode *
ocp_stash_put(OcpDocument *made, const OcpMapping *mapping, const OcpNode *root,
              const OcpNode *stash)
{
    const OcpNode *value = stash;
    if (mapping->open_is_text) {
        g_autoptr(GString) text = g_string_new(NULL);
        ocp_json_write(stash, true, text);
        value = ocp_make_string(made, text->str, text->len);
    }
    return ocp_with_member(made, root, (const char *const *)mapping->open_path->pdata,
                           mapping->open_path->len, value);
}
