/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/work.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/input.h"
#include "batch/pool.h"
#include "cli/filter.h"
#include "cli/logs.h"
#include "cli/outputs.h"
#include "cli/suggest.h"
#include "cli/work_private.h"

enum { AHEAD_OF_EACH = 32 };

static void
release_document(gpointer document)
{
    ocp_document_unref(document);
}

static void
free_result(gpointer result)
{
    ocp_result_free(result);
}

/* ---- one input ------------------------------------------------------------- */

static OcpTask *
task_new(OcpWork *work, const OcpPlanItem *item)
{
    OcpTask *task = g_new0(OcpTask, 1);
    task->work = work;
    task->item = item;
    task->origin =
        (OcpOrigin){.name = item->path, .modified = -1, .epoch = work->epoch};
    task->first = ocp_result_new(item->path, 0);
    task->results = g_ptr_array_new_with_free_func(free_result);
    task->said = g_string_new(NULL);
    task->entries = work->report != NULL ? g_string_new(NULL) : NULL;
    return task;
}

static void
task_free(gpointer pointer)
{
    OcpTask *task = pointer;
    g_clear_pointer(&task->documents, g_ptr_array_unref);
    ocp_result_free(task->first);
    g_ptr_array_unref(task->results);
    g_string_free(task->said, TRUE);
    if (task->entries != NULL)
        g_string_free(task->entries, TRUE);
    ocp_tally_clear(&task->tally);
    g_free(task);
}

/* A result that is to be delivered: now, if nobody has to wait for it, else in turn. */
static void
finish(OcpTask *task, OcpResult *result)
{
    if (!task->work->settles_early) {
        g_ptr_array_add(task->results, result);
        return;
    }
    OcpMessages messages = task->work->messages;
    messages.into = task->said;
    ocp_task_settle(task, result, &messages, task->entries);
    ocp_result_free(result);
}

/* What reading had to say belongs to the first document. */
static OcpResult *
result_for(OcpTask *task, guint index)
{
    OcpResult *result = index == 0 ? g_steal_pointer(&task->first)
                                   : ocp_result_new(task->item->path, 0);
    result->number = task->documents->len > 1 ? index + 1 : 0;
    return result;
}

static OcpResult *
convert(OcpTask *task, guint index)
{
    OcpWork *work = task->work;
    OcpResult *result = result_for(task, index);
    ocp_result_make(result, work->context, work->options, task->syntax, &task->origin,
                    task->documents->pdata[index]);
    if (result->kind == OCP_RESULT_FAILED)
        ocp_suggest_logs(task->item->path, result->report);
    ocp_document_unref(task->documents->pdata[index]);
    task->documents->pdata[index] = NULL;
    return result;
}

/* True if there is nothing to do for the input. */
static bool
is_current(OcpTask *task, GBytes *bytes)
{
    OcpWork *work = task->work;
    if (work->folder == NULL)
        return false;
    task->input =
        ocp_folder_input(work->folder, task->item, bytes, task->origin.modified);
    return ocp_folder_is_current(work->folder, &task->input, &task->first->output);
}

/* Reads the documents. False: there is nothing to convert, and first says why. */
static bool
open_input(OcpTask *task)
{
    OcpWork *work = task->work;
    OcpReport *report = task->first->report;
    if (task->item->fault != NULL) {
        ocp_report_move(report, task->item->fault);
        return false;
    }
    g_autoptr(GBytes) bytes = NULL;
    if (!ocp_task_read(task, report, &bytes))
        return false;
    if (is_current(task, bytes)) {
        task->first->kind = OCP_RESULT_CURRENT;
        return false;
    }
    if (!ocp_task_parse(task, bytes, report, &task->documents))
        return false;
    g_ptr_array_set_free_func(task->documents, release_document);
    bool many = task->documents->len > 1;
    task->only = !work->several && !many;
    task->syntax = work->syntax;
    if (work->several || ocp_sink_syntax(work->sink, many, report, &task->syntax))
        return true;
    g_clear_pointer(&task->documents, g_ptr_array_unref);
    return false;
}

/* Where documents have to wait for their turn and an input holds many, they are
 * converted when it comes: their results are larger than they are. */
static void
make(gpointer pointer, gpointer data)
{
    (void)data;
    OcpTask *task = pointer;
    task->only = !task->work->several;
    if (!open_input(task)) {
        finish(task, g_steal_pointer(&task->first));
        return;
    }
    if (!task->work->settles_early && task->documents->len > 1)
        return;
    for (guint i = 0; i < task->documents->len; i++)
        finish(task, convert(task, i));
}

