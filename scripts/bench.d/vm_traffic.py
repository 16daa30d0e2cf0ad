# SPDX-License-Identifier: GPL-2.0
"""Inside the VM, as root: `torusctl traffic` and torus-sim with the same workload, in turns.

The module's processor time is that of its fabric's thread, by the scheduler's own count.  An
emulator translates code when it first runs, and memory is first touched then: the first pair
does not count.
"""
import glob
import json
import os
import subprocess

import paired

SHAPE = os.environ.get("TORUS_SHAPE", "16x16x16")
REPEATS = int(os.environ.get("TORUS_REPEATS", "3"))
LOAD, CYCLES, WARMUP = "0.9", "4000", "1000"
FABRIC = "bench"


def torusctl(*words):
    out = subprocess.run(["build/torusctl", *words], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(f"bench: torusctl {' '.join(words)}: {out.stderr.strip()}")
    return out.stdout


def threads():
    """The processes of the fabric's threads."""
    found = []
    for name in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(name, encoding="ascii") as file:
                if file.read().strip().startswith(f"torus/{FABRIC}"):
                    found.append(os.path.dirname(name))
        except OSError:
            pass	# it has ended
    return found


def thread_seconds():
    total = 0
    for process in threads():
        with open(f"{process}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def module(size):
    before = thread_seconds()
    answer = json.loads(torusctl("-j", "traffic", FABRIC, "--pattern", "uniform", "--load", LOAD,
                                 "--size", size, "--cycles", CYCLES, "--warmup", WARMUP))
    return answer, answer["hops_total"] / (thread_seconds() - before) / 1e6


def program(size):
    answer = paired.run(paired.SIM, paired.words("bgl", SHAPE, LOAD, size, int(WARMUP),
                                                 int(CYCLES)))
    return answer, answer["hops_total"] / answer["perf"]["cpu_s"] / 1e6


def row(size):
    calls = {"module": lambda: module(size), "program": lambda: program(size)}
    paired.in_turns(calls, 1)
    found = paired.in_turns(calls, REPEATS)
    rates = {key: [rate for _, rate in runs] for key, runs in found.items()}
    hashes = {answer["delivery_hash"] for runs in found.values() for answer, _ in runs}
    middle = {key: sorted(values)[len(values) // 2] for key, values in rates.items()}
    print(f"{SHAPE:10} {size:7} {middle['module']:8.3f} {middle['program']:9.3f} "
          f"{paired.ratio_text(rates['module'], rates['program']):>18} "
          f"{'equal' if len(hashes) == 1 else 'DIFFER'}", flush=True)


def main():
    if not os.path.isdir("/sys/module/torus"):
        subprocess.run(["insmod", "build/torus.ko"], check=True)
    torusctl("fabric", "add", FABRIC, "arch", "bgl", "shape", SHAPE, "seed", "1")
    print(f"bgl, uniform, load {LOAD}, in the VM: M packet-hops a CPU-second of `torusctl traffic` "
          f"and of torus-sim; medians of {REPEATS} paired ratios [quartiles]")
    print(f"{'':18} {'module':>8} {'torus-sim':>9} {'ratio':>18} hashes")
    try:
        for size in ("256", "32:256"):
            row(size)
    finally:
        torusctl("fabric", "del", FABRIC)


if __name__ == "__main__":
    main()
