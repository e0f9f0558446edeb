#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes every rule out of a mapping, one at a time, and looks whether anything notices.

A rule is a member or a list entry of `read` and `write`, or a row of a table. What would
notice are the expected outputs of the fixtures, so the same conversions are made with the
mapping as it is and without the rule: the models of the dialect's fixtures with their
account, and the fixtures of all other dialects written in it. A rule whose loss changes
nothing has no test. It is printed, and fails the run unless mutants-allowed.tsv names it
with a reason.
"""
import argparse
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

TIME = "2026-10-01T12:00:00Z"


def rules(node, path=()):
    """The paths of everything that can be taken out."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name != "why":
                yield path + (name,)
                yield from rules(value, path + (name,))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield path + (index,)
            yield from rules(value, path + (index,))


def without(mapping, path):
    mutant = copy.deepcopy(mapping)
    node = mutant
    for step in path[:-1]:
        node = node[step]
    del node[path[-1]]
    return mutant


class Bench:
    def __init__(self, options, dialect):
        self.program = options.program
        self.dialect = dialect
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mutants-"))
        self.environment = dict(os.environ, SOURCE_DATE_EPOCH="1790000000")
        self.own, self.other = [], []
        for case in sorted(pathlib.Path(options.source).glob("fixtures/*/*/input.*")):
            name = f"{case.parent.parent.name}-{case.parent.name}{case.suffix}"
            copied = self.folder / name
            shutil.copy(case, copied)
            own = name.startswith(dialect + "-") or dialect.startswith(name.split("-")[0] + "-")
            (self.own if own else self.other).append(str(copied))

    def run(self, mapping_folder, inputs, target, out):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        command = [self.program, "--mappings", str(mapping_folder), "-t", target,
                   "-o", str(out), "--report", str(out / "report.json"), *inputs]
        done = subprocess.run(command, capture_output=True, env=self.environment,
                              timeout=120, check=False)
        files = {path.name: path.read_bytes() for path in sorted(out.rglob("*"))
                 if path.is_file()}
        return done.returncode, files

    def outputs(self, mapping_folder):
        out = self.folder / "out"
        return (self.run(mapping_folder, self.own, "opencheckpoint", out),
                self.run(mapping_folder, self.other, self.dialect, out) if self.other else None)


def allowed(path):
    if not path.exists():
        return set()
    lines = path.read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("\t")[:2]) for line in lines if line and line[0] != "#"}


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "source", "mapping"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    file = pathlib.Path(options.source) / "mappings" / options.mapping
    mapping = yaml.safe_load(file.read_text(encoding="utf-8"))
    bench = Bench(options, mapping["dialect"])
    place = bench.folder / "mappings"
    place.mkdir()
    (place / file.name).write_text(json.dumps(mapping), encoding="utf-8")
    expected = bench.outputs(place)
    excused = allowed(pathlib.Path(__file__).with_name("mutants-allowed.tsv"))
    killed = total = 0
    survivors = []
    for part in ("tables", "read", "write"):
        for path in rules(mapping.get(part, {}), (part,)):
            if len(path) < 2:
                continue
            total += 1
            mutant = without(mapping, path)
            (place / file.name).write_text(json.dumps(mutant), encoding="utf-8")
            if bench.outputs(place) != expected:
                killed += 1
                continue
            name = "/".join(str(step) for step in path)
            if (file.name, name) in excused:
                killed += 1
            else:
                survivors.append(name)
    for name in survivors:
        print(f"  survives: {file.name} without {name}")
    print(f"suite mutants {file.name}: {killed} / {total}")
    shutil.rmtree(bench.folder)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
