#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The claims of user/paper/CLAIMS.md.

	check_claims.py [FILE]	prints TAP: are the tests that it names there, and has each paper claims?
"""
import collections
import glob
import os
import re
import sys

SIZES = ("small", "default", "full")
# Verdicts that a row has or has not, whatever its numbers.
KEPT = ("configuration", "fitted", "misprint", "not comparable")
NOT_RUN = "not run"
VERDICTS = ("within", "OUTSIDE", "reproduced", "not reproduced", NOT_RUN, *KEPT)
# The papers, as column `where' cites them.
PAPERS = ("Adiga et al. (2005)", "Abts et al. (2007)", "Blumrich et al. (2003)", "Liu et al. (2012)",
          "Ajima et al. (2009)")
TABLES = ("Judged by pages", "Judged by unit tests", "Not comparable")
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

Claim = collections.namedtuple("Claim", "words where pages rows least verdict why")


def cells(line):
    """Of a table's line; a bar between backticks divides nothing."""
    return [cell.strip() for cell in re.split(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", line.strip())[1:-1]]


def table(path, head):
    """(number, cells) of the lines of the table below that head."""
    inside = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("## "):
                inside = line[3:].strip() == head
            elif inside and line.startswith("|") and not re.match(r"\|[-| ]+\|$|\| the paper", line):
                yield number, cells(line)


def read(path):
    """What pages judge."""
    claims = []
    for number, parts in table(path, "Judged by pages"):
        if len(parts) != 7:
            sys.exit(f"{path}:{number}: {len(parts)} cells, must be 7")
        claim = Claim(parts[0], parts[1], parts[2].split(), re.findall(r"`([^`]+)`", parts[3]),
                      *parts[4:])
        if claim.least not in SIZES or claim.verdict not in VERDICTS or not claim.rows:
            sys.exit(f"{path}:{number}: must have rows, a size and a verdict")
        if claim.verdict in ("OUTSIDE", "not reproduced", NOT_RUN, "misprint", "not comparable") and not claim.why:
            sys.exit(f"{path}:{number}: {claim.verdict} requires a reason")
        claims.append(claim)
    return claims


def missing(path):
    """(claim, test that is not there)"""
    for number, parts in table(path, "Judged by unit tests"):
        tests = re.findall(r"`([^`]+)`", parts[-1])
        if len(parts) != 3 or not tests:
            sys.exit(f"{path}:{number}: must have a claim, its place, and tests")
        for test in tests:
            name, _, function = test.partition(" ")
            files = glob.glob(os.path.join(TOP, "*", "*", "tests", f"{name}.c"))
            if not files or f"({function})" not in open(files[0], encoding="utf-8").read():
                yield parts[0], test


def without(path):
    """Papers of which no claim is listed."""
    places = [parts[1] for head in TABLES for _, parts in table(path, head)]
    return [name for name in PAPERS if not any(place.startswith(name) for place in places)]


def main(path):
    gone = list(missing(path))
    unlisted = without(path)
    for number, parts in table(path, "Not comparable"):
        if len(parts) != 3 or not parts[2]:
            sys.exit(f"{path}:{number}: must have a claim, its place, and a reason")
    print(f"{'not ok' if gone else 'ok'} 1 - the tests that judge claims are there")
    for words, test in gone:
        print(f"# {words}: {test}")
    print(f"{'not ok' if unlisted else 'ok'} 2 - each paper has claims")
    for name in unlisted:
        print(f"# {name}: no claim names this paper")
    print("1..2")
    return bool(gone or unlisted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(TOP, "user/paper/CLAIMS.md")))
