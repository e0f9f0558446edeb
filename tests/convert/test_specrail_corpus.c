/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every specrail document of the corpus through the model and back, and every valid
 * OpenCheckpoint document through specrail and back: nothing is lost, the account
 * closes, and what is refused is refused at a fault that is there.
 */
#include <stdio.h>

#include "pipe.h"
#include "value/equal.h"

static OcpContext *context; /* compiled once: the documents are many */

typedef struct {
    const char *label; /* what the shares are printed under */
    guint passed, total;
    guint64 counts[OCP_FATES];
} Tally;

static bool
convert(OcpDocument *document, const char *to, OcpReport *report, OcpOutcome **ret)
{
    OcpOrigin origin = pipe_origin(document->name);
    OcpConvertOptions options = {.to = to};
    return ocp_convert(context, document, &origin, &options, report, ret);
}

static char *
first_error(const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (one->severity == OCP_ERROR)
            return g_strdup_printf("%s: %s [%s]", one->pointer, one->message,
                                   one->code);
    }
    return g_strdup("no error");
}

/* ---- the index ------------------------------------------------------------------- */

static bool
is_of(const char *what, const char *const *kinds)
{
    for (gsize i = 0; kinds[i] != NULL; i++)
        if (strcmp(what, kinds[i]) == 0 ||
            (g_str_has_prefix(what, kinds[i]) && strchr("; :", what[strlen(kinds[i])])))
            return true;
    return false;
}

/* Calls each(path, what) for the specrail documents the index says are of these kinds.
 */
static void
each_of(const char *const *kinds, void (*each)(const char *, const char *, gpointer),
        gpointer data)
{
    g_autofree char *corpus = ocp_test_shared("corpus");
    if (corpus == NULL)
        return;
    g_autofree char *index = g_build_filename(corpus, "INDEX.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(index);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *tab = strchr(*line, '\t');
        if (tab == NULL || !g_str_has_prefix(*line, "specrail/"))
            continue;
        *tab = '\0';
        g_autofree char *path = g_build_filename(corpus, *line, NULL);
        if (is_of(tab + 1, kinds))
            each(path, tab + 1, data);
    }
}

static OcpDocument *
read_file(const char *path, OcpReport *report)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *name = g_path_get_basename(path);
    return pipe_read(bytes, name, report);
}

/* ---- there and back -------------------------------------------------------------- */

static bool
account_closes(const OcpAccount *account, Tally *tally)
{
    for (guint i = 0; i < OCP_FATES; i++)
        tally->counts[i] += account->counts[i];
    return ocp_account_closes(account) && account->counts[OCP_FATE_OMITTED] == 0;
}

static bool
model_holds(GBytes *text, const char *name)
{
    g_autoptr(OcpReport) checked = ocp_report_new();
    g_autoptr(OcpDocument) model = pipe_read(text, name, checked);
    bool sound =
        model != NULL && ocp_check(context, model, "opencheckpoint", checked, NULL);
    if (!sound) {
        g_autofree char *error = first_error(checked);
        ocp_test_fail("%s: model: %s", name, error);
    }
    for (guint i = 0; i < checked->diagnostics->len; i++) {
        const OcpDiagnostic *one = checked->diagnostics->pdata[i];
        if (one->severity == OCP_WARNING)
            printf("  %s: %s: %s [%s]\n", name, one->pointer, one->message, one->code);
    }
    return sound;
}

static bool
comes_back(OcpDocument *document, OcpOutcome *there, const char *dialect)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) model = pipe_read(there->text, "model.json", report);
    g_autoptr(OcpOutcome) back = NULL;
    if (model == NULL || !convert(model, dialect, report, &back)) {
        g_autofree char *error = first_error(report);
        ocp_test_fail("%s: back: %s", document->name, error);
        return false;
    }
    g_autoptr(OcpDocument) result = pipe_read(back->text, "back.json", report);
    if (result != NULL && ocp_equal(result->root, document->root))
        return true;
    ocp_test_fail("%s: comes back different through %s", document->name, dialect);
    return false;
}

static void
there_and_back(const char *path, const char *what, gpointer data)
{
    Tally *tally = data;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = read_file(path, report);
    g_autoptr(OcpOutcome) there = NULL;
    tally->total++;
    if (document == NULL || !convert(document, NULL, report, &there)) {
        g_autofree char *error = first_error(report);
        ocp_test_fail("%s (%s): %s", path, what, error);
        return;
    }
    bool good = account_closes(there->read, tally);
    if (!good)
        ocp_test_fail("%s: the account does not close", path);
    good &= model_holds(there->text, document->name);
    good &= comes_back(document, there, there->from);
    /* without a version the carried one is written */
    g_auto(GStrv) parts = g_strsplit(there->from, "@", 2);
    good &= comes_back(document, there, parts[0]);
    tally->passed += good;
}

