/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every valid CAOP document of the corpus, alone and out of logs: it becomes a sound
 * model and comes back as it was; what does not come back is what the account names.
 */
#include <glib/gstdio.h>

#include "pipe.h"

/* Stands in every nonce, so that a search for it finds what leaked and nothing else. */
#define SECRET "Zq7-one-time-power"

enum { ONE_PULSE_IN = 4 };

typedef struct {
    char *name;
    GBytes *bytes;
} Sample;

static void
free_sample(gpointer pointer)
{
    Sample *sample = pointer;
    g_free(sample->name);
    g_bytes_unref(sample->bytes);
    g_free(sample);
}

static void
add_sample(GPtrArray *samples, const char *name, const char *text)
{
    g_autoptr(GRegex) nonce =
        g_regex_new("\"required_nonce\"\\s*:\\s*\"[^\"]*\"", 0, 0, NULL);
    char *marked = g_regex_replace_literal(
        nonce, text, -1, 0, "\"required_nonce\": \"" SECRET "\"", 0, NULL);
    Sample *sample = g_new0(Sample, 1);
    sample->name = g_strdup(name);
    sample->bytes = g_bytes_new_take(marked, strlen(marked));
    g_ptr_array_add(samples, sample);
}

static void
add_folder(GPtrArray *samples, const char *folder)
{
    g_autofree char *path = ocp_test_shared(folder);
    if (path == NULL)
        return;
    g_autoptr(GPtrArray) files = ocp_test_list(path, ".json");
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[i]);
        g_autofree char *text =
            g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
        g_autofree char *name = g_path_get_basename(files->pdata[i]);
        add_sample(samples, name, text);
    }
}

/* The pulses that stand in the logs, one to a line of the list; of these many only some,
 * but in the long run. */
static void
add_pulses(GPtrArray *samples)
{
    g_autofree char *path = ocp_test_shared("corpus/logs/EXPECTED_pulses.jsonl");
    if (path == NULL)
        return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *pulse = strstr(lines[i], "\"pulse\": {");
        if (pulse == NULL || (i % ONE_PULSE_IN != 0 && !pipe_is_long()))
            continue;
        g_autofree char *name = g_strdup_printf("pulse-%u.json", i + 1);
        g_autofree char *value = g_strdup(pulse + strlen("\"pulse\": "));
        value[strlen(value) - 1] = '\0'; /* the line's own brace */
        add_sample(samples, name, value);
    }
}

static GPtrArray *
all_samples(void)
{
    GPtrArray *samples = g_ptr_array_new_with_free_func(free_sample);
    add_folder(samples, "corpus/examples/caop-pulse/valid");
    add_folder(samples, "corpus/examples/caop-pulse/integrity");
    add_folder(samples, "corpus/examples/caop-resume-brief/valid");
    add_folder(samples, "corpus/examples/caop-resume-brief/integrity");
    add_pulses(samples);
    return samples;
}

/* ---- into the model -------------------------------------------------------------- */

static void
every_document_becomes_a_sound_model(void)
{
    g_autoptr(GPtrArray) samples = all_samples();
    guint passed = 0;
    for (guint i = 0; i < samples->len; i++) {
        const Sample *sample = samples->pdata[i];
        g_autoptr(Pipe) p =
            pipe_run(sample->bytes, sample->name, "opencheckpoint", NULL);
        if (!p->ok) {
            ocp_test_fail("%s: not converted", sample->name);
            continue;
        }
        CU_ASSERT(ocp_account_closes(p->outcome->read));
        pipe_check(p->context, p->outcome->text, sample->name, OCP_WARNING);
        passed++;
    }
    ocp_test_count("caop to opencheckpoint", passed, samples->len);
}

/* Schemas of capabilities are carried whole; they are not counted here. */
static void
count_fates(const OcpAccount *account, guint counts[OCP_FATES])
{
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (!g_str_has_prefix(leaf->pointer, "/hydrated_capabilities"))
            counts[leaf->fate]++;
    }
}

