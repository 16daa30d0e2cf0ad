#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the commands of the netlink family's YNL spec with the header.

The spec takes enumerations, structs and attributes from include/uapi/linux/torus.h. Commands must
be the same in the same order, with the same rights, and name attributes that exist. The types of
attributes in the kernel's table must be those of the header, and requests must have the attributes
that the kernel's rules name. Then each kind of mistake is made on
purpose, and must be found.

ynl.py TEMPLATE
"""
import copy
import pathlib
import re
import sys

import yaml

import uapi
from tap import Tap

POLICY = pathlib.Path("kmod/dev/netlink/attrs.c")


def c_name(prefix, name):
    return (prefix + name).upper().replace("-", "_")


class Check:
    """Complaints about a spec."""

    def __init__(self, spec, header):
        self.spec = spec
        self.header = header
        self.found = []
        self.attrs = {attr["name"] for attr in spec["attribute-sets"][0]["attributes"]}

    def complain(self, text):
        self.found.append(text)

    def same(self, what, spec, header):
        if spec != header:
            self.complain(f"{what}: {spec} in the spec, {header} in the header")

    def check_family(self):
        strings = self.header.strings
        self.same("name", self.spec["name"], strings.get("TORUS_GENL_NAME"))
        self.same("version", self.spec["version"], self.header.numbers.get("TORUS_GENL_VERSION"))
        self.same("groups", [group["name"] for group in self.spec["mcast-groups"]["list"]],
                  [v for n, v in strings.items() if n.startswith("TORUS_GENL_MCGRP_")])

    def known(self, where, attributes):
        for attr in attributes:
            if attr not in self.attrs:
                self.complain(f"{where}: there is no attribute {attr}")

    def check_sets(self):
        sets = {s["name"]: s for s in self.spec["attribute-sets"]}
        for attr in sets["torus"]["attributes"]:
            if attr.get("nested-attributes", "torus") not in sets:
                self.complain(f"{attr['name']}: there is no set {attr['nested-attributes']}")
        for name, subset in sets.items():
            self.known(f"set {name}", [attr["name"] for attr in subset["attributes"]])

    def check_operation(self, op, name, comment):
        wanted = {word for word in ("do", "dump") if f"{word}:" in comment}
        if "; dump" in comment:
            wanted.add("dump")
        if "notification" in comment:
            wanted = {"event"}
        self.same(name, {k for k in ("do", "dump", "event") if k in op}, wanted or {"do"})
        self.same(f"{name}: admin", "admin-perm" in op.get("flags", []),
                  comment.startswith("admin"))
        for kind in ("do", "dump"):
            for side in op.get(kind, {}).values():
                self.known(name, side["attributes"])
        self.known(name, op.get("event", {}).get("attributes", []))

    def run(self):
        operations = self.spec["operations"]
        header = [(name, doc) for name, _, value, doc in self.header.enums["torus_cmd"].rows()
                  if value and not name.startswith("__")]
        names = [c_name(operations["name-prefix"], op["name"]) for op in operations["list"]]
        self.check_family()
        self.check_sets()
        self.same("commands", names, [name for name, _ in header])
        for op, (name, comment) in zip(operations["list"], header):
            self.check_operation(op, name, comment)
        return self.found


def policy_faults(policy, header):
    """Attributes of requests whose type in the kernel's table is not that of the header."""
    kinds = {"NLA_NUL_STRING": "string", "NLA_U32": "u32", "NLA_U64": "u64", "NLA_FLAG": "flag",
             "NLA_BINARY": "binary", "NLA_POLICY_EXACT_LEN": "binary",
             "NLA_POLICY_MIN_LEN": "binary", "NLA_POLICY_NESTED": "nest"}
    types = {name: re.match(r"\w*", doc)[0]
             for name, _, _, doc in header.enums["torus_attr"].rows()}
    rows = re.findall(r"^\tX\((\w+), (.*)\)(?: \\)?$", policy, re.M)
    faults = [] if rows else ["no table of attributes"]
    for name, limit in rows:
        kind = next((kinds[word] for word in re.findall(r"NLA_\w+", limit) if word in kinds), None)
        if types.get(f"TORUS_A_{name}") != kind:
            faults.append(f"{name}: {kind}, in the header {types.get(f'TORUS_A_{name}')}")
    return faults


