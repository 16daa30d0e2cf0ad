#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The rules of scripts/mutations: check them, or remove each from the sources and run its test.

scripts/mutate.sh builds the objects that this program links, and runs it.
"""
import concurrent.futures
import fnmatch
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
HEADERS = (pathlib.Path("include"), pathlib.Path("include/uapi"))
BUILD = pathlib.Path("build/mutate")
BASE = BUILD / "base"
WORKERS = 2
# A mutated program may loop, wait indefinitely or exhaust memory: the limits make it fail.
CPU_SECONDS, WALL_SECONDS, MEMORY_BYTES = 60, 600, 4 << 30


class Wrong(Exception):
    """An error in a list."""


def text_of(file):
    try:
        return pathlib.Path(file).read_text()
    except OSError as error:
        raise Wrong(f"{file}: {error.strerror}") from None


def definitions(text, name):
    """Spans of the functions, arrays, structures and enumerations that have this name."""
    head = rf"^\w[^;{{}}]*?\b{name}\)?\([^;{{}}]*\)\s*\n|^\w[^;{{}}()\n]*\b{name}\b[^;{{}}()\n]*"
    return [found.span() for found in re.finditer(rf"(?:{head})\{{.*?^\}}", text, re.M | re.S)]


class Edit:
    """A substitution in a function, or in a file."""

    def __init__(self, place):
        self.place = place
        self.file, _, self.function = place.partition(" ")
        self.old = self.new = None

    def substitute(self, words):
        """Parse OLD => NEW."""
        self.old, arrow, self.new = re.match(r"(.*?)( =>|$) ?(.*)", words).groups()
        if not arrow or not self.old or self.old == self.new:
            raise Wrong("not of the form OLD => NEW")

    def span(self, text):
        """Where the old text stands. A blank matches any white space; words match whole."""
        if self.old is None:
            raise Wrong(f"{self.place}: no substitution")
        pattern = r"\s+".join(map(re.escape, self.old.split()))
        pattern = (r"\b" if self.old[0].isidentifier() else "") + pattern
        pattern += r"\b" if re.match(r"\w", self.old[-1]) else ""
        bodies = definitions(text, self.function) if self.function else [(0, len(text))]
        if not bodies:
            raise Wrong(f"{self.place}: no such definition")
        found = [match.span() for body in bodies
                 for match in re.compile(pattern).finditer(text, *body)]
        if len(found) != 1:
            raise Wrong(f"{self.place}: {len(found)} matches, not one: {self.old}")
        return found[0]


class Rule:
    """A rule, its test, and the edits that remove it."""

    def __init__(self, name):
        self.name, self.test, self.pattern, self.edits, self.sources = name, None, None, [], []

    def check_source(self):
        """The rule cites a paper, or a name that a public header has."""
        if len(self.sources) != 1:
            raise Wrong(f"rule {self.name}: needs one line paper or abi")
        key, value = self.sources[0]
        if key == "abi":
            header, _, name = value.partition(" ")
            paths = [room / header for room in HEADERS if (room / header).exists()]
            if not paths or not re.search(rf"\b{name}\b", text_of(paths[0])):
                raise Wrong(f"rule {self.name}: no {name} in {header}")

    def check_test(self):
        """The rule names a test program, and tests in it."""
        paths = [path for root in ("kmod", "user") for path in
                 pathlib.Path(root).glob(f"**/tests/**/{self.test}.c")]
        if not paths:
            raise Wrong(f"rule {self.name}: no test program {self.test}")
        tests = re.findall(r"\bcmocka_unit_test\w*\((\w+)", text_of(paths[0]))
        if self.pattern and not fnmatch.filter(tests, self.pattern):
            raise Wrong(f"rule {self.name}: {self.test} has no test {self.pattern}")

    def mutated(self):
        """The files without the rule: {file: text}."""
        texts, edits = {}, {}
        for edit in self.edits:
            texts[edit.file] = texts.get(edit.file) or text_of(edit.file)
            edits.setdefault(edit.file, []).append((edit.span(texts[edit.file]), edit.new))
        for file, found in edits.items():
            for (start, end), new in sorted(found, reverse=True):
                texts[file] = texts[file][:start] + new + texts[file][end:]
        return texts


def read(path, rules):
    """Add the rules of a list to a dictionary by name."""
    rule = None
    for number, line in enumerate(text_of(path).splitlines(), 1):
        key, _, value = line.partition(" ")
        value = value.strip()
        try:
            if not key or key == "#":
                continue
            if key == "rule":
                if value in rules:
                    raise Wrong(f"rule {value} is defined twice")
                rule = rules[value] = Rule(value)
            elif rule is None:
                raise Wrong(f"{key} before the first rule")
            elif key in ("paper", "abi"):
                rule.sources.append((key, value))
            elif key == "test":
                rule.test, _, rule.pattern = value.partition(" ")
            elif key == "in":
                rule.edits.append(Edit(value))
            elif key == "s" and rule.edits:
                if rule.edits[-1].old is not None:
                    rule.edits.append(Edit(rule.edits[-1].place))
                rule.edits[-1].substitute(value)
            else:
                raise Wrong(f"unexpected word {key}")
        except Wrong as error:
            raise Wrong(f"{path}:{number}: {error}") from None
    for rule in rules.values():
        if not rule.test or not rule.edits:
            raise Wrong(f"{path}: rule {rule.name}: no test, or nothing to edit")
    return rules


def check_lists():
    """TAP: one test per list."""
    tap, names = Tap(), {}
    for path in sorted(LISTS.glob("*.list")):
        before, wrong = set(names), []
        try:
            read(path, names)
        except Wrong as error:
            wrong.append(str(error))
        for name in [name for name in names if name not in before]:
            try:
                names[name].check_source()
                names[name].check_test()
                names[name].mutated()
            except Wrong as error:
                wrong.append(f"{name}: {error}")
        tap.tell(not wrong, f"{path}: each rule has its source, its test, and its text once", *wrong)
    return tap.end()


class Programs:
    """The compiler and the sources of each test program, as the Makefile prints them."""

    def __init__(self):
        with open(BUILD / "programs", encoding="utf-8") as lines:
            self.compiler = lines.readline().split()
            self.sources = {line.split()[0]: line.split()[1:] for line in lines}
        self.needs = {}
        self.lock = threading.Lock()
        self.good = {}

    def depends(self, source):
        """The files that a source includes, from the compiler's dependency file."""
        if source not in self.needs:
            text = (BASE / source).with_suffix(".d").read_text()
            words = text.replace("\\\n", " ").replace(":", " ").split()
            # A path may lead through the directory of the file that includes it.
            self.needs[source] = {os.path.normpath(word) for word in words}
        return self.needs[source]

    def link(self, test, output, fresh=()):
        """Link a test; @fresh: {source: object} that replace those of the base."""
        objects = [str(fresh[s]) if s in fresh else str((BASE / s).with_suffix(".o"))
                   for s in self.sources[test]]
        return run([*self.compiler, "-pthread", "-o", str(output), *objects, "-Wl,--as-needed",
                    "-lcmocka", "-ljson-c", "-lmpfr", "-lz", "-lm"])

    def fails_with(self, rule):
        """Why the test does not pass on the sources as they are, or None."""
        with self.lock:
            program = BASE / rule.test
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
                # A pattern that matches no test would prove nothing.
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
    """A copy of the sources, for one worker."""

    def __init__(self, number):
        self.root = BUILD / f"tree{number}"
        shutil.rmtree(self.root, ignore_errors=True)
        # A source may include one of tests or of scripts.
        for room in ("kmod", "user", "include", "scripts"):
            shutil.copytree(room, self.root / room, ignore=lambda _, names: [
                n for n in names if n.endswith((".o", ".cmd", ".mod", ".ko"))])

    def without(self, rule, programs):
        """Remove one rule and run its test: a line of TAP, and the output that explains it."""
        wrong = programs.fails_with(rule)
        if wrong:
            return f"not ok - {rule.name}: {wrong}", ""
        try:
            texts = rule.mutated()
        except Wrong as error:
            return f"not ok - {rule.name}: {error}", ""
        try:
            for file, text in texts.items():
                (self.root / file).write_text(text)
            return self.judge(rule, set(texts), programs)
        finally:
            for file in texts:
                shutil.copy(file, self.root / file)

    def judge(self, rule, files, programs):
        fresh = {}
        for source in programs.sources[rule.test]:
            if not files & programs.depends(source):
                continue
            target = self.root / "out" / f"{len(fresh)}.o"
            target.parent.mkdir(exist_ok=True)
            # A function that only the rule calls is unused without it.
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


def take_out(names):
    """Remove the named rules in turn, or all of them; return the number that failed."""
    rules = {}
    for path in sorted(LISTS.glob("*.list")):
        read(path, rules)
    unknown = [name for name in names if name not in rules]
    if unknown:
        raise Wrong("unknown rule: " + " ".join(unknown))
    programs = Programs()
    chosen = [rules[name] for name in names or rules]
    free = [Tree(number) for number in range(min(WORKERS, len(chosen)))]
    failed = 0

    def one(rule):
        tree = free.pop()
        try:
            return tree.without(rule, programs)
        finally:
            free.append(tree)

    with concurrent.futures.ThreadPoolExecutor(len(free)) as pool:
        for line, said in pool.map(one, chosen):
            failed += not line.startswith("ok")
            print(line, flush=True)
            print("".join(f"# {text}\n" for text in said.splitlines()[:20]), end="")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return failed


def main(arguments):
    try:
        return check_lists() if arguments == ["--texts"] else bool(take_out(arguments))
    except Wrong as error:
        print(f"not ok - {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
