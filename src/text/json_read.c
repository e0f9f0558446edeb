/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/json.h"
#include "text/json_scan.h"
#include "value/number.h"
#include "value/pointer.h"

/* An open container. */
typedef struct {
    OcpNode *container;
    OcpNode *last; /* its last child */
    OcpNode *key;  /* of the member being read */
} Frame;

typedef struct {
    OcpDocument *document;
    OcpReport *report;
    const char *start;
    const char *at;
    const char *end;
    Frame *frames;
    guint depth;    /* frames in use */
    guint capacity; /* frames there is room for */
    guint limit;    /* frames allowed */
    bool in_value;  /* the next value of the innermost container is being read */
} Reader;

/* ---- errors ---------------------------------------------------------------- */

/* The innermost value or container being read. */
static char *
current_pointer(const Reader *reader)
{
    GString *pointer = g_string_new(NULL);
    for (guint i = 0; i < reader->depth; i++) {
        const Frame *frame = &reader->frames[i];
        bool top = i == reader->depth - 1;
        if (top && !reader->in_value)
            break;
        if (frame->container->kind == OCP_OBJECT)
            ocp_pointer_push_key(pointer, frame->key);
        else /* the elements below the top are counted when they open */
            ocp_pointer_push_index(pointer, frame->container->size - (top ? 0 : 1));
    }
    return g_string_free(pointer, FALSE);
}

/* What stands at a place, in words. */
static char *
describe(const Reader *reader, const char *at)
{
    if (at >= reader->end)
        return g_strdup("the end of the text");
    if (g_ascii_isalnum(*at)) {
        gsize size = 1;
        while (at + size < reader->end && size < 20 && g_ascii_isalnum(at[size]))
            size++;
        return g_strdup_printf("%.*s", (int)size, at);
    }
    if (g_ascii_isgraph(*at))
        return g_strdup_printf("'%c'", *at);
    gsize size = ocp_json_utf8_size(at, reader->end);
    if (size == 0)
        return g_strdup_printf("byte 0x%02X", (guint)(guchar)*at);
    guint code = size == 1 ? (guint)*at : (guint)g_utf8_get_char(at);
    return g_strdup_printf("U+%04X", code);
}

static bool
fail_plain(Reader *reader, const char *at, const char *code, const char *hint,
           const char *message)
{
    OcpDiagnostic *error =
        ocp_report_add(reader->report, OCP_ERROR, code, "%s", message);
    ocp_diagnostic_locate(error, reader->document, (guint32)(at - reader->start));
    error->pointer = current_pointer(reader);
    error->hint = g_strdup(hint);
    return false;
}

/* Fails because something else was expected here. */
static bool
fail_expected(Reader *reader, const char *expected, const char *hint)
{
    g_autofree char *found = describe(reader, reader->at);
    bool ended = reader->at >= reader->end;
    g_autofree char *message =
        ended ? g_strdup_printf("the text ends where %s is expected", expected)
              : g_strdup_printf("expected %s, found %s", expected, found);
    fail_plain(reader, reader->at, ended ? "json.truncated" : "json.syntax", hint,
               message);
    OcpDiagnostic *error = g_ptr_array_index(reader->report->diagnostics,
                                             reader->report->diagnostics->len - 1);
    error->expected = g_strdup(expected);
    error->found = g_steal_pointer(&found);
    return false;
}

static bool
fail_fault(Reader *reader, const OcpJsonFault *fault)
{
    bool show = strcmp(fault->code, "json.control") == 0 ||
                strcmp(fault->code, "json.utf8") == 0;
    g_autofree char *found = describe(reader, fault->at);
    g_autofree char *message = show ? g_strdup_printf("%s: %s", fault->message, found)
                                    : g_strdup(fault->message);
    return fail_plain(reader, fault->at, fault->code, fault->hint, message);
}

/* ---- values ---------------------------------------------------------------- */

