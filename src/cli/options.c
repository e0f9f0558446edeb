/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <string.h>

#include "cli/suggest.h"

enum { MOST_JOBS = 1024 };

/* The values as GOption leaves them: words not understood yet. All are bytes as given
 * (G_OPTION_ARG_FILENAME): G_OPTION_ARG_STRING would convert them from the locale. */
typedef struct {
    gboolean check, explain, explain_all, round_trip, list, help, version;
    gboolean strict, lenient, quiet, verbose;
    gboolean lines, companion, force, dry_run, fail_fast, keep_going, all, latest;
    char *syntax, *input_syntax, *carry, *sensitive, *message_format, *color;
    char *progress, *jobs, *shard;
} Words;

static bool read_arguments(int argc, char *const *argv, OcpReport *report,
                           OcpOptions *options, Words *words);

/* ---- words with few values ------------------------------------------------- */

/* Sets *ret to the index of word in values; NULL word is the first value. */
static bool
choose(const char *option, const char *word, const char *const *values,
       OcpReport *report, guint *ret)
{
    for (guint i = 0; values[i] != NULL; i++) {
        if (word == NULL || strcmp(word, values[i]) == 0) {
            *ret = i;
            return true;
        }
    }
    g_autofree char *all = g_strjoinv(", ", (char **)values);
    ocp_fail(report, "usage.value", "%s takes %s; \"%s\" is none of them", option, all,
             word);
    const char *meant = ocp_suggest(word, values);
    if (meant != NULL) {
        OcpDiagnostic *last = report->diagnostics->pdata[report->diagnostics->len - 1];
        last->hint = g_strdup_printf("did you mean %s?", meant);
    }
    return false;
}

static bool
read_syntaxes(const Words *words, OcpReport *report, OcpOptions *options)
{
    static const char *const out[] = {"json", "yaml", "ndjson", NULL};
    static const OcpSyntax out_values[] = {OCP_SYNTAX_JSON, OCP_SYNTAX_YAML,
                                           OCP_SYNTAX_NDJSON};
    static const char *const in[] = {"json", "yaml", NULL};
    guint chosen;
    if (!choose("--syntax", words->syntax, out, report, &chosen))
        return false;
    options->syntax_given = words->syntax != NULL;
    options->convert.syntax = out_values[chosen];
    if (!choose("--input-syntax", words->input_syntax, in, report, &chosen))
        return false;
    if (words->input_syntax != NULL)
        options->input_syntax = out_values[chosen];
    return true;
}

static bool
read_choices(const Words *words, OcpReport *report, OcpOptions *options)
{
    static const char *const carry[] = {"all", "none", NULL};
    static const char *const sensitive[] = {"omit", "keep", NULL};
    static const char *const format[] = {"text", "json", NULL};
    static const char *const color[] = {"auto", "always", "never", NULL};
    static const OcpColor colors[] = {OCP_COLOR_AUTO, OCP_COLOR_ALWAYS,
                                      OCP_COLOR_NEVER};
    guint chosen;
    if (!choose("--message-format", words->message_format, format, report, &chosen))
        return false;
    options->json_messages = chosen == 1;
    if (!choose("--color", words->color, color, report, &chosen))
        return false;
    options->color = colors[chosen];
    if (!choose("--progress", words->progress, color, report, &chosen))
        return false;
    options->progress = colors[chosen];
    if (!choose("--carry", words->carry, carry, report, &chosen))
        return false;
    options->convert.carry_none = chosen == 1;
    if (!choose("--sensitive", words->sensitive, sensitive, report, &chosen))
        return false;
    options->convert.sensitive_keep = chosen == 1;
    return true;
}

/* ---- what fits together ---------------------------------------------------- */

