# SPDX-License-Identifier: GPL-2.0
"""Programs run in turns, and the ratios of their rates.

What a machine does in a minute differs from what it does in the next, so two programs
are run A B, B A, A B ..., each pair gives a ratio, and the median of the ratios counts.
"""
import json
import os
import statistics
import subprocess

SIM = os.environ.get("TORUS_SIM", "build/torus-sim")
BASE = os.environ.get("BENCH_BASE")
LIMIT = os.environ.get("BENCH_LIMIT")
REPEATS = int(os.environ.get("REPEATS") or os.environ.get("BENCH_REPEAT") or "5")
HOPS = int(float(os.environ.get("HOPS") or "3e6"))	# of a run, about
LINK_TICKS = {"bgl": 270, "kncube": 440, "tofu": 64, "xt": 153}	# of a packet of 256 bytes, on XT of 72


def shapes(default):
    """The shapes asked for by SHAPES, else those of @default."""
    return os.environ.get("SHAPES", "").split() or list(default)


def nodes_of(shape):
    nodes = 1
    for length in shape.split("x"):
        nodes *= int(length)
    return nodes


def ticks_for(arch, shape, least=2000):
    """Ticks in which about HOPS packets cross a link, were every link always busy."""
    links = nodes_of(shape) * 2 * len(shape.split("x"))
    return max(least, int(HOPS * LINK_TICKS[arch] / links))


def words(arch, shape, load, size="256", warmup=None, cycles=None, more=()):
    """The options of a run; the warm-up is a fifth of the window unless told."""
    cycles = cycles or ticks_for(arch, shape)
    warmup = cycles // 5 if warmup is None else warmup
    return ["--arch", arch, "--shape", shape, "--pattern", "uniform", "--load", str(load),
            "--size", size, "--warmup", str(warmup), "--cycles", str(cycles), *more]


def run(program, options):
    """The document of one run."""
    out = subprocess.run([program, "run", "--json", *options], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(f"bench: {program} run {' '.join(options)}: exit {out.returncode}: "
                         f"{out.stderr.strip()}")
    return json.loads(out.stdout)


def rate(document):
    """Packet-hops a second of processor time, in millions."""
    return document["perf"]["packet_hops_per_cpu_s"] / 1e6


def in_turns(calls, repeats=REPEATS):
    """Each of @calls (a dict of functions) @repeats times, the order reversed every time.

    Returns what they returned, a list each."""
    results = {name: [] for name in calls}
    order = list(calls)
    for _ in range(repeats):
        for name in order:
            results[name].append(calls[name]())
        order.reverse()
    return results


def ratios(above, below):
    """Median, lower and upper quartile of the paired ratios; of less than 3, least and greatest."""
    pairs = sorted(a / b for a, b in zip(above, below))
    if len(pairs) < 3:
        return statistics.median(pairs), pairs[0], pairs[-1]
    low, middle, high = statistics.quantiles(pairs, n=4, method="inclusive")
    return middle, low, high


def ratio_text(above, below, digits=2):
    middle, low, high = ratios(above, below)
    return f"{middle:{digits + 3}.{digits}f} [{low:.{digits}f} {high:.{digits}f}]"
