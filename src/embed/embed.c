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
            fprintf(stderr, "%s:%u:%u: %s\n", path, diagnostic->line,
                    diagnostic->column, diagnostic->message);
    }
}

/* What is only needed once a dialect is used, and most of a mapping: in its head it is
 * just there. */
static bool
is_body(const OcpNode *key)
{
    static const char *const names[] = {"read",  "write",  "finish", "checks", "tables",
                                        "parts", "copies", "omit",   "carry"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (ocp_text_is(key, names[i]))
            return true;
    return false;
}

static void
write_head(OcpDocument *document, GString *out)
{
    OcpBuilder head = ocp_build(document, ocp_make_object(document));
    OcpIter iter = ocp_iter(document->root);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        ocp_build_member(&head, key,
                         is_body(key) ? ocp_make_boolean(document, true) : value);
    ocp_json_write(head.container, true, out);
}

/* head: gets the head of a mapping; or NULL. */
static bool
read_compact(const char *path, GString *out, GString *head)
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
    OcpDocument *document = documents->pdata[0];
    ocp_json_write(document->root, true, out);
    if (head != NULL && ocp_is(document->root, OCP_OBJECT))
        write_head(document, head);
    return true;
}

static void
write_array(FILE *file, const char *kind, guint number, const GString *text)
{
    fprintf(file, "static const unsigned char %s_%u[] = {", kind, number);
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
        g_autoptr(GString) head = g_string_new(NULL);
        const char *name = argv[i] + strlen(argv[2]) + 1;
        ok = read_compact(argv[i], text,
                          g_str_has_prefix(name, "mappings/") ? head : NULL);
        write_array(file, "file", (guint)i, text);
        g_string_append_printf(table, "    {\"%s\", file_%d, sizeof file_%d - 1", name,
                               i, i);
        if (head->len > 0) {
            write_array(file, "head", (guint)i, head);
            g_string_append_printf(table, ", head_%d, sizeof head_%d - 1", i, i);
        } else {
            g_string_append(table, ", 0, 0");
        }
        g_string_append(table, "},\n");
    }
    fprintf(file,
            "\nconst OcpEmbedded ocp_embedded_files[] = {\n%s    {0, 0, 0, 0, 0}};\n",
            table->str);
    ok = fclose(file) == 0 && ok;
    if (!ok)
        remove(argv[1]);
    return ok ? 0 : 1;
}
