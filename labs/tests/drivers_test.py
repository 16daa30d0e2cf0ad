# SPDX-License-Identifier: GPL-2.0
"""Tests of the labs with a driver, for labs_test.py."""
import os
import pathlib
import subprocess
import sys
import tempfile

import lab
from driver import bench, host

NUMBERS = tuple(str(int(path.parent.name[:2])) for path in sorted(lab.LABS.glob("[0-9]*/driver.c")))
STUDENTS = ("anna", "bela", "carla")
FOREIGN = {		# what a driver would do with it, and the function
    "the address of a function": ("unsigned long kallsyms_lookup_name(const char *);",
                                  'kallsyms_lookup_name("panic");'),
    "a file": ("#include <linux/fs.h>", 'filp_open("/results/driver.jsonl", O_RDWR, 0);'),
    "a probe": ("#include <linux/kprobes.h>", "static struct kprobe probe; register_kprobe(&probe);"),
    "a program": ("#include <linux/umh.h>", 'call_usermodehelper("/bin/true", NULL, NULL, 0);'),
    "the end of the VM": ("#include <linux/reboot.h>", "kernel_power_off();"),
}
PRINTED = "10 of 10 points\\nrule send passed\\n"


class Files:
    """A submission that has only files, instead of a directory."""

    def __init__(self, files):
        self.files = files

    def read(self, name):
        return self.files[name]


class Round:
    """Drivers that are run together, each with what must become of it."""

    def __init__(self):
        self.drivers = []

    def add(self, this, files, student, title, judge):
        driver = host.Driver(this, Files(files), student, f"d{len(self.drivers)}")
        driver.title, driver.judges = f"{this.name}: {title}", judge
        self.drivers.append(driver)

    def run(self, tap):
        if not self.drivers:
            return
        host.Batch(self.drivers).run()
        for driver in self.drivers:
            tap.tell(driver.judges(driver), driver.title, lost(driver), driver.verdicts, driver.problem)


def lost(driver):
    return [rule for rule, _, _ in driver.this.rules if not driver.rules.get(rule)]


def points(driver):
    return driver.this.points({} if driver.problem else driver.rules)


def good(driver):
    return points(driver) == driver.this.most() == 10 and not driver.verdicts


def nothing(driver):
    return points(driver) == 0


def loses(rule):
    return lambda driver: lost(driver) == [rule] and not driver.problem


def reports(text):
    return lambda driver: any(text in verdict for verdict in driver.verdicts) and \
        "kernel" in lost(driver)


def workers(tap):
    """A check that ends early leaves a result that nothing reads."""
    worker = bench.Worker(0)
    worker.start("run", "sh", "-c", "exit 3")
    worker.start("run", "sh", "-c", "exit 4")
    tap.tell(worker.result()[0] == 4, "the result of a call is its own")


def test(tap, numbers, teacher):
    """Solutions, skeletons, mistakes and crashes. Those that crash come last."""
    debug = bool(numbers) and host.Kernel().debug
    workers(tap)
    batch, crashing = Round(), Round()
    for number in numbers:
        this = lab.Lab(number)
        solution = teacher(this)
        for student in STUDENTS:
            batch.add(this, solution.solve(None), student, f"the solution of {student} gets all points", good)
        # The same traffic again: the points must not depend on time.
        batch.add(this, solution.solve(None), STUDENTS[0], "a second time, too", good)
        skeleton = (this.directory / this.module.SOURCE).read_text(encoding="utf-8")
        batch.add(this, {this.module.SOURCE: skeleton}, "anna", "the skeleton gets no point", nothing)
        mistakes = solution.mistakes(None)
        tap.tell(len(mistakes) >= 5, f"{this.name}: there are at least five mistakes")
        for rule, files in mistakes.items():
            batch.add(this, files, "anna", f"a mistake in {rule} loses this rule", loses(rule.strip()))
        for rule, files in solution.debug_mistakes(None).items():
            if debug:
                crashing.add(this, files, "anna", f"a mistake in {rule} loses this rule", loses(rule))
        for text, files in solution.crashes(None).items():
            crashing.add(this, files, "anna", f"a verdict: {text}", reports(text))
    batch.run(tap)
    crashing.run(tap)
    if numbers and not debug:
        print("# without the debug kernel: sleeping in atomic context is not tested")


