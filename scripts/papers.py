#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Are the papers' figures judged as they are known to be?

	papers.py SIZE DIRECTORY...	documents of `torus-sim paper NAME --json`, NAME.json

scripts/papers.list says which rows differ from the paper at a size (small: of make check,
default, full), and why. Prints TAP, a line a figure: a row that differs and is not in the
list fails, and so does one of the list that agrees, or is gone.
"""
import json
import os
import sys

DIFFER = ("OUTSIDE", "not reproduced")


def expected(path, size):
    """{(figure, label): reason} at that size."""
    rows = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 4 or not parts[3]:
                sys.exit(f"{path}:{number}: not FIGURE | SIZES | LABEL | REASON")
            if size in parts[1].split(","):
                rows[parts[0], parts[2]] = parts[3]
    return rows


def wrong(figure, document, known):
    """What is not as it is known to be."""
    differ = {row["label"] for row in document["rows"] if row["verdict"] in DIFFER}
    listed = {label for name, label in known if name == figure}
    for label in sorted(differ - listed):
        yield f"{label}: differs, and papers.list does not say so"
    for label in sorted(listed - differ):
        yield f"{label}: papers.list says that it differs, and it does not"


def main(size, directories):
    known = expected(os.path.join(os.path.dirname(__file__), "papers.list"), size)
    number = failed = 0
    for directory in directories:
        for name in sorted(os.listdir(directory)):
            if not name.endswith(".json"):
                continue
            figure = name[:-len(".json")]
            with open(os.path.join(directory, name)) as file:
                document = json.load(file) or {"rows": [], "judged": 0, "differ": 0}
            said = list(wrong(figure, document, known))
            if not document["rows"]:
                said.append("no number")
            number += 1
            failed += bool(said)
            print(f"{'not ok' if said else 'ok'} {number} - {figure}: {document['judged']} judged, "
                  f"{document['differ']} differ, as scripts/papers.list says")
            for line in said:
                print(f"# {line}")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
