#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Read the netlink part of include/uapi/linux/torus.h, and write what follows from it.

    uapi.py spec TEMPLATE    the family's YNL spec: TEMPLATE with its "# @" lines filled in
    uapi.py tables           macros for C: each attribute, event, and counter of a struct
    uapi.py schema FILE      a JSON schema: FILE with its "$counters" and "$events" filled in

Comments of the header have these forms:

    TORUS_A_NAME,        /* TYPE: what it is */   TYPE may be followed by its limit: u32 0..1,
                         string 31 (bytes at most), nest repeated. "enum torus_x", "struct torus_x"
                         and "u32 x n" after it name the contents.
    __u64 name;          /* what it is */         or a line @name: of the struct's kernel-doc
    __u64 name;          /* [UNIT] what it is */  a counter: a row of its struct's table
    __u64 name;          /* [UNIT now] what it is */  a row, too: a value that also decreases

In the schema "$counters": "fabric packets" adds the counters of struct torus_fabric_counters
whose unit is packets, "fabric -packets" the others, "link" all of a struct.
"""
import json
import os.path
import pathlib
import re
import sys
import textwrap

FILE = pathlib.Path(__file__).resolve().parent.parent / "include/uapi/linux/torus.h"
PORT = FILE.with_name("torus_port.h")
COMMENT = r"(?:[ \t]*/\*\s*(?P<doc>(?:(?!\*/).)*?)\s*\*/)?"
COMMENT_BEFORE = r"(?:^/\*\s+(?P<doc>(?:(?!\*/).)*?)\s*\*/\n)?"
# YAML reads these as truth values.
QUOTED = {"on", "off", "yes", "no"}


def joined(text):
    """A comment as one line."""
    return re.sub(r"\s*\n\s*\*?\s*", " ", text or "").strip()


def dashed(name):
    return name.lower().replace("_", "-")


def spec_name(name):
    """The spec's name of an enum or a struct."""
    return dashed(name.removeprefix("torus_").removesuffix("_type"))


class Part:
    """An enum or a struct: @doc, and its @members as (name, kind, length or value, doc)."""

    def __init__(self, name, before, members):
        self.name = name
        self.members = members
        self.docs = {key: joined(text) for key, text in
                     re.findall(r"\n \* @(\w+): (.*?)(?=\n \* @|\n \*\n|\Z)", before, re.S)}
        brief = re.search(r"(?:enum|struct) \w+ - (.*?)(?=\n \* @|\n \*\n|\Z)", before, re.S)
        self.doc = joined(brief[1] if brief else before)

    def rows(self):
        for name, kind, number, doc in self.members:
            yield name, kind, number, joined(doc) or self.docs.get(name, "")


class Header:
    """Enums and structs of the netlink part, in their order, and the numbers of the whole."""

    def __init__(self, text=None):
        text = text or FILE.read_text(encoding="utf-8")
        self.text = text[text.index("- netlink */"):]
        self.numbers = {name: int(value, 0) for name, value in
                        re.findall(r"^#define\s+(TORUS_\w+)\s+(0x[0-9a-fA-F]+|\d+)\b", text, re.M)}
        self.strings = dict(re.findall(r'^#define\s+(TORUS_\w+)\s+"([\w-]+)"', text, re.M))
        self.flags = [(match[1], joined(match["doc"])) for match in
                      re.finditer(r"^#define\s+TORUS_REG_(\w+)\s+\(1u << \d+\)" + COMMENT,
                                  self.text, re.M | re.S)]
        self.enums = self.parts("enum", self.values)
        self.structs = self.parts("struct", self.fields)

    def parts(self, kind, members):
        return {match[2]: Part(match[2], match[1] or "", members(match[3])) for match in
                re.finditer(r"^(?:/\*\*?((?:(?!\*/).)*)\*/\n)?" + kind + r" (\w+) \{\n(.*?)^\};",
                            self.text, re.M | re.S)}

    def values(self, body):
        found, value = [], 0
        for match in re.finditer(r"^\t(\w+)(?: = (\w+))?," + COMMENT, body, re.M | re.S):
            value = int(match[2], 0) if match[2] else value
            self.numbers[match[1]] = value
            found.append((match[1], "given" if match[2] else "", value, match["doc"]))
            value += 1
        return found

    def fields(self, body):
        return [(match[2], match[1], self.number(match[3]) if match[3] else 0, match["doc"])
                for match in re.finditer(r"^\t__(u\d+) (\w+)(?:\[(\w+)\])?;" + COMMENT,
                                         body, re.M | re.S)]

    def number(self, word):
        return int(word, 0) if word[0].isdigit() else self.numbers[word]

    def prefix(self, enum):
        names = [name for name, *_ in self.enums[enum].members]
        return os.path.commonprefix(names).rpartition("_")[0] + "_"


