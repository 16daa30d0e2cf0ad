#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Requests that no tool sends, for error_messages.sh: missing, superfluous or wrong attributes.

    refused_netlink.py HEADER FABRIC TABLES

HEADER is include/uapi/linux/torus.h, which has the numbers; TABLES is a fabric with routing
tables, which FABRIC has none of. Each request must be refused with the words beside it, or taken
where there are none.
"""
import os
import re
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts"))
from tap import says  # noqa: E402

NLM_F_REQUEST, NLM_F_ACK, NLM_F_ACK_TLVS, NLMSG_ERROR = 1, 4, 0x200, 2
SOL_NETLINK, NETLINK_EXT_ACK, NETLINK_CAP_ACK = 270, 11, 10
CTRL, GETFAMILY, FAMILY_ID, FAMILY_NAME = 16, 3, 1, 2
NLA_F_NESTED = 0x8000
MESSAGE, OFFSET = 1, 2	# NLMSGERR_ATTR_MSG, _OFFS
TRAFFIC_BYTES = 4 * 4 + 4 * 8 + 2 * 10 * 4 + 6 * 8 + 64 * 4 + 2 * 8 + 2 * 8


def numbers(header, prefix):
    """The names of an enumeration, by their order."""
    body = re.search(r"enum \w+ \{\s*(%sUNSPEC.*?)\};" % prefix, header, re.S)[1]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    return {name[len(prefix):]: value
            for value, name in enumerate(re.findall(r"\b(%s\w+)" % prefix, body))}


def attribute(kind, data):
    return struct.pack("=HH", 4 + len(data), kind) + data + b"\0" * (-len(data) % 4)


class Family:
    """The module's netlink family."""

    def __init__(self, header):
        self.commands, self.kinds = numbers(header, "TORUS_CMD_"), numbers(header, "TORUS_A_")
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        self.socket.bind((0, 0))
        answer = self.exchange(CTRL, GETFAMILY, attribute(FAMILY_NAME, b"torus\0"))
        self.id = struct.unpack_from("=H", dict(self.attributes(answer[20:]))[FAMILY_ID])[0]

    @staticmethod
    def attributes(data):
        while len(data) >= 4:
            size, kind = struct.unpack_from("=HH", data)
            yield kind & 0x3fff, data[4:size]
            data = data[(size + 3) & ~3:]

    def exchange(self, family, command, data):
        """The answer to a request, its header too."""
        body = struct.pack("=BBH", command, 1, 0) + data
        self.socket.send(struct.pack("=IHHII", 16 + len(body), family,
                                     NLM_F_REQUEST | NLM_F_ACK, 1, 0) + body)
        answer = self.socket.recv(1 << 16)
        if struct.unpack_from("=H", answer, 4)[0] != NLMSG_ERROR:
            self.socket.recv(1 << 16)
        return answer

    def refused(self, command, **values):
        """In which words the module refuses a request, "" if it does not; and what it blames."""
        data = b"".join(attribute(self.kinds[name], value) for name, value in values.items())
        answer = self.exchange(self.id, self.commands[command], data)
        kind, flags = struct.unpack_from("=HH", answer, 4)
        error = struct.unpack_from("=i", answer, 16)[0]
        if kind != NLMSG_ERROR or not error or not flags & NLM_F_ACK_TLVS:
            return "", None
        told = dict(self.attributes(answer[36:]))
        blamed, at = None, 20
        for attr, value in values.items():
            if at == struct.unpack("=I", told.get(OFFSET, u32(0)))[0]:
                blamed = attr
            at += len(attribute(0, value))
        return told.get(MESSAGE, b"").rstrip(b"\0").decode(), blamed


def u32(value):
    return struct.pack("=I", value)


def u64(value):
    return struct.pack("=Q", value)