def rule_faults(policy, spec):
    """Requests whose attributes in the spec are not those of the kernel's rules."""
    accepted = {}
    rules = re.search(r"torus_netlink_rules\[.*?\] = \{(.*?)\n\};", policy, re.S)
    for name, rule in re.findall(r"\[(TORUS_CMD_\w+)\] = \{(.*?)\},\n(?=\t\[|$)",
                                 rules[1] + "\n" if rules else "", re.S):
        for kind, words in re.findall(r"\.(\w+) = LIST\(((?:A\(\w+\)[,\s]*)+)\)", rule):
            side = "dump" if kind.startswith("dump") else "do"
            accepted.setdefault((name, side), set()).update(
                word.lower().replace("_", "-") for word in re.findall(r"A\((\w+)\)", words))
    faults = [] if accepted else ["no table of rules"]
    for op in spec["operations"]["list"]:
        name = c_name(spec["operations"]["name-prefix"], op["name"])
        for side in ("do", "dump"):
            named = set(op.get(side, {}).get("request", {}).get("attributes", []))
            wanted = accepted.get((name, side), set())
            if named != wanted:
                faults.append(f"{name} {side}: {' '.join(sorted(named ^ wanted))}: only in one of "
                              "the spec and the kernel's rules")
    return faults


def header_mistakes(text):
    """Headers with one mistake each."""

    def swap(first, second):
        return text.replace(first, "@").replace(second, first).replace("@", second)

    yield "an attribute is renamed", text.replace("TORUS_A_LINK_DELAY", "TORUS_A_LINK_LATER")
    yield "a command is new", text.replace("\t__TORUS_CMD_MAX,", "\tTORUS_CMD_NEW,\n\t__TORUS_CMD_MAX,")
    yield "a command is gone", re.sub(r"\tTORUS_CMD_LINK_CHECK,.*\n", "", text)
    yield "two commands are swapped", swap("TORUS_CMD_REG_GET,", "TORUS_CMD_REG_SET,")
    yield "a command is for anybody", text.replace("/* admin: NAME NODE REG REG_VALUE", "/* NAME NODE REG REG_VALUE")
    yield "the version is another", text.replace("TORUS_GENL_VERSION\t1", "TORUS_GENL_VERSION\t2")
    yield "the group is another", text.replace('MCGRP_EVENTS\t"events"', 'MCGRP_EVENTS\t"news"')


def spec_mistakes(spec):
    """Specs with one mistake each."""

    def changed(change):
        result = copy.deepcopy(spec)
        change(result)
        return result

    yield "a command is gone", changed(lambda s: s["operations"]["list"].pop(3))
    yield "a command has no dump", changed(lambda s: s["operations"]["list"][2].pop("dump"))
    yield "a command names what there is not", changed(
        lambda s: s["operations"]["list"][0]["do"]["request"]["attributes"].append("no"))
    yield "a set names what there is not", changed(
        lambda s: s["attribute-sets"][1]["attributes"].append({"name": "no"}))


template = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
text = uapi.FILE.read_text(encoding="utf-8")
good = yaml.safe_load(uapi.spec(template, uapi.Header(text)))
tap = Tap()
found = Check(good, uapi.Header(text)).run()
tap.tell(not found, "the spec is that of the header", *found)
found = policy_faults(POLICY.read_text(encoding="utf-8"), uapi.Header(text))
tap.tell(not found, "the kernel accepts the types of attributes that the header names", *found)
for name, old, new in (("a type", "u64: bit-error", "u32: bit-error"), ("a name", "_A_VIEW", "_A_AXES")):
    tap.tell(policy_faults(POLICY.read_text(encoding="utf-8"), uapi.Header(text.replace(old, new))),
             f"found when in the header {name} is another")
found = rule_faults(POLICY.read_text(encoding="utf-8"), good)
tap.tell(not found, "requests have the attributes that the kernel's rules name", *found)
for name, old, new in (("an attribute is missing", "A(UNUSED)", "A(FABRIC)"),
                       ("a dump has another attribute", "A(CHANGED)", "A(UID)")):
    tap.tell(rule_faults(POLICY.read_text(encoding="utf-8").replace(old, new), good),
             f"found when in the rules {name}")
for name, wrong in header_mistakes(text):
    header = uapi.Header(wrong)
    tap.tell(wrong != text and Check(yaml.safe_load(uapi.spec(template, header)), header).run(),
             f"found when in the header {name}")
for name, wrong in spec_mistakes(good):
    tap.tell(Check(wrong, uapi.Header(text)).run(), f"found when in the spec {name}")
sys.exit(tap.end())
