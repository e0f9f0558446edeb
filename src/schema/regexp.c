/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/regexp.h"

#include "schema/regexp_dfa.h"
#include "schema/regexp_private.h"

struct OcpRegexp {
    OcpDfa *dfa;    /* answers searches; NULL if the pattern has none */
    char *spelled;  /* for PCRE2 */
    GRegex *engine; /* with a dfa: made when groups are first asked for */
    gsize once;
};

static GRegex *
compile(const char *spelled, OcpReport *report)
{
    g_autoptr(GError) error = NULL;
    GRegex *engine = g_regex_new(spelled, 0, 0, &error);
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
    if (!ocp_rx_parse(pattern, length, flavour, arena, report, &rx))
        return false;
    /* Without PCRE2's guesses at where a match can start: those of 10.42 miss some. */
    GString *spelled =
        g_string_new(whole ? "(*NO_START_OPT)\\A(?:" : "(*NO_START_OPT)");
    ocp_rx_translate(rx, spelled);
    g_string_append(spelled, whole ? ")\\z" : "");
    regexp->spelled = g_string_free(spelled, FALSE);
    regexp->dfa = ocp_dfa_new(rx, whole);
    if (regexp->dfa == NULL) {
        regexp->engine = compile(regexp->spelled, report);
        regexp->once = 1;
        if (regexp->engine == NULL)
            return false;
    }
    *ret = g_steal_pointer(&regexp);
    return true;
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
    if (regexp->engine != NULL)
        g_regex_unref(regexp->engine);
    ocp_dfa_free(regexp->dfa);
    g_free(regexp->spelled);
    g_free(regexp);
}

bool
ocp_regexp_run(const OcpRegexp *regexp, const char *text, gsize length, bool *ret)
{
    if (regexp->dfa != NULL) {
        *ret = ocp_dfa_search(regexp->dfa, text, length);
        return true;
    }
    g_autoptr(GError) error = NULL;
    bool found =
        g_regex_match_full(regexp->engine, text, (gssize)length, 0, 0, NULL, &error);
    if (error != NULL)
        return false;
    *ret = found;
    return true;
}

bool
ocp_regexp_search(const OcpRegexp *regexp, const char *text, gsize length)
{
    bool found = false;
    return ocp_regexp_run(regexp, text, length, &found) && found;
}

/* The one thing made late; whichever thread asks first makes it for all. */
static const GRegex *
engine_of(const OcpRegexp *regexp)
{
    OcpRegexp *late = (OcpRegexp *)regexp;
    if (g_once_init_enter(&late->once)) {
        late->engine = compile(late->spelled, NULL);
        g_once_init_leave(&late->once, 1);
    }
    return regexp->engine;
}

bool
ocp_regexp_group(const OcpRegexp *regexp, const char *text, gsize length, guint n,
                 gsize *ret_start, gsize *ret_end)
{
    g_autoptr(GMatchInfo) info = NULL;
    gint start = -1;
    gint end = -1;
    if (regexp->dfa != NULL && !ocp_dfa_search(regexp->dfa, text, length))
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
