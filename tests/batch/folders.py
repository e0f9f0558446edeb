#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folders: the same bytes whatever the threads do, and every fault with its message and
its exit code."""
import contextlib
import json
import os
import pty
import random
import re
import select
import socket
import stat
import subprocess
import sys
import threading

import trees
from trees import contents, inodes, pulse, write


def check(condition, text="", done=None):
    if not condition:
        more = "" if done is None else "\n%d\n%s" % (
            done.returncode, done.stderr[-2000:].decode("utf-8", "backslashreplace"))
        raise AssertionError(str(text) + more)


def convert(command, cwd, *arguments, code=0, says=None, **more):
    done = command.run(*arguments, cwd=cwd, **more)
    check(done.returncode == code, "exit code is not %d" % code, done)
    for text in [says] if isinstance(says, str) else says or []:
        check(text.encode() in done.stderr, "does not say %r" % text, done)
    return done


def one(folder, name="in/a.json", number=1):
    write(folder / name, json.dumps(pulse(number)))


# ---- the same whatever the threads and the disk do ------------------------------------

def same_for_any_jobs_and_any_order(command, folder):
    count = 10000 if command.long else 500
    shuffler = random.Random(command.seed)
    trees.grow(folder / "in", command.source, count)
    trees.grow(folder / "other/in", command.source, count, shuffler.shuffle)
    runs = []
    for where, jobs in ((folder, "1"), (folder, "8"), (folder / "other", "8")):
        if (where / "out").exists():
            (where / "out").rename(where / "before")
        done = command.run("-j", jobs, "in", "-o", "out", "--report", "report.ndjson",
                           "--companion", cwd=where)
        check(done.returncode == 1, "the bad files do not show", done)
        runs.append((contents(where / "out"), done.stderr,
                     (where / "report.ndjson").read_bytes()))
    check(len(runs[0][0]) >= count, "outputs are missing")
    for other in runs[1:]:
        check(runs[0][0] == other[0], "outputs differ")
        check(runs[0][1] == other[1], "messages differ")
        check(runs[0][2] == other[2], "reports differ")
    files = [json.loads(line)["file"] for line in runs[0][2].splitlines()]
    check(files == sorted(files, key=os.fsencode), "the report is not in order")
    again = command.run("in", "-o", "out", "--companion", cwd=folder)
    check(b" converted,"  not in again.stderr and b"up-to-date" in again.stderr,
          "a second run has something to do", again)


def streams_in_order(command, folder):
    trees.grow(folder / "in", command.source, 30)
    streams = [command.run("-q", "-j", jobs, "in", "-o", "-", cwd=folder)
               for jobs in ("1", "8")]
    check(streams[0].stdout == streams[1].stdout and streams[0].stdout)
    check(streams[0].stderr == streams[1].stderr)
    for mode in ("--check", "--round-trip", "--explain"):
        modes = [command.run(mode, "-j", jobs, "in", cwd=folder) for jobs in ("1", "8")]
        check(modes[0].stdout == modes[1].stdout, mode)
        check(modes[0].stderr == modes[1].stderr, mode)


# ---- names ----------------------------------------------------------------------------

def mirrors_the_tree(command, folder):
    one(folder, "in/a.json")
    one(folder, "in/deep/er/b.yml", 2)
    write(folder / "in/many.ndjson", "".join(json.dumps(pulse(i)) + "\n" for i in (3, 4)))
    write(folder / "in/twice.yaml", "---\n".join(json.dumps(pulse(i)) + "\n"
                                                 for i in (5, 6)))
    convert(command, folder, "in", "-o", "out", "-s", "yaml")
    check(sorted(contents(folder / "out")) == [
        b"a.yaml", b"deep/er/b.yaml", b"many.1.yaml", b"many.2.yaml", b"twice.1.yaml",
        b"twice.2.yaml"])


def companions_beside_outputs(command, folder):
    write(folder / "in/a.json",
          (command.source / "fixtures/specrail/handoff/input.json").read_text("utf-8"))
    convert(command, folder, "in", "-t", "session-checkpoint", "-o", "out", "--companion")
    check(sorted(contents(folder / "out")) == [b"a.json", b"a.ocp.json"])
    convert(command, folder, "in/a.json", "-o", "plain.json")
    convert(command, folder, "in/a.json", "-o", "one.json", "-t", "session-checkpoint",
            "--companion")
    check((folder / "one.json").read_bytes() == (folder / "out/a.json").read_bytes())
    check((folder / "one.ocp.json").read_bytes() ==
          (folder / "out/a.ocp.json").read_bytes())
    model = json.loads((folder / "one.ocp.json").read_text("utf-8"))
    check(model["opencheckpoint"] == "0.1")
    (folder / "out/a.ocp.json").unlink()
    convert(command, folder, "in", "-t", "session-checkpoint", "-o", "out", "--companion",
            says="1 converted")
    check(len(contents(folder / "out")) == 2, "the companion is not made again")
    convert(command, folder, "in/a.json", "--companion", code=2, says="--companion")
    one(folder, "in/a.ocp.json")
    convert(command, folder, "in", "-o", "new", "--companion", code=2,
            says="would both become a.ocp.json")
    check(not (folder / "new").exists())


def clashes_before_anything_is_written(command, folder):
    one(folder, "in/0.json")
    one(folder, "in/sub/a.json")
    one(folder, "in/sub/a.yaml", 2)
    convert(command, folder, "in", "-o", "out", code=2,
            says=["in/sub/a.json and in/sub/a.yaml would both become sub/a.json"])
    check(not (folder / "out").exists(), "something was written")
    convert(command, folder, "in", "-o", "out", "--exclude", "*.yaml")
    one(folder, "x/b.json")
    one(folder, "y/b.json")
    convert(command, folder, "x", "y", "-o", "z", code=2, says="would both become b.json")
    # a name that only an input with several documents takes
    one(folder, "n/a.1.json")
    write(folder / "n/a.ndjson", json.dumps(pulse(3)) + "\n")
    convert(command, folder, "n", "-o", "n-out")
    write(folder / "n/a.ndjson", "".join(json.dumps(pulse(i)) + "\n" for i in (3, 4)))
    convert(command, folder, "n", "-o", "m-out", code=2,
            says="would both become a.1.json")
    check(not (folder / "m-out").exists(), "something was written")
    # an output where another needs a folder
    one(folder, "p/a.json/b.json")
    one(folder, "p/a.yaml", 2)
    convert(command, folder, "p", "-o", "p-out", code=2, says="would both become a.json")
    check(not (folder / "p-out").exists(), "something was written")


def an_input_given_twice(command, folder):
    one(folder, "a.json")
    convert(command, folder, "a.json", "a.json", "-o", "out", code=2,
            says="a.json is given twice")
    check(not (folder / "out").exists())
    one(folder, "in/b.json")
    convert(command, folder, "in", "in/b.json", "-o", "out", code=2,
            says="in/b.json is given twice")


# ---- what is chosen -------------------------------------------------------------------

def include_exclude_and_lists(command, folder):
    for number, name in enumerate(("a.json", "b.txt", "x/c.json", "x/y/d.json",
                                   "skip/e.json")):
        one(folder / "in", name, number)

    def made(*arguments, **more):
        convert(command, folder, *arguments, "-o", "out", **more)
        found = sorted(path.decode() for path in contents(folder / "out"))
        subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
        return found

    check(made("in") == ["a.json", "b.txt.json", "skip/e.json", "x/c.json", "x/y/d.json"])
    check(made("in", "--include", "*.json", "--exclude", "skip") ==
          ["a.json", "x/c.json", "x/y/d.json"])
    check(made("in", "--include", "x/*") == ["x/c.json"])
    check(made("in", "--include", "x/**") == ["x/c.json", "x/y/d.json"])
    check(made("in", "--include", "**/[cd].json") == ["x/c.json", "x/y/d.json"])
    write(folder / "list", "in/x/c.json\n./in/skip\n\n")
    check(made("--files-from", "list") == ["in/skip/e.json", "in/x/c.json"])
    check(made("--files-from", "-", stdin=b"in/x/c.json\0in/a.json\0") ==
          ["in/a.json", "in/x/c.json"])
    write(folder / "list", "in/../in/a.json\n")
    convert(command, folder, "--files-from", "list", "-o", "out", code=2, says='".."')
    write(folder / "list", "in/none.json\n")
    convert(command, folder, "--files-from", "list", "-o", "out", code=4,
            says="No such file")


def the_output_folder_is_no_input(command, folder):
    one(folder, "in/a.json")
    convert(command, folder, "in", "-o", "in/out")
    convert(command, folder, "in", "-o", "in/out", says="1 up-to-date")
    convert(command, folder, "in", "-o", "in", code=2,
            says="the output folder is an input folder")
    check(len(contents(folder)) == 2)


def shards_are_parts_of_the_whole(command, folder):
    count = 200 if command.long else 60
    for number in range(count):
        one(folder / "in", "d%d/f%d.json" % (number % 5, number), number)
    convert(command, folder, "in", "-o", "whole")
    whole = contents(folder / "whole")
    owner = {}
    for parts in range(1, 17) if command.long else (1, 2, 4, 7, 16):
        union = {}
        for part in range(1, parts + 1):
            out = "s%d-%d" % (parts, part)
            done = command.run("-q", "in", "-o", out, "--shard", "%d/%d" % (part, parts),
                               cwd=folder)
            check(done.returncode == 0, "shard", done)
            mine = contents(folder / out)
            check(not set(mine) & set(union), "shards share a file")
            union.update(mine)
            owner.update({(parts, name): part for name in mine})
        check(union == whole, "the union of %d is not the whole" % parts)
    one(folder / "in", "d0/another.json", count)
    for part in range(1, 5):
        out = "t%d" % part
        convert(command, folder, "-q", "in", "-o", out, "--shard", "%d/4" % part)
        check(all(owner[4, name] == part for name in contents(folder / out)
                  if (4, name) in owner), "another file moved a file")
    # one folder for all: separate states, and a run over all has nothing to do
    procs = [command.start("in", "-o", "shared", "--shard", "%d/3" % part, cwd=folder)
             for part in (1, 2, 3)]
    check([proc.wait() for proc in procs] == [0, 0, 0])
    check(len(os.listdir(folder / "shared" / trees.STATE)) == 3)
    convert(command, folder, "in", "-o", "shared", says="%d up-to-date" % (count + 1))
    for wrong in ("0/4", "5/4", "1", "1/0", "a/b", "1/2/3"):
        convert(command, folder, "in", "-o", "x", "--shard", wrong, code=2, says="--shard")


# ---- doing it again -------------------------------------------------------------------

def only_what_changed_is_made_again(command, folder):
    for number in range(4):
        one(folder, "in/f%d.json" % number, number)
    convert(command, folder, "in", "-o", "out", says="4 converted")
    before = inodes(folder / "out")
    convert(command, folder, "in", "-o", "out", says="4 up-to-date")
    check(before == inodes(folder / "out"))
    one(folder, "in/f1.json", 11)
    (folder / "out/f2.json").unlink()
    convert(command, folder, "in", "-o", "out", says="2 converted, 2 up-to-date")
    after = inodes(folder / "out")
    check(before[b"f0.json"] == after[b"f0.json"] and
          before[b"f1.json"] != after[b"f1.json"])
    convert(command, folder, "in", "-o", "out", "-t", "session-checkpoint",
            says="4 converted")
    convert(command, folder, "in", "-o", "out", "-t", "session-checkpoint", "--force",
            says="4 converted")
    one(folder, "in/f3.json", 3)
    os.utime(folder / "in/f3.json", (5, 5))
    convert(command, folder, "in", "-o", "out", "-t", "session-checkpoint",
            says="1 converted, 3 up-to-date")


def files_of_others_stay(command, folder):
    one(folder, "in/a.json")
    one(folder, "in/b.json", 2)
    write(folder / "out/a.json", "mine")
    convert(command, folder, "in", "-o", "out", code=4,
            says=["out/a.json", "is there already", "--force", "1 converted, 1 failed"])
    check((folder / "out/a.json").read_text() == "mine")
    write(folder / "out/b.json", "edited")
    convert(command, folder, "in", "-o", "out", code=4, says="2 failed")
    check((folder / "out/b.json").read_text() == "edited")
    convert(command, folder, "in", "-o", "out", "--force", says="2 converted")
    # without a state an output that is as it would be is nobody's loss
    subprocess.run(["rm", "-r", "out/" + trees.STATE], cwd=folder, check=True)
    before = inodes(folder / "out")
    convert(command, folder, "in", "-o", "out", says="2 converted")
    check(before == inodes(folder / "out"))
    # a single conversion replaces
    write(folder / "single.json", "old")
    convert(command, folder, "in/a.json", "-o", "single.json")
    check(json.loads((folder / "single.json").read_text())["opencheckpoint"] == "0.1")


def a_cut_state_costs_work_only(command, folder):
    trees.grow(folder / "in", command.source, 12)
    command.run("in", "-o", "out", cwd=folder)
    want = contents(folder / "out")
    state = folder / "out" / trees.STATE / "state"
    text = state.read_bytes()
    for cut in range(0, len(text), max(1, len(text) // 40)):
        state.write_bytes(text[:cut])
        done = command.run("in", "-o", "out", cwd=folder)
        check(done.returncode == 1 and contents(folder / "out") == want, cut, done)
        again = command.run("in", "-o", "out", cwd=folder)
        check(b"converted," not in again.stderr, "not remembered", again)
    state.write_bytes(bytes(random.Random(command.seed).randbytes(5000)) + text)
    check(command.run("in", "-o", "out", cwd=folder).returncode == 1)


def dry_runs_and_fail_fast(command, folder):
    one(folder, "in/a.json")
    write(folder / "in/b.json", "{")
    one(folder, "in/c.json", 3)
    convert(command, folder, "in", "-o", "out", "--dry-run", code=1,
            says=["would write out/a.json", "2 converted, 1 failed"])
    check(not (folder / "out").exists())
    convert(command, folder, "in/a.json", "-o", "one.json", "-n",
            says="would write one.json")
    check(not (folder / "one.json").exists())
    convert(command, folder, "-j1", "in", "-o", "out", "--fail-fast", code=1,
            says=["in/b.json:1:2", "stopped at the first failure"])
    check(sorted(contents(folder / "out")) == [b"a.json"])
    convert(command, folder, "in", "-o", "out", "--keep-going", code=1,
            says=["1 converted, 1 up-to-date, 1 failed", "in/b.json: not converted"])
    convert(command, folder, "in", "-o", "out", "--keep-going", "--fail-fast", code=2)


def the_worst_exit_code(command, folder):
    write(folder / "in/a.json", "{")
    one(folder, "in/b.json")
    convert(command, folder, "in", "-o", "out", code=1)
    os.symlink("nowhere", folder / "in/c.json")
    done = convert(command, folder, "in", "-o", "out", "--report", "r.ndjson", code=4,
                   says=["in/c.json", "No such file"])
    check(b"nowhere" not in done.stderr)
    lines = [json.loads(line) for line in (folder / "r.ndjson").read_text().splitlines()]
    check([(line["file"], line["status"]) for line in lines] == [
        ("in/a.json", "failed"), ("in/b.json", "up-to-date"), ("in/c.json", "failed")])


# ---- odd files ------------------------------------------------------------------------

def links_devices_pipes_and_odd_names(command, folder):
    one(folder, "in/a.json")
    one(folder, "elsewhere/b.json", 2)
    os.symlink("../elsewhere/b.json", folder / "in/link.json")
    os.symlink("../elsewhere", folder / "in/folder")
    os.symlink(".", folder / "in/loop")
    os.symlink("self", folder / "in/self")
    os.mkfifo(folder / "in/pipe")
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind(str(folder / "in/plug"))
    odd = os.path.join(os.fsencode(folder), b"in/odd\nname\xff\x1b[31m.json")
    with open(odd, "w", encoding="utf-8") as handle:
        json.dump(pulse(3), handle)
    with contextlib.suppress(PermissionError):
        os.mknod(folder / "in/device", stat.S_IFCHR | 0o600, os.makedev(1, 3))
    done = convert(command, folder, "in", "-o", "out", "--report", "r.ndjson", code=4,
                   says=["in/pipe: warning: skipped: is a pipe",
                         "in/plug: warning: skipped: is a socket",
                         "in/folder: warning: skipped: is a link to a folder",
                         "in/loop: warning: skipped: is a link to a folder",
                         "in/self: error: cannot read the file: Too many levels",
                         "4 documents: 3 converted, 1 failed"])
    if (folder / "in/device").exists():
        check(b"in/device: warning: skipped: is a device" in done.stderr, "", done)
    check(sorted(contents(folder / "out")) == [
        b"a.json", b"link.json", b"odd\nname\xff\x1b[31m.json"])
    check(b"\x1b" not in done.stderr and b"\xff" not in done.stderr)
    report = (folder / "r.ndjson").read_text("utf-8")
    check(len(report.splitlines()) == 4)
    (folder / "in/self").unlink()
    convert(command, folder, "in", "-o", "out", says="3 up-to-date")
    # named, a link to a folder is followed
    convert(command, folder, "in/folder", "-o", "followed")
    check(sorted(contents(folder / "followed")) == [b"b.json"])


def as_nobody(command, folder, *arguments):
    if os.getuid() != 0:
        return command.run(*arguments, cwd=folder)

    def drop():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

    os.chmod(folder, 0o777)
    return command.run(*arguments, cwd=folder, preexec_fn=drop)


def reachable(command, folder):
    done = as_nobody(command, folder, "--version")
    if done.returncode != 0:
        raise trees.Skipped("another user cannot run the program")


def unreadable_and_unwritable(command, folder):
    try:
        reachable(command, folder)
    except PermissionError as why:
        raise trees.Skipped("another user cannot run the program") from why
    for number, name in enumerate(("a.json", "locked.json", "shut/b.json", "z.json")):
        one(folder / "in", name, number)
    os.chmod(folder / "in/locked.json", 0)
    os.chmod(folder / "in/shut", 0)
    try:
        done = as_nobody(command, folder, "in", "-o", "out")
    finally:
        os.chmod(folder / "in/shut", 0o755)
    check(done.returncode == 4, "exit", done)
    for text in (b"in/locked.json: error: cannot read: Permission denied",
                 b"in/shut: error: cannot read the folder: Permission denied",
                 b"4 documents: 2 converted, 2 failed"):
        check(text in done.stderr, text, done)
    check(sorted(contents(folder / "out")) == [b"a.json", b"z.json"])
    os.chmod(folder / "in/locked.json", 0o644)
    (folder / "fixed").mkdir(mode=0o755)
    done = as_nobody(command, folder, "in", "-o", "fixed")
    check(done.returncode == 4 and b"Permission denied" in done.stderr, "exit", done)
    check(b"fixed" in done.stderr and contents(folder / "fixed") == {})


def an_output_that_is_a_link(command, folder):
    one(folder, "in/a.json")
    one(folder, "in/b.json", 2)
    (folder / "out").mkdir()
    (folder / "far").mkdir()
    os.symlink("../far/a.json", folder / "out/a.json")
    os.symlink("../far/b.json", folder / "out/b.json")
    write(folder / "far/b.json", "not ours")
    convert(command, folder, "in", "-o", "out", code=4, says="out/b.json")
    check(os.path.islink(folder / "out/a.json"))
    check(json.loads((folder / "far/a.json").read_text())["id"] == pulse(1)["id"])
    check((folder / "far/b.json").read_text() == "not ours")
    convert(command, folder, "in", "-o", "out", "--force")
    check(os.path.islink(folder / "out/b.json"))
    check(json.loads((folder / "far/b.json").read_text())["id"] == pulse(2)["id"])
    convert(command, folder, "in", "-o", "out", says="2 up-to-date")


def output_over_input(command, folder):
    one(folder, "in/a.json")
    write(folder / "in/b.yaml", (command.source /
                                 "fixtures/specrail/handoff/input.json").read_text("utf-8"))
    before = contents(folder / "in")
    convert(command, folder, "in/a.json", "in/b.yaml", "-o", "in", code=4,
            says=["in/a.json", "over an input", "1 converted, 1 failed"])
    convert(command, folder, "in/a.json", "in/b.yaml", "-o", "in", "--force", code=4)
    after = contents(folder / "in")
    check(all(after[path] == text for path, text in before.items()))
    # through a link
    (folder / "out").mkdir()
    os.symlink("../in/a.json", folder / "out/a.json")
    os.link(folder / "in/b.yaml", folder / "out/b.json")
    convert(command, folder, "in/a.json", "in/b.yaml", "-o", "out", "--force", code=4,
            says="2 failed")
    check(all(contents(folder / "in")[path] == text for path, text in before.items()))
    convert(command, folder, "in/a.json", "in/b.yaml", "-o", "o", "--report", "in/a.json",
            code=2, says="--report and an input would be one file")
    check(not (folder / "o").exists())
    check(contents(folder / "in")[b"a.json"] == before[b"a.json"])


def a_file_that_changes_while_it_is_read(command, folder):
    """A file that grows all the time is refused or read whole, never a mixture."""
    path = folder / "in/a.json"
    text = [json.dumps(dict(pulse(1), task={"objective": letter * 300000,
                                           "status": "active"})) for letter in "xy"]
    write(path, text[0])
    ended = threading.Event()

    def rewrite():
        number = 0
        while not ended.is_set():
            number += 1
            with open(path, "r+", encoding="utf-8") as handle:
                for at in range(0, len(text[0]), 65536):
                    handle.seek(at)
                    handle.write(text[number % 2][at:at + 65536])
                    handle.flush()

    thread = threading.Thread(target=rewrite)
    thread.start()
    refused = 0
    try:
        for _ in range(30):
            done = command.run("in", "-o", "out", "--force", cwd=folder)
            check(done.returncode in (0, 4), "exit", done)
            if done.returncode == 4:
                check(b"in/a.json: error: changed while it was read [io.changed]"
                      in done.stderr, "message", done)
                refused += 1
    finally:
        ended.set()
        thread.join()
    check(refused > 0, "never noticed")


def a_full_disk(command, folder):
    disk = folder / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", disk],
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise trees.Skipped("no right to mount a small disk")
    try:
        for number in range(60):
            write(folder / "in" / ("f%d.json" % number), json.dumps(
                dict(pulse(number), task={"objective": "o" * 5000, "status": "active"})))
        before = contents(folder / "in")
        convert(command, folder, "in", "-o", "disk/out", code=4,
                says="No space left on device")
        for path, text in contents(disk / "out").items():
            check(json.loads(text)["opencheckpoint"] == "0.1", path)
        check(contents(folder / "in") == before)
        subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
        convert(command, folder, "in", "-o", "disk/out", says="up-to-date")
        convert(command, folder, "in", "-o", "out")
        check(contents(disk / "out") == contents(folder / "out"))
    finally:
        subprocess.run(["umount", disk], check=True)


# ---- the bar --------------------------------------------------------------------------

def on_terminal(command, folder, *arguments, until=None):
    """What a terminal behind standard error gets. The run waits for the pipe that is its
    last input until what the terminal got matches."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([command.program, *arguments], cwd=folder,
                          env=dict(command.environment, TERM="xterm"),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=theirs) as process:
        os.close(theirs)
        text = b""
        waits = True
        while True:
            if waits and (until is None or re.search(until, text)):
                (folder / "pipe").write_text(json.dumps(pulse(99)), encoding="utf-8")
                waits = False
            ready, _, _ = select.select([ours], [], [], 60)
            try:
                got = os.read(ours, 65536) if ready else b""
            except OSError:  # the other end is gone
                got = b""
            if not got:
                break
            text += got
        process.wait()
    os.close(ours)
    return process.returncode, text


