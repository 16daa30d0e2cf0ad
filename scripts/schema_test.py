#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is user/schema/torus.json strict?

	scripts/schema_test.py DIR	each file there, ENTRY.NUMBER, is a good document of that entry

The schema must complain where a document has a key that no other has, where one is gone without
which there is none, and where a value is of another kind. Prints TAP.
"""
import os
import sys

from schema import Schema, documents
from tap import Tap

VALUES_LOOKED_AT = 12
STRANGE = [[["strange"]]]


def objects(document):
    """The objects at the top: the document, or the first of its list."""
    if isinstance(document, dict):
        yield document
    elif document and isinstance(document[0], dict):
        yield document[0]


def places(value, above=()):
    """Where numbers, words and truth values stand in a document."""
    if isinstance(value, (dict, list)):
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inside, above + (key,))
    elif above:
        yield above


def another_kind(complains, document):
    """Values that may be of any kind: of some from the document's beginning to its end."""
    everywhere, missed = list(places(document)), []
    for place in everywhere[::len(everywhere) // VALUES_LOOKED_AT + 1]:
        inside = document
        for key in place[:-1]:
            inside = inside[key]
        kept, inside[place[-1]] = inside[place[-1]], STRANGE
        if not complains():
            missed.append(".".join(map(str, place)))
        inside[place[-1]] = kept
    return missed


def one_more(complains, document):
    """Objects that may have a key more."""
    missed = []
    for top in objects(document):
        top["planted"] = 1
        if not complains():
            missed.append("planted")
        del top["planted"]
    return missed


def one_gone(complains, document):
    """Documents of which no key must be there."""
    missed = []
    for top in objects(document):
        for key in list(top):
            kept = top.pop(key)
            if complains():
                top[key] = kept
                break
            top[key] = kept
        else:
            missed.append("none is demanded")
    return missed


def judge(schema, tap, directory, file):
    name = file.rsplit(".", 1)[0]
    document = next(documents(os.path.join(directory, file)))

    def complains():
        return bool(schema.faults(name, document))

    if complains():
        tap.tell(False, f"{file}: it is no good document to begin with")
        return
    for spoil, text in ((another_kind, "a value of another kind"), (one_more, "a key more"),
                        (one_gone, "a key less")):
        # what was typed may lack any of its keys
        if spoil is one_gone and name == "torus-sim-config":
            continue
        missed = spoil(complains, document)
        tap.tell(not missed, f"{file}: {text} is refused", *missed)


def main(directory):
    schema, tap = Schema(), Tap()
    schema.check()
    files = sorted(os.listdir(directory))
    for file in files:
        judge(schema, tap, directory, file)
    tap.tell(files, "there are documents")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
