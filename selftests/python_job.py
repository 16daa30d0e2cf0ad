# SPDX-License-Identifier: GPL-2.0
"""Each call of the Python package among four ranks; "ok NAME" or "bad NAME: why" a test."""

import array
import errno
import os
import signal
import threading
import traceback
import weakref

import torus

TESTS = []


def test(function):
    """Run it on every rank, one after the other, a barrier between two."""
    TESTS.append(function)
    return function


def raises(kind, call, number=None, words=""):
    """The exception that the call raises."""
    try:
        call()
    except kind as error:
        assert number is None or error.errno == number, error
        assert words in str(error), error
        return
    raise AssertionError(f"no {kind.__name__}")


@test
def place(job):
    """ranks, nodes and coordinates fit together"""
    here = job.context
    assert job.size == 4 and here.dims == (2, 2, 1) and here.fabric == "py"
    assert here.node == job.rank and here.node_at(here.coords) == here.node
    assert here.coords_of(3) == (1, 1, 0) and job.rank_at(2) == 2
    raises(torus.Error, lambda: here.node_at((2, 0, 0)), errno.ERANGE, "2")
    seen = torus.Fabric("py")
    assert seen.nodes == 4 and seen.dims == here.dims and seen.node("1,1,0") == 3
    raises(torus.Error, lambda: torus.Fabric("nosuch"), errno.ENOENT, "nosuch")


@test
def lengths(job):
    """messages of any length, from bytes, bytearrays and arrays"""
    right, left = (job.rank + 1) % 4, (job.rank + 3) % 4
    for data in (b"", b"x", bytes(range(256)) * 500, bytearray(b"y" * 1000),
                 array.array("d", [1.5, 2.5]), memoryview(b"abcdef")[::2]):
        sent = job.start(right, data, tag=5)
        message = job.receive(source=left, tag=5, timeout=100)
        sent.wait()
        assert sent.test()
        assert message.data == memoryview(data).tobytes()
        assert message.source == left and message.tag == 5


@test
def choose(job):
    """the receiver chooses by tag and by source"""
    if job.rank == 0:
        for rank in (1, 2, 3):
            job.send(rank, b"first", tag=1)
            job.send(rank, b"second", tag=2)
        return
    assert job.receive(tag=2, timeout=100).data == b"second"
    assert job.probe(source=0, timeout=100) == (0, 1, 5)
    into = bytearray(8)
    assert job.receive_into(into, timeout=100) == (0, 1, 5)
    assert into == b"first\0\0\0"


@test
def small_buffer(job):
    """a buffer that is too small is refused, and the message waits"""
    job.send(job.rank ^ 1, b"four")
    raises(torus.Error, lambda: job.receive_into(bytearray(2), timeout=100), errno.EMSGSIZE)
    assert job.receive(timeout=100).data == b"four"


@test
def time_out(job):
    """nothing comes: TimeOut, and why"""
    raises(torus.TimeOut, lambda: job.receive(timeout=0.05), errno.ETIMEDOUT)
    raises(TimeoutError, lambda: job.probe(tag=3, timeout=0.05))
    raises(torus.WouldBlock, lambda: job.receive(timeout=0), errno.EAGAIN)
    raises(torus.TimeOut, lambda: job.receive_into(bytearray(2), timeout=0), errno.EAGAIN)
    raises(BlockingIOError, lambda: job.probe(tag=3, timeout=0))
    raises(torus.Error, lambda: job.send(4, b""), errno.EINVAL)


@test
def interrupt(job):
    """a signal's handler runs while a call waits, and may raise"""

    class Ring(Exception):
        """What the handler raises."""

    def handler(*_):
        raise Ring

    old = signal.signal(signal.SIGUSR1, handler)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
    raises(Ring, lambda: job.receive(tag=77))
    signal.signal(signal.SIGUSR1, old)


