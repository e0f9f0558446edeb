/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The converter: a context that can be frozen. What threads share is the frozen flag,
 * the list made once under a lock, and the context, which compiles under a lock of its
 * own.
 */
#include <string.h>

#include "library/private.h"

#ifndef OCP_VERSION
#error "the build says which version this is"
#endif

enum { DEEPEST = 512 };

const char *
ocp_library_version(void)
{
    return OCP_VERSION;
}

OcpConverter *
ocp_new_converter(void)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpConverter *converter = g_new0(OcpConverter, 1);
    converter->context = ocp_context_new();
    converter->limits = limits;
    g_mutex_init(&converter->lock);
    return converter;
}

void
ocp_free_converter(OcpConverter *converter)
{
    if (converter == NULL)
        return;
    g_clear_pointer(&converter->entries, g_ptr_array_unref);
    g_clear_pointer(&converter->infos, g_ptr_array_unref);
    ocp_context_free(converter->context);
    g_mutex_clear(&converter->lock);
    g_free(converter);
}

/* ---- before it is frozen ---------------------------------------------------- */

static bool
may_change(const OcpConverter *converter, OcpReport *report)
{
    if (g_atomic_int_get(&converter->frozen))
        return ocp_fail(report, "usage.frozen",
                        "the converter is frozen or was used: nothing can be added");
    return true;
}

static bool
may_add(const OcpConverter *converter, const char *name, OcpReport *report)
{
    if (!may_change(converter, report))
        return false;
    if (*name == '\0' || strchr(name, '/') != NULL)
        return ocp_fail(report, "usage.name",
                        "expected the name of a file without folders, found \"%s\"",
                        name);
    return true;
}

bool
ocp_add_schema(OcpConverter *converter, const char *name, const void *bytes,
               size_t size, OcpReport *report)
{
    g_autoptr(OcpReport) own = NULL;
    if (!may_add(converter, name, ocp_hear(report, &own)))
        return false;
    g_autoptr(GBytes) text = g_bytes_new(bytes, size);
    ocp_context_add_schema(converter->context, name, text);
    return true;
}

bool
ocp_add_mapping(OcpConverter *converter, const char *name, const void *bytes,
                size_t size, OcpReport *report)
{
    g_autoptr(OcpReport) own = NULL;
    if (!may_add(converter, name, ocp_hear(report, &own)))
        return false;
    g_autoptr(GBytes) text = g_bytes_new(bytes, size);
    ocp_context_add_mapping(converter->context, name, text);
    return true;
}

bool
ocp_set_bounds(OcpConverter *converter, const OcpBounds *bounds, OcpReport *report)
{
    g_autoptr(OcpReport) own = NULL;
    report = ocp_hear(report, &own);
    if (!may_change(converter, report))
        return false;
    if (bounds->struct_size < sizeof *bounds)
        return ocp_fail(report, "usage.value", "OcpBounds: struct_size is not set");
    if (bounds->depth < 1 || bounds->depth > DEEPEST)
        return ocp_fail(report, "usage.value", "depth takes a number from 1 to %d",
                        DEEPEST);
    if (bounds->bytes < 1 || bounds->bytes > G_MAXUINT32 - 1)
        return ocp_fail(report, "usage.value", "bytes takes a number from 1 to %u",
                        G_MAXUINT32 - 1);
    converter->limits.depth = bounds->depth;
    converter->limits.bytes = bounds->bytes;
    converter->limits.alias_nodes = bounds->alias_nodes;
    return true;
}

/* ---- frozen ----------------------------------------------------------------- */

static OcpDialectEntry *
entry_of(const OcpDialectInfo *info)
{
    OcpDialectEntry *entry = g_new0(OcpDialectEntry, 1);
    entry->name = info->name;
    entry->version = info->version;
    entry->title = info->title;
    entry->schema = info->schema;
    entry->reads = info->reads;
    entry->writes = info->writes;
    entry->carries = info->open_place;
    return entry;
}

static bool
settle_locked(OcpConverter *converter, OcpReport *report)
{
    if (converter->entries != NULL)
        return true;
    if (!ocp_context_list(converter->context, report, &converter->infos))
        return false;
    GPtrArray *entries = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < converter->infos->len; i++)
        g_ptr_array_add(entries, entry_of(converter->infos->pdata[i]));
    converter->entries = entries;
    return true;
}

bool
ocp_converter_settle(OcpConverter *converter, OcpReport *report)
{
    g_atomic_int_set(&converter->frozen, TRUE);
    g_mutex_lock(&converter->lock);
    bool ok = settle_locked(converter, report);
    g_mutex_unlock(&converter->lock);
    return ok;
}

bool
ocp_freeze_converter(OcpConverter *converter, OcpReport *report)
{
    g_autoptr(OcpReport) own = NULL;
    return ocp_converter_settle(converter, ocp_hear(report, &own));
}

bool
ocp_list_dialects(OcpConverter *converter, OcpReport *report,
                  const OcpDialectEntry *const **ret, size_t *count)
{
    g_autoptr(OcpReport) own = NULL;
    if (!ocp_converter_settle(converter, ocp_hear(report, &own)))
        return false;
    *ret = (const OcpDialectEntry *const *)(gpointer)converter->entries->pdata;
    *count = converter->entries->len;
    return true;
}
