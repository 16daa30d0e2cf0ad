# SPDX-License-Identifier: GPL-2.0
"""Build the drivers of students, run them in the VM, and find what the kernel reports.

A check boots a VM of its own, so a driver that crashes disturbs no other one. The kernel is the debug
kernel if it was built, otherwise Debian's; LAB_KERNEL=debian chooses the latter.
"""
import fnmatch
import glob
import json
import os
import pathlib
import re
import resource
import secrets
import shutil
import signal
import subprocess
import tempfile

import lab

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
MEMORY_MAX, FILE_MAX = 3 << 30, 1 << 26		# bytes, for each process of a build
CPU_SECONDS, BUILD_SECONDS, VM_SECONDS = 60, 900, 7200
SILENCE = 170					# seconds without a line after which a VM is ended
STALL = ("rcupdate.rcu_cpu_stall_timeout=10 sysctl.kernel.panic_on_rcu_stall=1 "
         "sysctl.kernel.softlockup_panic=1 sysctl.kernel.watchdog_thresh=10")
KINDS = (		# (pattern of a report, what it means)
    (r"soft lockup|rcu.*self-detected stall|rcu.*detected stalls", "an endless loop"),
    (r"sleeping function called from invalid context|scheduling while atomic",
     "sleeps in atomic context"),
    (r"possible recursive locking|possible circular locking|inconsistent lock state|"
     r"possible irq lock inversion|HARDIRQ-safe", "a deadlock"),
    (r"KASAN: use-after-free|slab-use-after-free", "uses memory that is freed"),
    (r"KASAN", "accesses memory that is not its own"),
    (r"NULL pointer dereference|unable to handle|general protection fault|Oops|UBSAN", "an oops"),
    (r"WARNING|BUG", "a warning of the kernel"),
)
MESSAGES = (		# messages of the bus about a driver's mistakes, and the function to look at
    (r"the driver has left \d+ DMA mapping.*", ("dma_map_page_attrs", "dma_alloc_attrs",
                                                "dma_pool_alloc")),
    (r"DMA fault: .*", ()),
    (r"unmap of .*", ("dma_unmap_page_attrs",)),
    # The names of Linux 6.1 and 6.12
    (r"sync of .*", ("dma_sync_single_for_cpu", "dma_sync_single_for_device",
                     "__dma_sync_single_for_cpu", "__dma_sync_single_for_device")),
)


def limit():
    """Limit a compiler: the file of a student can ask for any time, memory and space on the disk."""
    for kind, most in ((resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_AS, MEMORY_MAX),
                       (resource.RLIMIT_FSIZE, FILE_MAX)):
        resource.setrlimit(kind, (most, most))


def call(*words, limits=None, env=None, seconds=BUILD_SECONDS):
    """Run a tool without a terminal; return its status and its output."""
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(list(map(str, words)), cwd=TOP, stdin=subprocess.DEVNULL, stdout=said,
                              stderr=subprocess.STDOUT, preexec_fn=limits, env=env,
                              start_new_session=True) as tool:
            try:
                status = tool.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(tool.pid, signal.SIGKILL)
                raise
        said.seek(0)
        return status, said.read().decode(errors="replace")


def output(*words):
    status, text = call(*words)
    if status:
        lab.fail(f"{' '.join(map(str, words))}: {text.strip()[-600:]}")
    return text.strip()


