/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/turns.h"

#include <string.h>

#include "batch/workers.h"
#include "cli/report.h"
#include "text/json.h"

enum {
    MOST_WAITING = 64,
    MOST_AT_ONCE = 16,    /* documents that a thread is given */
    WORTH = 200,          /* microseconds of work that are worth waking a thread for */
    MOST_BYTES = 1 << 20, /* of documents that wait, unless one alone is larger */
    MOST_JOBS = 16
};

struct OcpTurns {
    OcpWork *work;
    bool live;           /* what is found is wanted at once */
    OcpWorkers *workers; /* NULL: not yet, or not at all */
    GPtrArray *batch;    /* Found, for a thread; or NULL */
    guint64 count;       /* of documents so far */
    GQueue waiting;      /* Found, oldest first */
    gsize bytes;         /* of the documents that wait */
    GMutex lock;
    GCond made;
    /* under lock: */
    bool stopped; /* nothing more is wanted */
    bool waits;   /* somebody waits until something is made */
    gint64 spent; /* microseconds, on so many documents: */
    gint64 done;
};

/* ---- one document -------------------------------------------------------- */

typedef struct {
    OcpWork *work;
    const OcpPlanItem *item;
    OcpCaptured *captured;
    OcpResult *result;
    char *name; /* of its output */
    OcpDocument *document;
    OcpDocument *provenance;
    bool made; /* under lock */
} Found;

/* "kernel.log.2026-06-01T08-01-01.037Z.L11.O1129": what its output is called. */
static char *
name_of(const OcpPlanItem *item, const OcpCaptured *captured)
{
    GString *name = g_string_new(item->name);
    g_string_append_c(name, '.');
    const char *time = captured->time != NULL ? captured->time : "undated";
    for (gsize i = 0; time[i] != '\0' && i < 40; i++) {
        bool plain = g_ascii_isalnum(time[i]) || strchr(".+-", time[i]) != NULL;
        g_string_append_c(name, plain ? time[i] : '-');
    }
    g_string_append_printf(name, ".L%" G_GUINT64_FORMAT ".O%" G_GUINT64_FORMAT,
                           captured->line, captured->offset);
    return g_string_free(name, FALSE);
}

static OcpDocument *
read_document(const Found *found)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autofree char *name = g_strdup_printf("%s:%" G_GUINT64_FORMAT, found->item->path,
                                            found->captured->line);
    OcpDocument *document = NULL;
    ocp_json_read(found->captured->text, name, &limits, found->result->report,
                  &document);
    return document;
}

static void
say_doubts(const Found *found)
{
    const OcpCaptured *captured = found->captured;
    for (guint i = 0; i < captured->warnings->len; i++) {
        const char *text = captured->warnings->pdata[i];
        OcpDiagnostic *warning = ocp_report_add(found->result->report, OCP_WARNING,
                                                "log.doubtful", "%s", text);
        warning->file = g_strdup(found->item->path);
        warning->line = (guint)MIN(captured->line, G_MAXUINT);
    }
}

static Found *
found_new(const OcpTurns *turns, const OcpPlanItem *item, const OcpCaptured *captured)
{
    Found *found = g_new0(Found, 1);
    found->work = turns->work;
    found->item = item;
    found->captured = ocp_captured_copy(captured);
    found->result = ocp_result_new(item->path, 0);
    found->result->line = captured->line;
    found->result->offset = captured->offset;
    found->result->value = captured->number;
    return found;
}

static void
found_free(Found *found)
{
    ocp_captured_free(found->captured);
    ocp_result_free(found->result);
    g_free(found->name);
    ocp_document_unref(found->document);
    ocp_document_unref(found->provenance);
    g_free(found);
}

static OcpOrigin
origin_of(const Found *found)
{
    return (OcpOrigin){.name = found->item->path,
                       .modified = -1,
                       .epoch = found->work->epoch,
                       .provenance_key = OCP_CAPTURE_KEY,
                       .provenance = found->provenance,
                       .changes = found->captured->changes};
}

/* Any thread may do this. */
static void
convert(Found *found)
{
    OcpWork *work = found->work;
    OcpOptions options = *work->options;
    options.convert.from = found->captured->dialect;
    found->document = read_document(found);
    if (options.mode != OCP_MODE_CHECK) { /* which writes nothing */
        found->name = name_of(found->item, found->captured);
        found->provenance = ocp_captured_provenance(found->captured, found->item->name);
    }
    OcpOrigin origin = origin_of(found);
    say_doubts(found);
    if (found->document != NULL)
        ocp_result_make(found->result, work->context, &options, work->syntax, &origin,
                        found->document);
}

static void
settle(OcpTurns *turns, Found *found)
{
    OcpWork *work = turns->work;
    g_autoptr(GString) entries = work->report != NULL ? g_string_new(NULL) : NULL;
    if (found->result->kind == OCP_RESULT_REPEATED) {
        ocp_report_append(found->result, false, entries);
    } else {
        g_autoptr(GPtrArray) documents = g_ptr_array_new();
        g_ptr_array_add(documents, found->document);
        OcpTask task = {.work = work,
                        .item = found->item,
                        .origin = origin_of(found),
                        .syntax = work->syntax,
                        .input = {.name = found->name},
                        .documents = documents};
        ocp_task_settle(&task, found->result, &work->messages, entries);
        ocp_tally_merge(&work->tally, &task.tally);
        ocp_tally_clear(&task.tally);
    }
    if (entries != NULL)
        ocp_spool_append(work->report, entries->str, entries->len);
    work->stopped =
        work->stopped || (work->options->fail_fast && work->tally.exit != 0);
}

