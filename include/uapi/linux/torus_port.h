/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The registers, descriptors and interrupts of a port: a FIFO group of a node as a driver sees it.
 *
 * A port has a register block of 64 KiB.  All registers have 32 bits, and are accessed as four
 * aligned bytes.  TORUS_PORT_REGISTERS and TORUS_PORT_BITS are the complete list.
 *
 *   0x0000  the machine's own registers: number n at offset 4n
 *   0x1000  identity: machine, node, sizes; the reset bit; the state of the links
 *   0x1100  causes of interrupts, errors, faults, moderation
 *   0x1200  counters of packets, records of lost packets
 *   0x1300  numbering of the nodes, as in struct torus_numbering
 *   0x2000  reception FIFOs, one every 0x10 bytes
 *   0x3000  injection FIFOs, one every 0x10 bytes
 *   0x8000  descriptor rings, one every 0x40 bytes: ring i belongs to injection FIFO i, ring
 *           TORUS_PORT_RECEIVE_RING to reception
 *
 * A wrong access fails with one of these errors and changes nothing else, except that ENOSPC and
 * ENODATA are counted in WRITES_FULL and READS_EMPTY:
 *
 *   EIO     a write to a read-only register, a read of a write-only one, a register that does not
 *           exist, an access that is not four aligned bytes, a base or length of a ring that is on
 *   ERANGE  a write of a reserved bit, or of a value that the register cannot have
 *   EBUSY   an access to 0x1100 .. 0xffff while the reset bit is 1
 *   ENOSPC  a word of a packet for which the injection FIFO has no space
 *   ENODATA a read of an empty reception FIFO
 *   ENODEV  the device was removed
 *
 * Where an access cannot return an error, a wrong write is ignored and a wrong read returns all
 * ones; EIO and ERANGE then set the error bit ACCESS.
 *
 * Interrupts: a cause has a status bit and an enable bit.  The device sets a status bit; writing a
 * one to ACKNOWLEDGE clears it.  An interrupt is sent when the AND of both bits becomes 1.  So a
 * driver acknowledges a cause, and then reads FIFOs, rings and records until they are empty.  A
 * packet that arrives after the acknowledgement sets the bit again.
 *
 * Programmed I/O: a driver writes a packet word by word to DATA of an injection FIFO.  The first
 * byte of a packet is the low byte of its first word.  The packet is taken with its last word.  If
 * the FIFO has no space for the whole packet, all words of the packet are ignored, and WRITES_FULL
 * counts the packet.  If the header has no valid size, the packet ends with its header and is
 * rejected.  A packet is received by reading WORDS words from DATA of a reception FIFO.
 *
 * Rings: a ring is an array of struct torus_port_descriptor, of LENGTH elements from BASE on.
 * Writing LENGTH turns the ring on; only a reset turns it off.  TAIL and HEAD count descriptors,
 * modulo 2^32.  The device owns the descriptors from HEAD to TAIL - 1, the driver all others.  The
 * driver fills descriptors in and writes TAIL.  The device writes the status of a descriptor before
 * HEAD passes it.  While the reception ring is on, all packets
 * arrive in its descriptors; packets that are in reception FIFOs are still read there.  The
 * packets of an injection FIFO that were written to DATA are taken before those of its ring.
 *
 * Links: direction 2d leads to higher coordinates of dimension d, direction 2d + 1 to lower ones.
 * The bit of a direction is 0 if there is no link, if the link is down, if its sender is off or has
 * given up, or if a node at an end of the link is dead.  LINKS has the state that the device found
 * in its last check.  A read requests a check, so a driver reads LINKS at intervals.
 *
 * Reset: writing a one to CONTROL.RESET empties FIFOs, rings and records, and clears the registers
 * from 0x1100 on.  The bit reads 1 until that is done; the device makes no DMA access and sends no
 * interrupt afterwards.  Packets that were taken before stay in the network.  TAKEN and ENDED
 * continue to count.
 */
