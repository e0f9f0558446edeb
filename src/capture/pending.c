/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits until the value around it is done: documents for the id of the message they
 * came in, strings because a document around them would make them its own.
 */
#include <string.h>

#include "capture/span.h"

enum { MOST_PENDING = 65536, MOST_PATH = 200 };

/* Where the value being scanned stands: "result.content[0].text". */
static char *
path_of(const OcpSpan *span, guint depth)
{
    GString *path = g_string_new(NULL);
    for (guint i = 0; i < depth && path->len < MOST_PATH; i++) {
        const OcpOpen *open = &span->open[i];
        if (!open->object) {
            g_string_append_printf(path, "[%u]", MAX(open->index, 1) - 1);
            continue;
        }
        if (path->len > 0)
            g_string_append_c(path, '.');
        gsize room = MIN(open->key_size, MOST_PATH / 4);
        for (gsize k = 0; k < room; k++) {
            char byte = span->layer->bytes[open->key + k];
            g_string_append_c(path, g_ascii_isgraph(byte) ? byte : '?');
        }
    }
    return g_string_free(path, FALSE);
}

void
ocp_span_wait(OcpSpan *span, OcpCaptured *found, OcpDecoding decoding, gsize from,
              gsize to, bool plain)
{
    if (span->pending->len >= MOST_PENDING && found == NULL)
        return;
    /* A container that has just closed is still on the stack, but not in its own path. */
    bool container = found != NULL || decoding == OCP_DECODE_NUMBERS;
    OcpPending pending = {.found = found,
                          .decoding = decoding,
                          .from = (guint32)from,
                          .to = (guint32)to,
                          .path = plain ? NULL : path_of(span, span->depth - container),
                          .plain = plain};
    g_array_append_val(span->pending, pending);
}

void
ocp_span_drop(OcpSpan *span, gsize from)
{
    while (span->pending->len > 0) {
        OcpPending *last =
            &g_array_index(span->pending, OcpPending, span->pending->len - 1);
        if (last->from < from)
            break;
        ocp_captured_free(last->found);
        g_free(last->path);
        g_array_set_size(span->pending, span->pending->len - 1);
    }
}

void
ocp_span_tell(OcpSpan *span, const OcpOpen *closed, bool under_error)
{
    bool error = closed->failed || (under_error && closed->code && closed->message);
    bool id = closed->rpc && closed->id_size > 0;
    if (!error && !id)
        return;
    for (guint i = span->pending->len; i > 0; i--) {
        OcpPending *pending = &g_array_index(span->pending, OcpPending, i - 1);
        if (pending->from < closed->start)
            break;
        pending->error = pending->error || error;
        if (!id || pending->id_size > 0)
            continue;
        pending->id = closed->id;
        pending->id_size = closed->id_size;
    }
}

/* The chain of wrappers, one link longer. */
static char *
chain(const char *before, const char *path)
{
    bool some = before != NULL && *before != '\0';
    if (path == NULL || *path == '\0')
        return g_strdup(some ? before : "");
    return g_strdup_printf("%s%sjson:%s", some ? before : "", some ? ">" : "", path);
}

static void
hand_over(OcpSpan *span, OcpPending *pending, const char *rpc_id)
{
    OcpCaptured *found = g_steal_pointer(&pending->found);
    found->wrapper = chain(span->layer->wrapper, pending->path);
    found->rpc_id = g_strdup(rpc_id);
    g_ptr_array_add(span->hunt->finds, found);
}

/* True if something was noted since that says more than that the name occurs. */
static bool
has_more_than_mention(const OcpHunt *hunt, guint notes)
{
    for (guint i = notes; i < hunt->notes->len; i++) {
        const OcpNoted *noted = hunt->notes->pdata[i];
        if (!noted->remark.mention)
            return true;
    }
    return false;
}

static void
search(OcpSpan *span, const OcpPending *pending, const char *rpc_id)
{
    OcpHunt *hunt = span->hunt;
    guint finds = hunt->finds->len, notes = hunt->notes->len;
    if (!pending->plain) {
        g_autofree char *wrapper = chain(span->layer->wrapper, pending->path);
        /* without quotes or brackets */
        ocp_hunt_span(hunt, span->layer, pending->from + 1, pending->to - 1,
                      pending->decoding, wrapper, rpc_id, span->layer->fallback);
    }
    bool nothing = hunt->finds->len == finds && !has_more_than_mention(hunt, notes);
    if (nothing && pending->error)
        ocp_hunt_note(hunt, span->layer, pending->from, "error-response", NULL);
    else if (nothing && pending->plain)
        ocp_hunt_note(hunt, span->layer, pending->from, "mention", NULL)->remark.mention =
            true;
}

void
ocp_span_settle(OcpSpan *span)
{
    /* Searching strings does not touch this span; the array is ours. */
    for (guint i = 0; i < span->pending->len; i++) {
        OcpPending *pending = &g_array_index(span->pending, OcpPending, i);
        g_autofree char *own =
            pending->id_size > 0
                ? g_strndup(span->layer->bytes + pending->id, pending->id_size)
                : NULL;
        const char *rpc_id = own != NULL ? own : span->layer->rpc_id;
        if (pending->found != NULL)
            hand_over(span, pending, rpc_id);
        else
            search(span, pending, rpc_id);
    }
    ocp_span_drop(span, 0);
}
