#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what the documents say, and looks whether what they show is what happens.

In README.md and docs/*.md, in their order, in a scratch folder that holds the fixtures,
mappings and schemas:

    ```LANGUAGE PATH   the block is written to that file (a path with a folder in it)
    ```sh              the block is run; it has to succeed
    ```text            all that the commands above it printed, on both outputs; a line
                       "..." stands for any number of lines
    ```                (after sh) lines that stand together somewhere in it

Manual pages (docs/man/*.scd) have no words behind ```; there

    $ COMMAND          in a block is run, the lines below it are all that it printed
    ; file: PATH       before a block: the block is written to that file
    ; run: COMMAND     sets up what the examples take for granted

and any other block has to be one that is no example. The folder of the program is in PATH.
With OCP_UPDATE_GOLDEN=1 what was printed is rewritten, and the test still fails, so that
every change is read.

--path and --set NAME=VALUE: more folders in front of PATH, more environment.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--program", type=pathlib.Path, required=True)
parser.add_argument("--source", type=pathlib.Path, required=True)
parser.add_argument("--path", action="append", default=[])
parser.add_argument("--set", action="append", default=[])
parser.add_argument("documents", nargs="*", type=pathlib.Path)
options = parser.parse_args()

UPDATE = os.environ.get("OCP_UPDATE_GOLDEN") == "1"
SANITIZERS = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
# What builds the project and runs this test among others.
BUILDS = ("cmake --workflow", "$(command -v sudo) apt-get", "ctest ", "git clone")
# It needs an installed library: tests/library/installed.py runs it.
OF_LIBRARY = "libocp.3.scd"


def prepare(folder):
    for name in ("fixtures", "mappings", "schemas", "docs", "README.md", "LICENSE"):
        source = options.source / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    demo = folder / "build" / "demo"
    demo.mkdir(parents=True)
    (demo / "ocp-convert").symlink_to(options.program.resolve())


README_TEXT = (options.source / "README.md").read_text()


def run(script, folder):
    path = [*options.path, str(options.program.resolve().parent), "/usr/bin", "/bin"]
    environment = {"PATH": ":".join(path), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    environment.update(word.split("=", 1) for word in options.set)
    environment.update({k: os.environ[k] for k in SANITIZERS if k in os.environ})
    return subprocess.run(["/bin/sh", "-e", "-c", script], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)


def matches(expected, found):
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, found) is not None


class Document:
    def __init__(self, path):
        self.path = path
        self.name = path.name
        self.text = path.read_text()
        self.counts = {"commands": 0, "outputs": 0, "files": 0}
        self.faults = []
        self.printed = None  # by the sh block above

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def fault(self, at, what):
        self.faults.append(f"{self.name}:{self.line(at)}: {what}")

    def do_commands(self, at, script, folder):
        if script.startswith(BUILDS):
            self.printed = None
            if script not in README_TEXT:
                self.fault(at, "builds otherwise than README.md says")
            return
        done = run(script, folder)
        self.counts["commands"] += 1
        self.printed = done.stdout
        if done.returncode != 0:
            self.fault(at, f"exit {done.returncode}: {script}{done.stdout}")

    def compare(self, block, whole):
        body = block.group(2)
        self.counts["outputs"] += 1
        if whole and not matches(body, self.printed):
            self.fault(block.start(), f"printed is:\n{self.printed}")
            return None if "...\n" in body else self.printed
        if not whole and f"\n{body}" not in f"\n{self.printed}":
            self.fault(block.start(), f"not found in:\n{self.printed[-2000:]}")
        return None

    def do(self, block, folder):
        """Returns what the block has to hold instead, or None."""
        info, body = block.group(1).split(), block.group(2)
        if info[:1] == ["sh"]:
            self.do_commands(block.start(), body, folder)
        elif len(info) == 2 and "/" in info[1]:
            file = folder / info[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body)
            self.counts["files"] += 1
        elif info in (["text"], []) and self.printed is not None:
            new = self.compare(block, info == ["text"])
            self.printed = None
            return new
        return None

    def run(self, folder):
        made = self.text
        for block in reversed([(b, self.do(b, folder))
                               for b in BLOCK.finditer(self.text)]):
            if block[1] is not None:
                start, end = block[0].span(2)
                made = made[:start] + block[1] + made[end:]
        if UPDATE and made != self.text:
            self.path.write_text(made)


class ManualPage(Document):
    """A page in scdoc's format."""
    NOTE = re.compile(r"^; (file|run): (.*)\n", re.M)

    def notes(self, block):
        """The notes between the block before and this one."""
        before = self.text.rfind("\n```\n", 0, block.start())
        return self.NOTE.findall(self.text, max(before, 0), block.start())

    def do(self, block, folder):
        body, file = block.group(2), None
        for what, word in self.notes(block):
            if what == "run":
                self.do_commands(block.start(), word, folder)
            else:
                file = folder / word
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body)
            self.counts["files"] += 1
        elif body.startswith("$ "):
            return self.do_session(block, folder)
        return None

    def do_session(self, block, folder):
        made = ""
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)",
                                           block.group(2), re.M):
            self.do_commands(block.start(), command, folder)
            self.counts["outputs"] += 1
            if printed != self.printed:
                self.fault(block.start(), f"{command}\nprinted is:\n{self.printed}")
            made += f"$ {command}\n{self.printed}"
        return made if made != block.group(2) else None


def main():
    docs = options.source / "docs"
    pages = [page for page in sorted(docs.glob("man/*.scd")) if page.name != OF_LIBRARY]
    paths = options.documents or [options.source / "README.md",
                                  *sorted(docs.glob("*.md")), *pages]
    faults = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            prepare(folder)
            document = ManualPage(path) if path.suffix == ".scd" else Document(path)
            document.run(folder)
        counts = ", ".join(f"{n} {what}" for what, n in document.counts.items())
        print(f"{document.name}: {counts}: {len(document.faults)} faults")
        for fault in document.faults:
            print(fault)
        faults += len(document.faults)
    return 1 if faults else 0


sys.exit(main())
