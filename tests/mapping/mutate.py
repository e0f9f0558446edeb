#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every rule of every mapping needed?

Deletes one rule of a mapping at a time (a member or a list entry of `read`, `write`,
`finish` and `parts`), converts all documents there are with what is left, and compares
with the whole mapping: models, written documents and accounts. A mutant that changes
nothing is a survivor: a rule that no document shows. Survivors must stand in
mutants-allowed.tsv (mapping, rule, reason), and what stands there must survive.
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
CREATED_AT = "2026-01-01T00:00:00Z"
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
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def link(self, name, paths):
        """A folder of the documents under names of their own."""
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        linked = []
        for number, path in enumerate(paths):
            ending = os.path.splitext(path)[1]
            linked.append(os.path.join(folder, f"{number:04}{ending}"))
            os.symlink(path, linked[-1])
        return linked

    def convert(self, source, target, paths, mappings, out):
        """Converts all at once; the account lines, sorted. Outputs stand in out."""
        os.makedirs(out, exist_ok=True)
        command = [self.program, "-f", source, "-t", target, "-s", "json", "--lenient",
                   "--created-at", CREATED_AT, "-o", out]
        if mappings is not None:
            command += ["--mappings", mappings]
        done = subprocess.run(command + ["--"] + paths, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        text = done.stdout.decode("utf-8", "replace")
        return sorted(line for line in text.splitlines()
                      if re.search(r": [0-9]+ values: |: failed: ", line))

    def result(self, source, target, paths, mappings):
        """A digest of everything that comes out."""
        if not paths:
            return None
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            digest = hashlib.sha256()
            for line in self.convert(source, target, paths, mappings, out):
                digest.update(line.replace(out, "").encode() + b"\n")
            for name in sorted(os.listdir(out)):
                with open(os.path.join(out, name), "rb") as stream:
                    digest.update(name.encode() + b"\0" + stream.read() + b"\0")
            return digest.hexdigest()


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


def spread(paths, most):
    """At most so many of them, evenly."""
    step = max(1, -(-len(paths) // most))
    return paths[::step]


class Dialect:
    """Documents of a dialect, and models to be written in it."""

    def __init__(self, judge, name, files):
        self.name = name
        self.documents = []
        self.models = []
        linked = judge.link(f"in-{name}", files)
        out = os.path.join(judge.folder, f"models-{name}")
        judge.convert(name, "opencheckpoint", linked, None, out)
        for path in linked:
            made = os.path.join(out, os.path.splitext(os.path.basename(path))[0] + ".json")
            if os.path.exists(made):
                self.documents.append(path)
                self.models.append(made)

    def write_models(self, judge, all_models, native):
        """Own models, the same without a carry, those of others."""
        stripped = os.path.join(judge.folder, f"stripped-{self.name}")
        os.makedirs(stripped)
        mine = list(self.models)
        for path in self.models:
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            try:
                model = foreign(json.loads(text))
            except RecursionError:
                continue
            bare = os.path.join(stripped, os.path.basename(path))
            with open(bare, "w", encoding="utf-8", errors="surrogatepass") as stream:
                json.dump(model, stream, ensure_ascii=True)
            mine.append(bare)
        others = [path for name, paths in all_models.items() if name != self.name
                  for path in spread(paths, 20)]
        self.targets = judge.link(f"targets-{self.name}", native + mine + others)


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
            yield (label, "opencheckpoint", few, documents)
            yield ("opencheckpoint", label, few, models)

    def prepare(self, label):
        for source, target, few, paths in self.looks(label):
            self.whole[source, target, few] = self.judge.result(source, target, paths, None)

    def survives(self, mapping, labels, rule):
        with tempfile.TemporaryDirectory(dir=self.judge.folder) as folder:
            with open(os.path.join(folder, mapping.file), "w", encoding="utf-8") as stream:
                json.dump(mapping.without(rule), stream, ensure_ascii=False)
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
            good = False
            print(f"  mappings/{mapping.file}: {rule}: allowed, but it does not survive "
                  "(or is gone)")
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
        judge = Judge(os.path.abspath(options.program), temporary)
        dialects = {m.dialect: Dialect(judge, m.dialect, files)
                    for m in mappings if m.dialect != "opencheckpoint"}
        native = Dialect(judge, "opencheckpoint", files).documents
        models = {name: dialect.models for name, dialect in dialects.items()}
        run = Run(judge, dialects, options.jobs)
        for name, dialect in dialects.items():
            dialect.write_models(judge, models, native)
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
