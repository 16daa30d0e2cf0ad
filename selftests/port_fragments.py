#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Fragments that no interface would send, from node 1 of a Blue Gene/L to the interface of node 0.

	port_fragments.py FILE SPACE lost	datagrams with a lost fragment, each followed by a whole one
	port_fragments.py FILE SPACE first N	N first fragments of long datagrams, that name all other nodes
	port_fragments.py FILE SPACE random N	N packets of random bytes
	port_fragments.py FILE SPACE whole	a whole datagram

FILE is that of node 1 in the driver torus_edu, SPACE the network namespace of the interface.
"""
import os
import random
import struct
import sys

import port_net

CHUNK, HEADERS, NODES = 32, 16, 512
PIECE = 8 * CHUNK - HEADERS
FIRST, LAST = 1 << 31, 1 << 30


def packet(source, word, data):
    """A packet to node 0,0,0 on a deterministic VC, with the header of a fragment."""
    chunks = (HEADERS + len(data) + CHUNK - 1) // CHUNK
    header = bytes([8, 0, (chunks - 1) << 5 | 2, 0, 0, 0, 0, 0])
    return (header + struct.pack("!II", source, word) + data).ljust(chunks * CHUNK, b"\0")


def datagram(length, seed):
    """A datagram of UDP from node 1 to node 0 with IPv4, and its contents."""
    data = port_net.pattern(length, seed)
    addresses = bytes([10, 0, 0, 2, 10, 0, 0, 1])
    head = struct.pack("!BBHHHBBH", 0x45, 0, 28 + length, seed, 0, 64, 17, 0)
    check = port_net.checksum(head + addresses)
    head = head[:10] + struct.pack("!H", check) + addresses
    return head + struct.pack("!HHHH", 7000, 7000, 8 + length, 0) + data, data


def fragments(whole, number):
    """The packets of a datagram."""
    pieces = [whole[at:at + PIECE] for at in range(0, len(whole), PIECE)]
    for at, piece in enumerate(pieces):
        word = at << 16 | number if at else FIRST | len(whole) << 16 | number
        if at and at == len(pieces) - 1:
            word |= LAST
        yield packet(1, word, piece)


def arrives(into, data):
    """Whether the next datagram has these contents."""
    return into.recv(65536) == data


def lost(handle, into):
    """A datagram of eight fragments, without one of them in turn."""
    right = number = 0
    for missing in range(8):
        whole, _ = datagram(1800, number)
        for at, one in enumerate(fragments(whole, number)):
            if at != missing:
                os.write(handle, one)
        whole, data = datagram(1800, number + 1)
        for one in fragments(whole, number + 1):
            os.write(handle, one)
        right += arrives(into, data)
        number += 2
    print(f"arrived {right} of 8")


def main():
    """Do what the third argument says."""
    name, space, what = sys.argv[1:4]
    into = port_net.open_socket(space, port_net.socket.AF_INET, port_net.socket.SOCK_DGRAM)
    into.bind(("10.0.0.1", 7000))
    handle = os.open(name, os.O_RDWR)
    draw = random.Random(7)
    if what == "lost":
        lost(handle, into)
    elif what == "first":
        for number in range(int(sys.argv[4])):
            word = FIRST | port_net.LARGEST << 16 | number & 0xffff
            os.write(handle, packet(1 + number % (NODES - 1), word, bytes(PIECE)))
    elif what == "random":
        for _ in range(int(sys.argv[4])):
            data = draw.randbytes(draw.randrange(PIECE))
            os.write(handle, packet(draw.getrandbits(32), draw.getrandbits(32), data))
    else:
        whole, data = datagram(5000, 77)
        for one in fragments(whole, 77):
            os.write(handle, one)
        print("arrived" if arrives(into, data) else "wrong")


if __name__ == "__main__":
    main()
