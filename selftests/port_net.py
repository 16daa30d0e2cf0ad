#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Datagrams, streams and statistics of two network interfaces in two network namespaces.

	port_net.py exchange SPACE SPACE STEP	ICMP, UDP of 1 to 14400 bytes in steps, TCP; IPv4 and IPv6
	port_net.py unreachable SPACE		addresses that belong to no node
	port_net.py rate SPACE SPACE		TCP in Mbit/s
	port_net.py moderate SPACE DEVICE US N	delay interrupts: US microseconds, N packets; then 20 echoes
	port_net.py ethtool SPACE DEVICE	driver, capacities and counters, "NAME VALUE" per line

The addresses of the namespaces are those of nodes 0 and 1: 10.0.0.1 and 10.0.0.2, fd00::1 and fd00::2.
"""
import array
import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys
import threading
import time

LARGEST = 14400
TIMEOUT = 60
LIBC = ctypes.CDLL(None, use_errno=True)
SIOCETHTOOL = 0x8946
GDRVINFO, GRINGPARAM, GSTRINGS, GSTATS, GSSET_INFO = 0x03, 0x10, 0x1b, 0x1d, 0x37
GCOALESCE, SCOALESCE = 0x0e, 0x0f


def enter(space):
    """Make sockets of this thread belong to a network namespace."""
    handle = os.open(f"/var/run/netns/{space}", os.O_RDONLY)
    if LIBC.setns(handle, 0x40000000):
        raise OSError(ctypes.get_errno(), f"setns {space}")
    os.close(handle)


def open_socket(space, family, kind, protocol=0):
    """A socket in a namespace."""
    enter(space)
    made = socket.socket(family, kind, protocol)
    made.settimeout(TIMEOUT)
    return made


def pattern(length, seed):
    """Bytes that differ in each datagram."""
    return bytes((at * 7 + at // 251 + seed) & 0xff for at in range(length))


def checksum(data):
    """The checksum of the Internet protocols."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xffff)
    return ~(total + (total >> 16)) & 0xffff


