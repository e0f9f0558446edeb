/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/engine.h"

#include <string.h>

#include "text/canonical.h"

const OcpNode *
ocp_engine_input(OcpDocument *made, const OcpFacts *facts)
{
    OcpBuilder input = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&input, "name", ocp_make_text(made, facts->name));
    ocp_build_named(&input, "size", ocp_make_integer(made, (gint64)facts->size));
    ocp_build_named(&input, "media_type", ocp_make_text(made, facts->media_type));
    ocp_build_named(&input, "digest", ocp_make_text(made, facts->digest));
    return input.container;
}

char *
ocp_engine_id(const char *dialect, const OcpNode *source_root)
{
    g_autofree char *digest = ocp_canonical_digest(source_root, OCP_CANONICAL_VALUE);
    g_autofree char *name = g_strconcat(dialect, "\n", digest, NULL);
    return ocp_urn_uuid5(name, strlen(name));
}

OcpNode *
ocp_engine_source(OcpDocument *made, const OcpFacts *facts)
{
    OcpBuilder locator = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&locator, "system", ocp_make_text(made, "file"));
    ocp_build_named(&locator, "key", ocp_make_text(made, facts->name));
    OcpBuilder digest = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&digest, "algorithm", ocp_make_text(made, "sha-256"));
    ocp_build_named(&digest, "value", ocp_make_text(made, facts->digest));
    OcpBuilder source = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&source, "id", ocp_make_text(made, "source"));
    ocp_build_named(&source, "kind", ocp_make_text(made, "file"));
    ocp_build_named(&source, "locator", locator.container);
    ocp_build_named(&source, "media_type", ocp_make_text(made, facts->media_type));
    ocp_build_named(&source, "digest", digest.container);
    ocp_build_named(&source, "size", ocp_make_integer(made, (gint64)facts->size));
    return source.container;
}

const OcpNode *
ocp_engine_head(OcpDocument *made, const OcpNode *model, const OcpNode *id,
                const OcpNode *created_at)
{
    static const char *const first[] = {"opencheckpoint", "id", "created_at"};
    const OcpNode *given[] = {NULL, id, created_at};
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    for (gsize i = 0; i < G_N_ELEMENTS(first); i++) {
        const OcpNode *value = given[i] != NULL ? given[i] : ocp_member(model, first[i]);
        if (value != NULL)
            ocp_build_named(&build, first[i], value);
    }
    OcpIter iter = ocp_iter(model);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        if (!ocp_text_is(key, first[0]) && !ocp_text_is(key, first[1]) &&
            !ocp_text_is(key, first[2]))
            ocp_build_member(&build, key, value);
    return build.container;
}

const OcpNode *
ocp_engine_with_resource(OcpDocument *made, const OcpNode *model, OcpNode *resource)
{
    static const char *const path[] = {"resources"};
    OcpBuilder list = ocp_build(made, ocp_make_array(made));
    OcpIter iter = ocp_iter(ocp_member(model, path[0]));
    for (const OcpNode *old; (old = ocp_iter_element(&iter)) != NULL;)
        ocp_build_element(&list, old);
    ocp_build_element(&list, resource);
    return ocp_with_member(made, model, path, 1, list.container);
}

const OcpNode *
ocp_engine_find_source(const OcpNode *model)
{
    OcpIter iter = ocp_iter(ocp_member(model, "resources"));
    for (const OcpNode *resource; (resource = ocp_iter_element(&iter)) != NULL;)
        if (ocp_text_is(ocp_member(resource, "id"), "source"))
            return resource;
    return NULL;
}

/* ---- the carry ------------------------------------------------------------------- */

static bool
same_version(const OcpMapping *mapping, const OcpNode *version)
{
    if (mapping->version == NULL || version == NULL)
        return mapping->version == NULL && version == NULL;
    return ocp_text_is(version, mapping->version);
}

OcpCarry
ocp_carry_find(const OcpMapping *mapping, const OcpNode *model)
{
    OcpCarry carry = {OCP_CARRY_ABSENT, NULL, NULL, NULL, NULL};
    if (mapping->key == NULL)
        return carry;
    const OcpNode *extension = ocp_member(ocp_member(model, "extensions"), mapping->key);
    if (extension == NULL)
        return carry;
    carry.extension = extension;
    carry.patch = ocp_member(extension, "patch");
    carry.made = ocp_member(extension, "made");
    carry.sensitive = ocp_member(extension, "sensitive");
    const OcpNode *format = ocp_member(extension, "format");
    bool shaped = ocp_is(format, OCP_NUMBER) && format->size == 1 &&
                  format->as.text[0] == '1' && ocp_is(carry.made, OCP_OBJECT) &&
                  ocp_is(carry.sensitive, OCP_ARRAY) && carry.patch != NULL &&
                  ocp_patch_valid(carry.patch);
    bool ours = ocp_text_is(ocp_member(extension, "dialect"), mapping->dialect) &&
                same_version(mapping, ocp_member(extension, "version"));
    carry.state = !shaped ? OCP_CARRY_BROKEN : ours ? OCP_CARRY_USABLE : OCP_CARRY_OTHER;
    return carry;
}

OcpNode *
ocp_carry_build(OcpDocument *made, const OcpMapping *mapping, const OcpNode *digests,
                const OcpNode *sensitive, const OcpNode *patch)
{
    OcpBuilder build = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&build, "format", ocp_make_integer(made, 1));
    ocp_build_named(&build, "dialect", ocp_make_text(made, mapping->dialect));
    if (mapping->version != NULL)
        ocp_build_named(&build, "version", ocp_make_text(made, mapping->version));
    ocp_build_named(&build, "made", digests);
    ocp_build_named(&build, "sensitive", sensitive);
    ocp_build_named(&build, "patch", patch);
    return build.container;
}

void
ocp_carry_digest(OcpBuilder *digests, const char *name, const OcpNode *node)
{
    if (node == NULL)
        return;
    g_autofree char *digest = ocp_canonical_digest(node, OCP_CANONICAL_VALUE);
    ocp_build_named(digests, name, ocp_make_text(digests->document, digest));
}

bool
ocp_carry_is_unedited(const OcpCarry *carry, const char *name, const OcpNode *node)
{
    if (carry->state != OCP_CARRY_USABLE || node == NULL)
        return false;
    const OcpNode *kept = ocp_member(carry->made, name);
    if (kept == NULL)
        return false;
    g_autofree char *digest = ocp_canonical_digest(node, OCP_CANONICAL_VALUE);
    return ocp_text_is(kept, digest);
}
