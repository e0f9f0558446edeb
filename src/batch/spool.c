/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_IN_MEMORY = 1 << 20 };

struct OcpSpool {
    char *place;
    GString *text; /* what is not in the file */
    int file;      /* -1: none */
    gsize in_file;
    int error;
};

OcpSpool *
ocp_spool_new(const char *place)
{
    OcpSpool *spool = g_new0(OcpSpool, 1);
    spool->place = g_strdup(place);
    spool->text = g_string_new(NULL);
    spool->file = -1;
    return spool;
}

void
ocp_spool_free(OcpSpool *spool)
{
    if (spool == NULL)
        return;
    if (spool->file >= 0)
        (void)close(spool->file);
    g_string_free(spool->text, TRUE);
    g_free(spool->place);
    g_free(spool);
}

static int
open_unnamed(const char *folder)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    g_autofree char *name = g_build_filename(folder, ".ocp-convert-XXXXXX", NULL);
    file = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        (void)unlink(name);
    return file;
}

/* Beside a device or a pipe there is no room for files. */
static int
open_file(const OcpSpool *spool)
{
    g_autofree char *folder = g_path_get_dirname(spool->place);
    bool inside = strcmp(spool->place, "-") != 0 && !g_str_has_prefix(folder, "/dev") &&
                  !g_str_has_prefix(folder, "/proc");
    int file = inside ? open_unnamed(folder) : -1;
    return file >= 0 ? file : open_unnamed(g_get_tmp_dir());
}

static void
spill(OcpSpool *spool)
{
    if (spool->file < 0)
        spool->file = open_file(spool);
    if (spool->file < 0)
        return; /* then it stays in memory */
    const char *at = spool->text->str;
    gsize left = spool->text->len;
    while (left > 0) {
        gssize done = write(spool->file, at, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            spool->error = done < 0 ? errno : ENOSPC;
            break;
        }
        at += done;
        left -= (gsize)done;
        spool->in_file += (gsize)done;
    }
    g_string_truncate(spool->text, 0);
}

void
ocp_spool_append(OcpSpool *spool, const char *text, gsize size)
{
    if (spool->error != 0)
        return;
    g_string_append_len(spool->text, text, (gssize)size);
    if (spool->text->len > MOST_IN_MEMORY)
        spill(spool);
}

bool
ocp_spool_is_empty(const OcpSpool *spool)
{
    return spool->in_file == 0 && spool->text->len == 0 && spool->error == 0;
}

static bool
fail(const OcpSpool *spool, int error, OcpReport *report)
{
    OcpDiagnostic *diagnostic = ocp_report_add(report, OCP_ERROR, "io.write",
                                               "cannot write: %s", g_strerror(error));
    diagnostic->file = g_strdup(spool->place);
    return false;
}

bool
ocp_spool_write(OcpSpool *spool, const OcpOutputOptions *options, OcpReport *report)
{
    if (spool->file < 0)
        return ocp_output_write(spool->place, spool->text->str, spool->text->len,
                                options, report, NULL);
    spill(spool);
    if (spool->error != 0)
        return fail(spool, spool->error, report);
    void *data = mmap(NULL, spool->in_file, PROT_READ, MAP_PRIVATE, spool->file, 0);
    if (data == MAP_FAILED)
        return fail(spool, errno, report);
    bool done =
        ocp_output_write(spool->place, data, spool->in_file, options, report, NULL);
    (void)munmap(data, spool->in_file);
    return done;
}
