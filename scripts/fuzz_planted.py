#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The bugs of user/fuzz/planted.list, which a fuzzer must find.

	fuzz_planted.py list		print each bug's name and its target
	fuzz_planted.py plant NAME TREE	plant a bug in a copy of the tree, remove any other bug
"""
import pathlib
import sys

import mutate

LIST = pathlib.Path("user/fuzz/planted.list")


def bugs():
    return mutate.read(LIST, {})


def plant(name, tree):
    texts = {edit.file: mutate.text_of(edit.file) for bug in bugs().values() for edit in bug.edits}
    texts.update(bugs()[name].mutated())
    for file, text in texts.items():
        # A file that stays as it is is not compiled again.
        if (tree / file).read_text() != text:
            (tree / file).write_text(text)


def main(what, *words):
    if what == "list" and not words:
        for bug in bugs().values():
            bug.mutated()
            print(bug.name, bug.test)
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
