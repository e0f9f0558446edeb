/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every SessionCheckpoint of the corpus, in JSON and in each style of YAML: through the
 * model and back, in its own syntax and across. What the schema refuses is refused at a
 * place; what the runtime's loader rejects is told with its reason.
 */
#include "pipe.h"
#include "text/yaml.h"
#include "value/equal.h"

static const char given_time[] = "2026-10-01T00:00:00Z";

/* Faults of the text: no document, so neither valid nor invalid. */
static const char *const no_text[] = {
    "v1/bad-empty.json",                   /* nothing in it */
    "v1/bad-latin1.json",                  /* not UTF-8 */
    "v2/bad-manifest-lone-surrogate.json", /* half a character */
    "v2/x-manifest-duplicate-key.json",    /* which of the two? */
};

static OcpContext *context;

typedef struct {
    const char *folder;
    guint passed, total;
    guint64 counts[OCP_FATES];
} Tally;

/* ---- the index ------------------------------------------------------------------- */

typedef void (*Each)(const char *path, const char *name, const char *what,
                     gpointer data);

static void
each_document(Each each, gpointer data)
{
    g_autofree char *corpus = ocp_test_shared("corpus");
    if (corpus == NULL)
        return;
    g_autofree char *index = g_build_filename(corpus, "INDEX.tsv", NULL);
    g_autoptr(GBytes) bytes = ocp_test_read(index);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *tab = strchr(*line, '\t');
        if (tab == NULL || !g_str_has_prefix(*line, "session-checkpoint/"))
            continue;
        *tab = '\0';
        g_autofree char *path = g_build_filename(corpus, *line, NULL);
        each(path, *line + strlen("session-checkpoint/"), tab + 1, data);
    }
}

static bool
is_no_text(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(no_text); i++)
        if (strcmp(no_text[i], name) == 0)
            return true;
    return false;
}

static const OcpDiagnostic *
first_of(const OcpReport *report, OcpSeverity severity)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (one->severity == severity)
            return one;
    }
    return NULL;
}

/* ---- there and back -------------------------------------------------------------- */

static bool
convert(OcpDocument *document, const char *to, OcpSyntax syntax, OcpReport *report,
        OcpOutcome **ret)
{
    OcpOrigin origin = pipe_origin(document->name);
    OcpConvertOptions options = {.to = to, .syntax = syntax, .created_at = given_time};
    if (to != NULL)
        options.created_at = NULL; /* of a model nothing is made */
    return ocp_convert(context, document, &origin, &options, report, ret);
}

static bool
fail_with(const OcpReport *report, const char *name, const char *step)
{
    const OcpDiagnostic *error = first_of(report, OCP_ERROR);
    ocp_test_fail("%s: %s: %s", name, step, error != NULL ? error->message : "?");
    return false;
}

/* A YAML text's scalars have no types until a schema says which: a conversion settles
 * the document it is given, so both sides are compared after one. */
static bool
is_source_again(OcpDocument *source, GBytes *text, const char *name, bool exact)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) result = pipe_read(text, name, report);
    g_autoptr(OcpOutcome) settled = NULL;
    if (result == NULL || !convert(result, NULL, OCP_SYNTAX_JSON, report, &settled))
        return fail_with(report, name, "what came back");
    return exact ? ocp_equal(result->root, source->root)
                 : ocp_equal_value(result->root, source->root);
}

static bool
comes_back(OcpDocument *source, const OcpOutcome *there, OcpSyntax syntax, bool exact)
{
    const char *name = syntax == OCP_SYNTAX_YAML ? "back.yaml" : "back.json";
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) model = pipe_read(there->text, "model.json", report);
    g_autoptr(OcpOutcome) back = NULL;
    if (model == NULL || !convert(model, there->from, syntax, report, &back))
        return fail_with(report, source->name, "back");
    if (is_source_again(source, back->text, name, exact))
        return true;
    ocp_test_fail("%s: came back different as %s", source->name, name);
    return false;
}

static bool
model_is_sound(const OcpOutcome *there, const char *name)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) model = pipe_read(there->text, "model.json", report);
    if (model != NULL && ocp_check(context, model, "opencheckpoint", report, NULL))
        return true;
    return fail_with(report, name, "model");
}

