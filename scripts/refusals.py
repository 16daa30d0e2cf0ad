#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every place in the sources that refuses, and the test that reaches it.

    refusals.py list            print the places, as the sources have them
    refusals.py check           hold scripts/refusals.list against them (TAP)
    refusals.py learn DIR       write scripts/refusals.list anew: DIR has what soak.d/refusals.sh
                                has found out, or nothing; reasons are kept
    refusals.py verify DIR      hold what was found out against the list (TAP)

A place is a call of a function that takes a printf format and refuses, or, in the device,
whose ioctls and mappings have no words, a return of an errno.  scripts/refusals.list has a
line for each: file, function, text, and behind two colons the test that reaches it, or, in
brackets, why none does; UNKNOWN where neither is known yet.
"""
import collections
import json
import pathlib
import re
import sys

from tap import Tap

LIST = pathlib.Path("scripts/refusals.list")
UNKNOWN = "(no test expects these words)"
PLACES = ("kmod/core", "kmod/arch", "kmod/dev", "user")
# Directories of tests, and of what only shows how
LEFT_OUT = re.compile(r"/(tests|examples|demo)/|^user/man/")
# Functions that take a format and refuse, beside those whose declaration says printf
REFUSE = {"torus_fail", "torus_netlink_refuse", "err", "errx", "pr_err", "NL_SET_ERR_MSG"}
# Functions that take a format and do not refuse; main.c's own ways to say what it was told
TELL = {"scnprintf", "paper_row", "paper_note", "snprintf", "add_line"}
STRING = r'"(?:[^"\\]|\\.)*"'


def sources():
    for place in PLACES:
        for path in sorted(pathlib.Path(place).rglob("*.[ch]")):
            if not LEFT_OUT.search(str(path)):
                yield path


def bare(text):
    """The text without comments, its lines where they were."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|' + STRING,
                  lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text,
                  flags=re.S)


def refusers(texts):
    """The functions whose declaration says that they take a printf format."""
    found = set(REFUSE)
    for text in texts.values():
        found |= set(re.findall(r"\b(\w+)\([^;{]*?\)\s*__attribute(?:__)?\(\(format\(printf", text))
        found |= set(re.findall(r"__attribute(?:__)?\(\(format\(printf[^;{]*?\)\)\)\s*(\w+)\(", text))
        found |= set(re.findall(r"__printf\([^;{]*?\)\s*[\w *]*?\b(\w+)\(", text))
    return found - TELL


def call_end(text, start):
    """Where the bracket that opens at start closes."""
    depth = 0
    for match in re.compile(STRING + r"|'(?:\\.|[^'\\])'|[()]", re.S).finditer(text, start):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if not depth:
                return match.end()
    return len(text)


def arguments(text):
    """The arguments of a call, by the commas outside of brackets and strings."""
    parts, depth, last = [], 0, 0
    for match in re.compile(STRING + r"|'(?:\\.|[^'\\])'|[(){}\[\],]", re.S).finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif match[0] == "," and not depth:
            parts.append(text[last:match.start()])
            last = match.end()
    return [part.strip() for part in parts + [text[last:]]]


def format_of(parts):
    """The format among a call's arguments: the first that begins with a string."""
    for part in parts:
        if part.startswith('"') or re.match(r'[A-Z_]+ "', part):
            pieces = re.findall(STRING + r"|\b[A-Z][A-Z_0-9]+\b", part)
            return "".join(json.loads(piece) if piece[0] == '"' else "%s" for piece in pieces)
    return None


def functions(text):
    """Where each function of a source begins: offset and name."""
    return [(match.start(), match[1]) for match in
            re.finditer(r"^(?![#\s])(?:[^;{}()=\n]|\n(?=\w))*?\b(\w+)\((?:[^;{}])*?\)\s*\n\{",
                        text, re.M)]


