#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What tests in shell ask of JSON documents; lib/json.bash talks to it.

Reads a file's name and a Python expression in which `d` is its document, each ended by a NUL;
answers with the expression's value, or with the error, and a NUL. In place of an expression,
"fits ENTRY" asks what is wrong with the file's documents by that entry of user/schema/torus.json.
A document that is none of any command's is an error, too, whatever the expression; of long
lists the first elements are looked at.
"""
import functools
import json
import pathlib
import sys

FITS = "fits "
LIST_MOST = 100


@functools.cache
def schema():
    # Only who asks for it waits until the validator is there.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from schema import Schema
    return Schema()


@functools.lru_cache(maxsize=2)
def asked_of(text):
    """A file's document; most are asked of again and again."""
    d = json.loads(text)
    return d, known(d)


def shortened(d):
    """The same document; of each long list in it, the first elements."""
    # Thousands of nodes or links take an emulated processor minutes, and say no more than some do.
    if isinstance(d, list):
        return [shortened(one) for one in d[:LIST_MOST]]
    if isinstance(d, dict):
        return {name: shortened(one) for name, one in d.items()}
    return d


def known(d):
    d = shortened(d)
    # Tests gather the documents of several calls, and lines of traces, in a list, too.
    return schema().any(d) or isinstance(d, list) and all(map(schema().any, d))


def answer(path, expression):
    try:
        if expression.startswith(FITS):
            return "\n".join(schema().faults_of_file(expression.removeprefix(FITS), path))
        with open(path, encoding="utf-8") as file:
            d, good = asked_of(file.read())
        if not good:
            return f"{path}: by user/schema/torus.json no command answers so"
        return eval(f"({expression})", {"d": d})
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def words():
    word = b""
    while byte := sys.stdin.buffer.read(1):
        if byte != b"\0":
            word += byte
            continue
        yield word.decode()
        word = b""


asked = words()
for path in asked:
    print(answer(path, next(asked)), end="\0", flush=True)