static void
little_is_only_in_the_carry(void)
{
    g_autoptr(GPtrArray) samples = all_samples();
    guint counts[OCP_FATES] = {0};
    for (guint i = 0; i < samples->len; i++) {
        const Sample *sample = samples->pdata[i];
        g_autoptr(Pipe) p =
            pipe_run(sample->bytes, sample->name, "opencheckpoint", NULL);
        CU_ASSERT_FATAL(p->ok);
        count_fates(p->outcome->read, counts);
    }
    guint patch = counts[OCP_FATE_KEPT] + counts[OCP_FATE_CARRIED];
    guint all = patch + counts[OCP_FATE_MAPPED] + counts[OCP_FATE_OMITTED];
    printf("caop leaves in the carry: %u of %u\n", patch, all);
    CU_ASSERT(patch <= all / 5);
}

/* ---- there and back -------------------------------------------------------------- */

static GPtrArray *
round_trip(const Sample *sample, OcpConvertOptions options, OcpReport *report)
{
    g_autoptr(OcpDocument) document = pipe_read(sample->bytes, sample->name, report);
    OcpOrigin origin = pipe_origin(sample->name);
    GPtrArray *differences = NULL;
    CU_ASSERT_FATAL(
        ocp_round_trip(pipe_context(), document, &origin, &options, report, &differences));
    return differences;
}

static void
with_sensitive_values_kept_it_is_exact(void)
{
    g_autoptr(GPtrArray) samples = all_samples();
    static const OcpSyntax syntaxes[] = {OCP_SYNTAX_JSON, OCP_SYNTAX_YAML};
    guint passed = 0;
    for (guint i = 0; i < 2 * samples->len; i++) {
        const Sample *sample = samples->pdata[i / 2];
        OcpConvertOptions keep = {
            .to = "opencheckpoint", .syntax = syntaxes[i % 2], .sensitive_keep = true};
        g_autoptr(OcpReport) report = ocp_report_new();
        g_autoptr(GPtrArray) differences = round_trip(sample, keep, report);
        passed += differences->len == 0;
        for (guint n = 0; n < differences->len; n++) {
            const OcpDifference *difference = differences->pdata[n];
            ocp_test_fail("%s: %s: %s became %s", sample->name, difference->pointer,
                          difference->before, difference->after);
        }
    }
    ocp_test_count("caop round trip, kept", passed, 2 * samples->len);
}

/* The default: what differs is just what the account calls omitted, all sensitive. */
static void
check_default(const Sample *sample)
{
    OcpConvertOptions plain = {.to = "opencheckpoint"};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) differences = round_trip(sample, plain, report);
    g_autoptr(Pipe) p = pipe_run(sample->bytes, sample->name, "opencheckpoint", NULL);
    guint omitted = 0;
    for (guint i = 0; i < p->outcome->read->fates->len; i++) {
        const OcpLeaf *leaf = p->outcome->read->fates->pdata[i];
        if (leaf->fate != OCP_FATE_OMITTED)
            continue;
        CU_ASSERT_STRING_EQUAL(leaf->reason, "sensitive");
        CU_ASSERT(g_str_has_suffix(leaf->pointer, "/required_nonce"));
        omitted++;
    }
    CU_ASSERT_EQUAL(differences->len, omitted);
    for (guint i = 0; i < differences->len; i++) {
        const OcpDifference *difference = differences->pdata[i];
        const OcpLeaf *leaf = pipe_leaf(p->outcome->read, difference->pointer);
        CU_ASSERT(difference->named);
        CU_ASSERT(leaf != NULL && leaf->fate == OCP_FATE_OMITTED);
        CU_ASSERT_STRING_EQUAL(difference->after, "\"\"");
    }
}

static void
by_default_only_what_the_account_lists_differs(void)
{
    g_autoptr(GPtrArray) samples = all_samples();
    for (guint i = 0; i < samples->len; i++)
        check_default(samples->pdata[i]);
}

/* ---- nonces ---------------------------------------------------------------------- */

static void
refuse_secret(const Sample *sample, const char *where, const char *text, gssize length)
{
    if (text != NULL && g_strstr_len(text, length, SECRET) != NULL)
        ocp_test_fail("%s: the nonce is in %s", sample->name, where);
}

static void
refuse_in_bytes(const Sample *sample, const char *where, GBytes *bytes)
{
    if (bytes != NULL)
        refuse_secret(sample, where, g_bytes_get_data(bytes, NULL),
                      (gssize)g_bytes_get_size(bytes));
}