#ifndef _UAPI_LINUX_TORUS_PORT_H
#define _UAPI_LINUX_TORUS_PORT_H

#include <linux/types.h>

/* A port that is handed to a guest is BAR 0 of a PCI function with these numbers. */
#define TORUS_PORT_PCI_VENDOR	0x1234
#define TORUS_PORT_PCI_DEVICE	0x70b5

#define TORUS_PORT_BYTES	0x10000u	/* length of the register block */
#define TORUS_PORT_MACHINE_BYTES	0x1000u	/* length of the machine's own registers */
#define TORUS_PORT_MAGIC_VALUE	0x55524f54u	/* "TORU", first letter in the low byte */
#define TORUS_PORT_ABI_VERSION	1
#define TORUS_PORT_RECEIVE_RING	16
#define TORUS_PORT_RINGS	17
#define TORUS_PORT_LOSSES_MAX	64	/* records of lost packets */

#define TORUS_PORT_FIFO_STRIDE	0x10u
#define TORUS_PORT_RING_STRIDE	0x40u

/* Offset of a register of FIFO or ring i, as TORUS_PORT_AT_RING(TORUS_PORT_TAIL, i). */
#define TORUS_PORT_AT_FIFO(reg, i)	((reg) + TORUS_PORT_FIFO_STRIDE * (i))
#define TORUS_PORT_AT_RING(reg, i)	((reg) + TORUS_PORT_RING_STRIDE * (i))
/* Offset of element i of a register that has several elements, as COORDINATE. */
#define TORUS_PORT_AT(reg, i)		((reg) + 4u * (i))

/*
 * R(name, offset, number, access, bits, meaning)
 *
 * number   ONE: one register; DIMENSIONS: one per dimension; EVENTS: one for each of the causes
 *          RECEIVE, INJECT and ENDED; RECEIVE_FIFOS, INJECT_FIFOS, RINGS: one per FIFO or ring
 * access   RO: read only; RW; WO: write only; WC: writing a one clears a bit
 * bits     bits that may be written; the others are reserved
 */
