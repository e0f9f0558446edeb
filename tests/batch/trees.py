# SPDX-License-Identifier: Apache-2.0
"""What the tests of batches share: a command to run, trees to run it on, and a look at
what is there afterwards."""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import yaml

STATE = ".ocp-convert"
TIME = 1_700_000_000


class Command:
    """The program, with an environment of its own."""

    def __init__(self, program, source):
        self.program = str(program.resolve())
        self.source = source.resolve()
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
        for name, value in os.environ.items():
            if name.endswith("SAN_OPTIONS"):
                self.environment[name] = value

    def run(self, *arguments, cwd=None, stdin=b"", **more):
        return subprocess.run([self.program, *arguments], cwd=cwd, input=stdin,
                              capture_output=True, env=self.environment, timeout=600,
                              check=False, **more)

    def start(self, *arguments, **more):
        return subprocess.Popen([self.program, *arguments], env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, **more)


def documents(source):
    """The valid documents of the fixtures: (ending, text)."""
    found = []
    for path in sorted(source.glob("fixtures/*/*/input.*")):
        found.append((path.suffix, path.read_text(encoding="utf-8")))
    return found


def pulse(number):
    """A small OpenCheckpoint document that no other number has."""
    return {"opencheckpoint": "0.1",
            "id": "urn:uuid:%s" % _uuid(number),
            "created_at": "2026-10-01T09:30:00Z",
            "source": {"producer": {"name": "batch-test"}},
            "task": {"objective": "Objective %d" % number, "status": "active"}}


def _uuid(number):
    digits = hashlib.sha256(b"%d" % number).hexdigest()
    return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "8" + digits[17:20],
                     digits[20:32]))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (TIME, TIME))


def grow(folder, source, count, order=None):
    """A tree of count files of mixed dialects and syntaxes, some of them bad. order: a
    function that shuffles the order in which they are made."""
    known = documents(source)
    files = []
    for number in range(count):
        where = folder / ("d%d" % (number % 7)) / ("e%d" % (number % 3))
        kind = number % 10
        if kind < 5:
            suffix, text = known[(number // 10 * 5 + kind) % len(known)]
        elif kind < 7:
            suffix, text = ".json", json.dumps(pulse(number))
        elif kind == 7:
            suffix, text = ".yaml", yaml.safe_dump(pulse(number))
        elif kind == 8:
            suffix = ".ndjson"
            text = "".join(json.dumps(pulse(number * 10 + i)) + "\n" for i in range(3))
        else:
            suffix, text = ".json", json.dumps(pulse(number))[:-(number % 40) - 1]
        files.append((where / ("f%05d%s" % (number, suffix)), text))
    if order is not None:
        order(files)
    for path, text in files:
        write(path, text)
    return len(files)


def contents(folder):
    """Path below folder -> bytes, but for the state. Links are not followed."""
    found = {}
    for root, folders, names in os.walk(os.fsencode(folder)):
        folders[:] = [name for name in folders if name != STATE.encode()]
        for name in names:
            path = os.path.join(root, name)
            below = os.path.relpath(path, os.fsencode(folder))
            if os.path.islink(path):
                found[below] = b"-> " + os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as handle:
                    found[below] = handle.read()
    return found


def inodes(folder):
    """Path below folder -> what changes if the file is written again."""
    return {path: (os.stat(os.path.join(os.fsencode(folder), path)).st_ino,
                   os.stat(os.path.join(os.fsencode(folder), path)).st_mtime_ns)
            for path in contents(folder)}


def workplace():
    """Where tests work: in memory if they can, for nothing here depends on the disk, and
    waiting for one that others use takes long."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) else None


class Skipped(Exception):
    """The machine does not allow what a test needs."""


def main(name, doc, tests):
    """Runs tests (functions of a command and an empty folder); returns an exit code."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--helper", type=pathlib.Path, help="kill-at-call")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    command = Command(options.program, options.source)
    command.long = options.long
    command.helper = str(options.helper.resolve()) if options.helper else None
    command.seed = options.seed if options.seed is not None else int.from_bytes(
        os.urandom(4), "big")
    print("seed %d" % command.seed)
    chosen = [test for test in tests if not options.only or test.__name__ in options.only]
    passed = 0
    for test in chosen:
        place = None if options.long else workplace()
        with tempfile.TemporaryDirectory(prefix="ocp-batch-", dir=place) as folder:
            started = time.monotonic()
            try:
                test(command, pathlib.Path(folder))
                passed += 1
                print("  %5.1f s  %s" % (time.monotonic() - started, test.__name__))
            except Skipped as why:
                print("  skipped: %s: %s" % (test.__name__, why))
                passed += 1
            except Exception:  # each failure is told, and the rest goes on
                print("  FAILED: %s" % test.__name__)
                print("".join(traceback.format_exc(limit=-3)))
    print("suite %s: %d / %d" % (name, passed, len(chosen)))
    return 0 if passed == len(chosen) and chosen else 1
