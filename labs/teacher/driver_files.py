# SPDX-License-Identifier: GPL-2.0
"""The files of a lab whose solution is a driver. One driver serves each student."""
import pathlib


class DriverFiles:
    """driver.c in the folder of a solve.py, and changes of it."""

    def __init__(self, solve):
        self.text = (pathlib.Path(solve).parent / "driver.c").read_text(encoding="ascii")

    def changed(self, *pairs):
        """Return the files with the first text of each pair replaced by the second."""
        text = self.text
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        return {"driver.c": text}
