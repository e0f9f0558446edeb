/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/regexp.h"

#include "schema/regexp_dfa.h"
#include "schema/regexp_nfa.h"
#include "schema/regexp_private.h"

enum { WALKED = 4000 }; /* bytes of text from which a table is worth making */

/* Parsed when it is loaded, so that mistakes are told; parsed again when it is first
 * asked, as most patterns of a schema or mapping never are. The first texts are answered
 * by walking its program: a table costs more than a few short texts do. */
struct OcpRegexp {
    char *pattern;
    gsize length;
    OcpRxFlavour flavour;
    bool whole;
    gsize begun;     /* once: arena and nfa are made */
    OcpArena *arena; /* of the parsed pattern that nfa needs */
    OcpNfa *nfa;     /* or NULL */
    gint walked;     /* bytes, about */
    gsize ready;     /* once: dfa or slow are made */
    OcpDfa *dfa;     /* answers searches; NULL if it would be large */
    GRegex *slow;    /* without a dfa: answers them; NULL if it cannot be made */
    gsize grouped;   /* once: groups is made */
    GRegex *groups;  /* finds groups where engine is NULL */
    GRegex *engine;  /* does all for what no automaton can; made when loaded */
};

static GRegex *
compile(const OcpRegexp *regexp, const OcpRx *rx, OcpReport *report)
{
    g_autoptr(GError) error = NULL;
    /* Without PCRE2's guesses at where a match can start: those of 10.42 miss some. */
    g_autoptr(GString) spelled =
        g_string_new(regexp->whole ? "(*NO_START_OPT)\\A(?:" : "(*NO_START_OPT)");
    ocp_rx_translate(rx, spelled);
    g_string_append(spelled, regexp->whole ? ")\\z" : "");
    GRegex *engine = g_regex_new(spelled->str, 0, 0, &error);
    if (engine == NULL && report != NULL)
        ocp_fail(report, "regexp.syntax",
                 "the pattern cannot be run as a regular expression: %s",
                 error->message);
    return engine;
}

static bool
load(const char *pattern, gsize length, OcpRxFlavour flavour, bool whole,
     OcpReport *report, OcpRegexp **ret)
{
    g_autoptr(OcpArena) arena = ocp_arena_new();
    g_autoptr(OcpRegexp) regexp = g_new0(OcpRegexp, 1);
    OcpRx *rx;
    regexp->whole = whole;
    if (!ocp_rx_parse(pattern, length, flavour, arena, report, &rx))
        return false;
    regexp->pattern = g_memdup2(pattern, length);
    regexp->length = length;
    regexp->flavour = flavour;
    if (!ocp_dfa_is_possible(rx)) {
        regexp->engine = compile(regexp, rx, report);
        regexp->begun = 1;
        regexp->ready = 1;
        if (regexp->engine == NULL)
            return false;
    }
    *ret = g_steal_pointer(&regexp);
    return true;
}

static void
make(OcpRegexp *regexp, bool for_groups)
{
    g_autoptr(OcpArena) arena = ocp_arena_new();
    OcpRx *rx;
    if (!ocp_rx_parse(regexp->pattern, regexp->length, regexp->flavour, arena, NULL, &rx))
        return;
    if (for_groups)
        regexp->groups = compile(regexp, rx, NULL);
    else if ((regexp->dfa = ocp_dfa_new(rx, regexp->whole)) == NULL)
        regexp->slow = compile(regexp, rx, NULL);
}

/* Whichever thread asks first makes it for all. */
static const OcpNfa *
program(const OcpRegexp *regexp)
{
    OcpRegexp *late = (OcpRegexp *)regexp;
    if (g_once_init_enter(&late->begun)) {
        OcpRx *rx;
        late->arena = ocp_arena_new();
        if (ocp_rx_parse(regexp->pattern, regexp->length, regexp->flavour, late->arena,
                         NULL, &rx))
            late->nfa = ocp_nfa_new(rx, regexp->whole);
        g_once_init_leave(&late->begun, 1);
    }
    return regexp->nfa;
}

