# SPDX-License-Identifier: GPL-2.0
"""Machines beside Blue Gene/L: packet-hops a second of processor time, uniform traffic of packets of
256 bytes on as many nodes, one thread, in turns."""
import statistics

import paired

# shape of Blue Gene/L, shape in groups of twelve
SHAPES = (("12x12x8", "4x4x6"), ("24x16x16", "8x8x8"))
LOADS = (0.3, 0.9)


def options(arch, shape, load, bgl):
    """About as many packet-hops on each machine, by the nodes of Blue Gene/L's shape."""
    return paired.words(arch, shape, load, cycles=paired.ticks_for(arch, bgl))


def main():
    print(f"medians of {paired.REPEATS} paired ratios [quartiles]")
    print(f"{'bgl':10} {'tofu':8} {'load':4} {'bgl Mhop/s':>10} {'tofu':>7} {'tofu to bgl':>18}")
    for bgl, tofu in SHAPES:
        assert paired.nodes_of(bgl) == 12 * paired.nodes_of(tofu), "as many nodes"
        for load in LOADS:
            calls = {
                "bgl": lambda: paired.run(paired.SIM, options("bgl", bgl, load, bgl)),
                "tofu": lambda: paired.run(paired.SIM, options("tofu", tofu, load, bgl)),
            }
            found = paired.in_turns(calls)
            rates = {arch: [paired.rate(r) for r in found[arch]] for arch in calls}
            print(f"{bgl:10} {tofu:8} {load:<4} {statistics.median(rates['bgl']):10.2f} "
                  f"{statistics.median(rates['tofu']):7.2f} "
                  f"{paired.ratio_text(rates['tofu'], rates['bgl']):>18}", flush=True)


if __name__ == "__main__":
    main()
