/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
ocp_test_main(const char *suite_name, const OcpTest *tests, gsize count)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
    for (gsize i = 0; i < count; i++)
        CU_add_test(suite, tests[i].name, tests[i].run);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    guint failures = CU_get_number_of_failures();
    printf("%s: %u tests, %u assertions, %u failures\n", suite_name,
           CU_get_number_of_tests_run(), CU_get_number_of_asserts(), failures);
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}

char *
ocp_test_shared(const char *path)
{
    if (!g_file_test(OCP_SHARED_DIR, G_FILE_TEST_IS_DIR)) {
        printf("skipped: %s needs the shared folder\n", path);
        return NULL;
    }
    return g_build_filename(OCP_SHARED_DIR, path, NULL);
}

char *
ocp_test_source(const char *path)
{
    return g_build_filename(OCP_SOURCE_DIR, path, NULL);
}

GBytes *
ocp_test_read(const char *path)
{
    char *contents = NULL;
    gsize length = 0;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &contents, &length, &error)) {
        fprintf(stderr, "%s\n", error->message);
        abort();
    }
    return g_bytes_new_take(contents, length);
}

static gint
compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
ocp_test_list(const char *folder, const char *suffix)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
        if (suffix == NULL || g_str_has_suffix(name, suffix))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_ptr_array_sort(paths, compare_paths);
    return paths;
}

void
ocp_test_count(const char *suite, guint passed, guint total)
{
    printf("suite %s: %u / %u\n", suite, passed, total);
}

void
ocp_test_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    printf("  FAILED: %s\n", message);
    CU_FAIL("see above");
}
