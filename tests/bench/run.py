#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bench: ocp-convert against programs that do the same work, in the same run.

    run.py --build DIR [--short] [--write] [--only WORD] [--no-callgrind]
    run.py --build DIR --gate | --record     instruction counts against those recorded

Each row runs us and the peer by turns (A B A B …), checks that both documents agree in
the members that the peer makes, and prints the ratio of the medians with its quartiles,
peak memory and page faults. Peers that are not installed are skipped and named.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import compare
import growth
import sample

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = os.path.join(HERE, "peers")
RECORD = os.path.join(HERE, "instructions.json")
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
PYTHON = sys.executable
MB = 1_000_000


class Skip(Exception):
    pass


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.program = os.path.join(options.build, "ocp-convert")
        tools = os.path.join(options.build, "tests", "bench")
        self.measure = os.path.join(tools, "bench-measure")
        self.empty = os.path.join(tools, "bench-empty")
        self.help = subprocess.run([self.program, "--help"], capture_output=True,
                                   text=True).stdout
        self.lines = []
        self.growth = []
        self.corpus = None
        self.failed = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def data(self, name, *arguments):
        """A generated file or folder, made once."""
        path = self.path(name)
        if not os.path.exists(path):
            arguments = [path if a == "OUT" else str(a) for a in arguments]
            subprocess.run([PYTHON, os.path.join(HERE, "generate.py"), *arguments], check=True)
        return path

    def run(self, command, statuses=(0,)):
        return sample.take(self.measure, self.path("result"), command, statuses, self.sink)

    sink = subprocess.DEVNULL

    def instructions(self, command):
        if not shutil.which("valgrind") or self.options.no_callgrind:
            return None
        ran = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
            capture_output=True, text=True)
        for line in ran.stderr.splitlines():
            if "Collected :" in line:
                return int(line.split(":")[1].split()[0])
        return None


def need(program):
    if not shutil.which(program):
        raise Skip("%s is not installed" % program)
    return program


def need_yaml():
    try:
        import yaml
    except ImportError:
        raise Skip("PyYAML is not installed") from None
    if not hasattr(yaml, "CSafeLoader"):
        raise Skip("PyYAML has no CSafeLoader")


def need_option(bench, word, what):
    if word not in bench.help:
        raise Skip("%s is not in this build" % what)


# ---- rows --------------------------------------------------------------------------------
#
# A row is a function of the bench that returns a Row, or raises Skip.


class Row:
    def __init__(self, ours, peer, repeat, reach, stretch, *, outputs=None, check=None,
                 memory=None, count=True, before=None, statuses=(0,)):
        self.ours, self.peer = ours, peer
        self.repeat, self.reach, self.stretch = repeat, reach, stretch
        self.outputs = outputs      # (peer's, ours): documents to compare
        self.check = check          # or a function that returns differences
        self.memory = memory        # (bytes of the input, reach, stretch): peak memory
        self.count = count          # instruction counts: not for what takes minutes
        self.before = before        # run before each of ours (sweeps away outputs)
        self.statuses = statuses


def convert(bench, source, target, *more):
    return [bench.program, "-q", source, "-o", target, *more]


def filtered(program, script, source, target, *options):
    """jq has no option for an output file; exec keeps the shell out of the measure."""
    return ["sh", "-c", 'p=$1; o=$2; shift 2; exec "$p" "$@" >"$o"', "sh", program, target,
            *options, "-f", os.path.join(PEERS, script), source]


def python(script, *arguments):
    return [PYTHON, os.path.join(PEERS, script), *arguments]


def small_file(bench):
    return bench.data("small.json", "specrail", "OUT", 3000)


def medium_file(bench):
    return bench.data("medium.json", "session", "OUT", MB)


def medium_yaml(bench):
    need_yaml()
    return bench.data("medium.yaml", "yaml", medium_file(bench), "OUT")


def large_size(bench):
    return 10 * MB if bench.options.short else 100 * MB


def large_file(bench):
    return bench.data("large.json", "session", "OUT", large_size(bench))


def small_jq(bench):
    source, ours, peer = small_file(bench), bench.path("o.json"), bench.path("p.json")
    return Row(convert(bench, source, ours),
               filtered(need("jq"), "specrail.jq", source, peer),
               40, 0.25, 0.15, outputs=(peer, ours))


def small_empty(bench):
    source, ours = small_file(bench), bench.path("o.json")
    return Row(convert(bench, source, ours), [bench.empty], 60, 1.5, 1.2, count=False)