static void
there_and_back(const char *path, const char *name, const char *what, gpointer data)
{
    Tally *tally = data;
    if (!g_str_has_prefix(what, "schema: valid") || is_no_text(name) ||
        !g_str_has_prefix(name, tally->folder))
        return;
    bool yaml = g_str_has_suffix(name, ".yaml");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    g_autoptr(OcpOutcome) there = NULL;
    tally->total++;
    if (document == NULL || !convert(document, NULL, OCP_SYNTAX_JSON, report, &there)) {
        fail_with(report, name, "there");
        return;
    }
    bool closes =
        ocp_account_closes(there->read) && there->read->counts[OCP_FATE_OMITTED] == 0;
    if (!closes)
        ocp_test_fail("%s: the account does not close", name);
    for (guint i = 0; i < OCP_FATES; i++)
        tally->counts[i] += there->read->counts[i];
    /* in its own syntax as it was; in the other, numbers that YAML spells another way
     * are the same number */
    bool good = closes && model_is_sound(there, name);
    good = comes_back(document, there, OCP_SYNTAX_JSON, !yaml) && good;
    good = comes_back(document, there, OCP_SYNTAX_YAML, false) && good;
    tally->passed += good;
}

static void
run_folder(const char *folder)
{
    Tally tally = {.folder = folder};
    context = ocp_context_new();
    each_document(there_and_back, &tally);
    ocp_context_free(context);
    guint64 leaves = 0;
    for (guint i = 0; i < OCP_FATES; i++)
        leaves += tally.counts[i];
    g_autofree char *label = g_strconcat("session-checkpoint ", folder, NULL);
    ocp_test_count(label, tally.passed, tally.total);
    for (guint i = 0; i < OCP_FATES && leaves > 0; i++)
        printf("  %s %.1f %%", ocp_fate_name((OcpFate)i),
               100.0 * (double)tally.counts[i] / (double)leaves);
    printf("  of %" G_GUINT64_FORMAT " values\n", leaves);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

static void
version_1_comes_back(void)
{
    run_folder("v1");
}

static void
version_2_comes_back(void)
{
    run_folder("v2");
}

/* ---- two syntaxes, one model ----------------------------------------------------- */

/* The model without what may differ: resource source, derivation, carry. */
static bool
is_same_model(const OcpNode *a, const OcpNode *b)
{
    OcpIter iter = ocp_iter(a);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);) {
        const OcpNode *other = ocp_member_like(b, key);
        if (ocp_text_is(key, "derivation") || ocp_text_is(key, "extensions"))
            continue;
        if (!ocp_text_is(key, "resources")) {
            if (other == NULL || !ocp_equal_value(value, other))
                return false;
            continue;
        }
        if (other == NULL || value->size != other->size)
            return false;
        for (guint32 i = 0; i < value->size; i++) {
            const OcpNode *mine = ocp_element(value, i);
            if (!ocp_text_is(ocp_member(mine, "id"), "source") &&
                !ocp_equal_value(mine, ocp_element(other, i)))
                return false;
        }
    }
    return a->size == b->size;
}

static OcpDocument *
model_of(const char *path, OcpReport *report)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpDocument) document = pipe_read(bytes, path, report);
    g_autoptr(OcpOutcome) there = NULL;
    if (document == NULL || !convert(document, NULL, OCP_SYNTAX_JSON, report, &there))
        return NULL;
    return pipe_read(there->text, "model.json", report);
}

/* The JSON document of which this YAML file is another writing, or NULL. */
static char *
twin_of(const char *path)
{
    g_autofree char *stem = g_strndup(path, strlen(path) - strlen(".yaml"));
    static const char *const styles[] = {".flow", ".quoted", ".unicode", ".anchors"};
    for (gsize i = 0; i < G_N_ELEMENTS(styles); i++)
        if (g_str_has_suffix(stem, styles[i]))
            stem[strlen(stem) - strlen(styles[i])] = '\0';
    char *twin = g_strconcat(stem, ".json", NULL);
    if (g_file_test(twin, G_FILE_TEST_EXISTS))
        return twin;
    g_free(twin);
    return NULL;
}

