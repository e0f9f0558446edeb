/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What we accept, Python's json reads to the same value: the suite, the corpus, and
 * numbers at random. json_python.py does the comparing.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "support.h"
#include "text/canonical.h"
#include "text/json.h"

typedef struct {
    char *folder; /* temporary; the files in it are numbered */
    GString *list;
    guint count;
} Comparison;

static char *
new_path(Comparison *comparison)
{
    return g_strdup_printf("%s/%u", comparison->folder, comparison->count++);
}

static char *
save(Comparison *comparison, const GString *text)
{
    char *path = new_path(comparison);
    if (!g_file_set_contents(path, text->str, (gssize)text->len, NULL))
        ocp_test_fail("cannot write %s", path);
    return path;
}

/* Adds a file to the comparison, if we accept it. */
static void
add_file(Comparison *comparison, const char *path)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    if (!ocp_json_read(bytes, NULL, &limits, report, &document))
        return;
    g_autoptr(GString) compact = g_string_new(NULL);
    g_autoptr(GString) canonical = g_string_new(NULL);
    ocp_json_write(document->root, true, compact);
    ocp_canonical_append(document->root, OCP_CANONICAL_PYTHON, canonical);
    g_autofree char *first = save(comparison, compact);
    g_autofree char *second = save(comparison, canonical);
    g_string_append_printf(comparison->list, "%s\t%s\t%s\n", path, first, second);
}

static void
add_folder(Comparison *comparison, const char *folder)
{
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            add_folder(comparison, path);
        else if (g_str_has_suffix(path, ".json"))
            add_file(comparison, path);
    }
}

/* Appends a number that is hard to print: any bits, a power of two, or a short decimal.
 */
static void
append_random_number(GRand *random, GString *text)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    gint32 choice = g_rand_int_range(random, 0, 4);
    if (choice == 0) {
        guint64 bits = (guint64)g_rand_int(random) << 32 | g_rand_int(random);
        double number = 0;
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number))
            number = 0;
        g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.17e", number));
    } else if (choice == 1) {
        double number = ldexp(1, g_rand_int_range(random, -1074, 1024));
        g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.17e", number));
    } else if (choice == 2) {
        g_string_append_printf(text, "%u.%ue%d", g_rand_int(random), g_rand_int(random),
                               g_rand_int_range(random, -340, 320));
    } else {
        g_string_append_printf(text, "%d.%d", g_rand_int_range(random, -999, 1000),
                               g_rand_int_range(random, 0, 1000000));
    }
}

static void
add_random_numbers(Comparison *comparison)
{
    const guint32 seed = 20240229;
    printf("seed %u\n", seed);
    GRand *random = g_rand_new_with_seed(seed);
    g_autoptr(GString) text = g_string_new("[0");
    for (int i = 0; i < 20000; i++) {
        g_string_append_c(text, ',');
        append_random_number(random, text);
    }
    g_string_append_c(text, ']');
    g_rand_free(random);
    g_autofree char *path = save(comparison, text);
    add_file(comparison, path);
}

/* Runs the script; its last two lines are "values N / M" and "canonical N / M". */
static void
compare(const Comparison *comparison, const char *python)
{
    g_autofree char *list = g_build_filename(comparison->folder, "list", NULL);
    g_autofree char *script = ocp_test_source("tests/text/json_python.py");
    g_autofree char *out = NULL;
    int status = -1;
    g_file_set_contents(list, comparison->list->str, -1, NULL);
    char *command[] = {(char *)python, script, list, NULL};
    if (!g_spawn_sync(NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL,
                      &status, NULL))
        ocp_test_fail("cannot run %s", python);
    CU_ASSERT_EQUAL(status, 0);
    g_auto(GStrv) lines = g_strsplit(out != NULL ? out : "", "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        guint64 same = 0;
        guint64 total = 0;
        g_auto(GStrv) words = g_strsplit(lines[i], " ", -1);
        if (g_strv_length(words) == 4 && strcmp(words[2], "/") == 0) {
            same = g_ascii_strtoull(words[1], NULL, 10);
            total = g_ascii_strtoull(words[3], NULL, 10);
            g_autofree char *title = g_strdup_printf("python json, %s", words[0]);
            ocp_test_count(title, (guint)same, (guint)total);
            CU_ASSERT(same == total && total >= 300);
        } else if (lines[i][0] != '\0') {
            printf("  %s\n", lines[i]);
        }
    }
}

static void
python_reads_the_same_values(void)
{
    static const char *const folders[] = {"suites/json/test_parsing", "corpus/examples",
                                          "corpus/session-checkpoint",
                                          "corpus/specrail"};
    g_autofree char *python = g_find_program_in_path("python3");
    if (python == NULL) {
        printf("skipped: needs python3\n");
        return;
    }
    Comparison comparison = {g_dir_make_tmp("ocp-json-XXXXXX", NULL),
                             g_string_new(NULL), 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(comparison.folder);
    add_random_numbers(&comparison);
    bool complete = true;
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = ocp_test_shared(folders[i]);
        complete = complete && folder != NULL;
        if (folder != NULL)
            add_folder(&comparison, folder);
    }
    if (complete)
        compare(&comparison, python);
    g_autoptr(GPtrArray) files = ocp_test_list(comparison.folder, NULL);
    for (guint i = 0; i < files->len; i++)
        g_unlink(files->pdata[i]);
    g_rmdir(comparison.folder);
    g_free(comparison.folder);
    g_string_free(comparison.list, TRUE);
}

OCP_TEST_MAIN("text-json-python",
              {"python reads the same values", python_reads_the_same_values})