static void
refuse_in_report(const Sample *sample, const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *said = report->diagnostics->pdata[i];
        refuse_secret(sample, "a message", said->message, -1);
        refuse_secret(sample, "what a message found", said->found, -1);
        refuse_secret(sample, "what a message expected", said->expected, -1);
        refuse_secret(sample, "a hint", said->hint, -1);
        refuse_secret(sample, "an excerpt", said->excerpt, -1);
    }
}

static void
search(const Sample *sample, const char *to)
{
    g_autoptr(Pipe) p = pipe_run(sample->bytes, sample->name, to, NULL);
    CU_ASSERT_FATAL(p->ok);
    refuse_in_bytes(sample, to, p->outcome->text);
    refuse_in_bytes(sample, "the model", p->outcome->model);
    refuse_in_report(sample, p->report);
    g_autoptr(OcpReport) checked = ocp_report_new();
    ocp_check(p->context, p->source, NULL, checked, NULL);
    refuse_in_report(sample, checked);
    OcpConvertOptions plain = {.to = to};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) differences = round_trip(sample, plain, report);
    refuse_in_report(sample, report);
    for (guint i = 0; i < differences->len; i++) {
        const OcpDifference *difference = differences->pdata[i];
        refuse_secret(sample, "a difference", difference->before, -1);
        refuse_secret(sample, "a difference", difference->after, -1);
    }
}

static void
no_nonce_is_in_any_output_report_or_message(void)
{
    g_autoptr(GPtrArray) samples = all_samples();
    static const char *const targets[] = {"opencheckpoint", "caop-pulse",
                                          "caop-resume-brief"};
    for (guint i = 0; i < samples->len; i++)
        for (gsize n = 0; n < G_N_ELEMENTS(targets); n++)
            search(samples->pdata[i], targets[n]);
}

/* On one line a message's excerpt shows what stands beside the place. */
static void
no_nonce_is_beside_a_place_that_is_shown(void)
{
    static const char *const tails[] = {
        "'sub_state': 'EXECUTE_FAILED'}", "'sub_state': 'NONE'}", "'sub_state': 7}",
        "'sub_state': 'EXECUTE_FAILED', 'no_member': 1}",
        "'lease_expires_at': 'soon'}"};
    for (gsize i = 0; i < G_N_ELEMENTS(tails); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'unsettled_leases': [{'work_id': 'w', 'invocation_id': 'i', "
            "'required_nonce': '" SECRET "', %s], 'stale_commitments': [], "
            "'unassigned_blockers': [], 'ranked_next_actions': [], "
            "'system_advisories': []}",
            tails[i]);
        g_autoptr(GBytes) bytes = pipe_quoted(text);
        Sample sample = {(char *)tails[i], bytes};
        g_autoptr(Pipe) p = pipe_run(bytes, "one-line.json", "opencheckpoint", NULL);
        refuse_in_report(&sample, p->report);
        g_autoptr(OcpReport) checked = ocp_report_new();
        ocp_check(p->context, p->source, NULL, checked, NULL);
        CU_ASSERT(checked->diagnostics->len > 0);
        refuse_in_report(&sample, checked);
    }
}

/* The command on a file: what it prints and the report it writes. */
static void
search_command(const char *program, const Sample *sample, const char *option)
{
    g_autofree char *folder = g_dir_make_tmp("ocp-XXXXXX", NULL);
    g_autofree char *input = g_build_filename(folder, "input.json", NULL);
    g_autofree char *report = g_build_filename(folder, "report.json", NULL);
    gsize size;
    const char *bytes = g_bytes_get_data(sample->bytes, &size);
    CU_ASSERT_FATAL(g_file_set_contents(input, bytes, (gssize)size, NULL));
    char *arguments[] = {(char *)program,        "-v",       "--created-at",
                         "2026-10-01T00:00:00Z", "--report", report,
                         (char *)option,         input,      NULL};
    g_autofree char *out = NULL;
    g_autofree char *errors = NULL;
    g_autofree char *written = NULL;
    CU_ASSERT(g_spawn_sync(NULL, arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out,
                           &errors, NULL, NULL));
    CU_ASSERT(errors != NULL && strlen(errors) > 0);
    refuse_secret(sample, option, out, -1);
    refuse_secret(sample, option, errors, -1);
    if (g_file_get_contents(report, &written, NULL, NULL))
        refuse_secret(sample, "the report", written, -1);
    g_remove(input);
    g_remove(report);
    g_rmdir(folder);
}

static void
no_nonce_is_in_what_the_command_prints(void)
{
    g_autofree char *program = g_build_filename(OCP_BINARY_DIR, "ocp-convert", NULL);
    if (!g_file_test(program, G_FILE_TEST_IS_EXECUTABLE)) {
        printf("skipped: the command is not built\n");
        return;
    }
    static const char *const options[] = {"--check",
                                          "--explain",
                                          "--explain=all",
                                          "--round-trip",
                                          "--message-format=json",
                                          "--to=caop-pulse",
                                          "--to=opencheckpoint"};
    g_autoptr(GPtrArray) samples = g_ptr_array_new_with_free_func(free_sample);
    add_folder(samples, "corpus/examples/caop-pulse/valid");
    add_folder(samples, "corpus/examples/caop-resume-brief/valid");
    for (guint i = 0; i < samples->len; i++)
        for (gsize n = 0; n < G_N_ELEMENTS(options); n++)
            search_command(program, samples->pdata[i], options[n]);
}

/* ---- the dialect's own rules ----------------------------------------------------- */

static void
check_expected(char **row)
{
    g_autofree char *relative = g_strconcat("corpus/examples/", row[0], NULL);
    g_autofree char *path = ocp_test_shared(relative);
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, row[0], report);
    g_autofree char *dialect = NULL;
    bool ok = ocp_check(pipe_context(), document, NULL, report, &dialect);
    CU_ASSERT_STRING_EQUAL(dialect, row[1]);
    CU_ASSERT_EQUAL(ok, strcmp(row[3], "error") != 0);
    CU_ASSERT_EQUAL_FATAL(report->diagnostics->len, 1);
    const OcpDiagnostic *said = report->diagnostics->pdata[0];
    CU_ASSERT_STRING_EQUAL(said->code, row[2]);
    CU_ASSERT_STRING_EQUAL(ocp_severity_name(said->severity), row[3]);
    CU_ASSERT_STRING_EQUAL(said->pointer, row[4]);
}

