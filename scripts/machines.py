#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs torus-sim and holds what it prints against what must be.

	scripts/machines.py CASE...	prints TAP; no CASE: lists them

Each case is a function; its text says which number of which paper, or which
law, it stands for.
"""
import json
import subprocess
import sys

from tap import Tap

SIM = "build/torus-sim"


def run(*words):
    """One run; its JSON."""
    out = subprocess.run([SIM, "run", "--json", *words], capture_output=True, text=True)
    if out.returncode not in (0,):
        raise RuntimeError(f"{' '.join(words)}: exit {out.returncode}: {out.stderr.strip()}")
    return json.loads(out.stdout)


class Machines(Tap):
    """Verdicts about documents."""

    def near(self, value, want, within, text):
        self.tell(abs(value - want) <= within, f"{text}: {value:.4g}, wanted {want:g} +- {within:g}")

    def checks(self, r, text):
        c = r["selfcheck"]
        self.tell(c["conservation"] and c["tokens"], f"{text}: packets and tokens add up")


def asymmetric(tap, shape):
    """Adiga et al. (2005), Alltoall: 32x16x16 had 49 % link utilisation, 74 % of the peak."""
    r = run("--arch", "bgl", "--shape", shape, "--pattern", "alltoall", "--packets", "1",
            "--set", "injection=infinite")
    tap.near(100 * r["link_utilization"]["mean"], 49, 6, f"all-to-all {shape}, whole: % of links")
    tap.checks(r, shape)


def asymmetric_small(tap):
    asymmetric(tap, "16x8x8")


def asymmetric_paper(tap):
    asymmetric(tap, "32x16x16")


def symmetric(tap, shape, warmup, cycles, least):
    """Adiga et al. (2005), Alltoall: 98 % of the links, payload 240/270 of it, little on the bubble VC."""
    words = ["--arch", "bgl", "--shape", shape, "--pattern", "alltoall", "--load", "1.2",
             "--warmup", str(warmup), "--cycles", str(cycles)]
    dynamic = run(*words)
    fixed = run(*words, "--set", "routing=deterministic")
    use = dynamic["link_utilization"]["mean"]
    tap.tell(use >= least, f"all-to-all {shape}, dynamic: links {100 * use:.2f} % busy, "
           f"at least {100 * least:g}")
    tap.near(dynamic["payload_utilization"], use * 240 / 270, 0.001, f"{shape}: payload")
    ratio = fixed["link_utilization"]["mean"] / use
    tap.tell(ratio <= 0.75, f"{shape}: deterministic {ratio:.3f} of dynamic, at most 0.75")
    bubble = [vc["share"] for vc in dynamic["vc"] if vc["name"] == "BN"][0]
    tap.tell(bubble < 0.02, f"{shape}: the bubble VC carries {100 * bubble:.3f} %, below 2")
    tap.checks(dynamic, shape)


def symmetric_small(tap):
    symmetric(tap, "16x16x16", 8000, 6000, 0.95)


def symmetric_paper(tap):
    symmetric(tap, "32x32x32", 15000, 10000, 0.95)


def half_busy(tap):
    """64x32x32: "even if every x link is 100% busy, the y and z links can be at most 50% busy"."""
    r = run("--arch", "bgl", "--shape", "64x32x32", "--pattern", "alltoall", "--load", "0.7",
            "--warmup", "12000", "--cycles", "5000")
    use = r["link_utilization"]["per_dimension"]
    for dim in "yz":
        tap.near(use[dim] / use["x"], 0.5, 0.02, f"64x32x32: {dim} links as busy as x links")


def hashes(tap):
    """One result for any number of domains and threads."""
    machines = {
        ("bgl", "4x4x4"): ["uniform", "alltoall", "alltoall-line", "alltoall-plane", "hotregion",
                           "neighbor", "transpose", "bitcomp", "tornado", "bitrev", "shuffle",
                           "permutation", "stencil", "hotspot"],
        ("kncube", "4x4x4"): ["uniform", "alltoall", "alltoall-line", "alltoall-plane",
                              "hotregion", "neighbor", "transpose", "bitcomp", "tornado",
                              "bitrev", "shuffle", "permutation", "stencil", "hotspot"],
    }
    for arch, shape in (("bgl", "4x4x4"), ("xt", "4x4x4"), ("kncube", "4x4x4"), ("tofu", "2x2x1")):
        for load in (["--load", "0.7", "--warmup", "1000", "--cycles", "4000"],
                     ["--packets", "20", "--set", "outstanding=3"]):
            words = ["--arch", arch, "--shape", shape, "--pattern", "uniform", *load,
                     "--set", "reply=64"]
            seen = {run(*words, *more)["delivery_hash"] for more in
                    ([], ["--domains", "2", "--apart"],
                     ["--domains", "5", "--threads", "2", "--apart"])}
            tap.tell(len(seen) == 1 and seen != {"0" * 16},
                     f"{arch}, replies, {load[0]}: one hash {seen}")
    for (arch, shape), patterns in machines.items():
        for pattern in patterns:
            words = ["--arch", arch, "--shape", shape, "--pattern", pattern, "--load", "0.7",
                     "--warmup", "1000", "--cycles", "4000"]
            if pattern == "hotregion":
                words += ["--set", "region=2x2x2", "--set", "region_at=1,1,1", "--set",
                          "share=0.25"]
            if pattern == "hotspot":
                words += ["--set", "hot=1,1,1 3,0,2", "--set", "share=0.25"]
            seen = {run(*words, *more)["delivery_hash"] for more in
                    ([], ["--domains", "2", "--apart"],
                     ["--domains", "3", "--threads", "2", "--apart"],
                     ["--domains", "8", "--threads", "2"])}
            tap.tell(len(seen) == 1 and seen != {"0" * 16}, f"{arch} {pattern}: one hash {seen}")


def little(tap, shapes, loads, cycles):
    """Little's law, population integral against rate times latency, within 1 %."""
    for shape in shapes:
        for load in loads:
            r = run("--arch", "kncube", "--shape", shape, "--pattern", "uniform", "--load",
                    str(load), "--warmup", str(cycles), "--cycles", str(cycles))
            off = r["selfcheck"]["little"]
            tap.tell(off <= 0.01, f"kncube {shape} at load {load}: off by {100 * off:.3f} %")


