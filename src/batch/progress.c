/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/progress.h"

enum { BAR_LEAST = 10, BAR_MOST = 30, SECOND = 1000000 };

static void
append_time(guint64 seconds, GString *out)
{
    if (seconds >= 3600)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT ":%02u:%02u", seconds / 3600,
                               (guint)(seconds / 60 % 60), (guint)(seconds % 60));
    else
        g_string_append_printf(out, "%u:%02u", (guint)(seconds / 60),
                               (guint)(seconds % 60));
}

/* The time left supposes that what is to come takes as long as what was done; what was
 * skipped took none. */
static void
append_rate(const OcpProgress *progress, gint64 now, GString *out)
{
    gint64 passed = MAX(now - progress->started, 1);
    double rate = (double)progress->done * SECOND / (double)passed;
    g_string_append_printf(out, ", %.0f/s", rate);
    guint64 worked = progress->done - progress->skipped;
    if (progress->total <= progress->done || progress->done == 0)
        return;
    double each = (double)passed / (double)(worked > 0 ? worked : progress->done);
    double left = each * (double)(progress->total - progress->done) / SECOND;
    g_string_append(out, ", ");
    append_time((guint64)left + 1, out);
    g_string_append(out, " left");
}

static void
append_bar(const OcpProgress *progress, guint width, GString *out)
{
    guint full = (guint)(progress->done * width / progress->total);
    g_string_append_c(out, '[');
    for (guint i = 0; i < width; i++)
        g_string_append_c(out, i < full ? '=' : i == full ? '>' : ' ');
    g_string_append(out, "] ");
}

void
ocp_progress_append(const OcpProgress *progress, gint64 now, guint columns,
                    GString *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%" G_GUINT64_FORMAT, progress->done);
    if (progress->total > 0)
        g_string_append_printf(text, "/%" G_GUINT64_FORMAT, progress->total);
    g_string_append(text, " files");
    append_rate(progress, now, text);
    if (progress->failed > 0)
        g_string_append_printf(text, ", %" G_GUINT64_FORMAT " failed",
                               progress->failed);
    gsize room = columns > text->len + 3 ? columns - text->len - 3 : 0;
    if (progress->total > 0 && room >= BAR_LEAST)
        append_bar(progress, (guint)MIN(room, BAR_MOST), out);
    g_string_append_len(out, text->str, (gssize)MIN(text->len, columns));
}
