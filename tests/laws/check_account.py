#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent check of the account: shares no code with the converter.

Takes source, output and report, and verifies that every leaf of the source is found where
the report says, equal or made over as stated; that counts add up; and that nothing in the
output lacks an origin. "Mapped" is tried: what the report calls mapped without a place must
come back from the output without its carry. With --carry none all of it must come back, as
from a foreign document, and on a route of two steps too.

Usage: check_account.py --program PATH --generator PATH [--shared DIR] [--count N] [--seed S]
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from account_faults import check_faults
from account_step import Step, dump, engine_parts, load, open_places, without_carry, \
    without_open_place

DIALECTS = ["specrail@1", "specrail@2", "specrail@3", "specrail-cursor",
            "session-checkpoint@1", "session-checkpoint@2", "caop-pulse",
            "caop-resume-brief"]
CORPUS = ["corpus/examples/*/valid/*.json", "corpus/specrail/*/*.json",
          "corpus/session-checkpoint/*/*.json",
          "corpus/examples/opencheckpoint/integrity/*.json"]
SHOWN = 12


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.number = 0

    def convert(self, files, target, *options):
        """(entry of the report, input, output or None) for each of many files."""
        self.number += 1
        out = self.folder / f"out-{self.number}"
        report = self.folder / f"report-{self.number}"
        command = [self.program, "-q", "-t", target, "-o", f"{out}/", "--report", report,
                   *options, *files]
        out.mkdir()
        done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900,
                              env=dict(os.environ, SOURCE_DATE_EPOCH="1790000000"))
        if done.returncode not in (0, 1, 3) or not report.exists():
            sys.exit(f"{' '.join(map(str, command[:9]))}: exit {done.returncode}: "
                     f"{done.stderr.decode(errors='replace')[-600:]}")
        text = report.read_text(encoding="utf-8")
        entries = [json.loads(text)] if len(files) == 1 else \
            [json.loads(line) for line in text.split("\n") if line]
        return list(zip(entries, files))

    def back(self, documents, target, *options):
        """What each document gives when it is converted; None where it is not."""
        self.number += 1
        folder = self.folder / f"bare-{self.number}"
        folder.mkdir()
        files = []
        for index, document in enumerate(documents):
            path = folder / f"{index:05}.json"
            path.write_text(dump(document), encoding="utf-8")
            files.append(path)
        results = []
        for entry, _ in self.convert(files, target, "--lenient", *options):
            output = entry.get("output")
            results.append(load(pathlib.Path(output).read_text(encoding="utf-8"))
                           if output else None)
        return results


class Tally:
    def __init__(self):
        self.checked = self.failed = self.leaves = self.bare = 0

    def add(self, name, step, problems):
        self.checked += 1
        self.leaves += step.account["totals"]["leaves"]
        self.bare += step.without_place
        self.failed += bool(problems)
        if problems and self.failed <= SHOWN:
            print(f"  FAILED: {name}")
            for problem in problems[:4]:
                print(f"    {problem}")


def results_of(runner, files, target, *options):
    for entry, path in runner.convert(files, target, *options):
        if entry["status"] != "converted" or "output" not in entry:
            continue
        if b"\\u0000" in pathlib.Path(path).read_bytes():
            continue        # pointers end at U+0000
        if not entry.get("accounts"):
            continue
        source = load(pathlib.Path(path).read_text(encoding="utf-8"))
        result = load(pathlib.Path(entry["output"]).read_text(encoding="utf-8"))
        yield path, entry, source, result


def check_reads(runner, files, tally, samples):
    """Documents of any dialect, to OpenCheckpoint."""
    found = list(results_of(runner, files, "opencheckpoint"))
    by_dialect = collections.defaultdict(list)
    for path, entry, source, result in found:
        by_dialect[entry["from"]].append((path, entry, source, result))
    for dialect, group in by_dialect.items():
        backs = runner.back([without_carry(result) for *_, result in group], dialect)
        for (path, entry, source, result), back in zip(group, backs):
            step = Step(entry["accounts"]["read"], source, result, back, None)
            problems = step.check(engine_parts(result, None))
            tally.add(f"{path} -> opencheckpoint", step, problems)
            if not problems and len(samples) < 40 and len(step.account["leaves"]) > 20:
                samples.append((entry["accounts"]["read"], source, result, back))
    return [(path, entry["from"], entry["output"]) for path, entry, *_ in found]


def check_writes(runner, files, target, tally, name):
    """OpenCheckpoint documents, to a dialect."""
    found = list(results_of(runner, files, target))
    backs = runner.back([without_open_place(result) for *_, result in found],
                        "opencheckpoint") if found else []
    for (path, entry, source, result), back in zip(found, backs):
        opened = open_places(result)
        account = entry["accounts"]["write"]
        step = Step(account, source, result, back, opened)
        tally.add(f"{name(path)} -> {target}", step,
                  step.check([place for place, _ in opened]))


NONE = ("--carry", "none")


