/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What something is that is close to a document: names for the shapes in which loggers
 * print, cut and wrap values.
 */
#include <string.h>

#include "capture/hunt.h"

static bool
is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* ---- a name without a value ---------------------------------------------- */

const char *
ocp_diagnose_name(const OcpLayer *layer, gsize at, gsize length, bool cut)
{
    const char *start = layer->bytes, *end = start + layer->length;
    const char *before = start + at, *behind = start + at + length;
    char quote = before > start ? before[-1] : '\0';
    bool quoted = (quote == '"' || quote == '\'') && behind < end;
    if (quoted && *behind == '\\') /* an escaped quote: "\"name\":" */
        behind++;
    quoted = quoted && behind < end && *behind == quote;
    behind += quoted ? 1 : 0;
    while (behind < end && is_blank(*behind))
        behind++;
    if (end - behind >= 2 && behind[0] == '=' && behind[1] == '>')
        return "msgpack-print";
    if (behind >= end || *behind != ':')
        return "mention";
    behind++;
    bool blank = behind < end && is_blank(*behind);
    while (behind < end && is_blank(*behind))
        behind++;
    if (quoted && quote == '\'')
        return "python-repr";
    if (quoted)
        return cut || behind >= end ? "truncated" : "json-syntax";
    if (behind >= end || quote == '"' || quote == '\'')
        return "mention";
    if (blank && (*behind == '\'' || *behind == '`' || *behind == '['))
        return "util-inspect";
    return blank && g_ascii_isdigit(*behind) ? "yaml" : "mention";
}

/* ---- a value that fails -------------------------------------------------- */

/* "file.py:75" at the end of a line, behind a gap: the right margin of a wrapped print.
 */
static bool
has_margin(const char *at, const char *end)
{
    while (end > at && is_blank(end[-1]))
        end--;
    const char *digits = end;
    while (digits > at && g_ascii_isdigit(digits[-1]))
        digits--;
    if (digits == end || digits == at || digits[-1] != ':')
        return false;
    const char *name = digits - 1;
    while (name > at && !is_blank(name[-1]))
        name--;
    return memchr(name, '.', (gsize)(digits - name)) != NULL;
}

/* "..." or an ellipsis where a value or a key should be: somebody's example. */
static bool
is_elision(const char *at, const char *end)
{
    gsize size = end - at >= 3 && (memcmp(at, "...", 3) == 0 ||
                                   memcmp(at, "\xE2\x80\xA6", 3) == 0)
                     ? 3
                     : 0;
    return size > 0 && at + size < end && strchr("}],", at[size]) != NULL;
}

const char *
ocp_diagnose_fault(const OcpHunt *hunt, const OcpLayer *layer, gsize start, gsize fault,
                   gsize line_end)
{
    static const char word[] = "truncated";
    const char *at = layer->bytes + fault, *end = layer->bytes + line_end;
    const char *from = layer->bytes + start;
    const char *stop = MIN(at + 64, layer->bytes + layer->length);
    if (at < end && is_elision(at, end))
        return "mention";
    if (end - at >= 2 && at[0] == '=' && at[1] == '>')
        return "msgpack-print";
    if (stop > from && memmem(from, (gsize)(stop - from), word, strlen(word)) != NULL)
        return "truncated";
    if (at >= from + 2 && is_blank(at[-1]) && is_blank(at[-2]) && at < end &&
        has_margin(at, end))
        return "wrapped";
    for (guint i = 0; i < hunt->capture->needles->name_count; i++) {
        const char *name = hunt->capture->needles->names[i];
        gsize size = strlen(name);
        if (at < end && (gsize)(end - at) >= size && memcmp(at, name, size) == 0)
            return "truncated"; /* another value begins inside this one */
    }
    return NULL;
}
