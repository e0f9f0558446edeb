#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pulses.py LOG OUT: pulses on one line each, found by json.loads; one JSON line a pulse."""
import json
import sys


def unwrap(value):
    """The pulse in a parsed line: itself, a result, or a text of a tool's result."""
    if isinstance(value, dict):
        if "pulse_timestamp" in value:
            return value
        for inner in value.values():
            found = unwrap(inner)
            if found:
                return found
    elif isinstance(value, list):
        for inner in value:
            found = unwrap(inner)
            if found:
                return found
    elif isinstance(value, str) and "pulse_timestamp" in value:
        try:
            return unwrap(json.loads(value))
        except ValueError:
            return None
    return None


with open(sys.argv[1], encoding="utf-8") as log, open(sys.argv[2], "w", encoding="utf-8") as out:
    for line in log:
        start = line.find("{") if "pulse_timestamp" in line else -1
        if start < 0:
            continue
        try:
            pulse = unwrap(json.loads(line[start:]))
        except ValueError:
            continue
        if pulse:
            json.dump(pulse, out, ensure_ascii=False, separators=(",", ":"))
            out.write("\n")
