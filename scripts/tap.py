# SPDX-License-Identifier: GPL-2.0
"""What tests in Python print: lines of TAP, and a plan at the end."""

import re


def says(text, words):
    """Check whether the message @text contains each of the blank-separated @words.

    A word stands alone or in the plural, so that a test does not depend on the wording.
    """
    def pattern(word):
        before = r"(?<!\w)" if re.match(r"\w", word) else ""
        after = r"(e?s)?(?!\w)" if re.search(r"\w$", word) else ""
        return before + re.escape(word) + after
    return bool(words.split()) and all(re.search(pattern(word), text) for word in words.split())


def blames(line, reason):
    """Check a line that a program prints.

    @reason is words, or where the error is and words, like "torus-sim: run: load 3"; @line begins
    with all up to the last ": ", and what follows says the words.
    """
    where, colon, words = reason.rpartition(": ")
    return line.startswith(where + colon) and says(line[len(where + colon):], words)


class Tap:
    """The tests' numbers and verdicts."""

    def __init__(self):
        self.number = 0
        self.failed = 0

    def tell(self, good, name, *details):
        """Tells one test's verdict, and why it failed."""
        self.number += 1
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}", flush=True)
        if not good:
            self.failed += 1
            for detail in details:
                for line in str(detail).splitlines():
                    print(f"# {line}", flush=True)

    def end(self):
        """Prints the plan; returns the exit status."""
        print(f"1..{self.number}")
        return int(self.failed > 0)
