#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No C knows a dialect.

No member name peculiar to SessionCheckpoint, specrail or CAOP stands in a string literal of
src/. Peculiar are the names their schemas give to members, without those of OpenCheckpoint,
of JSON Schema, and of our own reports and mappings. In a literal without blanks every word
counts ("dry-run" is one); in prose those that no sentence holds by chance: with an
underscore or a capital.
"""
import json
import pathlib
import re
import sys

import yaml

DIALECTS = ("specrail-*.json", "session-checkpoint*.yaml", "caop-*.json")
OURS = ("opencheckpoint-*.json", "report.schema.json", "mapping.schema.json", "meta/**/*.json")
CODE = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z0-9-]+")  # of a diagnostic: "io.owner"
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include.*$", re.M)
LITERAL = re.compile(r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\])\'|"((?:\\.|[^"\\\n])*)"', re.S)


def load(path):
    text = path.read_text(encoding="utf-8")
    return yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)


def names_of(schema):
    """The names a schema gives to members: properties, required, definitions excluded."""
    if isinstance(schema, list):
        for element in schema:
            yield from names_of(element)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            yield from value
            for inner in value.values():
                yield from names_of(inner)
        elif key == "required" and isinstance(value, list):
            yield from (name for name in value if isinstance(name, str))
        else:
            yield from names_of(value)


def all_names(folder, patterns):
    found = set()
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            found.update(names_of(load(path)))
    return found


def vocabulary(folder):
    """Words of the languages we speak ourselves: JSON Schema's and the mappings'."""
    words = set()
    for pattern in OURS:
        for path in folder.glob(pattern):
            words.update(re.findall(r"[A-Za-z_$][A-Za-z0-9_-]*", path.read_text()))
    return words


def literals(path):
    text = INCLUDE.sub("", path.read_text(encoding="utf-8"))
    for match in LITERAL.finditer(text):
        if match.group(1) is not None:
            yield text.count("\n", 0, match.start()) + 1, match.group(1)


def offends(literal, names):
    if CODE.fullmatch(literal):
        return None
    prose = " " in literal
    for word in re.findall(r"[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?", literal):
        if word in names and (not prose or "_" in word or word != word.lower()):
            return word
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    folder = root / "schemas"
    names = all_names(folder, DIALECTS) - vocabulary(folder)
    if len(names) < 50:
        print(f"only {len(names)} names were found: the schemas are not where they were")
        return 1
    failures = 0
    files = [path for path in sorted(root.glob("src/**/*.[ch]"))]
    for path in files:
        for line, literal in literals(path):
            word = offends(literal, names)
            if word is not None:
                failures += 1
                print(f'{path.relative_to(root)}:{line}: "{literal}" names {word}')
    print(f"suite dialect names: {len(files) - failures} / {len(files)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
