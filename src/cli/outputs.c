/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/outputs.h"

#include <string.h>
#include <sys/stat.h>

#include "batch/names.h"
#include "batch/state.h"
#include "cli/messages.h"

/* A place, and what it is for people. */
typedef struct {
    const char *what;
    const char *path; /* NULL: there is none */
} Place;

static bool
fail_same(const char *a, const char *b, const char *path, OcpReport *report)
{
    g_autofree char *shown = ocp_messages_plain(path);
    OcpDiagnostic *error =
        ocp_report_add(report, OCP_ERROR, "usage.same-output",
                       "%s and %s would be one file: %s", a, b, shown);
    error->hint = g_strdup("give each a name of its own");
    return false;
}

static bool
is_file(const char *path)
{
    return path != NULL && strcmp(path, "-") != 0;
}

static bool
are_apart(const Place *places, gsize count, OcpReport *report)
{
    for (gsize i = 0; i < count; i++)
        for (gsize k = i + 1; k < count; k++)
            if (is_file(places[i].path) && is_file(places[k].path) &&
                ocp_file_same(places[i].path, places[k].path))
                return fail_same(places[i].what, places[k].what, places[k].path,
                                 report);
    return true;
}

char *
ocp_outputs_reserved(const OcpOptions *options, bool folder)
{
    return folder && is_file(options->report)
               ? ocp_file_below(options->report, options->output)
               : NULL;
}

bool
ocp_outputs_check(const OcpOptions *options, bool folder, const char *reserved,
                  OcpReport *report)
{
    g_autofree char *companion =
        options->companion && !folder ? ocp_name_companion(options->output) : NULL;
    const Place places[] = {{"--output", folder ? NULL : options->output},
                            {"the model of --companion", companion},
                            {"--report", options->report},
                            {"the list of --files-from", options->files_from}};
    if (reserved != NULL && (g_str_equal(reserved, OCP_STATE_FOLDER) ||
                             g_str_has_prefix(reserved, OCP_STATE_FOLDER "/")))
        return fail_same("--report", "what is known of the output folder",
                         options->report, report);
    return are_apart(places, G_N_ELEMENTS(places), report);
}

bool
ocp_outputs_check_inputs(const OcpOptions *options, const OcpFileSet *inputs,
                         OcpReport *report)
{
    struct stat status;
    if (!is_file(options->report) || stat(options->report, &status) != 0 ||
        !S_ISREG(status.st_mode) || !ocp_file_set_has(inputs, ocp_file_id(&status)))
        return true;
    return fail_same("--report", "an input", options->report, report);
}
