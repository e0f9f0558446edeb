/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = 10000 };

/* One file to be written, and all there is to know of its place. */
typedef struct {
    const char *shown; /* the path as given, for messages */
    char *path;        /* the path with symbolic links followed */
    char *folder;
    bool exists;
    struct stat old; /* of the file that is there */
    const void *data;
    gsize size;
    bool unsynced;
    OcpSignals *signals;
    const char *temporary;
    OcpReport *report;
    OcpFileId id; /* of what was written */
} Target;

static bool
fail(const Target *target, const char *code, const char *what, int error)
{
    OcpDiagnostic *diagnostic =
        error == 0 ? ocp_report_add(target->report, OCP_ERROR, code, "%s", what)
                   : ocp_report_add(target->report, OCP_ERROR, code, "%s: %s", what,
                                    g_strerror(error));
    bool standard = strcmp(target->shown, "-") == 0;
    diagnostic->file = g_strdup(standard ? "standard output" : target->shown);
    return false;
}

static bool
fail_write(const Target *target, int error)
{
    return fail(target, "io.write", "cannot write", error);
}

/* ---- bytes into a descriptor ----------------------------------------------- */

static bool
write_all(int file, const char *data, gsize size)
{
    while (size > 0) {
        gssize done = write(file, data, size);
        if (done > 0) {
            data += done;
            size -= (gsize)done;
        } else if (done < 0 && errno == EAGAIN) {
            struct pollfd wait = {.fd = file, .events = POLLOUT};
            (void)poll(&wait, 1, -1);
        } else if (done < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Some file systems say only on closing that a write failed; closing a copy asks them
 * while the descriptor is still needed. */
static bool
flush(int file)
{
    int copy = dup(file);
    return copy < 0 || close(copy) == 0;
}

/* Gives a file that is not in its place yet its owner, mode and content. */
static bool
fill(Target *target, int file)
{
    struct stat made;
    if (fstat(file, &made) != 0)
        return fail_write(target, errno);
    target->id = ocp_file_id(&made);
    const struct stat *old = &target->old;
    if (target->exists) {
        bool same = made.st_uid == old->st_uid && made.st_gid == old->st_gid;
        if (!same && fchown(file, old->st_uid, old->st_gid) != 0)
            return fail(target, "io.owner", "cannot keep the owner", errno);
        if (fchmod(file, old->st_mode & 07777) != 0)
            return fail(target, "io.owner", "cannot keep the mode", errno);
    }
    if (!write_all(file, target->data, target->size))
        return fail_write(target, errno);
    if (!target->unsynced && fsync(file) != 0)
        return fail_write(target, errno);
    return flush(file) || fail_write(target, errno);
}

/* ---- into place ------------------------------------------------------------ */

/* A signal between naming a temporary file and moving it would leave it behind. */
static void
hold_signals(const Target *target, sigset_t *before)
{
    ocp_signals_hold(target->signals);
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGQUIT);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

static void
release_signals(const Target *target, const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
    ocp_signals_release(target->signals);
}

static char *
temporary_name(const Target *target, guint attempt)
{
    if (target->temporary != NULL) {
        char *chosen = g_build_filename(target->folder, target->temporary, NULL);
        (void)unlink(chosen);
        return chosen;
    }
    g_autofree char *name =
        g_strdup_printf(".ocp-convert-%ld-%u.tmp", (long)getpid(), attempt);
    return g_build_filename(target->folder, name, NULL);
}

static int
create_mode(const Target *target)
{
    return target->exists ? 0600 : 0666;
}

static bool
move_into_place(const Target *target, const char *temporary)
{
    if (rename(temporary, target->path) == 0)
        return true;
    int error = errno;
    (void)unlink(temporary);
    return fail_write(target, error);
}

typedef enum { DONE, FAILED, NOT_SUPPORTED } Attempt;

static Attempt
name_and_move(const Target *target, int file)
{
    g_autofree char *self = g_strdup_printf("/proc/self/fd/%d", file);
    if (!target->exists &&
        linkat(AT_FDCWD, self, AT_FDCWD, target->path, AT_SYMLINK_FOLLOW) == 0)
        return DONE;
    for (guint attempt = 0; attempt < MOST_NAMES; attempt++) {
        g_autofree char *name = temporary_name(target, attempt);
        if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            return move_into_place(target, name) ? DONE : FAILED;
        if (errno != EEXIST)
            break;
    }
    return NOT_SUPPORTED;
}

/* The better way, where the file system has it: a file without a name, which goes away
 * by itself even if the process is killed. */
static Attempt
publish_unnamed(Target *target)
{
    int file =
        open(target->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, create_mode(target));
    if (file < 0)
        return NOT_SUPPORTED;
    Attempt attempt = FAILED;
    if (fill(target, file)) {
        sigset_t before;
        hold_signals(target, &before);
        attempt = name_and_move(target, file);
        release_signals(target, &before);
    }
    (void)close(file);
    return attempt;
}

static int
create_named(const Target *target, char **ret_name)
{
    for (guint attempt = 0; attempt < MOST_NAMES; attempt++) {
        g_autofree char *name = temporary_name(target, attempt);
        int file = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW,
                        create_mode(target));
        if (file >= 0) {
            *ret_name = g_steal_pointer(&name);
            return file;
        }
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static bool
publish_named(Target *target)
{
    g_autofree char *name = NULL;
    int file = create_named(target, &name);
    if (file < 0)
        return fail_write(target, errno);
    bool filled = fill(target, file);
    (void)close(file);
    if (filled)
        return move_into_place(target, name);
    (void)unlink(name);
    return false;
}

/* The entry in the folder is as durable as the content. The file is in its place by
 * now, so there is nothing to undo where a file system cannot do this. */
static void
sync_folder(const Target *target)
{
    int folder = open(target->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    (void)fsync(folder);
    (void)close(folder);
}

static bool
publish(Target *target)
{
    target->folder = g_path_get_dirname(target->path);
    Attempt attempt = publish_unnamed(target);
    if (attempt == NOT_SUPPORTED) {
        sigset_t before;
        hold_signals(target, &before);
        attempt = publish_named(target) ? DONE : FAILED;
        release_signals(target, &before);
    }
    if (attempt == DONE && !target->unsynced)
        sync_folder(target);
    return attempt == DONE;
}

/* ---- what the path leads to ------------------------------------------------ */

static bool protected(const struct stat *status, const OcpFileSet *never)
{
    return S_ISREG(status->st_mode) && ocp_file_set_has(never, ocp_file_id(status));
}

static bool
fail_protected(const Target *target)
{
    return fail(target, "io.over-input",
                "would be written over an input of this run, or another output", 0);
}

static bool
write_descriptor(Target *target, int file, const OcpFileSet *never)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return fail_write(target, errno);
    if (protected(&status, never))
        return fail_protected(target);
    target->id = ocp_file_id(&status);
    return write_all(file, target->data, target->size) || fail_write(target, errno);
}

static bool
write_special(Target *target)
{
    int file = open(target->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail_write(target, errno);
    bool written = write_all(file, target->data, target->size);
    int error = errno;
    if (close(file) != 0 && written) {
        written = false;
        error = errno;
    }
    return written || fail_write(target, error);
}

static bool
write_path(Target *target, const OcpFileSet *never)
{
    if (stat(target->path, &target->old) != 0)
        return errno == ENOENT ? publish(target) : fail_write(target, errno);
    target->exists = true;
    target->id = ocp_file_id(&target->old);
    if (S_ISDIR(target->old.st_mode))
        return fail(target, "io.kind", "is a directory, not a file", 0);
    if (!S_ISREG(target->old.st_mode))
        return write_special(target);
    if (protected(&target->old, never))
        return fail_protected(target);
    /* A rename would also replace a file that may not be written. */
    if (faccessat(AT_FDCWD, target->path, W_OK, AT_EACCESS) != 0)
        return fail_write(target, errno);
    return publish(target);
}

bool
ocp_output_write(const char *path, const void *data, gsize size,
                 const OcpOutputOptions *options, OcpReport *report, OcpFileId *ret_id)
{
    Target target = {.shown = path,
                     .data = data,
                     .size = size,
                     .unsynced = options->unsynced,
                     .signals = options->signals,
                     .temporary = options->temporary,
                     .report = report};
    target.path = ocp_file_target(path);
    bool done = target.path != NULL || fail_write(&target, errno);
    if (done) {
        int file = ocp_file_descriptor(target.path);
        done = file >= 0 ? write_descriptor(&target, file, options->never)
                         : write_path(&target, options->never);
    }
    if (done && ret_id != NULL)
        *ret_id = target.id;
    g_free(target.path);
    g_free(target.folder);
    return done;
}
