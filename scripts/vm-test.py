#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Types into the VM: a test of vm.sh, whose terminal is a pseudo-terminal of this
program, and of README.md's tour in the kernel, which is typed there line by line.
Prints TAP.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from tap import Tap

VM = "scripts/vm.sh"
RUN = "build/vm"
# On a busy host nothing is quick; a VM without a terminal that hangs is ended sooner, by
# hang_timeout.py.
LIMIT_SECONDS = 1800
PROMPT = "torus-vm-prompt"
# Colours, bracketed paste, and what readline does to a line as it is typed
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# What does not configure anything
READING = re.compile(r"torusctl (-j )?(\w+ (show|read|check|explain)|monitor|save)|torus-run")
# Files that only the line of an MPI program needs
MPI_FILES = ("/usr/bin/mpirun", "build/torus-fi.so", "build/torus-sim-mpi.so")
# The packets of an MPI job: their number depends on the speed of its ranks.
PACKETS = re.compile(r"([1-9]\d*) packets injected, \1 delivered")
# Lines that a command prints on a terminal while it works
PROGRESS = re.compile(r"^.*\r", re.MULTILINE)


class Stuck(Exception):
    """What was waited for did not come."""


class Typist:
    """vm.sh on a terminal, and who types there."""

    def __init__(self, *arguments):
        self.buffer = ""
        self.commands = 0
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.execv(VM, [VM, *arguments])
        self.before = termios.tcgetattr(self.file)

    def size(self, rows, columns):
        """Sets the window's size."""
        fcntl.ioctl(self.file, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        """Types text as it stands."""
        os.write(self.file, text.encode())

    def read_on(self, seconds):
        """Reads what comes within some seconds; false at the end."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.buffer += data.decode(errors="replace")
        return bool(data)

    def until(self, pattern):
        """Waits for a regular expression; returns what stands before it, and the match."""
        end = time.monotonic() + LIMIT_SECONDS
        while True:
            found = re.search(pattern, self.buffer)
            if found:
                before = self.buffer[:found.start()]
                self.buffer = self.buffer[found.end():]
                return CONTROL.sub("", before), found
            if not self.read_on(1) or time.monotonic() > end:
                raise Stuck(f"waited for {pattern!r}, got {self.buffer[-2000:]!r}")

    def prompt(self):
        """Waits for the next command's prompt; returns what stands before it, and the status."""
        output = ""
        while True:
            before, found = self.until(PROMPT + r" (\d+) (\d+)> ")
            # A prompt is drawn again when the window's size changes.
            output += before
            if int(found[1]) > self.commands:
                self.commands = int(found[1])
                return output, int(found[2])

    def run(self, command):
        """Types a command; returns its output and its exit status."""
        self.type(command + "\n")
        output, status = self.prompt()
        # The first line is what was typed.
        output = output.replace("\r\n", "\n").partition("\n")[2]
        return PROGRESS.sub("", output), status

    def begin(self):
        """Waits for the shell, and gives it a prompt that tells the status."""
        # Others may have the machine for as long as they want.
        while not self.buffer or re.fullmatch(r"(vm: waiting for .*\s*)*", self.buffer):
            print("# waiting for the machine", flush=True)
            self.read_on(20)
        self.until("# ")
        self.type(f"PS1='{PROMPT}'; PS1+=' \\# $?> '\n")
        self.prompt()

    def end(self):
        """Waits for the end of vm.sh; returns its exit status."""
        while self.read_on(LIMIT_SECONDS):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def restored(self):
        """Is the terminal as it was before?"""
        return termios.tcgetattr(self.file) == self.before


def tour():
    """README.md's commands in the kernel, each with the lines that it shows."""
    with open("README.md", encoding="utf-8") as page:
        text = page.read()
    blocks = re.findall(r"^```console\n(# .*?)^```", text, re.MULTILINE | re.DOTALL)
    steps = []
    for line in "".join(blocks).splitlines():
        if line.startswith("# "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def as_shown(output, shown):
    """Is output what the page shows? A line `...` stands for any lines."""
    lines = [".*" if line == "..." else re.escape(PACKETS.sub("N", line)) for line in shown]
    return re.fullmatch("\n".join(lines) if lines else "", PACKETS.sub("N", output).strip("\n"),
                        re.DOTALL) is not None


def left_out(command):
    """Is it the line of an MPI program, of which a file is missing?"""
    return " --mpi " in command and not all(map(os.path.exists, MPI_FILES))


def family(pid):
    """The processes that a process has started, and those that they have."""
    pids = []
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True,
                             text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
    parents = [pid]
    while parents:
        parents = [child for child, parent in pairs if parent in parents]
        pids += parents
    return pids


def alive(pids):
    """Those of the processes which still run, after a while in which they may end."""
    for _ in range(50):
        left = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
        if not left:
            return []
        time.sleep(0.1)
    return left


def left_behind(pids):
    """What is there and must not be, after the end."""
    pipes = [name for name in ("input", "control") if os.path.exists(f"{RUN}/{name}")]
    return [f"process {pid}" for pid in alive(pids)] + [f"{RUN}/{name}" for name in pipes]


def test_tour(tap, vm):
    """README's tour, and each command as an ordinary user as well."""
    for command, shown in tour():
        if left_out(command):
            print(f"# README, left out, because Open MPI or libfabric is missing: {command}", flush=True)
            continue
        user = f"setpriv --reuid 65534 --clear-groups {command}"
        reading = READING.match(command)
        if not reading:
            output, status = vm.run(user)
            tap.tell(status != 0 and "requires CAP_NET_ADMIN" in output,
                     f"README, an ordinary user is refused: {command}", status, output)
        output, status = vm.run(command)
        tap.tell(status == 0 and as_shown(output, shown), f"README: {command}",
                 f"exit status {status}", output)
        if reading:
            same, status = vm.run(user)
            # A simulation prints its cost, which differs.
            equal = as_shown(same, shown) if " --mpi " in command else same == output
            tap.tell(status == 0 and equal,
                     f"README, an ordinary user sees the same: {command}", status, same)


def test_shell(tap):
    """A session at the prompt."""
    vm = Typist()
    try:
        test_session(tap, vm)
    except Stuck:
        os.kill(vm.pid, signal.SIGTERM)
        vm.end()
        raise


def test_session(tap, vm):
    """What is typed there, from the first prompt to the end."""
    vm.size(33, 101)
    vm.begin()
    tap.tell(True, "make vm: a prompt")
    output, _ = vm.run("stty size")
    tap.tell(output == "33 101\n", "the window's size is told", output)
    vm.size(40, 90)
    for _ in range(50):
        output, _ = vm.run("stty size")
        if output == "40 90\n":
            break
    tap.tell(output == "40 90\n", "and its change", output)
    # A shell as a child: Ctrl-C must not come between two commands.
    vm.type("sh -c 'echo begun; exec sleep 1000'\n")
    vm.until("begun\r\n")
    vm.type("\x03")
    output, status = vm.prompt()
    tap.tell(status == 130, "Ctrl-C ends the command, not the VM", status, output)
    vm.type("torusctl fab\t")
    vm.until("fabric ")
    vm.type("sho\t\n")
    _, status = vm.prompt()
    tap.tell(status == 0, "completion is on, the module is loaded, the tools are in PATH", status)
    vm.type("\x1b[A")
    vm.until("torusctl fabric show ")
    vm.type("\n")
    _, status = vm.prompt()
    tap.tell(status == 0, "history is on")

    test_tour(tap, vm)

    pids = family(vm.pid)
    vm.type("exit 0\n")
    status = vm.end()
    tap.tell(status == 0, "exit ends the VM", status)
    left = left_behind(pids)
    tap.tell(len(pids) >= 3 and not left, "nothing is left behind", *left)
    tap.tell(vm.restored(), "the terminal is as before")


def test_pipe(tap):
    """Commands with pipes, and those who wait for the machine."""
    first = subprocess.Popen(
        [VM, "--", "sh", "-c", "torusctl -j fabric show && echo first; cat >/run/copy", "--",
         "sh", "-c", "sha256sum </run/copy; cat /dev/stdin; exit 7", "--", "echo", "never"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = first.stdout.readline()
    tap.tell(said.strip() == b"[]", "the module is loaded, and the tools are in PATH", said)
    said = first.stdout.readline()
    tap.tell(said == b"first\n", "a command's output comes as it is printed", said)
    second = subprocess.Popen([VM, "--", "sleep", "1000"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    told = second.stderr.readline()
    want = f"vm: waiting for process {first.pid} ({VM} -- sh -c torusctl -j fabric show"
    tap.tell(told.startswith(want) and re.search(r"since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$", told),
             "who waits is told who holds the VM", told)
    data = bytes(range(256)) * 2000
    out, err = first.communicate(data)
    digest = subprocess.run(["sha256sum"], input=data, capture_output=True, check=True).stdout
    tap.tell(out == digest, "standard input is the commands', whole, with an end", out)
    tap.tell(first.returncode == 7 and b"status 7" in err,
             "commands run one after the other until one fails", first.returncode, err)
    test_kill(tap, second)


def test_kill(tap, vm):
    """QEMU is killed while its command runs."""
    pids = []
    qemu = None
    for _ in range(LIMIT_SECONDS * 10):
        pids = family(vm.pid)
        for pid in pids:
            try:
                if os.readlink(f"/proc/{pid}/exe").partition("/qemu")[1]:
                    qemu = pid
            except FileNotFoundError:
                pass
        if qemu:
            break
        time.sleep(0.1)
    if not qemu:
        tap.tell(False, "QEMU runs")
        return
    os.kill(qemu, signal.SIGKILL)
    _, err = vm.communicate(timeout=LIMIT_SECONDS)
    tap.tell(vm.returncode == 125 and "guest crashed" in err,
             "a QEMU that is killed is a guest that died", vm.returncode, err)
    kept = re.search(r"is kept in (\S+)", err)
    tap.tell(kept and os.path.exists(kept.group(1)), "the log of a guest that died is kept", err)
    left = left_behind(pids)
    tap.tell(not left, "nothing is left behind of it", *left)


def main():
    """All of it; each machine is one boot."""
    tap = Tap()
    for test in (test_shell, test_pipe):
        try:
            test(tap)
        except Stuck as stuck:
            tap.tell(False, test.__doc__, stuck)
    return tap.end()


sys.exit(main())
