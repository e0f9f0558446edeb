/* SPDX-License-Identifier: Apache-2.0 */
/*
 * docs/mappings/NAME.md, one page for each mapping file: every property of the dialect,
 * where it goes, and why. Made from the mapping and the schema; the test fails if a
 * page is not current; with OCP_UPDATE_GOLDEN=1 (or docs/mappings) it writes them, and
 * still fails.
 */
#include "mapping_case.h"

enum { LONGEST_DESCRIPTION = 100, MOST_SOURCES = 6 };

static CaseSchema model;

/* ---- cells ----------------------------------------------------------------------- */

/* Adds a text to a cell that has room for one line and no bars. */
static void
add_text(GString *cell, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            g_string_append(cell, "\\|");
        else
            g_string_append_c(cell, *text == '\n' ? ' ' : *text);
    }
}

/* Adds one more piece, unless the cell has it already. */
static void
add_piece(GString *cell, const char *between, const char *piece)
{
    const char *at = cell->str;
    gsize length = strlen(piece);
    while ((at = strstr(at, piece)) != NULL) {
        bool begins = at == cell->str || g_str_has_suffix(between, (char[]){at[-1], 0});
        if (begins && (at[length] == '\0' || g_str_has_prefix(at + length, between)))
            return;
        at += length;
    }
    g_string_append_printf(cell, "%s%s", cell->len > 0 ? between : "", piece);
}

static void
add_code(GString *cell, const char *path)
{
    g_autofree char *code = g_strdup_printf("`%s`", path);
    add_piece(cell, ", ", code);
}

/* "/items/[*]/state" as "items[*].state", as paths are written in mappings. */
static char *
path_words(const char *path)
{
    GString *words = g_string_new(NULL);
    g_auto(GStrv) steps = g_strsplit(path + 1, "/", -1);
    for (char **step = steps; *step != NULL; step++)
        g_string_append_printf(words, "%s%s",
                               step == steps || strcmp(*step, "[*]") == 0 ? "" : ".",
                               *step);
    return g_string_free(words, FALSE);
}

/* ---- a row ----------------------------------------------------------------------- */

typedef struct {
    const OcpMapping *mapping;
    const OcpCoverage *coverage;
    GString *goes, *decides, *from, *why;
} Row;

static const OcpRule *
rule_of(const Row *row, const OcpUse *use)
{
    return row->mapping->rules->pdata[use->rule];
}

static void
add_why(Row *row, const char *why)
{
    if (why == NULL)
        return;
    g_autoptr(GString) sentence = g_string_new(NULL);
    add_text(sentence, why);
    add_piece(row->why, "; ", sentence->str);
}

/* An entry of carry, omit, sensitive or copies: what it says. */
static void
add_entry(Row *row, const char *fate, const OcpNode *entry)
{
    const OcpNode *reason = ocp_member(entry, "reason");
    const OcpNode *why = ocp_member(entry, "why");
    g_autofree char *reason_text = reason != NULL ? ocp_text_dup(reason) : NULL;
    g_autofree char *why_text = why != NULL ? ocp_text_dup(why) : NULL;
    g_autofree char *words = reason_text != NULL
                                 ? g_strdup_printf("%s (%s)", fate, reason_text)
                                 : g_strdup(fate);
    add_piece(row->goes, ", ", words);
    add_why(row, why_text);
}

/* Many places come from by_id(), which may give any object: then only the member says
 * something. */
static void
add_sources(Row *row, const GPtrArray *sources)
{
    for (guint i = 0; i < sources->len; i++) {
        g_autofree char *words = path_words(sources->pdata[i]);
        const char *last = strrchr(words, '.');
        g_autofree char *any = g_strdup_printf("….%s", last != NULL ? last + 1 : words);
        add_code(row->from, sources->len > MOST_SOURCES ? any
                            : words[0] != '\0'          ? words
                                                        : "$");
    }
}

