#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws random faults on links, and compares runs of 1, 2, 3 and 5 domains.

	scripts/faults.py DRAWS [SEED]	prints TAP: one line for each draw

A draw is a small machine, a traffic that keeps its links busy, and up to six faults of most kinds,
some with a delay that makes copies of packets meet.  All its runs must end with one delivery hash,
the same counters of packets and a right self-check.  A run that gives up must say the same words.
"""
import json
import os
import random
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SIM = os.environ.get("SIM", "build/torus-sim")
DOMAINS = (1, 2, 3, 5)
SILENCE_S = 600

RING, PLANE = ("x+", "x-"), ("x+", "x-", "y+", "y-")

# Machine, shape, directions, sizes with the ticks that a packet takes, settings of which one is drawn.
MACHINES = (
    ("bgl", "5x1x1", RING, (("32", 46), ("256", 270), ("32:256", 46)),
     ("latency=20", "latency=200 ack_delay=200", "control=simulated", "timeout=400", "crc=full")),
    ("bgl", "5x2x1", PLANE, (("32:256", 46),),
     ("routing=deterministic", "retries=5", "arbiter_gap=1")),
    ("xt", "6x1x1", RING, (("72", 153),), ("latency=200 credit_delay=200", "window=1000")),
    ("xt", "5x1x1", RING, (("8", 17), ("72", 153), ("8:72", 17)),
     ("latency=200 credit_delay=200", "timeout=1000", "window=2", "window=1000", "retries=5")),
    ("xt", "5x2x1", PLANE, (("72", 153),), ("latency=20", "crc=full")),
    ("tofu", "3x1x1", RING, (("256", 256), ("32:1984", 32)),
     ("timeout=256", "retries=5", "crc=full", "resend_bytes=8192")),
)


def fault(rng, names, ticks):
    """One fault, as --fault takes it: @ticks of a packet are what copies meet by."""
    kinds = []
    if rng.random() < 0.7:
        kinds.append(f"delay {rng.choice((rng.randrange(1, 5000), ticks * rng.randrange(1, 12)))}")
    if rng.random() < 0.6:
        kinds.append(f"corrupt {rng.choice((1, 1, rng.randrange(1, 30)))}")
    if rng.random() < 0.2:
        kinds.append(f"drop-ack {rng.randrange(1, 30)}")
    if rng.random() < 0.1:
        kinds.append(f"ber {rng.choice(('1e-3', '1e-4', '1e-5'))}")
    if rng.random() < 0.1 or not kinds:
        kinds.append("state down")
    where = rng.choice(("all", "0", "1"))
    lasts = rng.choice((2 * ticks, rng.randrange(1, 4000)))
    return (f"{where} {rng.choice((*names, 'all'))} {' '.join(kinds)} "
            f"at {rng.randrange(0, 20000)} for {lasts}")


def draw(seed):
    """The words of a run."""
    rng = random.Random(seed)
    arch, shape, names, sizes, settings = rng.choice(MACHINES)
    size, ticks = rng.choice(sizes)
    words = ["run", "--arch", arch, "--shape", shape, "--pattern",
             rng.choice(("alltoall", "neighbor", "uniform")), "--packets", str(rng.randrange(20, 400)),
             "--size", size, "--seed", str(rng.randrange(1, 1000))]
    for setting in rng.choice(settings).split():
        words += ["--set", setting]
    for _ in range(rng.randrange(1, 7)):
        words += ["--fault", fault(rng, names, ticks)]
    return words


def ask(words, domains):
    """What a run with so many domains answers: its words of failure, or what must be the same."""
    more = ["--domains", str(domains)] + (["--apart"] if domains > 1 else [])
    done = subprocess.run([SIM, *words, *more, "--json"], cwd=TOP, capture_output=True, text=True,
                          timeout=SILENCE_S, check=False)
    if not done.stdout:
        return (done.returncode, done.stderr)
    answer = json.loads(done.stdout)
    check = answer["selfcheck"]
    return (done.returncode, answer["delivery_hash"], json.dumps(answer["packets"]),
            check["conservation"], check["tokens"])


def compare(seed):
    """An empty text, or what is wrong with a draw."""
    words = draw(seed)
    answers = [ask(words, domains) for domains in DOMAINS]
    command = " ".join(f"'{word}'" if " " in word else word for word in words)
    for domains, answer in zip(DOMAINS, answers):
        if answer != answers[0]:
            return f"{command}: {domains} domains: {answer}, not {answers[0]}"
    if len(answers[0]) > 2 and not (answers[0][3] and answers[0][4]):
        return f"{command}: the self-check failed: {answers[0]}"
    return ""


def main():
    draws = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    failed = 0
    for number in range(draws):
        wrong = compare(seed + number)
        failed += bool(wrong)
        if wrong:
            print("#", wrong)
        print("not ok" if wrong else "ok", number + 1, f"- draw {seed + number}", flush=True)
    print(f"1..{draws}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
