#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Convert the hardware manual to input of groff, with tables from the headers.

	manual.py [--headers TREE] PAGE | groff -Kutf8 -t -ms -Tpdf

PAGE is Markdown: headings, paragraphs, lists, tables, blocks of code, and lines "@TABLE WORDS":

    @registers FIRST LAST    registers of a port, by offset
    @bits REGISTER...        the named bits of these registers
    @causes                  causes of interrupts, with the bits of STATUS
    @costs                   simulated time of a driver's accesses
    @struct NAME             a struct of torus.h or torus_port.h
    @values ENUM             the values of an enum of torus.h or torus_port.h
    @packet MACHINE          the header of a packet, from the comment in torus.h
    @crcs                    polynomials, from core/base/crc.h
    @machine                 Blue Gene/L's own registers
    @code FILE NAME          a part of a tested source: from "manual: NAME" to "manual end"
    @program FILE            a program of Python, which an example runs

Each register, and each register with bits, must be in a table. TREE is the tree whose headers are
read.
"""
import os
import pathlib
import re
import sys

import uapi

TOP = pathlib.Path(__file__).resolve().parent.parent
COLUMNS_MAX = 78		# of a line of code at the normal size
POINTS, POINTS_MIN = 8, 5
MACHINES = {"bgl": "Blue Gene/L", "xt": "Cray XT", "tofu": "Tofu"}


class Rejected(Exception):
    """A page that cannot be converted; the text says why."""


def roff(text):
    """Escape a text."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def inline(text):
    """Escape a text in which `code` is set in a fixed width, and *words* in italics."""
    parts = text.split("`")
    return "".join(f"\\f(CR{roff(part)}\\fP" if at % 2 else
                   re.sub(r"(?<!\S)\*(\w+)\*", r"\\fI\1\\fP", roff(part).replace("\\-", "-"))
                   for at, part in enumerate(parts))


class Headers:
    """The headers from which the tables follow, and the registers that tables have shown."""

    def __init__(self, tree):
        self.tree = tree
        uapi.FILE = tree / "include/uapi/linux/torus.h"
        uapi.PORT = uapi.FILE.with_name("torus_port.h")
        self.torus = uapi.FILE.read_text(encoding="utf-8")
        self.port = uapi.PORT.read_text(encoding="utf-8")
        self.numbers = uapi.Header().numbers | {
            name: int(value.rstrip("u"), 0) for name, value in
            re.findall(r"^#define\s+(TORUS_PORT_\w+)\s+(0x\w+|\d+)\b", self.port, re.M)}
        self.registers = list(uapi.port_registers())
        self.shown, self.shown_bits = set(), set()

    def body(self, kind, name):
        """Return the kernel-doc of an enum or a struct, and the text between its braces."""
        for text in (self.port, self.torus):
            found = re.search(r"^(?:/\*\*?((?:(?!\*/).)*)\*/\n)?" + kind + " " + name +
                              r" \{\n(.*?)^\};", text, re.M | re.S)
            if found:
                return found[1] or "", found[2]
        raise Rejected(f"{kind} {name}: no header has it")

    def enum(self, name):
        """Return (name, value, meaning) of each value."""
        rows, value = [], -1
        for match in re.finditer(r"^\t(\w+)(?: = (\w+))?," + uapi.COMMENT, self.body("enum", name)[1],
                                 re.M | re.S):
            value += 1
            if match[2]:
                value = self.numbers[match[2]] if match[2] in self.numbers else int(match[2], 0)
            self.numbers[match[1]] = value
            rows.append((match[1], value, uapi.joined(match["doc"])))
        return rows

    def missing(self):
        for name, *_, bits in self.registers:
            if name not in self.shown:
                yield f"register {name}: no table has it"
            if bits and name not in self.shown_bits:
                yield f"register {name}: no table has its bits"


# --------------------------------------------------------------- tables: rows of cells

def registers(headers, first, last):
    rows = [("offset", "register", "number", "", "meaning")]
    for name, offset, number, access, meaning, _ in headers.registers:
        if int(first, 0) <= int(offset, 0) <= int(last, 0):
            headers.shown.add(name)
            rows.append((offset, name, "" if number == "ONE" else number.lower().replace("_", " "),
                         access, meaning))
    return rows


def bits(headers, *names):
    rows = [("register", "bits", "name", "meaning")]
    for name, _, _, _, _, fields in headers.registers:
        if name in names:
            headers.shown_bits.add(name)
            rows += [(name, f"{shift}" if width == 1 else f"{shift}-{shift + width - 1}", bit, doc)
                     for bit, shift, width, doc in fields]
    return rows


