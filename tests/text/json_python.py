# SPDX-License-Identifier: Apache-2.0
"""Compares what our reader took from JSON texts with what Python's json takes.

Argument: a list with one line a text: the text's path, our one-line writing of it, our
canonical writing with Python's numbers. Prints "values N / M" and "canonical N / M".
"""
import json
import sys

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
sys.setrecursionlimit(20000)


def exact(path):
    """The value with members in order and numbers by kind and text."""
    with open(path, "rb") as file:
        return json.loads(
            file.read(),
            parse_int=lambda text: ("int", text),
            parse_float=lambda text: ("float", text),
            parse_constant=lambda text: ("constant", text),
            object_pairs_hook=lambda pairs: ("object", pairs),
        )


def canonical(path):
    with open(path, "rb") as file:
        value = json.loads(file.read())
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def main():
    total = same_value = same_canonical = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for path, compact, ours in rows:
        total += 1
        if exact(path) == exact(compact):
            same_value += 1
        else:
            print("other value:", path)
        with open(ours, encoding="utf-8", newline="") as file:
            if file.read() == canonical(path):
                same_canonical += 1
            else:
                print("other canonical text:", path)
    print("values", same_value, "/", total)
    print("canonical", same_canonical, "/", total)
    sys.exit(0 if total == same_value == same_canonical else 1)


main()
