/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/ids.h"

#include <stdbool.h>
#include <string.h>

#include "text/canonical.h"

enum { LONGEST = 128, CUT = 110, DIGEST_DIGITS = 8 };

struct OcpIds {
    GHashTable *by_raw;   /* GBytes → final id (char *, owned) */
    GHashTable *taken;    /* set of final ids, owned */
    GHashTable *counters; /* id that was taken → the last number tried behind it */
};

OcpIds *
ocp_ids_new(void)
{
    OcpIds *ids = g_new0(OcpIds, 1);
    ids->by_raw = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                        (GDestroyNotify)g_bytes_unref, NULL);
    ids->taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    ids->counters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return ids;
}

void
ocp_ids_free(OcpIds *ids)
{
    if (ids == NULL)
        return;
    g_hash_table_unref(ids->by_raw);
    g_hash_table_unref(ids->taken);
    g_hash_table_unref(ids->counters);
    g_free(ids);
}

static bool
is_allowed(char c)
{
    return g_ascii_isalnum(c) || c == '.' || c == '_' || c == ':' || c == '-';
}

/* One "-" for a character that is not allowed, however many bytes it has. */
static bool
replace_characters(const char *raw, gsize length, GString *id)
{
    bool changed = length == 0 || !g_ascii_isalnum(raw[0]);
    if (changed)
        g_string_append_c(id, 'x');
    for (gsize i = 0; i < length; i++) {
        if (is_allowed(raw[i])) {
            g_string_append_c(id, raw[i]);
            continue;
        }
        changed = true;
        if (((guchar)raw[i] & 0xC0) != 0x80)
            g_string_append_c(id, '-');
    }
    return changed;
}

/* The id that raw asks for, whoever else may have it. */
static char *
wanted_id(const char *raw, gsize length)
{
    GString *id = g_string_sized_new(LONGEST);
    bool changed = replace_characters(raw, length, id);
    if (changed || id->len > LONGEST) {
        g_autofree char *digest = ocp_sha256(raw, length);
        g_string_truncate(id, MIN(id->len, CUT));
        g_string_append_c(id, '-');
        g_string_append_len(id, digest, DIGEST_DIGITS);
    }
    char *exact = g_strndup(id->str, id->len); /* there may be many */
    g_string_free(id, TRUE);
    return exact;
}

/* wanted itself or wanted-2, wanted-3, …: the first that is free. Takes wanted. */
static char *
free_id(OcpIds *ids, char *wanted)
{
    if (!g_hash_table_contains(ids->taken, wanted))
        return wanted;
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(ids->counters, wanted));
    number = MAX(number, 1);
    char *id = NULL;
    do {
        g_free(id);
        char suffix[16];
        int digits = g_snprintf(suffix, sizeof suffix, "-%u", ++number);
        id = g_strdup_printf("%.*s%s", LONGEST - digits, wanted, suffix);
    } while (g_hash_table_contains(ids->taken, id));
    g_hash_table_insert(ids->counters, wanted, GUINT_TO_POINTER(number));
    return id;
}

const char *
ocp_ids_final(OcpIds *ids, const char *raw, gsize length, gboolean *ret_new)
{
    const char *known = ocp_ids_known(ids, raw, length);
    if (ret_new != NULL)
        *ret_new = known == NULL;
    if (known != NULL)
        return known;
    char *id = free_id(ids, wanted_id(raw, length));
    g_hash_table_add(ids->taken, id);
    g_hash_table_insert(ids->by_raw, g_bytes_new(raw, length), id);
    return id;
}

const char *
ocp_ids_known(const OcpIds *ids, const char *raw, gsize length)
{
    g_autoptr(GBytes) key = g_bytes_new_static(raw, length);
    return g_hash_table_lookup(ids->by_raw, key);
}

void
ocp_ids_reserve(OcpIds *ids, const char *final)
{
    g_hash_table_add(ids->taken, g_strdup(final));
}
