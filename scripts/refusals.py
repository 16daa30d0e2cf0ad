#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every place in the sources that refuses, and the test that reaches it.

    refusals.py list            print the places, as the sources have them
    refusals.py check           hold scripts/refusals.list against them (TAP)
    refusals.py trace TREE      copy this tree there, and have each place that refuses tell
                                when it does (refusals-trace.h)
    refusals.py learn DIR...    write scripts/refusals.list anew from what tests of such a
                                tree have told, NAME.seen for each test; reasons are kept
    refusals.py verify DIR...   hold what they have told against the list (TAP)

A place is a call of a function that takes a printf format and refuses, or, in the device,
whose ioctls and mappings have no words, a return of an errno.  scripts/refusals.list has a
line for each: file, function, text, and behind two colons the test that reaches it, or, in
brackets, why none does; with "(by chance" before it where one may.
"""
import ast
import collections
import os
import pathlib
import re
import shutil
import sys

from tap import Tap

LIST = pathlib.Path("scripts/refusals.list")
UNKNOWN = "UNKNOWN"
PLACES = ("kmod/core", "kmod/arch", "kmod/dev", "user")
# Directories of tests, and of what only shows how
LEFT_OUT = re.compile(r"/(tests|examples|demo)/|^user/man/")
# Functions that take a format and refuse, beside those whose declaration says printf
REFUSE = {"torus_fail", "torus_netlink_refuse", "err", "errx", "pr_err", "NL_SET_ERR_MSG",
          "torus_error_plain", "session_nl_fail", "refuse_word", "fprintf", "fputs"}
# The same in one directory alone: their names are others' elsewhere
REFUSE_IN = {"user/perf": {"bad"}, "user/info": {"tell"}}
# Of these, functions whose last words are a reason, and what they make of it
PLAIN = {"torus_error_plain": "{}", "tell": "{}", "session_nl_fail": "{}: %s",
         "refuse_word": '"%.*s": {}', "bad": "%s %s: {}"}
# Functions that take a format and do not refuse; main.c's own ways to say what it was told
TELL = {"scnprintf", "paper_row", "paper_note", "snprintf", "add_line"}
# What Kbuild leaves beside the sources
MADE = re.compile(r"\.(o|ko|mod|mod\.c|cmd|order|symvers)$")
# Texts that only pass others on
PASSED_ON = re.compile(r"%s(: %s)?\s*")
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


def said(pieces):
    """What a row of string literals and macros says."""
    return "".join(ast.literal_eval(piece) if piece[0] == '"' else "%s"
                   for piece in re.findall(STRING + r"|\b[A-Z][A-Z_0-9]+\b", pieces))


def texts_of(name, parts):
    """The texts of a call, and for each where in which argument it stands (None: the call)."""
    if name in PLAIN:
        parts = [part for part in parts if re.search(STRING, part)][-1:]
    whole = PLAIN.get(name, "{}")
    for index, part in enumerate(parts):
        if part.startswith('"') or re.match(r'[A-Z_]+ "', part):
            return [(whole.format(said(part)), None)]
        # One of several, chosen on the spot: each is a refusal of its own.
        chosen = list(re.finditer(r"[?:]\s+(%s)(?=\s*(?:$|:))" % STRING, part))
        if chosen and name[0] != "f":
            return [(whole.format(said(match[1])), match[1]) for match in chosen]
        if name in PLAIN and part.startswith("TORUS_SAY"):
            return [(part, None)]
    return []


def functions(text):
    """Where each function of a source begins: offset and name."""
    return [(match.start(), match[1]) for match in
            re.finditer(r"^(?![#\s])(?:[^;{}()=\n]|\n(?=\w))*?\b(\w+)\((?:[^;{}])*?\)\s*\n\{",
                        text, re.M)]


class Place:
    """One place that refuses: the code from start to end is run when it does."""

    def __init__(self, path, function, text, span, index):
        self.path, self.function, self.text = str(path), function, text.replace("\n", "\\n")
        self.start, self.end = span
        self.index = index

    def key(self):
        return f"{self.path} {self.function}: {self.text}"

    def name(self):
        """What a traced tree calls it."""
        return f"{self.path}:{self.function}:{self.index}"


def calls(path, text, names):
    """The calls that refuse: each text, and the code that is run when it is said."""
    for match in re.finditer(r"\b(%s)\(" % "|".join(sorted(names)), text):
        begin = text.rfind("\n", 0, match.start()) + 1
        if not text[begin].isspace():
            continue
        end = call_end(text, match.end() - 1)
        inside = text[match.end():end - 1]
        if match[1] in ("fprintf", "fputs") and "stderr" not in inside:
            continue
        for words, literal in texts_of(match[1], arguments(inside)):
            if PASSED_ON.fullmatch(words) or \
                    match[1][0] == "f" and not re.match(r"(torus[\w-]*|%s): (?!%s)\w", words):
                continue
            start = match.start()
            if literal:
                start = text.index(literal, match.end())
                yield words, (start, start + len(literal))
            else:
                yield words, (start, end)
    # A reason that a call below puts into its text
    for match in re.finditer(r"\breason = (%s)" % STRING, text):
        yield "%s: " + ast.literal_eval(match[1]), match.span(1)
    if path.startswith("kmod/dev/") and path.endswith(".c"):
        for match in re.finditer(r"(?:return|err =|id ==.*\?) (-E[A-Z]+)\b", text):
            # Where a message is full no request is refused: the next one goes on.
            if match[1] != "-EMSGSIZE":
                yield match[1], match.span(1)


def places():
    """All places, in the order of the sources; those alike in one function are one."""
    texts = {path: bare(path.read_text()) for path in sources()}
    common, found = refusers(texts), []
    for path, text in texts.items():
        starts = functions(text)
        names = common | set().union(*(more for where, more in REFUSE_IN.items()
                                       if str(path).startswith(where)))
        count = collections.Counter()
        for words, span in calls(str(path), text, names):
            owner = ["-"] + [name for start, name in starts if start <= span[0]]
            count[owner[-1]] += 1
            found.append(Place(path, owner[-1], words, span, count[owner[-1]]))
    return found


def trace(tree):
    """Copies the tree; there each place tells when it refuses.  What is alike keeps its time."""
    where = collections.defaultdict(list)
    for place in places():
        where[place.path].append(place)
    for directory, below, names in os.walk("."):
        below[:] = [name for name in below if name not in ("build", ".git")]
        for name in names:
            path = pathlib.Path(directory, name)
            to = pathlib.Path(tree, path)
            if MADE.search(name) or path.is_symlink():
                continue
            data = path.read_bytes()
            here = where.get(str(path))
            if here:
                text = data.decode()
                edits = [(place.start, f'({{ torus_refusal_seen("{place.name()}"); ')
                         for place in here] + [(place.end, "; })") for place in here]
                for offset, words in sorted(edits, reverse=True):
                    text = text[:offset] + words + text[offset:]
                data = text.encode()
            to.parent.mkdir(parents=True, exist_ok=True)
            if not to.exists() or to.read_bytes() != data:
                to.write_bytes(data)
                shutil.copymode(path, to)
    return 0


def read_list():
    """The list: what it says of each place, and the texts that may stand in several."""
    said, same, valueless = {}, {}, set()
    for line in LIST.read_text().splitlines():
        if line.startswith("# same cause: "):
            text, _, why = line[len("# same cause: "):].rpartition(" :: ")
            same[text] = why
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
    tap.tell(not bad, f"each has a test that there is, or one of "
             f"{sum(how[:1] == '(' for how in said.values())} reasons why none reaches it", *bad)
    twice = shared(found)
    bare = [text for text in twice if not same.get(text)] + [text for text in same if not text]
    tap.tell(not bare, "no two causes share one text: of each that stands in several places the "
             "list says what its one cause is",
             *(f"{text}: {', '.join(twice.get(text, []))}" for text in bare))
    idle = sorted(set(same) - set(twice))
    tap.tell(not idle, "and of no others", *idle)
    dumb = sorted({place.text for place in found
                   if "%" not in place.text and not re.fullmatch(r"-E[A-Z]+", place.text) and
                   not re.search(r"\d", place.text) and place.text not in valueless})
    tap.tell(not dumb, "each text names the value at fault, or the list excuses it", *dumb)
    return tap.end()


def told(directories):
    """For each place that tests of a traced tree have reached, those that did."""
    found = collections.defaultdict(set)
    for directory in directories:
        for file in sorted(pathlib.Path(directory).glob("*.seen")):
            for name in file.read_text().split():
                found[name].add(file.stem)
    return found


def as_pattern(text):
    """A printf format as a pattern of what it prints."""
    parts = re.split(r"%(?:%|[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j)?[a-zA-Z])", text)
    return re.compile(".*".join(re.escape(part) for part in parts))


def expecting():
    """The tests' sources, strings that are broken over lines put together."""
    found, names = collections.defaultdict(str), tests()
    for pattern in ("scripts/check.d/*.sh", "selftests/*.c", "selftests/*.sh", "scripts/*.py",
                    "scripts/lib/*.words", "**/tests/**/test_*.c"):
        for path in sorted(pathlib.Path(".").glob(pattern)):
            if not str(path).startswith("build") and path.name != "refusals.py":
                # What else a test reads has the name of its script in check.d.
                name = path.stem if path.stem in names else re.split("[-_.]", path.stem)[0]
                found[name] += re.sub(r'"\s*\\?\n\s*"', "", path.read_text())
    return found


