# SPDX-License-Identifier: GPL-2.0
"""The check of lab 1: the record of the device, on two machines that follow from the student's name."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import lab

HERE = pathlib.Path(__file__).resolve().parent
CLEARED_BY_READ = range(0x6c, 0x7f)
ERRORS, NEIGHBOUR, NODE, CLEARED, DIRECTIONS = 7, 1, 0, 13, 6
READS_MIN = 20
MEMORY_MAX, FILE_MAX = 1 << 30, 1 << 25		# bytes, for compiler and linker
NOT_STARTED = 127
FLAGS = ("-std=gnu11", "-O1", "-g", "-Wall", "-Wno-unused", "-fno-pie")


def exercise(_draw):
    return {"machine": "a Blue Gene/L; your program finds the rest"}


def machine(draw):
    """A machine, a node at its edge, and counts of errors."""
    shape = [draw.randrange(3, 7) for _ in range(3)]
    node = [draw.randrange(length) for length in shape]
    low, high = draw.sample(range(3), 2)
    node[low], node[high] = 0, shape[high] - 1
    inputs = draw.sample(range(0x6c, 0x72), 3)
    others = draw.sample(range(0x72, 0x7f), 4)
    counts = {register: draw.randrange(1, 5000) for register in sorted(inputs + others)}
    return shape, node, counts


def limit():
    """Limit a compiler: the file of a student can ask for any time, memory and space on the disk."""
    for kind, most in ((resource.RLIMIT_CPU, lab.SECONDS), (resource.RLIMIT_AS, MEMORY_MAX),
                       (resource.RLIMIT_FSIZE, FILE_MAX)):
        resource.setrlimit(kind, (most, most))


def translate(build, *words):
    """Run a tool on the student's file, without a terminal; return what it prints."""
    with open(build / "said", "w+", encoding="utf-8", errors="replace") as said:
        with subprocess.Popen(words, cwd=build, stdin=subprocess.DEVNULL, stdout=said,
                              stderr=subprocess.STDOUT, preexec_fn=limit,
                              start_new_session=True) as tool:
            try:
                status = tool.wait(lab.SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(tool.pid, signal.SIGKILL)
                raise
        said.seek(0)
        text = said.read()
    if status:
        raise lab.Rejected(f"{words[0]} says: {text.strip()[:600]}")
    return text


def compile_program(work, build):
    """Compile the student's file, and nothing else of the directory."""
    (build / "registers.c").write_text(work.read("registers.c"), encoding="utf-8")
    translate(build, "gcc", *FLAGS, f"-I{HERE}", "-c", "registers.c")
    permitted = (HERE / "symbols").read_text().split()
    for line in translate(build, "nm", "-u", "registers.o").splitlines():
        symbol = line.strip().partition(" ")[2]
        if symbol not in permitted:
            raise lab.Rejected(f"registers.c uses {symbol}, which is not in the list of symbols")
    translate(build, "gcc", *FLAGS, "-no-pie", "-static", f"-I{HERE}", "-o", "program", HERE / "lab.c",
              "registers.o")


def run_device(build, draw):
    """Run the program with the device; return the events of the record."""
    shape, node, counts = machine(draw)
    output = build / "output"
    with open(output, "wb") as file:
        done = subprocess.run(
            [lab.tool("lab/registers", "lab-registers"), "x".join(map(str, shape)),
             ",".join(map(str, node)), build / "record", build / "program",
             *(f"{register:#x}={count}" for register, count in counts.items())],
            stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, text=True, check=False,
            timeout=lab.SECONDS)
    text = output.read_text(encoding="utf-8", errors="replace")
    if text:
        print("the program prints:\n" + lab.printable(text[:2000]), file=sys.stderr)
    if done.returncode:
        raise lab.Rejected(done.stderr.strip())
    return [json.loads(line) for line in (build / "record").read_text().splitlines()]


def judge_end(events):
    end = events[-1]
    accesses = len(events) - 2
    if any(event["event"] == "limit" for event in events):
        raise lab.Rejected("the program accesses the device without end")
    if end["late"] or end["signal"] in (signal.SIGXCPU, signal.SIGKILL):
        raise lab.Rejected(f"the program does not end; it was stopped after {accesses} accesses")
    if end["signal"] == signal.SIGSYS:
        raise lab.Rejected("the program uses a system call that is not permitted")
    if end["signal"] == signal.SIGXFSZ:
        raise lab.Rejected("the program prints more than 1 MiB")
    if end["status"] == NOT_STARTED:
        raise lab.Rejected("the program could not be started: are seccomp filters permitted here?")
    if end["signal"]:
        raise lab.Rejected(f"the program is killed by {signal.Signals(end['signal']).name} after "
                           f"{accesses} accesses to the device")


def wanted_coordinates(device, read):
    """Return the packed coordinates of the node and of its neighbours."""
    node, shape = device["node"], device["shape"]

    def packed(coords):
        return coords[0] << 16 | coords[1] << 8 | coords[2]
    wanted = [packed(node)]
    for direction in range(DIRECTIONS):
        coords = list(node)
        dim, step = direction // 2, 1 - 2 * (direction % 2)
        coords[dim] = (coords[dim] + step) % shape[dim]
        wanted.append(packed(coords))
    assert read["2"] == wanted[0]
    return wanted


def judge(events):
    """Return the rules that one run keeps."""
    judge_end(events)
    device = events[0]
    before = device["registers"]
    wanted = wanted_coordinates(device, before)
    reads, answers, cleared, wrong = set(), {}, set(), False
    for event in events[1:-1]:
        wrong |= event["event"] in ("write", "unknown") or event["event"] == "read" and event["error"] != 0
        if event["event"] == "read":
            reads.add(event["at"])
        elif event["event"] == "answer" and event["at"] == CLEARED:
            cleared.add(event["value"])
        elif event["event"] == "answer":
            # An answer before the first read does not count.
            answers[event["at"]] = event["value"] if reads else None
    lost = {register for register in CLEARED_BY_READ if before[str(register)]}
    return {
        "node": answers.get(NODE) == wanted[0] and 2 in reads,
        "neighbours": all(answers.get(NEIGHBOUR + d) == wanted[1 + d] for d in range(DIRECTIONS)) and
                      2 in reads,
        "errors": all(answers.get(ERRORS + d) == before[str(0x6c + d)] and 0x6c + d in reads
                      for d in range(DIRECTIONS)),
        "cleared": cleared == lost and lost <= reads,
        "quiet": not wrong and len(reads) >= READS_MIN,
    }


def check(this, work, student):
    with tempfile.TemporaryDirectory() as directory:
        build = pathlib.Path(directory)
        compile_program(work, build)
        runs = [judge(run_device(build, this.random(student, part))) for part in ("", "again")]
    passed = {rule: all(run[rule] for run in runs) for rule in runs[0]}
    # A program that finds nothing is quiet, too.
    passed["quiet"] = passed["quiet"] and any(passed[rule] for rule in passed if rule != "quiet")
    yield from passed.items()
