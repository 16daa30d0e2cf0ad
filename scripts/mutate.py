#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The rules of scripts/mutations: takes them out, checks their texts, makes the tables.

scripts/mutate.sh builds what this needs and runs it.
"""
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import threading

from tap import Tap

LISTS = pathlib.Path("scripts/mutations")
BUILD = pathlib.Path("build/mutate")
BASE = BUILD / "base"
WORKERS = 2
# A rule taken out may make the core loop, wait for ever, or eat memory: that fails as well.
CPU_SECONDS, WALL_SECONDS, MEMORY_BYTES = 60, 600, 4 << 30


class Wrong(Exception):
    """What stands in a list is wrong."""


class Edit:
    """A piece of a diff: whole lines of a file, before and after."""

    def __init__(self, file):
        self.file, self.before, self.after = file, [], []

    def add(self, line):
        if line[0] in " -":
            self.before.append(line[1:])
        if line[0] in " +":
            self.after.append(line[1:])

    def places(self, lines):
        n = len(self.before)
        return [i for i in range(len(lines) - n + 1) if lines[i:i + n] == self.before]

    def place(self, lines):
        found = self.places(lines)
        if len(found) != 1 or not self.before:
            text = self.before[0].strip() if self.before else "(empty)"
            raise Wrong(f"{self.file}: {len(found)} matches, not one, of: {text}")
        return found[0]

    def apply(self, lines):
        at = self.place(lines)
        return lines[:at] + self.after + lines[at + len(self.before):]


class Rule:
    """A rule, its test, and the edits that take it out."""

    def __init__(self, name):
        self.name, self.test, self.pattern, self.edits = name, None, None, []


class Feature:
    """A row of a table: the rules that make a feature."""

    def __init__(self, name, page, chapter):
        self.name, self.page, self.chapter = name, page, chapter
        self.section, self.also, self.shares, self.rules = None, [], [], []


def words(value):
    return [word.strip() for word in value.split(",")]


class List:
    """All features and rules, in the order of the files (those of scripts/mutations)."""

    def __init__(self, paths=None):
        self.features, self.rules, self.chapters = [], {}, []
        for path in paths or sorted(LISTS.glob("*.list")):
            self.chapters.append(path.name)
            self.read(path)
        for feature in self.features:
            for name in feature.shares:
                if name not in self.rules:
                    raise Wrong(f"feature {feature.name}: no rule {name}")
            if not feature.rules and not feature.shares:
                raise Wrong(f"feature {feature.name}: no rules")
        for rule in self.rules.values():
            if not rule.test or not rule.edits:
                raise Wrong(f"rule {rule.name}: no test, or no file")

    def read(self, path):
        page = feature = rule = edit = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if edit and line[:1] in (" ", "-", "+") and line:
                edit.add(line)
                continue
            edit = None
            if not line.strip() or line.startswith("#"):
                continue
            key, _, value = line.partition(" ")
            value = value.strip()
            try:
                if key == "page":
                    page = value
                elif key == "feature":
                    feature = Feature(value, page, path.name)
                    self.features.append(feature)
                elif key == "section":
                    feature.section = value
                elif key == "also":
                    feature.also = words(value)
                elif key == "shares":
                    feature.shares = words(value)
                elif key == "rule":
                    if value in self.rules:
                        raise Wrong(f"rule {value} stands twice")
                    rule = self.rules[value] = Rule(value)
                    feature.rules.append(value)
                elif key == "test":
                    rule.test, _, rule.pattern = value.partition(" ")
                elif key == "file":
                    edit = Edit(value)
                    rule.edits.append(edit)
                else:
                    raise Wrong(f"unknown word {key}")
            except (Wrong, AttributeError) as error:
                raise Wrong(f"{path}:{number}: {error}") from None


def lines_of(file):
    try:
        return pathlib.Path(file).read_text().splitlines()
    except OSError as error:
        raise Wrong(f"{file}: {error.strerror}") from None


def mutated(rule, root="."):
    """What the rule's files are without it: {file: lines}"""
    files = {}
    for edit in rule.edits:
        before = files.get(edit.file) or lines_of(pathlib.Path(root) / edit.file)
        # a text must be unique in the source as it stands
        edit.place(lines_of(pathlib.Path(root) / edit.file))
        files[edit.file] = edit.apply(before)
    return files


# --- the tables --------------------------------------------------------------