static void
add_written(Row *row, const OcpUse *use)
{
    g_autoptr(GPtrArray) sources = ocp_coverage_sources(row->coverage, use->rule);
    if (sources->len == 0)
        add_piece(row->from, ", ", "made by a rule");
    add_sources(row, sources);
    add_why(row, rule_of(row, use)->why);
}

static void
add_use(Row *row, const OcpUse *use)
{
    const char *label = strchr(rule_of(row, use)->label, ':');
    label = label != NULL ? label + 1 : "";
    bool read = g_str_has_prefix(rule_of(row, use)->label, "read:");
    switch (use->kind) {
    case OCP_USE_TESTED:
        if (read)
            add_code(row->decides, label);
        break;
    case OCP_USE_PIECE:
    case OCP_USE_VALUE:
        if (read) {
            add_code(row->goes, label);
            add_why(row, rule_of(row, use)->why);
        }
        break;
    case OCP_USE_WRITTEN: add_written(row, use); break;
    case OCP_USE_OPEN:
        add_piece(row->from, ", ", "what a foreign model has no place for");
        break;
    case OCP_USE_COPY: add_entry(row, "a copy", use->entry); break;
    case OCP_USE_CARRIED: add_entry(row, "carried", use->entry); break;
    case OCP_USE_OMITTED: add_entry(row, "omitted", use->entry); break;
    case OCP_USE_SENSITIVE: add_entry(row, "sensitive", use->entry); break;
    default: break;
    }
}

static void
add_description(GString *page, const char *description)
{
    if (description == NULL)
        return;
    g_autofree char *cut = g_utf8_substring(
        description, 0, MIN(g_utf8_strlen(description, -1), LONGEST_DESCRIPTION));
    g_string_append(page, ": ");
    add_text(page, cut);
    if (strlen(cut) < strlen(description))
        g_string_append(page, "…");
}

static void
add_row(GString *page, const OcpMapping *mapping, const OcpCoverage *coverage,
        const OcpField *field)
{
    g_autoptr(GString) goes = g_string_new(NULL);
    g_autoptr(GString) decides = g_string_new(NULL);
    g_autoptr(GString) from = g_string_new(NULL);
    g_autoptr(GString) why = g_string_new(NULL);
    Row row = {mapping, coverage, goes, decides, from, why};
    for (guint i = 0; i < field->uses->len; i++)
        add_use(&row, &g_array_index(field->uses, OcpUse, i));
    if (field->uses->len == 0) /* it is open, and something below it is used */
        g_string_append(goes, "carried, but for what is named below");
    g_autofree char *path = path_words(field->path);
    g_string_append_printf(page, "| `%s`", path);
    add_description(page, field->description);
    g_string_append_printf(page, " | %s | %s | %s | %s |\n", goes->str, decides->str,
                           from->str, why->str);
}

/* ---- a page ---------------------------------------------------------------------- */

static void
add_head(GString *page, const char *file, const OcpMapping *mapping, bool uses)
{
    g_string_append_printf(page,
                           "# %s\n\n"
                           "Made from `mappings/%s` and `schemas/%s` by the tests "
                           "(OCP_UPDATE_GOLDEN=1 makes "
                           "it anew).\n\n",
                           mapping->title != NULL ? mapping->title : mapping->dialect,
                           file, mapping->schema);
    if (uses)
        g_string_append(page,
                        "Most rules are those of another mapping, which its `use:` "
                        "names.\n\n");
    if (mapping->open_path != NULL)
        g_string_append(page, "Documents have an open place: what a model has no place "
                              "for in this dialect is kept there.\n\n");
    else if (mapping->read != NULL)
        g_string_append(page, "Documents have no open place: what a model has no place "
                              "for in this dialect is left out and reported.\n\n");
}

