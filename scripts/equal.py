#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Holds what torus-sim answers against a list of what it answered before.

	scripts/equal.py [--update] [--sample N] [--every N] [WORD]...	prints TAP; WORD: only lines that hold each

SIM is the program (build/torus-sim).  Each line of scripts/equal.list is

	STATUS ANSWER LINKS DELIVERY COMMAND OPTION...

the exit status, the first 64 bits of the SHA-256 of the answer and of the links' counters,
the delivery hash (- where there is none), and the words behind torus-sim.  The answer is the JSON
document that --json prints, without these keys at any depth:

	COSTS	what simulating takes: seconds, memory, events of the simulator
	ASKED	what was asked for, and by which program
	WORDS	of paper: texts for a reader (a row keeps its id)

--update writes what SIM answers into the list: what is there stays the truth until
somebody has a reason to change results.  --sample N takes N lines that have a delivery hash, spread
over the list, and compares all but the answer's digest: another processor may round a mean in
another way.  --every N takes each Nth line.
"""
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LIST = "scripts/equal.list"
JOBS = 2
SILENCE_S = 600		# of one run, whose work is well below a second
COSTS = {"perf", "memory_bytes", "events", "cpu_s"}
ASKED = {"config", "program", "version"}
WORDS = {"paper": {"name", "title", "says", "configuration", "label", "why", "xlabel", "ylabel", "notes"}}
NONE = "-"
RANKS = {"run": "ranks", "replay": "sim_ranks"}		# key of the number of ranks


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def without(value, keys):
    """The value without these keys at any depth."""
    if isinstance(value, dict):
        return {key: without(one, keys) for key, one in value.items() if key not in keys}
    if isinstance(value, list):
        return [without(one, keys) for one in value]
    return value


def read(document):
    """Numbers stay as they are printed."""
    return json.loads(document, parse_float=str)


def answer(values, command):
    """The digest of a command's document, whatever the order of its keys."""
    kept = without(values, COSTS | ASKED | WORDS.get(command, set()))
    return digest(json.dumps(kept, sort_keys=True).encode())


def counters(links):
    """The digest of a file of links' counters, if one was written."""
    if not os.path.exists(links):
        return NONE
    with open(links, "rb") as file:
        return digest(file.read())


def ask(sim, words):
    """What SIM answers, as the list has it."""
    command = [sim, *words, "--json"]
    with tempfile.TemporaryDirectory() as work:
        links = os.path.join(work, "links")
        if words[0] == "run":
            command += ["--links", links]
        out = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                             timeout=SILENCE_S)
        if not out.stdout:
            raise RuntimeError(out.stderr.decode(errors="replace").strip() or "no answer")
        values = read(out.stdout)
        return [str(out.returncode), answer(values, words[0]), counters(links),
                values.get("delivery_hash", NONE)]


def tell(number, wanted, got, words):
    """One line of TAP, and what differs."""
    names = ("exit status", "answer", "links' counters", "delivery hash")
    differ = [f"{name} {new}, was {old}" for name, old, new in zip(names, wanted, got)
              if old != new]
    print(f"{'not ok' if differ else 'ok'} {number} - {shlex.join(words)}", flush=True)
    for line in differ:
        print("#", line, flush=True)
    return not differ


def sample(wanted, count):
    """COUNT of the lines with a delivery hash, spread evenly."""
    hashed = [at for at, fields in wanted.items() if fields[3] != NONE]
    return {at: wanted[at] for at in hashed[::max(1, len(hashed) // count)][:count]}


def take_number(words, option, default):
    """Remove OPTION and its number from the words; DEFAULT if it is not there."""
    if option not in words:
        return default
    at = words.index(option)
    number = int(words[at + 1])
    del words[at:at + 2]
    return number


def attempt(sim, words):
    try:
        return ask(sim, words)
    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as e:
        return [f"none ({e})", NONE, NONE, NONE]


def main():
    sim = os.path.abspath(os.environ.get("SIM", os.path.join(TOP, "build/torus-sim")))
    update = "--update" in sys.argv[1:]
    only = [word for word in sys.argv[1:] if word != "--update"]
    count, every = take_number(only, "--sample", 0), take_number(only, "--every", 1)
    os.chdir(TOP)
    if not os.access(sim, os.X_OK):
        print(f"1..0 # SKIP {sim} is not built")
        return 4
    with open(LIST, encoding="ascii") as file:
        lines = file.read().splitlines()
    wanted = {at: line.split(maxsplit=4) for at, line in enumerate(lines)
              if line and not line.startswith("#") and all(word in line for word in only)}

    if count:
        wanted = sample(wanted, count)
    wanted = dict(list(wanted.items())[::every])
    good = bool(wanted)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        words = {at: shlex.split(fields[4]) for at, fields in wanted.items()}
        answers = {at: pool.submit(attempt, sim, words[at]) for at in wanted}
        for number, at in enumerate(wanted, 1):
            got = answers[at].result()
            if count:
                got[1] = wanted[at][1]
            if not update:
                good = tell(number, wanted[at][:4], got, words[at]) and good
            elif got[0].startswith("none"):
                print(f"equal: {wanted[at][4]}: {got[0]}", file=sys.stderr)
                good = False
            else:
                lines[at] = " ".join(got + [wanted[at][4]])
    if not update:
        print(f"1..{len(wanted)}")
    elif good:
        with open(LIST, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