static inline void
skip_blanks(Reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end &&
           (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    reader->at = at;
}

static inline char
peek(const Reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

/* A new node for the span from at to end, not yet in a container. */
static OcpNode *
new_scalar(Reader *reader, OcpKind kind, const char *at, const char *end)
{
    OcpNode *node = ocp_node_new(reader->document, kind);
    node->as.text = at;
    node->size = (guint32)(end - at);
    node->place = (guint32)(at - reader->start);
    return node;
}

static void
append(Reader *reader, OcpNode *node)
{
    if (reader->depth == 0) {
        reader->document->root = node;
        return;
    }
    Frame *frame = &reader->frames[reader->depth - 1];
    if (frame->last == NULL)
        frame->container->as.first = node;
    else
        frame->last->next = node;
    frame->last = node;
    node->flags |= OCP_NODE_PLACED;
}

static void
append_value(Reader *reader, OcpNode *node)
{
    append(reader, node);
    if (reader->depth > 0)
        reader->frames[reader->depth - 1].container->size++;
    reader->in_value = false;
}

static OcpNode *
read_string(Reader *reader)
{
    const char *quote = reader->at;
    const char *close = NULL;
    guint8 flags = 0;
    OcpJsonFault fault = {0};
    if (!ocp_json_scan_string(quote + 1, reader->end, &close, &flags, &fault)) {
        fail_fault(reader, &fault);
        return NULL;
    }
    OcpNode *node = new_scalar(reader, OCP_STRING, quote + 1, close);
    node->place--;
    node->flags = flags;
    reader->at = close + 1;
    return node;
}

/* Says what is wrong with something that begins like a number and is none. */
static bool
fail_number(Reader *reader, const char *at, const char *end)
{
    const char *digits = at + (*at == '-' || *at == '+' ? 1 : 0);
    const char *code = "json.number";
    if (*at == '+')
        return fail_plain(reader, at, code, "leave the + out",
                          "a JSON number does not begin with +");
    if (digits == end && digits == reader->end)
        return fail_plain(reader, at, "json.truncated", NULL,
                          "the text ends inside a number");
    if (digits == end)
        return fail_plain(reader, at, code, NULL,
                          g_ascii_isalpha(*digits)
                              ? "JSON has no -Infinity and no -NaN"
                              : "a digit is expected behind the -");
    if (*digits == '.')
        return fail_plain(reader, at, code, "write a 0 before the point",
                          "a JSON number does not begin with a point");
    if (*digits == '0' && digits + 1 < end && g_ascii_isdigit(digits[1]))
        return fail_plain(reader, at, code,
                          "leave the leading zeros out, or make it a "
                          "string",
                          "a JSON number does not begin with 0 and a digit");
    if (end == reader->end && (!g_ascii_isdigit(end[-1])))
        return fail_plain(reader, at, "json.truncated", NULL,
                          "the text ends inside a number");
    return fail_plain(reader, at, code,
                      "digits must stand on both sides of a point and "
                      "behind an e",
                      "this is not a JSON number");
}

/* The end of the bytes that may belong to a number. */
static const char *
number_end(const char *at, const char *end)
{
    while (at < end && (g_ascii_isdigit(*at) || *at == '+' || *at == '-' ||
                        *at == '.' || *at == 'e' || *at == 'E'))
        at++;
    return at;
}

static bool
read_number(Reader *reader)
{
    const char *at = reader->at;
    const char *to = number_end(at, reader->end);
    if (!ocp_number_valid(at, (gsize)(to - at)))
        return fail_number(reader, at, to);
    append_value(reader, new_scalar(reader, OCP_NUMBER, at, to));
    reader->at = to;
    return true;
}

/* A letter stands where a value is expected. */
static bool
read_word(Reader *reader)
{
    static const struct {
        const char *text;
        OcpKind kind;
    } words[] = {{"null", OCP_NULL}, {"true", OCP_TRUE}, {"false", OCP_FALSE}};
    static const char *const constants[] = {"NaN", "Infinity", "nan", "inf",
                                            "undefined"};
    const char *at = reader->at;
    gsize size = 0;
    while (at + size < reader->end && (g_ascii_isalnum(at[size]) || at[size] == '_'))
        size++;
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (size != strlen(words[i].text) || memcmp(at, words[i].text, size) != 0)
            continue;
        append_value(reader, new_scalar(reader, words[i].kind, at, at + size));
        reader->at += size;
        return true;
    }
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++) {
        if (size != strlen(constants[i]) || memcmp(at, constants[i], size) != 0)
            continue;
        g_autofree char *message = g_strdup_printf("JSON has no %s", constants[i]);
        return fail_plain(reader, at, "json.constant", "write null, or a string",
                          message);
    }
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        gsize whole = strlen(words[i].text);
        if (at + size == reader->end && size < whole &&
            memcmp(at, words[i].text, size) == 0)
            return fail_plain(reader, reader->end, "json.truncated", NULL,
                              "the text ends inside a word");
    }
    return fail_expected(reader, "a value",
                         "words but null, true and false stand in double quotes");
}

