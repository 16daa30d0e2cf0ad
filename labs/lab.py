#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check and mark the labs.

	lab.py exercise LAB NAME       print the exercise of a student
	lab.py check LAB DIR [NAME]    points and hints for one directory, and a line of JSON
	lab.py marks LAB DIR...        a line of CSV for each directory
	lab.py build LAB DIR           build a driver, and compare its functions with the list
	lab.py shell LAB DIR [NAME]    a shell in the VM, with the driver of the directory
	lab.py pack FILE.tar.gz        what students get

LAB is a number, like 6; build and shell need a lab with a driver. NAME seeds the exercise (default: the
name of the directory). The exit status of check is 0 for all points, 1 for fewer, 2 if the check could not
be completed.
"""
import csv
import importlib.util
import json
import os
import pathlib
import random
import stat
import subprocess
import sys
import tarfile
import tempfile

LABS = pathlib.Path(__file__).resolve().parent
BUILD = LABS.parent / "build"
FILE_MAX = 65536
SECONDS = 30


class Rejected(Exception):
    """A submission that cannot be checked; the text says why."""


class Verdict(Exception):
    """A mistake that is found, besides the rules; the text says where."""


def fail(text):
    print(f"lab: {text}", file=sys.stderr)
    sys.exit(2)


def printable(text):
    """Return a text without characters that control a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def tool(*names):
    """Return the path of a program: of the build, of a directory in LAB_TOOLS, or installed."""
    places = os.environ.get("LAB_TOOLS", "").split(":") + [
        str(BUILD), "/usr/local/bin", "/usr/bin", "/usr/local/libexec/torus", "/usr/libexec/torus"]
    for place in filter(None, places):
        for name in names:
            if os.access(f"{place}/{name}", os.X_OK):
                return f"{place}/{name}"
    return fail(f"{names[0]} is neither built nor installed")


