# SPDX-License-Identifier: GPL-2.0
"""Tofu and Cray XT compared with Blue Gene/L on as many nodes: packet-hops a second of processor
time, and bytes a node. Uniform traffic, one thread, in turns; packets of 256 bytes, on Cray XT of
72 bytes. The warm-up fills the network."""
import statistics

import paired

# Machine, its shapes with those of Blue Gene/L, loads, bytes of a packet, least ticks of the warm-up:
# more than a packet takes to the farthest node.
MACHINES = (
    ("tofu", (("12x12x8", "4x4x6"), ("24x16x16", "8x8x8"), ("32x32x24", "16x16x8")),
     (0.3, 0.9), "256", 4000),
    ("xt", tuple((shape, shape) for shape in ("8x8x8", "16x16x16", "24x24x24", "32x32x32")),
     (0.3, 0.6, 0.8, 0.9), "72", 15000),
)
NODES_PER_GROUP = {"tofu": 12, "xt": 1}


def run(arch, shape, load, nodes_like, size, warmup):
    """About as many packet-hops on each machine, by the nodes of Blue Gene/L's shape."""
    ticks = paired.ticks_for(arch, nodes_like)
    return paired.run(paired.SIM, paired.words(arch, shape, load, size, max(warmup, ticks // 5),
                                               ticks))


def compare(arch, bgl, shape, load, size, warmup):
    """Print one line: a machine and Blue Gene/L in turns."""
    assert paired.nodes_of(bgl) == NODES_PER_GROUP[arch] * paired.nodes_of(shape), "as many nodes"
    calls = {
        "bgl": lambda: run("bgl", bgl, load, bgl, "256", 0),
        arch: lambda: run(arch, shape, load, bgl, size, warmup),
    }
    found = paired.in_turns(calls)
    rates = {name: [paired.rate(r) for r in found[name]] for name in calls}
    memory = found[arch][0]["memory_bytes"] / found[arch][0]["nodes"]
    print(f"{bgl:10} {arch:5} {shape:9} {load:<4} {statistics.median(rates['bgl']):10.2f} "
          f"{statistics.median(rates[arch]):7.2f} {paired.ratio_text(rates[arch], rates['bgl']):>18}"
          f" {memory:7.0f}", flush=True)


def main():
    print(f"medians of {paired.REPEATS} paired ratios [quartiles]; SHAPES: shapes of Blue Gene/L")
    print(f"{'bgl':10} {'with':15} {'load':4} {'bgl Mhop/s':>10} {'with':>7} {'ratio':>18} "
          f"{'B/node':>7}")
    for arch, shapes, loads, size, warmup in MACHINES:
        wanted = paired.shapes(bgl for bgl, _ in shapes)
        for bgl, shape in shapes:
            for load in loads if bgl in wanted else ():
                compare(arch, bgl, shape, load, size, warmup)


if __name__ == "__main__":
    main()