def function_at(lines, at):
    """The function whose body holds a line, or None"""
    for line in reversed(lines[:at]):
        if line.startswith("}"):
            return None
        match = re.match(r"[A-Za-z_].*?(R\(\w+\)|\b[a-z_]\w*)\(", line)
        if match and not line.endswith(";"):
            return match.group(1)
    return None


def shown(file, page):
    """A file as the page names it: from its own room, from kmod, or from the top"""
    for room in (str(pathlib.Path(page).parent), "kmod"):
        if file.startswith(room + "/"):
            return file[len(room) + 1:]
    return file


def row(rules, feature):
    files, tests = {}, []
    for name in feature.rules + feature.shares:
        rule = rules[name]
        for edit in rule.edits:
            lines = lines_of(edit.file)
            function = function_at(lines, edit.place(lines))
            names = files.setdefault(edit.file, [])
            if function and function not in names:
                names.append(function)
        if rule.test not in tests:
            tests.append(rule.test)
    for file in feature.also:
        if not pathlib.Path(file).exists():
            raise Wrong(f"feature {feature.name}: no file {file}")
        if file.startswith(("selftests/", "scripts/check.d/")):
            tests.append(file)
        else:
            files.setdefault(file, [])
    cells = (feature.name, feature.section,
             ", ".join(" ".join([shown(file, feature.page)] + [f"`{n}`" for n in names])
                       for file, names in files.items()),
             ", ".join(tests), ", ".join(feature.rules + feature.shares))
    return "| " + " | ".join(cells) + " |"


BEGIN = "<!-- made by scripts/mutate.sh --tables from scripts/mutations -->"
END = "<!-- end -->"


def with_table(rules, page):
    """The page as it stands, and as it should stand"""
    text = pathlib.Path(page).read_text()
    head, found, rest = text.partition(BEGIN + "\n")
    _, found_end, tail = rest.partition(END)
    if not found or not found_end:
        raise Wrong(f"{page} has no markers {BEGIN} and {END}")
    table = ["| feature | section | file | test | rules |", "|---|---|---|---|---|"]
    table += [row(rules.rules, f) for f in rules.features if f.page == page]
    return text, head + found + "\n".join(table) + "\n" + END + tail


def pages(rules):
    return list(dict.fromkeys(feature.page for feature in rules.features))


def write_tables(rules):
    for page in pages(rules):
        text, wanted = with_table(rules, page)
        if text != wanted:
            pathlib.Path(page).write_text(wanted)
            print(f"{page}: written")


def check_texts(rules):
    """TAP: a test for each list, one for each table"""
    tap = Tap()
    for chapter in rules.chapters:
        wrong = []
        for feature in rules.features:
            for name in feature.rules if feature.chapter == chapter else ():
                try:
                    mutated(rules.rules[name])
                except Wrong as error:
                    wrong.append(f"{name}: {error}")
        tap.tell(not wrong, f"scripts/mutations/{chapter}: each text stands once in its file", *wrong)
    for page in pages(rules):
        try:
            text, wanted = with_table(rules, page)
            wrong = [] if text == wanted else ["scripts/mutate.sh --tables makes another one"]
        except Wrong as error:
            wrong = [str(error)]
        tap.tell(not wrong, f"{page}: the table is the lists'", *wrong)
    return tap.end()


# --- taking rules out --------------------------------------------------------

