# SPDX-License-Identifier: GPL-2.0
"""Bytes a node: a fabric at rest, and one that is saturated."""
import paired

SHAPES = ("8x8x8", "32x32x32")
TICKS = 10000		# of warm-up, and of the window


def row(name, program, shape):
    rest = paired.run(program, paired.words("bgl", shape, 0.0001, warmup=0, cycles=1))
    full = paired.run(program, paired.words("bgl", shape, 1.2, warmup=TICKS, cycles=TICKS))
    mixed = paired.run(program, paired.words("bgl", shape, 1.2, "32:256", TICKS, TICKS))
    print(f"{shape:10} {name:5}"
          + "".join(f" {r['memory_bytes'] / r['nodes']:9.0f}" for r in (rest, full, mixed))
          + f" {full['perf']['rss_bytes'] / full['nodes']:9.0f}", flush=True)


def main():
    print("bgl, uniform: bytes a node that the fabric has allocated, at rest, saturated by packets")
    print("of 256 bytes and of 32 to 256; resident bytes a node of the whole program, saturated")
    print(f"{'':16} {'rest':>9} {'256':>9} {'32:256':>9} {'resident':>9}")
    for shape in paired.shapes(SHAPES):
        row("here", paired.SIM, shape)
        if paired.BASE:
            row("base", paired.BASE, shape)


if __name__ == "__main__":
    main()
