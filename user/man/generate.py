#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The manual pages, as they are installed.

    generate.py OUT PARAMETERS PAGE...

Each PAGE of user/man is copied to OUT/manN, and the lines in it that begin with .\\" @
are filled in from what they speak of:

    @functions NAME...      the page's functions: prototypes, from the public headers, and
                            what their kernel-doc says; each gets a page that leads here.
                            torus_x_* are all functions of this prefix that are not named
    @synopsis               the prototypes alone
    @struct NAME, @enum NAME  a declaration of the public headers and its members
    @errors                 what the errnos mean that the functions return (user/man/errors)
    @example FILE           a program of user/man/examples
    @module-parameters      MODULE_PARM_DESC of kmod/dev/base/params.c
    @machine-parameters     what PARAMETERS prints of the machines' tables
    @ioctls                 the ioctls of linux/torus.h
    @bus-functions NAME..., @bus-struct NAME  the same of linux/torus_bus.h, for drivers
    @port-text, @port-registers  the comment and the registers of linux/torus_port.h
    @net-counters           the counters of torus_net's ethtool -S
    @counters LEVEL, @events  the counters of struct torus_LEVEL_counters, the kinds of events
"""
import email.utils
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, "scripts")
import uapi  # noqa: E402

HERE = pathlib.Path("user/man")
HEADERS = sorted(pathlib.Path("include/torus").glob("*.h"))
SOURCES = sorted(path for place in ("user/lib", "user/lib/context", "user/lib/job",
                               "user/lib/match", "user/lib/collective", "user/route",
                               "user/machine/public")
                 for path in pathlib.Path(place).glob("*.c"))
MODULE = pathlib.Path("kmod/dev/base/params.c")
BUS_HEADERS = [pathlib.Path("include/linux/torus_bus.h")]
BUS_SOURCES = sorted(pathlib.Path("kmod/bus").glob("*.c"))
NET_COUNTERS = pathlib.Path("kmod/drivers/net/ethtool.c")
CHANGES = pathlib.Path("debian/changelog")
VERSION = pathlib.Path("VERSION")


class Refused(Exception):
    """A page that says what is not so."""


def plain(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def declared(headers=HEADERS):
    """Each function of these headers: its header and its prototype, one line."""
    found = {}
    for header in headers:
        for match in re.finditer(r"^(?!typedef|static|extern)([a-z_][\w *]*?\b(torus_\w+)"
                                 r"\([^;{}]*\));", plain(header.read_text()), re.M):
            found[match[2]] = (header, " ".join(match[1].split()))
    return found


def documented(sources=SOURCES):
    """Each function of these sources that has kernel-doc: its lines, without the star."""
    found = {}
    for path in sources:
        for match in re.finditer(r"^/\*\*\n((?: \*.*\n)+?) \*/$", path.read_text(), re.M):
            lines = [re.sub(r"^ \* ?", "", line) for line in match[1].splitlines()]
            name = re.match(r"(torus_\w+)\(\) - ", lines[0])
            if name:
                found[name[1]] = lines
    return found


def kinds(headers=HEADERS):
    """Each struct and enum of these headers that has kernel-doc."""
    found = {}
    for header in headers:
        for match in re.finditer(r"^/\*\*\n((?: \*.*\n)+?) \*/\n((?:.*\n)*?};)$",
                                 header.read_text(), re.M):
            lines = [re.sub(r"^ \* ?", "", line) for line in match[1].splitlines()]
            name = re.match(r"(struct|enum) (torus_\w+) - ", lines[0])
            if name:
                found[name[2]] = (name[1], lines, match[2])
    return found


def sections(lines):
    """Kernel-doc taken apart: what it is, members, the rest by paragraphs, Return."""
    brief = lines[0].split(" - ", 1)[1]
    members, rest, result, into = [], [[]], [], None
    for line in lines[1:]:
        if match := re.match(r"@(\w+): *(.*)", line):
            members.append([match[1], match[2]])
            into = members[-1]
        elif match := re.match(r"Return: *(.*)", line):
            result, into = [match[1]], "return"
        elif not line.strip():
            into = into if into == "return" else None
            rest.append([])
        elif into == "return":
            result.append(line.strip())
        elif into is not None:
            into[1] += " " + line.strip()
        elif match := re.match(r"\t(\S+)\t+(.*)", line):
            rest[-1].append((match[1], match[2]))
        elif line.startswith("\t") and rest[-1] and isinstance(rest[-1][-1], tuple):
            tag, text = rest[-1][-1]
            rest[-1][-1] = (tag, text + " " + line.strip())
        elif not rest[-1] and len(rest) == 1:
            brief += " " + line.strip()
        else:
            rest[-1].append(line.strip())
    return brief, members, [part for part in rest if part], " ".join(result)


def paragraph(part, functions):
    """A paragraph of kernel-doc in roff: text, or a list of words and what they are."""
    if isinstance(part[0], tuple):
        return [line for tag, text in part
                for line in (".TP", words(tag, functions), safe(words(text, functions)))]
    return [".P", safe(words(" ".join(part), functions))]


def safe(line):
    """A line of text that begins neither with a request nor with a quote."""
    return r"\&" + line if line[:1] in (".", "'") else line


def words(text, functions):
    """Kernel-doc's text in roff: arguments, functions, errnos and constants are marked."""
    text = text.replace("\\", r"\e")
    text = re.sub(r"(?<![\w@])-(E[A-Z]+)\b", r"\\fB\\-\1\\fP", text)
    text = re.sub(r"(?<![\w-])-(?=\d)", r"\\-", text)
    text = re.sub(r"@([a-z]\w*)((?:->\w+)?)",
                  lambda m: r"\fI%s\fP" % (m[1] + m[2].replace("-", r"\-")), text)
    text = re.sub(r"%?\b(TORUS_[A-Z0-9_]*[A-Z0-9]\b\*?)", r"\\fB\1\\fP", text)
    text = re.sub(r"\b(torus_\w+)\(\)",
                  lambda m: r"\fB%s\fP(%s)" % (m[1], 3 if m[1] in functions else ""), text)
    return text


