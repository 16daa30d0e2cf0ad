#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Debian's files against the tree, without building a package.

    debian.py STAGE

Checks the lines of debian/control that lintian and dpkg reject, and the file lists against
STAGE, a directory with what `make install-user install-dkms` installs: each line of a list
names something, and each installed file belongs to exactly one package; and the changelogs
against VERSION; and README.md's table of packages. Prints TAP.
"""
import pathlib
import re
import sys

from tap import Tap

COLUMNS = 80
# How the newest entry begins
HEADINGS = {"debian/changelog": r"torus \(%s\)", "CHANGELOG.md": r"# Changes\n\n## %s\b"}
FIELD = re.compile(r"^[A-Z][A-Za-z-]*:")


def control_faults(text):
    """What lintian or dpkg says of debian/control, with the line's number."""
    faults, field = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if FIELD.match(line):
            field = line.partition(":")[0]
        elif line and not line.startswith((" ", "#")):
            faults.append(f"line {number}: neither a field nor its continuation: {line}")
        if line != line.rstrip() or "\t" in line:
            faults.append(f"line {number}: a tab, or white space at its end")
        if field == "Description" and len(line) > COLUMNS:
            faults.append(f"line {number}: {len(line)} columns, at most {COLUMNS}")
        if line.startswith("Description:"):
            synopsis = line.partition(":")[2].strip()
            if not synopsis or synopsis.endswith(".") or re.match(r"(?i)(an?|the) ", synopsis):
                faults.append(f"line {number}: synopsis with an article or a full stop")
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        fields = set(re.findall(r"(?m)^([A-Z][A-Za-z-]*):", paragraph))
        needed = {"Source", "Maintainer"} if "Source" in fields else \
            {"Package", "Architecture", "Description"}
        faults += [f"{paragraph.splitlines()[0]}: no {name}" for name in sorted(needed - fields)]
    return faults


def version_faults(version):
    """Changelogs whose newest entry is not of this version."""
    return [f"{name}: the newest entry is not of version {version}"
            for name, heading in HEADINGS.items()
            if not re.match(heading % re.escape(version),
                            pathlib.Path(name).read_text(encoding="utf-8"))]


def packages(text):
    return re.findall(r"(?m)^Package: (\S+)", text)


def list_faults(debian, stage, names):
    """Lines of the file lists that name nothing; files that no package, or two, take."""
    faults, owners = [], {}
    for path in sorted(debian.glob("*.install")):
        if path.stem not in names:
            faults.append(f"{path.name}: debian/control has no package {path.stem}")
        for line in path.read_text(encoding="utf-8").split("\n"):
            if not line or line.startswith("#"):
                continue
            found = sorted(stage.glob(line))
            if not found:
                faults.append(f"{path.name}: {line}: nothing is installed there")
            for place in found:
                under = place.rglob("*") if place.is_dir() and not place.is_symlink() else [place]
                for file in under:
                    if file.is_symlink() or not file.is_dir():
                        owners.setdefault(file, set()).add(path.stem)
    for file in sorted(stage.rglob("*")):
        if file.is_symlink() or not file.is_dir():
            taken = owners.get(file, set())
            if len(taken) != 1:
                faults.append(f"{file.relative_to(stage)}: in {len(taken)} packages")
    return faults, owners


def readme_faults(readme, stage, names, owners):
    """README.md's table of packages: a row for each package of debian/control, in this order. A
    program or a page of section 4 to 8 stands only in the row of the package that has it, and
    each program in that one."""
    rows = re.findall(r"(?m)^\| ([a-z0-9-]+) \| (.*) \|$",
                      re.search(r"(?ms)^\| package \| content \|$.*?\n\n", readme)[0])[1:]
    faults = [] if [name for name, _ in rows] == names else \
        [f"README.md: the packages must be {' '.join(names)}"]
    for file, taken in owners.items():
        place = file.relative_to(stage)
        if place.parts[:2] == ("usr", "bin"):
            said, needed = place.name, True
        elif place.parts[:3] == ("usr", "share", "man") and place.suffix in (".4", ".5", ".7", ".8"):
            said, needed = f"{place.stem}({place.suffix[1:]})", False
        else:
            continue
        for name, content in rows:
            there = re.search(rf"(?<![\w-]){re.escape(said)}(?![\w(-])", content)
            if bool(there) != (name in taken) and (needed if name in taken else there):
                if not (there and name == "torus-sim-mpi"):
                    faults.append(f"README.md: {said} and the row of {name}")
    return faults


def main(stage):
    tap, debian = Tap(), pathlib.Path("debian")
    text = (debian / "control").read_text(encoding="utf-8")
    faults = control_faults(text)
    tap.tell(not faults, "lines of debian/control", *faults)
    faults, owners = list_faults(debian, pathlib.Path(stage), packages(text))
    tap.tell(not faults, "each installed file is in one package, each line of a list names one",
             *faults)
    readme = pathlib.Path("README.md").read_text(encoding="utf-8")
    rest = pathlib.Path(stage), packages(text), owners
    faults = readme_faults(readme, *rest)
    tap.tell(not faults, "README.md's table has the packages and their programs", *faults)
    for wrong in (readme.replace("| torus-dkms |", "| torus-module |", 1),
                  readme.replace("torusctl, torusd, ", "torusd, ", 1),
                  readme.replace("| the modules, ", "| the modules, torus(4), ", 1)):
        tap.tell(readme_faults(wrong, *rest), "a wrong row of the table is found")
    version = pathlib.Path("VERSION").read_text(encoding="utf-8").strip()
    faults = version_faults(version)
    tap.tell(not faults, "the newest entry of both changelogs is of VERSION", *faults)
    tap.tell(len(version_faults(version + "1")) == len(HEADINGS), "another version is found")
    for wrong in (text + " x" * COLUMNS + "\n", text.replace("Architecture: any", "", 1),
                  re.sub(r"(?m)^Description: .*", "Description: a tool.", text, count=1)):
        tap.tell(control_faults(wrong), "a wrong line of debian/control is found")
    return tap.end()


sys.exit(main(*sys.argv[1:]))
