#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The Cray XT's router and its tables beside each other: what torusctl says of tables, and what
packets do that go by them.

	scripts/xt.py CASE...	prints TAP; no CASE: lists them
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap, says

SIM = "build/torus-sim"
CTL = "build/torusctl"


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def run(shape, *words, sets=()):
    """One run; its JSON."""
    settings = [word for one in sets for word in ("--set", one)]
    out = call(SIM, "run", "--json", "--arch", "xt", "--shape", shape, *words, *settings)
    if out.returncode:
        raise RuntimeError(f"{shape} {words} {sets}: exit {out.returncode}: {out.stderr.strip()}")
    return json.loads(out.stdout)


def check(shape, *words):
    """What torusctl says of tables, clean or not."""
    out = call(CTL, "-j", "route", "check", "arch", "xt", "shape", shape, *words)
    return json.loads(out.stdout)


def keys(words):
    """The words of torusctl as settings of torus-sim."""
    return [f"{key}={value}" for key, value in zip(words[::2], words[1::2])]


def balance(doc):
    return {dim: (round(one["mean"], 6), one["bins"]) for dim, one in doc.items()}


def counted(tap):
    """Abts et al. (2007), section 4: each pair's packet is counted on the links that the tables name."""
    for shape, mesh, words in (("5x4x3", "", ["policy", "initial"]),
                               ("5x4x3", "y", ["policy", "v1"]),
                               ("12x6x4", "", ["policy", "v2", "planes", "3"]),
                               ("12x6x4", "x", ["policy", "v3", "planes", "3"]),
                               ("6x6x6", "", ["broken", "1,1,1 x+, 2,3,4 y-"])):
        told = check(shape, *words, *(["mesh", mesh] if mesh else []))
        r = run(shape, *(["--mesh", mesh] if mesh else []), "--pattern", "alltoall",
                "--packets", "1", sets=keys(words))
        text = f"{shape} {'mesh ' + mesh + ' ' if mesh else ''}{' '.join(words)}"
        tap.tell(r["packets"]["delivered"] == told["reached"] == told["pairs"],
                 f"{text}: every pair is reached", r["packets"])
        tap.tell(r["hops_total"] == told["hops"], f"{text}: {told['hops']} hops",
                 r["hops_total"])
        tap.tell(balance(r["vc_balance"]) == balance(told["balance"]),
                 f"{text}: the balance of the counters is the tables'", r["vc_balance"],
                 told["balance"])
        tap.tell(r["selfcheck"]["conservation"] and r["selfcheck"]["tokens"],
                 f"{text}: packets and credits add up")


def uniform(tap, shape, datelines, load, cycles, policies):
    """Uniform traffic, 10^4 packets a link: within a point of the exact balance."""
    for policy in policies:
        words = ["policy", policy, "datelines", datelines]
        told = check(shape, *words)["balance"]
        r = run(shape, "--pattern", "uniform", "--load", load, "--warmup", "0", "--cycles",
                cycles, sets=keys(words))
        links = 6 * r["nodes"]
        tap.tell(r["hops_total"] >= 1e4 * links,
                 f"{shape} {policy}: {r['hops_total'] // links} packets a link")
        for dim in "xyz":
            off = 100 * (r["vc_balance"][dim]["mean"] - told[dim]["mean"])
            tap.tell(abs(off) <= 1, f"{shape} {policy}: balance in {dim} off by {off:.2f} points")


def uniform_small(tap):
    uniform(tap, "4x4x4", "3,3,3", "0.9", "3600000", ["v3"])


def uniform_paper(tap):
    uniform(tap, "11x12x16", "10,11,15", "0.7", "2900000", ["initial", "v3"])


