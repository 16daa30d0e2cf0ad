# SPDX-License-Identifier: GPL-2.0
"""This tree against another commit (BASE) and against a program that does nothing but move
packets (LIMIT): uniform traffic on Blue Gene/L, one thread, processor time, in turns."""
import re
import statistics
import subprocess

import paired

SHAPES = ("8x8x8", "16x16x16", "32x32x32", "64x32x32")
LOADS = (0.9, 1.2)
SIZES = ("256", "32:256")


def limit(shape, load, ticks):
    """The limit program's rate; it knows cubes and packets of 256 bytes alone."""
    command = [paired.LIMIT, shape.split("x")[0], "0" if load > 1 else str(round(100 * load)),
               str(ticks // 5), str(ticks), "1"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Mhops/cpu-s=([0-9.]+)", out)
    if not found:
        raise SystemExit(f"bench: {' '.join(command)}: says no rate")
    return float(found.group(1))


def row(shape, load, size):
    options = paired.words("bgl", shape, load, size)
    ticks = paired.ticks_for("bgl", shape)
    calls = {"here": lambda: paired.run(paired.SIM, options)}
    if paired.BASE:
        calls["base"] = lambda: paired.run(paired.BASE, options)
    if paired.LIMIT and size == "256" and len(set(shape.split("x"))) == 1:
        calls["limit"] = lambda: limit(shape, load, ticks)
    found = paired.in_turns(calls)
    here = [paired.rate(r) for r in found["here"]]
    rate = statistics.median(here)
    line = f"{shape:10} {load:<4} {size:7} {rate:7.2f} {1e3 / rate:7.1f}"
    base = [paired.rate(r) for r in found.get("base", [])]
    line += f" {paired.ratio_text(here, base) if base else '-':>18}"
    line += f" {paired.ratio_text(here, found['limit']) if 'limit' in found else '-':>18}"
    hashes = {r["delivery_hash"] for r in found["here"] + found.get("base", [])}
    print(f"{line} {'equal' if len(hashes) == 1 else 'DIFFER'}", flush=True)


def main():
    if not paired.BASE and not paired.LIMIT:
        print("neither BASE nor LIMIT: nothing to compare with")
        return
    print(f"medians of {paired.REPEATS} paired ratios [quartiles]; a load above 1: saturated")
    print(f"{'bgl':10} {'load':4} {'bytes':7} {'Mhop/s':>7} {'ns/hop':>7} {'to base':>18}"
          f" {'to limit':>18} hashes")
    for size in SIZES:
        for load in LOADS:
            for shape in paired.shapes(SHAPES):
                row(shape, load, size)


if __name__ == "__main__":
    main()
