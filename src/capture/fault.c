/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that begin and do not end: what is said of them, where the sweep goes on, and
 * whether a line may go on with what is open.
 */
#include <string.h>

#include "capture/sweep.h"

/* The outermost open object that has a required name. */
static const OcpOpen *
failed_object(const OcpSweep *sweep)
{
    for (guint i = 0; i < sweep->depth; i++)
        if (sweep->open[i].names & sweep->hunt->capture->required)
            return &sweep->open[i];
    return NULL;
}

static void
remember_broken(OcpSweep *sweep)
{
    sweep->broken = true;
    sweep->broken_depth = sweep->depth;
    for (guint i = 0; i < sweep->depth; i++)
        sweep->broken_objects[i] = sweep->open[i].object;
    sweep->broken_note = sweep->hunt->notes->len - 1;
}

/* A value with a name ends at fault without its end. */
static void
note_failure(OcpSweep *sweep, const OcpOpen *open, gsize fault, gsize to, bool ended)
{
    const char *code =
        ocp_diagnose_fault(sweep->hunt, sweep->layer, open->start, fault, to);
    sweep->torn = true;
    sweep->torn_start = open->start;
    sweep->torn_end = fault;
    sweep->torn_line = sweep->line;
    sweep->marked =
        code != NULL && strcmp(code, "truncated") == 0 && !sweep->unterminated;
    if (sweep->too_deep)
        code = "depth-limit";
    else if (code == NULL)
        code = ended ? "truncated" : "json-syntax";
    bool mention = strcmp(code, "mention") == 0;
    OcpNoted *noted = ocp_hunt_note(sweep->hunt, sweep->layer, open->start, code, NULL);
    noted->soft = true;
    noted->remark.mention = mention;
    if (sweep->unterminated && !sweep->too_deep && noted != &sweep->hunt->spare)
        remember_broken(sweep);
}

/* Where to go on behind a failure at fault. */
static gsize
resume_place(OcpSweep *sweep, gsize fault, gsize outermost, gsize to)
{
    gsize back = 0;
    gsize string_end = sweep->string_end;
    if (sweep->string > outermost && string_end <= fault &&
        string_end > sweep->string) {
        gsize between = string_end;
        while (between < fault && g_ascii_isspace(sweep->layer->bytes[between]))
            between++;
        back = between == fault ? sweep->string + 1 : 0;
    }
    if (sweep->unterminated && sweep->string > outermost)
        back = sweep->string + 1;
    gsize onward = sweep->unterminated ? to : fault;
    if (back == 0 || back >= onward || onward - back > sweep->rescan)
        return MAX(onward, outermost + 1);
    sweep->rescan -= onward - back;
    return back;
}

void
ocp_sweep_fail(OcpSweep *sweep, gsize to, bool ended)
{
    gsize fault = sweep->at;
    gsize outermost = sweep->open[0].start;
    const OcpOpen *open = failed_object(sweep);
    if (open != NULL) {
        for (guint i = 0; i < sweep->pending->len; i++) {
            const OcpPending *pending = &g_array_index(sweep->pending, OcpPending, i);
            if (pending->found != NULL && pending->from > open->start)
                ocp_hunt_note(sweep->hunt, sweep->layer, pending->from, "torn-line",
                              "the value around it never ended");
        }
        ocp_sweep_drop(sweep, open->start);
        note_failure(sweep, open, fault, to, ended || sweep->unterminated);
    }
    sweep->cut = sweep->cut || ended || sweep->unterminated;
    sweep->depth = 0;
    ocp_sweep_settle(sweep);
    sweep->at = resume_place(sweep, fault, outermost, to);
    sweep->unterminated = false;
    sweep->too_deep = false;
}

/* Does the string that a line ended in, taken on through text, end so that all that was
 * open is closed? */
static bool
mends(OcpSweep *sweep, const char *text, gsize size)
{
    bool in_string = true;
    guint depth = sweep->broken_depth;
    for (gsize at = 0; at < size && depth > 0; at++) {
        char byte = text[at];
        if (byte == '"')
            in_string = !in_string;
        else if (in_string)
            at += byte == '\\' ? 1 : 0;
        else if ((byte == '{' || byte == '[') && depth < OCP_SWEEP_DEPTH)
            sweep->broken_objects[depth++] = byte == '{';
        else if ((byte == '}' || byte == ']') &&
                 sweep->broken_objects[--depth] != (byte == '}'))
            return false;
    }
    return depth == 0;
}

/* What the line behind a broken one shows: that the program broke it, or that the log
 * cut it in two. True if the line is the rest of it. */
static bool
look_behind_break(OcpSweep *sweep, const char *text, gsize size)
{
    sweep->broken = false;
    if (sweep->broken_note >= sweep->hunt->notes->len || !mends(sweep, text, size))
        return false;
    if (sweep->layer->framed && sweep->layer->number == 0) {
        sweep->rest = true;
        return true;
    }
    OcpNoted *noted = sweep->hunt->notes->pdata[sweep->broken_note];
    noted->remark.code = "json-syntax";
    return false;
}

bool
ocp_sweep_accepts(OcpSweep *sweep, const char *text, gsize size)
{
    if (sweep->broken)
        return look_behind_break(sweep, text, size);
    if (size >= 5 && memcmp(text, "data:", 5) == 0) {
        text += 5;
        size -= 5;
    }
    while (size > 0 && g_ascii_isspace(*text)) {
        text++;
        size--;
    }
    return size == 0 || sweep->depth == 0 || ocp_sweep_may_begin(sweep, text, size);
}
