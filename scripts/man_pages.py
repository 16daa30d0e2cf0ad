#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The manual pages beside what they speak of, for check.d/pages.sh.

Public headers, help, completion, the YAML spec of the netlink family and the tables of
parameters each name things; a thing must stand in all the places where it belongs.  To show
that the comparison would find what is missing, each thing is then taken out of a copy of
each place, and the comparison must complain.
"""
import copy
import functools
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, "user/man")
import generate  # noqa: E402  (what the pages are made by)
import uapi  # noqa: E402
from tap import Tap  # noqa: E402

BUILD = pathlib.Path("build")
MAN = BUILD / "man"
COMPLETION = pathlib.Path("user/completion")
# In make check one of 20 things is taken out.
STEP = 20 if os.environ.get("TORUS_SHORT") else 1
# Words of a usage line that are no words to type
NOT_TYPED = {"all"}


def output(*command):
    """What a command prints, on either stream, whatever its status."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    return done.stdout + done.stderr


@functools.lru_cache(maxsize=None)
def shown(roff):
    """A page's text without its marks."""
    text = re.sub(r'^\.\\".*$', "", roff, flags=re.M)
    text = re.sub(r"\\f[BIRP]", "", text)
    text = text.replace(r"\-", "-").replace(r"\(aq", "'").replace(r"\(dq", '"')
    text = re.sub(r"\\[&|^]", "", text).replace(r"\e", "\\")
    lines = []
    for line in text.splitlines():
        if re.match(r"\.(B|I|BI|BR|RB|IR|RI|IB|SS|SH)\b", line):
            mark, _, rest = line[1:].partition(" ")
            parts = re.findall(r'"((?:[^"]|"")*)"|(\S+)', rest)
            parts = [quoted or bare for quoted, bare in parts]
            line = (" " if mark in ("B", "I", "SS", "SH") else "").join(parts)
        elif line.startswith("."):
            line = ""
        lines.append(line)
    return "\n".join(lines)


@functools.lru_cache(maxsize=None)
def words_of(text):
    """The words and options in a text."""
    return frozenset(re.findall(r"--?[A-Za-z][a-z-]*|[a-z][a-z0-9_-]*", text))


def complete(tool, *line):
    """What the bash completion of a tool offers for the last word of a line."""
    return set(output("bash", str(COMPLETION / tool), str(BUILD / tool), *line).split())


