#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --report writes is what schemas/report.schema.json says, closes, and is free of
content: no text of the source stands in it but as a part of a pointer or a code.

Usage: check-reports.py --program PATH --source DIR
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

FATES = ("mapped", "kept", "carried", "omitted")


def report_of(program, arguments, folder):
    path = pathlib.Path(folder) / "report"
    path.unlink(missing_ok=True)
    subprocess.run([program, "-q", "--report", path, *arguments], check=False,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)
    text = path.read_text(encoding="utf-8")
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def accounts_close(entry):
    for account in entry.get("accounts", {}).values():
        totals = account["totals"]
        if sum(totals[fate] for fate in FATES) != totals["leaves"]:
            return False
        if any(sum(leaf["fate"] == fate for leaf in account["leaves"]) != totals[fate]
               for fate in FATES):
            return False
    return True


def check(validator, program, arguments, folder, count):
    entries = report_of(program, arguments, folder)
    problems = [f"{len(entries)} entries, not {count}"] if len(entries) != count else []
    for entry in entries:
        problems += [f"{error.json_path}: {error.message}"
                     for error in validator.iter_errors(entry)]
        if not accounts_close(entry):
            problems.append("an account does not close")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    schema = json.loads((arguments.source / "schemas/report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    fixtures = sorted(str(path) for path in arguments.source.glob("fixtures/*/*/input.*"))
    passed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        runs = [([path], 1) for path in fixtures]
        runs += [(["--check", path], 1) for path in fixtures]
        runs += [(["--round-trip", path], 1) for path in fixtures]
        runs += [(["--strict", "--explain", path], 1) for path in fixtures]
        runs.append((["/nowhere/at/all.json"], 1))
        log = str(arguments.source / "fixtures/caop-log/kernel.log")
        runs.append((["-f", "caop-log", log], 5)) # three values, one twice, and the log
        if len(fixtures) > 1:
            runs.append((["-o", "-", *fixtures], len(fixtures)))
        for run, count in runs:
            problems = check(validator, str(arguments.program), run, folder, count)
            total += 1
            passed += not problems
            for problem in problems[:5]:
                print(f"  FAILED: {' '.join(run)}: {problem}")
    print(f"suite cli-reports: {passed} / {total}")
    return 0 if passed == total else 1


if __name__ == "__main__":
    sys.exit(main())
