#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Who includes whom, directory by directory, and whether that is allowed.

Prints the graph and fails on
  - an include of a directory that stands below in ORDER,
  - a circle among directories that stand on one line,
  - an include of the core by a directory that must do without,
  - an include that NEVER excludes,
  - a name of kmod that one directory's header declares and another directory's
    source defines, or, in kmod/core without the router, that no source defines,
  - a name that is declared in a header of another name than the one source that defines it,
    if the header is not in PRIVATE, or more than PRIVATE_NAMES_MAX names in those headers,
  - a directory that ORDER does not know.
"""
import os
import re
import sys

# From the bottom up.  A directory may include what is above it in this list; those
# on one line may include each other, but not in a circle.  A `*` is one name.
ORDER = """
include/uapi/linux
include/torus
include
kmod/core
kmod/core/base
kmod/core/state
kmod/core/link
kmod/core/nic kmod/core/workload
kmod/core/port
kmod/core/router
kmod/core/run
kmod/arch/*
kmod/arch
kmod/dev/compat
kmod/dev/base
kmod/dev/engine
kmod/dev/vtime kmod/dev/trace
kmod/dev/context kmod/dev/port
kmod/dev/netlink
kmod/dev
include/linux
kmod/bus/compat
kmod/bus
kmod/host/compat
kmod/host
kmod/drivers/net/wire
kmod/drivers/net
kmod/drivers/vfio/compat
kmod/drivers/vfio
kmod/drivers
kmod/drivers/test
user/common
user/machine
user/parse
user/tofu
user/netlink user/report user/capture user/lib/context
user/lib/job
user/lib/match
user/lib/collective
user/lib
user/libtofu
user/machine/public
user/route
user/route/deadlock
user/route/xt user/route/tofu user/route/kncube
user/route/file
user/route/spec
user/devquery
user/sim/transport
user/sim/base
user/sim/trace
user/sim/cmdline
user/sim/run
user/sim/sweep
user/replay user/jobs user/vtime_replay
user/barrier
user/paper
user/sim
user/player
user/lab
user/rehearsal
user/config
user/torusctl/print
user/torusctl/route
user/torusctl/snapshot
user/torusctl
user/torusd
user/perf/compare
user/run user/info user/perf user/man user/provider
user/demo user/examples user/examples/driver user/examples/port user/man/examples
user/fuzz
"""

# What knows the ABI, and a machine by its table, but nothing of the simulation.
WITHOUT_CORE = ["user/common", "user/lib", "user/lib/*", "user/tofu", "user/libtofu",
                "user/machine", "user/netlink", "user/devquery", "user/run", "user/info", "user/perf",
                "user/perf/compare", "user/demo", "user/examples", "user/provider",
                "include/*"]
CORE = "kmod/"

# Directories that may not include another one although it is above them in ORDER.
NEVER = [("kmod/core/router", "kmod/core/port"), ("kmod/core/run", "kmod/core/port"),
         ("kmod/arch/*", "kmod/core/port"), ("kmod/arch", "kmod/core/port")]

# Private headers of a directory: they declare functions of several sources, a list of commands
# for instance. In all others x.h declares what x.c defines.
PRIVATE = ["user/paper/paper.h", "user/torusctl/objects.h", "user/machine/machine.h",
           "user/libtofu/vcq.h", "user/libtofu/api.h", "user/libtofu/notice.h",
           "kmod/drivers/test/port_test.h"]
PRIVATE_NAMES_MAX = 100

# Where includes are looked for, behind the file's own directory.
SEARCH = ["kmod", "include", "include/uapi", "user"]
# Tests stand on top of everything.
TESTS = re.compile(r"(^|/)tests(/|$)")


def matches(directory, pattern):
    """Is @directory meant by @pattern, whose `*` is one name?"""
    return re.fullmatch(re.escape(pattern).replace(r"\*", "[^/]+"), directory) is not None


def rank(order, directory):
    """Line of @order that @directory stands on, None if on no line."""
    exact = [i for i, line in enumerate(order) if directory in line]
    if exact:
        return exact[0]
    for i, line in enumerate(order):
        if any(matches(directory, pattern) for pattern in line):
            return i
    return None


def sources(root, tops):
    """Paths of C sources and headers below the directories @tops, without tests."""
    for top in tops:
        for where, _, names in os.walk(os.path.join(root, top)):
            here = os.path.relpath(where, root)
            if TESTS.search(here):
                continue
            for name in sorted(names):
                if name.endswith((".c", ".h")) and not name.endswith(".mod.c"):
                    yield os.path.join(here, name)


def includes(root, path, text):
    """Files of the tree that @path includes."""
    for bracket, name in re.findall(r'^\s*#\s*include\s+(["<])([^">]+)[">]', text, re.M):
        places = SEARCH if bracket == "<" else [os.path.dirname(path)] + SEARCH
        for place in places:
            found = os.path.normpath(os.path.join(place, name))
            if os.path.isfile(os.path.join(root, found)):
                yield found
                break


def top_level(text):
    """What stands outside braces: (text, the character that ended it)."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\])*"|' + r"'(\\.|[^'\\])*'", "0", text)
    text = re.sub(r"^\s*#(\\\n|[^\n])*", "", text, flags=re.M)
    depth = 0
    piece = ""
    for c in text:
        if c == "{":
            if not depth:
                yield piece, c
                piece = ""
            depth += 1
        elif c == "}":
            depth -= 1
        elif not depth and c == ";":
            yield piece, c
            piece = ""
        elif not depth:
            piece += c


ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*\(\((?:[^()]|\([^()]*\))*\)\)")
NOT_SHARED = re.compile(r"\b(static|typedef|torus_inline)\b")
FUNCTION = re.compile(r"^[\w\s*]*?[\s*](\w+)\s*\([^()]*(\([^()]*\)[^()]*)*\)[\w\s()]*$", re.S)
VARIABLE = re.compile(r"^(?:[\w\s*]*[\s*])?(\w+)\s*(?:\[[^]]*\]\s*)*(=.*)?$", re.S)


def declared(text):
    """Names of functions and variables that a header declares for others."""
    for piece, end in top_level(text):
        piece = ATTRIBUTE.sub("", piece).strip()
        if end != ";" or NOT_SHARED.search(piece):
            continue
        if piece.startswith("extern "):
            found = VARIABLE.match(piece[7:]) if "(" not in piece else FUNCTION.match(piece[7:])
        else:
            found = FUNCTION.match(piece)
        if found:
            yield found.group(1)


def defined(text):
    """Names of functions and variables that a source defines for others."""
    for piece, end in top_level(text):
        piece = ATTRIBUTE.sub("", piece).strip()
        if not piece or NOT_SHARED.search(piece) or piece.startswith("extern "):
            continue
        if end == "{" and "=" not in piece:
            found = FUNCTION.match(piece)
        elif "=" in piece or (end == ";" and "(" not in piece):
            found = VARIABLE.match(piece.split("=")[0].strip())
        else:
            continue
        if found:
            yield found.group(1)


def circle(edges, among):
    """A circle of directories within @among as a list, or None."""
    for start in sorted(among):
        trail = [start]
        seen = set()

        def walk(at):
            for to in sorted(edges.get(at, {})):
                if to == start:
                    return True
                if to in among and to not in seen and to != at:
                    seen.add(to)
                    trail.append(to)
                    if walk(to):
                        return True
                    trail.pop()
            return False

        if walk(start):
            return trail + [start]
    return None


class Graph:
    """The tree below @root as its includes and declarations show it."""

    def __init__(self, root, order=ORDER, without_core=WITHOUT_CORE):
        self.order = [line.split() for line in order.strip().splitlines()]
        self.without_core = without_core
        self.edges = {}
        self.defects = []
        tops = sorted({line[0].split("/")[0] for line in self.order})
        texts = {}
        for path in sources(root, tops):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                texts[path] = file.read()
        for path, text in texts.items():
            self.add(root, path, text)
        self.circles()
        self.names(texts)
        self.headers(texts)

    def add(self, root, path, text):
        """Enter one file's includes."""
        here = os.path.dirname(path)
        if rank(self.order, here) is None:
            self.defects.append(f"{path}: {here} stands on no line of the order")
            return
        self.edges.setdefault(here, {})
        for other in includes(root, path, text):
            there = os.path.dirname(other)
            if there == here or TESTS.search(there):
                continue
            self.edges[here].setdefault(there, []).append((path, other))
            if rank(self.order, there) is None:
                continue
            if rank(self.order, there) > rank(self.order, here):
                self.defects.append(f"{path}: includes {other}, which stands above {here}")
            if any(matches(here, p) and there == other_dir for p, other_dir in NEVER):
                self.defects.append(f"{path}: includes {other}: {here} must not know {there}")
            if any(matches(here, p) for p in self.without_core) and there.startswith(CORE):
                self.defects.append(f"{path}: includes {other}: {here} must do without the core")

    def circles(self):
        """Directories of one line that include each other round about."""
        for i, _ in enumerate(self.order):
            among = {d for d in self.edges if rank(self.order, d) == i}
            found = circle(self.edges, among)
            if found:
                self.defects.append("a circle: " + " > ".join(found))

    def names(self, texts):
        """Every name is defined in the directory whose header declares it."""
        home = {}
        for path, text in texts.items():
            if path.endswith(".c"):
                for name in defined(text):
                    home.setdefault(name, set()).add(path)
        for path, text in texts.items():
            # torus-sim's commands are a list of what other directories bring
            if not path.endswith(".h") or not path.startswith("kmod/"):
                continue
            for name in declared(text):
                where = home.get(name)
                here = os.path.dirname(path)
                if not where:
                    # the router's header code declares what the file that includes it defines
                    if here.startswith("kmod/core/") and not here.endswith("/router"):
                        self.defects.append(f"{path}: declares {name}, which nobody defines")
                elif here not in {os.path.dirname(w) for w in where}:
                    self.defects.append(f"{path}: declares {name}, which {sorted(where)[0]} defines")

    def headers(self, texts):
        """x.h declares what x.c defines."""
        home = {}
        for path, text in texts.items():
            if path.endswith(".c"):
                for name in defined(text):
                    home.setdefault(name, []).append(path[:-2])
        private = 0
        for path, text in sorted(texts.items()):
            if not path.endswith(".h") or path.startswith("include/"):
                continue
            for name in declared(text):
                where = home.get(name, [])
                # each of several programs may define a function that their harness calls
                if len(where) != 1 or os.path.basename(where[0]) == os.path.basename(path[:-2]):
                    continue
                if path in PRIVATE:
                    private += 1
                else:
                    self.defects.append(f"{path}: declares {name}, which {where[0]}.c defines: "
                                        f"declare it in {where[0]}.h")
        if private > PRIVATE_NAMES_MAX:
            self.defects.append(f"{private} names in private headers, of which "
                                f"{PRIVATE_NAMES_MAX} are allowed")

    def text(self):
        """The graph, a line a directory."""
        lines = []
        for here in sorted(self.edges, key=lambda d: (rank(self.order, d), d)):
            there = sorted(self.edges[here], key=lambda d: (rank(self.order, d) or 0, d))
            lines.append(f"{here:20} > " + " ".join(f"{t}({len(self.edges[here][t])})"
                                                   for t in there))
        return "\n".join(lines)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    graph = Graph(root)
    print(graph.text())
    for defect in graph.defects:
        print(f"defect: {defect}", file=sys.stderr)
    return 1 if graph.defects else 0


if __name__ == "__main__":
    sys.exit(main())
