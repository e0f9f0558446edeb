/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hunt.h"

#include <string.h>

#include "capture/sweep.h"

enum {
    MOST_LIVE = 18 << 20, /* bytes of decoded layers at a time */
    SPARE_WORK = 16384,   /* bytes that may be worked on in any record */
    MOST_NOTES = 8192,    /* of one record */
    MUCH = 64             /* documents or notes to be handed over early */
};

/* ---- places -------------------------------------------------------------- */

const OcpLayer *
ocp_layer_record(const OcpLayer *layer)
{
    while (layer->up != NULL)
        layer = layer->up;
    return layer;
}

/* One layer down. base64 has no bytes of its own: its opening quote stands for them. */
static const OcpLayer *
step_down(const OcpLayer *layer, gsize *at)
{
    const OcpLayer *up = layer->up;
    if (layer->decoding != OCP_DECODE_BASE64 && layer->decoding != OCP_DECODE_GZIP) {
        *at = layer->from + ocp_decode_place(layer->decoding, up->bytes + layer->from,
                                             layer->to - layer->from, *at);
        return up;
    }
    bool whole = layer->from == 0 && up->up != NULL && up->from > 0;
    if (whole && up->up->bytes[up->from - 1] == '"') {
        *at = up->from - 1;
        return up->up;
    }
    *at = layer->from > 0 && up->bytes[layer->from - 1] == '"' ? layer->from - 1
                                                               : layer->from;
    return up;
}

