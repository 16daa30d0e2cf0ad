# SPDX-License-Identifier: GPL-2.0
"""The check of lab 9: each error of `torusctl node inject`, and packets after it."""
from driver import host

SOURCE = "driver.c"
check = host.check
PACKETS = 9
SPURIOUS = 100
RETURN_SECONDS = 2		# in which a receive() that was woken too early has returned
STUCK_SECONDS = 8		# longer than a driver's usual patience
LOST_MAX = 10			# packets that may be lost until a driver has recovered


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the packets"}


def fresh(bench):
    """End a receive() that still waits, and bind the driver again."""
    for worker in range(2):
        bench.rescue(worker)
    bench.rebind()


def sleeps(bench):
    """Start a receive(); return whether it sleeps."""
    bench.start_receive(1)
    if not bench.workers[1].settle():
        return True
    bench.workers[1].result()
    return False


def arrives(bench):
    """Return whether the receive() that was started returns the next packet."""
    packet = bench.packet(chunks=1)
    bench.put(packet)
    return bench.same(bench.received(1), packet)


def exchange(bench):
    for number in range(PACKETS):
        peer = number % len(bench.peers)
        packet = bench.packet(bench.peers[peer], 1 + number % 8)
        if bench.send(packet) or not bench.same(bench.take(peer, 10), packet):
            return False
        packet = bench.packet(chunks=1 + number % 8)
        if not sleeps(bench):
            return False
        bench.put(packet, peer)
        if not bench.same(bench.received(1), packet):
            return False
    return bench.register(bench.RECEIVE_HEAD) >= PACKETS


def lost(bench):
    for _ in range(2):
        if not sleeps(bench):
            return False
        bench.inject("irq-lost", "1")
        if not arrives(bench):
            return False
    return sleeps(bench) and arrives(bench)


def spurious(bench):
    if not sleeps(bench):
        return False
    bench.inject("irq-spurious", str(SPURIOUS))
    if bench.workers[1].done(RETURN_SECONDS):
        bench.workers[1].result()
        return False
    return arrives(bench) and sleeps(bench) and arrives(bench)


def stuck(bench):
    """No packet leaves the FIFO for some time, and then all do."""
    return bench.full(lambda: bench.inject("fifo-stuck", "on"), lambda: bench.inject("fifo-stuck", "off"),
                      STUCK_SECONDS)


def dma(bench):
    """The next access to memory fails, which is that to a descriptor; later packets arrive."""
    if not sleeps(bench) or not arrives(bench) or not bench.register(bench.RECEIVE_HEAD) or \
            not sleeps(bench):
        return False
    bench.inject("dma-fault", "1")
    sent = []
    while len(sent) < LOST_MAX and not bench.workers[1].done(1):
        sent.append(bench.packet(chunks=2))
        bench.put(sent[-1])
    got = bench.received(1)
    return any(bench.same(got, packet) for packet in sent) and \
        bench.send(bench.packet(bench.peers[0], 1)) == 0 and len(bench.take(limit=10)) == 8


def unplug(bench):
    """A call waits in send(), and one in receive()."""
    if not sleeps(bench):
        return False
    bench.inject("fifo-stuck", "on")
    packets, results = bench.fill(7)
    waits = len(results) < len(packets)
    bench.unplug()
    result = bench.workers[0].result()[0] if waits else 0
    return bench.workers[1].result()[0] == result == -bench.ENODEV


def scenario(bench):
    for rule in (exchange, lost, spurious, stuck, dma, unplug):
        fresh(bench)
        yield rule.__name__, rule(bench)
    for worker in range(2):
        bench.rescue(worker)