class Kernel:
    """A kernel for the VM, and the headers and modules of torus for it."""

    def __init__(self):
        self.debug = self.image = None
        self.include = TOP / "include"
        environment = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        environment.pop("MAKEFLAGS", None)
        environment.pop("MAKELEVEL", None)
        self.env = environment
        if not (TOP / "scripts/vm.sh").exists():
            lab.fail("a lab with a driver needs a clone of torus: it runs in its VM")
        if os.environ.get("LAB_KERNEL", "") != "debian":
            status, text = call(TOP / "scripts/debug-kernel.sh", "--built")
            self.debug = None if status else pathlib.Path(text.strip().splitlines()[-1])
        if self.debug:
            self.tree = self.debug
            self.modules = self.build_modules()
            self.image = self.debug / "arch/x86/boot/bzImage"
        else:
            release = output(TOP / "scripts/kernel-version.sh")
            self.tree, self.modules = pathlib.Path(f"/usr/src/linux-headers-{release}"), TOP

    @classmethod
    def installed(cls):
        """Without a clone: the headers that `make install-dkms' or torus-dkms has installed."""
        kernel = cls.__new__(cls)
        kernel.debug, kernel.env = None, dict(os.environ)
        torus = os.environ.get("LAB_TORUS") or max(glob.glob("/usr/src/torus-*"), default="")
        tree = os.environ.get("LAB_KDIR") or max(glob.glob("/usr/src/linux-headers-*-amd64"), default="")
        if not torus or not tree:
            lab.fail("neither a clone of torus nor the package torus-dkms, or no headers of a kernel")
        kernel.include, kernel.tree = pathlib.Path(torus, "include"), pathlib.Path(tree)
        kernel.modules = pathlib.Path(torus)
        return kernel

    def build_modules(self):
        """Build torus for the debug kernel, in a copy of the sources."""
        copy = TOP / "build/lab/torus"
        copy.mkdir(parents=True, exist_ok=True)
        for name in ("Kbuild", "kmod", "include"):
            subprocess.run(["cp", "-ru", "--preserve=timestamps", TOP / name, copy], check=True)
        # Objects of the other kernel came with the sources.
        stamp = copy / "kernel"
        if not stamp.exists() or stamp.read_text() != str(self.tree):
            for path in [*copy.rglob("*.o"), *copy.rglob(".*.cmd")]:
                path.unlink()
            stamp.write_text(str(self.tree))
        status, text = call("make", "-j2", "-C", self.tree, f"M={copy}", "UBSAN_SANITIZE=y", "modules",
                            env=self.env, seconds=3600)
        if status:
            lab.fail(f"the modules do not build for the debug kernel: {text[-600:]}")
        return copy

    def make(self, directory):
        """Build the modules of a directory against the headers and Module.symvers of torus."""
        symbols = [self.modules / "Module.symvers", directory.parent / "driver/Module.symvers"]
        return call("make", "-k", "-j2", "-C", self.tree, f"M={directory}",
                    "KBUILD_EXTRA_SYMBOLS=" + " ".join(str(file) for file in symbols if file.exists()),
                    "KBUILD_MODPOST_WARN=1",
                    f"LAB_INCLUDE=-I{self.include} -I{self.include}/uapi -I{HERE}/module",
                    "UBSAN_SANITIZE=y", "modules", limits=limit, env=self.env)