static void
print_tally(const Tally *tally)
{
    guint64 leaves = 0;
    for (guint i = 0; i < OCP_FATES; i++)
        leaves += tally->counts[i];
    ocp_test_count(tally->label, tally->passed, tally->total);
    printf("  %" G_GUINT64_FORMAT " leaves:", leaves);
    for (guint i = 0; i < OCP_FATES && leaves > 0; i++)
        printf(" %s %.1f%%", ocp_fate_name((OcpFate)i),
               100.0 * (double)tally->counts[i] / (double)leaves);
    printf("\n");
}

static void
go_through(const char *label, const char *kind)
{
    const char *const kinds[] = {kind, NULL};
    Tally tally = {.label = label};
    each_of(kinds, there_and_back, &tally);
    if (tally.total > 0)
        print_tally(&tally);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

static void
version_1_comes_back(void)
{
    go_through("specrail corpus v1", "valid v1");
}

static void
version_2_comes_back(void)
{
    go_through("specrail corpus v2", "v2");
}

static void
version_3_comes_back(void)
{
    go_through("specrail corpus v3", "v3");
}

static void
real_files_come_back(void)
{
    go_through("specrail corpus real", "real");
}

static void
the_milestone_cursor_comes_back(void)
{
    go_through("specrail corpus cursor 4", "v4");
    go_through("specrail corpus cursor 1", "milestone-cv1");
}

static void
the_examples_come_back(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples/specrail/valid");
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    Tally tally = {.label = "specrail examples"};
    for (guint i = 0; i < paths->len; i++)
        there_and_back(paths->pdata[i], "example", &tally);
    print_tally(&tally);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* ---- what is refused ------------------------------------------------------------- */

/* The index says "invalid: <path>: <words>", the path with slashes, from the root. */
static bool
is_at_the_fault(const OcpReport *report, const char *what)
{
    g_auto(GStrv) parts = g_strsplit(what, ": ", 3);
    g_autofree char *pointer = g_strconcat("/", parts[1], NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (one->severity == OCP_ERROR)
            return g_strcmp0(one->pointer, pointer) == 0 && one->line > 0;
    }
    return false;
}

static void
is_refused(const char *path, const char *what, gpointer data)
{
    Tally *tally = data;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = read_file(path, report);
    g_autoptr(OcpOutcome) there = NULL;
    tally->total++;
    bool refused = !convert(document, NULL, report, &there) && there == NULL;
    if (refused && is_at_the_fault(report, what)) {
        tally->passed++;
        return;
    }
    g_autofree char *error = first_error(report);
    ocp_test_fail("%s: expected %s, got %s", path, what, error);
}

static void
the_invalid_are_refused_at_their_fault(void)
{
    const char *const kinds[] = {"invalid", NULL};
    Tally tally = {.label = "specrail corpus invalid"};
    each_of(kinds, is_refused, &tally);
    if (tally.total > 0)
        ocp_test_count(tally.label, tally.passed, tally.total);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* ---- the dialect's own rules ----------------------------------------------------- */

static bool
breaks_as_told(char **columns, const char *folder)
{
    g_autofree char *path = g_build_filename(folder, columns[0], NULL);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = read_file(path, report);
    bool ok = ocp_check(context, document, NULL, report, NULL);
    bool is_error = strcmp(columns[3], "error") == 0;
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (strcmp(one->code, columns[2]) == 0 &&
            strcmp(ocp_severity_name(one->severity), columns[3]) == 0 &&
            g_strcmp0(one->pointer, columns[4]) == 0)
            return ok != is_error;
    }
    return false;
}

static void
each_broken_rule_is_told_at_its_place(void)
{
    g_autofree char *folder = ocp_test_shared("corpus/examples");
    if (folder == NULL)
        return;
    g_autofree char *expected =
        g_build_filename(folder, "EXPECTED-INTEGRITY.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(expected);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint passed = 0, total = 0;
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) columns = g_strsplit(g_strchomp(*line), "\t", -1);
        if (g_strv_length(columns) < 5 || strcmp(columns[1], "specrail") != 0)
            continue;
        total++;
        bool good = breaks_as_told(columns, folder);
        passed += good;
        if (!good)
            ocp_test_fail("%s: %s is not told at %s", columns[0], columns[2],
                          columns[4]);
    }
    ocp_test_count("specrail rules", passed, total);
}

/* ---- OpenCheckpoint through specrail --------------------------------------------- */

/* How often a text stands in a document: the words that give authority or certainty. */
static guint
count_of(const OcpNode *node, const char *text)
{
    guint count = ocp_text_is(node, text);
    const OcpNode *key = NULL, *child;
    OcpIter iter = ocp_iter(node);
    if (ocp_is(node, OCP_ARRAY))
        while ((child = ocp_iter_element(&iter)) != NULL)
            count += count_of(child, text);
    else if (ocp_is(node, OCP_OBJECT))
        while (ocp_iter_member(&iter, &key, &child))
            count += count_of(child, text);
    return count;
}

/* Read again without what specrail has no place for, no word of authority is new. */
static bool
promotes_nothing(OcpDocument *model, GBytes *made)
{
    static const char *const words[] = {"verified", "stale",       "approved",
                                        "retry",    "instruction", "met"};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(made, "made.json", report);
    OcpBuilder bare = ocp_build(document, ocp_make_object(document));
    const OcpNode *key, *value;
    OcpIter iter = ocp_iter(document->root);
    while (ocp_iter_member(&iter, &key, &value))
        if (!ocp_text_is(key, "opencheckpoint"))
            ocp_build_member(&bare, key, value);
    document->root = bare.container;
    g_autoptr(OcpOutcome) read = NULL;
    if (!convert(document, NULL, report, &read))
        return false;
    g_autoptr(OcpDocument) again = pipe_read(read->text, "again.json", report);
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (count_of(again->root, words[i]) > count_of(model->root, words[i])) {
            ocp_test_fail("%s: \"%s\" is promoted", model->name, words[i]);
            return false;
        }
    return true;
}

static bool
model_comes_back(const char *path, const char *dialect)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) model = read_file(path, report);
    g_autoptr(OcpOutcome) there = NULL;
    if (!convert(model, dialect, report, &there)) {
        g_autofree char *error = first_error(report);
        ocp_test_fail("%s to %s: %s", path, dialect, error);
        return false;
    }
    if (!ocp_account_closes(there->write) ||
        there->write->counts[OCP_FATE_OMITTED] > 0) {
        ocp_test_fail("%s to %s: something is lost", path, dialect);
        return false;
    }
    return comes_back(model, there, "opencheckpoint") &&
           promotes_nothing(model, there->text);
}

