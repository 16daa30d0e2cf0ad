# SPDX-License-Identifier: GPL-2.0
"""The check of lab 3: packets by programmed I/O, a full FIFO, two senders, a node that goes away."""
from driver import host

SOURCE = "driver.c"
check = host.check
PACKETS, CHUNKS = 9, 7


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the packets"}


def send(bench):
    for number in range(PACKETS):
        peer = number % len(bench.peers)
        packet = bench.packet(bench.peers[peer], 1 + number % CHUNKS)
        if bench.send(packet) or not bench.same(bench.take(peer, 10), packet):
            return False
    return True


def receive(bench):
    """Return whether all packets were received, and whether the first one was."""
    for number in range(PACKETS):
        packet = bench.packet(chunks=1 + number % CHUNKS)
        bench.put(packet, number % len(bench.peers))
        if not bench.same(bench.receive_some(10), packet):
            return False, number > 0
    return True, True


def together(bench):
    """A second process sends while the first one is between two words of its packet."""
    packets = [bench.packet(bench.peers[0], 2) for _ in range(2)]
    bench.hook(bench.WRITTEN, bench.WRITE_DATA, bench.MEET)
    bench.start_send(packets[0], 0)
    if not bench.wait(lambda: not bench.hooked(), 10):
        return False
    bench.start_send(packets[1], 1)
    results = [worker.result()[0] for worker in bench.workers]
    got = [bench.take(limit=10) for _ in packets]
    return not any(results) and all(any(bench.same(words, packet) for words in got)
                                    for packet in packets)


def gone(bench):
    """The node is taken away while a packet waits for space."""
    bench.pause()
    packets, results = bench.fill(1)
    waits = len(results) < len(packets)
    bench.unplug()
    result = bench.workers[0].result()[0] if waits else 0
    bench.resume()
    return result == -bench.ENODEV


def scenario(bench):
    bench.rebind()
    yield "send", send(bench)
    bench.rebind()
    nothing = bench.receive() == []
    passed, first = receive(bench)
    yield "receive", passed
    empty = bench.register(bench.READS_EMPTY)
    bench.rebind()
    nothing &= bench.do("command", f"receive {bench.own}")[0] == 0
    yield "empty", first and nothing and empty + bench.register(bench.READS_EMPTY) == 0
    bench.rebind()
    yield "full", bench.full()
    bench.rebind()
    yield "together", together(bench)
    bench.rebind()
    yield "gone", gone(bench)
