#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run the commands of the teaching pages, and compare their output with the pages.

	teaching.py [--write] PAGE...

A page has blocks "```console": a line "$ COMMAND", and the output that COMMAND prints. The commands
of a page run in one shell and one directory. A printed line that begins with "cost " has times of
this processor, and is left out. A picture "![TEXT](NAME.svg)" is a file that a command of the page
writes.

The variable TOP of the shell is the tree of the sources.

--write replaces the outputs and the pictures by those of the commands.
Otherwise prints TAP. The programs of build/ are found first.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from tap import Tap

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = TOP / "build"
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.M | re.S)
COMMAND = re.compile(r"^\$ ", re.M)
PICTURE = re.compile(r"!\[[^]]*\]\(([^)]+\.svg)\)")


def run(commands, directory):
    """Run the commands of a page in one shell; return the lines that each of them prints."""
    mark = f"end of a command of {directory}"
    script = "".join(f"{command}\necho {shlex.quote(mark)}\n" for command in commands)
    env = dict(os.environ, PATH=f"{BUILD}:{os.environ['PATH']}", LC_ALL="C", TOP=str(TOP))
    done = subprocess.run(["bash", "-c", script], cwd=directory, env=env, check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    outputs = done.stdout.split(mark + "\n")
    outputs += [""] * (len(commands) - len(outputs))
    return [[line.rstrip() for line in output.splitlines() if not line.startswith("cost ")]
            for output in outputs]


def parse(text):
    """Return the commands of a page, and the lines of output that the page shows for each."""
    commands, outputs = [], []
    for match in BLOCK.finditer(text):
        for line in match[0].splitlines():
            if line.startswith("$ "):
                commands.append(line[2:])
                outputs.append([])
            else:
                outputs[-1].append(line)
    return commands, outputs


def write(page, directory):
    text = page.read_text()
    commands, _ = parse(text)
    lines = iter([f"$ {command}", *printed]
                 for command, printed in zip(commands, run(commands, directory)))

    def block(match):
        return "".join(f"{line}\n" for _ in range(len(COMMAND.findall(match[0])))
                       for line in next(lines))
    page.write_text(BLOCK.sub(block, text))
    for name in PICTURE.findall(text):
        (page.parent / name).write_bytes((pathlib.Path(directory) / name).read_bytes())


def check(tap, page, directory):
    text = page.read_text()
    commands, outputs = parse(text)
    for command, shown, printed in zip(commands, outputs, run(commands, directory)):
        tap.tell(shown == printed, f"{page.name}: {command}", *printed)
    for name in PICTURE.findall(text):
        made = pathlib.Path(directory) / name
        tap.tell(made.exists() and made.read_bytes() == (page.parent / name).read_bytes(),
                 f"{page.name}: the picture {name}")


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:] if name != "--write"]
    tap = Tap()
    for page in pages:
        with tempfile.TemporaryDirectory() as directory:
            if "--write" in sys.argv:
                write(page, directory)
            else:
                check(tap, page, directory)
    return 0 if "--write" in sys.argv else tap.end()


if __name__ == "__main__":
    sys.exit(main())