/* The last point at or before a byte of the record. */
static guint
point_of(const GArray *map, gsize at)
{
    guint low = 0, high = map->len;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        if (g_array_index(map, OcpMapPoint, middle).text <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* How many bytes of the log a piece of the record's text was. */
static guint64
log_size(const OcpLayer *record, gsize from, gsize to)
{
    return record->utf16 ? ocp_utf16_size(record->bytes + from, to - from) : to - from;
}

guint64
ocp_utf16_size(const char *text, gsize length)
{
    guint64 size = 0;
    for (gsize i = 0; i < length; i++) {
        guchar byte = (guchar)text[i];
        size += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 4 : 2;
    }
    return size;
}

OcpLogPlace
ocp_layer_place(const OcpLayer *layer, gsize at)
{
    while (layer->up != NULL)
        layer = step_down(layer, &at);
    OcpLogPlace place = {layer->line, 0};
    if (layer->map->len == 0)
        return place;
    const OcpMapPoint *point =
        &g_array_index(layer->map, OcpMapPoint, point_of(layer->map, at));
    place.line += point->line;
    place.offset = point->offset + log_size(layer, point->text, at);
    return place;
}

static void
record_changes(const OcpLayer *record, gsize from, gsize to, GPtrArray *changes)
{
    guint first = point_of(record->map, from), last = point_of(record->map, to);
    bool apart = false;
    for (guint i = first + 1; i <= last && i < record->map->len; i++) {
        const OcpMapPoint *point = &g_array_index(record->map, OcpMapPoint, i);
        const OcpMapPoint *before = point - 1;
        apart = apart || point->offset - before->offset !=
                             log_size(record, before->text, point->text);
    }
    if (!apart)
        return;
    guint64 begin = record->line + g_array_index(record->map, OcpMapPoint, first).line;
    guint64 end = record->line + g_array_index(record->map, OcpMapPoint, last).line;
    if (begin != end)
        g_ptr_array_add(
            changes, g_strdup_printf("lines %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                                     " of the log were joined, without what the log "
                                     "put before and between them",
                                     begin, end));
    else if (!record->decoded)
        g_ptr_array_add(changes, g_strdup("terminal control sequences were left out"));
}

void
ocp_layer_changes(const OcpLayer *layer, gsize from, gsize to, GPtrArray *changes)
{
    gsize last = to > from ? to - 1 : to;
    while (layer->up != NULL) {
        if (layer->guess)
            g_ptr_array_add(changes,
                            g_strdup_printf("the log's own escapes (%s) were decoded",
                                            ocp_decoding_name(layer->decoding)));
        const OcpLayer *down = step_down(layer, &from);
        step_down(layer, &last);
        layer = down;
    }
    record_changes(layer, from, last, changes);
}

/* ---- what was found ------------------------------------------------------ */

static void
free_captured(gpointer captured)
{
    ocp_captured_free(captured);
}

static void
free_noted(gpointer pointer)
{
    OcpNoted *noted = pointer;
    g_free(noted->remark.detail);
    g_free(noted);
}

void
ocp_hunt_init(OcpHunt *hunt, const OcpCapture *capture)
{
    memset(hunt, 0, sizeof *hunt);
    hunt->capture = capture;
    hunt->finds = g_ptr_array_new_with_free_func(free_captured);
    hunt->notes = g_ptr_array_new_with_free_func(free_noted);
    hunt->work = SPARE_WORK;
}

void
ocp_hunt_reset(OcpHunt *hunt)
{
    g_ptr_array_set_size(hunt->finds, 0);
    g_ptr_array_set_size(hunt->notes, 0);
    hunt->handed = false;
    hunt->work = SPARE_WORK;
    hunt->live = 0;
}

void
ocp_hunt_flush(OcpHunt *hunt)
{
    if (hunt->flush == NULL || hunt->finds->len + hunt->notes->len < MUCH)
        return;
    hunt->handed = true;
    hunt->flush(hunt);
    g_ptr_array_set_size(hunt->finds, 0);
    g_ptr_array_set_size(hunt->notes, 0);
}

void
ocp_hunt_clear(OcpHunt *hunt)
{
    g_ptr_array_unref(hunt->finds);
    g_ptr_array_unref(hunt->notes);
}

bool
ocp_hunt_spend(OcpHunt *hunt, gsize bytes)
{
    if (bytes > hunt->work)
        return false;
    hunt->work -= bytes;
    return true;
}

OcpNoted *
ocp_hunt_note(OcpHunt *hunt, const OcpLayer *layer, gsize at, const char *code,
              const char *detail)
{
    if (hunt->notes->len >= MOST_NOTES)
        return &hunt->spare;
    OcpLogPlace place = ocp_layer_place(layer, at);
    OcpNoted *noted = g_new0(OcpNoted, 1);
    noted->remark.code = code;
    noted->remark.line = place.line;
    noted->remark.offset = place.offset;
    noted->remark.detail = g_strdup(detail);
    noted->layer = layer->number;
    noted->at = at;
    g_ptr_array_add(hunt->notes, noted);
    return noted;
}

void
ocp_hunt_withdraw(OcpHunt *hunt, const OcpLayer *layer, gsize at)
{
    while (hunt->notes->len > 0) {
        const OcpNoted *last = hunt->notes->pdata[hunt->notes->len - 1];
        if (last->layer != layer->number || last->at < at)
            break;
        g_ptr_array_set_size(hunt->notes, (int)hunt->notes->len - 1);
    }
}

/* ---- a layer ------------------------------------------------------------- */

/* A link longer, for an encoding that is no JSON string. */
static char *
chain(const OcpLayer *layer, OcpDecoding decoding)
{
    const char *before = layer->wrapper != NULL ? layer->wrapper : "";
    return g_strdup_printf("%s%s%s", before, *before != '\0' ? ">" : "",
                           ocp_decoding_name(decoding));
}

void
ocp_hunt_span(OcpHunt *hunt, const OcpLayer *up, gsize from, gsize to,
              OcpDecoding decoding, const char *wrapper, const char *rpc_id,
              bool fallback)
{
    if (up->number >= hunt->capture->limits.layers) {
        ocp_hunt_note(hunt, up, from, "depth-limit", "too many strings in strings");
        return;
    }
    if (!ocp_hunt_spend(hunt, to - from) || hunt->live + (to - from) > MOST_LIVE) {
        ocp_hunt_note(hunt, up, from, "span-limit", NULL);
        return;
    }
    gsize most = decoding == OCP_DECODE_GZIP
                     ? MIN(hunt->capture->limits.span, hunt->work)
                     : to - from;
    g_autoptr(GString) text = g_string_sized_new(64);
    if (!ocp_decode(decoding, up->bytes + from, to - from, most, text) ||
        ocp_needles_find(hunt->capture->needles, text->str, text->str + text->len,
                         NULL) == NULL)
        return;
    /* Escapes make text shorter: a guess that there are some was wrong. */
    if (fallback && decoding == OCP_DECODE_STRING && text->len == to - from)
        return;
    OcpLayer layer = {.bytes = text->str,
                      .length = text->len,
                      .number = up->number + 1,
                      .up = up,
                      .from = from,
                      .to = to,
                      .decoding = decoding,
                      .fallback = fallback,
                      .guess = fallback && !up->fallback,
                      .wrapper = wrapper,
                      .rpc_id = rpc_id,
                      .stream = up->stream,
                      .stamp = up->stamp};
    guint notes = hunt->notes->len;
    hunt->live += text->len;
    ocp_hunt_layer(hunt, &layer);
    hunt->live -= text->len;
    if (layer.guess)
        g_ptr_array_set_size(hunt->notes, (int)notes);
}

void
ocp_hunt_layer(OcpHunt *hunt, const OcpLayer *layer)
{
    guint finds = hunt->finds->len, notes = hunt->notes->len;
    OcpLayer own = *layer;
    OcpSweep *sweep = g_new(OcpSweep, 1);
    ocp_sweep_init(sweep, hunt, &own);
    const char *end = layer->bytes + layer->length;
    for (const char *at = layer->bytes; at < end;) {
        const char *line = memchr(at, '\n', (gsize)(end - at));
        line = line == NULL ? end : line;
        if (sweep->broken)
            ocp_sweep_accepts(sweep, at, (gsize)(line - at));
        ocp_sweep_line(sweep, (gsize)(at - layer->bytes), (gsize)(line - layer->bytes));
        at = line + 1;
    }
    ocp_sweep_end(sweep);
    bool cut = sweep->cut;
    ocp_sweep_clear(sweep);
    g_free(sweep);
    ocp_hunt_rest(hunt, layer, finds, notes, cut);
}

/* ---- what is left -------------------------------------------------------- */

static void
search_base64(OcpHunt *hunt, const OcpLayer *layer)
{
    const char *end = layer->bytes + layer->length;
    const OcpPattern *pattern = NULL;
    const char *at = layer->bytes;
    while (at < end &&
           (at = ocp_needles_find(hunt->capture->needles, at, end, &pattern)) != NULL) {
        if (pattern->sign != OCP_SIGN_BASE64 && pattern->sign != OCP_SIGN_GZIP) {
            at += pattern->length;
            continue;
        }
        const char *from = at;
        while (from > layer->bytes && ocp_is_base64(from[-1]))
            from--;
        while (at < end && ocp_is_base64(*at))
            at++;
        OcpDecoding decoding =
            pattern->sign == OCP_SIGN_GZIP ? OCP_DECODE_GZIP : OCP_DECODE_BASE64;
        g_autofree char *wrapper = chain(layer, decoding);
        ocp_hunt_span(hunt, layer, (gsize)(from - layer->bytes),
                      (gsize)(at - layer->bytes), decoding, wrapper, layer->rpc_id,
                      layer->fallback);
    }
}

static bool
holds(const OcpLayer *layer, const char *text)
{
    return memmem(layer->bytes, layer->length, text, strlen(text)) != NULL;
}

/* True if the layer, or one it came from, was made by this decoding. */
static bool
came_from(const OcpLayer *layer, OcpDecoding decoding)
{
    for (; layer->up != NULL; layer = layer->up)
        if (layer->decoding == decoding)
            return true;
    return false;
}

/* The first required name in the layer, or NULL. */
static const char *
first_name(const OcpHunt *hunt, const OcpLayer *layer, gsize *ret_length)
{
    const char *end = layer->bytes + layer->length;
    const OcpPattern *pattern = NULL;
    const char *at = layer->bytes;
    while (at < end &&
           (at = ocp_needles_find(hunt->capture->needles, at, end, &pattern)) != NULL) {
        *ret_length = pattern->length;
        if (pattern->sign == OCP_SIGN_NAME &&
            hunt->capture->required & (guint32)1 << pattern->name)
            return at;
        at += pattern->length;
    }
    return NULL;
}

/* True if the first name stands right behind a quote that is spelled so. */
static bool
is_quoted(const OcpHunt *hunt, const OcpLayer *layer, const char *quote)
{
    gsize size = strlen(quote), length;
    const char *at = first_name(hunt, layer, &length);
    return at != NULL && (gsize)(at - layer->bytes) >= size &&
           memcmp(at - size, quote, size) == 0;
}

/* Text may hold what looks like another encoding: the quotes of the name decide. */
static bool
may_be(const OcpHunt *hunt, const OcpLayer *layer, OcpDecoding decoding)
{
    if (decoding == OCP_DECODE_STRING)
        return memchr(layer->bytes, '\\', layer->length) != NULL;
    if (came_from(layer, decoding))
        return false;
    if (decoding == OCP_DECODE_OCTAL)
        return is_quoted(hunt, layer, "\"") && !is_quoted(hunt, layer, "\\\"") &&
               (holds(layer, "{#01") || holds(layer, ",#01"));
    return is_quoted(hunt, layer, "\\x22");
}

/* Guesses how the layer is encoded as a whole. */
static void
search_guesses(OcpHunt *hunt, const OcpLayer *layer)
{
    static const OcpDecoding guesses[] = {OCP_DECODE_HEX, OCP_DECODE_OCTAL,
                                          OCP_DECODE_STRING};
    guint finds = hunt->finds->len;
    for (gsize i = 0; i < G_N_ELEMENTS(guesses) && hunt->finds->len == finds; i++) {
        if (!may_be(hunt, layer, guesses[i]) ||
            layer->number >= hunt->capture->limits.layers)
            continue;
        g_autofree char *wrapper = chain(layer, guesses[i]);
        ocp_hunt_span(hunt, layer, 0, layer->length, guesses[i], wrapper, layer->rpc_id,
                      true);
    }
}

static bool
has_hard_note(const OcpHunt *hunt, guint notes)
{
    for (guint i = notes; i < hunt->notes->len; i++) {
        const OcpNoted *noted = hunt->notes->pdata[i];
        if (!noted->soft && !noted->remark.mention)
            return true;
    }
    return false;
}

static void
drop_soft_notes(OcpHunt *hunt, guint notes)
{
    for (guint i = hunt->notes->len; i > notes; i--) {
        const OcpNoted *noted = hunt->notes->pdata[i - 1];
        if (noted->soft || noted->remark.mention)
            g_ptr_array_remove_index(hunt->notes, i - 1);
    }
}

/* Says of the first name in the layer what it is. Where it is printed in a syntax of
 * its own, what was noted behind it came from its inside, and is taken back. */
static void
note_name(OcpHunt *hunt, const OcpLayer *layer, guint notes, bool cut)
{
    gsize length = 0;
    const char *at = first_name(hunt, layer, &length);
    if (at == NULL)
        return;
    gsize place = (gsize)(at - layer->bytes);
    const char *code = ocp_diagnose_name(layer, place, length, cut);
    if (hunt->notes->len > notes) {
        const OcpNoted *first = hunt->notes->pdata[notes];
        static const char *const own[] = {"python-repr", "util-inspect",
                                          "msgpack-print", "yaml", NULL};
        if (first->layer != layer->number || first->at <= place ||
            !g_strv_contains(own, code))
            return;
        g_ptr_array_set_size(hunt->notes, (int)notes);
    }
    OcpNoted *noted = ocp_hunt_note(hunt, layer, place, code, NULL);
    noted->remark.mention = strcmp(code, "mention") == 0;
}

void
ocp_hunt_rest(OcpHunt *hunt, const OcpLayer *layer, guint finds, guint notes, bool cut)
{
    if (hunt->finds->len > finds || (layer->up == NULL && hunt->handed))
        return;
    search_base64(hunt, layer);
    if (hunt->finds->len == finds && !has_hard_note(hunt, notes))
        search_guesses(hunt, layer);
    if (hunt->finds->len > finds)
        drop_soft_notes(hunt, notes);
    else
        note_name(hunt, layer, notes, cut);
}