def medium_jq(bench):
    source, ours, peer = medium_file(bench), bench.path("o.json"), bench.path("p.json")
    return Row(convert(bench, source, ours),
               filtered(need("jq"), "session.jq", source, peer),
               15, 0.20, 0.12, outputs=(peer, ours))


def medium_python(bench):
    source, ours, peer = medium_file(bench), bench.path("o.json"), bench.path("p.json")
    return Row(convert(bench, source, ours), python("session.py", source, peer),
               15, 0.20, 0.10, outputs=(peer, ours), count=False)


def yaml_python(bench):
    source, ours, peer = medium_yaml(bench), bench.path("o.json"), bench.path("p.json")
    return Row(convert(bench, source, ours), python("session.py", source, peer),
               7, 0.20, 0.12, outputs=(peer, ours))


def yaml_gojq(bench):
    source, ours, peer = medium_yaml(bench), bench.path("o.json"), bench.path("p.json")
    return Row(convert(bench, source, ours),
               filtered(need("gojq"), "session.jq", source, peer, "--yaml-input"),
               9, 0.40, 0.22, outputs=(peer, ours), count=False)


def yaml_out(bench):
    need_yaml()
    source, ours, peer = medium_file(bench), bench.path("o.yaml"), bench.path("p.yaml")
    return Row(convert(bench, source, ours, "-s", "yaml"), python("session.py", source, peer),
               7, 0.30, 0.10, outputs=(peer, ours))


def large_jq(bench):
    source, ours, peer = large_file(bench), bench.path("ol.json"), bench.path("pl.json")
    return Row(convert(bench, source, ours),
               filtered(need("jq"), "session.jq", source, peer),
               2 if bench.options.short else 3, 0.15, 0.06, outputs=(peer, ours),
               memory=(os.path.getsize(source), 2.5, 1.3), count=False)


def large_gojq(bench):
    source, ours, peer = large_file(bench), bench.path("ol.json"), bench.path("pl.json")
    return Row(convert(bench, source, ours),
               filtered(need("gojq"), "session.jq", source, peer),
               2 if bench.options.short else 3, 0.25, 0.11, outputs=(peer, ours), count=False)


def large_back(bench):
    """The other way: only memory counts; the peer is a copy of the file."""
    source, model = large_file(bench), bench.path("lm.json")
    if not os.path.exists(model):
        subprocess.run(convert(bench, source, model), check=True, stderr=subprocess.DEVNULL)
    ours, peer = bench.path("lb.json"), bench.path("lc.json")

    def same():
        return [] if compare.load(ours) == compare.load(source) else ["it came back changed"]
    return Row(convert(bench, model, ours, "-t", "session-checkpoint"),
               ["cp", model, peer], 2, None, None, check=same,
               memory=(os.path.getsize(model), 3, 1.5), count=False)


def many_count(bench):
    return 1000 if bench.options.short else 10000


def many_files(bench):
    need_option(bench, "--jobs", "converting folders")
    return bench.data("many", "small", "OUT", many_count(bench))


def many_row(bench, peer, reach, stretch, agree=None, fresh=True, source=None):
    source = source or many_files(bench)
    ours, theirs = bench.path("many-o"), bench.path("many-p")

    def sweep():
        for folder in (ours, theirs) if fresh else ():
            shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(theirs, exist_ok=True)

    def agreed():
        found = []
        for name in sorted(os.listdir(source))[::97]:
            pair = [os.path.join(f, name) for f in (theirs, ours)]
            found += compare.differences(*pair)
        return found
    return Row([bench.program, "-q", "-j2", source, "-o", ours], peer, 3, reach, stretch,
               check=agreed if agree else None, count=False, before=sweep)


def many_python(bench):
    return many_row(bench, python("specrail.py", "--dir", many_files(bench),
                                  bench.path("many-p")), 0.20, 0.08, agree=True)


def many_copy(bench):
    return many_row(bench, ["cp", "-r", many_files(bench) + "/.", bench.path("many-p")], 2, 0.75)


def many_jq(bench):
    need("jq")
    some = bench.data("some", "small", "OUT", 1000)  # a process a file: 10,000 take minutes
    return many_row(bench, [
        "sh", "-c", 'cd "$1" && ls | xargs -P2 -I{} sh -c \'exec jq -f "$0" "$1" >"$2/$1"\' '
        '"$3" {} "$2"', "sh", some, bench.path("many-p"),
        os.path.join(PEERS, "specrail.jq")], 1 / 200, 1 / 800, source=some)


