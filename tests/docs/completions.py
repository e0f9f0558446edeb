#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The options of the three completions and of the manual are those of the command.

The command's are the rows of src/cli/options.c that are not hidden; --help may name a few
less (--help itself), never more.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--source", type=pathlib.Path, required=True)
options = parser.parse_args()

OPTION = re.compile(r"--([a-z][a-z-]*)")
COMPLETIONS = options.source / "docs" / "completions"
failures = 0


def check(name, good, what):
    global failures
    print(f"{name}: {'ok' if good else 'FAILED: ' + what}")
    failures += not good


def compare(name, found, expected):
    check(name, found == expected,
          f"missing {sorted(expected - found)}, too many {sorted(found - expected)}")


def of_command():
    text = (options.source / "src/cli/options.c").read_text()
    rows = re.findall(r'^\s*(?:WORD\(|FLAG\(|\{)"([a-z-]+)",(.*)$', text, re.M)
    return {name for name, rest in rows if "HIDDEN" not in rest and "OCP_MODE" not in rest}


def in_bash(text):
    return set(OPTION.findall(re.search(r'local options="([^"]*)"', text).group(1)))


def in_zsh(text):
    return set(OPTION.findall("\n".join(
        line.split("[")[0].split(")", 1)[-1] if line.strip().startswith("'(")
        else line.split("[")[0] for line in text.splitlines()
        if line.strip().startswith("'"))))


def in_fish(text):
    return set(re.findall(r"^complete .* -l ([a-z-]+)", text, re.M))


def check_syntax(shell, flags, file):
    if shutil.which(shell) is None:
        print(f"skipped: there is no {shell}")
        return
    done = subprocess.run([shell, *flags, str(file)], capture_output=True, text=True)
    check(f"{shell} reads its completion", done.returncode == 0, done.stderr)


def main():
    expected = of_command()
    shown = set(OPTION.findall(subprocess.run(
        [options.program, "--help"], capture_output=True, text=True, check=True).stdout))
    check("--help names options that there are", shown <= expected,
          str(sorted(shown - expected)))
    check("--help leaves out what it may", expected - shown <= {"help", "keep-going",
          "quiet", "verbose"}, str(sorted(expected - shown)))
    for name, read in (("ocp-convert.bash", in_bash), ("_ocp-convert", in_zsh),
                       ("ocp-convert.fish", in_fish)):
        compare(name, read((COMPLETIONS / name).read_text()), expected)
    manual = (options.source / "docs/man/ocp-convert.1.scd").read_text()
    compare("ocp-convert(1)", set(re.findall(r"\*--([a-z][a-z-]*)\*", manual)), expected)
    check_syntax("bash", ["-n"], COMPLETIONS / "ocp-convert.bash")
    check_syntax("zsh", ["-n"], COMPLETIONS / "_ocp-convert")
    check_syntax("fish", ["--no-execute"], COMPLETIONS / "ocp-convert.fish")
    return 1 if failures else 0


sys.exit(main())
