#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every rule of every mapping needed?

Deletes one rule of a mapping at a time (a member or a list entry of `read`, `write`,
`finish` and `parts`), converts all documents there are with what is left, and compares
with the whole mapping: models, written documents and accounts. A mutant that changes
nothing is a survivor: a rule that no document shows. Survivors must stand in
mutants-allowed.tsv (mapping, rule, reason).
"""
import argparse
import concurrent.futures
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

import yaml

SECTIONS = ("read", "write", "finish", "parts")
MODEL = "opencheckpoint"
CREATED_AT = "2026-01-01T00:00:00Z"
STATUSES = ("planned", "awaiting", "uncertain", "failed", "completed", "cancelled")
FEW = 40  # documents of the quick first look


# ---- mapping files ------------------------------------------------------------------

class Rule:
    """One place of a mapping file that can be deleted."""

    def __init__(self, path, line):
        self.path = path
        self.line = line
        self.name = "/".join(str(step) for step in path)


def scalar(node):
    if node.style is not None:
        return node.value
    text = node.value
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[-+]?[0-9]*\.[0-9]+", text):
        return float(text)
    return text


def plain(node):
    """The value of a YAML node, as YAML 1.2 has it."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(value) for value in node.value]
    return scalar(node)


def rules_of(node, path, out):
    """Leaves, and all entries of lists: a member that holds rules goes with the last."""
    if isinstance(node, yaml.MappingNode) and node.value:
        for key, value in node.value:
            if key.value == "why":  # it shows in docs/mappings, which have their own test
                continue
            below = path + [key.value]
            if not (isinstance(value, (yaml.MappingNode, yaml.SequenceNode)) and value.value):
                out.append(Rule(below, key.start_mark.line + 1))
            rules_of(value, below, out)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            out.append(Rule(path + [index], value.start_mark.line + 1))
            rules_of(value, path + [index], out)


class Mapping:
    def __init__(self, path):
        self.file = os.path.basename(path)
        self.name = os.path.splitext(self.file)[0]
        with open(path, encoding="utf-8") as stream:
            root = yaml.compose(stream)
        self.value = plain(root)
        self.dialect = self.value["dialect"]
        self.use = self.value.get("use")
        self.rules = []
        for key, value in root.value:
            if key.value in SECTIONS:
                rules_of(value, [key.value], self.rules)

    def without(self, rule):
        value = copy.deepcopy(self.value)
        at = value
        for step in rule.path[:-1]:
            at = at[step]
        del at[rule.path[-1]]
        return value


# ---- conversions --------------------------------------------------------------------

