#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Holds JSON documents against user/schema/torus.json.

	scripts/schema.py ENTRY FILE...	every document in each file, one after another, is that entry's
	scripts/schema.py --entries	the entries of commands, those that answer nothing with a dash
	scripts/schema.py --undescribed	keys without a description
	scripts/schema.py --unnamed	answers that are objects and do not name program and version

Says what is wrong, and where, and ends with 1.
"""
import json
import pathlib
import sys

import jsonschema

import uapi

FILE = pathlib.Path(__file__).resolve().parent.parent / "user/schema/torus.json"
NOTHING = {"$ref": "#/$defs/nothing"}
TOLD_MOST = 300
ORIGIN = {"program", "version"}
# Rows of a stream, files of a format with a version of its own, and what is no answer.
NO_ORIGIN = {"torus-sim-trace", "torusctl-monitor", "torus-sim-config", "torusctl-fabric-step",
             "torusctl-fabric-run", "torusctl-route-dump", "torusctl-error"}


def refuse_constant(word):
    raise ValueError(f"{word} is no number of JSON")


def refuse_twice(pairs):
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError(f"a key stands twice in an object of {', '.join(document)}")
    return document


DECODER = json.JSONDecoder(parse_constant=refuse_constant, object_pairs_hook=refuse_twice)


def documents(path):
    """The documents of a file, one behind the other."""
    with open(path, encoding="utf-8") as file:
        text = file.read().strip()
    if not text:
        raise ValueError("there is no document")
    at = 0
    while at < len(text):
        document, at = DECODER.raw_decode(text, at)
        yield document
        while at < len(text) and text[at].isspace():
            at += 1


def told(error):
    """Of alternatives, the one that comes nearest says what is wrong, and where."""
    while error.context:
        ways = {}
        for one in error.context:
            ways.setdefault(one.schema_path[0], []).append(one)
        error = min(ways.values(), key=lambda way: (len(way), -len(way[0].absolute_path)))[0]
    said = error.message
    if len(said) > TOLD_MOST:
        # a value begins it, which may be long; the reason ends it
        said = f"{said[:TOLD_MOST // 2]} .. {said[-TOLD_MOST // 2:]}"
    return f"{error.json_path}: {said}"


class Schema:
    """The entries, each with its validator."""

    def __init__(self):
        with open(FILE, encoding="utf-8") as file:
            self.whole = json.load(file)
        uapi.schema(self.whole, uapi.Header())
        self.validators, self.last = {}, None

    def check(self):
        """The schema itself is one, and each entry that it refers to is there."""
        jsonschema.Draft202012Validator.check_schema(self.whole)
        for name in self.whole["$defs"]:
            self.faults(name, None)

    def described(self, part):
        """Has a key's part a description, or has the entry that it refers to?"""
        while "description" not in part and "$ref" in part:
            part = self.whole["$defs"][part["$ref"].rsplit("/", 1)[1]]
        return "description" in part

    def undescribed(self, part=None, path="$"):
        """Paths of the keys without a description."""
        part = self.whole if part is None else part
        inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, value in inner:
            if key == "properties":
                yield from (f"{path}.{name}" for name in value if not self.described(value[name]))
            yield from self.undescribed(value, path if key == "properties" else f"{path}.{key}")

    def parts(self, part):
        """Alternatives of a part that are objects, each as the parts that it consists of."""
        if "anyOf" in part:
            return [way for one in part["anyOf"] for way in self.parts(one)]
        all_of = list(part.get("allOf", ()))
        if "$ref" in part:
            all_of.append({"$ref": part["$ref"]})
        ways = [[part]] if part.get("type") == "object" else [[]]
        for one in all_of:
            if "$ref" in one:
                one = self.whole["$defs"][one["$ref"].rsplit("/", 1)[1]]
            ways = [way + more for way in ways for more in self.parts(one)]
        return [way for way in ways if way]

    def unnamed(self):
        """Entries of commands that answer an object in which program and version may be missing."""
        for name in self.commands():
            for way in self.parts(self.whole["$defs"][name]) if name not in NO_ORIGIN else ():
                if not ORIGIN <= {key for part in way for key in part.get("required", ())}:
                    yield name
                    break

    def commands(self):
        return [name for name in self.whole["$defs"] if name.startswith("torus")]

    def answers(self, name):
        return self.whole["$defs"][name] != NOTHING

    def validator(self, name):
        if name not in self.validators:
            self.validators[name] = jsonschema.Draft202012Validator(
                {**self.whole, "$ref": f"#/$defs/{name}"})
        return self.validators[name]

    def faults(self, name, document):
        """What is wrong with a document that is to be this entry's, in words; [] if nothing is."""
        if name not in self.whole["$defs"]:
            return [f"the schema has no entry {name}"]
        return [told(error) for error in self.validator(name).iter_errors(document)]

    def any(self, document):
        """Is it a document of some command?"""
        for name in sorted(filter(self.answers, self.commands()), key=lambda name: name != self.last):
            if self.validator(name).is_valid(document):
                # the next one may well be its neighbour
                self.last = name
                return True
        return False

    def faults_of_file(self, name, path):
        """The same of each document of a file."""
        faults = []
        try:
            for document in documents(path):
                faults += self.faults(name, document)
        except (OSError, ValueError) as error:
            faults.append(str(error))
        return faults


def main(words):
    schema = Schema()
    if words == ["--entries"]:
        for name in schema.commands():
            print(name if schema.answers(name) else f"{name} -")
        return 0
    if words == ["--undescribed"]:
        print(*schema.undescribed(), sep="\n")
        return 0
    if words == ["--unnamed"]:
        print(*schema.unnamed(), sep="\n")
        return 0
    if len(words) < 2:
        sys.exit(__doc__)
    status = 0
    for path in words[1:]:
        for fault in schema.faults_of_file(words[0], path):
            print(f"{path}: {words[0]}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
