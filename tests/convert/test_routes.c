/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every route: a valid document of any dialect through any other, and back. What comes
 * out is valid; what comes back different is what the report names; going twice adds
 * nothing.
 *
 * The ordinary run takes the fixtures and the examples through every dialect, and of
 * the rest of the corpus a sample: OCP_SEED=n takes another one. With OCP_LONG=1
 * everything goes through everything, in both syntaxes.
 *
 * docs/routes.md is the table of what was counted, made of the fixtures and the
 * examples only, so that it is checked in every run. With OCP_UPDATE_GOLDEN=1 (or
 * docs/routes) it is written, and the test fails, so that every change is read.
 */
#include <stdlib.h>

#include "corpus.h"
#include "value/equal.h"

enum { SAMPLED = 200, SEED = 20261001, SHOWN_FAULTS = 3 };

/* What the documents of one dialect met on the way through another. */
typedef struct {
    char *from, *to;
    guint tried, valid;
    guint exact;     /* came back as they were */
    guint sensitive; /* ... but for sensitive values */
    guint unnamed;   /* with a difference that nothing names: a fault */
    guint64 counts[OCP_FATES];
} Row;

/* One document on its way. */
typedef struct {
    const Source *source;
    const char *to;
    OcpSyntax syntax; /* of what is written there */
    bool keep;        /* sensitive values too */
    OcpOutcome *there;
    Row *row;
} Route;

static GPtrArray *targets; /* labels of all dialects, as the program lists them */

static char *
first_error(const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *one = report->diagnostics->pdata[i];
        if (one->severity == OCP_ERROR)
            return g_strdup_printf("%s: %s [%s]",
                                   one->pointer != NULL ? one->pointer : "",
                                   one->message, one->code);
    }
    return g_strdup("no error");
}

static void
fail_route(const Route *route, const char *what, const char *said)
{
    ocp_test_fail("%s through %s%s: %s: %s", route->source->name, route->to,
                  route->syntax == OCP_SYNTAX_YAML ? " (YAML)" : "", what, said);
}

static OcpOutcome *
convert(GBytes *bytes, const char *name, const OcpConvertOptions *options,
        OcpReport *report)
{
    OcpOrigin origin = pipe_origin(name);
    OcpOutcome *outcome = NULL;
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    if (document != NULL)
        ocp_convert(pipe_context(), document, &origin, options, report, &outcome);
    return outcome;
}

/* ---- the table ------------------------------------------------------------------ */

static void
free_row(gpointer pointer)
{
    Row *row = pointer;
    g_free(row->from);
    g_free(row->to);
    g_free(row);
}

static Row *
row_of(GHashTable *table, const char *from, const char *to)
{
    g_autofree char *key = g_strconcat(from, "\t", to, NULL);
    Row *row = g_hash_table_lookup(table, key);
    if (row != NULL)
        return row;
    row = g_new0(Row, 1);
    row->from = g_strdup(from);
    row->to = g_strdup(to);
    g_hash_table_insert(table, g_steal_pointer(&key), row);
    return row;
}

static GHashTable *
table_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_row);
}

static char *
there_and_back_words(const Row *row)
{
    guint named = row->tried - row->exact - row->sensitive - row->unnamed;
    if (row->unnamed > 0)
        return g_strdup_printf("%u with differences that nothing names", row->unnamed);
    if (row->exact == row->tried)
        return g_strdup("exact");
    if (named == 0)
        return g_strdup_printf("exact; %u but for sensitive values", row->sensitive);
    GString *words = g_string_new(NULL);
    if (row->exact > 0)
        g_string_append_printf(words, "%u exact, ", row->exact);
    if (row->sensitive > 0)
        g_string_append_printf(words, "%u but for sensitive values, ", row->sensitive);
    g_string_append_printf(words, "%u with differences, all named", named);
    return g_string_free(words, FALSE);
}

static void
add_row_text(GString *text, const Row *row)
{
    g_autofree char *words = there_and_back_words(row);
    g_string_append_printf(text, "| %s | %s | %u | %u |", row->from, row->to,
                           row->tried, row->valid);
    for (guint i = 0; i < OCP_FATES; i++)
        g_string_append_printf(text, " %" G_GUINT64_FORMAT " |", row->counts[i]);
    g_string_append_printf(text, " %s |\n", words);
}

static char *
table_text(GHashTable *table)
{
    GString *text = g_string_new(
        "| from | to | documents | valid | mapped | kept | carried | omitted "
        "| there and back |\n"
        "|---|---|--:|--:|--:|--:|--:|--:|---|\n");
    for (guint i = 0; i < targets->len; i++)
        for (guint n = 0; n < targets->len; n++) {
            g_autofree char *key =
                g_strconcat(targets->pdata[i], "\t", targets->pdata[n], NULL);
            const Row *row = g_hash_table_lookup(table, key);
            if (row != NULL)
                add_row_text(text, row);
        }
    return g_string_free(text, FALSE);
}