def sentence(text):
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".")


class Writer:
    """Lines of YAML."""

    def __init__(self):
        self.lines = []

    def row(self, indent, key, value):
        self.lines.append(" " * indent + f"{key}: {value}".rstrip())

    def doc(self, indent, text):
        if text:
            self.row(indent, "doc", ">-")
            self.lines += textwrap.wrap(sentence(text), 98, initial_indent=" " * (indent + 2),
                                        subsequent_indent=" " * (indent + 2),
                                        break_on_hyphens=False)

    def item(self, indent, name):
        self.lines.append(" " * indent + "-")
        self.row(indent + 2, "name", json.dumps(name) if name in QUOTED else name)

    def definition(self, name, kind, doc):
        self.item(2, name)
        self.row(4, "type", kind)
        self.doc(4, doc)


def definitions(header):
    """The spec's definitions: enums, flags and structs."""
    out = Writer()
    for enum, part in header.enums.items():
        if enum in ("torus_cmd", "torus_attr"):
            continue
        prefix = header.prefix(enum)
        out.definition(spec_name(enum), "enum", part.doc)
        out.row(4, "enum-name", dashed(enum))
        out.row(4, "name-prefix", dashed(prefix))
        out.row(4, "entries", "")
        for name, given, value, doc in part.rows():
            if not name.endswith("_MAX"):
                out.item(6, dashed(name.removeprefix(prefix)))
                if given:
                    out.row(8, "value", value)
                out.doc(8, doc)
    out.definition("reg-flags", "flags", "Flags of a register: the accesses that it allows")
    out.row(4, "name-prefix", "torus-reg-")
    out.row(4, "entries", "")
    for name, doc in header.flags:
        out.item(6, dashed(name))
        out.doc(8, doc)
    for struct, part in header.structs.items():
        out.definition(dashed(struct.removeprefix("torus_")), "struct", part.doc)
        out.row(4, "enum-name", dashed(struct))
        out.row(4, "members", "")
        for name, kind, length, doc in part.rows():
            out.item(6, dashed(name))
            out.row(8, "type", "binary" if length else kind)
            if length:
                out.row(8, "len", length * int(kind[1:]) // 8)
                doc = f"{doc}{'; ' if doc else ''}{kind} x {length}"
            out.doc(8, doc)
    return out.lines


def attribute(out, header, name, text):
    """One attribute, by its comment."""
    kind, limit, doc = re.fullmatch(r"(\w+)((?: [\w.]+)?)(?:: (.*))?", text).groups()
    contents = re.search(r"\b(enum|struct) torus_(\w+)", text)
    out.item(6, dashed(name))
    out.row(8, "type", kind)
    if kind in ("u32", "binary") and contents and \
            f"torus_{contents[2]}" in {**header.enums, **header.structs}:
        out.row(8, contents[1], dashed(contents[2].removesuffix("_type")))
    elif name == "REG_FLAGS":
        out.row(8, "enum", "reg-flags")
        out.row(8, "enum-as-flags", "true")
    if "u32 x n" in text:
        out.row(8, "sub-type", "u32")
    if kind == "nest":
        out.row(8, "nested-attributes", dashed(name))
    if limit == " repeated":
        out.row(8, "multi-attr", "true")
    elif limit:
        out.row(8, "checks", f"{{ max: {limit.split('..')[1]} }}" if ".." in limit else
                f"{{ max-len: {limit.strip()} }}")
    out.doc(8, doc)


def attributes(header):
    out = Writer()
    for name, _, value, doc in header.enums["torus_attr"].rows():
        if value and not name.startswith("__"):
            attribute(out, header, name.removeprefix("TORUS_A_"), doc or "pad")
    return out.lines


def spec(template, header):
    """The whole spec."""
    made = {"# @definitions": definitions, "# @attributes": attributes}
    out = []
    for line in template.splitlines():
        out += made[line.strip()](header) if line.strip() in made else [line]
    return "\n".join(out) + "\n"


def counters(header, level):
    """The table of struct torus_LEVEL_counters: name, unit, type and help of each counter."""
    for name, _, _, doc in header.structs[f"torus_{level}_counters"].rows():
        match = re.match(r"\[(\w+)( now)?\] (.*)", doc)
        if match:
            yield name, match[1], "gauge" if match[2] else "counter", match[3]


def events(header):
    """Name in C, name for people and help of each kind of event."""
    for name, _, _, doc in header.enums["torus_event_type"].rows():
        yield name, dashed(name.removeprefix("TORUS_EVENT_")), doc


def ioctls():
    """Name, argument's struct or None, and help of each ioctl: a comment in front of its number."""
    text = FILE.read_text(encoding="utf-8")
    for match in re.finditer(COMMENT_BEFORE + r"^#define\s+(?P<name>TORUS_IOC_\w+)\s+_IO[WR]*"
                             r"\(TORUS_IOC_MAGIC, 0x\w+(?:, (?P<struct>struct \w+))?\)",
                             text, re.M | re.S):
        yield match["name"], match["struct"], joined(match["doc"])


def macro_rows(text, macro, columns):
    """The rows of a table that is a macro: its columns, strings joined and without quotes."""
    body = re.search(r"^#define " + macro + r"\(\w\) \\\n((?:.*\\\n)*.*)", text, re.M)[1]
    body = body.replace("\\\n", " ")
    cell = r'((?:"[^"]*"\s*)+|(?:[^",()]|\([^()]*\))+)'
    for match in re.finditer(r"\w\(" + r",\s*".join([cell] * columns) + r"\)", body):
        yield tuple("".join(re.findall(r'"([^"]*)"', one)) if '"' in one else one.strip()
                    for one in match.groups())


def port_registers():
    """Name, offset, number, access, meaning, and named bits of each register of a port."""
    text = PORT.read_text(encoding="utf-8")
    bits = list(macro_rows(text, "TORUS_PORT_BITS", 5))
    for name, offset, number, access, _, meaning in macro_rows(text, "TORUS_PORT_REGISTERS", 6):
        yield name, offset, number, access, meaning, [
            (bit, int(shift), int(width), doc) for reg, bit, shift, width, doc in bits
            if reg == name]


def port_text():
    """The paragraphs of the comment at the beginning of the port's header, after its first."""
    text = re.search(r"^/\*\n((?: \*.*\n)+?) \*/", PORT.read_text(encoding="utf-8"), re.M)[1]
    text = re.sub(r"^ \* ?", "", text, flags=re.M)
    return text.strip("\n").split("\n\n")[1:]


def each(name, rows):
    """A macro that applies X to each row."""
    return [f"#define {name}(X) \\", *(f"\tX({', '.join(row)}) \\" for row in rows), ""]


def tables(header):
    """The tables as macros."""
    out = ["/* Made by scripts/uapi.py from linux/torus.h. */"]
    for level in ("fabric", "link", "fifo", "tni"):
        out += each(f"TORUS_EACH_{level.upper()}_COUNTER",
                    ((name, *map(json.dumps, rest)) for name, *rest in counters(header, level)))
    out += each("TORUS_EACH_ATTR",
                ((name, doc.split(":")[0].split()[0]) for name, _, value, doc in
                 header.enums["torus_attr"].rows() if value and doc))
    out += each("TORUS_EACH_EVENT", ((name, json.dumps(word)) for name, word, _ in events(header)))
    return "\n".join(out) + "\n"


def fill_counters(part, header):
    level, _, wanted = part.pop("$counters").partition(" ")
    for name, unit, _, doc in counters(header, level):
        if not wanted or (unit == wanted.lstrip("-")) != wanted.startswith("-"):
            part["properties"][name] = {"type": "integer", "minimum": 0,
                                        "description": f"{unit} {doc}"}
            part["required"].append(name)


def schema(part, header):
    """The schema, or a part of it, with what follows from the header."""
    if isinstance(part, dict):
        if "$counters" in part:
            fill_counters(part, header)
        if part.pop("$events", False):
            part["enum"] = [word for _, word, _ in events(header)] + part.get("enum", [])
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        schema(one, header)


def main(words):
    if words == ["tables"]:
        print(tables(Header()), end="")
    elif len(words) == 2 and words[0] == "spec":
        print(spec(pathlib.Path(words[1]).read_text(encoding="utf-8"), Header()), end="")
    elif len(words) == 2 and words[0] == "schema":
        whole = json.loads(pathlib.Path(words[1]).read_text(encoding="utf-8"))
        schema(whole, Header())
        print(json.dumps(whole, indent=2))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
