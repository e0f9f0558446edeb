/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/uri.h"

#include <stdbool.h>
#include <string.h>

/* A component is a span; start is NULL if the component is absent. */
typedef struct {
    const char *start;
    gsize length;
} Span;

typedef struct {
    Span scheme;
    Span authority;
    Span path;
    Span query;
    Span fragment;
} Parts;

static Span
span_to(const char *start, const char *end)
{
    Span span = {start, (gsize)(end - start)};
    return span;
}

static Parts
split(const char *text)
{
    Parts parts = {0};
    gsize scheme = strcspn(text, ":/?#");
    if (scheme > 0 && text[scheme] == ':') {
        parts.scheme = span_to(text, text + scheme);
        text += scheme + 1;
    }
    if (g_str_has_prefix(text, "//")) {
        const char *end = text + 2 + strcspn(text + 2, "/?#");
        parts.authority = span_to(text + 2, end);
        text = end;
    }
    const char *path_end = text + strcspn(text, "?#");
    parts.path = span_to(text, path_end);
    text = path_end;
    if (*text == '?') {
        const char *end = text + strcspn(text, "#");
        parts.query = span_to(text + 1, end);
        text = end;
    }
    if (*text == '#')
        parts.fragment = span_to(text + 1, text + strlen(text));
    return parts;
}

/* Section 5.2.4. */
static char *
without_dots(const char *path)
{
    g_auto(GStrv) segments = g_strsplit(path, "/", -1);
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (guint i = 0; segments[i] != NULL; i++) {
        bool last = segments[i + 1] == NULL;
        bool up = strcmp(segments[i], "..") == 0;
        if (up && kept->len > 1)
            g_ptr_array_set_size(kept, (gint)kept->len - 1);
        if (!up && strcmp(segments[i], ".") != 0)
            g_ptr_array_add(kept, segments[i]);
        else if (last)
            g_ptr_array_add(kept, (gpointer) "");
    }
    g_ptr_array_add(kept, NULL);
    return g_strjoinv("/", (char **)kept->pdata);
}

static char *
merged_path(const Parts *base, const Parts *reference)
{
    gsize keep = base->path.length;
    while (keep > 0 && base->path.start[keep - 1] != '/')
        keep--;
    const char *root =
        base->authority.start != NULL && base->path.length == 0 ? "/" : "";
    return g_strdup_printf("%s%.*s%.*s", root, (int)keep, base->path.start,
                           (int)reference->path.length, reference->path.start);
}

static void
append(GString *out, const char *before, Span span, const char *after)
{
    if (span.start == NULL)
        return;
    g_string_append(out, before);
    g_string_append_len(out, span.start, (gssize)span.length);
    g_string_append(out, after);
}

char *
ocp_uri_resolve(const char *base_text, const char *reference_text)
{
    Parts base = split(base_text);
    Parts parts = split(reference_text);
    g_autofree char *path = NULL;
    bool foreign = parts.scheme.start != NULL || parts.authority.start != NULL;
    if (parts.scheme.start == NULL)
        parts.scheme = base.scheme;
    if (!foreign) {
        parts.authority = base.authority;
        if (parts.path.length == 0) {
            parts.path = base.path;
            if (parts.query.start == NULL)
                parts.query = base.query;
        } else if (*parts.path.start != '/') {
            path = merged_path(&base, &parts);
        }
    }
    if (path == NULL)
        path = g_strndup(parts.path.start, parts.path.length);
    /* What has no slash (urn:uuid:…) has no segments to remove. */
    g_autofree char *clean = strchr(path, '/') != NULL ? without_dots(path) : NULL;

    GString *out = g_string_new(NULL);
    append(out, "", parts.scheme, ":");
    append(out, "//", parts.authority, "");
    g_string_append(out, clean != NULL ? clean : path);
    append(out, "?", parts.query, "");
    append(out, "#", parts.fragment, "");
    return g_string_free(out, FALSE);
}

char *
ocp_uri_split_fragment(char *uri)
{
    char *hash = strchr(uri, '#');
    if (hash == NULL)
        return g_strdup("");
    *hash = '\0';
    GString *decoded = g_string_new(NULL);
    for (const char *at = hash + 1; *at != '\0'; at++) {
        if (*at == '%' && g_ascii_isxdigit(at[1]) && g_ascii_isxdigit(at[2])) {
            int byte = g_ascii_xdigit_value(at[1]) << 4 | g_ascii_xdigit_value(at[2]);
            g_string_append_c(decoded, (char)byte);
            at += 2;
        } else {
            g_string_append_c(decoded, *at);
        }
    }
    return g_string_free(decoded, FALSE);
}
