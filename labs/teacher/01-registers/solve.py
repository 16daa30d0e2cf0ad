# SPDX-License-Identifier: GPL-2.0
"""Solution of lab 1, and mistakes."""
import pathlib

SOLUTION = pathlib.Path(__file__).with_name("registers.c").read_text(encoding="utf-8")


def solve(_task):
    """Return the files of a solution."""
    return {"registers.c": SOLUTION}


def replaced(old, new):
    assert SOLUTION.count(old) == 1, old
    return {"registers.c": SOLUTION.replace(old, new)}


def mistakes(_task):
    """Return {rule: files that lose exactly this rule}."""
    return {
        # answers the largest coordinates
        "node": replaced("lab_answer(LAB_NODE, first[NODE]);", "lab_answer(LAB_NODE, first[0x01]);"),
        # adds one without going around the ring
        "neighbours": replaced("(node & ~mask) | (next & mask)",
                               "node + (minus ? -1 : 1) * (1 << (16 - 8 * dim))"),
        # reads the counters again, after they were cleared
        "errors": replaced("lab_answer(LAB_ERRORS + reg, first[INPUT_ERRORS + reg]);",
                           "lab_read(INPUT_ERRORS + reg, &second), lab_answer(LAB_ERRORS + reg, second);"),
        # answers only the counters that a link has
        "cleared": replaced("&& second != first[reg])", "&& second != first[reg] && reg < 0x72)"),
        # clears the counters by a write as well
        "quiet": replaced("	answer_neighbours(first[NODE]);",
                          "	lab_write(INPUT_ERRORS, 0);\n	answer_neighbours(first[NODE]);"),
    }
