#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Holds the netlink family's YNL spec, include/uapi/torus.yaml, to the header.

include/uapi/linux/torus.h has the same commands, attributes, enumerations and structs in the
same order, both ways. Then each kind of mistake is made on purpose, and must be found.

ynl.py SPEC HEADER
"""
import copy
import re
import sys

import yaml

from tap import Tap

SCALARS = {"u32", "u64", "string", "binary", "nest", "flag", "pad"}


def entry_name(entry):
    """Entries of an enumeration are names, or maps that have one."""
    return entry if isinstance(entry, str) else entry["name"]


def c_name(prefix, name):
    return (prefix + name).upper().replace("-", "_")


class Header:
    """What the netlink part of the header declares."""

    def __init__(self, text):
        self.text = text[text.index("- netlink */"):]
        self.numbers = {
            name: int(value, 0)
            for name, value in re.findall(
                r"^#define\s+(TORUS_\w+)\s+(0x[0-9a-fA-F]+|\d+)\b", text, re.M
            )
        }
        self.strings = dict(re.findall(r'^#define\s+(TORUS_\w+)\s+"([\w-]+)"', text, re.M))
        self.enums = {}
        self.comments = {}
        for name, body in re.findall(r"^enum (\w+) \{\n(.*?)^\};", self.text, re.M | re.S):
            self.enums[name] = self.values(body)
        self.structs = {}
        for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", self.text, re.M | re.S):
            self.structs[name] = [
                (member, kind, self.number(length) if length else 0)
                for kind, member, length in re.findall(
                    r"^\s*__(u\d+)\s+(\w+)(?:\[(\w+)\])?;", body, re.M
                )
            ]
        self.flags = re.findall(
            r"^#define\s+(TORUS_REG_\w+)\s+\(1u << (\d+)\)", self.text, re.M
        )

    def values(self, body):
        result = []
        value = 0
        for name, given, comment in re.findall(
            r"^\s*(\w+)(?:\s*=\s*(\w+))?,(?:\s*/\*\s*(.*?)\s*\*/)?", body, re.M
        ):
            value = int(given, 0) if given else value
            self.numbers[name] = value
            self.comments[name] = comment
            result.append((name, value))
            value += 1
        return result

    def number(self, word):
        return int(word, 0) if word[0].isdigit() else self.numbers[word]


class Check:
    """Complaints of a spec against a header."""

    def __init__(self, spec, header):
        self.spec = spec
        self.header = header
        self.found = []

    def complain(self, text):
        self.found.append(text)

    def same_list(self, what, spec, header):
        for item in header:
            if item not in spec:
                self.complain(f"{what}: the spec lacks {item}")
        for item in spec:
            if item not in header:
                self.complain(f"{what}: the header lacks {item}")
        if sorted(spec) == sorted(header) and spec != header:
            self.complain(f"{what}: the order differs")

    def definitions(self, kind):
        return [d for d in self.spec["definitions"] if d["type"] == kind]

    def check_family(self):
        strings = self.header.strings
        if strings.get("TORUS_GENL_NAME") != self.spec["name"]:
            self.complain("the family's name differs")
        if self.header.numbers.get("TORUS_GENL_VERSION") != self.spec["version"]:
            self.complain("the family's version differs")
        groups = [g["name"] for g in self.spec["mcast-groups"]["list"]]
        known = [v for n, v in strings.items() if n.startswith("TORUS_GENL_MCGRP_")]
        self.same_list("multicast groups", groups, known)

    def check_enums(self):
        header = {
            name: values
            for name, values in self.header.enums.items()
            if name not in ("torus_cmd", "torus_attr")
        }
        spec = {d["enum-name"].replace("-", "_"): d for d in self.definitions("enum")}
        self.same_list("enumerations", list(spec), list(header))
        for name in spec.keys() & header.keys():
            prefix = spec[name]["name-prefix"]
            values = []
            value = spec[name].get("value-start", 0)
            for entry in spec[name]["entries"]:
                if isinstance(entry, dict):
                    value = entry.get("value", value)
                values.append((c_name(prefix, entry_name(entry)), value))
                value += 1
            # Their number is not a value.
            known = [v for v in header[name] if not v[0].endswith("_MAX")]
            self.same_list(f"enum {name}", values, known)

    def check_flags(self):
        for flags in self.definitions("flags"):
            values = [
                (c_name(flags["name-prefix"], entry_name(entry)), str(bit))
                for bit, entry in enumerate(flags["entries"])
            ]
            self.same_list(f"flags {flags['name']}", values, self.header.flags)

    def check_structs(self):
        spec = {d["enum-name"].replace("-", "_"): d for d in self.definitions("struct")}
        self.same_list("structs", list(spec), list(self.header.structs))
        for name in spec.keys() & self.header.structs.keys():
            # An array is a member of so many bytes.
            header = [
                (member, "binary" if length else kind, length * int(kind[1:]) // 8)
                for member, kind, length in self.header.structs[name]
            ]
            members = [
                (m["name"].replace("-", "_"), m["type"], m.get("len", 0))
                for m in spec[name]["members"]
            ]
            self.same_list(f"struct {name}", members, header)

    def check_attributes(self):
        spec = self.spec["attribute-sets"][0]
        known = [
            (name, value)
            for name, value in self.header.enums["torus_attr"]
            if value and not name.startswith("__")
        ]
        values = [
            (c_name(spec["name-prefix"], attr["name"]), attr.get("value", number))
            for number, attr in enumerate(spec["attributes"], 1)
        ]
        self.same_list("attributes", values, known)
        for attr in spec["attributes"]:
            name = c_name(spec["name-prefix"], attr["name"])
            if attr["type"] not in SCALARS:
                self.complain(f"{name}: {attr['type']} is no type")
            # The header's comment begins with the type.
            kind = re.match(r"\w+", self.header.comments.get(name, ""))
            if kind and kind.group() != attr["type"]:
                self.complain(f"{name}: {attr['type']} here, {kind.group()} in the header")
            for key in ("enum", "struct"):
                if key in attr and not any(
                    d["name"] == attr[key] for d in self.spec["definitions"]
                ):
                    self.complain(f"{name}: there is no {key} {attr[key]}")
            nested = attr.get("nested-attributes")
            if nested and not any(s["name"] == nested for s in self.spec["attribute-sets"]):
                self.complain(f"{name}: there is no set {nested}")
        names = {attr["name"] for attr in spec["attributes"]}
        for subset in self.spec["attribute-sets"][1:]:
            for attr in subset["attributes"]:
                if attr["name"] not in names:
                    self.complain(f"set {subset['name']}: there is no {attr['name']}")

    def check_operations(self):
        operations = self.spec["operations"]
        prefix = operations["name-prefix"]
        known = [
            (name, value)
            for name, value in self.header.enums["torus_cmd"]
            if value and not name.startswith("__")
        ]
        values = [
            (c_name(prefix, op["name"]), op.get("value", number))
            for number, op in enumerate(operations["list"], 1)
        ]
        self.same_list("commands", values, known)
        attrs = {attr["name"] for attr in self.spec["attribute-sets"][0]["attributes"]}
        for op in operations["list"]:
            name = c_name(prefix, op["name"])
            comment = self.header.comments.get(name, "")
            wanted = {word for word in ("do", "dump") if f"{word}:" in comment}
            if "; dump" in comment:
                wanted.add("dump")
            if "notification" in comment:
                wanted = {"event"}
            wanted = wanted or {"do"}
            if wanted != {k for k in ("do", "dump", "event") if k in op}:
                self.complain(f"{name}: not {' and '.join(sorted(wanted))}")
            admin = "admin-perm" in op.get("flags", [])
            if comment and admin != comment.startswith("admin"):
                self.complain(f"{name}: the two differ on who may")
            for kind in ("do", "dump"):
                for side in op.get(kind, {}).values():
                    for attr in side["attributes"]:
                        if attr not in attrs:
                            self.complain(f"{name}: there is no attribute {attr}")
            for attr in op.get("event", {}).get("attributes", []):
                if attr not in attrs:
                    self.complain(f"{name}: there is no attribute {attr}")

    def run(self):
        self.check_family()
        self.check_enums()
        self.check_flags()
        self.check_structs()
        self.check_attributes()
        self.check_operations()
        return self.found


def complaints(spec, text):
    return Check(spec, Header(text)).run()


def header_mistakes(text):
    """Headers with one mistake each."""

    def swap(first, second):
        return text.replace(first, "@").replace(second, first).replace("@", second)

    yield "an attribute is renamed", text.replace("TORUS_A_LINK_DELAY", "TORUS_A_LINK_LATER")
    yield "an attribute is new", text.replace("\t__TORUS_A_MAX,", "\tTORUS_A_NEW,\n\t__TORUS_A_MAX,")
    yield "an attribute is gone", re.sub(r"\tTORUS_A_GROUP,.*\n", "", text)
    yield "two attributes are swapped", swap("TORUS_A_UID,", "TORUS_A_PARTITION,")
    yield "an attribute has another type", text.replace("/* u32: node at", "/* u64: node at")
    yield "a command is new", text.replace("\t__TORUS_CMD_MAX,", "\tTORUS_CMD_NEW,\n\t__TORUS_CMD_MAX,")
    yield "a command is gone", re.sub(r"\tTORUS_CMD_LINK_CHECK,.*\n", "", text)
    yield "two commands are swapped", swap("TORUS_CMD_REG_GET,", "TORUS_CMD_REG_SET,")
    yield "a command is for anybody", text.replace("/* admin: NAME NODE REG VALUE", "/* NAME NODE REG VALUE")
    yield "a value of an enumeration is new", text.replace(
        "\tTORUS_FABRIC_FAILED,", "\tTORUS_FABRIC_NEW,\n\tTORUS_FABRIC_FAILED,")
    yield "a value of an enumeration is gone", re.sub(r"\tTORUS_DROP_NO_ROUTE,.*\n", "", text)
    yield "an enumeration is new", text.replace("enum torus_stall {", "enum torus_new {\n\tTORUS_NEW,\n};\n\nenum torus_stall {")
    yield "a flag has another bit", text.replace("TORUS_REG_READ_CLEARS\t(1u << 1)", "TORUS_REG_READ_CLEARS\t(1u << 2)")
    yield "a member is new", text.replace("\t__u64 vc_packets[", "\t__u64 new;\n\t__u64 vc_packets[")
    yield "a member is longer", text.replace("win_half_latency[2]", "win_half_latency[4]")
    yield "a member is wider", text.replace("\t__u32 arrivals;", "\t__u64 arrivals;")
    yield "the version is another", text.replace("TORUS_GENL_VERSION\t1", "TORUS_GENL_VERSION\t2")
    yield "the group is another", text.replace('MCGRP_EVENTS\t"events"', 'MCGRP_EVENTS\t"news"')


def spec_mistakes(spec):
    """Specs with one mistake each."""

    def attributes(changed):
        return changed["attribute-sets"][0]["attributes"]

    def changed(change):
        result = copy.deepcopy(spec)
        change(result)
        return result

    yield "an attribute is gone", changed(lambda s: attributes(s).pop(20))
    yield "two attributes are swapped", changed(
        lambda s: attributes(s).insert(20, attributes(s).pop(21)))
    yield "an attribute has another type", changed(lambda s: attributes(s)[20].update(type="u64"))
    yield "a command is gone", changed(lambda s: s["operations"]["list"].pop(3))
    yield "a command has no dump", changed(lambda s: s["operations"]["list"][2].pop("dump"))
    yield "a command names what there is not", changed(
        lambda s: s["operations"]["list"][0]["do"]["request"]["attributes"].append("no"))
    yield "an entry is new", changed(lambda s: s["definitions"][0]["entries"].append("new"))
    yield "a member is gone", changed(lambda s: s["definitions"][-1]["members"].pop())


tap = Tap()
with open(sys.argv[1], encoding="utf-8") as file:
    spec = yaml.safe_load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    text = file.read()

found = complaints(spec, text)
tap.tell(not found, "the spec is that of the header", *found)
for name, wrong in header_mistakes(text):
    tap.tell(wrong != text and complaints(spec, wrong), f"found when in the header {name}")
for name, wrong in spec_mistakes(spec):
    tap.tell(complaints(wrong, text), f"found when in the spec {name}")
sys.exit(tap.end())
