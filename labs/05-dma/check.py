# SPDX-License-Identifier: GPL-2.0
"""The check of lab 5: packets by rings, with memory that the device sees only after a sync."""
from driver import host

SOURCE = "driver.c"
BOUNCE = True		# the device accesses copies of streaming mappings
check = host.check
CHUNKS = 7
PACKETS = 20		# more than twice as many as a ring has descriptors


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the packets"}


def send(bench):
    bench.clear()
    for number in range(PACKETS):
        peer = number % len(bench.peers)
        packet = bench.packet(bench.peers[peer], 1 + number % CHUNKS)
        if bench.send(packet) or not bench.same(bench.take(peer, 10), packet):
            return False
    written = [offset for write, offset, _, _, _ in bench.record() if write]
    return bench.TAIL in written and bench.WRITE_DATA not in written


def receive(bench):
    for number in range(PACKETS):
        packet = bench.packet(chunks=1 + number % CHUNKS)
        bench.put(packet, number % len(bench.peers))
        if not bench.same(bench.receive_some(10), packet):
            return False
    return bench.register(bench.RECEIVE_HEAD) >= PACKETS


def order(bench):
    """The device is done with the descriptor before the write of TAIL returns."""
    for _ in range(3):
        packet = bench.packet(bench.peers[0], 3)
        bench.hook(bench.WRITTEN, bench.TAIL, bench.FINISH)
        if bench.send(packet) or bench.hooked() or not bench.same(bench.take(limit=10), packet):
            return False
    return True


def remove(bench):
    """A packet arrives while remove() runs, and one after it."""
    passed = True
    for event, register in ((bench.WRITE, bench.CONTROL), (bench.UNBIND, 0)):
        bench.rebind()
        bench.put(bench.packet())
        bench.receive_some(10)
        messages = bench.messages()
        bench.hook(event, register, bench.DELIVER, words=bench.packet(chunks=2))
        bench.unbind()
        passed &= not bench.hooked() and bench.messages() == messages
    return passed


def scenario(bench):
    bench.rebind()
    messages = bench.messages()
    results = {"send": send(bench)}
    yield "send", results["send"]
    results["receive"] = receive(bench)
    yield "receive", results["receive"]
    bench.rebind()
    results["order"] = order(bench)
    yield "order", results["order"]
    yield "mapping", (results["send"] or results["receive"]) and bench.messages() == messages
    bench.rebind()
    yield "full", bench.full()
    yield "remove", (results["send"] or results["receive"]) and remove(bench)