static const char table_head[] =
    "*Goes to* names the rules of `read` that take the value, by the place they make "
    "in "
    "OpenCheckpoint; *decides* those that only ask for it; *written from* the places "
    "of "
    "OpenCheckpoint that `write` makes it from. Whatever the table says, the exact "
    "value "
    "comes back: what `write` does not say again is carried.\n\n"
    "| Property | Goes to | Decides | Written from | Why |\n"
    "|---|---|---|---|---|\n";

static char *
make_page(const char *file, const CaseMapping *made)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpCoverage) coverage =
        ocp_coverage_new(made->mapping, made->schema.schema, model.schema, report);
    const GPtrArray *fields = ocp_coverage_fields(coverage);
    GString *page = g_string_new(NULL);
    add_head(page, file, made->mapping, made->used != NULL);
    if (fields->len == 0)
        g_string_append(page, "This is the model itself: it is copied unchanged.\n");
    else
        g_string_append(page, table_head);
    for (guint i = 0; i < fields->len; i++)
        add_row(page, made->mapping, coverage, fields->pdata[i]);
    return g_string_free(page, FALSE);
}

/* The page of a mapping file, below the source tree. */
static char *
page_of(const char *file)
{
    g_autofree char *stem = g_strndup(file, strlen(file) - strlen(".yaml"));
    return g_strdup_printf("docs/mappings/%s.md", stem);
}

/* OCP_UPDATE_GOLDEN is 1, or the beginning of the page's name. */
static bool
is_to_be_written(const char *page)
{
    const char *update = g_getenv("OCP_UPDATE_GOLDEN");
    return update != NULL && *update != '\0' &&
           (strcmp(update, "1") == 0 || g_str_has_prefix(page, update));
}

static void
compare_page(const char *file, const char *text)
{
    g_autofree char *page = page_of(file);
    g_autofree char *path = ocp_test_source(page);
    g_autofree char *old = NULL;
    if (g_file_get_contents(path, &old, NULL, NULL) && strcmp(old, text) == 0)
        return;
    if (is_to_be_written(page)) {
        g_autofree char *folder = g_path_get_dirname(path);
        g_mkdir_with_parents(folder, 0755);
        CU_ASSERT(g_file_set_contents(path, text, -1, NULL));
    }
    ocp_test_fail("%s is not what mappings/%s says", page, file);
}

static void
every_page_is_current(void)
{
    g_autofree char *folder = ocp_test_source("mappings");
    g_autoptr(GPtrArray) files = ocp_test_list(folder, ".yaml");
    for (guint i = 0; i < files->len; i++) {
        g_autofree char *file = g_path_get_basename(files->pdata[i]);
        g_autoptr(OcpReport) report = ocp_report_new();
        g_auto(CaseMapping) made = case_mapping(file, model.schema, report);
        if (made.mapping == NULL) {
            g_autofree char *words = case_words(report);
            ocp_test_fail("%s: %s", file, words);
            continue;
        }
        g_autofree char *text = make_page(file, &made);
        compare_page(file, text);
    }
}

static void
no_page_is_without_its_mapping(void)
{
    g_autofree char *folder = ocp_test_source("docs/mappings");
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        return; /* the other test says so */
    g_autoptr(GPtrArray) pages = ocp_test_list(folder, ".md");
    for (guint i = 0; i < pages->len; i++) {
        g_autofree char *page = g_path_get_basename(pages->pdata[i]);
        g_autofree char *stem = g_strndup(page, strlen(page) - strlen(".md"));
        g_autofree char *below = g_strdup_printf("mappings/%s.yaml", stem);
        g_autofree char *mapping = ocp_test_source(below);
        CU_ASSERT(g_file_test(mapping, G_FILE_TEST_EXISTS));
    }
}

int
main(void)
{
    static const OcpTest tests[] = {
        {"every page is current", every_page_is_current},
        {"no page is without its mapping", no_page_is_without_its_mapping},
    };
    model = case_schema("opencheckpoint-0.1.schema.json");
    int code = ocp_test_main("mapping-documents", tests, G_N_ELEMENTS(tests));
    case_schema_clear(&model);
    return code;
}