#define TORUS_PORT_REGISTERS(R) \
	R(MAGIC, 0x1000, ONE, RO, 0, "TORUS_PORT_MAGIC_VALUE") \
	R(VERSION, 0x1004, ONE, RO, 0, "TORUS_PORT_ABI_VERSION") \
	R(MACHINE, 0x1008, ONE, RO, 0, "name of the machine, first letter in the low byte") \
	R(FEATURES, 0x100c, ONE, RO, 0, "optional parts that exist") \
	R(CONTROL, 0x1010, ONE, RW, 0x1, "reset") \
	R(NODE, 0x1014, ONE, RO, 0, "number of the node") \
	R(GROUP, 0x1018, ONE, RO, 0, "FIFO group of the port") \
	R(GROUPS, 0x101c, ONE, RO, 0, "FIFO groups of a node") \
	R(NODES, 0x1020, ONE, RO, 0, "nodes of the fabric") \
	R(NODE_LAST, 0x1024, ONE, RO, 0, "highest number of a node") \
	R(DIMENSIONS, 0x1028, ONE, RO, 0, "dimensions of the fabric") \
	R(MESH, 0x102c, ONE, RO, 0, "bit i: dimension i is a mesh") \
	R(CHUNK_BYTES, 0x1030, ONE, RO, 0, "bytes of a chunk") \
	R(PACKET_CHUNKS, 0x1034, ONE, RO, 0, "chunks of the longest packet") \
	R(HEADER_BYTES, 0x1038, ONE, RO, 0, "bytes of a packet's hardware header") \
	R(FIFO_CHUNKS, 0x103c, ONE, RO, 0, "capacity of each FIFO in chunks") \
	R(INJECTION, 0x1040, ONE, RO, 0, "number of injection FIFOs") \
	R(INJECTION_PRIORITY, 0x1044, ONE, RO, 0, \
	  "bit i: injection FIFO i is for priority packets") \
	R(RECEPTION, 0x1048, ONE, RO, 0, "number of reception FIFOs") \
	R(RECEPTION_PRIORITY, 0x104c, ONE, RO, 0, \
	  "bit i: reception FIFO i is for priority packets") \
	R(COORDINATE, 0x1050, DIMENSIONS, RO, 0, "coordinate of the node") \
	R(DIMENSION, 0x1080, DIMENSIONS, RO, 0, "length of the dimension") \
	R(LINKS, 0x10c0, ONE, RO, 0, \
	  "bit i: the link in direction i can send; a read requests the next check") \
	R(STATUS, 0x1100, ONE, RO, 0, "causes that are pending") \
	R(ENABLE, 0x1104, ONE, RW, 0x3f, "causes that send an interrupt; the bits of STATUS") \
	R(ACKNOWLEDGE, 0x1108, ONE, WO, 0x3f, "a one clears a bit of STATUS") \
	R(READABLE, 0x110c, ONE, RO, 0, "bit i: reception FIFO i has a packet") \
	R(ERRORS, 0x1110, ONE, WC, 0xf, "errors since the bits were cleared") \
	R(WRITES_FULL, 0x1114, ONE, RO, 0, "packets ignored for lack of space in a FIFO") \
	R(READS_EMPTY, 0x1118, ONE, RO, 0, "reads of an empty reception FIFO") \
	R(FAULT, 0x1120, ONE, WC, 0x1, "first DMA fault since PRESENT was cleared") \
	R(FAULT_LOW, 0x1124, ONE, RO, 0, "address of the fault, bits 0-31") \
	R(FAULT_HIGH, 0x1128, ONE, RO, 0, "address of the fault, bits 32-63") \
	R(MODERATION, 0x1140, EVENTS, RW, 0x7fffffff, "delay of a status bit") \
	R(TAKEN_LOW, 0x1200, ONE, RO, 0, "packets taken, bits 0-31; a read latches TAKEN_HIGH") \
	R(TAKEN_HIGH, 0x1204, ONE, RO, 0, "packets taken, bits 32-63") \
	R(ENDED_LOW, 0x1208, ONE, RO, 0, "packets ended, bits 0-31; a read latches ENDED_HIGH") \
	R(ENDED_HIGH, 0x120c, ONE, RO, 0, "packets ended, bits 32-63") \
	R(LOSSES, 0x1210, ONE, WC, 0x100, "records of lost packets") \
	R(LOSS_PACKET, 0x1214, ONE, RO, 0, "oldest record: the packet") \
	R(LOSS_NODE, 0x1218, ONE, RO, 0, "oldest record: number of the node where it was lost") \
	R(LOSS_REASON, 0x121c, ONE, RO, 0, "oldest record: why it was lost") \
	R(LOSS_NEXT, 0x1220, ONE, WO, 0x1, "a one discards the oldest record") \
	R(SPLIT, 0x1300, DIMENSIONS, RO, 0, "torus_numbering.split") \
	R(STRIDE, 0x1340, DIMENSIONS, RO, 0, "torus_numbering.stride") \
	R(JUMP, 0x1380, DIMENSIONS, RO, 0, "torus_numbering.jump") \
	R(READ_DATA, 0x2000, RECEIVE_FIFOS, RO, 0, \
	  "next word of the first packet; a read removes it") \
	R(LEVEL, 0x2004, RECEIVE_FIFOS, RO, 0, "chunks in the FIFO") \
	R(WORDS, 0x2008, RECEIVE_FIFOS, RO, 0, \
	  "words of the first packet that are still to read") \
	R(WRITE_DATA, 0x3000, INJECT_FIFOS, WO, 0xffffffff, "next word of a packet") \
	R(SPACE, 0x3004, INJECT_FIFOS, RO, 0, "chunks that are free in the FIFO") \
	R(MISSING, 0x3008, INJECT_FIFOS, RO, 0, \
	  "words that are missing to the packet; 0: none is begun") \
	R(REJECTED, 0x300c, INJECT_FIFOS, RO, 0, \
	  "rejected packets that were written to WRITE_DATA") \
	R(BASE_LOW, 0x8000, RINGS, RW, 0xffffffe0, "DMA address of the ring, bits 0-31") \
	R(BASE_HIGH, 0x8004, RINGS, RW, 0xffffffff, "DMA address of the ring, bits 32-63") \
	R(LENGTH, 0x8008, RINGS, RW, 0x1ffe, \
	  "0: off; descriptors, a power of two from 2 to 4096") \
	R(TAIL, 0x800c, RINGS, RW, 0xffffffff, "descriptors that the driver has filled in") \
	R(HEAD, 0x8010, RINGS, RO, 0, "descriptors that the device is done with") \
	R(RING_STATE, 0x8014, RINGS, RO, 0, "state of the ring")