class Driver:
    """A student's driver: its directory, its build, and what became of it."""

    def __init__(self, this, work, student, name):
        self.this, self.student, self.name = this, student, name
        self.source = this.module.SOURCE
        self.text = work.read(self.source)
        self.build = self.directory = None
        self.rules, self.verdicts, self.problem = {}, [], ""
        self.began = self.ended = False

    def prepare(self, directory):
        self.build = directory / self.name
        self.build.mkdir()
        (self.build / self.source).write_text(self.text, encoding="utf-8")
        (self.build / "Kbuild").write_text(
            f"obj-m := {self.module}.o\n{self.module}-y := " + self.source.replace(".c", ".o") +
            "\nccflags-y := -g $(LAB_INCLUDE)\n", encoding="ascii")

    @property
    def module(self):
        """The module's name; the names of modules that are built at once must differ."""
        return f"lab_{self.name}"

    @property
    def ko(self):
        return self.build / f"{self.module}.ko"

    def job(self):
        """Return what bench.py needs."""
        return {"name": self.name, "ko": str(self.ko),
                "seed": f"{self.this.name} {self.student}",
                "check": str(self.this.directory / "check.py"),
                "bounce": getattr(self.this.module, "BOUNCE", False)}

    @property
    def object(self):
        return self.build / self.source.replace(".c", ".o")

    def check_symbols(self):
        """Reject a driver that uses what the lab does not permit."""
        permitted = [line for file in (HERE / "symbols", self.this.directory / "symbols")
                     for line in file.read_text().splitlines() if line and line[0] != "#"]
        for line in output("nm", "-u", self.object).splitlines():
            symbol = line.split()[-1]
            if not any(fnmatch.fnmatchcase(symbol, pattern) for pattern in permitted):
                self.problem = (f"{self.source} uses {symbol}, which is not in the list of symbols"
                                f"{self.line_of_call(symbol)}")
                return

    # ------------------------------------------------------------ places in the source

    def line(self, place, back=1):
        """Return FILE:LINE of a place like "function+0x12/0x34".

        A return address is that of the next instruction, so the line is that of a byte before.
        """
        match = re.match(r"([\w.]+)\+0x([0-9a-f]+)", place)
        if not match:
            return place
        for row in output("nm", self.object).splitlines():
            fields = row.split()
            if len(fields) == 3 and fields[2] == match[1]:
                at = int(fields[0], 16) + max(int(match[2], 16) - back, 0)
                return self.address(self.section(match[1]), at) or place
        return place

    def section(self, symbol):
        for row in output("objdump", "-t", self.object).splitlines():
            if row.endswith(" " + symbol):
                return row.split("\t")[0].split()[-1]
        return ".text"

    def address(self, section, at):
        """Return FILE:LINE of an instruction: the line of the source that has called inline functions."""
        for row in output("addr2line", "-i", "-j", section, "-e", self.object, f"{at:#x}").splitlines():
            name, _, number = row.split(" (")[0].rpartition(":")
            if pathlib.Path(name).name == self.source and number.isdigit():
                return f"{self.source}:{number}"
        return ""

    def line_of_call(self, *symbols):
        """Return " (at FILE:LINE, ..)" of the references to symbols."""
        lines, section = [], ".text"
        for row in output("objdump", "-r", self.object).splitlines():
            if row.startswith("RELOCATION RECORDS FOR"):
                section = row.split("[")[1].split("]")[0]
                continue
            fields = row.split()
            if len(fields) == 3 and re.split(r"[-+]", fields[2])[0] in symbols and \
                    section.startswith((".text", ".init.text", ".exit.text")):
                lines.append(self.address(section, int(fields[0], 16)))
        return " (" + ", ".join(sorted(set(filter(None, lines)))) + ")" if any(lines) else ""

    def frames(self, text):
        """Return the lines of the driver in a report, innermost first, without doubtful places."""
        found = []
        for line in text.splitlines():
            match = re.search(r"(\? )?([\w.]+\+0x[0-9a-f]+)/0x[0-9a-f]+ \[lab_\w+\]", line)
            if match and not match[1]:
                found.append(self.line(match[2], 0 if "RIP:" in line else 1))
        return list(dict.fromkeys(found))

    def where(self, text):
        lines = self.frames(text)
        return " at " + ", called from ".join(lines[:3]) if lines else ""

    # ------------------------------------------------------------------ the results

    def judge(self, results, log, report):
        """Take the rules from the VM's results, and the verdicts from the kernel's log."""
        hang = ""
        for line in results.splitlines():
            entry = json.loads(line)
            self.began = True
            if "rule" in entry:
                self.rules[entry["rule"]] = entry["passed"]
            if "leaks" in entry:
                self.verdicts += [f"leaks memory that is allocated at {self.line(place)}"
                                  for place in entry["leaks"]]
            if "irqs" in entry:
                self.verdicts.append("leaves an interrupt handler"
                                     f"{self.line_of_call('request_threaded_irq')}")
            if "message" in entry:
                self.verdicts.append(entry["message"])
            hang = entry.get("hang", hang)
            self.ended |= "end" in entry
        if hang:
            self.verdicts.append(f"{hang} does not return{self.where(log)}")
        else:
            self.judge_log(log, report)
        if self.began and not self.ended and not self.verdicts:
            self.verdicts.append("the VM has ended while the driver ran")
        if any(self.rules.values()):
            self.rules["kernel"] = self.ended and not hang and not re.search(report, log)

    def judge_log(self, log, report):
        for pattern, symbols in MESSAGES:
            found = re.findall(pattern, log)
            if found:
                self.verdicts.append(found[0].strip() + self.line_of_call(*symbols))
        first = re.search(report, log)
        if not first:
            return
        text = log[log.rfind("\n", 0, first.start()) + 1:]
        head = "\n".join(text.splitlines()[:3])
        kind = next((kind for pattern, kind in KINDS if re.search(pattern, head)), "a report")
        self.verdicts.append(f"{kind}{self.where(text)}: {text.splitlines()[0].strip()[:160]}")


