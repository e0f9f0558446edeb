#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Round trips of all documents there are, through every dialect: each difference is named.

Valid documents of the fixtures, the corpus and the generator go to every dialect and back,
with a carry and without. --whole takes all of the corpus and more of the generator, and
adds secrets that are kept, YAML on the way, and the invalid documents, leniently.

Usage: round_trips.py --program PATH --generator PATH --source DIR [--shared DIR] [--whole]
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TARGETS = ["opencheckpoint", "specrail@1", "specrail@2", "specrail@3", "specrail-cursor",
           "session-checkpoint@1", "session-checkpoint@2", "caop-pulse", "caop-resume-brief"]
ENDINGS = (".json", ".yaml", ".yml")
CARRY = [["--carry", "all"], ["--carry", "none"]]
MORE = [[], ["--sensitive", "keep"], ["--syntax", "yaml"], ["--lenient"]]
SHOWN = 12


def run(program, listed, *options):
    """(exit code, errors by file) of one command over the listed files."""
    command = [program, "--message-format", "json", "--progress", "never",
               "--files-from", listed, *options]
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=1800,
                          env=dict(os.environ, SOURCE_DATE_EPOCH="1790000000"))
    errors = collections.defaultdict(list)
    for line in done.stderr.decode("utf-8", errors="replace").split("\n"):
        said = json.loads(line) if line else {}
        if said.get("severity") == "error":
            errors[said.get("file")].append(said)
    return done.returncode, errors


def files_below(root):
    return [path for path in sorted(root.rglob("*"))
            if path.suffix in ENDINGS and path.is_file()]


def documents(arguments, folder):
    files = files_below(arguments.source / "fixtures")
    if arguments.shared is not None and (arguments.shared / "corpus").is_dir():
        files += files_below(arguments.shared / "corpus")[::1 if arguments.whole else 4]
    for label in TARGETS:
        place = pathlib.Path(folder) / "made" / label
        place.mkdir(parents=True)
        subprocess.run([arguments.generator, label, "200" if arguments.whole else "8", "1",
                        place], check=True, timeout=600)
        files += sorted(place.iterdir())
    return files


def listed(files, path):
    path.write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
    return path


def is_ours(said):
    return said["code"].startswith(("roundtrip.", "fault."))


def breaks_schema(said):
    """A conversion only warns of formats and of a dialect's own rules."""
    return said["code"].startswith("schema.")


def faults_of(code, errors, lenient):
    """What must not be: anything of valid documents; of others, a fault of ours."""
    found = [said for group in errors.values() for said in group
             if not lenient or is_ours(said)]
    texts = [f"{said.get('file')}: {said.get('pointer', '')}: {said['message']} "
             f"[{said['code']}]" for said in found]
    if not texts and code not in ((0, 1) if lenient else (0,)):
        texts = [f"exit {code}, and nobody says why"]
    return texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--generator", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--shared", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    for name in ("generator", "source", "shared"):      # a list of files wants them whole
        given = getattr(arguments, name)
        setattr(arguments, name, given.resolve() if given is not None else None)
    program = arguments.program.resolve()
    passed = total = 0
    with tempfile.TemporaryDirectory(prefix="ocp-trips-") as folder:
        place = pathlib.Path(folder)
        files = documents(arguments, folder)
        every = listed(files, place / "every")
        _, checked = run(program, every, "--check")
        _, errors = run(program, every, "--round-trip", "-t", "opencheckpoint")
        sound = [file for file in files if all(map(is_ours, errors.get(str(file), []))) and
                 not any(map(breaks_schema, checked.get(str(file), [])))]
        valid = listed(sound, place / "valid")
        for more in MORE if arguments.whole else MORE[:1]:
            lenient = "--lenient" in more
            for carry in CARRY:
                for target in TARGETS:
                    options = [*carry, *more, "-t", target]
                    code, errors = run(program, every if lenient else valid, "--round-trip",
                                       *options)
                    texts = faults_of(code, errors, lenient)
                    total += 1
                    passed += not texts
                    if texts:
                        print(f"  FAILED: {' '.join(options)}: {len(texts)}, exit {code}")
                        print("".join(f"    {text[:300]}\n" for text in texts[:SHOWN]), end="")
    print(f"{len(sound)} valid documents of {len(files)}")
    print(f"suite round-trips: {passed} / {total}")
    return 0 if passed == total and sound else 1


if __name__ == "__main__":
    sys.exit(main())
