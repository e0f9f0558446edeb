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


# With a decimal comma, a Turkish i, other digits, and bytes that are not UTF-8.
MADE = (("de_DE", "UTF-8"), ("tr_TR", "UTF-8"), ("fa_IR", "UTF-8"), ("de_DE", "ISO-8859-1"))


def make_locales(folder):
    """Locales made here, for the machine may have none; their environments by name."""
    made = {}
    for language, charset in MADE if shutil.which("localedef") else ():
        name = f"{language}.{charset}"
        subprocess.run(["localedef", "-c", "-i", language, "-f", charset,
                        pathlib.Path(folder) / name], capture_output=True, check=False)
        environment = {"LOCPATH": folder, "LC_ALL": name, "LANG": name}
        told = subprocess.run(["locale", "charmap"], env={**os.environ, **environment},
                              capture_output=True, text=True, check=False)
        if told.stdout.strip() == charset:     # it is there, and works
            made[name] = environment
    return made


def locales(folder):
    """C, what the machine has, and what can be made."""
    done = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    there = done.stdout.split() if done.returncode == 0 else []
    wanted = [name for start in ("de_DE", "tr_TR", "fa_IR", "ja_JP", "en_US", "C.")
              for name in there if name.startswith(start)][:4]
    plain = ["C", "C.UTF-8", "xx_XX.UTF-8", *wanted]
    return {**{name: {"LC_ALL": name, "LANG": name} for name in plain},
            **make_locales(folder)}


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


def check(program, fixture, target, cases, there_are):
    label = f"{fixture.parent.parent.name}/{fixture.parent.name} -> {target}"
    with tempfile.TemporaryDirectory(prefix="ocp-here-") as here, \
            tempfile.TemporaryDirectory(prefix="ocp-da-\u00fc-") as there:
        for folder in (here, there):
            shutil.copy(fixture, folder)
            os.utime(pathlib.Path(folder) / fixture.name, (1700000000, 1700000000))
        fixed = {"SOURCE_DATE_EPOCH": "1600000000"}
        first = convert(program, here, fixture.name, target, fixed)
        for locale, variables in there_are.items():
            cases.expect(f"{label}, LC_ALL={locale}", first,
                         convert(program, here, fixture.name, target,
                                 {**fixed, **variables}))
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
    with tempfile.TemporaryDirectory(prefix="ocp-locales-") as folder:
        return check_all(arguments, locales(folder))


def check_all(arguments, there_are):
    cases, timed = Cases(), set()
    for dialect in sorted((arguments.source / "fixtures").iterdir()):
        for fixture in sorted(dialect.glob("*/input.*"))[:4]:
            targets = ["caop-pulse", "specrail"] if dialect.name == "opencheckpoint" \
                else ["opencheckpoint"]
            for target in targets:
                if check(arguments.program.resolve(), fixture, target, cases, there_are):
                    timed.add(dialect.name)
    print(f"under {', '.join(there_are)}")
    print(f"with a time of their own: {', '.join(sorted(timed))}")
    print(f"suite laws-environment: {cases.passed} / {cases.total}")
    return 0 if cases.passed == cases.total and len(timed) > 2 else 1


if __name__ == "__main__":
    sys.exit(main())