#define TORUS_PORT_REGISTER(name, offset, number, access, bits, meaning)	\
	TORUS_PORT_##name = offset,
enum torus_port_register {
	TORUS_PORT_REGISTERS(TORUS_PORT_REGISTER)
};

#undef TORUS_PORT_REGISTER

/* B(register, name, shift, width, meaning): the bits of a register, where they have names. */
#define TORUS_PORT_BITS(B) \
	B(FEATURES, RINGS, 0, 1, "descriptor rings") \
	B(FEATURES, REGISTERS, 1, 1, "the machine's own registers") \
	B(FEATURES, MODERATION, 2, 1, "MODERATION") \
	B(CONTROL, RESET, 0, 1, "write 1: reset; reads 1 until the reset is done") \
	B(STATUS, RECEIVE, 0, 1, "a packet has arrived") \
	B(STATUS, INJECT, 1, 1, "a packet was taken: there is space in a FIFO or ring") \
	B(STATUS, ENDED, 2, 1, "a packet has ended, or a loss was recorded") \
	B(STATUS, WATERMARK, 3, 1, "a FIFO has crossed its watermark") \
	B(STATUS, ERROR, 4, 1, "a bit of ERRORS was set, or the node detected an error") \
	B(STATUS, FAULT, 5, 1, "a DMA access has failed: see FAULT") \
	B(ERRORS, WRITE_FULL, 0, 1, "WRITES_FULL has increased") \
	B(ERRORS, READ_EMPTY, 1, 1, "READS_EMPTY has increased") \
	B(ERRORS, REJECTED, 2, 1, "a packet or descriptor was rejected") \
	B(ERRORS, ACCESS, 3, 1, "an access was ignored: wrong offset, value or size") \
	B(FAULT, PRESENT, 0, 1, "there is a fault; a one clears the bit") \
	B(FAULT, WRITE, 1, 1, "the device wrote to the address") \
	B(FAULT, RING, 8, 8, "ring of the access") \
	B(MODERATION, MICROSECONDS, 0, 16, "longest delay; 0: none") \
	B(MODERATION, PACKETS, 16, 15, "packets that end the delay earlier; 0: none do") \
	B(LOSSES, COUNT, 0, 8, "number of records") \
	B(LOSSES, OVERFLOW, 8, 1, "losses had no space; a one clears the bit") \
	B(LOSS_PACKET, NUMBER, 0, 31, "number of the descriptor, or of the packet in the FIFO") \
	B(LOSS_REASON, REASON, 0, 8, "enum torus_drop or TORUS_NOTICE_READER_GONE ..") \
	B(LOSS_REASON, FLAGS, 8, 8, "TORUS_NOTICE_COPY ..") \
	B(LOSS_REASON, FIFO, 16, 8, "injection FIFO of the packet") \
	B(LOSS_REASON, RING, 24, 1, "the packet came from the FIFO's ring") \
	B(REJECTED, CODE, 0, 8, "enum torus_refuse of the last one") \
	B(REJECTED, COUNT, 8, 23, "number of packets, modulo 2^23") \
	B(RING_STATE, ON, 0, 1, "LENGTH was written") \
	B(RING_STATE, HALTED, 1, 1, "a descriptor could not be accessed; until a reset")

