/* SPDX-License-Identifier: GPL-2.0 */
/* Ports on small fabrics for tests: a bus without locks, and memory for DMA. */
#ifndef TORUS_ARCH_TESTS_PORT_RIG_H
#define TORUS_ARCH_TESTS_PORT_RIG_H

#include "core/port/machine_registers.h"
#include "core/port/port.h"
#include "core/port/registers.h"
#include "core/tests/rig.h"

#define PORT_MEMORY	0x40000u	/* bytes that a port can access */
#define PORT_BASE	0x12340000ull	/* DMA address of the first of them */
#define PORT_PACKET	2048		/* bytes of the longest packet of a machine */

/**
 * struct port_rig - a port with its bus
 * @f: the fabric
 * @port: the port
 * @interrupts: by cause: number of interrupts
 * @polls: number of polls that the port has requested
 * @delays: by cause: delays that are pending, 0 or 1
 * @microseconds: by cause: length of the last delay
 * @memory: memory from DMA address PORT_BASE on
 * @read_only: writes to memory from this offset on fail
 * @accesses: number of DMA accesses
 */
struct port_rig {
	struct torus_fabric *f;
	struct torus_port *port;
	u32 interrupts[TORUS_PORT_CAUSES];
	u32 polls;
	u32 delays[TORUS_PORT_CAUSES];
	u32 microseconds[TORUS_PORT_CAUSES];
	u8 *memory;
	u32 read_only;
	u32 accesses;
};

extern const struct torus_port_ops port_rig_ops;

/* Create a fabric of a machine in a shape that suits it, with the tables that it needs. */
struct torus_fabric *port_rig_fabric(const char *arch);

/* Attach a port to group @group of node @node. */
void port_rig_make(struct port_rig *r, struct torus_fabric *f, u32 node, u32 group,
		   const struct torus_port_ops *ops);
void port_rig_free(struct port_rig *r);

/* Read or write a register; an error fails the test. */
u32 port_get(struct port_rig *r, u32 offset);
void port_set(struct port_rig *r, u32 offset, u32 value);

/* Poll the ports and run the fabric until no packet moves. */
void port_settle(struct port_rig *r, u32 ports);

/* Let the delays of a port pass that are pending. */
void port_expire(struct port_rig *r);

/*
 * Make a packet of @chunks from @node to @dst, group 0, in injection FIFO 0: a valid header, and
 * bytes derived from @mark. Return: its length in bytes.
 */
u32 port_packet(struct torus_fabric *f, u32 node, u32 dst, u32 chunks, u32 mark, u8 *bytes);

/* Check all bytes of a received packet after the header that the hardware changes. */
void port_check(struct torus_fabric *f, u32 chunks, u32 mark, const u8 *bytes);

/* Return the mark of a packet that has at least four bytes after its header. */
u32 port_mark(struct torus_fabric *f, const u8 *bytes);

/* Write words @from to @to - 1 of a packet to a FIFO. Return: result of the last write. */
int port_put_words(struct port_rig *r, u32 fifo, const u8 *bytes, u32 from, u32 to);
int port_put(struct port_rig *r, u32 fifo, const u8 *bytes, u32 length);

/* Read a packet from a reception FIFO. Return: its length in bytes; 0: there is none. */
u32 port_take(struct port_rig *r, u32 fifo, u8 *bytes);

/* Read the first packet of any reception FIFO. Return: its length in bytes; 0: there is none. */
u32 port_take_any(struct port_rig *r, u8 *bytes);

/* Find the descriptor number @index of a ring at offset @at of the memory. */
struct torus_port_descriptor *port_descriptor(struct port_rig *r, u32 at, u32 length, u32 index);

/* Turn a ring on whose descriptors begin at offset @at of the memory. */
void port_ring_start(struct port_rig *r, u32 ring, u32 at, u32 length);

u32 port_little(const void *field, u32 bytes);

#endif
