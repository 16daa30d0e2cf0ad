# SPDX-License-Identifier: GPL-2.0
"""The core compiled as the kernel compiles it, against the same core at -O2, in turns."""
import os
import subprocess

import paired

KERNEL_LIKE = "build/kernel-like/torus-sim"
SHAPES = ("8x8x8", "16x16x16", "32x32x32")
LOAD = 0.9


def row(shape, size):
    options = paired.words("bgl", shape, LOAD, size)
    found = paired.in_turns({
        "kernel": lambda: paired.run(KERNEL_LIKE, options),
        "user": lambda: paired.run(paired.SIM, options),
    })
    rates = {key: [paired.rate(r) for r in runs] for key, runs in found.items()}
    hashes = {r["delivery_hash"] for runs in found.values() for r in runs}
    print(f"{shape:10} {size:7} {paired.ratio_text(rates['kernel'], rates['user']):>18} "
          f"{'equal' if len(hashes) == 1 else 'DIFFER'}", flush=True)


def main():
    env = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
    subprocess.run(["make", "-s", KERNEL_LIKE], check=True, stdout=subprocess.DEVNULL, env=env)
    print(f"bgl, uniform, load {LOAD}: rate with the kernel's flags, of that at -O2; "
          f"medians of {paired.REPEATS} [quartiles]")
    for size in ("256", "32:256"):
        for shape in paired.shapes(SHAPES):
            row(shape, size)


if __name__ == "__main__":
    main()