def best(place, seen, expected):
    """Of the tests that reach a place, one that expects its words, else the first."""
    pattern = as_pattern(place.text)
    ways = sorted(seen.get(place.name(), ()))
    return next((test for test in ways if pattern.search(expected.get(test, ""))),
                ways[0] if ways else None)


def learn(*directories):
    """Writes the list anew; what is known of the places that no test has reached is kept."""
    said_before, _, _ = read_list()
    seen, expected, out = told(directories), expecting(), {}
    for place in places():
        before, key = said_before.get(place.key(), ""), place.key()
        if before in seen.get(place.name(), ()):
            out[key] = before
        else:
            out[key] = best(place, seen, expected) or out.get(key) or \
                (before if before[:1] == "(" else UNKNOWN)
    head = re.match(r"(?:#.*\n|\n)*", LIST.read_text())[0]
    LIST.write_text(head + "".join(f"{key} :: {how}\n" for key, how in out.items()))
    return 0


def verify(*directories):
    """Every place whose test the list names was reached by that test."""
    tap, seen = Tap(), told(directories)
    said_, _, _ = read_list()
    ways = collections.defaultdict(set)
    for place in places():
        ways[place.key()] |= seen.get(place.name(), set())
    # Where only a part of the tests was run, what the others reach is not asked for.
    ran = {file.stem for directory in directories
           for file in pathlib.Path(directory).glob("*.seen")}
    lost = [f"{key} :: {how}" for key, how in said_.items()
            if how[:1] != "(" and how in ran and how not in ways[key]]
    late = [f"{key} :: {', '.join(sorted(ways[key]))}" for key, how in said_.items()
            if how[:1] == "(" and not how.startswith("(by chance") and ways[key]]
    held = sum(how in ran for how in said_.values())
    tap.tell(held, f"{len(ran)} tests were run, which the list names for {held} places")
    tap.tell(not lost, "each reaches the places that it is named for", *lost)
    tap.tell(not late, "no place is reached of which the list says that none does", *late)
    return tap.end()


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "list":
        for place in places():
            print(f"{place.name()} {place.function}: {place.text}")
        return 0
    return {"check": check, "trace": trace, "learn": learn, "verify": verify}[what](*rest)


if __name__ == "__main__":
    sys.exit(main())
