# SPDX-License-Identifier: GPL-2.0
"""The check of lab 4: packets that arrive at the worst moments, and a receiver that sleeps."""
import time

from driver import host

SOURCE = "driver.c"
check = host.check
PACKETS, BURST, TIMES = 6, 5, 3
IDLE_SECONDS = 6		# longer than a driver's usual time-out for a lost interrupt
IDLE_ACCESSES = 2
RACE_SECONDS = 2		# in which a receiver that was woken too early has returned


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the packets"}


def fresh(bench):
    """End a receive() that still waits, and bind the driver again."""
    for worker in range(2):
        bench.rescue(worker)
    bench.rebind()


def receive(bench):
    for number in range(PACKETS):
        packet = bench.packet(chunks=1 + number)
        bench.start_receive()
        if bench.workers[0].settle():
            bench.workers[0].result()
            return False
        bench.put(packet, number % len(bench.peers))
        if not bench.same(bench.received(), packet):
            return False
    return True


def idle(bench):
    bench.start_receive()
    if bench.workers[0].settle():
        bench.workers[0].result()
        return False
    bench.clear()
    time.sleep(IDLE_SECONDS)
    accesses = sum(times for _, _, _, times, _ in bench.record())
    packet = bench.packet(chunks=1)
    bench.put(packet)
    return bench.same(bench.received(), packet) and accesses <= IDLE_ACCESSES


def burst(bench):
    packets = [bench.packet(chunks=1) for _ in range(BURST)]
    for packet in packets:
        bench.put(packet)
    time.sleep(1)
    for packet in packets:
        bench.start_receive()
        if not bench.same(bench.received(), packet):
            return False
    return True


def wakeup(bench):
    """A packet arrives after the read that has found no packet."""
    for _ in range(TIMES):
        packet = bench.packet(chunks=1)
        bench.hook(bench.READ, bench.READABLE, bench.DELIVER, words=packet)
        bench.start_receive()
        bench.workers[0].settle()
        if bench.hooked():
            # The driver has not looked. The hook must not run at its next look.
            bench.hook(0, 0, bench.DELIVER)
            bench.put(packet)
        if not bench.same(bench.received(), packet):
            return False
    return True


def order(bench):
    """A packet arrives before the acknowledgement, and after the receiver has taken the first one."""
    packets = [bench.packet(chunks=1) for _ in range(2)]
    bench.start_receive(1)
    if bench.workers[1].settle():
        bench.workers[1].result()
        return False
    bench.hook(bench.WRITE, bench.ACKNOWLEDGE, bench.LATE, words=packets[1])
    bench.put(packets[0])
    got = []
    if bench.workers[1].done(RACE_SECONDS):
        got.append(bench.received(1))
        bench.start_receive(1)
        bench.workers[1].settle()
    bench.command(f"go {bench.own}")
    while len(got) < len(packets):
        if bench.workers[1].idle:
            bench.start_receive(1)
        got.append(bench.received(1))
        if not got[-1]:
            return False
    return not bench.hooked() and all(map(bench.same, got, packets))


def unbind(bench):
    bench.start_receive(1)
    if bench.workers[1].settle():
        bench.workers[1].result()
        return False
    bench.unbind()
    return bench.workers[1].result()[0] == -bench.ENODEV


def scenario(bench):
    for rule in (receive, idle, burst, wakeup, order, unbind):
        fresh(bench)
        yield rule.__name__, rule(bench)
    for worker in range(2):
        bench.rescue(worker)
