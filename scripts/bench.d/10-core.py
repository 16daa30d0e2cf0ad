# SPDX-License-Identifier: GPL-2.0
"""The core's speed: uniform traffic on Blue Gene/L, one thread, at 90 % and saturated, packets
of one size and of mixed sizes.

Of each, the median of REPEATS runs, in processor time.  Beside each stands what the same
minute gave to a small program of dependent arithmetic and dependent loads, so that tables
from different or busy machines can be compared.
"""
import os
import statistics
import subprocess

import paired

CALIBRATE = "build/bench/calibrate"
# shape, wanted M packet-hops a CPU-second, ticks of warm-up and window: about as many
# packet-hops each
SHAPES = (("8x8x8", 4, 20000, 400000), ("16x16x16", 4, 8000, 60000),
          ("32x32x32", 2.5, 10000, 10000))


def calibrate():
    out = subprocess.run([CALIBRATE], capture_output=True, text=True, check=True)
    return [float(word) for word in out.stdout.split()]


def row(shape, wanted, load, size, warmup, cycles):
    options = paired.words("bgl", shape, load, size, warmup, cycles)
    found = paired.in_turns({"machine": calibrate, "run": lambda: paired.run(paired.SIM, options)})
    runs = found["run"]
    assert len({r["delivery_hash"] for r in runs}) == 1, "the same run, another hash"
    rates = [paired.rate(r) for r in runs]
    rate = statistics.median(rates)
    step = statistics.median(pair[0] for pair in found["machine"])
    load_ns = statistics.median(pair[1] for pair in found["machine"])
    first = runs[0]
    events = first["perf"]["events"] / first["perf"]["packet_hops"]
    label = f"{shape} load {load} size {size}"
    print(f"{label:30} {rate:6.2f} {min(rates):6.2f} {max(rates):6.2f} {wanted:5.1f}"
          f" {rate / wanted:6.2f}x {1e3 / rate:7.1f} {events:6.2f}"
          f" {first['memory_bytes'] / first['nodes']:7.0f}"
          f" {100 * first['link_utilization']['mean']:7.2f}"
          f" {step:6.2f} {load_ns:7.1f} {1e3 / rate / load_ns:6.2f}", flush=True)


def beside(load):
    """Cray XT's packet-hops a CPU-second beside Blue Gene/L's, about as many of each."""
    bgl = paired.words("bgl", "8x8x8", load, "256", 20000, 120000)
    xt = paired.words("xt", "8x8x8", load, "72", 12000, 68000)
    found = paired.in_turns({"bgl": lambda: paired.rate(paired.run(paired.SIM, bgl)),
                             "xt": lambda: paired.rate(paired.run(paired.SIM, xt))})
    print(f"xt beside bgl, 8x8x8 load {load}: {paired.ratio_text(found['xt'], found['bgl'])}"
          f" (wanted 0.33)", flush=True)


def main():
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-O2", "-o", CALIBRATE, "scripts/bench.d/calibrate.c"], check=True)
    print(f"bgl, uniform, one thread, median of {paired.REPEATS} (M packet-hops a CPU-second)")
    print("  wanted: least acceptable rate; arith, load: ns of the calibrating program;")
    print("  hop/load: a packet-hop in loads from memory")
    print(f"{'':30} {'Mhop/s':>6} {'least':>6} {'most':>6} {'want':>5} {'ratio':>7} {'ns/hop':>7}"
          f" {'ev/hop':>6} {'B/node':>7} {'links%':>7} {'arith':>6} {'load':>7} {'hop/ld':>6}")
    for size in ("256", "32:256"):
        for shape, wanted, warmup, cycles in SHAPES:
            for load in (0.9, 1.2):
                row(shape, wanted, load, size, warmup, cycles)
    for load in (0.5, 0.7, 0.9):
        beside(load)


if __name__ == "__main__":
    main()