def simulate(*words):
    """Run torus-sim; return its results as a dictionary."""
    done = subprocess.run([tool("torus-sim"), "run", *words, "--json"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", check=False,
                          timeout=SECONDS)
    if not done.stdout.startswith("{"):
        raise Rejected(done.stderr.strip() or "torus-sim printed nothing")
    return json.loads(done.stdout)


def trace(pair, *words):
    """Run torus-sim with the packets of one source and destination; return the events."""
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(work, "pair").write_text(pair + "\n", encoding="ascii")
        simulate(*words, "--pattern", f"file:{work}/pair", "--trace", f"{work}/trace.jsonl")
        lines = pathlib.Path(work, "trace.jsonl").read_text(encoding="ascii").splitlines()
        return [json.loads(line) for line in lines]


class Work:
    """A student's directory. Its files are read once, and only as regular files."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not self.directory.is_dir():
            raise Rejected(f"{directory}: must be a directory")
        for path in self.directory.rglob("*"):
            if path.is_symlink():
                raise Rejected(f"link {path.relative_to(directory)}: links are not permitted")

    def read(self, name):
        path = self.directory / name
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise Rejected(f"{name}: must be a file in the directory, not a link: "
                           f"{error.strerror}") from None
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Rejected(f"{name}: must be a regular file")
            data = file.read(FILE_MAX + 1)
        if len(data) > FILE_MAX:
            raise Rejected(f"{name}: must have at most {FILE_MAX} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise Rejected(f"{name}: must be text in UTF-8") from None

    def answers(self, name):
        """Read a file of lines "KEY VALUE..."; text after # is a comment."""
        found = {}
        for number, line in enumerate(self.read(name).splitlines(), 1):
            words = line.split("#")[0].split(maxsplit=1)
            if not words:
                continue
            if words[0] in found:
                raise Rejected(f"{name}:{number}: {words[0]} stands twice")
            found[words[0]] = words[1].strip() if len(words) == 2 else ""
        return found

    def number(self, name, key):
        """Return the whole number of a key; None if it is missing or is none."""
        word = self.answers(name).get(key, "")
        return int(word) if word.isascii() and word.isdigit() and len(word) < 20 else None


class Lab:
    """A lab: its rules, its exercises and its check."""

    def __init__(self, number):
        found = sorted(LABS.glob(f"{int(number):02}-*")) if number.isascii() and number.isdigit() else []
        if not found:
            names = " ".join(str(int(path.name[:2])) for path in sorted(LABS.glob("[0-9][0-9]-*")))
            fail(f"lab {number}: must be one of {names}")
        self.directory = found[0]
        self.name = found[0].name
        self.verdict, self.notes = "", []
        self.rules = [line.split(maxsplit=2)
                      for line in (self.directory / "rules").read_text().splitlines()]
        spec = importlib.util.spec_from_file_location(self.name, self.directory / "check.py")
        self.module = importlib.util.module_from_spec(spec)
        sys.modules["lab"] = sys.modules[__name__]
        spec.loader.exec_module(self.module)

    def random(self, student, part=""):
        """Random numbers that follow from a student's name."""
        return random.Random(f"{self.name} {student} {part}")

    def exercise(self, student):
        return self.module.exercise(self.random(student))

    def check(self, directory, student):
        """Return {rule: passed}, and a message if the check had to end before the last rule.

        Afterwards self.verdict has the mistakes that the kernel reports, and self.notes the limits of
        this check.
        """
        passed = {}
        self.verdict, self.notes = "", []
        try:
            for rule, good in self.module.check(self, Work(directory), student):
                passed[rule] = bool(good)
        except Verdict as verdict:
            self.verdict = printable(str(verdict))
        except Rejected as rejected:
            return passed, printable(str(rejected))
        except subprocess.TimeoutExpired:
            return passed, f"more than {SECONDS} s: an endless loop?"
        unknown = set(passed) - {rule for rule, _, _ in self.rules}
        if unknown:
            fail(f"{self.name}: check.py has rules that the file rules lacks: {sorted(unknown)}")
        return passed, ""

    def points(self, passed):
        return sum(int(points) for rule, points, _ in self.rules if passed.get(rule))

    def most(self):
        return sum(int(points) for _, points, _ in self.rules)


def print_exercise(lab, student):
    print(f"{lab.name}, exercise of {student}:")
    for key, value in lab.exercise(student).items():
        print(f"  {key:12} {value}")


def check(lab, directory, student):
    passed, problem = lab.check(directory, student)
    print_exercise(lab, student)
    for rule, points, hint in lab.rules:
        if passed.get(rule):
            print(f"{points:>3} of {points}  {rule}")
        else:
            print(f"  0 of {points}  {rule}: {hint}")
    for note in lab.notes:
        print(f"note: {note}")
    if lab.verdict:
        print(f"verdict: {lab.verdict}")
    if problem:
        print(f"not checked: {problem}")
    print(f"{lab.points(passed):>3} of {lab.most()} points")
    print(json.dumps({"lab": lab.name, "name": student, "points": lab.points(passed), "of": lab.most(),
                      "rules": {rule: bool(passed.get(rule)) for rule, _, _ in lab.rules},
                      "problem": problem, "verdict": lab.verdict}))
    if problem:
        return 2
    return 0 if lab.points(passed) == lab.most() else 1


def marks(lab, directories):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["name", "points", "of", *(rule for rule, _, _ in lab.rules), "problem"])
    for directory in directories:
        student = pathlib.Path(directory).resolve().name
        try:
            passed, problem = lab.check(directory, student)
        except Exception as error:  # one directory must not end the marks of a class
            passed, problem = {}, printable(f"the check has failed: {type(error).__name__}: {error}")
        out.writerow([student, lab.points(passed), lab.most(),
                      *(points if passed.get(rule) else 0 for rule, points, _ in lab.rules),
                      problem or lab.verdict])
        sys.stdout.flush()


def pack(path):
    """Write an archive of the labs without the answers of labs/teacher."""
    def wanted(info):
        parts = pathlib.PurePath(info.name).parts
        if "teacher" in parts or "tests" in parts or "__pycache__" in parts:
            return None
        info.uid = info.gid = info.mtime = 0
        info.uname = info.gname = "root"
        return info
    with tarfile.open(path, "w:gz") as archive:
        archive.add(LABS, "labs", filter=wanted)


def driver(lab, what, directory, student):
    """Build the driver of a directory, and start a shell in the VM if that is wanted."""
    if not hasattr(lab.module, "SOURCE"):
        numbers = " ".join(str(int(path.parent.name[:2])) for path in sorted(LABS.glob("*/driver.c")))
        fail(f"{lab.name}: has no driver, which {what} needs; labs {numbers} have one")
    student = student or pathlib.Path(directory).resolve().name
    try:
        return getattr(lab.module.host, what)(lab, Work(directory), student)
    except Rejected as rejected:
        return fail(str(rejected))


def main():
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "exercise":
        print_exercise(Lab(words[1]), words[2])
        return 0
    if len(words) in (3, 4) and words[0] == "check":
        student = words[3] if len(words) == 4 else pathlib.Path(words[2]).resolve().name
        return check(Lab(words[1]), words[2], student)
    if len(words) == 3 and words[0] == "build" or len(words) in (3, 4) and words[0] == "shell":
        return driver(Lab(words[1]), words[0], words[2], words[3] if len(words) == 4 else "")
    if len(words) >= 3 and words[0] == "marks":
        marks(Lab(words[1]), words[2:])
        return 0
    if len(words) == 2 and words[0] == "pack":
        pack(words[1])
        return 0
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
