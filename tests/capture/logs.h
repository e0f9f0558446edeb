/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/capture.h"
#include "support.h"
#include "text/canonical.h"
#include "text/json.h"

/* Sanitizers keep memory of their own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LOGS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOGS_SANITIZED 1
#endif

/* The smallest documents that are ones. */
#define BRIEF                                                                          \
    "{\"unsettled_leases\":[],\"stale_commitments\":[],\"unassigned_blockers\":[],"    \
    "\"ranked_next_actions\":[],\"system_advisories\":[]}"
#define PULSE                                                                          \
    "{\"pulse_timestamp\":\"2026-06-01T08:00:00Z\","                                   \
    "\"workspace_stage_profile\":\"CAOP-STAGE-1\",\"resume_brief\":" BRIEF "}"

/*
 * Running the search over logs in tests, and keeping what it hands over.
 */
typedef struct {
    char *file;
    guint64 line;
    guint64 offset;
    char *what;   /* a document's text; a remark's code */
    char *digest; /* of a document */
    char *detail; /* a document's wrapper; a remark's detail */
    char *stamp;
    char *stream;
    char *rpc_id;
    guint number;
    guint warnings;
    guint changes;
    bool mention;
    bool used; /* by the test */
} Seen;

typedef struct {
    OcpContext *context;
    OcpCapture *capture;
    GPtrArray *found;   /* Seen */
    GPtrArray *remarks; /* Seen */
    const char *file;
    bool keep_text;
} Logs;

static inline void
free_seen(gpointer pointer)
{
    Seen *seen = pointer;
    g_free(seen->file);
    g_free(seen->what);
    g_free(seen->digest);
    g_free(seen->detail);
    g_free(seen->stamp);
    g_free(seen->stream);
    g_free(seen->rpc_id);
    g_free(seen);
}

static inline void
keep_found(const OcpCaptured *captured, gpointer data)
{
    Logs *logs = data;
    Seen *seen = g_new0(Seen, 1);
    gsize size;
    const char *text = g_bytes_get_data(captured->text, &size);
    seen->file = g_strdup(logs->file);
    seen->line = captured->line;
    seen->offset = captured->offset;
    seen->what = logs->keep_text ? g_strndup(text, size) : NULL;
    seen->digest = g_strdup(captured->digest);
    seen->detail = g_strdup(captured->wrapper);
    seen->stamp = g_strdup(captured->stamp);
    seen->stream = g_strdup(captured->stream);
    seen->rpc_id = g_strdup(captured->rpc_id);
    seen->number = captured->number;
    seen->warnings = captured->warnings->len;
    seen->changes = captured->changes->len;
    g_ptr_array_add(logs->found, seen);
}

static inline void
keep_remark(const OcpCaptureRemark *remark, gpointer data)
{
    Logs *logs = data;
    Seen *seen = g_new0(Seen, 1);
    seen->file = g_strdup(logs->file);
    seen->line = remark->line;
    seen->offset = remark->offset;
    seen->what = g_strdup(remark->code);
    seen->detail = g_strdup(remark->detail);
    seen->mention = remark->mention;
    g_ptr_array_add(logs->remarks, seen);
}

static inline void
logs_open(Logs *logs)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    memset(logs, 0, sizeof *logs);
    logs->context = ocp_context_new();
    logs->found = g_ptr_array_new_with_free_func(free_seen);
    logs->remarks = g_ptr_array_new_with_free_func(free_seen);
    logs->keep_text = true;
    if (!ocp_capture_new(logs->context, NULL, report, &logs->capture))
        ocp_test_fail("%s", ((OcpDiagnostic *)report->diagnostics->pdata[0])->message);
}

static inline void
logs_close(Logs *logs)
{
    ocp_capture_free(logs->capture);
    ocp_context_free(logs->context);
    g_ptr_array_unref(logs->found);
    g_ptr_array_unref(logs->remarks);
}

/* Forgets what was found. */
static inline void
logs_empty(Logs *logs)
{
    g_ptr_array_set_size(logs->found, 0);
    g_ptr_array_set_size(logs->remarks, 0);
}

/* Reads from an open file. */
static inline bool
logs_read(Logs *logs, int file, const char *name)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpCaptureSink sink = {keep_found, keep_remark, logs};
    logs->file = name;
    bool read = ocp_capture_read(logs->capture, file, name, &sink, report);
    logs->file = NULL;
    return read;
}

static inline bool
logs_read_path(Logs *logs, const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool read = file >= 0 && logs_read(logs, file, name);
    if (file >= 0)
        close(file);
    return read;
}

/* Reads bytes as if they were a file. */
static inline bool
logs_read_bytes(Logs *logs, const char *bytes, gsize size, const char *name)
{
    int file = memfd_create("log", MFD_CLOEXEC);
    gsize done = 0;
    while (done < size) {
        gssize count = write(file, bytes + done, size - done);
        if (count < 0)
            break;
        done += (gsize)count;
    }
    lseek(file, 0, SEEK_SET);
    bool read = done == size && logs_read(logs, file, name);
    close(file);
    return read;
}
