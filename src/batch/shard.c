/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/shard.h"

#include <string.h>

enum { MOST_SHARDS = 1000000 };

bool
ocp_shard_read(const char *text, OcpShard *ret)
{
    const char *slash = strchr(text, '/');
    guint64 number;
    guint64 count;
    if (slash == NULL ||
        !g_ascii_string_to_unsigned(slash + 1, 10, 1, MOST_SHARDS, &count, NULL))
        return false;
    g_autofree char *first = g_strndup(text, (gsize)(slash - text));
    if (!g_ascii_string_to_unsigned(first, 10, 1, count, &number, NULL))
        return false;
    ret->number = (guint)number;
    ret->count = (guint)count;
    return true;
}

/* FNV-1a, then mixed, so that the low bits of short names are as good as any. This is
 * part of what the command promises: a shard has the same pieces in every version. */
static guint64
hash(const char *bytes)
{
    guint64 value = G_GUINT64_CONSTANT(0xCBF29CE484222325);
    for (; *bytes != '\0'; bytes++)
        value = (value ^ (guchar)*bytes) * G_GUINT64_CONSTANT(0x100000001B3);
    value = (value ^ value >> 33) * G_GUINT64_CONSTANT(0xFF51AFD7ED558CCD);
    value = (value ^ value >> 33) * G_GUINT64_CONSTANT(0xC4CEB9FE1A85EC53);
    return value ^ value >> 33;
}

bool
ocp_shard_has(const OcpShard *shard, const char *name)
{
    return shard->count == 0 || hash(name) % shard->count == shard->number - 1;
}

bool
ocp_shard_has_number(const OcpShard *shard, guint64 number)
{
    char digits[24];
    g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, number);
    return ocp_shard_has(shard, digits);
}