static bool
read_mode(const Words *words, OcpReport *report, OcpOptions *options)
{
    const struct {
        bool asked;
        OcpMode mode;
        const char *name;
    } modes[] = {
        {words->help, OCP_MODE_HELP, "--help"},
        {words->version, OCP_MODE_VERSION, "--version"},
        {words->list, OCP_MODE_LIST, "--list-dialects"},
        {words->check, OCP_MODE_CHECK, "--check"},
        {words->explain || words->explain_all, OCP_MODE_EXPLAIN, "--explain"},
        {words->round_trip, OCP_MODE_ROUND_TRIP, "--round-trip"},
    };
    options->explain_all = words->explain_all;
    const char *name = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
        if (!modes[i].asked)
            continue;
        if (name != NULL)
            return ocp_fail(report, "usage.together", "%s and %s do not go together",
                            name, modes[i].name);
        name = modes[i].name;
        options->mode = modes[i].mode;
        if (options->mode == OCP_MODE_HELP)
            break; /* asking for help is never wrong */
    }
    if (name != NULL && options->output != NULL)
        return ocp_fail(report, "usage.together",
                        "%s writes no document, so --output has no meaning", name);
    return true;
}

static bool
read_work(const Words *words, OcpReport *report, OcpOptions *options)
{
    guint64 jobs = g_get_num_processors();
    if (words->jobs != NULL &&
        !g_ascii_string_to_unsigned(words->jobs, 10, 1, MOST_JOBS, &jobs, NULL))
        return ocp_fail(report, "usage.value", "--jobs takes a number from 1 to %d",
                        MOST_JOBS);
    options->jobs = (guint)jobs;
    if (words->shard != NULL && !ocp_shard_read(words->shard, &options->shard))
        return ocp_fail(report, "usage.value",
                        "--shard takes I/N, I from 1 to N: 1/4 is the first of four");
    options->lines = words->lines;
    options->logs = options->from != NULL && strcmp(options->from, OCP_FROM_LOGS) == 0;
    options->log_all = words->all;
    options->log_latest = words->latest;
    options->companion = words->companion;
    options->force = words->force;
    options->dry_run = words->dry_run;
    options->fail_fast = words->fail_fast;
    if (words->fail_fast && words->keep_going)
        return ocp_fail(report, "usage.together",
                        "--fail-fast and --keep-going do not go together");
    return true;
}

/* What there is no sense in, or no place for. */
static bool
check_together(OcpReport *report, const OcpOptions *options)
{
    bool out = options->output != NULL && strcmp(options->output, "-") != 0;
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {options->companion && !out, "--companion needs --output FILE or FOLDER"},
        {options->lines && options->mode != OCP_MODE_CONVERT,
         "--lines converts, and does nothing else"},
        {options->lines && options->companion,
         "--lines and --companion do not go together"},
        {options->lines && options->fail_fast,
         "--lines gives a line for every line, so it takes no --fail-fast"},
        {options->lines && options->dry_run,
         "--lines and --dry-run do not go together"},
        {options->lines && options->files_from != NULL,
         "--lines and --files-from do not go together"},
        {options->lines && options->syntax_given &&
             options->convert.syntax != OCP_SYNTAX_NDJSON,
         "--lines writes a line for every line: -s ndjson is all it can"},
        {options->lines && options->input_syntax == OCP_SYNTAX_YAML,
         "--lines reads JSON"},
        {options->lines && options->input_count > 1, "--lines takes one input"},
        {options->lines && options->logs,
         "--lines reads documents, and finds none in logs"},
        {(options->log_all || options->log_latest) && !options->logs,
         "--all and --latest need --from caop-log"},
        {options->log_all && options->log_latest,
         "--all and --latest do not go together"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rules); i++)
        if (rules[i].wrong)
            return ocp_fail(report, "usage.together", "%s", rules[i].why);
    return true;
}

