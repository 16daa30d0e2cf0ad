#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every place in the sources that refuses, and the test that reaches it.

    refusals.py list            print the places, as the sources have them
    refusals.py check           hold scripts/refusals.list against them (TAP)
    refusals.py learn DIR       write scripts/refusals.list anew: DIR has what soak.d/refusals.sh
                                has found out, and reasons are kept

A place is a call of a function that takes a printf format and refuses, or, in the device,
whose ioctls and mappings have no words, a return of an errno.  scripts/refusals.list has a
line for each: file, function, text, and behind two colons the test that reaches it, or, in
brackets, why none does.
"""
import collections
import json
import pathlib
import re
import sys

from tap import Tap

LIST = pathlib.Path("scripts/refusals.list")
PLACES = ("kmod/core", "kmod/arch", "kmod/dev", "user")
# Directories of tests, and of what only shows how
LEFT_OUT = re.compile(r"/(tests|examples|demo)/|^user/man/")
# Functions that take a format and refuse, beside those whose declaration says printf
REFUSE = {"torus_fail", "torus_netlink_refuse", "err", "errx", "pr_err", "NL_SET_ERR_MSG"}
# Functions that take a format and do not refuse; main.c's own ways to say what it was told
TELL = {"scnprintf", "paper_row", "paper_note", "snprintf", "output_text", "output_line"}
STRING = r'"(?:[^"\\]|\\.)*"'
# Words for which there is no value to name
VALUELESS = re.compile(r"no memory|missing|without|neither|only one of|needs? |given twice|"
                       r"nothing|no nodes|not ")


def sources():
    for place in PLACES:
        for path in sorted(pathlib.Path(place).rglob("*.[ch]")):
            if not LEFT_OUT.search(str(path)):
                yield path


def bare(text):
    """The text without comments, its lines where they were."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|' + STRING,
                  lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text,
                  flags=re.S)


def refusers(texts):
    """The functions whose declaration says that they take a printf format."""
    found = set(REFUSE)
    for text in texts.values():
        found |= set(re.findall(r"\b(\w+)\([^;{]*?\)\s*__attribute(?:__)?\(\(format\(printf", text))
        found |= set(re.findall(r"__attribute(?:__)?\(\(format\(printf[^;{]*?\)\)\)\s*(\w+)\(", text))
        found |= set(re.findall(r"__printf\([^;{]*?\)\s*[\w *]*?\b(\w+)\(", text))
    return found - TELL


def call_end(text, start):
    """Where the bracket that opens at start closes."""
    depth = 0
    for match in re.compile(STRING + r"|'(?:\\.|[^'\\])'|[()]", re.S).finditer(text, start):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if not depth:
                return match.end()
    return len(text)


def arguments(text):
    """The arguments of a call, by the commas outside of brackets and strings."""
    parts, depth, last = [], 0, 0
    for match in re.compile(STRING + r"|'(?:\\.|[^'\\])'|[(){}\[\],]", re.S).finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif match[0] == "," and not depth:
            parts.append(text[last:match.start()])
            last = match.end()
    return [part.strip() for part in parts + [text[last:]]]


def format_of(parts):
    """The format among a call's arguments: the first that begins with a string."""
    for part in parts:
        if part.startswith('"') or re.match(r'[A-Z_]+ "', part):
            pieces = re.findall(STRING + r"|\b[A-Z][A-Z_0-9]+\b", part)
            return "".join(json.loads(piece) if piece[0] == '"' else "%s" for piece in pieces)
    return None


def functions(text):
    """Where each function of a source begins: offset and name."""
    return [(match.start(), match[1]) for match in
            re.finditer(r"^(?![#\s])(?:[^;{}()=\n]|\n(?=\w))*?\b(\w+)\((?:[^;{}])*?\)\s*\n\{",
                        text, re.M)]


class Place:
    """One place that refuses."""

    def __init__(self, path, function, line, text):
        self.path, self.function, self.line, self.text = str(path), function, line, text

    def key(self):
        return f"{self.path} {self.function}: {self.text}"


def places():
    """All places, in the order of the sources; those alike in one function are one."""
    texts = {path: bare(path.read_text()) for path in sources()}
    pattern = re.compile(r"\b(%s)\(" % "|".join(sorted(refusers(texts))))
    found = []
    for path, text in texts.items():
        starts = functions(text)

        def owner(offset, starts=starts):
            names = [name for start, name in starts if start <= offset]
            return names[-1] if names else "-"

        for match in pattern.finditer(text):
            begin = text.rfind("\n", 0, match.start()) + 1
            if re.match(r"#define|[a-z_].*\b" + match[1] + r"\(", text[begin:match.end()]) and \
                    not text[begin].isspace():
                continue
            end = call_end(text, match.end() - 1)
            said = format_of(arguments(text[match.end():end - 1]))
            if said is None or said.strip() in ("%s", "%s: %s"):
                continue
            found.append(Place(path, owner(match.start()), text.count("\n", 0, match.start()) + 1,
                               said.replace("\n", "\\n")))
        if str(path).startswith("kmod/dev/") and path.suffix == ".c":
            for match in re.finditer(r"(?:return|err =|id ==.*\?) -(E[A-Z]+)\b", text):
                found.append(Place(path, owner(match.start()),
                                   text.count("\n", 0, match.start()) + 1, f"-{match[1]}"))
    return found


def main():
    if sys.argv[1:2] == ["list"]:
        for place in places():
            print(f"{place.path}:{place.line} {place.function}: {place.text}")
        return 0
    return 2


if __name__ == "__main__":
    sys.exit(main())
