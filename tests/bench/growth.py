#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Growth: does the cost of a conversion grow as its input does?

    growth.py --build DIR [--short] [--only WORD] [--corpus FOLDER]

For each dimension (size, members, elements, …) it makes documents over three decades (two
of depth, which ends at 512; --short: one less), converts each a few times and takes the
least processor time less that of an empty run. The exponent is the slope of the line through the
logarithms: 1 is linear. With --corpus it also converts every file there of 4 kB or more, in
many copies, and says how much the dearest byte costs, as a multiple of the median's.
"""
import argparse
import json
import math
import os
import random
import shutil
import statistics
import sys
import tempfile

import generate
import sample

MB = 1_000_000
LINEAR = (0.9, 1.1)
DEAREST = 20  # times the median's cost a byte


class Growth:
    def __init__(self, build, folder, short=False):
        self.short, self.folder = short, folder
        self.program = os.path.join(build, "ocp-convert")
        self.measure = os.path.join(build, "tests", "bench", "bench-measure")

    def path(self, name):
        return os.path.join(self.folder, name)

    def once(self, arguments, statuses=(0,)):
        """Processor seconds of one run."""
        command = [self.program, "-q", *arguments]
        return sample.take(self.measure, self.path("result"), command, statuses).cpu

    def cost(self, arguments, before=None, statuses=(0,)):
        """The least of a few runs: more of them where one is short."""
        least, spent = math.inf, 0
        for turn in range(25):
            if before:
                before()
            took = self.once(arguments, statuses)
            least, spent = min(least, took), spent + took
            if turn >= 2 and spent > 1.5:
                break
        return least


def slope(points):
    """Of the least squares line through the logarithms."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    x0, y0 = statistics.mean(xs), statistics.mean(ys)
    return sum((x - x0) * (y - y0) for x, y in zip(xs, ys)) / sum((x - x0) ** 2 for x in xs)


# ---- documents ------------------------------------------------------------------------------


def write(path, document):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(document, f, indent=2)
        f.write("\n")


def session(agents=1, **more):
    r = random.Random(5)
    document = generate.session_head(r)
    pool = [generate.exchange(r) for _ in range(8)]
    document["working_memory"] = [generate.agent(r, i, 4, pool) for i in range(agents)]
    document["kernel"]["run"].update(more)
    return document


def of_size(path, n):
    """Agents of one size, so that only their number grows."""
    r = random.Random(4)
    document = session(0)
    pool = [generate.exchange(r) for _ in range(400)]
    size = len(json.dumps(document, indent=2))
    while size < n:
        agent = generate.agent(r, len(document["working_memory"]), 12, pool)
        document["working_memory"].append(agent)
        size += len(json.dumps(agent, indent=2))
    write(path, document)


def of_members(path, n):
    write(path, session(bag={"member-%07d" % i: i for i in range(n)}))


def of_elements(path, n):
    write(path, session(bag=["element %d" % i for i in range(n)]))


def of_agents(path, n):
    write(path, session(agents=n))


def of_items(path, n):
    r = random.Random(6)
    document = generate.specrail(r, 1, 0)
    document["items"] = [generate.specrail_item(r, i) for i in range(n)]
    write(path, document)


def of_depth(path, n):
    """200 chains, each n deep. Lines are indented, so the text grows faster than n."""
    def chain(k):
        value = k
        for _ in range(n):
            value = {"deeper": value}
        return value
    write(path, session(bag=[chain(k) for k in range(200)]))
    return os.path.getsize(path)


def of_warnings(path, n):
    """Agents, each with a call that is open and in no message."""
    document = session(agents=n)
    for i, agent in enumerate(document["working_memory"]):
        agent["open_tool_call_id"] = "call_of_nobody_%d" % i
    write(path, document)


def of_one_name(path, n):
    """Calls and answers that their ids should tell apart, all of one id; turns that are alike."""
    document = session(agents=1)
    agent = document["working_memory"][0]
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    agent["committed_messages"] = [
        {"role": "assistant", "content": "", "tool_calls": [call]} if i % 2 else
        {"role": "tool", "tool_call_id": "call_1", "content": "done"} for i in range(n)]
    agent["turn_history"] = [["again", "done"]] * n
    write(path, document)


def of_waits(path, n):
    """Operations that the kernel waits for, each a member of an object that is made anew."""
    document = session(agents=1)
    q = document["kernel"]["q"]
    q.update(dp="AWAITING_INGRESS", tool="EXECUTING", inflight_kind="TOOL")
    q["outbound_waits"] = [{"correlation_id": i + 1, "kind": "TOOL", "op": "TOOL_CALL"}
                           for i in range(n)]
    q["pending_tools_by_cid"] = {str(i + 1): {"tool_name": "f", "tool_arguments": {"n": i}}
                                 for i in range(n)}
    write(path, document)


def of_pulses(path, n):
    generate.write_log(path, 2000 * n, n)


def of_files(path, n):
    generate.main(["small", path, str(n)])