def many_again(bench):
    """Nothing to do, against the first run."""
    first = bench.path("many-first")
    row = many_row(bench, [], 0.2, 0.1, fresh=False)
    row.peer = ["sh", "-c", 'rm -rf "$3" && exec "$1" -q -j2 "$2" -o "$3"', "sh", bench.program,
                many_files(bench), first]
    subprocess.run(row.ours, check=True, stderr=subprocess.DEVNULL)
    return row


def log_file(bench):
    need_option(bench, "caop-log", "reading logs")
    size, pulses = (50 * MB, 500) if bench.options.short else (500 * MB, 5000)
    return bench.data("big.log", "log", "OUT", size, pulses)


# Two jobs: every pulse found and validated (--check), which is more than the peers do; and
# all of them converted too, which no peer does.


def log_search(bench, log):
    return [bench.program, "-q", "-f", "caop-log", "--check", log]


def log_convert(bench, log):
    return ["sh", "-c", 'exec "$1" -q -f caop-log "$2" -t caop-pulse -s ndjson -o - >"$3"',
            "sh", bench.program, log, bench.path("pulses.ndjson")]


def log_places(bench, log):
    """How many places with a pulse the search finds, by its own account."""
    ran = subprocess.run([bench.program, "-f", "caop-log", "--check", log],
                         capture_output=True, text=True)
    said = re.search(r": (\d+) pulses? in (\d+) places?", ran.stderr)
    return int(said.group(2)) if said else 0


def log_found(bench, peer, ours):
    """The peers see only what stands on one line, or also what is no pulse."""
    def wrong():
        with open(peer, encoding="utf-8") as f:
            lines = f.read().splitlines()
        count, theirs = ours(), int(lines[0]) if len(lines) == 1 else len(lines)
        near = 0.8 * count <= theirs <= 1.5 * count
        return [] if near else ["%d pulses, the peer found %d" % (count, theirs)]
    return wrong


def log_converted(bench):
    with open(bench.path("pulses.ndjson"), encoding="utf-8") as f:
        return sum(1 for _ in f)


def log_memory(log):
    return os.path.getsize(log), 64 * 1024 * 1024 / os.path.getsize(log), \
        8 * 1024 * 1024 / os.path.getsize(log)


def log_row(bench, ours, count, peer, theirs, reach, stretch):
    log = log_file(bench)
    return Row(ours(bench, log), [a if a != "LOG" else log for a in peer], 3, reach, stretch,
               count=False, memory=log_memory(log),
               check=log_found(bench, theirs, lambda: count(bench, log)))


def log_grep_row(bench, ours, count):
    found = bench.path("count")  # to a file: to /dev/null grep stops at the first match
    return log_row(bench, ours, count,
                   ["sh", "-c", 'exec grep -c pulse_timestamp "$1" >"$2"', "sh", "LOG", found],
                   found, 1.5, 0.9)


def log_python_row(bench, ours, count):
    found = bench.path("pulses.py.ndjson")
    return log_row(bench, ours, count, python("pulses.py", "LOG", found), found, 0.15, 0.1)


def log_grep(bench):
    return log_grep_row(bench, log_search, log_places)


def log_python(bench):
    return log_python_row(bench, log_search, log_places)


def log_grep_converted(bench):
    return log_grep_row(bench, log_convert, lambda b, _: log_converted(b))


def log_python_converted(bench):
    return log_python_row(bench, log_convert, lambda b, _: log_converted(b))


ROWS = [
    ("one small file, jq doing a plain mapping", small_jq),
    ("one small file, an empty C program with the same libraries", small_empty),
    ("1 MB SessionCheckpoint 2, jq", medium_jq),
    ("1 MB SessionCheckpoint 2, Python json", medium_python),
    ("1 MB from YAML, PyYAML CSafeLoader + json", yaml_python),
    ("1 MB from YAML, gojq --yaml-input", yaml_gojq),
    ("1 MB to YAML, PyYAML CSafeDumper", yaml_out),
    ("%s SessionCheckpoint 2, jq", large_jq),
    ("%s SessionCheckpoint 2, gojq", large_gojq),
    ("%s back to SessionCheckpoint 2, cp", large_back),
    ("%d small files, one Python process", many_python),
    ("%d small files, cp -r", many_copy),
    ("1000 small files, xargs -P2 jq", many_jq),
    ("the same again with nothing to do, the first run", many_again),
    ("%s log, pulses found and validated, grep -c", log_grep),
    ("%s log, pulses found and validated, Python line scan", log_python),
    ("%s log, pulses also converted, grep -c", log_grep_converted),
    ("%s log, pulses also converted, Python line scan", log_python_converted),
]


