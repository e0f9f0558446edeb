/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs while the library is built: writes schemas and mappings as C arrays of compact
 * JSON, so that no YAML has to be read when the command starts.
 *
 *     embed OUT ROOT FILE…
 */
#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "text/source.h"
#include "text/yaml.h"

static void
complain(const char *path, const OcpReport *report)
{
    for (guint i = 0; i < report->diagnostics->len; i++) {
        const OcpDiagnostic *diagnostic = report->diagnostics->pdata[i];
        if (diagnostic->severity == OCP_ERROR)
            fprintf(stderr, "%s:%u:%u: %s\n", path, diagnostic->line, diagnostic->column,
                    diagnostic->message);
    }
}

static bool
read_compact(const char *path, GString *out)
{
    char *contents = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &contents, &length, NULL)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    g_autoptr(GBytes) bytes = g_bytes_new_take(contents, length);
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(GPtrArray) documents = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    if (!ocp_source_read(bytes, path, OCP_SYNTAX_AUTO, &limits, report, &documents) ||
        !ocp_yaml_settle(documents->pdata[0], OCP_YAML_1_2, NULL, NULL, report)) {
        complain(path, report); /* embedded as it is: the registry will say so again */
        g_string_append_len(out, g_bytes_get_data(bytes, NULL), (gssize)length);
        return true;
    }
    ocp_json_write(((OcpDocument *)documents->pdata[0])->root, true, out);
    return true;
}

static void
write_array(FILE *file, guint number, const GString *text)
{
    fprintf(file, "static const unsigned char file_%u[] = {", number);
    for (gsize i = 0; i < text->len; i++)
        fprintf(file, "%s%u,", i % 20 == 0 ? "\n" : "", (guchar)text->str[i]);
    fprintf(file, "0};\n");
}

int
main(int argc, char **argv)
{
    g_autoptr(GString) table = g_string_new(NULL);
    FILE *file = argc > 2 ? fopen(argv[1], "w") : NULL;
    if (file == NULL)
        return 1;
    fprintf(file, "/* Made from schemas/ and mappings/ by src/embed. */\n"
                  "#include \"text/embedded.h\"\n\n");
    bool ok = true;
    for (int i = 3; i < argc && ok; i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        const char *name = argv[i] + strlen(argv[2]) + 1;
        ok = read_compact(argv[i], text);
        write_array(file, (guint)i, text);
        g_string_append_printf(table, "    {\"%s\", file_%d, sizeof file_%d - 1},\n", name,
                               i, i);
    }
    fprintf(file, "\nconst OcpEmbedded ocp_embedded_files[] = {\n%s    {0, 0, 0}};\n",
            table->str);
    ok = fclose(file) == 0 && ok;
    if (!ok)
        remove(argv[1]);
    return ok ? 0 : 1;
}
