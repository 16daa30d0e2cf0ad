#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the verdicts of make driver-check as TAP: points of the VM, and messages of its kernel.

	verdict.py RESULTS CONSOLE PAGE REPORT

RESULTS is the directory that the VM has filled, CONSOLE its log, PAGE the source of torus_bus(9),
REPORT the extended regular expression of the first lines of the kernel's reports. A driver that has
broken a rule gets the sentences of the rule, and the line of the log that shows it.
"""
import re
import sys
from pathlib import Path

# Messages that are not the first line of a report, and messages of the bus: the rule that is broken.
MESSAGES = (
    (r"sleeping function called|scheduling while atomic|Invalid wait context", "handler"),
    (r"DMA fault:", "dma"),
    (r"unmap of|sync of", "dma"),
    (r"has left \d+ DMA mapping", "release"),
    (r"Trying to free already-free IRQ|ODEBUG|unreferenced object", "release"),
    (r"nobody cared", "handler"),
    (r"soft lockup|rcu.*stall|blocked for more than|hung", "kernel"),
)


def rules(page):
    """The sentences of each rule, by its name."""
    found, name = {}, None
    for line in page.splitlines():
        if line.startswith(r'.\" rule: '):
            name = line.split()[2]
            found[name] = []
        elif line.startswith((".SH", ".SS")):
            name = None
        elif name and not line.startswith("."):
            found[name].append(re.sub(r"\\f[A-Z]|\\\(aq", lambda m: "'" if "aq" in m[0] else "", line))
    return {name: " ".join(lines) for name, lines in found.items()}


def broken(console, report):
    """(stage, rule, line) of each message that shows a mistake of the driver."""
    stage = None
    for line in console.splitlines():
        text = re.sub(r"^\[ *[\d.]+\] ?(\[[^]]*\] ?)?", "", line)
        if text.startswith("driver-check: stage "):
            stage = text.removeprefix("driver-check: stage ")
            continue
        if stage is None:  # the kernel boots
            continue
        rule = next((rule for pattern, rule in MESSAGES if re.search(pattern, text)), None)
        if rule is None and re.search(report, text):
            rule = "kernel"
        # An injected fault is no mistake.
        if rule == "dma" and stage.startswith("dma-fault"):
            continue
        if rule:
            yield stage, rule, text


def leaks(results):
    """The first line of each leak, and the function that has allocated the memory."""
    path = results / "leaks"
    if not path.exists():
        return
    for part in re.split(r"(?m)^(?=unreferenced object)", path.read_text()):
        frames = re.findall(r"\[<[0-9a-f]+>\] (\S+)|^    (\w+\+0x\S+.*)", part, re.M)
        own = [a or b for a, b in frames if "[" in (a or b)]
        if part.strip():
            yield f"{part.splitlines()[0]} {own[0] if own else ''}".strip()


def main():
    """Print a line for each point and each mistake, and the number of lines."""
    results, console, page, report = sys.argv[1:]
    sentences = rules(Path(page).read_text())
    points = []
    path = Path(results) / "points"
    for line in path.read_text().splitlines() if path.exists() else ():
        rule, verdict, words = line.split(" ", 2)
        points.append((verdict, words, rule, ""))
    log = Path(console).read_text(errors="replace")
    for stage, rule, text in broken(log, report):
        points.append(("bad", f"{stage}: the kernel has a complaint", rule, text))
    for text in leaks(Path(results)):
        points.append(("bad", "memory is left", "release", text))
    if "driver-check: stage end" not in log:
        points.append(("bad", "the machine has reached the end of the check", "kernel", ""))
    for number, (verdict, words, rule, text) in enumerate(points, 1):
        skip = " # SKIP" if verdict == "skip" else ""
        print(f"{'not ' if verdict == 'bad' else ''}ok {number} - {words}{skip}")
        if verdict == "bad":
            print(f"# rule of torus_bus(9): {sentences[rule]}")
            if text:
                print(f"# {text}")
    print(f"1..{len(points)}")
    return any(verdict == "bad" for verdict, *_ in points)


if __name__ == "__main__":
    sys.exit(main())
