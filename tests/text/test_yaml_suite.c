/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public YAML suite and the corpus: every case gives its value or is refused, but
 * for the cases listed here with their reasons. No case gives another value.
 */
#include <string.h>

#include "support.h"
#include "text/json.h"
#include "text/yaml.h"
#include "value/equal.h"

static const OcpLimits limits = OCP_LIMITS_DEFAULT;

/* Valid YAML that we refuse. */
static const struct {
    const char *reason;
    const char *cases; /* separated by blanks */
} refused[] = {
    {"a tag that has no meaning in a checkpoint",
     "2XXW 565N 5TYM 6CK3 6WLZ 7FWL 9WXW C4HZ CC74 CUP7 J7PZ M5C3 P76L UGM3 Z67P "
     "Z9M4"},
    {"libyaml knows %YAML 1.1 and 1.2 and %TAG, no other directive",
     "2LFX 6LVF BEC7 MUS6/05 MUS6/06 W4TN"},
    {"libyaml ends an anchor's name where YAML 1.2 goes on", "2SXE 8XYN W5VH Y2GN"},
    {"a spelling inside [] or {} that libyaml does not know",
     "4MUZ/00 4MUZ/01 4MUZ/02 58MP 5MUD 5T43 9SA2 DBG4 HM87/00 K3WX NJ66 UT92 "
     "VJP3/01"},
    {"'?' begins a key in YAML 1.1 and is text in 1.2", "652Z HM87/01"},
    {"libyaml takes no tab here",
     "6BCT 6CA3 96NN/00 96NN/01 A2M4 DK95/00 DK95/03 DK95/04 Q5MG R4YG Y79Y/001 "
     "Y79Y/010"},
    {"libyaml wants '---', and a top level scalar indented", "7Z25 DK3J FP8R M7A3"},
    {"no document: a checkpoint cannot be nothing", "8G76 98YD AVM7 HWV9 QT73"},
    {"the text ends inside a line of blanks: readers disagree", "JEF9/02 L24T/01"},
};

/* Invalid YAML that libyaml takes, and the values it gives. */
static const struct {
    const char *name;
    const char *reason;
    const char *values; /* a JSON array of the documents */
} accepted[] = {
    {"9C9N", "a flow list may be indented less", "[{\"flow\": [\"a\", \"b\", \"c\"]}]"},
    {"9JBA", "a comment needs no blank before it", "[[\"a\", \"b\", \"c\"]]"},
    {"CVW2", "a comment needs no blank before it", "[[\"a\", \"b\", \"c\"]]"},
    {"DK95/01", "a tab counts as indentation in quotes", "[{\"foo\": \"bar baz\"}]"},
    {"EB22", "a document may end at a directive", "[\"scalar1\", \"scalar2\"]"},
    {"G5U8", "'-' is text before ',' and ']'", "[[[\"-\", \"-\"]]]"},
    {"MUS6/00", "a version may be followed by more", "[null]"},
    {"MUS6/01", "a document may end at a directive", "[null, null]"},
    {"QB6E", "quoted lines may be indented less", "[{\"quoted\": \"a b c\"}]"},
    {"RHX7", "a document may end at a directive", "[{\"key\": \"value\"}, null]"},
    {"S98Z", "blank lines may be indented more", "[{\"empty block scalar\": \"\"}]"},
    {"SU5Z", "a comment needs no blank before it", "[{\"key\": \"value\"}]"},
    {"X4QW", "a comment needs no blank before it", "[{\"block\": \"scalar\\n\"}]"},
    {"Y79Y/003", "a tab counts as indentation in []", "[[[\"foo\", \"foo\"]]]"},
    {"YJV2", "'-' is text before ',' and ']'", "[[\"-\"]]"},
};

static const char *
reason_to_refuse(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_auto(GStrv) names = g_strsplit(refused[i].cases, " ", -1);
        if (g_strv_contains((const char *const *)names, name))
            return refused[i].reason;
    }
    return NULL;
}

static GPtrArray *
read_yaml(const char *path, OcpYamlVersion version, OcpReport *report)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    GPtrArray *documents = NULL;
    if (!ocp_yaml_read(bytes, path, &limits, report, &documents))
        return NULL;
    for (guint i = 0; i < documents->len; i++)
        ocp_yaml_settle(documents->pdata[i], version, NULL, NULL, report);
    return documents;
}