static void
broken_rules_are_found_where_they_are_expected(void)
{
    g_autofree char *path = ocp_test_shared("corpus/examples/EXPECTED-INTEGRITY.tsv");
    if (path == NULL)
        return;
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint found = 0;
    for (char **line = lines; *line != NULL; line++) {
        g_auto(GStrv) row = g_strsplit(*line, "\t", -1);
        if (g_strv_length(row) < 5 || !g_str_has_prefix(row[1], "caop-"))
            continue;
        check_expected(row);
        found++;
    }
    CU_ASSERT(found >= 5);
    ocp_test_count("caop rules", found, found);
}

/* Codes said of a brief, with their severity, in the order found. */
static char *
codes_of(const char *text)
{
    g_autoptr(GBytes) bytes = pipe_quoted(text);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, "rules.json", report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    ocp_check(pipe_context(), document, NULL, report, NULL);
    GString *codes = g_string_new(NULL);
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *said = report->diagnostics->pdata[i];
        g_string_append_printf(codes, "%s%s %s", i > 0 ? "; " : "", said->code,
                               said->pointer);
    }
    return g_string_free(codes, FALSE);
}

#define PULSE(brief, rest)                                                             \
    "{'pulse_timestamp': '2026-10-01T10:00:00Z', 'workspace_stage_profile': "          \
    "'CAOP-STAGE-1', 'resume_brief': {" brief "}" rest "}"
#define LISTS "'stale_commitments': [], 'unassigned_blockers': []"
#define NOTHING                                                                        \
    "'unsettled_leases': [], 'ranked_next_actions': [], 'system_advisories': "         \
    "[], " LISTS
#define CHECK(due, status)                                                             \
    "{'work_id': 'w', 'sub_state': 'VERIFY_PHASE_2_DEFERRED', "                        \
    "'verification_capability_id': 'c', 'success_predicate': 'p', 'check_due_at': "    \
    "'2026-10-01T" due ":00Z', 'status': '" status "'}"
#define LEASE(id)                                                                      \
    "{'work_id': 'w', 'invocation_id': '" id "', 'sub_state': "                        \
    "'EXECUTE_EXPIRED', 'required_nonce': ''}"