def hashes(tap):
    """One result for any number of domains, and for tables from a file."""
    words = ("--pattern", "uniform", "--load", "1.2", "--cycles", "20000")
    one = run("6x5x4", *words)
    for domains, threads in (("2", "1"), ("7", "2")):
        many = run("6x5x4", *words, "--domains", domains, "--threads", threads, "--apart")
        tap.tell(one["delivery_hash"] == many["delivery_hash"], f"{domains} domains, one hash")
    lost = run("6x5x4", *words, "--fault", "all all corrupt 4 drop-nack 3 at 3000")
    heard = run("6x5x4", *words, "--fault", "all all corrupt 4 at 3000")
    many = run("6x5x4", *words, "--fault", "all all corrupt 4 drop-nack 3 at 3000",
               "--domains", "7", "--threads", "2")
    tap.tell(lost["delivery_hash"] == many["delivery_hash"] != heard["delivery_hash"],
             "lost nacks make a difference, the same in 7 domains")
    tap.tell(lost["selfcheck"]["conservation"] and lost["selfcheck"]["tokens"],
             "and packets and credits add up")
    with tempfile.TemporaryDirectory() as place:
        name = pathlib.Path(place) / "tables.json"
        name.write_text(call(CTL, "route", "dump", "arch", "xt", "shape", "6x5x4", "policy",
                             "v1").stdout)
        other = pathlib.Path(place) / "one.json"
        other.write_text(call(CTL, "route", "dump", "arch", "xt", "shape", "6x5x4", "policy",
                              "one").stdout)
        file = run("6x5x4", *words, "--table", str(name))
        made = run("6x5x4", *words, sets=["policy=v1"])
        tap.tell(file["delivery_hash"] == made["delivery_hash"] != one["delivery_hash"],
                 "tables from a file lead as those that are computed")
        turns = ("--table", str(name), "at", "9000", "--table", str(other), "at", "3000")
        swapped = run("6x5x4", *words, *turns)
        tap.tell(swapped["delivery_hash"] not in (one["delivery_hash"], made["delivery_hash"]),
                 "tables that take over at a tick make a difference")
        for domains, threads in (("3", "3"), ("8", "2")):
            many = run("6x5x4", *words, *turns, "--domains", domains, "--threads", threads)
            tap.tell(swapped["delivery_hash"] == many["delivery_hash"],
                     f"and in {domains} domains the same", swapped["delivery_hash"],
                     many["delivery_hash"])


def ages(tap):
    """One node that a hundredth of all packets goes to: the oldest first bounds the worst wait."""
    for seed in "12345":
        worst = {}
        for arbiter in ("age", "rr"):
            r = run("8x8x8", "--pattern", "hotregion", "--load", "0.9", "--warmup", "50000",
                    "--cycles", "100000", "--seed", seed,
                    sets=["region=1x1x1", "region_at=4,4,4", "share=0.01",
                          f"arbitration={arbiter}"])
            worst[arbiter] = r["latency_cycles"]["max"] / r["latency_cycles"]["mean"]
        tap.tell(worst["age"] < worst["rr"], f"hot node, seed {seed}: worst latency "
                 f"{worst['age']:.2f} times the mean by age, {worst['rr']:.2f} in turns")


def deadlock(tap):
    """A ring without a dateline: the check names the circles in which its packets may wait."""
    words = ["policy", "one", "datelines", "none"]
    told = check("8x1x1", *words)
    tap.tell(sorted((path[0]["dir"], len(path)) for path in told["cycle_paths"]) ==
             [("x+", 8), ("x-", 8)] and told["cycles"] == 2,
             "torusctl finds a circle in each direction", told["cycle_paths"])
    circle = told["cycle_paths"][0]
    at = [f"{','.join(map(str, one['node_coords']))} {one['dir']} VC{one['vc']}" for one in circle]
    with tempfile.TemporaryDirectory() as place:
        pairs = pathlib.Path(place) / "pairs"
        ahead = -3 if circle[0]["dir"] == "x-" else 3
        pairs.write_text("".join(f"{n},0,0 {(n + k * ahead // 3) % 8},0,0\n"
                                 for n in range(8) for k in (1, 2, 3)))
        ring = (SIM, "run", "--arch", "xt", "--shape", "8x1x1", "--pattern", f"file:{pairs}",
                "--packets", "1000", "--set", "arbitration=rr")
        out = call(*ring, *[word for one in keys(words) for word in ("--set", one)])
        named = re.findall(r"\d+,\d+,\d+ \S+ VC\d", out.stderr)
        tap.tell(out.returncode == 3, "and packets deadlock", out.stderr)
        tap.tell(sorted(named) == sorted(at), "in the same one, which the watchdog names",
                 out.stderr, at)
        tap.tell(not call(*ring).returncode, "with a dateline all arrive")


