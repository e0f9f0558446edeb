/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/reread.h"

#include "text/json.h"

bool
ocp_reread(const OcpNode *tree, OcpReport *report, GBytes **ret_text, OcpDocument **ret)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(tree, false, text);
    g_string_append_c(text, '\n');
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(text);
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    limits.depth += 16; /* extensions nest what they carry a little deeper */
    if (!ocp_json_read(bytes, NULL, &limits, report, ret))
        return false;
    if (ret_text != NULL)
        *ret_text = g_steal_pointer(&bytes);
    return true;
}
