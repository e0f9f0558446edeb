#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Searching logs, beside what people do without this tool, on the same files in one run:
# the best of several times each, as a ratio to the peer.
#
# Usage: logs.sh OCP-CONVERT GEN_BIG_LOG.PY [FOLDER]
set -eu
program=$1
generator=$2
folder=${3:-${TMPDIR:-/tmp}/ocp-bench-logs}
mib=${MIB:-512}
rounds=${ROUNDS:-5}
peers=$(cd "$(dirname "$0")" && pwd)/peers
mkdir -p "$folder"
cd "$folder"

# Seconds of the fastest of some runs of a shell command.
best() {
    local least=999999999 begin end
    for _ in $(seq "$rounds"); do
        begin=$(date +%s%N)
        sh -c "$1" >out 2>err || true # grep and jq fail where they find nothing
        end=$(date +%s%N)
        least=$(((end - begin) / 1000 < least ? (end - begin) / 1000 : least))
    done
    echo "$least"
}

# say WHAT OURS PEER LIMIT: microseconds, and how many times the peer's ours may be.
say() {
    awk -v what="$1" -v ours="$2" -v peer="$3" -v limit="$4" 'BEGIN {
        printf "%-52s %8.3f s %8.3f s  x %6.3f  (at most %s)%s\n", what, ours / 1e6,
               peer / 1e6, ours / peer, limit, (ours / peer > limit ? "  MISSED" : "") }'
}

hostile() {
    python3 - "$1" <<'END'
import sys
size = int(sys.argv[1])
parts = ["[" * 200000 + " pulse_timestamp\n",
         '{"a":' * 50000 + " pulse_timestamp\n",
         '{"a":"b' * 30000 + " pulse_timestamp\n",
         "2026-06-01T08:00:00.000Z INFO pulse_timestamp drifts by 12 ms, "
         "resume_brief is cached\n" * 2500]
out = sys.stdout
written = 0
while written < size:
    for part in parts:
        out.write(part)
        written += len(part)
END
}

have() {
    command -v "$1" >/dev/null
}

[ -f sparse.log ] ||
    python3 "$generator" --mib "$mib" --pulses 20 --seed 1 --out sparse.log 2>/dev/null
[ -f dense.log ] ||
    python3 "$generator" --mib "$((mib * 477 / 512))" --pulses 5000 --seed 2 --out dense.log 2>/dev/null
[ -f plain.log ] || # lines of a log without a document
    python3 "$generator" --mib 64 --pulses 0 --seed 3 --out plain.log 2>/dev/null
[ -f hostile.log ] || hostile "$(stat -c %s plain.log)" >hostile.log
[ -f sparse.log.gz ] || gzip -k -1 sparse.log
cat sparse.log dense.log plain.log hostile.log sparse.log.gz >/dev/null

search="$program -q -f caop-log -o -"
sparse=$(best "$search sparse.log")
if have rg; then
    say "sparse, beside rg -c" "$sparse" \
        "$(best 'rg -c --no-mmap pulse_timestamp sparse.log')" 2
    have jq && say "sparse, beside rg | jq" "$sparse" \
        "$(best "rg --no-mmap pulse_timestamp sparse.log | jq -R 'fromjson? | .result'")" 1
fi
say "sparse, beside grep -c" "$sparse" \
    "$(best 'LC_ALL=C grep -c pulse_timestamp sparse.log')" 1.5
grep=$(best 'LC_ALL=C grep -c pulse_timestamp dense.log')
found=$(best "$program -q -f caop-log --check dense.log")
say "dense, only the newest converted, beside grep -c" \
    "$(best "$program -q -f caop-log --latest -o - dense.log")" "$grep" 1.5
say "dense, all found and validated, beside grep -c" "$found" "$grep" 1.5
rounds=2 # of what takes seconds
converted=$(best "$search dense.log -t caop-pulse -s ndjson")
python=$(best "python3 '$peers/pulses.py' dense.log pulses.ndjson")
rounds=${ROUNDS:-5}
say "dense, all converted too, beside grep -c" "$converted" "$grep" 1.5
say "dense, all found and validated, beside Python" "$found" "$python" 0.15
say "dense, all converted too, beside Python" "$converted" "$python" 0.15
say "gzip, beside zcat" "$(best "$search sparse.log.gz")" \
    "$(best 'zcat sparse.log.gz')" 1.15
say "hostile, beside a plain log of its size" "$(best "$search hostile.log")" \
    "$(best "$search plain.log")" 20
rm -f out err pulses.ndjson
