#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent judge: what ocp-convert makes, validated by python3-jsonschema.

Every specrail document of the corpus that its index calls valid, of a later version, a
cursor or real becomes a model that validates and comes back equal, numbers by text; every
valid OpenCheckpoint example becomes a valid document of each specrail dialect.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema


class Number(str):
    """A number by its text."""


def exact(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_int=Number, parse_float=Number)


class Judge:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="judge-", dir=options.build))
        self.failures = 0
        self.validators = {}

    def fail(self, text):
        self.failures += 1
        print("  FAILED:", text)

    def convert(self, source, target, name):
        result = self.folder / name
        command = [self.options.program, str(source), "-t", target, "-o", str(result)]
        if target == "opencheckpoint":
            command += ["--created-at", "2026-12-01T00:00:00Z"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return result
        self.fail(f"{source} to {target}: exit {done.returncode}: {done.stderr[:300]}")
        return None

    def validate(self, path, schema, source):
        if schema not in self.validators:
            with open(pathlib.Path(self.options.source) / "schemas" / schema) as file:
                loaded = json.load(file)
            jsonschema.Draft202012Validator.check_schema(loaded)
            self.validators[schema] = jsonschema.Draft202012Validator(
                loaded, format_checker=jsonschema.FormatChecker())
        with open(path, encoding="utf-8") as file:
            errors = list(self.validators[schema].iter_errors(json.load(file)))
        for error in errors[:3]:
            self.fail(f"{source}: {path.name} at {list(error.absolute_path)}: {error.message[:200]}")
        return not errors

    def corpus_document(self, path, dialect):
        before = self.failures
        model = self.convert(path, "opencheckpoint", "model.json")
        if model is not None and self.validate(model, "opencheckpoint-0.1.schema.json", path):
            back = self.convert(model, dialect, "back.json")
            if back is not None and exact(back) != exact(path):
                self.fail(f"{path} comes back different")
        return self.failures == before

    def example(self, path):
        before = self.failures
        for dialect, schema in (("specrail@1", "specrail-runtime-checkpoint-1.schema.json"),
                                ("specrail@2", "specrail-relaxed.schema.json"),
                                ("specrail@3", "specrail-relaxed.schema.json"),
                                ("specrail-cursor", "specrail-cursor.schema.json")):
            made = self.convert(path, dialect, "made.json")
            if made is not None:
                self.validate(made, schema, path)
        return self.failures == before


def corpus_documents(shared):
    with open(shared / "corpus" / "INDEX.tsv", encoding="utf-8") as file:
        for name, what, *_ in csv.reader(file, delimiter="\t"):
            if name.startswith("specrail/") and not what.startswith("invalid"):
                cursor = what.startswith(("v4", "milestone"))
                yield shared / "corpus" / name, "specrail-cursor" if cursor else "specrail"


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "source", "shared", "build"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    shared = pathlib.Path(options.shared)
    if not shared.is_dir():
        print("skipped: the judge needs the shared folder")
        return 0
    judge = Judge(options)
    good = [judge.corpus_document(*one) for one in corpus_documents(shared)]
    print(f"suite specrail by jsonschema: {sum(good)} / {len(good)}")
    examples = sorted((shared / "corpus/examples/opencheckpoint/valid").glob("*.json"))
    good = [judge.example(one) for one in examples]
    print(f"suite opencheckpoint to specrail by jsonschema: {sum(good)} / {len(good)}")
    for path in judge.folder.iterdir():
        path.unlink()
    judge.folder.rmdir()
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
