/* SPDX-License-Identifier: Apache-2.0 */
#include "dialect/detect.h"

#include "value/equal.h"

static bool
is_one_of(const OcpNode *value, const OcpNode *allowed)
{
    if (value == NULL)
        return false;
    if (!ocp_is(allowed, OCP_ARRAY))
        return ocp_equal_value(value, allowed);
    OcpIter iter = ocp_iter(allowed);
    for (const OcpNode *one; (one = ocp_iter_element(&iter)) != NULL;)
        if (ocp_equal_value(value, one))
            return true;
    return false;
}

static bool
has_kind(const OcpNode *value, const OcpNode *kind)
{
    return value != NULL && ocp_text_is(kind, ocp_kind_name(value->kind));
}

/* The first thing the root lacks, as words; NULL if it matches. */
static char *
what_it_lacks(const OcpNode *detect, const OcpNode *root)
{
    if (!ocp_is(root, OCP_OBJECT))
        return g_strdup("an object");
    if (!ocp_is(detect, OCP_OBJECT))
        return g_strdup("detect: in its mapping");
    const OcpNode *name, *value;
    OcpIter iter = ocp_iter(ocp_member(detect, "required"));
    while ((name = ocp_iter_element(&iter)) != NULL)
        if (ocp_member_like(root, name) == NULL)
            return ocp_text_dup(name);
    const OcpNode *any = ocp_member(detect, "any");
    bool some = any == NULL;
    iter = ocp_iter(any);
    while ((name = ocp_iter_element(&iter)) != NULL)
        some = some || ocp_member_like(root, name) != NULL;
    if (!some)
        return ocp_text_dup(ocp_element(any, 0));
    iter = ocp_iter(ocp_member(detect, "equal"));
    while (ocp_iter_member(&iter, &name, &value))
        if (!is_one_of(ocp_member_like(root, name), value))
            return g_strdup_printf("the right %.*s", (int)name->size, name->as.text);
    iter = ocp_iter(ocp_member(detect, "not"));
    while (ocp_iter_member(&iter, &name, &value))
        if (is_one_of(ocp_member_like(root, name), value))
            return g_strdup_printf("another %.*s", (int)name->size, name->as.text);
    iter = ocp_iter(ocp_member(detect, "types"));
    while (ocp_iter_member(&iter, &name, &value))
        if (!has_kind(ocp_member_like(root, name), value))
            return g_strdup_printf("%.*s of the right kind", (int)name->size,
                                   name->as.text);
    return NULL;
}

bool
ocp_detect_matches(const OcpNode *detect, const OcpNode *root)
{
    g_autofree char *lacks = what_it_lacks(detect, root);
    return lacks == NULL;
}

void
ocp_detect_describe(const OcpNode *detect, const OcpNode *root, const char *label,
                    GString *out)
{
    g_autofree char *lacks = what_it_lacks(detect, root);
    if (lacks != NULL)
        g_string_append_printf(out, "%s%s lacks %s", out->len > 0 ? "; " : "", label,
                               lacks);
}
