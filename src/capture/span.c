/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/span.h"

#include <string.h>

#include "text/json_scan.h"
#include "value/number.h"

enum {
    MOST_VALUES = 500000, /* in one document: each costs a node when it is read */
    TRACE_DISTANCE = 12,  /* bytes between traces worth telling apart */
    SHORTEST = 40         /* bytes of a string that may hold a document */
};

typedef enum {
    FIRST_KEY,
    KEY,
    COLON,
    VALUE,
    FIRST_ELEMENT,
    ELEMENT,
    NEXT /* a comma, or the end */
} State;

void
ocp_span_init(OcpSpan *span, OcpHunt *hunt, OcpLayer *layer)
{
    memset(span, 0, sizeof *span);
    span->hunt = hunt;
    span->layer = layer;
    span->rescan = 64 * 1024;
    span->pending = g_array_new(FALSE, FALSE, sizeof(OcpPending));
    span->traces = g_array_new(FALSE, FALSE, sizeof(guint32));
}

void
ocp_span_clear(OcpSpan *span)
{
    ocp_span_drop(span, 0);
    g_array_unref(span->pending);
    g_array_unref(span->traces);
}

static const char *
bytes_at(const OcpSpan *span, gsize at)
{
    return span->layer->bytes + at;
}

/* ---- traces ------------------------------------------------------------------------------ */

/* Notes the traces of text that came since; of those close together, one. */
static void
find_traces(OcpSpan *span)
{
    const OcpLayer *layer = span->layer;
    const char *end = layer->bytes + layer->length;
    const char *at = layer->bytes + span->searched;
    const OcpNeedles *needles = span->hunt->capture->needles;
    while (at < end && (at = ocp_needles_find(needles, at, end, NULL)) != NULL) {
        guint32 place = (guint32)(at - layer->bytes);
        g_array_append_val(span->traces, place);
        at += MIN(TRACE_DISTANCE, end - at);
    }
    span->searched = layer->length;
}