class Batch:
    """Drivers that share a VM as long as it survives."""

    def __init__(self, drivers, kernel=None):
        self.drivers = drivers
        self.kernel = kernel or Kernel()

    @property
    def report(self):
        """The first line of a report of the kernel, as a regular expression."""
        text = (TOP / "scripts/lib/kernel-report.bash").read_text()
        return "|".join(re.findall(r"kernel_report\+?='\|?(.*)'", text)) + \
            "|INFO: task|self-detected stall|detected stalls"

    def run(self):
        with tempfile.TemporaryDirectory() as directory:
            self.build(pathlib.Path(directory))
            left = [driver for driver in self.drivers if not driver.problem]
            while left:
                self.boot(pathlib.Path(directory), left)
                rest = [driver for driver in left if not driver.began]
                if len(rest) == len(left):
                    lab.fail("no driver has run in the VM")
                left = rest

    def build(self, directory):
        shutil.copytree(HERE, directory / "driver", ignore=shutil.ignore_patterns("__pycache__"))
        for driver in self.drivers:
            driver.prepare(directory)
        (directory / "Kbuild").write_text(
            "obj-m := driver/ " + " ".join(f"{driver.name}/" for driver in self.drivers) + "\n",
            encoding="ascii")
        _, text = self.kernel.make(directory)
        if not (directory / "driver/torus_lab.ko").exists():
            # A driver that is no module ends the build of all.
            _, text = self.kernel.make(directory / "driver")
            if not (directory / "driver/torus_lab.ko").exists():
                lab.fail(f"torus_lab does not build: {text[-1000:]}")
            for driver in self.drivers:
                self.kernel.make(driver.build)
        for driver in self.drivers:
            self.check_build(driver, text)

    def check_build(self, driver, text):
        if driver.object.exists():
            driver.check_symbols()
        if not driver.problem and not driver.ko.exists():
            _, text = self.kernel.make(driver.build)
            lines = [line for line in text.splitlines() if re.search("error|ERROR", line)]
            driver.problem = "the compiler says: " + "\n".join(lines)[:600].replace(
                f"{driver.build}/", "")

    def options(self):
        """Return the options of vm.sh for the kernel."""
        image = ["--kernel", self.kernel.image, "-m", "2048"] if self.kernel.image else []
        return ["--append", f"{STALL} slub_debug=U", *image]

    def job(self, directory, drivers, nonce):
        """Write what bench.py needs; return the file."""
        job = directory / "job.json"
        job.write_text(json.dumps({
            "nonce": nonce, "modules": str(self.kernel.modules), "labs": str(lab.LABS),
            "tools": str(TOP / "build"), "lab_ko": str(directory / "driver/torus_lab.ko"),
            "report": self.report, "drivers": [driver.job() for driver in drivers]}))
        return job

    def boot(self, directory, drivers):
        """Run drivers in one VM until one of them makes it unusable."""
        nonce, results = secrets.token_hex(8), directory / "results"
        job = self.job(directory, drivers, nonce)
        _, said = call(TOP / "scripts/vm.sh", "--silence", SILENCE, "--results", results, "--bare",
                       *self.options(), "--", "python3", "-B", HERE / "bench.py", job,
                       env=self.kernel.env, seconds=VM_SECONDS)
        log = self.log(results, said)
        for driver in drivers:
            file = results / f"{driver.name}.jsonl"
            _, begin, part = log.partition(f"torus-lab {nonce} begin {driver.name}\n")
            # A kernel that dies at once may leave its mark in the log, but no file.
            driver.began = bool(begin) or file.exists()
            if driver.began:
                part = part.partition(f"torus-lab {nonce} end {driver.name}\n")[0]
                driver.judge(file.read_text() if file.exists() else "", part, self.report)
        if os.environ.get("LAB_DEBUG"):
            print(said[-6000:])

    @staticmethod
    def log(results, said):
        """Return the kernel's log: of a VM that has ended well, has crashed, or hangs."""
        kept = re.search(r"is kept in (\S+)", said)
        place = pathlib.Path(kept[1]) if kept else results / ".vm/dmesg"
        if not place.exists():
            place = TOP / "build/vm/console.log"
        text = place.read_bytes().decode(errors="replace").replace("\r", "")
        if kept:
            place.unlink()
        return re.sub(r"^\[ *\d+\.\d+\] ", "", text, flags=re.MULTILINE)


def check(this, work, student):
    """The check of a lab with a driver."""
    driver = Driver(this, work, student, "student")
    batch = Batch([driver])
    batch.run()
    yield from finish(driver, batch)


def finish(driver, batch):
    if driver.problem:
        raise lab.Rejected(driver.problem)
    yield from driver.rules.items()
    if not batch.kernel.debug:
        driver.this.notes.append("without the debug kernel (scripts/debug-kernel.sh), sleeping in "
                                 "atomic context, deadlocks that do not happen and the use of freed "
                                 "memory are not found")
    if driver.verdicts:
        raise lab.Verdict("; ".join(driver.verdicts))


def build(this, work, student):
    """Build a driver, and reject it if it uses what is not permitted; no VM is needed."""
    driver = Driver(this, work, student, "student")
    batch = Batch([driver], None if (TOP / "scripts/vm.sh").exists() else Kernel.installed())
    with tempfile.TemporaryDirectory() as directory:
        batch.build(pathlib.Path(directory))
    if driver.problem:
        raise lab.Rejected(driver.problem)
    print(f"{driver.source}: can be loaded")
    return 0


def shell(this, work, student):
    """A shell in the VM, with the driver built and the fabric of the student's exercise."""
    driver = Driver(this, work, student, "student")
    batch = Batch([driver])
    with tempfile.TemporaryDirectory() as directory:
        batch.build(pathlib.Path(directory))
        if driver.problem:
            raise lab.Rejected(driver.problem)
        job = batch.job(pathlib.Path(directory), [driver], "shell")
        os.environ.update(PATH=batch.kernel.env["PATH"])
        return subprocess.run([TOP / "scripts/vm.sh", "--bare", *batch.options(), "--", "python3", "-B",
                               HERE / "bench.py", job, "shell"], cwd=TOP, check=False).returncode