/* True if the text is one of the first, whose program is walked. */
static bool
is_early(const OcpRegexp *regexp, gsize length)
{
    gint *walked = &((OcpRegexp *)regexp)->walked;
    if (length >= WALKED || g_atomic_int_get(walked) >= WALKED || program(regexp) == NULL)
        return false;
    g_atomic_int_add(walked, (gint)length + 8);
    return true;
}

static const OcpRegexp *
made(const OcpRegexp *regexp)
{
    OcpRegexp *late = (OcpRegexp *)regexp;
    if (g_once_init_enter(&late->ready)) {
        make(late, false);
        g_once_init_leave(&late->ready, 1);
    }
    return regexp;
}

bool
ocp_regexp_load(const char *pattern, gsize length, OcpReport *report, OcpRegexp **ret)
{
    return load(pattern, length, OCP_RX_ECMA, false, report, ret);
}

bool
ocp_regexp_load_i(const char *pattern, gsize length, bool whole, bool dot_all,
                  OcpReport *report, OcpRegexp **ret)
{
    OcpRxFlavour flavour = dot_all ? OCP_RX_I_DOT_ALL : OCP_RX_I;
    return load(pattern, length, flavour, whole, report, ret);
}

bool
ocp_regexp_valid(const char *pattern, gsize length)
{
    g_autoptr(OcpArena) arena = ocp_arena_new();
    OcpRx *rx;
    return ocp_rx_parse(pattern, length, OCP_RX_ECMA, arena, NULL, &rx);
}

void
ocp_regexp_free(OcpRegexp *regexp)
{
    if (regexp == NULL)
        return;
    g_clear_pointer(&regexp->engine, g_regex_unref);
    g_clear_pointer(&regexp->groups, g_regex_unref);
    g_clear_pointer(&regexp->slow, g_regex_unref);
    ocp_dfa_free(regexp->dfa);
    ocp_nfa_free(regexp->nfa);
    ocp_arena_free(regexp->arena);
    g_free(regexp->pattern);
    g_free(regexp);
}

static bool
match(const GRegex *engine, const char *text, gsize length, bool *ret)
{
    g_autoptr(GError) error = NULL;
    bool found = engine != NULL &&
                 g_regex_match_full(engine, text, (gssize)length, 0, 0, NULL, &error);
    if (engine == NULL || error != NULL)
        return false;
    *ret = found;
    return true;
}

bool
ocp_regexp_run(const OcpRegexp *regexp, const char *text, gsize length, bool *ret)
{
    if (regexp->engine != NULL)
        return match(regexp->engine, text, length, ret);
    if (is_early(regexp, length)) {
        *ret = ocp_nfa_search(regexp->nfa, text, length);
        return true;
    }
    if (made(regexp)->dfa == NULL)
        return match(regexp->slow, text, length, ret);
    *ret = ocp_dfa_search(regexp->dfa, text, length);
    return true;
}

bool
ocp_regexp_search(const OcpRegexp *regexp, const char *text, gsize length)
{
    bool found = false;
    return ocp_regexp_run(regexp, text, length, &found) && found;
}

static const GRegex *
engine_of(const OcpRegexp *regexp)
{
    OcpRegexp *late = (OcpRegexp *)regexp;
    if (regexp->engine != NULL)
        return regexp->engine;
    if (g_once_init_enter(&late->grouped)) {
        make(late, true);
        g_once_init_leave(&late->grouped, 1);
    }
    return regexp->groups;
}

bool
ocp_regexp_group(const OcpRegexp *regexp, const char *text, gsize length, guint n,
                 gsize *ret_start, gsize *ret_end)
{
    g_autoptr(GMatchInfo) info = NULL;
    gint start = -1;
    gint end = -1;
    bool found = false;
    if (regexp->engine == NULL &&
        (!ocp_regexp_run(regexp, text, length, &found) || !found))
        return false;
    const GRegex *engine = engine_of(regexp);
    if (engine == NULL ||
        !g_regex_match_full(engine, text, (gssize)length, 0, 0, &info, NULL) ||
        !g_match_info_fetch_pos(info, (gint)n, &start, &end) || start < 0)
        return false;
    *ret_start = (gsize)start;
    *ret_end = (gsize)end;
    return true;
}