static bool
has_trace(const OcpSpan *span, gsize from, gsize to)
{
    const guint32 *traces = (const guint32 *)(const void *)span->traces->data;
    guint low = 0, high = span->traces->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (traces[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < span->traces->len && traces[low] < to;
}

/* True if a trace stands at or behind from. */
static bool
has_trace_behind(const OcpSpan *span, gsize from)
{
    return span->traces->len > 0 &&
           g_array_index(span->traces, guint32, span->traces->len - 1) >= from;
}

/* ---- members ----------------------------------------------------------------------------- */

static bool
key_is(const OcpSpan *span, const OcpOpen *open, const char *name)
{
    return open->object && open->key_size == strlen(name) &&
           memcmp(bytes_at(span, open->key), name, open->key_size) == 0;
}

/* The bit of the name that a key is, or 0. */
static guint32
name_of(const OcpSpan *span, gsize from, gsize to)
{
    const OcpNeedles *needles = span->hunt->capture->needles;
    const char *key = bytes_at(span, from);
    int index = -1;
    if (memchr(key, '\\', to - from) == NULL) {
        index = ocp_needles_index(needles, key, to - from);
    } else if (to - from < 200) {
        g_autoptr(GString) plain = g_string_new(NULL);
        if (ocp_decode(OCP_DECODE_STRING, key, to - from, 200, plain))
            index = ocp_needles_index(needles, plain->str, plain->len);
    }
    return index >= 0 ? (guint32)1 << index : 0;
}

/* A scalar member's value stands at from..to: what it says of the message. */
static void
note_member(OcpSpan *span, OcpOpen *open, gsize from, gsize to)
{
    if (key_is(span, open, "id")) {
        open->id = (guint32)from;
        open->id_size = (guint32)MIN(to - from, 200);
    } else if (key_is(span, open, "jsonrpc")) {
        open->rpc = true;
    } else if (key_is(span, open, "isError")) {
        open->failed = *bytes_at(span, from) == 't';
    } else if (key_is(span, open, "code")) {
        open->code = true;
    } else if (key_is(span, open, "message")) {
        open->message = true;
    }
}

/* ---- tokens ------------------------------------------------------------------------------- */

static void
skip_blanks(OcpSpan *span, gsize to)
{
    const char *bytes = span->layer->bytes;
    while (span->at < to && (bytes[span->at] == ' ' || bytes[span->at] == '\t' ||
                             bytes[span->at] == '\n' || bytes[span->at] == '\r'))
        span->at++;
}

/* Scans the string whose quote is at at. */
static bool
scan_string(OcpSpan *span, gsize to)
{
    const char *end = bytes_at(span, to);
    const char *at = bytes_at(span, span->at + 1);
    span->string = span->at;
    for (;;) {
        at = ocp_json_run(at, end);
        if (at < end && *at == '\\' && end - at >= 2)
            at += 2;
        else
            break;
    }
    span->unterminated = at >= end || (*at == '\\' && end - at == 1);
    span->string_end = (gsize)(MIN(at, end) - span->layer->bytes) + (at < end);
    if (at >= end || *at != '"') {
        span->at = (gsize)(MIN(at, end) - span->layer->bytes);
        return false;
    }
    span->at = span->string_end;
    return true;
}

/* A string that is a value, or an element, holds a name: it waits. */
static void
note_string(OcpSpan *span)
{
    gsize from = span->string, to = span->string_end;
    if (!has_trace(span, from, to))
        return;
    bool plain = to - from < SHORTEST;
    ocp_span_wait(span, NULL, OCP_DECODE_STRING, from, to, plain);
}

static bool
scan_number(OcpSpan *span, gsize to)
{
    gsize from = span->at;
    const char *bytes = span->layer->bytes;
    while (span->at < to &&
           (g_ascii_isdigit(bytes[span->at]) || strchr("+-.eE", bytes[span->at])) &&
           bytes[span->at] != '\0')
        span->at++;
    if (ocp_number_valid(bytes + from, span->at - from))
        return true;
    span->at = from;
    return false;
}

static bool
scan_word(OcpSpan *span, gsize to)
{
    static const char *const words[] = {"true", "false", "null"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        gsize size = strlen(words[i]);
        if (to - span->at < size || memcmp(bytes_at(span, span->at), words[i], size) != 0)
            continue;
        span->at += size;
        return true;
    }
    return false;
}

static bool
push(OcpSpan *span, bool object)
{
    if (span->depth == MIN(OCP_SPAN_DEPTH, span->hunt->capture->limits.depth)) {
        span->too_deep = true;
        return false;
    }
    OcpOpen *open = &span->open[span->depth++];
    memset(open, 0, sizeof *open);
    open->start = (guint32)span->at++;
    open->object = object;
    open->state = object ? FIRST_KEY : FIRST_ELEMENT;
    return true;
}

/* ---- closing -------------------------------------------------------------------------------- */

/* True if a value that begins at from may be made of two: an earlier one with a name never
 * closed, on the same line or around it. */
static bool
is_torn(const OcpSpan *span, gsize from)
{
    return span->torn && (from < span->torn_end ||
                          (!span->marked && span->torn_start >= span->torn_line &&
                           span->line == span->torn_line));
}

static void
judge(OcpSpan *span, const OcpOpen *open, const OcpOpen *parent)
{
    OcpHunt *hunt = span->hunt;
    gsize from = open->start, to = span->at;
    bool schema_text = parent != NULL && key_is(span, parent, "properties");
    if (open->values > MOST_VALUES) {
        ocp_hunt_note(hunt, span->layer, from, "span-limit", "too many values");
        return;
    }
    if (is_torn(span, from)) {
        ocp_hunt_note(hunt, span->layer, from, "torn-line",
                      "an earlier value on the line never ended; this may be made of two");
        return;
    }
    OcpCaptured *found =
        ocp_hunt_judge(hunt, span->layer, from, to, open->names, schema_text);
    if (found == NULL)
        return;
    ocp_hunt_withdraw(hunt, span->layer, from);
    ocp_span_drop(span, from);
    ocp_span_wait(span, found, OCP_DECODE_STRING, from, to, false);
}

static bool
has_quarry(const OcpCapture *capture, guint32 names)
{
    for (guint i = 0; i < capture->quarries->len; i++) {
        const OcpQuarry *quarry = &g_array_index(capture->quarries, OcpQuarry, i);
        if ((names & quarry->names) == quarry->names)
            return true;
    }
    return false;
}

/* An object has names, but not all of any dialect. */
static void
near_miss(OcpSpan *span, const OcpOpen *open, const OcpOpen *parent)
{
    const OcpCapture *capture = span->hunt->capture;
    const char *code = NULL;
    for (guint i = 0; i < capture->needles->name_count; i++) {
        if (!(open->names & (guint32)1 << i))
            continue;
        if (capture->near[i] == NULL) {
            code = "schema-invalid";
            break;
        }
        code = code == NULL ? capture->near[i] : code;
    }
    if (parent != NULL && key_is(span, parent, "properties"))
        code = "schema-text";
    if (code != NULL)
        ocp_hunt_note(span->hunt, span->layer, open->start, code,
                      strcmp(code, "schema-invalid") == 0 ? "a required member is missing"
                                                          : NULL);
}

/* Closes the innermost container; its bracket is at at. */
static bool
close_top(OcpSpan *span)
{
    span->at++;
    OcpOpen *open = &span->open[span->depth - 1];
    OcpOpen *parent = span->depth > 1 ? open - 1 : NULL;
    if (open->names != 0) {
        if (has_quarry(span->hunt->capture, open->names))
            judge(span, open, parent);
        else
            near_miss(span, open, parent);
    }
    if (!open->object && open->values > 12 && has_trace(span, open->start, span->at) &&
        open->values == open->index && g_ascii_isdigit(*bytes_at(span, open->start + 1)))
        ocp_span_wait(span, NULL, OCP_DECODE_NUMBERS, open->start, span->at, false);
    ocp_span_tell(span, open, parent != NULL && key_is(span, parent, "error"));
    span->depth--;
    if (parent == NULL) {
        ocp_span_settle(span);
        return true;
    }
    parent->values += open->values;
    parent->state = NEXT;
    return true;
}

/* ---- one token -------------------------------------------------------------------------------- */

static bool
scan_key(OcpSpan *span, OcpOpen *open, gsize to)
{
    if (*bytes_at(span, span->at) != '"' || !scan_string(span, to))
        return false;
    open->key = (guint32)span->string + 1;
    open->key_size = (guint32)(span->string_end - span->string - 2);
    if (has_trace(span, span->string, span->string_end))
        open->names |= name_of(span, open->key, span->string_end - 1);
    open->state = COLON;
    return true;
}

static bool
scan_value(OcpSpan *span, OcpOpen *open, gsize to)
{
    char byte = *bytes_at(span, span->at);
    gsize from = span->at;
    bool done;
    open->index++;
    open->values++;
    if (byte == '{' || byte == '[')
        return push(span, byte == '{');
    if (byte == '"')
        done = scan_string(span, to);
    else if (byte == '-' || g_ascii_isdigit(byte))
        done = scan_number(span, to);
    else
        done = scan_word(span, to);
    if (!done)
        return false;
    if (byte == '"')
        note_string(span);
    if (open->object)
        note_member(span, open, from, span->at);
    open->state = NEXT;
    return true;
}

static bool
scan_token(OcpSpan *span, gsize to)
{
    OcpOpen *open = &span->open[span->depth - 1];
    char byte = *bytes_at(span, span->at);
    char closer = open->object ? '}' : ']';
    switch ((State)open->state) {
    case FIRST_KEY:
        if (byte == closer)
            return close_top(span);
        return scan_key(span, open, to);
    case KEY: return scan_key(span, open, to);
    case COLON:
        open->state = VALUE;
        return byte == ':' && span->at++ < to;
    case FIRST_ELEMENT:
        if (byte == closer)
            return close_top(span);
        return scan_value(span, open, to);
    case VALUE:
    case ELEMENT: return scan_value(span, open, to);
    case NEXT:
        if (byte == closer)
            return close_top(span);
        open->state = open->object ? KEY : ELEMENT;
        return byte == ',' && span->at++ < to;
    }
    return false;
}

/* ---- failing ------------------------------------------------------------------------------------ */

/* The outermost open object that has a required name. */
static const OcpOpen *
failed_object(const OcpSpan *span)
{
    for (guint i = 0; i < span->depth; i++)
        if (span->open[i].names & span->hunt->capture->required)
            return &span->open[i];
    return NULL;
}

static void
remember_broken(OcpSpan *span)
{
    span->broken = true;
    span->broken_depth = span->depth;
    for (guint i = 0; i < span->depth; i++)
        span->broken_objects[i] = span->open[i].object;
    span->broken_note = span->hunt->notes->len - 1;
}

/* A value with a name ends at fault without its end. */
static void
note_failure(OcpSpan *span, const OcpOpen *open, gsize fault, gsize to, bool ended)
{
    const char *code = ocp_diagnose_fault(span->hunt, span->layer, open->start, fault, to);
    span->torn = true;
    span->torn_start = open->start;
    span->torn_end = fault;
    span->torn_line = span->line;
    span->marked = code != NULL && strcmp(code, "truncated") == 0 && !span->unterminated;
    if (span->too_deep)
        code = "depth-limit";
    else if (code == NULL)
        code = ended ? "truncated" : "json-syntax";
    bool mention = strcmp(code, "mention") == 0;
    OcpNoted *noted = ocp_hunt_note(span->hunt, span->layer, open->start, code, NULL);
    noted->soft = true;
    noted->remark.mention = mention;
    if (span->unterminated && !span->too_deep)
        remember_broken(span);
}

/* Where to go on behind a failure at fault. */
static gsize
resume_place(OcpSpan *span, gsize fault, gsize outermost, gsize to)
{
    gsize back = 0;
    gsize string_end = span->string_end;
    if (span->string > outermost && string_end <= fault && string_end > span->string) {
        gsize between = string_end;
        while (between < fault && g_ascii_isspace(*bytes_at(span, between)))
            between++;
        back = between == fault ? span->string + 1 : 0;
    }
    if (span->unterminated && span->string > outermost)
        back = span->string + 1;
    gsize onward = span->unterminated ? to : fault;
    if (back == 0 || back >= onward || onward - back > span->rescan)
        return MAX(onward, outermost + 1);
    span->rescan -= onward - back;
    return back;
}

/* What is open cannot be a value. ended: since its text ended. */
static void
fail(OcpSpan *span, gsize to, bool ended)
{
    gsize fault = span->at;
    gsize outermost = span->open[0].start;
    const OcpOpen *open = failed_object(span);
    if (open != NULL) {
        for (guint i = 0; i < span->pending->len; i++) {
            const OcpPending *pending = &g_array_index(span->pending, OcpPending, i);
            if (pending->found != NULL && pending->from > open->start)
                ocp_hunt_note(span->hunt, span->layer, pending->from, "torn-line",
                              "the value around it never ended");
        }
        ocp_span_drop(span, open->start);
        note_failure(span, open, fault, to, ended || span->unterminated);
    }
    span->cut = span->cut || ended || span->unterminated;
    span->depth = 0;
    ocp_span_settle(span);
    span->at = resume_place(span, fault, outermost, to);
    span->unterminated = false;
    span->too_deep = false;
}

/* ---- a line ----------------------------------------------------------------------------------------- */

/* Moves to the next bracket that a trace may follow, or to the end of the line. */
static bool
find_open(OcpSpan *span, gsize to)
{
    if (!has_trace_behind(span, span->at)) {
        span->at = to;
        return false;
    }
    const char *bytes = span->layer->bytes;
    while (span->at < to && bytes[span->at] != '{' && bytes[span->at] != '[')
        span->at++;
    return span->at < to && push(span, bytes[span->at] == '{');
}

/* A line after one that ended in a string: does the string, taken on to here, end so that
 * all that was open is closed? */
static bool
mends(OcpSpan *span, gsize from, gsize to)
{
    bool in_string = true;
    guint depth = span->broken_depth;
    for (gsize at = from; at < to && depth > 0; at++) {
        char byte = *bytes_at(span, at);
        if (byte == '"')
            in_string = !in_string;
        else if (in_string)
            at += byte == '\\' ? 1 : 0;
        else if ((byte == '{' || byte == '[') && depth < OCP_SPAN_DEPTH)
            span->broken_objects[depth++] = byte == '{';
        else if ((byte == '}' || byte == ']') &&
                 span->broken_objects[--depth] != (byte == '}'))
            return false;
    }
    return depth == 0;
}

static void
look_behind_break(OcpSpan *span, gsize from, gsize to)
{
    span->broken = false;
    if (span->broken_note >= span->hunt->notes->len || !mends(span, from, to))
        return;
    if (span->layer->framed && span->layer->number == 0) {
        ocp_hunt_note(span->hunt, span->layer, from, "truncated",
                      "the rest of the value that the line before was cut from");
        return;
    }
    OcpNoted *noted = span->hunt->notes->pdata[span->broken_note];
    noted->remark.code = "json-syntax";
}

/* Scans from at to the end of a line; first: where the line begins, if a value from the
 * line before is open, or to. */
static void
scan_to(OcpSpan *span, gsize first, gsize to)
{
    for (;;) {
        if (span->depth == 0 && !find_open(span, to))
            break;
        skip_blanks(span, to);
        if (span->at >= to)
            break;
        if (!scan_token(span, to))
            fail(span, to, span->at == first);
    }
    span->at = to;
}

void
ocp_span_line(OcpSpan *span, gsize from, gsize to)
{
    find_traces(span);
    span->rescan += 4 * (to - from);
    span->at = from;
    span->line = from;
    if (span->broken)
        look_behind_break(span, from, to);
    if (span->depth == 0) {
        scan_to(span, to, to);
        return;
    }
    if (to - from >= 5 && memcmp(bytes_at(span, from), "data:", 5) == 0)
        span->at += 5;
    skip_blanks(span, to);
    scan_to(span, span->at, to);
}

bool
ocp_span_waits(OcpSpan *span)
{
    if (span->broken)
        return true;
    if (span->depth == 0)
        return false;
    if (has_trace_behind(span, span->open[0].start))
        return true;
    span->depth = 0;
    ocp_span_settle(span);
    return false;
}

void
ocp_span_end(OcpSpan *span)
{
    gsize to = span->layer->length;
    span->broken = false;
    while (span->depth > 0) {
        span->at = to;
        fail(span, to, true);
        scan_to(span, to, to);
    }
    ocp_span_settle(span);
}
