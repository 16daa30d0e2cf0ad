# SPDX-License-Identifier: GPL-2.0
"""What tests in Python print: lines of TAP, and a plan at the end."""


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
