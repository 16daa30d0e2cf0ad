#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The house's measures: no C source above 600 lines, no function above 80, no line above 100 columns.

Prints TAP, and each offender. The ABI's header is excepted: it is one document.

source_limits.py [FILE]...: of these files, or of all of the tree
"""
import re
import subprocess
import sys

from tap import Tap

FILE_LINES, FUNCTION_LINES, COLUMNS, TAB = 600, 80, 100, 8
EXCEPTED = ("include/uapi/linux/torus.h",)
SOURCES = (".c", ".h", ".cc", ".cpp")
# A function begins with a line at the margin and its brace below it, or at that line's end.
HEAD = re.compile(r"^[A-Za-z_][^;={]*\(")
NAME = re.compile(r"([A-Za-z_]\w*(?:\(\w+\))?)\s*\(")


def tree():
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0")
            if name.endswith(SOURCES) and name not in EXCEPTED]


def functions(lines):
    """(name, first line, number of lines) of each function, its head included"""
    head = None
    for number, line in enumerate(lines):
        if HEAD.match(line) and not line.startswith(("#", "struct ", "enum ", "union ")) or \
                re.match(r"^(struct|enum|union) \w+ \**\w+\(", line):
            head = number
        if line == "}" and head is not None:
            if any(text.startswith("{") or text.endswith("{") for text in lines[head:number]):
                found = NAME.search(lines[head])
                yield found.group(1) if found else "?", head + 1, number - head + 1
            head = None
        elif line.endswith(";") and head is not None and not any(
                text.startswith("{") or text.endswith("{") for text in lines[head:number + 1]):
            head = None


def judge(name, complaints):
    with open(name, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if len(lines) > FILE_LINES:
        complaints["file"].append(f"{name}: {len(lines)} lines")
    for function, at, length in functions(lines):
        if length > FUNCTION_LINES:
            complaints["function"].append(f"{name}:{at}: {function}: {length} lines")
    for number, line in enumerate(lines, 1):
        columns = len(line.expandtabs(TAB))
        if columns > COLUMNS:
            complaints["line"].append(f"{name}:{number}: {columns} columns")


def main(names):
    complaints = {"file": [], "function": [], "line": []}
    names = names or tree()
    for name in names:
        judge(name, complaints)
    tap = Tap()
    limits = {"file": f"no C source has more than {FILE_LINES} lines",
              "function": f"no function has more than {FUNCTION_LINES} lines",
              "line": f"no line has more than {COLUMNS} columns"}
    for kind, found in complaints.items():
        tap.tell(not found, limits[kind], *found)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