static bool
check_inputs(OcpReport *report, const OcpOptions *options)
{
    guint standard =
        options->files_from != NULL && strcmp(options->files_from, "-") == 0;
    for (guint i = 0; i < options->input_count; i++)
        standard += strcmp(options->inputs[i], "-") == 0;
    if (standard > 1)
        return ocp_fail(report, "usage.twice", "standard input is given twice");
    if (options->mode == OCP_MODE_LIST)
        return options->input_count == 0 ||
               ocp_fail(report, "usage.together", "--list-dialects takes no input");
    if (options->input_count == 0 && options->files_from == NULL && !options->lines)
        return ocp_fail(report, "usage.input",
                        "no input: name a file, or - to read from "
                        "standard input");
    if (options->mode == OCP_MODE_CONVERT && options->output == NULL &&
        (options->input_count > 1 || options->files_from != NULL))
        return ocp_fail(
            report, "usage.output",
            "several inputs need --output FOLDER, or --output - for one stream");
    return true;
}

static bool
check_report(OcpReport *report, const OcpOptions *options)
{
    bool documents_go_out =
        options->mode == OCP_MODE_EXPLAIN ||
        (options->mode == OCP_MODE_CONVERT &&
         (options->output == NULL || strcmp(options->output, "-") == 0));
    if (options->report != NULL && strcmp(options->report, "-") == 0 &&
        documents_go_out)
        return ocp_fail(report, "usage.report",
                        "standard output is taken: --report needs a file here");
    return true;
}

bool
ocp_options_read(int argc, char *const *argv, OcpReport *report, OcpOptions *ret)
{
    Words words = {0};
    memset(ret, 0, sizeof *ret);
    bool read = read_arguments(argc, argv, report, ret, &words);
    if (read) {
        ret->input_count = ret->inputs != NULL ? g_strv_length(ret->inputs) : 0;
        ret->convert.from = ret->from;
        ret->convert.to = ret->to;
        ret->convert.created_at = ret->created_at;
        ret->convert.id = ret->id;
        ret->convert.strict = words.strict;
        ret->convert.lenient = words.lenient;
        ret->quiet = words.quiet;
        ret->verbose = words.verbose;
        read = read_choices(&words, report, ret) && read_mode(&words, report, ret);
        if (read && ret->mode != OCP_MODE_HELP && ret->mode != OCP_MODE_VERSION)
            read = read_syntaxes(&words, report, ret) &&
                   read_work(&words, report, ret) && check_inputs(report, ret) &&
                   check_together(report, ret) && check_report(report, ret);
    }
    g_free(words.syntax);
    g_free(words.input_syntax);
    g_free(words.carry);
    g_free(words.sensitive);
    g_free(words.message_format);
    g_free(words.color);
    g_free(words.progress);
    g_free(words.jobs);
    g_free(words.shard);
    return read;
}

void
ocp_options_clear(OcpOptions *options)
{
    g_free(options->output);
    g_free(options->report);
    g_free(options->from);
    g_free(options->to);
    g_free(options->created_at);
    g_free(options->id);
    g_strfreev(options->schemas);
    g_strfreev(options->mappings);
    g_strfreev(options->inputs);
    g_strfreev(options->include);
    g_strfreev(options->exclude);
    g_free(options->files_from);
    memset(options, 0, sizeof *options);
}

/* ---- GOption --------------------------------------------------------------- */

/* GOption's message is the only place that has the option's name. */
static bool
fail_parse(const GError *error, const GOptionEntry *entries, OcpReport *report)
{
    static const char prefix[] = "Unknown option ";
    if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) ||
        !g_str_has_prefix(error->message, prefix))
        return ocp_fail(report, "usage.option", "%s", error->message);
    const char *option = error->message + strlen(prefix);
    OcpDiagnostic *diagnostic =
        ocp_report_add(report, OCP_ERROR, "usage.option", "unknown option %s", option);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (; entries->long_name != NULL; entries++)
        if (!(entries->flags & G_OPTION_FLAG_HIDDEN) && entries->long_name[0] != '\0')
            g_ptr_array_add(names, (gpointer)entries->long_name);
    g_ptr_array_add(names, NULL);
    g_autofree char *word = g_strdup(option + strspn(option, "-"));
    word[strcspn(word, "=")] = '\0';
    const char *meant = ocp_suggest(word, (const char *const *)names->pdata);
    if (meant != NULL)
        diagnostic->hint = g_strdup_printf("did you mean --%s?", meant);
    return false;
}