static void
rules_without_an_example_hold_too(void)
{
    static const char *const rows[][2] = {
        {PULSE(NOTHING,
               ", 'outcome_verifications': [" CHECK("10:00", "PENDING") ", " CHECK(
                   "10:01", "PENDING") ", " CHECK("10:00",
                                                  "PASSED") ", " CHECK("10:01",
                                                                       "FAILED") "]"),
         "CA-W01 /outcome_verifications/0/status; CA-W01 "
         "/outcome_verifications/3/status"},
        {PULSE("'unsettled_leases': [" LEASE("a") ", " LEASE("b") ", " LEASE(
                   "a") "], 'ranked_next_actions': [], 'system_advisories': [], " LISTS,
               ""),
         "CA-W05 /resume_brief/unsettled_leases/2/invocation_id"},
        {PULSE("'unsettled_leases': [], 'ranked_next_actions': [], "
               "'system_advisories': [{'code': 'STAGE_UPGRADE_RECOMMENDED', 'message': "
               "'m'}], " LISTS,
               ""),
         "CA-W04 /resume_brief/system_advisories/0"},
        {PULSE("'unsettled_leases': [], 'ranked_next_actions': [{'rank': 1, 'work_id': "
               "'w', 'action_type': 'a'}, {'rank': 3, 'work_id': 'w', 'action_type': "
               "'a'}, {'rank': 2, 'work_id': 'w', 'action_type': 'a'}], "
               "'system_advisories': [], " LISTS,
               ""),
         "CA-I03 /resume_brief/ranked_next_actions/2/rank"},
        {PULSE(
             "'unsettled_leases': [{'work_id': 'w', 'invocation_id': 'i', 'sub_state': "
             "'EXECUTE_PENDING', 'required_nonce': ''}], 'ranked_next_actions': [], "
             "'system_advisories': [], " LISTS,
             ""),
         "CA-I01 /resume_brief/unsettled_leases/0/sub_state"},
        {PULSE(NOTHING, ""), ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *codes = codes_of(rows[i][0]);
        CU_ASSERT_STRING_EQUAL(codes, rows[i][1]);
        if (strcmp(codes, rows[i][1]) != 0)
            ocp_test_fail("row %u: %s", (guint)i, codes);
    }
}

static void
invalid_documents_are_refused(void)
{
    static const char *const folders[] = {"corpus/examples/caop-pulse/invalid",
                                          "corpus/examples/caop-resume-brief/invalid"};
    for (gsize n = 0; n < G_N_ELEMENTS(folders); n++) {
        g_autofree char *path = ocp_test_shared(folders[n]);
        if (path == NULL)
            return;
        g_autofree char *name = g_path_get_dirname(folders[n]);
        g_autofree char *dialect = g_path_get_basename(name);
        g_autoptr(GPtrArray) files = ocp_test_list(path, ".json");
        for (guint i = 0; i < files->len; i++) {
            g_autoptr(GBytes) bytes = ocp_test_read(files->pdata[i]);
            g_autoptr(OcpReport) report = ocp_report_new();
            g_autoptr(OcpDocument) document = pipe_read(bytes, "invalid", report);
            CU_ASSERT_FALSE(ocp_check(pipe_context(), document, dialect, report, NULL));
            CU_ASSERT(ocp_report_has_errors(report));
        }
    }
}

OCP_TEST_MAIN(
    "caop-corpus",
    {"every document becomes a sound model", every_document_becomes_a_sound_model},
    {"little is only in the carry", little_is_only_in_the_carry},
    {"with sensitive values kept it is exact", with_sensitive_values_kept_it_is_exact},
    {"by default only what the account lists differs",
     by_default_only_what_the_account_lists_differs},
    {"no nonce is in any output, report or message",
     no_nonce_is_in_any_output_report_or_message},
    {"no nonce is beside a place that is shown",
     no_nonce_is_beside_a_place_that_is_shown},
    {"no nonce is in what the command prints", no_nonce_is_in_what_the_command_prints},
    {"broken rules are found where they are expected",
     broken_rules_are_found_where_they_are_expected},
    {"rules without an example hold too", rules_without_an_example_hold_too},
    {"invalid documents are refused", invalid_documents_are_refused})
