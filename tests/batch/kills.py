#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Killed at any moment: no output is partial or mixed, no input is touched, and the next
run ends the job without doing again what stood. Signals: gone at once, clean."""
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import time

import trees
from trees import contents, inodes, pulse, write

TEMPORARY = re.compile(rb"(^|/)\.ocp-convert-[^/]*\.tmp$")


def check(condition, text=""):
    if not condition:
        raise AssertionError(text)


class Job:
    """One batch, what is to come of it, and what was there before it."""

    def __init__(self, command, folder, files, arguments, older=False):
        self.command = command
        self.folder = folder
        self.arguments = ("in", "-o", "out", *arguments)
        trees.grow(folder / "in", command.source, files)
        self.inputs = contents(folder / "in")
        shutil.rmtree(folder / "out", ignore_errors=True)
        command.run(*self.arguments, cwd=folder)
        self.wanted = contents(folder / "out")
        shutil.rmtree(folder / "out")
        self.before = {}
        if older:  # outputs of other options, which are to be replaced
            command.run(*self.arguments, "--carry", "none", "--id",
                        "urn:uuid:00000000-0000-4000-8000-000000000000", cwd=folder)
            (folder / "out").rename(folder / "old")
            self.before = contents(folder / "old")
            check(self.before != self.wanted, "there is nothing to replace")

    def begin(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        if self.before:
            shutil.copytree(self.folder / "old", self.folder / "out")

    def check_killed(self, when):
        """Every output is whole: as it was, or as it is to be."""
        check(contents(self.folder / "in") == self.inputs, "%s: inputs changed" % when)
        for path, text in contents(self.folder / "out").items():
            check(TEMPORARY.search(path) or text == self.wanted.get(path) or
                  text == self.before.get(path), "%s: %r is torn" % (when, path))

    def check_ended(self, when):
        """The next run ends the job, and leaves alone what is done."""
        there = contents(self.folder / "out")
        done = {path: known for path, known in inodes(self.folder / "out").items()
                if there[path] == self.wanted.get(path)}
        again = self.command.run(*self.arguments, cwd=self.folder)
        check(again.returncode in (0, 1), "%s: exit %d: %r" %
              (when, again.returncode, again.stderr[-500:]))
        check(contents(self.folder / "out") == self.wanted,
              "%s: not what one run makes" % when)
        after = inodes(self.folder / "out")
        check(all(after[path] == known for path, known in done.items()),
              "%s: what stood was made again" % when)
        check(contents(self.folder / "in") == self.inputs, "%s: inputs changed" % when)
        last = self.command.run(*self.arguments, cwd=self.folder)
        check(not re.search(rb"\d converted", last.stderr), "%s: still something to do" % when)


def killed_at_random_moments(command, folder):
    chance = random.Random(command.seed)
    count = 150 if command.long else 15
    for older in (False, True):
        job = Job(command, folder / str(older), 30, ("-j2", "--companion"), older)
        started = time.monotonic()
        job.begin()
        command.run(*job.arguments, cwd=job.folder)
        length = time.monotonic() - started
        for number in range(count):
            job.begin()
            kills = 0
            while kills < 4:  # one after another, until one run gets to its end
                process = command.start(*job.arguments, cwd=job.folder)
                try:
                    process.wait(chance.uniform(0, length))
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills += 1
                job.check_killed("kill %d.%d" % (number, kills))
            job.check_ended("kill %d" % number)


def kill_at(command, job, call):
    done = subprocess.run([command.helper, str(call), command.program, *job.arguments],
                          cwd=job.folder, env=command.environment, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    if done.returncode == 77:
        raise trees.Skipped("no right to trace a program")
    return done.returncode == 0, done.stdout.decode().strip()


def killed_at_each_system_call(command, folder):
    for older in (False, True):
        job = Job(command, folder / str(older), 9, ("-j2", "--companion"), older)
        job.begin()
        killed, said = kill_at(command, job, 0)
        total = int(said.split()[2])
        # what is before the first output is there is the same for all; the order of the
        # calls of several threads is not, so there may be some more
        step = 1 if command.long else max(1, total // 25)
        for call in range(1 + command.seed % step, total + 50, step):
            job.begin()
            killed, said = kill_at(command, job, call)
            if not killed:
                break
            job.check_killed(said)
            job.check_ended(said)


def leaves_at_once(command, folder, number):
    """The run waits for a pipe that nobody writes to; what is done stands."""
    for index in range(5):
        write(folder / "in" / ("f%d.json" % index), json.dumps(pulse(index)))
    os.mkfifo(folder / "pipe")
    arguments = [command.program, "in", "pipe", "-o", "out", "--report", "r"]
    for jobs in ("-j1", "-j4"):
        shutil.rmtree(folder / "out", ignore_errors=True)
        with subprocess.Popen([*arguments, jobs], cwd=folder, env=command.environment,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 60
            while len(contents(folder / "out")) < 5 and time.monotonic() < deadline:
                time.sleep(0.01)
            started = time.monotonic()
            process.send_signal(number)
            said = process.stderr.read()
            code = process.wait(60)
            check(time.monotonic() - started < 5, "did not leave at once")
        check(code == 128 + number, "exit code %d" % code)
        check(said == b"ocp-convert: interrupted\n", said)
        check(sorted(contents(folder)) == sorted(
            [b"in/f%d.json" % index for index in range(5)] +
            [b"out/f%d.json" % index for index in range(5)]), "not clean")


def interrupted(command, folder):
    leaves_at_once(command, folder, signal.SIGINT)


def terminated(command, folder):
    leaves_at_once(command, folder, signal.SIGTERM)


def terminated_at_random_moments(command, folder):
    chance = random.Random(command.seed)
    job = Job(command, folder, 30, ("-j2",), True)
    job.begin()
    started = time.monotonic()
    command.start(*job.arguments, cwd=folder).wait(60)
    whole = time.monotonic() - started  # how long it takes here, undisturbed
    codes = set()
    wanted = 100 if command.long else 15
    for number in range(200):
        if number >= wanted and 143 in codes:
            break
        job.begin()
        process = command.start(*job.arguments, cwd=folder)
        time.sleep(chance.uniform(0.0, whole))
        process.terminate()
        code = process.wait(60)
        # before it has looked at signals, they do what they do by themselves
        check(code in (143, 0, 1, -signal.SIGTERM), "exit code %d" % code)
        codes.add(code)
        found = [path for path in contents(folder / "out") if TEMPORARY.search(path)]
        check(not found, "left %r" % found)
        job.check_killed("signal %d" % number)
        job.check_ended("signal %d" % number)
    check(143 in codes, "never in time: %r" % codes)


def ignored_signals_stay_ignored(command, folder):
    write(folder / "a.json", json.dumps(pulse(1)))
    os.mkfifo(folder / "pipe")

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with subprocess.Popen([command.program, "-q", "pipe"], cwd=folder,
                          env=command.environment, stdout=subprocess.PIPE,
                          preexec_fn=ignore) as process:
        with open(folder / "pipe", "w", encoding="utf-8") as pipe:
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            pipe.write(json.dumps(pulse(1)))
        text = process.stdout.read()
        check(process.wait(60) == 0 and json.loads(text)["opencheckpoint"] == "0.1")


def a_stream_stops_at_once(command, folder):
    """--lines that waits for its input leaves too."""
    with subprocess.Popen([command.program, "--lines"], cwd=folder,
                          env=command.environment, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdin.write(json.dumps(pulse(1)).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], 60)
        check(ready and process.stdout.readline(), "no answer to a line")
        process.terminate()
        check(process.wait(60) == 143, "exit code")


TESTS = (killed_at_random_moments, killed_at_each_system_call, interrupted, terminated,
         terminated_at_random_moments, ignored_signals_stay_ignored,
         a_stream_stops_at_once)

if __name__ == "__main__":
    sys.exit(trees.main("batch-kills", __doc__, TESTS))