def main():
    family = Family(open(sys.argv[1], encoding="utf-8").read())
    name = sys.argv[2].encode() + b"\0"
    kind = family.kinds
    kind["PARAM"] |= NLA_F_NESTED
    tables = sys.argv[3].encode() + b"\0"
    both = attribute(kind["VALUE"], u64(1)) + attribute(kind["TEXT"], b"1\0")
    traffic = bytearray(TRAFFIC_BYTES)
    traffic[-1] = 1
    add = {"FABRIC": b"raw\0", "ARCH": b"bgl\0"}
    rows = (
        ("NODE missing", "NODE_GET", {"FABRIC": name}),
        ("SEED command", "NODE_GET",
         {"FABRIC": name, "NODE": u32(0), "SEED": u64(1)}),
        ("DIMS 6 4", "FABRIC_ADD", {**add, "DIMS": b"123456"}),
        ("PARAM KEY VALUE TEXT", "FABRIC_SET",
         {"FABRIC": name, "PARAM": attribute(kind["KEY"], b"ber\0") + both}),
        ("UID PARTITION NODE_STATE EVICT", "NODE_SET",
         {"FABRIC": name, "NODE": u32(0)}),
        ("LINK_*", "LINK_SET",
         {"FABRIC": name}),
        ("LINK_SENDER", "LINK_SET",
         {"FABRIC": name, "LINK_SENDER": u32(0), "LINK_AT": u64(9)}),
        ("direction 6 0 5", "LINK_GET",
         {"FABRIC": name, "NODE": u32(0), "DIR": u32(6)}),
        ("NODE DIR", "COUNTER_GET", {"FABRIC": name, "DIR": u32(0)}),
        ("reserved TRAFFIC", "TRAFFIC_START",
         {"FABRIC": name, "TRAFFIC": bytes(traffic)}),
        ("VALUE PAIRS", "TRAFFIC_PAIRS",
         {"FABRIC": name}),
        ("job a/b name", "JOB_ADD",
         {"FABRIC": name, "JOB": b"a/b\0", "MEMBERS": u32(0)}),
        ("MEMBERS 6 4", "JOB_ADD",
         {"FABRIC": name, "JOB": b"a\0", "MEMBERS": b"123456"}),
        ("VIEW 6 4", "JOB_ADD",
         {"FABRIC": name, "JOB": b"a\0", "MEMBERS": u32(0), "VIEW": b"123456"}),
        (f"workload {sys.argv[2]}", "TRAFFIC_GET", {"FABRIC": name}),
        ("VALUE 8 4 ROUTES",
         "ROUTE_LOAD", {"FABRIC": tables, "VALUE": u64(8), "ROUTES": b"1234"}),
        (f"{sys.argv[2]} bgl table", "ROUTE_LOAD",
         {"FABRIC": name, "VALUE": u64(8)}),
        ("table 0 byte 1", "ROUTE_LOAD", {"FABRIC": tables, "VALUE": u64(0)}),
        (f"table {sys.argv[3]} socket", "ROUTE_LOAD",
         {"FABRIC": tables, "ROUTES": b"1234"}),
        ("", "ROUTE_LOAD", {"FABRIC": tables, "VALUE": u64(8)}),
        ("12 byte table 0 8", "ROUTE_LOAD",
         {"FABRIC": tables, "ROUTES": b"123456789abc"}),
        ("", "ROUTE_LOAD", {"FABRIC": tables, "VALUE": u64(8)}),
        ("ROUTES_AT 7 table", "ROUTE_LOAD",
         {"FABRIC": tables, "ROUTES": b"1234", "ROUTES_AT": u64(7)}),
        ("table 0 8", "ROUTE_LOAD",
         {"FABRIC": tables, "ROUTES_AT": u64(1 << 50)}, "FABRIC"),
        (f"{sys.argv[2]} table", "ROUTE_GET", {"FABRIC": name}),
        (f"byte {1 << 40} table", "ROUTE_GET",
         {"FABRIC": tables, "VALUE": u64(1 << 40)}),
    )
    for words, command, values, *blame in rows:
        said, blamed = family.refused(command, **values)
        good = says(said, words) if words else not said
        if good and blame and blamed != blame[0]:
            good, said = False, f"{said}, and blames {blamed}"
        print(f"{'ok' if good else 'bad'} netlink: {command}: "
              f"{(words or 'taken') if good else said}")


if __name__ == "__main__":
    main()
