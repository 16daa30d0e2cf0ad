/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tofu as a machine (Ajima et al. (2009)): numbers, parameters, the data of the hot loop.
 *
 * A tick is four bytes at 5 GB/s ("10 gigabytes per second of fully bidirectional bandwidth"),
 * so that a chunk takes eight, and the longest packet no more than the wheel has.
 *
 * "The minimum packet length is 32 bytes and the maximum is 2,048 bytes, including the header
 * and cyclic redundancy check": a packet's bytes are all that it takes on a link.
 */
#ifndef TORUS_ARCH_TOFU_H
#define TORUS_ARCH_TOFU_H

#include "arch/tofu/route.h"
#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"

#define TOFU_CHUNK_BYTES	32
#define TOFU_CHUNK_TICKS	8
#define TOFU_PACKET_CHUNKS	64
#define TOFU_PACKET_BYTES	(TOFU_PACKET_CHUNKS * TOFU_CHUNK_BYTES)
#define TOFU_FIFO_CHUNKS	64	/* of a modelled FIFO: the longest packet */
#define TOFU_BUFFER_BYTES	8192	/* "four 8-Kbyte receive buffers" */
#define TOFU_RESEND_BYTES	8192	/* "and an 8-Kbyte retransmission buffer" */
#define TOFU_BUFFER_BYTES_MAX	65536
#define TOFU_CRC_BYTES		4
#define TOFU_LENGTH_MAX		256	/* groups along x, y or z: the header's eight bits */
#define TOFU_NODES_MAX		(1u << 20)

enum tofu_param {
	TOFU_P_PATH = TORUS_P_MACHINE,
	TOFU_P_TNIS,
	TOFU_P_VC_BYTES,
	TOFU_P_RESEND_BYTES,
	TOFU_P_LATENCY,
	TOFU_P_CREDIT_DELAY,
	TOFU_P_TIMEOUT,
	TOFU_P_RETRIES,
	TOFU_P_GATE_DELAY,
	TOFU_P_IO_ORDER,
	TOFU_P_ENGINE_DELAY,
	TOFU_P_MEMORY_DELAY,
	TOFU_P_END,
};

#define TOFU_PARAMS	(TOFU_P_END - TORUS_P_MACHINE)

struct tofu_barrier;
struct tofu_engines;

/* Values of `tnis`. */
enum { TOFU_FOUR_TNIS, TOFU_SIX_TNIS };

/* Values of `io_order`. */
enum { TOFU_IO_LAST, TOFU_IO_FIRST };

/**
 * struct tofu_fields - torus_packet.header
 * @group: destination's x, y, z
 * @slot: its number in the group
 * @path: the relay's number in the source's group
 * @order: enum tofu_order
 * @fifo: reception FIFO, or TORUS_TOFU_FIFO_GATE
 * @spare: nothing
 * @sw: software's sixteen bits; of a barrier packet its engine at the destination
 */
struct tofu_fields {
	u8 group[TOFU_GROUP_AXES];
	u8 slot;
	u8 path;
	u8 order;
	u8 fifo;
	u8 spare;
	u16 sw;
};

_Static_assert(sizeof(struct tofu_fields) <= TORUS_HEADER_MAX, "fields of a packet");

/**
 * struct tofu_machine - parameters as the hot loop wants them
 * @timing: of every link
 * @geo: the shape
 * @buffer: chunks of a VC's buffer
 * @policy: enum tofu_policy: of packets that name no path
 * @tnis: engines
 * @exchanged: I/O nodes take z first and others last, not as the paper has it
 * @gate_delay: ticks from what makes a barrier gate fire until its packet may leave
 * @barrier: barrier channels; NULL: nobody has asked for gates
 * @engine_delay: ticks from a command until its first packet may leave
 * @memory_delay: ticks from a packet's last byte until it is in memory
 * @engines: what engines have to do; NULL: nobody is attached
 */
struct tofu_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	u32 buffer;
	u32 policy;
	u32 tnis;
	bool exchanged;
	u32 gate_delay;
	struct tofu_barrier *barrier;
	u32 engine_delay;
	u32 memory_delay;
	struct tofu_engines *engines;
};

/* What the two compilations of routing.h offer, for four and for six engines. */
struct tofu_router {
	struct torus_router_ops ops;
	void (*node_reset)(struct torus_fabric *f, u32 node);
};

/* The order in which packets of a node at @coords take x, y and z: see tofu_order_of(). */
torus_inline u8 tofu_order_at(const struct tofu_machine *m, const u32 *coords)
{
	return (u8)(tofu_order_of(coords) ^ m->exchanged);
}

torus_inline struct tofu_fields *tofu_fields(struct torus_packet *p)
{
	return (struct tofu_fields *)p->header;
}

/* The TNI that an engine's or a gate's packet is for. */
torus_inline u32 tofu_engine_of(const struct torus_packet *p)
{
	return ((const struct tofu_fields *)p->header)->sw & ((1u << TORUS_TOFU_KIND_SHIFT) - 1);
}

extern const struct tofu_router tofu_router_four;
extern const struct tofu_router tofu_router_six;

#endif
