#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Packets between two nodes of a Blue Gene/L through the files of the driver torus_edu.

	port_bind.py FROM [TO [PACKETS]]

FROM is node 0,0,0 and TO is node 1,0,0; without TO, the packets are sent only. Each packet has another length and other bytes.
"""
import os
import sys

CHUNK, HEADER, PACKETS = 32, 8, 300


def packet(number):
    """A packet to node 1,0,0 on a deterministic VC, of 1 to 8 chunks."""
    chunks = 1 + number % 8
    # Checksums skip 8 half-words; size and VC; destination x, y, z.
    header = bytes([8, 0, (chunks - 1) << 5 | 2, 1, 0, 0, 0, 0])
    return header + bytes((7 * at + number) & 0xff for at in range(HEADER, CHUNK * chunks))


def main():
    sender, *receivers = (os.open(name, os.O_RDWR) for name in sys.argv[1:3])
    packets = int(sys.argv[3]) if len(sys.argv) > 3 else PACKETS
    for number in range(packets):
        sent = packet(number)
        os.write(sender, sent)
        if not receivers:
            continue
        got = os.read(receivers[0], 8 * CHUNK)
        if got[HEADER:] != sent[HEADER:]:
            print(f"wrong: packet {number}: {len(got)} bytes")
            return 1
    print(f"right: {packets} packets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
