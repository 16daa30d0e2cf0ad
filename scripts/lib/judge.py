#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What tests in shell ask of JSON documents; lib/json.bash talks to it.

Reads a file's name and a Python expression in which `d` is its document, each ended by a NUL;
answers with the expression's value, or with the error, and a NUL.
"""
import json
import sys


def answer(path, expression):
    try:
        with open(path, encoding="utf-8") as file:
            d = json.load(file)
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
