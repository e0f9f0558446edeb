/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "capture/frame.h"
#include "text/json_scan.h"

/* Behind a member of that name and its colon, or NULL. The first such text is taken: a
 * quote inside a string has a backslash before it. */
static const char *
find_member(const char *line, const char *end, const char *name)
{
    g_autofree char *key = g_strdup_printf("\"%s\"", name);
    gsize size = strlen(key);
    for (const char *at = line; at < end; at++) {
        at = memmem(at, (gsize)(end - at), key, size);
        if (at == NULL)
            return NULL;
        const char *behind = at + size;
        while (behind < end && *behind == ' ')
            behind++;
        if (behind >= end || *behind != ':')
            continue;
        behind++;
        while (behind < end && *behind == ' ')
            behind++;
        return behind < end ? behind : NULL;
    }
    return NULL;
}

/* The inside of the string that at begins with; false if it is none. */
static bool
string_at(const char *at, const char *end, const char **ret, gsize *ret_size)
{
    if (at == NULL || at >= end || *at != '"')
        return false;
    const char *from = ++at;
    for (;;) {
        at = ocp_json_run(at, end);
        if (at >= end || (*at == '\\' && end - at < 2))
            return false;
        if (*at == '"')
            break;
        at += *at == '\\' ? 2 : 1;
    }
    *ret = from;
    *ret_size = (gsize)(at - from);
    return true;
}

static void
set_member(char *field, gsize room, const char *line, const char *end, const char *name)
{
    const char *text;
    gsize size;
    if (string_at(find_member(line, end, name), end, &text, &size))
        ocp_frame_set(field, room, text, size);
}

/* True if the inside of a string ends in an escaped line break. */
static bool
ends_in_break(const char *text, gsize size)
{
    gsize slashes = 0;
    if (size < 2 || text[size - 1] != 'n')
        return false;
    while (slashes + 1 < size && text[size - 2 - slashes] == '\\')
        slashes++;
    return slashes % 2 == 1;
}

/* {"log":"…\n","stream":"stdout","time":"…"} */
static bool
read_docker(const char *line, const char *end, OcpFrame *ret)
{
    static const char head[] = "{\"log\":";
    gsize size = strlen(head);
    if ((gsize)(end - line) < size || memcmp(line, head, size) != 0 ||
        !string_at(line + size, end, &ret->body, &ret->size))
        return false;
    const char *rest = ret->body + ret->size;
    if (find_member(rest, end, "time") == NULL ||
        find_member(rest, end, "stream") == NULL)
        return false;
    set_member(ret->key, sizeof ret->key, rest, end, "stream");
    set_member(ret->stamp, sizeof ret->stamp, rest, end, "time");
    ret->name = "docker";
    ret->string = true;
    ret->partial = !ends_in_break(ret->body, ret->size);
    ret->size -= ret->partial ? 0 : 2;
    return true;
}

static bool
read_journal(const char *line, const char *end, OcpFrame *ret)
{
    static const char *const units[] = {"_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER",
                                        "_HOSTNAME"};
    const char *stamp = find_member(line, end, "__REALTIME_TIMESTAMP");
    if (*line != '{' || stamp == NULL ||
        !string_at(find_member(line, end, "MESSAGE"), end, &ret->body, &ret->size))
        return false;
    for (gsize i = 0; i < G_N_ELEMENTS(units) && ret->key[0] == '\0'; i++)
        set_member(ret->key, sizeof ret->key, line, end, units[i]);
    set_member(ret->stamp, sizeof ret->stamp, line, end, "__REALTIME_TIMESTAMP");
    ret->name = "journald";
    ret->string = true;
    return true;
}

bool
ocp_frame_read_json(const char *line, gsize length, OcpFrame *ret)
{
    const char *end = line + length;
    return length > 8 && (read_docker(line, end, ret) || read_journal(line, end, ret));
}