def prototype(text):
    """A prototype in bold, names of arguments in italics, continued lines indented."""
    head, arguments = text.split("(", 1)
    parts = [part.strip() for part in arguments[:-1].split(",")]
    out, line = [], head + "("
    for i, part in enumerate(parts):
        word = part + ("," if i + 1 < len(parts) else ");")
        if len(line) + len(word) > 74 and not line.endswith("("):
            out.append(line.rstrip())
            line = " " * 8
        line += word + " "
    out.append(line.rstrip())
    shown = []
    for line in out:
        line = re.sub(r"(\w+)((?:\[\w*\])?)(?=,|\);)", r"\\fI\1\\fB\2", line)
        line = line.replace(r"\fIvoid\fB", "void")
        shown.append(r"\fB%s\fP" % line.replace("-", r"\-"))
    return shown


def member_list(members, functions):
    out = []
    for name, text in members:
        out += [".TP", r".I " + name, safe(words(text[:1].upper() + text[1:], functions) + ".")]
    return out


class Pages:
    """What the sources say, and the pages made of it."""

    def __init__(self, out, parameters):
        self.out, self.parameters = pathlib.Path(out), parameters
        self.declared, self.documented, self.kinds = declared(), documented(), kinds()
        self.placed, self.unexplained = {}, []
        self.uapi = uapi.Header()
        self.errors = dict(line.split(None, 1) for line in
                           (HERE / "errors").read_text().splitlines()
                           if line and not line.startswith("#"))

    def function(self, name):
        return self.function_lines(name, self.declared[name][1], self.documented[name])

    def bus_functions(self, names):
        """Functions of the bus of nodes, which are no part of a library."""
        known, lines = declared(BUS_HEADERS), documented(BUS_SOURCES)
        out = []
        for name in names.split():
            if name not in known or name not in lines:
                raise Refused(f"{BUS_HEADERS[0]} has no function {name} with kernel-doc")
            out += self.function_lines(name, known[name][1], lines[name])
        return out

    def function_lines(self, name, code, lines):
        brief, members, rest, result = sections(lines)
        out = [r".SS %s" % name, ".nf", *prototype(code), ".fi", ".P",
               safe(words(brief[:1].upper() + brief[1:], self.declared)) +
               ("" if brief[-1] in "?." else ".")]
        out += member_list(members, self.declared)
        for part in rest:
            out += paragraph(part, self.declared)
        if result:
            out += [".P", "Returns " + words(result, self.declared)]
        return out

    def synopsis(self, names):
        headers = sorted({self.declared[name][0] for name in names})
        out = [".nf"] + [".B #include <%s>" % header.relative_to("include")
                         for header in headers] + [".P"]
        for name in names:
            out += prototype(self.declared[name][1])
        return out + [".P", r"\fBcc\fP \fIprogram.c\fP \fB$(pkg\-config \-\-cflags \-\-libs "
                      r"libtorus)\fP", ".fi"]

    def kind(self, name, known=None):
        known = known or self.kinds
        if name not in known:
            raise Refused(f"the headers have no struct or enum {name} with kernel-doc")
        what, lines, code = known[name]
        brief, members, rest, _ = sections(lines)
        out = [r".SS %s %s" % (what, name), words(brief[:1].upper() + brief[1:], self.declared) + ".",
               ".P", ".nf"]
        out += [r"\fB%s\fP" % safe(line.replace("\\", r"\e").replace("-", r"\-")
                                   .expandtabs(8).replace("        ", "    "))
                for line in plain(code).splitlines() if line.strip()]
        out += [".fi"] + member_list(members, self.declared)
        for part in rest:
            out += paragraph(part, self.declared)
        return out

    def error_list(self, names):
        text = " ".join(sections(self.documented[name])[3] for name in names)
        found = sorted(set(re.findall(r"-(E[A-Z]+)\b", text)))
        out = []
        for name in found:
            if name not in self.errors:
                self.unexplained.append(name)
                continue
            out += [".TP", r".B \-" + name, words(self.errors[name], self.declared)]
        return out

    def example(self, name):
        lines = (HERE / "examples" / name).read_text().splitlines()
        while lines and re.match(r"//|/\*| \*", lines[0]):
            lines.pop(0)
        return [".nf"] + [safe(line.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
                               .expandtabs(8).replace("        ", "    "))
                          for line in lines] + [".fi"]

    def module_parameters(self):
        out = []
        text = MODULE.read_text()
        for name, text in re.findall(r'MODULE_PARM_DESC\((\w+),\s*((?:"[^"]*"\s*)+)\)', text):
            out += [".TP", ".B " + name, "".join(re.findall(r'"([^"]*)"', text)) + "."]
        return out

    def machine_parameters(self):
        done = subprocess.run([self.parameters], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def rows(self, rows):
        """A list of bold words and one line about each."""
        return [".RS", *(line for name, doc in rows
                         for line in (".TP", ".B " + name.replace("-", r"\-"),
                                      safe(words(uapi.sentence(doc), self.declared)))), ".RE"]

    def ioctls(self):
        out = []
        for name, struct, doc in uapi.ioctls():
            if not doc:
                raise Refused(f"{name} has no comment in {uapi.FILE.name}")
            out += [".TP", r"\fB%s\fP" % name + (r" (\fI%s\fP)" % struct if struct else ""),
                    safe(words(doc, self.declared))]
        return out

    def port_text(self):
        """Indented lines stay as they are; a word and a colon at the beginning is a heading."""
        out = []
        for part in uapi.port_text():
            heading = re.match(r"([A-Z][\w/ ]*): (.*)", part, re.S)
            if part.startswith(" "):
                out += [".P", ".nf", *(safe(line[2:].replace("-", r"\-"))
                                       for line in part.splitlines()), ".fi"]
                continue
            out += [".SS " + heading[1]] if heading else [".P"]
            text = heading[2] if heading else part
            out += [safe(words(" ".join(line.split()), self.declared))
                    for line in re.split(r"(?<=\.)\s+(?=[A-Z])", text[:1].upper() + text[1:])]
        return out

    def port_registers(self):
        """Each register with its offset, access rights, meaning and bits."""
        strides = {"ONE": "", "DIMENSIONS": ", one per dimension, every 4 bytes",
                   "EVENTS": ", one for RECEIVE, INJECT and ENDED, every 4 bytes",
                   "RECEIVE_FIFOS": ", one per reception FIFO, every 0x10 bytes",
                   "INJECT_FIFOS": ", one per injection FIFO, every 0x10 bytes",
                   "RINGS": ", one per ring, every 0x40 bytes"}
        out = []
        for name, offset, number, access, meaning, bits in uapi.port_registers():
            out += [".TP", fr"\fB{offset} {name}\fP, {access}{strides[number]}",
                    safe(words(uapi.sentence(meaning), self.declared))]
            if not bits:
                continue
            out += [".RS"]
            for bit, shift, width, doc in bits:
                place = f"bits {shift}\\-{shift + width - 1}" if width > 1 else f"bit {shift}"
                out += [".TP", fr"\fB{bit}\fP, {place}",
                        safe(words(uapi.sentence(doc), self.declared))]
            out += [".RE"]
        return out

    def net_counters(self):
        return self.rows((name, doc) for name, _, doc in
                         uapi.macro_rows(NET_COUNTERS.read_text(), "ETHTOOL_COUNTERS", 3))

    def named(self, listed):
        """The functions that a list names, by their names or by a prefix and a star."""
        listed, out = listed.split(), []
        for name in listed:
            out += [name] if not name.endswith("*") else \
                [one for one in self.declared if one.startswith(name[:-1])
                 and one not in listed and one not in out]
        return out

    def place(self, page, names):
        for name in names:
            if name not in self.declared:
                raise Refused(f"the public headers declare no {name}")
            if name not in self.documented:
                raise Refused(f"{name} has no kernel-doc")
            if name in self.placed:
                raise Refused(f"{name} stands in {self.placed[name]}, too")
            self.placed[name] = page

    def title(self, line):
        """In a page's .TH the date, from the changelog, and the version."""
        text = CHANGES.read_text()
        version = re.match(r"torus \(([\d.]+)\)", text)[1]
        date = email.utils.parsedate_to_datetime(
            re.search(r"^ -- .*>  (.*)$", text, re.M)[1]).date().isoformat()
        return line.replace('"" "torus"', f'{date} "torus {VERSION.read_text().strip()}"')

    def fill(self, page, text):
        names = []
        for listed in re.findall(r'^\.\\" @functions (.*)$', text, re.M):
            names += self.named(listed)
        self.place(page, names)
        fillers = {"functions": lambda rest: [line for name in self.named(rest)
                                              for line in self.function(name)],
                   "synopsis": lambda rest: self.synopsis(names),
                   "struct": self.kind, "enum": self.kind,
                   "errors": lambda rest: self.error_list(names),
                   "example": self.example,
                   "module-parameters": lambda rest: self.module_parameters(),
                   "machine-parameters": lambda rest: self.machine_parameters(),
                   "ioctls": lambda rest: self.ioctls(),
                   "bus-functions": self.bus_functions,
                   "bus-struct": lambda name: self.kind(name, kinds(BUS_HEADERS)),
                   "port-text": lambda rest: self.port_text(),
                   "port-registers": lambda rest: self.port_registers(),
                   "net-counters": lambda rest: self.net_counters(),
                   "counters": lambda level: self.rows(
                       (name, f"{unit} {doc}") for name, unit, _, doc in
                       uapi.counters(self.uapi, level)),
                   "events": lambda rest: self.rows(
                       (name, doc) for _, name, doc in uapi.events(self.uapi))}
        out = []
        for line in text.splitlines():
            match = re.match(r'\.\\" @([a-z-]+) ?(.*)$', line)
            if not match:
                out.append(self.title(line) if line.startswith(".TH ") else line)
            elif match[1] in fillers:
                out += fillers[match[1]](match[2].strip())
            else:
                raise Refused(f"@{match[1]}: no such thing (there are: {' '.join(fillers)})")
        return "\n".join(out) + "\n"

    def write(self, page):
        section = page.suffix[1:]
        directory = self.out / f"man{section}"
        directory.mkdir(parents=True, exist_ok=True)
        try:
            (directory / page.name).write_text(self.fill(page.name, page.read_text()))
        except Refused as why:
            sys.exit(f"{page}: {why}")
        for name, where in self.placed.items():
            if where == page.name and name + page.suffix != page.name:
                (directory / f"{name}{page.suffix}").write_text(f".so man{section}/{page.name}\n")


def main():
    pages = Pages(sys.argv[1], sys.argv[2])
    for name in sys.argv[3:]:
        pages.write(pathlib.Path(name))


if __name__ == "__main__":
    main()
