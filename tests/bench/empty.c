/* SPDX-License-Identifier: Apache-2.0 */
/* Does nothing, with the libraries of the command: what starting alone costs. */
#include <glib.h>
#include <json-c/json.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

int
main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1000) { /* never: so that the linker keeps the libraries */
        g_free(g_strdup("empty"));
        json_object_put(json_object_new_int(argc));
        return (int)(zlibCompileFlags() + ZSTD_versionNumber()) +
               *yaml_get_version_string();
    }
    return 0;
}