/* GOption cannot have a word that is only allowed behind "=": it would take the input
 * that follows --explain for it. And it knows no short option with its value behind it,
 * as in -j4. */
static bool
split_words(char **arguments, OcpReport *report)
{
    static const char prefix[] = "--explain=";
    for (char **at = arguments; *at != NULL && strcmp(*at, "--") != 0; at++) {
        if (g_str_has_prefix(*at, "-j") && g_ascii_isdigit((*at)[2])) {
            char *jobs = g_strconcat("--jobs=", *at + 2, NULL);
            g_free(*at);
            *at = jobs;
        }
        if (!g_str_has_prefix(*at, prefix))
            continue;
        if (strcmp(*at + strlen(prefix), "all") != 0)
            return ocp_fail(report, "usage.value", "--explain takes nothing, or =all");
        g_free(*at);
        *at = g_strdup("--explain-all");
    }
    return true;
}

#define WORD(long, short, into)                                                        \
    {                                                                                  \
        long, short, 0, G_OPTION_ARG_FILENAME, &(into), NULL, NULL                     \
    }
#define FLAG(long, short, into)                                                        \
    {                                                                                  \
        long, short, 0, G_OPTION_ARG_NONE, &(into), NULL, NULL                         \
    }

static bool
read_arguments(int argc, char *const *argv, OcpReport *report, OcpOptions *options,
               Words *words)
{
    const GOptionEntry entries[] = {
        WORD("from", 'f', options->from),
        WORD("to", 't', options->to),
        WORD("syntax", 's', words->syntax),
        WORD("input-syntax", 0, words->input_syntax),
        WORD("output", 'o', options->output),
        FLAG("strict", 0, words->strict),
        FLAG("lenient", 0, words->lenient),
        WORD("carry", 0, words->carry),
        WORD("sensitive", 0, words->sensitive),
        WORD("created-at", 0, options->created_at),
        WORD("id", 0, options->id),
        WORD("report", 0, options->report),
        FLAG("check", 0, words->check),
        FLAG("explain", 0, words->explain),
        {"explain-all", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &words->explain_all,
         NULL, NULL},
        FLAG("round-trip", 0, words->round_trip),
        FLAG("list-dialects", 0, words->list),
        FLAG("all", 0, words->all),
        FLAG("latest", 0, words->latest),
        FLAG("companion", 0, words->companion),
        WORD("jobs", 'j', words->jobs),
        FLAG("lines", 0, words->lines),
        WORD("shard", 0, words->shard),
        WORD("files-from", 0, options->files_from),
        {"include", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->include, NULL, NULL},
        {"exclude", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->exclude, NULL, NULL},
        FLAG("force", 0, words->force),
        FLAG("dry-run", 'n', words->dry_run),
        FLAG("fail-fast", 0, words->fail_fast),
        FLAG("keep-going", 0, words->keep_going),
        WORD("progress", 0, words->progress),
        {"schemas", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->schemas, NULL, NULL},
        {"mappings", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->mappings, NULL, NULL},
        WORD("message-format", 0, words->message_format),
        WORD("color", 0, words->color),
        FLAG("quiet", 'q', words->quiet),
        FLAG("verbose", 'v', words->verbose),
        FLAG("help", 'h', words->help),
        FLAG("version", 'V', words->version),
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->inputs, NULL,
         NULL},
        {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL},
    };
    g_auto(GStrv) arguments = g_new0(char *, (gsize)MAX(argc, 1) + 1);
    arguments[0] = g_strdup("ocp-convert");
    for (int i = 1; i < argc; i++)
        arguments[i] = g_strdup(argv[i]);
    if (!split_words(arguments, report))
        return false;
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) error = NULL;
    return g_option_context_parse_strv(context, &arguments, &error) ||
           fail_parse(error, entries, report);
}
