/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/frame.h"

#include <string.h>

void
ocp_frame_set(char *field, gsize room, const char *from, gsize size)
{
    gsize count = MIN(size, room - 1);
    for (gsize i = 0; i < count; i++)
        field[i] = g_ascii_isgraph(from[i]) || from[i] == ' ' ? from[i] : '?';
    field[count] = '\0';
}

/* ---- words --------------------------------------------------------------- */

typedef struct {
    const char *at;
    const char *end;
    gsize stamp; /* the size of the time that the line begins with */
} Cursor;

static bool
take(Cursor *cursor, const char *text)
{
    gsize size = strlen(text);
    if ((gsize)(cursor->end - cursor->at) < size || memcmp(cursor->at, text, size) != 0)
        return false;
    cursor->at += size;
    return true;
}

/* Takes a word up to a blank, which is taken too. */
static bool
take_word(Cursor *cursor, const char **ret, gsize *ret_size)
{
    gsize room = MIN((gsize)(cursor->end - cursor->at), 256);
    const char *blank = memchr(cursor->at, ' ', room);
    if (blank == NULL || blank == cursor->at)
        return false;
    *ret = cursor->at;
    *ret_size = (gsize)(blank - cursor->at);
    cursor->at = blank + 1;
    return true;
}

static bool
made_of(const char *text, gsize size, const char *others)
{
    for (gsize i = 0; i < size; i++)
        if (!g_ascii_isalnum(text[i]) && strchr(others, text[i]) == NULL)
            return false;
    return size > 0 && memchr(text, '\0', size) == NULL;
}

/* The pattern's digits, letters and signs: 9 a digit, A a letter, others themselves. */
static bool
looks_like(const Cursor *cursor, const char *pattern)
{
    gsize size = strlen(pattern);
    if ((gsize)(cursor->end - cursor->at) < size)
        return false;
    for (gsize i = 0; i < size; i++) {
        char byte = cursor->at[i];
        if (pattern[i] == '9'   ? !g_ascii_isdigit(byte)
            : pattern[i] == 'A' ? !g_ascii_isalpha(byte)
            : pattern[i] == '?' ? byte != ' ' && byte != 'T' && !g_ascii_isdigit(byte)
                                : byte != pattern[i])
            return false;
    }
    return true;
}

static inline bool
is_of_stamp(char byte)
{
    return g_ascii_isdigit(byte) || (byte >= '+' && byte <= '.') || byte == ':' ||
           byte == 'Z';
}

/* 2026-06-01T08:00:00.123456789Z and the like, up to a blank or the end; 0 if none. */
static gsize
stamp_size(const Cursor *cursor)
{
    if (cursor->at == cursor->end || !g_ascii_isdigit(*cursor->at) ||
        !looks_like(cursor, "9999-99-99?99:99:99"))
        return 0;
    gsize size = 19;
    while (cursor->at + size < cursor->end && size < 40 &&
           is_of_stamp(cursor->at[size]))
        size++;
    return size;
}

static void
set_body(OcpFrame *ret, const Cursor *cursor, const char *name)
{
    ret->name = name;
    ret->body = cursor->at;
    ret->size = (gsize)(cursor->end - cursor->at);
}

/* ---- frames -------------------------------------------------------------- */

/* 2026-06-01T08:00:00.123456789Z stdout F … */
static bool
read_cri(Cursor cursor, OcpFrame *ret)
{
    const char *stamp = cursor.at;
    gsize size = cursor.stamp;
    cursor.at += size;
    if (size == 0 || !take(&cursor, " std"))
        return false;
    const char *key = cursor.at - 3;
    if (!take(&cursor, "out ") && !take(&cursor, "err "))
        return false;
    bool partial = cursor.at < cursor.end && *cursor.at == 'P';
    const char *flags;
    gsize flags_size;
    if (!take_word(&cursor, &flags, &flags_size)) {
        flags = cursor.at; /* an empty line: the flag ends it */
        flags_size = (gsize)(cursor.end - cursor.at);
        cursor.at = cursor.end;
    }
    if (flags_size == 0 || strchr("PF", *flags) == NULL ||
        (flags_size > 1 && flags[1] != ':'))
        return false;
    ocp_frame_set(ret->key, sizeof ret->key, key, 6);
    ocp_frame_set(ret->stamp, sizeof ret->stamp, stamp, size);
    set_body(ret, &cursor, "cri");
    ret->partial = partial;
    return true;
}

