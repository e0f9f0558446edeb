# SPDX-License-Identifier: Apache-2.0
"""What PyYAML (YAML 1.1) reads from our YAML is what json reads from the JSON.

Makes values with a seed, full of strings that look like something else, lets the
writer (test-text-yaml-write) write them, and compares. Leaves values.ndjson and
values.yaml0 in the folder for yaml_write.mjs.

usage: yaml_write.py WRITER FOLDER [SEED]
"""
import json
import os
import random
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: no PyYAML")
    sys.exit(77)

WORDS = """null Null NULL ~ true True TRUE false yes Yes YES no No NO on On ON off Off OFF
y Y n N .inf -.inf +.Inf .nan .NaN NaN Infinity 0 1 -1 +1 01 0o17 017 0x1F 0b101 1_000 1e3
1.0e3 1.0e+3 .5 5. -.5 1:30 190:20:30 190:20:30.15 12:30:45 2001-12-14
2001-12-14T21:59:43Z 2001-12-14t21:59:43.10-05:00 = << - -- --- ... ? : , [ ] { } # & * !
| > ' " % @ ` \\ !!str !!int &a *a ?x -x :x x: x# #x <x >x |x %x @x `x 'x "x !x [x {x ]x ,x
a:b a,b a[b] __ _ 0_ 0x 0o e3 1e 1.e 0.0.0 1.2.3 - ? : a- a. -a .a NUL __proto__ null. true,""".split()
PIECES = ["a", "word", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", ": ", ":", " #", "#", "- ",
          "? ", "'", "''", '"', "\\", "\\n", "\\u0041", "%", "&", "*", "!", "|", ">", "---",
          "...", "\n---\n", "\n...\n", "\n# x", "\n  indented", "{", "}", "[", "]", ",", "@",
          "`", "\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x80",
          "\x85", "\x9f", "\xa0", "\xad", "é", "e\u0301", "\u2028", "\u2029", "\u200b",
          "\u202e", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\ud7ff", "\ue000", "\U0001f600",
          "\U0010ffff", "\U0001ffff", "日本語", "null", "true", "1", "0x1", "2001-01-01"]
NUMBERS = ["0", "-0", "1", "-1", "1.0", "-0.0", "1.50", "1e3", "1E3", "1e+3", "1e-3", "1.5e3",
           "1.5E+3", "-2.5e-07", "1e400", "-1E400", "5e-324", "123456789012345678901234567890",
           "0.1", "1e0", "0e0", "0.0e-0", "9007199254740993", "1e22", "10000000000000000.0"]


def text(rnd):
    kind = rnd.random()
    if kind < 0.3:
        return rnd.choice(WORDS)
    if kind < 0.4:
        return rnd.choice(WORDS) + rnd.choice(["", " ", "\n", " x", ": y"])
    if kind < 0.45:
        return chr(rnd.choice([*range(0, 0x250), *range(0x2000, 0x2070)]))
    if kind < 0.5:
        return rnd.choice(["x", "é", "\n", " ", "a b "]) * rnd.randint(500, 1500)
    return "".join(rnd.choice(PIECES) for _ in range(rnd.randint(0, 8)))


def value(rnd, depth):
    """JSON text, so that numbers keep their spelling."""
    kind = rnd.random()
    if depth > 0 and kind < 0.25:
        keys = {text(rnd) for _ in range(rnd.randint(0, 5))}
        return "{" + ",".join(json.dumps(key, ensure_ascii=rnd.random() < 0.5) + ":"
                              + value(rnd, depth - 1) for key in sorted(keys)) + "}"
    if depth > 0 and kind < 0.45:
        return "[" + ",".join(value(rnd, depth - 1) for _ in range(rnd.randint(0, 5))) + "]"
    if kind < 0.6:
        return rnd.choice(NUMBERS)
    if kind < 0.65:
        return rnd.choice(["null", "true", "false"])
    return json.dumps(text(rnd), ensure_ascii=rnd.random() < 0.5)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return repr(a) == repr(b)


def values(rnd):
    for word in WORDS + PIECES:
        yield json.dumps(word)
        yield json.dumps({word: [word, {word: None}]})
    for number in NUMBERS:
        yield '{"n":[%s]}' % number
    yield "[" * 60 + "{\"k\":1}" + "]" * 60
    for _ in range(100):
        yield '[{"k":[0,' * 30 + value(rnd, 8) + "]}]" * 30
    for _ in range(3000):
        yield value(rnd, 4)


def main():
    writer, folder = sys.argv[1:3]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 20240601
    print("seed", seed)
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "values.ndjson")
    target = os.path.join(folder, "values.yaml0")
    lines = list(values(random.Random(seed)))
    with open(source, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run([writer, source, target], check=True)
    with open(target, encoding="utf-8", newline="") as file:
        documents = file.read().split("\0")[:-1]
    assert len(documents) == len(lines)
    failures = 0
    loaders = [yaml.SafeLoader] + ([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])
    for line, document in zip(lines, documents):
        expected = json.loads(line)
        for loader in loaders:
            try:
                found = yaml.load(document, loader)
            except yaml.YAMLError as error:
                found = error
            if not same(expected, found):
                failures += 1
                print("FAILED", loader.__name__, line[:200], repr(document[:200]),
                      repr(found)[:300])
    print("suite yaml writer, PyYAML: %d / %d" % (len(lines) * len(loaders) - failures,
                                                 len(lines) * len(loaders)))
    return failures > 0


sys.exit(main())