def pack(tap, directory, teacher):
    """Build the solutions with the archive in a directory, and headers that are installed elsewhere."""
    stage = pathlib.Path(directory, "stage")
    subprocess.run(["make", "-s", "install-dkms", f"DESTDIR={stage}"], cwd=host.TOP, check=True)
    torus, = stage.glob("usr/src/torus-*")
    for number in NUMBERS:
        this = lab.Lab(number)
        work = pathlib.Path(directory, "driver", this.name)
        work.mkdir(parents=True)
        for name, text in teacher(this).solve(None).items():
            (work / name).write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, f"{directory}/labs/lab.py", "build", number, work],
                              env=dict(os.environ, LAB_TORUS=str(torus)), capture_output=True, text=True,
                              check=False)
        tap.tell(done.returncode == 0, f"{this.name}: a driver builds with the archive and the headers",
                 done.stdout, done.stderr)


def with_start(text, body, head=""):
    """Return a driver with statements at the start of its probe()."""
    at = text.index("{", text.index("static int lab_probe(")) + 1
    return {"driver.c": head + "\n" + text[:at] + "\n\t{\n\t\t" + body + "\n\t}\n" + text[at:]}


def cheats(tap, numbers, teacher):
    """Submissions that must get no point. A foreign symbol is named, and the driver is not loaded."""
    batch = Round()
    for number in numbers:
        this = lab.Lab(number)
        solution = teacher(this).solve(None)["driver.c"]
        skeleton = (this.directory / this.module.SOURCE).read_text(encoding="utf-8")
        batch.add(this, with_start(skeleton, f'printk("{PRINTED}");'), "anna",
                  "no points for printed lines", nothing)
        batch.add(this, with_start(skeleton, "return 0;"), "anna",
                  "no points for a driver that succeeds without doing anything", nothing)
        for name, (head, body) in FOREIGN.items():
            symbol = body.split("(")[0].split()[-1]
            batch.add(this, with_start(solution, body, head), "anna",
                      f"no points for a foreign symbol: {name}",
                      lambda driver, symbol=symbol: nothing(driver) and
                      f"uses {symbol}, which is not in the list" in driver.problem)
        batch.add(this, {"driver.c": solution.replace(
            "module_torus_driver(lab_driver);", "static int __init lab_init(void)\n{\n\treturn 0;\n}\n"
            "module_init(lab_init);")}, "anna", "no points for a module that only returns 0", nothing)
        # QEMU ends as if all had passed.
        batch.add(this, with_start(solution, "outb(0x10, 0xf4);", "#include <linux/io.h>"), "anna",
                  "no points for a driver that ends the VM", nothing)
        if number in "359":
            batch.add(this, another(solution), "anna",
                      "no points for packets of another student", nothing)
        cheat_files(tap, this, solution)
    batch.run(tap)


def another(solution):
    """Return a driver that sends and receives always the same packet, to the same node."""
    text = solution.replace("static const struct torus_lab_ops lab_ops", '''
static const u32 packet[8] = { 8 | 2 << 16 | 1 << 24, 0, 1, 2, 3, 4, 5, 6 };

static int another_send(struct torus_device *td, const u32 *words, u32 count)
{
	return lab_send(td, packet, 8);
}

static int another_receive(struct torus_device *td, u32 *words)
{
	memcpy(words, packet, sizeof(packet));
	return 8;
}

static const struct torus_lab_ops lab_ops''')
    return {"driver.c": text.replace(".send = lab_send", ".send = another_send").replace(
        ".receive = lab_receive", ".receive = another_receive").replace(
        "static int lab_receive", "static __maybe_unused int lab_receive")}


def cheat_files(tap, this, solution):
    """Links are rejected, and of a directory only the files of the list are read."""
    with tempfile.TemporaryDirectory() as directory:
        outside, work = pathlib.Path(directory, "outside.c"), pathlib.Path(directory, "work")
        outside.write_text(solution, encoding="utf-8")
        work.mkdir()
        (work / this.module.SOURCE).symlink_to(outside)
        _, problem = this.check(work, "anna")
        tap.tell("links are not permitted" in problem, f"{this.name}: no points for a link", problem)
        (work / this.module.SOURCE).unlink()
        (work / "Makefile").write_text("all:\n\t@echo 10 of 10 points\n", encoding="ascii")
        (work / "Kbuild").write_text("obj-m := other.o\n", encoding="ascii")
        _, problem = this.check(work, "anna")
        tap.tell(this.module.SOURCE in problem, f"{this.name}: no points for a changed Makefile", problem)
