# SPDX-License-Identifier: GPL-2.0
"""A job: ranks that exchange messages."""

import array
import collections
import ctypes
import errno
import secrets

from . import _library as c
from ._buffer import Readable, Writable
from ._wait import again, milliseconds, watch
from .context import DYNAMIC, Context

ANY = -1
RANK_NONE = 2**32 - 1

OPERATIONS = ("sum", "min", "max", "and", "or", "xor")
# enum torus_type by array's codes; those of C's long are 64 bits wide here
TYPES = {"I": 0, "i": 1, "Q": 2, "q": 3, "L": 2, "l": 3, "f": 4, "d": 5}

Message = collections.namedtuple("Message", "data source tag")
Message.__doc__ = "A message that was received: its bytes, the sender's rank, its tag."
Envelope = collections.namedtuple("Envelope", "source tag length")
Envelope.__doc__ = "A message that waits: the sender's rank, its tag, its length in bytes."


class Elements:
    """Numbers of a reduction: one, a list of them, or an array of a type of its own."""

    def __init__(self, values):
        self._like = type(values)
        if isinstance(values, (int, float)):
            values = [values]
        if not isinstance(values, array.array):
            whole = all(isinstance(value, int) for value in values)
            values = array.array("q" if whole else "d", values)
        if values.typecode not in TYPES:
            raise TypeError(f"an array of {values.typecode!r}: "
                            f"a reduction takes {', '.join(sorted(TYPES))}")
        self.type = TYPES[values.typecode]
        self.count = len(values)
        self.send = values
        self.into = array.array(values.typecode, values)

    def result(self):
        """What came out, as what went in."""
        if self._like is array.array:
            return self.into
        return self.into[0] if self._like in (int, float) else self.into.tolist()


def operation_number(operation):
    """enum torus_operation by its name."""
    if operation not in OPERATIONS:
        raise ValueError(f"operation {operation!r}: none of {', '.join(OPERATIONS)}")
    return OPERATIONS.index(operation)


class Send:
    """A message under way; the job's other calls move it on."""

    def __init__(self, job, handle, data):
        self._job = job
        self._handle = handle
        self._data = data
        job.context.sending += 1

    def _over(self):
        self._handle = None
        self._data = None
        self._job.context.sending -= 1

    def _failed(self, error):
        """With that error alone the library has let go of it."""
        if error.errno == errno.ENOTCONN:
            self._over()

    def test(self):
        """Whether it is sent; moves packets, does not wait."""
        if self._handle is None:
            return True
        try:
            if c.check(c.library.torus_message_test(self._job.handle, self._handle)):
                self._over()
        except c.Error as error:
            self._failed(error)
            raise
        return self._handle is None

    def wait(self, timeout=None):
        """Wait until it is sent."""
        if self._handle is None:
            return
        try:
            again(lambda ms: c.library.torus_message_wait(self._job.handle, self._handle, ms),
                  timeout)
        except c.Error as error:
            self._failed(error)
            raise
        self._over()


