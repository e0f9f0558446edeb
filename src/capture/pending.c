/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits until the value around it is done: documents for the id of the message
 * they came in, strings because a document around them would make them its own.
 */
#include <string.h>

#include "capture/sweep.h"

enum { MOST_PENDING = 32768, MOST_PATH = 160, MOST_WAITING = 4 << 20 };

/* Where the value being scanned stands: "result.content[0].text". */
static char *
path_of(const OcpSweep *sweep, guint depth)
{
    GString *path = g_string_new(NULL);
    for (guint i = 0; i < depth && path->len < MOST_PATH; i++) {
        const OcpOpen *open = &sweep->open[i];
        if (!open->object) {
            g_string_append_printf(path, "[%u]", MAX(open->index, 1) - 1);
            continue;
        }
        if (path->len > 0)
            g_string_append_c(path, '.');
        gsize room = MIN(open->key_size, MOST_PATH / 4);
        for (gsize k = 0; k < room; k++) {
            char byte = sweep->layer->bytes[open->key + k];
            g_string_append_c(path, g_ascii_isgraph(byte) ? byte : '?');
        }
    }
    return g_string_free(path, FALSE);
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
hand_over(OcpSweep *sweep, OcpPending *pending, const char *rpc_id)
{
    OcpCaptured *found = g_steal_pointer(&pending->found);
    found->wrapper = chain(sweep->layer->wrapper, pending->path);
    found->rpc_id = g_strdup(rpc_id);
    g_ptr_array_add(sweep->hunt->finds, found);
}

/* Documents that wait would take too much memory: they go without an id. */
static void
hand_over_all(OcpSweep *sweep)
{
    guint kept = 0;
    OcpPending *all = (OcpPending *)(void *)sweep->pending->data;
    for (guint i = 0; i < sweep->pending->len; i++) {
        if (all[i].found == NULL) {
            all[kept++] = all[i];
            continue;
        }
        hand_over(sweep, &all[i], sweep->layer->rpc_id);
        g_free(all[i].path);
    }
    g_array_set_size(sweep->pending, kept);
    sweep->waiting = 0;
}

void
ocp_sweep_wait(OcpSweep *sweep, OcpCaptured *found, OcpDecoding decoding, gsize from,
               gsize to, bool plain)
{
    if (sweep->pending->len >= MOST_PENDING && found == NULL)
        return;
    /* A container that has just closed is still on the stack, but not in its own path.
     */
    bool container = found != NULL || decoding == OCP_DECODE_NUMBERS;
    OcpPending pending = {.found = found,
                          .decoding = decoding,
                          .from = (guint32)from,
                          .to = (guint32)to,
                          .path =
                              plain ? NULL : path_of(sweep, sweep->depth - container),
                          .plain = plain};
    g_array_append_val(sweep->pending, pending);
    sweep->waiting += found != NULL ? to - from : 0;
    if (sweep->waiting > MOST_WAITING)
        hand_over_all(sweep);
}

void
ocp_sweep_drop(OcpSweep *sweep, gsize from)
{
    while (sweep->pending->len > 0) {
        OcpPending *last =
            &g_array_index(sweep->pending, OcpPending, sweep->pending->len - 1);
        if (last->from < from)
            break;
        ocp_captured_free(last->found);
        g_free(last->path);
        g_array_set_size(sweep->pending, sweep->pending->len - 1);
    }
}

void
ocp_sweep_tell(OcpSweep *sweep, const OcpOpen *closed, bool under_error)
{
    bool error = closed->failed || (under_error && closed->code && closed->message);
    bool id = closed->rpc && closed->id_size > 0;
    if (!error && !id)
        return;
    for (guint i = sweep->pending->len; i > 0; i--) {
        OcpPending *pending = &g_array_index(sweep->pending, OcpPending, i - 1);
        if (pending->from < closed->start)
            break;
        pending->error = pending->error || error;
        if (!id || pending->id_size > 0)
            continue;
        pending->id = closed->id;
        pending->id_size = closed->id_size;
    }
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
search(OcpSweep *sweep, const OcpPending *pending, const char *rpc_id)
{
    OcpHunt *hunt = sweep->hunt;
    guint finds = hunt->finds->len, notes = hunt->notes->len;
    if (!pending->plain) {
        g_autofree char *wrapper = chain(sweep->layer->wrapper, pending->path);
        /* without quotes or brackets */
        ocp_hunt_span(hunt, sweep->layer, pending->from + 1, pending->to - 1,
                      pending->decoding, wrapper, rpc_id, sweep->layer->fallback);
    }
    bool nothing = hunt->finds->len == finds && !has_more_than_mention(hunt, notes);
    if (nothing && pending->error)
        ocp_hunt_note(hunt, sweep->layer, pending->from, "error-response", NULL);
    else if (nothing && pending->plain)
        ocp_hunt_note(hunt, sweep->layer, pending->from, "mention", NULL)
            ->remark.mention = true;
}

void
ocp_sweep_settle(OcpSweep *sweep)
{
    /* Searching strings does not touch this sweep; the array is ours. */
    for (guint i = 0; i < sweep->pending->len; i++) {
        OcpPending *pending = &g_array_index(sweep->pending, OcpPending, i);
        g_autofree char *own =
            pending->id_size > 0
                ? g_strndup(sweep->layer->bytes + pending->id, pending->id_size)
                : NULL;
        const char *rpc_id = own != NULL ? own : sweep->layer->rpc_id;
        if (pending->found != NULL)
            hand_over(sweep, pending, rpc_id);
        else
            search(sweep, pending, rpc_id);
    }
    ocp_sweep_drop(sweep, 0);
    sweep->waiting = 0;
    if (sweep->layer->up == NULL && !sweep->broken)
        ocp_hunt_flush(sweep->hunt);
}