def title_of(bench, title):
    if "%d" in title:
        return title % many_count(bench)
    if "%s log" in title:
        return title % ("50 MB" if bench.options.short else "500 MB")
    return title % ("%d MB" % (large_size(bench) // MB)) if "%s" in title else title


# ---- running ------------------------------------------------------------------------------


def check_agree(row):
    if row.check:
        return row.check()
    return compare.differences(*row.outputs) if row.outputs else []


def sample_row(bench, row):
    """Ours and the peer's samples, by turns; the first turn of each only warms up."""
    ours, peer = [], []
    for turn in range(row.repeat + 1):
        if row.before:
            row.before()
        pair = (bench.run(row.ours, row.statuses), bench.run(row.peer))
        if turn > 0 or row.repeat < 4:
            ours.append(pair[0])
            peer.append(pair[1])
        if turn == 0:
            wrong = check_agree(row)
            if wrong:
                raise RuntimeError("outputs differ: " + "; ".join(wrong[:5]))
    return ours, peer


def ratio_of(ours, peer):
    """Ratio of the medians, and quartiles of the ratio of each turn."""
    median = statistics.median(s.wall for s in ours) / statistics.median(s.wall for s in peer)
    each = sorted(a.wall / b.wall for a, b in zip(ours, peer))
    return median, each[len(each) // 4], each[(3 * len(each)) // 4]


def verdict(value, reach, stretch):
    if reach is None:
        return ""
    return "stretch" if value <= stretch else "reach" if value <= reach else "MISSED"


def bound(value):
    return "–" if value is None else "1/%d" % round(1 / value) if value < 0.02 else "%g" % value


def run_row(bench, title, make):
    row = make(bench)
    ours, peer = sample_row(bench, row)
    median, low, high = ratio_of(ours, peer)
    cpu = statistics.median(s.cpu for s in ours) / max(
        statistics.median(s.cpu for s in peer), 1e-6)
    memory = max(s.memory for s in ours)
    faults = int(statistics.median(s.faults for s in ours))
    count = bench.instructions(row.ours) if row.count else None
    said = verdict(median, row.reach, row.stretch)
    number = ("%.4f" if median < 0.02 else "%.3f") % median
    print("%-62s %s × (%.3f–%.3f), cpu %.3f ×, reach %s stretch %s: %s" % (
        title, number, low, high, cpu, bound(row.reach), bound(row.stretch), said or "–"))
    print("%-62s %.1f MB, %d faults%s" % (
        "", memory / MB, faults, ", %.2f M instructions" % (count / 1e6) if count else ""))
    bench.lines.append((title, number, low, high, row.reach, row.stretch, memory, faults,
                        count, said))
    if row.memory:
        size, reach, stretch = row.memory
        share = memory / size
        said = verdict(share, reach, stretch)
        print("%-62s peak memory %.2f × the input, reach %.2f stretch %.2f: %s" % (
            "", share, reach, stretch, said))
        bench.lines.append(("… peak memory, the input's size", "%.2f" % share, share, share,
                            round(reach, 3), round(stretch, 3), memory, faults, None, said))
    sys.stdout.flush()


def run_rows(bench):
    for title, make in ROWS:
        title = title_of(bench, title)
        if bench.options.only and bench.options.only not in title + make.__name__:
            continue
        try:
            run_row(bench, title, make)
        except Skip as skip:
            print("%-62s skipped: %s" % (title, skip), flush=True)
        except RuntimeError as error:
            print("%-62s FAILED: %s" % (title, error), flush=True)
            bench.failed.append(title)


# ---- the page ------------------------------------------------------------------------------

PAGE = """# Performance

Written by `cmake --workflow --preset bench` (tests/bench/run.py). Each row is the ratio of
our time to the peer's, both run by turns in one run on one machine; the peer does a plain
mapping of the same document (tests/bench/peers), and the run checks that both documents
agree in the members that the peer makes. We also validate both ends, account for every
value and write the derivation. Absolute times would mean nothing elsewhere; instruction
counts (callgrind) are repeatable.

| job, peer | ratio | quartiles | reach | stretch | peak memory | page faults | instructions |
|---|---|---|---|---|---|---|---|
"""


GROWTH = """
How the cost of a conversion (processor time, an empty run subtracted) grows with its input:
the exponent is 1 where it is linear. Depth is told in bytes of the text, whose lines are
indented (tests/bench/growth.py).

| what grows | from | to | exponent | step by step | within 0.9 to 1.1 |
|---|---|---|---|---|---|
"""

CORPUS_LINE = """
Of the %d documents of the corpus of 4 kB or more (each converted in many copies), the dearest
byte costs %.1f times the median's (%s).
"""


def write_page(bench):
    path = os.path.join(ROOT, "docs", "performance.md")
    text = PAGE
    for title, number, low, high, reach, stretch, memory, faults, count, _ in bench.lines:
        text += "| %s | %s | %.3f–%.3f | %s | %s | %.1f MB | %d | %s |\n" % (
            title, number, low, high, bound(reach), bound(stretch), memory / MB, faults,
            "%.2f M" % (count / 1e6) if count else "")
    if bench.growth:
        text += GROWTH + "".join("| %s | %d | %d | %.3f | %s | %s |\n" % row
                                 for row in bench.growth)
    if bench.corpus:
        text += CORPUS_LINE % bench.corpus
    text += "\nMeasured on %s, %d processors, %s.\n" % (
        platform.machine(), os.cpu_count(), compiler(bench))
    # What a hand wrote below the table stays.
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            old = f.read()
        at = old.find("\n## ")
        text += old[at:] if at >= 0 else ""
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(path + ".new", path)


# ---- the gate -------------------------------------------------------------------------------

GATE = {"small to model": small_jq, "1 MB to model": medium_jq, "1 MB from YAML": yaml_python,
        "1 MB to YAML": yaml_out}


def compiler(bench):
    """What compiled the build: counts are comparable only with the same."""
    with open(os.path.join(bench.options.build, "CMakeCache.txt")) as f:
        cache = dict(line.strip().split("=", 1) for line in f if "=" in line)
    name = cache.get("CMAKE_C_COMPILER:FILEPATH") or cache.get("CMAKE_C_COMPILER:STRING", "cc")
    said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
    return "%s %s, %s" % (said.splitlines()[0] if said else name,
                          cache.get("CMAKE_BUILD_TYPE:STRING", ""), "-".join(platform.libc_ver()))


def gate(bench, record):
    counts = {"compiler": compiler(bench)}
    for name, make in GATE.items():
        try:
            counts[name] = bench.instructions(make(bench).ours)
        except Skip as skip:
            print("%s: skipped, %s" % (name, skip))
    if record:
        with open(RECORD, "w", encoding="utf-8") as f:
            json.dump(counts, f, indent=2)
            f.write("\n")
        return
    if not os.path.exists(RECORD):
        print("skipped: nothing is recorded yet (--record)")
        sys.exit(77)
    with open(RECORD, encoding="utf-8") as f:
        known = json.load(f)
    if known["compiler"] != counts["compiler"]:
        print("skipped: recorded with %s, this is %s" % (known["compiler"], counts["compiler"]))
        sys.exit(77)
    for name, count in counts.items():
        if name == "compiler" or name not in known:
            continue
        change = count / known[name] - 1
        print("%s: %.2f M instructions, %+.2f %%" % (name, count / 1e6, 100 * change))
        if change > 0.03:
            bench.failed.append(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="folder of a Release build")
    parser.add_argument("--short", action="store_true", help="under two minutes")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument("--only", help="rows whose title or function has this word")
    parser.add_argument("--no-callgrind", action="store_true")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--folder", help="keep the data here (default: a new one on tmpfs)")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = options.folder or tempfile.mkdtemp(prefix="ocp-bench-", dir=base)
    os.makedirs(folder, exist_ok=True)
    try:
        bench = Bench(options, folder)
        if options.gate or options.record:
            gate(bench, options.record)
        else:
            run_rows(bench)
            if not (options.short or options.only):
                measured = growth.Growth(options.build, folder)
                bench.growth = growth.run_all(measured)
                if os.path.isdir(CORPUS):
                    bench.corpus = growth.run_corpus(measured, CORPUS)
        if options.write:
            write_page(bench)
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)
    if bench.failed:
        sys.exit("failed: " + ", ".join(bench.failed))


if __name__ == "__main__":
    main()
