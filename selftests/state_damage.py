#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damaged states, put to the module piece by piece, for state.sh.

    state_damage.py HEADER LIKE FABRIC STATE TRIES
    state_damage.py HEADER FABRIC
    state_damage.py OPTIONS

HEADER is include/uapi/linux/torus.h; LIKE a fabric that goes on from the file STATE, which tells
its workload; FABRIC one of the same configuration, as new. Each state with a flipped bit, a byte
less, or an end too early must be refused, in words; the whole one, at last, is taken.

With FABRIC alone, in which words its state is refused to who asks by hand. With OPTIONS, the
beginning of a file that has these, on standard output.
"""
import os
import random
import re
import struct
import sys

from refused_netlink import Family, says, u64

PART = 8192


class States(Family):
    """What of the family is about states."""

    def traffic(self, fabric):
        answer = self.exchange(self.id, self.commands["TRAFFIC_GET"], self.name(fabric))
        return dict(self.attributes(answer[20:]))[self.kinds["TRAFFIC"]]

    def name(self, fabric):
        data = fabric.encode() + b"\0"
        return struct.pack("=HH", 4 + len(data), self.kinds["FABRIC"]) + data + \
            b"\0" * (-len(data) % 4)

    def load(self, fabric, state, traffic):
        """In which words it is refused, "" if it is not."""
        name = fabric.encode() + b"\0"
        said = self.refused("STATE_WRITE", FABRIC=name, VALUE=u64(len(state)))[0]
        for at in range(0, len(state), PART):
            said = said or self.refused("STATE_WRITE", FABRIC=name,
                                        FABRIC_STATE=state[at:at + PART])[0]
        return said or self.refused("STATE_COMMIT", FABRIC=name, TRAFFIC=traffic)[0]


def damaged(state, kind):
    changed = bytearray(state)
    if kind == 2:
        return bytes(changed[:1 + random.randrange(len(changed) - 1)])
    if kind == 1:
        at = random.randrange(len(changed))
        changed[at:at + 1] = b""
    else:
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def crc(data):
    """CRC-32C."""
    value = 0xffffffff
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
    return value ^ 0xffffffff


def section(what, number, data):
    head = struct.pack("=IIQI", what, number, len(data), crc(data))
    return head + struct.pack("=I", crc(head)) + data


def version():
    """The core's version of saved states."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    source = open(os.path.join(top, "kmod/core/state/snapshot.c"), encoding="utf-8").read()
    return int(re.search(r"#define FILE_VERSION\s+(\d+)u", source).group(1))


def write(options):
    data = options.encode()
    sys.stdout.buffer.write(section(0x53524f54, 0, struct.pack("=I", version())) +
                            section(1, 1, struct.pack("=I", len(data)) + data))


def main():
    if len(sys.argv) == 2:
        write(sys.argv[1])
        return
    if len(sys.argv) == 3:
        family = States(open(sys.argv[1], encoding="utf-8").read())
        print(family.refused("STATE_SAVE", FABRIC=sys.argv[2].encode() + b"\0",
                             OPTIONS=b"{}")[0])
        return
    header, like, fabric, name, tries = sys.argv[1:]
    family = States(open(header, encoding="utf-8").read())
    state = open(name, "rb").read()
    traffic = family.traffic(like)
    random.seed(5)
    wrong = []
    for i in range(int(tries)):
        said = family.load(fabric, damaged(state, i % 3), traffic)
        if not says(said, "state"):
            wrong.append(f"try {i}: {said}")
    print("ok" if not wrong else "bad", f"{tries} damaged states are refused", *wrong[:3])
    rows = (
        ("VALUE FABRIC_STATE", "STATE_WRITE", {}),
        ("state 0 byte 1", "STATE_WRITE", {"VALUE": u64(0)}),
        (f"state {fabric} socket", "STATE_GET", {}),
        ("", "STATE_WRITE", {"VALUE": u64(9)}),
        ("state 0 9", "STATE_COMMIT", {"TRAFFIC": traffic}),
        (f"state {fabric} socket", "STATE_COMMIT",
         {"TRAFFIC": traffic}),
        ("state workload", "STATE_SAVE",
         {"OPTIONS": b"{}"}),
        (None, "", {}),
        ("", "STATE_SAVE", {"OPTIONS": b"{}"}),
        (f"byte {1 << 40} state", "STATE_GET", {"VALUE": u64(1 << 40)}),
    )
    for words, command, values in rows:
        if words is None:
            said = family.load(fabric, state, traffic)
            print("ok" if not said else "bad", f"the whole one is taken {said}")
            said = family.load(fabric, state, traffic)
            words, command = "state new fabric run", "again"
        else:
            said = family.refused(command, FABRIC=fabric.encode() + b"\0", **values)[0]
        good = says(said, words) if words else not said
        print("ok" if good else "bad", f"netlink: {command}: {words if good else said}")


if __name__ == "__main__":
    main()
