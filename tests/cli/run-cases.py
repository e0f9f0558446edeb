#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the command as users see it.

A case is a folder with a file `command`, a shell script, and what is expected of it:
`stdout`, `stderr` (absent: empty), `exit` (absent: 0), and `after/`, files that must be
there when it has ended (or must not: `after/NAME.absent`). Everything else in the folder
is copied into the empty folder in which the script runs; `fixtures` there leads to the
fixtures of the source tree. The environment is empty but for PATH.

With OCP_UPDATE_GOLDEN=1 what was expected is rewritten, and the case still fails, so that
every change is read.

Usage: run-cases.py --program PATH --source DIR [CASE...]
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = {"command", "stdout", "stderr", "exit", "after"}
UPDATE = os.environ.get("OCP_UPDATE_GOLDEN") == "1"
SANITIZERS = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


def prepare(case, folder, source):
    for entry in case.iterdir():
        if entry.name in EXPECTED:
            continue
        if entry.is_dir():
            shutil.copytree(entry, folder / entry.name)
        else:
            shutil.copy(entry, folder / entry.name)
    (folder / "fixtures").symlink_to(source / "fixtures")


def run(case, folder, program):
    environment = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    environment.update({k: os.environ[k] for k in SANITIZERS if k in os.environ})
    return subprocess.run(
        ["/bin/sh", str(case / "command")], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)


def difference(name, expected, found):
    if expected == found:
        return []
    import difflib
    lines = difflib.unified_diff(
        expected.decode("utf-8", "backslashreplace").splitlines(),
        found.decode("utf-8", "backslashreplace").splitlines(),
        f"{name} expected", f"{name} found", lineterm="")
    return [f"    {line}" for line in lines] or [f"    {name} differs in line ends"]


def check_after(case, folder):
    problems = []
    after = case / "after"
    for entry in sorted(after.rglob("*")) if after.is_dir() else []:
        if entry.is_dir():
            continue
        name = entry.relative_to(after)
        if name.suffix == ".absent":
            if (folder / name.with_suffix("")).exists():
                problems.append(f"    {name.with_suffix('')} is there")
            continue
        there = folder / name
        if not there.is_file():
            problems.append(f"    {name} is not there")
            continue
        problems += difference(str(name), entry.read_bytes(), there.read_bytes())
        if UPDATE:
            entry.write_bytes(there.read_bytes())
    return problems


def update(case, name, content, default):
    path = case / name
    if content != default:
        path.write_bytes(content)
    elif path.exists():
        path.unlink()


def check(case, program, source):
    with tempfile.TemporaryDirectory(prefix="ocp-cli-") as name:
        folder = pathlib.Path(name)
        prepare(case, folder, source)
        done = run(case, folder, program)
        found = {"stdout": done.stdout, "stderr": done.stderr,
                 "exit": b"%d\n" % done.returncode}
        problems = []
        for kind, content in found.items():
            default = b"0\n" if kind == "exit" else b""
            path = case / kind
            expected = path.read_bytes() if path.exists() else default
            problems += difference(kind, expected, content)
            if UPDATE:
                update(case, kind, content, default)
        return problems + check_after(case, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("case", nargs="*")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).parent
    cases = sorted(path.parent for path in root.glob("*/command"))
    if arguments.case:
        cases = [case for case in cases if case.name in arguments.case]
    failed = 0
    for case in cases:
        problems = check(case, arguments.program.resolve(), arguments.source.resolve())
        if problems:
            failed += 1
            print(f"  FAILED: {case.name}")
            print("\n".join(problems))
    print(f"suite cli: {len(cases) - failed} / {len(cases)}")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