class Facts:
    """What each place says.  Copies of it are damaged, to see that the comparison sees it."""

    def __init__(self, tools):
        self.functions = {name: text for name, (_, text) in generate.declared().items()}
        doc = generate.documented()
        self.errors = {name: set(re.findall(r"-(E[A-Z]+)\b", "\n".join(doc.get(name, ()))
                                            .partition("Return:")[2]))
                       for name in self.functions}
        self.kinds = set(generate.kinds())
        self.pages = {path.name: path.read_text() for path in sorted(MAN.glob("man*/*"))}
        self.exported = set((BUILD / "libtorus.names").read_text().split())
        self.tools = tools
        self.options = {tool: self.help_options(tool) for tool in tools}
        self.offered = {tool: self.offered_options(tool) for tool in tools}
        self.usage, self.objects = self.torusctl_usage()
        self.torusctl_offers = {name: complete("torusctl", name, "") for name in self.objects}
        self.torusctl_offers[""] = complete("torusctl", "")
        self.fault_offers = complete("torusctl", "link", "set", "t", "all", "all", "")
        header = uapi.Header()
        self.enums = {uapi.spec_name(name): [uapi.dashed(row[0].removeprefix(header.prefix(name)))
                             for row in part.members]
                      for name, part in header.enums.items()}
        self.machines = self.tables()
        self.module = dict(re.findall(r"^(\w+):(.*) \(\w+\)$",
                                      output("modinfo", "-F", "parm",
                                             os.environ.get("TORUS_KO") or str(BUILD / "torus.ko")),
                                      re.M))
        self.sim_keys = {arch: self.sim_help_keys(arch) for arch in self.machines}
        self.sim_offers = {arch: self.sim_offered_keys(arch) for arch in self.machines}

    @staticmethod
    def commands(tool):
        """The commands of a tool whose options are its commands' own."""
        text = output(str(BUILD / tool), "--help")
        return re.findall(r"^  ([a-z]+) ", text, re.M) if "COMMAND --help" in text else []

    def help_options(self, tool):
        """The options of a tool, from its table or, if it has none, from its help."""
        if self.tools[tool] == "long":
            lines = [[]] + [[command] for command in self.commands(tool)]
            text = "".join(output(str(BUILD / tool), *line, "--options") for line in lines)
            return set(re.findall(r"^--[a-z-]+(?=\t)|(?<=\t)-[a-zA-Z](?=\t)", text, re.M))
        text = output(str(BUILD / tool), "--help") + output(str(BUILD / tool), "traffic", "help")
        return set(re.findall(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)", text))

    def offered_options(self, tool):
        lines = [[""], ["-"]] + [[command, "-"] for command in self.commands(tool)]
        if tool == "torusctl":
            lines += [["traffic", "t", "-"]]
        return {word for line in lines for word in complete(tool, *line) if word[0] == "-"}

    @staticmethod
    def torusctl_usage():
        """Each "OBJECT COMMAND" of torusctl and the rest of its usage, and its objects."""
        tool = str(BUILD / "torusctl")
        objects = re.findall(r"^  (\w+) ", output(tool, "help"), re.M)
        usage, more = {}, {}
        for name in objects:
            text = output(tool, name, "help")
            for line in re.findall(r"^torusctl (.*)$", text, re.M):
                found = line.split()
                command = found[1] if len(found) > 1 and found[1].islower() else ""
                usage[(name, command)] = line
            more[name] = re.sub(r"^torusctl .*$", "", text, flags=re.M)
        return usage, more

    @staticmethod
    def tables():
        """Each machine's parameters, as the core's tables have them: range, liveness."""
        machines, arch, key = {}, None, None
        for line in output(str(MAN / "parameters")).splitlines():
            if match := re.match(r"\.SH MACHINE (\w+)", line):
                arch = machines.setdefault(match[1], {})
            elif match := re.match(r"\.B (\w+)", line):
                key = match[1]
                arch[key] = []
            elif key and not line.startswith("."):
                arch[key].append(line)
        return machines

    @staticmethod
    def sim_help_keys(arch):
        text = output(str(BUILD / "torus-sim"), "keys", arch)
        part = re.search(rf"^{arch}: .*\n((?:  .*\n)*)", text, re.M)
        return set(re.findall(r"^  ([a-z_]+)=", part[1], re.M)) if part else set()

    @staticmethod
    def sim_offered_keys(arch):
        return {word.split("=")[0]
                for word in complete("torus-sim", "run", "--arch", arch, "--set", "")}


def tool_page(facts, tool):
    for section in ("1", "8"):
        if f"{tool}.{section}" in facts.pages:
            return shown(facts.pages[f"{tool}.{section}"])
    return None


def functions(facts):
    """Every function of the public headers has a page with its prototype and an example."""
    for name, prototype in facts.functions.items():
        page = facts.pages.get(f"{name}.3")
        if page is None:
            yield f"{name}: no page {name}.3"
            continue
        if match := re.fullmatch(r"\.so man3/(\S+)\n", page):
            page = facts.pages.get(match[1])
            if page is None:
                yield f"{name}.3 leads to {match[1]}, which is not there"
                continue
        said = " ".join(shown(page).split())
        if prototype.replace("* ", "*") not in said:
            yield f"{name}: its page has not the prototype {prototype}"
        for part in ("SYNOPSIS", "EXAMPLE"):
            if not re.search(rf"^\.SH {part}", page, re.M):
                yield f"{name}: its page has no {part}"
        for error in facts.errors[name]:
            if rf".B \-{error}" not in page:
                yield f"{name}: its page does not say what {error} means (user/man/errors)"
    for name in facts.exported - set(facts.functions):
        yield f"{name}: exported, but not declared"
    for name in set(facts.functions) - facts.exported:
        yield f"{name}: declared, but not exported"


def kinds(facts):
    """Every struct and enum of the public headers stands in a page, member by member."""
    said = [shown(page) for name, page in facts.pages.items() if name.endswith(".3")]
    for name in facts.kinds:
        if not any(re.search(rf"^(struct|enum) {name}$", text, re.M) for text in said):
            yield f"{name}: no page tells of it"


def objects(facts):
    """torusctl: objects and commands in help, page and completion alike."""
    page = tool_page(facts, "torusctl") or ""
    in_page = set(re.findall(r"^torusctl ([a-z]+) (?:([a-z-]+)\b)?", page, re.M))
    for name, command in facts.usage:
        if (name, command) not in in_page:
            yield f"torusctl {name} {command}: not in its page"
        if name not in facts.torusctl_offers[""]:
            yield f"torusctl {name}: not in the completion"
        if command and command not in facts.torusctl_offers.get(name, ()):
            yield f"torusctl {name} {command}: not in the completion"
    for name in facts.objects:
        offered = {word for word in facts.torusctl_offers[name] if word.isalpha()} - {"help"}
        known = {command for other, command in facts.usage if other == name}
        for command in offered - known if known != {""} else ():
            yield f"torusctl {name} {command}: the completion offers it, help does not"


def usage_words(facts):
    """torusctl: every word to type in a usage line stands in the page, too."""
    said = words_of(tool_page(facts, "torusctl") or "")
    for (name, command), line in facts.usage.items():
        for word in words_of(line) - {name, command} - NOT_TYPED - set(facts.machines):
            if word not in said:
                yield f"torusctl {name} {command}: '{word}' is not in its page"
    faults = re.search(r"^FAULT = ((?:.*\n)*?)(?=N = )", facts.objects.get("link", ""), re.M)
    faults = set(re.findall(r"(?:^|\|\s+)([a-z-]+) ", faults[1])) if faults else set()
    if not faults:
        yield "torusctl link help: names no FAULT"
    for word in faults - said:
        yield f"torusctl link set: fault '{word}' is not in its page"
    for word in faults ^ (facts.fault_offers - {"at", "for"}):
        yield f"torusctl link set: fault '{word}': help and completion differ"


def options(facts):
    """Every tool: options in help, page and completion alike."""
    # Help and completion come from the same table: comparing them tests user/completion/torus only.
    for tool in facts.tools:
        page = tool_page(facts, tool)
        if page is None:
            yield f"{tool}: no page"
            continue
        said = {word for word in words_of(page) if word[0] == "-"}
        for word in facts.options[tool] - said:
            yield f"{tool} {word}: not in its page"
        for word in facts.options[tool] - facts.offered[tool]:
            if word.startswith("--") and facts.tools[tool] == "long":
                yield f"{tool} {word}: not in the completion"
        for word in facts.offered[tool] - facts.options[tool]:
            yield f"{tool} {word}: the completion offers it, help does not"
        own = re.findall(r"^--?[a-zA-Z][a-z-]*(?:, --?[a-zA-Z][a-z-]*)*", page, re.M)
        for word in set(", ".join(own).split(", ")) - facts.options[tool] - {""}:
            yield f"{tool} {word}: in the page, but not in help"


def events(facts):
    """The ABI's events and states of a fabric stand in torusctl's page."""
    said = words_of(tool_page(facts, "torusctl") or "")
    for name in ("event", "fabric-state"):
        if not facts.enums.get(name):
            yield f"the ABI has no enum {name}"
        for word in facts.enums.get(name, ()):
            if word not in said:
                yield f"{name} '{word}': not in torusctl's page"


def parameters(facts):
    """Every parameter of a machine, with range and liveness, in page, help and completion."""
    page = facts.pages.get("torus-parameters.7", "")
    parts = dict(re.findall(r"^\.SH MACHINE (\w+)\n((?:(?!\.SH ).*\n)*)", page, re.M))
    if set(parts) != set(facts.machines):
        yield f"torus-parameters(7) has the machines {sorted(parts)}"
    for arch, keys in facts.machines.items():
        said = dict(re.findall(r"^\.B (\w+)\n((?:(?!\.TP).*\n)*)", parts.get(arch, ""), re.M))
        for key, lines in keys.items():
            if said.get(key, "").splitlines() != lines:
                yield f"{arch} {key}: not in torus-parameters(7) as the table has it"
            refused = lines[:1] and lines[0].startswith("Rejected:")
            if not refused and not re.search(r"\(default: ", "".join(lines)):
                yield f"{arch} {key}: neither range nor default"
            if not refused and not re.search(r"at any time|when the fabric is created",
                                             "".join(lines)):
                yield f"{arch} {key}: not said when it may be changed"
        own = {key for key, lines in keys.items() if not lines[0].startswith("Rejected:")}
        for key in own - facts.sim_keys[arch]:
            yield f"{arch} {key}: not in torus-sim's help"
        for key in own - facts.sim_offers[arch]:
            yield f"{arch} {key}: not in torus-sim's completion"
        for key in (facts.sim_keys[arch] | set(said)) - set(keys):
            yield f"{arch} {key}: not in the table"
    for arch in facts.machines:
        if arch not in facts.usage.get(("fabric", "add"), ""):
            yield f"{arch}: not in torusctl's help"


def module(facts):
    """The module's parameters, with their default, stand in torus(4)."""
    page = shown(facts.pages.get("torus.4", ""))
    said = dict(re.findall(r"^(\w+)\n(.*\(default .*)$", page, re.M))
    if not facts.module:
        yield "the module has no parameters"
    for name, text in facts.module.items():
        if said.get(name) != text + ".":
            yield f"{name}: not in torus(4) as the module has it"
    for name in set(said) - set(facts.module):
        yield f"{name}: in torus(4), but not in the module"


def references(facts):
    """Pages lead to pages that there are, and nowhere into the source tree."""
    for name, page in facts.pages.items():
        text = shown(page)
        for other, section in re.findall(r"\b((?:lib|fi_)?torus[\w-]*) ?\((\d)\)", text):
            if f"{other}.{section}" not in facts.pages:
                yield f"{name}: leads to {other}({section}), which is not there"
        found = re.search(r"\b(user|kmod|selftests|scripts|build|include)/[\w.]", text)
        if found:
            yield f"{name}: points into the source tree: {found[0]}.."


CHECKS = (functions, kinds, objects, usage_words, options, events, parameters, module, references)


def complaints(facts):
    return [line for check in CHECKS for line in check(facts)]


def damaged(facts):
    """A copy of the facts for each thing of each place, without it."""
    def without(place, key, inner=None):
        other = copy.copy(facts)
        held = copy.copy(getattr(facts, place))
        if inner is not None:
            held[key] = type(held[key])(thing for thing in held[key] if thing != inner)
        elif isinstance(held, dict):
            del held[key]
        else:
            held.remove(key)
        setattr(other, place, held)
        return f"{place} without {key}{'' if inner is None else ' ' + inner}", other

    for name in facts.pages:
        if name.endswith((".3", ".4", ".7", ".8", ".1")):
            yield without("pages", name)
    for name in facts.exported:
        yield without("exported", name)
    for tool in facts.tools:
        page = next((name for name in facts.pages if name in (f"{tool}.1", f"{tool}.8")), None)
        for word in facts.options[tool] if page else ():
            yield without_word(facts, page, word)
            yield without("options", tool, word)
            if word in facts.offered[tool] and facts.tools[tool] == "long":
                yield without("offered", tool, word)
    for name, command in facts.usage:
        if command:
            yield without("torusctl_offers", name, command)
        yield without_word(facts, "torusctl.8", f"{name} {command}".strip())
    for word in facts.fault_offers - {"at", "for"}:
        yield without("fault_offers", word)
        yield without_word(facts, "torusctl.8", word)
    for enum in ("event", "fabric-state"):
        for word in facts.enums[enum]:
            yield without_word(facts, "torusctl.8", word)
        yield without("enums", enum)
    for arch, keys in facts.machines.items():
        for key, lines in keys.items():
            yield without_word(facts, "torus-parameters.7", f".B {key}")
            if not lines[0].startswith("Rejected:"):
                yield without("sim_offers", arch, key)
                yield without("sim_keys", arch, key)
                yield table_without(facts, arch, key)
    for name in facts.module:
        yield without("module", name)
        yield without_word(facts, "torus.4", f".B {name}")


def without_word(facts, page, word):
    """The facts with a page in which a word does not stand."""
    other = copy.copy(facts)
    other.pages = dict(facts.pages)
    roff = word if word.startswith(".B ") else word.replace("-", r"\-")
    other.pages[page] = re.sub(rf"(?<![a-z-]){re.escape(roff)}(?![\w-]|\\-)", "",
                               facts.pages[page])
    return f"{page} without '{word}'", other


def table_without(facts, arch, key):
    other = copy.copy(facts)
    other.machines = copy.deepcopy(facts.machines)
    del other.machines[arch][key]
    return f"the table of {arch} without {key}", other


def main():
    tap = Tap()
    tools = dict(pair.split("=") for pair in os.environ["PAGES_TOOLS"].split())
    facts = Facts(tools)
    for check in CHECKS:
        found = list(check(facts))
        tap.tell(not found, check.__doc__.rstrip(".").replace("\n", " "), *found)
    unseen, tried, known = [], 0, set(complaints(facts))
    for number, (name, other) in enumerate(damaged(facts)):
        if number % STEP:
            continue
        tried += 1
        if not set(complaints(other)) - known:
            unseen.append(name)
    tap.tell(tried > 100 // STEP and not unseen,
             "whatever is taken out of a place is missed", f"{tried} tried", *unseen)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
