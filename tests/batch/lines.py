#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--lines: as many lines out as in, in order, an error as an object on its line, the same
bytes however the input was parted among processes."""
import json
import os
import random
import shutil
import subprocess
import sys

import trees
from trees import documents, pulse


def check(condition, text="", done=None):
    if not condition:
        more = "" if done is None else "\n%d\n%s" % (
            done.returncode, done.stderr[-2000:].decode("utf-8", "backslashreplace"))
        raise AssertionError(str(text) + more)


def make_lines(command, count):
    """Documents of all dialects, each on a line, and lines that are none."""
    known = [json.dumps(json.loads(text), ensure_ascii=False)
             for ending, text in documents(command.source)
             if ending == ".json" and len(text) < 4000]
    chance = random.Random(command.seed)
    lines = []
    for number in range(count):
        kind = chance.randrange(20)
        if kind == 0:
            lines.append(chance.choice(["", "{", "nothing", '{"a":1}', "[1,2", "\x00",
                                        '{"opencheckpoint":"0.1"}', "null", " ", "\ufeff"]))
        elif kind < 4:
            lines.append(chance.choice(known))
        else:
            lines.append(json.dumps(pulse(number)))
    return "".join(line + "\n" for line in lines).encode()


def filtered(command, text, *arguments):
    done = command.run("-q", "--lines", *arguments, stdin=text)
    check(done.returncode in (0, 1, 3), "exit code", done)
    return done.stdout


def a_line_for_every_line(command, folder):
    text = make_lines(command, 2000)
    out = filtered(command, text, "-j1")
    check(out == filtered(command, text, "-j8"), "jobs make a difference")
    lines, answers = text.splitlines(), out.split(b"\n")
    check(answers.pop() == b"" and len(answers) == text.count(b"\n"), "lines are missing")
    failed = 0
    for line, answer in zip(text.split(b"\n"), answers):
        made = json.loads(answer)
        if "error" in made:
            check(set(made) == {"error"} and made["error"]["code"] and
                  made["error"]["message"], answer)
            failed += 1
        else:
            check(made["opencheckpoint"] == "0.1", answer)
            if b"batch-test" in line:
                check(json.loads(line)["id"] == made["id"], "not in order")
    check(0 < failed < len(lines))
    path = folder / "in"
    path.write_bytes(text)
    check(filtered(command, b"", str(path)) == out, "a file makes a difference")
    done = command.run("--lines", "-o", "out", str(path), cwd=folder)
    check(done.returncode == 1 and (folder / "out").read_bytes() == out, "a file", done)
    check(b"2000 documents:" in done.stderr and b"failed" in done.stderr, "", done)
    report = command.run("-q", "--lines", "--report", "r", "in", cwd=folder)
    check(len((folder / "r").read_text().splitlines()) == 2000, "report", report)


def ends_of_lines(command, _folder):
    one = json.dumps(pulse(1)).encode()
    want = filtered(command, one + b"\n")
    check(want.count(b"\n") == 1)
    check(filtered(command, one) == want, "no line end")
    check(filtered(command, one + b"\r\n") == want, "CR LF")
    check(filtered(command, b"") == b"", "nothing")
    check(filtered(command, b"\n\n").count(b"\n") == 2, "empty lines")
    check(filtered(command, b"\xff\n" + one).endswith(want), "no UTF-8")
    long = json.dumps(dict(pulse(1), task={"objective": "o" * 3_000_000,
                                           "status": "active"})).encode()
    check(len(filtered(command, one + b"\n" + long + b"\n" + one)) > 3_000_000)
    deep = b"[" * 100_000
    check(b"error" in filtered(command, deep + b"\n" + one).splitlines()[0])


def errors_show_no_place_in_the_input(command, _folder):
    """Else parts of an input would not give the bytes of the whole."""
    bad = b'{"opencheckpoint":"0.1",}'
    answers = filtered(command, bad + b"\n" + bad + b"\n").splitlines()
    check(answers[0] == answers[1] and json.loads(answers[0])["error"]["column"] == 25,
          answers)
    source = command.source / "fixtures/opencheckpoint/approval/input.json"
    line = json.dumps(json.loads(source.read_text("utf-8"))).encode()
    refused = filtered(command, line, "-t", "caop-pulse", "--strict")
    check(json.loads(refused)["error"]["code"].startswith("strict"), refused)


def shards_of_lines(command, _folder):
    text = make_lines(command, 200)
    whole = filtered(command, text).split(b"\n")[:-1]
    sources = text.split(b"\n")[:-1]
    for parts in range(1, 17) if command.long else (1, 2, 4, 7, 16):
        count = 0
        for part in range(1, parts + 1):
            mine = filtered(command, text, "--shard", "%d/%d" % (part, parts))
            mine = mine.split(b"\n")[:-1]
            count += len(mine)
            at = -1
            for answer in mine:  # in order, each from a line of its own
                at = next(i for i in range(at + 1, len(whole)) if whole[i] == answer)
        check(count == len(sources), "%d parts have %d lines" % (parts, count))
    more = filtered(command, text + text, "--shard", "2/5")
    check(more.startswith(filtered(command, text, "--shard", "2/5")),
          "more lines change who has the first")


def under_xargs(command, folder):
    count = 100_000 if command.long else 5_000
    text = make_lines(command, count)
    want = filtered(command, text)
    (folder / "in").write_bytes(text)
    subprocess.run(["split", "-n", "l/16", "-d", "-a", "2", "in", "part."], cwd=folder,
                   check=True)
    done = subprocess.run(
        ["sh", "-c", 'ls part.?? | xargs -P4 -I{} "$0" -q -j1 --lines {} -o {}.out',
         command.program], cwd=folder, env=command.environment, stderr=subprocess.PIPE,
        check=False)
    check(done.returncode == 123, "xargs says that some failed, and goes on", done)
    found = b"".join(path.read_bytes() for path in sorted(folder.glob("part.??.out")))
    check(found == want, "parts are not the whole")


def under_parallel(command, folder):
    if shutil.which("parallel") is None:
        raise trees.Skipped("no GNU parallel here")
    text = make_lines(command, 100_000 if command.long else 1_000)
    want = filtered(command, text)
    done = subprocess.run(
        ["parallel", "--pipe", "--keep-order", "-j4", "--block", "200k",
         command.program, "-q", "-j1", "--lines"], input=text, cwd=folder,
        env=dict(command.environment, HOME=str(folder)), capture_output=True, check=False)
    check(done.stdout == want, "parts are not the whole", done)


def an_answer_before_the_next_line(command, folder):
    """Who writes a line and waits gets the answer, with any number of threads."""
    for jobs in ("-j1", "-j4"):
        with subprocess.Popen([command.program, "-q", "--lines", jobs], cwd=folder,
                              env=command.environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            for number in range(5):
                process.stdin.write(json.dumps(pulse(number)).encode() + b"\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                check(answer["id"] == pulse(number)["id"], answer)
            process.stdin.close()
            check(process.stdout.read() == b"" and process.wait(60) == 0)


def a_reader_that_goes_away(command, folder):
    reading, writing = os.pipe()
    with subprocess.Popen([command.program, "--lines", "-j4"], cwd=folder,
                          env=command.environment, stdin=subprocess.PIPE,
                          stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        os.close(reading)
        process.stdin.write(json.dumps(pulse(1)).encode() + b"\n")
        process.stdin.flush()  # and stays open: it must not wait for the end
        check(process.wait(60) == 4, "exit code")
        check(b"standard output" in process.stderr.read())


def what_goes_together(command, folder):
    (folder / "a").write_text("")
    for arguments in (("-s", "yaml"), ("--check",), ("a", "a"), ("--companion", "-o", "x"),
                      ("--fail-fast",), ("--dry-run",), ("--files-from", "a")):
        done = command.run("--lines", *arguments, cwd=folder)
        check(done.returncode == 2, arguments, done)
    done = command.run("--lines", "none", cwd=folder)
    check(done.returncode == 4 and b"none: error: cannot read" in done.stderr, "", done)


TESTS = (a_line_for_every_line, ends_of_lines, errors_show_no_place_in_the_input,
         shards_of_lines, under_xargs, under_parallel, an_answer_before_the_next_line,
         a_reader_that_goes_away, what_goes_together)

if __name__ == "__main__":
    sys.exit(trees.main("batch-lines", __doc__, TESTS))
