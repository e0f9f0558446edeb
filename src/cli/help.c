/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help.h"

static const char text[] =
    "Usage: ocp-convert [OPTION...] INPUT...\n"
    "Moves the checkpoint of an unfinished task from one agent runtime to another and\n"
    "accounts for every value. INPUT is a file, a folder, or - for standard input.\n"
    "Conversion:\n"
    "  -f, --from NAME[@VERSION]  source dialect (default: found from the content)\n"
    "  -t, --to NAME[@VERSION]    target dialect (default: opencheckpoint)\n"
    "  -s, --syntax json|yaml|ndjson   of the output; --input-syntax json|yaml\n"
    "  -o, --output PATH          file, or folder for several inputs, or - for stdout\n"
    "      --strict               write nothing if a value would be left out\n"
    "      --lenient              faults of the input become warnings\n"
    "      --carry all|none       keep what has no place of its own (default: all)\n"
    "      --sensitive omit|keep  values that grant power (default: omit)\n"
    "      --created-at TIME, --id URN   instead of derived values\n"
    "Instead of converting:\n"
    "      --check                validate only\n"
    "      --explain[=all]        show where the values go; =all: every single one\n"
    "      --round-trip           convert there and back, print what differs\n"
    "      --list-dialects        names, versions, what each can hold\n"
    "Many at once (a folder's tree is mirrored: sub/a.yaml becomes OUT/sub/a.json,\n"
    "documents of one file a.1.json, a.2.json; what is up to date is left alone):\n"
    "  -j, --jobs N               threads (default: processors)\n"
    "      --include GLOB, --exclude GLOB   files by path or name; ** crosses folders\n"
    "      --files-from FILE      more inputs: a path a line, or between NUL bytes\n"
    "      --shard I/N            the I-th of N parts, by a hash of the path\n"
    "      --lines                filter: one document a line in, one a line out\n"
    "      --companion            the model beside each output: NAME.ocp.json\n"
    "      --force                replace files that this command did not write\n"
    "  -n, --dry-run              write nothing; --fail-fast: stop at a failure\n"
    "Pulses in logs (-f caop-log; plain, gzip, zstd, UTF-16; each value once):\n"
    "      --all                  every occurrence; --latest: the newest of each stream\n"
    "Messages and data:\n"
    "      --report FILE          account of every value, for machines (JSON; NDJSON)\n"
    "      --message-format text|json, --color auto|always|never, -q, -v, --version\n"
    "      --progress auto|always|never   bar on a terminal\n"
    "      --schemas DIR, --mappings DIR   add or replace dialects\n"
    "Exit: 0 done, 1 invalid, 2 usage, 3 --strict refused, or a round trip differs in\n"
    "what no report names, 4 file, 70 a fault of ours, 130 and 143 interrupted\n";

const char *
ocp_help_text(void)
{
    return text;
}
