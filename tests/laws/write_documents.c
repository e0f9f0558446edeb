/* SPDX-License-Identifier: Apache-2.0 */
/* Writes generated documents to files: laws-generate LABEL COUNT SEED FOLDER. */
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"

int
main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: laws-generate LABEL COUNT SEED FOLDER\n");
        return 2;
    }
    g_autoptr(Generator) generator = generator_new(argv[1]);
    guint count = (guint)strtoul(argv[2], NULL, 10);
    guint first = (guint)strtoul(argv[3], NULL, 10);
    for (guint seed = first; seed < first + count; seed++) {
        g_autoptr(Tree) document = generator_make(generator, seed);
        g_autoptr(GBytes) text = tree_write(document, 0);
        g_autofree char *name = g_strdup_printf("%s/%05u.json", argv[4], seed);
        gsize size;
        const char *bytes = g_bytes_get_data(text, &size);
        g_autoptr(GError) error = NULL;
        if (!g_file_set_contents(name, bytes, (gssize)size, &error)) {
            fprintf(stderr, "%s\n", error->message);
            return 4;
        }
    }
    return 0;
}
