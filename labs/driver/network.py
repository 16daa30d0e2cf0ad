# SPDX-License-Identifier: GPL-2.0
"""The network interface of a driver, for the check of lab 8: frames from and to the network stack."""
import pathlib
import select
import socket

TYPE = 0x88b5			# of frames, for experiments
ADDRESS = bytes((0x02, 0x4c, 0))	# first bytes of a node's address
HEADER, AT = 14, 3		# bytes of a frame's header; words of a packet before its frame
MTU = (64 - AT) * 4 - HEADER
CHUNK = 32			# bytes


def address(device):
    """Return the Ethernet address of a device, whose name has the coordinates."""
    return ADDRESS + bytes(map(int, device[4:].split(".")))


class Interface:
    """The interface of the bound driver."""

    def __init__(self, bench):
        self.bench = bench
        self.socket = None
        found = sorted(pathlib.Path("/sys/bus/torus/devices", bench.own, "net").glob("*"))
        self.path = found[0] if len(found) == 1 else None
        self.name = self.path.name if self.path else ""

    def __bool__(self):
        return self.path is not None

    def read(self, name):
        return (self.path / name).read_text(encoding="ascii").strip()

    def counter(self, name):
        return int(self.read(f"statistics/{name}"))

    def up(self):
        """Set the interface up, without addresses of IPv6, whose messages nothing here expects."""
        quiet = pathlib.Path("/proc/sys/net/ipv6/conf", self.name, "disable_ipv6")
        if quiet.exists():
            quiet.write_text("1", encoding="ascii")
        status, error = self.bench.do("run", "ip", "link", "set", self.name, "up")
        if status:
            raise self.bench.Failed(f"the interface cannot be set up: {error.strip()}")
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(TYPE))
        self.socket.bind((self.name, TYPE))

    @staticmethod
    def processor(number):
        """Have a processor handle the interrupts of nodes."""
        for line in pathlib.Path("/proc/interrupts").read_text(encoding="ascii").splitlines():
            words = line.split()
            if "torus" in words[1:-1]:
                pathlib.Path("/proc/irq", words[0][:-1], "smp_affinity").write_text(
                    f"{1 << number:x}", encoding="ascii")

    def frame(self, to, data=0, source=None):
        """Return a frame with a number of bytes of data, to a node or another address."""
        to = to if isinstance(to, bytes) else address(to)
        return to + (source or address(self.bench.own)) + TYPE.to_bytes(2, "big") + \
            self.bench.draw.randbytes(data)

    def packet(self, frame):
        """Return the words of a packet that has a frame for the student's node."""
        chunks = -(-(AT * 4 + len(frame)) // CHUNK)
        words = self.bench.packet(chunks=chunks)
        data = frame.ljust(chunks * CHUNK - AT * 4, b"\0")
        return [*words[:2], len(frame)] + [int.from_bytes(data[at:at + 4], "little")
                                          for at in range(0, len(data), 4)]

    def start_send(self, frame):
        """Let the stack send a frame; ndo_start_xmit() may not return."""
        self.bench.workers[0].start("frame", "ndo_start_xmit", self.name, frame.hex())

    def send(self, frame):
        """Let the stack send a frame; return whether it has accepted it."""
        self.start_send(frame)
        return self.bench.workers[0].result()[0] == 0

    def take(self, peer=0, limit=10):
        """Return the next frame that another node has received; empty if none comes."""
        words = self.bench.take(peer, limit)
        data = b"".join(word.to_bytes(4, "little") for word in words[AT:])
        return data[:words[2]] if len(words) > AT and words[2] <= len(data) else b""

    def receive(self, limit=10):
        """Return the next frame that the driver gives to the stack; empty if none comes."""
        ready, _, _ = select.select([self.socket], [], [], limit)
        return self.socket.recv(4096) if ready else b""