def causes(headers):
    fields = next(fields for name, *_, fields in headers.registers if name == "STATUS")
    known = {member.removeprefix("TORUS_PORT_CAUSE_"): value
             for member, value, _ in headers.enum("torus_port_cause")}
    rows = [("cause", "number", "bit of STATUS", "meaning")]
    headers.shown_bits.add("STATUS")
    for bit, shift, _, doc in fields:
        if known.get(bit) is None:
            raise Rejected(f"bit {bit} of STATUS: enum torus_port_cause has no such cause")
        rows.append((bit, str(known[bit]), str(shift), doc))
    return rows


def costs(headers):
    """Rows of the costs of accesses."""
    return [("access", "ns"), *((meaning, ns) for _, ns, meaning in
                                uapi.macro_rows(headers.port, "TORUS_PORT_COSTS", 3))]


def struct(headers, name):
    rows = [("offset", "bytes", "field", "meaning")]
    doc, body = headers.body("struct", name)
    docs, at = uapi.Part(name, doc, []).docs, 0
    for bits_of, field, count in re.findall(r"^\t__(?:u|le)(\d+) (\w+)(?:\[(\w+)\])?;", body, re.M):
        bytes_of = int(bits_of) // 8 * (headers.numbers[count] if count else 1)
        rows.append((str(at), str(bytes_of), field, docs[field].replace("@", "")))
        at += bytes_of
    return rows


def values(headers, name):
    members = headers.enum(name)
    prefix = os.path.commonprefix([member for member, *_ in members]).rpartition("_")[0] + "_"
    return [("value", "name", "meaning"),
            *((str(value), member.removeprefix(prefix), doc) for member, value, doc in members if doc)]


def packet(headers, machine):
    """Rows of the comment "word N  FIRST-LAST NAME, ..." about the header of a machine's packet."""
    comment = next((text for text in re.findall(r"/\*\n((?: \*.*\n)+?) \*/", headers.torus)
                    if text.startswith(f" * {MACHINES[machine]}") and "word 0" in text), "")
    rows = [("word", "bits", "field")]
    text = re.sub(r"^ \*", "", comment, flags=re.M)
    for number, fields in re.findall(r"^   word (\d)  (.*(?:\n {11}.*)*)", text, re.M):
        fields = re.sub(r" \(the hardware .*", "", " ".join(fields.split()))
        for field in re.split(r", (?=\d)", fields):
            match = re.match(r"(\d+(?:-\d+)?) (.*)", field)
            rows.append((number, match[1], match[2].strip(" ,")) if match else
                        (number, "0-31", field.strip(" ,")))
    if len(rows) == 1:
        raise Rejected(f"machine {machine}: torus.h does not describe its header")
    return rows


def crcs(headers):
    text = (headers.tree / "kmod/core/base/crc.h").read_text(encoding="utf-8")
    rows, use = [("of", "CRC", "polynomial", "kind")], ""
    for line in text.split("*/")[1].splitlines():
        match = re.match(r" \*    (\w*) +(CRC-\w+)? +(0x\w+) +(.*)", line)
        if match:
            use = match[1] or use
            rows.append((use, match[2] or rows[-1][1], match[3], match[4]))
        elif len(rows) > 1 and re.match(r" \* {10,}", line):
            rows[-1] = (*rows[-1][:3], f"{rows[-1][3]} {line[2:].strip()}")
    return rows


def machine(headers):
    """Blue Gene/L's registers: the rows of its table, and their offsets from its enums."""
    tree = headers.tree / "kmod/arch/bgl"
    header = (tree / "registers.h").read_text(encoding="utf-8")
    known = {}
    for body in re.findall(r"^enum(?: \w+)? \{\n(.*?)^\};", header, re.M | re.S):
        value = -1
        for name, number in re.findall(r"^\t(\w+)(?: = (\w+))?,", body, re.M):
            value = int(number, 0) if number else value + 1
            known[name] = value
    table = (tree / "registers.c").read_text(encoding="utf-8")
    table = re.search(r"bgl_reg_list\[\] = \{\n(.*?)^\};", table, re.M | re.S)[1]
    row = r'\b(REG|SIX)\("(\w+)",\s*([^,]+),\s*([^,]+),\s*([^,]+),\s*((?:"[^"]*"\s*)+)\)'
    rows = [("number", "register", "access", "meaning")]
    for kind, name, offset, flags, _, meaning in re.findall(row, table):
        at = sum(known[word] if word in known else int(word, 0) for word in offset.split(" + "))
        flags = {"0": "RW", "READ_ONLY": "RO", "READ_CLEARS": "RC", "WRITE_CLEARS": "WC",
                 "NRE": "RO"}[flags.strip()]
        rows.append((f"{at:02X}" + (f"-{at + 5:02X}" if kind == "SIX" else ""),
                     name + ("_xp .. _zm" if kind == "SIX" else ""), flags,
                     "".join(re.findall(r'"([^"]*)"', meaning))))
    if len(rows) - 1 != len(re.findall(r"\b(?:REG|SIX)\(", table)):
        raise Rejected("bgl_reg_list: a row cannot be read")
    return rows


