# SPDX-License-Identifier: GPL-2.0
"""The record in a page of torus-player, read without a browser."""
import base64
import json
import re
import struct


class Page:
    """A page: its events as the lines of the trace."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.html = file.read()
        for key in ("title", "arch", "shape", "dims", "shown", "kinds", "texts"):
            setattr(self, key, json.loads(re.search(f"^{key}:(.*),$", self.html, re.M)[1]))
        for key in ("count", "lost", "lostAt"):
            setattr(self, key, int(re.search(f"^{key}:(\\d+),$", self.html, re.M)[1]))
        self.packets = list(struct.iter_unpack("<III", self.bytes_of("packets")))
        self.events = self.bytes_of("events")

    def bytes_of(self, key):
        return base64.b64decode(re.search(f'^{key}:"([^"]*)"', self.html, re.M)[1])

    def node(self, number):
        text = []
        for length in self.dims:
            text.append(str(number % length))
            number //= length
        return ",".join(text)

    def numbers(self):
        value = shift = 0
        for byte in self.events:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield value
                value = shift = 0

    def lines(self):
        """Yield each event as (tick, kind, line)."""
        numbers, tick = self.numbers(), 0
        for step in numbers:
            tick += step
            kind, node, packet, text = (next(numbers) for _ in range(4))
            source, number, destination = self.packets[packet]
            line = (f"{tick:14} {self.kinds[kind]:8}{self.node(node):12} {self.node(source):12} "
                    f"{number:10} {self.node(destination):12}")
            more = self.texts[text]
            yield tick, self.kinds[kind], f"{line} {more}" if more else line
