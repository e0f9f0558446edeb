/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/messages.h"

#include <json-c/json.h>
#include <string.h>
#include <unistd.h>

enum {
    GUTTER = 5,           /* columns of a line number */
    EXCERPT_BEFORE = 100, /* bytes of the line that an excerpt has before the place */
    MOST_COLUMNS = 80,    /* of a source line, if the line is longer */
    MOST_OF_A_KIND = 20,  /* warnings, notes; losses have fewer */
    MOST_LOSSES = 8
};

/* ---- text that is safe to print -------------------------------------------- */

/* Control characters, line ends, and what turns the direction of a line around. */
static bool
is_unsafe(gunichar c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
           c == 0xFEFF || (c >= 0x200E && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

static void
append_escaped(GString *out, gunichar c)
{
    if (c == '\n')
        g_string_append(out, "\\n");
    else if (c == '\t')
        g_string_append(out, "\\t");
    else if (c == '\r')
        g_string_append(out, "\\r");
    else if (c < 0x80)
        g_string_append_printf(out, "\\x%02X", c);
    else
        g_string_append_printf(out, "\\u%04X", c);
}

char *
ocp_messages_plain(const char *text)
{
    GString *out = g_string_new(NULL);
    gsize length = strlen(text);
    for (const char *end = text + length; text < end;) {
        gunichar c = g_utf8_get_char_validated(text, end - text);
        if (c >= (gunichar)-2) {
            g_string_append_printf(out, "\\x%02X", (guchar)*text++);
        } else if (is_unsafe(c)) {
            append_escaped(out, c);
            text = g_utf8_next_char(text);
        } else {
            g_string_append_unichar(out, c);
            text = g_utf8_next_char(text);
        }
    }
    return g_string_free(out, FALSE);
}

static gsize
width_of(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

gsize
ocp_messages_width(const char *text)
{
    gsize width = 0;
    for (; *text != '\0'; text = g_utf8_next_char(text))
        width += width_of(g_utf8_get_char(text));
    return width;
}

bool
ocp_messages_colored(OcpColor color, int descriptor)
{
    if (color != OCP_COLOR_AUTO)
        return color == OCP_COLOR_ALWAYS;
    const char *terminal = g_getenv("TERM");
    const char *refused = g_getenv("NO_COLOR");
    return (refused == NULL || *refused == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(descriptor);
}

OcpMessages
ocp_messages_new(const OcpOptions *options)
{
    OcpMessages messages = {
        .json = options->json_messages,
        .color = ocp_messages_colored(options->color, STDERR_FILENO),
        .quiet = options->quiet,
        .verbose = options->verbose,
        .every = options->mode == OCP_MODE_ROUND_TRIP,
    };
    return messages;
}

/* In one call, so that lines of processes that share a terminal do not mix. There is
 * nobody to tell if it fails. */
void
ocp_messages_print(const OcpMessages *messages, const GString *text)
{
    if (messages->into != NULL) {
        g_string_append_len(messages->into, text->str, (gssize)text->len);
        return;
    }
    const char *at = text->str;
    gsize left = text->len;
    while (left > 0) {
        gssize done = write(STDERR_FILENO, at, left);
        if (done <= 0)
            return;
        at += done;
        left -= (gsize)done;
    }
}

/* ---- as text --------------------------------------------------------------- */

static const char *
paint(const OcpMessages *messages, const char *code)
{
    return messages->color ? code : "";
}

static const char *
severity_paint(const OcpMessages *messages, OcpSeverity severity)
{
    static const char *const codes[] = {"\033[1;36m", "\033[1;33m", "\033[1;35m",
                                        "\033[1;31m"};
    return paint(messages, codes[severity]);
}

/* The place in the excerpt. An excerpt of a long line begins EXCERPT_BEFORE bytes
 * before the place; else all of the line before it is there. */
static const char *
caret_in(const char *excerpt, guint column)
{
    const char *at = excerpt;
    for (guint i = 1; i < column && *at != '\0'; i++) {
        const char *next = g_utf8_next_char(at);
        if (next - excerpt > EXCERPT_BEFORE)
            break;
        at = next;
    }
    return at;
}

static const char *
step_back(const char *at, const char *start, guint most)
{
    for (guint i = 0; i < most && at > start; i++)
        at = g_utf8_prev_char(at);
    return at;
}

/* Appends the characters up to end, each in the columns it takes; returns how many. */
static gsize
append_line(const char *at, const char *end, GString *out)
{
    gsize width = 0;
    for (; at < end; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);
        g_string_append_unichar(out, is_unsafe(c) ? ' ' : c);
        width += is_unsafe(c) ? 1 : width_of(c);
    }
    return width;
}

/* The source line, as much of it as a terminal shows, and a caret under the place. */
static void
append_excerpt(const OcpMessages *messages, const OcpDiagnostic *diagnostic,
               GString *out)
{
    g_autofree char *excerpt = g_utf8_make_valid(diagnostic->excerpt, -1);
    /* A byte order mark is no column. */
    bool marked = diagnostic->line == 1 && g_str_has_prefix(excerpt, "\xEF\xBB\xBF");
    const char *line = excerpt + (marked ? 3 : 0);
    const char *caret = caret_in(line, diagnostic->column);
    const char *start = line;
    const char *end = line + strlen(line);
    if (g_utf8_strlen(line, -1) > MOST_COLUMNS) {
        start = step_back(caret, line, MOST_COLUMNS / 2);
        const char *stop = start;
        for (guint i = 0; i < MOST_COLUMNS && *stop != '\0'; i++)
            stop = g_utf8_next_char(stop);
        end = stop;
    }
    bool cut_start = start > line;
    bool cut_end = *end != '\0';
    g_string_append_printf(out, "%*u | %s", GUTTER, diagnostic->line,
                           cut_start ? "…" : "");
    gsize before = append_line(start, caret, out) + cut_start;
    append_line(caret, end, out);
    g_string_append_printf(out, "%s\n%*s | %*s%s^%s\n", cut_end ? "…" : "", GUTTER, "",
                           (int)before, "", paint(messages, "\033[1;32m"),
                           paint(messages, "\033[0m"));
}

static void
append_place(const OcpMessages *messages, const char *file,
             const OcpDiagnostic *diagnostic, GString *out)
{
    const char *named = diagnostic->file != NULL ? diagnostic->file : file;
    g_autofree char *shown = ocp_messages_plain(named != NULL ? named : "ocp-convert");
    g_string_append_printf(out, "%s%s:", paint(messages, "\033[1m"), shown);
    if (diagnostic->line > 0)
        g_string_append_printf(out, "%u:", diagnostic->line);
    if (diagnostic->line > 0 && diagnostic->column > 0)
        g_string_append_printf(out, "%u:", diagnostic->column);
    g_string_append_printf(out, "%s ", paint(messages, "\033[0m"));
}

static void
append_text(const OcpMessages *messages, const char *file,
            const OcpDiagnostic *diagnostic, GString *out)
{
    append_place(messages, file, diagnostic, out);
    g_string_append_printf(
        out, "%s%s:%s ", severity_paint(messages, diagnostic->severity),
        ocp_severity_name(diagnostic->severity), paint(messages, "\033[0m"));
    if (diagnostic->pointer != NULL && diagnostic->pointer[0] != '\0') {
        g_autofree char *pointer = ocp_messages_plain(diagnostic->pointer);
        g_string_append_printf(out, "%s: ", pointer);
    }
    g_autofree char *message = ocp_messages_plain(diagnostic->message);
    const char *tag =
        diagnostic->keyword != NULL ? diagnostic->keyword : diagnostic->code;
    g_autofree char *shown_tag = ocp_messages_plain(tag);
    g_string_append_printf(out, "%s [%s]\n", message, shown_tag);
    bool blank = diagnostic->excerpt == NULL || diagnostic->excerpt[0] == '\0';
    if (!blank && diagnostic->line > 0)
        append_excerpt(messages, diagnostic, out);
    if (diagnostic->hint != NULL) {
        g_autofree char *hint = ocp_messages_plain(diagnostic->hint);
        g_string_append_printf(out, "%*s   hint: %s\n", GUTTER, "", hint);
    }
}

/* ---- as JSON --------------------------------------------------------------- */

static void
add_text(json_object *object, const char *key, const char *text)
{
    if (text == NULL)
        return;
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    json_object_object_add(object, key, json_object_new_string(valid));
}

static void
append_object(json_object *object, GString *out)
{
    g_string_append(
        out, json_object_to_json_string_ext(
                 object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    g_string_append_c(out, '\n');
    json_object_put(object);
}

static void
append_json(const char *file, const OcpDiagnostic *diagnostic, GString *out)
{
    json_object *object = json_object_new_object();
    const char *named = diagnostic->file != NULL ? diagnostic->file : file;
    g_autofree char *shown = named != NULL ? ocp_messages_plain(named) : NULL;
    add_text(object, "severity", ocp_severity_name(diagnostic->severity));
    add_text(object, "code", diagnostic->code);
    add_text(object, "file", shown);
    if (diagnostic->line > 0)
        json_object_object_add(object, "line",
                               json_object_new_uint64(diagnostic->line));
    if (diagnostic->line > 0 && diagnostic->column > 0)
        json_object_object_add(object, "column",
                               json_object_new_uint64(diagnostic->column));
    add_text(object, "pointer", diagnostic->pointer);
    add_text(object, "keyword", diagnostic->keyword);
    add_text(object, "expected", diagnostic->expected);
    add_text(object, "found", diagnostic->found);
    add_text(object, "message", diagnostic->message);
    add_text(object, "hint", diagnostic->hint);
    append_object(object, out);
}

/* ---- reports and accounts -------------------------------------------------- */

static guint
most_of(const OcpMessages *messages, OcpSeverity severity)
{
    if (severity == OCP_ERROR || messages->json || messages->verbose)
        return G_MAXUINT;
    if (severity == OCP_NOTE)
        return 0;
    if (messages->every)
        return G_MAXUINT;
    return severity == OCP_LOSS ? MOST_LOSSES : MOST_OF_A_KIND;
}

static void
append_left_out(const char *file, const guint *left_out, GString *out)
{
    static const char *const names[] = {"notes", "losses", "warnings", "errors"};
    g_autofree char *shown = ocp_messages_plain(file != NULL ? file : "ocp-convert");
    for (int severity = OCP_LOSS; severity <= OCP_ERROR; severity++)
        if (left_out[severity] > 0)
            g_string_append_printf(out, "%s: and %u more %s (-v shows all)\n", shown,
                                   left_out[severity], names[severity]);
}

void
ocp_messages_report(const OcpMessages *messages, const char *file,
                    const OcpReport *report)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint shown[OCP_ERROR + 1] = {0};
    guint left_out[OCP_ERROR + 1] = {0};
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        OcpSeverity severity = diagnostic->severity;
        if ((messages->quiet || messages->brief) && severity != OCP_ERROR)
            continue;
        if (shown[severity] >= most_of(messages, severity)) {
            left_out[severity]++;
            continue;
        }
        shown[severity]++;
        if (messages->json)
            append_json(file, diagnostic, out);
        else
            append_text(messages, file, diagnostic, out);
    }
    if (!messages->json)
        append_left_out(file, left_out, out);
    ocp_messages_print(messages, out);
}

void
ocp_messages_account(const OcpMessages *messages, const char *file, const char *text,
                     json_object *object)
{
    if (messages->quiet) {
        json_object_put(object);
        return;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *shown = file != NULL ? ocp_messages_plain(file) : NULL;
    if (!messages->json) {
        if (shown != NULL)
            g_string_append_printf(out, "%s%s:%s ", paint(messages, "\033[1m"), shown,
                                   paint(messages, "\033[0m"));
        g_string_append_printf(out, "%s\n", text);
        json_object_put(object);
    } else {
        json_object *line = json_object_new_object();
        add_text(line, "severity", "note");
        add_text(line, "code", "account");
        add_text(line, "file", shown);
        add_text(line, "message", text);
        if (object != NULL)
            json_object_object_add(line, "account", object);
        append_object(line, out);
    }
    ocp_messages_print(messages, out);
}