def add_bare(tally, entry, account, source, result, back, name):
    """An account without a carry; back: what the result gives, as a foreign document."""
    if back is None:
        return None
    step = Step(entry["accounts"][account], source, result, back, [], bare=True)
    problems = step.check(engine_parts(result, None))
    tally.add(name, step, problems)
    return None if problems else (entry["accounts"][account], source, result, back)


def add_route(tally, entry, source, back, name):
    if back is None:
        return
    step = Step(entry["accounts"]["route"], source, None, back, [], bare=True)
    tally.add(name, step, step.check_route())


def check_bare_reads(runner, files, tally, samples):
    found = list(results_of(runner, files, "opencheckpoint", *NONE))
    by_dialect = collections.defaultdict(list)
    for one in found:
        by_dialect[one[1]["from"]].append(one)
    for dialect, group in by_dialect.items():
        backs = runner.back([result for *_, result in group], dialect, *NONE)
        for (path, entry, source, result), back in zip(group, backs):
            sample = add_bare(tally, entry, "read", source, result, back,
                              f"{path} -> opencheckpoint, nothing carried")
            if sample is not None and len(samples) < 40:
                samples.append(sample)


def check_bare_writes(runner, models, others, target, tally):
    """Models to a dialect; and other documents, for the account of the whole route."""
    found = list(results_of(runner, models, target, *NONE))
    backs = runner.back([result for *_, result in found], "opencheckpoint", *NONE)
    for (path, entry, source, result), back in zip(found, backs):
        add_bare(tally, entry, "write", source, result, back,
                 f"{path} -> {target}, nothing carried")
    by_dialect = collections.defaultdict(list)
    for one in results_of(runner, others, target, *NONE):
        by_dialect[one[1]["from"]].append(one)
    for dialect, group in by_dialect.items():
        backs = runner.back([result for *_, result in group], dialect, *NONE)
        for (path, entry, source, _), back in zip(group, backs):
            add_route(tally, entry, source, back, f"{path} -> {target}, nothing carried")


def documents(arguments, folder):
    """Generated and real ones: files of dialects, and files of OpenCheckpoint."""
    each = max(1, arguments.count // (len(DIALECTS) + 1))
    made = {}
    for label in ["opencheckpoint", *DIALECTS]:
        place = pathlib.Path(folder) / "made" / label
        place.mkdir(parents=True)
        subprocess.run([arguments.generator, label, str(each), str(arguments.seed), place],
                       check=True, timeout=600)
        made[label] = sorted(place.iterdir())
    real = []
    if arguments.shared is not None and arguments.shared.is_dir():
        for glob in CORPUS:
            real += sorted(arguments.shared.glob(glob))
    models, others = [], []
    for path in real:
        try:
            value = load(path.read_bytes().decode("utf-8"))
        except ValueError:
            continue
        if not isinstance(value, dict):
            continue
        (models if isinstance(value.get("opencheckpoint"), str) else others).append(path)
    models += made.pop("opencheckpoint")
    return models, others, made


def unique(files, folder):
    """Links with names of their own: outputs are named after the inputs."""
    place = pathlib.Path(folder)
    place.mkdir(parents=True)
    linked = []
    for index, path in enumerate(files):
        link = place / f"{index:05}-{path.name}"
        link.symlink_to(path.resolve())
        linked.append(link)
    return linked


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--generator", required=True, type=pathlib.Path)
    parser.add_argument("--shared", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    reads, writes, bare = Tally(), Tally(), Tally()
    with tempfile.TemporaryDirectory(prefix="ocp-laws-") as folder:
        runner = Runner(arguments.program.resolve(), folder)
        models, others, made = documents(arguments, folder)
        linked = unique(others + [p for group in made.values() for p in group],
                        f"{folder}/documents")
        samples, bare_samples = [], []
        read = check_reads(runner, linked, reads, samples)
        check_bare_reads(runner, linked, bare, bare_samples)
        for target in DIALECTS:
            check_writes(runner, unique(models, f"{folder}/models-{target}"), target, writes,
                         str)
            own = [pathlib.Path(model) for _, dialect, model in read if dialect == target]
            if own:
                check_writes(runner, own, target, writes, str)
            check_bare_writes(runner, unique(models, f"{folder}/bare-models-{target}"),
                              linked, target, bare)
    print(f"read: {reads.checked} accounts, {reads.leaves} leaves, "
          f"{reads.bare} given back without a place")
    print(f"write: {writes.checked} accounts, {writes.leaves} leaves, "
          f"{writes.bare} given back without a place")
    print(f"without a carry: {bare.checked} accounts, {bare.leaves} leaves")
    noticed = check_faults(samples, bare_samples)
    tallies = (reads, writes, bare)
    checked = sum(tally.checked for tally in tallies)
    failed = sum(tally.failed for tally in tallies)
    print(f"suite laws-account: {checked - failed} / {checked}")
    enough = reads.checked >= arguments.count // 2
    return 0 if noticed and enough and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