def convert(growth, path):
    return ["--force", path, "-o", growth.path("out.json")]


def from_log(growth, path):
    return ["-f", "caop-log", path, "-t", "caop-pulse", "-s", "ndjson", "-o", "-"]


def convert_folder(growth, path):
    return ["-j1", path, "-o", growth.path("out")]


# name, maker, command, sizes from least to most
DIMENSIONS = [
    ("size", of_size, convert, [64_000, 640_000, 6_400_000, 64_000_000]),
    ("members", of_members, convert, [1_000, 10_000, 100_000, 1_000_000]),
    ("elements", of_elements, convert, [1_000, 10_000, 100_000, 1_000_000]),
    ("agents", of_agents, convert, [16, 160, 1_600, 16_000]),
    ("items", of_items, convert, [40, 400, 4_000, 40_000]),
    ("warnings", of_warnings, convert, [16, 160, 1_600, 16_000]),
    ("one name", of_one_name, convert, [50, 500, 5_000, 50_000]),
    ("waits", of_waits, convert, [50, 500, 5_000, 50_000]),
    ("depth", of_depth, convert, [5, 50, 480]),
    ("pulses", of_pulses, from_log, [30, 300, 3_000, 30_000]),
    ("files", of_files, convert_folder, [10, 100, 1_000, 10_000]),
]


def run_dimension(growth, name, make, command, sizes):
    empty = growth.path("empty")
    make(empty, 1)
    out = growth.path("out")

    def sweep():
        shutil.rmtree(out, ignore_errors=True)
    base = growth.cost(command(growth, empty), sweep)
    points = []
    for n in sizes[:-1] if growth.short else sizes:
        path = growth.path("data")
        sweep()
        n = make(path, n) or n  # where a maker says so, bytes are what is counted
        cost = growth.cost(command(growth, path), sweep) - base
        points.append((n, max(cost, 1e-6)))
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.unlink(path)
    shutil.rmtree(empty, ignore_errors=True)
    if os.path.exists(empty):
        os.unlink(empty)
    exponent = slope(points)
    steps = [math.log10(b[1] / a[1]) / math.log10(b[0] / a[0]) for a, b in zip(points, points[1:])]
    said = "linear" if LINEAR[0] <= exponent <= LINEAR[1] else "NOT LINEAR"
    steps = ", ".join("%.2f" % s for s in steps)
    print("%-10s %9d to %9d: exponent %.3f (step by step %s): %s" % (
        name, points[0][0], points[-1][0], exponent, steps, said), flush=True)
    return name, points[0][0], points[-1][0], exponent, steps, said


def run_all(growth, only=None):
    return [run_dimension(growth, *dimension) for dimension in DIMENSIONS
            if not only or only in dimension[0]]


# ---- the corpus -----------------------------------------------------------------------------


def corpus_files(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            if name.endswith((".json", ".yaml", ".yml")) and os.path.getsize(path) >= 4096:
                yield path


COPIES = 50
ANY = (0, 1, 3)  # what is no document of ours, or not valid, costs something too


def corpus_cost(growth, path):
    """Processor seconds a conversion: that of many copies less that of one."""
    folder, out = growth.path("copies"), growth.path("out")

    def sweep():
        shutil.rmtree(out, ignore_errors=True)

    def fill(names):
        os.makedirs(folder, exist_ok=True)
        for name in names:
            shutil.copyfile(path, os.path.join(folder, name + os.path.splitext(path)[1]))
    costs = []
    for names in (["0"], ["%d" % i for i in range(COPIES)]):
        fill(names)
        costs.append(growth.cost(convert_folder(growth, folder), sweep, ANY))
    shutil.rmtree(folder)
    sweep()
    return (costs[1] - costs[0]) / (COPIES - 1)


def run_corpus(growth, folder):
    """Cost a byte of each file, as a multiple of the median's: files, multiple, the dearest."""
    each = [(max(corpus_cost(growth, path), 1e-9) / os.path.getsize(path), path)
            for path in sorted(corpus_files(folder))]
    if not each:
        print("corpus: skipped, no files")
        return None
    median = statistics.median(cost for cost, _ in each)
    cost, path = max(each)
    row = len(each), cost / median, os.path.relpath(path, folder)
    print("corpus: %d files of 4 kB or more, the dearest byte costs %.1f times the median's (%s)"
          % row, flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="folder of a Release build")
    parser.add_argument("--short", action="store_true", help="one decade less")
    parser.add_argument("--only", help="dimensions with this word; corpus")
    parser.add_argument("--corpus", help="a folder of documents")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    folder = tempfile.mkdtemp(prefix="ocp-growth-")
    try:
        growth = Growth(options.build, folder, options.short)
        rows = run_all(growth, options.only)
        good = all(row[5] == "linear" for row in rows)
        if not rows and options.only not in "corpus":
            sys.exit("there is no such dimension: %s" % options.only)
        if options.corpus and (not options.only or options.only in "corpus"):
            row = run_corpus(growth, options.corpus)
            good = good and (row is None or row[1] <= DEAREST)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