static bool
open_container(Reader *reader, OcpKind kind)
{
    if (reader->depth == reader->limit) {
        g_autofree char *message = g_strdup_printf(
            "the value is nested deeper than %u containers", reader->limit);
        return fail_plain(reader, reader->at, "json.depth", NULL, message);
    }
    if (reader->depth == reader->capacity) {
        reader->capacity = MAX(32, reader->capacity * 2);
        reader->frames = g_renew(Frame, reader->frames, reader->capacity);
    }
    OcpNode *node = ocp_node_new(reader->document, kind);
    node->place = (guint32)(reader->at - reader->start);
    append_value(reader, node);
    Frame frame = {.container = node};
    reader->frames[reader->depth++] = frame;
    reader->at++;
    return true;
}

static const char *
value_hint(const Reader *reader)
{
    const char *at = reader->at;
    bool nested = reader->depth > 0;
    switch (peek(reader)) {
    case '\'': return "strings stand in double quotes";
    case '/':
    case '#': return "JSON has no comments";
    case ']':
    case '}':
        while (at > reader->start && g_ascii_isspace(at[-1]))
            at--;
        return nested && at > reader->start && at[-1] == ','
                   ? "remove the comma before it"
                   : NULL;
    default: return NULL;
    }
}

/* Reads a scalar, or opens a container. */
static bool
read_value(Reader *reader)
{
    char byte = peek(reader);
    switch (byte) {
    case '"': {
        OcpNode *node = read_string(reader);
        if (node == NULL)
            return false;
        append_value(reader, node);
        return true;
    }
    case '{': return open_container(reader, OCP_OBJECT);
    case '[': return open_container(reader, OCP_ARRAY);
    case '-': return read_number(reader);
    case '+':
    case '.': return fail_number(reader, reader->at, reader->at + 1);
    default: break;
    }
    if (g_ascii_isdigit(byte))
        return read_number(reader);
    if (g_ascii_isalpha(byte))
        return read_word(reader);
    return fail_expected(reader, "a value", value_hint(reader));
}

/* ---- containers ------------------------------------------------------------ */

static bool
read_key(Reader *reader)
{
    Frame *frame = &reader->frames[reader->depth - 1];
    if (peek(reader) != '"')
        return fail_expected(reader, "a key in double quotes", value_hint(reader));
    OcpNode *key = read_string(reader);
    if (key == NULL)
        return false;
    append(reader, key);
    frame->key = key;
    skip_blanks(reader);
    if (peek(reader) != ':')
        return fail_expected(reader, "':' behind the key", NULL);
    reader->at++;
    skip_blanks(reader);
    return true;
}

static bool
close_container(Reader *reader)
{
    Frame *frame = &reader->frames[reader->depth - 1];
    reader->at++;
    if (frame->container->kind == OCP_OBJECT && frame->container->size > 1) {
        const OcpNode *twin = ocp_object_seal(reader->document, frame->container);
        if (twin != NULL) {
            frame->key = (OcpNode *)twin;
            reader->in_value = true;
            return fail_plain(reader, reader->start + twin->place, "json.duplicate-key",
                              "keep one of the two",
                              "this key occurs twice in the same object");
        }
    }
    reader->depth--;
    return true;
}

/* Goes from behind a value, or an opening bracket, to the next value, closing what ends
 * on the way. */
