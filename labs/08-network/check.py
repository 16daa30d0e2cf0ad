# SPDX-License-Identifier: GPL-2.0
"""The check of lab 8: frames of a network interface, a full FIFO, and packets at the worst moments."""
import time

from driver import host, network

SOURCE = "driver.c"
check = host.check
FRAMES, BURST, FULL = 12, 80, 12	# a burst is longer than the budget of a poll
# Bytes of data: of a frame that fills its chunks, and of one after which a FIFO has some space left.
WHOLE, UNEVEN = 38, 198
QUIET_SECONDS = 0.5
IDLE_SECONDS, IDLE_ACCESSES = 3, 8
LIMIT_SECONDS = 15


def exercise(_draw):
    return {"machine": "a Blue Gene/L; the name chooses its size, your node, and the frames"}


def sizes(bench):
    """Return the numbers of bytes of data for some frames: the ends and others."""
    return [1, network.MTU] + [bench.draw.randrange(1, network.MTU) for _ in range(FRAMES - 2)]


def interface(bench):
    """Return the interface, and whether it is as the text says; it ends with the driver."""
    face = network.Interface(bench)
    if not face:
        return face, False
    right = face.read("address") == network.address(bench.own).hex(":") and \
        face.read("mtu") == str(network.MTU)
    path = face.path
    bench.unbind()
    right &= not path.exists()
    bench.rebind()
    return network.Interface(bench), right


def transmit(bench, face):
    for number, size in enumerate(sizes(bench)):
        peer = number % len(bench.peers)
        frame = face.frame(bench.peers[peer], size)
        if not face.send(frame) or face.take(peer) != frame:
            return False
    dropped = face.counter("tx_dropped")
    face.send(face.frame(b"\x33\x33\0\0\0\x01", 10))
    return face.counter("tx_dropped") == dropped + 1 and not face.take(limit=1)


def receive(bench, face):
    for number, size in enumerate(sizes(bench)):
        peer = number % len(bench.peers)
        frame = face.frame(bench.own, size, network.address(bench.peers[peer]))
        bench.put(face.packet(frame), peer)
        if face.receive() != frame:
            return False
    return True


def napi(bench, face):
    """Many packets: the poll reads them all, the handler none, and the causes are disabled."""
    bench.clear()
    frames = [face.frame(bench.own, WHOLE, network.address(bench.peers[0])) for _ in range(BURST)]
    for frame in frames:
        if frame is frames[-1]:
            time.sleep(QUIET_SECONDS)	# the rule "order" tests what arrives at the end of a poll
        bench.put(face.packet(frame))
    right = all(face.receive() == frame for frame in frames)
    record = bench.record()
    handled = [(write, offset, value) for write, offset, value, _, handler in record if handler]
    return right and (True, bench.ENABLE, 0) in handled and \
        not any(offset in bench.data_registers() for _, offset, _ in handled) and \
        bench.wait(lambda: bench.register(bench.ENABLE) & 1, 5)


def order(bench, face):
    """A packet arrives after the read that has found the FIFOs empty."""
    for _ in range(3):
        frames = [face.frame(bench.own, WHOLE, network.address(bench.peers[0])) for _ in range(2)]
        bench.hook(bench.READ, bench.READABLE, bench.DELIVER, words=face.packet(frames[1]))
        bench.put(face.packet(frames[0]))
        if face.receive() != frames[0] or face.receive() != frames[1] or bench.hooked():
            bench.hook(0, 0, bench.DELIVER)
            return False
    return True


def full(bench, face):
    """No packet moves, and the stack sends more frames than the FIFO has space for."""
    frames = [face.frame(bench.peers[0], UNEVEN) for _ in range(FULL)]
    bench.pause()
    accepted = all(face.send(frame) for frame in frames)
    bench.clear()
    time.sleep(IDLE_SECONDS)
    accesses = sum(times for _, _, _, times, _ in bench.record())
    bench.resume()
    right = accepted and accesses <= IDLE_ACCESSES and \
        all(face.take(limit=LIMIT_SECONDS) == frame for frame in frames)
    return right and not bench.register(bench.WRITES_FULL)


def wake(bench, face):
    """The FIFO becomes empty after the driver has found it full, and before it stops the queue."""
    frames = [face.frame(bench.peers[0], network.MTU) for _ in range(FULL)]
    capacity = bench.register(bench.SPACE)
    # The poll must not wait for the transmission, which the hook stops on the other processor.
    face.processor(1)
    bench.pause()
    bench.hook(bench.READ, bench.SPACE, bench.LATE, value=0)
    left = list(frames)
    while left and bench.hooked():
        face.start_send(left.pop(0))
        bench.wait(lambda: bench.workers[0].done() or not bench.hooked())
        if bench.workers[0].done():
            bench.workers[0].result()
    bench.resume()
    empty = bench.wait(lambda: bench.register(bench.SPACE) == capacity, LIMIT_SECONDS)
    bench.command(f"go {bench.own}")
    if not bench.workers[0].idle:
        bench.workers[0].result()
    right = empty and not bench.hooked() and all(face.send(frame) for frame in left)
    return right and all(face.take(limit=LIMIT_SECONDS) == frame for frame in frames)


def scenario(bench):
    bench.rebind()
    face, right = interface(bench)
    yield "interface", right
    if not face:
        return
    for rule in (transmit, receive, napi, order, full, wake):
        face.up()
        yield rule.__name__, rule(bench, face)
        # The next rule begins with a new interface, and without the packets of this one.
        bench.rebind()
        face = network.Interface(bench)
        if not face:
            return
        while bench.take(limit=1):
            pass