static void
settle_in_turn(OcpTask *task, OcpResult *result)
{
    OcpWork *work = task->work;
    ocp_task_settle(task, result, &work->messages, task->entries);
    if (work->report != NULL) {
        ocp_spool_append(work->report, task->entries->str, task->entries->len);
        g_string_truncate(task->entries, 0);
    }
}

static void
deliver_results(OcpTask *task)
{
    if (task->results->len > 0) {
        settle_in_turn(task, task->results->pdata[0]);
        return;
    }
    for (guint i = 0; i < task->documents->len; i++) {
        g_autoptr(OcpResult) result = convert(task, i);
        settle_in_turn(task, result);
    }
}

static bool
deliver(gpointer pointer, gpointer data)
{
    OcpTask *task = pointer;
    OcpWork *work = data;
    if (task->said->len > 0 || !work->settles_early)
        ocp_view_clear(work->view);
    if (!work->settles_early) {
        deliver_results(task);
    } else {
        ocp_messages_print(&work->messages, task->said);
        if (work->report != NULL)
            ocp_spool_append(work->report, task->entries->str, task->entries->len);
    }
    bool good = task->tally.exit == 0;
    ocp_view_count(work->view, !good, task->tally.kinds[OCP_RESULT_CURRENT] > 0);
    ocp_tally_merge(&work->tally, &task->tally);
    task_free(task);
    ocp_view_draw(work->view);
    work->stopped = !good && work->options->fail_fast;
    return !work->stopped;
}

static gpointer
next(gpointer data)
{
    OcpWork *work = data;
    return work->next < work->plan->items->len
               ? task_new(work, work->plan->items->pdata[work->next++])
               : NULL;
}

static void
idle(gpointer data)
{
    OcpWork *work = data;
    ocp_view_draw(work->view);
}

static void
run_all(OcpWork *work)
{
    const OcpPoolJob job = {.next = next,
                            .make = make,
                            .deliver = deliver,
                            .drop = task_free,
                            .idle = idle};
    guint jobs = MIN(work->options->jobs, work->plan->items->len);
    ocp_pool_run(jobs, jobs * AHEAD_OF_EACH, &job, work);
    ocp_view_clear(work->view);
}

/* ---- the run --------------------------------------------------------------- */

/* Writes what waited for the end: a shared output, and the report. */
static void
close_all(OcpWork *work)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    bool written = ocp_sink_close(work->sink, work->tally.exit == 0, report);
    if (work->folder != NULL)
        ocp_folder_sync(work->folder);
    if (written && work->report != NULL) {
        OcpOutputOptions options = {.never = work->set, .signals = work->signals};
        ocp_spool_write(work->report, &options, report);
    }
    ocp_messages_report(&work->messages, NULL, report);
    work->tally.exit = ocp_exit_worst(work->tally.exit, ocp_exit_of(report));
    if (work->stopped)
        ocp_messages_account(&work->messages, NULL,
                             "stopped at the first failure (--fail-fast)", NULL);
    ocp_tally_print(&work->tally, &work->messages);
}

static guint
count_documents(const char *path, gpointer data)
{
    OcpPlanItem item = {.path = (char *)path};
    OcpTask *task = task_new(data, &item);
    g_autoptr(OcpReport) ignored = ocp_report_new();
    g_autoptr(GBytes) bytes = NULL;
    guint count = 0;
    if (strcmp(path, "-") != 0 && ocp_task_read(task, ignored, &bytes) &&
        ocp_task_parse(task, bytes, ignored, &task->documents)) {
        g_ptr_array_set_free_func(task->documents, release_document);
        count = task->documents->len;
    }
    task_free(task);
    return count;
}

static bool
read_list(const OcpOptions *options, OcpReport *report, char ***ret)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpInput list;
    *ret = NULL;
    if (options->files_from == NULL)
        return true;
    if (!ocp_input_read(options->files_from, limits.bytes, report, &list))
        return false;
    *ret = ocp_plan_split(list.bytes);
    g_bytes_unref(list.bytes);
    return true;
}

static bool
has_folder(const OcpOptions *options)
{
    struct stat status;
    for (guint i = 0; i < options->input_count; i++)
        if (stat(options->inputs[i], &status) == 0 && S_ISDIR(status.st_mode))
            return true;
    return false;
}

