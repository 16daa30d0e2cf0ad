#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The bugs of user/fuzz/planted.list, which a fuzzer must find.

	fuzz_planted.py list		prints each bug's name and its target
	fuzz_planted.py plant NAME TREE	plants it in a copy of the tree, takes any other out
"""
import pathlib
import sys

import mutate

LIST = pathlib.Path("user/fuzz/planted.list")


def bugs():
    rules = mutate.List.__new__(mutate.List)
    rules.features, rules.rules, rules.chapters = [], {}, []
    rules.read(LIST)
    return rules.rules


def write(path, lines):
    text = "\n".join(lines) + "\n"
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def plant(name, tree):
    for other in bugs().values():
        for edit in other.edits:
            write(tree / edit.file, mutate.lines_of(edit.file))
    for file, lines in mutate.mutated(bugs()[name]).items():
        write(tree / file, lines)


def main(what, *words):
    if what == "list" and not words:
        for rule in bugs().values():
            for edit in rule.edits:
                edit.place(mutate.lines_of(edit.file))
            print(rule.name, rule.test)
    elif what == "plant" and len(words) == 2:
        plant(words[0], pathlib.Path(words[1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except mutate.Wrong as error:
        sys.exit(f"fuzz_planted: {error}")
