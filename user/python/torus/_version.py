# SPDX-License-Identifier: GPL-2.0
"""The version, from the top of the tree; `make install-user' replaces this file."""
import pathlib

__version__ = (pathlib.Path(__file__).resolve().parents[3] / "VERSION").read_text().strip()
