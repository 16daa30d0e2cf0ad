#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does every result that is not what it was have a rule that changed it?

	equal_before.py [DIRECTORY]	where equal.list and equal.before are (that of this script)

scripts/equal.before has what each run of scripts/equal.list answered before, the rules that changed
results, and which fields of an answer each may change.  Prints TAP, a line a rule and one for what no
rule may change: a run that differs in a field of which none of its rules speaks fails, and so does a
rule without a run, a run with a rule that answers as before, and one that is in only one of both lists.
"""
import os
import sys

FIELDS = ("status", "answer", "links", "delivery")


def lines(path):
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def read_list(path):
    """{command: fields}"""
    return {parts[4]: parts[:4] for parts in (line.split(maxsplit=4) for line in lines(path))}


def read_before(path):
    """{rule: fields it may change}, {command: (rules, fields)}"""
    rules, runs = {}, {}
    for line in lines(path):
        if line.startswith("rule "):
            name, *may = line.split(":")[0].split()[1:]
            if not may or set(may) - set(FIELDS):
                sys.exit(f"{path}: rule {name}: its fields are not some of {' '.join(FIELDS)}")
            rules[name] = set(may)
            continue
        names, *fields, command = line.split(maxsplit=5)
        runs[command] = set(names.split(",")) - {"-"}, fields
    return rules, runs


def wrong(rules, runs, now):
    """(rule or None, what is wrong)"""
    for command in sorted(set(runs) ^ set(now)):
        yield None, f"only in one of the lists: {command}"
    for command in runs.keys() & now.keys():
        names, fields = runs[command]
        differ = {field for field, old, new in zip(FIELDS, fields, now[command]) if old != new}
        may = set().union(*(rules.get(name, set()) for name in names))
        for name in names - set(rules):
            yield None, f"there is no rule {name}: {command}"
        if differ - may:
            yield None, f"{' '.join(sorted(differ - may))} changed by no rule: {command}"
        for name in names & set(rules):
            if not differ:
                yield name, f"answers as before: {command}"
    used = set().union(*(names for names, _ in runs.values()))
    for name in set(rules) - used:
        yield name, "changes no run"


def main(directory):
    rules, runs = read_before(os.path.join(directory, "equal.before"))
    now = read_list(os.path.join(directory, "equal.list"))
    said = sorted(wrong(rules, runs, now), key=str)
    same = sum(not names for names, _ in runs.values())
    for number, name in enumerate([None, *rules], 1):
        bad = [words for rule, words in said if rule == name]
        count = sum(name in names for names, _ in runs.values()) if name else same
        print(f"{'not ok' if bad else 'ok'} {number} - {name or 'no rule'}: {count} runs"
              f"{', ' + ' '.join(sorted(rules[name])) if name else ' answer as before'}")
        for words in bad:
            print("#", words)
    print(f"1..{len(rules) + 1}")
    return bool(said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))))