@test
def together(job):
    """barrier, broadcast, all-to-all"""
    job.barrier(timeout=100)
    data = bytearray(b"from rank 2" if job.rank == 2 else b" " * 11)
    job.broadcast(data, root=2, timeout=100)
    assert data == b"from rank 2"
    raises(ValueError, lambda: job.broadcast(data, along="xw"))
    pieces = job.alltoall([bytes([job.rank, to]) * 300 for to in range(4)], timeout=100)
    assert pieces == [bytes([source, job.rank]) * 300 for source in range(4)]
    raises(ValueError, lambda: job.alltoall([b""]))


@test
def reductions(job):
    """reduce, allreduce, gather, scatter"""
    assert job.allreduce(job.rank + 1, timeout=100) == 10
    assert job.allreduce([job.rank, -job.rank], "min", timeout=100) == [0, -3]
    assert job.allreduce(array.array("I", [1 << job.rank]), "or").tolist() == [15]
    assert job.allreduce(0.5) == 2.0
    assert job.reduce([job.rank], "max", root=3) == ([3] if job.rank == 3 else None)
    raises(ValueError, lambda: job.allreduce(1, "mean"))
    raises(TypeError, lambda: job.allreduce(array.array("b", [1])))
    got = job.gather(bytes([job.rank]) * 3, root=1)
    assert got == ([bytes([rank]) * 3 for rank in range(4)] if job.rank == 1 else None)
    pieces = [bytes([rank]) * 500 for rank in range(4)] if job.rank == 2 else None
    assert job.scatter(pieces, 500, root=2) == bytes([job.rank]) * 500


@test
def split(job):
    """sub-jobs by color and key"""
    half = job.split(job.rank % 2, -job.rank)
    assert half.size == 2 and half.rank == 1 - job.rank // 2
    other = half.start(1 - half.rank, b"half", tag=6)
    whole = job.start((job.rank + 2) % 4, b"all", tag=6)
    assert half.receive(tag=6, timeout=100).data == b"half"
    assert job.receive(tag=6, timeout=100).data == b"all"
    other.wait()
    whole.wait()
    assert half.allreduce(job.rank) == 2 + 2 * (job.rank % 2)
    alone = half.split(-1 if half.rank else 0)
    assert alone is None or alone.size == 1
    # the job does not keep sub-jobs that were closed
    closed = weakref.ref(half.split(0))
    closed().close()
    half.split(0).close()
    assert closed() is None
    half.barrier()
    half.close()


@test
def second(job):
    """a group is one program's; another group of the node has packets of its own"""
    raises(torus.Error, lambda: torus.attach("py", job.context.coords), errno.EBUSY)
    with torus.attach("py", job.context.node, group=1) as other:
        job.barrier(timeout=100)
        other.send_packet(job.rank ^ 1, b"a packet", group=1, software=b"softword")
        packet = other.receive_packet(timeout=100)
        assert packet[8:24] == b"softworda packet" and len(packet) == 32
        assert other.clock > 0
        job.barrier(timeout=100)
    raises(ValueError, lambda: other.clock)


@test
def by_hand(job):
    """a job that is opened by key and members"""
    with torus.attach("py", job.context.node, group=1) as other:
        job.barrier(timeout=100)
        with torus.open_job(other, 0x1234, [(node, 1) for node in range(4)],
                            timeout=100) as inner:
            inner.send((inner.rank + 1) % 4, b"hello")
            assert inner.receive(timeout=100).data == b"hello"
            inner.flush(timeout=100)
            inner.barrier(timeout=100)
        job.barrier(timeout=100)


def main():
    """All tests in order."""
    with torus.init(timeout=200) as job:
        for function in TESTS:
            try:
                function(job)
                print("ok", function.__doc__, flush=True)
            except Exception:  # pylint: disable=broad-except
                print("bad", function.__doc__, traceback.format_exc().replace("\n", " | "),
                      flush=True)
                os._exit(1)
            job.barrier(timeout=200)


main()