static void
models_come_back_through(const char *dialect)
{
    static const char *const folders[] = {"corpus/examples/opencheckpoint/valid",
                                          "corpus/examples/opencheckpoint/integrity"};
    guint passed = 0, total = 0;
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = ocp_test_shared(folders[i]);
        if (folder == NULL)
            return;
        g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
        for (guint n = 0; n < paths->len; n++) {
            const char *path = paths->pdata[n];
            if (i == 1 && strstr(path, "OC-W") == NULL)
                continue; /* the errors are refused */
            total++;
            passed += model_comes_back(path, dialect);
        }
    }
    g_autofree char *label = g_strconcat("opencheckpoint through ", dialect, NULL);
    ocp_test_count(label, passed, total);
    CU_ASSERT_EQUAL(passed, total);
}

static void
models_come_back_through_every_version(void)
{
    models_come_back_through("specrail@1");
    models_come_back_through("specrail@2");
    models_come_back_through("specrail@3");
}

static void
with_context(void (*run)(void))
{
    context = ocp_context_new();
    run();
    ocp_context_free(context);
    context = NULL;
}

#define WITH_CONTEXT(name)                                                             \
    static void name##_in_context(void)                                                \
    {                                                                                  \
        with_context(name);                                                            \
    }
WITH_CONTEXT(version_1_comes_back)
WITH_CONTEXT(version_2_comes_back)
WITH_CONTEXT(version_3_comes_back)
WITH_CONTEXT(real_files_come_back)
WITH_CONTEXT(the_milestone_cursor_comes_back)
WITH_CONTEXT(the_examples_come_back)
WITH_CONTEXT(the_invalid_are_refused_at_their_fault)
WITH_CONTEXT(each_broken_rule_is_told_at_its_place)
WITH_CONTEXT(models_come_back_through_every_version)

#define TEST(name)                                                                     \
    {                                                                                  \
#name, name##_in_context                                                       \
    }
OCP_TEST_MAIN("specrail corpus", TEST(version_1_comes_back), TEST(version_2_comes_back),
              TEST(version_3_comes_back), TEST(real_files_come_back),
              TEST(the_milestone_cursor_comes_back), TEST(the_examples_come_back),
              TEST(the_invalid_are_refused_at_their_fault),
              TEST(each_broken_rule_is_told_at_its_place),
              TEST(models_come_back_through_every_version))
