/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <CUnit/CUnit.h>
#include <glib.h>
#include <stdbool.h>

/*
 * What every test program shares: a main around CUnit, and where the data is.
 */

typedef struct {
    const char *name;
    void (*run)(void);
} OcpTest;

/* Runs the tests, prints failures and "<suite>: N tests, M assertions, F failures".
 * Returns the exit code for main(). */
int ocp_test_main(const char *suite, const OcpTest *tests, gsize count);

#define OCP_TEST_MAIN(suite, ...)                                                        \
    int main(void)                                                                       \
    {                                                                                    \
        static const OcpTest tests_[] = {__VA_ARGS__};                                   \
        return ocp_test_main(suite, tests_, G_N_ELEMENTS(tests_));                       \
    }

/* Path below the shared folder, or NULL (and says "skipped") where it is absent. */
char *ocp_test_shared(const char *path);

/* Path below the source tree. */
char *ocp_test_source(const char *path);

/* Reads a file whole; aborts the test program if it cannot. */
GBytes *ocp_test_read(const char *path);

/* Names in a folder, sorted; full paths; NULL filter takes all. g_ptr_array_unref(). */
GPtrArray *ocp_test_list(const char *folder, const char *suffix);

/* Prints "suite NAME: passed / total" for the count of cases that CI shows. */
void ocp_test_count(const char *suite, guint passed, guint total);

/* CU_FAIL with a formatted message (printed at once). */
void ocp_test_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
