/* SPDX-License-Identifier: Apache-2.0 */
#include "convert/context.h"

OcpContext *
ocp_context_new(void)
{
    OcpContext *context = g_new0(OcpContext, 1);
    context->registry = ocp_registry_new();
    return context;
}

void
ocp_context_free(OcpContext *context)
{
    if (context == NULL)
        return;
    ocp_registry_free(context->registry);
    g_free(context);
}

void
ocp_context_add_schema(OcpContext *context, const char *name, GBytes *bytes)
{
    ocp_registry_add_schema(context->registry, name, bytes);
}

void
ocp_context_add_mapping(OcpContext *context, const char *name, GBytes *bytes)
{
    ocp_registry_add_mapping(context->registry, name, bytes);
}

bool
ocp_context_knows(OcpContext *context, const char *label, OcpReport *report)
{
    OcpDialect *dialect = NULL;
    return ocp_registry_find(context->registry, label, report, &dialect);
}

static void
free_info(gpointer pointer)
{
    OcpDialectInfo *info = pointer;
    g_free(info->name);
    g_free(info->version);
    g_free(info->title);
    g_free(info->schema);
    g_free(info);
}

static OcpDialectInfo *
info_of(const OcpDialect *dialect)
{
    const OcpNode *used = dialect->used_head != NULL ? dialect->used_head->root : NULL;
    const OcpNode *root = dialect->head->root;
    const OcpNode *title = ocp_mapping_peek(root, used, "title");
    const OcpNode *schema = ocp_mapping_peek(root, used, "schema");
    const OcpNode *open = ocp_mapping_peek(root, used, "open");
    bool model = ocp_dialect_is_model(dialect);
    OcpDialectInfo *info = g_new0(OcpDialectInfo, 1);
    info->name = g_strdup(dialect->name);
    info->version = g_strdup(dialect->version);
    info->title = title != NULL ? ocp_text_dup(title) : NULL;
    info->schema = schema != NULL ? ocp_text_dup(schema) : NULL;
    info->reads = model || ocp_mapping_peek(root, used, "read") != NULL;
    info->writes = model || ocp_mapping_peek(root, used, "write") != NULL;
    info->open_place = model || (open != NULL && open->kind != OCP_NULL);
    return info;
}

bool
ocp_context_list(OcpContext *context, OcpReport *report, GPtrArray **ret)
{
    const GPtrArray *dialects = NULL;
    if (!ocp_registry_list(context->registry, report, &dialects))
        return false;
    *ret = g_ptr_array_new_with_free_func(free_info);
    for (guint i = 0; i < dialects->len; i++)
        g_ptr_array_add(*ret, info_of(dialects->pdata[i]));
    return true;
}
