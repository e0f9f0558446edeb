/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { FIRST_BUFFER = 1 << 16 };

static bool
fail_errno(OcpReport *report, const char *path, const char *code, int error)
{
    OcpDiagnostic *diagnostic =
        ocp_report_add(report, OCP_ERROR, code, "cannot read: %s", g_strerror(error));
    diagnostic->file = g_strdup(path);
    return false;
}

static bool
fail_text(OcpReport *report, const char *path, const char *code, const char *text)
{
    OcpDiagnostic *diagnostic = ocp_report_add(report, OCP_ERROR, code, "%s", text);
    diagnostic->file = g_strdup(path);
    return false;
}

/* Devices can be endless; of them only a terminal and the null device are read. */
static bool
readable_kind(int file, const struct stat *status, const char **ret_why)
{
    *ret_why = NULL;
    if (S_ISDIR(status->st_mode))
        *ret_why = "is a directory, not a file";
    else if (S_ISBLK(status->st_mode))
        *ret_why = "is a block device, not a file";
    else if (S_ISCHR(status->st_mode) && status->st_rdev != makedev(1, 3) &&
             !isatty(file))
        *ret_why = "is a device, not a file";
    return *ret_why == NULL;
}

/* read() that goes on after a signal and waits where the other end set O_NONBLOCK. */
static gssize
read_some(int file, char *buffer, gsize size)
{
    for (;;) {
        gssize got = read(file, buffer, size);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN) {
            struct pollfd wait = {.fd = file, .events = POLLIN};
            (void)poll(&wait, 1, -1);
        }
    }
}

static gsize
first_size(const struct stat *status, guint64 most)
{
    if (!S_ISREG(status->st_mode) || status->st_size <= 0)
        return FIRST_BUFFER;
    /* One more than the file holds: the read that finds the end needs no growth. */
    return (gsize)MIN((guint64)status->st_size, most) + 1;
}

static bool
read_all(int file, const struct stat *status, const char *path, guint64 most,
         OcpReport *report, GBytes **ret)
{
    gsize room = first_size(status, most);
    gsize size = 0;
    g_autofree char *buffer = g_try_malloc(room);
    while (buffer != NULL) {
        gssize got = read_some(file, buffer + size, room - size);
        if (got < 0)
            return fail_errno(report, path, "io.read", errno);
        if (got == 0) {
            *ret = g_bytes_new_take(g_steal_pointer(&buffer), size);
            return true;
        }
        size += (gsize)got;
        if (size > most)
            break;
        if (size < room)
            continue;
        char *grown = room > G_MAXSIZE / 2 ? NULL : g_try_realloc(buffer, room * 2);
        if (grown == NULL)
            break;
        buffer = grown;
        room *= 2;
    }
    if (size <= most)
        return fail_errno(report, path, "io.memory", ENOMEM);
    OcpDiagnostic *diagnostic =
        ocp_report_add(report, OCP_ERROR, "limit.bytes",
                       "larger than %" G_GUINT64_FORMAT " bytes", most);
    diagnostic->file = g_strdup(path);
    return false;
}

static bool
same_file(const struct stat *before, const struct stat *after)
{
    return before->st_size == after->st_size &&
           before->st_mtim.tv_sec == after->st_mtim.tv_sec &&
           before->st_mtim.tv_nsec == after->st_mtim.tv_nsec;
}

static bool
read_open(int file, const char *path, guint64 most, OcpReport *report, OcpInput *ret)
{
    struct stat before;
    if (fstat(file, &before) != 0)
        return fail_errno(report, path, "io.read", errno);
    const char *why;
    if (!readable_kind(file, &before, &why))
        return fail_text(report, path, "io.kind", why);
    g_autoptr(GBytes) bytes = NULL;
    if (!read_all(file, &before, path, most, report, &bytes))
        return false;
    bool regular = S_ISREG(before.st_mode);
    struct stat after;
    if (regular && (fstat(file, &after) != 0 || !same_file(&before, &after)))
        return fail_text(report, path, "io.changed", "changed while it was read");
    ret->bytes = g_steal_pointer(&bytes);
    ret->modified = regular ? (gint64)before.st_mtim.tv_sec : -1;
    return true;
}

bool
ocp_input_read(const char *path, guint64 most, OcpReport *report, OcpInput *ret)
{
    if (strcmp(path, "-") == 0)
        return read_open(STDIN_FILENO, path, most, report, ret);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail_errno(report, path, "io.open", errno);
    bool done = read_open(file, path, most, report, ret);
    (void)close(file);
    return done;
}

void
ocp_input_protect(const char *path, OcpFileSet *set)
{
    struct stat status;
    int failed =
        strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(path, &status);
    if (failed == 0 && S_ISREG(status.st_mode))
        ocp_file_set_add(set, ocp_file_id(&status));
}