static bool
take_priority(Cursor *cursor)
{
    const char *at = cursor->at;
    if (at >= cursor->end || *at++ != '<')
        return false;
    const char *digits = at;
    while (at < cursor->end && g_ascii_isdigit(*at) && at - digits < 3)
        at++;
    if (at == digits || at >= cursor->end || *at != '>')
        return false;
    cursor->at = at + 1;
    return true;
}

/* Takes structured data of RFC 5424: "-", or [id name="value" …]… */
static bool
take_structured(Cursor *cursor)
{
    if (take(cursor, "-"))
        return true;
    bool quoted = false;
    const char *start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at == '[') {
        for (; cursor->at < cursor->end && (quoted || *cursor->at != ']');
             cursor->at++) {
            if (*cursor->at == '"')
                quoted = !quoted;
            else if (*cursor->at == '\\' && quoted && cursor->at + 1 < cursor->end)
                cursor->at++;
        }
        if (!take(cursor, "]"))
            return false;
    }
    return cursor->at > start;
}

/* <13>1 2026-06-01T08:00:00Z host app procid msgid - … */
static bool
read_syslog_5424(Cursor cursor, OcpFrame *ret)
{
    const char *words[5];
    gsize sizes[5];
    if (!take_priority(&cursor) || !take(&cursor, "1 "))
        return false;
    for (guint i = 0; i < 5; i++)
        if (!take_word(&cursor, &words[i], &sizes[i]))
            return false;
    if (!take_structured(&cursor))
        return false;
    take(&cursor, " ");
    take(&cursor, "\xEF\xBB\xBF");
    ocp_frame_set(ret->key, sizeof ret->key, words[1],
                  (gsize)(words[2] + sizes[2] - words[1]));
    ocp_frame_set(ret->stamp, sizeof ret->stamp, words[0], sizes[0]);
    set_body(ret, &cursor, "syslog");
    return true;
}

/* Jun  1 08:00:00 host program[pid]: …, or with a time of ISO 8601 */
static bool
read_syslog_3164(Cursor cursor, OcpFrame *ret)
{
    bool priority = take_priority(&cursor);
    const char *stamp = cursor.at;
    bool plain = looks_like(&cursor, "AAA ?9 99:99:99 ");
    gsize size = plain ? 15 : priority ? stamp_size(&cursor) : cursor.stamp;
    const char *host, *program;
    gsize host_size, program_size;
    cursor.at += size;
    if (size == 0 || !take(&cursor, " ") || !take_word(&cursor, &host, &host_size) ||
        !take_word(&cursor, &program, &program_size) ||
        program[program_size - 1] != ':' || !made_of(host, host_size, ".-_:") ||
        !made_of(program, program_size, ".-_/[]:@"))
        return false;
    ocp_frame_set(ret->key, sizeof ret->key, host,
                  (gsize)(program + program_size - 1 - host));
    ocp_frame_set(ret->stamp, sizeof ret->stamp, stamp, size);
    set_body(ret, &cursor, "syslog");
    ret->soft = !plain && !priority;
    return true;
}

/* name-1  | … */
static bool
read_compose(Cursor cursor, OcpFrame *ret)
{
    const char *name;
    gsize size;
    if (!take_word(&cursor, &name, &size) || !made_of(name, size, ".-_"))
        return false;
    while (take(&cursor, " "))
        continue;
    if (!take(&cursor, "|"))
        return false;
    take(&cursor, " ");
    ocp_frame_set(ret->key, sizeof ret->key, name, size);
    set_body(ret, &cursor, "compose");
    ret->soft = true;
    return true;
}

/* [pod/name/container] … */
static bool
read_kubectl(Cursor cursor, OcpFrame *ret)
{
    const char *name;
    gsize size;
    if (!take(&cursor, "[pod/") || !take_word(&cursor, &name, &size) || size < 2 ||
        name[size - 1] != ']')
        return false;
    ocp_frame_set(ret->key, sizeof ret->key, name, size - 1);
    set_body(ret, &cursor, "kubectl");
    return true;
}

static bool
is_pod_name(const char *name, gsize size)
{
    for (gsize i = 0; i < size; i++)
        if (g_ascii_isupper(name[i]))
            return false;
    return made_of(name, size, ".-") && memchr(name, '-', size) != NULL &&
           g_ascii_isalnum(*name) && g_ascii_isalnum(name[size - 1]);
}