/* Not the same values: words that YAML 1.1, in which the file was written, takes for
 * text and YAML 1.2 for numbers (with a warning for each); and digits that its writer
 * rounded away. */
static bool
is_read_otherwise(const char *name)
{
    return strstr(name, "yaml-lookalike-strings") != NULL ||
           strstr(name, "x-manifest-number-lexemes") != NULL;
}

static void
compare_with_twin(const char *path, const char *name, const char *what, gpointer data)
{
    Tally *tally = data;
    g_autofree char *twin = g_str_has_suffix(path, ".yaml") ? twin_of(path) : NULL;
    if (twin == NULL || !g_str_has_prefix(what, "schema: valid") ||
        is_read_otherwise(name))
        return;
    g_autofree char *twin_name = g_strconcat(
        g_str_has_prefix(name, "v1") ? "v1/" : "v2/", strrchr(twin, '/') + 1, NULL);
    if (is_no_text(twin_name))
        return;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) yaml = model_of(path, report);
    g_autoptr(OcpDocument) json = model_of(twin, report);
    tally->total++;
    if (yaml != NULL && json != NULL && is_same_model(yaml->root, json->root))
        tally->passed++;
    else
        ocp_test_fail("%s: another model than %s", name, twin_name);
}

static void
both_syntaxes_give_one_model(void)
{
    Tally tally = {0};
    context = ocp_context_new();
    each_document(compare_with_twin, &tally);
    ocp_context_free(context);
    ocp_test_count("session-checkpoint, YAML as JSON", tally.passed, tally.total);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* ---- what is refused, what is told ----------------------------------------------- */

static void
refused(const char *path, const char *name, const char *what, gpointer data)
{
    Tally *tally = data;
    bool invalid = g_str_has_prefix(what, "schema: invalid");
    if (!invalid && !is_no_text(name))
        return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    g_autoptr(OcpOutcome) there = NULL;
    tally->total++;
    if (document != NULL && convert(document, NULL, OCP_SYNTAX_JSON, report, &there)) {
        ocp_test_fail("%s (%s): converted", name, what);
        return;
    }
    const OcpDiagnostic *error = first_of(report, OCP_ERROR);
    if (error == NULL || error->line == 0)
        ocp_test_fail("%s: no error with a place", name);
    else
        tally->passed++;
}

static void
what_the_schema_refuses_is_refused_at_a_place(void)
{
    Tally tally = {0};
    context = ocp_context_new();
    each_document(refused, &tally);
    ocp_context_free(context);
    ocp_test_count("session-checkpoint refused", tally.passed, tally.total);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* What the loader says, and the code and a word of what we say. */
static const struct {
    const char *loader, *code, *word;
} reasons[] = {
    {"TypeError: cannot convert dictionary", "SC-W10", "/kernel/q/pending_tool_args"},
    {"invalid literal for int()", "SC-W09", "call_2"},
    {"'THINKING' is not a valid DpState", "SC-W07", "THINKING"},
    {"'RUNNING' is not a valid ToolState", "SC-W07", "RUNNING"},
    {"KeyError: 'next_step'", "SC-W08", "next_step"},
    {"KeyError: 'dp'", "SC-W06", "dp"},
    {"manifest hash mismatch", "SC-W01", "hash mismatch"},
};

static bool
tells(const OcpReport *report, const char *code, const char *word)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (strcmp(one->code, code) == 0 && one->severity == OCP_WARNING &&
            (strstr(one->message, word) != NULL || strstr(one->pointer, word) != NULL))
            return true;
    }
    return false;
}

