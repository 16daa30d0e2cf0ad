/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine for the tests of the core, with features that no real machine combines: six
 * dimensions, two of them meshes; two router stages; two VCs; 364 queues per node in the second
 * stage, after its 26 slots; ten injection FIFOs that share two slots; node numbers with gaps;
 * drop reasons of its own; a path to the own node; a memory to which packets may be sent.
 *
 *   shape      XxYxZ groups of 2 x 3 x 2 nodes; the dimensions of length 2 are meshes
 *   number     16 * group + a + 2 (b + 3 c): 4 of 16 numbers have no node
 *   route      dimension order by the shorter way; VC 0 up to the last link of a ring, VC 1
 *              after it (dateline=off: VC 0 all the way)
 *   arbiters   the oldest packet first, or in turns
 *   header     number of the destination (4 bytes), chunks - 1 and TOY_PUT, group,
 *              sequence number, CRC-8
 */
#ifndef TORUS_TOY_H
#define TORUS_TOY_H

#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"

#define TOY_DIRS		12
#define TOY_VCS			2
#define TOY_SLOTS		2	/* injection slots */
#define TOY_GROUPS		2
#define TOY_FIFOS		5	/* injection FIFOs per group */
#define TOY_RECEIVE		3
#define TOY_BANK		((TOY_DIRS + TOY_SLOTS) * TOY_VCS)
#define TOY_CHUNK_BYTES		32
#define TOY_PACKET_CHUNKS	8
#define TOY_FIFO_CHUNKS		24
#define TOY_HEADER_BYTES	8
#define TOY_LOOP_TICKS		6	/* ticks of a packet to the own node without its chunks */
#define TOY_NUMBERS		16	/* numbers per group of nodes, 12 of them in use */

#define TOY_PUT			0x80	/* flag in header byte 4: the packet goes to memory */

/* Drop reasons of this machine, numbered from TORUS_DROP_MACHINE on. */
enum { TOY_DROP_ONE_WAY, TOY_DROP_FULL, TOY_DROPS };

enum toy_param {
	TOY_P_ARBITER = TORUS_P_MACHINE,
	TOY_P_DATELINE,
	TOY_P_ONE_WAY,
	TOY_P_BUFFER,
	TOY_P_LATENCY,
	TOY_P_END,
};

/**
 * struct toy_fields - contents of torus_packet.header
 * @number: number of the destination
 * @dim: dimension in which the packet travels
 * @crossed: the packet has passed the last link of that ring
 * @put: the packet goes to memory
 */
struct toy_fields {
	u32 number;
	u8 dim;
	u8 crossed;
	u8 put;
	u8 spare;
};

/**
 * struct toy_machine - parameters for the hot loop
 * @timing: timing of all links
 * @buffer: capacity of a VC's buffer, and of a queue of the second stage, in chunks
 * @turns: arbitrate in turns instead of by age
 * @dateline: rings have two VCs
 * @one_way: packets do not travel in the minus direction of the last ring
 * @memory: number of chunks in each node's memory
 */
struct toy_machine {
	struct torus_link_timing timing;
	u32 buffer;
	bool turns;
	bool dateline;
	bool one_way;
	u32 *memory;
};

/* Capacity of a node's memory in chunks. A packet that does not fit is dropped. */
#define TOY_MEMORY_CHUNKS	64

extern const struct torus_arch toy_arch;
extern const struct torus_router_ops toy_router;

void toy_node_init(struct torus_fabric *f, u32 node);
u32 toy_link_wraps(const struct torus_geometry *g, u32 node);

#endif
