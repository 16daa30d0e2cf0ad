#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Test the checks of the labs.

	labs_test.py test [LAB...]      solutions get all points, skeletons none, a mistake loses its rule
	labs_test.py cheats [LAB...]    no points for printed lines, another student's answers, and so on
	labs_test.py class [LAB...]     marks of a class of 30, of whom three hand in what crashes

LAB is a number (default: all). Prints TAP. Submissions of labs without a driver are checked by `lab.py
check', as a teacher does it. Drivers share a VM as long as it survives.
"""
import csv
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent
LABS = TESTS.parent
sys.dont_write_bytecode = True
sys.path += [str(LABS), str(LABS.parent / "scripts")]
import lab  # noqa: E402
from tap import Tap  # noqa: E402
import drivers_test  # noqa: E402

NUMBERS = ("1", "6", "7")
STUDENTS = ("anna", "bela", "carla")
SECONDS_MAX = 40
PRINTED = "10 of 10 points\n" * 3


def teacher(this):
    """Load the solution of a lab."""
    spec = importlib.util.spec_from_file_location(
        f"solve_{this.name}", LABS / "teacher" / this.name / "solve.py")
    if str(LABS / "teacher") not in sys.path:
        sys.path.append(str(LABS / "teacher"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Submission:
    """A directory with a skeleton, some files of which are replaced."""

    def __init__(self, this, files, directory):
        self.this = this
        self.path = pathlib.Path(directory) / "work"
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(this.directory, self.path)
        for name, text in files.items():
            (self.path / name).write_text(text, encoding="utf-8")

    def check(self, student):
        """Return the JSON line of lab.py check, and its exit status."""
        number = str(int(self.this.name[:2]))
        done = subprocess.run([sys.executable, LABS / "lab.py", "check", number, self.path, student],
                              capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if not lines or not lines[-1].startswith("{"):
            return {"points": -1, "rules": {}, "problem": done.stdout + done.stderr}, done.returncode
        return json.loads(lines[-1]), done.returncode


def test_lab(tap, number, directory):
    this = lab.Lab(number)
    solution = teacher(this)
    began = time.monotonic()
    for student in STUDENTS:
        files = solution.solve(this.exercise(student))
        got, status = Submission(this, files, directory).check(student)
        tap.tell(got["points"] == this.most() == 10 and status == 0,
                 f"{this.name}: the solution of {student} gets all points", got)
    # A wall time is reported and not asserted: the machine may be busy.
    print(f"# {this.name}: {(time.monotonic() - began) / len(STUDENTS):.1f} s for a check, "
          f"at most {SECONDS_MAX} are wanted")
    got, status = Submission(this, {}, directory).check("anna")
    tap.tell(got["points"] == 0 and status != 0, f"{this.name}: the skeleton gets no point", got)
    mistakes = solution.mistakes(this.exercise("anna"))
    tap.tell(len(mistakes) >= 5, f"{this.name}: there are at least five mistakes")
    for rule, files in mistakes.items():
        got, status = Submission(this, files, directory).check("anna")
        lost = [name for name, passed in got["rules"].items() if not passed]
        tap.tell(lost == [rule.strip()] and status == 1,
                 f"{this.name}: a mistake in {rule} loses this rule", got)


def test_marks(tap, directory):
    this = lab.Lab("6")
    paths = []
    for student in STUDENTS:
        work = Submission(this, teacher(this).solve(this.exercise(student)), directory)
        paths.append(pathlib.Path(directory) / student)
        shutil.copytree(work.path, paths[-1])
    (paths[1] / "answers").write_text("first_resend 1\nfirst_resend 2\n", encoding="ascii")
    done = subprocess.run([sys.executable, LABS / "lab.py", "marks", "6", *paths],
                          capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    tap.tell([(row["name"], row["points"]) for row in rows] ==
             [("anna", "10"), ("bela", "0"), ("carla", "10")] and "twice" in rows[1]["problem"],
             "marks: a line for each directory, in their order", done.stdout, done.stderr)


def test_pack(tap, directory):
    archive = pathlib.Path(directory) / "labs.tar.gz"
    subprocess.run([sys.executable, LABS / "lab.py", "pack", archive], check=True)
    with tarfile.open(archive) as pack:
        names = pack.getnames()
        pack.extractall(directory, filter="data") if hasattr(tarfile, "data_filter") else \
            pack.extractall(directory)
    tap.tell("labs/01-registers/registers.c" in names and "labs/07-deadlock/check.py" in names and
             not [name for name in names if "teacher" in name or "tests" in name or "solve" in name],
             "the archive has the labs, and no answer", *names)
    # As a student: only the archive, and the programs where they are installed
    tools = pathlib.Path(directory) / "tools"
    tools.mkdir()
    shutil.copy(lab.tool("torus-sim"), tools / "torus-sim")
    shutil.copy(lab.tool("lab/registers", "lab-registers"), tools / "lab-registers")
    for number in NUMBERS:
        this = lab.Lab(number)
        work = Submission(this, teacher(this).solve(this.exercise("anna")), directory)
        done = subprocess.run(
            [sys.executable, pathlib.Path(directory) / "labs/lab.py", "check", number, work.path, "anna"],
            env=dict(os.environ, LAB_TOOLS=str(tools)), capture_output=True, text=True, check=False)
        tap.tell(done.returncode == 0, f"{this.name}: a student can check with the archive",
                 done.stdout, done.stderr)


def cheats(this):
    """Yield (name, files, links, student) of submissions that must get no point."""
    task = this.exercise("anna")
    good = teacher(this).solve(task)
    yield "nothing, and a Makefile and a check.py that promise all points", {
        "Makefile": "all check lab-check:\n\t@echo 10 of 10 points\n",
        "check.py": "def exercise(_):\n    return {}\ndef check(*_):\n    yield 'all', True\n",
        "rules": "all 10 -\n"}, {}, "anna"
    name = next(iter(good))
    yield "a link out of the directory", {}, {name: f"../{name}"}, "anna"
    if this.name.startswith("01"):
        yield from program_cheats(good["registers.c"])
        return
    yield "printed lines", {key: PRINTED for key in good}, {}, "anna"


def program(body, head=""):
    return {"registers.c": f'#include <stdint.h>\n{head}\n#include "lab.h"\nvoid lab_main(void)\n'
                           f'{{\n{body}\n}}\n'}


def program_cheats(solution):
    """Programs of lab 1 that must get no point, although most answer all questions first."""
    def solved(body, head=""):
        renamed = f"#define lab_main answer_all\n{solution}\n#undef lab_main\n"
        return program(f"answer_all();\n{body}", f"{head}\n{renamed}")
    headers = "#include <stdlib.h>\n#include <unistd.h>\n#include <dlfcn.h>\n"
    yield "printed lines", program(f"printf({json.dumps(PRINTED)});", "#include <stdio.h>"), {}, "anna"
    yield "_exit(0) as a foreign symbol", solved("_exit(0);", headers), {}, "anna"
    yield "a foreign symbol", solved(
        'if (system("echo 10 of 10 points")) abort();', headers), {}, "anna"
    yield "a foreign symbol from its address", solved(
        'void *handle = dlopen("/lib/x86_64-linux-gnu/libc.so.6", 1); (void)handle;',
        headers), {}, "anna"
    yield "a system call that opens a file", solved(
        'long number = 257, result; __asm__ volatile("syscall" : "=a"(result) : "0"(number), '
        '"D"(-100), "S"("/etc/passwd"), "d"(0) : "rcx", "r11", "memory");'), {}, "anna"
    yield "a system call of 32 bits that opens a file", solved(
        'static const char name[] = "/etc/passwd"; long result; __asm__ volatile("int $0x80" : '
        '"=a"(result) : "0"(5L), "b"(name), "c"(0) : "memory");'), {}, "anna"
    yield "an endless loop", solved("for (;;) ;"), {}, "anna"
    yield "endless accesses", solved("uint32_t value; for (;;) lab_read(2, &value);"), {}, "anna"
    yield "requests without end whose replies are not read", solved(
        'struct lab_request request = { LAB_OP_READ, 2, 0 }; for (;;) { long number = 1; '
        '__asm__ volatile("syscall" : "+a"(number) : "D"(3L), "S"(&request), '
        '"d"(sizeof(request)) : "rcx", "r11", "memory"); }'), {}, "anna"
    yield "output without end", solved(
        'for (;;) puts("10 of 10 points");', "#include <stdio.h>"), {}, "anna"
    yield "a crash", solved("*(volatile int *)16 = 1;"), {}, "anna"
    yield "a source without end", solved("", '#include "/dev/zero"'), {}, "anna"
    yield "a message of the compiler that is not text", solved(
        "", '#include "/bin/true"'), {}, "anna"


class Class:
    """The directories of a class: solutions, some with a mistake, and three that crash."""
    SIZE, CRASHES, MISTAKES = 30, (3, 14, 29), (4, 13, 22)

    def __init__(self, this, directory):
        self.this = this
        self.directory = pathlib.Path(directory) / "class" / this.name
        self.wanted = []
        for index in range(self.SIZE):
            student = f"student{index:02}"
            task = this.exercise(student)
            files, points = teacher(this).solve(task), this.most()
            if index in self.MISTAKES:
                rule, files = list(teacher(this).mistakes(task).items())[index % 5]
                points -= next(int(most) for name, most, _ in this.rules if name == rule.strip())
            work = Submission(this, files, directory)
            if index in self.CRASHES:
                self.crash(work.path, next(iter(files)), self.CRASHES.index(index))
                # A driver keeps the points of the rules that were decided before.
                points = None if "driver.c" in files else 0
            shutil.copytree(work.path, self.directory / student, copy_function=self.copy)
            self.wanted.append((student, points))

    @staticmethod
    def copy(source, destination):
        if pathlib.Path(source).is_fifo():
            os.mkfifo(destination)
        else:
            shutil.copy2(source, destination)

    def crash(self, path, name, kind):
        """Replace a file by one with which the program crashes, or that ends the check."""
        file = path / name
        if name == "driver.c":
            texts = list(teacher(self.this).crashes(None).values())
            file.write_text(texts[kind % len(texts)][name], encoding="utf-8")
            return
        bodies = ("*(volatile int *)16 = 1;", "lab_main();\n__asm__ volatile(\"\");", "for (;;) ;")
        if self.this.name.startswith("01"):
            file.write_text(program(bodies[kind])["registers.c"], encoding="utf-8")
            return
        file.unlink()
        if kind == 0:
            os.mkfifo(file)
        else:
            file.write_bytes((b"\xff\0\xfe" * 100, b"x" * 1000000)[kind - 1])


def class_lab(tap, number, directory):
    this = lab.Lab(number)
    given = Class(this, directory)
    paths = [str(given.directory / student) for student, _ in given.wanted]
    done = subprocess.run(["make", "-s", "lab-marks", f"L={number}", "D=" + " ".join(paths)],
                          cwd=LABS.parent, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    tap.tell(done.returncode == 0 and len(rows) == given.SIZE,
             f"{this.name}: {given.SIZE} directories, {len(rows)} lines", done.stderr)
    tap.tell([(row["name"], None if points is None else int(row["points"]))
              for row, (_, points) in zip(rows, given.wanted)] == given.wanted,
             f"{this.name}: each has its points", done.stdout)
    # A mistake of a driver has a verdict, too, if the kernel reports it.
    crashed = [index for index, row in enumerate(rows) if row["problem"] and
               (index not in given.MISTAKES or number not in drivers_test.NUMBERS)]
    tap.tell(crashed == list(given.CRASHES), f"{this.name}: problems are those of the three", crashed)


def device_events(this):
    """Return the record of the solution on the first machine of anna."""
    build = pathlib.Path(tempfile.mkdtemp())
    try:
        work = Submission(this, teacher(this).solve(None), build)
        this.module.compile_program(lab.Work(work.path), build)
        return this.module.run_device(build, this.random("anna"))
    finally:
        shutil.rmtree(build)


def hard_coded(events):
    """Return a program that repeats the reads and the answers of a record."""
    return program("uint32_t value;\n" + "".join(
        f"lab_read({event['at']}, &value);\n" if event["event"] == "read" else
        f"lab_answer({event['at']}, {event['value']});\n" for event in events[1:-1]))


def cheat_lab(tap, number, directory):
    this = lab.Lab(number)
    for name, files, links, student in cheats(this):
        work = Submission(this, files, directory)
        for link, target in links.items():
            (work.path.parent / link).write_text(teacher(this).solve(this.exercise("anna"))[link],
                                                 encoding="utf-8")
            (work.path / link).unlink()
            (work.path / link).symlink_to(target)
        got, status = work.check(student)
        tap.tell(got["points"] == 0 and status in (1, 2), f"{this.name}: no points for {name}", got)
    if number == "1":
        events = device_events(this)
        tap.tell(all(this.module.judge(events).values()), f"{this.name}: a record of the solution")
        passed = this.module.judge([event for event in events if event["event"] != "read"])
        tap.tell(not any(passed.values()), f"{this.name}: no points for answers without a read",
                 passed)
        files = hard_coded(events)
    else:
        files = teacher(this).solve(this.exercise("bela"))
    got, _ = Submission(this, files, directory).check("anna")
    tap.tell(got["points"] == 0, f"{this.name}: no points for another student's answers", got)


def main():
    tap = Tap()
    wanted = sys.argv[2:] or [*NUMBERS, *drivers_test.NUMBERS]
    numbers = [number for number in NUMBERS if number in wanted]
    drivers = [number for number in drivers_test.NUMBERS if number in wanted]
    with tempfile.TemporaryDirectory() as directory:
        if sys.argv[1:2] == ["test"]:
            for number in numbers:
                test_lab(tap, number, directory)
            if numbers == list(NUMBERS):
                test_marks(tap, directory)
                test_pack(tap, directory)
                drivers_test.pack(tap, directory, teacher)
            drivers_test.test(tap, drivers, teacher)
        elif sys.argv[1:2] == ["class"]:
            for number in numbers + drivers:
                class_lab(tap, number, directory)
        elif sys.argv[1:2] == ["cheats"]:
            for number in numbers:
                cheat_lab(tap, number, directory)
            drivers_test.cheats(tap, drivers, teacher)
        else:
            print(__doc__.strip(), file=sys.stderr)
            return 2
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