static OcpDocument *
read_json(GBytes *bytes)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpDocument *document = NULL;
    ocp_json_read(bytes, "json", &limits, report, &document);
    return document;
}

/* The end of the JSON value that starts at at. */
static gsize
end_of_value(const char *text, gsize length, gsize at)
{
    gsize depth = 0;
    bool quoted = false;
    for (; at < length; at++) {
        char c = text[at];
        if (quoted && c == '\\')
            at++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            depth++;
        else if (!quoted && (c == '}' || c == ']'))
            depth--;
        if (!quoted && depth == 0 &&
            (at + 1 == length || strchr("}]\"", c) != NULL ||
             g_ascii_isspace(text[at + 1])))
            return at + 1;
    }
    return length;
}

/* The values that stand one after another in a file, as one array of documents. */
static GPtrArray *
read_values(const char *path)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    GPtrArray *values =
        g_ptr_array_new_with_free_func((GDestroyNotify)ocp_document_unref);
    for (gsize at = 0; at < length;) {
        if (g_ascii_isspace(text[at])) {
            at++;
            continue;
        }
        gsize end = end_of_value(text, length, at);
        g_autoptr(GBytes) part = g_bytes_new_from_bytes(bytes, at, end - at);
        g_ptr_array_add(values, read_json(part));
        at = end;
    }
    return values;
}

static bool
same_values(const GPtrArray *documents, const GPtrArray *values)
{
    bool same = documents->len == values->len;
    for (guint i = 0; same && i < values->len; i++) {
        const OcpDocument *document = documents->pdata[i];
        const OcpDocument *value = values->pdata[i];
        same = value != NULL && ocp_equal_value(document->root, value->root);
    }
    return same;
}

typedef struct {
    guint total;
    guint passed;
    guint refused;
    guint accepted;
} Counts;