/* ---- there ---------------------------------------------------------------------- */

static OcpConvertOptions
options_of(const Route *route)
{
    OcpConvertOptions options = {.from = route->source->from,
                                 .to = route->to,
                                 .syntax = route->syntax,
                                 .created_at = route->source->created_at};
    return options;
}

static bool
is_model(const char *label)
{
    return strcmp(label, "opencheckpoint") == 0;
}

/* The faults that a document had before are not ours. */
static bool
has_faults(GBytes *bytes, const char *name, const char *from, char **ret_said)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = pipe_read(bytes, name, report);
    bool sound =
        document != NULL && ocp_check(pipe_context(), document, from, report, NULL);
    if (!sound && ret_said != NULL)
        *ret_said = first_error(report);
    return !sound;
}

static bool
is_valid(const Route *route)
{
    g_autofree char *said = NULL;
    if (!has_faults(route->there->text, "there", route->there->to, &said) ||
        has_faults(route->source->bytes, route->source->base, route->there->from, NULL))
        return true;
    fail_route(route, "what was written is not valid", said);
    return false;
}

static void
count_leaves(const Route *route)
{
    const OcpAccount *account = route->there->route;
    for (guint i = 0; account != NULL && i < OCP_FATES; i++)
        route->row->counts[i] += account->counts[i];
    if (account != NULL)
        return;
    g_autoptr(OcpDocument) copied = source_document(route->source);
    route->row->counts[OCP_FATE_MAPPED] += ocp_count_leaves(copied->root);
}

/* ---- and back ------------------------------------------------------------------- */

/* Where there->route says so, or anything below the place. */
static bool
is_sensitive(const OcpAccount *account, const char *pointer)
{
    const OcpLeaf *leaf = pipe_leaf(account, pointer);
    return leaf != NULL && leaf->fate == OCP_FATE_OMITTED &&
           strcmp(leaf->reason, "sensitive") == 0;
}

static void
count_differences(const Route *route, const GPtrArray *differences)
{
    bool sensitive = true;
    guint unnamed = 0;
    for (guint i = 0; i < differences->len; i++) {
        const OcpDifference *one = differences->pdata[i];
        sensitive = sensitive && is_sensitive(route->there->route, one->pointer);
        if (one->named || unnamed++ >= SHOWN_FAULTS)
            continue;
        g_autofree char *said =
            g_strdup_printf("%s: %s became %s", one->pointer, one->before, one->after);
        fail_route(route, "nothing names a difference", said);
    }
    route->row->exact += differences->len == 0;
    route->row->sensitive += differences->len > 0 && sensitive;
    route->row->unnamed += unnamed > 0;
}

static void
check_differences(const Route *route)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = source_document(route->source);
    g_autoptr(GPtrArray) differences = NULL;
    OcpOrigin origin = pipe_origin(route->source->base);
    OcpConvertOptions options = options_of(route);
    if (ocp_round_trip(pipe_context(), document, &origin, &options, report,
                       &differences)) {
        count_differences(route, differences);
        return;
    }
    g_autofree char *said = first_error(report);
    fail_route(route, "no way there and back", said);
}

/* ---- and once more -------------------------------------------------------------- */

static GBytes *
step(const Route *route, GBytes *bytes, const char *to, OcpSyntax syntax)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpConvertOptions options = {
        .to = to, .syntax = syntax, .sensitive_keep = route->keep};
    g_autoptr(OcpOutcome) outcome =
        convert(bytes, route->source->base, &options, report);
    if (outcome != NULL)
        return g_bytes_ref(outcome->text);
    g_autofree char *said = first_error(report);
    fail_route(route, to, said);
    return NULL;
}

/* Without carry or stash: something of the model had no place. */
static bool
is_closed(const OcpOutcome *outcome)
{
    return outcome->write != NULL && outcome->write->counts[OCP_FATE_OMITTED] > 0;
}

static bool
is_same(const Route *route, GBytes *first, GBytes *second, const char *what)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) a = pipe_read(first, "first", report);
    g_autoptr(OcpDocument) b = pipe_read(second, "second", report);
    if (g_bytes_equal(first, second))
        return true;
    if (a != NULL && b != NULL && ocp_equal(a->root, b->root))
        return true;
    fail_route(route, "the second lap", what);
    return false;
}

/* a, b, a', b', a'', b'': from the first return on nothing changes any more. Where
 * nothing can be stashed, what was written of a model comes back from the model it is
 * read into at once; a stash may be told in another order. */
