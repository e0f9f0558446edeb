#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""L5: the same bytes whatever the locale, the time zone, the working directory, and, for
documents with a time of their own, SOURCE_DATE_EPOCH and the file's modification time.

Usage: environment.py --program PATH --source DIR
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ZONES = ["UTC", "EST5EDT", "<+1345>-13:45"]
FILE_TIME = b"created_at is the time of the file"
KEPT = ("PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


def locales():
    """C, and what else there is: one with other digits, commas or a Turkish i is best."""
    done = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    there = done.stdout.split() if done.returncode == 0 else []
    wanted = [name for start in ("de_DE", "tr_TR", "fa_IR", "ja_JP", "en_US", "C.")
              for name in there if name.startswith(start)][:4]
    return ["C", "C.UTF-8", "xx_XX.UTF-8", *wanted]


def convert(program, folder, name, target, environment):
    """Standard output, diagnostics and report of one conversion."""
    variables = {key: os.environ[key] for key in KEPT if key in os.environ}
    with tempfile.TemporaryDirectory() as reports:
        report = pathlib.Path(reports) / "report"
        done = subprocess.run([program, name, "-t", target, "--report", report], cwd=folder,
                              env={**variables, **environment}, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, check=False)
        told = report.read_bytes() if report.exists() else b""
    return done.returncode, done.stdout, done.stderr, told


class Cases:
    def __init__(self):
        self.passed = self.total = 0

    def expect(self, what, first, other):
        self.total += 1
        parts = ("exit status", "output", "diagnostics", "report")
        different = [part for part, a, b in zip(parts, first, other) if a != b]
        if different:
            print(f"  FAILED: {what}: {', '.join(different)}")
        self.passed += not different


def check(program, fixture, target, cases):
    label = f"{fixture.parent.parent.name}/{fixture.parent.name} -> {target}"
    with tempfile.TemporaryDirectory(prefix="ocp-here-") as here, \
            tempfile.TemporaryDirectory(prefix="ocp-da-\u00fc-") as there:
        for folder in (here, there):
            shutil.copy(fixture, folder)
            os.utime(pathlib.Path(folder) / fixture.name, (1700000000, 1700000000))
        fixed = {"SOURCE_DATE_EPOCH": "1600000000"}
        first = convert(program, here, fixture.name, target, fixed)
        for locale in locales():
            cases.expect(f"{label}, LC_ALL={locale}", first,
                         convert(program, here, fixture.name, target,
                                 {**fixed, "LC_ALL": locale, "LANG": locale}))
        for zone in ZONES:
            cases.expect(f"{label}, TZ={zone}", first,
                         convert(program, here, fixture.name, target,
                                 {**fixed, "TZ": zone}))
        cases.expect(f"{label}, another folder", first,
                     convert(program, there, fixture.name, target, fixed))
        if first[0] != 0 or FILE_TIME in first[1] + first[2]:
            return False
        without = convert(program, here, fixture.name, target, {})
        if FILE_TIME in without[1]:
            return False
        cases.expect(f"{label}, no SOURCE_DATE_EPOCH", first, without)
        cases.expect(f"{label}, another SOURCE_DATE_EPOCH", first,
                     convert(program, here, fixture.name, target,
                             {"SOURCE_DATE_EPOCH": "4000000000"}))
        os.utime(pathlib.Path(here) / fixture.name, (1, 1))
        cases.expect(f"{label}, another modification time", first,
                     convert(program, here, fixture.name, target, {}))
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    cases, timed = Cases(), set()
    for dialect in sorted((arguments.source / "fixtures").iterdir()):
        for fixture in sorted(dialect.glob("*/input.*"))[:4]:
            targets = ["caop-pulse", "specrail"] if dialect.name == "opencheckpoint" \
                else ["opencheckpoint"]
            for target in targets:
                if check(arguments.program.resolve(), fixture, target, cases):
                    timed.add(dialect.name)
    print(f"with a time of their own: {', '.join(sorted(timed))}")
    print(f"suite laws-environment: {cases.passed} / {cases.total}")
    return 0 if cases.passed == cases.total and len(timed) > 2 else 1


if __name__ == "__main__":
    sys.exit(main())
