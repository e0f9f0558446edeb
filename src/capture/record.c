/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/record.h"

#include <string.h>

enum { LARGE = 1 << 20, TRIM = 64 * 1024 };

OcpRecord *
ocp_record_new(const OcpCapture *capture)
{
    OcpRecord *record = g_new0(OcpRecord, 1);
    record->text = g_string_new(NULL);
    record->map = g_array_new(FALSE, FALSE, sizeof(OcpMapPoint));
    record->layer.map = record->map;
    ocp_hunt_init(&record->hunt, capture);
    ocp_sweep_init(&record->sweep, &record->hunt, &record->layer);
    return record;
}

void
ocp_record_free(OcpRecord *record)
{
    if (record == NULL)
        return;
    ocp_sweep_clear(&record->sweep);
    ocp_hunt_clear(&record->hunt);
    g_string_free(record->text, TRUE);
    g_array_unref(record->map);
    g_free(record);
}

void
ocp_record_begin(OcpRecord *record, guint64 key, const OcpFrame *frame,
                 const char *packing, guint64 line, bool utf16)
{
    bool named = *frame->name != '\0';
    ocp_sweep_reset(&record->sweep);
    ocp_hunt_reset(&record->hunt);
    if (record->text->allocated_len > LARGE) {
        g_string_free(record->text, TRUE);
        record->text = g_string_new(NULL);
    }
    g_string_truncate(record->text, 0);
    g_array_set_size(record->map, 0);
    record->key = key;
    record->frame = *frame;
    record->frame.body = NULL;
    g_snprintf(record->name, sizeof record->name, "%s%s%s",
               packing != NULL ? packing : "", packing != NULL && named ? ">" : "",
               frame->name);
    record->partial = false;
    record->line_start = 0;
    record->layer = (OcpLayer){
        .wrapper = record->name,
        .map = record->map,
        .line = line,
        .framed = named,
        .decoded = frame->string,
        .utf16 = utf16,
        .stream = record->frame.key[0] != '\0' ? record->frame.key : NULL,
        .stamp = record->frame.stamp[0] != '\0' ? record->frame.stamp : NULL,
    };
}

static void
scan_line(OcpRecord *record)
{
    record->layer.bytes = record->text->str;
    record->layer.length = record->text->len;
    record->hunt.work += 12 * (record->text->len - record->line_start);
    ocp_sweep_line(&record->sweep, record->line_start, record->text->len);
}

static void
append_text(OcpRecord *record, OcpPiece *piece)
{
    if (record->text->len > 0 || piece->text->len < LARGE) {
        g_string_append_len(record->text, piece->text->str, (gssize)piece->text->len);
        return;
    }
    GString *empty = record->text;
    record->text = piece->text;
    piece->text = empty;
}

bool
ocp_record_add(OcpRecord *record, OcpPiece *piece, guint64 line, bool partial)
{
    guint32 base = (guint32)record->text->len;
    for (guint i = 0; i < piece->points->len; i++) {
        OcpMapPoint point = g_array_index(piece->points, OcpMapPoint, i);
        point.text += base;
        point.line = (guint32)(line - record->layer.line);
        g_array_append_val(record->map, point);
    }
    append_text(record, piece);
    record->end_line = line;
    record->partial = partial;
    if (!partial) {
        scan_line(record);
        g_string_append_c(record->text, '\n');
        record->line_start = record->text->len;
    }
    return record->map->len < OCP_PIECE_POINTS;
}

bool
ocp_record_waits(OcpRecord *record)
{
    return record->partial || ocp_sweep_waits(&record->sweep);
}

void
ocp_record_trim(OcpRecord *record)
{
    const OcpSweep *sweep = &record->sweep;
    if (record->partial || sweep->depth == 0 || sweep->broken ||
        sweep->open[0].start < TRIM || record->layer.utf16)
        return;
    guint32 shift = sweep->open[0].start;
    OcpMapPoint *points = (OcpMapPoint *)(void *)record->map->data;
    guint kept = 0;
    for (guint i = 0; i < record->map->len; i++) {
        bool whole = points[i].text >= shift;
        bool part = !whole && (i + 1 == record->map->len || points[i + 1].text > shift);
        if (!whole && !part)
            continue;
        points[kept] = points[i];
        points[kept].offset += part ? shift - points[i].text : 0;
        points[kept++].text -= part ? points[i].text : shift;
    }
    g_array_set_size(record->map, kept);
    g_string_erase(record->text, 0, (gssize)shift);
    record->line_start -= shift;
    record->layer.bytes = record->text->str;
    record->layer.length -= shift;
    ocp_sweep_shift(&record->sweep);
}

void
ocp_record_end(OcpRecord *record)
{
    if (record->partial)
        scan_line(record);
    record->layer.bytes = record->text->str;
    record->layer.length = record->text->len;
    ocp_sweep_end(&record->sweep);
    ocp_hunt_rest(&record->hunt, &record->layer, 0, 0,
                  record->sweep.cut || record->partial);
}
