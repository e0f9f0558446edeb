/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/capture.h"

#include <errno.h>
#include <string.h>

#include "capture/scan.h"
#include "convert/context.h"

enum { MOST_SEEN = 200000 /* values remembered; the oldest are forgotten first */ };

typedef struct {
    guint number;
    guint occurrences;
} Seen;

/* ---- what is looked for -------------------------------------------------- */

static void
free_quarry(gpointer pointer)
{
    OcpQuarry *quarry = pointer;
    g_free(quarry->time);
}

static int
add_name(OcpCapture *capture, const OcpNode *name, bool hidden)
{
    if (!ocp_is(name, OCP_STRING))
        return -1;
    g_autofree char *text = ocp_text_dup(name);
    return ocp_needles_add(capture->needles, text, hidden);
}

static void
add_near(OcpCapture *capture, const OcpNode *near)
{
    OcpIter iter = ocp_iter(ocp_is(near, OCP_OBJECT) ? near : NULL);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        int index = add_name(capture, key, false);
        if (index >= 0 && capture->near[index] == NULL && ocp_is(value, OCP_STRING))
            capture->near[index] = ocp_text_dup(value);
    }
}

static bool
add_dialect(OcpCapture *capture, OcpRegistry *registry, OcpDialect *dialect,
            OcpReport *report)
{
    const OcpNode *used = dialect->used_head != NULL ? dialect->used_head->root : NULL;
    const OcpNode *how = ocp_mapping_peek(dialect->head->root, used, "capture");
    const OcpNode *needles = ocp_member(how, "needles");
    OcpQuarry quarry = {.dialect = dialect->label};
    if (!ocp_is(needles, OCP_ARRAY))
        return true;
    OcpIter iter = ocp_iter(needles);
    for (const OcpNode *name; (name = ocp_iter_element(&iter)) != NULL;) {
        int index = add_name(capture, name, quarry.names == 0);
        if (index >= 0)
            quarry.names |= (guint32)1 << index;
    }
    if (quarry.names == 0 ||
        !ocp_dialect_schema(registry, dialect, report, &quarry.schema))
        return quarry.names == 0;
    const OcpNode *time = ocp_member(how, "time");
    quarry.time = ocp_is(time, OCP_STRING) ? ocp_text_dup(time) : NULL;
    capture->required |= quarry.names;
    add_near(capture, ocp_member(how, "near"));
    g_array_append_val(capture->quarries, quarry);
    return true;
}

bool
ocp_capture_new(OcpContext *context, const OcpCaptureLimits *limits, OcpReport *report,
                OcpCapture **ret)
{
    const OcpCaptureLimits defaults = OCP_CAPTURE_LIMITS_DEFAULT;
    const GPtrArray *dialects = NULL;
    if (!ocp_registry_list(context->registry, report, &dialects))
        return false;
    g_autoptr(OcpCapture) capture = g_new0(OcpCapture, 1);
    capture->limits = limits != NULL ? *limits : defaults;
    capture->needles = ocp_needles_new();
    capture->quarries = g_array_new(FALSE, FALSE, sizeof(OcpQuarry));
    g_array_set_clear_func(capture->quarries, free_quarry);
    capture->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    capture->order = g_queue_new();
    for (guint i = 0; i < dialects->len; i++)
        if (!add_dialect(capture, context->registry, dialects->pdata[i], report))
            return false;
    if (capture->quarries->len == 0)
        return ocp_fail(report, "capture.dialect",
                        "no mapping says how its documents are found in logs");
    *ret = g_steal_pointer(&capture);
    return true;
}

void
ocp_capture_free(OcpCapture *capture)
{
    if (capture == NULL)
        return;
    ocp_needles_free(capture->needles);
    g_array_unref(capture->quarries);
    for (gsize i = 0; i < G_N_ELEMENTS(capture->near); i++)
        g_free(capture->near[i]);
    g_queue_free(capture->order);
    g_hash_table_unref(capture->seen);
    g_free(capture);
}

/* ---- handing over -------------------------------------------------------- */

typedef struct {
    OcpCapture *capture;
    const OcpCaptureSink *sink;
} Run;

/* Gives the value its number, and counts its occurrences. */
static void
number(OcpCapture *capture, OcpCaptured *captured)
{
    Seen *seen = g_hash_table_lookup(capture->seen, captured->digest);
    if (seen == NULL) {
        if (g_hash_table_size(capture->seen) >= MOST_SEEN)
            g_hash_table_remove(capture->seen, g_queue_pop_head(capture->order));
        char *digest = g_strdup(captured->digest);
        seen = g_new0(Seen, 1);
        seen->number = ++capture->numbers;
        g_hash_table_insert(capture->seen, digest, seen);
        g_queue_push_tail(capture->order, digest);
    }
    captured->number = seen->number;
    captured->occurrence = ++seen->occurrences;
}

/* Said before of the same line, or a mere mention where more was said. */
static bool
is_redundant(const OcpHunt *hunt, guint index)
{
    const OcpNoted *noted = hunt->notes->pdata[index];
    if (noted->remark.mention && (hunt->finds->len > 0 || hunt->notes->len > 1))
        return index > 0 || hunt->finds->len > 0 ||
               !((const OcpNoted *)hunt->notes->pdata[hunt->notes->len - 1])
                    ->remark.mention;
    if (index == 0)
        return false;
    const OcpNoted *before = hunt->notes->pdata[index - 1];
    return before->remark.line == noted->remark.line &&
           strcmp(before->remark.code, noted->remark.code) == 0;
}

static void
hand_over(OcpHunt *hunt)
{
    const Run *run = hunt->data;
    for (guint i = 0; i < hunt->finds->len; i++) {
        number(run->capture, hunt->finds->pdata[i]);
        run->sink->found(hunt->finds->pdata[i], run->sink->data);
    }
    for (guint i = 0; i < hunt->notes->len; i++) {
        const OcpNoted *noted = hunt->notes->pdata[i];
        if (is_redundant(hunt, i))
            continue;
        run->capture->noted++;
        run->sink->remark(&noted->remark, run->sink->data);
    }
}

static void
hand_over_remark(const OcpCaptureRemark *remark, gpointer data)
{
    const Run *run = data;
    run->capture->noted++;
    run->sink->remark(remark, run->sink->data);
}

bool
ocp_capture_read(OcpCapture *capture, int file, const char *name,
                 const OcpCaptureSink *sink, OcpReport *report)
{
    g_autoptr(OcpLogReader) reader = ocp_log_reader_new(file);
    Run run = {capture, sink};
    OcpScanSink scan = {hand_over, hand_over_remark, &run};
    if (!ocp_scan(capture, reader, &scan)) {
        int error = errno;
        ocp_fail(report, "io.read", "cannot read %s: %s", name, g_strerror(error));
        return false;
    }
    OcpCaptureRemark remark = {0};
    const char *detail = NULL;
    remark.code = ocp_log_reader_fault(reader, &detail);
    remark.detail = (char *)detail;
    if (remark.code != NULL)
        sink->remark(&remark, sink->data);
    return true;
}