/* pod container … */
static bool
read_stern(Cursor cursor, OcpFrame *ret)
{
    const char *pod, *container;
    gsize size, container_size;
    if (!take_word(&cursor, &pod, &size) || !is_pod_name(pod, size) ||
        !take_word(&cursor, &container, &container_size) ||
        !made_of(container, container_size, "-") || g_ascii_isdigit(*pod))
        return false;
    ocp_frame_set(ret->key, sizeof ret->key, pod,
                  (gsize)(container + container_size - pod));
    set_body(ret, &cursor, "stern");
    ret->soft = true;
    return true;
}

static bool
read_sse(Cursor cursor, OcpFrame *ret)
{
    if (!take(&cursor, "data:"))
        return false;
    take(&cursor, " ");
    ocp_frame_set(ret->key, sizeof ret->key, "data", 4);
    set_body(ret, &cursor, "sse");
    return true;
}

/* A time before what may be a line of pretty-printed JSON; else the time alone is
 * noted. */
static void
read_timed(Cursor cursor, OcpFrame *ret)
{
    gsize size = take(&cursor, "[") ? stamp_size(&cursor) : cursor.stamp;
    if (size == 0)
        return;
    ocp_frame_set(ret->stamp, sizeof ret->stamp, cursor.at, size);
    cursor.at += size;
    if (!take(&cursor, " "))
        return;
    const char *first = cursor.at;
    while (first < cursor.end && *first == ' ')
        first++;
    if (first < cursor.end && strchr("{}[]\"", *first) != NULL &&
        strchr("{}[],\"0123456789el", cursor.end[-1]) != NULL)
        set_body(ret, &cursor, "");
}

/* The first member in from..end that has the best of the names loggers give to a time;
 * behind it and its colon. */
static const char *
find_time(const char *from, const char *end)
{
    static const char *const names[] = {
        "\"time\":", "\"timestamp\":", "\"@timestamp\":",
        "\"ts\":",   "\"date\":",      "\"asctime\":"};
    const char *found = NULL;
    gsize best = G_N_ELEMENTS(names);
    for (const char *at = from; best > 0 && at < end; at++) {
        at = memchr(at, '"', (gsize)(end - at));
        if (at == NULL || end - at < 5)
            break;
        if (strchr("t@da", at[1]) == NULL)
            continue;
        for (gsize i = 0; i < best; i++) {
            gsize size = strlen(names[i]);
            if ((gsize)(end - at) >= size && memcmp(at, names[i], size) == 0) {
                best = i;
                found = at + size;
            }
        }
    }
    return found;
}

/* The time in a record of JSON: near its begin or its end. */
static void
read_json_stamp(const char *line, gsize length, OcpFrame *ret)
{
    const char *end = line + length;
    gsize room = MIN(length, 256);
    const char *at = find_time(line, line + room);
    if (at == NULL)
        at = find_time(end - room, end);
    if (at == NULL)
        return;
    while (at < end && (*at == ' ' || *at == '"'))
        at++;
    gsize size = 0;
    while (at + size < end && at[size] != '\0' &&
           (g_ascii_isdigit(at[size]) || strchr("TZ:.,+- ", at[size])))
        size++;
    while (size > 0 && strchr(", ", at[size - 1]) != NULL)
        size--;
    ocp_frame_set(ret->stamp, sizeof ret->stamp, at, size);
}

void
ocp_frame_read(const char *line, gsize length, OcpFrame *ret)
{
    static bool (*const readers[])(Cursor, OcpFrame *) = {
        read_cri,     read_syslog_5424, read_syslog_3164, read_sse,
        read_kubectl, read_compose,     read_stern};
    Cursor cursor = {.at = line, .end = line + length};
    memset(ret, 0, sizeof *ret);
    set_body(ret, &cursor, "");
    if (length == 0)
        return;
    if (*line == '{') {
        if (ocp_frame_read_json(line, length, ret))
            return;
        set_body(ret, &cursor, "");
        read_json_stamp(line, length, ret);
        return;
    }
    cursor.stamp = stamp_size(&cursor);
    for (gsize i = 0; i < G_N_ELEMENTS(readers); i++)
        if (readers[i](cursor, ret))
            return;
    read_timed(cursor, ret);
}
