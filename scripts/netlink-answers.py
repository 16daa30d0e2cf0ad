#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The words with which the kernel refuses requests over netlink, one a line.

    netlink-answers.py FILE

Listens at an nlmon interface (root, in the VM) until it is ended, and appends to FILE each
text of an extack that passes.
"""
import socket
import struct
import sys

NLMSG_ERROR, NLM_F_CAPPED, NLM_F_ACK_TLVS = 2, 0x100, 0x200
NLMSGERR_ATTR_MSG = 1
HEADER = struct.Struct("=IHHII")


def texts(data):
    """The extack texts in a datagram of netlink messages."""
    while len(data) >= HEADER.size:
        length, kind, flags, _, _ = HEADER.unpack_from(data)
        if not HEADER.size <= length <= len(data):
            return
        if kind == NLMSG_ERROR and flags & NLM_F_ACK_TLVS:
            inner = HEADER.unpack_from(data, HEADER.size + 4)[0]
            at = 2 * HEADER.size + 4
            if not flags & NLM_F_CAPPED:
                at += (inner - HEADER.size + 3) & ~3
            while at + 4 <= length:
                size, attribute = struct.unpack_from("=HH", data, at)
                if size < 4:
                    break
                if attribute & 0x3fff == NLMSGERR_ATTR_MSG:
                    yield data[at + 4:at + size].rstrip(b"\0").decode(errors="replace")
                at += (size + 3) & ~3
        data = data[(length + 3) & ~3:]


def main():
    listener = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    listener.bind(("nlmon0", 0))
    with open(sys.argv[1], "a", encoding="utf-8", buffering=1) as file:
        while True:
            for text in texts(listener.recv(1 << 17)):
                file.write(text + "\n")


if __name__ == "__main__":
    main()
