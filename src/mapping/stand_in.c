/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/stand_in.h"

#include "mapping/hide.h"

void
ocp_stand_in(OcpDocument *made, const OcpTemplate *template, OcpBuilder *build)
{
    for (guint i = 0; i < template->members->len; i++) {
        const OcpTemplateMember *member =
            &g_array_index(template->members, OcpTemplateMember, i);
        const OcpTemplate *value = member->value;
        if (member->name == NULL || !value->required)
            continue;
        gsize length;
        const char *name = ocp_text(member->name, made->arena, &length);
        if (ocp_member_sized(build->container, name, length, NULL) != NULL)
            continue;
        OcpNode *text = ocp_make_text(made, OCP_OMITTED);
        if (value->shape != NULL && !ocp_shape_admits(value->shape, text))
            continue;
        text->rule = (guint16)MIN(value->rule, G_MAXUINT16);
        ocp_build_member(build, member->name, text);
    }
}
