# SPDX-License-Identifier: GPL-2.0
"""What domains cost: 64 of them on one thread against one, processor time, in turns.

A thread simulates its domains as one; apart is what a division costs each of many threads.
"""
import os

import paired

SHAPES = ("16x16x16", "32x32x32", "64x32x32")
DOMAINS = os.environ.get("DOMAINS", "64")
LOAD = 0.9


def row(name, program, shape, *more):
    options = paired.words("bgl", shape, LOAD)
    found = paired.in_turns({
        "one": lambda: paired.run(program, options),
        "many": lambda: paired.run(program, [*options, "--domains", DOMAINS, *more]),
    })
    seconds = {key: [r["perf"]["cpu_s"] for r in runs] for key, runs in found.items()}
    hashes = {r["delivery_hash"] for runs in found.values() for r in runs}
    print(f"{shape:10} {name:5} {paired.ratio_text(seconds['many'], seconds['one']):>18} "
          f"{'equal' if len(hashes) == 1 else 'DIFFER'}", flush=True)


def main():
    print(f"bgl, uniform, load {LOAD}, 256 bytes: CPU time of {DOMAINS} domains on one thread, "
          f"times that of one; medians of {paired.REPEATS} [quartiles]")
    for shape in paired.shapes(SHAPES):
        row("here", paired.SIM, shape)
        row("apart", paired.SIM, shape, "--apart")
        if paired.BASE:
            row("base", paired.BASE, shape)


if __name__ == "__main__":
    main()
