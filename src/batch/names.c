/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/names.h"

#include <string.h>

gsize
ocp_name_ending(const char *name)
{
    static const char *const endings[] = {".json", ".yaml", ".yml", ".ndjson",
                                          ".jsonl"};
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    gsize length = strlen(base);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        gsize ending = strlen(endings[i]);
        if (length > ending &&
            g_ascii_strcasecmp(base + length - ending, endings[i]) == 0)
            return ending;
    }
    return 0;
}

static const char *
ending_of(OcpSyntax syntax)
{
    if (syntax == OCP_SYNTAX_YAML)
        return ".yaml";
    return syntax == OCP_SYNTAX_NDJSON ? ".ndjson" : ".json";
}

static char *
without_ending(const char *name)
{
    return g_strndup(name, strlen(name) - ocp_name_ending(name));
}

char *
ocp_name_output(const char *input, guint number, OcpSyntax syntax)
{
    g_autofree char *name = without_ending(input);
    if (number == 0)
        return g_strconcat(name, ending_of(syntax), NULL);
    return g_strdup_printf("%s.%u%s", name, number, ending_of(syntax));
}

char *
ocp_name_companion(const char *output)
{
    g_autofree char *name = without_ending(output);
    return g_strconcat(name, ".ocp.json", NULL);
}
