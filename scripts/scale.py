#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The cost of a hop by machine, size, load, packet sizes, threads and flags.

	scripts/scale.py [--quick]

Rows are ratios or rates of CPU time; two threads are told by wall time, since
that is what they are for.  REPEATS runs each (default 3), medians.
"""
import json
import os
import statistics
import subprocess
import sys

REPEAT = int(os.environ.get("REPEATS") or os.environ.get("BENCH_REPEAT") or "3")
HOPS = 3_000_000


def run(binary, words):
    out = subprocess.run([binary, "run", "--json", *words], capture_output=True, text=True,
                         check=True)
    return json.loads(out.stdout)


def median(binary, words):
    runs = [run(binary, words) for _ in range(REPEAT)]
    best = dict(runs[0])
    for key in ("cpu_s", "wall_s", "packet_hops_per_cpu_s"):
        best["perf"][key] = statistics.median(r["perf"][key] for r in runs)
    return best


def words(arch, shape, load, size, cycles):
    return ["--arch", arch, "--shape", shape, "--pattern", "uniform", "--load", str(load),
            "--size", size, "--warmup", str(cycles // 2), "--cycles", str(cycles)]


def cycles_for(nodes, dirs, wire):
    """Ticks in which about HOPS packet-hops are done."""
    return max(2000, int(HOPS / (nodes * dirs / wire)))


def nodes_of(shape):
    n = 1
    for length in shape.split("x"):
        n *= int(length)
    return n


def row(arch, shape, load, size):
    dirs = 2 * len(shape.split("x"))
    cycles = cycles_for(nodes_of(shape), dirs, 270 if arch == "bgl" else 440)
    r = median("build/torus-sim", words(arch, shape, load, size, cycles))
    perf = r["perf"]
    flits = r["hops_total"] * r["size_bytes"] / 32 / perf["cpu_s"]
    print(f"{arch:7} {shape:20} {load:<5} {size:7} {perf['packet_hops_per_cpu_s'] / 1e6:8.2f} "
          f"{1e9 / perf['packet_hops_per_cpu_s']:7.0f} {flits / 1e6:8.1f} "
          f"{perf['events'] / perf['cpu_s'] / 1e6:8.1f} {r['memory_bytes'] / r['nodes']:8.0f}",
          flush=True)


def threads(shape):
    cycles = cycles_for(nodes_of(shape), 6, 270) * 2
    base = words("bgl", shape, 1.2, "256", cycles)
    one = median("build/torus-sim", base)
    two = median("build/torus-sim", [*base, "--threads", "2"])
    print(f"bgl {shape}: two threads {one['perf']['wall_s'] / two['perf']['wall_s']:.2f} times "
          f"faster by the clock, {two['perf']['cpu_s'] / one['perf']['cpu_s']:.2f} of the CPU time, "
          f"hash {'equal' if one['delivery_hash'] == two['delivery_hash'] else 'DIFFERS'}",
          flush=True)


def flags(shape):
    cycles = cycles_for(nodes_of(shape), 6, 270)
    base = words("bgl", shape, 1.2, "256", cycles)
    user = median("build/torus-sim", base)
    kernel = median("build/kernel-like/torus-sim", base)
    ratio = kernel["perf"]["packet_hops_per_cpu_s"] / user["perf"]["packet_hops_per_cpu_s"]
    print(f"bgl {shape}: with the kernel's flags {100 * ratio:.0f} % of the rate, "
          f"hash {'equal' if kernel['delivery_hash'] == user['delivery_hash'] else 'DIFFERS'}",
          flush=True)


def main():
    quick = "--quick" in sys.argv[1:]
    shapes = ["4x4x4", "8x8x8", "16x16x16"] + ([] if quick else
                                               ["32x16x16", "32x32x32", "64x32x32"])
    print(f"{'machine':7} {'shape':20} {'load':5} {'bytes':7} {'M hop/s':>8} {'ns/hop':>7} "
          f"{'M flit/s':>8} {'M ev/s':>8} {'B/node':>8}")
    for shape in shapes:
        for load in (0.5, 0.9, 1.2):
            for size in ("256", "32:256"):
                row("bgl", shape, load, size)
    for shape in ["8x8x8"] + ([] if quick else ["64x64x64", "16x16x16x16x16"]):
        for load in (0.5, 0.9, 1.2):
            row("kncube", shape, load, "256")
    for shape in ["16x16x16"] + ([] if quick else ["32x32x32"]):
        threads(shape)
    for shape in ["8x8x8", "16x16x16"] + ([] if quick else ["32x32x32"]):
        flags(shape)


if __name__ == "__main__":
    main()
