#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Are the papers' figures judged as they are known to be?

	papers.py SIZE DIRECTORY...	documents of `torus-sim paper NAME --json`, NAME.json

scripts/papers.list says which rows differ from the paper at a size (small: of make check,
default, full), and why; user/paper/CLAIMS.md (or CLAIMS) which claims the rows judge. Both name a
row by its id, which is unique within the page. Prints TAP, a line a figure and one for what the two
lists say of each other. Each of these fails:

- a row that differs and is not in papers.list, and one of it that agrees, or is gone;
- a claim whose rows are gone, or are not judged where it says, or otherwise;
- a judged row that no claim names, or that has no id;
- an id that two rows have, or that is not made of lower-case letters, digits, dots and dashes;
- a tolerance that no number can exceed, or that has no unit;
- a figure without rows.
"""
import collections
import json
import os
import re
import sys
from fnmatch import fnmatchcase

import check_claims as claims

DIFFER = ("OUTSIDE", "not reproduced")
ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
# Our own figures.
OTHERS = ("link-",)


def expected(path):
    """{(figure, id): (sizes, reason)}"""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 4 or not parts[3]:
                sys.exit(f"{path}:{number}: must be FIGURE | SIZES | ID | REASON")
            rows[parts[0], parts[2]] = parts[1].split(","), parts[3]
    return rows


def name_of(row):
    """The id of a row; its label if it has none, which ids() reports."""
    return row["id"] or row["label"]


def ids(document):
    """Judged rows without an id, and ids that are not unique or not words."""
    for row in document["rows"]:
        if row["verdict"] and not row["id"]:
            yield f"{row['label']}: judged, and has no id"
        elif row["id"] and not ID.fullmatch(row["id"]):
            yield f"{row['id']}: an id has lower-case letters, digits, dots and dashes only"
    counts = collections.Counter(row["id"] for row in document["rows"] if row["id"])
    for name, count in counts.items():
        if count > 1:
            yield f"{name}: id of {count} rows"


def wrong(figure, document, known, size):
    """What is not as it is known to be."""
    differ = {name_of(row) for row in document["rows"] if row["verdict"] in DIFFER}
    listed = {row for (name, row), (sizes, _) in known.items() if name == figure and size in sizes}
    for row in sorted(differ - listed):
        yield f"{row}: differs, and papers.list does not say so"
    for row in sorted(listed - differ):
        yield f"{row}: papers.list says that it differs, and it does not"


def unclaimed(figure, document, listed, size):
    """What the claims do not say of the figure's rows, or say otherwise."""
    if figure.startswith(OTHERS):
        return
    named = set()
    for claim in (claim for claim in listed if figure in claim.pages):
        judged = claims.SIZES.index(size) >= claims.SIZES.index(claim.least)
        if size == "full" and claim.verdict == claims.NOT_RUN:
            yield f"{claim.words}: not run, says the claim, and it has been"
        for pattern in claim.rows:
            rows = [row for row in document["rows"] if fnmatchcase(row["id"] or "", pattern)]
            if not rows and judged:
                yield f"{pattern}: a claim names this row, and it is not there"
            named.update(row["id"] for row in rows if judged)
            for row in rows:
                yield from misjudged(claim, row, judged)
    for row in document["rows"]:
        if row["verdict"] and row["id"] not in named:
            yield f"{name_of(row)}: judged, and no claim of CLAIMS.md names it"


def misjudged(claim, row, judged):
    verdict = row["verdict"]
    if judged and not verdict:
        yield f"{row['id']}: a claim says that it is judged, and it is not"
    elif judged and claim.verdict in claims.KEPT and verdict != claim.verdict:
        yield f"{row['id']}: {verdict}, and its claim is {claim.verdict}"
    elif judged and claim.verdict not in claims.KEPT and verdict in claims.KEPT:
        yield f"{row['id']}: {verdict}, and its claim is judged"


def vain(document):
    """Rows whose tolerance no number can exceed upwards."""
    for row in document["rows"]:
        if row["demand"] != "absolute" or row["verdict"] in (None, "configuration", "fitted"):
            continue
        if row["other_is"] == "ours":  # two runs of ours: either may be the larger
            continue
        most = {"%": 100, "of 1": 1}.get(row["unit"])
        if most and row["other"] < most <= row["other"] + row["tolerance"]:
            yield f"{name_of(row)}: {row['other']} +- {row['tolerance']} cannot be exceeded"


def nameless(document):
    """Rows whose tolerance has no unit."""
    for row in document["rows"]:
        if row["tolerance"] is not None and not row["tolerance_unit"]:
            yield f"{name_of(row)}: a tolerance of {row['tolerance']}, and no unit"


def contradictions(listed, known, pages):
    """What papers.list and the claims say of each other at the papers' size."""
    for claim in listed:
        for page in claim.pages:
            if page not in pages:
                yield f"{page}: a claim's page, and there is no such figure"
        differ = [row for (page, row), (sizes, _) in known.items()
                  if page in claim.pages and "full" in sizes and
                  any(fnmatchcase(row, pattern) for pattern in claim.rows)]
        if bool(differ) != (claim.verdict in DIFFER):
            yield (f"{claim.words}: {claim.verdict}, and papers.list has "
                   f"{', '.join(differ) or 'none of its rows'}")
    for page, row in known:
        if not page.startswith(OTHERS) and not any(
                page in claim.pages and any(fnmatchcase(row, pattern) for pattern in claim.rows)
                for claim in listed):
            yield f"{page}: {row}: differs, and no claim of CLAIMS.md names it"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) or {"rows": [], "judged": 0, "differ": 0}


def main(size, directories):
    here = os.path.dirname(os.path.abspath(__file__))
    known = expected(os.path.join(here, "papers.list"))
    listed = claims.read(os.environ.get("CLAIMS", os.path.join(here, "../user/paper/CLAIMS.md")))
    figures = [(name[:-len(".json")], os.path.join(directory, name)) for directory in directories
               for name in sorted(os.listdir(directory)) if name.endswith(".json")]
    number = failed = 0

    def tell(what, said):
        nonlocal number, failed
        number += 1
        failed += bool(said)
        print(f"{'not ok' if said else 'ok'} {number} - {what}")
        for line in said:
            print(f"# {line}")

    for figure, path in figures:
        document = read(path)
        tell(f"{figure}: {document['judged']} judged, {document['differ']} differ, as "
             "scripts/papers.list and the claims say",
             [*wrong(figure, document, known, size), *unclaimed(figure, document, listed, size),
              *ids(document), *vain(document), *nameless(document), *([] if document["rows"] else ["no number"])])
    tell(f"{len(listed)} claims, as scripts/papers.list says",
         list(contradictions(listed, known, {figure for figure, _ in figures})))
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in claims.SIZES:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
