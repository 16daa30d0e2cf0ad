#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Bad links through torus-sim, for check.d/errors.sh and soak.d/errors.sh."""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

from tap import Tap, blames

SIM = os.environ.get("TORUS_SIM_BINARY", "build/torus-sim")
SHAPE = os.environ.get("ERRORS_SHAPE", "4x4x4")
PACKETS = int(os.environ.get("ERRORS_PACKETS", "100"))
SEEDS = int(os.environ.get("ERRORS_SEEDS", "1"))
RATES = ["1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4"]
DIMS = [int(n) for n in SHAPE.split("x")]
NODES = DIMS[0] * DIMS[1] * DIMS[2]
DIRS = ["x+", "x-", "y+", "y-", "z+", "z-"]

TAP = Tap()


def run(*words):
    """The JSON document of a run, and its links whose CRCs differ."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as links:
        done = subprocess.run([SIM, "run", "--arch", "bgl", "--shape", SHAPE, "--json",
                               "--links", links.name, "--set", "crc=full", *words],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            return {"status": done.returncode, "error": done.stderr.strip()}, []
        with open(links.name, newline="") as file:
            rows = list(csv.DictReader(file))
    differ = [(row["node"], row["dir"]) for row in rows if row["tx_crc"] != row["rx_crc"]]
    doc = json.loads(done.stdout)
    doc["moved"] = sum(row["tx_crc"] != "00000000" for row in rows)
    return doc, differ


def whole(doc, packets):
    """Every packet has arrived, and the self-checks hold."""
    if "packets" not in doc:
        return False
    counts = doc["packets"]
    checks = doc["selfcheck"]
    return (counts["injected"] == counts["delivered"] == packets and not counts["dropped"] and
            not doc["in_flight"] and checks["conservation"] and checks["tokens"] and
            doc["outcome"] == "done")


def rates(seed):
    """Uniform and all-to-all at every rate; fewer packets are sent again at a lower one."""
    for pattern, each, total in (("uniform", PACKETS, PACKETS * NODES),
                                 ("alltoall", 1, NODES * (NODES - 1))):
        before = 0
        for rate in RATES:
            doc, differ = run("--pattern", pattern, "--packets", str(each), "--size", "32:256",
                              "--seed", str(seed), "--set", "ber=" + rate)
            name = f"{SHAPE} {pattern}, seed {seed}, ber {rate}"
            good = whole(doc, total) and not differ
            again = doc["packets"]["retransmitted"] if "packets" in doc else 0
            # a packet of 144 bytes on average, so many hops, and a few sent again an error
            errors = doc.get("hops_total", 0) * 148 * 8 * float(rate)
            good &= errors < 20 or again > errors
            good &= again >= before
            before = again
            TAP.tell(good, f"{name}: all of {total}, {again} sent again", doc, differ)


def words_of(rng):
    """A fault of any kind but escape and drop-nack, on any link."""
    node, direction = rng.randrange(NODES), rng.choice(DIRS)
    at = rng.randrange(6000)
    fault = rng.choice(["corrupt 2", "drop-ack 3", "corrupt-ack 2", "corrupt 1 drop-ack 1",
                        f"delay {rng.randrange(2000)} for 3000", "ber 1e-3 for 20us",
                        f"state down for {1 + rng.randrange(15000)}"])
    place = ",".join(str(c) for c in (node % DIMS[0], node // DIMS[0] % DIMS[1],
                                      node // DIMS[0] // DIMS[1]))
    kind, _, lasts = fault.partition(" for ")
    return f"{place} {direction} {kind} at {at}" + (f" for {lasts}" if lasts else "")


def any_fault(seed):
    rng = random.Random(seed)
    faults = []
    for _ in range(60):
        faults += ["--fault", words_of(rng)]
    for rate in ("0", "1e-6", "1e-4"):
        hashes = set()
        good = True
        for domains in ("1", "2", "3"):
            doc, differ = run("--pattern", "uniform", "--packets", str(PACKETS), "--seed",
                              str(seed), "--domains", domains, "--apart", "--set", "ber=" + rate,
                              *faults)
            good &= whole(doc, PACKETS * NODES) and not differ
            good &= "packets" in doc and doc["packets"]["retransmitted"] > 0
            hashes.add(doc.get("delivery_hash"))
        TAP.tell(good and len(hashes) == 1,
            f"{SHAPE}, seed {seed}, ber {rate}, 60 faults: everything once, same hash in domains",
            doc, differ, hashes)


def escapes(seed):
    rng = random.Random(seed)
    places = rng.sample([(n, d) for n in range(NODES) for d in DIRS], 12)
    for count in (1, 12):
        faults = []
        for node, direction in places[:count]:
            faults += ["--fault", f"{node} {direction} escape 1 at {rng.randrange(2000)}"]
        doc, differ = run("--pattern", "uniform", "--packets", str(PACKETS), "--seed", str(seed),
                          "--set", "ber=1e-5", *faults)
        want = sorted((str(n), d) for n, d in places[:count])
        TAP.tell(whole(doc, PACKETS * NODES) and sorted(differ) == want,
            f"{SHAPE}, seed {seed}: {count} escaped, exactly those links differ", doc, differ,
            want)


def refused(reason, fault, *words, shape="4x4x4"):
    done = subprocess.run([SIM, "run", "--arch", "bgl", "--shape", shape, "--pattern", "uniform",
                           "--packets", "1", "--fault", fault, *words],
                          capture_output=True, text=True, check=False)
    said = done.stderr.strip()
    TAP.tell(done.returncode == 2 and blames(said, f"torus-sim: run: {reason}") and not done.stdout,
        f"refused: {reason}", done.returncode, said)


def refusals():
    grammar = "NODE|all DIR|all FAULT TICK"
    for fault, why in (("", grammar), ("3", grammar),
                       ("64 x+ ber 1e-5", "node 64 0 63"),
                       ("4,0,0 x+ ber 1e-5", "node 4,0,0 x shape 0 3"),
                       ("0,0 x+ ber 1e-5", "node 0,0 2 shape 3"),
                       ("0 w+ ber 1e-5", "direction w+ x+ x- y+ y-"),
                       ("0 a+ ber 1e-5", "direction a+ shape 3"),
                       ("0 x+", "fault missing"),
                       ("0 x+ at 5", "fault missing"),
                       ("0 x+ ber", "ber value"),
                       ("0 x+ ber 1", "ber 1 0"),
                       ("0 x+ corrupt 1 corrupt 2", "corrupt twice"),
                       ("0 x+ bend 2", "bend"),
                       ("0 x+ state sideways", "state sideways up down"),
                       ("0 x+ state down for 0", "for 0"),
                       ("0 x+ drop-ack -1", "drop-ack -1 number"),
                       ("0 x+ corrupt 1 at 5 years", "years value")):
        refused(f"--fault {fault}: {why}", fault)
    refused("--fault: delay 16777217 16777216 tick", "0 x+ delay 16777217")
    refused("--fault: node 0,0,0 link x-", "0 x- corrupt 1", "--mesh", "x")
    refused("--fault: link z-", "all z- corrupt 1", shape="4x4x1")


def main():
    for seed in range(1, SEEDS + 1):
        rates(seed)
        any_fault(seed)
        escapes(seed)
    refusals()
    return TAP.end()


sys.exit(main())