def ping(space, address, count, length):
    """Count the answers to echo requests, and the mean time in microseconds."""
    echo = open_socket(space, socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    right, began = 0, time.monotonic()
    for number in range(count):
        data = pattern(length, number)
        head = struct.pack("!BBHHH", 8, 0, 0, 77, number)
        head = struct.pack("!BBHHH", 8, 0, checksum(head + data), 77, number)
        echo.sendto(head + data, (address, 0))
        got = echo.recv(65536)[20:]
        right += got[0] == 0 and got[4:8] == head[4:8] and got[8:] == data
    return right, (time.monotonic() - began) / count * 1e6


def datagrams(family, sender, receiver, address, lengths):
    """Send datagrams of these lengths, one at a time. Return the number that arrived unchanged."""
    into = open_socket(receiver, family, socket.SOCK_DGRAM)
    into.bind((address, 7000))
    out = open_socket(sender, family, socket.SOCK_DGRAM)
    right = 0
    for length in lengths:
        data = pattern(length, length)
        out.sendto(data, (address, 7000))
        right += into.recv(65536) == data
    return right


def stream(sender, receiver, address, length):
    """Send a stream. Return whether it arrived unchanged, and its rate in Mbit/s."""
    listener = open_socket(receiver, socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, 7001))
    listener.listen(1)
    out = open_socket(sender, socket.AF_INET, socket.SOCK_STREAM)
    out.connect((address, 7001))
    into, _ = listener.accept()
    into.settimeout(TIMEOUT)
    data = array.array("B", pattern(65536, 1)).tobytes() * (length // 65536)
    began = time.monotonic()
    thread = threading.Thread(target=out.sendall, args=(data,))
    thread.start()
    got = bytearray()
    while len(got) < len(data):
        piece = into.recv(1 << 18)
        if not piece:
            break
        got += piece
    seconds = time.monotonic() - began
    thread.join()
    return got == data, len(data) * 8 / seconds / 1e6


def exchange(first, second, step):
    """All kinds of traffic in both directions."""
    right, _ = ping(first, "10.0.0.2", 20, 56)
    print(f"ping {right} of 20")
    right, _ = ping(second, "10.0.0.1", 3, 14000)
    print(f"ping of 14000 bytes {right} of 3")
    for family, host, header in ((socket.AF_INET, "10.0.0.", 28), (socket.AF_INET6, "fd00::", 48)):
        most = LARGEST - header
        lengths = [*range(1, most, step), most]
        right = datagrams(family, first, second, host + "2", lengths)
        right += datagrams(family, second, first, host + "1", lengths)
        print(f"udp {host} {right} of {2 * len(lengths)}")
    # Longer than the MTU: IP cuts the datagram.
    print("udp long", datagrams(socket.AF_INET, first, second, "10.0.0.2", [20000, 60000]), "of 2")
    right, _ = stream(first, second, "10.0.0.2", 1 << 20)
    print("tcp", "right" if right else "wrong")


def refused(space, family, address, kind=socket.SOCK_DGRAM):
    """The name of the error of a datagram or a connection to an address."""
    out = open_socket(space, family, kind)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    try:
        out.connect((address, 7000))
        out.send(b"x")
        return "sent"
    except OSError as why:
        return errno.errorcode[why.errno]


def unreachable(space):
    """Addresses without a node. The number in fd00::1:0:1 is that of the own node."""
    for address in ("10.0.0.250", "10.0.0.255", "10.1.0.2", "10.0.0.0"):
        print(address, refused(space, socket.AF_INET, address))
    for address in ("fd00::fa", "fd00::1:0:1", "fd00::1:2"):
        print(address, refused(space, socket.AF_INET6, address))
    print("tcp:10.0.0.250", refused(space, socket.AF_INET, "10.0.0.250", socket.SOCK_STREAM))


def ioctl(sock, device, buffer):
    """A command of ethtool; the answer is in @buffer."""
    request = struct.pack("16sP8x", device.encode(), ctypes.addressof(buffer))
    fcntl.ioctl(sock, SIOCETHTOOL, request)


def ethtool(space, device):
    """The driver, capacities of FIFOs, and counters."""
    sock = open_socket(space, socket.AF_INET, socket.SOCK_DGRAM)
    buffer = ctypes.create_string_buffer(struct.pack("I192x", GDRVINFO), 196)
    ioctl(sock, device, buffer)
    text = buffer.raw
    print("driver", text[4:36].split(b"\0")[0].decode())
    print("bus-info", text[100:132].split(b"\0")[0].decode())
    buffer = ctypes.create_string_buffer(struct.pack("I32x", GRINGPARAM), 36)
    ioctl(sock, device, buffer)
    print("rx-ring", struct.unpack("9I", buffer.raw)[5])
    buffer = ctypes.create_string_buffer(struct.pack("IIQI4x", GSSET_INFO, 0, 1 << 1, 0), 24)
    ioctl(sock, device, buffer)
    count = struct.unpack_from("I", buffer.raw, 16)[0]
    names = ctypes.create_string_buffer(struct.pack("III", GSTRINGS, 1, count), 12 + 32 * count)
    ioctl(sock, device, names)
    values = ctypes.create_string_buffer(struct.pack("II", GSTATS, count), 8 + 8 * count)
    ioctl(sock, device, values)
    for i in range(count):
        name = names.raw[12 + 32 * i:44 + 32 * i].split(b"\0")[0].decode()
        print(name, struct.unpack_from("Q", values.raw, 8 + 8 * i)[0])


def moderate(space, device, microseconds, packets):
    """Set the moderation of interrupts, print what is set then, and count the answers to echoes."""
    sock = open_socket(space, socket.AF_INET, socket.SOCK_DGRAM)
    values = [0] * 23
    values[0], values[1], values[2] = SCOALESCE, microseconds, packets
    try:
        ioctl(sock, device, ctypes.create_string_buffer(struct.pack("23I", *values), 92))
    except OSError as error:
        print("error", errno.errorcode[error.errno])
    buffer = ctypes.create_string_buffer(struct.pack("I88x", GCOALESCE), 92)
    ioctl(sock, device, buffer)
    values = struct.unpack("23I", buffer.raw)
    print("rx-usecs", values[1], "rx-frames", values[2], "tx-usecs", values[5])
    print("echoes", ping(space, "10.0.0.2", 20, 1000)[0])


def rate(first, second):
    """Median of three streams, and the mean time of an echo."""
    rates = sorted(stream(first, second, "10.0.0.2", 1 << 23)[1] for _ in range(3))
    print(f"{rates[1]:.1f} {ping(first, '10.0.0.2', 200, 56)[1]:.1f}")


def main():
    """Do what the first argument says."""
    what, *args = sys.argv[1:]
    if what == "exchange":
        exchange(args[0], args[1], int(args[2]))
    elif what == "unreachable":
        unreachable(args[0])
    elif what == "ethtool":
        ethtool(args[0], args[1])
    elif what == "moderate":
        moderate(args[0], args[1], int(args[2]), int(args[3]))
    elif what == "rate":
        rate(args[0], args[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
