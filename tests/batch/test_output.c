/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file appears whole or not at all: also when any of the calls it takes fails. The
 * calls are replaced here by ones that fail on demand.
 */
#include "batch/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support.h"

/* ---- calls that fail on demand --------------------------------------------- */

typedef enum {
    CALL_NONE,
    CALL_OPEN,
    CALL_WRITE,
    CALL_FSYNC,
    CALL_FCHOWN,
    CALL_FCHMOD,
    CALL_FLUSH,
    CALL_LINK,
    CALL_RENAME
} Call;

static struct {
    Call call; /* the one that fails */
    int error;
    bool once;        /* then all is well again */
    gsize write_most; /* bytes a write takes at most; 0: as it comes */
    bool no_unnamed;  /* the file system knows no files without a name */
} fault;

static bool
fails(Call call)
{
    if (fault.call != call)
        return false;
    if (fault.once)
        fault.call = CALL_NONE;
    errno = fault.error;
    return true;
}

int
open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (unnamed && fault.no_unnamed) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (fails(CALL_OPEN))
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t
write(int file, const void *data, size_t size)
{
    if (fails(CALL_WRITE))
        return -1;
    if (fault.write_most > 0)
        size = MIN(size, fault.write_most);
    return syscall(SYS_write, file, data, size);
}

int
fsync(int file)
{
    return fails(CALL_FSYNC) ? -1 : (int)syscall(SYS_fsync, file);
}

int
fchown(int file, uid_t owner, gid_t group)
{
    return fails(CALL_FCHOWN) ? -1 : (int)syscall(SYS_fchown, file, owner, group);
}

int
fchmod(int file, mode_t mode)
{
    return fails(CALL_FCHMOD) ? -1 : (int)syscall(SYS_fchmod, file, mode);
}

int
close(int file)
{
    int result = (int)syscall(SYS_close, file);
    return fails(CALL_FLUSH) ? -1 : result;
}

int
linkat(int from, const char *path, int to, const char *name, int flags)
{
    return fails(CALL_LINK) ? -1
                            : (int)syscall(SYS_linkat, from, path, to, name, flags);
}