def little_small(tap):
    little(tap, ["8x8x8", "4x4x4x4x4", "32x32"], [0.1, 0.3, 0.5], 60000)


def little_paper(tap):
    little(tap, ["8x8x8x8x8x8", "64x64x64"], [0.1, 0.3, 0.5], 60000)
    little(tap, ["512x512"], [0.1, 0.3, 0.5], 250000)


def zero_load(tap):
    """At next to no load latency is the closed form: 462 ticks a hop on kncube, 20 a hop and
    the packet's bytes on Blue Gene/L."""
    r = run("--arch", "kncube", "--shape", "4x4x4", "--pattern", "uniform", "--load", "0.0005",
            "--cycles", "400000")
    tap.near(r["latency_cycles"]["mean"] / r["hops"]["mean"], 462, 1, "kncube: ticks a hop")
    r = run("--arch", "bgl", "--shape", "4x4x4", "--pattern", "uniform", "--load", "0.0005",
            "--cycles", "400000")
    tap.near(r["latency_cycles"]["mean"], 256 + 20 * r["hops"]["mean"], 1, "bgl: ticks")
    for keys, hop in (("dynamic_vcs=4", 20), ("escape=dateline", 20), ("vc_delay=50", 20),
                      ("bypass=off vc_delay=50", 70), ("control=simulated", 20)):
        words = [word for key in keys.split() for word in ("--set", key)]
        r = run("--arch", "bgl", "--shape", "4x4x4", "--pattern", "uniform", "--load", "0.0005",
                "--cycles", "400000", *words)
        tap.near(r["latency_cycles"]["mean"], 256 + hop * r["hops"]["mean"], 1,
                 f"bgl {keys}: ticks")


def bound(tap):
    """Uniform traffic never carries more than its peak."""
    for arch, shape in (("bgl", "4x4x4"), ("bgl", "8x4x2"), ("kncube", "4x4x4"), ("bgl", "5x3x4")):
        r = run("--arch", arch, "--shape", shape, "--pattern", "uniform", "--load", "2",
                "--warmup", "20000", "--cycles", "30000")
        tap.tell(0 < r["percent_of_peak"] <= 100.5,
               f"{arch} {shape} uniform at load 2: {r['percent_of_peak']:.1f} % of peak")


def million(tap):
    """2^20 nodes in four, five and ten dimensions."""
    for shape in ("32x32x32x32", "16x16x16x16x16", "4x4x4x4x4x4x4x4x4x4"):
        r = run("--arch", "kncube", "--shape", shape, "--pattern", "uniform", "--load", "0.2",
                "--warmup", "500", "--cycles", "1500")
        tap.tell(r["packets"]["delivered"] > 0 and r["nodes"] == 1 << 20,
               f"kncube {shape}: {r['nodes']} nodes, {r['perf']['rss_bytes'] / r['nodes']:.0f} "
               f"bytes a node, {r['perf']['packet_hops_per_cpu_s'] / 1e6:.2f} M packet-hops a CPU-s")
        tap.checks(r, shape)


CASES = [asymmetric_small, symmetric_small, hashes, little_small, zero_load, bound,
         asymmetric_paper, symmetric_paper, half_busy, little_paper, million]


def main():
    table = {case.__name__: case for case in CASES}
    if len(sys.argv) < 2 or any(name not in table for name in sys.argv[1:]):
        print("cases:", *table, file=sys.stderr)
        return 2
    tap = Machines()
    for name in sys.argv[1:]:
        try:
            table[name](tap)
        except Exception as e:
            tap.tell(False, f"{name}: {e}")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
