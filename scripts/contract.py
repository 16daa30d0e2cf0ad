#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The contract of kmod/core/router/machine.h, against machines that leave something out.

Each machine of kmod/core/tests/contract compiles without a warning.  Without one of its
constants it fails by an #error that names it; without one of its hooks it fails by a message
that names it, and would not link either.  Every constant and hook of the contract is tried.
The compiler keeps the prefetch instructions of Cray XT's hook, which only prefetches.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path("kmod/core/tests/contract")
HEADERS = [pathlib.Path("kmod/core/router") / name for name in ("machine.h", "output_queues.h")]
# A machine, and the file in which its own constants and hooks stand.
MACHINES = {"plain": ["plain.c"], "options": ["options_hooks.h"],
            "stages": ["stages.c", "stages_hooks.h"],
            "stages_options": ["stages_options_hooks.h"], "ports": ["ports_hooks.h"]}
XT = pathlib.Path("kmod/arch/xt/router.c")
FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-D_GNU_SOURCE",
         "-Ikmod", "-Iinclude", "-Iinclude/uapi"]


def contract():
    """Constants whose lack is an error, and hooks."""
    text = "\n".join(header.read_text() for header in HEADERS)
    constants = re.findall(r'#ifndef (\w+)\n#error "\1: ', text)
    hooks = re.findall(r"^(?:static|torus_inline) [^;{]*?\b(machine_\w+)\([^;{]*;", text, re.M)
    return constants, hooks


def compile_machine(directory, machine, *flags):
    return subprocess.run([os.environ.get("CC", "gcc"), *FLAGS, *flags, "-c",
                           "-o", f"{directory}/{machine}.o", f"{directory}/{machine}.c"],
                          capture_output=True, text=True)


def undefined(directory, machine):
    names = subprocess.run(["nm", "-u", f"{directory}/{machine}.o"], check=True,
                           capture_output=True, text=True).stdout
    return names.split()


def without(path, name):
    """A file without a constant's line, or a hook's function; None if it has neither."""
    lines, kept, dropped, inside = path.read_text().splitlines(), [], 0, False
    for line in lines:
        if re.match(rf"#define {name}\b|(?:static|torus_inline) [^=;]*\b{name}\(", line):
            inside, dropped = not line.startswith("#"), dropped + 1
        elif not inside:
            kept.append(line)
            continue
        inside = inside and not line.endswith("}")
    return "\n".join(kept) + "\n" if dropped == 1 else None


def try_without(machine, file, name, constant):
    """What is wrong with the message about a machine that leaves out @name, or None."""
    with tempfile.TemporaryDirectory() as directory:
        copy = pathlib.Path(directory) / "machine"
        shutil.copytree(HERE, copy)
        (copy / file).write_text(without(HERE / file, name))
        strict = compile_machine(copy, machine, "-Werror")
        wanted = f'#error "{name}: ' if constant else name
        if strict.returncode == 0:
            return "it compiles"
        if not any(wanted in line for line in strict.stderr.splitlines() if "error" in line):
            return "the message does not name it: " + strict.stderr[:200]
        if not constant:
            loose = compile_machine(copy, machine, "-w")
            if loose.returncode == 0 and name not in undefined(copy, machine):
                return "without warnings it would link"
    return None


def complete(machine):
    with tempfile.TemporaryDirectory() as directory:
        copy = pathlib.Path(directory) / "machine"
        shutil.copytree(HERE, copy)
        built = compile_machine(copy, machine, "-Werror", "-O2")
        if built.returncode:
            return built.stderr[:400]
        missing = [name for name in undefined(copy, machine) if name.startswith("machine_")]
        return f"not defined: {missing}" if missing else None


def prefetches(text):
    """Number of prefetch instructions of Cray XT's router with the source @text."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory)
        (path / "router.c").write_text(text)
        built = compile_machine(path, "router", "-O2", "-S", f"-I{XT.parent}")
        assert not built.returncode, built.stderr[:400]
        return len(re.findall(r"^\s*(?:prefetch|prfm)", (path / "router.o").read_text(), re.M))


def keeps_prefetch():
    """gcc removes a call of a function that only prefetches: the hook must be inlined."""
    text = XT.read_text()
    empty, found = re.subn(r"(\bxt_prefetch_route\([^{]*{)[^}]*}", r"\1 }", text)
    counts = [prefetches(text), prefetches(empty)]
    return None if found == 1 and counts[0] > counts[1] else f"prefetch instructions: {counts}"


def main():
    constants, hooks = contract()
    cases = [(f"{machine} is complete", complete, (machine,)) for machine in MACHINES]
    tried = set()
    for machine, files in MACHINES.items():
        for file in files:
            for name in constants + hooks:
                if without(HERE / file, name) is not None:
                    tried.add(name)
                    cases.append((f"{machine} without {name}", try_without,
                                  (machine, file, name, name in constants)))
    left = sorted(set(constants + hooks) - tried)
    if os.environ.get("TORUS_SHORT"):   # make check: some of the constants and hooks
        cases = cases[::8]
    cases.append(("Cray XT keeps the prefetch of its routes", keeps_prefetch, ()))
    cases.append(("every constant and hook of the contract is tried",
                  lambda: f"not {left}" if left else None, ()))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(lambda case: case[1](*case[2]), cases))
    for number, (case, verdict) in enumerate(zip(cases, verdicts), 1):
        print(f"{'not ok' if verdict else 'ok'} {number} - {case[0]}")
        if verdict:
            print("# " + verdict.replace("\n", "\n# "))
    print(f"1..{len(cases)}")
    return any(verdicts)


if __name__ == "__main__":
    sys.exit(main())
