#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/diagnostics.md is made of docs/diagnostics.tsv, which knows every code of src.

A code is a string literal of src/ of a family that the table has ("json.…", "OC-…"); one
to which g_strconcat() adds a word stands for all of them ("schema.", a keyword). The rules
of dialects are in the mappings, with what they say. With OCP_UPDATE_GOLDEN=1 the page is
made anew, and the test still fails, so that every change is read.
"""
import argparse
import os
import pathlib
import re
import sys

import yaml

parser = argparse.ArgumentParser()
parser.add_argument("--source", type=pathlib.Path, required=True)
options = parser.parse_args()

# Literals of this form that are no codes.
OTHERS = {"mapping.schema.json"}
HEAD = """# Diagnostics

Made from `docs/diagnostics.tsv` and the mappings by the tests (OCP_UPDATE_GOLDEN=1 makes it
anew). Codes are stable: programs may rely on them (`--message-format json`,
`OCP_MESSAGE_CODE`). The family decides the exit code: `usage.` 2, `io.` 4, `fault.` 70,
`strict.` and `roundtrip.` 3, any other error 1.
"""


def table():
    rows = (options.source / "docs/diagnostics.tsv").read_text().splitlines()[1:]
    return dict(row.split("\t") for row in rows)


def in_source(families):
    literal = re.compile(r'"((?:%s)\.[a-z0-9.-]+|OC-[IW]\d+)"' % "|".join(
        re.escape(family) for family in sorted(families, key=len, reverse=True)))
    found = set()
    for path in (options.source / "src").rglob("*.[ch]"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        found |= set(literal.findall(text))
        found |= {code + "*" for code in re.findall(r'g_strconcat\("([a-z-]+\.)"', text)}
    return found - OTHERS


def of_mappings():
    rules = {}
    for path in sorted((options.source / "mappings").glob("*.yaml")):
        for check in yaml.safe_load(path.read_text()).get("checks", []):
            rules.setdefault(check["code"], (check["severity"], check["say"], path.name))
    return rules


def cell(text):
    return text.replace("|", "\\|")


def page(codes, rules):
    lines = [HEAD, "| code | meaning |", "|---|---|"]
    lines += [f"| `{code}` | {cell(codes[code])} |" for code in sorted(codes)]
    lines += ["", "## Rules of dialects", "",
              "`{…}` is filled in from the document.", "",
              "| code | severity | says | mapping |", "|---|---|---|---|"]
    lines += [f"| `{code}` | {severity} | {cell(say)} | `{name}` |"
              for code, (severity, say, name) in sorted(rules.items())]
    return "\n".join(lines) + "\n"


def main():
    codes = table()
    families = {code.split(".")[0] for code in codes if "." in code}
    found = in_source(families)
    missing, extra = found - codes.keys(), codes.keys() - found
    print(f"diagnostics: {len(codes)} codes")
    if missing:
        print("not in docs/diagnostics.tsv:", *sorted(missing))
    if extra:
        print("in docs/diagnostics.tsv, but not in src:", *sorted(extra))
    made = page(codes, of_mappings())
    file = options.source / "docs/diagnostics.md"
    same = file.exists() and file.read_text() == made
    if not same:
        print("docs/diagnostics.md is not what the table and the mappings say")
        if os.environ.get("OCP_UPDATE_GOLDEN") == "1":
            file.write_text(made)
    return 1 if missing or extra or not same else 0


sys.exit(main())