class Programs:
    """The compiler, and the sources of each test program, as the Makefile gives them"""

    def __init__(self):
        with open(BUILD / "programs", encoding="utf-8") as lines:
            self.compiler = lines.readline().split()
            self.sources = {line.split()[0]: line.split()[1:] for line in lines}
        self.needs = {}
        self.lock = threading.Lock()
        self.good = {}

    def depends(self, source):
        """The files that a source includes, from the compiler's own list"""
        if source not in self.needs:
            text = (BASE / source).with_suffix(".d").read_text()
            words = text.replace("\\\n", " ").replace(":", " ").split()
            # a header of another room is named by way of the room that includes it
            self.needs[source] = {os.path.normpath(word) for word in words}
        return self.needs[source]

    def link(self, test, output, fresh=()):
        """@fresh: {source: object} that stand for those of the base"""
        objects = [str(fresh[s]) if s in fresh else str((BASE / s).with_suffix(".o"))
                   for s in self.sources[test]]
        return run([*self.compiler, "-pthread", "-o", str(output), *objects, "-Wl,--as-needed",
                    "-lcmocka", "-ljson-c", "-lmpfr", "-lz", "-lm"])

    def passes_with(self, rule):
        """Does the test pass while the rule is in? Says why not."""
        with self.lock:
            program = BUILD / "base" / rule.test
            if rule.test not in self.sources:
                return f"no test program {rule.test}"
            if (rule.test, "") not in self.good:
                done = self.link(rule.test, program)
                if done.returncode:
                    return f"{rule.test} does not link\n{done.stdout}"
                self.good[rule.test, ""] = None
            key = (rule.test, rule.pattern)
            if key not in self.good:
                code, output = run_test(program, rule.pattern)
                # A pattern that matches nothing would prove nothing.
                self.good[key] = (f"{rule.test} {rule.pattern} fails with the rule in" if code else
                                  None if re.search("^ok ", output, re.M) else
                                  f"{rule.test} has no test {rule.pattern}")
            return self.good[key]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **options)


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def run_test(program, pattern):
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", TORUS_TEST_FILTER=pattern)
    try:
        done = run([program], env=env, stdin=subprocess.DEVNULL, timeout=WALL_SECONDS,
                   preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return 124, f"no end after {WALL_SECONDS} s"
    return done.returncode, done.stdout


class Tree:
    """A copy of the sources, for one worker"""

    def __init__(self, number):
        self.root = BUILD / f"tree{number}"
        shutil.rmtree(self.root, ignore_errors=True)
        # tests and other scripts are compiled in place of the base's, too
        for room in ("kmod", "user", "include", "scripts"):
            shutil.copytree(room, self.root / room, ignore=lambda _, names: [
                n for n in names if n.endswith((".o", ".cmd", ".mod", ".ko"))])

    def without(self, rule, programs):
        """One rule taken out: a line of TAP, and what was said"""
        wrong = programs.passes_with(rule)
        if wrong:
            return f"not ok - {rule.name}: {wrong}", ""
        try:
            files = mutated(rule)
        except Wrong as error:
            return f"not ok - {rule.name}: {error}", ""
        try:
            for file, lines in files.items():
                (self.root / file).write_text("\n".join(lines) + "\n")
            return self.judge(rule, set(files), programs)
        finally:
            for file in files:
                shutil.copy(file, self.root / file)

    def judge(self, rule, files, programs):
        fresh = {}
        for source in programs.sources[rule.test]:
            if not files & programs.depends(source):
                continue
            target = self.root / "out" / f"{len(fresh)}.o"
            target.parent.mkdir(exist_ok=True)
            # What only the rule used may be unused without it.
            done = run([*programs.compiler, "-Wno-error", "-c", "-o", target.relative_to(self.root),
                        source], cwd=self.root)
            if done.returncode:
                return f"not ok - {rule.name}: does not compile without it", done.stdout
            fresh[source] = target
        if not fresh:
            return f"not ok - {rule.name}: {rule.test} does not use its files", ""
        program = self.root / "out" / rule.test
        done = programs.link(rule.test, program, fresh)
        if done.returncode:
            return f"not ok - {rule.name}: does not link without it", done.stdout
        code, output = run_test(program.absolute(), rule.pattern)
        if code:
            return f"ok - {rule.name}: {rule.test} {rule.pattern}", ""
        return f"not ok - {rule.name}: {rule.test} {rule.pattern} passes without the rule", output


def take_out(rules, names):
    programs = Programs()
    unknown = [name for name in names if name not in rules.rules]
    if unknown:
        raise Wrong("no such rule: " + " ".join(unknown))
    chosen = [rules.rules[name] for name in names or rules.rules]
    free = [Tree(number) for number in range(min(WORKERS, len(chosen)))]
    passed = failed = 0

    def one(rule):
        tree = free.pop()
        try:
            return tree.without(rule, programs)
        finally:
            free.append(tree)

    with concurrent.futures.ThreadPoolExecutor(len(free)) as pool:
        for line, said in pool.map(one, chosen):
            passed += line.startswith("ok")
            failed += not line.startswith("ok")
            print(line, flush=True)
            if said:
                print("".join(f"# {text}\n" for text in said.splitlines()[:20]), end="")
    print(f"{passed} passed, {failed} failed")
    return failed


def main(arguments):
    try:
        rules = List()
        if arguments == ["--texts"]:
            return check_texts(rules)
        if arguments == ["--tables"]:
            write_tables(rules)
            return 0
        return bool(take_out(rules, arguments))
    except Wrong as error:
        print(f"not ok - {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
