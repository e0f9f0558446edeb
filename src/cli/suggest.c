/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suggest.h"

#include <stdbool.h>
#include <string.h>

#include "cli/options.h"
#include "value/distance.h"

const char *
ocp_suggest(const char *word, const char *const *candidates)
{
    gsize length = strlen(word);
    if (length < 2 || length > OCP_DISTANCE_LONGEST)
        return NULL;
    const char *best = NULL;
    guint least = (guint)length / 3 + 1;
    for (; *candidates != NULL; candidates++) {
        if (strlen(*candidates) > OCP_DISTANCE_LONGEST)
            continue;
        /* What somebody began to write is meant, however much is missing. */
        bool begun = length >= 4 && g_str_has_prefix(*candidates, word);
        guint edits =
            begun ? 1
                  : ocp_distance(word, length, *candidates, strlen(*candidates), least);
        if (edits <= least && (best == NULL || edits < least)) {
            best = *candidates;
            least = edits;
        }
    }
    return best;
}

static bool
has_document_name(const char *path)
{
    static const char *const endings[] = {".json", ".yaml", ".yml", ".ndjson",
                                          ".jsonl"};
    g_autofree char *lower = g_ascii_strdown(path, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(lower, endings[i]))
            return true;
    return false;
}

static bool
says_no_document(const OcpDiagnostic *diagnostic)
{
    static const char *const codes[] = {"detect.unknown", "json.trailing"};
    for (gsize i = 0; i < G_N_ELEMENTS(codes); i++)
        if (strcmp(diagnostic->code, codes[i]) == 0)
            return true;
    return g_str_has_prefix(diagnostic->code, "yaml.") &&
           strcmp(diagnostic->code, "yaml.empty") != 0;
}

void
ocp_suggest_logs(const char *input, const OcpReport *report)
{
    guint count = report->diagnostics->len;
    OcpDiagnostic *last = count > 0 ? report->diagnostics->pdata[count - 1] : NULL;
    if (last == NULL || last->severity != OCP_ERROR || !says_no_document(last) ||
        has_document_name(input))
        return;
    const char *said = last->hint != NULL ? last->hint : "";
    char *hint = g_strdup_printf("%s%sin a log, -f " OCP_FROM_LOGS " finds the pulses",
                                 said, *said != '\0' ? "; " : "");
    g_free(last->hint);
    last->hint = hint;
}