static bool
advance(Reader *reader)
{
    while (reader->depth > 0) {
        const OcpNode *container = reader->frames[reader->depth - 1].container;
        bool object = container->kind == OCP_OBJECT;
        skip_blanks(reader);
        char byte = peek(reader);
        if (byte == (object ? '}' : ']')) {
            if (!close_container(reader))
                return false;
            continue;
        }
        if (container->size > 0) {
            if (byte != ',')
                return fail_expected(reader, object ? "',' or '}'" : "',' or ']'",
                                     NULL);
            reader->at++;
            skip_blanks(reader);
        }
        if (object && !read_key(reader))
            return false;
        reader->in_value = true;
        return true;
    }
    return true;
}

/* ---- the text as a whole --------------------------------------------------- */

/* UTF-16 by its mark, or by the zero byte of each of the first two characters. */
static bool
is_utf16(const char *text, gsize length)
{
    if (length >= 2 && ((text[0] == '\xFF' && text[1] == '\xFE') ||
                        (text[0] == '\xFE' && text[1] == '\xFF')))
        return true;
    if (length < 2 || length % 2 != 0)
        return false;
    bool little = text[0] != '\0' && text[1] == '\0';
    bool big = text[0] == '\0' && text[1] != '\0';
    if (length >= 4) {
        little = little && text[2] != '\0' && text[3] == '\0';
        big = big && text[2] == '\0' && text[3] != '\0';
    }
    return little || big;
}

static bool
begin(Reader *reader)
{
    gsize length = (gsize)(reader->end - reader->start);
    if (is_utf16(reader->start, length))
        return fail_plain(reader, reader->start, "json.utf16",
                          "convert it first: iconv -f UTF-16 -t UTF-8",
                          "the text is UTF-16; JSON must be UTF-8");
    if (length >= 3 && memcmp(reader->start, "\xEF\xBB\xBF", 3) == 0) {
        OcpDiagnostic *note =
            ocp_report_add(reader->report, OCP_NOTE, "json.bom",
                           "a byte order mark before the document was skipped");
        ocp_diagnostic_locate(note, reader->document, 0);
        reader->at += 3;
    }
    skip_blanks(reader);
    if (reader->at == reader->end)
        return fail_plain(reader, reader->at, "json.empty", NULL,
                          length == 0
                              ? "the text is empty: there is no JSON value in it"
                              : "there is no JSON value in the text");
    return true;
}

static bool
read_text(Reader *reader)
{
    if (!begin(reader))
        return false;
    do {
        if (!read_value(reader) || !advance(reader))
            return false;
    } while (reader->depth > 0);
    skip_blanks(reader);
    if (reader->at == reader->end)
        return true;
    g_autofree char *found = describe(reader, reader->at);
    g_autofree char *message =
        g_strdup_printf("text behind the end of the document: %s", found);
    return fail_plain(reader, reader->at, "json.trailing",
                      "one JSON text holds one value", message);
}

bool
ocp_json_read(GBytes *bytes, const char *name, const OcpLimits *limits,
              OcpReport *report, OcpDocument **ret)
{
    const OcpLimits defaults = OCP_LIMITS_DEFAULT;
    if (limits == NULL)
        limits = &defaults;
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autoptr(OcpDocument) document = ocp_document_new(name);
    /* Places are 32 bits, and there are fewer nodes than bytes. */
    guint64 most = MIN(limits->bytes, (guint64)G_MAXUINT32 - 1);
    if (length > most)
        return ocp_fail_at(report, document, OCP_NO_PLACE, "json.size",
                           "the text has %" G_GSIZE_FORMAT
                           " bytes, more than the limit of %" G_GUINT64_FORMAT,
                           length, most);
    document->bytes = g_bytes_ref(bytes);
    document->text = text != NULL ? text : "";
    document->length = length;
    Reader reader = {.document = document,
                     .report = report,
                     .start = document->text,
                     .at = document->text,
                     .end = document->text + length,
                     .limit = limits->depth};
    bool done = read_text(&reader);
    g_free(reader.frames);
    if (!done)
        return false;
    *ret = g_steal_pointer(&document);
    return true;
}
