/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/reread.h"

#include "text/json.h"

GBytes *
ocp_rewrite(const OcpNode *tree)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(tree, false, text);
    g_string_append_c(text, '\n');
    return g_string_free_to_bytes(text);
}

bool
ocp_reread(GBytes *text, OcpReport *report, OcpDocument **ret)
{
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    limits.depth += 16; /* extensions nest what they carry a little deeper */
    return ocp_json_read(text, NULL, &limits, report, ret);
}

bool
ocp_recopy(const OcpNode *tree, OcpReport *report, OcpDocument **ret)
{
    OcpDocument *copy = ocp_document_copy(tree);
    if (copy == NULL) { /* whoever reads the text says where */
        g_autoptr(GBytes) text = ocp_rewrite(tree);
        return ocp_reread(text, report, ret);
    }
    *ret = copy;
    return true;
}