/* ---- several at a time --------------------------------------------------- */

/* Converts documents (Found) in a thread of its own. */
static void
convert_apart(gpointer pointer, gpointer data)
{
    OcpTurns *turns = data;
    GPtrArray *batch = pointer;
    gint64 begin = g_get_monotonic_time();
    g_mutex_lock(&turns->lock);
    bool wanted = !turns->stopped;
    g_mutex_unlock(&turns->lock);
    for (guint i = 0; wanted && i < batch->len; i++)
        convert(batch->pdata[i]);
    g_mutex_lock(&turns->lock);
    for (guint i = 0; i < batch->len; i++)
        ((Found *)batch->pdata[i])->made = true;
    turns->spent += g_get_monotonic_time() - begin;
    turns->done += batch->len;
    if (turns->waits)
        g_cond_signal(&turns->made);
    g_mutex_unlock(&turns->lock);
    g_ptr_array_unref(batch);
}

/* Gives the batch to a thread. */
static void
hand_out(OcpTurns *turns)
{
    if (turns->batch == NULL)
        return;
    ocp_workers_push(turns->workers, g_steal_pointer(&turns->batch));
}

/* Adds a document to the batch; the quicker they are made the more it holds. */
static void
add_to_batch(OcpTurns *turns, Found *found)
{
    if (turns->batch == NULL)
        turns->batch = g_ptr_array_sized_new(MOST_AT_ONCE);
    g_ptr_array_add(turns->batch, found);
    g_mutex_lock(&turns->lock);
    gint64 work =
        turns->done > 0 ? turns->batch->len * turns->spent / turns->done : WORTH;
    g_mutex_unlock(&turns->lock);
    if (work >= WORTH || turns->batch->len == MOST_AT_ONCE)
        hand_out(turns);
}

/* Whether the oldest document is made; waits for it if asked to. Tells the threads if
 * no more are wanted. */
static bool
is_made(OcpTurns *turns, const Found *found, bool wait)
{
    g_mutex_lock(&turns->lock);
    turns->waits = wait;
    while (wait && !found->made)
        g_cond_wait(&turns->made, &turns->lock);
    turns->waits = false;
    bool made = found->made;
    turns->stopped = turns->work->stopped;
    g_mutex_unlock(&turns->lock);
    return made;
}

/* Delivers documents whose turn it is; all: waits until there are no more. */
static void
settle_made(OcpTurns *turns, bool all)
{
    Found *found;
    while ((found = g_queue_peek_head(&turns->waiting)) != NULL) {
        bool full = turns->waiting.length > MOST_WAITING || turns->bytes > MOST_BYTES;
        if (all || full)
            hand_out(turns);
        if (!is_made(turns, found, all || full))
            break;
        if (!turns->work->stopped)
            settle(turns, found);
        g_queue_pop_head(&turns->waiting);
        turns->bytes -= g_bytes_get_size(found->captured->text);
        found_free(found);
    }
}

/* Whether other threads are to convert it. The first document is converted by the
 * thread that searches: many logs have no other. */
static bool
has_threads(OcpTurns *turns)
{
    guint jobs = MIN(turns->work->options->jobs, MOST_JOBS);
    if (turns->live)
        return false;
    if (turns->count++ != 1 || jobs < 2)
        return turns->workers != NULL;
    turns->workers = ocp_workers_new(jobs, convert_apart, turns);
    return turns->workers != NULL;
}

static void
wait_for_turn(OcpTurns *turns, Found *found)
{
    g_queue_push_tail(&turns->waiting, found);
    turns->bytes += g_bytes_get_size(found->captured->text);
    settle_made(turns, false);
}

void
ocp_turns_convert(OcpTurns *turns, const OcpPlanItem *item, const OcpCaptured *captured)
{
    Found *found = found_new(turns, item, captured);
    if (has_threads(turns)) {
        add_to_batch(turns, found);
    } else {
        convert(found);
        found->made = true;
    }
    wait_for_turn(turns, found);
}

void
ocp_turns_repeat(OcpTurns *turns, const OcpPlanItem *item, const OcpCaptured *captured)
{
    if (turns->work->report == NULL)
        return;
    Found *found = found_new(turns, item, captured);
    found->result->kind = OCP_RESULT_REPEATED;
    found->made = true;
    wait_for_turn(turns, found);
}

void
ocp_turns_settle(OcpTurns *turns)
{
    settle_made(turns, true);
}

void
ocp_turns_set_live(OcpTurns *turns, bool live)
{
    turns->live = live;
}

OcpTurns *
ocp_turns_new(OcpWork *work)
{
    OcpTurns *turns = g_new0(OcpTurns, 1);
    turns->work = work;
    g_queue_init(&turns->waiting);
    g_mutex_init(&turns->lock);
    g_cond_init(&turns->made);
    return turns;
}

void
ocp_turns_free(OcpTurns *turns)
{
    ocp_workers_free(turns->workers);
    g_mutex_clear(&turns->lock);
    g_cond_clear(&turns->made);
    g_free(turns);
}
