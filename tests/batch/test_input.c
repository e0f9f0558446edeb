/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/input.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static const guint64 plenty = 1 << 20;

/* The code of the error that reading path gives, or NULL. Static string. */
static const char *
error_of(const char *path, guint64 most)
{
    static char code[64];
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpInput input = {0};
    if (ocp_input_read(path, most, report, &input)) {
        g_bytes_unref(input.bytes);
        return NULL;
    }
    CU_ASSERT_PTR_NULL(input.bytes);
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *error = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(error->file, path);
    g_strlcpy(code, error->code, sizeof code);
    return code;
}

static char *
file_of(gsize size)
{
    char *path = NULL;
    int file = g_file_open_tmp("ocp-input-XXXXXX", &path, NULL);
    g_autofree char *content = g_malloc(size + 1);
    memset(content, 'x', size);
    if (file < 0 || write(file, content, size) != (gssize)size)
        abort();
    close(file);
    return path;
}

static void
files_are_read_whole(void)
{
    static const gsize sizes[] = {0, 1, 4095, 4096, 65536, 65537, 1 << 20};
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *path = file_of(sizes[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpInput input = {0};
        CU_ASSERT_TRUE_FATAL(ocp_input_read(path, plenty, report, &input));
        CU_ASSERT_EQUAL(g_bytes_get_size(input.bytes), sizes[i]);
        CU_ASSERT_TRUE(input.modified > 0);
        g_bytes_unref(input.bytes);
        g_remove(path);
    }
}

static void
what_is_larger_than_the_limit_is_refused(void)
{
    g_autofree char *path = file_of(100);
    CU_ASSERT_PTR_NULL(error_of(path, 100));
    CU_ASSERT_STRING_EQUAL(error_of(path, 99), "limit.bytes");
    g_remove(path);
}

static void
what_is_no_file_is_refused(void)
{
    CU_ASSERT_STRING_EQUAL(error_of("/", plenty), "io.kind");
    CU_ASSERT_STRING_EQUAL(error_of("/dev/zero", plenty), "io.kind");
    CU_ASSERT_STRING_EQUAL(error_of("/nowhere/at/all", plenty), "io.open");
    CU_ASSERT_STRING_EQUAL(error_of("", plenty), "io.open");
    CU_ASSERT_PTR_NULL(error_of("/dev/null", plenty));
}

static gpointer
write_in_pieces(gpointer data)
{
    int file = GPOINTER_TO_INT(data);
    for (int i = 0; i < 1000; i++) {
        if (write(file, "0123456789", 10) != 10)
            abort();
        if (i % 100 == 0)
            g_usleep(1000);
    }
    close(file);
    return NULL;
}

static void
a_pipe_is_read_to_its_end_piece_by_piece(void)
{
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        int ends[2];
        CU_ASSERT_EQUAL_FATAL(pipe2(ends, nonblocking ? O_NONBLOCK : 0), 0);
        CU_ASSERT_EQUAL(fcntl(ends[1], F_SETFL, 0), 0);
        if (ends[0] != STDIN_FILENO) {
            CU_ASSERT_EQUAL(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
            close(ends[0]);
        }
        GThread *writer =
            g_thread_new("writer", write_in_pieces, GINT_TO_POINTER(ends[1]));
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpInput input = {0};
        CU_ASSERT_TRUE_FATAL(ocp_input_read("-", plenty, report, &input));
        CU_ASSERT_EQUAL(g_bytes_get_size(input.bytes), 10000);
        CU_ASSERT_EQUAL(input.modified, -1);
        g_bytes_unref(input.bytes);
        g_thread_join(writer);
    }
}

static void
a_closed_standard_input_is_an_error(void)
{
    close(STDIN_FILENO);
    CU_ASSERT_STRING_EQUAL(error_of("-", plenty), "io.read");
}

OCP_TEST_MAIN("input", {"files are read whole", files_are_read_whole},
              {"what is larger than the limit is refused",
               what_is_larger_than_the_limit_is_refused},
              {"what is no file is refused", what_is_no_file_is_refused},
              {"a pipe is read to its end, piece by piece",
               a_pipe_is_read_to_its_end_piece_by_piece},
              {"a closed standard input is an error",
               a_closed_standard_input_is_an_error})
