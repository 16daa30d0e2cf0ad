#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Two documents of one run: equal but for who simulated it, and what that cost.

	scripts/lib/json_equal.py ONE OTHER	says what differs, and fails
"""
import json
import sys

APART = ("perf", "memory_bytes", "ranks", "threads", "domains", "apart")


def bare(value):
    """A document without these."""
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in APART}
    return [bare(v) for v in value] if isinstance(value, list) else value


def main():
    documents = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            documents.append(bare(json.load(file)))
    one, other = documents
    if one != other:
        sys.exit(str([(k, one[k], other.get(k)) for k in one if one[k] != other.get(k)])[:1500])


if __name__ == "__main__":
    main()