static void
check_accepted(const char *name, const GPtrArray *documents, Counts *counts)
{
    for (gsize i = 0; i < G_N_ELEMENTS(accepted); i++) {
        if (strcmp(accepted[i].name, name) != 0)
            continue;
        counts->accepted++;
        g_autoptr(GBytes) text =
            g_bytes_new_static(accepted[i].values, strlen(accepted[i].values));
        g_autoptr(OcpDocument) values = read_json(text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(values);
        bool same = values->root->size == documents->len;
        for (guint d = 0; same && d < documents->len; d++)
            same = ocp_equal_value(((OcpDocument *)documents->pdata[d])->root,
                                   ocp_element(values->root, d));
        if (!same)
            ocp_test_fail("%s: another value than listed", name);
        return;
    }
    ocp_test_fail("%s: invalid, but accepted", name);
}

static void
check_case(const char *folder, const char *name, Counts *counts)
{
    g_autofree char *yaml = g_build_filename(folder, "in.yaml", NULL);
    g_autofree char *json = g_build_filename(folder, "in.json", NULL);
    g_autofree char *error = g_build_filename(folder, "error", NULL);
    bool invalid = g_file_test(error, G_FILE_TEST_EXISTS);
    if (!invalid && !g_file_test(json, G_FILE_TEST_EXISTS))
        return;
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents = read_yaml(yaml, OCP_YAML_1_2, report);
    const char *reason = reason_to_refuse(name);
    counts->total++;
    if ((documents == NULL) != ocp_report_has_errors(report))
        ocp_test_fail("%s: refused without an error, or the reverse", name);
    if (documents == NULL && (invalid || reason != NULL)) {
        counts->passed += invalid ? 1 : 0;
        counts->refused += invalid ? 0 : 1;
    } else if (documents == NULL) {
        const OcpDiagnostic *first = report->diagnostics->pdata[0];
        ocp_test_fail("%s: refused: %s", name, first->message);
    } else if (invalid) {
        check_accepted(name, documents, counts);
    } else {
        g_autoptr(GPtrArray) values = read_values(json);
        counts->passed++;
        if (!same_values(documents, values))
            ocp_test_fail("%s: another value", name);
        if (reason != NULL)
            ocp_test_fail("%s: listed as refused, but read", name);
    }
}

static void
the_suite_gives_its_values(void)
{
    g_autofree char *root = ocp_test_shared("suites/yaml");
    if (root == NULL)
        return;
    Counts counts = {0};
    g_autoptr(GPtrArray) cases = ocp_test_list(root, NULL);
    for (guint i = 0; i < cases->len; i++) {
        g_autofree char *name = g_path_get_basename(cases->pdata[i]);
        g_autofree char *yaml = g_build_filename(cases->pdata[i], "in.yaml", NULL);
        if (g_file_test(yaml, G_FILE_TEST_EXISTS))
            check_case(cases->pdata[i], name, &counts);
        g_autoptr(GPtrArray) parts = ocp_test_list(cases->pdata[i], NULL);
        for (guint p = 0; p < parts->len; p++) {
            g_autofree char *part = g_path_get_basename(parts->pdata[p]);
            g_autofree char *full = g_strdup_printf("%s/%s", name, part);
            if (g_file_test(parts->pdata[p], G_FILE_TEST_IS_DIR))
                check_case(parts->pdata[p], full, &counts);
        }
    }
    CU_ASSERT_EQUAL(counts.total, counts.passed + counts.refused + counts.accepted);
    ocp_test_count("yaml", counts.passed, counts.total);
    printf("  excepted: %u valid cases refused, %u invalid cases accepted\n",
           counts.refused, counts.accepted);
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
        printf("  refused: %s: %s\n", refused[i].reason, refused[i].cases);
    for (gsize i = 0; i < G_N_ELEMENTS(accepted); i++)
        printf("  accepted: %s: %s: %s\n", accepted[i].name, accepted[i].reason,
               accepted[i].values);
}

/* checkpoint.flow.yaml → checkpoint.json */
static char *
twin_of(const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    name[strlen(name) - strlen(".yaml")] = '\0';
    static const char *const styles[] = {".flow", ".quoted", ".unicode", ".anchors"};
    for (gsize i = 0; i < G_N_ELEMENTS(styles); i++)
        if (g_str_has_suffix(name, styles[i]))
            name[strlen(name) - strlen(styles[i])] = '\0';
    return g_strdup_printf("%s/%s.json", folder, name);
}

/* Files whose twin holds another text on purpose. */
static const struct {
    const char *prefix;
    const char *reason;
} untwinned[] = {
    {"x-manifest-duplicate-key.",
     "the JSON has a duplicate key, which is a text error"},
    {"x-manifest-number-lexemes.", "the YAML was written from doubles"},
};

static bool
has_no_twin(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    for (gsize i = 0; i < G_N_ELEMENTS(untwinned); i++) {
        if (!g_str_has_prefix(name, untwinned[i].prefix))
            continue;
        printf("  excepted: %s: %s\n", name, untwinned[i].reason);
        return true;
    }
    return false;
}

static void
the_corpus_equals_its_json(void)
{
    static const char *const folders[] = {"corpus/session-checkpoint/v1",
                                          "corpus/session-checkpoint/v2"};
    guint passed = 0;
    guint total = 0;
    for (gsize f = 0; f < G_N_ELEMENTS(folders); f++) {
        g_autofree char *folder = ocp_test_shared(folders[f]);
        if (folder == NULL)
            return;
        g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".yaml");
        for (guint i = 0; i < paths->len; i++) {
            const char *path = paths->pdata[i];
            g_autofree char *twin = twin_of(path);
            g_autoptr(OcpReport) report = ocp_report_new();
            g_autoptr(GPtrArray) documents = read_yaml(path, OCP_YAML_1_1, report);
            g_autoptr(GPtrArray) values = read_values(twin);
            total++;
            if (documents != NULL && same_values(documents, values))
                passed++;
            else if (documents == NULL || !has_no_twin(path))
                ocp_test_fail("%s: another value than %s", path, twin);
        }
    }
    ocp_test_count("yaml corpus", passed, total);
}

OCP_TEST_MAIN("text-yaml-suite",
              {"the suite gives its values", the_suite_gives_its_values},
              {"the corpus equals its JSON", the_corpus_equals_its_json})