TABLES = {"registers": registers, "bits": bits, "causes": causes, "costs": costs,
          "struct": struct, "values": values, "packet": packet, "crcs": crcs, "machine": machine}


# --------------------------------------------------------------- output

def table(rows):
    """A table that may cross pages; the last column is filled."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    rest = max(2.0, 6.2 - sum(0.085 * width + 0.25 for width in widths))
    yield from (".ps 9", ".TS H", " ".join(["lb"] * len(rows[0])) + " .",
                "\t".join(roff(cell) for cell in rows[0]), "_", ".T&",
                " ".join(["l"] * len(widths)) + f" lw({rest:.2f}i) .", ".TH")
    for row in rows[1:]:
        yield "\t".join(inline(cell) for cell in row[:-1]) + "\tT{"
        yield from (inline(row[-1]), "T}")
    yield from (".TE", ".ps", ".LP")


def wrapped(line):
    """Divide a long command before options and pipes, and after semicolons."""
    if not line.startswith("$ "):
        return [line]
    lines = [""]
    for part in re.split(r"(?= --| \||(?<=;) )", line):
        if len(lines[-1]) + len(part) > COLUMNS_MAX + 6:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += part
    return lines


def code(lines):
    lines = [part for line in lines for part in wrapped(line)]
    width = max(len(line.expandtabs(8)) for line in lines)
    points = max(POINTS_MIN, min(POINTS, POINTS * COLUMNS_MAX // max(width, 1)))
    yield from (".DS L", ".ft CR", f".ps {points}", f".vs {points + 2}")
    yield from (roff(line.expandtabs(8)) for line in lines)
    yield from (".ft", ".ps", ".vs", ".DE")


def snippet(tree, file, name):
    text = (tree / file).read_text(encoding="utf-8")
    found = re.search(r"^/\* manual: " + name + r" \*/\n(.*?)^/\* manual end \*/", text, re.M | re.S)
    if not found:
        raise Rejected(f"{file}: has no part {name}")
    return found[1].strip("\n").splitlines()


def directive(headers, line):
    word, *rest = line[1:].split()
    if word == "code":
        return code(snippet(headers.tree, *rest))
    if word == "program":
        text = (headers.tree / rest[0]).read_text(encoding="utf-8")
        return code([row for row in text.splitlines() if not row.startswith("#")])
    if word not in TABLES:
        raise Rejected(f"{line}: must be one of {' '.join(TABLES)} code program")
    return table(TABLES[word](headers, *rest))


def paragraph(headers, block):
    """Convert the lines between two empty lines."""
    first = block[0]
    if first.startswith("@"):
        for line in block:
            yield from directive(headers, line)
    elif match := re.match(r"(#+) (.*)", first):
        level = len(match[1]) - 1
        yield from ([".TL", inline(match[2]), ".AB no", ".AE"] if not level else
                    [".NH " + str(level), inline(match[2]), ".LP"])
    elif first.startswith("|"):
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in block]
        yield from table([cells[0], *cells[2:]])
    elif first.startswith("- "):
        for item in "\n".join(block)[2:].split("\n- "):
            yield from (".IP \\(bu 2", inline(" ".join(item.split())))
        yield ".LP"
    else:
        yield from (".LP", inline(" ".join(" ".join(block).split())))


def convert(headers, text):
    block, fence = [], None
    for line in text.splitlines() + [""]:
        if fence is not None:
            if line == "```":
                yield from code(fence)
                fence = None
            else:
                fence.append(line)
        elif line.startswith("```"):
            fence = []
        elif line:
            block.append(line)
        elif block:
            yield from paragraph(headers, block)
            block = []


def main():
    words = sys.argv[1:]
    tree = TOP
    if words[:1] == ["--headers"]:
        tree, words = pathlib.Path(words[1]), words[2:]
    if len(words) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    headers = Headers(tree)
    try:
        lines = list(convert(headers, pathlib.Path(words[0]).read_text(encoding="utf-8")))
        missing = list(headers.missing())
    except (Rejected, OSError, KeyError) as error:
        lines, missing = [], [str(error)]
    print(".nr PS 10\n.nr VS 12\n.nr HM 0.9i\n.nr FM 0.9i\n.nr PO 1i\n.nr LL 6.3i")
    print("\n".join(lines))
    for text in missing:
        print(f"manual.py: {text}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
