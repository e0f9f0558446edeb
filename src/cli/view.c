/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { INTERVAL = 100000, PLAIN_COLUMNS = 80 }; /* microseconds; columns */

struct OcpView {
    bool on;
    bool always;
    OcpProgress progress;
    gint64 drawn_at;
    gint drawn; /* atomic: it is on the screen */
};

OcpView *
ocp_view_new(const OcpOptions *options, guint64 total)
{
    OcpView *view = g_new0(OcpView, 1);
    const char *terminal = g_getenv("TERM");
    bool fit = isatty(STDERR_FILENO) && g_strcmp0(terminal, "dumb") != 0 &&
               !options->quiet && !options->json_messages && total > 1;
    view->on = options->progress == OCP_COLOR_AUTO
                   ? fit
                   : options->progress == OCP_COLOR_ALWAYS;
    view->always = options->progress == OCP_COLOR_ALWAYS;
    view->progress.total = total;
    view->progress.started = g_get_monotonic_time();
    view->drawn_at = view->progress.started;
    return view;
}

void
ocp_view_free(OcpView *view)
{
    g_free(view);
}

void
ocp_view_count(OcpView *view, bool failed, bool skipped)
{
    view->progress.done++;
    view->progress.failed += failed;
    view->progress.skipped += skipped;
}

static guint
columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
    return PLAIN_COLUMNS;
}

static void
print(const char *text, gsize size)
{
    (void)!write(STDERR_FILENO, text, size);
}

void
ocp_view_draw(OcpView *view)
{
    if (!view->on)
        return;
    gint64 now = g_get_monotonic_time();
    bool last = view->always && view->progress.done == view->progress.total;
    if (now - view->drawn_at < INTERVAL && !last)
        return;
    view->drawn_at = now;
    g_autoptr(GString) line = g_string_new("\r");
    ocp_progress_append(&view->progress, now, columns() - 1, line);
    g_string_append(line, "\033[K");
    g_atomic_int_set(&view->drawn, 1);
    print(line->str, line->len);
}

void
ocp_view_clear(OcpView *view)
{
    static const char erase[] = "\r\033[K";
    if (view != NULL && g_atomic_int_exchange(&view->drawn, 0) != 0)
        print(erase, sizeof erase - 1);
}