class Place:
    """One place that refuses."""

    def __init__(self, path, function, lines, text):
        self.path, self.function, self.text = str(path), function, text
        self.line, self.end = lines

    def key(self):
        return f"{self.path} {self.function}: {self.text}"


def places():
    """All places, in the order of the sources; those alike in one function are one."""
    texts = {path: bare(path.read_text()) for path in sources()}
    pattern = re.compile(r"\b(%s)\(" % "|".join(sorted(refusers(texts))))
    found = []
    for path, text in texts.items():
        starts = functions(text)

        def owner(offset, starts=starts):
            names = [name for start, name in starts if start <= offset]
            return names[-1] if names else "-"

        for match in pattern.finditer(text):
            begin = text.rfind("\n", 0, match.start()) + 1
            if re.match(r"#define|[a-z_].*\b" + match[1] + r"\(", text[begin:match.end()]) and \
                    not text[begin].isspace():
                continue
            end = call_end(text, match.end() - 1)
            said = format_of(arguments(text[match.end():end - 1]))
            if said is None or said.strip() in ("%s", "%s: %s"):
                continue
            found.append(Place(path, owner(match.start()),
                               (text.count("\n", 0, match.start()) + 1,
                                text.count("\n", 0, end) + 1),
                               said.replace("\n", "\\n")))
        if str(path).startswith("kmod/dev/") and path.suffix == ".c":
            for match in re.finditer(r"(?:return|err =|id ==.*\?) -(E[A-Z]+)\b", text):
                line = text.count("\n", 0, match.start()) + 1
                found.append(Place(path, owner(match.start()), (line, line), f"-{match[1]}"))
    return found


def read_list():
    """The list: what it says of each place, and the texts that may stand in several."""
    said, same, valueless = {}, set(), set()
    for line in LIST.read_text().splitlines():
        if line.startswith("# same cause: "):
            same.add(line[len("# same cause: "):])
        elif line.startswith("# no value: "):
            valueless.add(line[len("# no value: "):])
        elif line and not line.startswith("#"):
            key, _, how = line.rpartition(" :: ")
            said[key] = how
    return said, same, valueless


def tests():
    """The names of all tests."""
    found = {path.stem for pattern in ("scripts/check.d/*.sh", "scripts/soak.d/*.sh",
                                       "selftests/*.c", "selftests/*.sh")
             for path in pathlib.Path(".").glob(pattern)}
    return found | {path.stem for path in pathlib.Path(".").rglob("tests/**/test_*.c")}


def shared(found):
    """Texts that stand in more than one function, and where."""
    where = collections.defaultdict(set)
    for place in found:
        if not re.fullmatch(r"-E[A-Z]+", place.text):
            where[place.text].add(f"{place.path} {place.function}")
    return {text: sorted(functions) for text, functions in where.items() if len(functions) > 1}


def check():
    """Holds the list against the sources; what is missing from it is told."""
    tap, found = Tap(), places()
    said, same, valueless = read_list()
    keys = {place.key() for place in found}
    known = tests()
    tap.tell(len(keys) > 300, f"the sources have {len(keys)} places that refuse")
    tap.tell(not keys - set(said), "each is in scripts/refusals.list",
             *sorted(keys - set(said)))
    tap.tell(not set(said) - keys, "and nothing else", *sorted(set(said) - keys))
    bad = [key for key, how in said.items()
           if not re.fullmatch(r"\(.{8,}\)", how) and how not in known]
    unknown = sum(how == UNKNOWN for how in said.values())
    tap.tell(not bad, "each has a test that there is, or a reason why none reaches it, or is "
             f"one of the {unknown} of which nothing is known yet", *bad)
    twice = {text: where for text, where in shared(found).items() if text not in same}
    tap.tell(not twice, "no two causes share one text that the list does not excuse",
             *(f"{text}: {', '.join(where)}" for text, where in twice.items()))
    dumb = sorted({place.text for place in found
                   if "%" not in place.text and not re.fullmatch(r"-E[A-Z]+", place.text) and
                   not re.search(r"\d", place.text) and place.text not in valueless})
    tap.tell(not dumb, "each text names the value at fault, or the list excuses it", *dumb)
    return tap.end()


