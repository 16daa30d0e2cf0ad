#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Holds what several ranks of torus-sim answer against scripts/equal.list, which one process answered.

	scripts/ranks.py [--mpi[=MPIRUN]] [--all] [--every N] [WORD]...	prints TAP; WORD: only lines that hold each

Each run of the list is simulated by 2, 3, 5 or 8 ranks with one or two threads each, or by one with
two threads, as many as its nodes allow: as processes of this machine whose messages wait at random,
or (--mpi) by mpirun, or by MPIRUN.
A replay is by each number of ranks; with --all everything is by each, with one and two threads.
--every: one of N.
"""
import argparse
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

import equal

COUNTS = [(2, 1), (3, 1), (2, 2), (5, 1), (8, 1), (3, 2), (1, 2), (5, 2), (8, 2)]
DELAY_US = 300
ALONE = ("--threads", "--domains")	# with their values: ranks have their own


def plain(words):
    """The words without threads and domains, and what the document says of these."""
    said = {"--threads": "1", "--domains": None}
    rest = []
    words = iter(words)
    for word in words:
        if word in ALONE:
            said[word] = next(words)
        elif word != "--apart":
            rest.append(word)
    return rest, said["--threads"], said["--domains"] or said["--threads"]


def nodes(words):
    shape = words[words.index("--shape") + 1]
    product = 12 if "tofu" in words else 1
    for length in shape.split("x"):
        product *= int(length)
    return product


def tasks(lines, every_count):
    """Each line, and the ranks and threads that are to simulate it."""
    for number, line in enumerate(lines):
        words = plain(shlex.split(line[4]))[0]
        counts = [count for count in COUNTS if count[0] * count[1] <= nodes(words)] or [(1, 1)]
        turn = counts[number % len(counts)]
        if every_count:
            yield from ((line, count) for count in counts)
            continue
        alone = [count for count in counts if count[1] == 1] if words[0] == "replay" else []
        for count in alone + [turn] * (turn not in alone):
            yield line, count


def ask(sim, words, count, number, mpi):
    """What ranks answer, as the list has it."""
    words, threads_said, domains_said = plain(words)
    ranks, threads = count
    environment = dict(os.environ)
    command = [sim, *words, "--json", "--threads", str(threads)]
    if mpi and ranks > 1:
        command = [*mpi.split(), "-n", str(ranks), *command]
    elif ranks > 1:
        environment["TORUS_SIM_RANKS"] = f"{ranks},{DELAY_US},{number}"
    with tempfile.TemporaryDirectory() as work:
        links = os.path.join(work, "links")
        if words[0] == "run":
            command += ["--links", links]
        out = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                             timeout=equal.SILENCE_S, env=environment)
        if not out.stdout:
            raise RuntimeError(out.stderr.decode(errors="replace").strip() or "no answer")
        document = equal.read(out.stdout)
        if document.pop(equal.RANKS[words[0]], 1) != ranks or document["threads"] != threads:
            raise RuntimeError(f"not by {ranks} ranks of {threads} threads")
        document.update(threads=int(threads_said), domains=int(domains_said))
        return [str(out.returncode), equal.answer(document, words[0]), equal.counters(links),
                document["delivery_hash"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpi", nargs="?", const="mpirun --oversubscribe --allow-run-as-root")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    sim = os.path.abspath(os.environ.get("SIM", os.path.join(equal.TOP, "build/torus-sim")))
    os.chdir(equal.TOP)
    with open(equal.LIST, encoding="ascii") as file:
        lines = [line.split(maxsplit=4) for line in file.read().splitlines()
                 if line and not line.startswith("#") and all(word in line for word in args.only)]
    lines = [line for line in lines if line[4].split()[0] in equal.RANKS]
    lines = list(tasks(lines, args.all))[::args.every]
    good = bool(lines)
    with concurrent.futures.ThreadPoolExecutor(equal.JOBS) as pool:
        answers = [pool.submit(ask, sim, shlex.split(line[4]), count, number, args.mpi)
                   for number, (line, count) in enumerate(lines)]
        for number, ((line, count), answer) in enumerate(zip(lines, answers), 1):
            words = shlex.split(line[4]) + ["(%u ranks of %u)" % count]
            try:
                got = answer.result()
            except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as e:
                got = [f"none ({e})"] + [equal.NONE] * 3
            good = equal.tell(number, line[:4], got, words) and good
    print(f"1..{len(lines)}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
