/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch/output.h"
#include "cli/dialects.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/result.h"
#include "cli/work.h"

#ifndef OCP_VERSION
#define OCP_VERSION "0.1.0"
#endif

/* A file that is opened while a standard descriptor is closed would get its number, and
 * our messages. What is opened in its place cannot be used the way it is meant to be.
 */
static void
occupy_standard_descriptors(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Sets *ret to SOURCE_DATE_EPOCH, or -1 if it is not set. */
static bool
read_epoch(OcpReport *report, gint64 *ret)
{
    const char *text = g_getenv("SOURCE_DATE_EPOCH");
    *ret = -1;
    if (text == NULL || *text == '\0')
        return true;
    guint64 epoch;
    /* 9999-12-31T23:59:59Z: what RFC 3339 can say */
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_GUINT64_CONSTANT(253402300799),
                                    &epoch, NULL))
        return ocp_fail(report, "usage.epoch",
                        "SOURCE_DATE_EPOCH is not a number of seconds since 1970");
    *ret = (gint64)epoch;
    return true;
}

static bool
write_out(const char *text, gsize size, OcpReport *report)
{
    OcpOutputOptions options = {0};
    return ocp_output_write("-", text, size, &options, report, NULL);
}

static bool
print_list(const OcpOptions *options, OcpContext *context, OcpReport *report)
{
    g_autoptr(GString) list = g_string_new(NULL);
    return ocp_dialects_append_list(context, options->json_messages, report, list) &&
           write_out(list->str, list->len, report);
}

/* Help, version and list need no input. Returns false if options ask for none. */
static bool
run_plain(const OcpOptions *options, OcpContext *context, OcpReport *report)
{
    g_autofree char *version = g_strdup_printf("ocp-convert %s\n", OCP_VERSION);
    switch (options->mode) {
    case OCP_MODE_HELP:
        write_out(ocp_help_text(), strlen(ocp_help_text()), report);
        return true;
    case OCP_MODE_VERSION: write_out(version, strlen(version), report); return true;
    case OCP_MODE_LIST:
        if (ocp_dialects_add_folders(context, options, report))
            print_list(options, context, report);
        return true;
    case OCP_MODE_CONVERT:
    case OCP_MODE_CHECK:
    case OCP_MODE_EXPLAIN:
    case OCP_MODE_ROUND_TRIP: break;
    }
    return false;
}

/* Ends the process with all that is still held, which goes with it: giving it back
 * piece by piece takes longer than converting a small file. A build that counts what is
 * left over (OCP_FREES_AT_EXIT) gives it back. */
static void
leave(G_GNUC_UNUSED int exit, const OcpContext *context, const OcpReport *report)
{
    /* held to the last, for whoever looks what nobody holds any more */
    const void *volatile held[] = {context, report};
    (void)held;
#ifndef OCP_FREES_AT_EXIT
    fflush(NULL);
    _exit(exit);
#endif
}

static int
run(const OcpOptions *options, const OcpMessages *messages, OcpContext *context,
    OcpReport *report)
{
    gint64 epoch = -1;
    bool done = run_plain(options, context, report);
    bool ready = !done && read_epoch(report, &epoch) &&
                 ocp_dialects_add_folders(context, options, report) &&
                 ocp_dialects_check(context, options, report);
    ocp_messages_report(messages, NULL, report);
    int exit = ocp_exit_of(report);
    if (ready)
        exit = ocp_work_run(options, context, epoch, messages);
    return exit;
}

/* Large pieces go back to the system when they are freed, where the C library would
 * learn from the first of them to keep the next; small ones stay for the next document.
 */
static void
keep_memory_small(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

int
main(int argc, char **argv)
{
    keep_memory_small();
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error we can report */
    g_autoptr(OcpContext) context = ocp_context_new();
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpOptions options;
    bool read = ocp_options_read(argc, argv, report, &options);
    OcpMessages messages = ocp_messages_new(&options);
    int exit;
    if (read) {
        exit = run(&options, &messages, context, report);
    } else {
        exit = ocp_exit_of(report);
        ocp_messages_report(&messages, NULL, report);
        if (!messages.json)
            ocp_messages_account(&messages, NULL, "Try ocp-convert --help", NULL);
    }
    leave(exit, context, report);
    ocp_options_clear(&options);
    return exit;
}
