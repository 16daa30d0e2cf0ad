/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine for core's own tests, made to stand where no real one does: six dimensions
 * of which two are meshes, two stages, two VCs, 364 queues a node behind its 26 slots,
 * ten injection FIFOs that share two slots, numbers with gaps, reasons to drop of its
 * own, a path to the own node, and a memory that packets may go to.
 *
 *   shape      XxYxZ groups of 2 x 3 x 2 nodes, the 2s meshes
 *   number     16 * group + a + 2 (b + 3 c): 4 of 16 numbers are nobody's
 *   route      dimension order, the shorter way; VC 0 up to a ring's last link, which
 *              leads into VC 1 (`dateline=off`: VC 0 all the way)
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
#define TOY_FIFOS		5	/* injection FIFOs of a group */
#define TOY_RECEIVE		3
#define TOY_BANK		((TOY_DIRS + TOY_SLOTS) * TOY_VCS)
#define TOY_CHUNK_BYTES		32
#define TOY_PACKET_CHUNKS	8
#define TOY_FIFO_CHUNKS		24
#define TOY_HEADER_BYTES	8
#define TOY_LOOP_TICKS		6	/* to the own node, besides the packet's own */
#define TOY_NUMBERS		16	/* of a group, of which 12 are nodes' */

#define TOY_PUT			0x80	/* header byte 4: to memory */

/* Its own reasons to drop a packet, from TORUS_DROP_MACHINE on. */
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
 * struct toy_fields - torus_packet.header
 * @number: of the destination
 * @dim: dimension in which the packet travels
 * @crossed: it has been over that ring's last link
 * @put: it goes to memory
 */
struct toy_fields {
	u32 number;
	u8 dim;
	u8 crossed;
	u8 put;
	u8 spare;
};

/**
 * struct toy_machine - parameters as the hot loop wants them
 * @timing: of every link
 * @buffer: chunks of a VC's buffer and of a queue of the second stage
 * @turns: arbiters go round, else the oldest is first
 * @dateline: rings have two VCs
 * @one_way: nobody travels in the minus direction of the last ring
 * @memory: a node: chunks that were put there
 */
struct toy_machine {
	struct torus_link_timing timing;
	u32 buffer;
	bool turns;
	bool dateline;
	bool one_way;
	u32 *memory;
};

/* Chunks that a node's memory holds; a packet for which there is no room is dropped. */
#define TOY_MEMORY_CHUNKS	64

extern const struct torus_arch toy_arch;
extern const struct torus_router_ops toy_router;

void toy_node_init(struct torus_fabric *f, u32 node);
u32 toy_link_wraps(const struct torus_geometry *g, u32 node);

#endif