static void
check_second_lap(const Route *route)
{
    const OcpOutcome *there = route->there;
    g_autoptr(GBytes) back = step(route, there->text, there->from, OCP_SYNTAX_JSON);
    g_autoptr(GBytes) again =
        back != NULL ? step(route, back, there->to, route->syntax) : NULL;
    g_autoptr(GBytes) back_again =
        again != NULL ? step(route, again, there->from, OCP_SYNTAX_JSON) : NULL;
    g_autoptr(GBytes) at_last =
        back_again != NULL ? step(route, back_again, there->to, route->syntax) : NULL;
    if (at_last == NULL)
        return;
    is_same(route, back, back_again, "ends elsewhere");
    is_same(route, again, at_last, "is written otherwise");
    if (is_model(there->from) && is_closed(there))
        is_same(route, there->text, again, "is not what was read");
}

/* ---- every route ---------------------------------------------------------------- */

static void
run_route(const Source *source, const char *to, OcpSyntax syntax, GHashTable *table)
{
    Route route = {.source = source, .to = to, .syntax = syntax};
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpConvertOptions options = options_of(&route);
    g_autoptr(OcpOutcome) there =
        convert(source->bytes, source->base, &options, report);
    if (there == NULL) {
        g_autofree char *said = first_error(report);
        fail_route(&route, "not converted", said);
        return;
    }
    route.there = there;
    route.row = row_of(table, there->from, to);
    CU_ASSERT_STRING_EQUAL(there->to, to);
    route.row->tried++;
    route.row->valid += is_valid(&route);
    count_leaves(&route);
    check_differences(&route);
    check_second_lap(&route);
}

static GHashTable *
run_all(const GPtrArray *sources, OcpSyntax syntax)
{
    GHashTable *table = table_new();
    for (guint i = 0; i < sources->len; i++)
        for (guint n = 0; n < targets->len; n++)
            run_route(sources->pdata[i], targets->pdata[n], syntax, table);
    return table;
}

static void
print_count(const char *name, GHashTable *table)
{
    guint tried = 0, valid = 0;
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, table);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        tried += ((const Row *)value)->tried;
        valid += ((const Row *)value)->valid;
    }
    ocp_test_count(name, valid, tried);
}

/* Each with one dialect and in one syntax, all by lot. */
static void
a_sample_of_the_corpus_goes_everywhere(void)
{
    if (pipe_is_long())
        return; /* the whole corpus does */
    const char *text = g_getenv("OCP_SEED");
    guint32 seed = text != NULL ? (guint32)strtoul(text, NULL, 10) : SEED;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    g_autoptr(GPtrArray) sources = sources_of(SOURCES_ALL);
    g_autoptr(GHashTable) table = table_new();
    for (guint i = 0; i < SAMPLED; i++) {
        const Source *source =
            sources->pdata[g_rand_int_range(random, 0, (gint32)sources->len)];
        const char *to =
            targets->pdata[g_rand_int_range(random, 0, (gint32)targets->len)];
        OcpSyntax syntax = g_rand_boolean(random) ? OCP_SYNTAX_YAML : OCP_SYNTAX_JSON;
        run_route(source, to, syntax, table);
    }
    print_count("routes, sample of the corpus", table);
}

static void
the_whole_corpus_goes_everywhere(void)
{
    if (!pipe_is_long())
        return;
    g_autoptr(GPtrArray) sources = sources_of(SOURCES_ALL);
    g_autoptr(GHashTable) json = run_all(sources, OCP_SYNTAX_JSON);
    g_autoptr(GHashTable) yaml = run_all(sources, OCP_SYNTAX_YAML);
    g_autofree char *text = table_text(json);
    printf("%s", text);
    print_count("routes, whole corpus", json);
    print_count("routes, whole corpus as YAML", yaml);
}

/* ---- docs/routes.md ------------------------------------------------------------- */

static const char page_head[] =
    "# Routes\n"
    "\n"
    "Every dialect converts to every other, through the model. This table is made by\n"
    "`tests/convert/test_routes.c` (with `OCP_UPDATE_GOLDEN=1`) and checked in every "
    "run "
    "of the\n"
    "tests. It counts the valid documents of `fixtures/` and the examples of each "
    "dialect; "
    "the\n"
    "whole corpus goes the same ways, in both syntaxes, in the long run (`ctest -L "
    "long`), "
    "which\n"
    "prints its own table.\n"
    "\n"
    "*valid*: outputs that are valid in their dialect. *mapped*, *kept*, *carried* and "
    "*omitted*\n"
    "count the leaves of the source for the whole route, with the default options. "
    "*There "
    "and\n"
    "back*: what came back is the source, or every difference is one that the report "
    "names.\n"
    "\n";