class Job:
    """The processes that exchange messages; also a context manager."""

    def __init__(self, handle, context, own_context):
        self._handle = handle
        self._own_context = own_context
        self._subs = []
        self.context = context
        self.rank = c.library.torus_job_rank(handle)
        self.size = c.library.torus_job_size(handle)

    @property
    def handle(self):
        """The library's own; an exception when it was closed."""
        if self._handle is None:
            raise ValueError("the job was closed")
        return self._handle

    def rank_at(self, node):
        """The rank at a node in this group, or None."""
        rank = c.library.torus_job_rank_at(self.handle, node)
        return None if rank == RANK_NONE else rank

    def send(self, dest, data, tag=0):
        """Send bytes to a rank; returns when they may be used again."""
        data = Readable(data)
        again(lambda ms: c.library.torus_message_send(self.handle, dest, tag, data.address,
                                                      data.length), None)

    def start(self, dest, data, tag=0):
        """Begin to send bytes, which must stay as they are until the Send has ended."""
        data = Readable(data)
        handle = c.Handle()
        c.check(c.library.torus_message_start(self.handle, dest, tag, data.address,
                                              data.length, handle))
        return Send(self, handle, data)

    def receive(self, source=ANY, tag=ANY, timeout=None):
        """The next message of a rank, with a tag, or of any, as (data, source, tag)."""
        info = c.MessageInfo()
        data = ctypes.c_void_p()
        watch(lambda ms: c.library.torus_message_take(self.handle, source, tag, data, info, ms),
              timeout, self.context)
        try:
            return Message(ctypes.string_at(data, info.length), info.source, info.tag)
        finally:
            c.free(data)

    def receive_into(self, buffer, source=ANY, tag=ANY, timeout=None):
        """The same into a bytearray or an array, as (source, tag, length)."""
        info = c.MessageInfo()
        data = Writable(buffer)
        watch(lambda ms: c.library.torus_message_receive(
            self.handle, source, tag, data.address, data.length, info, ms), timeout, self.context)
        return Envelope(info.source, info.tag, info.length)

    def probe(self, source=ANY, tag=ANY, timeout=None):
        """Wait for a message and leave it where it is, as (source, tag, length)."""
        info = c.MessageInfo()
        watch(lambda ms: c.library.torus_message_probe(self.handle, source, tag, info, ms),
              timeout, self.context)
        return Envelope(info.source, info.tag, info.length)

    def flush(self, timeout=None):
        """Wait until all that was sent has arrived."""
        again(lambda ms: c.library.torus_message_flush(self.handle, ms), timeout)

    def progress(self):
        """Move packets without waiting: for programs that compute for long."""
        return c.check(c.library.torus_job_progress(self.handle))

    def barrier(self, timeout=None):
        """Wait until all ranks are here."""
        c.check(c.library.torus_job_barrier(self.handle, milliseconds(timeout)))

    def broadcast(self, buffer, root=0, along="xyz", timeout=None):
        """Give all ranks of a line ("x"), a plane or the machine the root's bytes: buffer is
        a bytearray or an array of one length everywhere."""
        data = Writable(buffer)
        mask = 0
        for letter in along:
            if letter not in "xyz":
                raise ValueError(f"along {along!r}: {letter!r} is none of x, y, z")
            mask |= 1 << "xyz".index(letter)
        c.check(c.library.torus_broadcast(self.handle, root, mask, data.address, data.length,
                                          milliseconds(timeout)))

    def alltoall(self, pieces, timeout=None):
        """Piece i goes to rank i; returns the pieces of all ranks, which are as long."""
        if len(pieces) != self.size:
            raise ValueError(f"{len(pieces)} pieces: one for each of {self.size} ranks")
        length = len(pieces[0])
        if any(len(piece) != length for piece in pieces):
            raise ValueError("the pieces are not all of one length")
        out = b"".join(pieces)
        into = ctypes.create_string_buffer(max(len(out), 1))
        c.check(c.library.torus_alltoall(self.handle, Readable(out).address, into, length, None,
                                         milliseconds(timeout)))
        return [into.raw[i * length:(i + 1) * length] for i in range(self.size)]

    def reduce(self, values, operation="sum", root=0, timeout=None):
        """Element by element over all ranks, at the root; None elsewhere.  Numbers, lists of
        them (64 bits) or arrays; "sum", "min", "max", "and", "or" or "xor"."""
        numbers, how = Elements(values), operation_number(operation)
        c.check(c.library.torus_reduce(
            self.handle, root, numbers.type, how, Writable(numbers.send).address,
            Writable(numbers.into).address, numbers.count, milliseconds(timeout)))
        return numbers.result() if self.rank == root else None

    def allreduce(self, values, operation="sum", timeout=None):
        """As reduce(), and every rank has the result."""
        numbers, how = Elements(values), operation_number(operation)
        c.check(c.library.torus_allreduce(
            self.handle, numbers.type, how, Writable(numbers.send).address,
            Writable(numbers.into).address, numbers.count, milliseconds(timeout)))
        return numbers.result()

    def gather(self, data, root=0, timeout=None):
        """The bytes of all ranks, of one length, as a list at the root; None elsewhere."""
        data = Readable(data)
        size = data.length * self.size
        into = ctypes.create_string_buffer(max(size, 1)) if self.rank == root else None
        c.check(c.library.torus_gather(self.handle, root, data.address, into, data.length,
                                       milliseconds(timeout)))
        if into is None:
            return None
        return [into.raw[i * data.length:(i + 1) * data.length] for i in range(self.size)]

    def scatter(self, pieces, length, root=0, timeout=None):
        """Piece i of the root's list, of so many bytes each, goes to rank i, which returns
        it; others than the root give None."""
        out = None
        if self.rank == root:
            if len(pieces) != self.size or any(len(piece) != length for piece in pieces):
                raise ValueError(f"{self.size} pieces of {length} bytes are wanted")
            out = Readable(b"".join(pieces))
        into = ctypes.create_string_buffer(max(length, 1))
        c.check(c.library.torus_scatter(self.handle, root, out.address if out else None, into,
                                        length, milliseconds(timeout)))
        return into.raw[:length]

    def split(self, color, key=0, timeout=None):
        """The sub-job of the ranks that give this color, ordered by key; None if color is
        negative. All ranks call it. Closing a job closes its sub-jobs."""
        handle = c.Handle()
        c.check(c.library.torus_job_split(self.handle, color, key, ctypes.byref(handle),
                                          milliseconds(timeout)))
        if not handle:
            return None
        self._subs = [sub for sub in self._subs if sub._handle is not None]
        self._subs.append(Job(handle, self.context, False))
        return self._subs[-1]

    def close(self):
        """Leave the job; a context that init() took is given back as well."""
        for sub in self._subs:
            sub.close()
        if self._handle is not None:
            c.library.torus_job_close(self._handle)
            self._handle = None
        if self._own_context:
            self.context.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<torus.Job rank {self.rank} of {self.size}>"


def init(timeout=None, route=DYNAMIC):
    """The job that torus-run has started this process for: returns when all members are
    there, or raises TimeOut with who is missing.  Without a timeout, TORUS_TIMEOUT holds."""
    job, context = c.Handle(), c.Handle()
    options = c.JobOptions(route=route, timeout_ms=0 if timeout is None else
                           milliseconds(timeout))
    c.check(c.library.torus_job_init(job, context, options))
    return Job(job, Context(context), True)


def draw_key():
    """A key for a job, at random."""
    return secrets.randbelow(2**32 - 1) + 1


def open_job(context, key, members=None, route=DYNAMIC, timeout=None):
    """A job of processes that were started by hand: the same key and members, (node, group)
    by rank, in all of them; without members one at every node."""
    handle = c.Handle()
    config = c.JobConfig(key=key, route=route, timeout_ms=milliseconds(timeout))
    if members is not None:
        config.members = (c.Member * len(members))(*members)
        config.count = len(members)
    c.check(c.library.torus_job_open(handle, context.handle, config))
    return Job(handle, context, False)
