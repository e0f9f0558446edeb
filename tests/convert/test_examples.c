/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples of every dialect as --check judges them: what EXPECTED.tsv says is refused
 * where it says, what breaks a rule on purpose reports that rule, and what is valid by its
 * schema passes it.
 */
#include <stdio.h>
#include <string.h>

#include "convert/convert.h"
#include "support.h"

/* The folder of an example names its dialect, as -f wants it. */
static char *
dialect_of(const char *file)
{
    g_autofree char *folder = g_strndup(file, strcspn(file, "/"));
    if (strcmp(folder, "session-checkpoint-v1") == 0)
        return g_strdup("session-checkpoint@1");
    if (strcmp(folder, "session-checkpoint-v2") == 0)
        return g_strdup("session-checkpoint@2");
    if (strcmp(folder, "specrail") == 0)
        return g_strdup("specrail@1");
    return g_strdup(folder);
}

static bool
check_file(OcpContext *context, const char *path, const char *from, OcpReport *report)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(GPtrArray) documents = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    return ocp_source_read(bytes, path, OCP_SYNTAX_AUTO, &limits, report, &documents) &&
           ocp_check(context, documents->pdata[0], from, report, NULL);
}

/* Calls row for each line of a table below the examples, but for its head. */
static void
each_row(const char *table, void (*row)(char **cells, gpointer data), gpointer data)
{
    g_autofree char *path = ocp_test_shared(table);
    if (path == NULL)
        return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines + 1; *line != NULL; line++) {
        g_auto(GStrv) cells = g_strsplit(*line, "\t", -1);
        if (g_strv_length(cells) >= 4)
            row(cells, data);
    }
}

typedef struct {
    OcpContext *context;
    GHashTable *found; /* file -> whether one of its rows fits */
    guint total;
    guint passed;
} Tally;

/* ---- invalid ----------------------------------------------------------------- */

static const OcpDiagnostic *
first_error(const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            return diagnostic;
    }
    return NULL;
}

static void
judge_invalid(char **cells, gpointer data)
{
    Tally *tally = data;
    g_autofree char *below = g_strconcat("corpus/examples/", cells[0], NULL);
    g_autofree char *path = ocp_test_shared(below);
    g_autofree char *from = dialect_of(cells[0]);
    g_autoptr(OcpReport) report = ocp_report_new();
    bool refused = !check_file(tally->context, path, from, report);
    const OcpDiagnostic *first = first_error(report);
    g_autofree char *pointer = g_strcompress(cells[2]); /* the table writes \n */
    bool fits = refused && first != NULL && g_strcmp0(first->pointer, pointer) == 0 &&
                g_strcmp0(first->keyword, cells[3]) == 0 && first->line > 0;
    gboolean before = GPOINTER_TO_INT(g_hash_table_lookup(tally->found, cells[0]));
    g_hash_table_insert(tally->found, g_strdup(cells[0]),
                        GINT_TO_POINTER(fits || before));
}

static void
count_found(Tally *tally)
{
    GHashTableIter iter;
    gpointer file, fits;
    g_hash_table_iter_init(&iter, tally->found);
    while (g_hash_table_iter_next(&iter, &file, &fits)) {
        tally->total++;
        tally->passed += fits != NULL;
        if (fits == NULL)
            ocp_test_fail("%s: no row of the table fits its first error", (char *)file);
    }
}

static void
what_is_invalid_is_refused_where_it_is_wrong(void)
{
    Tally tally = {.context = ocp_context_new(),
                   .found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    each_row("corpus/examples/EXPECTED.tsv", judge_invalid, &tally);
    count_found(&tally);
    ocp_test_count("examples, invalid: first error", tally.passed, tally.total);
    g_hash_table_unref(tally.found);
    ocp_context_free(tally.context);
}

/* ---- rules ------------------------------------------------------------------- */

static void
judge_rule(char **cells, gpointer data)
{
    Tally *tally = data;
    g_autofree char *below = g_strconcat("corpus/examples/", cells[0], NULL);
    g_autofree char *path = ocp_test_shared(below);
    g_autofree char *from = dialect_of(cells[0]);
    g_autoptr(OcpReport) report = ocp_report_new();
    check_file(tally->context, path, from, report);
    bool found = false;
    for (guint i = 0; i < report->diagnostics->len && !found; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        bool same_place =
            cells[4] == NULL || g_strcmp0(diagnostic->pointer, cells[4]) == 0;
        found = strcmp(diagnostic->code, cells[2]) == 0 && same_place &&
                strcmp(ocp_severity_name(diagnostic->severity), cells[3]) == 0;
    }
    tally->total++;
    tally->passed += found;
    if (!found)
        ocp_test_fail("%s: no %s %s at %s", cells[0], cells[3], cells[2], cells[4]);
}

static void
what_breaks_a_rule_reports_it(void)
{
    Tally tally = {.context = ocp_context_new()};
    each_row("corpus/examples/EXPECTED-INTEGRITY.tsv", judge_rule, &tally);
    ocp_test_count("examples, integrity: rule, severity, place", tally.passed,
                   tally.total);
    ocp_context_free(tally.context);
}

/* ---- valid ------------------------------------------------------------------- */

static void
what_is_valid_by_schema_passes_it(void)
{
    static const char *const folders[] = {
        "caop-pulse",        "caop-resume-brief",     "opencheckpoint",
        "session-checkpoint-v1", "session-checkpoint-v2", "specrail"};
    g_autoptr(OcpContext) context = ocp_context_new();
    guint total = 0, passed = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *below = g_strconcat("corpus/examples/", folders[i], "/valid", NULL);
        g_autofree char *folder = ocp_test_shared(below);
        if (folder == NULL)
            return;
        g_autofree char *from = dialect_of(folders[i]);
        g_autoptr(GPtrArray) paths = ocp_test_list(folder, NULL);
        for (guint n = 0; n < paths->len; n++) {
            g_autoptr(OcpReport) report = ocp_report_new();
            bool ok = check_file(context, paths->pdata[n], from, report);
            const OcpDiagnostic *first = first_error(report);
            bool schema = first != NULL && g_str_has_prefix(first->code, "schema.");
            bool by_rule = first != NULL && !schema && first->code[2] == '-';
            total++;
            passed += ok || by_rule;
            if (!ok && !by_rule)
                ocp_test_fail("%s: %s", (char *)paths->pdata[n],
                              first != NULL ? first->message : "refused");
            if (strstr(paths->pdata[n], "integrity-bad") != NULL &&
                report->diagnostics->len == 0)
                ocp_test_fail("%s: nothing is said of the rule it breaks",
                              (char *)paths->pdata[n]);
        }
    }
    ocp_test_count("examples, valid: pass their schema", passed, total);
}

OCP_TEST_MAIN("convert-examples",
              {"what is invalid is refused where it is wrong",
               what_is_invalid_is_refused_where_it_is_wrong},
              {"what breaks a rule reports it", what_breaks_a_rule_reports_it},
              {"what is valid by schema passes it", what_is_valid_by_schema_passes_it})
