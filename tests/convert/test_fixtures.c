/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixtures/<dialect>/<case>/: a document `input.json` or `input.yaml`, and what must
 * come of it. A file that is there is tested:
 *
 *     model.json      the model, to the byte
 *     account.tsv     the fate of every leaf, where it shows and by which rule
 *     to/NAME.json    the document in the dialect NAME (or NAME@VERSION), to the byte
 *     options         lines "created-at TIME", "from NAME", "lenient"
 *
 * Besides, every case whose account omits nothing must come back as it was. With
 * OCP_UPDATE_GOLDEN=1 the files are written (model and account even where they are not
 * yet), and the test fails, so that every change is read; any other value of it is the
 * beginning of the names of the cases to write.
 */
#include <stdlib.h>

#include "pipe.h"
#include "value/equal.h"

typedef struct {
    char *folder;
    char *name;
    GBytes *bytes;
    char *created_at;
    char *from;
    bool lenient;
    bool update;
} Case;

static void
case_free(Case *fixture)
{
    g_free(fixture->folder);
    g_free(fixture->name);
    g_free(fixture->created_at);
    g_free(fixture->from);
    if (fixture->bytes != NULL)
        g_bytes_unref(fixture->bytes);
    g_free(fixture);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Case, case_free)

static void
read_options(Case *fixture)
{
    g_autofree char *path = g_build_filename(fixture->folder, "options", NULL);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) words = g_strsplit(*line, " ", 2);
        if (g_strcmp0(words[0], "created-at") == 0 && words[1] != NULL)
            fixture->created_at = g_strdup(words[1]);
        else if (g_strcmp0(words[0], "from") == 0 && words[1] != NULL)
            fixture->from = g_strdup(words[1]);
        else if (g_strcmp0(words[0], "lenient") == 0)
            fixture->lenient = true;
        else if (words[0] != NULL && *words[0] != '\0')
            ocp_test_fail("%s: unknown option %s", path, words[0]);
    }
}

static Case *
case_open(const char *label)
{
    static const char *const names[] = {"input.json", "input.yaml"};
    g_autofree char *folder = ocp_test_source("fixtures");
    Case *fixture = g_new0(Case, 1);
    fixture->folder = g_build_filename(folder, label, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(fixture->folder, names[i], NULL);
        if (fixture->bytes == NULL && g_file_test(path, G_FILE_TEST_EXISTS)) {
            fixture->bytes = ocp_test_read(path);
            fixture->name = g_strdup(names[i]);
        }
    }
    const char *update = g_getenv("OCP_UPDATE_GOLDEN");
    fixture->update = update != NULL && *update != '\0' &&
                      (strcmp(update, "1") == 0 || g_str_has_prefix(label, update));
    read_options(fixture);
    return fixture;
}

static Pipe *
case_run(const Case *fixture, const char *to)
{
    OcpConvertOptions options = {.created_at = fixture->created_at,
                                 .from = fixture->from,
                                 .lenient = fixture->lenient};
    Pipe *pipe = pipe_run(fixture->bytes, fixture->name, to, &options);
    for (guint i = 0; !pipe->ok && i < pipe->report->diagnostics->len; i++) {
        const OcpDiagnostic *said = pipe->report->diagnostics->pdata[i];
        ocp_test_fail("%s: %s: %s", fixture->folder, said->pointer, said->message);
    }
    CU_ASSERT_FATAL(pipe->ok && pipe->result != NULL);
    return pipe;
}

/* ---- golden files ---------------------------------------------------------------- */