int
rename(const char *from, const char *to)
{
    return fails(CALL_RENAME)
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- a folder to work in --------------------------------------------------- */

static char *folder;

static void
begin(void)
{
    memset(&fault, 0, sizeof fault);
    folder = g_dir_make_tmp("ocp-output-XXXXXX", NULL);
    if (folder == NULL)
        abort();
}

static void
end(void)
{
    memset(&fault, 0, sizeof fault);
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    for (guint i = 0; i < paths->len; i++)
        if (g_remove(paths->pdata[i]) != 0)
            ocp_test_fail("cannot remove %s", (char *)paths->pdata[i]);
    CU_ASSERT_EQUAL(g_rmdir(folder), 0);
    g_clear_pointer(&folder, g_free);
}

static char *
at(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void
put(const char *name, const char *content)
{
    g_autofree char *path = at(name);
    if (!g_file_set_contents(path, content, -1, NULL))
        abort();
}

static void
expect(const char *name, const char *content)
{
    g_autofree char *path = at(name);
    g_autofree char *found = NULL;
    if (!g_file_get_contents(path, &found, NULL, NULL))
        ocp_test_fail("%s is not there", name);
    else if (strcmp(found, content) != 0)
        ocp_test_fail("%s holds \"%s\", not \"%s\"", name, found, content);
}

/* No temporary, nothing but these many files. */
static void
expect_files(guint count)
{
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    CU_ASSERT_EQUAL(paths->len, count);
    for (guint i = 0; i < paths->len && paths->len != count; i++)
        printf("  there is %s\n", (char *)paths->pdata[i]);
}

/* Writes "new" to a path; returns the code of the error, or NULL. Static strings. */
static const char *
write_new(const char *path, const OcpFileSet *never)
{
    static char code[64];
    OcpOutputOptions options = {.never = never};
    g_autoptr(OcpReport) report = ocp_report_new();
    if (ocp_output_write(path, "new", 3, &options, report, NULL)) {
        CU_ASSERT_EQUAL(report->diagnostics->len, 0);
        return NULL;
    }
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_PTR_NOT_NULL(error->file);
    g_strlcpy(code, error->code, sizeof code);
    return code;
}

static const char *
write_name(const char *name)
{
    g_autofree char *path = at(name);
    return write_new(path, NULL);
}

/* ---- the tests ------------------------------------------------------------- */

static void
a_new_file_appears(void)
{
    for (int named = 0; named < 2; named++) {
        begin();
        fault.no_unnamed = named;
        CU_ASSERT_PTR_NULL(write_name("a"));
        expect("a", "new");
        expect_files(1);
        end();
    }
}

static void
an_old_file_is_replaced_and_keeps_mode_and_owner(void)
{
    for (int named = 0; named < 2; named++) {
        begin();
        fault.no_unnamed = named;
        put("a", "old");
        g_autofree char *path = at("a");
        CU_ASSERT_EQUAL(g_chmod(path, 0640), 0);
        bool root = geteuid() == 0;
        if (root)
            CU_ASSERT_EQUAL(chown(path, 1234, 5678), 0);
        CU_ASSERT_PTR_NULL(write_name("a"));
        expect("a", "new");
        expect_files(1);
        struct stat status;
        CU_ASSERT_EQUAL(stat(path, &status), 0);
        CU_ASSERT_EQUAL(status.st_mode & 07777, 0640);
        if (root) {
            CU_ASSERT_EQUAL(status.st_uid, 1234);
            CU_ASSERT_EQUAL(status.st_gid, 5678);
        }
        end();
    }
}

static void
a_symbolic_link_is_followed(void)
{
    begin();
    put("target", "old");
    g_autofree char *link = at("link");
    CU_ASSERT_EQUAL(symlink("target", link), 0);
    CU_ASSERT_PTR_NULL(write_name("link"));
    CU_ASSERT_TRUE(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    expect("target", "new");
    expect_files(2);
    end();
}

static void
a_link_to_nothing_makes_its_target(void)
{
    begin();
    g_autofree char *link = at("link");
    CU_ASSERT_EQUAL(symlink("target", link), 0);
    CU_ASSERT_PTR_NULL(write_name("link"));
    CU_ASSERT_TRUE(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    expect("target", "new");
    end();
}

static void
a_circle_of_links_is_an_error(void)
{
    begin();
    g_autofree char *link = at("link");
    CU_ASSERT_EQUAL(symlink("link", link), 0);
    CU_ASSERT_STRING_EQUAL(write_name("link"), "io.write");
    expect_files(1);
    end();
}

/* Every call that can fail, with a file there and without, with files without a name
 * and without: the old file stays, nothing else does. */
static void
any_failing_call_leaves_the_old_file(void)
{
    static const struct {
        Call call;
        int error;
        bool needs_old;
        const char *code;
    } cases[] = {
        {CALL_WRITE, ENOSPC, false, "io.write"},
        {CALL_WRITE, EIO, false, "io.write"},
        {CALL_FSYNC, EIO, false, "io.write"},
        {CALL_FLUSH, EDQUOT, false, "io.write"},
        {CALL_FCHMOD, EPERM, true, "io.owner"},
        {CALL_RENAME, EIO, true, "io.write"},
        {CALL_FCHOWN, EPERM, true, "io.owner"},
        {CALL_OPEN, EACCES, false, "io.write"},
    };
    guint passed = 0;
    guint total = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(cases) * 4; i++) {
        gsize which = i / 4;
        bool old = i & 1;
        if ((cases[which].needs_old && !old) ||
            (cases[which].call == CALL_FCHOWN && geteuid() != 0))
            continue;
        begin();
        if (old)
            put("a", "old");
        g_autofree char *path = at("a");
        if (cases[which].call == CALL_FCHOWN)
            CU_ASSERT_EQUAL(chown(path, 1234, 5678), 0);
        fault.no_unnamed = i & 2;
        fault.call = cases[which].call;
        fault.error = cases[which].error;
        const char *code = write_name("a");
        fault.call = CALL_NONE;
        bool as_expected = g_strcmp0(code, cases[which].code) == 0;
        if (!as_expected)
            ocp_test_fail("case %zu: %s instead of %s", i, code, cases[which].code);
        if (old)
            expect("a", "old");
        expect_files(old ? 1 : 0);
        end();
        passed += as_expected;
        total++;
    }
    ocp_test_count("output-faults", passed, total);
}

/* Where files without a name cannot be named (no /proc), a named one does. */
static void
a_file_that_cannot_be_named_is_written_the_other_way(void)
{
    for (int old = 0; old < 2; old++) {
        begin();
        if (old)
            put("a", "old");
        fault.call = CALL_LINK;
        fault.error = ENOENT;
        CU_ASSERT_PTR_NULL(write_name("a"));
        expect("a", "new");
        expect_files(1);
        end();
    }
}

static void
short_writes_and_interruptions_go_on(void)
{
    begin();
    fault.write_most = 1;
    fault.call = CALL_WRITE;
    fault.error = EINTR;
    fault.once = true;
    OcpOutputOptions options = {0};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autofree char *path = at("a");
    CU_ASSERT_TRUE(ocp_output_write(path, "a longer text", 13, &options, report, NULL));
    expect("a", "a longer text");
    end();
}

static void
a_temporary_that_others_left_is_not_in_the_way(void)
{
    begin();
    g_autofree char *left = g_strdup_printf(".ocp-convert-%ld-0.tmp", (long)getpid());
    put(left, "someone else's");
    put("a", "old");
    CU_ASSERT_PTR_NULL(write_name("a"));
    expect("a", "new");
    expect(left, "someone else's");
    expect_files(2);
    end();
}

static void
an_input_is_never_written_over(void)
{
    begin();
    put("in", "input");
    g_autofree char *path = at("in");
    g_autofree char *link = at("link");
    g_autofree char *hard = at("hard");
    CU_ASSERT_EQUAL(symlink("in", link), 0);
    struct stat status;
    CU_ASSERT_EQUAL(stat(path, &status), 0);
    g_autoptr(OcpFileSet) never = ocp_file_set_new();
    ocp_file_set_add(never, ocp_file_id(&status));
    CU_ASSERT_EQUAL(syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, hard, 0), 0);
    CU_ASSERT_STRING_EQUAL(write_new(path, never), "io.over-input");
    CU_ASSERT_STRING_EQUAL(write_new(link, never), "io.over-input");
    CU_ASSERT_STRING_EQUAL(write_new(hard, never), "io.over-input");
    expect("in", "input");
    end();
}

static void
a_file_that_may_not_be_written_is_not_replaced(void)
{
    if (geteuid() == 0) {
        printf("skipped: root may write everything\n");
        return;
    }
    begin();
    put("a", "old");
    g_autofree char *path = at("a");
    CU_ASSERT_EQUAL(g_chmod(path, 0444), 0);
    CU_ASSERT_STRING_EQUAL(write_name("a"), "io.write");
    expect("a", "old");
    end();
}

static void
places_that_cannot_hold_a_file_are_errors(void)
{
    begin();
    put("file", "old");
    CU_ASSERT_STRING_EQUAL(write_new(folder, NULL), "io.kind");
    CU_ASSERT_STRING_EQUAL(write_name("nowhere/a"), "io.write");
    CU_ASSERT_STRING_EQUAL(write_name("file/a"), "io.write");
    expect("file", "old");
    expect_files(1);
    end();
}

static void
devices_and_pipes_are_written_straight_through(void)
{
    begin();
    CU_ASSERT_PTR_NULL(write_new("/dev/null", NULL));
    struct stat status;
    CU_ASSERT_EQUAL(stat("/dev/null", &status), 0);
    CU_ASSERT_TRUE(S_ISCHR(status.st_mode));
    CU_ASSERT_STRING_EQUAL(write_new("/dev/full", NULL), "io.write");
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    g_autofree char *path = g_strdup_printf("/dev/fd/%d", ends[1]);
    CU_ASSERT_PTR_NULL(write_new(path, NULL));
    char got[8] = "";
    CU_ASSERT_EQUAL(read(ends[0], got, sizeof got), 3);
    CU_ASSERT_STRING_EQUAL(got, "new");
    close(ends[0]);
    close(ends[1]);
    expect_files(0);
    end();
}

/* As a shell's ">>" opens it: what is there stays. */
static void
an_open_descriptor_is_used_as_it_is(void)
{
    begin();
    put("log", "old ");
    g_autofree char *path = at("log");
    int file = open(path, O_WRONLY | O_APPEND);
    g_autofree char *name = g_strdup_printf("/proc/self/fd/%d", file);
    CU_ASSERT_PTR_NULL(write_new(name, NULL));
    expect("log", "old new");
    close(file);
    end();
}

OCP_TEST_MAIN(
    "output", {"a new file appears", a_new_file_appears},
    {"an old file is replaced and keeps mode and owner",
     an_old_file_is_replaced_and_keeps_mode_and_owner},
    {"a symbolic link is followed", a_symbolic_link_is_followed},
    {"a link to nothing makes its target", a_link_to_nothing_makes_its_target},
    {"a circle of links is an error", a_circle_of_links_is_an_error},
    {"any failing call leaves the old file", any_failing_call_leaves_the_old_file},
    {"a file that cannot be named is written the other way",
     a_file_that_cannot_be_named_is_written_the_other_way},
    {"short writes and interruptions go on", short_writes_and_interruptions_go_on},
    {"a temporary that others left is not in the way",
     a_temporary_that_others_left_is_not_in_the_way},
    {"an input is never written over", an_input_is_never_written_over},
    {"a file that may not be written is not replaced",
     a_file_that_may_not_be_written_is_not_replaced},
    {"places that cannot hold a file are errors",
     places_that_cannot_hold_a_file_are_errors},
    {"devices and pipes are written straight through",
     devices_and_pipes_are_written_straight_through},
    {"an open descriptor is used as it is", an_open_descriptor_is_used_as_it_is})
