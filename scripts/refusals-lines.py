#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What gcov has counted while a test ran: the lines that were run, FILE:LINE.

    refusals-lines.py TREE DIR >NAME.lines

DIR is the test's GCOV_PREFIX; the counts below it are of objects of TREE.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    tree, where = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    found = set()
    data = sorted(where.rglob("*.gcda"))
    for file in data:
        # gcov looks for the notes beside the counts.
        notes = pathlib.Path("/" + str(file.relative_to(where))).with_suffix(".gcno")
        link = file.with_suffix(".gcno")
        if notes.exists() and not link.exists():
            link.symlink_to(notes)
    with tempfile.TemporaryDirectory() as out:
        for first in range(0, len(data), 50):
            subprocess.run(["gcov", "-j", *map(str, data[first:first + 50])], cwd=out,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            for path in pathlib.Path(out).glob("*.gz"):
                document = json.loads(gzip.open(path).read())
                for part in document["files"]:
                    source = pathlib.Path(tree, part["file"])
                    if not source.is_relative_to(tree):
                        continue
                    name = source.relative_to(tree)
                    found |= {f"{name}:{line['line_number']}" for line in part["lines"]
                              if line["count"]}
                path.unlink()
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main()
