# SPDX-License-Identifier: GPL-2.0
"""A context: a FIFO group of a node, and the packets that go through it."""

import ctypes

from . import _library as c
from ._buffer import Readable
from ._wait import again

FIFO_ANY = -1
DYNAMIC, ORDERED, PRIORITY = range(3)


class Fabric:
    """A fabric seen from outside: name, arch, dims, mesh, nodes."""

    def __init__(self, name):
        self._info = c.FabricInfo()
        c.check(c.library.torus_fabric_find(name.encode(), self._info))
        self.name = self._info.name.decode()
        self.arch = self._info.arch.decode()
        self.dims = tuple(self._info.dims[:self._info.ndims])
        self.mesh = self._info.mesh
        self.nodes = self._info.nodes

    def node(self, where):
        """The number of the node at (1, 2, 3), "1,2,3", or a number."""
        node = c.U32()
        c.check(c.library.torus_fabric_node(self._info, where_text(where), node))
        return node.value

    def __repr__(self):
        return f"<torus.Fabric {self.name}: {self.arch} {'x'.join(map(str, self.dims))}>"


def where_text(where):
    """A node as the library reads it."""
    if not isinstance(where, str):
        where = str(where) if isinstance(where, int) else ",".join(map(str, where))
    return where.encode()


class Context:
    """A FIFO group of a node, until close(); also a context manager."""

    def __init__(self, handle):
        self._handle = handle
        self.sending = 0        # messages that are under way
        info = c.library.torus_context_info(handle).contents
        self.fabric = info.fabric.decode()
        self.arch = info.arch.decode()
        self.dims = tuple(info.dims[:info.ndims])
        self.mesh = info.mesh
        self.coords = tuple(info.coords[:info.ndims])
        self.node = info.node
        self.nodes = info.nodes
        self.group = info.group
        self.groups = info.groups
        self.tick_ns = info.tick_fs / 1e6
        self.packet_bytes = info.packet_chunks_max * info.chunk_bytes
        self.chunk_bytes = info.chunk_bytes

    @property
    def handle(self):
        """The library's own; an exception when it was closed."""
        if self._handle is None:
            raise ValueError("the context was closed")
        return self._handle

    def fileno(self):
        """The file, for select() and poll()."""
        return c.check(c.library.torus_context_fd(self.handle))

    @property
    def clock(self):
        """The fabric's clock in ticks, tick_ns each; in virtual time the program's own."""
        return c.library.torus_context_clock(self.handle)

    def compute(self, ticks):
        """In virtual time: the clock moves by so much, for the program has computed."""
        c.check(c.library.torus_compute(self.handle, ticks))

    def node_at(self, coords):
        """The number of the node at coordinates."""
        if len(coords) != len(self.dims):
            raise ValueError(f"{coords}: the machine has {len(self.dims)} dimensions")
        node = c.U32()
        where = (c.U32 * c.DIMS_MAX)(*coords)
        c.check(c.library.torus_node_locate(self.handle, where, node))
        return node.value

    def coords_of(self, node):
        """The coordinates of a node."""
        where = (c.U32 * c.DIMS_MAX)()
        c.check(c.library.torus_node_coords(self.handle, node, where))
        return tuple(where[:len(self.dims)])

    def send_packet(self, node, payload, group=0, route=DYNAMIC, software=b"", timeout=None):
        """One packet to a group of a node: a header as torus_packet_begin() writes it, the
        rest of the header for software, the payload, zeros up to a whole chunk."""
        body = bytes(software).ljust(8, b"\0") + bytes(payload)
        size = 8 + len(body)
        size += -size % self.chunk_bytes
        packet = ctypes.create_string_buffer(size)
        c.check(c.library.torus_packet_begin(self.handle, packet, size, node, group, route))
        ctypes.memmove(ctypes.addressof(packet) + 8, body, len(body))
        again(lambda ms: c.library.torus_inject_packet(self.handle, FIFO_ANY, packet, size, ms),
              timeout)

    def send_raw(self, packet, fifo=FIFO_ANY, timeout=None):
        """One packet as it is, header included."""
        data = Readable(packet)
        again(lambda ms: c.library.torus_inject_packet(self.handle, fifo, data.address,
                                                       data.length, ms), timeout)

    def receive_packet(self, fifo=FIFO_ANY, timeout=None):
        """The next packet as bytes, header included."""
        packet = ctypes.create_string_buffer(self.packet_bytes)
        length = again(lambda ms: c.library.torus_receive_packet(
            self.handle, fifo, packet, self.packet_bytes, ms), timeout)
        return packet.raw[:length]

    def close(self):
        """Give the group back."""
        if self._handle is not None:
            c.library.torus_context_detach(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        where = ",".join(map(str, self.coords))
        return f"<torus.Context {self.fabric} node {where} group {self.group}>"


def attach(fabric, where, group=0, priority=False, inject_chunks=0, receive_chunks=0):
    """Take a FIFO group of a node, which is (1, 2, 3), "1,2,3", or a number."""
    handle = c.Handle()
    config = c.AttachConfig(group=group, priority=priority, inject_chunks=inject_chunks,
                            receive_chunks=receive_chunks)
    c.check(c.library.torus_context_attach_at(handle, fabric.encode(), where_text(where),
                                              config))
    return Context(handle)