def a_bar_on_a_terminal(command, folder):
    write(folder / "in/bad.json", "{")
    for number in range(8):
        one(folder / "in", "f%d.json" % number, number)
    os.mkfifo(folder / "pipe")
    run = ("-j2", "in", "pipe", "-o", "out")
    bar = rb"\r\[=+> *\] 9/10 files, \d+/s, [\d:]+ left, 1 failed\x1b\[K"
    code, text = on_terminal(command, folder, *run, until=bar)
    check(code == 1 and re.search(bar, text), "no bar: %r" % text)
    last = text.rindex(b" left")
    check(b"\r\x1b[K" in text[last:], "the bar stays: %r" % text)
    check(b"10 documents: 9 converted, 1 failed" in text[last:], "no end: %r" % text)
    for quiet in (("--progress", "never"), ("-q",)):
        _, text = on_terminal(command, folder, *run, *quiet)
        check(b" files" not in text, quiet)
    done = convert(command, folder, "in", "-o", "out", code=1)
    check(b"\r" not in done.stderr, "a bar on a pipe", done)
    done = convert(command, folder, "in", "-o", "out", "--progress", "always", code=1)
    check(b"9/9 files" in done.stderr, "no bar when asked for", done)


TESTS = (
    same_for_any_jobs_and_any_order, streams_in_order, mirrors_the_tree,
    companions_beside_outputs, clashes_before_anything_is_written, an_input_given_twice,
    include_exclude_and_lists, the_output_folder_is_no_input,
    shards_are_parts_of_the_whole, only_what_changed_is_made_again, files_of_others_stay,
    a_cut_state_costs_work_only, dry_runs_and_fail_fast, the_worst_exit_code,
    links_devices_pipes_and_odd_names, unreadable_and_unwritable,
    an_output_that_is_a_link, output_over_input, a_file_that_changes_while_it_is_read,
    a_full_disk, a_bar_on_a_terminal)

if __name__ == "__main__":
    sys.exit(trees.main("batch-folders", __doc__, TESTS))