static guint
line_of_difference(const char *a, const char *b)
{
    guint line = 1;
    for (; *a != '\0' && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

/* Compares with the file of the case, if it is there, or writes it. */
static void
check_golden(const Case *fixture, const char *name, const char *text, bool make)
{
    g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
    g_autofree char *expected = NULL;
    bool there = g_file_get_contents(path, &expected, NULL, NULL);
    if (!there && !(fixture->update && make))
        return;
    bool same = there && strcmp(expected, text) == 0;
    CU_ASSERT(same);
    if (same)
        return;
    if (fixture->update && g_file_set_contents(path, text, -1, NULL))
        ocp_test_fail("%s was written; read what changed", path);
    else
        ocp_test_fail("%s: different from line %u on", path,
                      line_of_difference(expected != NULL ? expected : "", text));
}

static char *
text_of(GBytes *bytes)
{
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

static char *
account_text(const OcpAccount *account)
{
    GString *text = g_string_new("# fate\tleaf\tshows at\trule\n");
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        g_string_append_printf(text, "%s\t%s\t%s\t%s\n", ocp_fate_name(leaf->fate),
                               leaf->pointer, leaf->place != NULL ? leaf->place : "-",
                               leaf->rule != NULL ? leaf->rule : "-");
    }
    return g_string_free(text, FALSE);
}

static void
check_targets(const Case *fixture)
{
    g_autofree char *folder = g_build_filename(fixture->folder, "to", NULL);
    g_autoptr(GPtrArray) paths = ocp_test_list(folder, ".json");
    for (guint i = 0; i < paths->len; i++) {
        g_autofree char *base = g_path_get_basename(paths->pdata[i]);
        g_autofree char *dialect = g_strndup(base, strlen(base) - strlen(".json"));
        g_autofree char *name = g_build_filename("to", base, NULL);
        g_autoptr(Pipe) pipe = case_run(fixture, dialect);
        g_autofree char *text = text_of(pipe->outcome->text);
        check_golden(fixture, name, text, true);
        pipe_check(pipe->context, pipe->outcome->text, name, OCP_ERROR);
    }
}

/* ---- what holds for every case --------------------------------------------------- */

static bool
omits_nothing(const OcpOutcome *outcome)
{
    return outcome->read == NULL || outcome->read->counts[OCP_FATE_OMITTED] == 0;
}

static void
check_way_back(const Pipe *pipe)
{
    g_autoptr(Pipe) back =
        pipe_run(pipe->outcome->text, "model.json", pipe->outcome->from, NULL);
    CU_ASSERT_FATAL(back->ok && back->result != NULL);
    CU_ASSERT(ocp_equal(back->result->root, pipe->source->root));
}

static void
run_case(void)
{
    g_autoptr(Case) fixture = case_open(CU_get_current_test()->pName);
    g_autoptr(Pipe) pipe = case_run(fixture, "opencheckpoint");
    const OcpAccount *account = pipe->outcome->read;
    CU_ASSERT(account == NULL || ocp_account_closes(account));
    pipe_check(pipe->context, pipe->outcome->text, "model.json", OCP_ERROR);
    if (omits_nothing(pipe->outcome))
        check_way_back(pipe);
    if (account != NULL) {
        g_autofree char *model = text_of(pipe->outcome->text);
        g_autofree char *fates = account_text(account);
        check_golden(fixture, "model.json", model, true);
        check_golden(fixture, "account.tsv", fates, true);
    }
    check_targets(fixture);
}

/* ---- which there are ------------------------------------------------------------- */

static bool
has_input(const char *folder)
{
    g_autofree char *json = g_build_filename(folder, "input.json", NULL);
    g_autofree char *yaml = g_build_filename(folder, "input.yaml", NULL);
    return g_file_test(json, G_FILE_TEST_EXISTS) ||
           g_file_test(yaml, G_FILE_TEST_EXISTS);
}

static void
add_cases(const char *root, const char *dialect, GArray *tests, GPtrArray *names)
{
    g_autoptr(GPtrArray) folders = ocp_test_list(dialect, NULL);
    for (guint i = 0; i < folders->len; i++) {
        const char *folder = folders->pdata[i];
        if (!has_input(folder))
            continue;
        char *name = g_strdup(folder + strlen(root) + 1);
        OcpTest test = {name, run_case};
        g_ptr_array_add(names, name);
        g_array_append_val(tests, test);
    }
}

int
main(void)
{
    g_autofree char *root = ocp_test_source("fixtures");
    g_autoptr(GPtrArray) dialects = ocp_test_list(root, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) tests = g_array_new(FALSE, FALSE, sizeof(OcpTest));
    for (guint i = 0; i < dialects->len; i++)
        add_cases(root, dialects->pdata[i], tests, names);
    int code = ocp_test_main("fixtures", &g_array_index(tests, OcpTest, 0), tests->len);
    ocp_test_count("fixtures", code == 0 ? tests->len : 0, tests->len);
    return code;
}