static bool
make_plan(OcpWork *work, OcpReport *report)
{
    const OcpOptions *options = work->options;
    bool tree = ocp_sink_kind(work->sink) == OCP_SINK_FOLDER;
    g_auto(GStrv) listed = NULL;
    g_autofree char *reserved = ocp_outputs_reserved(options, tree);
    if (!ocp_outputs_check(options, tree, reserved, report) ||
        !read_list(options, report, &listed))
        return false;
    OcpPlanOptions plan = {
        .inputs = options->inputs,
        .input_count = options->input_count,
        .listed = listed,
        .include = options->include,
        .exclude = options->exclude,
        .output = tree ? options->output : NULL,
        .syntax = options->convert.syntax,
        .companions = options->companion,
        .reserved = reserved,
        .tree = tree && !options->logs, /* of a log's outputs each has its own name */
        .shard = options->shard,
        .count = count_documents,
        .data = work,
    };
    return ocp_plan_make(&plan, work->set, report, &work->plan) &&
           ocp_outputs_check_inputs(options, work->set, report);
}

/* Settles what goes where. Errors are usage.* or io.*. */
static bool
prepare(OcpWork *work, OcpReport *report)
{
    const OcpOptions *options = work->options;
    bool folder = has_folder(options);
    work->several = folder || options->files_from != NULL || options->input_count > 1 ||
                    options->logs;
    if (folder && options->mode == OCP_MODE_CONVERT && options->output == NULL)
        return ocp_fail(report, "usage.output",
                        "a folder needs --output FOLDER, or --output - for one stream");
    if (!ocp_sink_new(options, work->several, work->set, work->signals, report,
                      &work->sink) ||
        !make_plan(work, report) ||
        (work->several && !ocp_sink_syntax(work->sink, true, report, &work->syntax)))
        return false;
    bool into_folder = ocp_sink_kind(work->sink) == OCP_SINK_FOLDER;
    work->settles_early = into_folder || options->mode == OCP_MODE_CHECK ||
                          options->mode == OCP_MODE_ROUND_TRIP;
    work->messages.brief = (folder || options->files_from != NULL) &&
                           !options->verbose && !options->dry_run &&
                           !options->json_messages;
    g_atomic_pointer_set(
        &work->view, ocp_view_new(options, work->several ? work->plan->items->len : 0));
    if (!into_folder)
        return true;
    OcpFolderSetup setup = {.options = options,
                            .plan = work->plan,
                            .set = work->set,
                            .signals = work->signals,
                            .epoch = work->epoch,
                            .batch = work->several};
    return ocp_folder_new(&setup, report, &work->folder);
}

/* What was written stands; the rest is for the next run. */
static void
say_interrupted(int signal, gpointer data)
{
    static const char text[] = "ocp-convert: interrupted\n";
    OcpWork *work = data;
    (void)signal;
    ocp_view_clear(g_atomic_pointer_get(&work->view));
    if (!work->messages.quiet)
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
}

static void
clear(OcpWork *work)
{
    ocp_folder_free(work->folder);
    ocp_sink_free(work->sink);
    ocp_plan_free(work->plan);
    ocp_spool_free(work->report);
    ocp_tally_clear(&work->tally);
    ocp_signals_free(work->signals);
    ocp_view_free(work->view);
    ocp_file_set_free(work->set);
}

int
ocp_work_run(const OcpOptions *options, OcpContext *context, gint64 epoch,
             const OcpMessages *messages)
{
    OcpWork work = {.options = options,
                    .context = context,
                    .messages = *messages,
                    .epoch = epoch,
                    .set = ocp_file_set_new()};
    work.signals = ocp_signals_new(say_interrupted, &work);
    if (options->report != NULL)
        work.report = ocp_spool_new(options->report);
    g_autoptr(OcpReport) report = ocp_report_new();
    bool ready =
        options->lines ? ocp_filter_run(&work, report) : prepare(&work, report);
    ocp_messages_report(messages, NULL, report);
    work.tally.exit = ocp_exit_worst(work.tally.exit, ocp_exit_of(report));
    if (ready && !options->lines) {
        if (options->logs)
            ocp_logs_run(&work);
        else
            run_all(&work);
        close_all(&work);
    }
    int exit = work.tally.exit;
    clear(&work);
    return exit;
}
