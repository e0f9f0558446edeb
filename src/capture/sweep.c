/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/sweep.h"

#include <string.h>

#include "text/json_scan.h"
#include "value/number.h"

enum {
    MOST_VALUES = 500000, /* in one document: each costs a node when it is read */
    TRACE_DISTANCE = 12,  /* bytes between traces worth telling apart */
    SPARE_WORK = 16384,   /* bytes that may be scanned again in any text */
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
ocp_sweep_init(OcpSweep *sweep, OcpHunt *hunt, OcpLayer *layer)
{
    memset(sweep, 0, offsetof(OcpSweep, broken_objects));
    sweep->hunt = hunt;
    sweep->layer = layer;
    sweep->rescan = SPARE_WORK;
    sweep->pending = g_array_new(FALSE, FALSE, sizeof(OcpPending));
    sweep->traces = g_array_new(FALSE, FALSE, sizeof(guint32));
}

void
ocp_sweep_reset(OcpSweep *sweep)
{
    OcpHunt *hunt = sweep->hunt;
    OcpLayer *layer = sweep->layer;
    GArray *pending = sweep->pending, *traces = sweep->traces;
    ocp_sweep_drop(sweep, 0);
    g_array_set_size(traces, 0);
    memset(sweep, 0, offsetof(OcpSweep, broken_objects));
    sweep->hunt = hunt;
    sweep->layer = layer;
    sweep->pending = pending;
    sweep->traces = traces;
    sweep->rescan = SPARE_WORK;
}

void
ocp_sweep_clear(OcpSweep *sweep)
{
    ocp_sweep_drop(sweep, 0);
    g_array_unref(sweep->pending);
    g_array_unref(sweep->traces);
}

void
ocp_sweep_shift(OcpSweep *sweep)
{
    guint32 shift = sweep->open[0].start;
    guint kept = 0;
    guint32 *traces = (guint32 *)(void *)sweep->traces->data;
    for (guint i = 0; i < sweep->traces->len; i++)
        if (traces[i] >= shift)
            traces[kept++] = traces[i] - shift;
    g_array_set_size(sweep->traces, kept);
    for (guint i = 0; i < sweep->depth; i++) {
        sweep->open[i].start -= shift;
        sweep->open[i].key -= MIN(sweep->open[i].key, shift);
        sweep->open[i].id -= MIN(sweep->open[i].id, shift);
    }
    for (guint i = 0; i < sweep->pending->len; i++) {
        OcpPending *pending = &g_array_index(sweep->pending, OcpPending, i);
        pending->from -= shift;
        pending->to -= shift;
        pending->id -= MIN(pending->id, shift);
    }
    sweep->at -= shift;
    sweep->searched -= shift;
    sweep->line -= MIN(sweep->line, shift);
    sweep->string = sweep->string_end = 0;
    sweep->torn = false;
}

static const char *
bytes_at(const OcpSweep *sweep, gsize at)
{
    return sweep->layer->bytes + at;
}

/* ---- traces -------------------------------------------------------------- */

/* Notes the traces of text that came since; of those close together, one. */
static void
find_traces(OcpSweep *sweep)
{
    const OcpLayer *layer = sweep->layer;
    const char *end = layer->bytes + layer->length;
    const char *at = layer->bytes + sweep->searched;
    const OcpNeedles *needles = sweep->hunt->capture->needles;
    while (at < end && (at = ocp_needles_find(needles, at, end, NULL)) != NULL) {
        guint32 place = (guint32)(at - layer->bytes);
        g_array_append_val(sweep->traces, place);
        at += MIN(TRACE_DISTANCE, end - at);
    }
    sweep->searched = layer->length;
}

static bool
has_trace(const OcpSweep *sweep, gsize from, gsize to)
{
    const guint32 *traces = (const guint32 *)(const void *)sweep->traces->data;
    guint low = 0, high = sweep->traces->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (traces[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sweep->traces->len && traces[low] < to;
}

/* True if a trace stands at or behind from. */
static bool
has_trace_behind(const OcpSweep *sweep, gsize from)
{
    return sweep->traces->len > 0 &&
           g_array_index(sweep->traces, guint32, sweep->traces->len - 1) >= from;
}

/* ---- members ------------------------------------------------------------- */

static bool
key_is(const OcpSweep *sweep, const OcpOpen *open, const char *name)
{
    return open->object && open->key_size == strlen(name) &&
           memcmp(bytes_at(sweep, open->key), name, open->key_size) == 0;
}

/* The bit of the name that a key is, or 0. */
static guint32
name_of(const OcpSweep *sweep, gsize from, gsize to)
{
    const OcpNeedles *needles = sweep->hunt->capture->needles;
    const char *key = bytes_at(sweep, from);
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
note_member(OcpSweep *sweep, OcpOpen *open, gsize from, gsize to)
{
    if (key_is(sweep, open, "id")) {
        open->id = (guint32)from;
        open->id_size = (guint32)MIN(to - from, 200);
    } else if (key_is(sweep, open, "jsonrpc")) {
        open->rpc = true;
    } else if (key_is(sweep, open, "isError")) {
        open->failed = *bytes_at(sweep, from) == 't';
    } else if (key_is(sweep, open, "code")) {
        open->code = true;
    } else if (key_is(sweep, open, "message")) {
        open->message = true;
    }
}

/* ---- tokens -------------------------------------------------------------- */

static void
skip_blanks(OcpSweep *sweep, gsize to)
{
    const char *bytes = sweep->layer->bytes;
    while (sweep->at < to && (bytes[sweep->at] == ' ' || bytes[sweep->at] == '\t' ||
                              bytes[sweep->at] == '\n' || bytes[sweep->at] == '\r'))
        sweep->at++;
}

/* Scans the string whose quote is at at. */
static bool
scan_string(OcpSweep *sweep, gsize to)
{
    const char *end = bytes_at(sweep, to);
    const char *at = bytes_at(sweep, sweep->at + 1);
    sweep->string = sweep->at;
    for (;;) {
        at = ocp_json_run(at, end);
        if (at < end && *at == '\\' && end - at >= 2)
            at += 2;
        else
            break;
    }
    sweep->unterminated = at >= end || (*at == '\\' && end - at == 1);
    sweep->string_end = (gsize)(MIN(at, end) - sweep->layer->bytes) + (at < end);
    if (at >= end || *at != '"') {
        sweep->at = (gsize)(MIN(at, end) - sweep->layer->bytes);
        return false;
    }
    sweep->at = sweep->string_end;
    return true;
}

/* A string that is a value, or an element, holds a name: it waits. */
static void
note_string(OcpSweep *sweep)
{
    gsize from = sweep->string, to = sweep->string_end;
    if (!has_trace(sweep, from, to))
        return;
    bool plain = to - from < SHORTEST;
    ocp_sweep_wait(sweep, NULL, OCP_DECODE_STRING, from, to, plain);
}

static inline bool
is_of_number(char byte)
{
    return g_ascii_isdigit(byte) || byte == '.' || byte == '-' || byte == '+' ||
           byte == 'e' || byte == 'E';
}

static bool
scan_number(OcpSweep *sweep, gsize to)
{
    gsize from = sweep->at;
    const char *bytes = sweep->layer->bytes;
    while (sweep->at < to && is_of_number(bytes[sweep->at]))
        sweep->at++;
    if (ocp_number_valid(bytes + from, sweep->at - from))
        return true;
    sweep->at = from;
    return false;
}

static bool
scan_word(OcpSweep *sweep, gsize to)
{
    static const char *const words[] = {"true", "false", "null"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        gsize size = strlen(words[i]);
        if (to - sweep->at < size ||
            memcmp(bytes_at(sweep, sweep->at), words[i], size) != 0)
            continue;
        sweep->at += size;
        return true;
    }
    return false;
}

static bool
push(OcpSweep *sweep, bool object)
{
    if (sweep->depth == MIN(OCP_SWEEP_DEPTH, sweep->hunt->capture->limits.depth)) {
        sweep->too_deep = true;
        return false;
    }
    OcpOpen *open = &sweep->open[sweep->depth++];
    memset(open, 0, sizeof *open);
    open->start = (guint32)sweep->at++;
    open->object = object;
    open->state = object ? FIRST_KEY : FIRST_ELEMENT;
    return true;
}

/* ---- closing ------------------------------------------------------------- */

/* True if a value that begins at from may be made of two: an earlier one with a name
 * never closed, on the same line or around it. */
static bool
is_torn(const OcpSweep *sweep, gsize from)
{
    return sweep->torn && (from < sweep->torn_end ||
                           (!sweep->marked && sweep->torn_start >= sweep->torn_line &&
                            sweep->line == sweep->torn_line));
}

static void
judge(OcpSweep *sweep, const OcpOpen *open, const OcpOpen *parent)
{
    OcpHunt *hunt = sweep->hunt;
    gsize from = open->start, to = sweep->at;
    bool schema_text = parent != NULL && key_is(sweep, parent, "properties");
    if (open->values > MOST_VALUES) {
        ocp_hunt_note(hunt, sweep->layer, from, "span-limit", "too many values");
        return;
    }
    if (open->judged / 4 > to - from) {
        ocp_hunt_note(hunt, sweep->layer, from, "span-limit", "nested too often");
        return;
    }
    if (is_torn(sweep, from)) {
        ocp_hunt_note(hunt, sweep->layer, from, "torn-line", NULL);
        return;
    }
    OcpCaptured *found =
        ocp_hunt_judge(hunt, sweep->layer, from, to, open->names, schema_text);
    if (found == NULL)
        return;
    ocp_hunt_withdraw(hunt, sweep->layer, from);
    ocp_sweep_drop(sweep, from);
    ocp_sweep_wait(sweep, found, OCP_DECODE_STRING, from, to, false);
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
near_miss(OcpSweep *sweep, const OcpOpen *open, const OcpOpen *parent)
{
    const OcpCapture *capture = sweep->hunt->capture;
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
    if (parent != NULL && key_is(sweep, parent, "properties"))
        code = "schema-text";
    if (code != NULL)
        ocp_hunt_note(sweep->hunt, sweep->layer, open->start, code,
                      strcmp(code, "schema-invalid") == 0
                          ? "a required member is missing"
                          : NULL);
}

/* Closes the innermost container; its bracket is at at. */
static bool
close_top(OcpSweep *sweep)
{
    sweep->at++;
    OcpOpen *open = &sweep->open[sweep->depth - 1];
    OcpOpen *parent = sweep->depth > 1 ? open - 1 : NULL;
    if (open->names != 0) {
        if (has_quarry(sweep->hunt->capture, open->names)) {
            judge(sweep, open, parent);
            open->judged += (guint32)(sweep->at - open->start);
        } else {
            near_miss(sweep, open, parent);
        }
    }
    if (!open->object && open->values > 12 &&
        has_trace(sweep, open->start, sweep->at) && open->values == open->index &&
        g_ascii_isdigit(*bytes_at(sweep, open->start + 1)))
        ocp_sweep_wait(sweep, NULL, OCP_DECODE_NUMBERS, open->start, sweep->at, false);
    ocp_sweep_tell(sweep, open, parent != NULL && key_is(sweep, parent, "error"));
    sweep->depth--;
    if (parent == NULL) {
        ocp_sweep_settle(sweep);
        return true;
    }
    parent->values += open->values;
    parent->judged += MIN(open->judged, G_MAXUINT32 / 2 - parent->judged);
    parent->state = NEXT;
    return true;
}

/* ---- one token ----------------------------------------------------------- */

static bool
scan_key(OcpSweep *sweep, OcpOpen *open, gsize to)
{
    if (*bytes_at(sweep, sweep->at) != '"' || !scan_string(sweep, to))
        return false;
    open->key = (guint32)sweep->string + 1;
    open->key_size = (guint32)(sweep->string_end - sweep->string - 2);
    if (has_trace(sweep, sweep->string, sweep->string_end))
        open->names |= name_of(sweep, open->key, sweep->string_end - 1);
    open->state = COLON;
    return true;
}

static bool
scan_value(OcpSweep *sweep, OcpOpen *open, gsize to)
{
    char byte = *bytes_at(sweep, sweep->at);
    gsize from = sweep->at;
    bool done;
    open->index++;
    open->values++;
    if (byte == '{' || byte == '[')
        return push(sweep, byte == '{');
    if (byte == '"')
        done = scan_string(sweep, to);
    else if (byte == '-' || g_ascii_isdigit(byte))
        done = scan_number(sweep, to);
    else
        done = scan_word(sweep, to);
    if (!done)
        return false;
    if (byte == '"')
        note_string(sweep);
    if (open->object)
        note_member(sweep, open, from, sweep->at);
    open->state = NEXT;
    return true;
}

static bool
scan_token(OcpSweep *sweep, gsize to)
{
    OcpOpen *open = &sweep->open[sweep->depth - 1];
    char byte = *bytes_at(sweep, sweep->at);
    char closer = open->object ? '}' : ']';
    switch ((State)open->state) {
    case FIRST_KEY:
        if (byte == closer)
            return close_top(sweep);
        return scan_key(sweep, open, to);
    case KEY: return scan_key(sweep, open, to);
    case COLON: open->state = VALUE; return byte == ':' && sweep->at++ < to;
    case FIRST_ELEMENT:
        if (byte == closer)
            return close_top(sweep);
        return scan_value(sweep, open, to);
    case VALUE:
    case ELEMENT: return scan_value(sweep, open, to);
    case NEXT:
        if (byte == closer)
            return close_top(sweep);
        open->state = open->object ? KEY : ELEMENT;
        return byte == ',' && sweep->at++ < to;
    }
    return false;
}

/* ---- a line -------------------------------------------------------------- */

/* Moves to the next bracket that a trace may follow, or to the end of the line. */
static bool
find_open(OcpSweep *sweep, gsize to)
{
    if (!sweep->expects && !has_trace_behind(sweep, sweep->at)) {
        sweep->at = to;
        return false;
    }
    const char *bytes = sweep->layer->bytes;
    while (sweep->at < to && bytes[sweep->at] != '{' && bytes[sweep->at] != '[')
        sweep->at++;
    gsize run = 0;
    while (sweep->at + run < to && bytes[sweep->at + run] == '[')
        run++;
    if (run > sweep->hunt->capture->limits.depth) /* what begins before is too deep */
        sweep->at += run - sweep->hunt->capture->limits.depth;
    return sweep->at < to && push(sweep, bytes[sweep->at] == '{');
}

/* Scans from at to the end of a line; first: where the line begins, if a value from the
 * line before is open, or to. */
static void
scan_to(OcpSweep *sweep, gsize first, gsize to)
{
    for (;;) {
        if (sweep->depth == 0 && !find_open(sweep, to))
            break;
        skip_blanks(sweep, to);
        if (sweep->at >= to)
            break;
        if (!scan_token(sweep, to))
            ocp_sweep_fail(sweep, to, sweep->at == first);
    }
    sweep->at = to;
}

void
ocp_sweep_line(OcpSweep *sweep, gsize from, gsize to)
{
    find_traces(sweep);
    sweep->rescan += 4 * (to - from);
    sweep->at = from;
    sweep->line = from;
    if (sweep->rest)
        ocp_hunt_note(sweep->hunt, sweep->layer, from, "truncated",
                      "the rest of the value that the line before was cut from");
    sweep->rest = false;
    if (sweep->depth == 0) {
        scan_to(sweep, to, to);
        return;
    }
    if (to - from >= 5 && memcmp(bytes_at(sweep, from), "data:", 5) == 0)
        sweep->at += 5;
    skip_blanks(sweep, to);
    scan_to(sweep, sweep->at, to);
}

/* True if text begins with a value, as far as its first token goes. */
static bool
may_be_value(const char *text, gsize size)
{
    gsize end = 0;
    if (strchr("{[\"", *text) != NULL)
        return *text != '\0';
    if (g_ascii_isalpha(*text))
        return (size >= 4 && memcmp(text, "true", 4) == 0) ||
               (size >= 4 && memcmp(text, "null", 4) == 0) ||
               (size >= 5 && memcmp(text, "false", 5) == 0);
    while (end < size && is_of_number(text[end]))
        end++;
    return ocp_number_valid(text, end);
}

bool
ocp_sweep_may_begin(const OcpSweep *sweep, const char *text, gsize size)
{
    const OcpOpen *open = &sweep->open[sweep->depth - 1];
    bool closes = *text == (open->object ? '}' : ']');
    switch ((State)open->state) {
    case FIRST_KEY: return *text == '"' || closes;
    case KEY: return *text == '"';
    case COLON: return *text == ':';
    case FIRST_ELEMENT: return closes || may_be_value(text, size);
    case VALUE:
    case ELEMENT: return may_be_value(text, size);
    case NEXT: return *text == ',' || closes;
    }
    return false;
}

bool
ocp_sweep_waits(OcpSweep *sweep)
{
    if (sweep->broken)
        return true;
    if (sweep->depth == 0)
        return false;
    if (has_trace_behind(sweep, sweep->open[0].start))
        return true;
    sweep->depth = 0;
    ocp_sweep_settle(sweep);
    return false;
}

void
ocp_sweep_end(OcpSweep *sweep)
{
    gsize to = sweep->layer->length;
    if (sweep->depth > 0) /* the end of the line that was the last */
        while (to > 0 && sweep->layer->bytes[to - 1] == '\n')
            to--;
    sweep->broken = false;
    while (sweep->depth > 0) {
        sweep->at = to;
        ocp_sweep_fail(sweep, to, true);
        scan_to(sweep, to, to);
    }
    ocp_sweep_settle(sweep);
}