class Judge:
    def __init__(self, program, folder, mappings):
        self.program = program
        self.folder = folder
        self.whole = os.path.join(folder, "mappings")
        self.names = [mapping.file for mapping in mappings]
        os.makedirs(self.whole)
        for mapping in mappings:
            self.put(self.whole, mapping.file, mapping.value)

    @staticmethod
    def put(folder, name, value):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            json.dump(value, stream, ensure_ascii=False)

    def mutated(self, folder, mapping, value):
        """A folder with all mappings as they are, but this one."""
        for name in self.names:
            if name != mapping.file:
                os.symlink(os.path.join(self.whole, name), os.path.join(folder, name))
        self.put(folder, mapping.file, value)

    def run(self, arguments, paths, mappings=None, time=("--created-at", CREATED_AT)):
        done = subprocess.run([self.program, "--lenient", *time, "--mappings", mappings or self.whole,
                               "-s", "ndjson", "-o", "-", *arguments, "--", *paths],
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return done.stdout, done.stderr.decode("utf-8", "replace")

    def result(self, source, target, paths, mappings):
        """A digest of everything that comes out: documents and accounts."""
        if not paths:
            return None
        out, said = self.run(["-f", source, "-t", target], paths, mappings)
        accounts = sorted(line for line in said.splitlines()
                          if re.search(r": [0-9]+ values: |: failed: ", line))
        return hashlib.sha256(out + "\n".join(accounts).encode()).hexdigest()

    def dialects(self, paths):
        """The documents of each dialect, found by their content."""
        found = {}
        report = os.path.join(self.folder, "report")
        # a model is copied, and no time can be given to that
        self.run(["-t", MODEL, "--report", report], paths, time=())
        with open(report, encoding="utf-8") as stream:
            for line in stream:
                entry = json.loads(line)
                if entry["status"] == "converted":
                    found.setdefault(entry["from"], []).append(entry["file"])
        return found


def json_files(folder):
    found = []
    for where, _, names in os.walk(folder):
        found += [os.path.join(where, name) for name in names
                  if name.endswith((".json", ".yaml"))]
    return sorted(found)


def foreign(model):
    """The model as somebody else would have written it."""
    model = {name: value for name, value in model.items()
             if name not in ("extensions", "derivation")}
    return model


def edited(model, number):
    """The model after somebody went on with the work: every operation elsewhere."""
    model = copy.deepcopy(model)
    for index, operation in enumerate(model.get("operations", [])):
        operation["status"] = STATUSES[(number + index) % len(STATUSES)]
    return model


def spread(paths, most):
    """At most so many of them, evenly."""
    step = max(1, -(-len(paths) // most))
    return paths[::step]


class Dialect:
    """Documents of a dialect, and models to be written in it."""

    def __init__(self, judge, name, documents):
        self.name = name
        self.documents = documents
        self.targets = []
        out, _ = judge.run(["-f", name, "-t", MODEL], documents)
        self.models = out.splitlines()

    def write_models(self, judge, dialects, native):
        """Own models, the same without a carry and edited, those of others."""
        mine = list(self.models)
        for number, text in enumerate(self.models):
            try:
                model = json.loads(text)
                changed = edited(model, number)
                mine += [json.dumps(made).encode()
                         for made in (foreign(model), changed, foreign(changed))]
            except RecursionError:
                pass
        others = [model for name, dialect in dialects.items() if name != self.name
                  for model in spread(dialect.models, 20)]
        folder = os.path.join(judge.folder, f"models-{self.name}")
        os.makedirs(folder)
        for number, text in enumerate(mine + others):
            self.targets.append(os.path.join(folder, f"{number:04}.json"))
            with open(self.targets[-1], "wb") as stream:
                stream.write(text)
        self.targets += native


# ---- the run ------------------------------------------------------------------------

class Run:
    def __init__(self, judge, dialects, jobs):
        self.judge = judge
        self.dialects = dialects
        self.jobs = jobs
        self.whole = {}

    def looks(self, label):
        """The conversions that judge a mapping, the quick ones first."""
        dialect = self.dialects[label]
        for few in (True, False):
            documents = spread(dialect.documents, FEW) if few else dialect.documents
            models = spread(dialect.targets, FEW) if few else dialect.targets
            yield (label, MODEL, few, documents)
            yield (MODEL, label, few, models)

    def prepare(self, label):
        for source, target, few, paths in self.looks(label):
            self.whole[source, target, few] = self.judge.result(source, target, paths, None)

    def survives(self, mapping, labels, rule):
        with tempfile.TemporaryDirectory(dir=self.judge.folder) as folder:
            self.judge.mutated(folder, mapping, mapping.without(rule))
            for label in labels:
                for source, target, few, paths in self.looks(label):
                    if self.judge.result(source, target, paths, folder) != \
                            self.whole[source, target, few]:
                        return False
        return True

    def survivors(self, mapping, labels):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            alive = list(pool.map(lambda rule: self.survives(mapping, labels, rule),
                                  mapping.rules))
        return [rule for rule, lives in zip(mapping.rules, alive) if lives]


def read_allowed(path):
    allowed = {}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            if line.strip() and not line.startswith("#"):
                mapping, rule, reason = line.rstrip("\n").split("\t")
                allowed[mapping, rule] = reason
    return allowed


def report(mapping, survivors, allowed):
    """Prints what survived; true if all of it may."""
    good = True
    for rule in survivors:
        reason = allowed.get((mapping.name, rule.name))
        good = good and reason is not None
        print(f"  mappings/{mapping.file}:{rule.line}: {rule.name}: "
              + (f"allowed: {reason}" if reason else "SURVIVED"))
    names = {rule.name for rule in survivors}
    for name, rule in allowed:
        if name == mapping.name and rule not in names:
            print(f"  mappings/{mapping.file}: {rule}: allowed for nothing, it does not "
                  "survive (or is gone)")
    killed = len(mapping.rules) - len(survivors)
    print(f"{mapping.name}: {killed} of {len(mapping.rules)} rules are needed by some document",
          flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True, help="source tree")
    parser.add_argument("--shared", required=True, help="shared folder with the corpus")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", action="append", help="name of a mapping file")
    options = parser.parse_args()
    if not os.path.isdir(os.path.join(options.shared, "corpus")):
        print("skipped: no shared folder")
        return 0
    folder = os.path.join(options.source, "mappings")
    mappings = [Mapping(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    corpus = json_files(os.path.join(options.shared, "corpus"))
    files = json_files(os.path.join(options.source, "fixtures")) + corpus
    allowed = read_allowed(os.path.join(options.source, "tests/mapping/mutants-allowed.tsv"))
    with tempfile.TemporaryDirectory() as temporary:
        judge = Judge(os.path.abspath(options.program), temporary, mappings)
        found = judge.dialects(files)
        dialects = {m.dialect: Dialect(judge, m.dialect, found.get(m.dialect, []))
                    for m in mappings if m.dialect != MODEL}
        native = found.get(MODEL, [])
        run = Run(judge, dialects, options.jobs)
        for name, dialect in dialects.items():
            dialect.write_models(judge, dialects, native)
            run.prepare(name)
            print(f"{name}: {len(dialect.documents)} documents, "
                  f"{len(dialect.targets)} models", flush=True)
        good = True
        for mapping in mappings:
            if not mapping.rules or (options.only and mapping.name not in options.only):
                continue
            labels = [mapping.dialect] + [m.dialect for m in mappings if m.use == mapping.name]
            good = report(mapping, run.survivors(mapping, labels), allowed) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
