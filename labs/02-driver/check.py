# SPDX-License-Identifier: GPL-2.0
"""The check of lab 2: a driver is bound, fails to be bound, is unbound and unplugged."""
from driver import host

SOURCE = "driver.c"
check = host.check
ROUNDS = 3


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the packets"}


def identity(bench):
    """A device whose magic number or version is wrong is not bound."""
    passed = True
    for register in (0x1000, 0x1004):
        bench.command(f"fake {bench.own} {register:x} 12345678")
        passed &= not bench.bind()
        bench.unbind()
    bench.command(f"fake {bench.own} 0 0")
    return passed


def interrupt(bench):
    """A second packet arrives after the first one's interrupt, and before its acknowledgement."""
    packets = [bench.packet(), bench.packet()]
    bench.clear()
    bench.hook(bench.WRITE, bench.ACKNOWLEDGE, bench.DELIVER, words=packets[1])
    bench.put(packets[0], 1)

    def words():
        return sum(times for write, offset, _, times, _ in bench.record()
                   if not write and offset in bench.data_registers())
    return bench.wait(lambda: words() >= sum(map(len, packets)), 10) and not bench.hooked() and \
        words() == sum(map(len, packets)) and bench.register(bench.READS_EMPTY) == 0


def failure(bench):
    """A probe() that fails in the middle leaves nothing."""
    bench.begin_leaks()
    messages = bench.messages()
    bench.command(f"irqs {bench.own} 0")
    bound = bench.bind()
    bench.command(f"irqs {bench.own} 1")
    return not bound and not bench.leaks(scan=False) and bench.messages() == messages


def unbind(bench):
    passed = True
    for _ in range(ROUNDS):
        passed &= bench.bind()
        bench.clear()
        bench.unbind()
        accesses = [(write, value) for write, offset, value, _, _ in bench.record()
                    if offset == bench.CONTROL]
        passed &= (True, 1) in accesses and accesses[-1] == (False, 0)
        handlers, _ = bench.left()
        passed &= handlers == 0
        if handlers:
            bench.tell(irqs=handlers)
            break
    return passed


def leaks(bench):
    messages = bench.messages()
    bench.begin_leaks()
    for _ in range(ROUNDS):
        bench.bind()
        bench.unbind()
    places = bench.leaks()
    if places:
        bench.tell(leaks=places)
    return not places and bench.messages() == messages


def scenario(bench):
    if not bench.bind():
        raise bench.Failed("probe() has failed: the device is not bound")
    bench.unbind()
    yield "identity", identity(bench)
    bench.bind()
    yield "interrupt", interrupt(bench)
    bench.unbind()
    yield "failure", failure(bench)
    yield "unbind", unbind(bench)
    yield "leaks", leaks(bench)
    bench.bind()
    bench.unplug()
    yield "unplug", True
