#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Accesses of a program to a node that torus_vfio hands over: right ones, wrong ones, random ones.

	port_user.py DEVICE

Prints a line for each test, which begins with "right:" or "wrong:".
"""
import ctypes
import fcntl
import mmap
import os
import random
import select
import struct
import sys
import time

# <linux/vfio.h>
SET_CONTAINER, SET_IOMMU, GET_DEVICE = 0x3b68, 0x3b66, 0x3b6a
GET_INFO, GET_REGION, GET_IRQ, SET_IRQS, RESET = 0x3b6b, 0x3b6c, 0x3b6d, 0x3b6e, 0x3b6f
MAP_DMA, UNMAP_DMA = 0x3b71, 0x3b72
TYPE1V2, MSI, MSIX = 3, 1, 2
BAR0, BAR2, CONFIG = 0, 2, 7
# <linux/torus_port.h>
MAGIC, CONTROL, STATUS, ENABLE, ERRORS = 0x1000, 0x1010, 0x1100, 0x1104, 0x1110
FAULT = 0x1120
RING_BASE, RING_LENGTH, RING_TAIL, RING_HEAD, RING_STATE = 0x8000, 0x8008, 0x800c, 0x8010, 0x8014
ACCESS, ONES = 8, 0xffffffff
# Memory for DMA
IOVA, SIZE = 0x100000, 0x10000
# of a Blue Gene/L
NODE_COORDINATE = 2


class Function:
    """The PCI function."""

    def __init__(self, name):
        base = f"/sys/bus/torus/devices/{name}/iommu_group"
        self.container = os.open("/dev/vfio/vfio", os.O_RDWR)
        self.group = os.open("/dev/vfio/" + os.path.basename(os.readlink(base)), os.O_RDWR)
        fcntl.ioctl(self.group, SET_CONTAINER, struct.pack("i", self.container))
        fcntl.ioctl(self.container, SET_IOMMU, TYPE1V2)
        self.file = fcntl.ioctl(self.group, GET_DEVICE, ctypes.create_string_buffer(name.encode()))
        if not isinstance(self.file, int):
            raise OSError("no file")
        self.region = [self.info(GET_REGION, "IIIIQQ", index) for index in range(9)]

    def info(self, request, form, index):
        """Fields of an info ioctl."""
        size = struct.calcsize("=" + form)
        words = struct.pack("III", size, 0, index).ljust(size, b"\0")
        return struct.unpack("=" + form, fcntl.ioctl(self.file, request, words))

    def read(self, offset, size=4, region=BAR0):
        return int.from_bytes(os.pread(self.file, size, self.region[region][5] + offset), "little")

    def write(self, offset, value, size=4, region=BAR0):
        os.pwrite(self.file, value.to_bytes(size, "little"), self.region[region][5] + offset)

    def failed(self):
        """Whether the error bit is set; clears it."""
        errors = self.read(ERRORS)
        self.write(ERRORS, errors)
        return bool(errors & ACCESS)


def report(right, what):
    print(("right: " if right else "wrong: ") + what)


def rejected(what, *args):
    """Whether a call fails with EINVAL."""
    try:
        what(*args)
    except OSError as error:
        return error.errno == 22
    return False


def registers(pci):
    report(pci.read(MAGIC) == 0x55524f54 and not pci.failed(), "the magic number")
    own = pci.read(4 * NODE_COORDINATE)
    report(own not in (0, ONES) and not pci.failed(), f"a register of the machine: {own:#x}")
    for what, offset in (("an absent register", 0x1ff0), ("an absent FIFO", 0x2ff0),
                         ("an absent register of the machine", 0x0ffc), ("an odd offset", MAGIC + 1)):
        report(pci.read(offset) == ONES and pci.failed(), f"a read of {what}")
    report(pci.read(MAGIC, 2) == 0xffff and pci.failed(), "a read of two bytes")
    report(pci.read(MAGIC, 8) == 2 ** 64 - 1 and pci.failed(), "a read of eight bytes")
    pci.write(ENABLE, 0)
    for what, offset, value, size in (("reserved bits", ENABLE, 0x100, 4), ("two bytes", ENABLE, 1, 2),
                                      ("a register that is read-only", MAGIC, 1, 4)):
        pci.write(offset, value, size)
        report(pci.failed() and pci.read(ENABLE) == 0, f"a write of {what}")
    report(rejected(pci.read, 0x10000) and rejected(pci.write, 0x10000, 0), "beyond the registers")
    report(pci.read(0, 4, BAR2) == ONES, "the tables of MSI-X are not here")


def configuration(pci):
    report(pci.read(0, 4, CONFIG) == 0x70b51234, "vendor and device")
    sizes = []
    for bar in (0x10, 0x18, 0x14):
        pci.write(bar, ONES, 4, CONFIG)
        sizes.append(pci.read(bar, 4, CONFIG))
    report(sizes == [0xffff0000, 0xfffff000, 0], f"sizes of the BARs: {[hex(size) for size in sizes]}")
    found, at = [], pci.read(0x34, 1, CONFIG)
    while at:
        found.append(pci.read(at, 1, CONFIG))
        at = pci.read(at + 1, 1, CONFIG)
    report(found == [5, 17], f"capabilities {found}")
    counts = [pci.info(GET_IRQ, "IIII", index)[3] for index in (0, 1, 2, 4)]
    report(counts == [0, 1, 6, 1], f"numbers of vectors {counts}")


def interrupts(pci):
    def install(index, start, files, flags=0x24):
        data = struct.pack(f"{len(files)}i", *files)
        fcntl.ioctl(pci.file, SET_IRQS, struct.pack("IIIII", 20 + len(data), flags, index, start,
                                                    len(files)) + data)
    report(rejected(install, MSI, 0, [-1, -1]) and rejected(install, MSIX, 6, [-1]) and
           rejected(install, 0, 0, [-1]), "vectors that do not exist")
    report(rejected(install, MSIX, 0, [pci.file]), "a file that is no event")
    install(MSIX, 0, [], 0x21)
    event = os.eventfd(0)
    install(MSI, 0, [event])
    report(rejected(install, MSIX, 0, [event]), "MSI and MSI-X together")
    # The error bit is a cause: the interrupt is sent when it is enabled.
    pci.write(4, 6, 2, CONFIG)
    pci.read(MAGIC + 1)
    pci.write(ENABLE, 0x10)
    report(select.select([event], [], [], 30)[0] == [event], "an interrupt")
    install(MSI, 0, [], 0x21)


def memory(pci):
    space = mmap.mmap(-1, SIZE)
    place = ctypes.addressof(ctypes.c_char.from_buffer(space))

    def start():
        """Map the memory, and put the ring there; all descriptors send 32 bytes to node 1,0,0."""
        fcntl.ioctl(pci.container, MAP_DMA, struct.pack("IIQQQ", 32, 3, place, IOVA, SIZE))
        fcntl.ioctl(pci.file, RESET)
        pci.write(4, 6, 2, CONFIG)
        space[:64] = 2 * struct.pack("<6B10xQII", 8, 0, 2, 1, 0, 0, IOVA + 0x1000, 16, 0)
        pci.write(RING_BASE, IOVA)
        pci.write(RING_LENGTH, 2)

    def stop():
        """Unmap the memory, whether the function uses it or not."""
        size = struct.unpack("IIQQ", fcntl.ioctl(pci.container, UNMAP_DMA,
                                                 struct.pack("IIQQ", 24, 0, IOVA, SIZE)))[3]
        return size == SIZE

    def wait(offset, value):
        for _ in range(1000):
            if pci.read(offset) == value:
                return True
            time.sleep(0.01)
        return False

    start()
    pci.write(RING_TAIL, 1)
    report(wait(RING_HEAD, 1) and space[28] == 1, "a packet from memory")
    report(pci.read(RING_TAIL) == 1, "the tail is what was written")
    pci.write(RING_TAIL, 4)
    report(pci.failed() and pci.read(RING_TAIL) == 1, "a tail beyond the ring")
    report(stop(), "the memory is unmapped while the ring is on")
    pci.write(RING_TAIL, 2)
    report(wait(FAULT, 1) and pci.read(FAULT + 4) == IOVA + 32 and wait(RING_STATE, 3),
           "a descriptor in unmapped memory is a fault")
    start()
    pci.write(4, 2, 2, CONFIG)
    pci.write(RING_TAIL, 1)
    report(wait(FAULT, 1), "no access by a function that is no bus master")
    right = stop()
    for _ in range(30):
        start()
        pci.write(RING_TAIL, 2)
        right = stop() and right
    report(right, "memory is unmapped while the function begins to use it")


def randomly(pci):
    """Neither value nor error matters: no access may harm."""
    rand = random.Random(7)
    for _ in range(3000 if "TORUS_SHORT" in os.environ else 100000):
        region = rand.choice((BAR0, BAR0, BAR0, CONFIG, BAR2, 5))
        offset = rand.choice((rand.randrange(0x10100), 0x1100 + 4 * rand.randrange(8),
                              0x8000 + 0x40 * rand.randrange(18) + 4 * rand.randrange(6),
                              0x3000 + 0x10 * rand.randrange(8)))
        size = rand.choice((1, 2, 4, 4, 4, 4, 8, 16))
        try:
            if rand.randrange(2):
                pci.read(offset, size, region)
            else:
                value = rand.choice((rand.getrandbits(32), 1 << rand.randrange(32), 8, 0))
                pci.write(offset, value & (256 ** size - 1), size, region)
        except OSError as error:
            if error.errno != 22:
                raise
    fcntl.ioctl(pci.file, RESET)
    report(pci.read(CONTROL) == 0 and pci.read(STATUS) == 0 and pci.read(ERRORS) == 0 and
           pci.read(0x8008) == 0, "random accesses, a reset, and the registers are zero again")


def main():
    pci = Function(sys.argv[1])
    registers(pci)
    configuration(pci)
    interrupts(pci)
    memory(pci)
    randomly(pci)


if __name__ == "__main__":
    main()