static void
compare_page(const char *text)
{
    static const char page[] = "docs/routes.md";
    const char *update = g_getenv("OCP_UPDATE_GOLDEN");
    g_autofree char *path = ocp_test_source(page);
    g_autofree char *old = NULL;
    if (g_file_get_contents(path, &old, NULL, NULL) && strcmp(old, text) == 0)
        return;
    bool wanted = update != NULL && *update != '\0' &&
                  (strcmp(update, "1") == 0 || g_str_has_prefix(page, update));
    if (wanted)
        CU_ASSERT(g_file_set_contents(path, text, -1, NULL));
    ocp_test_fail("%s is not current%s", page, wanted ? ": it was written" : "");
}

static void
fixtures_and_examples_go_everywhere_as_the_page_says(void)
{
    g_autofree char *examples = ocp_test_shared("corpus/examples");
    g_autoptr(GPtrArray) sources = sources_of(SOURCES_EXAMPLES);
    g_autoptr(GHashTable) table = run_all(sources, OCP_SYNTAX_JSON);
    print_count("routes, fixtures and examples", table);
    g_autofree char *rows = table_text(table);
    g_autofree char *text = g_strconcat(page_head, rows, NULL);
    if (examples != NULL)
        compare_page(text);
}

/* ---- the long way ---------------------------------------------------------------- */

/* A document, model, SessionCheckpoint, model, and the document again. */
static bool
comes_back_the_long_way(const Source *source, const OcpOutcome *read,
                        const char *session)
{
    /* sensitive values would be all that is missing, so they travel with the rest */
    bool keep = read->read->counts[OCP_FATE_OMITTED] > 0;
    Route route = {.source = source, .to = session, .keep = keep};
    const char *const ways[] = {"opencheckpoint", session, "opencheckpoint",
                                read->from};
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) before = source_document(source);
    g_autoptr(GBytes) now = g_bytes_ref(source->bytes);
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        GBytes *next = step(&route, now, ways[i], OCP_SYNTAX_JSON);
        if (next == NULL)
            return false;
        g_bytes_unref(now);
        now = next;
    }
    /* a conversion settles what a YAML text left open */
    OcpOrigin origin = pipe_origin(source->base);
    OcpConvertOptions options = {.created_at = source->created_at};
    g_autoptr(OcpOutcome) settled = NULL;
    ocp_convert(pipe_context(), before, &origin, &options, report, &settled);
    g_autoptr(OcpDocument) after = pipe_read(now, "after.json", report);
    if (after != NULL && ocp_equal(before->root, after->root))
        return true;
    fail_route(&route, "the long way", "it comes back different");
    return false;
}

static void
specrail_comes_back_the_long_way(void)
{
    static const char *const sessions[] = {"session-checkpoint@2",
                                           "session-checkpoint@1"};
    g_autoptr(GPtrArray) sources = sources_of(SOURCES_ALL);
    guint passed = 0, total = 0;
    for (guint i = 0; i < sources->len; i++) {
        const Source *source = sources->pdata[i];
        g_autoptr(OcpReport) report = ocp_report_new();
        OcpConvertOptions options = {.from = source->from,
                                     .created_at = source->created_at};
        g_autoptr(OcpOutcome) read =
            convert(source->bytes, source->base, &options, report);
        if (read == NULL || !g_str_has_prefix(read->from, "specrail"))
            continue;
        for (gsize n = 0; n < G_N_ELEMENTS(sessions); n++) {
            passed += comes_back_the_long_way(source, read, sessions[n]);
            total++;
        }
    }
    ocp_test_count("specrail the long way", passed, total);
    CU_ASSERT_EQUAL(passed, total);
}

/* ---- main ------------------------------------------------------------------------ */

static void
find_targets(void)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) dialects = NULL;
    targets = g_ptr_array_new_with_free_func(g_free);
    if (!ocp_context_list(pipe_context(), report, &dialects))
        return;
    for (guint i = 0; i < dialects->len; i++) {
        const OcpDialectInfo *one = dialects->pdata[i];
        if (one->writes)
            g_ptr_array_add(targets,
                            one->version != NULL
                                ? g_strdup_printf("%s@%s", one->name, one->version)
                                : g_strdup(one->name));
    }
}

static void
there_are_routes(void)
{
    CU_ASSERT(targets->len >= 9);
}

int
main(void)
{
    static const OcpTest tests[] = {
        {"there are routes", there_are_routes},
        {"fixtures and examples go everywhere, as the page says",
         fixtures_and_examples_go_everywhere_as_the_page_says},
        {"a sample of the corpus goes everywhere",
         a_sample_of_the_corpus_goes_everywhere},
        {"the whole corpus goes everywhere", the_whole_corpus_goes_everywhere},
        {"specrail comes back the long way", specrail_comes_back_the_long_way},
    };
    find_targets();
    int code = ocp_test_main("routes", tests, G_N_ELEMENTS(tests));
    g_ptr_array_unref(targets);
    return code;
}