def reached(directory):
    """For each source, its lines that tests have run, and the first test of each."""
    lines = collections.defaultdict(dict)
    for file in sorted(pathlib.Path(directory).glob("*.lines")):
        for line in file.read_text().split():
            path, _, number = line.rpartition(":")
            lines[path].setdefault(int(number), file.stem)
    return lines


def as_pattern(text):
    """A printf format as a pattern of what it prints."""
    parts = re.split(r"%(?:%|[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j)?[a-zA-Z])", text)
    return re.compile(".*".join(re.escape(part) for part in parts))


def told(directory):
    """The kernel's answers that each test of the VM has got."""
    return {file.stem: file.read_text().splitlines()
            for file in sorted(pathlib.Path(directory).glob("*.answers"))}


def expecting():
    """The tests' sources, strings that are broken over lines put together."""
    found = {}
    for pattern in ("scripts/check.d/*.sh", "selftests/*.c", "selftests/*.sh", "scripts/*.py",
                    "**/tests/**/test_*.c"):
        for path in sorted(pathlib.Path(".").glob(pattern)):
            if not str(path).startswith("build") and path.name != "refusals.py":
                found[path.stem] = re.sub(r'"\s*\\?\n\s*"', "", path.read_text())
    names = tests()
    # What a script in Python tries, the one of its name in check.d runs.
    return {name if name in names else name.split("_")[0]: text for name, text in found.items()
            if name in names or name.split("_")[0] in names}


def reaching(place, lines, answers, expected):
    """The test that reaches a place, or None."""
    for number in range(place.line, place.end + 1):
        if number in lines.get(place.path, {}):
            return lines[place.path][number]
    if place.path.startswith("kmod/") and not place.text.startswith("-E"):
        pattern = as_pattern(place.text)
        for test, texts in answers.items():
            if any(pattern.fullmatch(text) for text in texts):
                return test
    # A test that expects the words reaches the place; a few words could be another's.
    if len(re.sub(r"%[a-z]+|\W", "", place.text)) > 10:
        pattern = as_pattern(place.text)
        for test, text in expected.items():
            if pattern.search(text):
                return test
    return None


def learn(directory):
    """Writes the list anew; what is known of the places that no test has reached is kept."""
    said, same, valueless = read_list() if LIST.exists() else ({}, set(), set())
    lines, answers, expected = reached(directory), told(directory), expecting()
    out = {}
    for place in places():
        test = reaching(place, lines, answers, expected)
        before = said.get(place.key(), "")
        out[place.key()] = test or out.get(place.key()) or \
            (before if before[:1] == "(" else UNKNOWN)
    head = re.match(r"(?:#.*\n|\n)*", LIST.read_text())[0] if LIST.exists() else ""
    LIST.write_text(head + "".join(f"{key} :: {how}\n" for key, how in out.items()))
    return 0


def verify(directory):
    """Every place whose test the list names was reached, by that test or another one."""
    tap = Tap()
    said, _, _ = read_list()
    lines, answers, expected = reached(directory), told(directory), expecting()
    ways = collections.defaultdict(set)
    for place in places():
        ways[place.key()].add(reaching(place, lines, answers, expected))
    lost = [key for key, how in said.items() if how[:1] != "(" and not ways[key] - {None}]
    late = [key for key, how in said.items() if how[:1] == "(" and ways[key] - {None}]
    tap.tell(not lost, "every place is reached whose test is named", *lost)
    tap.tell(not late, "no place is reached of which the list says that none does", *late)
    return tap.end()


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "list":
        for place in places():
            print(f"{place.path}:{place.line} {place.function}: {place.text}")
        return 0
    return {"check": check, "learn": learn, "verify": verify}[what](*rest)


if __name__ == "__main__":
    sys.exit(main())