static void
told(const char *path, const char *name, const char *what, gpointer data)
{
    Tally *tally = data;
    if (!g_str_has_prefix(what, "schema: valid; loader: rejects") || is_no_text(name))
        return;
    gsize n = 0;
    while (n < G_N_ELEMENTS(reasons) && strstr(what, reasons[n].loader) == NULL)
        n++;
    CU_ASSERT_FATAL(n < G_N_ELEMENTS(reasons));
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) converted = ocp_report_new();
    g_autoptr(OcpReport) checked = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, converted);
    g_autoptr(OcpDocument) again = pipe_read(bytes, name, checked);
    g_autoptr(OcpOutcome) there = NULL;
    tally->total++;
    bool good = convert(document, NULL, OCP_SYNTAX_JSON, converted, &there) &&
                tells(converted, reasons[n].code, reasons[n].word);
    ocp_check(context, again, NULL, checked, NULL);
    good = good && tells(checked, reasons[n].code, reasons[n].word);
    if (!good)
        ocp_test_fail("%s: nothing is said of \"%s\"", name, what);
    tally->passed += good;
}

static void
what_the_loader_rejects_is_told_with_its_reason(void)
{
    Tally tally = {0};
    context = ocp_context_new();
    each_document(told, &tally);
    ocp_context_free(context);
    ocp_test_count("session-checkpoint, reasons of the loader", tally.passed,
                   tally.total);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* A document that the loader takes gives no warning but where a rule is broken on
 * purpose. */
static void
quiet(const char *path, const char *name, const char *what, gpointer data)
{
    static const char *const loud[] = {"x-created-at", "x-duplicate-agent",
                                       "x-lineage-null-root", "yaml-lookalike"};
    Tally *tally = data;
    if (strstr(what, "loader: accepts") == NULL || is_no_text(name))
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(loud); i++)
        if (strstr(name, loud[i]) != NULL)
            return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    tally->total++;
    ocp_check(context, document, NULL, report, NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (g_str_has_prefix(one->code, "SC-")) {
            ocp_test_fail("%s: %s: %s", name, one->pointer, one->message);
            return;
        }
    }
    tally->passed++;
}

static void
what_the_loader_takes_breaks_no_rule(void)
{
    Tally tally = {0};
    context = ocp_context_new();
    each_document(quiet, &tally);
    ocp_context_free(context);
    ocp_test_count("session-checkpoint without a warning", tally.passed, tally.total);
    CU_ASSERT_EQUAL(tally.passed, tally.total);
}

/* ---- two files, one kernel ------------------------------------------------------- */

static OcpDocument *
mapping_file(const char *name)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents = NULL;
    g_autofree char *path = ocp_test_source(name);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    CU_ASSERT_FATAL(ocp_yaml_read(bytes, name, &limits, report, &documents));
    return ocp_document_ref(documents->pdata[0]);
}

static bool
same_text(const OcpNode *a, const OcpNode *b)
{
    g_autofree char *one = pipe_json(a);
    g_autofree char *two = pipe_json(b);
    return strcmp(one, two) == 0;
}

/* `use:` shares members of a mapping whole, so the kernel stands in both files. */
static void
both_versions_write_the_same_kernel(void)
{
    g_autoptr(OcpDocument) old = mapping_file("mappings/session-checkpoint-1.yaml");
    g_autoptr(OcpDocument) new = mapping_file("mappings/session-checkpoint-2.yaml");
    CU_ASSERT(same_text(ocp_pointer_find(old->root, "/write/kernel"),
                        ocp_pointer_find(new->root, "/write/kernel")));
    CU_ASSERT(same_text(ocp_pointer_find(old->root, "/write/memory_seeds"),
                        ocp_pointer_find(new->root, "/write/memory_seeds")));
    OcpIter iter = ocp_iter(ocp_pointer_find(old->root, "/write/let"));
    for (const OcpNode *name, *value; ocp_iter_member(&iter, &name, &value);)
        CU_ASSERT(same_text(
            value, ocp_member_like(ocp_pointer_find(new->root, "/write/let"), name)));
}

OCP_TEST_MAIN("session-corpus",
              {"both versions write the same kernel",
               both_versions_write_the_same_kernel},
              {"version 1 comes back", version_1_comes_back},
              {"version 2 comes back", version_2_comes_back},
              {"both syntaxes give one model", both_syntaxes_give_one_model},
              {"what the schema refuses is refused at a place",
               what_the_schema_refuses_is_refused_at_a_place},
              {"what the loader rejects is told with its reason",
               what_the_loader_rejects_is_told_with_its_reason},
              {"what the loader takes breaks no rule",
               what_the_loader_takes_breaks_no_rule})