#define TORUS_PORT_FIELD(reg, name, shift, width, meaning)			\
	TORUS_PORT_##reg##_##name##_SHIFT = (shift),				\
	TORUS_PORT_##reg##_##name = (int)(((1u << (width)) - 1) << (shift)),
enum torus_port_bits {
	TORUS_PORT_BITS(TORUS_PORT_FIELD)
};

#undef TORUS_PORT_FIELD

/* Causes: bit i of STATUS, ENABLE and ACKNOWLEDGE. */
enum torus_port_cause {
	TORUS_PORT_CAUSE_RECEIVE,
	TORUS_PORT_CAUSE_INJECT,
	TORUS_PORT_CAUSE_ENDED,
	TORUS_PORT_CAUSE_EVENTS,	/* causes before this one have a register MODERATION */
	TORUS_PORT_CAUSE_WATERMARK = TORUS_PORT_CAUSE_EVENTS,
	TORUS_PORT_CAUSE_ERROR,
	TORUS_PORT_CAUSE_FAULT,
	TORUS_PORT_CAUSES,
};

/*
 * C(name, ns, meaning): simulated time of an access by a driver, in nanoseconds. On a fabric in
 * virtual time it is rounded up to ticks, and counts in the episodes of the driver: torus_bus(9).
 */
#define TORUS_PORT_COSTS(C) \
	C(READ, 120, "a read of a register") \
	C(WRITE, 40, "a write of a register") \
	C(DATA, 20, "a read of READ_DATA, or a write of WRITE_DATA: a word of a packet") \
	C(MACHINE, 200, "a read or a write of one of the machine's own registers")

#define TORUS_PORT_COST(name, ns, meaning)	TORUS_PORT_COST_##name,
enum torus_port_cost {
	TORUS_PORT_COSTS(TORUS_PORT_COST)
	TORUS_PORT_COSTS_MAX,
};

#undef TORUS_PORT_COST

/* State of a descriptor: bits 0-7 of torus_port_descriptor.status. */
enum torus_port_done {
	TORUS_PORT_DONE_NOT,		/* the device is not done with it; written by the driver */
	TORUS_PORT_DONE,		/* injection: taken; reception: has a packet */
	TORUS_PORT_DONE_REJECTED,	/* injection only; the detail is an enum torus_refuse */
	TORUS_PORT_DONE_FAULT,		/* the memory could not be accessed; no packet was lost */
	TORUS_PORT_DONE_SHORT,		/* reception: the memory is shorter than the packet, which
					 * uses the next descriptor
					 */
};

/* Detail: bits 8-15 of the status.  With TORUS_PORT_DONE in reception: the reception FIFO. */
#define TORUS_PORT_DETAIL_SHIFT		8

#define TORUS_PORT_DESCRIPTOR_HEADER	16

/**
 * struct torus_port_descriptor - element of a ring
 * @header: the first 16 bytes of the packet; a packet of fewer bytes uses only the first bytes.
 *          Injection: written by the driver; reception: written by the device
 * @address: DMA address of the other bytes of the packet
 * @length: number of bytes at @address.  Injection: if the packet is longer, zeros follow.
 *          Reception: capacity, replaced by the number of bytes that were written
 * @status: written by the device: enum torus_port_done and its detail
 */
struct torus_port_descriptor {
	__u8 header[TORUS_PORT_DESCRIPTOR_HEADER];
	__le64 address;
	__le32 length;
	__le32 status;
};

#endif /* _UAPI_LINUX_TORUS_PORT_H */