def sizes(tap):
    """Tables of whole machines, and what a node takes at rest."""
    for shape, most in (("11x12x16", 1 << 20), ("27x20x24", 8 << 20)):
        r = run(shape, "--pattern", "neighbor", "--packets", "1")
        tap.tell(r["table_bytes"] <= most, f"{shape}: tables of {r['table_bytes']} bytes")
        each = r["memory_bytes"] / r["nodes"]
        tap.tell(each <= 6144, f"{shape}: {each:.0f} bytes a node, tables among them")


def refusals(tap):
    """A message about bad words has the value and a word that says what is wrong."""
    base = ("run", "--pattern", "uniform", "--packets", "1")
    for words, text in (
            (("--arch", "xt", "--shape", "4x4x4", "--set", "policy=v4"),
             "policy v4 v3 one"),
            (("--arch", "xt", "--shape", "4x4x4", "--set", "ties=minus"),
             "ties minus split"),
            (("--arch", "xt", "--shape", "4x4x4", "--set", "datelines=4,0,0"),
             "datelines 4,0,0 4 x"),
            (("--arch", "xt", "--shape", "4x4x4", "--set", "broken=4,0,0 x+"),
             "broken: node 4,0,0 4 x"),
            (("--arch", "xt", "--shape", "4x4x4", "--set", "planes=4097"),
             "planes=4097 0 to 4096"),
            (("--arch", "xt", "--shape", "9x4x4", "--set", "planes=1"),
             "planes=1 9 regions 8"),
            (("--arch", "xt", "--shape", "2x64x65"),
             "planes=1 64x65 4096"),
            (("--arch", "xt", "--shape", "4x4x4", "--set", "staging_flits=8"),
             "staging_flits=8 9 to 4096"),
            (("--arch", "xt", "--shape", "4x4x4", "--size", "80"),
             "size 80:80 8 to 72"),
            (("--arch", "xt", "--shape", "4x4x4", "--table", "/no/such/file"),
             "/no/such/file No such"),
            (("--arch", "xt", "--shape", "4x4x4", "--table", "f", "at", "soon"),
             "--table f: at soon whole"),
            (("--arch", "xt", "--shape", "4x4x4", "--table", "f", "at"),
             "--table f at missing"),
            (("--arch", "xt", "--shape", "4x4x4", "--table", "f", "at", "7", "--table", "g", "at",
              "7"), "--table g at 7 f tick"),
            (("--arch", "xt", "--shape", "4x4x4", "--table", "f", "at", "7", "--table", "g", "at",
              "0.7ns"), "--table g at 0.7ns f tick"),
            (("--arch", "bgl", "--shape", "4x4x4", "--table", "/no/such/file"),
             "--table /no/such/file bgl tables"),
            (("--arch", "bgl", "--shape", "4x4x4", "--fault", "0 x+ drop-nack 2"),
             "drop-nack 2 bgl nacks"),
            (("--arch", "bgl", "--shape", "4x4x4", "--set", "policy=v3"),
             "--set policy bgl tables")):
        out = call(SIM, *base, *words)
        tap.tell(out.returncode and says(out.stderr, text), f"{' '.join(words[4:])}: {text}",
                 f"status {out.returncode}: {out.stderr.strip()}")


CASES = {name: case for name, case in list(globals().items())
         if callable(case) and name in ("counted", "uniform_small", "uniform_paper", "hashes",
                                        "ages", "deadlock", "sizes", "refusals")}


def main():
    if not sys.argv[1:]:
        print("\n".join(CASES))
        return 2
    tap = Tap()
    for name in sys.argv[1:]:
        CASES[name](tap)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
